"""The methods `ask`, `aask` and `asking` of contracts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from typesig.errors import TypesigError

if TYPE_CHECKING:
    from typesig.calls.arguments import Given
    from typesig.calls.running import WaitMode
    from typesig.governance.governance import Governance
    from typesig.governance.pending import PendingCalls
    from typesig.providers.dialogues.dialogue import Way
    from typesig.providers.projection.call_handler import OnException, PageChoice
    from typesig.providers.projection.projection import Projection
    from typesig.providers.projection.replies import HostItems
    from typesig.providers.registry.provider import OtherName, ProviderName
    from typesig.tools.answers.client_asks import StreamedAsk
    from typesig.tools.answers.conversation import Answer
    from typesig.tools.answers.exchanges import AskTerms
    from typesig.tools.answers.request_options import ServerName
    from typesig.tools.toolset import Toolset
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.policy import ModeName, Policy


T = TypeVar("T")


class AskMethods(Generic[T]):
    """The methods of a contract that ask a model by a function or a provider's client."""

    __slots__ = ()

    @overload
    def ask(
        self,
        complete: Callable[[list[dict[str, str]]], str],
        prompt: str | Iterable[Mapping[str, str]],
        attempts: int = 3,
        mode: ModeName | Policy | None = None,
        *,
        ledger: Ledger | None = None,
        governance: Governance | None = None,
        pending: PendingCalls | None = None,
    ) -> Answer[T]: ...
    @overload
    def ask(
        self,
        client: object,
        /,
        prompt: str | Iterable[Any],
        attempts: int = 3,
        mode: ModeName | Policy | None = None,
        *,
        model: str,
        provider: ProviderName | OtherName | None = None,
        api: str | None = None,
        way: Way = "format",
        tokens: int | None = None,
        more_tokens: int | None = None,
        escalate: bool | ServerName = False,
        ledger: Ledger | None = None,
        governance: Governance | None = None,
        tools: Toolset | Projection | Iterable[Any] | None = None,
        given: Given | None = None,
        on_exception: OnException | None = None,
        pages: PageChoice | None = None,
        host_items: HostItems | None = None,
        pending: PendingCalls | None = None,
        **request: Any,
    ) -> Answer[T]: ...
    def ask(  # type: ignore[misc]  # mypy takes what a client is given by name for the function
        self,
        complete: Any,
        prompt: Any,
        attempts: int = 3,
        mode: ModeName | Policy | None = None,
        *,
        ledger: Ledger | None = None,
        governance: Governance | None = None,
        pending: PendingCalls | None = None,
        **terms: Any,
    ) -> Answer[T]:
        """Return the outcome of asking a model until its answer fits, *attempts* times at most.

        *complete* returns the model's answer to messages, each with a role (system, user,
        assistant) and a content.  The first is *prompt* with `prompt()`; after a wrong answer come
        that answer and its `feedback`.  *prompt* may also be messages.  What is mended and refused
        in each answer is counted in *ledger*.  *governance* governs the requests, each the call of
        a tool `answer`; where it asks a person, `Paused` is raised, whose messages are the prompt
        when it goes on with what was decided, *pending*.  Raises `TypesigError` if *complete*
        returns no text; an exception of *complete* passes through.

        Or, with *model*, the first argument is a client of `openai`, `anthropic` or `google-genai`,
        or another with `chat.completions.create`: the answer is asked for by its response format.
        Messages are then those of the vendor, and are sent as they are.  *provider* and *api* are
        as for `project`, where the client does not tell; *way* is `format`, `tool` for a tool that
        must be called, or `text`; *tokens* is a budget after which nothing more is asked.  A
        refusal and an answer that was cut end the asking; with *more_tokens*, one that was cut is
        asked for once more, with that limit of tokens.  *tools*, a toolset or a projection, may be
        called before the answer, with *given*, *on_exception*, *pages*, *host_items* and
        *governance* as for `Projection.handle`.  With *escalate*, an answer that fails after its
        feedback is constrained: by the response format or, with the name of a server (`vllm`,
        `sglang`, `llama.cpp`), by its guided decoding; a tool whose call fails twice must be
        called; and an answer that repeats itself under a constraint ends the asking.  What else is
        given is for the client's method.  Raises `TypesigError` for a client that is not known, or
        a call of another tool where there are no *tools*.

        >>> from typesig import contract
        >>> answers = iter(["three", "3"])
        >>> out = contract(int).ask(lambda messages: next(answers), "How many are there?")
        >>> out.result, out.attempts
        (3, 2)
        """
        from typesig.calls.running import BLOCKING, run_blocking

        options = {"ledger": ledger, "governance": governance, "pending": pending, **terms}
        return run_blocking(_ask(BLOCKING, self, complete, prompt, attempts, mode, **options))

    @overload
    async def aask(
        self,
        complete: Callable[[list[dict[str, str]]], Awaitable[str] | str],
        prompt: str | Iterable[Mapping[str, str]],
        attempts: int = 3,
        mode: ModeName | Policy | None = None,
        *,
        ledger: Ledger | None = None,
        governance: Governance | None = None,
        pending: PendingCalls | None = None,
    ) -> Answer[T]: ...
    @overload
    async def aask(
        self,
        client: object,
        /,
        prompt: str | Iterable[Any],
        attempts: int = 3,
        mode: ModeName | Policy | None = None,
        *,
        model: str,
        provider: ProviderName | OtherName | None = None,
        api: str | None = None,
        way: Way = "format",
        tokens: int | None = None,
        more_tokens: int | None = None,
        escalate: bool | ServerName = False,
        ledger: Ledger | None = None,
        governance: Governance | None = None,
        tools: Toolset | Projection | Iterable[Any] | None = None,
        given: Given | None = None,
        on_exception: OnException | None = None,
        pages: PageChoice | None = None,
        host_items: HostItems | None = None,
        pending: PendingCalls | None = None,
        **request: Any,
    ) -> Answer[T]: ...
    async def aask(  # type: ignore[misc]
        self,
        complete: Any,
        prompt: Any,
        attempts: int = 3,
        mode: ModeName | Policy | None = None,
        *,
        ledger: Ledger | None = None,
        governance: Governance | None = None,
        pending: PendingCalls | None = None,
        **terms: Any,
    ) -> Answer[T]:
        """Return the same as `ask`, where *complete* is a coroutine function, or a client."""
        from typesig.calls.running import AWAITING

        options = {"ledger": ledger, "governance": governance, "pending": pending, **terms}
        return await _ask(AWAITING, self, complete, prompt, attempts, mode, **options)

    def asking(
        self,
        client: object,
        prompt: str | Iterable[Any],
        attempts: int = 3,
        mode: ModeName | Policy | None = None,
        *,
        model: str,
        provider: ProviderName | OtherName | None = None,
        api: str | None = None,
        way: Way = "format",
        tokens: int | None = None,
        more_tokens: int | None = None,
        escalate: bool | ServerName = False,
        ledger: Ledger | None = None,
        governance: Governance | None = None,
        tools: Toolset | Projection | Iterable[Any] | None = None,
        given: Given | None = None,
        on_exception: OnException | None = None,
        pages: PageChoice | None = None,
        host_items: HostItems | None = None,
        pending: PendingCalls | None = None,
        **request: Any,
    ) -> StreamedAsk[T]:
        """Ask *client* as `ask` does; iterate over the parts of its streamed answer.

        It yields a `Part`, whose `value` has what has ended; at its end, `answer` is what `ask`
        returns.  `async for` takes clients that are awaited.
        """
        from typesig.tools.answers.client_asks import StreamedAsk

        named: dict[str, Any] = {"provider": provider, "api": api, "way": way, "tokens": tokens}
        host = {"given": given, "on_exception": on_exception, "pages": pages}
        named["host_items"] = host_items
        named |= {"model": model, "more_tokens": more_tokens, "tools": tools, **host, **request}
        named["escalate"] = escalate
        terms = _make_terms(attempts, mode, ledger, governance, pending, **named)
        return StreamedAsk(_check_contract(self), client, prompt, terms)


def _check_contract(contract: AskMethods[T]) -> Any:
    """Return *contract* unchanged, typed as `Any` for the ask functions."""
    return contract


async def _ask(
    waiting: WaitMode,
    contract: Any,
    complete: Any,
    prompt: Any,
    attempts: int,
    mode: ModeName | Policy | None,
    *,
    ledger: Ledger | None,
    governance: Governance | None,
    pending: PendingCalls | None,
    **terms: Any,
) -> Answer[Any]:
    """Ask the function or client *complete* for an answer, awaited as *waiting* does."""
    if "model" not in terms:
        _check_function(complete, terms)
        from typesig.tools.answers import conversation

        governed = conversation.GovernedAsk(governance, pending, waiting)
        return await conversation.ask(contract, complete, prompt, attempts, mode, ledger, governed)
    from typesig.tools.answers import client_asks

    agreed = _make_terms(attempts, mode, ledger, governance, pending, **terms)
    return await client_asks.ask(contract, complete, prompt, agreed, waiting)


def _make_terms(
    attempts: int,
    mode: ModeName | Policy | None,
    ledger: Ledger | None,
    governance: Governance | None,
    pending: PendingCalls | None,
    *,
    model: str,
    provider: str | None = None,
    api: str | None = None,
    way: Way = "format",
    tokens: int | None = None,
    more_tokens: int | None = None,
    escalate: bool | ServerName = False,
    tools: object = None,
    given: Given | None = None,
    on_exception: OnException | None = None,
    pages: PageChoice | None = None,
    host_items: HostItems | None = None,
    **request: Any,
) -> AskTerms:
    """Collect the options of an ask, and further *request* arguments, in `AskTerms`."""
    from typesig.tools.answers.exchanges import AskTerms
    from typesig.tools.answers.request_options import HostValues

    return AskTerms(
        model,
        provider,
        api,
        way,
        attempts,
        tokens,
        more_tokens,
        mode,
        ledger,
        governance,
        tools,
        HostValues(given, on_exception, pages, host_items),
        pending,
        request,
        escalate,
    )


def _check_function(complete: object, terms: Mapping[str, Any]) -> None:
    """Raise `TypesigError` unless *complete* is a function and *terms* is empty."""
    if callable(complete) and not terms:
        return
    from typesig.providers.dialogues.clients import TAKEN

    if terms:
        raise TypesigError(f"{', '.join(terms)}: for a client only, with model=…; {TAKEN}")
    raise TypesigError(f"{TAKEN}; not {type(complete).__name__} without model=…")
