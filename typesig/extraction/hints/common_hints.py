"""The commonest hints, read from a table: classes such as `int`, and lists and choices of them.

They read the same in every place of every callable, so each is read once and its type is one
object.  `hints.READERS` reads them all as well; a law compares the two.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from typesig.algebra.constructors import map_of, maybe
from typesig.algebra.nodes import ANY, BOOL, FLOAT, INT, NIL, STRING, Enum, List, Scalar
from typesig.algebra.rows.values import Const
from typesig.extraction.callables.generics import LITERAL, UNIONS
from typesig.extraction.hints.context import BETWEEN, OR_NIL, HintContext, HostType
from typesig.extraction.hosts import decoders
from typesig.extraction.hosts.host_leaves import LEAVES, decoder_of_leaf
from typesig.limits import MAX_HINT_DEPTH, MAX_HINTS

#: Hints within each other that a common hint can have.
_LEVELS = 4


class CommonHint:
    """What a common hint becomes.

    #: found: its type, and how the function gets a value
    #: hints: how many hints it has, itself included
    #: width: how many characters a field of it has at most, beside its name
    """

    __slots__ = ("_of_list", "_of_map", "_or_none", "found", "hints", "width")

    def __init__(self, found: HostType, hints: int, width: int) -> None:
        self.found = found
        self.hints = hints
        self.width = width
        self._of_list: CommonHint | None = None
        self._of_map: CommonHint | None = None
        self._or_none: CommonHint | None = None

    def of_list(self) -> CommonHint:
        """Return what a list of these becomes."""
        made = self._of_list
        if made is None:
            item = self.found
            found = HostType(List(item.type), decoders.items(item.decode))
            made = self._of_list = CommonHint(found, self.hints + 1, self.width + 2)
        return made

    def of_map(self) -> CommonHint:
        """Return what a map of text to these becomes."""
        made = self._of_map
        if made is None:
            item = self.found
            found = HostType(map_of(STRING, item.type), decoders.mapping(None, item.decode))
            made = self._of_map = CommonHint(found, self.hints + 2, self.width + len(":map[]"))
        return made

    def or_none(self) -> CommonHint:
        """Return what a union of this and None becomes."""
        made = self._or_none
        if made is None:
            part = self.found
            found = HostType(maybe(part.type), decoders.maybe(part.decode), True)
            made = self._or_none = CommonHint(found, self.hints + 2, self.width + OR_NIL)
        return made


def _scalar(t: Scalar, decode: decoders.Decode = None, nil: bool = False) -> CommonHint:
    return CommonHint(HostType(t, decode, nil), 1, len(f":{t.name}") + BETWEEN)


_ANY = _scalar(ANY)
_NIL = _scalar(NIL, None, True)
_CLASSES: dict[type, CommonHint] = {
    str: _scalar(STRING),
    int: _scalar(INT),
    float: _scalar(FLOAT, decoder_of_leaf(LEAVES["builtins", "float"], float)),
    bool: _scalar(BOOL),
    type(None): _NIL,
}


def common_of(hint: Any, levels: int = _LEVELS) -> CommonHint | None:
    """Return what *hint* becomes if it is common, with at most *levels* of hints, else None."""
    kind = type(hint)
    if kind is type:
        return _CLASSES.get(hint)
    if kind is LITERAL:
        for text in hint.__args__:
            if type(text) is not str:
                return None
        return _literal(hint.__args__)
    if hint is typing.Any:
        return _ANY
    inner: Any = None
    make: Callable[[CommonHint], CommonHint] | None = None
    if kind is types.GenericAlias:
        origin, arguments = hint.__origin__, hint.__args__
        if origin is list and len(arguments) == 1:
            inner, make = arguments[0], CommonHint.of_list
        elif origin is dict and len(arguments) == 2 and arguments[0] is str:
            inner, make = arguments[1], CommonHint.of_map
    elif kind in UNIONS and len(hint.__args__) == 2:
        inner, other = hint.__args__
        if inner is type(None):
            inner, other = other, inner
        if other is type(None):
            make = CommonHint.or_none
    if make is None or levels <= 1:
        return None
    found = common_of(inner, levels - 1)
    return None if found is None else make(found)


@lru_cache(maxsize=512)
def _literal(texts: tuple[str, ...]) -> CommonHint:
    t = Enum(tuple([Const("string", text) for text in dict.fromkeys(texts)]))
    # In quotes, a character has at most twelve.
    width = sum([12 * len(text) + len('"" ') for text in texts])
    return CommonHint(HostType(t), 1, len(":enum[]") + width + BETWEEN)


def common_in(context: HintContext, hint: Any) -> HostType | None:
    """Return what *hint* becomes in *context* if it is common, and count its hints, else None."""
    found = common_of(hint)
    if found is None:
        return None
    findings = context.findings
    hints = findings.hints + found.hints
    if hints > most_hints(context):
        return None
    findings.hints = hints
    return found.found


def most_hints(context: HintContext) -> int:
    """Return how many hints may be read when a common one of *context* is; -1 if none may.

    The long way reads those of another profile, and warns of the hint that is beyond a limit.
    """
    if context.options.profile != "python" or context.depth + len(context.aliases) > _DEEPEST:
        return -1
    return MAX_HINTS


#: The hints around a common hint, which has hints within it.
_DEEPEST = MAX_HINT_DEPTH - _LEVELS
