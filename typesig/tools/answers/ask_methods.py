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

        options: dict[str, Any] = {"attempts": attempts, "mode": mode, "ledger": ledger}
        options |= {"governance": governance, "pending": pending}
        return run_blocking(_ask(BLOCKING, self, complete, prompt, options, terms))

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

        options: dict[str, Any] = {"attempts": attempts, "mode": mode, "ledger": ledger}
        options |= {"governance": governance, "pending": pending}
        return await _ask(AWAITING, self, complete, prompt, options, terms)

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

        options: dict[str, Any] = {
            "attempts": attempts, "mode": mode, "model": model, "provider": provider, "api": api,
            "way": way, "tokens": tokens, "more_tokens": more_tokens, "escalate": escalate,
            "ledger": ledger, "governance": governance, "tools": tools, "given": given,
            "on_exception": on_exception, "pages": pages, "host_items": host_items,
            "pending": pending,
        }  # fmt: skip
        terms = _make_terms(**options, **request)
        whole: Any = self
        return StreamedAsk(whole, client, prompt, terms)


async def _ask(
    waiting: WaitMode,
    contract: Any,
    complete: Any,
    prompt: Any,
    options: dict[str, Any],
    terms: dict[str, Any],
) -> Answer[Any]:
    """Ask the function or client *complete* for an answer, awaited as *waiting* does.

    *terms* are the options that only a client takes.
    """
    if "model" not in terms:
        _check_function(complete, terms)
        from typesig.tools.answers import conversation

        return await conversation.ask(contract, complete, prompt, waiting, **options)
    from typesig.tools.answers import client_asks

    agreed = _make_terms(**options, **terms)
    return await client_asks.ask(contract, complete, prompt, agreed, waiting)


def _make_terms(**options: Any) -> AskTerms:
    """Collect the *options* of an ask in `AskTerms`; unknown ones are arguments of the client."""
    from typesig.tools.answers.exchanges import AskTerms
    from typesig.tools.answers.request_options import HostValues

    host = HostValues(*[options.pop(name, None) for name in HostValues._fields])
    own = set(AskTerms._fields) - {"host", "request"}
    named = {name: options.pop(name) for name in own if name in options}
    return AskTerms(**named, host=host, request=options)


def _check_function(complete: object, terms: Mapping[str, Any]) -> None:
    """Raise `TypesigError` unless *complete* is a function and *terms* is empty."""
    if callable(complete) and not terms:
        return
    from typesig.providers.dialogues.clients import TAKEN

    if terms:
        raise TypesigError(f"{', '.join(terms)}: for a client only, with model=…; {TAKEN}")
    raise TypesigError(f"{TAKEN}; not {type(complete).__name__} without model=…")
