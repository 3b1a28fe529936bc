"""Context that the outcomes of one check share, and the details of an outcome with issues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, FLOAT, MAP, Type
from typesig.algebra.traversal import get_declared_parts, iter_distinct_parts
from typesig.notations.json_schema.model_view import is_list
from typesig.notations.texts.quoting import write_compact_json, write_plain_json
from typesig.validation.check_state import Checker, CheckState, Finding, Stage, Subject, find_code
from typesig.validation.issues.issues import Issue, IssueCode, make_issues
from typesig.validation.issues.suggestions import SuggestionSearch
from typesig.validation.issues.words import SIGNATURE, Words
from typesig.validation.outcome.passthrough import (
    FOR_TEXT,
    CopyOptions,
    build_whole_copier,
    return_unchanged,
)
from typesig.validation.outcome.visibility import hide_private_values
from typesig.validation.plain_data import to_plain
from typesig.validation.policy import Policy

# --- Errors, warnings and other details of an outcome, made when they are read ---


class OutcomeDetails:
    """Errors, warnings and stage of an outcome that is not plainly valid.

    #: plain: returns the value as plain data; None if it is the result
    #: has_errors: whether there are errors; settle: returns errors and warnings
    #: words: those of the texts, of the notation in which a model was shown what it takes
    #: noticed: the warnings of which a model reads a line beside the result
    """

    __slots__ = (
        "errors", "has_errors", "noticed", "plain", "rejected", "settle", "stage", "subject",
        "unseen", "warnings", "words",
    )  # fmt: skip

    stage: Stage
    words: Words
    noticed: tuple[Issue, ...]

    def __init__(
        self,
        settle: Settle,
        has_errors: bool,
        stage: Stage,
        rejected: Any,
        unseen: int,
        plain: Callable[[], Any] | None,
        subject: Subject | None,
    ) -> None:
        self.settle = settle
        self.has_errors = has_errors
        self.stage = stage
        self.rejected = rejected
        self.unseen = unseen
        self.plain = plain
        self.subject = subject
        self.errors: tuple[Issue, ...]
        self.warnings: tuple[Issue, ...]

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set.
        if name == "words":
            return SIGNATURE
        if name == "noticed":
            return ()
        if name not in ("errors", "warnings"):
            raise AttributeError(name)
        errors, warnings = self.settle()
        self.errors, self.warnings = tuple(errors), tuple(warnings)
        return self.errors if name == "errors" else self.warnings


#: What generated source noted, for example of values that it coerced; see
#: `CheckContext.make_details`.
Notes: TypeAlias = tuple[Any, ...]

#: Returns errors and warnings.
Settle: TypeAlias = Callable[[], tuple[Iterable[Issue], Iterable[Issue]]]


# --- Notes: what generated source keeps of the warnings of a value that it coerced ---
# Texts and paths are made when the warnings are read.  A note is a site, the value that stood
# there, which cannot change, and the indices on the way to it.  Notes are some of them, with the
# number of all that there were.

#: Errors whose texts are made together, as soon as one of them is read.
_FEW = 4

#: A site, the value that stood there, and indices.
Note = tuple[Any, ...]


class Site:
    """A place in a type where values may be coerced or wrong, with its path.

    #: check: the check of the place
    #: names: the names of fields on the way to it, None for indices
    #: hidden: the number of steps, from the inside, up to the outermost firewalled name; else 0
    """

    __slots__ = ("_after", "_before", "_indices", "check", "hidden", "names")

    def __init__(self, check: Checker, names: tuple[str | None, ...], hidden: int) -> None:
        self.check = check
        self.names = names
        self.hidden = hidden
        self._indices = names.count(None)
        first = names.index(None) if None in names else len(names)
        self._before: Any = names[:first]
        self._after: Any = names[first + 1 :]

    def get_place(self, note: Note) -> tuple[tuple[Any, ...], int]:
        """Return the path of *note*, and how many of its steps a model may see, or -1."""
        path = self.get_path(note[2:])
        return path, len(path) - self.hidden if self.hidden else -1

    def get_path(self, indices: tuple[int, ...]) -> tuple[str | int, ...]:
        """Return the path of the place for list and map *indices*."""
        if self._indices < 2:
            return (*self._before, *indices, *self._after)
        given = iter(indices)
        return tuple([next(given) if name is None else name for name in self.names])

    def get_finding(self, note: Note) -> Finding:
        """Return the finding of *note*, with its message texts."""
        run = CheckState(1)
        self.check(note[1], run)
        return run.found[0]

    def get_code(self, note: Note) -> IssueCode:
        """Return the issue code of *note*."""
        return find_code(self.check, note[1])


class FindingSite:
    """A place in a type whose notes already contain findings."""

    __slots__ = ("_site", "check")

    def __init__(self, site: Site) -> None:
        self._site = site
        self.check = site.check

    def get_place(self, note: Note) -> tuple[tuple[Any, ...], int]:
        """Return the path of *note*, and how many of its steps a model may see, or -1."""
        found, above = self.get_finding(note), self._site.hidden
        path = (*self._site.get_path(note[2:]), *reversed(found.steps))
        hidden = len(found.steps) + above if above else found.hidden
        return path, len(path) - hidden if hidden else -1

    def get_finding(self, note: Note) -> Finding:
        """Return the finding that *note* contains."""
        found: Finding = note[1]
        return found

    def get_code(self, note: Note) -> IssueCode:
        """Return the code of *note*."""
        return self.get_finding(note).code


def make_note_issues(
    subject: Subject, notes: Sequence[Note], faults: Sequence[Note]
) -> tuple[list[Issue], list[Issue]]:
    """Make issues of the error notes *faults* and the warning notes *notes*."""
    t, secrets = subject.type, subject.secrets
    search = SuggestionSearch()
    warnings = make_issues(notes, search)
    few = len(faults) <= _FEW
    errors = [_make_issue(note, search) for note in faults] if few else make_issues(faults, search)
    names = {d.name: d.type for d in subject.definitions}
    return hide_private_values(errors, t, names, secrets), hide_private_values(
        warnings, t, names, secrets
    )


def _make_issue(note: Note, search: SuggestionSearch) -> Issue:
    """Make the issue of *note*; *search* finds its hint on first access."""
    site: Site | FindingSite = note[0]
    path, hidden = site.get_place(note)
    return Issue._make_lazy(path, hidden, site.get_finding(note), search)


# --- Context that the outcomes of one check share ---


class CheckContext(NamedTuple):
    """Type, policy and stage that all outcomes of one check share.

    #: are_arguments, secrets: those of the subject; see `typesig.validation.check_state`
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
        told, count = notes
        settle = partial(make_note_issues, subject, told[:limit], ())
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

    See `typesig.validation.check_state` for what a whole value is.

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

    __slots__ = ("_about", "data", "exact", "tells_all", "text")

    def __init__(self, about: PassthroughContext) -> None:
        self._about = about
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

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set: most data is shown as text.
        if name not in ("data", "exact"):
            raise AttributeError(name)
        about, is_exact = self._about, name == "exact"
        t, definitions = about.type, about.definitions
        copy = build_whole_copier(t, definitions, CopyOptions(is_exact, True))
        shown = _return_not_whole if copy is None else copy
        names = {definition.name: definition.type for definition in definitions}
        if copy is not None and not (is_exact or about.are_arguments) and is_list(t, names):
            shown = lambda value: {"items": copy(value)}  # noqa: E731
        setattr(self, name, shown)
        return shown


def may_have_floats(t: Type) -> bool:
    """Whether there may be a float in a value of *t* that has declared keys only."""
    parts = iter_distinct_parts([t], get_declared_parts)
    return any(part in _OF_FLOATS for part in parts)


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
                subject = about.make_subject(value)
                errors, warnings = make_note_issues(
                    subject, self._notes[:limit], self._faults[:limit]
                )
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
