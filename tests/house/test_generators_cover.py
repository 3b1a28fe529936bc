"""What the generators make, counted: a law does not test what is never generated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import get_args

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st

from tests.generators import (
    FORMATTED,
    LAW,
    MISSES,
    conforming,
    fields,
    fields_of,
    fits,
    hostile,
    near_misses,
    other_spelling,
    parts_of,
    places,
    signatures,
)
from typesig.algebra.nodes import (
    ANY,
    SHAPES,
    Annotation,
    Enum,
    Field,
    Record,
    Ref,
    Refinement,
    Scalar,
)
from typesig.algebra.rows.constraints import CONSTRAINTS
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.scalars import SCALARS
from typesig.algebra.rows.values import KINDS, ConstKind, Kind, get_kind
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import find_references

#: They try what other tests are made of.
pytestmark = pytest.mark.once

#: Examples are counted in parts, until all that is wanted was seen.
COUNTING = settings(LAW, max_examples=100, phases=[Phase.generate])
PARTS = 10

WANTED = {
    *(f"shape {shape.__name__}" for shape in SHAPES),
    *(f"scalar {name}" for name in SCALARS),
    *(f"constraint {name}" for name in CONSTRAINTS),
    *(f"format {name}" for name in FORMATS),
    *(f"default {kind}" for kind in get_args(ConstKind)),
    *(f"enum {kind}" for kind in get_args(ConstKind)),
    *(f"record {extra}" for extra in ("open", "closed", "typed")),
    *(f"params {extra}" for extra in ("open", "closed", "typed")),
    *(f"name {way}" for way in ("exact", "empty", "blank", "newline", "unicode", "underscore")),
    *(f"name {way}" for way in ("hyphen", "folding", "firewalled", "digit", "both exact and not")),
    *("field required", "field that may be absent", "param with default", "description", "title"),
    *("definition", "recursion", "mutual recursion", "type with a reserved name", "odd type name"),
}

WANTED_VALUES = {
    *(f"kind {kind}" for kind in get_args(Kind)),
    *(f"miss {way}" for way in ("folded", "doubled", "quoted", "null", "accepted", "refused")),
    *(f"hostile {way}" for way in ("nan", "huge int", "deep", "odd key", "odd class", "long")),
}


def not_seen(wanted: set[str], seen: Counter[str], *counting: Callable[[], object]) -> list[str]:
    """Return what *counting*, tests that count examples in *seen*, does not see of *wanted*."""
    for number in range(PARTS):
        for count in counting:
            seed(number)(count)()
        if wanted <= set(+seen):
            break
    return sorted(wanted - set(+seen))


def _extra(record: Record | Signature) -> str:
    return {ANY: "open", None: "closed"}.get(record.extra, "typed")


def _of_field(field: Field, seen: Counter[str]) -> None:
    seen["field required" if field.required else "field that may be absent"] += 1
    if field.default is not None:
        seen[f"default {field.default.kind}"] += 1
    name = field.name
    seen["name exact"] += field.exact
    seen["name firewalled"] += field.firewalled
    seen["name folding"] += not field.exact and "_" in name
    seen["name hyphen"] += not field.exact and "-" in name
    seen["name empty"] += name == ""
    seen["name blank"] += " " in name
    seen["name newline"] += "\n" in name
    seen["name unicode"] += not name.isascii()
    seen["name underscore"] += field.exact and name.startswith("_")
    seen["name digit"] += name[:1].isdigit()


def _of_signature(s: Signature, seen: Counter[str]) -> None:
    seen[f"params {_extra(s)}"] += 1
    seen["param with default"] += any(f.default is not None for f in s.params)
    for field in fields_of(s):
        _of_field(field, seen)
    for part in parts_of(s):
        seen[f"shape {type(part).__name__}"] += 1
        match part:
            case Scalar(name):
                seen[f"scalar {name}"] += 1
            case Enum(values):
                seen.update(f"enum {value.kind}" for value in values)
            case Record(fields):
                seen[f"record {_extra(part)}"] += 1
                keys = [f.key for f in fields]
                seen["name both exact and not"] += len(set(keys)) < len(keys) or any(
                    f.exact and other_spelling(f.name) in keys for f in fields
                )
            case Refinement(_, limits):
                seen.update(f"constraint {limit.name}" for limit in limits)
                seen.update(f"format {c.argument.value}" for c in limits if c.name == "format")
            case Annotation(_, text, title):
                seen["description"] += text is not None
                seen["title"] += title is not None
            case Ref(name):
                seen["type with a reserved name"] += name in SCALARS
                seen["odd type name"] += not name.isidentifier()
    names = s.names
    seen["definition"] += bool(names)
    for name, t in names.items():
        seen["recursion"] += name in find_references(t)
        seen["mutual recursion"] += any(
            other != name and name in find_references(names[other]) for other in find_references(t)
        )


def test_every_shape_and_row_is_generated():
    seen: Counter[str] = Counter()

    @COUNTING
    @given(signatures(titled=True))
    def count(s: Signature) -> None:
        _of_signature(s, seen)

    @COUNTING
    @given(signatures(1), fields((), 0))
    def count_small(s: Signature, some: tuple[Field, ...]) -> None:
        _of_signature(s, seen)
        for field in some:
            _of_field(field, seen)

    assert [] == not_seen(WANTED, seen, count, count_small)


def _level(value: object) -> int:
    depth = 0
    while isinstance(value, (list, dict)) and value and depth < 200:
        value = next(iter(value.values() if isinstance(value, dict) else value))
        depth += 1
    return depth


def test_every_kind_of_value_is_generated():
    seen: Counter[str] = Counter()

    @COUNTING
    @given(st.data())
    def count(data: st.DataObject) -> None:
        s = data.draw(signatures(1))
        value = data.draw(conforming(s.arguments, s.names))
        seen.update(f"kind {get_kind(part)}" for _, part in places(value))
        missed = data.draw(near_misses(value, 1))
        ok = s.validate_input(missed).ok
        seen["miss accepted" if ok else "miss refused"] += 1
        names = {f.name for f in s.params}
        if isinstance(missed, dict):
            seen["miss folded"] += bool(missed.keys() - value.keys()) and len(missed) == len(value)
            seen["miss doubled"] += any(
                key in missed and other_spelling(key) in missed
                for key in names
                if other_spelling(key) != key
            )
            seen["miss quoted"] += any(
                get_kind(value.get(key)) in ("int", "float", "bool") and get_kind(item) == "string"
                for key, item in missed.items()
            )
            seen["miss null"] += None in missed.values() and None not in value.values()

    @COUNTING
    @given(hostile())
    def count_hostile(value: object) -> None:
        kind = get_kind(value)
        seen[f"kind {kind}"] += 1
        seen["hostile nan"] += kind == "float" and value != value
        seen["hostile huge int"] += kind == "int" and value > 10**400
        seen["hostile long"] += kind == "string" and len(value) > 1_000
        seen["hostile deep"] += _level(value) > 128
        seen["hostile odd key"] += kind == "map" and any(type(key) is not str for key in value)
        seen["hostile odd class"] += kind not in ("object", "datetime") and type(value) not in KINDS

    assert [] == not_seen(WANTED_VALUES, seen, count, count_hostile)


def test_every_format_has_texts_that_conform():
    assert FORMATS.keys() == FORMATTED.keys()
    assert all(FORMATS[name](text) for name, known in FORMATTED.items() for text in known)


def test_every_change_applies_to_kinds_that_exist():
    assert all(kinds <= {*get_args(Kind)} for kinds, _ in MISSES.values())


@LAW
@given(st.data())
def test_a_conforming_value_fits(data):
    s = data.draw(signatures())
    value = data.draw(conforming(s.arguments, s.names))

    assert fits(s.arguments, value, s.names)
