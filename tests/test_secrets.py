"""Values of secret types are in no message, also if they are of a wrong kind."""

from __future__ import annotations

import pickle
from typing import Any, TypedDict

import pydantic
import pytest

from typesig import contract, tool
from typesig.algebra.nodes import INT, STRING, List, MapOf, Record, Ref, Tuple, Union
from typesig.algebra.signature import lone
from typesig.validation.secrets import without_secrets
from typesig.validation.issues import Issue

HIDDEN = "hunter"


class Login(pydantic.BaseModel):
    word: pydantic.SecretStr
    key: pydantic.SecretBytes = pydantic.SecretBytes(b"a")
    count: int = 0


class Plain(TypedDict):
    word: pydantic.SecretStr
    count: int


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


def test_a_value_beside_a_secret_is_shown():
    assert ['value.count: expected int, got string "x"'] == [
        str(error) for error in errors_of(Login, {"word": "a", "count": "x"}).errors
    ]
    assert ["value: expected a", 'got "b"'] == [
        text
        for issue in without_secrets([Issue("host", ("value",), "", "expected a", 'got "b"')], INT, {}, {"word"})
        for text in (str(issue).partition(" (")[0], issue.hint)
    ]  # fmt: skip


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


def test_a_contract_with_a_mode_keeps_secrets_and_other_names_also_when_pickled():
    found = pickle.loads(pickle.dumps(contract(contract(Renamed), mode="strict")))

    assert found.read({"code": "a"}).ok
    (error,) = found.read({"pin": [HIDDEN]}).errors
    assert "pin: expected string, got list" == str(error)


def test_what_refused_a_secret_is_told_without_the_value():
    nested = List(Tuple((INT,), INT))
    issue = Issue("host", ("word",), "", "it is too short", f'got string "{HIDDEN}"')

    (found,) = without_secrets([issue], nested, {}, {"word"})

    assert "word: it is too short" == str(found)


def test_undeclared_keys_of_a_record_with_typed_extras_can_have_secrets():
    inner = lone(INT).returns
    issue = Issue("type", ("other",), "int", f'string "{HIDDEN}"')
    record = Record((), Record((), inner))

    assert [issue] == without_secrets([issue], record, {}, {"word"})


def test_a_type_that_refers_to_itself_is_searched_once():
    tree = Union((List(Ref("Tree")), MapOf(STRING, Ref("Tree")), INT))
    issue = Issue("type", (0, "a"), "int", 'string "b"')

    assert [issue] == without_secrets([issue], Ref("Tree"), {"Tree": tree}, {"word"})
    assert [issue] == without_secrets([issue], Ref("Tree"), {"Tree": tree}, set())
