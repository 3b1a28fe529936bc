"""The rows of the matrix in shorthand: a type of each shape, and whole signatures."""

from __future__ import annotations

from typing import NamedTuple


class Cannot(NamedTuple):
    """A refusal by a notation: the message, and the place that it is about."""

    message: str
    path: tuple[str, ...] = ()


TYPES = [
    ":string",
    ":int",
    ":float",
    ":bool",
    ":keyword",
    ":any",
    ":nil",
    ":datetime",
    ":map",
    "[:int]",
    "#{:int}",
    "[:int, :float]",
    "[:int, ** :float]",
    ":map[:int]",
    ":map[:int :string]",
    ":map[:int[1..5] :string]",
    "{id :int}",
    "{id :int}!",
    "{id :int, ** :string}",
    "{id? :int}",
    "{id :int?}",
    "{id :int|:nil}",
    "{id :int = 1}",
    '{id :int "words"}',
    '{"a b" :int}',
    "{/^x-/ :int}",
    ":int?",
    ':enum["a" "b"]',
    ':enum["a" 1 true nil]',
    ":int|:string",
    ":one[:int, :float]",
    "{a :int} & {b :int}",
    ":not[:string]",
    ":count[2..3 :int]",
    ":int[1..100]",
    ":float[>0, <1]",
    ":int[%5]",
    ":string[1..20]",
    ":string[/^a/]",
    ":string[email]",
    "[:int][1..3]",
    "[:int][unique]",
    ":map[1..]",
    '(:int "a count")',
    ":Tree where Tree = {children [:Tree]}",
]

SIGNATURES = [
    "(id :int, limit :int = 10) -> [:string]",
    "()! -> :any",
    "(q :string, ** :int) -> :nil",
]
