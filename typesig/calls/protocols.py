"""Protocols of tools, toolsets and contracts, for the packages above them; renamed tools.

The classes themselves stand further down, and are never named by what they use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from typesig.calls.binding import SentForm
from typesig.calls.functions import check_name

if TYPE_CHECKING:
    from typesig.algebra.signature import Signature
    from typesig.calls.binding import Binding
    from typesig.errors import TypesigError
    from typesig.extraction.callables.warnings import HintWarning
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.outcome.check_context import PassthroughContext
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.policy import ModeName, Policy


T_co = TypeVar("T_co", covariant=True)

#: Returns the text that a model is shown of a whole value, or the data in a tuple, or `NOT_WHOLE`.
Show: TypeAlias = "Callable[[PassthroughContext, Any], Any]"


class FastCall(NamedTuple):
    """The parts of fast calls of a tool by one method.

    #: shared: the fast paths of the tool, which its calls add; key: that of the method and mode
    #: function, receiver: the function of the tool, and the instance that it is bound to, or None
    """

    shared: Mapping[Any, Any]
    key: Any
    function: Callable[..., Any]
    receiver: object

    def find(self) -> Any:
        """Return the fast path, or None if there is none yet."""
        return self.shared.get(self.key)


class HasPolicy(Protocol):
    """Protocol of a tool or contract, which has a signature and a mode.

    #: signature: what the model sees; of a contract, the result of a signature without parameters
    #: mode: the mode of calls, or of readings, that are given none; or None
    #: warnings: what the hints cannot express
    """

    signature: Signature
    mode: ModeName | Policy | None
    warnings: tuple[HintWarning, ...]


class ToolLike(HasPolicy, Protocol):
    """Protocol of a tool.

    #: name: the name by which a model calls it
    #: title: the title for people, or None; description: the description, or None
    #: annotations: the hints for the host, as MCP has them
    #: binding: how a call reaches the function
    """

    name: str
    title: str | None
    description: str | None
    annotations: Mapping[str, Any]
    binding: Binding

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of the host parameters."""
        ...

    @property
    def is_async(self) -> bool:
        """Whether the function is a coroutine function."""
        ...

    def call(
        self,
        arguments: object = None,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[Any]:
        """Call the tool with *arguments* from a model, and return the outcome."""
        ...

    async def acall(
        self,
        arguments: object = None,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[Any]:
        """Call the tool as `call` does, and await its function if necessary."""
        ...

    def _get_fast_call(self, method: str, mode: ModeName | Policy | None) -> FastCall:
        """Return the parts of fast calls by *method* in *mode*."""
        ...


class ToolsByName(Protocol):
    """Protocol of a toolset: tools by name, with their warnings.

    #: refused: the tools that were left out, each with the error that says why
    """

    refused: Mapping[str, TypesigError]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, in order."""
        ...

    @property
    def warnings(self) -> tuple[HintWarning, ...]:
        """Warnings about omitted functions, and about hints that JSON cannot express."""
        ...

    @property
    def modes(self) -> Mapping[str, ModeName | Policy]:
        """The modes that the toolset sets for tools without a mode, by name."""
        ...

    def __iter__(self) -> Iterator[ToolLike]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> ToolLike: ...


class AnswerContract(HasPolicy, Protocol[T_co]):
    """Protocol of a contract for an answer of a model."""

    _explicit: bool

    def _read_as(
        self, text: object, form: SentForm, mode: ModeName | Policy | None, ledger: Ledger | None
    ) -> Outcome[T_co]:
        """Read the answer *text*, sent in the alternative *form*."""
        ...


T = TypeVar("T", bound=ToolLike)


def rename_tool(one: T, name: str, sent: SentForm | None = None) -> T:
    """Copy the tool *one* with the name *name*; raise `ExtractionError` if invalid.

    *sent* is the form in which its arguments are sent, if it is not the usual one.
    """
    binding = one.binding._replace(name=check_name(name, own=False), sent=sent)
    # The short way of its calls has another name and another form.
    return _copy_tool(one, name=name, binding=binding, _shared={})


def _copy_tool(one: T, **changes: Any) -> T:
    """Copy the tool *one* with other attributes."""
    other: Any = object.__new__(type(one))
    other.__dict__.update({**one.__dict__, **changes})
    return other  # type: ignore[no-any-return]


def add_details(one: T) -> T:
    """Return the tool *one* with its details as a part of its description."""
    details: str | None = getattr(one, "details", None)
    if details is None:
        return one
    text = details if one.description is None else f"{one.description}\n\n{details}"
    return _copy_tool(one, description=text, details=None)


def replace_function(one: T, function: Callable[..., Any]) -> T:
    """Copy the tool *one* so that calls run *function* instead of its own.

    *function* takes what a call binds, without the instance of a method.
    """
    # The short way of its calls has the other function.
    parts = {"_function": function, "_call": function, "_shared": {}}
    return _copy_tool(one, **parts, _receiver=None, _receives=False)
