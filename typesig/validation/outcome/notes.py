"""Notes: what generated source keeps of the warnings of a value that it coerced.

Texts and paths are made when the warnings are read.  A note is a site, the value that stood there,
which cannot change, and the indices on the way to it; where an error may have a hint, and there are
lists, the number of warnings before it follows.  Notes are a list with the number of all that
there were, or, where no site has indices, each site with its value one behind the other.
"""

from __future__ import annotations

from typing import Any

from typesig.limits import MAX_REPORT
from typesig.validation.issues.issues import Issue, IssueCode, noted
from typesig.validation.issues.near import Search
from typesig.validation.rows.run import Checker, Found, Run, code_found
from typesig.validation.rows.secrets import without_hidden
from typesig.validation.rows.subject import Subject

#: The first findings, which have hints.
HINTED = 2 * MAX_REPORT

#: Errors whose texts are made together, as soon as one of them is read.
_FEW = 4

#: A site, the value that stood there, and indices.
Note = tuple[Any, ...]


class Site:
    """A place of a type at which values are coerced with a warning, or are wrong.

    #: check: the check of the place
    #: names: the names of fields on the way to it, None for indices
    #: hidden: the number of steps, from the inside, up to the outermost firewalled name; else 0
    #: hints: whether errors may tell what was meant
    """

    __slots__ = ("_after", "_before", "_indices", "check", "hidden", "hints", "names")

    def __init__(
        self,
        check: Checker,
        names: tuple[str | None, ...],
        hidden: int,
        hints: bool = False,
    ) -> None:
        self.check = check
        self.names = names
        self.hidden = hidden
        self.hints = hints
        self._indices = names.count(None)
        first = names.index(None) if None in names else len(names)
        self._before: Any = names[:first]
        self._after: Any = names[first + 1 :]

    def place(self, note: Note) -> tuple[tuple[Any, ...], int]:
        """Return the path of *note*, and how many of its steps a model may see, or -1."""
        path = self.path(note[2 : 2 + self._indices])
        return path, len(path) - self.hidden if self.hidden else -1

    def before(self, note: Note, limit: int) -> int:
        """Return how many of *limit* warnings were found before *note*, if it tells."""
        return min(note[-1], limit) if len(note) > 2 + self._indices else 0

    def path(self, indices: tuple[int, ...]) -> tuple[str | int, ...]:
        """Return the path to the part that has these *indices*."""
        if self._indices < 2:
            return (*self._before, *indices, *self._after)
        given = iter(indices)
        return tuple([next(given) if name is None else name for name in self.names])

    def found(self, note: Note) -> Found:
        """Return the finding of *note* with its texts."""
        run = Run(1)
        self.check(note[1], run)
        return run.found[0]

    def code(self, note: Note) -> IssueCode:
        """Return the code of *note*."""
        return code_found(self.check, note[1])


class AskedSite:
    """A site whose check was asked, and of which a note has what that found, instead of the value.

    A hint that has to be looked for is that of one of the first findings.
    """

    __slots__ = ("_site", "check")
    hints = True

    def __init__(self, site: Site) -> None:
        self._site = site
        self.check = site.check

    def place(self, note: Note) -> tuple[tuple[Any, ...], int]:
        """Return the path of *note*, and how many of its steps a model may see, or -1."""
        found, above = self.found(note), self._site.hidden
        path = (*self._site.path(note[2:]), *reversed(found.steps))
        hidden = len(found.steps) + above if above else found.hidden
        return path, len(path) - hidden if hidden else -1

    def before(self, _note: Note, _limit: int) -> int:
        """Return 0: see above."""
        return 0

    def found(self, note: Note) -> Found:
        """Return the finding of *note*."""
        found: Found = note[1]
        return found

    def code(self, note: Note) -> IssueCode:
        """Return the code of *note*."""
        return self.found(note).code


def several(notes: Any, limit: int) -> list[Note]:
    """Return at most *limit* of *notes*, a list of them or sites and values by turns."""
    if isinstance(notes, list):
        return notes
    return [*zip(notes[::2], notes[1::2], strict=True)][:limit]


def settled(
    subject: Subject, notes: list[Note], faults: list[Note]
) -> tuple[list[Issue], list[Issue]]:
    """Return the errors *faults*, and the warnings *notes*, of the check of *subject*."""
    t, secrets, search = subject.type, subject.secrets, Search()
    # The first have hints; see `typesig.validation.rows.settled`, which counts all that was found.
    limit = subject.policy.max_issues
    errors = _noted(faults, len(faults) <= _FEW, search, limit)
    warnings = _noted(notes, False, search, limit)
    names = {d.name: d.type for d in subject.definitions}
    return without_hidden(errors, t, names, secrets), without_hidden(warnings, t, names, secrets)


def _noted(notes: list[Note], are_few: bool, search: Search, limit: int) -> list[Issue]:
    """Return the issues of *notes*: the first with hints that *search* finds."""
    made = noted(notes)
    for place, note in enumerate(notes[:HINTED]):
        site = note[0]
        if (are_few or site.hints) and place + site.before(note, limit) < HINTED:
            made[place] = _told(note, search)
    return made


def _told(note: Note, search: Search) -> Issue:
    """Return the issue of *note* with its texts, and with a hint that *search* finds."""
    site: Site | AskedSite = note[0]
    path, hidden = site.place(note)
    found = site.found(note)
    hint = found.hint if isinstance(found.hint, str) else search.hint(found.hint)
    return Issue(found.code, path, found.expected, found.got, hint, found.rule, hidden)
