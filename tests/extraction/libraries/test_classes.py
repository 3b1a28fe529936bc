"""Rare cases of other libraries' classes, flags and variables that the type table has no row for."""

from __future__ import annotations

import enum
import re
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeVar

import attrs
import msgspec
import pydantic
import pydantic.dataclasses
import pytest
import typing_extensions as te

import typesig
from typesig import contract, tool


@attrs.define
class Validated:
    word: str = attrs.field(validator=attrs.validators.min_len(2))
    start: str = attrs.field(validator=attrs.validators.matches_re("a", func=re.match))
    found: str = attrs.field(validator=attrs.validators.matches_re("b", func=re.search))
    typed: int = attrs.field(validator=attrs.validators.instance_of(int))
    odd: int = attrs.field(validator=attrs.validators.in_([1.5, 2]))
    other: list[int] = attrs.field(validator=attrs.validators.deep_iterable(attrs.validators.gt(1)))


def test_validators_of_attrs_are_read_where_they_are_plain():
    found = contract(Validated)

    assert (
        "{word :string[2..], start :string[/^(?:a)/], found :string[/b/], typed :int, odd :int, "
        "other [:int]}"
    ) == str(found.signature).removeprefix("() -> ")
    assert 2 == len(found.warnings)
    assert all("is not understood and left out" in str(warning) for warning in found.warnings)


@pydantic.dataclasses.dataclass
class Careful:
    n: int

    def __post_init__(self) -> None:
        if self.n < 0:
            raise ValueError("n is below 0")


class Root(pydantic.RootModel[dict[str, int]]):
    @pydantic.model_validator(mode="after")
    def _not_empty(self) -> Root:
        if not self.root:
            raise ValueError("nothing is there")
        return self


def test_a_refusal_of_a_validator_has_its_path():
    def take(a: Careful, b: Root) -> None: ...

    outcome = tool(take).call({"a": {"n": -1}, "b": {}})

    assert [
        "a: Value error, n is below 0",
        "b: Value error, nothing is there",
    ] == [str(error) for error in outcome.errors]


class Seven(enum.Flag, boundary=enum.STRICT):
    A, B, C, D, E, F = 1, 2, 4, 8, 16, 32
    G = 128


def test_a_flag_of_many_members_is_a_range():
    got: list[Any] = []

    def take(value: Seven) -> None:
        got.append(value)

    found = tool(take)

    assert "(value :int[0..191]) -> :nil" == str(found.signature)
    assert found.call({"value": 129}).ok
    assert [Seven.A | Seven.G] == got
    assert "value: <flag 'Seven'> invalid value 64 (got int 64)" == str(
        found.call({"value": 64}).errors[0]
    )


def test_a_flag_of_many_members_is_an_int_in_the_ptc_runner_profile():
    def take(value: Seven) -> None: ...

    assert "(value :int) -> :nil" == str(typesig.extract(take, profile="ptc_runner").signature)


class Placed(msgspec.Struct, array_like=True):
    x: int
    y: int = 0


def test_a_value_that_is_not_a_tuple_of_the_fields_is_an_error():
    def take(value: Placed) -> None: ...

    errors = tool("(value :any) -> :nil")(take).call({"value": [1, 2, 3]}).errors

    assert ["value: expected a list of 1 to 2 (got list [1, 2, 3])"] == [str(e) for e in errors]


def test_a_literal_that_json_has_no_form_for_is_any():
    found = contract(Literal[1j])  # type: ignore[valid-type]

    assert ":any" == typesig.render(found.signature.returns)
    assert "JSON has no form for a value of complex" in str(found.warnings[0])


def test_a_variable_of_no_module_is_read_where_it_is_met():
    T = TypeVar("T", bound=int)
    T.__module__ = None  # type: ignore[assignment]

    assert ":int" == typesig.render(contract(T).signature.returns)


def test_args_that_are_a_tuple_are_its_positions():
    def take(*args: *tuple[int, str]) -> str:
        return repr(args)

    found = tool(take)

    assert "(args [:int, :string]) -> :string" == str(found.signature)
    assert "(1, 'a')" == found.call({"args": [1, "a"]}).value


def test_args_that_are_a_tuple_are_its_positions_if_hints_are_objects():
    space: dict[str, Any] = {}
    text = "def take(*args: *tuple[int, str]) -> str: return repr(args)"
    exec(compile(text, "<test>", "exec", dont_inherit=True), space)
    found = tool(space["take"])

    assert "(args [:int, :string]) -> :string" == str(found.signature)
    assert "(1, 'a')" == found.call({"args": [1, "a"]}).value


class Made(pydantic.BaseModel):
    n: int

    @classmethod
    def model_validate(cls, *_: Any, **__: Any) -> Made:
        raise ValueError("it is never made")


def test_the_message_of_a_validator_is_kept():
    def take(a: Made) -> None: ...

    (error,) = tool(take).call({"a": {"n": 1}}).errors

    assert "a: it is never made" == str(error)


def test_args_whose_text_is_not_a_tuple_are_read_as_items():
    space: dict[str, Any] = {"tool": tool}
    exec("def take(*args: '*list[int]') -> None: ...", space)

    assert "args" in str(typesig.extract(space["take"]).signature)


Tree = te.TypeAliasType("Tree", "dict[str, Tree]")  # type: ignore[misc]


def test_an_alias_that_refers_to_itself_is_kept_by_name_where_that_is_asked_for():
    def take(a: Tree, b: Tree) -> Tree:
        return {**a, **b}

    assert "(a :Tree, b :Tree) -> :Tree where Tree = :map[:Tree]" == str(
        typesig.extract(take, recursive=True).signature
    )


def test_injected_takes_classes_and_names():
    with pytest.raises(typesig.TypesigError) as caught:
        typesig.extract(print, injected=[3])

    assert "injected takes classes and names of parameters, not 3" == str(caught.value)


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("int", "int"),
        ("int, optional", "int"),
        ("string or None, default None", "str | None"),
        ("{'a', 'b'}, defaults to 'a'", "Literal['a', 'b']"),
        ("list of integer", "list[int]"),
        ("sequence of str", "Sequence[str]"),
        ("tuple of number", "tuple[int | float, ...]"),
        ("optional", None),
        ("", None),
        (None, None),
    ],
)
def test_types_are_read_from_docstrings_as_people_write_them(written, hint):
    from typesig.extraction.docstrings.type_phrases import parse_type

    assert hint == parse_type(written)


def test_metadata_that_is_refused_leaves_the_rest_of_the_hint():
    runaway = "^(?:(a+)+)+$(?!b)"

    for hint in (
        Annotated[str, pydantic.Field(pattern=runaway)],
        Annotated[str, msgspec.Meta(pattern=runaway)],
    ):
        found = contract(hint)

        assert ":string" == typesig.render(found.signature.returns)
        assert "is not understood and left out" in str(found.warnings[0])


def test_digits_of_an_answer_are_checked_on_the_decimal():
    found = contract(Annotated[Decimal, pydantic.Field(max_digits=3)])

    assert () == found.warnings
    assert Decimal("1.23") == found.read('"1.23"').result
    assert ['expected at most 3 digits (got string "1.234")'] == [
        str(error) for error in found.read('"1.234"').errors
    ]


@attrs.define
class Choosing:
    kind: str | None = attrs.field(
        validator=attrs.validators.optional(attrs.validators.in_(["a", "b"]))
    )


def test_an_optional_choice_may_be_none():
    assert '{kind :enum["a" "b"]?}' == typesig.render(contract(Choosing).signature.returns)


class Loose(pydantic.BaseModel, extra="allow"):
    n: int


def test_extra_fields_of_a_model_are_in_the_result():
    def give() -> Loose:
        return Loose(n=1, more="x")  # type: ignore[call-arg]

    assert {"n": 1, "more": "x"} == tool(give).call({}).value


def test_quoted_values_of_a_docstring_stay_as_they_are():
    from typesig.extraction.docstrings.type_phrases import parse_type

    assert "Literal['string', \"a or b\"] | int" == parse_type("{'string', \"a or b\"} or integer")


@attrs.define
class Converted:
    size: int = attrs.field(converter=abs)
    tags: tuple[str, ...] = attrs.field(default=(), converter=tuple)


def test_a_field_of_attrs_is_converted_as_attrs_does_it():
    assert Converted(3, ("a",)) == contract(Converted).read({"size": -3, "tags": ["a"]}).result
    assert 3 == contract(Converted).read({"size": -3}).result.size


class Envelope(msgspec.Struct):
    kind: str
    body: msgspec.Raw


def test_a_raw_value_of_msgspec_is_its_json_text():
    found = contract(Envelope)

    assert () == found.warnings
    assert "{kind :string, body :any}" == typesig.render(found.signature.returns)
    made = found.read({"kind": "a", "body": {"x": [1]}}).result
    assert {"x": [1]} == msgspec.json.decode(made.body)


@pytest.mark.parametrize(("text", "value"), [(b'{"a": [1]}', {"a": [1]}), (b"null", None)])
def test_a_raw_value_of_msgspec_is_written_as_its_value(text, value):
    def give() -> Envelope:
        return Envelope("a", msgspec.Raw(text))

    assert {"kind": "a", "body": value} == tool(give).call({}).value


def test_a_raw_value_of_msgspec_that_is_not_json_is_an_error():
    def give() -> Envelope:
        return Envelope("a", msgspec.Raw(b"{"))

    (error,) = tool(give).call({}).errors
    assert str(error).startswith("body: not JSON: ")
