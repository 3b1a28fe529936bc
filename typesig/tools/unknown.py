"""The message about a tool that a model called and that does not exist."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from typesig.errors import short
from typesig.limits import MAX_NEAR, MAX_NEAR_NAME, MAX_SHOWN_TOOLS


def unknown_tool(name: object, known: Collection[str]) -> str:
    """Return the message that *name* is none of the *known* names, with the nearest of them."""
    from difflib import get_close_matches

    from typesig.validation.excerpt import text

    asked = name[:MAX_NEAR_NAME] if isinstance(name, str) else short(name)
    lower = {name.lower(): name for name in known}
    near = get_close_matches(asked.lower(), lower, 1) if len(lower) <= MAX_NEAR else []
    names = [*islice(known, MAX_SHOWN_TOOLS)]
    names += ["…"] if len(known) > len(names) else []
    offered = f"did you mean {lower[near[0]]}?" if near else f"there are {', '.join(names)}"
    return f"there is no tool {text(asked)}; {offered if known else 'there are none'}"
