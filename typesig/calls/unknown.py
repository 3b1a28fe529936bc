"""The tool that a model meant by a name, and the message about one that does not exist.

A model writes `functions.getUser` or `get-user(id)` for `get_user`.  Such a name means a tool if
exactly one declared name is the same but for case and separators.  What is merely close is never
run.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from typesig.errors import TypesigError, short
from typesig.limits import MAX_NEAR_NAME, MAX_SHOWN_TOOLS

if TYPE_CHECKING:
    from typing import Any

    from typesig.calls.called import Called
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.issues.near import Search
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.rows.policy import ModeName, Policy


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


#: What separates the words of a name.
_SEPARATORS = str.maketrans("", "", "-_ ./:")

#: What some models write before each name, since the prompts of a vendor list tools below it.
_PREFIX = "functions."


def fold_name(name: str) -> str:
    """Remove case and separators from *name*.

    >>> fold_name("getUser") == fold_name("get-user")
    True
    """
    return name.translate(_SEPARATORS).casefold()


def find_name(name: object, known: Collection[str], refused: Iterable[str] = ()) -> str | None:
    """Find the one of *known* that *name* is spelled like; None without one, or with several.

    A name that may also be one of *refused* is None.

    >>> find_name("functions.getUser", ["get_user", "get_users"])
    'get_user'
    >>> find_name("get_user()", ["getUser", "get-user"])
    """
    if not isinstance(name, str):
        return None
    if name in known:
        return name
    wanted = {fold_name(form) for form in _forms(name)} - {""}
    found = {each for each in (*known, *refused) if fold_name(each) in wanted}
    return found.pop() if len(found) == 1 and not found.isdisjoint(known) else None


def _forms(name: str) -> set[str]:
    """*name*, and *name* without the prefix and the parentheses that models add."""
    bare = name.strip()
    if bare.endswith(")") and "(" in bare:
        bare = bare.partition("(")[0]
    short = bare[len(_PREFIX) :] if bare.casefold().startswith(_PREFIX) else bare
    return {name, bare, short}


def report_name(
    outcome: Outcome[Any],
    name: str,
    one: Called,
    mode: ModeName | Policy | None,
    ledger: Ledger | None,
    known_as: str | None = None,
) -> Outcome[Any]:
    """Copy the *outcome* of a call of *one* with a warning that it was called as *name*.

    The model reads it as well, unless the policy of *mode* tells it nothing.  *known_as* is the
    name that the model was shown, if it is not that of *one*; *ledger* counts the warning.
    """
    from typesig.validation.issues.excerpt import text
    from typesig.validation.issues.issues import Issue
    from typesig.validation.issues.ledger import note_in
    from typesig.validation.outcome.passed import add_warnings
    from typesig.validation.rows.policy import first_policy

    issue = Issue("called", (), one.name if known_as is None else known_as, text(name))
    note_in(ledger, (), [issue], one.binding.signature, one.binding.name)
    tells = first_policy(mode, one.mode).tell_model
    return add_warnings(outcome, [issue], (issue,) if tells else ())
