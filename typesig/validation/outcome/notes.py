"""Notes: what generated source keeps of the warnings of a value that it coerced.

Texts and paths are made when the warnings are read.  A note is a site, the value that stood there,
which cannot change, and the indices on the way to it.  Notes are a list with the number of all that
there were, or, where no site has indices, each site with its value one behind the other.
"""

from __future__ import annotations

from typing import Any

from typesig.validation.issues.issues import Issue, IssueCode, make_issues
from typesig.validation.issues.suggestions import SuggestionSearch
from typesig.validation.rows.check_state import Checker, CheckState, Finding, find_code
from typesig.validation.rows.secrets import hide_private_values
from typesig.validation.rows.subject import Subject

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


def take_notes(notes: Any, limit: int) -> list[Note]:
    """Return the first *limit* of *notes*, as pairs of a site and a value."""
    if isinstance(notes, list):
        return notes
    return [*zip(notes[::2], notes[1::2], strict=True)][:limit]


def make_note_issues(
    subject: Subject, notes: list[Note], faults: list[Note]
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
