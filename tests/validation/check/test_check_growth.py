"""The work of compiling and checking grows as types and values do, counted in steps."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

import typesig
from tests.growth import assert_growth, steps
from typesig import Signature, codegen
from typesig.limits import MAX_NEAR_WORK
from typesig.listings import render_data
from typesig.notations import shorthand
from typesig.validation import verdicts
from typesig.validation.check import check, record_branches
from typesig.validation.check.check import compile_argument_checker, compile_checker, get_compiler
from typesig.validation.generated import program

#: When the source of a predicate is generated: after so many calls.
WAYS = {"never": 10**9, "at once": 0}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Generate source never, so that the check answers, or at once."""
    for module in (program, verdicts):
        monkeypatch.setattr(module, "FIRST_CALLS", WAYS[request.param])
    monkeypatch.setattr(program, "_LONG", WAYS[request.param])
    # Equal signatures share what was generated for one of them.
    shorthand.parse_text.cache_clear()
    _forget()


class Family(NamedTuple):
    """Types and values that grow with a size.

    #: made: returns the type as text, the definitions, and a value that conforms
    #: sizes: the sizes that are compared
    #: compiling: the power of the size that compiling may take
    """

    made: Callable[[int], tuple[str, str, Any]]
    sizes: tuple[int, ...] = (8, 16, 32)
    compiling: float = 1


def _nested(size: int, inner: Any, around: Callable[[Any], Any]) -> Any:
    for _ in range(size):
        inner = around(inner)
    return inner


def _inline(form: str) -> Callable[[int], tuple[str, str, Any]]:
    """Return types that nest *form*, in which `T` stands for the type within."""

    def made(size: int) -> tuple[str, str, Any]:
        t = _nested(size, ":int", lambda inner: form.replace("T", inner))
        return t, "", _nested(size, 3, lambda inner: {"a": inner})

    return made


def _named(form: str, value: Callable[[Any], Any]) -> Callable[[int], tuple[str, str, Any]]:
    """Return types in which each name is *form* of the next, `T`."""

    def made(size: int) -> tuple[str, str, Any]:
        names = [f"A{i} = {form.replace('T', f':A{i + 1}')}" for i in range(size)]
        return ":A0", ", ".join([*names, f"A{size} = :int"]), _nested(size, 3, value)

    return made


def _recursive(form: str, value: Callable[[Any], Any]) -> Callable[[int], tuple[str, str, Any]]:
    def made(size: int) -> tuple[str, str, Any]:
        return ":T", f"T = {form}", _nested(size, [] if value is _in_list else {}, value)

    return made


def _same(value: Any) -> Any:
    return value


def _in_a(value: Any) -> Any:
    return {"a": value}


def _in_list(value: Any) -> Any:
    return [value]


def _tree(levels: int) -> dict[str, Any]:
    return {"id": 1, "kids": [_tree(levels - 1), _tree(levels - 1)] if levels else []}


def _texts(size: int) -> str:
    return " ".join(f'"k{i}"' for i in range(size))


DEEP: dict[str, Family] = {
    "one": Family(_inline(":one[{a T}, {b :int}]")),
    "one of overlapping records": Family(_inline(":one[{a T}, {a :string}]"), (16, 24, 32)),
    "intersections": Family(_inline("({a? T} & {b? :int})")),
    "intersections with defaults": Family(_inline("({a? T} & {b :int = 3})")),
    "bounds with defaults": Family(_inline("{a? T, b :int = 3}[1..4]")),
    "double negations": Family(_inline(":not[:not[{a T}]]")),
    "numbers of items": Family(_named("[T] & :count[1..3 T]", _in_list)),
    "recursive numbers of items": Family(_recursive("[:T] & :count[..3 :T]", _in_list)),
    "unions": Family(_inline("{a T}|{b :int}|[:string]")),
    "unions of intersections": Family(_inline("({a? T} & {c? :int})|({b :int} & {d? :int})")),
    "negations of names": Family(
        # For each name all names that it leads to are looked at; they are 64 at most.
        _named(":not[T]|T", _same),
        compiling=2,
    ),
    "if and then": Family(_named(":not[{a T}]|{a T}", _in_a)),
    "unions of a name twice": Family(_named("{a T}|{a T, b? :int}", _in_a)),
    "one of a name twice": Family(_named(":one[{a T}, {a T, b :int}]", _in_a)),
    "intersections of a name twice": Family(_named("{a T} & {a T, b? :int}", _in_a)),
    "recursive unions": Family(_recursive("{a :T}|{a? :T, b? :int}", _in_a)),
    "recursive intersections": Family(_recursive("{a? :T} & {b? :int}", _in_a)),
    "unions of recursive intersections": Family(
        _recursive("({a? :T} & {b? :int})|({a? :T} & {c? :int})", _in_a)
    ),
}


def _enum_of_maps(size: int) -> tuple[str, str, Any]:
    values = [{"a": i} for i in range(size)]
    return f"[:enum[{' '.join(map(json.dumps, values))}]]", "", values


def _optional_fields(size: int) -> tuple[str, str, Any]:
    fields = ", ".join(f"f{i}? :int" for i in range(size))
    return f"[{{{fields}}}]", "", [{f"f{i}": 1} for i in range(size)]


def _tagged(branches: int, items: int) -> tuple[str, str, Any]:
    records = [f'{{tag :enum["t{i}"], x{i} :int}}' for i in range(branches)]
    places = [i % branches for i in range(items)]
    return f"[{'|'.join(records)}]", "", [{"tag": f"t{i}", f"x{i}": 1} for i in places]


def _untagged(branches: int, items: int) -> tuple[str, str, Any]:
    records = [f"{{id :int, x{i} :int, y{i}? :string}}" for i in range(branches)]
    values = [{"id": 1, f"x{i % branches}": 1} for i in range(items)]
    return f"[{'|'.join(records)}|:nil]", "", values


def _patterned(size: int) -> tuple[str, str, Any]:
    patterns = ", ".join(f"/^k{i}-/ :int" for i in range(size))
    return f"[{{{patterns}}}]", "", [{"k0-a": 1, "k1-b": 2}] * size


WIDE: dict[str, Family] = {
    "items of an enum": Family(
        lambda size: (f"[:enum[{_texts(60)}]]", "", [f"k{i % 60}" for i in range(size)]),
        (20, 80, 320),
    ),
    "an enum and as many items": Family(
        lambda size: (f"[:enum[{_texts(size)}]]", "", [f"k{i}" for i in range(size)]),
        (20, 80, 320),
    ),
    "an enum of maps": Family(_enum_of_maps, (20, 80, 320)),
    # Below some hundred items, their values are not counted once more.
    "records with few of many optional fields": Family(_optional_fields, (320, 640, 1_280)),
    "items of tagged records": Family(lambda size: _tagged(8, size), (40, 160, 640)),
    "tagged records and many items of each": Family(
        # Each branch is asked once for each tag.
        lambda size: _tagged(size, 100 * size),
        (2, 4, 8),
    ),
    "records that differ in a key": Family(lambda size: _untagged(size, size), (20, 80, 320)),
    "records with names of many patterns": Family(_patterned, (8, 30, 120)),
    "trees of intersections": Family(
        lambda size: (":T", "T = {id? :int} & {kids? [:T]}", _tree(size.bit_length())),
        # They have twice as many parts less one.
        (2, 4, 8, 16),
    ),
    "unique items": Family(
        lambda size: ("[:any][unique]", "", [[i, {"a": [float(i), i]}] for i in range(size)]),
        (20, 80, 320),
    ),
    "sets of lists": Family(
        lambda size: ("#{[:int]}", "", {(i, i + 1) for i in range(size)}), (20, 80, 320)
    ),
    "keys with patterns": Family(
        lambda size: ("{/^x-/ :int, /^y-/ :string}", "", {f"x-{i}": i for i in range(size)}),
        (20, 80, 320),
    ),
    "typed maps": Family(
        lambda size: (":map[:int :int]", "", {i: i for i in range(size)}), (20, 80, 320)
    ),
    "tuples with a rest": Family(
        lambda size: ("[:string, ** :int]", "", ["a", *range(size)]), (20, 80, 320)
    ),
}


def _forget() -> None:
    for cache in (
        compile_checker,
        compile_argument_checker,
        get_compiler,
        check._common_slot_parts,
        codegen.compile_source,
        program.get_shortcut,
        program.get_argument_shortcut,
        verdicts.get_cached_verdict,
        verdicts._get_verdict_cache,
    ):
        cache.cache_clear()


def _compile(signature: Signature, value: Any) -> object:
    _forget()
    return signature.accepts(value)


def _coerce(signature: Signature, value: Any) -> object:
    return typesig.coerce(value, signature)


Operation = Callable[[Signature, Any], object]

OPERATIONS: dict[str, Operation] = {
    "compile and check": _compile,
    "accepts": lambda signature, value: signature.accepts(value),
    "output": lambda signature, value: signature.validate_output(value),
    "input": lambda signature, value: signature.validate_and_coerce(value),
    "arguments": lambda signature, value: signature.validate_input({"v": value}),
    "for_model": lambda signature, value: signature.validate_output(value).for_model(),
    "render_data": lambda signature, value: render_data(value, signature),
    "coerce": _coerce,
}


def _read(family: Family, operation: Operation, size: int) -> tuple[Signature, Any]:
    """Return a signature and a value after *operation* has run, which fills the caches.

    It runs several times, since the first calls of a check are not yet those of generated source.
    """
    t, definitions, value = family.made(size)
    where = f" where {definitions}" if definitions else ""
    signature = typesig.parse(f"(v {t}) -> {t}{where}")
    for _ in range(5):
        operation(signature, value)
    return signature, value


FAMILIES = {**DEEP, **WIDE}


@pytest.mark.once
@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("family", FAMILIES)
def test_work_grows_as_types_and_values_do(family: str, name: str) -> None:
    operation = OPERATIONS[name]
    rows = FAMILIES[family]
    read = partial(_read, rows, operation)
    power = rows.compiling if name == "compile and check" else 1
    assert_growth(read, lambda made: operation(*made), rows.sizes, power, spare=250)


@pytest.mark.once
@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("family", DEEP)
def test_work_on_a_value_that_does_not_conform_grows_as_the_value_does(family: str) -> None:
    def read(size: int) -> tuple[Signature, Any]:
        t, definitions, value = DEEP[family].made(size)
        where = f" where {definitions}" if definitions else ""
        wrong = json.loads(json.dumps(value).replace("3", '"x"').replace("{}", '{"b": "x"}'))
        return typesig.parse(f"() -> {t}{where}"), wrong

    def run(made: tuple[Signature, Any]) -> None:
        _forget()
        made[0].validate_and_coerce(made[1])

    # Each level adds its step to the paths of what is found below.
    assert_growth(read, run, (8, 16, 32), max(1.5, DEEP[family].compiling))


@pytest.mark.once
def test_a_chain_of_names_that_negate_the_next_is_compiled_at_once() -> None:
    names = [f"A{i} = :not[:A{i + 1}]|:A{i + 1}" for i in range(50)]
    signature = typesig.parse(f":A0 where {', '.join(names)}, A50 = :int")

    assert steps(lambda: signature.accepts(3)) < 400_000
    assert signature.accepts("x")


@pytest.mark.once
def test_if_and_then_through_references_are_compiled_at_once() -> None:
    schemas: dict[str, Any] = {
        f"A{i}": {
            "if": {"$ref": f"#/$defs/A{i + 1}"},
            "then": {"$ref": f"#/$defs/A{i + 1}"},
            "else": {"type": "string"},
        }
        for i in range(30)
    }
    schemas["A30"] = {"type": "integer"}
    signature = typesig.from_json_schema({"$defs": schemas, "$ref": "#/$defs/A0"})

    assert steps(lambda: signature.accepts(3)) < 750_000
    assert signature.accepts("x")
    assert not signature.accepts(None)


@pytest.mark.once
def test_a_result_of_members_of_an_enum_takes_no_longer_per_item_for_more_members() -> None:
    def made(size: int) -> tuple[Any, Any]:
        members = enum.Enum("members", {f"k{i}": f"v{i}" for i in range(size)})  # type: ignore[misc]
        numbers = enum.IntEnum("numbers", {f"k{i}": i for i in range(size)})  # type: ignore[misc]

        def listed() -> list[Any]:
            return [*members, *numbers]

        listed.__annotations__["return"] = list[members | numbers]
        return typesig.tool(listed), listed

    def run(made: tuple[Any, Any]) -> None:
        assert made[0].call({}).ok

    def warm(size: int) -> tuple[Any, Any]:
        # Source is generated once a tool was called a few times.
        found = made(size)
        for _ in range(4):
            run(found)
        return found

    assert_growth(warm, run, (20, 80, 320))


@pytest.mark.once
def test_records_cost_what_they_hold_and_not_what_they_could_hold() -> None:
    fields = ", ".join(f"f{i}? :int" for i in range(1_000))
    few = typesig.parse("{f0 :int, f500? :int, f999? :int}")
    many = typesig.parse(f"{{f0 :int, {fields.partition(', ')[2]}}}")
    for signature in (few, many):
        assert signature.accepts({"f0": 1, "f999": 2})

    assert steps(lambda: many.accepts({"f0": 1})) < 2 * steps(lambda: few.accepts({"f0": 1}))
    wrong = {"f999": "x", "f500": "y"}
    assert [str(error) for error in few.validate_output(wrong).errors] == [
        str(error) for error in many.validate_output(wrong).errors
    ]


@pytest.mark.once
def test_errors_beyond_the_limit_are_counted_but_not_written() -> None:
    signature = typesig.parse("[:enum[1 2]|:nil]")

    def wrong(size: int) -> list[str]:
        return ["x"] * size

    def written(size: int) -> list[str]:
        return [str(error) for error in signature.validate_output(wrong(size)).errors]

    written(1_500)
    late, early = steps(lambda: written(3_000)), steps(lambda: written(1_500))
    assert late - early < early / 2
    assert 2_000 == signature.validate_output(wrong(3_000)).unseen


@pytest.mark.once
def test_wrong_records_beyond_the_limit_are_compared_with_those_that_they_may_be() -> None:
    signature = typesig.parse(_untagged(200, 0)[0])
    few = typesig.Policy(max_issues=10)

    def wrong(size: int) -> list[Any]:
        return [{"x7": "a"}, {"zz": 1}] * size

    late = steps(lambda: signature.validate_output(wrong(200), few))
    early = steps(lambda: signature.validate_output(wrong(100), few))
    assert (
        late - early < 200 * 1_500 < 200 * steps(lambda: signature.validate_output(wrong(1), few))
    )
    found = signature.validate_output(wrong(100), few)
    assert (10, True) == (len(found.errors), found.unseen >= 190)


#: Records, and other types, of which a map is one.
BRANCHES = (
    "{id :int, max_rows :int}",
    "{id :int, MinRows :int, note? :string}",
    "{id :int, user-name :string}",
    '{id :int, kind :string = "a"}',
    "{id :int, _hidden :int}",
    "{other :int}?",
    "{id :int, last :int}[2..2]",
    "[:int]",
    ":map[:string :bool]",
    *(f"{{id :int, x{n} :int}}" for n in range(8)),
)


@pytest.mark.parametrize("mode", ["enabled", "lenient", "strict"])
@pytest.mark.parametrize("last", ["{id :int, y :int}", "{note? :string}"])
def test_a_record_that_is_chosen_by_its_keys_is_the_one_that_is_chosen_without(
    mode: Any, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = typesig.parse("|".join([*BRANCHES, last]))
    values: list[Any] = [
        {"id": 1, "max-rows": 2},
        {"id": "1", "maxRows": "2"},
        {"id": 1, "minrows": 2, "note": "a"},
        {"id": 1, "user_name": "a"},
        {"id": 1},
        {"id": 1, "extra": 2},
        {"id": 1, "_hidden": 2},
        {"other": "3"},
        {"id": 1, "last": 2},
        {"id": 1, "last": 2, "more": 3},
        {"id": 1, "x3": 2, "x4": 3},
        {"x3": 1},
        {1: 2, "id": 3},
        {"flag": True},
        None,
    ]
    checks = signature.validate_and_coerce, signature.validate_output
    by_keys = [check(value, mode) for value in values for check in checks]
    _forget()
    monkeypatch.setattr(record_branches, "_FEW", 1_000)
    one_by_one = [check(value, mode) for value in values for check in checks]
    _forget()

    for found, wanted in zip(by_keys, one_by_one, strict=True):
        assert [*map(str, found.errors), *map(str, found.warnings)] == [
            *map(str, wanted.errors),
            *map(str, wanted.warnings),
        ]
        assert not found.ok or (found.result, found.for_model()) == (
            wanted.result,
            wanted.for_model(),
        )


def test_keys_are_remembered_with_the_patterns_that_they_match() -> None:
    patterns = ", ".join(f"/^k{i}-/ :int" for i in range(40))
    signature = typesig.parse(f"[{{{patterns}}}]")
    many = [{f"k{i % 40}-{i}": i} for i in range(1_100)] + [{"k1-" + "a" * 200: 1}]

    assert signature.accepts(many)
    assert signature.accepts(many)
    assert many[:2] == signature.validate_output([*many[:2], many[0]]).for_model()["items"][:2]
    assert not signature.accepts([{"k1-1099": "x"}])
    assert not signature.accepts([{"k1-" + "a" * 200: "x"}])


def test_the_closest_names_are_looked_for_within_a_budget() -> None:
    values = [f"{'k' * 90}{i}" for i in range(100, 500)]
    signature = typesig.parse(f"[:enum[{' '.join(map(json.dumps, values))}]]")

    outcome = signature.validate_output(["k" * 95] * 20)

    hints = [error.hint for error in outcome.errors]
    spent = 96 * sum(map(len, values))
    assert [True] * (MAX_NEAR_WORK // spent) == [bool(h) for h in hints if h]
    assert 20 == len(hints)


def test_tags_of_unions_are_suggested_within_the_same_limits() -> None:
    def said(branches: int, sent: str) -> str:
        signature = typesig.parse(_tagged(branches, 0)[0])
        return str(signature.validate_output([{"tag": sent}]).errors[0])

    assert said(3, "t22") == (
        '[0].tag: expected one of ["t0", "t1", "t2"], got "t22" (did you mean "t2"?)'
    )
    assert said(500, "t499x") == '[0].tag: expected one of ["t0"], got "t499x"'
