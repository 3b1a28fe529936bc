"""The message about a tool that a model called and that does not exist."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from typesig.errors import TypesigError, short
from typesig.limits import MAX_NEAR_NAME, MAX_SHOWN_TOOLS

if TYPE_CHECKING:
    from typing import Any

    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.issues.near import Search
    from typesig.validation.outcome.outcome import Outcome


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


def missing_tool(name: object, known: Collection[str], refused: Container[object]) -> str:
    """Return the message that *name* is none of the *known* names, or that it is *refused*.

    It has nothing of the reason of a refusal, whose words may be those of others.
    """
    if not isinstance(name, str) or name not in refused:
        return unknown_tool(name, known)
    from typesig.validation.issues.excerpt import text

    return f"the tool {text(name)} is refused by the host; use another tool"


def no_such_tool(
    name: object, known: Collection[str], refused: Mapping[str, TypesigError]
) -> Exception:
    """Return the error of a tool that is *refused*, or else a `KeyError` with the nearest name."""
    if isinstance(name, str) and name in refused:
        # Without the places where it was raised before.
        return refused[name].with_traceback(None)
    return KeyError(unknown_tool(name, known))


def outcome_of_unknown(
    name: object,
    known: Collection[str],
    refused: Container[object],
    arguments: object,
    ledger: Ledger | None = None,
) -> Outcome[Any]:
    """Return the outcome of a call of *name*, which is none of the *known* names, or *refused*."""
    from typesig.validation.issues.issues import Issue
    from typesig.validation.issues.ledger import note_in
    from typesig.validation.outcome.outcome import Outcome

    issue = Issue("call", (), "", missing_tool(name, known, refused))
    # The name is a model's, and may be anything.
    note_in(ledger, [issue], (), None)
    return Outcome(stage="input", errors=[issue], rejected=arguments)
