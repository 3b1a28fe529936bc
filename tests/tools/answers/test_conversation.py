"""Asking a model until its answer fits, with scripted models."""

from __future__ import annotations

import asyncio
import functools
import pickle
from typing import Any

import pytest

import typesig
from typesig import Answer, Outcome, TypesigError, contract
from typesig.limits import MAX_FEEDBACK

PERSON = contract("{name :string, age :int[0..150]}")


class Scripted:
    """A model that gives prepared answers, and keeps what it was sent."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.seen: list[list[dict[str, str]]] = []

    def __call__(self, messages: list[dict[str, str]]) -> Any:
        self.seen.append(messages)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def later(self, messages: list[dict[str, str]]) -> Any:
        await asyncio.sleep(0)
        return self(messages)


def asked(model: Scripted, way: str, *arguments: Any, **options: Any) -> Answer[Any]:
    of = options.pop("of", PERSON)
    if way == "ask":
        return of.ask(model, *arguments, **options)
    complete = model.later if way == "aask" else model
    return asyncio.run(of.aask(complete, *arguments, **options))


ways = pytest.mark.parametrize("way", ["ask", "aask", "aask with a plain function"])

RIGHT = '{"name": "Ann", "age": 7}'
WRONG = '{"name": "Ann", "age": 700}'
REQUEST = "Who is it?\n\nAnswer with JSON that fits: {name :string, age :int[0..150]}"


@ways
def test_an_answer_that_fits_is_the_outcome_of_one_attempt(way: str) -> None:
    model = Scripted(RIGHT)
    out = asked(model, way, "Who is it?")

    assert {"name": "Ann", "age": 7} == out.result
    assert isinstance(out, Outcome)
    assert (1, "answer") == (out.attempts, out.stage)
    assert [[{"role": "user", "content": REQUEST}]] == model.seen
    assert (*model.seen[0], {"role": "assistant", "content": RIGHT}) == out.messages


@ways
def test_a_wrong_answer_is_followed_by_feedback_until_one_fits(way: str) -> None:
    model = Scripted("It is Ann.", WRONG, RIGHT)
    out = asked(model, way, "Who is it?")

    assert out.ok
    assert 3 == out.attempts
    assert model.seen[2] == list(out.messages[:5])
    assert [
        {"role": "user", "content": REQUEST},
        {"role": "assistant", "content": "It is Ann."},
        {"role": "user", "content": PERSON.read("It is Ann.").feedback()},
        {"role": "assistant", "content": WRONG},
        {"role": "user", "content": PERSON.read(WRONG).feedback()},
        {"role": "assistant", "content": RIGHT},
    ] == list(out.messages)


@ways
def test_when_all_attempts_are_spent_the_last_outcome_has_its_errors(way: str) -> None:
    model = Scripted(WRONG, WRONG, RIGHT)
    out = asked(model, way, "Who?", attempts=2)

    assert ["age: expected int[0..150], got int 700"] == [str(error) for error in out.errors]
    assert (2, 4, WRONG) == (out.attempts, len(out.messages), out.messages[-1]["content"])
    assert PERSON.read(WRONG).report() == out.report()


def test_an_error_made_twice_is_told_to_be_the_same() -> None:
    out = PERSON.ask(Scripted(WRONG, WRONG, RIGHT), "Who?")

    assert '"age": 700  // expected int[0..150], got int 700\n' in out.messages[2]["content"]
    assert (
        '"age": 700  // the same error as before: expected int[0..150], got int 700\n'
        in out.messages[4]["content"]
    )


@ways
def test_the_mode_is_that_of_each_reading(way: str) -> None:
    text = '{"name": "Ann", "age": "7"}'

    assert asked(Scripted(text), way, "Who?").warnings
    assert not asked(Scripted(text), way, "Who?", attempts=1, mode="strict").ok
    strict = contract(PERSON.signature, mode="strict")
    assert not asked(Scripted(text), way, "Who?", 1, of=strict).ok
    assert asked(Scripted(text), way, "Who?", 1, "enabled", of=strict).ok


SYSTEM = {"role": "system", "content": "Be brief."}


@pytest.mark.parametrize(
    ("prompt", "opening"),
    [
        ("", [{"role": "user", "content": PERSON.prompt()}]),
        ([], [{"role": "user", "content": PERSON.prompt()}]),
        (
            [SYSTEM, {"role": "user", "content": "Who is it?"}],
            [SYSTEM, {"role": "user", "content": REQUEST}],
        ),
        (
            ({"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}),
            [
                {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": "Hello"},
                {"role": "user", "content": PERSON.prompt()},
            ],
        ),
    ],
)
def test_the_request_is_at_the_end_of_the_prompt(prompt: Any, opening: Any) -> None:
    model = Scripted(RIGHT)
    PERSON.ask(model, prompt)

    assert [opening] == model.seen


def test_messages_that_were_given_and_those_that_are_kept_are_not_changed() -> None:
    given = [{"role": "user", "content": "Who is it?", "name": "Bob"}]

    def complete(messages: list[dict[str, str]]) -> str:
        messages[0]["content"] = "changed"
        messages.clear()
        return RIGHT

    out = PERSON.ask(complete, given)

    assert [{"role": "user", "content": "Who is it?", "name": "Bob"}] == given
    assert {"role": "user", "content": REQUEST} == out.messages[0]


@ways
def test_an_exception_of_complete_passes_through(way: str) -> None:
    with pytest.raises(ConnectionError, match=r"^no network$"):
        asked(Scripted(WRONG, ConnectionError("no network")), way, "Who?")


@ways
@pytest.mark.parametrize(
    ("returned", "named"), [(None, "None"), ({"a": 1}, "dict"), (b"1", "bytes"), (5, "int")]
)
def test_a_complete_that_returns_no_text_is_a_mistake_of_the_developer(
    way: str, returned: Any, named: str
) -> None:
    message = rf"^complete returns the text of the answer, not {named}$"
    with pytest.raises(TypesigError, match=message):
        asked(Scripted(returned), way, "Who?")


def test_ask_with_a_coroutine_function_tells_of_aask() -> None:
    message = r"^complete returned an awaitable: write await contract\.aask\(…\)$"
    with pytest.raises(TypesigError, match=message):
        PERSON.ask(Scripted(RIGHT).later, "Who?")  # type: ignore[arg-type]

    async def main() -> None:
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        with pytest.raises(TypesigError, match=message):
            PERSON.ask(lambda _: future, "Who?")  # type: ignore[arg-type, return-value]

    asyncio.run(main())


@ways
@pytest.mark.parametrize("attempts", [0, -1, True, 1.0, "3", None])
def test_attempts_is_a_number_from_one(way: str, attempts: Any) -> None:
    model = Scripted(RIGHT)
    with pytest.raises(TypesigError, match=r"^attempts is an int of at least 1, not "):
        asked(model, way, "Who?", attempts=attempts)
    assert [] == model.seen


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        (5, r"^prompt is a str or a list of messages, not int$"),
        (None, r"^prompt is a str or a list of messages, not None$"),
        (["Who?"], "^a message of the prompt is "),
        ([{"role": "tool", "content": "x"}], "^a message of the prompt is "),
        ([{"role": ["user"], "content": "x"}], "^a message of the prompt is "),
        ([{"role": "user"}], "^a message of the prompt is "),
        ({"role": "user", "content": "Who?"}, "^a message of the prompt is "),
    ],
)
def test_a_prompt_that_is_none_is_a_mistake_of_the_developer(prompt: Any, message: str) -> None:
    with pytest.raises(TypesigError, match=message):
        PERSON.ask(Scripted(RIGHT), prompt)


def test_answers_of_any_length_get_feedback_of_bounded_length() -> None:
    long = '{"name": "' + "x" * 100_000 + '", "age": 700}'
    out = PERSON.ask(Scripted(long, "x" * 100_000, RIGHT), "Who?")

    assert all(len(out.messages[place]["content"]) <= MAX_FEEDBACK for place in (2, 4))


def test_an_answer_can_be_pickled_and_is_immutable() -> None:
    for out in (PERSON.ask(Scripted(WRONG, RIGHT), "Who?"), PERSON.ask(Scripted(WRONG), "Who?", 1)):
        again = pickle.loads(pickle.dumps(out))

        assert type(again) is Answer
        assert (out.attempts, out.messages, out.errors) == (
            again.attempts,
            again.messages,
            again.errors,
        )
        assert repr(out) == repr(again)
        with pytest.raises(AttributeError, match="an outcome cannot be changed"):
            out.attempts = 5


def test_an_awaitable_of_a_partial_or_a_lambda_is_awaited() -> None:
    model = Scripted(WRONG, RIGHT)

    async def complete(_client: str, messages: list[dict[str, str]]) -> str:
        return await model.later(messages)  # type: ignore[no-any-return]

    out = asyncio.run(PERSON.aask(functools.partial(complete, "client"), "Who?"))

    assert out.ok
    assert typesig.Answer is type(out)
