"""Lock files for servers: refuse changed tools, or keep their locked texts."""

from __future__ import annotations

import asyncio
import os
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from typesig.algebra.nodes import ANY
from typesig.calls.results import ToolResult
from typesig.contracts.contract import ToolContract, annotate_signature, make_contract
from typesig.contracts.lock_diff import Diff, find_changes
from typesig.contracts.pins import ContractBroken, check_pins
from typesig.errors import TypesigError
from typesig.extraction.callables.warnings import HintWarning, shorten_line
from typesig.limits import MAX_WARNING
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

#: The path of a lock.
Path: TypeAlias = str | os.PathLike[str]


class Pin(NamedTuple):
    """The lock file of a server, or None, and whether changed texts keep the lock's.

    #: keep_locked: whether a tool with new texts keeps those of the lock, and is not refused
    """

    lock: Path | None = None
    keep_locked: bool = False


#: The locks of the sessions that were connected with one.
_PINS: WeakKeyDictionary[Any, Pin] = WeakKeyDictionary()


def set_pin(session: Any, lock: Path | None, keep_locked: bool) -> None:
    """Set *lock* as the lock file that the tools of *session* are checked against."""
    _PINS[session] = Pin(lock, keep_locked)


async def apply_pin(tools: Toolset, session: Any, pin: Pin) -> Toolset:
    """Remove the tools from *tools* that the lock of *pin* or of *session* refuses."""
    default = _PINS.get(session, Pin())
    file = default.lock if pin.lock is None else pin.lock
    if file is None:
        return tools
    # To compare large contracts takes long.
    found = await asyncio.to_thread(check_pins, tools, file)
    locked: dict[str, Tool[..., Any]] = {}
    if pin.keep_locked or default.keep_locked:
        usable = found.usable.items()
        made_of_lock = {name: restore_tool(tools[name], each) for name, each in usable}
        locked = {name: one for name, one in made_of_lock.items() if one is not None}
    refused = {name: why for name, why in found.refused.items() if name not in locked}
    found = found._replace(refused=refused)
    kept = [locked.get(one.name, one) for one in tools if one.name not in refused]
    warnings = [*tools.warnings, *(_make_refused_warning(*each) for each in found.refused.items())]
    warnings += [_make_locked_warning(name, os.fspath(file)) for name in locked]
    remedy = f"if that is right, run typesig lock --update -o {os.fspath(file)}"
    for name in found.gone:
        if name not in tools.refused:
            why = "the lock has this tool, and the server does not"
            warnings.append(HintWarning(name, "", why, remedy, "left_out"))
    if found.unrecorded:
        why = shorten_line(f"what is new is not recorded: {found.unrecorded}", MAX_WARNING)
        warnings.append(HintWarning("", "", why, "make the file writable", "partial"))
    made = Toolset(kept, warnings, refused={**tools.refused, **found.refused})
    made.modes = {name: mode for name, mode in tools.modes.items() if name in made}
    return made


def restore_tool(tool: Tool[..., Any], locked: ToolContract) -> Tool[..., Any] | None:
    """Rebuild *tool* with the locked contract *locked*; None if the result would differ."""
    signature = annotate_signature(locked)
    original = tool.binding.original
    returns = None if signature.returns == ANY else signature.to_json_schema(exact=True)
    defined = ForeignDefinition(
        locked.name,
        signature.input_schema(exact=True),
        returns,
        locked.description,
        locked.title,
        locked.annotations,
        called=None if original is None else original.raw.get(("name",)),
    )
    made = foreign_tool(tool.__wrapped__, defined, ToolResult.data)
    changes = Diff(tuple(find_changes(locked, make_contract(made), {})))
    return made if changes.severity in (None, "additive") else None


def _make_locked_warning(name: str, file: str) -> HintWarning:
    """Build the warning that tool *name* keeps the descriptions of the lock *file*."""
    why = f"its texts are not those of {file}, so it keeps those of the lock"
    remedy = f"after a look, accept the new ones with typesig lock --update -o {file}"
    return HintWarning(name, "", why, remedy, "partial")


def _make_refused_warning(name: str, error: TypesigError) -> HintWarning:
    """Build the warning that tool *name* is left out; *error* is the reason."""
    if not isinstance(error, ContractBroken):
        why = shorten_line(f"{error}, so it is left out", MAX_WARNING)
        return HintWarning(name, "", why, "ask those who run the server", "left_out")
    first = error.diff.at_least("dangerous")[0]
    why = shorten_line(
        f"it is not what {error.file} says, so it is left out: {first.sentence}", MAX_WARNING
    )
    remedy = f"after a look, accept it with typesig lock --update -o {error.file}"
    return HintWarning(name, first.place, why, remedy, "left_out")
