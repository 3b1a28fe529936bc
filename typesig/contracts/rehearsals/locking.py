"""Cases that hold tools to a lock file: one for each tool, which fails if it broke its contract."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from typesig.contracts.diffing import Diff, diff
from typesig.contracts.locks.files import read_lock
from typesig.contracts.locks.lock import Lock
from typesig.contracts.rehearsals.calling import Failure
from typesig.contracts.rows.findings import Finding
from typesig.contracts.settings import settings_near
from typesig.errors import TypesigError
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset


class LockCase(NamedTuple):
    """The test that one tool keeps to its lock; `str` is its name in a report.

    #: name: the tool's name; file: the lock; broken: the changes that are not allowed
    """

    name: str
    file: str
    broken: tuple[Finding, ...]

    def __str__(self) -> str:
        return f"{self.name}-lock"

    def __call__(self, *_: Any) -> None:
        """Raise `Failure` if the tool is not what its lock says."""
        __tracebackhide__ = True
        if self.broken:
            raise Failure(
                f"{self.name} is not what {self.file} says:\n{Diff(self.broken)}\n"
                f"if that is meant, run typesig lock --update -o {self.file}"
            )


def lock_cases(tools: Iterable[Tool[..., Any]], file: str) -> list[LockCase]:
    """Return a case for each of *tools*, and for each tool that only the lock in *file* has.

    A change is allowed if it is less severe than `fail-on` of the project, or than breaking.
    Raises `TypesigError` for a file that is no lock, and for two tools with one name.
    """
    lock = read_lock(file)
    if lock is None:
        raise TypesigError(f"there is no file {file}; write it with typesig lock TARGET -o {file}")
    settings = settings_near(Path.cwd())
    now = Lock.of(Toolset(tools))
    broken: dict[str, list[Finding]] = {name: [] for name in now.names}
    for each in diff(lock, now, settings.severity).at_least(settings.fail_on or "breaking"):
        broken.setdefault(each.tool, []).append(each)
    return [LockCase(name, file, tuple(found)) for name, found in sorted(broken.items())]
