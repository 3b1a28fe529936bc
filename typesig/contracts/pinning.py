"""Pins: the tools of others are held to the lock in a file, which the first use writes.

A tool that is not in the lock is new, and refused.  One in the place of a tool that is gone counts
as that tool with another name, so that the refusal tells what changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from typesig.calls.called import Called
from typesig.contracts.comparing.walk import Found
from typesig.contracts.diffing import Diff, Severities, changes_of, finding_of
from typesig.contracts.locks.files import Unwritable, read_lock, sole_writer
from typesig.contracts.locks.lock import Lock
from typesig.contracts.locks.locked import ToolContract, contract_of
from typesig.contracts.rows.findings import Finding, shown_name
from typesig.contracts.settings import settings_near
from typesig.errors import TypesigError, short
from typesig.notations.shorthand.writer import signature_text


class ContractBroken(TypesigError):
    """A tool of others that is no longer what its lock says, so that it is refused.

    #: tool: its name; file: the lock; diff: what changed

    >>> from typesig import tools_of
    >>> def add(a: int) -> int: ...
    >>> changes = tools_of([]).diff(tools_of([add]))
    >>> print(ContractBroken("add", "tools.lock", changes))
    add: is refused, since it is not what tools.lock says:
      dangerous: add: the tool was added: (a :int) -> :int [tool-added]
    after a look, accept it with typesig lock --update -o tools.lock
    """

    code = "contract_broken"

    def __init__(self, tool: str, file: str, diff: Diff) -> None:
        super().__init__(tool, file, diff)
        self.tool = tool
        self.file = file
        self.diff = diff

    def _message(self) -> str:
        """Return what changed, and what to do."""
        lines = "".join(f"\n  {line}" for line in str(self.diff).splitlines())
        return (
            f"{shown_name(self.tool)}: is refused, since it is not what {self.file} says:{lines}\n"
            f"after a look, accept it with typesig lock --update -o {self.file}"
        )


class Pinned(NamedTuple):
    """What a lock says of tools.

    #: refused: the tools that cannot be used, each with the reason
    #: gone: the names in the lock that are not there; unrecorded: why the lock is not written
    #: usable: the contracts in the lock of refused tools that still take and return the same
    """

    refused: dict[str, TypesigError]
    gone: tuple[str, ...] = ()
    unrecorded: str = ""
    usable: Mapping[str, ToolContract] = {}


def pinned(tools: Iterable[Called], file: str | os.PathLike[str]) -> Pinned:
    """Return what the lock in *file* says of *tools*, and record there what is new and allowed.

    The first use writes the file.  Later, a tool is refused if it is new, or if a change of it is
    more than additive; the severities are those of the rules, or of the project, as for
    `typesig diff`.
    Raises `TypesigError` for a file that is not a lock, or is that of another server, and if the
    first lock cannot be written.
    """
    path = _path_of(file)
    severities = settings_near(Path.cwd()).severity
    now, unkept = _contracts_of(tools)
    before = read_lock(path)
    found = _judged(before, now, severities, path)
    unrecorded = ""
    if found.made is not None:
        try:
            with sole_writer(path) as write:
                # Another process may have written meanwhile.
                found = _judged(read_lock(path), now, severities, path)
                if found.made is not None:
                    write(found.made)
        except Unwritable as error:
            if before is None:
                raise
            unrecorded = str(error)
    return Pinned({**unkept, **found.refused}, found.gone, unrecorded, found.usable)


def _path_of(file: object) -> str:
    path = os.fspath(file) if isinstance(file, str | os.PathLike) else None
    if not isinstance(path, str) or not path:
        raise TypesigError(f"lock is the path of a file, not {short(file)}")
    return path


def _contracts_of(tools: Iterable[Called]) -> tuple[Lock, dict[str, TypesigError]]:
    """Return the contracts of *tools*, and why those without one have none."""
    found: dict[str, ToolContract] = {}
    unkept: dict[str, TypesigError] = {}
    for one in tools:
        try:
            found[one.name] = contract_of(one)
        except TypesigError as error:
            unkept[one.name] = error
    return Lock(found), unkept


class _Judged(NamedTuple):
    """What a lock says of contracts.

    #: made: the lock with what is new, or None if it has all
    """

    refused: dict[str, TypesigError]
    gone: tuple[str, ...]
    made: Lock | None
    usable: Mapping[str, ToolContract] = {}


def _judged(lock: Lock | None, now: Lock, severities: Severities, file: str) -> _Judged:
    if lock is None:
        return _Judged({}, (), now if now.tools else None)
    gone = [one for one in lock if one.name not in now.tools]
    come = [one for one in now if one.name not in lock.tools]
    kin = _kin_of(come, gone)
    if gone and come and len(gone) == len(lock) and not kin:
        raise TypesigError(
            f"{file} is the lock of another server: none of its tools is here; each server has a "
            "lock of its own"
        )
    refused: dict[str, TypesigError] = {}
    kept, usable = dict(lock.tools), {}
    for one in now:
        found = Diff(tuple(_changes(lock.tools.get(one.name), kin.get(one.name), one, severities)))
        if found.severity in (None, "additive"):
            kept[one.name] = one if found else kept[one.name]
        else:
            refused[one.name] = ContractBroken(one.name, file, found)
            if one.name in lock.tools and found.severity == "dangerous":
                usable[one.name] = lock.tools[one.name]
    missing = {one.name for one in gone} - {one.name for one in kin.values()}
    made = Lock(kept)
    return _Judged(refused, tuple(sorted(missing)), None if made == lock else made, usable)


def _changes(
    known: ToolContract | None, kin: ToolContract | None, one: ToolContract, severities: Severities
) -> list[Finding]:
    """Return how *one* changed: from what is *known* of it, or from its *kin* of another name."""
    if known is not None:
        return changes_of(known, one, severities)
    if kin is not None:
        renamed = finding_of(Found("tool-renamed", "", kin.name, one.name), one.name, severities)
        return [renamed, *changes_of(kin, one, severities)]
    text = signature_text(one.signature)
    return [finding_of(Found("tool-added", "", text, text), one.name, severities)]


def _kin_of(come: list[ToolContract], gone: list[ToolContract]) -> dict[str, ToolContract]:
    """Return which tools of *come* are in the place of one that is *gone*, the nearest.

    One has the same contract, or else the same types, the same description, or parameters of the
    same names.
    """
    out: dict[str, ToolContract] = {}
    for likeness in _LIKENESSES:
        known: dict[Any, ToolContract] = {}
        for one in gone:
            known.setdefault(likeness(one), one)
        known.pop(None, None)
        for one in come:
            found = known.get(likeness(one)) if one.name not in out else None
            if found is not None:
                out[one.name] = found
    return out


def _types(one: ToolContract) -> Any:
    # Tools without parameters have little in common.
    return (one.input, one.output) if one.signature.params else None


def _names(one: ToolContract) -> Any:
    return frozenset(field.name for field in one.signature.params) or None


#: What two tools have in common if they are one, the surest sign first; None is nothing.
_LIKENESSES: tuple[Callable[[ToolContract], Any], ...] = (
    lambda one: (one.input, one.output, one.texts),
    _types,
    lambda one: one.description,
    _names,
)
