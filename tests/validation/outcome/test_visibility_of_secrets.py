"""Values of secret types are in no message, also if they are of a wrong kind."""

from __future__ import annotations

import pickle
from typing import Any, TypedDict

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, near_misses, places, replaced
from tests.growth import assert_growth
from typesig import coerce, contract, extract, tool
from typesig.algebra.constructors import make_field, record
from typesig.algebra.nodes import INT, STRING, List, MapOf, Record, Ref, Tuple, Union
from typesig.algebra.signature import make_type_signature, map_types
from typesig.notations.json_schema.parser import find_secret_names
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.visibility import hide_private_values

HIDDEN = "hunter"


class Login(pydantic.BaseModel):
    word: pydantic.SecretStr
    key: pydantic.SecretBytes = pydantic.SecretBytes(b"a")
    count: int = 0


class Plain(TypedDict):
    word: pydantic.SecretStr
    count: int


class Whole(TypedDict):
    login: Login
    logins: list[Login]
    pair: tuple[int, Login]


class Renamed(pydantic.BaseModel):
    word: pydantic.SecretStr = pydantic.Field(validation_alias=pydantic.AliasChoices("pin", "code"))


#: The hint, what is sent, and the error.
SENT: list[tuple[Any, Any, str]] = [
    (pydantic.SecretStr, [HIDDEN], "value: expected string, got list"),
    (pydantic.SecretStr | None, {HIDDEN: 1}, "value: expected string, got map"),
    (pydantic.SecretBytes, [HIDDEN], "value: expected string, got list"),
    (pydantic.Secret[int], HIDDEN, "value: expected int, got string"),
    (list[pydantic.SecretStr], ["a", [HIDDEN]], "value[1]: expected string, got list"),
    (list[pydantic.SecretStr], HIDDEN, "value: expected list, got string"),
    (dict[str, pydantic.SecretStr], {"a": [HIDDEN]}, "value.a: expected string, got list"),
    (tuple[int, pydantic.SecretStr], [1, [HIDDEN]], "value[1]: expected string, got list"),
    (Login, {"word": [HIDDEN]}, "value.word: expected string, got list"),
    (Login, [HIDDEN], "value: expected map, got list"),
    (list[Login], [{"word": [HIDDEN]}], "value[0].word: expected string, got list"),
    (list[Login], HIDDEN, "value: expected list, got string"),
    (dict[str, Login], {"a": HIDDEN}, "value.a: expected map, got string"),
    (Plain, {"word": [HIDDEN], "count": 1}, "value.word: expected string, got list"),
    (tuple[int, Login], [1, HIDDEN], "value[1]: expected map, got string"),
]


def errors_of(hint: Any, sent: Any) -> Any:
    def take(value):  # type: ignore[no-untyped-def]
        raise AssertionError("it is not called")

    take.__annotations__ = {"value": hint, "return": None}
    return tool(take).call({"value": sent})


@pytest.mark.parametrize(("hint", "sent", "error"), SENT, ids=str)
def test_a_value_of_a_wrong_kind_for_a_secret_is_in_no_message(hint, sent, error):
    outcome = errors_of(hint, sent)
    answer = contract(hint).read(sent if isinstance(sent, dict | list) else f'"{sent}"')

    assert [error] == [str(each) for each in outcome.errors]
    for found in (outcome, answer):
        assert found.errors
        assert HIDDEN not in repr(found)
        assert HIDDEN not in "".join(f"{each.got}{each.hint}" for each in found.errors)


def test_a_wrong_value_beside_a_secret_may_be_the_secret() -> None:
    assert ["value.count: expected int, got string"] == [
        str(error) for error in errors_of(Login, {"word": "a", "count": HIDDEN}).errors
    ]


def test_a_secret_in_the_answer_of_a_function_is_in_no_message():
    def give() -> pydantic.SecretStr:
        raise AssertionError("it is not called")

    for found in (contract(give), contract(tool(give)), contract(give, mode="strict")):
        (error,) = found.read([HIDDEN]).errors
        assert "expected string, got list" == str(error)


def test_a_secret_that_fits_is_not_shown_by_rich_and_notebooks():
    found = contract(list[Login]).read([{"word": HIDDEN, "count": "3"}])

    assert HIDDEN == found.value[0]["word"]
    assert HIDDEN not in repr(found)
    assert HIDDEN not in repr(list(found.__rich_repr__()))
    assert HIDDEN not in found._repr_html_()
    assert '[{"word": "<Secret>", "count": 3}]' == repr(next(iter(found.__rich_repr__())))
    assert repr(found).startswith('Outcome([{"word": "<Secret>", "count": 3}], warnings=')


#: Schemas, and the names of what they say is a secret.
SCHEMAS: list[tuple[Any, set[str]]] = [
    ({"type": "string", "format": "password"}, {""}),
    ({"properties": {"a": {"writeOnly": True}, "b": {"writeOnly": False}, "c": True}}, {"a"}),
    ({"properties": {"a": {"items": [{"format": "password"}]}}}, {"a"}),
    ({"properties": {"a": {"anyOf": [{"type": "null"}, {"format": "password"}]}}}, {"a"}),
    ({"properties": {"a": {"properties": {"b": {"format": "password"}}}}}, {"b"}),
    ({"properties": {"a": {"default": {"format": "password"}}, "format": {}}}, set()),
    ({"enum": [{"writeOnly": True}], "properties": {"properties": {}}}, set()),
    (
        {
            "properties": {"a": {"$ref": "#/$defs/A"}, "c": {"$ref": "#/definitions/C"}},
            "$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": {"writeOnly": True}},
            "definitions": {"C": {"type": "string"}},
        },
        {"a"},
    ),
    (
        {
            "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {
                "A": {"properties": {"k": {"$ref": "#/$defs/A"}, "s": {"$ref": "#/$defs/S"}}},
                "S": {"format": "password"},
            },
        },
        {"s"},
    ),
    (True, set()),
]


@pytest.mark.parametrize(("schema", "names"), SCHEMAS)
def test_what_a_schema_says_is_a_secret(schema, names):
    assert names == find_secret_names(schema)
    assert names == typesig.from_json_schema(schema, lossy=True).secrets


def test_a_walk_of_a_schema_takes_time_in_proportion_to_its_size():
    def shared(size):
        whole: Any = {"format": "password"}
        for _ in range(size):
            whole = {"anyOf": [whole, whole, {"$ref": "#/$defs/A"}], "$defs": {"A": whole}}
        return whole

    assert_growth(shared, find_secret_names, (20, 80, 320))


USER = {
    "type": "object",
    "properties": {
        "pin": {"type": "string", "writeOnly": True, "minLength": 8},
        "word": {"type": "string", "format": "password"},
        "n": {"type": "integer"},
    },
    "required": ["pin", "word", "n"],
}


def sent_to(signature):
    """Yield the outcomes of what is sent to *signature* with secrets, right and wrong."""

    @tool(signature)
    def take(pin, word, n):
        return {"pin": [HIDDEN], "word": pin, "n": 1}

    right, wrong = {"pin": HIDDEN * 2, "word": HIDDEN}, {"pin": HIDDEN, "word": [HIDDEN], "n": "x"}
    for value in ({**right, "n": 1}, right, wrong, {"pin": 1, "wrd": HIDDEN}, [HIDDEN], HIDDEN):
        yield signature.validate_input(value)
        yield signature.validate_output(value)
        yield signature.validate_and_coerce(value, "warn_only")
        yield signature.validate_and_coerce(value, "disabled")
        yield contract(signature).read(value)
        yield pickle.loads(pickle.dumps(contract(signature, mode="strict"))).read(value)
        yield take.call(value)
    yield coerce({**right, "n": 1}, signature)
    yield coerce(wrong, signature)


def test_values_of_secrets_of_a_schema_are_in_no_message():
    signature = typesig.from_json_schema(USER, USER)
    found = list(sent_to(signature))

    assert {"input", "output", "answer"} == {each.stage for each in found}
    for outcome in found:
        assert HIDDEN not in outcome.report() + outcome.feedback() + repr(outcome)
        assert HIDDEN not in outcome._repr_html_() + repr(list(outcome.__rich_repr__()))
        assert HIDDEN not in repr(outcome.errors + outcome.warnings)


def test_the_signature_of_a_function_knows_the_secrets_of_its_hints():
    def take(login: Login, count: int) -> pydantic.SecretStr:
        raise AssertionError("it is not called")

    signature = extract(take).signature
    assert signature is not None

    assert {"word", "key", ""} == signature.secrets
    wrong = signature.validate_input({"login": {"word": [HIDDEN]}, "count": "x"})
    assert ["login.word: expected string, got list", "count: expected int, got string"] == [
        str(error) for error in wrong.errors
    ]
    assert HIDDEN not in wrong.feedback()
    assert HIDDEN not in repr(signature.validate_output(HIDDEN))
    assert HIDDEN not in signature.validate_output([HIDDEN]).report()


def test_a_result_that_is_a_secret_itself_is_in_no_message():
    signature = typesig.from_json_schema({}, {"type": "string", "writeOnly": True})

    @tool(signature)
    def give():
        return [HIDDEN]

    for found in (give.call(), contract(give).read([HIDDEN]), signature.validate_output([HIDDEN])):
        assert ["expected string, got list"] == [str(error) for error in found.errors]
    assert "x: expected int, got string" not in signature.validate_input({"x": 1}).report()


def test_secrets_stay_when_a_signature_is_changed():
    signature = typesig.from_json_schema(USER, USER)

    assert {"pin", "word"} == signature.secrets
    assert signature.secrets == pickle.loads(pickle.dumps(signature)).secrets
    assert signature == typesig.parse(str(signature))
    assert not typesig.parse(str(signature)).secrets
    assert signature.secrets == map_types(signature, lambda t: List(t)).secrets


def test_a_contract_with_a_mode_keeps_secrets_and_other_names_also_when_pickled():
    found = pickle.loads(pickle.dumps(contract(contract(Renamed), mode="strict")))

    assert found.read({"code": "a"}).ok
    (error,) = found.read({"pin": [HIDDEN]}).errors
    assert "pin: expected string, got list" == str(error)


def test_what_refused_a_secret_is_told_without_the_value():
    nested = List(Tuple((INT,), record([make_field("word", STRING)])))
    issue = Issue("host", ("word",), "", "it is too short", f'got string "{HIDDEN}"')

    (found,) = hide_private_values([issue], nested, {}, {"word"})

    assert "word: it is too short" == str(found)


def test_undeclared_keys_of_a_record_with_typed_extras_can_have_secrets():
    inner = make_type_signature(INT).returns
    issue = Issue("type", ("other",), "int", f'string "{HIDDEN}"')
    whole = Record((), Record((), inner))

    (found,) = hide_private_values([issue], whole, {}, {"word"})
    assert "other: expected int, got string" == str(found)


def test_a_type_that_refers_to_itself_is_searched_once():
    tree = Union((List(Ref("Tree")), MapOf(STRING, Ref("Tree")), INT))
    issue = Issue("type", (0, "a"), "int", 'string "b"')

    assert [issue] == hide_private_values([issue], Ref("Tree"), {"Tree": tree}, {"word"})
    assert [issue] == hide_private_values([issue], Ref("Tree"), {"Tree": tree}, set())


@LAW
@given(st.data())
def test_a_secret_at_any_place_of_what_was_sent_is_in_no_message(data):
    right = {
        "login": {"word": "w", "count": 1},
        "logins": [{"word": "v"}],
        "pair": [1, {"word": "u"}],
    }
    value = data.draw(near_misses(right))
    spots = [path for path, part in places(value) if part in ("w", "v", "u") and path]
    for path in spots:
        value = replaced(value, path, data.draw(st.sampled_from([HIDDEN, [HIDDEN], {HIDDEN: 1}])))
    for found in (contract(Whole).read(value), contract(Whole).read(value, "strict")):
        shown = found.report() + found.feedback() + found._repr_html_()

        assert HIDDEN not in shown + repr(found) + repr(list(found.__rich_repr__()))
