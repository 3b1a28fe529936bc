"""From a model's answer to the messages that go back to it: its calls are run, and answered.

Every call gets an answer, since providers refuse a conversation in which one lacks it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import isawaitable, iscoroutine
from typing import Any, Protocol, TypeAlias

from typesig.calls.functions import outside_of
from typesig.calls.given import Given, Giver
from typesig.calls.results import ToolResult
from typesig.calls.unknown import find_name, report_name, unknown_tool
from typesig.calls.waiting import AWAITING, BLOCKING, Waiting, at_once
from typesig.errors import TypesigError
from typesig.limits import MAX_CALLS
from typesig.notations.texts.quoting import encodable, encodable_data
from typesig.providers.generated.usual_answers import usual_reader
from typesig.providers.projection.host_items import (
    HostItems,
    answer_item,
    check_host_items,
    keep_answerable,
)
from typesig.providers.projection.messages import arrived, calls_in
from typesig.providers.projection.projected import Projected
from typesig.providers.projection.refusals import format_forbidden, format_stopped, is_allowed
from typesig.providers.projection.shown import SHOWN, is_data_alone
from typesig.providers.rows.answers import CallFormat
from typesig.providers.rows.calls import (
    Reply,
    WireCall,
    caller_of,
    is_of_program,
)
from typesig.providers.rows.items import is_for_host
from typesig.providers.rows.provider import ProviderName
from typesig.providers.vendors.vendors import vendor_of
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.issues.near import Search
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.outcome import Outcome, worded
from typesig.validation.outcome.passed import ValidOutcome
from typesig.validation.outcome.within import Shown

#: What becomes of an exception that a tool raised: the text that the model reads instead of a
#: result, or an awaitable of it for `ahandle`.  What it raises itself passes.
OnException: TypeAlias = Callable[[Exception, WireCall], str | Awaitable[str]]


class Paging(Protocol):
    """What shows results in parts; see `Toolset.pages`."""

    def shown(self, outcome: Outcome[Any], /) -> Shown:
        """Return the text of *outcome*."""
        ...


class Handling(Protocol):
    """A projection, as far as its calls need it."""

    @property
    def provider(self) -> ProviderName:
        """The provider that spells the calls."""
        ...

    @property
    def tools(self) -> Mapping[str, Projected]:
        """The tools by the names that calls have."""
        ...


def handle(
    projection: Handling,
    message: object,
    given: Given | None = None,
    on_exception: OnException | None = None,
    ledger: Ledger | None = None,
    pages: Paging | None = None,
    host_items: HostItems | None = None,
) -> list[dict[str, Any]]:
    """Return the messages that answer the calls in *message*; see `Projection.handle`."""
    host = given, on_exception, ledger, pages, host_items
    return at_once(handled(projection, BLOCKING, message, *host))


#: Returns the messages that answer an answer of a model, None if it is left to `handle`.
Answer: TypeAlias = Callable[[object], "list[dict[str, Any]] | None"]


def answering(projection: Handling) -> Answer:
    """Return what answers answers of the usual form, whose calls need nothing but arguments."""
    form, tools = vendor_of(projection.provider).calls, projection.tools
    read, write = usual_reader(form.answers), form.write
    show = None if form.takes_texts and form.takes_data else SHOWN[form.takes_texts]
    ready: dict[str, tuple[Projected, Callable[[object], Any]]] = {}

    def is_ready(name: str) -> bool:
        one = tools.get(name)
        if one is None or one.needs or one.is_async:
            return False
        ready[name] = one, one.called._showing(one.mode, show)
        return True

    def answered(message: object) -> list[dict[str, Any]] | None:
        calls = read(message)
        if calls is None or len(calls) > MAX_CALLS:
            return None
        for call in calls:
            if call.name not in ready and not is_ready(call.name):
                return None
        done: list[Reply] = []
        raised: list[BaseException] = []
        for call in calls:
            one, shown = ready[call.name]
            try:
                made = shown(call.arguments)
                if type(made) is str:
                    done.append(_reply(Reply, (call, made, False, None, False, (), None, (), "")))
                else:
                    done.append(_reply_with(form, call, one, made))
            except Exception as error:
                # Kept, so that the other calls run, too.
                raised.append(_noted(error, call))
        if raised:
            raise _raised(raised)
        return write(done)

    return answered


def _reply_with(form: CallFormat, call: WireCall, one: Projected, made: Any) -> Reply:
    """Return the reply to *call* with the data in the tuple *made*, or the outcome *made*."""
    if type(made) is tuple:
        data = made[0]["items"] if one.result.is_list else made[0]
        return _reply(Reply, (call, "", False, one.result.encode(data), False, (), None, (), ""))
    if type(made) is not ValidOutcome:
        # The words of one that passed are only those of its warnings.
        worded(made, JSON_SCHEMA)
    return reply_of(form, call, one, made)


async def handled(
    projection: Handling,
    waiting: Waiting,
    message: object,
    given: Given | None = None,
    on_exception: OnException | None = None,
    ledger: Ledger | None = None,
    pages: Paging | None = None,
    host_items: HostItems | None = None,
) -> list[dict[str, Any]]:
    """Return the same as `handle`; a *waiting* that awaits runs the calls at once."""
    events = await arrived(message, waiting)
    replying = Replying(projection, waiting, events, given, on_exception, ledger, pages, host_items)
    replying.check_way()
    return replying.messages(await waiting.all(map(replying.reply, replying.calls)))


async def areply(
    projection: Handling,
    call: WireCall,
    *,
    given: Given | None = None,
    on_exception: OnException | None = None,
    ledger: Ledger | None = None,
) -> dict[str, Any]:
    """Return the message that answers *call*, which runs in this task and not in one of its own."""
    replying = Replying(projection, AWAITING, call, given, on_exception, ledger)
    [message] = replying.messages([await replying.reply(call)])
    return message


class Replying:
    """The calls of one answer of a model, and how each gets its reply.

    #: waiting: how the calls are waited for
    """

    def __init__(
        self,
        projection: Handling,
        waiting: Waiting,
        message: object,
        given: Given | None,
        on_exception: OnException | None,
        ledger: Ledger | None,
        pages: Paging | None = None,
        host_items: HostItems | None = None,
    ) -> None:
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
        vendor = vendor_of(projection.provider)
        self._format = vendor.calls
        self.waiting = waiting
        self._giving = given if callable(given) else None
        self.given: Mapping[str, Any] = {} if given is None or callable(given) else given
        self._on_exception = on_exception
        self.ledger = ledger
        if pages is not None and projection.provider == "mcp":
            raise TypesigError(
                "results of MCP have structured data, which is not shown in parts; leave out pages"
            )
        self._pages = pages
        self.calls = found = calls_in(vendor, message)
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
        self._search: Search | None = None
        self._check_given()

    def _check_given(self) -> None:
        """Raise `TypesigError` if a tool lacks what its host gives, before any tool has run."""
        for each in self._called:
            if not each.needs:
                continue
            self.given = outside_of(each.tool.binding, self.given)
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

    def check_way(self) -> None:
        """Raise `TypesigError` if a call has to be awaited and is not, before any has run."""
        for each in () if self.waiting.awaits else self._called:
            if each.is_async:
                raise TypesigError(
                    f"{each.tool.name} is a coroutine function: write await ….ahandle(…)"
                )

    async def reply(self, call: WireCall) -> Reply:
        """Return the reply to *call*; what `on_exception` does not take passes."""
        if is_for_host(call):
            return await answer_item(call, self._host_items, self.waiting)
        one = self.tool_of(call)
        if isinstance(one, Reply):
            return one
        try:
            return self.reply_of(call, one, await self.outcome(call, one))
        except Exception as error:
            return await self.excused(call, error)

    async def outcome(self, call: WireCall, one: Projected) -> Outcome[Any]:
        """Return the outcome of *call* of the tool *one*, with what the host gives to it."""
        given = self.given
        if self._giving is not None and one.needs:
            giver, awaits = self._giver(one), self.waiting.awaits
            own = await giver.avalues(call) if awaits else giver.values(call)
            given = {**given, **own}
        if self.waiting.awaits:
            made = await one.acall(call.arguments, given=given, ledger=self.ledger)
        else:
            made = one.call(call.arguments, given=given, ledger=self.ledger)
        if call.name == one.name:
            return made
        return report_name(made, call.name, one.called, one.mode, self.ledger, one.name)

    def _giver(self, one: Projected) -> Giver:
        needed = {name: free or name in self.given for name, free in one.needs.items()}
        return Giver(one.tool.name, needed, self._giving)

    def reply_of(self, call: WireCall, one: Projected, outcome: Outcome[Any]) -> Reply:
        """Return the reply to *call* of the tool *one*, which has this *outcome*."""
        if outcome.ok and is_of_program(call):
            return self._reply_to_program(call, one, outcome)
        if self._pages is not None and outcome.ok:
            shown = self._pages.shown(outcome)
            return Reply(call, shown.text, False, {"output": shown.text}, media=outcome.media)
        return reply_of(self._format, call, one, outcome)

    def _reply_to_program(self, call: WireCall, one: Projected, outcome: Outcome[Any]) -> Reply:
        """Return the reply to *call* of a program, which reads all of the result as plain data."""
        text = outcome._text()
        # Where a schema tells what the text has, it is always JSON.
        if text.startswith('"') and "output_schema" not in one.definition:
            text = encodable(outcome.for_model())
        return Reply(call, text, False)

    def tool_of(self, call: WireCall) -> Projected | Reply:
        """Return the tool that *call* names, or the reply that it must not run."""
        name = self._names[call.name] if call.stop is None else None
        one = None if name is None else self._tools[name]
        if one is None or (call.extra and not is_allowed(one, call)):
            return self._not_run(call, one)
        return one

    def _not_run(self, call: WireCall, one: Projected | None) -> Reply:
        """Return the reply to *call*, which was stopped, names no tool, or may not call *one*."""
        if call.stop is not None:
            message = format_stopped(call.stop, call.arguments)
        elif one is not None:
            message = format_forbidden(call.name, caller_of(call))
        else:
            self._search = self._search or Search()
            message = unknown_tool(call.name, self._tools.keys(), self._search)
        issue = Issue("call", (), "", message)
        # The name is a model's, and may be anything.
        note_in(self.ledger, [issue], (), None)
        outcome: Outcome[Any] = Outcome(stage="input", errors=[issue])
        return Reply(call, encodable(outcome.feedback()), True)

    async def excused(self, call: WireCall, raised: Exception) -> Reply:
        """Return the reply with what `on_exception` returns for *raised*, which passes without."""
        error = self.waiting.raised(raised)
        if self._on_exception is None:
            raise _noted(error, call)
        told: Any = self._on_exception(error, call)
        if self.waiting.awaits and isawaitable(told):
            told = await told
        if isinstance(told, str):
            return Reply(call, encodable(told), True)
        if iscoroutine(told):
            told.close()
            raise TypesigError("on_exception is a coroutine function: write await ….ahandle(…)")
        raise TypesigError(
            f"on_exception returns the text that the model reads, or raises, not "
            f"{type(told).__name__}"
        ) from error

    def messages(self, done: Sequence[Reply | BaseException]) -> list[dict[str, Any]]:
        """Return the provider's messages; raise what calls raised, when all of them have ended."""
        replies = [each for each in done if isinstance(each, Reply)]
        if len(replies) < len(done):
            raise _raised([each for each in done if isinstance(each, BaseException)])
        return self._format.write(replies)


def reply_of(form: CallFormat, call: WireCall, one: Projected, outcome: Outcome[Any]) -> Reply:
    """Return the reply to *call* of the tool *one*, which has this *outcome*."""
    is_passed = type(outcome) is ValidOutcome
    if not (is_passed or outcome.ok):
        return Reply(call, encodable(one.feedback(call.arguments, outcome)), True)
    # A whole result without any warning is the usual case.
    notice = encodable(outcome.notice) if outcome._told is not None else ""
    if is_passed and not form.takes_texts and not notice:
        data = one.encode(outcome)
        if is_data_alone(data):
            return _reply(Reply, (call, "", False, data, False, (), None, (), ""))
    text = outcome._text()
    if text[0] == '"':
        # A text is sent as it is, without quotes.
        text = encodable(outcome.for_model())
    data, typed = None, False
    if form.takes_data:
        data, typed = one.encode(outcome), one.result.schema is not None
        if one.result.is_whole or "\\ud" in text:
            # The text does not have all of a whole result.
            data = encodable_data(data)
    if is_passed and not notice:
        # It has no media, as most have.
        return _reply(Reply, (call, text, False, data, typed, (), None, (), ""))
    result: object = outcome.result
    if isinstance(result, ToolResult):
        held = result.content, result.meta, result.media()
        return Reply(call, text, False, data, typed, *held, notice)
    return Reply(call, text, False, data, typed, media=outcome.media, notice=notice)


def _use_defined_name(call: WireCall, tools: Mapping[str, Projected]) -> WireCall:
    """Return *call* with the name that its tool has in definitions if it has a namespace."""
    if "namespace" not in call.extra:
        return call
    found = [name for name, one in tools.items() if one.tool.name == call.name]
    return call._replace(name=found[0]) if found else call


def _noted(error: Exception, call: WireCall) -> Exception:
    """Return *error*, which tells the call that raised it."""
    named = f" (call {call.id})" if call.id else ""
    error.add_note(f"raised by the tool {call.name}{named}; the other calls have ended")
    return error


def _raised(errors: list[BaseException]) -> BaseException:
    """Return what is raised for *errors*, of which there is one at least."""
    if len(errors) == 1:
        return errors[0]
    return BaseExceptionGroup(f"{len(errors)} calls of tools raised", errors)


#: Makes a reply of all its parts, in half of the time that its class takes.
_reply: Callable[..., Reply] = tuple.__new__
