"""Pins: check tools against a lock file, which the first use writes.

A tool that is not in the lock is new, and refused.  One in the place of a tool that is gone counts
as that tool with another name, so that the refusal tells what changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from typesig.calls.protocols import ToolLike
from typesig.contracts.contract import ToolContract, make_contract
from typesig.contracts.lock import Lock, UnwritableFile, open_exclusively, read_lock
from typesig.contracts.lock_diff import (
    Diff,
    Severities,
    find_settings,
    find_tool_changes,
    quote_name,
)
from typesig.errors import TypesigError, format_value


class ContractBroken(TypesigError):
    """The error for a tool that no longer matches its lock and is refused.

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

    def _format_message(self) -> str:
        """Describe the change of the tool and the remedy."""
        lines = "".join(f"\n  {line}" for line in str(self.diff).splitlines())
        return (
            f"{quote_name(self.tool)}: is refused, since it is not what {self.file} says:{lines}\n"
            f"after a look, accept it with typesig lock --update -o {self.file}"
        )


class PinResult(NamedTuple):
    """Result of checking tools against a lock: refused tools and missing names.

    #: refused: the tools that cannot be used, each with the reason
    #: gone: the names in the lock that are not there; unrecorded: why the lock is not written
    #: usable: the contracts in the lock of refused tools that still take and return the same
    """

    refused: dict[str, TypesigError]
    gone: tuple[str, ...] = ()
    unrecorded: str = ""
    usable: Mapping[str, ToolContract] = {}


def check_pins(tools: Iterable[ToolLike], file: str | os.PathLike[str]) -> PinResult:
    """Check *tools* against the lock in *file*; record new and allowed contracts there.

    The first use writes the file.  Later, a tool is refused if it is new, or if a change of it is
    more than additive; the severities are those of the rules, or of the project, as for
    `typesig diff`.
    Raises `TypesigError` for a file that is not a lock, or is that of another server, and if the
    first lock cannot be written.
    """
    named: object = file
    path = os.fspath(named) if isinstance(named, str | os.PathLike) else None
    if not isinstance(path, str) or not path:
        raise TypesigError(f"lock is the path of a file, not {format_value(file)}")
    severities = find_settings(Path.cwd()).severity
    now, unkept = _make_contracts(tools)
    before = read_lock(path)
    found = _judge(before, now, severities, path)
    unrecorded = ""
    if found.made is not None:
        try:
            with open_exclusively(path) as write:
                # Another process may have written meanwhile.
                found = _judge(read_lock(path), now, severities, path)
                if found.made is not None:
                    write(found.made)
        except UnwritableFile as error:
            if before is None:
                raise
            unrecorded = str(error)
    return PinResult({**unkept, **found.refused}, found.gone, unrecorded, found.usable)


def _make_contracts(tools: Iterable[ToolLike]) -> tuple[Lock, dict[str, TypesigError]]:
    """Return a lock of *tools*, and the errors of tools without a contract."""
    found: dict[str, ToolContract] = {}
    unkept: dict[str, TypesigError] = {}
    for one in tools:
        try:
            found[one.name] = make_contract(one)
        except TypesigError as error:
            unkept[one.name] = error
    return Lock(found), unkept


class _PinVerdicts(NamedTuple):
    """Verdicts of a lock on the contracts of tools, and the updated lock.

    #: made: the lock with what is new, or None if it has all
    """

    refused: dict[str, TypesigError]
    gone: tuple[str, ...]
    made: Lock | None
    usable: Mapping[str, ToolContract] = {}


def _judge(lock: Lock | None, now: Lock, severities: Severities, file: str) -> _PinVerdicts:
    """Check the contracts of *now* against *lock*; *file* is its path for errors."""
    if lock is None:
        return _PinVerdicts({}, (), now if now.tools else None)
    gone = [one for one in lock if one.name not in now.tools]
    come = [one for one in now if one.name not in lock.tools]
    kin = _match_renamed(come, gone)
    if gone and come and len(gone) == len(lock) and not kin:
        raise TypesigError(
            f"{file} is the lock of another server: none of its tools is here; each server has a "
            "lock of its own"
        )
    refused: dict[str, TypesigError] = {}
    kept, usable = dict(lock.tools), {}
    for one in now:
        known = lock.tools.get(one.name, kin.get(one.name))
        found = Diff(tuple(find_tool_changes(known, one, severities)))
        if found.severity in (None, "additive"):
            kept[one.name] = one if found else kept[one.name]
        else:
            refused[one.name] = ContractBroken(one.name, file, found)
            if one.name in lock.tools and found.severity == "dangerous":
                usable[one.name] = lock.tools[one.name]
    missing = {one.name for one in gone} - {one.name for one in kin.values()}
    made = Lock(kept)
    return _PinVerdicts(refused, tuple(sorted(missing)), None if made == lock else made, usable)


def _match_renamed(come: list[ToolContract], gone: list[ToolContract]) -> dict[str, ToolContract]:
    """Match new tools *come* with the removed tools *gone* that are most alike.

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


def _get_types(one: ToolContract) -> Any:
    """Get the type fingerprints of contract *one*; None for a tool without parameters."""
    # Tools without parameters have little in common.
    return (one.input, one.output) if one.signature.params else None


#: What two tools have in common if they are one, the surest sign first; None is nothing.
_LIKENESSES: tuple[Callable[[ToolContract], Any], ...] = (
    lambda one: (one.input, one.output, one.texts),
    _get_types,
    lambda one: one.description,
    lambda one: frozenset(field.name for field in one.signature.params) or None,
)
