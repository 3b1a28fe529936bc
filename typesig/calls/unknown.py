"""The message about a tool that a model called and that does not exist."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING

from typesig.errors import short
from typesig.limits import MAX_NEAR_NAME, MAX_SHOWN_TOOLS

if TYPE_CHECKING:
    from typesig.validation.issues.near import Search


def unknown_tool(name: object, known: Collection[str], search: Search | None = None) -> str:
    """Return the message that *name* is none of the *known* names, with the nearest of them.

    *search* bounds the work for the messages about several names.
    """
    from typesig.validation.issues.excerpt import text
    from typesig.validation.issues.near import Near, Search

    asked = name[:MAX_NEAR_NAME] if isinstance(name, str) else short(name)
    lower = {each.lower(): each for each in known}
    near = (search or Search()).hint(Near(asked.lower(), lambda: lower))
    names = [*islice(known, MAX_SHOWN_TOOLS)]
    names += ["…"] if len(known) > len(names) else []
    offered = near or f"there are {', '.join(names)}"
    return f"there is no tool {text(asked)}; {offered if known else 'there are none'}"
