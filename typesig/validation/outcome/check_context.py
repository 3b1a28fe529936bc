"""Context that the outcomes of one check share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, FLOAT, MAP, Record, Type
from typesig.algebra.traversal import get_children
from typesig.notations.json_schema.model_view import is_list
from typesig.notations.texts.quoting import write_compact_json, write_plain_json
from typesig.validation.outcome.notes import make_note_issues, take_notes
from typesig.validation.outcome.outcome_details import Notes, OutcomeDetails
from typesig.validation.outcome.passthrough import (
    FOR_TEXT,
    CopyOptions,
    build_whole_copier,
    return_unchanged,
)
from typesig.validation.rows.plain_data import to_plain
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.subject import Stage, Subject


class CheckContext(NamedTuple):
    """Type, policy and stage that all outcomes of one check share.

    #: are_arguments, secrets: those of the subject; see `typesig.validation.rows.subject`
    """

    stage: Stage
    type: Type
    definitions: tuple[Definition, ...]
    policy: Policy
    are_arguments: bool = False
    secrets: frozenset[str] = frozenset()

    def make_subject(self, value: Any) -> Subject:
        """Return the subject of the check of *value*."""
        t, definitions, policy = self.type, self.definitions, self.policy
        return Subject(value, t, definitions, policy, self.are_arguments, secrets=self.secrets)

    def make_details(self, result: Any, notes: Notes) -> OutcomeDetails:
        """Make the details of the outcome with *result* and *notes*."""
        limit, subject = self.policy.max_issues, self.make_subject(result)
        is_list = isinstance(notes[0], list)
        count = notes[1] if is_list else len(notes) // 2
        settle = partial(
            make_note_issues, subject, take_notes(notes[0] if is_list else notes, limit), []
        )
        unseen = max(count - limit, 0)
        value = partial(self.get_plain_value, result, notes)
        return OutcomeDetails(settle, False, self.stage, None, unseen, value, subject)

    def get_plain_value(self, result: Any, _notes: Notes | None) -> Any:
        """Return the plain data of an outcome with *result* and notes, or None."""
        return to_plain(result)

    def may_notice(self, _notes: Notes) -> bool:
        """Whether an outcome with *_notes* may have a notice for the model."""
        return False

    def find_notice(self, _notes: Notes) -> str | None:
        """Return the notice of an outcome with *_notes*; None if it has to be written."""
        return None

    def write_model_text(self, _result: Any, _notes: Notes | None) -> str | None:
        """Write *_result* for a model; None if its value must be rewritten."""
        return None

    def make_model_data(self, _result: Any, _notes: Notes | None, _exact: bool) -> Any:
        """Make the data of *_result* for a model, or return `NOT_WHOLE`."""
        return NOT_WHOLE


class PassthroughContext(CheckContext):
    """Context of outcomes whose values a model sees without a rewrite.

    See `typesig.validation.rows.subject` for what a whole value is.

    #: is_usual: whether no number in such values has an exponent in JSON text
    """

    is_usual = False

    def get_whole_value(self, result: Any, _notes: Notes | None) -> Any:
        """Return *result* if no part must be rewritten, else `NOT_WHOLE`."""
        return result

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set: many outcomes are never shown.
        if name != "showing":
            raise AttributeError(name)
        self.showing = _PassthroughView(self)
        return self.showing

    def write_model_text(self, result: Any, notes: Notes | None) -> str | None:
        """Write *result* for a model; None if it must be rewritten."""
        value = self.get_whole_value(result, notes)
        return None if value is NOT_WHOLE else self.showing.text(value)

    def make_model_data(self, result: Any, notes: Notes | None, exact: bool) -> Any:
        """Copy *result* for a model; `NOT_WHOLE` if it must be rewritten."""
        value = self.get_whole_value(result, notes)
        if value is NOT_WHOLE:
            return NOT_WHOLE
        return self.showing.exact(value) if exact else self.showing.data(value)


#: Stands for a value that is not whole.
NOT_WHOLE = object()


class _PassthroughView:
    """Functions that write values of one type for a model without a rewrite.

    #: text: returns the text for a model, None if the value must be rewritten
    #: tells_all: whether nothing is left out of that text
    #: data, exact: return the data for a model, exact or not; `NOT_WHOLE` for the same
    """

    __slots__ = ("data", "exact", "tells_all", "text")

    def __init__(self, about: PassthroughContext) -> None:
        t, definitions = about.type, about.definitions
        show = build_whole_copier(t, definitions, FOR_TEXT)
        self.tells_all = show is return_unchanged
        types = [t, *[definition.type for definition in definitions]]
        has_floats = not about.is_usual and any(map(may_have_floats, types))
        write = write_compact_json if has_floats else write_plain_json
        self.text: Callable[[Any], str | None] = write
        if show is None:
            self.text = lambda _: None
        elif not self.tells_all:
            self.text = lambda value: write(show(value))
        exact = build_whole_copier(t, definitions, CopyOptions(True, True))
        self.exact = exact or _return_not_whole
        data = build_whole_copier(t, definitions, CopyOptions(False, True))
        self.data = _return_not_whole if data is None else data
        names = {definition.name: definition.type for definition in definitions}
        if data is not None and not about.are_arguments and is_list(t, names):
            self.data = lambda value: {"items": data(value)}


def may_have_floats(t: Type) -> bool:
    """Whether there may be a float in a value of *t* that has declared keys only."""
    pending, seen = [t], set[int]()
    while pending:
        part = pending.pop()
        if part in _OF_FLOATS:
            return True
        if id(part) not in seen:
            seen.add(id(part))
            fields = part.fields if isinstance(part, Record) else None
            pending += get_children(part) if fields is None else [field.type for field in fields]
    return False


#: The scalars that are floats, or may have some; no enum that is shown as it is has any.
_OF_FLOATS = frozenset({FLOAT, ANY, MAP})


def _return_not_whole(_value: Any) -> Any:
    """Return `NOT_WHOLE`, in place of a copier for a type that has none."""
    return NOT_WHOLE


class ErrorDetails(OutcomeDetails):
    """Details of an outcome with errors, built on first access."""

    __slots__ = ("_about", "_counts", "_faults", "_notes", "_value")

    def __init__(
        self, about: CheckContext, value: Any, notes: Any, noted: int, faults: Any, count: int
    ) -> None:
        self.has_errors, self.plain = True, None
        self._about = about
        self._value = value
        self._notes = notes
        self._faults = faults
        self._counts = count, noted

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set.
        about, value = self._about, self._value
        limit = about.policy.max_issues
        match name:
            case "errors" | "warnings":
                notes, faults = take_notes(self._notes, limit), take_notes(self._faults, limit)
                errors, warnings = make_note_issues(about.make_subject(value), notes, faults)
                self.errors, self.warnings = tuple(errors), tuple(warnings)
            case "unseen":
                count, noted = self._counts
                self.unseen = max(count - limit, 0) or max(noted - limit, 0)
            case "stage":
                self.stage = about.stage
            case "rejected":
                self.rejected = value
            case "subject":
                self.subject = about.make_subject(value)
            case _:
                return super().__getattr__(name)
        return getattr(self, name)
