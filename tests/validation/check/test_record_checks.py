"""Undeclared keys and thrown-away branches: what is told of them, and that many take little."""

from __future__ import annotations

from typing import Any

import pytest

import typesig
from typesig.algebra.nodes import INT, Field
from typesig.validation.check_state import CheckState, Finding
from typesig.validation.keys import KeyPlan
from typesig.validation.plain_data import to_plain
from typesig.validation.policy import ENABLED, MODES
from typesig.validation.verdicts import build_text_check

PLAN = KeyPlan((Field("id", INT), Field("max_rows", INT), Field("_own", INT)), near=True)


@pytest.mark.parametrize(
    ("keys", "near"),
    [
        ([], []),
        (["a", "b"], []),
        (["maxRows", "a", "ID"], ["maxRows", "ID"]),
        # A line break within a key does not make two of it.
        (["a\nid", "max rows"], ["max rows"]),
        (["a\nb"], []),
    ],
)
def test_near_keys_are_found_at_once(keys: list[str], near: list[str]) -> None:
    assert near == PLAN.find_near_keys(keys)


@pytest.mark.parametrize(
    ("sent", "made"),
    [
        ({"id": 1, "other": 2}, {"id": 1, "other": 2}),
        ({"id": 1, "max-rows": 2}, {"id": 1, "max_rows": 2}),
        ({"ID": 1, "maxRows": 2}, {"id": 1, "max_rows": 2}),
        (
            {"id": 1, "max_rows": 2, "_own": 3, "Id": 4},
            {"id": 1, "max_rows": 2, "_own": 3, "Id": 4},
        ),
        ({"id": 1, 5: 2}, {"id": 1, 5: 2}),
        ({"id": 1, "a\nb": 2}, {"id": 1, "a\nb": 2}),
    ],
)
def test_keys_stand_for_absent_names(sent: dict[Any, Any], made: dict[Any, Any]) -> None:
    assert made == PLAN.rename_keys(sent)[0]


RECORD = "{id :int, name? :string}"
MANY = {f"key_{n}": n for n in range(3000)}


def test_errors_of_many_undeclared_keys_are_counted() -> None:
    found = typesig.parse(f"() -> {RECORD}!").validate_output({"id": 1, **MANY})

    assert [1000, 2000] == [len(found.errors), found.unseen]
    assert "key_0: unexpected key" == str(found.errors[0])


def test_warnings_of_many_dropped_keys_are_counted() -> None:
    signature = typesig.parse("(id :int, name :string?) -> :int")
    found = signature.validate_input({"id": 1, **MANY}, MODES["enabled"].changed(extras="drop"))

    assert {"id": 1} == {key: value for key, value in found.value.items() if value is not None}
    assert [1000, 2000] == [len(found.warnings), found.unseen]


def test_a_key_that_is_no_text_is_told_among_many() -> None:
    found = typesig.parse(f"() -> {RECORD}").validate_output({"id": 1, 5: 2, "other": 3})

    assert ["keys are string, got int 5"] == [str(error) for error in found.errors]


def test_a_key_that_is_near_to_a_given_name_is_told() -> None:
    found = typesig.parse("(id :int, name :string?) -> :int").validate_input(
        {"id": 1, "name": "a", "Name": "b", "other": 1}, MODES["enabled"].changed(extras="keep")
    )

    assert "Name: unexpected key kept (did you mean name?)" in [
        str(each) for each in found.warnings
    ]


def test_a_finding_writes_what_it_found_when_it_is_read() -> None:
    value = [1, 2]
    run = CheckState(10)
    run.add_error("type", "int", value)
    run.add_error("type", "int", value)
    run.add_error("type", "int", [1, 2])
    run.add_error("type", "int", [3])
    run.drop_repeated(0, 1)

    assert ["list [1, 2]", "list [3]"] == [found.got for found in run.found]
    assert "list [1, 2]" == run.found[0].copy().got
    assert "x" == Finding("json", got="x").got


def test_a_value_that_changes_after_the_check_is_told_as_it_was() -> None:
    value = [1, 2]
    found = typesig.parse("() -> :string | {id :int}").validate_output(value)
    value.clear()

    assert "[1, 2]" in found.report()


NODE = {
    "$defs": {
        "node": {
            "allOf": [
                {
                    "type": "object",
                    "properties": {"value": {"type": "integer"}, "left": {"$ref": "#/$defs/node"}},
                    "required": ["value"],
                },
                {"type": "object", "properties": {"w": {"type": "number"}}},
            ],
            "unevaluatedProperties": False,
        }
    },
    "$ref": "#/$defs/node",
}


def test_coerced_text_in_intersections_within_each_other() -> None:
    asked: Any = typesig.contract(typesig.from_json_schema(NODE))
    tree: dict[str, Any] = {"value": "1", "w": "1.5"}
    for n in range(30):
        tree = {"value": f"{n}", "w": "2.5", "left": tree}

    outcome = asked.read(tree)
    assert (29, 2.5) == (outcome.value["value"], outcome.value["w"])
    assert 62 == len(outcome.warnings)
    assert not asked.read({**tree, "other": 1}).ok
    assert not asked.read({**tree, "w": "x"}).ok


def test_what_one_member_coerces_and_another_refuses_is_an_error() -> None:
    found = typesig.parse("() -> :int & :string").validate_output("1", "lenient")

    assert not found.ok
    assert found.errors


@pytest.mark.parametrize(
    ("value", "made"),
    [
        ({"a": [{"b": {1, 2}}], "c": 1}, {"a": [{"b": [1, 2]}], "c": 1}),
        ({"a": {1}, "b": {2}}, {"a": [1], "b": [2]}),
        ({1: "a"}, {"1": "a"}),
    ],
)
def test_data_is_made_plain(value: Any, made: Any) -> None:
    assert made == to_plain(value)
    assert to_plain(made) is made


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (b'{"id": 1, "name": "a"}\r\n', True),
        (b'{"id": 1}', True),
        (b'{"id": 1, "other": 2}', False),
        (b'{"id": 1, "id": 1}', False),
        (b'{"id": "1"}', False),
        (b'{"name": "a"}', False),
        (b'{"id": 1} {"id": 2}', False),
        (b'{"id": 1, "name": "\xff"}', False),
    ],
)
@pytest.mark.generated
def test_texts_that_fit_are_known(text: bytes, fits: bool) -> None:
    result = build_text_check(typesig.parse(f"() -> {RECORD}"), ENABLED, False, False)
    named = build_text_check(typesig.parse("(id :int, name? :string) -> :int"), ENABLED, True, True)
    for test in (result, named):
        answers = [test(text) for _ in range(4)]
        assert fits is answers[-1]


def test_nothing_is_known_of_texts_of_other_types() -> None:
    for signature in ("() -> :any", "() -> [:map]"):
        assert not build_text_check(typesig.parse(signature), ENABLED, False, False)(b"[{}]")
    skipping = ENABLED.changed(on_issue="skip")
    assert not build_text_check(typesig.parse("() -> :int"), skipping, False, False)(b"1")
