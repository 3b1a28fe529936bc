"""Runs the calls in a model's answer and writes the messages with the replies.

Every call gets an answer, since providers refuse a conversation in which one lacks it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import isawaitable, iscoroutine
from typing import Any, NamedTuple, Protocol, TypeAlias

from typesig.calls.arguments import Given, InjectedValues
from typesig.calls.functions import add_outside_request
from typesig.calls.protocols import FastCall
from typesig.calls.running import AWAITING, WaitMode
from typesig.calls.unknown_tools import explain_unknown_tool, find_name, report_name
from typesig.errors import TypesigError
from typesig.limits import MAX_CALLS
from typesig.notations.texts.quoting import escape_surrogates
from typesig.providers.projection.call_readers import get_call_reader
from typesig.providers.projection.messages import read_calls, receive_message
from typesig.providers.projection.replies import (
    SHOWN,
    HostItems,
    add_call_note,
    answer_item,
    build_reply,
    check_host_items,
    format_forbidden,
    format_stopped,
    is_allowed,
    keep_answerable,
    make_reply,
    merge_errors,
)
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.providers.registry.answers import is_for_host
from typesig.providers.registry.calls import Reply, WireCall, get_caller, is_from_program
from typesig.providers.registry.provider import ProviderName
from typesig.providers.vendors.registry import find_vendor
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.issues.suggestions import SuggestionSearch
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.constructors import ValidOutcome
from typesig.validation.outcome.outcome import Outcome, apply_words
from typesig.validation.outcome.truncation import ModelText

# --- The fast path of `handle` and `ahandle`: answers of the common form ---


class ProjectionLike(Protocol):
    """The members of a projection that are needed to run calls."""

    @property
    def provider(self) -> ProviderName:
        """The name of the provider in whose format calls are written."""
        ...

    @property
    def tools(self) -> Mapping[str, ProjectedTool]:
        """The projected tools, by the names that models use in calls."""
        ...


class FastAnswers:
    """Answers of one projection that are answered without the generic steps of `CallHandler`.

    *awaits* is whether coroutine functions can be awaited.
    """

    __slots__ = ("_awaits", "_form", "_reader", "_ready", "_show", "_tools")

    def __init__(self, projection: ProjectionLike, awaits: bool) -> None:
        self._awaits = awaits
        self._tools = projection.tools
        self._form = form = find_vendor(projection.provider).calls
        self._reader = get_call_reader(form.answers)
        self._show = None if form.takes_texts and form.takes_data else SHOWN[form.takes_texts]
        self._ready: dict[str, tuple[ProjectedTool, FastCall]] = {}

    def _read_calls(self, message: object) -> list[WireCall] | None:
        """Read the calls in *message*; return None if it is left to `CallHandler`."""
        calls = self._reader.read(message)
        if calls is None or len(calls) > MAX_CALLS:
            return None
        ready = self._ready
        for call in calls:
            if call.name not in ready and not self._prepare_tool(call.name):
                return None
        return calls

    def _prepare_tool(self, name: str) -> bool:
        """Prepare the tool called *name*; return whether calls of it are fast."""
        one = self._tools.get(name)
        if one is None or one.needs or (one.is_async and not self._awaits):
            return False
        fast = one.called._get_fast_call("acall" if self._awaits else "call", one.mode)
        self._ready[name] = one, fast
        return True

    def answer(self, message: object) -> list[dict[str, Any]] | None:
        """Answer *message*, with functions that are not coroutine functions; None if unusual."""
        calls = self._read_calls(message)
        if calls is None:
            return None
        done: list[Reply] = []
        raised: list[BaseException] = []
        for call in calls:
            one, fast = self._ready[call.name]
            try:
                quick = fast.find()
                made = None
                if quick is not None:
                    made = quick.call(fast.function, fast.receiver, call.arguments, self._show)
                if made is None:
                    made = one.called.call(call.arguments, mode=one.mode)
                done.append(self._make_reply(call, one, made))
            except Exception as error:
                # Kept, so that the other calls run, too.
                raised.append(add_call_note(error, call))
        if raised:
            raise merge_errors(raised)
        return self._form.write(done)

    async def aanswer(self, message: object) -> list[dict[str, Any]] | None:
        """Answer *message*, also with coroutine functions; None if unusual."""
        calls = self._read_calls(message)
        if calls is None:
            return None
        if len(calls) == 1:
            # It needs no task of its own.
            return self._form.write([await self._run(calls[0])])
        import asyncio

        # If this task is cancelled, so are those, and it ends when they have.
        done = await asyncio.gather(*map(self._run, calls), return_exceptions=True)
        replies = [each for each in done if not isinstance(each, BaseException)]
        if len(replies) < len(done):
            raise merge_errors([each for each in done if isinstance(each, BaseException)])
        return self._form.write(replies)

    async def _run(self, call: WireCall) -> Reply:
        """Run *call* and return its reply."""
        one, fast = self._ready[call.name]
        try:
            quick = fast.find()
            made = None
            if quick is not None:
                made = await quick.acall(fast.function, fast.receiver, call.arguments, self._show)
            if made is None:
                made = await one.called.acall(call.arguments, mode=one.mode)
            return self._make_reply(call, one, made)
        except Exception as error:
            add_call_note(error, call)
            raise

    def _make_reply(self, call: WireCall, one: ProjectedTool, made: Any) -> Reply:
        """Make the reply to *call* from *made*: text, data in a tuple, or an outcome."""
        if type(made) is str:
            return build_reply(Reply, (call, made, False, None, False, (), None, (), ""))
        if type(made) is tuple:
            data = made[0]["items"] if one.result.is_list else made[0]
            data = one.result.encode(data)
            return build_reply(Reply, (call, "", False, data, False, (), None, (), ""))
        if type(made) is not ValidOutcome:
            # The words of one that passed are only those of its warnings.
            apply_words(made, JSON_SCHEMA)
        return make_reply(self._form, call, one, made)


#: What becomes of an exception that a tool raised: the text that the model reads instead of a
#: result, or an awaitable of it for `ahandle`.  What it raises itself passes.
OnException: TypeAlias = Callable[[Exception, WireCall], str | Awaitable[str]]


class PageChoice(Protocol):
    """A writer of results as pages of text; see `Toolset.pages`."""

    def shown(self, outcome: Outcome[Any], /) -> ModelText:
        """Return the text of *outcome* for the model, with the part that does not fit."""
        ...


class HostOptions(NamedTuple):
    """The optional arguments of `Projection.handle` for the calls; see there."""

    given: Given | None = None
    on_exception: OnException | None = None
    ledger: Ledger | None = None
    pages: PageChoice | None = None
    host_items: HostItems | None = None


async def handle_message(
    projection: ProjectionLike, waiting: WaitMode, message: object, host: HostOptions
) -> list[dict[str, Any]]:
    """Run the calls in *message*, concurrently if *waiting* awaits; return the replies."""
    replying = CallHandler(projection, waiting, await receive_message(message, waiting), host)
    replying.check_awaitable()
    return replying.write_messages(await waiting.run_all(map(replying.run_call, replying.calls)))


async def run_call(projection: ProjectionLike, call: WireCall, host: HostOptions) -> dict[str, Any]:
    """Run *call* in this task, not in a separate one, and return its reply message."""
    replying = CallHandler(projection, AWAITING, call, host)
    [message] = replying.write_messages([await replying.run_call(call)])
    return message


class CallHandler:
    """Runs the calls of one model answer and collects the replies.

    #: waiting: how the calls are waited for
    """

    def __init__(
        self, projection: ProjectionLike, waiting: WaitMode, message: object, host: HostOptions
    ) -> None:
        given, on_exception, self.ledger, self._pages, host_items = host
        if given is not None and not (isinstance(given, Mapping) or callable(given)):
            raise TypesigError(
                f"given is a dict of values by name, not {type(given).__name__}; write "
                'given={"db": db}'
            )
        if on_exception is not None and not callable(on_exception):
            raise TypesigError(
                f"on_exception is a function, not {type(on_exception).__name__}; write "
                "on_exception=lambda error, call: str(error)"
            )
        self._tools = tools = projection.tools
        vendor = find_vendor(projection.provider)
        self._format = vendor.calls
        self.waiting = waiting
        self._giving = given if callable(given) else None
        self.given: Mapping[str, Any] = {} if given is None or callable(given) else given
        self._on_exception = on_exception
        if self._pages is not None and projection.provider == "mcp":
            raise TypesigError(
                "results of MCP have structured data, which is not shown in parts; leave out pages"
            )
        self.calls = found = read_calls(vendor, message)
        if len(found) > MAX_CALLS:
            late = [call._replace(stop="many") for call in found[MAX_CALLS:]]
            self.calls = [*found[:MAX_CALLS], *late]
        self._host_items = check_host_items(host_items)
        self.calls = keep_answerable(self.calls, self._host_items)
        self.calls = [_use_defined_name(call, tools) for call in self.calls]
        # The tools that the calls name, each once.
        self._names = {call.name: find_name(call.name, tools) for call in self.calls}
        names = dict.fromkeys([name for name in self._names.values() if name is not None])
        self._called = [tools[name] for name in names]
        self._search: SuggestionSearch | None = None
        self._check_given()

    def _check_given(self) -> None:
        """Raise `TypesigError` if a tool lacks an injected value, before any runs."""
        for each in self._called:
            if not each.needs:
                continue
            self.given = add_outside_request(each.tool.binding, self.given)
            if self._giving is not None:
                # The function tells for each call.
                continue
            required = [name for name, can_do_without in each.needs.items() if not can_do_without]
            lacking = [name for name in required if name not in self.given]
            if lacking:
                example = ", ".join(f'"{name}": …' for name in lacking)
                raise TypesigError(
                    f"{each.tool.name} needs {', '.join(lacking)} from its host: write "
                    f"handle(…, given={{{example}}})"
                )

    def check_awaitable(self) -> None:
        """Raise `TypesigError` if a called tool is async and the handler cannot await."""
        for each in () if self.waiting.awaits else self._called:
            if each.is_async:
                raise TypesigError(
                    f"{each.tool.name} is a coroutine function: write await ….ahandle(…)"
                )

    async def run_call(self, call: WireCall) -> Reply:
        """Run *call* and return the reply; raise exceptions without a handler."""
        if is_for_host(call):
            return await answer_item(call, self._host_items, self.waiting)
        one = self.find_tool(call)
        if isinstance(one, Reply):
            return one
        try:
            return self.make_reply(call, one, await self.run_tool(call, one))
        except Exception as error:
            return await self.handle_exception(call, error)

    async def run_tool(self, call: WireCall, one: ProjectedTool) -> Outcome[Any]:
        """Run *call* with the tool *one* and its injected values."""
        given = self.given
        if self._giving is not None and one.needs:
            giver, awaits = self._make_injected_values(one), self.waiting.awaits
            own = await giver.avalues(call) if awaits else giver.values(call)
            given = {**given, **own}
        if self.waiting.awaits:
            made = await one.acall(call.arguments, given=given, ledger=self.ledger)
        else:
            made = one.call(call.arguments, given=given, ledger=self.ledger)
        if call.name == one.name:
            return made
        return report_name(made, call.name, one.called, one.mode, self.ledger, one.name)

    def _make_injected_values(self, one: ProjectedTool) -> InjectedValues:
        """Make the injected values for calls of the tool *one*."""
        needed = {name: free or name in self.given for name, free in one.needs.items()}
        return InjectedValues(one.tool.name, needed, self._giving)

    def make_reply(self, call: WireCall, one: ProjectedTool, outcome: Outcome[Any]) -> Reply:
        """Make the reply to *call* of the tool *one* from *outcome*."""
        if outcome.ok and is_from_program(call):
            text = outcome._write_text()
            # Where a schema tells what the text has, it is always JSON.
            if text.startswith('"') and "output_schema" not in one.definition:
                text = escape_surrogates(outcome.for_model())
            return Reply(call, text, False)
        if self._pages is not None and outcome.ok:
            shown = self._pages.shown(outcome)
            return Reply(call, shown.text, False, {"output": shown.text}, media=outcome.media)
        return make_reply(self._format, call, one, outcome)

    def find_tool(self, call: WireCall) -> ProjectedTool | Reply:
        """Find the tool of *call*, or the reply that refuses the call."""
        name = self._names[call.name] if call.stop is None else None
        one = None if name is None else self._tools[name]
        if one is None or (call.extra and not is_allowed(one, call)):
            return self._refuse_call(call, one)
        return one

    def _refuse_call(self, call: WireCall, one: ProjectedTool | None) -> Reply:
        """Make the reply to a stopped, unknown or forbidden *call* of the tool *one*."""
        if call.stop is not None:
            message = format_stopped(call.stop, call.arguments)
        elif one is not None:
            message = format_forbidden(call.name, get_caller(call))
        else:
            self._search = self._search or SuggestionSearch()
            message = explain_unknown_tool(call.name, self._tools.keys(), self._search)
        issue = Issue("call", (), "", message)
        # The name is a model's, and may be anything.
        note_in(self.ledger, [issue], (), None)
        outcome: Outcome[Any] = Outcome(stage="input", errors=[issue])
        return Reply(call, escape_surrogates(outcome.feedback()), True)

    async def handle_exception(self, call: WireCall, raised: Exception) -> Reply:
        """Reply with the text of `on_exception` for *raised*, or raise it."""
        error = self.waiting.unwrap_error(raised)
        if self._on_exception is None:
            raise add_call_note(error, call)
        told: Any = self._on_exception(error, call)
        if self.waiting.awaits and isawaitable(told):
            told = await told
        if isinstance(told, str):
            return Reply(call, escape_surrogates(told), True)
        if iscoroutine(told):
            told.close()
            raise TypesigError("on_exception is a coroutine function: write await ….ahandle(…)")
        raise TypesigError(
            f"on_exception returns the text that the model reads, or raises, not "
            f"{type(told).__name__}"
        ) from error

    def write_messages(self, done: Sequence[Reply | BaseException]) -> list[dict[str, Any]]:
        """Write the replies *done* as messages; raise the exceptions among *done*."""
        replies = [each for each in done if isinstance(each, Reply)]
        if len(replies) < len(done):
            raise merge_errors([each for each in done if isinstance(each, BaseException)])
        return self._format.write(replies)


def _use_defined_name(call: WireCall, tools: Mapping[str, ProjectedTool]) -> WireCall:
    """Rename *call*, which has a namespace, to the defined name of its tool."""
    if "namespace" not in call.extra:
        return call
    found = [name for name, one in tools.items() if one.tool.name == call.name]
    return call._replace(name=found[0]) if found else call
