"""What a model reads of a value within a budget: whole items first, then the long texts.

The value is written as JSON or as a table.  If that is too long, lists keep their first items; if
one item is too long, long texts keep their beginning.  A last line tells what was left out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from typesig.errors import TooLarge, TypesigError, short
from typesig.notations.texts.counters import Counter, checked_counter
from typesig.notations.texts.quoting import compact_text
from typesig.validation.issues.issues import path_text
from typesig.validation.rows.tables import table_of

#: How a value is written: as JSON, as a table if it is a list of objects, or as what is shorter.
TextStyle: TypeAlias = Literal["json", "table", "auto"]
TEXT_STYLES: tuple[TextStyle, ...] = get_args(TextStyle)

#: Characters that a long text keeps before items of inner lists are left out.
_KEPT_TEXT = 200
#: Entries of a map that are kept before others are left out.
_KEPT_ENTRIES = 20
#: Places that the last line names.
_NAMED = 3
_ALL = 1 << 62


class _Caps(NamedTuple):
    """How much is kept.

    #: outer: items of lists that are in no other list; inner: of the others
    #: entries: entries of maps; characters: characters of texts
    """

    outer: int = _ALL
    inner: int = _ALL
    entries: int = _ALL
    characters: int = _ALL


#: How values are cut, from the least to the most: what each number of kept things stands for.
_STEPS: tuple[Callable[[int], _Caps], ...] = (
    lambda n: _Caps(outer=n),
    lambda n: _Caps(outer=n, characters=_KEPT_TEXT),
    lambda n: _Caps(n, n, characters=_KEPT_TEXT),
    lambda n: _Caps(1, 1, characters=min(n, _KEPT_TEXT)),
    lambda n: _Caps(n, n, min(n, _KEPT_ENTRIES), _KEPT_TEXT),
    lambda n: _Caps(1, 1, 1, min(n, _KEPT_TEXT)),
)


class _Left(NamedTuple):
    """What was left out at a place: of how many things how many are kept."""

    path: tuple[str | int, ...]
    things: str
    kept: int
    whole: int

    def __str__(self) -> str:
        where = f" of {path_text(self.path)}" if self.path else ""
        return f"{self.whole - self.kept} of {self.whole} {self.things}{where}"


def checked_style(style: object) -> TextStyle:
    """Return *style* if it is one; raise `TypesigError` if it is none."""
    for each in TEXT_STYLES:
        if style == each:
            return each
    raise TypesigError(f"no style {short(style)}; there are {', '.join(TEXT_STYLES)}")


def checked_budget(budget: object) -> int:
    """Return *budget* if it is a number above 0; raise `TypesigError` if it is none."""
    if isinstance(budget, int) and not isinstance(budget, bool) and budget > 0:
        return budget
    raise TypesigError(f"a budget is a whole number above 0, not {short(budget)}")


def writer_of(style: object, budget: object, counter: Counter) -> Callable[[Any], str]:
    """Return the function that writes plain data with these options; see `Outcome.text`."""
    known, most = checked_style(style), None if budget is None else checked_budget(budget)
    return partial(text_within, style=known, budget=most, count=checked_counter(counter))


def text_within(data: Any, style: TextStyle, budget: int | None, count: Counter) -> str:
    """Return plain *data* as text in *style*, of at most *budget* units of *count*.

    Raises `TooLarge` if not even the last line fits.

    >>> print(text_within([{"id": n} for n in range(100)], "json", 60, len))
    [{"id":0},{"id":1},{"id":2}]
    [not shown: 97 of 100 items]
    """
    text = _written(data, style, count)
    if budget is None or count(text) <= budget:
        return text

    def cut(caps: _Caps) -> str | None:
        cutting = _Cutting(caps)
        kept = cutting.kept(data, ())
        if not cutting.places:
            return None
        found = f"{_written(kept, style, count)}\n{_told(cutting.left, cutting.places)}"
        return found if count(found) <= budget else None

    for step in _STEPS:
        kept = _most(lambda n, step=step: cut(step(n)))  # type: ignore[misc]
        if kept:
            caps = step(kept)
            room = _most(lambda n, caps=caps: cut(_longer(caps, n)))  # type: ignore[misc]
            found = cut(_longer(caps, room))
            assert found is not None
            return found
    line = f"[not shown: the whole, of size {count(text)}; at most {budget} are shown]"
    if count(line) > budget:
        raise TooLarge(f"a budget of {budget} is too small to tell that the result is left out")
    return line


def _longer(caps: _Caps, n: int) -> _Caps:
    """Return *caps* with texts of *n* - 1 more characters."""
    return caps._replace(characters=caps.characters + n - 1)


def _most(cut: Callable[[int], str | None]) -> int:
    """Return the largest number of which *cut* makes a text that fits, 0 if there is none.

    No number is tried that is more than twice as large as one that fits, so that little is written.
    """
    best, fitting, failing = cut(1), 1, 2
    if best is None:
        return 0
    while (found := cut(failing)) is not None:
        if found == best:
            return fitting  # there is no more
        best, fitting, failing = found, failing, 2 * failing
    while failing - fitting > 1:
        middle = (fitting + failing) // 2
        if cut(middle) is None:
            failing = middle
        else:
            fitting = middle
    return fitting


def _written(data: Any, style: TextStyle, count: Counter) -> str:
    text = None if style == "json" else table_of(data)
    if text is None:
        return compact_text(data)
    if style == "table":
        return text
    other = compact_text(data)
    return text if count(text) < count(other) else other


class _Cutting:
    """One walk over data; *left* has the first places where something was left out."""

    __slots__ = ("caps", "left", "places")

    def __init__(self, caps: _Caps) -> None:
        self.caps = caps
        self.left: list[_Left] = []
        self.places = 0

    def kept(self, data: Any, path: tuple[str | int, ...], inner: bool = False) -> Any:
        """Return what is kept of *data*; *inner* tells whether it is in a list."""
        caps = self.caps
        match data:
            case str():
                text: str = self._some(data, caps.characters, "characters", path)
                return text if text is data else f"{text}…"
            case list():
                items = self._some(data, caps.inner if inner else caps.outer, "items", path)
                return [self.kept(item, (*path, at), True) for at, item in enumerate(items)]
            case dict():
                keys = self._some(list(data), caps.entries, "entries", path)
                return {key: self.kept(data[key], (*path, key), inner) for key in keys}
            case _:
                return data

    def _some(self, whole: Any, cap: int, things: str, path: tuple[str | int, ...]) -> Any:
        if len(whole) <= cap:
            return whole
        self.places += 1
        if len(self.left) < _NAMED:
            self.left.append(_Left(path, things, cap, len(whole)))
        return whole[:cap]


def _told(left: list[_Left], places: int) -> str:
    others = places - len(left)
    more = [f"parts at {others} other place{'s' * (others > 1)}"] if others else []
    return f"[not shown: {', '.join([*map(str, left), *more])}]"
