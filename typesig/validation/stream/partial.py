"""What is known of an answer or of arguments whose text has not ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from typesig.algebra.rows.frozen import set_part
from typesig.errors import TypesigError
from typesig.limits import MAX_REPORT
from typesig.sentinels import ABSENT
from typesig.validation.check_state import Stage
from typesig.validation.issues.issues import Issue, write_path
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.outcome_markup import list_visible_warnings

T = TypeVar("T")

#: The steps that lead to a value.
Path = tuple[str | int, ...]


class ClosedPart(NamedTuple):
    """A completed and valid item or field of a streamed value.

    #: path: names and indices that lead to it
    #: value: the part as plain JSON data, coerced
    #: result: the Python object, for an item of a list in an answer; else as `value`
    """

    path: Path
    value: Any
    result: Any


class TextPiece(NamedTuple):
    """The latest piece of a string that is streamed.

    #: path: names and indices that lead to the text
    #: text: what has come since the partial before
    """

    path: Path
    text: str


class OpenLevel(NamedTuple):
    """Snapshot of a list or map that is not complete yet.

    #: path: the steps that lead to it
    #: shown: its parts, which are only added to; size: how many of them there were
    #: step: the name or index of the part that is the next level, or is arriving
    #: required: the names that it must have
    #: seen: the names that have begun, which are only added to; known: how many there were
    """

    path: Path
    shown: list[Any] | dict[str, Any]
    size: int
    step: str | int
    required: tuple[str, ...]
    seen: Mapping[str, None]
    known: int


class ListPrefix(NamedTuple, Generic[T]):
    """A fixed-length view of an append-only list."""

    parts: Sequence[T]
    size: int


_NO_ISSUES = ListPrefix[Issue]((), 0)
_NO_TEXT = ListPrefix[str]((), 0)


class Partial:
    """The completed items and fields of a value whose text is still arriving.

    An incomplete string counts as a part, and is listed in `growing`.

    #: stage: answer, or input for the arguments of a call
    #: closed: the parts that have ended since the partial before
    #: pieces: what has come since then of texts of any words, also of those that have ended
    #: complete: whether the whole value has ended; only `close` tells whether the text is right

    >>> import typesig
    >>> partial = typesig.contract(list[int]).stream().feed("[1, 2")
    >>> partial.value, partial.complete
    ([1], False)
    """

    __slots__ = (
        "_at", "_errors", "_levels", "_outcome", "_text", "_warnings", "closed", "complete",
        "pieces", "stage",
    )  # fmt: skip

    stage: Stage
    closed: tuple[ClosedPart, ...]
    pieces: tuple[TextPiece, ...]
    complete: bool
    _levels: tuple[OpenLevel, ...]
    _errors: ListPrefix[Issue]
    _warnings: ListPrefix[Issue]
    _at: Path
    _outcome: Outcome[Any] | None
    _text: ListPrefix[str]

    def __init__(
        self,
        stage: Stage,
        levels: tuple[OpenLevel, ...] = (),
        closed: Iterable[ClosedPart] = (),
        errors: ListPrefix[Issue] = _NO_ISSUES,
        warnings: ListPrefix[Issue] = _NO_ISSUES,
        at: Path = (),
        outcome: Outcome[Any] | None = None,
        text: ListPrefix[str] = _NO_TEXT,
        pieces: Iterable[TextPiece] = (),
    ) -> None:
        """*at* is the path of what has not ended; *outcome* that of the whole, if it has.

        *text* is what has come of the text that is arriving.
        """
        set_part(self, "stage", stage)
        set_part(self, "closed", tuple(closed))
        set_part(self, "pieces", tuple(pieces))
        set_part(self, "complete", outcome is not None)
        set_part(self, "_levels", levels)
        set_part(self, "_errors", errors)
        set_part(self, "_warnings", warnings)
        set_part(self, "_at", at)
        set_part(self, "_outcome", outcome)
        set_part(self, "_text", text)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a partial cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a partial cannot be changed")

    @property
    def value(self) -> Any:
        """The completed valid parts as plain JSON data; None if there are none.

        A `growing` string is included with its text so far. A list ends before its first item that
        does not conform. A list or map without such parts is left out.
        """
        if self._outcome is not None and self._outcome.ok:
            return self._outcome.value
        made: Any = "".join(_take_prefix(self._text)) or ABSENT
        for level in reversed(self._levels):
            part: Any
            if isinstance(level.shown, list):
                part = level.shown[: level.size]
                # Behind an item that is not shown, the next one would have another index.
                part += [made] if made is not ABSENT and level.step == len(part) else []
            else:
                part = dict(islice(level.shown.items(), level.size))
                if made is not ABSENT:
                    part[level.step] = made
            made = part or ABSENT
        return None if made is ABSENT else made

    @property
    def growing(self) -> tuple[Path, ...]:
        """The path of the incomplete string in `value`, in a tuple; empty without one."""
        if self.complete or not self._text.size:
            return ()
        inner = self._levels[-1]
        return ((*inner.path, inner.step),)

    @property
    def missing(self) -> tuple[Path, ...]:
        """The paths of the missing parts; empty if the value is complete.

        The first is the path of the incomplete value, `()` for the whole value; the others are the
        paths of required fields that have not begun.
        """
        if self.complete:
            return ()
        paths = [self._at]
        for level in self._levels:
            seen = set(islice(level.seen, level.known))
            paths.extend((*level.path, name) for name in level.required if name not in seen)
        return tuple(paths)

    @property
    def errors(self) -> tuple[Issue, ...]:
        """The errors in completed parts, and any syntax error."""
        return tuple(_take_prefix(self._errors))

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """The warnings about completed parts; at the end, also about repairs."""
        return tuple(_take_prefix(self._warnings))

    def report(self) -> str:
        """Return the missing parts, and the errors and warnings so far, as text."""
        parts = [] if self.complete else [_describe_missing(self.stage, self.missing)]
        told = Outcome[Any](None, self.errors, self.warnings, self.stage).report()
        return "\n\n".join([*parts, told] if told else parts)

    def __bool__(self) -> NoReturn:
        raise TypesigError("a partial is neither true nor false: write partial.complete")

    def __repr__(self) -> str:
        # Without values, of which some may be secrets.
        missing = [write_path(path) for path in self.missing[:3]]
        state = "complete" if self.complete else f"missing={missing!r}"
        errors = f", errors={[str(error) for error in self.errors[:3]]!r}" if self.errors else ""
        return f"Partial({state}{errors})"

    def __rich_repr__(self) -> Iterator[Any]:
        yield "complete", self.complete
        yield "missing", self._list_missing(), []
        yield "errors", list_visible_warnings(self.errors), []

    def _repr_html_(self) -> str:
        """Write the partial as HTML for notebooks: its state, what is missing, and its errors.

        Values are left out, since some may be secrets.
        """
        from typesig.markup import make_element, make_list

        shown = make_element("b", "✓ complete" if self.complete else "… arriving")
        shown += make_list("Missing:", self._list_missing())
        shown += make_list("Errors:", list_visible_warnings(self.errors))
        return f"<div>{shown}</div>"

    def _list_missing(self) -> list[str]:
        """Paths of what is missing, without firewalled names."""
        return list_visible_warnings([write_path(path) or "the end" for path in self.missing])

    def __reduce__(self) -> tuple[Any, ...]:
        levels = tuple([_freeze_level(level) for level in self._levels])
        errors, warnings = (ListPrefix(told, len(told)) for told in (self.errors, self.warnings))
        text = ListPrefix(_take_prefix(self._text), self._text.size)
        more = self._at, self._outcome, text, self.pieces
        return Partial, (self.stage, levels, self.closed, errors, warnings, *more)


def make_final_partial(outcome: Outcome[Any], before: Partial) -> Partial:
    """Make the last partial of a stream, from its *outcome* and the partial *before*.

    It has the errors and warnings of the outcome, and is complete unless the text is unreadable.
    """
    errors, warnings = (ListPrefix(told, len(told)) for told in (outcome.errors, outcome.warnings))
    if any(error.code == "json" for error in outcome.errors):
        levels, at = before._levels, before._at
        shown = before._text, before.pieces
        return Partial(before.stage, levels, before.closed, errors, warnings, at, None, *shown)
    closed, levels = before.closed, before._levels
    if outcome.ok and not before.complete:
        closed = (*closed, ClosedPart((), outcome.value, outcome.result))
    more = errors, warnings, (), outcome, _NO_TEXT, before.pieces
    return Partial(before.stage, levels, closed, *more)


def reopen(part: Partial) -> Partial:
    """Copy *part* as the partial of a value that may continue."""
    parts = part.stage, part._levels, part.closed, part._errors, part._warnings
    return Partial(*parts, pieces=part.pieces)


def _take_prefix(kept: ListPrefix[T]) -> Sequence[T]:
    """Return the items of the list *kept* up to its recorded size."""
    return kept.parts[: kept.size]


def _freeze_level(level: OpenLevel) -> OpenLevel:
    """Return *level* with copies of its growing collections."""
    shown: Any = level.shown[: level.size] if isinstance(level.shown, list) else None
    if shown is None:
        assert isinstance(level.shown, dict)
        shown = dict(islice(level.shown.items(), level.size))
    seen = dict.fromkeys(islice(level.seen, level.known))
    return level._replace(shown=shown, seen=seen)


def _describe_missing(stage: Stage, paths: tuple[Path, ...]) -> str:
    """Write that the text of *stage* has not ended and that *paths* are missing."""
    what = "The answer is" if stage == "answer" else "The arguments are"
    lines = [f"{what} not complete:", f"- {write_path(paths[0]) or 'the whole'}: not ended"]
    lines += [f"- {write_path(path)}: missing" for path in paths[1:MAX_REPORT]]
    more = len(paths) - MAX_REPORT
    return "\n".join([*lines, f"- … and {more} more"] if more > 0 else lines)
