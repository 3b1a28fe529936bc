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
from typesig.notations.texts.quoting import compact_text, encodable
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


class Shown(NamedTuple):
    """A text, and what it leaves out.

    #: rest: the parts that are not shown: that of the whole, or those of places, by these; None if
    #:     nothing is left out, or nothing shown
    """

    text: str
    rest: Any = None


class Writer(NamedTuple):
    """How results are written for a model; see `Outcome.text`.

    #: notice: the last line of each text with the line break before it, or empty
    """

    style: TextStyle
    budget: int | None
    size: Counter
    notice: str = ""

    def beside(self, notice: str) -> Writer:
        """Return the writer of texts whose last line is *notice*, within the same budget."""
        if not notice:
            return self
        line = f"\n{notice}"
        left = None if self.budget is None else self.budget - self.size(line)
        if left is not None and left < 1:
            raise TooLarge(f"a budget of {self.budget} is too small for the warnings of the call")
        return self._replace(budget=left, notice=line)

    def text(self, data: Any) -> str:
        """Return plain *data* as text within the budget; raise `TooLarge` if not a line fits."""
        return self.shown(data).text

    def shown(self, data: Any, ask: str = "", bare: bool = False) -> Shown:
        """Return the text of plain *data*, and what it leaves out.

        The last line ends with *ask*, which tells how to get the rest.  With *bare*, a text has no
        quotes.  Raises `TooLarge` if not even the last line fits the budget.
        """
        made = self._shown(data, ask, bare)
        return made._replace(text=made.text + self.notice) if self.notice else made

    def _shown(self, data: Any, ask: str, bare: bool) -> Shown:
        text, budget = self._written(data, bare), self.budget
        if budget is None or self.size(text) <= budget:
            return Shown(text)

        def cut(caps: _Caps) -> str | None:
            cutting = _Cutting(caps)
            kept = cutting.kept(data, ())
            if not cutting.places:
                return None
            found = f"{self._written(kept, bare)}\n[not shown: {cutting.told()}{ask}]"
            return found if self.size(found) <= budget else None

        for step in _STEPS:
            caps = _most(cut, step)
            if caps is not None:
                caps = _most(cut, partial(_longer, caps)) or caps
                return Shown(cut(caps) or "", _rest_of(data, caps))
        line = f"[not shown: the whole, of size {self.size(text)}; at most {budget} are shown]"
        if self.size(line) > budget:
            raise TooLarge(f"a budget of {budget} is too small to tell that the result is left out")
        return Shown(line)

    def _written(self, data: Any, bare: bool) -> str:
        if bare and isinstance(data, str):
            return encodable(data)
        text = None if self.style == "json" else table_of(data)
        if text is None:
            return compact_text(data)
        if self.style == "table":
            return text
        other = compact_text(data)
        return text if self.size(text) < self.size(other) else other


def writer_of(style: object, budget: object, counter: Counter) -> Writer:
    """Return what writes results with these options; raise `TypesigError` for a wrong one."""
    known, most = checked_style(style), None if budget is None else checked_budget(budget)
    return Writer(known, most, checked_counter(counter))


def _rest_of(data: Any, caps: _Caps) -> Any:
    rest: dict[str, Any] = {}
    _Cutting(caps, rest).kept(data, ())
    return rest[""] if "" in rest and len(rest) == 1 else rest


def _longer(caps: _Caps, n: int) -> _Caps:
    """Return *caps* with texts of *n* - 1 more characters."""
    return caps._replace(characters=caps.characters + n - 1)


def _most(cut: Callable[[_Caps], str | None], step: Callable[[int], _Caps]) -> _Caps | None:
    """Return the caps of *step* that keep the most of which *cut* makes a text, None if none do.

    No number is tried that is more than twice as large as one that fits, so that little is written.
    """
    best, fitting, failing = cut(step(1)), 1, 2
    if best is None:
        return None
    while (found := cut(step(failing))) is not None:
        if found == best:
            return step(fitting)  # there is no more
        best, fitting, failing = found, failing, 2 * failing
    while failing - fitting > 1:
        middle = (fitting + failing) // 2
        if cut(step(middle)) is None:
            failing = middle
        else:
            fitting = middle
    return step(fitting)


class _Cutting:
    """One walk over data.

    #: left: the first places where something was left out; places: the number of all
    #: rest: takes what was left out, by the texts of the places, if it is given
    """

    __slots__ = ("caps", "left", "places", "rest")

    def __init__(self, caps: _Caps, rest: dict[str, Any] | None = None) -> None:
        self.caps, self.rest = caps, rest
        self.left: list[_Left] = []
        self.places = 0

    def kept(self, data: Any, path: tuple[str | int, ...], inner: bool = False) -> Any:
        """Return what is kept of *data*; *inner* tells whether it is in a list."""
        caps = self.caps
        match data:
            case str() if len(data) > caps.characters:
                self._leave(data[caps.characters :], caps.characters, "characters", path)
                return f"{data[: caps.characters]}…"
            case list():
                cap = caps.inner if inner else caps.outer
                if len(data) > cap:
                    self._leave(data[cap:], cap, "items", path)
                return [self.kept(item, (*path, at), True) for at, item in enumerate(data[:cap])]
            case dict():
                entries = list(data.items())
                if len(entries) > caps.entries:
                    self._leave(dict(entries[caps.entries :]), caps.entries, "entries", path)
                    entries = entries[: caps.entries]
                return {key: self.kept(item, (*path, key), inner) for key, item in entries}
            case _:
                return data

    def _leave(self, part: Any, cap: int, things: str, path: tuple[str | int, ...]) -> None:
        self.places += 1
        if len(self.left) < _NAMED:
            self.left.append(_Left(path, things, cap, cap + len(part)))
        if self.rest is not None:
            self.rest[path_text(path)] = part

    def told(self) -> str:
        """Return what was left out, in words."""
        others = self.places - len(self.left)
        more = [f"parts at {others} other place{'s' * (others > 1)}"] if others else []
        return ", ".join([*map(str, self.left), *more])
