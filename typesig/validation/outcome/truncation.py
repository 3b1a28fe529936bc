"""What a model reads of a value within a budget: whole items first, then the long texts.

The value is written as JSON or as a table.  If that is too long, lists keep their first items; if
one item is too long, long texts keep their beginning.  A last line tells what was left out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from typesig.errors import TooLarge, TypesigError, format_value
from typesig.notations.texts.quoting import (
    Counter,
    check_counter,
    escape_surrogates,
    write_compact_json,
)
from typesig.validation.issues.issues import write_path
from typesig.validation.tables import make_table

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


class _SizeLimits(NamedTuple):
    """Limits of list items, map entries and text characters in a truncated result.

    #: outer: items of lists that are in no other list; inner: of the others
    #: entries: entries of maps; characters: characters of texts
    """

    outer: int = _ALL
    inner: int = _ALL
    entries: int = _ALL
    characters: int = _ALL


#: How values are cut, from the least to the most: what each number of kept things stands for.
_STEPS: tuple[Callable[[int], _SizeLimits], ...] = (
    lambda n: _SizeLimits(outer=n),
    lambda n: _SizeLimits(outer=n, characters=_KEPT_TEXT),
    lambda n: _SizeLimits(n, n, characters=_KEPT_TEXT),
    lambda n: _SizeLimits(1, 1, characters=min(n, _KEPT_TEXT)),
    lambda n: _SizeLimits(n, n, min(n, _KEPT_ENTRIES), _KEPT_TEXT),
    lambda n: _SizeLimits(1, 1, 1, min(n, _KEPT_TEXT)),
)


class _Omission(NamedTuple):
    """Items, entries or characters omitted at a path, with kept and total numbers."""

    path: tuple[str | int, ...]
    things: str
    kept: int
    whole: int

    def __str__(self) -> str:
        where = f" of {write_path(self.path)}" if self.path else ""
        return f"{self.whole - self.kept} of {self.whole} {self.things}{where}"


def check_style(style: object) -> TextStyle:
    """Return *style*; raise `TypesigError` if it is not a known text style."""
    for each in TEXT_STYLES:
        if style == each:
            return each
    raise TypesigError(f"no style {format_value(style)}; there are {', '.join(TEXT_STYLES)}")


def check_budget(budget: object) -> int:
    """Return *budget*; raise `TypesigError` if it is not a positive number."""
    if isinstance(budget, int) and not isinstance(budget, bool) and budget > 0:
        return budget
    raise TypesigError(f"a budget is a whole number above 0, not {format_value(budget)}")


class ModelText(NamedTuple):
    """A text for a model, with the parts that were cut off.

    #: rest: the parts that are not shown: that of the whole, or those of places, by these; None if
    #:     nothing is left out, or nothing shown
    """

    text: str
    rest: Any = None


class ResultWriter(NamedTuple):
    """Writer of results as text for a model within a budget; see `Outcome.text`.

    #: notice: the last line of each text with the line break before it, or empty
    """

    style: TextStyle
    budget: int | None
    size: Counter
    notice: str = ""

    def with_notice(self, notice: str) -> ResultWriter:
        """Copy the writer so that *notice* is the last line of its texts."""
        if not notice:
            return self
        line = f"\n{notice}"
        left = None if self.budget is None else self.budget - self.size(line)
        if left is not None and left < 1:
            raise TooLarge(f"a budget of {self.budget} is too small for the warnings of the call")
        return self._replace(budget=left, notice=line)

    def write_text(self, data: Any) -> str:
        """Return plain *data* as text within the budget; raise `TooLarge` if not a line fits."""
        return self.write_model_text(data).text

    def write_model_text(self, data: Any, ask: str = "", bare: bool = False) -> ModelText:
        """Write *data* within the budget; return the text and the rest.

        The last line ends with *ask*, which tells how to get the rest.  With *bare*, a text has no
        quotes.  Raises `TooLarge` if not even the last line fits the budget.
        """
        made = self._write_model_text(data, ask, bare)
        return made._replace(text=made.text + self.notice) if self.notice else made

    def _write_model_text(self, data: Any, ask: str, bare: bool) -> ModelText:
        """Write *data* within the budget; return the text and the rest."""
        text, budget = self._write_data(data, bare), self.budget
        if budget is None or self.size(text) <= budget:
            return ModelText(text)

        def cut(caps: _SizeLimits) -> str | None:
            cutting = _Truncator(caps)
            kept = cutting.truncate(data, ())
            if not cutting.places:
                return None
            found = (
                f"{self._write_data(kept, bare)}\n[not shown: {cutting.describe_omissions()}{ask}]"
            )
            return found if self.size(found) <= budget else None

        for step in _STEPS:
            caps = _find_largest(cut, step)
            if caps is not None:
                caps = _find_largest(cut, partial(_lengthen, caps)) or caps
                rest: dict[str, Any] = {}
                _Truncator(caps, rest).truncate(data, ())
                lone = "" in rest and len(rest) == 1
                return ModelText(cut(caps) or "", rest[""] if lone else rest)
        line = f"[not shown: the whole, of size {self.size(text)}; at most {budget} are shown]"
        if self.size(line) > budget:
            raise TooLarge(f"a budget of {budget} is too small to tell that the result is left out")
        return ModelText(line)

    def _write_data(self, data: Any, bare: bool) -> str:
        """Write *data* as a table or JSON; a *bare* string is not quoted."""
        if bare and isinstance(data, str):
            return escape_surrogates(data)
        text = None if self.style == "json" else make_table(data)
        if text is None:
            return write_compact_json(data)
        if self.style == "table":
            return text
        other = write_compact_json(data)
        return text if self.size(text) < self.size(other) else other


def make_result_writer(style: object, budget: object, counter: Counter) -> ResultWriter:
    """Create a writer of results; raise `TypesigError` for an invalid option."""
    known, most = check_style(style), None if budget is None else check_budget(budget)
    return ResultWriter(known, most, check_counter(counter))


def _lengthen(caps: _SizeLimits, n: int) -> _SizeLimits:
    """Return the size limits *caps* with *n* - 1 more characters per text."""
    return caps._replace(characters=caps.characters + n - 1)


def _find_largest(
    cut: Callable[[_SizeLimits], str | None], step: Callable[[int], _SizeLimits]
) -> _SizeLimits | None:
    """Find the largest size limits from *step* that *cut* can write a text for.

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


class _Truncator:
    """Truncation of one result to size limits, which records the omissions.

    #: left: the first places where something was left out; places: the number of all
    #: rest: takes what was left out, by the texts of the places, if it is given
    """

    __slots__ = ("caps", "left", "places", "rest")

    def __init__(self, caps: _SizeLimits, rest: dict[str, Any] | None = None) -> None:
        self.caps, self.rest = caps, rest
        self.left: list[_Omission] = []
        self.places = 0

    def truncate(self, data: Any, path: tuple[str | int, ...], inner: bool = False) -> Any:
        """Cut *data* to the size limits; *inner* is whether it is inside a list."""
        caps = self.caps
        match data:
            case str() if len(data) > caps.characters:
                self._leave(data[caps.characters :], caps.characters, "characters", path)
                return f"{data[: caps.characters]}…"
            case list():
                cap = caps.inner if inner else caps.outer
                if len(data) > cap:
                    self._leave(data[cap:], cap, "items", path)
                return [
                    self.truncate(item, (*path, at), True) for at, item in enumerate(data[:cap])
                ]
            case dict():
                entries = list(data.items())
                if len(entries) > caps.entries:
                    self._leave(dict(entries[caps.entries :]), caps.entries, "entries", path)
                    entries = entries[: caps.entries]
                return {key: self.truncate(item, (*path, key), inner) for key, item in entries}
            case _:
                return data

    def _leave(self, part: Any, cap: int, things: str, path: tuple[str | int, ...]) -> None:
        """Record the omission of *part*, the items or characters beyond *cap* at *path*."""
        self.places += 1
        if len(self.left) < _NAMED:
            self.left.append(_Omission(path, things, cap, cap + len(part)))
        if self.rest is not None:
            self.rest[write_path(path)] = part

    def describe_omissions(self) -> str:
        """Describe the omitted parts and their numbers."""
        others = self.places - len(self.left)
        more = [f"parts at {others} other place{'s' * (others > 1)}"] if others else []
        return ", ".join([*map(str, self.left), *more])
