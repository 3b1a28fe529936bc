"""Tools handed to code that takes functions: their signature, and `Tool.as_function`."""

from __future__ import annotations

import asyncio
import datetime
import enum
import inspect
import json
import types
import warnings
from collections import OrderedDict
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypedDict, Unpack, get_type_hints

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given

from tests import generators
from typesig import Injected, ToolError, TypesigError, ValidationError, tool
from typesig.tools.invoke import has_object
from typesig.validation.plain_data import to_plain as plain_data


class Store(NamedTuple):
    name: str = "store"


STORE = Store()


@tool
def plain(id: int, note: str = "") -> str:
    """Find it."""
    return f"{id}{note}"


@tool
def find(store: Injected[Store], id: int, note: str = "", *, _user: str = "ann") -> str:
    """Find an order.

    Parameters
    ----------
    store : Store
        where orders are
    id : int
        of the
        order
    """
    return f"{id} {store.name} {note} {_user}"


@tool
async def later(id: int, store: Injected[Store]) -> str:
    """Find it later."""
    return f"{id} {store.name}"


def shown(function: Any) -> str:
    return str(inspect.signature(function))


def test_the_signature_of_a_tool_has_nothing_that_only_the_host_supplies() -> None:
    assert "(id: int, note: str = '') -> str" == shown(plain)
    assert "(*, id: int, note: str = '') -> str" == shown(find)
    assert "(id: int) -> str" == shown(later)
    assert ["store", "id", "note", "_user"] == [*inspect.signature(find.__wrapped__).parameters]


def test_a_direct_call_takes_everything_as_before() -> None:
    assert "1 store x ann" == find(STORE, 1, "x") == find(store=STORE, id=1, note="x")


def test_a_call_by_the_shown_signature_reaches_the_function() -> None:
    @tool
    def optional(store: Injected[Store | None] = None, id: int = 0, _user: str = "ann") -> str:
        return f"{id} {store} {_user}"

    bound = inspect.signature(optional).bind(id=3)

    assert "3 None ann" == optional(*bound.args, **bound.kwargs)


def test_a_parameter_that_calls_cannot_pass_over_stays_in_the_signature() -> None:
    @tool
    def places(store: Injected[Store], id: int, /) -> int:
        return id

    @tool
    def several(store: Injected[Store], *ids: int) -> int:
        return len(ids)

    assert ["store", "id"] == [*inspect.signature(places).parameters]
    assert ["store", "ids"] == [*inspect.signature(several).parameters]
    assert 5 == places.as_function({"store": STORE})(5)
    assert 2 == several.as_function({"store": STORE})(5, 6)


class Same(TypedDict):
    id: str


def names_twice(id: int, **rest: Unpack[Same]) -> int:  # type: ignore[misc]
    return id


def test_the_signature_of_a_tool_whose_hints_cannot_be_read_is_that_of_its_function() -> None:
    made = tool(names_twice)

    with pytest.raises(TypesigError):
        str(made.signature)
    assert ["id", "rest"] == [*inspect.signature(made).parameters]


@pytest.mark.parametrize(
    ("module", "is_kept"),
    [
        ("agents.run_context", True),
        ("pydantic_ai._run_context", True),
        ("mcp.server.fastmcp.server", True),
        ("agents.store", False),
        ("mcpx", False),
    ],
)
def test_what_a_framework_passes_by_itself_stays_for_it(module: str, is_kept: bool) -> None:
    context = type("Context", (), {"__module__": module})

    def run(ctx: Any, id: int) -> int:
        return id

    for hint, options in (
        (context, {"injected": [context]}),
        (Annotated[context, Injected], {}),
        (context | None, {"injected": ["ctx"]}),
    ):
        run.__annotations__ = {"ctx": hint, "id": int, "return": int}
        made = tool(name="run", **options)(run)  # type: ignore[call-overload]

        assert (["ctx", "id"] if is_kept else ["id"]) == [*inspect.signature(made).parameters]
    if is_kept:
        assert 3 == made.as_function()(None, 3)
    assert 3 == made.as_function({"ctx": 1})(3)


def test_a_function_has_what_is_given_and_looks_like_a_function_without_it() -> None:
    made = find.as_function({"store": STORE, "_user": "bob"})

    assert "1 store x bob" == made(1, "x") == made(id=1, note="x")
    assert isinstance(made, types.FunctionType)
    assert "(id: int, note: str = '') -> str" == shown(made)
    assert {"id": int, "note": str, "return": str} == get_type_hints(made)
    assert ("find", find, find.__module__) == (made.__name__, made.__wrapped__, made.__module__)
    assert "Find an order.\n\nArgs:\n    id: of the order" == made.__doc__
    with pytest.raises(TypeError, match="too many positional arguments"):
        made(1, "x", "y")
    with pytest.raises(TypeError, match="multiple values for argument 'id'"):
        made(1, id=1)


def test_the_docstring_is_the_functions_own_unless_something_else_is_shown() -> None:
    @tool(description="Say it.")
    def said() -> int:
        """Something else."""
        return 1

    @tool
    def silent(store: Injected[Store]) -> int:
        return 1

    assert "Find it." == plain.as_function().__doc__
    assert "Say it." == said.as_function().__doc__
    assert "" == silent.as_function({"store": STORE}).__doc__


def test_a_function_of_an_asynchronous_tool_is_asynchronous() -> None:
    async def given() -> dict[str, Any]:
        return {"store": STORE}

    made = later.as_function(given)

    assert inspect.iscoroutinefunction(made)
    assert "1 store" == asyncio.run(made(1))
    assert "2 store" == asyncio.run(later.as_function({"store": STORE})(id=2))
    assert not inspect.iscoroutinefunction(plain.as_function())


def test_a_function_is_asked_for_what_is_given_in_each_call() -> None:
    stores = iter([Store("a"), Store("b")])
    made = find.as_function(lambda: {"store": next(stores)})

    assert ["1 a  ann", "1 b  ann"] == [made(1), made(1)]


class Color(enum.Enum):
    RED = "red"


class Point(NamedTuple):
    x: int
    y: int = 0


@dataclass
class Order:
    id: int
    at: datetime.date


@tool
def order(
    one: Order,
    *more: Order,
    color: Color = Color.RED,
    when: datetime.datetime | None = None,
    at: Point = Point(0),  # noqa: B008 - a frozen value
    **rest: Any,
) -> Any:
    """Keep what it is called with."""
    return one, more, color, when, at, rest


ORDER = Order(7, datetime.date(2026, 1, 2))
DATA = {"id": "7", "at": "2026-01-02"}


def test_a_function_reads_mends_and_decodes_what_a_model_sent() -> None:
    made = order.as_function()
    when = datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)

    assert (ORDER, (), Color.RED, None, Point(0), {}) == made(one=DATA)
    assert ORDER == made(one=json.dumps(DATA))[0]
    assert (
        (ORDER, (ORDER, ORDER)) == made(DATA, DATA, DATA)[:2] == made(one=DATA, more=[DATA] * 2)[:2]
    )
    assert (Color.RED, when, Point(1, 2), {"x": 1}) == made(
        DATA, color="red", when="2026-01-02T00:00:00Z", at={"x": 1, "y": "2"}, x=1
    )[2:]


def test_what_does_not_fit_is_raised_with_the_feedback_for_a_model() -> None:
    made = find.as_function({"store": STORE})
    with pytest.raises(ValidationError) as raised:
        made(id="x", nte="a")

    assert find.call({"id": "x", "nte": "a"}, given={"store": STORE}).feedback() == str(
        raised.value
    )
    assert ["id", "nte"] == [error.path[0] for error in raised.value.errors]
    with pytest.raises(ValidationError, match="missing: id :int"):
        asyncio.run(later.as_function({"store": STORE})())
    with pytest.raises(ValidationError, match=r"_user"):
        made(id=1, _user="eve")


def test_the_mode_of_the_tool_is_that_of_its_function() -> None:
    @tool(mode="strict")
    def strict(id: int) -> int:
        return id

    @tool(mode="disabled")
    def unchecked(id: int) -> Any:
        return id

    with pytest.raises(ValidationError):
        strict.as_function()(id="1")
    assert "1" == unchecked.as_function()(id="1")


def test_an_exception_of_the_function_passes() -> None:
    @tool
    def failing(id: int) -> int:
        raise ToolError("no such order") if id else KeyError("id")

    with pytest.raises(ToolError, match="no such order"):
        failing.as_function()(id="1")
    with pytest.raises(KeyError):
        failing.as_function()(id="0")


def test_objects_of_the_program_are_passed_as_they_are() -> None:
    made, naive, point = order.as_function(), datetime.datetime(2026, 1, 2), Point(1)
    one, more, color, when, at, rest = made(
        ORDER, ORDER, color=Color.RED, when=naive, at=point, x=STORE
    )

    assert one is ORDER is more[0]
    assert color is Color.RED
    assert when is naive
    assert at is point
    assert rest["x"] is STORE
    with pytest.raises(ValidationError, match="missing: one"):
        made(color=Color.RED)


def test_a_name_that_is_not_declared_is_left_out_as_in_a_call() -> None:
    function = plain.as_function()
    with pytest.warns(UserWarning, match="plain: other: unexpected key dropped"):
        assert "1" == function(id=1, other=STORE)
    with pytest.warns(UserWarning, match="plain: other: unexpected key dropped"):
        assert "1" == function(id=1, other=2)


def test_an_object_for_a_name_of_a_typed_dict_is_passed_as_it_is() -> None:
    class Stored(TypedDict, total=False):
        at: datetime.date

    @tool
    def listed(**rest: Unpack[Stored]) -> Any:
        return rest

    assert (
        {"at": ORDER.at}
        == listed.as_function()(at=ORDER.at)
        == listed.as_function()(at="2026-01-02")
    )


def test_a_default_that_a_framework_passes_on_is_the_default() -> None:
    missing = object()

    @tool
    def find_one(id: int = missing, note: str = missing) -> Any:  # type: ignore[assignment]
        return id is missing, note is missing

    assert (True, True) == find_one.as_function()(id=missing, note=missing)


def test_no_data_of_a_model_stands_for_what_a_framework_passes() -> None:
    context = type("Context", (), {"__module__": "agents.run_context"})

    def run(ctx: Any, id: int) -> Any:
        return ctx

    run.__annotations__ = {"ctx": context, "id": int, "return": Any}
    made = tool(injected=[context])(run).as_function()
    own = context()

    assert own is made(own, 1) is made(ctx=own, id="1")
    with pytest.raises(TypesigError, match="run needs ctx from its host"):
        made(ctx={"user": "root"}, id=1)


def test_parts_are_data_or_objects() -> None:
    for data in ({"a": [1, None, "x", 1.5, True]}, (1, {2}), frozenset("a"), OrderedDict(a=1)):
        assert not has_object(data)
    for made in (b"", [Point(1)], {"a": Color.RED}, {Color.RED: 1}, STORE, {1: object()}):
        assert has_object(made)
    inside: list[Any] = []
    inside.append(inside)
    assert not has_object(inside)
    assert not has_object([type("Endless", (list,), {"__iter__": lambda _: iter(int, 1)})([1])])


HINTS: list[Any] = [
    int, str, float, bool, int | None, list[int], dict[str, float], set[str], tuple[int, str],
    datetime.datetime, datetime.date, Color, Order, list[Order], Point, Any, int | float,
]  # fmt: skip


@generators.LAW
@given(st.data(), st.lists(st.sampled_from(HINTS), min_size=1, max_size=3))
def test_a_function_takes_and_refuses_what_a_call_does(data: Any, hints: list[Any]) -> None:
    # Passing on a default is leaving it out, so here none of the values is one.
    def kept(a: Any, b: Any = STORE, c: Any = STORE) -> Any:
        return a, b, c

    kept.__annotations__ = {**dict(zip("abc", hints, strict=False)), "return": Any}
    made = tool(kept)
    value = data.draw(generators.conforming(made.signature.arguments, {}))
    sent = plain_data(data.draw(st.just(value) | generators.near_misses(value)))
    assume(isinstance(sent, dict) and all(isinstance(key, str) for key in sent))
    outcome = made.call(sent)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        if outcome.ok:
            dropped = [str(each) for each in outcome.warnings if each.code == "dropped"]
            assert outcome.result == made.as_function()(**sent)
            assert bool(dropped) == bool(told)
            return
        with pytest.raises(ValidationError) as raised:
            made.as_function()(**sent)

    assert outcome.feedback() == str(raised.value)


def test_a_renamed_tool_makes_a_function_of_its_name() -> None:
    @tool(name="shop_find")
    def find_it(id: int) -> int:
        return id

    assert "shop_find" == find_it.as_function().__name__


def test_a_method_and_its_instance_make_a_function() -> None:
    class Shop:
        @tool
        def find(self, store: Injected[Store], id: int) -> str:
            """Find it."""
            return f"{id} {store.name}"

    made = Shop().find.as_function({"store": STORE})

    assert "(id: int) -> str" == shown(made)
    assert "1 store" == made(1)
    with pytest.raises(TypesigError, match="find is a method and has no instance here"):
        Shop.find.as_function({"store": STORE})


class Rest(TypedDict, total=False):
    limit: int
    _user: str


def test_names_of_a_typed_dict_are_given_too() -> None:
    @tool
    def listed(**rest: Unpack[Rest]) -> dict[str, Any]:
        return dict(rest)

    assert {"limit": 3, "_user": "ann"} == listed.as_function({"_user": "ann"})(limit=3)
    assert {} == listed.as_function()()


def test_what_a_function_gives_for_other_tools_is_left_out() -> None:
    @tool
    def listed(**rest: Unpack[Rest]) -> dict[str, Any]:
        return dict(rest)

    def given() -> dict[str, Any]:
        return {"_user": "ann", "store": STORE}

    assert {"limit": 3, "_user": "ann"} == listed.as_function(given)(limit=3)
    assert "1" == plain.as_function(given)(1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, 'find needs store from its host: write given={"store": …}, or a function that returns it'),
        ({"store": STORE, "id": 1}, "find takes no id from its host; it takes store, _user"),
        (3, "given for find is a dict, or a function that returns one, not int"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_at_once(given: Any, message: str) -> None:
    with pytest.raises(TypesigError) as raised:
        find.as_function(given)

    assert message == str(raised.value)


def test_a_builtin_without_a_signature_is_refused() -> None:
    made = tool("(items [:int]) -> :int", name="most")(max)

    with pytest.raises(TypesigError) as raised:
        made.as_function()
    assert (
        "most: no signature found for builtin <built-in function max>; write a function that "
        "calls it"
    ) == str(raised.value)


def test_a_plain_function_warns_of_undeclared_names_that_it_drops() -> None:
    @tool
    def seats(room: str) -> int:
        """Count seats."""
        return 4

    function = seats.as_function()
    with pytest.warns(UserWarning, match="seats: ") as told:
        assert 4 == function(room="Elm", rom="Fir", day=1)

    assert [
        "seats: rom: unexpected key dropped (did you mean room?); day: unexpected key dropped"
    ] == [str(each.message) for each in told]
    assert __file__ == told[0].filename


def test_a_plain_function_refuses_undeclared_names_where_the_policy_does() -> None:
    @tool(mode="strict")
    def seats(room: str) -> int:
        """Count seats."""
        return 4

    with pytest.raises(ValidationError, match="unexpected key"):
        seats.as_function()(room="Elm", day=1)


def test_a_plain_coroutine_function_warns_of_undeclared_names_that_it_drops() -> None:
    @tool
    async def seats(room: str) -> int:
        """Count seats."""
        return 4

    with pytest.warns(UserWarning, match="seats: day: unexpected key dropped"):
        assert 4 == asyncio.run(seats.as_function()(room="Elm", day=1))
