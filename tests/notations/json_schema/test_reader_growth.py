"""The work of reading a JSON Schema grows with its size, whatever its shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import typesig
from tests.growth import assert_growth
from typesig.errors import TooDeep
from typesig.notations.json_schema.writer import _kept


def conditions(size: int) -> Any:
    schema: Any = {"type": "integer"}
    for n in range(size):
        condition = {"properties": {f"p{n}": {"const": n}}}
        schema = {"if": condition, "then": {"required": [f"q{n}"]}, "else": schema}
    return schema


def web(size: int) -> Any:
    def refers_to(n: int) -> Any:
        each = {f"p{k}": {"$ref": f"#/$defs/D{(n * 7 + k) % size}"} for k in range(5)}
        return {"type": "object", "properties": each}

    return {"$ref": "#/$defs/D0", "$defs": {f"D{n}": refers_to(n) for n in range(size)}}


def chain(size: int) -> Any:
    links = {f"D{n}": {"items": {"$ref": f"#/$defs/D{n + 1}"}} for n in range(size)}
    return {"$ref": "#/$defs/D0", "$defs": {**links, f"D{size}": {}}}


def members(size: int) -> list[Any]:
    return [{"properties": {f"p{n}": {"type": "integer"}}} for n in range(size)]


def same_names(size: int) -> Any:
    groups = {f"G{n}": {"$defs": {"N": {"minimum": n}}} for n in range(size)}
    each = {f"p{n}": {"$ref": f"#/$defs/G{n}/$defs/N"} for n in range(size)}
    return {"properties": each, "$defs": groups}


def resources(size: int) -> Any:
    named = {f"D{n}": {"$id": f"https://a.example/{n}", "const": n} for n in range(size)}
    each = [{"$ref": f"https://a.example/x/../{n}"} for n in range(size)]
    return {"anyOf": each, "$defs": named}


def closed(depth: int, word: str, width: int = 2) -> Any:
    """Return a tree whose every schema evaluates what the branches below it leave."""
    schema: Any = {"properties": {f"p{depth}": {}}, "unevaluatedProperties": False}
    if depth:
        schema[word] = [closed(depth - 1, word, width) for _ in range(width)]
    return schema


#: Each shape, the sizes, and the power of the size that the work may grow with.
SHAPES: dict[str, tuple[Callable[[int], Any], tuple[int, ...], float]] = {
    "conditions within each other": (conditions, (10, 20, 40), 1.5),
    "a web of references": (web, (20, 60, 180), 1),
    "a chain of references": (chain, (40, 120, 360), 1),
    "definitions of one name": (same_names, (20, 60, 180), 1.5),
    "allOf": (lambda size: {"allOf": members(size)}, (50, 150, 450), 1.2),
    "oneOf": (lambda size: {"oneOf": members(size)}, (50, 150, 450), 1.2),
    "anyOf": (lambda size: {"anyOf": members(size)}, (50, 150, 450), 1.2),
    "unevaluatedProperties": (
        lambda size: {"allOf": members(size), "unevaluatedProperties": False},
        (25, 75, 225),
        1.5,
    ),
    "unevaluatedProperties along allOf": (lambda size: closed(size, "allOf", 1), (10, 20, 40), 1.5),
    "unevaluatedProperties along anyOf": (lambda size: closed(size, "anyOf", 1), (5, 10, 20), 1.5),
    "unevaluatedProperties in a tree": (
        # The sizes are the numbers of schemas.
        lambda size: closed(size.bit_length() - 2, "anyOf"),
        (31, 63, 127),
        1.5,
    ),
    "properties": (lambda size: {"allOf": [*members(1)], "properties": {f"p{n}": {} for n in range(size)}}, (50, 150, 450), 1.2),
    "enum": (lambda size: {"enum": [f"v{n}" for n in range(size)]}, (100, 400, 1600), 1),
    "prefixItems": (lambda size: {"prefixItems": [{}] * size, "minItems": size}, (50, 150, 450), 1.2),
    "identifiers": (resources, (20, 60, 180), 1.2),
    "required names beside patterns": (
        lambda size: {
            "patternProperties": {f"^p{n}": {} for n in range(5)},
            "required": [f"r{n}" for n in range(size)],
        },
        (20, 60, 180),
        1.2,
    ),
    "dots in an address": (lambda size: {"$id": "a/../" * size + "x"}, (50, 150, 450), 1),
}  # fmt: skip


@pytest.mark.once
@pytest.mark.parametrize(("make", "sizes", "power"), SHAPES.values(), ids=SHAPES)
def test_the_work_of_reading_a_schema_grows_with_its_size(make, sizes, power):
    assert_growth(make, lambda schema: typesig.parse(schema, "json_schema"), sizes, power)


@pytest.mark.once
def test_the_work_of_inlining_definitions_grows_with_their_number() -> None:
    def make(size: int) -> typesig.Signature:
        names = [f"T{n} = {{x :int, kids [:T{n}], y :T{(n + 1) % size}?}}" for n in range(size)]
        flat = [f"F{n} = {{x :T{n}}}" for n in range(size)]
        fields = ", ".join(f"f{n} :F{n}" for n in range(size))
        return typesig.parse(f"() -> {{{fields}}} where {', '.join(names + flat)}")

    def run(signature: typesig.Signature) -> None:
        _kept.cache_clear()
        assert "F0" not in signature.to_json_schema(inline=True)["$defs"]

    assert_growth(make, run, (40, 120, 360))


def test_a_chain_of_definitions_that_is_too_deep_to_be_inlined_is_refused() -> None:
    names = ", ".join(f"T{n} = {{x :int, y :T{n + 1}?}}" for n in range(2_000))
    signature = typesig.parse(f"() -> :T0 where {names}, T2000 = :int")

    with pytest.raises(TooDeep, match="a type may nest 128 levels"):
        signature.to_json_schema(inline=True)
