"""What is known of an answer or of arguments whose text has not ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, NoReturn

from typesig.algebra.rows.frozen import set_part
from typesig.errors import TypesigError
from typesig.limits import MAX_REPORT
from typesig.validation.issues.issues import Issue, path_text
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.subject import Stage

#: The steps that lead to a value.
Path = tuple[str | int, ...]


class Closed(NamedTuple):
    """A part of a value that has ended, and conforms.

    #: path: names and indices that lead to it
    #: value: the part as plain JSON data, coerced
    #: result: the Python object, for an item of an answer that is a list; else as `value`
    """

    path: Path
    value: Any
    result: Any


class Level(NamedTuple):
    """One list or map that has not ended, as it was at one moment.

    #: path: the steps that lead to it
    #: shown: its parts, which are only added to; size: how many of them there were
    #: step: the name of the part that is the next level
    #: required: the names that it must have
    #: seen: the names that have begun, which are only added to; known: how many there were
    """

    path: Path
    shown: list[Any] | dict[str, Any]
    size: int
    step: str
    required: tuple[str, ...]
    seen: Mapping[str, None]
    known: int


class Kept(NamedTuple):
    """Issues that are only added to, of which the first *size* are meant."""

    issues: Sequence[Issue]
    size: int


_NO_ISSUES = Kept((), 0)
_NOTHING: Any = object()


class Partial:
    """The parts of a value that have ended, while its text has not, or may not have.

    #: stage: answer, or input for the arguments of a call
    #: closed: the parts that have ended since the partial before
    #: complete: whether the whole value has ended; only `close` tells whether the text is right

    >>> import typesig
    >>> partial = typesig.contract(list[int]).stream().feed("[1, 2")
    >>> partial.value, partial.complete
    ([1], False)
    """

    __slots__ = (
        "_at",
        "_errors",
        "_levels",
        "_outcome",
        "_warnings",
        "closed",
        "complete",
        "stage",
    )

    stage: Stage
    closed: tuple[Closed, ...]
    complete: bool
    _levels: tuple[Level, ...]
    _errors: Kept
    _warnings: Kept
    _at: Path
    _outcome: Outcome[Any] | None

    def __init__(
        self,
        stage: Stage,
        levels: tuple[Level, ...] = (),
        closed: Iterable[Closed] = (),
        errors: Kept = _NO_ISSUES,
        warnings: Kept = _NO_ISSUES,
        at: Path = (),
        outcome: Outcome[Any] | None = None,
    ) -> None:
        """*at* is the path of what has not ended; *outcome* that of the whole, if it has."""
        set_part(self, "stage", stage)
        set_part(self, "closed", tuple(closed))
        set_part(self, "complete", outcome is not None)
        set_part(self, "_levels", levels)
        set_part(self, "_errors", errors)
        set_part(self, "_warnings", warnings)
        set_part(self, "_at", at)
        set_part(self, "_outcome", outcome)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a partial cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a partial cannot be changed")

    @property
    def value(self) -> Any:
        """The parts that have ended and conform, as plain JSON data; None if there are none.

        A list ends before its first item that has not ended or does not conform.  A list or map
        without such parts is left out.
        """
        if self._outcome is not None and self._outcome.ok:
            return self._outcome.value
        made: Any = _NOTHING
        for level in reversed(self._levels):
            part: Any
            if isinstance(level.shown, list):
                part = level.shown[: level.size]
            else:
                part = dict(islice(level.shown.items(), level.size))
            if made is not _NOTHING:
                part[level.step] = made
            made = part or _NOTHING
        return None if made is _NOTHING else made

    @property
    def missing(self) -> tuple[Path, ...]:
        """The paths of what is not there yet; empty if the whole value has ended.

        The first is that of the value that has not ended, `()` for the whole; the others are those
        of required fields that have not begun.
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
        """The errors in parts that have ended, and why the text cannot be read if that is known."""
        return tuple(self._errors.issues[: self._errors.size])

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """The warnings about parts that have ended, and those of repairs once all has ended."""
        return tuple(self._warnings.issues[: self._warnings.size])

    def report(self) -> str:
        """Return what is missing, and the errors and warnings so far, as text."""
        parts = [] if self.complete else [_missing(self.stage, self.missing)]
        told = Outcome[Any](None, self.errors, self.warnings, self.stage).report()
        return "\n\n".join([*parts, told] if told else parts)

    def __bool__(self) -> NoReturn:
        raise TypesigError("a partial is neither true nor false: write partial.complete")

    def __repr__(self) -> str:
        # Without values, of which some may be secrets.
        state = "complete" if self.complete else f"missing={self._shown_missing()!r}"
        errors = f", errors={[str(error) for error in self.errors[:3]]!r}" if self.errors else ""
        return f"Partial({state}{errors})"

    def _shown_missing(self) -> list[str]:
        return [path_text(path) for path in self.missing[:3]]

    def __reduce__(self) -> tuple[Any, ...]:
        levels = tuple([_frozen(level) for level in self._levels])
        errors, warnings = (Kept(told, len(told)) for told in (self.errors, self.warnings))
        at, outcome = self._at, self._outcome
        return Partial, (self.stage, levels, self.closed, errors, warnings, at, outcome)


def whole(outcome: Outcome[Any], before: Partial) -> Partial:
    """Return the partial of a whole text with *outcome*, after the partial *before*.

    It has the errors and warnings of the outcome, and is complete unless the text is unreadable.
    """
    errors, warnings = (Kept(told, len(told)) for told in (outcome.errors, outcome.warnings))
    if any(error.code == "json" for error in outcome.errors):
        levels, at = before._levels, before._at
        return Partial(before.stage, levels, before.closed, errors, warnings, at)
    closed, levels = before.closed, before._levels
    if outcome.ok and not before.complete:
        closed = (*closed, Closed((), outcome.value, outcome.result))
    return Partial(before.stage, levels, closed, errors, warnings, (), outcome)


def reopened(part: Partial) -> Partial:
    """Return *part* as one of a value that may go on."""
    return Partial(part.stage, part._levels, part.closed, part._errors, part._warnings)


def _frozen(level: Level) -> Level:
    """Return *level* with copies of what is added to later."""
    shown: Any = level.shown[: level.size] if isinstance(level.shown, list) else None
    if shown is None:
        assert isinstance(level.shown, dict)
        shown = dict(islice(level.shown.items(), level.size))
    seen = dict.fromkeys(islice(level.seen, level.known))
    return level._replace(shown=shown, seen=seen)


def _missing(stage: Stage, paths: tuple[Path, ...]) -> str:
    what = "The answer is" if stage == "answer" else "The arguments are"
    lines = [f"{what} not complete:", f"- {path_text(paths[0]) or 'the whole'}: not ended"]
    lines += [f"- {path_text(path)}: missing" for path in paths[1:MAX_REPORT]]
    more = len(paths) - MAX_REPORT
    return "\n".join([*lines, f"- … and {more} more"] if more > 0 else lines)
