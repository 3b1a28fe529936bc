"""Messages about calls of unknown tools.

A model writes `functions.getUser` or `get-user(id)` for `get_user`.  Such a name means a tool if
exactly one declared name is the same but for case and separators.  What is merely close is never
run.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_NEAR_NAME, MAX_SHOWN_TOOLS

if TYPE_CHECKING:
    from typing import Any

    from typesig.calls.protocols import ToolLike
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.issues.suggestions import SuggestionSearch
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.policy import ModeName, Policy


def explain_unknown_tool(
    name: object, known: Collection[str], search: SuggestionSearch | None = None
) -> str:
    """Write the error about the unknown tool *name*, with close names.

    *search* bounds the work for the messages about several names.
    """
    from typesig.validation.issues.excerpt import quote_text
    from typesig.validation.issues.suggestions import SuggestionQuery, SuggestionSearch

    asked = name[:MAX_NEAR_NAME] if isinstance(name, str) else format_value(name)
    lower = {each.lower(): each for each in known}
    near = (search or SuggestionSearch()).find_hint(SuggestionQuery(asked.lower(), lambda: lower))
    names = [*islice(known, MAX_SHOWN_TOOLS)]
    names += ["…"] if len(known) > len(names) else []
    offered = near or f"there are {', '.join(names)}"
    return f"there is no tool {quote_text(asked)}; {offered if known else 'there are none'}"


def explain_missing_tool(name: object, known: Collection[str], refused: Container[object]) -> str:
    """Message about the missing or refused tool *name*.

    It has nothing of the reason of a refusal, whose words may be those of others.
    """
    if not isinstance(name, str) or name not in refused:
        return explain_unknown_tool(name, known)
    from typesig.validation.issues.excerpt import quote_text

    return f"the tool {quote_text(name)} is refused by the host; use another tool"


def make_unknown_tool_error(
    name: object, known: Collection[str], refused: Mapping[str, TypesigError]
) -> Exception:
    """Error for the missing or refused tool *name*."""
    if isinstance(name, str) and name in refused:
        # Without the places where it was raised before.
        return refused[name].with_traceback(None)
    return KeyError(explain_unknown_tool(name, known))


def make_unknown_tool_outcome(
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

    issue = Issue("call", (), "", explain_missing_tool(name, known, refused))
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
    """Find the only name of *known* that *name* respells, or None.

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
    one: ToolLike,
    mode: ModeName | Policy | None,
    ledger: Ledger | None,
    known_as: str | None = None,
) -> Outcome[Any]:
    """Copy *outcome* with a warning that the model misspelt the tool name as *name*.

    The model reads it as well, unless the policy of *mode* tells it nothing.  *known_as* is the
    name that the model was shown, if it is not that of *one*; *ledger* counts the warning.
    """
    from typesig.validation.issues.excerpt import quote_text
    from typesig.validation.issues.issues import Issue
    from typesig.validation.issues.ledger import note_in
    from typesig.validation.outcome.constructors import add_warnings
    from typesig.validation.policy import get_first_policy

    issue = Issue("called", (), one.name if known_as is None else known_as, quote_text(name))
    note_in(ledger, (), [issue], one.binding.signature, one.binding.name)
    tells = get_first_policy(mode, one.mode).tell_model
    return add_warnings(outcome, [issue], (issue,) if tells else ())
