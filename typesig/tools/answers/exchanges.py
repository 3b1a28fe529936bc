"""One exchange with a client: its requests, and the handling of its answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from typesig.calls.protocols import AnswerContract
from typesig.calls.running import WaitMode
from typesig.errors import TypesigError, format_value
from typesig.governance.pending import Paused, PendingCalls
from typesig.governance.timing import Usage
from typesig.limits.calls import MAX_ROUNDS
from typesig.providers.dialogues.clients import Client, get_method, recognise_client
from typesig.providers.dialogues.dialogue import WAYS, StopReason, Turn, Way
from typesig.providers.dialogues.openai_requests import CHAT
from typesig.providers.projection.answers import AnswerProjection, project_answer
from typesig.providers.registry.calls import Reply, WireCall
from typesig.providers.registry.vendor import SentTool
from typesig.providers.vendors.registry import find_vendor
from typesig.sentinels import NOTHING
from typesig.tools.answers.conversation import (
    Answer,
    AskState,
    Promptable,
    check_attempts,
    check_decided,
)
from typesig.tools.answers.request_guard import ASKING, NAME, EndReason, RequestGuard
from typesig.tools.answers.request_options import (
    ENGINES,
    Escalation,
    HostValues,
    ServerName,
    check_escalation,
    force_tool,
    make_projection,
    write_body,
)
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import note_in
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.calls.binding import SentForm
    from typesig.governance.governance import Governance
    from typesig.governance.spans import AskSpan
    from typesig.providers.engines.engine import Constraint
    from typesig.providers.projection.projection import Projection
    from typesig.providers.registry.provider import DecoderName
    from typesig.tools.streams.stream import Stream
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.policy import ModeName, Policy

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: How many times a turn is sent back to go on: an answer of many searches takes several.
_MOST_PAUSES = 20


class AskableContract(AnswerContract[T_co], Promptable[T_co], Protocol[T_co]):
    """Protocol of a contract, as an ask by a client needs it."""

    def project(self, target: DecoderName, /) -> Constraint[Any]:
        """Write the grammar of the answer for an engine."""
        ...

    def stream(self) -> Stream[Any]:
        """Build the stream that reads an answer from text pieces."""
        ...

    def _stream_as(
        self,
        chunks: Any,
        form: SentForm | None,
        mode: ModeName | Policy | None,
        finish: Callable[[str], Outcome[Any]],
    ) -> Stream[Any]:
        """Build the stream of an answer that is sent in the provider's *form*."""
        ...


class AskTerms(NamedTuple):
    """Options of an ask; see `Contract.ask`.

    #: host: what calls of tools get; request: further arguments of the client's method
    """

    model: str
    attempts: int
    mode: ModeName | Policy | None
    ledger: Ledger | None
    governance: Governance | None
    pending: PendingCalls | None
    provider: str | None = None
    api: str | None = None
    way: Way = "format"
    tokens: int | None = None
    more_tokens: int | None = None
    escalate: bool | ServerName = False
    tools: object = None
    host: HostValues = HostValues()
    request: Mapping[str, Any] = NOTHING


class Exchange(AskState[T]):
    """State of an ask by a client: the messages, the tool calls and the last outcome."""

    def __init__(
        self,
        contract: AskableContract[T],
        client: object,
        prompt: object,
        terms: AskTerms,
        waiting: WaitMode,
    ) -> None:
        _check(terms)
        self._contract, self.terms = contract, terms
        self._client = recognise_client(client, terms.provider, terms.api, waiting.awaits)
        provider, self._dialogue = self._client.provider, self._client.dialogue
        self._way = terms.way
        is_held = terms.escalate is True and terms.way != "text"
        self._escalation = Escalation(is_held) if terms.escalate else None
        if isinstance(terms.escalate, str) and self._dialogue.method != CHAT.method:
            raise TypesigError(
                f"escalate={terms.escalate!r} is for clients with {'.'.join(CHAT.method)}"
            )
        guard = RequestGuard(terms.governance, terms.ledger, waiting, provider, terms.model)
        super().__init__(guard, terms.attempts)
        options = {} if terms.api is None else {"api": terms.api}
        self.projection: AnswerProjection[T] | None = None
        if terms.way != "text":
            self.projection = project_answer(contract, provider, options)
            self._losses = self.projection.losses
        self._tools, self._request = self._make_tooling(options), dict(terms.request)
        self._offer()
        # The calls of the last answer, and how many answers had some.
        self._calls: Sequence[WireCall] | PendingCalls = []
        self._rounds = 0
        # The last answer, and what the feedback on the one before told.
        self._sent: object = None
        self._told_before: Outcome[Any] | None = None
        self._pauses = 0
        # Why nothing more is asked: a forced call that repeats itself.
        self._stopped: EndReason | None = None
        # Why the last answer is none, and whether it is asked again with more tokens.
        self._ending: StopReason | None = None
        self._is_longer = False
        self._usage = Usage(0, 0)
        self._spent: Usage | None = None
        resumes = terms.pending is not None
        self.messages = self._resume(prompt) if resumes else self._open(prompt)

    def _make_tooling(self, options: dict[str, Any]) -> Projection | None:
        """Project the tools of the ask for its client; None if the ask has no tools."""
        terms = self.terms
        made = make_projection(terms.tools, self._client.provider, options)
        if made is None:
            if any(terms.host):
                raise TypesigError(
                    "given, on_exception, pages and host_items are for tools: write "
                    "tools=tools_of(…)"
                )
            return None
        if terms.way == "tool" and NAME in made.tools:
            raise TypesigError(f"a tool is called {NAME}, which is how the answer is called")
        return made

    def _offer(self) -> None:
        """Add the definitions of the tools to the arguments of every request."""
        if self._tools is not None:
            offered = self._dialogue.offered(self._request, self._tools.definitions)
            self._request = self._dialogue.held(offered) if self._escalation else offered
        elif self.terms.tools is not None:
            self._request["tools"] = self.terms.tools

    @property
    def client(self) -> Client:
        """The provider's client, with the way in which it is called."""
        return self._client

    def check_way(self) -> None:
        """Raise `TypesigError` for an asynchronous client or tool in a synchronous ask."""
        if self.guard.turn.waiting.awaits:
            return
        if self._client.is_async:
            raise TypesigError("this client is asynchronous: write await contract.aask(…)")
        tools = {} if self._tools is None else self._tools.tools
        if late := [name for name, one in tools.items() if one.tool.is_async]:
            raise TypesigError(
                f"{', '.join(late)} cannot be called without await: write await contract.aask(…)"
            )

    def _resume(self, prompt: object) -> list[Any]:
        """Return the messages *prompt* of a paused conversation; take over its calls."""
        pending = check_decided(self.terms.pending)
        if isinstance(prompt, str | Mapping) or not isinstance(prompt, Iterable):
            raise TypesigError("prompt is the messages of the Paused that pending is from")
        if pending.provider == ASKING:
            self._attempts = self.guard.resume(pending) - 1
        elif self._tools is None:
            raise TypesigError("the pending calls are of tools: write tools=tools_of(…)")
        else:
            self._calls = pending
        return list(prompt)

    def _open(self, prompt: object) -> list[Any]:
        """Build the first messages: *prompt*, followed by the request for the answer."""
        text = self._request_text()
        if isinstance(prompt, str):
            words = "\n\n".join([each for each in (prompt, text) if each])
            return [self._dialogue.opening(words or self._contract.prompt())]
        if isinstance(prompt, Mapping) or not isinstance(prompt, Iterable):
            raise TypesigError(
                f"prompt is a str or a list of messages, not {type(prompt).__name__}"
            )
        messages = list(prompt)
        if text or not messages:
            messages.append(self._dialogue.opening(text or self._contract.prompt()))
        return messages

    def _request_text(self) -> str:
        """Write the text that asks for the answer, empty if the schema is sent."""
        made = self.projection
        if made is None:
            return self._contract.prompt()
        if self.terms.way == "tool" or made.schema in _list_values(made.definition):
            return ""
        schema = json.dumps(made.schema, ensure_ascii=False)
        return f"Answer with JSON that fits this JSON Schema: {schema}"

    def get_method(self, streams: bool) -> Callable[..., Any]:
        """Return the client's method for a request, streamed if *streams*."""
        names = self._dialogue.streaming if streams else self._dialogue.method
        found: Callable[..., Any] | None = get_method(self._client.target, names)
        if found is None:
            raise TypesigError(
                f"the client, {type(self._client.target).__name__}, has no {'.'.join(names)}"
            )
        return found

    def request(self, streams: bool) -> dict[str, Any]:
        """Build the arguments of the client's next call, streamed if *streams*."""
        terms, dialogue, made = self.terms, self._dialogue, self.projection
        request = {**dialogue.required, **self._request}
        if self._escalation is not None and self._escalation.forced and self._tools is not None:
            request = force_tool(
                {**dialogue.required, **terms.request},
                self._tools,
                self._escalation.forced,
                dialogue.forced,
            )
        elif made is not None and self._way == "tool":
            # With other tools, the model calls one of them or this one.
            name = NAME if self._tools is None else None
            request = dialogue.forced(request, self._make_answer_tool(made), name)
        elif made is not None:
            request = dialogue.formatted(request, made.definition)
        if self._is_longer and terms.more_tokens is not None:
            request = dialogue.limited(request, terms.more_tokens)
        streamed = dialogue.streamed if streams else {}
        # The client may keep the list, which grows.
        messages = {dialogue.messages: self.copy_messages()}
        return {"model": terms.model, **messages, **request, **streamed}

    def _make_answer_tool(self, made: AnswerProjection[T]) -> dict[str, Any]:
        """Build the definition of the tool that the model calls to give its answer."""
        tool = SentTool(NAME, None, "Give the answer.", made.schema)
        return find_vendor(self._client.provider).definition_of(made.profile, tool)

    def read_piece(self, event: object) -> str | None:
        """Return the text that the stream's *event* adds to the answer, or None."""
        dialogue = self._dialogue
        return dialogue.arguments(event) if self._way == "tool" else dialogue.piece(event)

    def read(self, answer: object) -> Outcome[T]:
        """Read *answer*, text or the arguments of a call, and return its outcome."""
        reader = self._contract if self.projection is None else self.projection
        return reader.read(answer, self.terms.mode)

    def receive(
        self, response: object, span: AskSpan | None, known: Callable[[], Outcome[T]] | None = None
    ) -> Outcome[T] | None:
        """Return the outcome of the answer in *response*, None if the model has not answered yet.

        Its calls of tools then have to be `run`.  *known* returns the outcome if it has been read.
        """
        turn, calls = self._read_turn(response)
        self._count(turn, span)
        called = [call for call in calls if self._way == "tool" and call.name == NAME]
        others = [call for call in calls if call not in called]
        self._ending = ending = turn.ending
        # Beside calls of tools, which are answered, there is no answer that was cut.
        if ending is not None and not (ending.code == "truncated" and others):
            return self._end(turn, ending)
        self.messages += turn.messages
        if turn.is_paused and self._pauses < _MOST_PAUSES:
            self._pauses += 1
            return None
        if others and self._tools is None and self._way != "tool":
            names = ", ".join(dict.fromkeys([format_value(call.name) for call in others]))
            raise TypesigError(
                f"the model called {names}: without tools=tools_of(…), ask runs none; answer calls "
                "with tools.project(…).handle, and ask for the answer after them"
            )
        if others and self._tools is not None:
            self._calls = [_isolate_call(call) if call in called else call for call in calls]
            self._rounds += 1
            return None
        self._attempts += 1
        self._answered = calls
        self._sent = called[0].arguments if called else turn.text
        outcome = self.read(self._sent) if known is None else known()
        # What stands beside calls of tools is no answer, and is not counted.
        note_in(self.terms.ledger, outcome.errors, outcome.warnings, self._contract.signature)
        return outcome

    def _end(self, turn: Turn, ending: StopReason) -> Outcome[T] | None:
        """Return the outcome of a *turn* that ended abnormally; None to ask again.

        None if an answer that was cut is asked for again with more tokens, which is done once.
        """
        self._attempts += 1
        issue = Issue(ending.code, (), "", format_value(ending.reason))
        note_in(self.terms.ledger, [issue], (), self._contract.signature)
        has_more = self._attempts < self.terms.attempts and not self._is_longer
        if ending.code == "truncated" and self.terms.more_tokens is not None and has_more:
            self._is_longer = True
            return None
        self.messages += turn.messages
        return Outcome(stage="answer", errors=[issue], rejected=turn.text or None)

    def settle(self, outcome: Outcome[T]) -> Answer[T] | None:
        """Return *outcome* as the answer if it fits or was the last; else ask again."""
        if self._ending is not None:
            self._previous = outcome
            return self.make_answer(outcome, f"the answer is no answer: {self._ending.code}")
        return super().settle(outcome)

    def ask_again(self, outcome: Outcome[T], previous: Outcome[T] | None) -> Answer[T] | None:
        """Add the feedback on *outcome*; return the answer if the model repeats a failed one."""
        left, repeated = self._most - self._attempts, None
        if self._escalation is not None:
            repeated = self._escalation.note_answer(self._sent, left)
        self.messages += self._make_feedback_messages(self._feed_back(outcome), self._answered)
        if repeated is not None:
            return self.make_ended_answer(repeated)
        if self._escalation is not None and self._escalation.is_constrained:
            self._constrain()
        return None

    def _constrain(self) -> None:
        """Hold the client to the answer from now on: by its format, or by the server's grammar."""
        terms = self.terms
        if isinstance(terms.escalate, str):
            held = self._contract.project(ENGINES[terms.escalate])
            body, self._losses = write_body(terms.escalate, held), held.losses
            known = self._request.get("extra_body") or {}
            self._request = {**self._request, "extra_body": {**known, **body}}
            self._way, self.projection = "text", None
        elif self._way == "text":
            options = {} if terms.api is None else {"api": terms.api}
            self._way = "format"
            self.projection = project_answer(self._contract, self._client.provider, options)
            self._losses = self.projection.losses

    def _feed_back(self, outcome: Outcome[T]) -> str:
        """Write the feedback on *outcome* in the form that the model answers in."""
        before, made = self._told_before, self.projection
        if made is None:
            self._told_before = outcome
            return outcome.feedback(before)
        text, self._told_before = made._feed_back(self._sent, outcome, self.terms.mode, before)
        return text

    async def run(self) -> None:
        """Run the tool calls of the last answer, and add their results to the messages."""
        calls, self._calls = self._calls, []
        if calls and self._tools is not None:
            if self._escalation is not None and not isinstance(calls, PendingCalls):
                self._stopped = self._escalation.note_calls(self._tools, calls)
            try:
                governance, turn = self.guard.governance, self.guard.turn
                host, ledger = self.terms.host, self.terms.ledger
                given = host.given, host.on_exception, ledger, host.pages, host.host_items
                answering = self._tools._handle(turn.waiting, calls, governance, given, turn)
                self.messages += await answering
            except Paused as paused:
                raise Paused(paused.pending, self.messages) from None

    def _read_turn(self, response: object) -> tuple[Turn, list[WireCall]]:
        """Read the model's turn in *response*, and the tool calls in the turn."""
        dialogue = self._dialogue
        if not dialogue.fits(response):
            raise TypesigError(
                f"the client returned {type(response).__name__}, which is not {dialogue.title}"
            )
        turn = dialogue.turn(response)
        if turn.is_paused:
            return turn, []
        return turn, find_vendor(self._client.provider).calls.read(response)

    def _count(self, turn: Turn, span: AskSpan | None) -> None:
        """Add the token usage of *turn* to the exchange, its guard and *span*."""
        self.guard.spend(turn.usage)
        if span is not None and turn.usage is not None:
            span.spend(turn.usage)
        if turn.usage is not None and self._usage is not None:
            self._usage = self._usage.add(turn.usage)
            return
        self._usage = None
        if self.terms.tokens is not None:
            raise TypesigError("tokens is a budget, but the client does not tell how many it used")

    def find_exhausted_budget(self) -> EndReason | None:
        """Return the reason to stop for an exhausted budget, or None."""
        most, usage = self.terms.tokens, self._usage
        if most is not None and usage is not None and usage.total >= most:
            why = f"{usage.total} tokens were used, of {most}"
            return EndReason("refused", f"the model was not asked on: {why}")
        if self._stopped is not None:
            return self._stopped
        if self._rounds > MAX_ROUNDS:
            why = f"it called tools in more than {MAX_ROUNDS} answers"
            return EndReason("refused", f"the model was not asked on: {why}")
        return self.guard.find_exhausted_budget()

    def _make_feedback_messages(self, feedback: str, calls: list[WireCall]) -> list[Any]:
        """Return the messages with *feedback*; each of *calls* needs a result."""
        if not calls:
            return [self._dialogue.opening(feedback)]
        write = find_vendor(self._client.provider).calls.write
        return write([Reply(call, feedback, True) for call in calls])


def _isolate_call(call: WireCall) -> WireCall:
    """Mark the answer tool's *call*, made beside other calls, as not accepted."""
    told = "the answer has to come alone, when you have the results of the other calls"
    return call._replace(arguments=told, stop="unread")


def _list_values(definition: dict[str, Any]) -> list[Any]:
    """List the values in *definition* and in the objects directly inside it."""
    inner = [each for each in definition.values() if isinstance(each, dict)]
    return [*definition.values(), *[value for each in inner for value in each.values()]]


def _check(terms: AskTerms) -> None:
    """Raise `TypesigError` if an option in *terms* is invalid."""
    check_attempts(terms.attempts)
    check_escalation(terms.escalate)
    if not isinstance(terms.model, str):
        raise TypesigError(f"model is the name of a model, not {format_value(terms.model)}")
    if terms.way not in WAYS:
        raise TypesigError(
            f"there is no way {format_value(terms.way)}; there are {', '.join(WAYS)}"
        )
    for name, most in {"tokens": terms.tokens, "more_tokens": terms.more_tokens}.items():
        if most is not None and (type(most) is not int or most < 1):
            raise TypesigError(f"{name} is an int of at least 1, not {format_value(most)}")
