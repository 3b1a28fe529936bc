"""Messages in the shape of the value: exact forms, and the law that no message is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, near_misses, valued
from typesig import Issue, Outcome
from typesig.limits import MAX_PADDED
from typesig.validation.issues.excerpt import FIREWALLED
from typesig.validation.issues.words import SIGNATURE
from typesig.validation.outcome.reports import OWN, build_tree

NAME = 'expected int, got string "x"'

ROWS = [
    # signature, value, tree
    (":int", 3, None),
    (":int", "x", [NAME]),
    ("{id :int}", {"id": "x"}, {"id": [NAME]}),
    ("{id :int}", {}, {"id": ["expected int, got nil (missing)"]}),
    ("{id :int}!", {"id": 1, "idd": 2}, {"idd": ["unexpected key (did you mean id?)"]}),
    ("[:int]", [1, "x", 3, "x", 5], [None, [NAME], None, [NAME]]),
    ("[[:int]]", [[1], [1, "x"]], [None, [None, [NAME]]]),
    ("{a {b [{c :int}]}}", {"a": {"b": [{"c": 1}, {"c": "x"}]}}, {"a": {"b": [None, {"c": [NAME]}]}}),
    ("[:int, :int]", [1], ["expected 2 items, got 1"]),
    ('{"a b" :int}', {"a b": "x"}, {"a b": [NAME]}),
    ("[:int][1..]", [], ["expected list[1..], got list []"]),
    (
        ":map[:int {a :int}]", {"x": {"a": "x"}, 2: {"a": "x"}},
        {"x": {OWN: ['keys are int, got string "x"'], "a": [NAME]}, "2": {"a": [NAME]}},
    ),
    (
        "{at {b :int}} & {at [:int][2..]}", {"at": {"b": "x"}},
        {"at": {"b": [NAME], OWN: ['expected list[2..], got map {"b": "x"}']}},
    ),
    ("{_token :int, id :int}", {"_token": "x", "id": 1}, {FIREWALLED: ["this value does not conform"]}),
    (
        "{_a :int, _b {c :int}, id :int}", {"_a": "x", "_b": {"c": "x"}, "id": "x"},
        {"id": [NAME], FIREWALLED: ["this value does not conform"] * 2},
    ),
    (
        "[{in {_a [:int]}}]", [{"in": {"_a": ["x"]}}],
        [{"in": {FIREWALLED: ["this value does not conform"]}}],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "tree"), ROWS)
def test_messages_have_the_shape_of_the_value(text: str, value: Any, tree: Any) -> None:
    assert tree == typesig.parse(text).validate_output(value).tree()


def test_a_tree_of_warnings_has_no_errors() -> None:
    out = typesig.parse("(n :int, rows [{at :bool}]) -> :any").validate_input(
        {"n": "1", "rows": [{"at": "true"}, {"at": 5}]}
    )

    assert {"rows": [None, {"at": ["expected bool, got int 5"]}]} == out.tree()
    assert {
        "n": ['coerced string "1" to int'],
        "rows": [{"at": ['coerced string "true" to bool']}],
    } == out.tree(warnings=True)


def test_a_warning_about_a_firewalled_value_does_not_show_it() -> None:
    out = typesig.parse("(_n :int) -> :any").validate_input({"_n": "12345"})

    assert {FIREWALLED: ["this value was changed"]} == out.tree(warnings=True)


def test_a_long_list_is_a_map_by_index() -> None:
    short = typesig.parse("[:int]").validate_output([0] * (MAX_PADDED - 1) + ["x"]).tree()
    long = typesig.parse("[:int]").validate_output(["x"] + [0] * (MAX_PADDED - 1) + ["x"]).tree()

    assert [None] * (MAX_PADDED - 1) + [[NAME]] == short
    assert {"0": [NAME], str(MAX_PADDED): [NAME]} == long


def test_the_messages_of_a_list_are_beside_those_of_its_items() -> None:
    made = Outcome(errors=[Issue("tool", ("a", 1), got="in"), Issue("tool", ("a",), got="own")])

    assert {"a": {"1": ["in"], OWN: ["own"]}} == made.tree()


def test_a_key_named_messages_shares_the_list_of_messages() -> None:
    paths: list[tuple[str, ...]] = [(OWN, "x"), (OWN,), (), (OWN, OWN)]
    made = build_tree([Issue("tool", path, got=f"{len(path)}") for path in paths], SIGNATURE)

    assert {OWN: {"x": ["2"], OWN: ["0", "1", "2"]}} == made


def test_a_very_long_path_causes_no_recursion_error() -> None:
    made = build_tree([Issue("tool", ("a",) * 50_000, got="deep")], SIGNATURE)

    assert ["a"] == list(made)


def found(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the path and the text of each message of *tree*, as a program would look for them."""
    if isinstance(tree, dict):
        for key, below in tree.items():
            yield from found(below, path if key == OWN else (*path, key))
    elif tree is not None:
        for index, below in enumerate(tree):
            if isinstance(below, str):
                yield path, below
            else:
                yield from found(below, (*path, str(index)))


@LAW
@given(valued(), st.data(), st.booleans())
def test_each_issue_is_in_the_tree_once_at_its_path(
    pair: Any, data: st.DataObject, inward: bool
) -> None:
    signature, value = pair
    bad = data.draw(near_misses(value))
    out = signature.validate_and_coerce(bad) if inward else signature.validate_output(bad)
    for issues, tree in ((out.errors, out.tree()), (out.warnings, out.tree(warnings=True))):
        expected = []
        for issue in issues:
            path = issue.path if issue.hidden < 0 else (*issue.path[: issue.hidden], FIREWALLED)
            expected.append((tuple(map(str, path)), issue.message))

        assert sorted(expected) == sorted(found(tree))
        assert tree == json.loads(json.dumps(tree))
