"""Generics, aliases, metadata and rarer collections: what hints become, what functions receive."""

import collections
import dataclasses
import enum
import ipaddress
import pathlib
import pickle
import re
import sys
import types
import typing
import uuid
from collections import abc
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, TypedDict, TypeVar

import annotated_types as at
import pytest
import typing_extensions as te

from typesig import Injected, Visible, extract, tool
from typesig.algebra import Keyword
from typesig.errors import ExtractionError

T = TypeVar("T")
S = TypeVar("S")
Bound = TypeVar("Bound", bound=int)
Chosen = TypeVar("Chosen", int, str)


def taking(hint: Any, returns: Any = Any) -> Any:
    """Return a function of one parameter that keeps what it received."""

    def f(value):  # type: ignore[no-untyped-def]
        f.got.append(value)
        return value

    f.got = []
    f.__annotations__ = {"value": hint, "return": returns}
    return f


def told(hint: Any, **options: Any) -> tuple[str, list[str]]:
    """Return the type that *hint* becomes, and the warnings."""
    found = extract(taking(hint), **options)
    text = str(found.signature).removeprefix("(value ").removesuffix(") -> :any")
    return text, [str(warning) for warning in found.warnings]


def received(hint: Any, argument: Any, **options: Any) -> Any:
    f = taking(hint)
    outcome = tool(**options)(f).call({"value": argument})

    assert [] == [str(error) for error in outcome.errors]
    return f.got[0]


def returned(value: object, hint: Any = Any) -> Any:
    """Return what the result *value* of a function becomes."""

    def f():  # type: ignore[no-untyped-def]
        return value

    f.__annotations__ = {"return": hint}
    return tool(f).call({})


# generics


@dataclasses.dataclass
class Box(Generic[T]):
    content: T


@dataclasses.dataclass
class Two(Generic[T, S]):
    first: Box[T]
    second: Box[S]


class Entry(TypedDict):
    id: int


Nothing = NewType("Nothing", None)


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (Box[int], "{content :int}"),
        (Two[int, str], "{first {content :int}, second {content :string}}"),
        (Bound, ":int"),
        (list[Bound], "[:int]"),
        (Chosen, ":int|:string"),
        (te.Self, ":any"),
        (typing.Final[int], ":int"),
        (typing.Final, ":any"),
        (typing.ClassVar[int], ":int"),
        (typing.LiteralString, ":string"),
        (te.LiteralString, ":string"),
        (typing.Union[Nothing, None], ":nil"),  # noqa: UP007 - as it was written once
        (Literal[None], ":nil"),
        (Literal["a", None], ':enum["a"]?'),
        (te.TypeAliasType("Rows", list[int]), "[:int]"),
        (te.TypeAliasType("Rows", list[T], type_params=(T,))[int], "[:int]"),
        (Annotated[int, at.Ge(1)] | None, ":int[1..]?"),
        (Annotated[int | None, at.Ge(1)], ":int[1..]?"),
    ],
)  # fmt: skip
def test_a_generic_hint_is_what_its_arguments_make_it(hint: Any, expected: str) -> None:
    assert expected == told(hint)[0]


@pytest.mark.parametrize(
    ("hint", "warning"),
    [
        (T, "value: ~T: the type variable has no bound, so it became :any; bind it, or write Any"),
        (te.Self, "there is no class here, so it became :any; name the class"),
        (enum.Enum("Empty", []), "the enum has no members, so it became :any; give it members"),
        (
            te.TypeAliasType("Tree", "list[Tree]"),  # noqa: F821 - it names itself
            "so it became :any",
        ),
    ],
)  # fmt: skip
def test_a_hint_without_information_is_warned_of(hint: Any, warning: str) -> None:
    _, warnings = told(hint)

    assert 1 == len(warnings)
    assert warning in warnings[0]


def test_an_alias_that_refers_to_itself_is_closed_with_any() -> None:
    # As in `type Tree = list[Tree]`, whose value is made when it is first needed.
    if sys.version_info >= (3, 12):
        space: dict[str, Any] = {}
        exec("type Tree = list[Tree]", space)
        alias = space["Tree"]
    else:
        alias = _lazy("Tree", lambda: list[alias])  # type: ignore[valid-type]
    text, warnings = told(alias)

    assert "[:any]" == text
    assert ["it refers to itself, so it became :any; write recursive=True to keep it by name"] == [
        w.split(": ")[-1] for w in warnings
    ]


def test_an_alias_of_an_unknown_name_costs_one_parameter() -> None:
    if sys.version_info >= (3, 12):
        space: dict[str, Any] = {}
        exec("type Rows = list[NoSuchRow]", space)
        alias = space["Rows"]
    else:

        def value() -> Any:
            raise NameError("name 'NoSuchRow' is not defined")

        alias = _lazy("Rows", value)
    text, warnings = told(alias)

    assert ":any" == text
    assert "name 'NoSuchRow' is not defined, so it became :any; import it" in warnings[0]


def _lazy(name: str, value: Any) -> Any:
    """Return the alias of a `type` statement, for Python versions without the statement."""
    members = {"__value__": property(lambda _: value()), "__type_params__": (), "__name__": name}
    return type("TypeAliasType", (), members)()


class Shelf:
    def put(self, other: te.Self) -> te.Self: ...


@dataclasses.dataclass
class Node:
    name: str
    next: te.Self | None = None


def test_self_is_the_class_that_it_stands_in() -> None:
    text, warnings = told(Node, recursive=True)

    assert text.startswith(":Node")
    assert [] == warnings
    assert Node("a", Node("b")) == received(
        Node, {"name": "a", "next": {"name": "b"}}, recursive=True
    )


def test_self_in_a_method_names_its_class_in_the_warning() -> None:
    found = extract(Shelf().put)

    assert "(other :any) -> :any" == str(found.signature)
    assert "Shelf" in str(found.warnings[0])


def test_an_init_var_is_the_type_within() -> None:
    assert ":int" == told(dataclasses.InitVar[int])[0]


# metadata


def checked(value: int) -> bool:
    return value > 0


@pytest.mark.parametrize(
    ("hint", "text", "unread"),
    [
        (Annotated[int, None], ":int", False),
        (Annotated[int, 5], ":int", False),
        (Annotated[int, (1, 2)], ":int", False),
        (Annotated[int, checked], ":int", True),
        (Annotated[int, at.Predicate(checked)], ":int", True),
        (Annotated[str, at.MinLen(0)], ":string", False),
        (Annotated[str, at.Len(1, 3)], ":string[1..3]", False),
        (Annotated[float, at.Interval(gt=0, lt=1)], ":float[>0, <1]", False),
    ],
)
def test_metadata_that_bounds_values_and_is_not_understood_is_warned_of(
    hint: Any, text: str, unread: bool
) -> None:
    shown, warnings = told(hint)

    assert text == shown
    assert unread == any("is not understood and left out" in w for w in warnings)


def test_a_bound_that_no_number_can_have_is_warned_of() -> None:
    assert "a step must be a number above 0, not 0" in told(Annotated[int, at.MultipleOf(0)])[1][0]
    assert "a bound must be a number, not 'a'" in told(Annotated[int, at.Ge("a")])[1][0]


def test_a_warning_is_given_once() -> None:
    _, warnings = told(Annotated[int, checked, checked])

    assert 1 == len(warnings)


@pytest.mark.parametrize("mark", [Visible, typing.get_args(Injected[int])[1]])
def test_a_mark_is_itself_again_after_a_pickle(mark: Any) -> None:
    assert mark is pickle.loads(pickle.dumps(mark))
    assert repr(mark) in ("typesig.Visible", "typesig.Injected")


# records


def test_a_field_cannot_be_injected() -> None:
    @dataclasses.dataclass
    class Query:
        text: str
        db: Injected[int]

    _, warnings = told(Query)

    assert 1 == len(warnings)
    assert "a field cannot be injected; inject the whole parameter" in warnings[0]


def test_two_names_that_fold_to_one_key_are_kept_apart() -> None:
    keys = TypedDict("keys", {"user-id": int, "user_id": str})

    assert '{user-id :int, "user_id" :string}' == told(keys)[0]
    assert {"user-id": 1, "user_id": "a"} == received(keys, {"user-id": 1, "user_id": "a"})


def test_a_parameter_beside_a_name_that_folds_to_it_wants_an_explicit_signature() -> None:
    keys = TypedDict("keys", {"user-id": int})

    def f(user_id: int, **kwargs: Any) -> int: ...

    f.__annotations__["kwargs"] = te.Unpack[keys]
    with pytest.raises(
        ExtractionError, match=r"f: .* are one name here.*; or give an explicit sig"
    ):
        extract(f)


def test_unknown_hints_of_keyword_arguments_affect_only_them() -> None:
    def f(id: int, **kwargs: "Unpack[Keys]") -> int: ...  # noqa: F821

    found = extract(f)

    assert str(found.signature).startswith("(id :int")
    assert 1 == len(found.warnings)
    assert "the name Unpack is not defined" in str(found.warnings[0])


# collections


@pytest.mark.parametrize(
    ("hint", "text", "argument", "expected"),
    [
        (collections.Counter[str], ":map[:int]", {"a": 2}, collections.Counter(a=2)),
        (collections.Counter, ":map[:int]", {"a": 2}, collections.Counter(a=2)),
        (collections.deque[int], "[:int]", [1], collections.deque([1])),
        (collections.OrderedDict[str, int], ":map[:int]", {"a": 1},
         collections.OrderedDict(a=1)),
        (collections.defaultdict[str, list[int]], ":map[[:int]]", {"a": [1]}, {"a": [1]}),
        (collections.defaultdict, ":map", {"a": 1}, {"a": 1}),
        (abc.ItemsView[str, int], "[[:string, :int]]", [["a", 1]], [("a", 1)]),
        (abc.ItemsView, "[:any]", [1], [1]),
        (tuple[()], "[:any][0..0]", [], ()),
        (tuple[int], "[:int][1..1]", [1], (1,)),
    ],
)  # fmt: skip
def test_a_collection_is_received_as_its_own_class(
    hint: Any, text: str, argument: object, expected: object
) -> None:
    assert text == told(hint)[0]

    got = received(hint, argument)

    assert expected == got
    assert typing.get_origin(hint) in (None, type(got)) or isinstance(got, list)


@pytest.mark.parametrize(
    ("hint", "made"),
    [
        (collections.defaultdict[str, list[int]], []),
        (collections.defaultdict[str, int], 0),
        (collections.defaultdict[str, str], ""),
        (collections.defaultdict[str, set[int]], set()),
    ],
)
def test_a_defaultdict_makes_the_values_of_its_hint(hint: Any, made: object) -> None:
    got = received(hint, {})

    assert isinstance(got, collections.defaultdict)
    assert made == got["new"]


def test_a_defaultdict_of_what_cannot_be_made_makes_nothing() -> None:
    got = received(collections.defaultdict[str, pathlib.Path], {"a": "b"})

    assert {"a": pathlib.Path("b")} == got
    assert got.default_factory is None


# unions of host types


def test_a_union_gives_the_first_host_type_that_takes_the_value() -> None:
    hint = re.Pattern[str] | pathlib.Path

    assert re.compile("a+") == received(hint, "a+")
    assert pathlib.Path("(") == received(hint, "(")


def test_a_union_of_which_no_host_type_takes_the_value_is_an_error_with_the_first_reason() -> None:
    hint = re.Pattern[str] | uuid.UUID
    outcome = tool(taking(hint)).call({"value": "(?<=a*)b"})

    assert 1 == len(outcome.errors)
    assert str(outcome.errors[0]).startswith("value: not a regular expression: ")


def test_a_union_hands_on_what_is_not_checked() -> None:
    f = taking(ipaddress.IPv4Address | pathlib.Path)
    tool(f).call({"value": [1]}, mode="warn_only")

    assert [[1]] == f.got


# results


class Pattern:
    """A class that shares only its name with a host type."""


class Point(NamedTuple):
    x: int
    y: int


class Cell(collections.UserDict):  # type: ignore[type-arg]
    """A map of its own."""


class Row(tuple):  # type: ignore[type-arg]
    """A tuple of its own."""


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ({"a": [1]}, types.MappingProxyType({"a": (1,)})),
        ({"a": 1}, Cell(a=1)),
        ({"a": 1}, collections.ChainMap({"a": 1})),
        ([1, 2], iter([1, 2])),
        ([0, 1], range(2)),
        (["a"], {"a": 1}.keys()),
        ([1, 2], Row((1, 2))),
        ({"x": 1, "y": 2}, Point(1, 2)),
        ([[1, 2]], {(1, 2)}),
        ([[1]], {frozenset({1})}),
        ("a", Keyword("a")),
    ],
)
def test_a_result_of_any_class_that_is_like_data_is_data(expected: object, value: object) -> None:
    outcome = returned(value)

    assert [] == [str(error) for error in outcome.errors]
    assert expected == outcome.value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Pattern(), "a value of Pattern has no JSON form"),
        (object(), "a value of object has no JSON form"),
        ({"a": [Pattern()]}, "a value of Pattern has no JSON form"),
        ({(1, 2): 3}, "a key that has no JSON form"),
        (float("nan"), "JSON has no form for nan"),
    ],
)
def test_a_result_without_a_json_form_is_an_error_outcome(value: object, message: str) -> None:
    outcome = returned(value)

    assert "output" == outcome.stage
    assert 1 == len(outcome.errors)
    assert message in str(outcome.errors[0])
    assert value is outcome.rejected or value != value


def test_an_object_without_a_json_form_is_reported_with_its_place() -> None:
    (error,) = returned({"a": [1, Pattern()]}).errors

    assert ("a", 1) == error.path


class Countdown:
    """An object that can only be iterated."""

    def __iter__(self) -> Any:
        return iter([2, 1])


@pytest.mark.parametrize(
    ("expected", "hint", "value"),
    [
        (["a"], abc.KeysView[str], {"a": 1}.keys()),
        ([1], abc.ValuesView[int], {"a": 1}.values()),
        ([["a", 1]], abc.ItemsView[str, int], {"a": 1}.items()),
        ([1], abc.Collection[int], {1}),
        ([1], abc.Iterable[int], {1}),
    ],
)
def test_a_result_that_its_hint_allows_is_a_list(expected: Any, hint: Any, value: Any) -> None:
    outcome = returned(value, hint)

    assert [] == [str(error) for error in outcome.errors]
    assert expected == outcome.value


@pytest.mark.parametrize(
    ("expected", "hint"),
    [
        ("[:int, :string]", tuple[*tuple[int, str]]),
        ("[:bool, :int, :string]", tuple[bool, *tuple[int, str]]),
        ("[:bool, :int, :string]", tuple[bool, te.Unpack[tuple[int, str]]]),  # noqa: UP044
    ],
)
def test_an_unpacked_tuple_stands_for_its_positions(expected: str, hint: Any) -> None:
    assert expected == told(hint)[0]


def test_a_type_variable_is_looked_up_in_the_records_around_it() -> None:
    @dataclasses.dataclass
    class Rows(Generic[S]):
        box: Box[list[S]]

    assert "{box {content [:int]}}" == told(Rows[int])[0]
    assert Rows(Box([1])) == received(Rows[int], {"box": {"content": [1]}})


@dataclasses.dataclass
class Held:
    path: pathlib.PurePath


def test_an_object_is_written_where_pydantic_is_not_loaded(monkeypatch: Any) -> None:
    @tool
    def held() -> Held:
        """Return something held."""
        return Held(pathlib.PurePosixPath("a/b"))

    with monkeypatch.context() as patched:
        patched.delitem(sys.modules, "pydantic", raising=False)
        outcome = held.call()

    assert {"path": "a/b"} == outcome.value
