"""What the check refuses and what validators of pydantic refuse is told together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple

import pydantic
import pydantic.dataclasses
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import TypedDict

import typesig
from tests.generators import LAW
from typesig import Policy, contract, tool
from typesig.extraction.libraries import pydantic_schemas
from typesig.extraction.python_types.decoders import BadParts, find_bad_parts
from typesig.validation.check_state import CheckState, Finding

#: What validators were asked about, in order.
ASKED: list[Any] = []


class Kind(NamedTuple):
    """A field of a model: *shape* of models with *fields*, or a number if there is no shape."""

    shape: str
    fields: dict[str, Kind]


_NUMBER = Kind("", {})
_SHAPES = {
    "one": lambda model: model,
    "maybe": lambda model: model | None,
    "many": lambda model: list[model],
    "pair": lambda model: tuple[model, model],
    "by key": lambda model: dict[str, model],
    "tuple": lambda model: tuple[model, ...],
    "root": lambda model: pydantic.RootModel[list[model]],  # type: ignore[valid-type]
    "typed dict": lambda model: TypedDict("Around", {"in": model}),  # type: ignore[operator,misc,name-defined]
    "data": lambda model: model,
}


def _fields(inner: st.SearchStrategy[Kind]) -> st.SearchStrategy[Kind]:
    held = st.dictionaries(st.sampled_from("abcd"), inner, min_size=1, max_size=3)
    return st.builds(Kind, st.sampled_from(sorted(_SHAPES)), held)


kinds = st.recursive(st.just(_NUMBER), _fields, max_leaves=8)


def _checked_number(value: int) -> int:
    ASKED.append(value)
    if value % 2:
        raise ValueError("odd")
    return value


def _whole(made: Any) -> Any:
    ASKED.append("whole")
    return made


def model_of(kind: Kind) -> Any:
    """Return the hint of *kind*."""
    if kind is _NUMBER:
        return Annotated[int, pydantic.Field(ge=0, le=100)]
    hints = {name: model_of(inner) for name, inner in kind.fields.items()}
    numbers = [name for name, inner in kind.fields.items() if inner is _NUMBER]
    held: dict[str, Any] = {
        "__annotations__": hints,
        "whole": pydantic.model_validator(mode="after")(_whole),
    }
    if numbers:
        held["each"] = pydantic.field_validator(*numbers)(_checked_number)
    if kind.shape == "data":
        return pydantic.dataclasses.dataclass(type("Data", (), held))
    made = type("Model", (pydantic.BaseModel,), {"__module__": __name__, **held})
    return _SHAPES[kind.shape](made)


#: What is sent for a number, and which of the two refuses it.
_NUMBERS = [(2, ""), ("4", ""), (3, "validator"), (-2, "check"), (101, "check"), ("x", "check")]

Fault = tuple[tuple[Any, ...], str]


@st.composite
def sent(draw: st.DrawFn, kind: Kind) -> tuple[Any, list[Fault]]:
    """Draw a value of *kind*, and what is wrong with it."""
    if kind is _NUMBER:
        value, fault = draw(st.sampled_from(_NUMBERS))
        return value, [((), fault)] if fault else []
    count = {"one": 1, "data": 1, "typed dict": 1, "maybe": draw(st.integers(0, 1)), "pair": 2}
    drawn = [draw(_record(kind)) for _ in range(count.get(kind.shape, draw(st.integers(0, 3))))]
    match kind.shape:
        case "one" | "data":
            return drawn[0]
        case "maybe":
            return drawn[0] if drawn else (None, [])
        case "typed dict":
            return {"in": drawn[0][0]}, _below("in", drawn[0][1])
        case "by key":
            keys = ["k", "l", "m"][: len(drawn)]
            held = {key: value for key, (value, _) in zip(keys, drawn, strict=True)}
            return held, [
                f for key, (_, each) in zip(keys, drawn, strict=True) for f in _below(key, each)
            ]
        case _:
            return [value for value, _ in drawn], [
                f for at, (_, each) in enumerate(drawn) for f in _below(at, each)
            ]


def _below(step: Any, faults: list[Fault]) -> list[Fault]:
    return [((step, *path), fault) for path, fault in faults]


@st.composite
def _record(draw: st.DrawFn, kind: Kind) -> tuple[dict[str, Any], list[Fault]]:
    value: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, inner in kind.fields.items():
        if draw(st.integers(0, 6)) == 0:
            # None stands for what is absent.
            faults += [] if inner.shape == "maybe" else [((name,), "check")]
            continue
        value[name], found = draw(sent(inner))
        faults += _below(name, found)
    return value, faults


@st.composite
def cases(draw: st.DrawFn) -> tuple[Any, Any, list[Fault]]:
    kind = draw(kinds.filter(lambda each: each is not _NUMBER))
    return (model_of(kind), *draw(sent(kind)))


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _numbers(part)
    elif value is not None:
        yield int(value)


@LAW
@given(cases(), st.booleans())
def test_all_that_is_wrong_is_told_in_one_go(
    case: tuple[Any, Any, list[Fault]], is_call: bool
) -> None:
    hint, value, faults = case
    ASKED.clear()
    if is_call:

        def take(given: Any) -> None:
            ASKED.append("called")

        take.__annotations__["given"] = hint
        found = tool(max_depth=50)(take).call({"given": value})
        faults = _below("given", faults)
    else:
        found = contract(hint, max_depth=50).read(json.dumps(value))
    codes = {"host": "validator"}
    told = [(each.path, codes.get(each.code, "check")) for each in found.errors]

    assert sorted(faults, key=str) == sorted(told, key=str)
    if found.ok:
        # Each validator runs once.
        assert sorted(_numbers(value)) == sorted(each for each in ASKED if type(each) is int)
    else:
        assert "called" not in ASKED
    # What the check refuses is asked of no validator.
    assert {*ASKED}.isdisjoint({-2, 101, "x"})


class Row(pydantic.BaseModel):
    count: int = pydantic.Field(ge=1)
    name: str = "x"

    @pydantic.field_validator("name")
    @classmethod
    def _named(cls, name: str) -> str:
        ASKED.append(name)
        if name == "bug":
            raise KeyError(name)
        if name == "stop":
            raise RuntimeError(name)
        if name == "unsaid":
            raise AssertionError("it is unsaid")
        if name.startswith("no"):
            raise ValueError(f"{name} is taken")
        return name


class Rows(pydantic.BaseModel):
    rows: list[Row]
    title: Annotated[str, pydantic.AfterValidator(str.strip), pydantic.AfterValidator(Row._named)]


def test_a_bound_and_a_validator_are_told_with_their_paths() -> None:
    rows = [{"count": 0, "name": "no1"}, {"count": "2", "name": "unsaid"}, {"name": "a"}]
    found = contract(Rows).read({"rows": rows, "title": " no2 "})

    assert [
        "rows[0].count: expected int[1..], got int 0",
        "rows[2].count: expected int[1..], got nil (missing)",
        'rows[0].name: Value error, no1 is taken (got string "no1")',
        'rows[1].name: Assertion failed, it is unsaid (got string "unsaid")',
        'title: Value error, no2 is taken (got string " no2 ")',
    ] == [str(error) for error in found.errors]


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int = pydantic.Field(le=9)
    named: Row | None = None


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    lives: int = pydantic.Field(le=9)
    named: Row | Cat | None = None


_NO_ROW = {"count": 0, "name": "no"}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            {"kind": "cat", "lives": "10", "named": {"count": 1, "name": "no"}},
            ["lives", "named.name"],
        ),
        ({"kind": "cat", "lives": 1, "named": _NO_ROW}, ["named.count", "named.name"]),
        # The value is of no branch.
        ({"kind": "cow", "lives": 1, "named": {"count": 1, "name": "no"}}, ["kind"]),
        # A union within a union.
        ({"kind": "dog", "lives": 1, "named": _NO_ROW}, ["named.count"]),
    ],
)
def test_in_a_union_the_branch_is_judged_that_the_errors_are_of(
    value: Any, told: list[str]
) -> None:
    found = contract(list[Cat | Dog]).read([value, value])
    expected = [f"[{at}].{each}" for each in told for at in (0, 1)]

    assert expected == [str(error).split(":")[0] for error in found.errors]


class Twin(pydantic.BaseModel):
    count: int = pydantic.Field(ge=1)
    name: str


def test_no_branch_is_judged_where_several_could_be_meant() -> None:
    found = contract(list[Row | Twin]).read([_NO_ROW])

    assert ["[0].count: expected int[1..], got int 0"] == [str(error) for error in found.errors]


def test_a_mistake_in_a_validator_hides_nothing() -> None:
    found = contract(Row).read({"count": 0, "name": "bug"})

    assert ["count: expected int[1..], got int 0"] == [str(error) for error in found.errors]


def test_another_exception_of_a_validator_passes_through() -> None:
    with pytest.raises(RuntimeError, match="stop"):
        contract(Row).read({"count": 0, "name": "stop"})


class Before(Row):
    @pydantic.model_validator(mode="before")
    @classmethod
    def _moved(cls, data: Any) -> Any:
        return {"count": 1, "name": data["title"]}


class Wrapped(Row):
    @pydantic.model_validator(mode="wrap")
    @classmethod
    def _wrapped(cls, data: Any, handler: Any) -> Any:
        return handler({"count": 1, "name": "no"})


class Made(Row):
    def __init__(self, **data: Any) -> None:
        super().__init__(**{**data, "name": "no"})


class Own(Row):
    @classmethod
    def model_validate(cls, *_: Any, **__: Any) -> Any:  # type: ignore[override]
        raise ValueError("no")


class Unread(Row):
    pass


# As a version of pydantic might have it that is not known here.
Unread.__pydantic_core_schema__ = {  # type: ignore[assignment]
    "type": "model",
    "cls": Unread,
    "schema": {"type": "model-fields", "fields": {"name": {"schema": {"type": "newer"}}}},
}


@pytest.mark.parametrize("model", [Before, Wrapped, Made, Own, Unread])
def test_a_model_that_changes_its_data_is_judged_as_a_whole_only(model: Any) -> None:
    found = contract(model).read({"count": 0, "name": "no"})

    assert ["count: expected int[1..], got int 0"] == [str(error) for error in found.errors]


class Linked(pydantic.BaseModel):
    limit: int = pydantic.Field(default_factory=lambda: 2)
    size: int = pydantic.Field(alias="sizeOf", ge=0)
    name: str = ""
    next: Linked | None = None

    @pydantic.field_validator("name")
    @classmethod
    def _short(cls, name: str, info: pydantic.ValidationInfo) -> str:
        ASKED.append(sorted(info.data))
        if len(name) > info.data["limit"]:
            raise ValueError("it is long")
        return name

    @pydantic.model_validator(mode="after")
    def _never(self) -> Linked:
        raise AssertionError("a field was refused")


def test_a_validator_sees_the_fields_that_passed() -> None:
    ASKED.clear()
    inner = {"sizeOf": "many", "name": "abc"}
    found = contract(Linked, recursive=True).read({"sizeOf": -1, "name": "ab", "next": inner})

    assert [["limit"], ["limit"]] == ASKED
    assert [
        "sizeOf: expected int[0..], got int -1",
        'next.sizeOf: expected int[0..], got string "many"',
        'next.name: Value error, it is long (got string "abc")',
    ] == [str(error) for error in found.errors]


@pydantic.dataclasses.dataclass
class Data:
    count: int = pydantic.Field(alias="countOf", ge=1)
    made: int = pydantic.Field(0, init=False)
    name: str = "x"

    @pydantic.field_validator("name")
    @classmethod
    def _named(cls, name: str) -> str:
        return Row._named(name)


def test_the_fields_of_a_dataclass_are_judged() -> None:
    found = contract(Data).read({"countOf": 0, "name": "no"})

    assert [
        "countOf: expected int[1..], got int 0",
        'name: Value error, no is taken (got string "no")',
    ] == [str(error) for error in found.errors]


class Login(pydantic.BaseModel):
    tries: int = pydantic.Field(ge=0)
    password: pydantic.SecretStr

    @pydantic.field_validator("password")
    @classmethod
    def _long(cls, password: pydantic.SecretStr) -> pydantic.SecretStr:
        raise ValueError(f"{password.get_secret_value()} is short")


def test_a_secret_is_told_by_no_validator() -> None:
    found = contract(Login).read({"tries": -1, "password": "hunter2"})

    assert ["tries", "password"] == [str(each.path[0]) for each in found.errors]
    assert "hunter2" not in found.feedback() + found.report()


def test_a_list_whose_length_is_wrong_has_no_items_that_passed() -> None:
    hint = Annotated[list[Row], pydantic.Field(max_length=1)]
    found = contract(hint).read([{"count": 1, "name": "no"}] * 2)

    assert [()] == [error.path for error in found.errors]


@pytest.mark.parametrize(
    "hint", [list[Row], set[Annotated[int, pydantic.AfterValidator(_checked_number)]]]
)
def test_what_is_refused_is_bounded(hint: Any) -> None:
    policy = Policy(max_issues=3)
    value = [{"count": 1, "name": f"no{at}"} for at in range(9)] if hint == list[Row] else [2, "x"]
    found = contract(hint).read(value, mode=policy)

    assert ((3, 6) if hint == list[Row] else (1, 0)) == (len(found.errors), found.unseen)


def test_where_errors_are_only_counted_no_validator_is_asked() -> None:
    ASKED.clear()
    found = contract(list[Row]).read([{"count": 0}] * 3, mode=Policy(max_issues=2))

    assert ([], 2, 1) == (ASKED, len(found.errors), found.unseen)


def test_the_key_of_a_map_that_is_read_as_another_is_at_a_place_of_its_own() -> None:
    found = contract(dict[int, Row]).read({"01": {"count": 0, "name": "no"}}, mode="lenient")

    assert found.errors


def test_in_the_mode_that_only_warns_validators_warn() -> None:
    found = contract(Row).read({"count": 0, "name": "no"}, mode=Policy(on_issue="warn"))

    assert ["count", "name"] == [str(each.path[0]) for each in found.warnings]
    assert {"count": 0, "name": "no"} == found.value


@pytest.mark.parametrize("mode", ["enabled", "lenient"])
@pytest.mark.parametrize("text", ["```json\n{}\n```", "Here it is: {} It fits.", "{}", "{} {}"])
def test_a_validator_runs_once_however_the_answer_is_wrapped(text: str, mode: Any) -> None:
    ASKED.clear()
    rival, fitting = '{"count": 0, "name": "b"}', '{"count": 1, "name": "a"}'
    parts = [rival, fitting] if text == "{} {}" else [fitting]
    found = contract(Row).read(text.replace("{}", "%s") % (*parts,), mode=mode)

    assert (["a"] if found.ok else []) == ASKED


def test_a_reading_without_checks_keeps_what_was_sent() -> None:
    found = contract(Row).read('```\n{"count": "1"}\n```', mode="disabled")

    assert {"count": "1"} == found.result


def test_a_tuple_is_judged_by_its_places() -> None:
    found = contract(tuple[Row, int]).read([{"count": 1, "name": "no"}, "x"])

    assert ["[1]", "[0].name"] == [str(error).split(":")[0] for error in found.errors]
    assert not typesig.contract(tuple[Row, int]).read([{"count": 1, "name": "no"}]).ok


def test_a_part_of_what_is_refused_as_a_whole_is_not_named() -> None:
    run = CheckState(9)
    for steps in (["b", "a"], ["a"], ["c", "a"], ["d"]):
        found = Finding("type")
        found.steps += steps
        run.add(found)

    assert {"a": None, "d": None} == find_bad_parts(run, BadParts)


class Unhashed:
    """A validator that cannot be a key."""

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, text: str) -> str:
        raise ValueError("no")


def test_a_validator_that_cannot_be_hashed_is_told_too() -> None:
    found = contract(Annotated[str, pydantic.AfterValidator(Unhashed())]).read('"a"')

    assert ['Value error, no (got string "a")'] == [str(error) for error in found.errors]


def test_the_secrets_of_a_class_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    kept = pydantic_schemas.get_schema

    def schema_of(hint: Any, output: bool) -> Any:
        asked.append(hint)
        return kept(hint, output)

    class Once(Row):
        pass

    made = contract(list[Once])
    monkeypatch.setattr(pydantic_schemas, "get_schema", schema_of)
    found = made.read([{"count": 1, "name": "no"}] * 20)

    assert (20, [Once]) == (len(found.errors), asked)
