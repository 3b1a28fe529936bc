"""Decisions about a call before it runs: run, refuse, or ask a person."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias

from typesig.errors import TypesigError
from typesig.validation.outcome.outcome import Outcome


class Call(NamedTuple):
    """A call made by a model, as hooks receive it.

    #: id: the provider's name of the call, or None
    #: name: the tool's name, as its definition has it
    #: arguments: the named arguments as JSON data, read and checked; as they were sent if they do
    #:     not fit, and the call will be refused for that
    #: annotations: what the tool says of itself to its host, such as `destructiveHint`
    #: fits: whether the arguments fit

    >>> Call("call_1", "book", {"room": "Elm"}, {"destructiveHint": True}).arguments["room"]
    'Elm'
    """

    id: str | None
    name: str
    arguments: Any
    annotations: Mapping[str, Any]
    fits: bool = True


class Refuse(NamedTuple):
    """Decision that a call must not run, with a *reason* for the model.

    >>> from typesig import tools_of
    >>> from typesig.governance import Governance
    >>> def book(room: str) -> str:
    ...     return "booked"
    >>> governance = Governance(before=lambda call: Refuse("ask again tomorrow"))
    >>> call = {"name": "book", "arguments": {"room": "Elm"}}
    >>> [result] = tools_of([book]).project("mcp").handle(call, governance=governance)
    >>> print(result["content"][0]["text"])
    Tool errors:
    - this call was not run: ask again tomorrow
    """

    reason: str


class Ask(NamedTuple):
    """Decision that a person must approve a call, with a *question* for that person.

    >>> Ask("Book Elm?").question
    'Book Elm?'
    """

    question: str


#: What becomes of a call: None lets it run.
Decision: TypeAlias = Refuse | Ask | None

#: Decides on a call before anything of it runs.
Before: TypeAlias = Callable[[Call], Decision | Awaitable[Decision]]

#: Sees what became of a call, and may return another outcome; None keeps it.
After: TypeAlias = Callable[
    [Call, Outcome[Any]], Outcome[Any] | Awaitable[Outcome[Any] | None] | None
]


class Approvals(Protocol):
    """Shared store that ensures that each set of pending calls runs only once."""

    def claim(self, id: str, /) -> bool | Awaitable[bool]:
        """Return True the first time for *id*, in whichever process, and False from then on."""
        ...


def check_decision(given: object) -> Decision:
    """Return the decision *given* by a hook; raise `TypesigError` if it is invalid."""
    if given is None:
        return None
    if isinstance(given, Refuse | Ask) and isinstance(given[0], str):
        return given
    raise TypesigError(
        "before returns None to let a call run, Refuse(reason) or Ask(question), not "
        f"{_describe_type(given)}"
    )


def check_outcome(given: object) -> Outcome[Any]:
    """Return the outcome *given* by `after`; raise `TypesigError` if it is invalid."""
    if isinstance(given, Outcome):
        return given
    raise TypesigError(
        f"after returns another outcome, or None to keep this one, not {_describe_type(given)}"
    )


def _describe_type(value: object) -> str:
    """Name the type of the invalid decision *value*, for an error message."""
    shown = f" of {type(value[0]).__name__}" if isinstance(value, Refuse | Ask) else ""
    return f"{type(value).__name__}{shown}"
