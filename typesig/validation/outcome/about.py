"""What outcomes of one check share, and what they tell of what generated source noted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, FLOAT, MAP, Record, Type
from typesig.algebra.traversal import children
from typesig.notations.json_schema.writing.model_view import is_list
from typesig.notations.texts.quoting import compact_text, usual_text
from typesig.validation.outcome.notes import settled, several
from typesig.validation.outcome.told import Notes, Told
from typesig.validation.outcome.whole_data import FOR_TEXT, Showing, as_it_is, copier
from typesig.validation.rows.plain import plain
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.subject import Stage, Subject


class About(NamedTuple):
    """What outcomes of one check share.

    #: are_arguments, secrets: those of the subject; see `typesig.validation.rows.subject`
    """

    stage: Stage
    type: Type
    definitions: tuple[Definition, ...]
    policy: Policy
    are_arguments: bool = False
    secrets: frozenset[str] = frozenset()

    def subject(self, value: Any) -> Subject:
        """Return the subject of the check of *value*."""
        t, definitions, policy = self.type, self.definitions, self.policy
        return Subject(value, t, definitions, policy, self.are_arguments, secrets=self.secrets)

    def told_by(self, result: Any, notes: Notes) -> Told:
        """Return what the outcome of the check tells that made *result* and *notes*."""
        limit, subject = self.policy.max_issues, self.subject(result)
        is_list = isinstance(notes[0], list)
        count = notes[1] if is_list else len(notes) // 2
        settle = partial(settled, subject, several(notes[0] if is_list else notes, limit), [])
        unseen = max(count - limit, 0)
        value = partial(self.value_of, result, notes)
        return Told(settle, False, self.stage, None, unseen, value, subject)

    def value_of(self, result: Any, _notes: Notes | None) -> Any:
        """Return the plain data of an outcome with *result* and notes, or None."""
        return plain(result)

    def may_notice(self, _notes: Notes) -> bool:
        """Whether a model may have to read a line about such an outcome beside the result."""
        return False

    def text_of(self, _result: Any, _notes: Notes | None) -> str | None:
        """Return the text of such an outcome for a model, None if its value must be rewritten."""
        return None

    def data_of(self, _result: Any, _notes: Notes | None, _exact: bool) -> Any:
        """Return the data of such an outcome for a model, `NOT_WHOLE` if it must be rewritten."""
        return NOT_WHOLE


class AboutWhole(About):
    """What outcomes share whose value may be whole, which is shown without a look at its parts.

    See `typesig.validation.rows.subject` for what a whole value is.

    #: is_usual: whether no number in such values has an exponent in JSON text
    """

    is_usual = False

    def whole_of(self, result: Any, _notes: Notes | None) -> Any:
        """Return the value of an outcome if it is whole, else `NOT_WHOLE`."""
        return result

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set: many outcomes are never shown.
        if name != "showing":
            raise AttributeError(name)
        self.showing = _Showing(self)
        return self.showing

    def text_of(self, result: Any, notes: Notes | None) -> str | None:
        """Return the text of an outcome for a model, None if its value must be rewritten."""
        value = self.whole_of(result, notes)
        return None if value is NOT_WHOLE else self.showing.text(value)

    def data_of(self, result: Any, notes: Notes | None, exact: bool) -> Any:
        """Return the data of an outcome for a model, `NOT_WHOLE` if its value must be rewritten."""
        value = self.whole_of(result, notes)
        if value is NOT_WHOLE:
            return NOT_WHOLE
        return self.showing.exact(value) if exact else self.showing.data(value)


#: Stands for a value that is not whole.
NOT_WHOLE = object()


class _Showing:
    """What shows whole values of one type.

    #: text: returns the text for a model, None if the value must be rewritten
    #: tells_all: whether nothing is left out of that text
    #: data, exact: return the data for a model, exact or not; `NOT_WHOLE` for the same
    """

    __slots__ = ("data", "exact", "tells_all", "text")

    def __init__(self, about: AboutWhole) -> None:
        show = copier(about.type, FOR_TEXT)
        self.tells_all = show is as_it_is
        write = usual_text if about.is_usual or not _has_floats(about.type) else compact_text
        self.text: Callable[[Any], str | None] = write
        if show is None:
            self.text = lambda _: None
        elif not self.tells_all:
            self.text = lambda value: write(show(value))
        self.exact = copier(about.type, Showing(True, True)) or _not_whole
        data = copier(about.type, Showing(False, True))
        self.data = _not_whole if data is None else data
        if data is not None and not about.are_arguments and is_list(about.type, {}):
            self.data = lambda value: {"items": data(value)}


def _has_floats(t: Type) -> bool:
    """Tell whether there may be a float in a value of *t* that has declared keys only."""
    pending, seen = [t], set[int]()
    while pending:
        part = pending.pop()
        if part in _OF_FLOATS:
            return True
        if id(part) not in seen:
            seen.add(id(part))
            fields = part.fields if isinstance(part, Record) else None
            pending += children(part) if fields is None else [field.type for field in fields]
    return False


#: The scalars that are floats, or may have some; no enum that is shown as it is has any.
_OF_FLOATS = frozenset({FLOAT, ANY, MAP})


def _not_whole(_value: Any) -> Any:
    return NOT_WHOLE


class Refusal(Told):
    """What the outcome of a check tells that found errors, which is made when it is asked for."""

    __slots__ = ("_about", "_counts", "_faults", "_notes", "_value")

    def __init__(
        self, about: About, value: Any, notes: Any, noted: int, faults: Any, count: int
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
                notes, faults = several(self._notes, limit), several(self._faults, limit)
                errors, warnings = settled(about.subject(value), notes, faults)
                self.errors, self.warnings = tuple(errors), tuple(warnings)
            case "unseen":
                count, noted = self._counts
                self.unseen = max(count - limit, 0) or max(noted - limit, 0)
            case "stage":
                self.stage = about.stage
            case "rejected":
                self.rejected = value
            case "subject":
                self.subject = about.subject(value)
            case _:
                return super().__getattr__(name)
        return getattr(self, name)
