"""Secrets and firewalled values are in no message, also where they stand at a wrong place."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

import attrs
import msgspec
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import EXAMPLES, LAW, places, replaced
from typesig import coerce, contract, tool
from typesig.algebra import Keyword
from typesig.algebra.constructors import make_field, make_union, record
from typesig.algebra.nodes import (
    ANY,
    INT,
    STRING,
    List,
    MapOf,
    Maybe,
    PatternField,
    Record,
    Tuple,
    Type,
)
from typesig.algebra.signature import Signature, make_type_signature, with_secrets
from typesig.validation.issues.excerpt import describe_value, get_excerpt_kind, write_excerpt
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.visibility import hide_private_values

MARK = "s3cret"
HINT = pydantic.SecretStr


class Model(pydantic.BaseModel):
    user: str
    token: HINT
    age: int = 0


class Aliased(pydantic.BaseModel):
    user: str
    token: HINT = pydantic.Field(alias="Tok")
    age: int = 0


@dataclasses.dataclass
class Data:
    user: str
    token: HINT
    age: int = 0


class Dict(TypedDict):
    user: str
    token: HINT
    age: NotRequired[int]


class Named(NamedTuple):
    user: str
    token: HINT
    age: int = 0


class Struct(msgspec.Struct):
    user: str
    token: HINT
    age: int = 0


@attrs.define
class Attrs:
    user: str
    token: HINT
    age: int = 0


class Choice(TypedDict):
    token: HINT
    age: Literal[1, "b"]


CLASSES = [Model, Aliased, Data, Dict, Named, Struct, Attrs, Choice]

#: What is sent for such a record, with the secret at its place and at others.
SENT: list[Any] = [
    {"user": {"token": MARK}},
    # A list of one text would be taken for the text in lenient mode.
    {"user": [MARK, MARK]},
    {"user": {"tokn": MARK}},
    {"user": "u", "token": {"value": MARK}},
    {"user": "u", "token": MARK, "Token": MARK, "age": "x"},
    {"user": "u", "TOKEN": MARK, "age": "x"},
    {"user": "u", "tokn": MARK},
    {"user": "u", "age": MARK},
    {"user": "u", "age": {"token": MARK}},
    {"user": "u", "age": json.dumps({"token": MARK})},
    {"x": {"user": "u", "token": MARK}},
    {"user": "u", "other": MARK, "age": "x"},
    {"token": "x", "age": MARK},
    json.dumps({"user": "u", "token": MARK, "age": "x"}),
    MARK,
    [MARK],
    ["u", MARK],
]

#: Each class and way is sent one of so many, and all of them where more examples are asked for.
STRIDE = 1 if EXAMPLES >= 8 else 3


def told(outcome: Outcome[Any]) -> Iterator[str]:
    """Yield what *outcome* tells people, models and logs, other than the value itself."""
    yield outcome.report() + outcome.feedback()
    yield outcome._repr_html_() + repr(list(outcome.__rich_repr__()))
    yield repr(outcome.tree()) + repr(outcome.tree(warnings=True))
    yield repr(outcome.errors) + repr(outcome.warnings)
    if not outcome.ok:
        yield repr(outcome) + outcome.text()
        with pytest.raises(typesig.ValidationError) as caught:
            _ = outcome.value
        yield f"{caught.value} {caught.value!r}"


def texts_of(value: Any) -> Iterator[str]:
    """Yield *value* as JSON text, whole and not."""
    text = json.dumps(value)
    yield from (text, text[:-2], f"```json\n{text}\n```", text.replace('"', "'"))
    yield text.replace(",", "")


@pytest.mark.once
@pytest.mark.parametrize("hint", CLASSES)
def test_a_secret_is_in_no_message_of_an_answer(hint: Any) -> None:
    for number, asked in enumerate((hint, list[hint], hint | int), CLASSES.index(hint)):
        reader = contract(asked)
        for sent in SENT[number % STRIDE :: STRIDE]:
            # On the second call source is generated.
            for value in (sent, sent, [sent], *texts_of(sent)):
                for mode in ("enabled", "lenient"):
                    found = reader.read(value, mode)  # type: ignore[arg-type]

                    assert MARK not in "".join((repr(found), *told(found)))


@pytest.mark.once
@pytest.mark.parametrize("hint", CLASSES)
def test_a_secret_is_in_no_message_of_a_call(hint: Any) -> None:
    def take(c: Any, limit: int = 1) -> int:
        return limit

    take.__annotations__["c"] = hint
    taking, ledger = tool(take), typesig.Ledger()
    for sent in SENT[CLASSES.index(hint) % STRIDE :: STRIDE]:
        good = {"user": "u", "token": "x", "age": 1}
        for arguments in ({"c": sent, "limit": "x"}, sent, {"limit": sent}, {"c": good, "d": sent}):
            for mode in ("enabled", "lenient", "strict"):
                found = taking.call(arguments, mode=mode, ledger=ledger)  # type: ignore[arg-type]
                again = taking.call(json.dumps(arguments), mode=mode)  # type: ignore[arg-type]

                assert MARK not in "".join((*told(found), *told(again)))
    assert MARK not in repr(ledger.rows())


def test_the_text_of_a_secret_at_a_place_of_another_type_is_not_shown() -> None:
    def take(c: Model) -> None:
        raise AssertionError("it is not called")

    found = tool(take).call({"c": {"user": {"token": MARK}}})

    assert ["c.user: expected string, got map", "c.token: expected string, got nil (missing)"] == [
        str(error) for error in found.errors
    ]
    assert (
        '    "user": "<Secret>"  // expected string, got map\n    // missing: token :string\n'
    ) in found.feedback()


@pytest.mark.parametrize(
    "text", ['{"token": "%s"}', "token=%s", "Token : %s", '{"c": {"token": ["%s"]}}']
)
def test_a_text_of_another_field_that_has_the_key_of_a_secret_is_not_shown(text: str) -> None:
    def take(c: Model, n: int = 1) -> None:
        raise AssertionError("it is not called")

    plain = tool(take).call({"c": {"user": "Ida", "token": "x"}, "n": "x"})
    assert '"user": "Ida"' in plain.feedback()
    for token in ({}, {"token": "x"}):
        found = tool(take).call({"c": {"user": text % MARK, **token}, "n": "x"})

        assert '"user": "<Secret>"' in found.feedback()
        assert MARK not in "".join((repr(found), *told(found)))


def test_a_secret_is_in_no_answer_to_a_provider_and_in_no_part_of_a_stream() -> None:
    def take(c: Model) -> None:
        raise AssertionError("it is not called")

    projection = typesig.tools_of([tool(take)]).project("openai")
    for sent in SENT:
        text = json.dumps({"c": sent, "limit": "x"})
        call = {"id": "1", "type": "function", "function": {"name": "take", "arguments": text}}
        if isinstance(sent, dict) and contract(Model).read(sent).ok:
            continue
        [message] = projection.handle([call])

        assert MARK not in message["content"]
        for part in contract(Model).stream([text[:9], text[9:]]):
            assert MARK not in part.report() + repr(part) + repr(part.errors + part.warnings)


def test_a_secret_is_in_no_message_of_a_result() -> None:
    for sent in (*SENT, {"user": 1, "token": MARK}):

        def give() -> Model:
            return sent  # noqa: B023

        giving = tool(give)
        signature = giving.signature
        for mode in ("enabled", "warn_only", "disabled"):
            for found in (giving.call(mode=mode), signature.validate_output(sent, mode)):  # type: ignore[arg-type]
                assert MARK not in "".join((repr(found), *told(found)))
        assert MARK not in repr(coerce(sent, signature))
        assert MARK not in repr(typesig.parse("{a :int}").validate_output(1))
    taken = with_secrets(typesig.parse("(token :string) -> :any"), frozenset({"token"}))
    assert MARK not in repr(taken.validate_input({"token": MARK}, "disabled"))


def test_secrets_of_any_name_and_of_a_result_are_told_apart() -> None:
    def take(**tokens: HINT) -> int:
        raise AssertionError("it is not called")

    def give(count: int) -> HINT:
        raise AssertionError("it is not called")

    assert ["a: expected string, got list"] == [
        str(e) for e in tool(take).call({"a": [MARK]}).errors
    ]
    assert ['count: expected int, got string "x"'] == [
        str(error) for error in tool(give).call({"count": "x"}).errors
    ]


@dataclasses.dataclass
class Refusing:
    tokens: list[HINT]

    def __post_init__(self) -> None:
        raise ValueError(f"too short: {[each.get_secret_value() for each in self.tokens]}")


@dataclasses.dataclass
class Short:
    token: HINT
    on: bool = True

    def __post_init__(self) -> None:
        raise ValueError("too short")


def test_what_a_class_says_of_a_value_is_left_out_where_it_repeats_a_part_of_it() -> None:
    (refused,) = contract(Refusing).read({"tokens": [MARK]}).errors
    (short,) = contract(Short).read({"token": MARK, "on": True}).errors

    assert "this value does not conform" == str(refused)
    assert "too short" == str(short)


class Mail(TypedDict):
    subject: str
    count: NotRequired[int]
    _ids: list[str]


#: What stands for such a record, and what a message says of it.
MAILS: list[tuple[Any, str]] = [
    ([[MARK]], "value: expected map, got list"),
    (f"[{MARK}", "value: expected map, got string"),
    ({"subject": {"_ids": [MARK]}}, "value.subject: expected string, got map"),
    ({"subject": {"Ids": [MARK]}}, "value.subject: expected string, got map"),
    ({"subject": [{"a": [{"ids": MARK}]}]}, "value.subject: expected string, got list"),
    ({"subject": "s", "count": f'{{"_ids": "{MARK}"}}'}, "value.count: expected int, got string"),
]


@pytest.mark.parametrize(("sent", "message"), MAILS)
def test_a_firewalled_value_at_a_place_of_another_type_is_not_shown(
    sent: Any, message: str
) -> None:
    def take(value: Mail) -> None:
        raise AssertionError("it is not called")

    for found in (
        tool(take).call({"value": sent}),
        tool(take).call({"value": sent}, mode="strict"),
    ):
        assert message in str(found.errors[0])
        assert MARK not in "".join(told(found))


def test_a_value_that_has_no_firewalled_name_and_place_is_shown() -> None:
    def take(value: Mail, tags: dict[str, int], meta: Any = None) -> None:
        raise AssertionError("it is not called")

    found = tool(take).call({"value": {"subject": ["a"]}, "tags": {"_a": 1, "_ids": 1, "ids": 2}})

    assert 'value.subject: expected string, got list ["a"]' == str(found.errors[0])
    assert '  "tags": {"_a": 1, "ids": 2}\n' in found.feedback()


def test_text_that_is_not_json_is_not_shown_if_a_part_of_it_may_be_firewalled() -> None:
    assert "near: " not in contract(Mail).read(f'{{"subject": "{MARK}" "count": 2').feedback()
    assert "near: " in contract("{a :int, b :int}").read('{"a": 1 "b": 2').feedback()


def test_a_firewalled_value_is_not_in_the_issue() -> None:
    (error,) = typesig.parse("{_p :int}").validate_output({"_p": MARK}).errors

    assert Issue("type", ("_p",), "int", "string", hidden=0) == error


def test_a_result_that_is_not_refused_shows_no_firewalled_values() -> None:
    pair = typesig.parse("[:int, {a :int, _p :int}]")
    found = pair.validate_output([[MARK], {"_p": MARK, "a": 1}], "warn_only")

    assert found.ok
    assert '[…, {"a": 1}]' == repr(next(iter(found.__rich_repr__())))
    assert MARK not in found._repr_html_()
    assert '{"a": "x"}' in typesig.parse("{a :int}").validate_output(
        {"a": "x"}, "warn_only"
    )._repr_html_().replace("&quot;", '"')


def test_errors_beyond_the_limit_may_be_of_any_value() -> None:
    asked = with_secrets(typesig.parse("{n [:int], token :string}"), frozenset({"token"}))
    found = asked.validate_and_coerce({"n": [MARK] * 3000, "token": "x"})

    assert found.unseen
    assert MARK not in found.feedback()


@pytest.mark.parametrize(
    "value", [None, True, 1, -(10**100), 1.5, float("-inf"), float("nan"), "a", [1], {"a": 1}, {1}]
)
def test_the_kind_of_an_excerpt_is_known(value: Any) -> None:
    kind = describe_value(value).partition(" ")[0]

    assert (kind, kind) == (
        get_excerpt_kind(describe_value(value)),
        get_excerpt_kind(write_excerpt(value)),
    )


def test_the_kind_of_an_excerpt_of_other_values_is_known() -> None:
    at = coerce("2026-01-02T03:04:05Z", ":datetime").result

    assert "datetime" == get_excerpt_kind(write_excerpt(at))
    assert "keyword" == get_excerpt_kind(write_excerpt(Keyword("a")))
    assert (
        "a value that JSON has no form for"
        == get_excerpt_kind(describe_value(object()))
        == get_excerpt_kind(write_excerpt(object()))
    )


# The law


@st.composite
def with_marks(draw: st.DrawFn, name: str) -> tuple[Type, Any]:
    """Draw a type with a hidden field *name* at some depth, and a value with a mark there."""
    secret, part = draw(st.sampled_from([(STRING, MARK), (INT, MARK), (List(STRING), [MARK])]))
    extra = draw(st.sampled_from([ANY, None]))
    required = draw(st.booleans())
    fields = [make_field("age", INT, required=False), make_field(name, secret, required=required)]
    t: Type = record(fields, extra)
    value: Any = {"age": 1, name: part}
    for _ in range(draw(st.integers(0, 3))):
        match draw(st.sampled_from(["list", "map", "maybe", "union", "tuple", "record"])):
            case "list":
                t, value = List(t), [value]
            case "map":
                t, value = MapOf(STRING, t), {"k": value}
            case "maybe":
                t = Maybe(t) if not isinstance(t, Maybe) else t
            case "union":
                t = make_union([INT, t])
            case "tuple":
                t, value = Tuple((INT, t)), [1, value]
            case _:
                n = make_field("n", INT, required=False)
                t, value = record([n, make_field("in", t)], extra), {"n": 1, "in": value}
    return t, value


def _moved(draw: st.DrawFn, value: Any, ways: list[str], names: list[str]) -> Any:
    """Return *value*, where a part that has the mark is put at another place."""
    marked = [(path, part) for path, part in places(value) if MARK in json.dumps(part)]
    path, part = draw(st.sampled_from(marked))
    match draw(st.sampled_from(ways)):
        case "wrap":
            return replaced(value, path, [part])
        case "wrap in a map":
            return replaced(value, path, {draw(st.sampled_from(["x", "age", *names])): part})
        case "unwrap" if path:
            return replaced(value, path[:-1], part)
        case "text":
            return replaced(value, path, json.dumps(part))
        case "rename" if path and isinstance(path[-1], str):
            above: Any = value
            for step in path[:-1]:
                above = above[step]
            kept = {key: item for key, item in above.items() if key != path[-1]}
            return replaced(value, path[:-1], kept | {draw(st.sampled_from(names)): part})
        case _:
            return value


def outcomes(signature: Signature, value: Any) -> Iterator[Outcome[Any]]:
    """Yield the outcomes of *value*, by the first and by later ways."""
    reader = contract(signature)
    for mode in ("enabled", "lenient", "warn_only", "disabled"):
        for _ in range(2 if mode == "enabled" else 1):
            yield signature.validate_output(value, mode)  # type: ignore[arg-type]
            yield signature.validate_and_coerce(value, mode)  # type: ignore[arg-type]
            yield reader.read(value, mode)  # type: ignore[arg-type]
        yield reader.read(json.dumps(value), mode)  # type: ignore[arg-type]


@LAW
@given(st.data())
def test_a_secret_at_any_place_is_in_no_message(data: st.DataObject) -> None:
    t, value = data.draw(with_marks("token"))
    ways = ["wrap", "wrap in a map", "unwrap", "text", "rename"]
    names = ["token", "Token", "to-ken", "tokn", "age", "in", "n", "other"]
    for _ in range(data.draw(st.integers(0, 3))):
        value = _moved(data.draw, value, ways, names)
    signature = with_secrets(make_type_signature(t), frozenset({"token"}))
    for outcome in outcomes(signature, value):
        assert MARK not in "".join((repr(outcome), *told(outcome)))
    cut = json.dumps(value)[: data.draw(st.integers(1, 80))]
    for found in (contract(signature).read(cut), contract(signature).read(cut, "lenient")):
        assert MARK not in "".join((repr(found), *told(found)))
    part = contract(signature).read(cut, partial=True)
    assert MARK not in part.report() + repr(part) + repr(part.errors + part.warnings)


@LAW
@given(st.data())
def test_a_firewalled_value_at_its_place_or_below_its_name_is_in_no_message(
    data: st.DataObject,
) -> None:
    t, value = data.draw(with_marks("_token"))
    names = ["_token", "-token", "_Token", "Token", "to-ken"]
    value = _moved(data.draw, value, ["wrap", "unwrap", "text"], names)
    for _ in range(data.draw(st.integers(0, 2))):
        value = _moved(data.draw, value, ["wrap", "text"], names)
    for outcome in outcomes(make_type_signature(t), value):
        if not outcome.ok:
            assert MARK not in "".join(told(outcome))
        assert MARK not in outcome.report() + repr(outcome.errors + outcome.warnings)


def test_a_key_that_a_pattern_declares_may_be_a_secret() -> None:
    made = typesig.from_json_schema(
        {
            "type": "object",
            "patternProperties": {
                "^a": {
                    "type": "object",
                    "properties": {"pin": {"writeOnly": True, "type": "string"}},
                }
            },
        }
    )
    (error,) = made.validate_output({"ab": MARK}).errors
    assert "pin" in made.secrets

    assert "ab: expected map, got string" == str(error)
    assert [] == hide_private_values([], made.returns, {}, {"pin"})
    assert isinstance(made.returns, Record)
    assert not re.search(MARK, repr(error))


def test_a_key_that_a_pattern_declares_may_have_a_firewalled_value() -> None:
    inner = record([make_field("_p", INT, required=False)])
    t = Record((make_field("n", INT),), None, (PatternField("^a", inner),))
    found = make_type_signature(t).validate_output({"n": "x", "ab": MARK})

    assert ['n: expected int, got string "x"', "ab: expected map, got string"] == sorted(
        [str(error) for error in found.errors], reverse=True
    )
