"""The commonest hints, read from a table: classes such as `int`, and lists and choices of them.

They read the same in every place of every callable, so each is read once and its type is one
object.  `readers.READERS` reads them all as well; a law compares the two.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from typesig.algebra.constructors import make_maybe, map_of
from typesig.algebra.nodes import ANY, BOOL, FLOAT, INT, NIL, STRING, Enum, List, Scalar
from typesig.algebra.rows.values import Const
from typesig.extraction.callables.generics import LITERAL, UNIONS
from typesig.extraction.callables.hint_resolver import resolve_if_text
from typesig.extraction.hints.context import BETWEEN, OR_NIL, HintContext, HostType
from typesig.extraction.python_types import decoders
from typesig.extraction.python_types.leaves import LEAVES, make_leaf_decoder
from typesig.limits import MAX_HINT_DEPTH, MAX_HINTS

#: Hints within each other that a common hint can have.
_LEVELS = 4


class CommonHint:
    """A frequent hint, such as `int` or `list[str]`, with its type and decode plan.

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

    def for_list(self) -> CommonHint:
        """Return the common hint of a list with items of this hint."""
        made = self._of_list
        if made is None:
            item = self.found
            found = HostType(List(item.type), decoders.make_items(item.decode))
            made = self._of_list = CommonHint(found, self.hints + 1, self.width + 2)
        return made

    def for_map(self) -> CommonHint:
        """Return the common hint of a dict from str to values of this hint."""
        made = self._of_map
        if made is None:
            item = self.found
            found = HostType(map_of(STRING, item.type), decoders.make_map(None, item.decode))
            made = self._of_map = CommonHint(found, self.hints + 2, self.width + len(":map[]"))
        return made

    def for_nullable(self) -> CommonHint:
        """Return the common hint of the union of this hint and None."""
        made = self._or_none
        if made is None:
            part = self.found
            found = HostType(make_maybe(part.type), decoders.make_nullable(part.decode), True)
            made = self._or_none = CommonHint(found, self.hints + 2, self.width + OR_NIL)
        return made


def _make_scalar(t: Scalar, decode: decoders.Decode = None, nil: bool = False) -> CommonHint:
    """Make the common hint of a class with the scalar type *t*; *nil*: it is NoneType."""
    return CommonHint(HostType(t, decode, nil), 1, len(f":{t.name}") + BETWEEN)


_ANY = _make_scalar(ANY)
_NIL = _make_scalar(NIL, None, True)
_CLASSES: dict[type, CommonHint] = {
    str: _make_scalar(STRING),
    int: _make_scalar(INT),
    float: _make_scalar(FLOAT, make_leaf_decoder(LEAVES["builtins", "float"], float)),
    bool: _make_scalar(BOOL),
    type(None): _NIL,
}


def find_common(hint: Any, levels: int = _LEVELS) -> CommonHint | None:
    """Return the common hint for *hint*, of at most *levels* nested hints, else None."""
    kind = type(hint)
    if kind is type:
        return _CLASSES.get(hint)
    if kind is LITERAL:
        for text in hint.__args__:
            if type(text) is not str:
                return None
        return _read_literal(hint.__args__)
    if hint is typing.Any:
        return _ANY
    inner: Any = None
    make: Callable[[CommonHint], CommonHint] | None = None
    if kind is types.GenericAlias:
        origin, arguments = hint.__origin__, hint.__args__
        if origin is list and len(arguments) == 1:
            inner, make = arguments[0], CommonHint.for_list
        elif origin is dict and len(arguments) == 2 and arguments[0] is str:
            inner, make = arguments[1], CommonHint.for_map
    elif kind in UNIONS and len(hint.__args__) == 2:
        inner, other = hint.__args__
        if inner is type(None):
            inner, other = other, inner
        if other is type(None):
            make = CommonHint.for_nullable
    if make is None or levels <= 1:
        return None
    found = find_common(inner, levels - 1)
    return None if found is None else make(found)


@lru_cache(maxsize=512)
def _read_literal(texts: tuple[str, ...]) -> CommonHint:
    """Make the common hint of a `Literal` of the strings *texts*, without duplicates."""
    t = Enum(tuple([Const("string", text) for text in dict.fromkeys(texts)]))
    # In quotes, a character has at most twelve.
    width = sum([12 * len(text) + len('"" ') for text in texts])
    return CommonHint(HostType(t), 1, len(":enum[]") + width + BETWEEN)


def read_common(context: HintContext, hint: Any) -> HostType | None:
    """Read *hint* in *context* if it is common, and count its hints, else None."""
    found = find_common(resolve_if_text(hint, context.scope))
    if found is None:
        return None
    findings = context.findings
    hints = findings.hints + found.hints
    if hints > get_hint_limit(context):
        return None
    findings.hints = hints
    return found.found


def get_hint_limit(context: HintContext) -> int:
    """Return the maximum number of hints on the fast path; -1 if it must not be used.

    The long way reads those of another profile, and warns of the hint that is beyond a limit.
    """
    if context.options.profile != "python" or context.depth + len(context.aliases) > _DEEPEST:
        return -1
    return MAX_HINTS


#: The hints around a common hint, which has hints within it.
_DEEPEST = MAX_HINT_DEPTH - _LEVELS
