"""Tools for open models that write calls as text, and the calls read from that text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typesig.calls.arguments import cast_texts
from typesig.calls.call import read_as_sent
from typesig.calls.protocols import ToolsByName
from typesig.calls.running import WaitMode
from typesig.calls.unknown_tools import find_name
from typesig.errors import TypesigError, Unsupported
from typesig.governance.pending import PendingCalls
from typesig.providers.dialect_parsing.detection import (
    find_dialect,
    find_foreign,
    resolve_tool_name,
)
from typesig.providers.dialect_parsing.reader import read_events
from typesig.providers.dialects.call_writer import write_results
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.dialects.lexer import (
    FAULTS_WITHOUT_CALL,
    DialectCall,
    Event,
    Fault,
    Rethought,
    Thought,
    Told,
    explain_fault,
    make_issue,
)
from typesig.providers.dialects.registry import AUTO, get_dialect
from typesig.providers.dialects.tool_listing import write_tools
from typesig.providers.projection import governed_calls, messages
from typesig.providers.projection.projection import Projection
from typesig.providers.registry.calls import WireCall, get_member, has_member, is_several
from typesig.providers.vendors.openai import OPENAI
from typesig.validation.check_state import CheckState
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.policy import get_first_policy

if TYPE_CHECKING:
    from typesig.governance.governance import Governance
    from typesig.governance.turn import Turn

#: Definitions have the form of Chat Completions, which chat templates take; nothing limits them.
_PROFILE = OPENAI.profile_of({})._replace(tool_names=None, limits={}, advice=())


class DialectProjection(Projection):
    """The tools of a toolset for an open model that writes calls in a dialect.

    `handle` takes the text of the model, or its pieces, or a message with it as `content`, and
    returns messages of the role tool; see `render` for the text that a model reads.  A call that is
    not whole, or cannot be read, is answered and not run.

    #: dialect: the dialect
    #: definitions: those that the `tools` of a chat template are

    >>> from typesig import tools_of
    >>> def double(n: int) -> int:
    ...     return 2 * n
    >>> made = tools_of([double]).project(dialect="hermes")
    >>> made.handle('<tool_call>{"name": "double", "arguments": {"n": 2}}</tool_call>')
    [{'role': 'tool', 'name': 'double', 'content': '4'}]
    """

    __slots__ = ("dialect",)
    _has_fast_answers = False
    dialect: Dialect

    def __init__(self, toolset: ToolsByName, dialect: object) -> None:
        row = AUTO if dialect == AUTO.name else get_dialect(dialect)
        super().__init__(toolset, _PROFILE)
        object.__setattr__(self, "dialect", row)

    def __reduce__(self) -> tuple[Any, ...]:
        return DialectProjection, (self.toolset, self.dialect)

    def __repr__(self) -> str:
        return f"<projection for {self.dialect.name}: {', '.join(self.tools)}>"

    def prompt(self) -> str:
        """Write the list of tools for the system turn in the template of the family.

        If nothing is known of it, it is a usual list, with an example of calls.  A model whose
        chat template is at hand is given `definitions` instead.
        """
        return write_tools(self.definitions, self.dialect)

    async def _handle(
        self,
        waiting: WaitMode,
        message: object,
        governance: Governance | None,
        given: tuple[Any, ...],
        turn: Turn | None = None,
    ) -> list[Any]:
        """Run the calls in *message*, or pending calls; return result messages."""
        if isinstance(message, PendingCalls):
            calls = [governed_calls.to_wire_call(call) for call in message.calls]
        else:
            _, _, ledger, *_ = given
            calls = self._read_calls(await messages.receive_message(message, waiting), ledger)
        is_decided = isinstance(message, PendingCalls) and governance is not None
        sent = message if is_decided else calls
        found = await super()._handle(waiting, sent, governance, given, turn)
        return self._write_messages(calls, found)

    def render(self, replies: Sequence[Mapping[str, Any]]) -> str:
        """Write *replies*, the messages of `handle`, as text of the model's template.

        It goes behind the text of the model, which goes on behind it.  A mark in a result, which
        would end it, has a space within.  Raises `Unsupported` if nothing is known of the template.

        >>> from typesig import tools_of
        >>> replies = [{"role": "tool", "name": "double", "content": "4"}]
        >>> tools_of([]).project(dialect="glm-4.7").render(replies)
        '<|observation|><tool_response>4</tool_response><|assistant|>'
        """
        if self.dialect is AUTO:
            raise Unsupported(
                "results are written in the dialect of the model: name it in place of auto, or "
                "pass the messages to its chat template"
            )
        return write_results(replies, self.dialect)

    def assembled(self, events: object) -> dict[str, Any]:
        """Build the assistant message of a chat template from *events*.

        *events* is what `handle` takes.  A text with a call that cannot be read is its content.

        >>> from typesig import tools_of
        >>> tools_of([]).project(dialect="hermes").assembled("<think>Hm.</think>Yes.")
        {'role': 'assistant', 'content': 'Yes.', 'reasoning_content': 'Hm.'}
        """
        whole = _get_text(messages.read_stream(events))
        text, thoughts, calls = "", "", list[dict[str, Any]]()
        row = self._get_dialect(whole)
        for event in self._read_events(whole, row):
            match event:
                case Told():
                    text += event.text
                case Thought():
                    thoughts += event.text
                case Rethought():
                    text, thoughts = "", thoughts + text
                case DialectCall():
                    calls.append(self._make_tool_call(event, len(calls), row))
                case Fault() if event.kind not in FAULTS_WITHOUT_CALL:
                    return {"role": "assistant", "content": whole}
                case _:
                    # Reasoning that does not end, or a mark that closes nothing.
                    pass
        found: dict[str, Any] = {"role": "assistant", "content": text}
        found |= {"reasoning_content": thoughts} if thoughts else {}
        return found | ({"tool_calls": calls} if calls else {})

    def _get_dialect(self, text: str) -> Dialect:
        """Return the projection's dialect, or the dialect detected in *text*."""
        if self.dialect.name != AUTO.name:
            return self.dialect
        return find_dialect(text, self.tools) or self.dialect

    def _read_events(self, text: str, row: Dialect) -> list[Event]:
        """Read *text* in the dialect *row*, and find calls in other dialects."""
        events, visible, is_alone = read_events(text, row), list[str](), True
        for index, event in enumerate(events):
            match event:
                case Told():
                    visible.append(event.text)
                case Rethought():
                    visible = []
                case DialectCall():
                    events[index] = event._replace(
                        name=resolve_tool_name(event.name, row, self.tools)
                    )
                    is_alone = False
                case _:
                    pass
        return [*events, *find_foreign("".join(visible), row, self.tools, is_alone)]

    def _make_tool_call(self, call: DialectCall, index: int, row: Dialect) -> dict[str, Any]:
        """Convert *call* to an entry of an assistant message's `tool_calls`."""
        made = _get_id(call, index, row)
        named = {"id": made} if made else {}
        function = {"name": call.name, "arguments": self._read_arguments(call)}
        return {**named, "type": "function", "function": function}

    def _read_arguments(self, call: DialectCall) -> object:
        """Arguments of *call* as data, repaired and unchecked."""
        sent = self._cast_arguments(call, None)
        name = find_name(call.name, self.tools)
        if name is not None:
            one = self.tools[name]
            policy = get_first_policy(one.mode)
            read = read_as_sent(one.called.binding, sent, policy, CheckState(policy.max_issues))
            return sent if read.error is not None else read.data
        try:
            return read_json(sent) if isinstance(sent, str) else sent
        except BadJson:
            return sent

    def _read_calls(self, message: object, ledger: Ledger | None) -> list[WireCall]:
        """Read calls and broken calls of *message*; other faults go to *ledger*."""
        calls: list[WireCall] = []
        text = _get_text(message, True)
        row = self._get_dialect(text)
        for event in self._read_events(text, row):
            match event:
                case DialectCall():
                    made = _get_id(event, len(calls), row)
                    calls.append(WireCall(made, event.name, self._cast_arguments(event, ledger)))
                case Fault() if event.kind not in FAULTS_WITHOUT_CALL:
                    # What is told in the place of a call has its number.
                    made = _get_id(event, len(calls), row)
                    told = explain_fault(event)
                    calls.append(WireCall(made, event.name, told, stop="unread"))
                case Fault():
                    # There is no call to answer, so that only the host is told.
                    note_in(ledger, [make_issue(event)], (), None)
                case _:
                    pass
        return calls

    def _cast_arguments(self, call: DialectCall, ledger: Ledger | None) -> object:
        """Arguments of *call*, with texts cast to the types of the tool."""
        name = find_name(call.name, self.tools)
        if call.spelt != "texts" or isinstance(call.arguments, str) or name is None:
            return call.arguments
        one = self.tools[name]
        binding = one.called.binding
        texts = {key: str(text) for key, text in call.arguments.items()}
        cast = cast_texts(binding, texts, get_first_policy(one.mode))
        note_in(ledger, (), cast.warnings, binding.signature, binding.name)
        return cast.data

    def _write_messages(
        self, calls: Sequence[WireCall], found: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Write the results *found* of *calls* as messages of the role `tool`."""
        out: list[dict[str, Any]] = []
        for call, each in zip(calls, found, strict=False):
            made = {"role": "tool", "name": call.name, "content": each["content"]}
            out.append(made if call.id is None else {**made, "tool_call_id": call.id})
        # Behind those of the calls, media of the results are in a message of the user.
        return [*out, *map(dict, found[len(calls) :])]


def _get_id(call: DialectCall | Fault, index: int, row: Dialect) -> str | None:
    """Return the id of *call*, an id made from *index* in the format of *row*, or None."""
    if isinstance(call, DialectCall) and call.id is not None:
        return call.id
    return row.ids.format(name=call.name, index=index) or None


def _get_text(message: object, is_whole: bool = False) -> str:
    """Return the text of *message*; raise `TypesigError` if it has none.

    *is_whole* is whether it is no piece of a stream.
    """
    if is_several(message):
        return "".join(map(_get_text, message))  # type: ignore[call-overload]
    if isinstance(message, str):
        return message
    if message is None and is_whole:
        raise TypesigError(
            "the text of the model is None: its calls may be in tool_calls; pass the message"
        )
    if get_member(message, "tool_calls"):
        raise TypesigError(
            "the server has read the calls of the model, which are in tool_calls: answer them with "
            'project("openai")'
        )
    text = get_member(message, "content", "text")
    if isinstance(text, str):
        return text
    if text is None and (message is None or has_member(message, "content")):
        # A piece of a stream, or a message, without text.
        return ""
    raise TypesigError(
        f"a dialect is read from text, its pieces, or a message with it, not "
        f"{type(message).__name__}"
    )
