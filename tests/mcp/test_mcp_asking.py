"""What a tool asks of its client: the person by a form, a model, the folders."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import enum
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Gt, Le, MaxLen, MinLen

pytest.importorskip("mcp")

import mcp
import mcp_types as types
from mcp.server.elicitation import _PRIMITIVE_SCHEMA_ADAPTER

import typesig
from typesig import ToolError, TypesigError, tool
from typesig.mcp import Elicited, Form, Request
from typesig.mcp.serving import call_runner
from typesig.mcp.serving import questions as asking

MODES = ("legacy", "auto")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Booking:
    """Please say when you come.

    Args:
        name: of the guest
    """

    name: Annotated[str, MinLen(2), MaxLen(9)]
    day: datetime.date
    color: Color
    plan: Annotated[Literal["s"], "Small"] | Annotated[Literal["l"], "Large"]
    guests: Annotated[int, Ge(1), Le(5)] = 2
    price: float = 0.5
    early: bool = True
    extras: list[Literal["bed", "dog"]] | None = None
    sizes: set[Annotated[Literal["s"], "Small"] | Annotated[Literal["l"], "Large"]] | None = None
    note: str | None = None


FIELDS = {
    "name": {"type": "string", "minLength": 2, "maxLength": 9, "description": "of the guest"},
    "day": {"type": "string", "format": "date"},
    "color": {"type": "string", "enum": ["red", "blue"]},
    "plan": {
        "type": "string",
        "oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}],
    },
    "guests": {"type": "integer", "minimum": 1, "maximum": 5, "default": 2},
    "price": {"type": "number", "default": 0.5},
    "early": {"type": "boolean", "default": True},
    "extras": {"type": "array", "items": {"type": "string", "enum": ["bed", "dog"]}},
    "sizes": {
        "type": "array",
        "items": {"anyOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]},
    },
    "note": {"type": "string"},
}
FILLED = {"name": "Ann", "day": "2027-01-02", "color": "red", "plan": "l", "guests": "3"}
BOOKED = Booking("Ann", datetime.date(2027, 1, 2), Color.RED, "l", 3)


def test_a_flat_record_is_a_form_of_the_protocol() -> None:
    form = Form(Booking)

    assert "Please say when you come." == form.message
    assert FIELDS == form.schema["properties"]
    assert ["name", "day", "color", "plan"] == form.schema["required"]
    assert f"<form 'Please say when you come.': {', '.join(FIELDS)}>" == repr(form)


#: What one field of a form can be, and its schema.
ALONE = [
    (str, {"type": "string"}),
    (int, {"type": "integer"}),
    (Annotated[float, Gt(0)], {"type": "number"}),
    (bool, {"type": "boolean"}),
    (datetime.datetime, {"type": "string", "format": "date-time"}),
    (uuid.UUID, {"type": "string"}),
    (Literal["a"], {"type": "string", "enum": ["a"]}),
    (Color, {"type": "string", "enum": ["red", "blue"]}),
]


@pytest.mark.parametrize(("hint", "schema"), ALONE)
@pytest.mark.parametrize("can_lack", [False, True])
def test_one_value_is_a_form_with_one_field(hint: Any, schema: Any, can_lack: bool) -> None:
    asked = hint | None if can_lack else hint
    needed = {} if can_lack else {"required": ["value"]}
    expected = {"type": "object", "properties": {"value": schema}, **needed}

    assert expected == Form(asked, "What?").schema
    if can_lack:
        assert Form(asked, "What?").read({}).result is None


@pytest.mark.parametrize("schema", [*FIELDS.values(), *[schema for _, schema in ALONE]])
def test_each_field_is_one_of_the_protocol(schema: dict[str, Any]) -> None:
    read = _PRIMITIVE_SCHEMA_ADAPTER.validate_python(schema)

    assert schema == read.model_dump(by_alias=True, exclude_none=True)


@dataclass
class Deep:
    inner: Booking


@pytest.mark.parametrize(
    ("hint", "place"),
    [
        (Deep, "Deep.inner"),
        (list[Booking], "items"),
        (list[str], "items"),
        (dict[str, int], "the type"),
        (Literal[1, 2], "the type"),
        (str | int, "the type"),
        (str | int | None, "the type"),
        (None, "the type"),
        ("{a {b :int}}", "a"),
        ("{a [[:string]]}", "a"),
        ("{a #{:int}}", "a"),
    ],
)
def test_what_no_form_can_show_is_refused_with_its_place(hint: Any, place: str) -> None:
    with pytest.raises(TypesigError) as raised:
        Form(hint, "What?")

    assert (
        f"{place} cannot be asked in a form: a form has one line for each field: a text, a number, "
        "a boolean, one of several texts, or some of them"
    ) == str(raised.value)


@pytest.mark.parametrize("message", [None, "", " "])
def test_a_form_has_a_message(message: str | None) -> None:
    with pytest.raises(TypesigError, match="a form needs a message: write Form"):
        Form(int, message)


@dataclass
class Needs:
    """Which?"""

    note: str | None
    count: int = 3


def test_a_field_that_is_left_empty_is_null_or_has_its_default() -> None:
    form = Form(Needs)

    assert "required" not in form.schema
    assert [Needs(None), Needs(None), Needs("x", 4)] == [
        form.read(content).result
        for content in ({}, {"note": None, "count": None}, {"note": "x", "count": "4"})
    ]


ACCEPTED = {"action": "accept", "content": FILLED}


class Person:
    """Answers questions one after the other, and keeps what was asked."""

    def __init__(self, *answers: Any) -> None:
        self.asked: list[dict[str, Any]] = []
        self._answers = list(answers)

    async def __call__(self, _: Any, params: Any) -> Any:
        self.asked.append(params.model_dump(by_alias=True, mode="json", exclude_none=True))
        found = self._answers.pop(0)
        if isinstance(found, types.ErrorData):
            return found
        return types.ElicitResult.model_validate(found)


@tool
def book(request: Request) -> str:
    """Book in a thread."""
    return str(request.elicit(Booking).value)


@tool
async def abook(request: Request) -> str:
    """Book on the loop."""
    return str((await request.aelicit(Booking)).value)


def called(tools: Any, name: str, mode: str, person: Any = None, **options: Any) -> str:
    """Return what the tool *name* answers to a client with the *person*."""
    made = typesig.mcp.server(tools, **options)

    async def main() -> str:
        async with mcp.Client(made.lowlevel, mode=mode, elicitation_callback=person) as client:
            result = await client.call_tool(name, {})
            return str(result.content[0].text).removeprefix("Tool errors:\n- ")  # type: ignore[union-attr]

    return asyncio.run(main())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["book", "abook"])
def test_a_tool_asks_the_person_and_goes_on_with_the_mended_answer(mode: str, name: str) -> None:
    person = Person(ACCEPTED)

    assert str(BOOKED) == called([book, abook], name, mode, person)
    [asked] = person.asked
    assert ("Please say when you come.", FIELDS) == (
        asked["message"], asked["requestedSchema"]["properties"]
    )  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_an_answer_that_does_not_fit_is_asked_for_again(mode: str) -> None:
    wrong = {"action": "accept", "content": {**FILLED, "guests": 9}}
    person = Person(wrong, wrong, ACCEPTED)

    assert str(BOOKED) == called([book], "book", mode, person)
    first, second, third = [each["message"] for each in person.asked]
    assert "Please say when you come." == first
    assert second == third
    assert second.startswith("Please say when you come.\n\n")
    assert "guests" in second


@pytest.mark.parametrize("mode", MODES)
def test_an_answer_that_never_fits_is_data_and_its_value_an_error(mode: str) -> None:
    wrong = {"action": "accept", "content": {"value": "many"}}
    found: list[Elicited[int]] = []

    @tool
    def ask(request: Request) -> int:
        found.append(request.elicit(int, "How many?"))
        return found[0].value

    told = called([ask], "ask", mode, Person(wrong, wrong, wrong))

    assert told.startswith("the person's answer does not fit: ")
    [elicited] = found
    assert elicited.action == "accept"
    assert elicited.outcome is not None
    assert not elicited.outcome.ok


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"action": "decline"}, "the person was asked, and declined to answer"),
        ({"action": "cancel"}, "the person was asked, and did not answer"),
    ],
)
def test_who_does_not_answer_is_data_and_the_value_an_error(
    mode: str, answer: Any, told: str
) -> None:
    assert told == called([book], "book", mode, Person(answer))


NO_FORMS = "the client cannot ask the person: it has no elicitation; go on without, or ask the user"


def test_a_client_without_forms_is_told_to_the_model() -> None:
    assert NO_FORMS == called([book], "book", "legacy")


def test_a_client_without_forms_is_told_by_the_protocol_where_that_has_an_error_for_it() -> None:
    async def main() -> Any:
        async with mcp.Client(typesig.mcp.server([book]).lowlevel) as client:
            with pytest.raises(mcp.MCPError) as raised:
                await client.call_tool("book", {})
            return raised.value.error

    error = asyncio.run(main())

    needed = {"requiredCapabilities": {"elicitation": {}}}
    assert (-32021, NO_FORMS, needed) == (error.code, error.message, error.data)


@pytest.mark.parametrize("mode", MODES)
def test_a_tool_can_go_on_without_forms(mode: str) -> None:
    @tool
    def ask(request: Request) -> bool:
        return request.can_elicit

    @tool
    def fail(request: Request) -> None:
        with contextlib.suppress(ToolError):
            request.elicit(Booking)
        raise ToolError("no room")

    assert ["false", "true"] == [called([ask], "ask", mode, each) for each in (None, Person())]
    assert "no room" == called([fail], "fail", mode)


def test_a_client_that_answers_with_an_error_is_told_to_the_model() -> None:
    error = types.ErrorData(code=-32603, message="the win\u200bdow is gone")

    assert "the client did not ask the person: the window is gone" == called(
        [book], "book", "legacy", Person(error)
    )


@pytest.mark.parametrize("answer", [{"action": "perhaps"}, {"action": "accept", "content": 3}, {}])
def test_what_is_no_answer_is_told_to_the_model(answer: Any) -> None:
    request = Request(ask=lambda method, params: answer)

    with pytest.raises(ToolError, match="the client returned an invalid answer to a question"):
        request.elicit(int, "How many?")


def test_a_type_that_does_not_fit_is_told_where_it_is_asked() -> None:
    with pytest.raises(TypesigError, match=r"^Deep.inner cannot be asked in a form"):
        Request(ask=lambda method, params: ACCEPTED).elicit(Deep, "?")


def test_outside_a_server_nobody_can_be_asked_unless_the_test_answers() -> None:
    async def ask(method: str, params: Any) -> Any:
        assert ("elicitation/create", "form") == (method, params["mode"])
        return ACCEPTED

    with pytest.raises(ToolError, match="nobody can be asked: the call does not come from"):
        Request().elicit(Booking)
    assert [False, True] == [Request(ask=each).can_elicit for each in (None, ask)]
    assert BOOKED == Request(ask=ask).elicit(Form(Booking)).value
    assert BOOKED == asyncio.run(Request(ask=ask).aelicit(Booking, "When?")).value


def test_a_coroutine_function_cannot_wait_in_its_loop() -> None:
    async def main() -> None:
        Request().elicit(int, "How many?")

    with pytest.raises(TypesigError) as raised:
        asyncio.run(main())

    told = "a coroutine function cannot wait here: write await request.aelicit(…)"
    assert told == str(raised.value)


def test_a_client_is_asked_for_what_the_protocol_has() -> None:
    with pytest.raises(TypesigError) as raised:
        Request(ask=lambda *_: {}).ask("tools/list", {})

    assert (
        "a client is asked for elicitation/create, roots/list, sampling/createMessage, not "
        "'tools/list'"
    ) == str(raised.value)


SAMPLING = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "Name a color."}}],
    "maxTokens": 9,
}


@tool
async def everything(request: Request) -> str:
    """Ask all at once."""
    found = await asyncio.gather(
        request.aelicit(int, "How many?", key="many"),
        request.aask("sampling/createMessage", SAMPLING),
        request.aask("roots/list", {}),
    )
    number, sample, roots = found
    return f"{number.value} {sample['content']['text']} {roots['roots'][0]['uri']}"


async def sampled(_: Any, params: Any) -> Any:
    content = types.TextContent(type="text", text=f"blue {params.max_tokens}")
    return types.CreateMessageResult(role="assistant", content=content, model="m")


async def rooted(_: Any) -> Any:
    return types.ListRootsResult.model_validate({"roots": [{"uri": "file:///x"}]})


@pytest.mark.parametrize("mode", MODES)
def test_a_model_and_folders_are_asked_for_too_and_all_at_once(mode: str) -> None:
    made = typesig.mcp.server([everything])

    async def main() -> Any:
        async with mcp.Client(
            made.lowlevel,
            mode=mode,
            elicitation_callback=Person({"action": "accept", "content": {"value": 3}}),
            sampling_callback=sampled,
            list_roots_callback=rooted,
        ) as client:
            return (await client.call_tool("everything", {})).content[0].text  # type: ignore[union-attr]

    assert "3 blue 9 file:///x" == asyncio.run(main())


def raw(use: Callable[[Any], Any], *tools: Any, **options: Any) -> Any:
    """Return what *use* returns of what calls *tools* in the protocol of 2026-07-28."""
    made = typesig.mcp.server(tools, **options)

    async def main() -> Any:
        async with mcp.Client(made.lowlevel, elicitation_callback=Person()) as client:

            async def call(name: str, answers: Any = None, state: Any = None) -> Any:
                session = client.session
                found = await session.call_tool(
                    name, {}, input_responses=answers, request_state=state,
                    allow_input_required=True,
                )  # fmt: skip
                return found.model_dump(by_alias=True, mode="json", exclude_none=True)

            return await use(call)

    return asyncio.run(main())


@tool
async def two(request: Request) -> str:
    """Ask two things."""
    request.progress(1, 2)
    first, second = await asyncio.gather(
        request.aelicit(int, "One?", key="one"), request.aelicit(int, "Two?", key="two")
    )
    return f"{first.value} {second.value}"


def yes(value: int) -> Any:
    return types.ElicitResult.model_validate({"action": "accept", "content": {"value": value}})


def test_what_is_not_answered_is_asked_again_and_other_answers_are_ignored() -> None:
    async def use(call: Any) -> None:
        begun = await call("two")
        assert ("input_required", {"one", "two"}) == (
            begun["resultType"], set(begun["inputRequests"])
        )  # fmt: skip
        begun = await call("two", {"other": yes(1)}, begun["requestState"])
        assert {"one", "two"} == set(begun["inputRequests"])
        begun = await call("two", {"one": yes(1)}, begun["requestState"])
        assert {"two"} == set(begun["inputRequests"])
        ended = await call("two", {"two": yes(2)}, begun["requestState"])
        assert "1 2" == ended["content"][0]["text"]
        given = await call("two", {"one": yes(3), "two": yes(4), "three": yes(5)})
        assert "3 4" == given["content"][0]["text"]

    raw(use, two)


@tool
def other() -> None:
    """Ask nothing."""


def test_a_state_is_good_once_and_for_its_call() -> None:
    async def use(call: Any) -> None:
        begun = await call("two")
        state = begun["requestState"]
        answers = {"one": yes(1), "two": yes(2)}
        for name, sent, message in [
            ("two", "x" + state, "the state is not known: it was answered, has expired, or is not of this server"),
            ("other", state, "the state is that of another call"),
        ]:  # fmt: skip
            with pytest.raises(mcp.MCPError) as raised:
                await call(name, answers, sent)
            assert (-32602, message) == (raised.value.code, raised.value.error.message)
        assert "1 2" == (await call("two", answers, state))["content"][0]["text"]
        with pytest.raises(mcp.MCPError, match="the state is not known"):
            await call("two", answers, state)

    raw(use, two, other)


def test_two_questions_that_wait_have_two_keys() -> None:
    async def main() -> str:
        questions = asking.Questions(lambda *_: None, None, {})
        first = asyncio.ensure_future(questions.ask("roots/list", {}, "x"))
        await questions.changed
        with pytest.raises(TypesigError) as raised:
            await questions.ask("roots/list", {}, "x")
        questions.give({"x": {"roots": []}})
        assert {"roots": []} == await first
        return str(raised.value)

    assert "the key 'x' is that of another question that waits" == asyncio.run(main())


def test_a_call_whose_client_does_not_come_back_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(call_runner, "MAX_WAITING_CALLS", 1)
    ended: list[bool] = []

    @tool
    async def patient(request: Request) -> None:
        try:
            await request.aelicit(int, "How many?")
        finally:
            ended.append(request.cancelled)

    async def use(call: Any) -> None:
        await call("patient")
        await call("patient")
        await asyncio.sleep(0)
        assert [True] == ended
        monkeypatch.setattr(call_runner, "MAX_ASKING_SECONDS", 0)
        await call("patient")
        await asyncio.sleep(0.01)
        assert [True, True, True] == ended

    raw(use, patient)


@pytest.mark.parametrize("mode", MODES)
def test_the_time_of_a_person_is_none_of_the_call(mode: str) -> None:
    class Slow(Person):
        async def __call__(self, *given: Any) -> Any:
            await asyncio.sleep(1.0)
            return await super().__call__(*given)

    @tool
    async def lazy(request: Request) -> str:
        await request.aelicit(Booking)
        await asyncio.sleep(1000)
        raise AssertionError

    assert str(BOOKED) == called([abook], "abook", mode, Slow(ACCEPTED), seconds=0.7)
    assert "lazy did not end within 0.7 s and was stopped; it may have done a part of its work" == (
        called([lazy], "lazy", mode, Slow(ACCEPTED), seconds=0.7)
    )


def test_a_person_has_some_time_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MAX_ASKING_SECONDS", 0.05)

    async def never(*_: Any) -> Any:
        await asyncio.sleep(1000)

    assert "the client was to ask the person, and did not answer within 0.05 s" == called(
        [book], "book", "legacy", never
    )


@pytest.mark.parametrize("mode", MODES)
def test_a_call_that_is_cancelled_asks_no_more(mode: str) -> None:
    told: list[str] = []
    ended = threading.Event()

    @tool
    def stubborn(request: Request) -> None:
        try:
            for _ in range(2):
                try:
                    request.elicit(int, "How many?")
                except ToolError as error:
                    told.append(str(error))
        finally:
            ended.set()

    made = typesig.mcp.server([stubborn])

    async def main() -> None:
        asked = asyncio.Event()

        async def never(*_: Any) -> Any:
            asked.set()
            await asyncio.sleep(1000)

        async with mcp.Client(made.lowlevel, mode=mode, elicitation_callback=never) as client:
            call = asyncio.ensure_future(client.call_tool("stubborn", {}))
            await asked.wait()
            call.cancel()
            if mode == "auto":
                await made.calls.cancel_all()
                for running in list(made.calls._waiting._calls):
                    made.calls._waiting._expire(running)
            await asyncio.to_thread(ended.wait, 10)

    asyncio.run(main())

    assert ["nobody waits for the call any more"] * 2 == told


def test_a_tool_in_a_thread_may_ask_from_a_loop_of_its_own() -> None:
    @tool
    def own(request: Request) -> int:
        return asyncio.run(request.aelicit(int, "How many?")).value

    answer = {"action": "accept", "content": {"value": 3}}

    assert "3" == called([own], "own", "legacy", Person(answer))


class Able:
    """The context of a client with some abilities."""

    def __init__(self, **able: Any) -> None:
        self.session = self
        self.client_capabilities = types.ClientCapabilities.model_validate(able)


@pytest.mark.parametrize(
    ("elicitation", "modes"),
    [({}, ["form"]), ({"form": {}}, ["form"]), ({"url": {}}, ["url"]), ({"form": {}, "url": {}}, ["form", "url"])],
)  # fmt: skip
def test_a_client_has_forms_unless_it_says_that_it_has_only_pages(
    elicitation: Any, modes: list[str]
) -> None:
    context: Any = Able(elicitation=elicitation)
    lacking = {
        mode: asking._find_missing_ability(context, "elicitation/create", {"mode": mode})
        for mode in ("form", "url")
    }

    assert modes == [mode for mode, why in lacking.items() if why is None]
    for mode, why in lacking.items():
        told = f"the client cannot ask the person: it has no elicitation of the mode {mode}"
        assert why in (None, told)


def test_an_answer_of_the_wrong_shape_is_told_to_the_model() -> None:
    class Odd(Able):
        request_id = 1
        seen: Any = None

        async def send_request(self, request: Any, model: Any, *_: Any) -> Any:
            self.seen = model
            return model.model_validate({"role": 3})

    odd: Any = Odd()
    for params in (SAMPLING, {**SAMPLING, "tools": []}):
        with pytest.raises(ToolError) as raised:
            asyncio.run(asking._ask(odd, "sampling/createMessage", params))
        told = "the client was to ask a model, and returned an invalid answer"
        assert told == str(raised.value)
    assert types.CreateMessageResultWithTools is odd.seen


def test_a_question_that_a_call_no_longer_waits_for_has_no_answer() -> None:
    async def main() -> None:
        questions = asking.Questions(lambda *_: None, None, {})
        task = asyncio.ensure_future(questions.ask("roots/list", {}, "x"))
        await questions.changed
        task.cancel()
        questions.give({"x": {}})
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    call_runner.WaitingCalls()._expire("answered before")
