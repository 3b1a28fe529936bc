"""Tools handed to code that takes functions: their signature, and `Tool.as_function`."""

from __future__ import annotations

import asyncio
import inspect
import types
from typing import Annotated, Any, NamedTuple, TypedDict, Unpack, get_type_hints

import pytest

from typesig import Injected, TypesigError, tool


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
    with pytest.raises(TypeError, match="missing a required argument: 'id'"):
        made()


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
