"""Notes: what generated source keeps of the warnings of a value that it coerced.

Texts and paths are made when the warnings are read.  A note is a site, the value that stood there,
which cannot change, and the indices on the way to it.  Notes are a list with the number of all that
there were, or, where no site has indices, each site with its value one behind the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from typesig.validation.issues import Issue
from typesig.validation.outcome import Notes, Told
from typesig.validation.plain import plain
from typesig.validation.run import Checker, Found, LaterFound
from typesig.validation.secrets import without_secrets
from typesig.validation.settled import settled
from typesig.validation.subject import About


class Site(NamedTuple):
    """A place of a type at which values are coerced with a warning.

    #: check: the check of the place; path: the names of fields on the way to it, None for indices
    #: hidden: the number of steps, from the inside, up to the outermost firewalled name; else 0
    """

    check: Checker
    path: tuple[str | None, ...]
    hidden: int


def told_by(about: About, result: Any, notes: Notes) -> Told:
    """Return what the outcome of the check *about* tells that made *result* and *notes*."""
    limit = about.policy.max_issues
    kept: tuple[tuple[Any, ...], ...]
    if isinstance(notes[0], list):
        kept, count = tuple(notes[0]), notes[1]
    else:
        kept, count = tuple(zip(notes[::2], notes[1::2], strict=True)), len(notes) // 2
    unseen = max(count - limit, 0)
    settle = partial(_settled, about, kept[:limit])
    made, subject = partial(plain, result), about.subject(result)
    return Told(settle, False, about.stage, None, unseen, made, subject)


def _settled(about: About, notes: tuple[tuple[Any, ...], ...]) -> tuple[list[Issue], list[Issue]]:
    names = {d.name: d.type for d in about.definitions}
    errors, warnings = settled([found_of(*note) for note in notes], about.policy, about.stage)
    return errors, without_secrets(warnings, about.type, names, about.secrets)


def found_of(site: Site, value: Any, *indices: int) -> Found:
    """Return the finding of a note."""
    found, steps = LaterFound(site.check, value, True), iter(indices)
    found.steps = [*_steps(site.path, steps)][::-1]
    found.hidden = site.hidden
    return found


def _steps(path: tuple[str | None, ...], indices: Iterator[int]) -> Iterator[str | int]:
    for name in path:
        yield next(indices) if name is None else name
