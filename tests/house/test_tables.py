"""Tables keyed by rows: each has all the rows, or says why a part of them is enough.

A row is a scalar, a constraint, a format, a coercion, a kind, an issue code, a notation or a shape.
Every table of the library that is keyed by rows stands below; one that does not fails here, and so
does one that a new row is missing from.
"""

from __future__ import annotations

import ast
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest

import typesig
from typesig.algebra.nodes import SHAPES
from typesig.algebra.rows.constraints import CONSTRAINTS, ConstraintName
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import KINDS, ConstKind, Kind
from typesig.notations import NOTATIONS
from typesig.notations.json_schema.keywords import KINDS as JSON_KINDS
from typesig.notations.json_schema.keywords import JsonKind
from typesig.notations.texts.notation import NotationName
from typesig.providers.registry.provider import PROVIDER_NAMES
from typesig.validation.coercions import COERCIONS, CoercionId
from typesig.validation.issues.issues import SENTENCES
from typesig.validation.policy import MODES, REPAIRS

#: The keys of each sort of row, and the name that annotations have for them.
ROWS: dict[str, tuple[frozenset[str], str]] = {
    "scalars": (frozenset(SCALARS), "ScalarName"),
    "constraints": (frozenset(CONSTRAINTS), "ConstraintName"),
    "formats": (frozenset(FORMATS), "FormatName"),
    "coercions": (frozenset(COERCIONS), "CoercionId"),
    "kinds": (frozenset(get_args(Kind)), "Kind"),
    "constant kinds": (frozenset(get_args(ConstKind)), "ConstKind"),
    "JSON's kinds": (frozenset(JSON_KINDS), "JsonKind"),
    "issue codes": (frozenset(SENTENCES), "IssueCode"),
    "notations": (frozenset(NOTATIONS), "NotationName"),
    "modes": (frozenset(MODES), "ModeName"),
    "repairs": (frozenset(REPAIRS), "RepairId"),
    "providers": (frozenset(PROVIDER_NAMES), "ProviderName"),
    "shapes": (frozenset(shape.__name__ for shape in SHAPES), ""),
}

#: Tables that have every row: the place and the sort.
WHOLE: dict[str, str] = {
    "validation.check.value_classes._SCALARS": "scalars",
    "algebra.rows.constraints.CONSTRAINTS": "constraints",
    "algebra.rows.constraints._ORDER": "constraints",
    "algebra.rows.formats.FORMATS": "formats",
    "algebra.rows.scalars.SCALARS": "scalars",
    "algebra.rows.values._FLAGS": "constant kinds",
    "extraction.hints.container_hints._IS_COLLECTION": "kinds",
    "extraction.hints.metadata.ATTRIBUTES": "constraints",
    "notations.registry.NOTATIONS": "notations",
    "notations.gram.writer.SPELLINGS": "scalars",
    "notations.gram.widening.CONST_TYPES": "constant kinds",
    "notations.json_schema.keywords.KEYWORDS": "constraints",
    "notations.json_schema.keywords.SPELLINGS": "formats",
    "notations.json_schema.keywords.WHOLE": "JSON's kinds",
    "notations.json_schema.widening.SCALARS": "scalars",
    "notations.json_schema.values.KIND_WORDS": "JSON's kinds",
    "notations.json_schema.values.PARTS": "JSON's kinds",
    "notations.json_schema.writer.ENUM_TYPES": "constant kinds",
    "notations.malli.names.CONSTRAINT_FORMS": "constraints",
    "notations.malli.names.GROUPS": "kinds",
    "notations.malli.names.WHOLES": "kinds",
    "notations.malli.names.SCALAR_FORMS": "scalars",
    "notations.malli.widening.WIDER_VALUES": "constant kinds",
    "programs.checks.known_values._OF_CONSTS": "constant kinds",
    "notations.python.writer.SCALARS": "scalars",
    "notations.python.writer._CONST_HINTS": "constant kinds",
    "notations.texts.type_rules.SCALAR_TYPES": "scalars",
    "notations.typescript.writer.SCALARS": "scalars",
    "providers.vendors.registry.VENDORS": "providers",
    "relations.proofs.differences.COMPARISONS": "shapes",
    "relations.sampling.drawing.KIND_MAKERS": "kinds",
    "relations.sampling.drawing.SCALAR_MAKERS": "scalars",
    "relations.proofs.emptiness.PROOFS": "kinds",
    "relations.sampling.text_samples.FORMAT_TEXTS": "formats",
    "relations.inference.TYPE_MAKERS": "kinds",
    "relations.normal_form.WHOLE_KINDS": "scalars",
    "relations.sampling.samples.CHANGES": "kinds",
    "relations.observations.DETAILS": "kinds",
    "relations.proofs.simplification.RULES": "shapes",
    "tools.explicit._HELD_BY": "kinds",
    "validation.coercions.COERCIONS": "coercions",
    "validation.generated.conditions._KINDS": "scalars",
    "validation.issues.issues.SENTENCES": "issue codes",
    "validation.issues.words.SCALARS": "scalars",
    "validation.issues.words.KIND_PHRASES": "kinds",
    "validation.plain_data._CONVERSIONS": "kinds",
    "validation.policy.MODES": "modes",
    "validation.policy.REPAIRS": "repairs",
}

#: Tables that have a part of the rows, and why the others never belong there.
PARTS: dict[str, tuple[str, str]] = {
    "validation.check.value_classes.CONSTANT_CLASSES": (
        "constant kinds",
        "those whose constants are told apart by class and value",
    ),
    "notations.gram.widening.REASONS": ("shapes", "those that gram has no form for"),
    "notations.json_schema.values._EXCLUSIVE": ("constraints", "draft 4 has two flags"),
    "contracts.field_changes._TESTS": (
        "constraints",
        "the tests; bounds are compared as ends of a range, and `unique` has no argument",
    ),
    "relations.proofs.differences.BY_PARTS": (
        "shapes",
        "the shapes whose parts any comparison compares; each comparison has the others itself",
    ),
    "contracts.shape_changes.COMPARISONS": (
        "shapes",
        "a reference, a refinement and a union are taken apart before, and notes are kept apart",
    ),
    "notations.json_schema.keywords.BY_NAME": (
        "formats",
        "made of SPELLINGS: the formats that JSON Schema has a name for",
    ),
    "providers.engines.scalars.PATTERNS": (
        "formats",
        "those that engines may lack, and that a pattern can say; the others are names of libraries",
    ),
    "governance.spans._NAMES": (
        "providers",
        "those that the conventions of OpenTelemetry call by other names",
    ),
    "notations.json_schema.keywords.JSON_KINDS": (
        "kinds",
        "JSON has no form for an `object`",
    ),
    "notations.json_schema.writer.SCALARS": (
        "scalars",
        "the scalars whose row has a JSON form; another test compares them with the rows",
    ),
    "notations.malli.names.FORMAT_NAMES": (
        "formats",
        "Malli has names for few formats, and writes the others in one way, as a property",
    ),
    "validation.issues.time_texts.READERS": (
        "formats",
        "the formats whose form a message shows, as in WRITTEN_FORMS",
    ),
    "algebra.rows.formats.WRITTEN_FORMS": (
        "formats",
        "the formats whose form a message shows; the others are known by their names",
    ),
    "relations.sampling.text_samples.RECOGNIZERS": (
        "formats",
        "the formats that are recognized in samples, of which FORMAT_TEXTS tells",
    ),
    "notations.typescript.writer.ALIASES": (
        "scalars",
        "the scalars that TypeScript has no type for; the others are in its own words",
    ),
    "validation.coercions.CONVERSIONS": (
        "coercions",
        "those that the kind of a value is enough for; COERCIONS has all",
    ),
    "validation.coercions.SWITCHES": (
        "coercions",
        "the others, which are only names for a policy",
    ),
    "validation.generated.conditions._PLAIN": (
        "constant kinds",
        "those whose constants are told apart by class and value alone",
    ),
    "algebra.rows.builtin._READERS": (
        "kinds",
        "the kinds of values with parts, or of a class that may be one of others",
    ),
}


def modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(typesig.__path__, "typesig."):
        if not found.name.endswith("__main__"):
            yield import_module(found.name)


def keys_of(value: object) -> frozenset[str]:
    """Return the keys of a table, classes by their names; empty for what is no table."""
    if not isinstance(value, Mapping) or len(value) < 2:
        return frozenset()
    names = [key.__name__ if isinstance(key, type) else key for key in value]
    return frozenset(name for name in names if isinstance(name, str)) if names else frozenset()


def assigned(module: Any) -> Iterator[tuple[str, str]]:
    """Yield each name that *module* assigns, and its annotation."""
    for node in ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, ast.unparse(node.annotation)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, ""


@cache
def tables() -> dict[str, frozenset[str]]:
    """Return each table of the library that is keyed by rows: its place, and its keys."""
    found = {}
    for module in modules():
        for name, annotation in assigned(module):
            value = getattr(module, name)
            keys = keys_of(value)
            annotated = any(
                annotation.startswith(f"dict[{key},") for _, key in ROWS.values() if key
            )
            if annotated or (keys and any(keys <= rows for rows, _ in ROWS.values())):
                place = f"{module.__name__.removeprefix('typesig.')}.{name}"
                found[place] = keys or keys_of({**value, "": None}) - {""}
    return found


def test_every_table_that_is_keyed_by_rows_is_known_here() -> None:
    assert sorted(tables()) == sorted([*WHOLE, *PARTS])


@pytest.mark.parametrize("place", WHOLE)
def test_a_table_has_every_row_and_no_other(place: str) -> None:
    assert set(tables()[place]) == set(ROWS[WHOLE[place]][0])


@pytest.mark.parametrize("place", PARTS)
def test_a_part_of_the_rows_is_a_part_and_says_why(place: str) -> None:
    sort, why = PARTS[place]

    assert set(tables()[place]) < set(ROWS[sort][0])
    assert why


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        (SCALARS, ScalarName),
        (CONSTRAINTS, ConstraintName),
        (COERCIONS, CoercionId),
        (NOTATIONS, NotationName),
    ],
    ids=["scalars", "constraints", "coercions", "notations"],
)
def test_the_names_that_type_checkers_know_are_those_of_the_rows(rows: Any, names: Any) -> None:
    assert list(rows) == list(get_args(names))


def test_the_kinds_that_type_checkers_know_are_those_of_values() -> None:
    assert {*KINDS.values(), "datetime", "object"} == set(get_args(Kind))
    assert set(get_args(ConstKind)) == set(get_args(Kind)) - {"set", "datetime", "object"}
    assert set(JSON_KINDS) == set(get_args(JsonKind))
