"""What a notation is: a name, an example, and the functions that write and read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature

NotationName: TypeAlias = Literal["shorthand", "malli", "edn", "json_schema", "gram", "gram_path"]


class Notation(NamedTuple):
    """A language that signatures are written in, and mostly read from too.

    The functions import what they need when they are called, so that a notation costs nothing
    until it is used.

    #: example: something written in it
    #: render: what is written for a signature, and its losses; called with the signature, whether
    #:     its result type alone is meant, and options by name
    #: parse: the signature that something written describes, and its losses; called with that and
    #:     whether it may be widened; None for a notation that is only written
    #: expressible: the signature that reading back gives, the same one where nothing is lost;
    #:     called with a signature and the options of `render`; None where `parse` is
    #: options: the names of the options, such as whether parameters are named
    """

    name: NotationName
    example: Any
    render: Callable[..., tuple[Any, Losses]]
    parse: Callable[[Any, bool], tuple[Signature, Losses]] | None = None
    expressible: Callable[..., Signature] | None = None
    options: frozenset[str] = frozenset()
