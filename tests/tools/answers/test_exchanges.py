"""Feedback of `ask` has the form that the schema asked for: wrapped roots, and keys that it requires."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

import pytest
from pydantic import AfterValidator

from tests.tools.answers.test_client_asks import (
    anthropic,
    completion,
    contents,
    gemini,
    message,
    openai,
    response,
    responses,
)
from typesig import contract
from typesig.providers.projection.answers import AnswerProjection


class Room(TypedDict):
    name: str
    seats: NotRequired[int]


def _no_odd(number: int) -> int:
    if number % 2:
        raise ValueError("it is odd")
    return number


Even = Annotated[int, AfterValidator(_no_odd)]


class Pair(TypedDict):
    id: int
    both: tuple[Even, str]
    more: dict[str, Even]


#: The client that gives answers, and what makes them of texts.
CLIENTS: dict[str, tuple[Any, Any]] = {
    "chat": (openai, completion),
    "responses": (responses, response),
    "anthropic": (anthropic, message),
    "gemini": (gemini, contents),
}
each_client = pytest.mark.parametrize("name", CLIENTS)
HEAD = "Answer validation errors:\n"


def feedback(name: str, hint: Any, *texts: str) -> list[str]:
    """Return the feedback on each of *texts* but the last; none of them fits."""
    client, make = CLIENTS[name]
    options: Any = {"responses": {"api": "responses"}, "anthropic": {"max_tokens": 100}}.get(
        name, {}
    )
    sent = client(*[make(text) for text in texts])
    found = contract(hint).ask(sent, "Go.", model="m", attempts=len(texts), **options)
    assert not found.ok
    return [_text_of(each) for each in found.messages if "validation errors" in _text_of(each)]


def _text_of(message: Any) -> str:
    if not isinstance(message, dict):
        return ""
    content = message.get("content")
    if content is None and "parts" in message:
        content = message["parts"][0].get("text", "")
    return content if isinstance(content, str) else ""


LIST = '\n\nAnswer with JSON that fits: {"items": array of integer}'
SCALAR = '\n\nAnswer with JSON that fits: {"result": integer}'


@each_client
def test_feedback_on_a_list_is_of_the_object_that_was_asked_for(name: str) -> None:
    inner = '{\n  "items": [\n    1,\n    "a"  // expected integer, got string "a"\n  ]\n}'
    same = inner.replace("// ", "// the same error as before: ")
    missing = '{\n  "x": 1  // unexpected key\n  // missing: "items": array of integer\n}'
    no_json = (
        "- the answer is not valid JSON: Expecting value at line 1 column 1 "
        "(send JSON text alone)\n  near: <here>hello"
    )
    texts = ('{"items": [1, "a"]}', '[1, "a"]', '{"items": 3}', '{"x": 1}', "hello", "no")

    assert [
        HEAD + inner + LIST,
        HEAD + same + LIST,
        HEAD + '{\n  "items": 3  // expected array, got integer 3\n}' + LIST,
        HEAD + missing + LIST,
        HEAD + no_json + LIST,
    ] == feedback(name, list[int], *texts)


@each_client
def test_feedback_on_a_scalar_is_of_the_object_that_was_asked_for(name: str) -> None:
    inner = '{\n  "result": "a"  // expected integer, got string "a"\n}'
    same = inner.replace("// ", "// the same error as before: ")
    missing = '{\n  "x": 1  // unexpected key\n  // missing: "result": integer\n}'

    assert [HEAD + inner + SCALAR, HEAD + same + SCALAR, HEAD + missing + SCALAR] == feedback(
        name, int, '{"result": "a"}', '"a"', '{"x": 1}', "no"
    )


#: How the number of seats, which a room need not have, is asked for.
SEATS = {
    "chat": '"seats": integer or null',
    "responses": '"seats": integer or null',
    "anthropic": '"seats": integer (optional)',
    "gemini": '"seats": integer (optional)',
}


@each_client
def test_feedback_on_a_union_is_of_the_object_that_was_asked_for(name: str) -> None:
    fits = f'{{"result": integer or {{"name": string, {SEATS[name]}}}}}'
    inner = '{\n  "result": "a"  // expected integer or object, got string "a"\n}'
    bare = f'{{\n  "name": 3  // unexpected key\n  // missing: "result": {fits[11:-1]}\n}}'
    behind = f"\n\nAnswer with JSON that fits: {fits}"

    assert [HEAD + inner + behind, HEAD + bare + behind] == feedback(
        name, int | Room, '{"result": "a"}', '{"name": 3}', "no"
    )


@each_client
def test_keys_that_the_schema_requires_are_not_optional_in_feedback(name: str) -> None:
    behind = f'\n\nAnswer with JSON that fits: {{"name": string, {SEATS[name]}}}'
    is_strict = "null" in SEATS[name]
    missing = '\n  // missing: "seats": integer or null' if is_strict else ""
    wrong = f'{{\n  "name": 3  // expected string, got integer 3{missing}\n}}'
    seats = '{\n  "name": "a",\n  "seats": "x"  // expected integer, got string "x"\n}'

    assert [HEAD + wrong + behind, HEAD + seats + behind] == feedback(
        name, Room, '{"name": 3}', '{"name": "a", "seats": "x"}', "no"
    )


@each_client
def test_an_error_of_a_validator_is_shown_where_it_was_sent(name: str) -> None:
    wrong = '{\n  "items": [\n    2,\n    3  // Value error, it is odd (got integer 3)\n  ]\n}'

    assert [HEAD + wrong + LIST] == feedback(name, list[Even], '{"items": [2, 3]}', "no")


def shown(hint: Any, text: str, provider: Any = "openai") -> str:
    """Return the feedback on *text* without its last line."""
    made: AnswerProjection[Any] = contract(hint).project(provider)
    return made._feed_back(text, made.read(text), None)[0].split("\n\n")[0].removeprefix(HEAD)


def test_an_error_in_a_part_of_another_form_is_shown_at_that_part() -> None:
    odd = "// Value error, it is odd (got integer 3)"
    pairs = '{"id": 1, "both": [2, "a"], "more": [{"key": "a", "value": 3}]}'
    first = '{"id": 1, "both": [3, "a"], "more": []}'

    assert f'  "more": [{{"key": "a", "value": 3}}]  {odd}' in shown(Pair, pairs).splitlines()
    assert odd in shown(Pair, first)
    assert f'{{\n  "items": "[3]"  {odd}\n}}' == shown(list[Even], '{"items": "[3]"}')
    pair = '{"additional_properties": [{"key": "a", "value": 3}]}'
    assert f"{pair}  {odd}" == shown(dict[str, Even], pair)


def test_feedback_that_only_the_contract_can_give_is_its_own() -> None:
    hidden = contract("{_key :string, rows [:int]}").project("openai")
    outcome = hidden.read('{"rows": 3}')

    assert outcome.feedback() == hidden._feed_back('{"rows": 3}', outcome, None)[0]
    assert '{\n  "result": true  // expected integer, got boolean true\n}' == shown(int, "true")


def test_what_stands_in_prose_is_shown_as_it_was_asked_for() -> None:
    inner = '{\n  "items": [\n    "a"  // expected integer, got string "a"\n  ]\n}'

    assert inner == shown(list[int], 'Here it is: {"items": ["a"]} and that is all.')
