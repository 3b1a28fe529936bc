"""Callables of every kind, and docstrings of every style."""

import asyncio
import functools
import math
import operator
import pickle
import types
import typing
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict, overload

import pytest
import typing_extensions as te

import typesig
from typesig import extract, tool, tools_of
from typesig.errors import ExtractionError


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


class Shop:
    """A shop."""

    def __init__(self, name: str = "shop") -> None:
        self.name = name

    def buy(self, item: str, count: int = 1) -> str:
        """Buy something."""
        return f"{self.name}: {count} {item}"

    @classmethod
    def open(cls, name: str) -> str:
        """Open a shop."""
        return f"{cls.__name__} {name}"

    @staticmethod
    def price(item: str) -> int:
        """Tell a price."""
        return len(item)

    @functools.lru_cache  # noqa: B019
    def cached(self, item: str) -> int:
        return len(item)

    def __call__(self, item: str) -> str:
        """Call the shop."""
        return item


class Loud(Shop):
    pass


class Later:
    async def __call__(self, n: int) -> int:
        """Wait a little."""
        await asyncio.sleep(0)
        return n


class Made:
    """A thing.

    Args:
        size: how large
    """

    def __init__(self, size: int, color: str = "red") -> None:
        self.size, self.color = size, color


class News:
    def __new__(cls, size: int) -> te.Self:
        made = super().__new__(cls)
        made.size = size  # type: ignore[attr-defined]
        return made


@dataclass
class Point:
    x: int
    y: int = 0


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


@functools.lru_cache
def cached(n: int) -> int:
    """Count once."""
    return n


@functools.cache
def also_cached(n: int) -> int:
    return n


async def fetch(url: str, tries: int = 3) -> bytes:
    """Fetch a page."""
    return url.encode() * tries


def rows(n: int) -> Iterator[int]:
    """Give rows."""
    yield from range(n)


async def pages(n: int) -> AsyncIterator[int]:
    for page in range(n):
        yield page


@functools.singledispatch
def shown(value: int) -> str:
    return str(value)


def with_lambda() -> Any:
    f = lambda a, b=1: a  # noqa: E731
    f.__annotations__ = {"a": int, "return": int}
    return f


CALLABLES = [
    # the callable, its name, signature and description
    (add, "add", "(a :int, b :int = 2) -> :int", "Add two numbers."),
    (with_lambda(), "<lambda>", "(a :int, b :any = 1) -> :int", None),
    (Shop().buy, "buy", "(item :string, count :int = 1) -> :string", "Buy something."),
    (Shop.buy, "buy", "(item :string, count :int = 1) -> :string", "Buy something."),
    (Loud().buy, "buy", "(item :string, count :int = 1) -> :string", "Buy something."),
    (Shop.open, "open", "(name :string) -> :string", "Open a shop."),
    (Shop().open, "open", "(name :string) -> :string", "Open a shop."),
    (vars(Shop)["open"], "open", "(name :string) -> :string", "Open a shop."),
    (Shop.price, "price", "(item :string) -> :int", "Tell a price."),
    (vars(Shop)["price"], "price", "(item :string) -> :int", "Tell a price."),
    (Shop().cached, "cached", "(item :string) -> :int", None),
    (Shop(), "Shop", "(item :string) -> :string", "Call the shop."),
    (Later(), "Later", "(n :int) -> :int", "Wait a little."),
    (functools.partial(add, 1), "add", "(b :int = 2) -> :int", "Add two numbers."),
    (functools.partial(add, a=1), "add", "(b :int = 2) -> :int", "Add two numbers."),
    (functools.partial(add, b=5), "add", "(a :int) -> :int", "Add two numbers."),
    (functools.partial(functools.partial(add, 1), b=5), "add", "() -> :int", "Add two numbers."),
    (functools.partial(Shop().buy, "tea"), "buy", "(count :int = 1) -> :string", "Buy something."),
    (logged(add), "add", "(a :int, b :int = 2) -> :int", "Add two numbers."),
    (logged(logged(add)), "add", "(a :int, b :int = 2) -> :int", "Add two numbers."),
    (functools.partial(logged(add), 1), "add", "(b :int = 2) -> :int", "Add two numbers."),
    (functools.update_wrapper(functools.partial(add, 1), add), "add", "(b :int = 2) -> :int", "Add two numbers."),
    (cached, "cached", "(n :int) -> :int", "Count once."),
    (also_cached, "also_cached", "(n :int) -> :int", None),
    (fetch, "fetch", "(url :string, tries :int = 3) -> :string[base64]", "Fetch a page."),
    (rows, "rows", "(n :int) -> [:int]", "Give rows."),
    (pages, "pages", "(n :int) -> [:int]", None),
    (shown, "shown", "(value :int) -> :string", None),
    (Point, "Point", "(x :int, y :int = 0) -> {x :int, y :int}", None),
    (tool(add), "add", "(a :int, b :int = 2) -> :int", "Add two numbers."),
    (tool(shown), "shown", "(value :int) -> :string", None),
]  # fmt: skip


@pytest.mark.parametrize(("target", "name", "text", "description"), CALLABLES)
def test_the_signature_of_a_callable_is_that_of_its_row(
    target: Any, name: str, text: str, description: str | None
) -> None:
    extraction = extract(target)

    assert (name, text) == (extraction.name, str(extraction.signature))
    if target is not Point:  # dataclass writes a docstring of its own
        assert description == extraction.description


def test_a_class_is_its_constructor() -> None:
    extraction = extract(Made)
    outcome = tool(Made).call({"size": "3"})

    assert '(size :int "how large", color :string = "red")' in extraction.signature.render()  # type: ignore[union-attr]
    assert "A thing." == extraction.description
    assert (
        3
        == tool("(size :int) -> :any", name="made")(lambda size: Made(size).size)
        .call({"size": 3})
        .value
    )
    assert outcome.rejected is None or isinstance(outcome.rejected, Made)


def test_a_class_whose_type_parameters_are_those_of_its_instances_is_its_constructor() -> None:
    class Function:
        __type_params__ = __parameters__ = property(lambda self: ())

        def __init__(self, x: "int") -> None:
            self.x = x

    assert "(x :int) -> :any" == str(extract(Function).signature)
    for cls in (types.FunctionType, types.MethodType, types.GenericAlias):
        assert cls.__name__ == extract(cls).name


def test_a_class_made_by_new_is_its_parameters() -> None:
    assert str(extract(News).signature).startswith("(size :int) -> ")


def test_a_dataclass_can_be_a_tool() -> None:
    outcome = tool(Point).call({"x": "3"})

    assert Point(3, 0) == outcome.result
    assert {"x": 3, "y": 0} == outcome.value


CALLS = [
    # the callable, arguments, the value
    (Shop("a").buy, {"item": "tea"}, "a: 1 tea"),
    (Shop.open, {"name": "b"}, "Shop b"),
    (Loud.open, {"name": "b"}, "Loud b"),
    (Shop.price, {"item": "tea"}, 3),
    (Shop(), {"item": "tea"}, "tea"),
    (Shop().cached, {"item": "tea"}, 3),
    (functools.partial(add, 1), {"b": 5}, 6),
    (functools.partial(add, 1), {}, 3),
    (functools.partial(add, a=1), {"b": 5}, 6),
    (functools.partial(add, b=5), {"a": 1}, 6),
    (functools.partial(Shop("a").buy, "tea"), {"count": 2}, "a: 2 tea"),
    (logged(add), {"a": 1}, 3),
    (functools.update_wrapper(functools.partial(add, 1), add), {"b": 5}, 6),
    (cached, {"n": "4"}, 4),
    (rows, {"n": 2}, [0, 1]),
    (shown, {"value": 3}, "3"),
]


@pytest.mark.parametrize(("target", "arguments", "value"), CALLS)
def test_a_call_of_a_callable_gives_the_result_of_its_row(
    target: Any, arguments: Any, value: Any
) -> None:
    outcome = tool(name="t")(target).call(arguments)

    assert [] == lines(outcome.errors)
    assert value == outcome.value


# builtins


BUILTINS = [
    # the callable, whether Python knows its parameters
    len, print, math.hypot, math.floor, operator.add, "".join, dict.get, sorted, isinstance, abs, max,
    getattr, iter, dict, int, range, type, zip,
]  # fmt: skip


@pytest.mark.parametrize("builtin", BUILTINS, ids=lambda b: getattr(b, "__qualname__", str(b)))
def test_a_builtin_is_never_an_exception(builtin: Any) -> None:
    extraction = extract(builtin)

    assert builtin.__name__ == extraction.name


@pytest.mark.parametrize("builtin", [len, math.hypot, math.floor, "".join, sorted, max, getattr])
def test_a_builtin_without_hints_has_no_signature(builtin: Any) -> None:
    assert None is extract(builtin).signature


def test_a_builtin_is_a_tool_with_an_explicit_signature() -> None:
    length = tool("(obj :string) -> :int")(len)
    floor = tool("(x :float) -> :int")(math.floor)

    assert 3 == length.call({"obj": "abc"}).value
    assert 2 == floor.call({"x": 2.5}).value


def test_a_builtin_with_unknown_parameters_takes_those_of_the_text() -> None:
    biggest = tool("(a :int, b :int) -> :int", name="biggest")(lambda a, b: max(a, b))

    assert 3 == biggest.call({"a": 1, "b": 3}).value


@pytest.mark.parametrize("value", [3, "text", None, [], object()])
def test_what_cannot_be_called_is_an_error(value: Any) -> None:
    with pytest.raises(ExtractionError) as raised:
        extract(value)

    assert f"a callable is needed, not {type(value).__name__}; pass a function" == str(raised.value)


# decorators in both orders


class Both:
    @tool
    @classmethod
    def above_class(cls, n: int) -> str:
        """Say the class."""
        return f"{cls.__name__} {n}"

    @classmethod
    @tool
    def below_class(cls, n: int) -> str:
        """Say the class."""
        return f"{cls.__name__} {n}"

    @tool
    @staticmethod
    def above_static(n: int) -> int:
        """Say the number."""
        return n

    @staticmethod
    @tool
    def below_static(n: int) -> int:
        """Say the number."""
        return n


class BothToo(Both):
    pass


@pytest.mark.parametrize("owner", [Both, Both(), BothToo, BothToo()])
@pytest.mark.parametrize("name", ["above_class", "below_class", "above_static", "below_static"])
def test_class_and_static_methods_are_tools_in_both_orders(owner: Any, name: str) -> None:
    found = getattr(owner, name)
    cls = owner if isinstance(owner, type) else type(owner)

    assert (f"{cls.__name__} 3" if "class" in name else 3) == found(3)


@pytest.mark.parametrize("owner", [Both, Both(), BothToo, BothToo()])
@pytest.mark.parametrize("name", ["above_class", "above_static", "below_static"])
def test_class_and_static_methods_are_called_by_a_model(owner: Any, name: str) -> None:
    found = getattr(owner, name)
    cls = owner if isinstance(owner, type) else type(owner)

    assert (f"{cls.__name__} 3" if "class" in name else 3) == found.call({"n": 3}).value


def test_a_class_method_above_a_tool_is_found_by_tools_of() -> None:
    # classmethod returns a bound method there, so the tool itself cannot be reached.
    found = typesig.tools_of(Both)

    assert {"above_class", "below_class", "above_static", "below_static"} == set(found.names)
    assert "Both 3" == found.call("below_class", {"n": 3}).value


# kinds of parameters


def kinds(a: int, /, b: int, *c: int, d: int, e: int = 5, **f: int) -> Any:
    return a, b, c, d, e, f


def positional(a: int, b: int = 2, /, c: int = 3) -> tuple[int, int, int]:
    return a, b, c


def named(*, a: int, b: str | None = None) -> Any:
    return a, b


def several(*items: int) -> int:
    return sum(items)


def rest(a: int, **more: Any) -> Any:
    return a, more


def bare_rest(a: int, **more) -> Any:  # type: ignore[no-untyped-def]
    return a, more


KINDS = [
    # function, signature, arguments, the result
    (kinds, "(a :int, b :int, c? [:int], d :int, e :int = 5, ** :int) -> :any", {"a": 1, "b": 2, "c": [3, 4], "d": 6, "g": "7"}, (1, 2, (3, 4), 6, 5, {"g": 7})),
    (kinds, "(a :int, b :int, c? [:int], d :int, e :int = 5, ** :int) -> :any", {"a": 1, "b": 2, "d": 6}, (1, 2, (), 6, 5, {})),
    (positional, "(a :int, b :int = 2, c :int = 3) -> [:int, :int, :int]", {"a": 1, "c": 4}, (1, 2, 4)),
    (positional, "(a :int, b :int = 2, c :int = 3) -> [:int, :int, :int]", {"a": 1}, (1, 2, 3)),
    (named, "(a :int, b :string?) -> :any", {"a": 1}, (1, None)),
    (several, "(items? [:int]) -> :int", {"items": ["1", 2]}, 3),
    (several, "(items? [:int]) -> :int", {}, 0),
    (rest, "(a :int, ** :any?) -> :any", {"a": 1, "b": {"c": 2}}, (1, {"b": {"c": 2}})),
    (bare_rest, "(a :int, ** :any?) -> :any", {"a": 1, "b": 2}, (1, {"b": 2})),
]  # fmt: skip


@pytest.mark.parametrize(("function", "text", "arguments", "result"), KINDS)
def test_parameters_of_every_kind_are_extracted_and_reached(
    function: Any, text: str, arguments: Any, result: Any
) -> None:
    t = tool(function)
    outcome = t.call(arguments)

    assert text == str(t.signature)
    assert [] == lines(outcome.errors)
    assert result == outcome.result


def test_a_keyword_argument_that_does_not_fit_is_an_error() -> None:
    outcome = tool(kinds).call({"a": 1, "b": 2, "d": 3, "g": "x"})

    assert ['g: expected int, got string "x"'] == lines(outcome.errors)


def test_several_arguments_are_a_list_even_after_a_default() -> None:
    def f(a: int = 1, *more: int) -> Any:
        return a, more

    t = tool(f)

    assert (1, (5,)) == t.call({"more": [5]}).result
    assert (7, ()) == t.call({"a": 7}).result


def test_a_positional_only_name_may_be_used_again_in_the_rest() -> None:
    def f(a: int, /, **more: int) -> Any:
        return a, more

    assert (1, {"b": 2}) == tool(f).call({"a": 1, "b": 2}).result


class Extra(TypedDict):
    id: int
    note: te.NotRequired[str]


def test_unpacked_keywords_are_parameters_of_their_own() -> None:
    def f(a: int, **more: te.Unpack[Extra]) -> Any:
        return a, more

    t = tool(f)

    assert "(a :int, id :int, note? :string) -> :any" == str(t.signature)
    assert (1, {"id": 2}) == t.call({"a": 1, "id": 2}).result


def kept(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


class Below:
    """Methods below other decorators; `shelf` tells that the receiver arrived."""

    shelf = "b"

    @functools.lru_cache  # noqa: B019
    def cached(self, item: str) -> str:
        return self.shelf + item

    @kept
    def wrapped(self, item: str) -> str:
        return self.shelf + item

    @kept
    @functools.lru_cache(maxsize=2)  # noqa: B019
    def twice(self, item: str) -> str:
        return self.shelf + item

    @functools.singledispatchmethod
    def dispatched(self, item: str) -> str:
        return self.shelf + item

    def hinted(self: "Below", item: str) -> str:
        return self.shelf + item

    @overload
    def loaded(self: "Below", item: str) -> str: ...
    @overload
    def loaded(self: "Below", item: str, count: int) -> str: ...
    def loaded(self, item, count=1):  # type: ignore[no-untyped-def]
        return self.shelf + item * count

    @staticmethod
    def static(self: str) -> str:
        return self


BELOW = ("cached", "wrapped", "twice", "dispatched", "hinted", "loaded")


class BelowTools:
    shelf = "b"

    cached = tool(vars(Below)["cached"])
    wrapped = tool(vars(Below)["wrapped"])
    twice = tool(vars(Below)["twice"])
    dispatched = tool(vars(Below)["dispatched"])
    hinted = tool(vars(Below)["hinted"])
    loaded = tool(vars(Below)["loaded"])


@pytest.mark.parametrize("name", BELOW)
def test_the_receiver_of_a_method_below_a_decorator_is_not_shown(name: str) -> None:
    for each in (vars(Below)[name], getattr(Below, name), getattr(Below(), name)):
        assert "self" not in str(extract(each).signature), name
        assert str(extract(each).signature).startswith("(item :string"), name


@pytest.mark.parametrize("name", BELOW)
def test_a_tool_above_a_decorated_method_is_called_on_its_instance(name: str) -> None:
    bound = getattr(BelowTools(), name)
    assert bound.call({"item": "x"}).value == bound("x") == "bx"
    with pytest.raises(typesig.TypesigError, match="is a method and has no instance here"):
        getattr(BelowTools, name).call({"item": "x"})


def test_the_tools_of_an_instance_have_its_decorated_methods() -> None:
    tools = typesig.tools_of(Below(), undecorated=True)
    assert tools.names == (*BELOW, "static")
    for name in BELOW:
        assert tools.call(name, {"item": "x"}).value == "bx", name


def test_a_dispatching_method_chooses_by_its_first_argument() -> None:
    class Teller:
        @functools.singledispatchmethod
        def tell(self, value: int | str) -> str:
            return "other"

        @tell.register
        def _(self, value: int) -> str:
            return "int"

    tell = typesig.tools_of(Teller(), undecorated=True)["tell"]
    assert [tell.call({"value": value}).value for value in (1, "a")] == ["int", "other"]


def test_a_static_method_may_have_a_parameter_called_self() -> None:
    assert str(extract(Below.static).signature) == "(self :string) -> :string"


# overloads


@overload
def find(key: int) -> str: ...
@overload
def find(key: str, near: bool) -> list[str]: ...
def find(key: Any, near: bool = False) -> Any:
    """Find by key."""
    return [str(key)] if near else str(key)


@overload
def tied(key: int) -> int: ...
@overload
def tied(key: str) -> str: ...
def tied(key: int | str) -> int | str:
    return key


class Shelf:
    @overload
    def get(self, key: int) -> str: ...
    @overload
    def get(self, key: str, near: bool) -> list[str]: ...
    def get(self, key: Any, near: bool = False) -> Any:
        return [str(key)] if near else str(key)


def test_the_overload_with_the_most_parameters_is_used() -> None:
    assert "(key :string, near :bool = false) -> [:string]" == str(extract(find).signature)
    assert "Find by key." == extract(find).description


def test_the_implementation_is_used_if_overloads_tie() -> None:
    assert "(key :int|:string) -> :int|:string" == str(extract(tied).signature)


def test_overloads_of_a_method_are_read_without_its_receiver() -> None:
    assert "(key :string, near :bool = false) -> [:string]" == str(extract(Shelf().get).signature)


@overload
def longer(x: int) -> int: ...
@overload
def longer(x: int, y: str) -> str: ...
def longer(x, y=None):  # type: ignore[no-untyped-def]
    return x if y is None else y


@overload
def own_result(x: int) -> int: ...
@overload
def own_result(x: int, y: str) -> str: ...
def own_result(x: int, y: str | None = None) -> int | str | list[int]:
    return [x]


@overload
def by_constant(x: int, raw: typing.Literal[True]) -> bytes: ...
@overload
def by_constant(x: int, raw: typing.Literal[False] = ...) -> str: ...
@overload
def by_constant(x: int, raw: bool = ..., base: int = ...) -> str | bytes: ...
def by_constant(x, raw=False, base=10):  # type: ignore[no-untyped-def]
    return b"" if raw else ""


@overload
def tied_without_hints(x: int) -> int: ...
@overload
def tied_without_hints(x: list[str]) -> str: ...
def tied_without_hints(x):  # type: ignore[no-untyped-def]
    return x if isinstance(x, int) else "".join(x)


@overload
def passed_on(x: int) -> int: ...
@overload
def passed_on(x: int, y: str) -> str: ...
def passed_on(*args: Any, **kwargs: Any) -> Any:
    return dict(zip("xy", args, strict=False), **kwargs).get("y", 7)


@overload
def by_place(x: int) -> int: ...
@overload
def by_place(x: int, y: "str") -> "str": ...
def by_place(*args):  # type: ignore[no-untyped-def]
    return args[-1]


@overload
def without_a_result(x: int): ...  # type: ignore[no-untyped-def]
@overload
def without_a_result(x: str) -> str: ...
def without_a_result(x):  # type: ignore[no-untyped-def]
    return x


@overload
def with_a_wrong_result(x: int) -> int: ...
@overload
def with_a_wrong_result(x: str) -> (str, bytes): ...  # type: ignore[syntax]
def with_a_wrong_result(x):  # type: ignore[no-untyped-def]
    return x


@overload
def by_metadata(x: Annotated[str, "short"]) -> int: ...
@overload
def by_metadata(x: Annotated[int, "small"]) -> bool: ...
@overload
def by_metadata(x: str, y: str) -> str: ...
def by_metadata(x, y=""):  # type: ignore[no-untyped-def]
    return x + y


@overload
def by_other_constants(x: typing.Literal[1]) -> int: ...
@overload
def by_other_constants(x: typing.Literal[True, 3]) -> bool: ...
@overload
def by_other_constants(x: typing.Literal[1, 2], y: str) -> str: ...
def by_other_constants(x, y=""):  # type: ignore[no-untyped-def]
    return f"{x}{y}"


T = typing.TypeVar("T")


@overload
def by_variable(x: T) -> list[T]: ...
@overload
def by_variable(x: str, y: str) -> str: ...
def by_variable(x, y=""):  # type: ignore[no-untyped-def]
    return x + y


@overload
def by_unknown_name(x: int) -> int: ...
@overload
def by_unknown_name(x: str) -> str: ...
def by_unknown_name(x: int | str) -> "Unknown":  # type: ignore[name-defined]  # noqa: F821
    return x


@overload
def by_anything(x: Any) -> int: ...
@overload
def by_anything(x: str, y: str) -> str: ...
def by_anything(x, y=""):  # type: ignore[no-untyped-def]
    return x + y


class Titled(typing.Protocol):
    def title(self) -> str: ...


@overload
def by_protocol(x: Titled) -> int: ...
@overload
def by_protocol(x: str, y: str) -> str: ...
def by_protocol(x, y=""):  # type: ignore[no-untyped-def]
    return x + y


class Named(TypedDict):
    name: str


@overload
def by_typed_dict(x: Named) -> int: ...
@overload
def by_typed_dict(x: dict[str, str], y: str) -> str: ...
def by_typed_dict(x, y=""):  # type: ignore[no-untyped-def]
    return x["name"] + y


def unreadable(function: Any) -> Any:
    """Return *function* with a signature that is none."""
    function.__signature__ = "unreadable"
    return function


class Passing:
    @overload
    def __init__(self, x: int) -> None: ...
    @overload
    def __init__(self, x: int, y: str) -> None: ...
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args

    @overload
    def get(self, x: int) -> int: ...
    @overload
    def get(self, x: int, y: str) -> str: ...
    def get(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        return kwargs["y"]


def test_a_receiver_of_overloads_that_are_passed_on_is_no_parameter() -> None:
    assert str(extract(Passing).signature).startswith("(x :int, y :string) -> ")
    assert str(extract(Passing(1).get).signature) == "(x :int, y :string) -> :string"
    assert str(extract(Passing.get).signature) == "(x :int, y :string) -> :string"
    assert tool(Passing(1).get).call({"x": 1, "y": "a"}).value == "a"


@pytest.mark.parametrize(
    ("function", "signature"),
    [
        (longer, "(x :int, y :string?) -> :int|:string"),
        (own_result, "(x :int, y :string?) -> :int|:string|[:int]"),
        (by_constant, "(x :int, raw :bool = false, base :int = 10) -> :string"),
        (tied_without_hints, "(x :int|[:string]) -> :int|:string"),
        (passed_on, "(x :int, y :string) -> :string"),
        (by_place, "(x :int, y :string) -> :string"),
        (without_a_result, "(x :int|:string) -> :any"),
        (with_a_wrong_result, "(x :int|:string) -> :any"),
        (by_metadata, '(x :string, y :string = "") -> :int|:string'),
        (by_other_constants, '(x :enum[1 2], y :string = "") -> :int|:string'),
        (by_variable, '(x :string, y :string = "") -> [:any]|:string'),
        (by_anything, '(x :string, y :string = "") -> :int|:string'),
        (by_protocol, '(x :string, y :string = "") -> :int|:string'),
        (by_typed_dict, '(x :map[:string], y :string = "") -> :int|:string'),
        (by_unknown_name, "(x :int|:string) -> :int|:string"),
    ],
)
def test_the_result_of_overloads_is_that_of_all_that_the_parameters_admit(
    function: Any, signature: str
) -> None:
    assert str(extract(function).signature) == signature


def test_an_overload_of_a_method_whose_signature_cannot_be_read_does_not_count() -> None:
    class Rack:
        @overload
        def get(self, x: int) -> int: ...
        @overload
        @unreadable
        def get(self, x: str, y: str, z: str) -> str: ...
        def get(self, x):  # type: ignore[no-untyped-def]
            return x

    assert str(extract(Rack().get).signature) == "(x :int) -> :int"


@pytest.mark.parametrize(
    ("function", "arguments", "result"),
    [
        (longer, {"x": 1}, 1),
        (longer, {"x": 1, "y": "a"}, "a"),
        (own_result, {"x": 1}, [1]),
        (tied_without_hints, {"x": 1}, 1),
        (tied_without_hints, {"x": ["a", "b"]}, "ab"),
        (passed_on, {"x": 1, "y": "a"}, "a"),
        (by_place, {"x": 1, "y": "a"}, "a"),
    ],
)
def test_a_legal_call_of_an_overload_ends_in_its_result(
    function: Any, arguments: dict[str, Any], result: Any
) -> None:
    assert tool(function).call(arguments).value == result


@pytest.mark.parametrize("function", [find, tied])
def test_strict_extraction_wants_an_explicit_signature_of_overloads(function: Any) -> None:
    with pytest.raises(ExtractionError) as raised:
        extract(function, strict=True)

    assert f"{function.__name__} has 2 overloads; give an explicit signature" == str(raised.value)


def test_an_explicit_signature_settles_overloads_in_strict_extraction_too() -> None:
    t = tool("(key :string) -> :string", strict=True)(find)

    assert "a" == t.call({"key": "a"}).value


# names


NAMES = ["json", "schema", "copy", "model_config", "validate", "title", "context", "class_", "name",
         "given", "mode", "arguments", "description", "items", "call", "type", "id", "cls", "returns"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_a_parameter_is_special(name: str) -> None:
    space: dict[str, Any] = {}
    exec(f"def f({name}: int) -> int:\n    return {name}", space)
    t = tool(space["f"])

    assert f"({name} :int) -> :int" == str(t.signature)
    assert 3 == t.call({name: "3"}).value


Ts = typing.TypeVarTuple("Ts")
Us = te.TypeVarTuple("Us")


@pytest.mark.parametrize(
    ("hint", "params"),
    [
        (typing.Unpack[Ts], "x? [:any]"),
        (te.Unpack[Us], "x? [:any]"),
        ("*Ts", "x? [:any]"),
        ("typing.Unpack[Ts]", "x? [:any]"),
        (typing.Unpack[tuple[int, str]], "x [:int, :string]"),
        ("*tuple[int, ...]", "x? [:int]"),
        (next(iter(tuple[int, ...])), "x? [:int]"),
        ("int", "x? [:int]"),
    ],
)
def test_unpacked_positional_arguments_are_read(hint: Any, params: str) -> None:
    def f(*x): ...  # type: ignore[no-untyped-def]

    f.__annotations__ = {"x": hint}
    found = extract(f)

    assert f"({params}) -> :any" == str(found.signature)
    assert () == found.warnings


def test_a_parameter_called_self_outside_a_class_is_a_parameter() -> None:
    def f(self: int, cls: int = 2) -> int:
        return self + cls

    t = tool(f)

    assert "(self :int, cls :int = 2) -> :int" == str(t.signature)
    assert 5 == t.call({"self": 3}).value
    assert 5 == t(3)


def test_parameters_called_self_and_function_can_be_given_by_name_to_a_tool() -> None:
    @tool
    def f(self: int, function: int = 0, args: int = 0) -> int:
        return self + function + args

    assert 6 == f(self=1, function=2, args=3)
    assert 6 == f.call({"self": 1, "function": 2, "args": 3}).value


def test_a_parameter_with_a_leading_underscore_is_firewalled() -> None:
    def f(a: int, _private: str = "p") -> str:
        return f"{a}{_private}"

    t = tool(f)

    assert "f(a :int) -> :string" == t.prompt()
    assert "1p" == t.call({"a": 1}).value
    assert "1q" == t.call({"a": 1}, given={"_private": "q"}).value
    assert not t.call({"a": 1, "_private": "x"}).ok


def test_two_parameters_that_fold_to_one_name_are_kept_apart() -> None:
    def f(a_b: int, a__b: int) -> int:
        return a_b - a__b

    assert 1 == tool(f).call({"a_b": 2, "a__b": 1}).value


def test_names_in_other_scripts_are_taken() -> None:
    def f(größe: int, 名前: str) -> str:  # noqa: N803
        return f"{größe}{名前}"

    assert "1a" == tool(f).call({"größe": 1, "名前": "a"}).value
    assert "größe" in str(extract(f).signature)


# docstrings


def documented(doc: str | None, *names: str, returns: Any = int) -> Any:
    """Return a function with the docstring *doc* and parameters of the names *names*."""
    space: dict[str, Any] = {}
    taken = ", ".join(f"{name}: int" for name in names or ("a", "b"))
    exec(f"def f({taken}) -> int: ...", space)
    f = space["f"]
    f.__doc__ = doc
    f.__annotations__["return"] = returns
    return f


GOOGLE = """Do a thing.

More of it.

Args:
    a: the first
    b (int): the second

Returns:
    what came out
"""

NUMPY = """Do a thing.

Parameters
----------
a : int
    the first
b : int, optional
    the second

Returns
-------
int
    what came out
"""

REST = """Do a thing.

:param a: the first
:type a: int
:param int b: the second
:returns: what came out
:rtype: int
"""

EPYDOC = """Do a thing.

@param a: the first
@type a: int
@param b: the second
@return: what came out
"""

NO_BLANK = """Do a thing.
Args:
    a: the first
    b: the second
Returns:
    what came out
"""

ARGS_FIRST = """
Args:
    a: the first
    b: the second

Returns:
    what came out

Do a thing.
"""

BLANK_AFTER_ARGS = """Do a thing.

Args:

    a: the first

    b: the second

Returns:

    what came out
"""

RETURNS_FIRST = """Do a thing.

Returns:
    what came out

Args:
    a: the first
    b: the second
"""

RAISES_BETWEEN = """Do a thing.

Args:
    a: the first
    b: the second

Raises:
    ValueError: if it is wrong

Example:
    >>> f(1, 2)

Returns:
    what came out
"""

INDENTED = """
        Do a thing.

        Args:
            a: the first
            b: the second

        Returns:
            what came out
        """

TYPED_RETURN = """Do a thing.

Args:
    a (int): the first
    b (int, optional): the second. Defaults to 3.

Returns:
    int: what came out
"""

REST_NO_BLANK = """Do a thing.
:param a: the first
:param b: the second
:return: what came out
"""

NUMPY_SHARED = """Do a thing.

Parameters
----------
a, b : int
    both of them
"""

ALL = {"a": "the first", "b": "the second", "returns": "what came out"}

DOCSTRINGS = [
    pytest.param(GOOGLE, ALL, id="Google"),
    pytest.param(NUMPY, ALL, id="NumPy"),
    pytest.param(REST, ALL, id="reST"),
    pytest.param(EPYDOC, ALL, id="Epydoc"),
    pytest.param(NO_BLANK, ALL, id="Google without blank lines"),
    pytest.param(BLANK_AFTER_ARGS, ALL, id="Google with blank lines after its headings"),
    pytest.param(RETURNS_FIRST, ALL, id="Google, result first"),
    pytest.param(RAISES_BETWEEN, ALL, id="Google with other sections between"),
    pytest.param(INDENTED, ALL, id="Google, indented"),
    pytest.param(REST_NO_BLANK, ALL, id="reST without a blank line"),
    pytest.param(TYPED_RETURN, {**ALL, "b": "the second. Defaults to 3."}, id="Google with types"),
    pytest.param(NUMPY_SHARED, {"a": "both of them", "b": "both of them"}, id="NumPy, two at once"),
]


def texts(function: Any) -> dict[str, str | None]:
    from typesig.algebra.constructors import get_description

    signature = extract(function).signature
    assert signature is not None
    found = {field.name: get_description(field.type) for field in signature.params}
    found["returns"] = get_description(signature.returns)
    return {name: text for name, text in found.items() if text is not None}


@pytest.mark.parametrize(("doc", "said"), DOCSTRINGS)
def test_a_docstring_of_any_style_is_read(doc: str, said: dict[str, str]) -> None:
    function = documented(doc)

    assert said == texts(function)
    assert "Do a thing." == extract(function).description
    assert [] == lines(extract(function).warnings)


def test_a_docstring_that_begins_with_its_section_loses_nothing() -> None:
    function = documented(ARGS_FIRST)

    assert {"a": "the first", "b": "the second"}.items() <= texts(function).items()
    assert "Args:" not in (extract(function).description or "")


def test_the_description_is_the_first_paragraph() -> None:
    assert (
        "Do a thing\nin two lines."
        == extract(documented("Do a thing\nin two lines.\n\nMore.")).description
    )


@pytest.mark.parametrize("doc", [None, "", "   ", "\n\n", "\t\n "])
def test_an_empty_docstring_is_no_description(doc: str | None) -> None:
    extraction = extract(documented(doc))

    assert None is extraction.description
    assert {} == texts(documented(doc))


def test_a_text_of_several_lines_is_whole() -> None:
    doc = """Do a thing.

    Args:
        a: One of:
            - red
            - blue
        b: the second,
            which goes on
            and on
    """

    found = texts(documented(doc))

    assert "the second, which goes on and on" == found["b"]
    assert "One of:" in found["a"]
    assert "- red" in found["a"]
    assert "- blue" in found["a"]


def test_a_text_with_colons_and_braces_is_whole() -> None:
    doc = """Do a thing.

    Args:
        a: as in `x: 1`, or {"a": 1}; see http://example.org/a:b
        b: ratio 1:2
    """

    assert {
        "a": 'as in `x: 1`, or {"a": 1}; see http://example.org/a:b', "b": "ratio 1:2"
    } == texts(documented(doc))  # fmt: skip


def test_a_section_may_describe_several_parameters_and_the_rest() -> None:
    def f(a: int, *items: int, **more: int) -> None:
        """Do a thing.

        Args:
            a: the first
            *items: the others
            **more: what else
        """

    assert {"a": "the first", "items": "the others"} == texts(f)
    assert [] == lines(extract(f).warnings)


def test_a_parameter_that_only_the_docstring_has_is_warned_of() -> None:
    doc = "Do a thing.\n\nArgs:\n    a: the first\n    c: not there\n"

    assert [
        "c: the docstring describes it, but there is no such parameter; remove it, or correct its name"
    ] == lines(extract(documented(doc)).warnings)


def test_a_docstring_may_describe_injected_and_firewalled_parameters() -> None:
    def f(a: int, db: typesig.Injected[Any], _x: int = 1) -> int:
        """Do a thing.

        Args:
            a: the first
            db: the database
            _x: a secret
        """
        return a

    t = tool(f)

    assert [] == lines(t.warnings)
    assert "database" not in t.prompt()
    assert "secret" not in t.prompt()


def test_a_docstring_may_describe_a_receiver() -> None:
    class Box:
        def put(self, a: int) -> None:
            """Put.

            Args:
                self: the box
                a: what
            """

    assert [] == lines(extract(Box().put).warnings)


def test_the_docstring_of_a_partial_may_describe_what_is_bound() -> None:
    f = functools.partial(documented(GOOGLE), 1)

    assert {"b": "the second", "returns": "what came out"} == texts(f)
    assert [] == lines(extract(f).warnings)


def test_a_text_beside_the_hint_wins_over_the_docstring() -> None:
    f = documented(GOOGLE)
    f.__annotations__["a"] = Annotated[int, "from the hint"]

    assert "from the hint" == texts(f)["a"]


HOSTILE = [
    "Args:", "Args:\n", "Args:\n    ", "Args:\n  a", "Args:\n    : nothing", "Args:\n    a:", "Returns:",
    "Args:\n a: x\n  b: y\n   c: z\n", ":param", ":param:", ":param :", ":param a", ":param a b c d: e",
    ":returns", ":type a", "@param", "@param:", "@param a", "Parameters\n---", "Parameters\n----------\n",
    "Parameters\n----------\n    a", "Parameters\n----------\na :\n", "x\n\nParameters\n----------\n: int\n",
    "Args:\n    a (: x\n", "Args:\n    a (int: x\n", "Args:\n    (int): x\n", "\x00", "\ud800", "\u2028Args:\u2028 a: b",
    "Args:\n\ta: tabbed\n    b: spaced\n", "Args:\r\n    a: the first\r\n", "Args:\n" * 50, ":param a: x\n" * 50,
    "{{a}} %s {0} \\N{DASH}", "Args:\n    a: " + "x" * 100_000, "a" * 200_000, "(" * 10_000, "Args:\n    " + "a" * 50_000,
    "Raises:\n    x", "Example:\n    >>> (", "Yields:\n  :", "Attributes:\n  a\n  b: c", ":raises", ":raises :", "@raise",
]  # fmt: skip


@pytest.mark.parametrize("doc", HOSTILE, ids=range(len(HOSTILE)))
def test_no_docstring_is_ever_an_exception(doc: str) -> None:
    extraction = extract(documented(doc))

    assert str(extraction.signature).startswith("(a :int, b :int) -> :int")
    assert isinstance(tool(documented(doc)).prompt(), str)


def test_a_docstring_that_is_not_text_is_ignored() -> None:
    f = documented("x")
    f.__doc__ = 3

    assert None is extract(f).description


def test_a_docstring_is_read_in_time_linear_in_its_length() -> None:
    from time import process_time

    doc = "Args:\n" + "".join(f"    a{i}: {'word ' * 20}\n" for i in range(2_000))
    began = process_time()
    extract(documented(doc))

    assert 10 > process_time() - began


def test_what_is_extracted_is_a_value() -> None:
    assert extract(add) == extract(add)
    assert extract(add) == pickle.loads(pickle.dumps(extract(add)))


@pytest.mark.parametrize("hint", ["", ": Any", ': "Nowhere"', ": object", ": Opaque"])
def test_keyword_arguments_of_any_type_are_shown(hint: str) -> None:
    names: dict[str, Any] = {"Any": Any, "Opaque": type("Opaque", (), {})}
    exec(f"def page(id: str, **kw{hint}) -> str:\n    return repr(kw)\n", names)
    page = names["page"]
    found = extract(page)
    assert str(found.signature) == "(id :string, ** :any?) -> :string"
    sent = {"id": "a", "title": None, "size": [1]}
    assert tool(page).call(sent).result == "{'title': None, 'size': [1]}"
    (definition,) = tools_of([page]).project("openai").definitions
    assert definition["function"]["parameters"].get("additionalProperties", True) is True
    losses = tools_of([page]).project("openai", strict=True).losses
    assert any("undeclared keys" in str(loss) for loss in losses)
