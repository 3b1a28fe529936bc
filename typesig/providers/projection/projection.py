"""A projection: the tools of a toolset in a provider's form, and its calls run."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn, TypeAlias

from typesig.algebra.loss import Loss
from typesig.calls.protocols import ToolLike, ToolsByName
from typesig.calls.running import AWAITING, BLOCKING, WaitMode, run_blocking
from typesig.errors import TypesigError
from typesig.limits import MAX_SHOWN_TOOLS
from typesig.notations.texts.quoting import Counter
from typesig.providers.projection import budgets
from typesig.providers.projection.budgets import LimitFinding
from typesig.providers.projection.extras import (
    NO_EXTRAS,
    Extras,
    check_names,
    read_extras,
    split_options,
)
from typesig.providers.projection.tool_projection import ProjectedTool, project_tool
from typesig.providers.registry.codecs import write_json
from typesig.providers.registry.provider import LimitName, ProviderName, make_legal_names
from typesig.providers.registry.vendor import Profile, Vendor
from typesig.providers.vendors.registry import find_vendor
from typesig.validation.issues.ledger import Ledger
from typesig.validation.outcome.outcome_markup import list_visible_warnings
from typesig.validation.policy import ModeName, Policy

if TYPE_CHECKING:
    from typesig.calls.arguments import Given
    from typesig.governance.governance import Governance
    from typesig.governance.turn import Turn
    from typesig.providers.projection.call_handler import OnException, PageChoice
    from typesig.providers.projection.replies import HostItems

#: Returns a tool by its legal name, or why it has no definition, and what is wrong with it.  The
#: mode is that of its toolset.
ToolProjector: TypeAlias = Callable[
    [ToolLike, str, ModeName | Policy | None], tuple[ProjectedTool | str, list[LimitFinding]]
]


#: Returns the messages that answer an answer of a model, None if it is left to `handle`.
Answer: TypeAlias = Callable[[object], list[dict[str, Any]] | None]
AwaitedAnswer: TypeAlias = Callable[[object], Awaitable[list[dict[str, Any]] | None]]


class Projection:
    """The tools of a toolset in the form that a provider takes.

    #: provider: the name of the provider; profile: what it takes
    #: definitions: the definitions, in the order of the tools; losses: what they do not say
    #: tools: the tools that have a definition, by their names in it
    #: toolset: all the tools, whose modes hold for calls
    #: extras: what definitions have beside their schemas, and the vendor's own tools

    >>> from typesig import tools_of
    >>> def double(n: int) -> int:
    ...     return 2 * n
    >>> tools_of([double]).project("gemini").definitions[0]["name"]
    'double'
    """

    __slots__ = (
        "_answer", "_awaited_answer", "_findings", "definitions", "extras", "losses", "profile",
        "provider", "tools", "toolset",
    )  # fmt: skip
    _has_fast_answers: ClassVar[bool] = True
    provider: ProviderName
    profile: Profile
    # Dicts; with Any, the clients of vendors take them.
    definitions: tuple[Any, ...]
    losses: tuple[Loss, ...]
    tools: Mapping[str, ProjectedTool]
    toolset: ToolsByName
    extras: Extras
    _findings: tuple[LimitFinding, ...]
    _answer: Answer | None
    _awaited_answer: AwaitedAnswer | None

    def __init__(
        self,
        toolset: ToolsByName,
        profile: Profile,
        extras: Extras = NO_EXTRAS,
        attempt: ToolProjector | None = None,
    ) -> None:
        attempt = attempt or partial(_try_projecting, find_vendor(profile.provider), profile)
        names = make_legal_names(toolset.names, profile.tool_names)
        tools: dict[str, ProjectedTool] = {}
        losses: list[Loss] = []
        findings: list[LimitFinding] = []
        for one in toolset:
            made, found = attempt(one, names[one.name], toolset.modes.get(one.name))
            findings += found
            if isinstance(made, str):
                losses.append(Loss("refused", (one.name,), "the tool", made, "no definition"))
                continue
            made = extras.add_to(made, profile)
            tools[made.name] = made
            losses += made.losses
        check_names(extras, tools)
        parts = {
            "provider": profile.provider,
            "profile": profile,
            "definitions": extras.arrange(tools.values()),
            "extras": extras,
            "losses": tuple(losses),
            "tools": MappingProxyType(tools),
            "toolset": toolset,
            "_findings": tuple(findings),
            "_answer": None,
            "_awaited_answer": None,
        }
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a projection cannot be changed: make another one")

    def __reduce__(self) -> tuple[Any, ...]:
        # Codecs of unions have closures, which cannot be pickled: the projection is made again.
        return Projection, (self.toolset, self.profile, self.extras)

    def __repr__(self) -> str:
        names = [*islice(self.tools, MAX_SHOWN_TOOLS)]
        names += ["…"] if len(self.tools) > len(names) else []
        return f"<projection for {self.profile.title}: {', '.join(names)}>"

    def __rich_repr__(self) -> Iterator[Any]:
        yield self.profile.title
        yield "tools", [*islice(self.tools, MAX_SHOWN_TOOLS)]
        yield "losses", list_visible_warnings(self.losses), []
        yield "findings", list_visible_warnings(self.check()), []

    def _repr_html_(self) -> str:
        """HTML of the tools, losses and findings, for notebooks."""
        from typesig.markup import make_element, make_fold, make_list, make_table

        lost = Counts(loss.path[:1] for loss in self.losses)
        rows = [
            (name, one.tool.name, str(lost[(one.tool.name,)])) for name, one in self.tools.items()
        ]
        tools = make_table(("definition", "tool", "losses"), rows, MAX_SHOWN_TOOLS)
        told = ""
        for kind in dict.fromkeys(loss.kind for loss in self.losses):
            same = [loss for loss in self.losses if loss.kind == kind]
            told += make_fold(f"Losses, {kind}: {len(same)}", list_visible_warnings(same))
        told += make_list("Findings:", list_visible_warnings(self.check()))
        return f"<div>{make_element('p', self.profile.title)}{tools}{told}</div>"

    def check(self, counter: Counter | None = None) -> tuple[LimitFinding, ...]:
        """Find exceeded limits and omitted tools, and give advice.

        *counter* returns the number of tokens of a text; without it, the advice on single tools
        uses an estimate. Raises `TypesigError` if *counter* returns anything else.
        """
        limits = self.profile.limits
        counts: dict[str, Mapping[LimitName, int]] = {}
        for made in self.tools.values():
            counts[made.tool.name] = made.counts
            if counter is not None:
                tokens = budgets.count_tokens(made.definition, counter)
                counts[made.tool.name] = {**made.counts, "tokens": tokens}
        for each in self.extras.server_tools:
            counts[str(each.get("name", each.get("type")))] = _count_server_tool(each, counter)
        # Not what the vendor runs.
        shown = {made.tool.name: len(str(made.tool.signature)) for made in self.tools.values()}
        large = budgets.find_large_tools({name: counts[name] for name in shown}, shown)
        found = (*self._findings, *budgets.check_request_limits(counts, limits), *large)
        return (*found, *self._find_unsearchable())

    def _find_unsearchable(self) -> list[LimitFinding]:
        """Find deferred tools that no model sees, since no search tool exists."""
        each_one = [*(made.definition for made in self.tools.values()), *self.extras.server_tools]
        waiting = [each for each in each_one if each.get("defer_loading") is True]
        if self.provider == "openai":
            has_search = any(each.get("type") == "tool_search" for each in self.definitions)
            most, which = 0, f"{len(waiting)} of the tools wait"
            remedy = 'add {"type": "tool_search"} to server_tools'
        else:
            # A tool of ours may search, as long as it is not deferred itself.
            has_search = len(waiting) < len(each_one)
            most, which = len(waiting) - 1, "every tool waits"
            remedy = "add one to server_tools"
        if not waiting or has_search:
            return []
        name = next(iter(self.extras.deferred), "")
        text = f"defer_loading: {which} for a search; {remedy}"
        return [LimitFinding(name, "defer_loading", len(waiting), most, text)]

    def handle(
        self,
        message: object,
        *,
        given: Given | None = None,
        on_exception: OnException | None = None,
        ledger: Ledger | None = None,
        pages: PageChoice | None = None,
        governance: Governance | None = None,
        host_items: HostItems | None = None,
    ) -> list[Any]:
        """Run the calls in a model's answer and return the provider's reply messages.

        *message* is the response of the provider's client, a part of it, a stream, or a list of
        events, as objects or plain dicts. *given* supplies injected and firewalled parameters by
        name to all tools: a dict, or a function that returns a dict for each call and may take the
        call. Every call gets an answer, even an invalid one. An exception raised by a tool
        propagates after the other calls have ended, unless *on_exception*, a function of the
        exception and the call, returns a text for the model. *ledger* counts repairs and refusals.
        *pages* splits long results; see `Toolset.pages`. *governance* limits the calls. If it needs
        a person's approval, `handle` raises `Paused`; pass the decision as *message* later. A
        response may contain other items that need an answer, such as a shell command. *host_items*
        maps their types to functions that take the item and return its answer, or to None to ignore
        them. Raises `TypesigError`, before any tool runs, if *message* is not a response of the
        provider or is an unfinished response without calls, if a stream was truncated, if *given*
        or *host_items* lacks an entry, or if a tool is a coroutine function.
        """
        is_bare = given is None and on_exception is None and ledger is None and pages is None
        if is_bare and host_items is None and governance is None and self._has_fast_answers:
            answered = (self._answer or self._make_fast_answers("answer"))(message)
            if answered is not None:
                return answered
        host = given, on_exception, ledger, pages, host_items
        return run_blocking(self._handle(BLOCKING, message, governance, host))

    def _make_fast_answers(self, name: Literal["answer", "aanswer"]) -> Any:
        """Build and store the fast path of `handle` or `ahandle`, which returns None to decline."""
        from typesig.providers.projection.call_handler import FastAnswers

        is_awaited = name == "aanswer"
        answer = getattr(FastAnswers(self, is_awaited), name)
        object.__setattr__(self, "_awaited_answer" if is_awaited else "_answer", answer)
        return answer

    async def ahandle(
        self,
        message: object,
        *,
        given: Given | None = None,
        on_exception: OnException | None = None,
        ledger: Ledger | None = None,
        pages: PageChoice | None = None,
        governance: Governance | None = None,
        host_items: HostItems | None = None,
    ) -> list[Any]:
        """Like `handle`, for coroutine functions too; the calls run concurrently.

        Plain functions run in threads. Cancelling the task cancels the calls; the task ends when
        all calls have ended.
        """
        is_bare = given is None and on_exception is None and ledger is None and pages is None
        if is_bare and host_items is None and governance is None and self._has_fast_answers:
            answered = await (self._awaited_answer or self._make_fast_answers("aanswer"))(message)
            if answered is not None:
                return answered
        host = given, on_exception, ledger, pages, host_items
        return await self._handle(AWAITING, message, governance, host)

    async def _handle(
        self,
        waiting: WaitMode,
        message: object,
        governance: Governance | None,
        given: tuple[Any, ...],
        turn: Turn | None = None,
    ) -> list[Any]:
        """Run the calls in *message*, under *governance* if it is not None; return the replies.

        *given* are `HostOptions`; *turn* is that of what the calls are a part of.
        """
        from typesig.providers.projection import call_handler

        host = call_handler.HostOptions(*given)
        if governance is None:
            return await call_handler.handle_message(self, waiting, message, host)
        from typesig.providers.projection import governed_calls

        return await governed_calls.handle_message(self, waiting, message, governance, host, turn)

    def assembled(self, events: object) -> dict[str, Any]:
        """Build the full answer, as plain data, from *events*, a stream or a list.

        Append it to the conversation, which needs the model's turn as a message. Raises
        `TypesigError` if the stream was truncated or is from another provider.

        >>> from typesig import tools_of
        >>> started = {"type": "message_start", "message": {"role": "assistant", "content": []}}
        >>> ended = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
        >>> tools_of([]).project("anthropic").assembled([started, ended])
        {'role': 'assistant', 'content': [], 'stop_reason': 'end_turn'}
        """
        from typesig.providers.projection import messages

        return messages.build_answer(find_vendor(self.provider), events)


def project(toolset: ToolsByName, provider: str, options: Mapping[str, Any]) -> Projection:
    """Project *toolset* for *provider* with *options*."""
    chosen, more = split_options(options)
    profile = find_vendor(provider).profile_of(chosen)
    return Projection(toolset, profile, read_extras(profile, more, toolset.names))


def _count_server_tool(definition: Any, counter: Counter | None) -> dict[LimitName, int]:
    """Count the limited parts of *definition*, of a tool that the vendor runs."""
    counts: dict[LimitName, int] = {"bytes": len(write_json(definition).encode())}
    if counter is not None:
        counts["tokens"] = budgets.count_tokens(definition, counter)
    return counts


def make_left_out_finding(one: ToolLike, why: str) -> LimitFinding:
    """Make the finding that the tool *one* is left out for the reason *why*."""
    return LimitFinding(
        one.name, "refused", 0, 0, f"{one.name}: {why}; the tool is left out", True, why
    )


def _try_projecting(
    vendor: Vendor, profile: Profile, one: ToolLike, name: str, mode: ModeName | Policy | None
) -> tuple[ProjectedTool | str, list[LimitFinding]]:
    """Project the tool *one* as *name*; also return findings about limits and failure.

    *mode* is that of the toolset.
    """
    try:
        made = project_tool(vendor, profile, one, name, mode)
    except (TypesigError, RecursionError) as error:
        why = "its types nest too deep" if isinstance(error, RecursionError) else str(error)
        found = make_left_out_finding(one, why)
        return str(found), [found]
    excess = budgets.check_tool_limits(one.name, made.get_count, profile.limits, vendor.refusing)
    if beyond := [str(each) for each in excess if each.is_left_out]:
        return "; ".join(beyond), excess
    if profile.advice:
        excess += budgets.check_advice(one.name, profile.advice, made.arguments, made.names)
    return made, excess
