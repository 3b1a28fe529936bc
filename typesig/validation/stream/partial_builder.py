"""A value that grows while its text arrives: parts are checked as soon as they have ended.

Lists and maps that lead to where the text is are *open*: they are told of part by part, and so is
a text of any words.  Everything else is checked as a whole when it has ended, and so is what was
open when it ends: constraints on a whole, defaults and undeclared names are judged then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from typesig.algebra import nodes
from typesig.limits import MAX_OPEN
from typesig.validation.check.check import Compiler, get_compiler
from typesig.validation.check_state import Checker, CheckState, split_findings
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.visibility import hide_private_values
from typesig.validation.plain_data import replace_written_floats, to_plain
from typesig.validation.repair.input_reader import wants_digits
from typesig.validation.stream.part_shapes import Make, PartShapes, Slot, StreamTarget
from typesig.validation.stream.partial import (
    ClosedPart,
    ListPrefix,
    OpenLevel,
    Partial,
    Path,
    TextPiece,
)
from typesig.validation.verdicts import fill_defaults, run_checker


class NotStreamable(Exception):
    """Raised if the remaining value cannot be shown before the text is complete."""


class _OpenContainer:
    """A list or map that is not complete yet.

    #: shape: its type; None for a wrapper
    #: raw: its parts as they were sent, by their keys; shown: those that are shown, checked
    #: slot: the place of the value that has begun, in a map
    #: seen: the names that have begun
    #: is_broken: whether an item of the list is not shown
    #: is_secret: whether it is a secret, or in one
    """

    __slots__ = (
        "is_broken", "is_secret", "path", "raw", "required", "seen", "shape", "shown", "slot",
    )  # fmt: skip

    def __init__(
        self, shape: nodes.Type | None, path: Path, is_list: bool, is_secret: bool = False
    ) -> None:
        self.shape = shape
        self.path = path
        self.raw: Any = [] if is_list else {}
        self.shown: Any = [] if is_list else {}
        self.slot: Slot | None = None
        self.seen: dict[str, None] = {}
        self.required: tuple[str, ...] = ()
        self.is_broken = False
        self.is_secret = is_secret

    @property
    def step(self) -> str | int:
        """The index or key of the part in progress; empty between map entries."""
        if isinstance(self.raw, list):
            return len(self.raw)
        return "" if self.slot is None else self.slot.step


class _LastPart(NamedTuple):
    """The last completed part, and the state before it, for undoing it.

    #: slot: its place; shown: whether its list or map shows it
    #: was_broken: that of its list; errors, warnings: how many issues there were
    #: closed: what was told of it, or None
    """

    slot: Slot
    shown: bool
    was_broken: bool
    errors: int
    warnings: int
    closed: ClosedPart | None


class PartialBuilder:
    """Builder of partials from the events of a JSON scanner.

    #: outcome: that of the whole, once it has ended; data: the whole as it was sent
    #: keeps_digits: whether numbers are read by their own digits
    #: told: a number that grows when there is something to tell
    """

    def __init__(self, growing: StreamTarget) -> None:
        self._growing = growing
        self._compiler: Compiler = get_compiler(growing.type, growing.definitions, growing.policy)
        self._shapes = PartShapes(growing)
        self.keeps_digits = wants_digits(growing.type, self._shapes.names, growing.policy)
        self._spine: list[_OpenContainer] = []
        self._wrapper: _OpenContainer | None = None
        self._last: tuple[OpenLevel, ...] = ()
        # The keys of the values that have begun, from the outside in.
        self._keys: list[str] = []
        self._checks: dict[tuple[nodes.Type, bool], Checker] = {}
        self._makers: dict[Path, Make | None] = {}
        self._known: set[tuple[object, ...]] = set()
        self._errors: list[Issue] = []
        self._warnings: list[Issue] = []
        self._closed: list[ClosedPart] = []
        # The text that is arriving, and all pieces of such texts since the last partial.
        self._text: list[str] = []
        self._pieces: list[TextPiece] = []
        self._before: _LastPart | None = None
        self.told = 0
        self.outcome: Outcome[Any] | None = None
        self.data: Any = None

    def make_partial(self, is_within: bool, fault: Issue | None = None) -> Partial:
        """Return the current partial; *is_within* is whether a value is incomplete.

        *fault* is why the text cannot be read.
        """
        closed, self._closed = self._closed, []
        pieces, self._pieces = self._pieces, []
        levels = self._get_levels()
        errors = self._errors if fault is None else [*self._errors, fault]
        kept = ListPrefix(errors, len(errors)), ListPrefix(self._warnings, len(self._warnings))
        text = ListPrefix(self._text, len(self._text))
        at = self._get_open_path(is_within)
        return Partial(self._growing.stage, levels, closed, *kept, at, self.outcome, text, pieces)

    def _get_levels(self) -> tuple[OpenLevel, ...]:
        """Take a snapshot of the lists and maps that are open."""
        if not self._spine:
            return self._last
        return tuple(
            [
                OpenLevel(
                    each.path,
                    each.shown,
                    len(each.shown),
                    each.step,
                    each.required,
                    each.seen,
                    len(each.seen),
                )
                for each in self._spine
            ]
        )

    def _get_open_path(self, is_within: bool) -> Path:
        """Get the path of the open part, or of its item if *is_within*."""
        if not self._spine:
            return ()
        inner = self._spine[-1]
        if isinstance(inner.raw, list):
            return (*inner.path, len(inner.raw)) if is_within else inner.path
        # The name of a value that is not shown is not told, either.
        slot = inner.slot
        return inner.path if slot is None or slot.type is None else (*inner.path, slot.step)

    # What the scanner tells.

    def enter(self, bracket: str) -> bool:
        """Enter the list or map that begins here; return whether it is streamed."""
        if not self._spine:
            return self._enter_whole(bracket)
        parent = self._spine[-1]
        slot = self._get_slot(parent)
        if slot.type is None or len(self._spine) == MAX_OPEN:
            return False
        shape = self._shapes.get_shape(slot.type, bracket)
        if shape is None:
            return False
        self._push(shape, (*parent.path, slot.step), bracket, slot.is_secret)
        return True

    def _get_slot(self, inner: _OpenContainer) -> Slot:
        """Return the place of the value that begins in *inner*."""
        if isinstance(inner.raw, list):
            assert inner.shape is not None
            return self._shapes.make_item_slot(inner.shape, len(inner.raw), inner.is_secret)
        assert inner.slot is not None
        return inner.slot

    def _enter_whole(self, bracket: str) -> bool:
        """Open the outermost list or map; return whether it is streamed."""
        whole = self._growing.type
        if bracket == "{" and self._wrapper is None and self._growing.unwraps:
            self._wrapper = _OpenContainer(None, (), False)
            return True
        shape = self._shapes.get_shape(whole, bracket)
        if shape is not None:
            self._push(shape, (), bracket, self._shapes.is_secret)
            return True
        if self._wrapper is not None or not self._shapes.may_begin_with(whole, bracket):
            # The value is not of the type, or in what is no wrapper.
            raise NotStreamable
        return False

    def _push(self, shape: nodes.Type, path: Path, bracket: str, is_secret: bool) -> None:
        """Open a container of type *shape* at *path*."""
        made = _OpenContainer(shape, path, bracket == "[", is_secret)
        made.required = self._shapes.get_required(shape)
        self._spine.append(made)

    def start_key(self, name: str) -> None:
        """Set *name* as the key of the next value in the innermost map."""
        if not self._spine:
            # In a wrapper, which has one key.
            if self._wrapper is None or self._wrapper.raw or name != "items":
                raise NotStreamable
            return
        inner = self._spine[-1]
        if name in inner.raw:
            raise NotStreamable
        assert inner.shape is not None
        self._keys.append(name)
        inner.slot = slot = self._shapes.make_field_slot(
            inner.shape, name, inner.seen, inner.is_secret
        )
        if slot.type is not None:
            assert isinstance(slot.step, str)
            inner.seen[slot.step] = None

    def is_growing_text(self) -> bool:
        """Whether the string that begins now is streamed by pieces."""
        if not self._spine:
            return False
        slot = self._get_slot(self._spine[-1])
        return (
            slot.type is not None and not slot.is_secret and self._shapes.is_growing_text(slot.type)
        )

    def add_text(self, piece: str) -> None:
        """Add *piece* to the string that is arriving."""
        inner = self._spine[-1]
        self._text.append(piece)
        self._pieces.append(TextPiece((*inner.path, inner.step), piece))
        self.told += 1

    def closed(self, data: Any) -> None:
        """Add the completed scalar or unstreamed value *data*."""
        self._text = []
        if self._spine:
            self._settle(self._spine[-1], data)
        elif self._wrapper is not None:
            raise NotStreamable
        else:
            self._end(data)

    def withdraw(self, last: bool) -> None:
        """Drop the incomplete string and, with *last*, the last completed part."""
        if self._text:
            self._text, self.told = [], self.told + 1
        told = self._before
        if not last or told is None:
            return
        inner = self._spine[-1]
        # Partials that were given share what there was.
        self._errors, self._warnings = self._errors[: told.errors], self._warnings[: told.warnings]
        if isinstance(inner.raw, list):
            inner.raw.pop()
            inner.shown = inner.shown[:-1] if told.shown else inner.shown
        else:
            inner.slot = told.slot
            inner.shown = {k: v for k, v in inner.shown.items() if k != told.slot.step}
        inner.is_broken = told.was_broken
        self._closed = [each for each in self._closed if each is not told.closed]
        self.told += 1

    def leave(self) -> None:
        """Close the innermost open list or map."""
        if not self._spine:
            assert self._wrapper is not None
            if not self._wrapper.raw:
                raise NotStreamable
            self._end(self._wrapper.raw)
            return
        self._last = self._get_levels()
        ended = self._spine.pop()
        if self._spine:
            self._settle(self._spine[-1], ended.raw)
        elif self._wrapper is not None:
            self._wrapper.raw["items"] = ended.raw
        else:
            self._end(ended.raw)

    # What becomes of it.

    def _end(self, data: Any) -> None:
        """Check the complete value *data*, and record its outcome and issues."""
        self.data = data
        self.outcome = outcome = self._growing.whole(data)
        self._add_issues(outcome.errors, outcome.warnings)
        if outcome.ok:
            self._show(ClosedPart((), outcome.value, outcome.result))

    def _settle(self, inner: _OpenContainer, data: Any) -> None:
        """Check *data*, a completed part of *inner*, and show it if it is valid."""
        slot, sizes = self._get_slot(inner), (len(self._errors), len(self._warnings))
        was_broken, closed = inner.is_broken, None
        if isinstance(inner.raw, list):
            inner.raw.append(data)
        else:
            inner.slot = None
            inner.raw[self._keys.pop()] = data
        if slot.type is not None and not (data is None and not slot.takes_nil):
            closed = self._check_part(inner, slot, data)
        is_shown = closed is not None and not inner.is_broken
        if closed is not None:
            self._show(closed)
        if isinstance(inner.raw, list):
            # What follows in a list would have another index.
            inner.is_broken = not is_shown
            inner.shown.extend([closed.value] if is_shown and closed is not None else ())
        elif closed is not None:
            inner.shown[slot.step] = closed.value
        self._before = _LastPart(slot, is_shown, was_broken, *sizes, closed)

    def _show(self, closed: ClosedPart) -> None:
        """Record *closed*, a complete part, for the next partial."""
        self.told += 1
        self._closed.append(closed)

    def _check_part(self, inner: _OpenContainer, slot: Slot, data: Any) -> ClosedPart | None:
        """Check the part *data* of *inner*; return it with its object, or None."""
        growing, t, path = self._growing, slot.type, (*inner.path, slot.step)
        assert t is not None
        check = self._checks.get((t, slot.is_item))
        if check is None:
            check = self._checks[t, slot.is_item] = self._compiler.place_checker(t, slot.is_item)
        run = CheckState(growing.policy.max_issues)
        value = run_checker(check, growing.spelled(t, data), run)
        value = replace_written_floats(value) if self.keeps_digits else value
        if run.found:
            for found in run.found:
                found.steps.extend(reversed(path))
            growing.refuse(run)
            told = split_findings(run.found, growing.policy, growing.stage)
            names = self._shapes.names
            errors, warnings = (
                hide_private_values(issues, growing.type, names, growing.secrets) for issues in told
            )
            self._add_issues(errors, warnings)
            if errors:
                return None
        make = self._get_maker(inner.path) if slot.is_item else None
        made = None if make is None else make(value)
        shown = to_plain(fill_defaults(value, t, growing.definitions, growing.filling))
        if made is None:
            return ClosedPart(path, shown, shown)
        return ClosedPart(path, shown, made[0]) if made else None

    def _get_maker(self, path: Path) -> Make | None:
        """Return the function that makes objects of items at *path*, cached."""
        if path not in self._makers:
            self._makers = {path: self._growing.maker(path)}
        return self._makers[path]

    def _add_issues(self, errors: Iterable[Issue], warnings: Iterable[Issue]) -> None:
        """Add *errors* and *warnings* that were not recorded before."""
        for issues, kept in ((errors, self._errors), (warnings, self._warnings)):
            for issue in issues:
                key = issue.code, issue.path, issue.expected, issue.got, issue.rule
                if key not in self._known and len(kept) < self._growing.policy.max_issues:
                    self._known.add(key)
                    kept.append(issue)
                    self.told += 1
