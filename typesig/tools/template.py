"""Prompt templates whose placeholders are checked against a signature."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, assert_never

from typesig.algebra.nodes import (
    ANY,
    Both,
    Enum,
    Field,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
    folded,
)
from typesig.algebra.scalars import SCALARS
from typesig.algebra.traversal import level
from typesig.algebra.values import exact
from typesig.errors import TypesigError
from typesig.notations import parse
from typesig.validation.issues import ValidationError, path_text
from typesig.validation.keys import KeyPlan
from typesig.validation.plain import plain

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_PATH = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*")


def placeholders(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the paths between double braces in *text*, each once, in order.

    Raises `TypesigError` for a placeholder that is empty or not a name.

    >>> placeholders("Find {{ user.name }} on {{topic}}")
    (('user', 'name'), ('topic',))
    """
    return tuple(dict.fromkeys(path for _, path in _found(text)))


def _found(text: str) -> Iterator[tuple[re.Match[str], tuple[str, ...]]]:
    for match in _PLACEHOLDER.finditer(text):
        name = match[1].strip()
        where = f"placeholder {match[0][:60]!r} at character {match.start() + 1}"
        if not name:
            raise TypesigError(f"{where} is empty; write a name, as in {{{{name}}}}")
        if _PATH.fullmatch(name) is None:
            raise TypesigError(
                f"{where} is not a name; names begin with a letter, as in {{{{user.name}}}}"
            )
        yield match, tuple(name.split("."))


class Template:
    """A text with placeholders for values of a signature's parameters.

    Making one raises `TypesigError` for a placeholder that the parameters do not provide.

    >>> Template("Find {{user.name}}", "(user {name :string}) -> :any").render(
    ...     {"user": {"name": "Ann"}}
    ... )
    'Find Ann'
    """

    __slots__ = ("signature", "text")

    def __init__(self, text: str, signature: object) -> None:
        self.text = text
        self.signature = parse(signature)
        arguments: Type = self.signature.arguments
        for path in placeholders(text):
            _check(path, arguments, self.signature.names)

    def render(self, values: Mapping[str, Any]) -> str:
        """Return the text with each placeholder replaced by its value.

        Text is written as it is, nil as an empty text, lists and maps as JSON; placeholders in a
        value are not replaced.  Raises `ValidationError` if a value is missing or not data.
        """
        data = plain(dict(exact(values)))
        out, at = [], 0
        for match, path in _found(self.text):
            out.append(self.text[at : match.start()])
            value = self._value(data, path)
            try:
                out.append(_written(value))
            except (TypeError, ValueError, RecursionError):
                raise ValidationError(f"{path_text(path)}: JSON has no form for it") from None
            at = match.end()
        return "".join([*out, self.text[at:]])

    def _value(self, data: Any, path: tuple[str, ...]) -> Any:
        current = data
        reached: tuple[Type, ...] = (self.signature.arguments,)
        for depth, step in enumerate(path):
            if current is None and depth:
                # The value above is nil, which has nothing below it.
                return None
            below = _below(reached, step, self.signature.names)
            found = _key(current, step)
            if found is None or current is None:
                missing = next((field for field in below.fields if not field.required), None)
                if missing is None:
                    where = path_text(path[: depth + 1])
                    raise ValidationError(f"{where}: missing in the values")
                return None if missing.default is None else missing.default.thaw()
            current, reached = current[found], below.types
        return current


def _key(data: Any, step: str) -> str | None:
    if not isinstance(data, dict):
        return None
    if step in data:
        return step
    return next((key for key in data if folded(str(key)) == folded(step)), None)


def _written(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class _Below(NamedTuple):
    """What a name in a path refers to.

    #: types: the types of its values; fields: the fields of that name; offered: all fields
    #: free: whether any name can be written here
    """

    types: tuple[Type, ...]
    fields: tuple[Field, ...]
    offered: tuple[Field, ...]
    free: bool


def _below(reached: tuple[Type, ...], step: str, names: Mapping[str, Type]) -> _Below:
    """Return what the name *step* refers to in values of the types *reached*."""
    fields: list[Field] = []
    offered: list[Field] = []
    others: list[Type] = []
    free = False
    for part in [part for one in reached for part in level(one, names)]:
        match part:
            case Scalar(name):
                kinds = SCALARS[name].kinds
                free = free or not kinds or "map" in kinds
            case MapOf(_, value):
                others.append(value)
            case Record():
                offered.extend(part.fields)
                mine = [f for f in part.fields if f.key == folded(step) or f.name == step]
                fields.extend(mine)
                matched = [m.type for m in part.matching if m.test()(step)]
                others.extend(matched)
                if not mine and not matched and part.extra is not None and part.extra != ANY:
                    others.append(part.extra)
            case Maybe() | Union() | One() | Both() | Refined() | Noted() | Ref():
                continue  # `level` yields the types within, too
            case List() | Set() | Tuple() | Enum() | Not():
                continue
            case _:
                assert_never(part)
    types = (*(field.type for field in fields), *others)
    return _Below(types, tuple(fields), tuple(offered), free)


def _check(path: tuple[str, ...], t: Type, names: Mapping[str, Type]) -> None:
    reached: tuple[Type, ...] = (t,)
    for depth, step in enumerate(path):
        below = _below(reached, step, names)
        if below.free:
            return
        if not below.types:
            raise TypesigError(_unknown(path, depth, below.offered))
        reached = below.types


def _unknown(path: tuple[str, ...], depth: int, offered: tuple[Field, ...]) -> str:
    whole = "{{" + ".".join(path) + "}}"
    if not offered:
        above = ".".join(path[:depth])
        return f"placeholder {whole}: nothing is named below {above}; write {{{{{above}}}}}"
    near = KeyPlan(offered).near(path[depth])
    has = ", ".join(field.name for field in offered)
    return f"placeholder {whole}: there is no {path[depth]}; {near or f'there are {has}'}"
