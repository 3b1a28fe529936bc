"""What type checkers see of tools and contracts; `mypy --strict` and pyright read it.

Everything stands below functions, so that importing this module does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict, assert_type

import typesig
from typesig import (
    Answer,
    Contract,
    Injected,
    Outcome,
    Signature,
    Tool,
    ToolError,
    Toolset,
    contract,
    tool,
    tools_of,
)
from typesig.extraction import HintWarning


class Item(TypedDict):
    id: int
    title: str


@dataclass
class Point:
    x: int


def a_plain_tool() -> None:
    @tool
    def search(query: str, limit: int = 10) -> list[Item]:
        return [{"id": limit, "title": query}]

    assert_type(search("a"), list[Item])
    assert_type(search("a", limit=3), list[Item])
    assert_type(search.call({"query": "a"}), Outcome[list[Item]])
    assert_type(search.call('{"query": "a"}').result, list[Item])
    assert_type(search.call({"query": "a"}).value, Any)
    assert_type(search.name, str)
    assert_type(search.signature, Signature)
    search(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    search("a", rows=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    search()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

    takes: Callable[[str], list[Item]] = search
    takes("a")


def a_tool_with_a_signature() -> None:
    @tool("(query :string) -> {hits :int}")
    def count(query: str) -> dict[str, int]:
        return {"hits": len(query)}

    assert_type(count("a"), dict[str, int])
    assert_type(count.call({"query": "a"}), Outcome[dict[str, int]])
    count(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def a_tool_with_options() -> None:
    @tool(name="other", strict=True, recursive=True)
    def f(a: int) -> str:
        return str(a)

    @tool()
    def g(a: int) -> str:
        return str(a)

    assert_type(f(1), str)
    assert_type(g(1), str)
    assert_type(f.call({"a": 1}).result, str)


def options_that_do_not_exist() -> None:
    def f(a: int) -> str:
        return str(a)

    tool(profile="ptc_runner", optional="exact", injected=["db"], max_depth=2)(f)
    tool(sctrict=True)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
    tool(profile="elixir")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    typesig.extract(f, strict=True, optional="loose", recursive=True)
    typesig.extract(f, sctrict=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    typesig.extract(f, optional="never")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    tools_of([f], undecorated=True, strict=True, injected=["db"])
    tools_of([f], sctrict=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    contract(int, strict=True)
    contract(int, injected=["db"])  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]


def modes() -> None:
    @tool
    def f(a: int) -> str:
        return str(a)

    f.call({"a": 1}, mode="warn_only")
    f.call({"a": 1}, mode=typesig.Policy(extras="reject"))
    tool(mode="strict")(f.__call__)
    tool(mode=typesig.Policy())(f.__call__)
    tool(mode="lax")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    tools_of([f], mode="strict", strict=True).call("f", mode=None)
    tools_of([f], mode="lax")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    contract(int | str, mode="strict").read("3", mode=None)
    contract(int, mode="lax")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    f.call({"a": 1}, mode="lax")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    contract(int).read("3", mode="lax")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    tools_of([f]).call("f", mode="lax")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def streams() -> None:
    assert_type(contract(int).read("3", partial=True), typesig.Partial)
    assert_type(contract(int).read("3", partial=False), typesig.Outcome[int])
    assert_type(contract(int).stream(["3"]).close(), typesig.Outcome[int])
    for part in contract(int).stream(["3"]):
        assert_type(part, typesig.Partial)
    async for each in contract(int).stream():
        assert_type(each, typesig.Partial)


def a_tool_of_a_parsed_signature() -> None:
    @tool(typesig.parse("(a :int) -> :int"))
    def f(a: int) -> int:
        return a

    assert_type(f(1), int)


def tools_that_are_methods() -> None:
    class Shop:
        @tool
        def buy(self, item: str, count: int = 1) -> str:
            return item * count

        @tool("(item :string) -> :int")
        def price(self, item: str) -> int:
            return len(item)

        @staticmethod
        @tool
        def tax(price: int) -> float:
            return price * 0.2

    shop = Shop()

    assert_type(shop.buy("a"), str)
    assert_type(shop.buy("a", count=2), str)
    assert_type(shop.buy.call({"item": "a"}), Outcome[str])
    assert_type(shop.price("a"), int)
    assert_type(Shop.buy(shop, "a"), str)
    assert_type(Shop.tax(3), float)
    shop.buy(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def tools_that_are_class_methods_and_static_methods() -> None:
    class Orders:
        @classmethod
        @tool
        def inner_class(cls, n: int) -> str:
            return f"{cls.__name__} {n}"

        @tool
        @classmethod
        def outer_class(cls, n: int) -> str:
            return f"{cls.__name__} {n}"

        @tool(name="named")
        @classmethod
        def named_class(cls, n: int) -> str:
            return f"{cls.__name__} {n}"

        @staticmethod
        @tool
        def inner_static(n: int) -> str:
            return f"static {n}"

        @tool
        @staticmethod
        def outer_static(n: int) -> str:
            return f"static {n}"

        @tool
        def method(self, n: int) -> str:
            return f"{n}"

    class SubOrders(Orders): ...

    for owner in (Orders, Orders(), SubOrders, SubOrders()):
        assert_type(owner.inner_class(1), str)
        assert_type(owner.outer_class(1), str)
        assert_type(owner.named_class(n=1), str)
        assert_type(owner.inner_static(1), str)
        assert_type(owner.outer_static(n=1), str)
        assert_type(owner.inner_class.call({"n": 1}), Outcome[str])
        assert_type(owner.outer_class.call({"n": 1}), Outcome[str])
        assert_type(owner.named_class.call({"n": 1}), Outcome[str])
        assert_type(owner.inner_static.call({"n": 1}), Outcome[str])
        assert_type(owner.outer_static.call({"n": 1}), Outcome[str])
    assert_type(SubOrders().method(1), str)
    assert_type(SubOrders.method(SubOrders(), 1), str)
    Orders.inner_class("a")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Orders().outer_class("a")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Orders.inner_static("a")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Orders().outer_static("a")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def tools_that_are_coroutine_functions() -> None:
    @tool
    async def fetch(url: str) -> bytes:
        return url.encode()

    pending: Coroutine[Any, Any, bytes] = fetch("a")

    assert_type(await pending, bytes)
    assert_type(await fetch("a"), bytes)
    assert_type((await fetch.acall({"url": "a"})).result, bytes)

    @tool
    def plain(url: str) -> bytes:
        return url.encode()

    assert_type((await plain.acall({"url": "a"})).result, bytes)


def tools_with_what_the_host_gives() -> None:
    @tool
    def ask(query: str, db: Injected[Point]) -> int:
        if db.x < 0:
            raise ToolError("no such point")
        return db.x

    assert_type(ask("a", Point(1)), int)
    assert_type(ask.call({"query": "a"}, given={"db": Point(1)}), Outcome[int])
    ask("a", 3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def a_tool_of_a_class() -> None:
    make = tool(Point)

    assert_type(make(1), Point)
    assert_type(make.call({"x": 1}).result, Point)


def contracts() -> None:
    class Local(TypedDict):
        id: int

    assert_type(contract(Local).read("{}"), Outcome[Local])
    assert_type(contract(Item).read("{}").result, Item)
    assert_type(contract(Point).read("{}").result, Point)
    assert_type(contract(list[Item]).read("[]"), Outcome[list[Item]])
    assert_type(contract(list[Item]).read("[]").result, list[Item])
    assert_type(contract(int).read("3").result, int)
    assert_type(contract(Item).prompt(), str)
    assert_type(contract(":int").read("3").result, Any)


async def answers() -> None:
    def complete(messages: list[dict[str, str]]) -> str:
        return messages[0]["content"]

    async def acomplete(messages: list[dict[str, str]]) -> str:
        return complete(messages)

    assert_type(contract(Item).ask(complete, "Which?"), Answer[Item])
    assert_type(contract(Item).ask(complete, [{"role": "user", "content": "Which?"}]).result, Item)
    assert_type(await contract(Item).aask(acomplete, "Which?", attempts=2), Answer[Item])
    assert_type(
        (await contract(Item).aask(complete, "Which?")).messages, tuple[dict[str, Any], ...]
    )
    contract(Item).ask(acomplete, "Which?")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    contract(Item).ask(complete, 3)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    assert_type(contract(Item).ask(object(), "Which?", model="m", temperature=0), Answer[Item])
    assert_type(await contract(Item).aask(object(), "Which?", model="m"), Answer[Item])
    assert_type(contract(Item).asking(object(), "Which?", model="m").answer, Answer[Item])
    outcome: Outcome[Item] = contract(Item).ask(complete, "Which?", mode="strict")
    assert_type(outcome.feedback(outcome), str)


def contracts_of_hints_that_are_no_classes() -> None:
    def f(a: int) -> int:
        return a

    assert_type(contract(int | str), Contract[int | str])
    assert_type(contract(int | None).read("3"), Outcome[int | None])
    assert_type(contract(list[Item] | None).read("3").result, list[Item] | None)
    assert_type(contract(Annotated[int, "seconds"]), Contract[int])
    assert_type(contract(Literal["a", "b"]).read("a").result, Literal["a", "b"])
    assert_type(contract(int | str, strict=True), Contract[int | str])
    assert_type(contract("int"), Contract[Any])
    assert_type(contract([":vector", ":int"]), Contract[Any])
    assert_type(contract(typesig.parse(":int")), Contract[Any])
    assert_type(contract(f), Contract[Any])
    warnings: tuple[HintWarning, ...] = contract(int | str).warnings
    assert_type(warnings[0].kind == "partial", bool)


def toolsets() -> None:
    @tool
    def f(a: int) -> int:
        return a

    tools = tools_of("a.module") + tools_of([f])

    assert_type(tools, Toolset)
    assert_type(tools.call("f", {"a": 1}), Outcome[Any])
    assert_type(tools["f"].name, str)
    assert_type(tools.select("f").prefixed("x_").prompt(), str)
    for one in tools:
        called: Tool[..., Any] = one
        assert_type(called.name, str)


def extraction() -> None:
    def f(a: int) -> int:
        return a

    found = typesig.extract(f)

    assert_type(found.signature, Signature | None)
    assert_type(found.description, str | None)
    assert_type(found.name, str)
