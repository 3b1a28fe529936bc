"""Each rule of the stand-ins refuses what it is there for, and only that."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.vendors import PROFILES, RULES, VENDORS, documents, openai, refusals, violations
from tests.vendors.cases import Row, definition
from tests.vendors.documents import Document, Place, TooLargeToJudge
from tests.vendors.patterns import parts
from tests.vendors.rows import ROWS

#: They try what other tests judge by.
pytestmark = pytest.mark.once


def ids(vendor: str, profile: str, definitions: list[Any]) -> set[str]:
    return {violation.rule.id for violation in violations(vendor, profile, definitions)}


def named(row: Row) -> str:
    return f"{row.rule.id}-{row.profile}"


@pytest.mark.parametrize(("vendor", "profile"), PROFILES)
def test_a_plain_definition_breaks_no_rule(vendor: str, profile: str) -> None:
    assert [] == violations(vendor, profile, [definition(vendor, profile)])


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_a_rule_refuses_its_cases_and_no_other_rule_does(row: Row) -> None:
    found = ids(row.vendor, row.profile, row.rejected)

    assert row.rule.id in found
    assert {row.rule.id} >= found - set(row.also)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_a_near_neighbour_breaks_no_rule(row: Row) -> None:
    assert [] == [str(each) for each in violations(row.vendor, row.profile, row.accepted)]


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_rule_has_cases_in_each_of_its_profiles(vendor: str) -> None:
    tested = {(row.rule.id, row.profile) for row in ROWS}
    wanted = {(rule.id, profile) for rule in VENDORS[vendor].RULES for profile in rule.profiles}

    assert set() == wanted - tested


def test_a_rule_has_one_row_a_source_and_a_date() -> None:
    counts = Counter(rule.id for module in VENDORS.values() for rule in module.RULES)

    assert {} == {rule: count for rule, count in counts.items() if count > 1}
    assert all(rule.source and rule.refuses and rule.profiles for rule in RULES.values())
    assert {"2026-02", "2026-11"} == {rule.date for rule in RULES.values()}


def test_soft_rules_refuse_no_request() -> None:
    long = [definition("openai", "chat", description="a" * 1025)]

    assert ["O-description"] == [each.rule.id for each in violations("openai", "chat", long)]
    assert [] == refusals("openai", "chat", long)


def test_a_violation_tells_its_rule_and_place() -> None:
    schema = {"type": "object", "properties": {"a/b": {"type": "array"}}}
    given = [definition("openai", "chat", schema)]

    assert ["O-items /0/function/parameters/properties/a~1b: an array without items"] == [
        str(each) for each in violations("openai", "chat", given)
    ]


@pytest.mark.parametrize(("vendor", "profile"), PROFILES)
@pytest.mark.parametrize("given", [None, 1, "a", [], {}, {"function": 1}, {"name": {}}])
def test_what_is_no_definition_is_refused_and_raises_nothing(
    vendor: str, profile: str, given: Any
) -> None:
    assert refusals(vendor, profile, [given, given])


@pytest.mark.parametrize(("vendor", "profile"), PROFILES)
@pytest.mark.parametrize(
    "schema",
    [
        True,
        [],
        {"type": "object", "properties": []},
        {"type": "object", "properties": {"a": {"anyOf": 1, "enum": 1, "required": 1}}},
        {"type": "object", "properties": {"a": {"type": {}, "items": [[]], "$ref": []}}},
        {"type": "object", "properties": {"a": {"pattern": 1, "format": [], "minItems": "x"}}},
        {"type": "object", "required": {}, "propertyOrdering": 1, "properties": {"": 1}},
    ],
)
def test_schemas_of_the_wrong_form_are_refused_and_raise_nothing(
    vendor: str, profile: str, schema: Any
) -> None:
    found = violations(vendor, profile, [definition(vendor, profile, schema)])

    # No interface like OpenAI's was seen to check more of a schema that is not strict.
    form = VENDORS[vendor].PROFILES[profile]
    assert found or (isinstance(form, openai.Profile) and not form.strict)


def test_deep_schemas_are_walked_without_recursion() -> None:
    schema: Any = {"type": "string"}
    for _ in range(5_000):
        schema = {"type": "array", "items": schema}
    schema = {"type": "object", "properties": {"a": schema}}

    assert [] == refusals("openai", "chat", [definition("openai", "chat", schema)])


def test_a_schema_that_is_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_NODES", 2)

    with pytest.raises(TooLargeToJudge):
        Document({"properties": {"a": {}, "b": {}}}, Place(None, 0))


def test_a_schema_within_itself_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_NODES", 1_000)
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    schema["properties"]["a"] = schema

    with pytest.raises(TooLargeToJudge):
        violations("openai", "chat", [definition("openai", "chat", schema)])


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("", []),
        ("a{2}[^]b](?:c)", []),
        (r"\bword\B", ["word boundary", "word boundary"]),
        (r"[\b]\\b", []),
        (r"(a)\1", ["back-reference"]),
        (r"(?<n>a)\k<n>(?P=n)", ["back-reference", "back-reference"]),
        ("(?=a)(?!b)(?<=c)(?<!d)", ["look-around"] * 4),
        (r"\(?=a)[(?=]", []),
        (r"[]](?=a)", ["look-around"]),
        (r"[^]](?=a)", ["look-around"]),
        ("[", []),
        ("\\", []),
    ],
)
def test_the_parts_of_a_pattern_that_engines_lack_are_found(pattern: str, found: list[str]) -> None:
    assert found == parts(pattern)


def test_references_are_resolved_in_the_document() -> None:
    schema = {
        "$id": "https://example.com/a",
        "$defs": {"a~b/c": {"$anchor": "here"}, "l": [{"x": 1}]},
    }
    document = Document(schema, Place(None, 0))
    inner = {"$anchor": "here"}

    assert inner == document.resolve("#/$defs/a~0b~1c")
    assert inner == document.resolve("#/%24defs/a~0b~1c")
    assert inner == document.resolve("#here")
    assert schema == document.resolve("#")
    assert schema == document.resolve("https://example.com/a")
    assert {"x": 1} == document.resolve("#/$defs/l/0")
    for lost in ("#there", "#/$defs/x", "#/$defs/l/1", "https://example.com/b", "#/$id/x", 1):
        assert document.resolve(lost) is documents.MISSING


@pytest.mark.parametrize(
    ("schema", "is_cyclic"),
    [
        ({"$ref": "#"}, True),
        ({"properties": {"a": {"items": {"$ref": "#"}}}}, True),
        (
            {
                "$ref": "#/$defs/A",
                "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
            },
            True,
        ),
        ({"$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}}, True),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {}}}, False),
        ({"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}], "$defs": {"A": {}}}, False),
        ({"properties": {"a": True, "b": True}}, False),
        ({"properties": {"a": {"$ref": "#/x/y"}}}, False),
        ({"properties": {"a": {"const": {"$ref": "#"}}}}, False),
        ({"properties": {"$ref": {"type": "string"}}}, False),
    ],
)
def test_cycles_of_references_are_found(schema: Any, is_cyclic: bool) -> None:
    assert is_cyclic is (Document(schema, Place(None, 0)).cycle() is not None)
