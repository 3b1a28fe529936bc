"""Python values of hostile classes, handed in as data: they are read by the built-ins' own methods.

What a class changes may raise, lie or never end: it is not called.
"""

from __future__ import annotations

import collections
import datetime
import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.generators import EXAMPLES
from tests.growth import steps
from typesig import TypesigError, coerce, contract, infer, parse, tool
from typesig.algebra import Keyword
from typesig.algebra.rows.values import to_builtin
from typesig.errors import TooDeep
from typesig.extraction import encoder
from typesig.listings import Template, render_data
from typesig.validation import normalize_keys

#: No entry takes more for the values here, which are small.
MOST_STEPS = 400_000


def boom(*args: Any) -> Any:
    raise ZeroDivisionError("boom")


def endless(*args: Any) -> Any:
    return itertools.count()


def pairs_without_end(_self: object) -> Any:
    return ((str(number), number) for number in itertools.count())


MAKERS: dict[type, Callable[[type], Any]] = {
    list: lambda cls: cls([1]),
    tuple: lambda cls: cls((1, 2)),
    dict: lambda cls: cls({"a": 1}),
    collections.OrderedDict: lambda cls: cls({"a": 1}),
    set: lambda cls: cls({1}),
    frozenset: lambda cls: cls({1}),
    str: lambda cls: cls("a"),
    Keyword: lambda cls: cls("a"),
    int: lambda cls: cls(1),
    float: lambda cls: cls(1.5),
    datetime.datetime: lambda cls: cls(2027, 1, 31, tzinfo=datetime.UTC),
}

OVERRIDDEN = [
    "__abs__",
    "__add__",
    "__class__",
    "__contains__",
    "__dict__",
    "__eq__",
    "__float__",
    "__format__",
    "__ge__",
    "__getattribute__",
    "__getitem__",
    "__gt__",
    "__hash__",
    "__index__",
    "__int__",
    "__iter__",
    "__le__",
    "__len__",
    "__lt__",
    "__mod__",
    "__ne__",
    "__neg__",
    "__or__",
    "__reduce__",
    "__repr__",
    "__reversed__",
    "__sizeof__",
    "__str__",
    "__sub__",
    "as_integer_ratio",
    "astimezone",
    "bit_length",
    "casefold",
    "copy",
    "encode",
    "get",
    "is_integer",
    "isascii",
    "isdigit",
    "isoformat",
    "isprintable",
    "items",
    "keys",
    "lower",
    "partition",
    "removesuffix",
    "replace",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "tzinfo",
    "utcoffset",
    "values",
]


class Endless:
    """An object that is every attribute and item of itself."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any) -> Any:
        return self

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self


class Changing(dict[str, int]):
    """A dict that changes while it is read."""

    def __getitem__(self, key: str) -> int:
        self[str(len(self))] = 1
        return dict.__getitem__(self, key)

    def get(self, key: str, default: Any = None) -> Any:
        self[str(len(self))] = 1
        return dict.get(self, key, default)


class EndlessMapping(Mapping[str, int]):
    def __iter__(self) -> Any:
        return map(str, itertools.count())

    def __len__(self) -> int:
        return 5

    def __getitem__(self, key: str) -> int:
        return 1


def hostile_values() -> dict[str, Any]:
    cyclic_list: list[Any] = []
    cyclic_list.append(cyclic_list)
    cyclic_dict: dict[str, Any] = {}
    cyclic_dict["a"] = cyclic_dict
    out: dict[str, Any] = {
        "list in itself": cyclic_list,
        "dict in itself": cyclic_dict,
        "object that is its own items": Endless(),
        "mapping without end": EndlessMapping(),
        "iterator without end": itertools.count(),
        "dict that changes": Changing(a=1),
        "mapping that raises": type("Raising", (collections.UserDict,), {"items": boom})({"a": 1}),
    }
    for base, make in MAKERS.items():
        for name in OVERRIDDEN:
            if not hasattr(base, name) or (name == "__hash__" and base.__hash__ is None):
                continue
            raising = property(boom) if name in ("__class__", "__dict__", "tzinfo") else boom
            made = {"raises": raising}
            if name in ("__iter__", "__reversed__", "items", "keys", "values"):
                made["does not end"] = pairs_without_end if name == "items" else endless
            for how, method in made.items():
                members = {name: method}
                if name == "__eq__":
                    members["__hash__"] = base.__hash__
                out[f"{base.__name__} whose {name} {how}"] = make(type("Hostile", (base,), members))
    return out


VALUES = hostile_values()

TYPES = {
    text: parse(f"(x {text}) -> {text}")
    for text in (
        ":any", "[:any]", "[:int]", "[:int]|:string", "#{:int}", "[:int, :int]",
        ":map", "{a :int}", "{a :any, b :int = 3}", "{a :int}|{b :int}", ":map[:string :int]",
        ":map[:int :any]", ":string", ":string[email]", ":string[/a/]", ":int",
        ":float", ":bool", ":datetime", ":keyword", ':enum["a" 1 2.5]',
    )
}  # fmt: skip


def shown(outcome: Any) -> None:
    """Use all that an outcome tells."""
    repr(outcome), str(outcome), outcome.report(), outcome.tree()
    for issue in (*outcome.errors, *outcome.warnings):
        str(issue)
    for look in (lambda: outcome.value, lambda: outcome.text, outcome.for_model):
        try:
            look()
        except TypesigError:
            pass


@tool
def hosting(x: list[set[float]] | dict[str, tuple[float, ...]] | None = None) -> Any:
    """Take values that are decoded, and return one as it is."""
    return x


def entries(text: str) -> dict[str, Callable[[Any], object]]:
    signature = TYPES[text]

    @tool(signature)
    def same(x: Any) -> Any:
        return x

    return {
        "validate_input": lambda value: shown(signature.validate_input({"x": value})),
        "validate_input in strict": lambda value: shown(
            signature.validate_input({"x": value}, "strict")
        ),
        "validate_input in warn_only": lambda value: shown(
            signature.validate_input({"x": value}, "warn_only")
        ),
        "validate_output": lambda value: shown(signature.validate_output(value)),
        "validate_output in json": lambda value: shown(signature.validate_output(value, "json")),
        "validate_output in disabled": lambda value: shown(
            signature.validate_output(value, "disabled")
        ),
        "coerce": lambda value: shown(coerce(value, text)),
        "accepts": signature.accepts,
        "call": lambda value: shown(same.call({"x": value})),
        "read": lambda value: contract(text).read(value),
    }


UNTYPED: dict[str, Callable[[Any], object]] = {
    "arguments": lambda value: shown(hosting.call(value)),
    "validate_input": lambda value: shown(TYPES[":any"].validate_input(value)),
    "call with decoding": lambda value: shown(hosting.call({"x": [value]})),
    "call with decoding of a map": lambda value: shown(hosting.call({"x": {"a": value}})),
    "infer": lambda value: str(infer(value, [value, value, {"a": value}])),
    "normalize_keys": normalize_keys,
    "render_data": render_data,
    "render": lambda value: Template("{{x}} {{y.a}}", "(x :any, y :any) -> :any").render(
        {"x": value, "y": value}
    ),
}


@pytest.fixture(autouse=True)
def _few_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "MAX_ITEMS", 50)
    monkeypatch.setattr("typesig.calls.running.MAX_ITEMS", 50)


def run(use: Callable[[Any], object], value: Any) -> None:
    """Call *use*, which may refuse *value*."""
    try:
        use(value)
    except TypesigError:
        pass


#: Each entry is called with one of so many values; where many examples of the laws are tried, with all.
STRIDE = max(1, 32 // EXAMPLES)


def check(name: str, use: Callable[[Any], object], first: int) -> None:
    for what, value in list(VALUES.items())[first % STRIDE :: STRIDE]:
        try:
            if what.endswith(" raises"):
                # To raise is to end, and to count takes time.
                run(use, value)
            else:
                steps(lambda: run(use, value), MOST_STEPS)  # noqa: B023
        except BaseException as error:
            raise AssertionError(f"{name} of a {what}: {error!r}") from error


@pytest.mark.once
@pytest.mark.parametrize("text", TYPES)
def test_no_entry_hangs_on_a_value_of_a_hostile_class(text):
    for number, (name, use) in enumerate(entries(text).items(), list(TYPES).index(text)):
        check(name, use, number)


@pytest.mark.once
@pytest.mark.parametrize("name", UNTYPED)
def test_no_entry_without_a_type_hangs_on_a_value_of_a_hostile_class(name):
    check(name, UNTYPED[name], list(UNTYPED).index(name))


@pytest.mark.parametrize(
    ("text", "base", "plain"),
    [
        ("[:int]", list, [1]),
        ("[:int, :int]", tuple, [1, 2]),
        ("{a :int}", dict, {"a": 1}),
        ("{a :int}", collections.OrderedDict, {"a": 1}),
        (":map[:string :int]", dict, {"a": 1}),
        ("#{:int}", set, [1]),
        ("#{:int}", frozenset, [1]),
    ],
)
def test_a_collection_is_read_by_the_methods_of_its_built_in(text, base, plain):
    methods = dict.fromkeys(("__iter__", "__getitem__", "__len__", "__contains__"), boom)
    methods |= dict.fromkeys(("items", "keys", "values", "get"), boom)
    made = MAKERS[base](type("Hostile", (base,), methods))
    out = TYPES[text].validate_output(made)

    assert (plain, True) == (out.value, out.result is made)


@pytest.mark.parametrize("base", MAKERS)
def test_exact_gives_the_built_in_that_a_value_is(base):
    value = MAKERS[base](type("Hostile", (base,), {"__iter__": endless}))
    found = to_builtin(value)
    plain = dict if base is collections.OrderedDict else base

    assert (plain, False) == (type(found), found is value)
    assert to_builtin([1]) == [1]


def test_the_order_of_an_ordered_dict_is_its_own():
    value = collections.OrderedDict(a=1, b=2)
    value.move_to_end("a")

    assert ["b", "a"] == list(to_builtin(value))


def test_an_iterator_without_end_in_a_result_is_an_error():
    @tool
    def count() -> dict[str, Any]:
        return {"all": itertools.count()}

    assert ["all: it has more than 50 items"] == [str(e) for e in count.call().errors]


def test_data_inside_itself_is_too_deep_to_render():
    value: dict[str, Any] = {}
    value["a"] = [value]

    with pytest.raises(TooDeep, match="nests more than 128 levels, or is inside itself"):
        render_data(value)


def test_a_value_that_is_not_data_is_an_error_of_the_template():
    template = Template("{{user.name}}", "(user :map) -> :any")

    with pytest.raises(TypesigError) as caught:
        template.render({"user": {"name": {"a": object()}}})

    assert (
        "placeholder {{user.name}} cannot be written: JSON has no form for a value of object at a; "
        "give its text, or data that JSON has a form for"
    ) == str(caught.value)
