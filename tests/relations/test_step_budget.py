"""The work of relations between types: bounded for any types, and small for everyday ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import typesig
from tests.growth import assert_growth, steps
from typesig.algebra.redaction import redact
from typesig.algebra.signature import Signature, join_signatures
from typesig.errors import TooLarge
from typesig.relations import (
    Inference,
    NoSample,
    counterexample,
    difference,
    disjoint,
    equivalent,
    infer,
    is_subtype,
    near_misses,
    samples,
    simplify,
    step_budget,
)
from typesig.relations.conformance import get_record_keys
from typesig.relations.sampling import samples as sampling
from typesig.relations.sampling.text_samples import parse_pattern

#: The steps that a question may take in the tests of the budget, and the lines that one of these
#: steps takes at most.
_STEPS, _LINES = 1_000, 250

#: The lines for what is linear in the types, which is not counted in steps.
_LINEAR = 500_000


def _chain(count: int, form: str, last: str = ":int") -> str:
    """Return names that lead to each other; *form* has `{n}` for the next one."""
    names = [f"A{at} = {form.format(n=f':A{at + 1}')}" for at in range(count)]
    return f":A0 where {', '.join(names)}, A{count} = {last}"


def _union(form: str, count: int, joint: str = "|") -> str:
    """Return a union of *count* members; *form* has `{i}` for the place."""
    return joint.join(form.format(i=at) for at in range(count))


def _record(count: int, t: str = ":int", first: int = 0) -> str:
    return "{" + ", ".join(f"f{at} {t}" for at in range(first, first + count)) + "}"


def _enum(count: int, first: int = 0) -> str:
    return ":enum[" + " ".join(f'"v{at}"' for at in range(first, first + count)) + "]"


def _cycle(count: int, form: str) -> str:
    """Return names of which each leads to two others; *form* has `{a}` and `{b}` for these."""
    names = [
        f"A{at} = {form.format(a=f':A{(at + 1) % count}', b=f':A{(at * 7 + 3) % count}')}"
        for at in range(count)
    ]
    return f":A0 where {', '.join(names)}"


def _conditions(count: int) -> Signature:
    schema: dict[str, Any] = {"type": "object"}
    for at in range(count):
        schema = {
            "if": {"properties": {f"k{at}": {"const": 1}}, "required": [f"k{at}"]},
            "then": schema,
            "else": {"properties": {f"e{at}": {"type": "string"}}},
        }
    return typesig.from_json_schema(schema)


def _dependencies(count: int) -> Signature:
    schemas = {f"k{at}": {"properties": {f"v{at}": {"type": "string"}}} for at in range(count)}
    return typesig.from_json_schema({"type": "object", "dependentSchemas": schemas})


_TUPLES = "[:int[{i}..{i}], :string]"
_TAGGED = '{{kind :enum["t{i}"], v{i} :int}}'

#: Types that take exponential time, or endless values, where something is done without a budget.
HOSTILE: dict[str, Callable[[], Signature]] = {
    "exactly one of the same name": lambda: typesig.parse(
        _chain(20, ":one[{n} & :any[..3], {n} & :any[4..]]")
    ),
    "exactly one of lists and names": lambda: typesig.parse(_chain(40, ":one[{n}, [{n}]]")),
    "exactly one of records": lambda: typesig.parse(
        _chain(40, ":one[{{a {n}, b :int}}, {{a {n}, c :int}}]")
    ),
    "exactly one of many": lambda: typesig.parse(f":one[{_union('{{a{i} :int}}', 60, ', ')}]"),
    "pairs of names": lambda: typesig.parse(_chain(30, "[{n}, {n}]")),
    "records of names twice": lambda: typesig.parse(_chain(30, "{{a {n}, b {n}}}")),
    "maps of names as keys": lambda: typesig.parse(
        _chain(30, ":map[({n}|:one[{n}, :keyword]) :int][2..]", ":keyword")
    ),
    "many names": lambda: typesig.parse(_cycle(100, "{{a? {a}, b? [{b}]}}")),
    "names without a finite value": lambda: typesig.parse(_cycle(60, "{{a {a}, b {b}}}")),
    "conditions": lambda: _conditions(40),
    "dependencies": lambda: _dependencies(40),
    "all of many unions": lambda: typesig.parse(
        _union("({{a{i} :int}}|{{b{i} :string}})", 30, " & ")
    ),
    "a wide record": lambda: typesig.parse(_record(300, "{a :int, b [:string]}")),
    "a huge list": lambda: typesig.parse("[[[:int][1900..]][1900..]][1900..]"),
    "a huge text": lambda: typesig.parse(":string[/^(a{0,300}b){100,300}$/, 15000..]"),
    "unique items of a few": lambda: typesig.parse('[[:enum["a" "b"]][1..1]][3.., unique]'),
    "many bounds": lambda: typesig.parse(_union("[:int][{i}..]", 90)),
}

#: The public relations, of one type or of two.
RELATIONS: dict[str, Callable[[Signature], object]] = {
    "is_subtype": lambda s: is_subtype(s, ":not[:any]"),
    "equivalent": lambda s: equivalent(s, f":not[{':not[:bool]'}]"),
    "disjoint": lambda s: disjoint(s, s),
    "counterexample": lambda s: counterexample(s, s),
    "simplify": simplify,
    "difference": lambda s: difference(s, ":not[:string]"),
    "samples": samples,
    "near_misses": near_misses,
}


def _forget() -> None:
    """Clear the caches, which hide work."""
    get_record_keys.cache_clear()
    parse_pattern.cache_clear()


def _asked(relation: Callable[[Any], object], given: Any) -> None:
    _forget()
    try:
        relation(given)
    except NoSample:
        pass


@pytest.mark.once
@pytest.mark.parametrize("family", HOSTILE)
@pytest.mark.parametrize("relation", RELATIONS)
def test_a_question_ends_within_its_budget(relation, family, monkeypatch):
    for module in (step_budget, sampling):
        monkeypatch.setattr(module, "MAX_PROOF_STEPS", _STEPS)
    s = HOSTILE[family]()
    _asked(RELATIONS[relation], typesig.parse(":int"))

    steps(lambda: _asked(RELATIONS[relation], s), _STEPS * _LINES + _LINEAR)


#: Questions about everyday types of a given size, and the power by which their work grows.
GROWING: dict[str, tuple[Callable[[int], Any], Callable[[Any], object], float]] = {
    "subtype of an enum": (
        lambda n: (typesig.parse(_enum(n)), typesig.parse(_enum(n + 1))),
        lambda pair: is_subtype(*pair),
        1,
    ),
    "subtype of a record": (
        lambda n: (typesig.parse(_record(n)), typesig.parse(_record(n, ":float"))),
        lambda pair: is_subtype(*pair),
        1,
    ),
    "subtype of a union of tuples": (
        lambda n: (typesig.parse(_union(_TUPLES, n)), typesig.parse(_union(_TUPLES, n + 1))),
        lambda pair: is_subtype(*pair),
        2,
    ),
    "subtype of a union of tagged records": (
        lambda n: (typesig.parse(_union(_TAGGED, n)), typesig.parse(_union(_TAGGED, n + 1))),
        lambda pair: is_subtype(*pair),
        2,
    ),
    "subtype along a chain of names": (
        lambda n: (
            typesig.parse(_chain(n, "{{a {n}}}")),
            typesig.parse(_chain(n, "{{a {n}}}", ":float").replace("A", "B")),
        ),
        lambda pair: is_subtype(*pair),
        2,
    ),
    "equivalent enums": (
        lambda n: (typesig.parse(_enum(n)), typesig.parse(f"{_enum(n // 2)}|{_enum(n, n // 2)}")),
        lambda pair: equivalent(*pair),
        1,
    ),
    "disjoint enums": (
        lambda n: (typesig.parse(_enum(n)), typesig.parse(_enum(n, n))),
        lambda pair: disjoint(*pair),
        1,
    ),
    "simplify many enums": (
        lambda n: typesig.parse(_union(':enum["v{i}"]', n)),
        simplify,
        1,
    ),
    "simplify a union of ranges": (
        lambda n: typesig.parse(_union(":int[{i}..{i}]", n)),
        simplify,
        2,
    ),
    "simplify an intersection of records": (
        lambda n: typesig.parse(_union("{{a{i} :int}}", n, " & ")),
        simplify,
        2,
    ),
    "difference of names": (
        lambda n: (
            typesig.parse(_cycle(n, "{{a? {a}, b :int}}")),
            typesig.parse(_cycle(n, "{{a? {a}, b :string}}")),
        ),
        lambda pair: difference(*pair),
        1.1,
    ),
    "difference of unions": (
        lambda n: (
            typesig.parse(_union(_TAGGED, n)),
            typesig.parse("|".join(reversed(_union(_TAGGED, n).split("|")))),
        ),
        lambda pair: difference(*pair),
        1,
    ),
    "samples of a record": (lambda n: typesig.parse(_record(n)), samples, 1),
    "samples of names in a row": (
        # The last name first, so that each is settled by the one before.
        lambda n: typesig.parse(
            ":T where T = [:A1], "
            + ", ".join(f"A{at} = {{a? :int, b? :A{at + 1}}}" for at in range(1, n))
            + f", A{n} = :int"
        ),
        samples,
        1,
    ),
    "near misses of a record": (lambda n: typesig.parse(_record(n)), near_misses, 1),
    "infer from rows": (
        lambda n: [{"id": at, "tags": [f"t{at % 5}"]} for at in range(n)],
        lambda rows: infer(rows, enums=10, tuples=True, formats=True),
        1,
    ),
    "infer from many names": (
        lambda n: {f"k{at}": {"a": at} for at in range(n)},
        lambda row: infer(row, maps=10),
        1,
    ),
    "join signatures with names that clash": (
        lambda n: (
            typesig.parse(_cycle(n, "{{a? {a}, b :int}}")),
            typesig.parse(_cycle(n, "{{a? {a}, b :string}}")),
        ),
        lambda pair: join_signatures(*pair),
        1.1,
    ),
    "redact names in a row": (
        lambda n: typesig.parse(
            ":A0 where "
            + ", ".join(f"A{at} = {{x? :A{at + 1} & {{c :int}}}}" for at in range(n))
            + f", A{n} = {{_b :int}}"
        ),
        redact,
        2,
    ),
    "redact intersections": (
        lambda n: typesig.parse(
            "{"
            + ", ".join(f"f{at} {{_a :A{at}}} & {{b :int}}" for at in range(n))
            + "} where "
            + ", ".join(f"A{at} = {{x? :A{(at + 1) % n}}}" for at in range(n))
        ),
        redact,
        1.1,
    ),
}


@pytest.mark.once
@pytest.mark.parametrize("name", GROWING)
def test_the_work_for_everyday_types_grows_with_their_size(name):
    make, run, power = GROWING[name]

    assert_growth(make, lambda given: _asked(run, given), (10, 20, 40), power, 3_000)


#: Types that many people write, or that generators do, and the answer.
LARGE: list[tuple[str, str, bool]] = [
    (_union(_TUPLES, 60), "[:int, :string]", True),
    ("[:int, :string]", _union(_TUPLES, 60), False),
    (_union(_TUPLES, 60), _union(_TUPLES, 59), False),
    (_union(_TUPLES, 59), _union(_TUPLES, 60), True),
    (_union(_TAGGED, 120), _union(_TAGGED.replace(":int", ":float"), 120), True),
    (_union(_TAGGED, 60), _union(_TAGGED, 59), False),
    (_enum(4_000), _enum(3_999), False),
    (_enum(3_999), _enum(4_000), True),
    (_enum(4_000), f"{_enum(2_000)}|{_enum(2_000, 2_000)}", True),
    (_record(500), _record(499), True),
    (_record(499), _record(500), False),
    (_record(500), _record(500, ":float"), True),
    (_chain(60, "{{a {n}}}"), _chain(60, "{{a {n}}}", ":float").replace("A", "B"), True),
    (_chain(60, "{{a {n}}}", ":float"), _chain(60, "{{a {n}}}").replace("A", "B"), False),
    (_union("({{a{i} :int}}|{{b{i} :int}})", 40, " & "),
     _union("({{a{i} :int}}|{{b{i} :int}})", 39, " & "), True),
]  # fmt: skip


@pytest.mark.once
@pytest.mark.parametrize(("a", "b", "expected"), LARGE)
def test_large_types_get_an_answer(a, b, expected):
    assert expected is is_subtype(a, b)


def test_exactly_one_of_sixty_tuples_is_simplified():
    whole = typesig.parse(f":one[{_union(_TUPLES, 60, ', ')}]")

    assert typesig.parse(_union(_TUPLES, 60)) == simplify(whole)


def test_a_record_of_two_thousand_fields_has_a_sample():
    assert samples(_record(1_900), count=1)[0].keys() >= {"f0", "f1899"}


def test_more_samples_may_take_more_steps(monkeypatch):
    for module in (step_budget, sampling):
        monkeypatch.setattr(module, "MAX_PROOF_STEPS", 300)

    assert len(samples(":int", count=10)) == 10
    assert len(samples(":int[..99]", count=90)) > 20


def test_near_misses_are_found_for_a_type_of_many_bounds(monkeypatch):
    monkeypatch.setattr(sampling, "MAX_PROOF_STEPS", 10_000)

    assert near_misses(_union("[:int][{i}..{i}]", 90))


def test_shared_lists_are_inferred_within_the_limits():
    value: Any = 1
    for _ in range(60):
        value = [value, value]

    assert infer(value).accepts([[], []])
    with pytest.raises(TooLarge, match="names and lists"):
        Inference(tuples=True).add(value)
