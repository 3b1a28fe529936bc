"""What is read at a place before the type of the place looks at it: the JSON text of its value.

A place is where a value stands: the whole answer, a field, an item.  A member of a union is none:
only the whole type of a place tells whether text is a value there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from typesig.algebra.nodes import (
    Both,
    Enum,
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
)
from typesig.algebra.traversal import level
from typesig.algebra.values import kind_of
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.run import Checker, Found, Run

#: How often data is encoded as text: once by mistake, and once more by what sends it.
_LAYERS = 2

#: The kinds of data that have parts.
_WITH_PARTS = ("map", "list")


def takes_text(t: Type, names: Mapping[str, Type]) -> bool:
    """Tell whether text may be a value of a branch of *t*.

    The text of a datetime does not count, since it is the text of nothing else.
    """
    return any(map(_is_of_text, level(t, names)))


def _is_of_text(t: Type) -> bool:
    match t:
        case Scalar(name):
            return name in ("string", "any", "keyword")
        case Enum(values):
            return any(value.kind in ("string", "keyword") for value in values)
        case Not():
            # Text is most of what it does not exclude.
            return True
        case List() | Set() | Tuple() | MapOf() | Record():
            return False
        case Maybe() | Refined() | Noted() | Union() | One() | Both() | Ref():
            # `level` yields their parts.
            return False
        case _:
            assert_never(t)


def has_parts(t: Type, names: Mapping[str, Type]) -> bool:
    """Tell whether a value of *t* may be a list or a map."""
    return any(
        isinstance(part, List | Set | Tuple | MapOf | Record)
        or (isinstance(part, Scalar) and part.name == "map")
        for part in level(t, names)
    )


def read_parts(text: str) -> Any:
    """Return the list or map that the JSON *text* writes, maybe encoded twice, or None."""
    data: Any = text
    for _ in range(_LAYERS):
        if data.lstrip(" \t\r\n")[:1] not in ("{", "[", '"'):
            return None
        try:
            data = read_json(data)
        except BadJson:
            return None
        if kind_of(data) in _WITH_PARTS:
            return data
        if not isinstance(data, str):
            return None
    return None


def from_text(inner: Checker) -> Checker:
    """Return *inner*, before which the JSON text of a list or map is read."""

    def check(value: Any, run: Run) -> Any:
        if not isinstance(value, str) or kind_of(value) != "string":
            return inner(value, run)
        data = _read_once(value, run)
        if data is None:
            return inner(value, run)
        to = kind_of(data)
        # Without an excerpt: a part of the text may be secret.
        run.add(Found("parsed", to, rule="data_from_string", warning=True))
        return inner(data, run)

    return check


def _read_once(text: str, run: Run) -> Any:
    """Return `read_parts` of *text*, which all branches of a check share.

    What they find is remembered by the value, which must be the same in all of them.
    """
    key = id(read_parts), id(text)
    known = run.memo.get(key)
    if known is None:
        known = run.memo[key] = text, read_parts(text), run
    return known[1]
