"""Tools of a server that are held to a lock: what is refused of them, and which lock it is."""

from __future__ import annotations

import asyncio
import os
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from typesig.contracts.pinning import ContractBroken, pinned
from typesig.errors import TypesigError
from typesig.extraction.callables.warnings import HintWarning, cut
from typesig.limits import MAX_WARNING
from typesig.tools.toolset import Toolset

#: The path of a lock.
Path: TypeAlias = str | os.PathLike[str]

#: The locks of the sessions that were connected with one.
_LOCKS: WeakKeyDictionary[Any, Path] = WeakKeyDictionary()


def set_lock(session: Any, lock: Path | None) -> None:
    """Hold the tools of *session* to the file *lock*, unless it is None."""
    if lock is not None:
        _LOCKS[session] = lock


async def held(tools: Toolset, session: Any, lock: Path | None) -> Toolset:
    """Return *tools* without those that *lock*, or else the lock of *session*, refuses."""
    file = _LOCKS.get(session) if lock is None else lock
    if file is None:
        return tools
    # To compare large contracts takes long.
    found = await asyncio.to_thread(pinned, tools, file)
    kept = [one for one in tools if one.name not in found.refused]
    warnings = [*tools.warnings, *(_refused(*each) for each in found.refused.items())]
    remedy = f"if that is right, run typesig lock --update -o {os.fspath(file)}"
    for name in found.gone:
        if name not in tools.refused:
            why = "the lock has this tool, and the server does not"
            warnings.append(HintWarning(name, "", why, remedy, "left_out"))
    if found.unrecorded:
        why = cut(f"what is new is not recorded: {found.unrecorded}", MAX_WARNING)
        warnings.append(HintWarning("", "", why, "make the file writable", "partial"))
    made = Toolset(kept, warnings, refused={**tools.refused, **found.refused})
    made.modes = {name: mode for name, mode in tools.modes.items() if name in made}
    return made


def _refused(name: str, error: TypesigError) -> HintWarning:
    if not isinstance(error, ContractBroken):
        why = cut(f"{error}, so it is left out", MAX_WARNING)
        return HintWarning(name, "", why, "ask those who run the server", "left_out")
    first = error.diff.at_least("dangerous")[0]
    why = cut(f"it is not what {error.file} says, so it is left out: {first.sentence}", MAX_WARNING)
    remedy = f"after a look, accept it with typesig lock --update -o {error.file}"
    return HintWarning(name, first.place, why, remedy, "left_out")
