"""Defaults fit their types: where they are read, where they are made, and where they are filled in."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from decimal import Decimal

import pytest

import typesig
from typesig import TypesigError
from typesig.algebra import Keyword
from typesig.algebra.nodes import ANY, STRING, Field
from typesig.algebra.rows.frozen import DEFAULTS
from typesig.algebra.rows.values import to_const
from typesig.algebra.signature import Signature
from typesig.errors import SignatureSyntaxError
from typesig.validation.verdicts import find_default_error

UNFIT = [
    # a signature, the column and the width of the mistake, the field, what a check finds
    ("(q :string = nil) -> :int", 14, 3, "q", "expected string, got nil"),
    ("(q :int[1..] = 0) -> :int", 16, 1, "q", "expected int[1..], got int 0"),
    ('(q :enum["a" "b"] = "c") -> :int', 21, 3, "q", 'expected one of ["a", "b"], got "c"'),
    ('() -> {a {b :int = "x"}}', 20, 3, "b", 'expected int, got string "x"'),
    ("(q [:int] = [true]) -> :int", 14, 4, "q", "[0]: expected int, got bool true"),
    ("(q #{:int} = [1, 1]) -> :int", 15, 1, "q", "expected unique items, got list [1, 1]"),
    ('(q :datetime = "2026-01-31") -> :int', 16, 12, "q",
     'expected datetime, got string "2026-01-31" (write it as 2026-01-31THH:MM:SSZ)'),
    ("(q :int = []) -> :int", 2, 1, "q", "expected int, got list []"),
    ('(q {a :int}! = {"a": 1, "b": 2}) -> :int', 17, 3, "q", "b: unexpected key"),
    ('(q :T = {"n": "x"}) -> :int where T = {n :int}', 10, 3, "q",
     'n: expected int, got string "x"'),
    ("() -> :T where T = {next :T = 1}", 31, 1, "next", "expected map, got int 1"),
    ('() -> {a1 :any = "x", /^a/ :int}', 18, 3, "a1", 'expected int, got string "x"'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "column", "width", "name", "why"), UNFIT)
def test_a_default_that_does_not_fit_its_type_is_a_mistake_in_a_text(
    text: str, column: int, width: int, name: str, why: str
) -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse(text)
    error = caught.value
    message = f"the default of {name} does not fit its type: {why}; correct it, or leave it out"

    assert (1, column, width, message) == (error.line, error.column, error.width, error.message)


FITTING = [
    # a signature, and what is filled in
    ('(q :datetime = "2026-01-31T10:00:00Z", k :keyword = "a") -> :any', {"k": Keyword("a")}),
    ("(q #{:int} = [1, 2]) -> :any", {"q": {1, 2}}),
    ("(q :float = 1) -> :any", {}),
    ('(q {a :int} = {"a": 1, "other": true}) -> :any', {"q": {"a": 1, "other": True}}),
    ('(q :T = {"n": {}}) -> :any where T = {n :T?}', {"q": {"n": {}}}),
    ('() -> {a1 :any = "x", /^b/ :int}', {}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "filled"), FITTING)
def test_json_spells_a_default_as_it_spells_an_argument(
    text: str, filled: dict[str, object]
) -> None:
    s = typesig.parse(text)
    found = s.validate_input({}, "strict")

    assert "" == found.report()
    assert filled.items() <= found.result.items()
    assert s == typesig.parse(str(s))


def test_a_signature_refuses_a_default_that_does_not_fit() -> None:
    with pytest.raises(TypesigError) as caught:
        Signature([Field("q", STRING, default=to_const(None))], ANY)

    assert (
        "the default of q does not fit its type: expected string, got nil; "
        "correct it, or leave it out" == str(caught.value)
    )


def test_the_default_of_a_foreign_schema_is_left_out_with_a_loss() -> None:
    schema = {"properties": {"q": {"type": "string", "default": None}}}
    s = typesig.from_json_schema(schema, {})

    assert "(q? :string) -> :any" == str(s)
    assert s.validate_input({}).ok
    losses = typesig.parse({"input": schema, "output": True}, "json_schema").losses
    assert [
        "input.properties.q.default: the default of q: it does not fit: expected string, got nil; "
        "became nothing"
    ] == [str(loss) for loss in losses]


def test_a_default_within_the_default_of_a_foreign_schema_is_left_out_first() -> None:
    inner = {"type": "object", "properties": {"n": {"type": "integer", "default": "x"}}}
    schema = {"type": "object", "properties": {"q": {**inner, "default": {}}}}

    found = typesig.parse(schema, "json_schema")
    losses = found.losses

    assert "() -> {q {n? :int} = {}}" == str(found)
    assert [("properties", "q", "properties", "n", "default")] == [loss.path for loss in losses]


@dataclass
class Node:
    weight: int = field(default="heavy")  # type: ignore[arg-type]
    next: Node | None = None


def test_a_default_in_a_type_that_refers_to_itself_is_left_out_with_a_warning() -> None:
    def walk(node: Node, price: Decimal = 5) -> int:  # type: ignore[assignment]
        return 1

    found = typesig.extract(walk, recursive=True)

    assert (
        '(node :Node, price :string[decimal] = "5") -> :int '
        "where Node = {weight? :int, next :Node?}" == str(found.signature)
    )
    assert ["the default is not shown: it does not fit the hint"] == [
        warning.reason for warning in found.warnings
    ]


@dataclass
class Tree:
    child: Tree | int = field(default="none")  # type: ignore[arg-type]


def test_a_default_of_a_type_that_is_still_being_read_is_checked_by_the_signature() -> None:
    def walk(tree: Tree) -> int:
        return 1

    found = typesig.extract(walk, recursive=True)

    assert "(tree :Tree) -> :int where Tree = {child? :Tree|:int}" == str(found.signature)
    assert ["the default is not shown: it does not fit the hint"] == [
        warning.reason for warning in found.warnings
    ]
    assert "{child? :Tree|:int}" in str(typesig.contract(Tree, recursive=True).signature)


def test_a_default_of_many_levels_is_filled_in() -> None:
    names = [f"L{n}" for n in range(8)]
    parts = [f"{a} = {{x :{b} = {{}}, y :{b} = {{}}}}" for a, b in itertools.pairwise(names)]
    found = typesig.parse(f"(l :L0 = {{}}) -> :any where {', '.join(parts)}, L7 = {{z :int = 1}}")
    value = found.validate_input({}).value["l"]

    for _ in range(7):
        value = value["y"]
    assert {"z": 1} == value


BOUNDED = [":int[1..]", ":int[..5]", ":int[>1, <5]", ":float[0.5..2]", ":float[>1]", ":string[1..3]",
           ":string[..2]?", ":int[1..5, %2]", ":string[/a/]", ":string[email, 1..]", ":any[2..3]", ":keyword[1..]",
           ':bool|:int[1..]', ':enum["ab"][1..]', "[:int][1..]", ":nil|:string[2..]"]  # fmt: skip


@pytest.mark.parametrize("text", BOUNDED)
@pytest.mark.parametrize(
    "value", [0, 1, 2, 5, 6, 1.0, 1.5, -0.5, 2**70, "", "a", "ab", "abcd", "a@b.c", True, None, [1], [], Keyword("ab")]
)  # fmt: skip
def test_a_default_that_is_seen_to_fit_without_a_check_has_no_flaw(
    text: str, value: object
) -> None:
    t = typesig.parse(text).returns
    made = Field("q", t, default=to_const(value))
    seen = made.default is not None and not made.flags & DEFAULTS

    assert not seen or "" == find_default_error(t, to_const(value), ())
    if seen:
        assert Signature([made], ANY).params == (made,)


@pytest.mark.parametrize(
    ("text", "value"), [(":int[1..]", 1), (":string[1..3]?", "ab"), (":float[>1, <=2]", 2), (":any[2..3]", 2)]
)  # fmt: skip
def test_a_bound_of_a_default_needs_no_check(text: str, value: object) -> None:
    made = Field("q", typesig.parse(text).returns, default=to_const(value))

    assert not made.flags & DEFAULTS
