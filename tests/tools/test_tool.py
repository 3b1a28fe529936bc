"""One tool: it can be called as the plain function, and is a contract for a model."""

from __future__ import annotations

import asyncio
import collections.abc
import contextvars
import copy
import datetime as dt
import enum
import functools
import inspect
import json
import pickle
import rlcompleter
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

import typesig
from typesig import Injected, Outcome, Policy, Tool, ToolError, TypesigError, ValidationError, tool
from typesig.algebra import Keyword
from typesig.errors import ExtractionError, SignatureSyntaxError


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


class Item(TypedDict):
    id: int
    title: str
    note: NotRequired[str | None]


ITEMS: list[Item] = [{"id": 1, "title": "Budget 2027"}]


@tool
def search(query: str, limit: int = 10) -> list[Item]:
    """Search for items matching query.

    Args:
        query: words to look for
        limit: rows at most
    """
    return [i for i in ITEMS if query.lower() in i["title"].lower()][:limit]


@tool("(query :string) -> {hits :int}")
def count(query):  # type: ignore[no-untyped-def]
    return {"hits": len(search(query))}


class Shop:
    def __init__(self, name: str = "shop") -> None:
        self.name = name

    @tool
    def buy(self, item: str, amount: int = 1) -> str:
        """Buy something."""
        return f"{self.name}: {amount} {item}"

    @tool
    async def wait(self, n: int) -> int:
        await asyncio.sleep(0)
        return n

    @tool
    @classmethod
    def made_by(cls, name: str) -> str:
        return f"{cls.__name__} {name}"

    @tool
    @staticmethod
    def price(item: str) -> int:
        return len(item)

    @tool("(item :string) -> :string")
    def sell(self, item):  # type: ignore[no-untyped-def]
        return f"{self.name} sold {item}"


@tool
async def fetch(url: str, tries: int = 3) -> str:
    """Fetch a page."""
    await asyncio.sleep(0)
    return url * tries


# the first example


def test_the_first_example_works_as_shown() -> None:
    out = search.call({"query": "budget", "limit": "5"})

    assert ITEMS == search("budget")
    assert "(query :string, limit :int = 10) -> [{id :int, title :string, note :string?}]" == str(
        search.signature
    )
    assert ([{"id": 1, "title": "Budget 2027"}], ['limit: coerced string "5" to int']) == (
        out.value, lines(out.warnings)
    )  # fmt: skip
    assert {"hits": 1} == count("budget")
    assert {"hits": 1} == count.call({"query": "budget"}).value


# the protocol of a function


def test_a_tool_looks_like_its_function() -> None:
    plain = search.__wrapped__

    assert ("search", "search", __name__) == (
        search.__name__,
        search.__qualname__,
        search.__module__,
    )
    assert search.__doc__ is plain.__doc__
    assert inspect.isfunction(plain)
    assert inspect.signature(plain, eval_str=True) == inspect.signature(search)
    assert ["query", "limit"] == list(inspect.signature(search).parameters)
    assert plain.__annotations__ == search.__annotations__
    assert callable(search)
    assert isinstance(search, Tool)
    assert "<tool search(query :string, limit :int = 10) -> [{id :int, title :string, note :string?}]>" == repr(search)  # fmt: skip


def test_inspect_finds_the_source_and_the_file_of_a_tool() -> None:
    assert "def search" in inspect.getsource(search)
    assert inspect.unwrap(search) is search.__wrapped__


def test_a_tool_of_a_coroutine_function_is_marked_as_one() -> None:
    assert inspect.iscoroutinefunction(fetch)
    assert inspect.iscoroutinefunction(Shop().wait)
    assert not inspect.iscoroutinefunction(search)
    assert fetch.is_async
    assert not search.is_async


def test_the_class_tool_can_be_inspected_itself() -> None:
    assert inspect.signature(Tool)
    assert not inspect.iscoroutinefunction(Tool)


def test_a_method_is_bound_as_methods_are() -> None:
    shop = Shop("a")

    assert "a: 2 tea" == shop.buy("tea", 2)
    assert "a: 1 tea" == shop.buy.call({"item": "tea"}).value
    assert "a: 1 tea" == Shop.buy(shop, "tea")
    assert "(item :string, amount :int = 1) -> :string" == str(Shop.buy.signature)
    assert ["item", "amount"] == list(inspect.signature(shop.buy).parameters)
    assert ["self", "item", "amount"] == list(inspect.signature(Shop.buy).parameters)
    assert "a sold tea" == shop.sell.call({"item": "tea"}).value


def test_a_receiver_that_is_false_is_still_a_receiver() -> None:
    class Empty:
        def __len__(self) -> int:
            return 0

        @tool
        def size(self, plus: int = 0) -> int:
            return len(self) + plus

    assert 1 == Empty().size.call({"plus": 1}).value
    assert ["plus"] == list(inspect.signature(Empty().size).parameters)


def test_two_instances_have_tools_of_their_own() -> None:
    a, b = Shop("a"), Shop("b")
    one, other = a.buy, b.buy

    assert ("a: 1 x", "b: 1 x") == (one.call({"item": "x"}).value, other.call({"item": "x"}).value)
    assert "a: 1 x" == one("x")


def test_class_and_static_methods_are_bound() -> None:
    class Loud(Shop):
        pass

    assert "Loud x" == Loud.made_by("x") == Loud().made_by.call({"name": "x"}).value
    assert 3 == Shop.price("tea") == Shop().price.call({"item": "tea"}).value


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


class Sub(Orders): ...


@pytest.mark.parametrize("owner", [Orders, Orders(), Sub, Sub()], ids=["class", "instance"] * 2)
@pytest.mark.parametrize(
    "name", ["inner_class", "outer_class", "named_class", "inner_static", "outer_static"]
)
def test_class_methods_and_static_methods_are_called_in_either_order(owner: Any, name: str) -> None:
    one = getattr(owner, name)
    cls = owner if isinstance(owner, type) else type(owner)
    expected = f"{'static' if 'static' in name else cls.__name__} 3"

    assert expected == one(3) == one(n=3)
    if name == "inner_class" and sys.version_info >= (3, 13):
        with pytest.raises(TypesigError, match="write @tool above @classmethod"):
            one.call({"n": "3"})
    else:
        assert expected == one.call({"n": "3"}).value


def test_tools_of_a_class_have_class_methods_and_static_methods_in_either_order() -> None:
    tools = typesig.tools_of(Sub)

    assert ("inner_class", "outer_class", "named", "inner_static", "outer_static") == tools.names
    assert ["Sub 3"] * 3 + ["static 3"] * 2 == [one.call({"n": "3"}).value for one in tools]


def test_a_call_of_a_method_without_an_instance_is_an_error() -> None:
    with pytest.raises(TypesigError) as raised:
        Shop.buy.call({"item": "tea"})

    assert (
        "buy is a method and has no instance here; call it on one, as in x.buy.call(…), "
        "or write @tool above @classmethod"
    ) == str(raised.value)


def test_a_tool_that_a_subclass_overrides_can_call_the_one_above() -> None:
    class Loud(Shop):
        @tool
        def buy(self, item: str, amount: int = 1) -> str:
            """Buy loudly."""
            return super().buy(item, amount).upper()

    assert "A: 1 TEA" == Loud("a").buy.call({"item": "tea"}).value


PICKLED = [search, count, fetch, Shop.buy, Shop.made_by, Shop.price, Shop("a").buy, Shop("a").sell]


@pytest.mark.parametrize("one", PICKLED, ids=repr)
def test_a_tool_is_pickled_by_its_qualified_name(one: Any) -> None:
    again = pickle.loads(pickle.dumps(one))

    assert (one.name, one.signature) == (again.name, again.signature)
    assert inspect.signature(one) == inspect.signature(again)


def test_a_bound_tool_takes_its_instance_along_when_it_is_pickled() -> None:
    again = pickle.loads(pickle.dumps(Shop("far").buy))

    assert "far: 1 tea" == again.call({"item": "tea"}).value


def test_a_module_tool_is_pickled_to_itself_and_copied_to_itself() -> None:
    assert pickle.loads(pickle.dumps(search)) is search
    assert copy.copy(search) is search
    assert copy.deepcopy(search) is search


def test_dir_shows_what_hints_are_read_for_without_reading_them() -> None:
    namespace: dict[str, Any] = {"tool": tool, "__name__": "somewhere"}
    exec("@tool\ndef f(a: int) -> str:\n    'What f does.'", namespace)
    one = namespace["f"]
    shown = {"signature", "description", "warnings", "binding", "call", "name", "__wrapped__"}

    assert shown <= set(dir(one))
    assert "signature" not in vars(one)
    completer = rlcompleter.Completer({"f": one})
    assert "f.signature" == completer.complete("f.sig", 0)
    assert shown <= set(dir(one))
    assert sorted(set(dir(one))) == dir(one)


def test_dir_of_a_bound_tool_shows_the_same() -> None:
    assert {"signature", "description", "warnings"} <= set(dir(Shop("a").buy))


def test_a_tool_cannot_be_changed() -> None:
    with pytest.raises(AttributeError) as raised:
        search.name = "other"

    assert "a tool's name cannot be changed: make another tool" == str(raised.value)
    with pytest.raises(TypeError):
        search.annotations["a"] = 1  # type: ignore[index]


def test_a_tool_can_be_wrapped_as_a_function_can() -> None:
    @functools.wraps(search)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return search(*args, **kwargs)

    again = tool(name="again")(wrapper)

    assert str(search.signature) == str(again.signature)


def test_a_tool_is_made_once() -> None:
    with pytest.raises(ExtractionError) as raised:
        tool(search)

    assert "search is already a tool; decorate the function once" == str(raised.value)


def test_names_and_texts_can_be_given() -> None:
    @tool(
        name="look-up",
        description="Look it up.",
        title="Look up",
        annotations={"readOnlyHint": True},
    )
    def f(a: int) -> int:
        """Something else."""
        return a

    assert ("look-up", "Look it up.", "Look up") == (f.name, f.description, f.title)
    assert {"readOnlyHint": True} == dict(f.annotations)
    assert "look-up(a :int) -> :int\n  Look it up." == f.prompt()
    assert "f" == f.__name__


@pytest.mark.parametrize(
    "name", ["", "a b", "1a", "a\n", "-a", "a" * 129, "a/b", "a(b", "<lambda>"]
)
def test_a_name_that_no_model_could_write_is_an_error(name: str) -> None:
    with pytest.raises(ExtractionError):
        tool(name=name)(lambda: 1)


def test_a_function_without_hints_and_signature_is_an_error_that_asks_for_one() -> None:
    with pytest.raises(ExtractionError) as raised:

        @tool
        def f(a, b):  # type: ignore[no-untyped-def]
            return a

    assert (
        "f has no hints; annotate its parameters, or give a signature: "
        '@tool("(a :any, b :any) -> :any")' == str(raised.value)
    )


# what a model sends


ARGUMENTS = [
    '{"query": "budget"}', b'{"query": "budget"}', {"query": "budget"}, ' {"query":\n"budget"} ',
    '\ufeff{"query": "budget"}'.encode()[3:],
]  # fmt: skip


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_arguments_come_as_text_bytes_or_data(arguments: Any) -> None:
    assert ITEMS == search.call(arguments).value


@pytest.mark.parametrize("arguments", [None, {}, "{}", b"{}", "null"])
def test_no_arguments_are_empty_arguments(arguments: Any) -> None:
    def f(a: int = 1) -> int:
        return a

    assert 1 == tool(f).call(arguments).value
    assert 1 == tool(f).call().value


BAD_JSON = [
    ("{", "the arguments are not valid JSON: Expecting property name enclosed in double quotes at line 1 column 2 (the text ends too early: a list or an object is not closed at line 1 column 1; send the whole text)"),
    ('{"query": "a"', "the arguments are not valid JSON: Expecting ',' delimiter at line 1 column 14 (the text ends too early: a list or an object is not closed at line 1 column 1; send the whole text)"),
    ('{"query" = "a"}', "the arguments are not valid JSON: Expecting ':' delimiter at line 1 column 10 (an equals sign at line 1 column 10; write a colon between key and value)"),
    ('{"query": "a"}{"query": "b"}', "the arguments are not valid JSON: Extra data at line 1 column 15 (several values at line 1 column 1; send one JSON value)"),
    ('{"query": "a", "query": "b"}', 'the arguments are not valid JSON: the key "query" occurs twice'),
    ('{"query": NaN}', "the arguments are not valid JSON: NaN is not a JSON number"),
    ('{"query": -Infinity}', "the arguments are not valid JSON: -Infinity is not a JSON number"),
    ('{"limit": 1e999}', "the arguments are not readable: the number 1e999 is too large"),
    ('{"limit": ' + "9" * 401 + "}", "the arguments are not readable: a number of 401 digits, at most 400"),
    ("[" * 200, "the arguments are nested too deep: at most 128 levels"),
    ('{"a":' * 100_000, "the arguments are nested too deep: at most 128 levels"),
    (b'{"query": "\xff"}', "the arguments are not valid JSON: byte 11 is not UTF-8"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD_JSON, ids=[str(row[0])[:30] for row in BAD_JSON])
def test_bad_json_is_an_error_with_its_reason(text: Any, message: str) -> None:
    outcome = search.call(text)

    assert [message] == lines(outcome.errors)
    assert ("json", "input", text) == (outcome.errors[0].code, outcome.stage, outcome.rejected)


def test_text_with_a_byte_order_mark_is_read_or_refused_without_an_exception() -> None:
    assert isinstance(search.call('\ufeff{"query": "budget"}'), Outcome)
    assert isinstance(search.call(b'\xef\xbb\xbf{"query": "budget"}'), Outcome)


NAMED = 'expected named arguments such as {"query": …, "limit": …}, got '


@pytest.mark.parametrize(
    ("arguments", "got"),
    [
        ([1], "list [1]"), ("[1]", "list [1]"), ("3", "int 3"), ('"a"', 'string "a"'), (3, "int 3"),
        (True, "bool true"), (("a",), 'list ["a"]'),
    ],
)  # fmt: skip
def test_arguments_that_are_not_an_object_are_answered_with_the_named_form(
    arguments: Any, got: str
) -> None:
    assert [NAMED + got] == lines(search.call(arguments).errors)


def test_extra_arguments_are_dropped_with_a_warning() -> None:
    outcome = search.call({"query": "budget", "verbose": 3, "reason": "curious"})

    assert ITEMS == outcome.value
    assert ["verbose: unexpected key dropped", "reason: unexpected key dropped"] == lines(
        outcome.warnings
    )


def test_an_argument_that_was_meant_for_an_absent_one_is_refused() -> None:
    outcome = search.call({"query": "budget", "limt": 3, "reason": "curious"})

    assert ["limt: unexpected key (did you mean limit?)"] == lines(outcome.errors)
    assert ["reason: unexpected key dropped"] == lines(outcome.warnings)


def test_extra_arguments_are_an_error_in_strict() -> None:
    outcome = search.call({"query": "a", "limt": 3, "limit": "1"}, mode="strict")

    assert [
        'limit: expected int, got string "1"', "limt: unexpected key (did you mean limit?)"
    ] == lines(outcome.errors)  # fmt: skip


@tool
def user(user_id: int, full_name: str | None = None) -> Any:
    return user_id, full_name


def test_hyphens_fold_onto_declared_names_in_every_mode() -> None:
    for mode in ("enabled", "warn_only", "strict"):
        assert [1, "a"] == user.call({"user-id": 1, "full-name": "a"}, mode=mode).value


def test_both_spellings_of_one_name_are_an_error() -> None:
    outcome = user.call({"user-id": 1, "user_id": 2})

    assert ['user_id: given twice, as "user-id" and "user_id"'] == lines(outcome.errors)


def test_all_wrong_arguments_are_reported_at_once_and_the_function_does_not_run() -> None:
    ran: list[int] = []

    @tool
    def f(a: int, b: bool, c: str) -> None:
        ran.append(a)

    outcome = f.call({"a": "x", "b": 1})

    assert [
        'a: expected int, got string "x"', "b: expected bool, got int 1",
        "c: expected string, got nil (missing)",
    ] == lines(outcome.errors)  # fmt: skip
    assert ("input", {"a": "x", "b": 1}, []) == (outcome.stage, outcome.rejected, ran)
    assert (
        "Tool validation errors:\n"
        '- a: expected int, got string "x"\n'
        "- b: expected bool, got int 1\n"
        "- c: expected string, got nil (missing)" == outcome.report()
    )


def test_an_outcome_with_errors_has_no_value_and_no_truth() -> None:
    outcome = search.call({})

    with pytest.raises(ValidationError) as raised:
        _ = outcome.value
    assert outcome.report() == str(raised.value)
    with pytest.raises(ValidationError):
        _ = outcome.result
    with pytest.raises(TypesigError):
        bool(outcome)


# what the host supplies


class Database:
    def __init__(self, name: str = "main") -> None:
        self.name = name


@tool
def ask(query: str, db: Injected[Database], depth: Injected[int] = 3) -> str:
    return f"{db.name} {query} {depth}"


def test_an_injected_parameter_is_hidden_and_supplied() -> None:
    outcome = ask.call({"query": "a"}, given={"db": Database()})

    assert "ask(query :string) -> :string" == ask.prompt()
    assert "(query :string) -> :string" == str(ask.signature)
    assert "main a 3" == outcome.value
    assert "main a 9" == ask.call({"query": "a"}, given={"db": Database(), "depth": 9}).value
    assert "x a 1" == ask("a", Database("x"), 1)


def test_what_the_host_forgot_is_an_error_for_the_developer() -> None:
    with pytest.raises(TypesigError) as raised:
        ask.call({"query": "a"})

    assert 'ask needs db from its host: call it with given={"db": …}' == str(raised.value)


def test_what_the_host_supplies_beyond_that_is_an_error_for_the_developer() -> None:
    with pytest.raises(TypesigError) as raised:
        ask.call({"query": "a"}, given={"db": Database(), "query": "b"})
    with pytest.raises(TypesigError) as nothing:
        search.call({"query": "a"}, given={"db": 1})

    assert "ask takes no query from its host; it takes db, depth" == str(raised.value)
    assert "search takes no db from its host and needs nothing given" == str(nothing.value)


def test_a_model_cannot_supply_what_is_injected() -> None:
    outcome = ask.call({"query": "a", "db": "evil", "depth": 7}, given={"db": Database()})

    assert "main a 3" == outcome.value


def test_a_model_cannot_supply_what_is_injected_through_keyword_arguments() -> None:
    @tool
    def f(query: str, db: Injected[Any] = None, **more: Any) -> Any:
        return db, more

    outcome = f.call({"query": "a", "db": "evil", "x": 1})

    assert not outcome.ok or (None, {"x": 1}) == outcome.result


@pytest.mark.parametrize("mode", ["enabled", "warn_only", "strict", "disabled"])
def test_a_model_cannot_supply_what_is_injected_in_any_mode(mode: str) -> None:
    outcome = ask.call({"query": "a", "depth": 7}, given={"db": Database()}, mode=mode)

    assert not outcome.ok or "main a 3" == outcome.value


class Row(TypedDict):
    id: int
    _secret: NotRequired[str]


@tool
def hidden(rows: list[Row], _token: str, _level: int = 0) -> Any:
    return [dict(row) for row in rows], _token, _level


def test_a_firewalled_parameter_is_supplied_only_by_the_host() -> None:
    outcome = hidden.call({"rows": []}, given={"_token": "t", "_level": 2})

    assert "hidden(rows [{id :int}]) -> :any" == hidden.prompt()
    assert [[], "t", 2] == outcome.value
    assert ([], "t", 0) == hidden.call({"rows": []}, given={"_token": "t"}).result


def test_a_firewalled_parameter_that_the_host_forgot_is_its_error() -> None:
    with pytest.raises(TypesigError) as raised:
        hidden.call({"rows": []})

    assert 'hidden needs _token from its host: call it with given={"_token": …}' == str(
        raised.value
    )


@pytest.mark.parametrize("spelling", ["_token", "-token", "_level"])
def test_a_firewalled_parameter_is_refused_from_the_model(spelling: str) -> None:
    outcome = hidden.call({"rows": [], spelling: "evil"}, given={"_token": "t"})

    assert not outcome.ok
    assert [f"{spelling.replace('-', '_')}: unexpected key"] == lines(outcome.errors)


def test_a_firewalled_field_is_refused_from_the_model_at_any_depth() -> None:
    outcome = hidden.call({"rows": [{"id": 1, "_secret": "x"}]}, given={"_token": "t"})

    assert ["rows[0]._secret: unexpected key"] == lines(outcome.errors)


@pytest.mark.parametrize("mode", ["enabled", "warn_only", "strict"])
def test_a_firewalled_parameter_is_not_the_models_in_any_mode_that_checks(mode: str) -> None:
    outcome = hidden.call({"rows": [], "_level": 7}, given={"_token": "t"}, mode=mode)

    assert not outcome.ok or 0 == outcome.result[2]


def test_a_firewalled_field_that_a_record_needs_is_never_asked_of_the_model() -> None:
    class Needs(TypedDict):
        id: int
        _owner: str

    @tool
    def f(row: Needs) -> Any:
        return dict(row)

    assert {"id": 1} == f.call({"row": {"id": 1}}).value


# what a tool raises


def test_a_tool_error_is_an_outcome_that_the_model_reads() -> None:
    @tool
    def order(id: int) -> str:
        raise ToolError("no such order; call list_orders")

    outcome = order.call({"id": "3"})

    assert ("call", ["no such order; call list_orders"]) == (outcome.stage, lines(outcome.errors))
    assert ['id: coerced string "3" to int'] == lines(outcome.warnings)
    assert "no such order; call list_orders" in outcome.report()


def test_a_tool_error_without_a_text_has_one() -> None:
    @tool
    def order() -> str:
        raise ToolError

    assert ["the tool failed"] == lines(order.call().errors)


@pytest.mark.parametrize(
    "error", [ValueError("x"), KeyError("x"), TypesigError("x"), ValidationError("x")]
)
def test_any_other_exception_passes_through_untouched(error: Exception) -> None:
    @tool
    def order() -> str:
        raise error

    with pytest.raises(type(error)) as raised:
        order.call()

    assert raised.value is error
    assert raised.value.__cause__ is None


def test_a_type_error_of_the_function_is_not_an_issue_of_the_call() -> None:
    @tool
    def f(a: int) -> int:
        return a + "x"  # type: ignore[operator]

    with pytest.raises(TypeError):
        f.call({"a": 1})


def test_a_tool_error_raised_while_a_plain_call_runs_is_an_exception() -> None:
    @tool
    def order() -> str:
        raise ToolError("x")

    with pytest.raises(ToolError):
        order()


# results


def test_a_wrong_result_is_kept() -> None:
    wrong = {"hits": "many"}

    @tool("() -> {hits :int}")
    def f():  # type: ignore[no-untyped-def]
        return wrong

    outcome = f.call()

    assert ("output", ['hits: expected int, got string "many"']) == (
        outcome.stage,
        lines(outcome.errors),
    )
    assert outcome.rejected is wrong
    assert (
        "The tool ran; what it returned does not fit its signature.\n\n"
        "Tool validation errors:\n"
        '- hits: expected int, got string "many"' == outcome.report()
    )


class Opaque:
    pass


def test_a_result_that_json_has_no_form_for_is_kept() -> None:
    made = Opaque()

    @tool
    def f() -> Any:
        return {"a": [1, made]}

    outcome = f.call()

    assert ["a[1]: a value of Opaque has no JSON form"] == lines(outcome.errors)
    assert made is outcome.rejected["a"][1]


@pytest.mark.parametrize("hint", ["Any", "dict[str, Any]", "list[Any]"])
def test_a_result_inside_itself_is_an_error_and_no_exception(hint: str) -> None:
    loop: Any = {} if "dict" in hint else []
    if isinstance(loop, dict):
        loop["self"] = loop
    else:
        loop.append(loop)

    def f():  # type: ignore[no-untyped-def]
        return loop

    f.__annotations__["return"] = hint
    outcome = tool(f).call()

    assert "output" == outcome.stage
    assert outcome.rejected is loop


def test_the_value_is_plain_data_and_the_result_is_the_functions_own() -> None:
    @dataclass
    class Point:
        x: int
        when: dt.datetime
        marks: set[int] = field(default_factory=set)

    @tool
    def f() -> Any:
        return [Point(1, dt.datetime(2026, 1, 31, tzinfo=dt.UTC), {2, 1})]

    outcome = f.call()

    assert [{"x": 1, "when": "2026-01-31T00:00:00Z", "marks": [1, 2]}] == outcome.value
    assert isinstance(outcome.result[0], Point)


def test_what_the_function_returned_is_the_result_itself() -> None:
    assert search.call({"query": "budget"}).result[0] is ITEMS[0]


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


SETS = [
    ({3, 1, 2}, [1, 2, 3]),
    ({"b", "a", "c"}, ["a", "b", "c"]),
    (frozenset({Color.RED, Color.BLUE}), ["blue", "red"]),
    ({1.5, 1, 2}, [1, 1.5, 2]),
    ({(2, "b"), (1, "a"), (1, "b")}, [[1, "a"], [1, "b"], [2, "b"]]),
    ({dt.date(2026, 2, 1), dt.date(2026, 1, 1)}, ["2026-01-01", "2026-02-01"]),
    ({frozenset({2, 1}), frozenset({3})}, [[1, 2], [3]]),
    ({Keyword("b"), Keyword("a")}, ["a", "b"]),
]


@pytest.mark.parametrize(("returned", "value"), SETS)
def test_a_set_is_written_in_a_fixed_order(returned: Any, value: Any) -> None:
    def f() -> Any:
        return returned

    assert value == tool(f).call().value


def test_a_set_of_several_kinds_is_written_in_a_fixed_order() -> None:
    def f() -> Any:
        return {"a", None, True, 2.5, "b"}

    assert tool(f).call().value == tool(f).call().value


def test_a_naive_datetime_in_a_result_is_written_without_an_offset_with_a_warning() -> None:
    @tool
    def now() -> list[dt.datetime]:
        return [dt.datetime(2026, 1, 31, 10)]

    outcome = now.call()

    assert ["2026-01-31T10:00:00"] == outcome.value
    assert ["[0]: datetime 2026-01-31T10:00:00 has no offset, so its text has none"] == lines(
        outcome.warnings
    )
    assert not now.call(mode="strict").ok


def test_an_int_or_a_float_is_received_as_it_was_sent() -> None:
    # Where the hint is `int | float` the function receives the int.
    @tool
    def f(n: int | float, many: list[int | float]) -> Any:
        return [type(n).__name__, *(type(m).__name__ for m in many)]

    assert ["int", "int", "float"] == f.call({"n": 3, "many": [1, 2.0]}).value
    assert ["float", "float"] == f.call({"n": 3.0, "many": [1.5]}).value
    assert ["int"] == f.call({"n": 2**60, "many": []}).value


def test_an_int_in_a_float_result_is_left_an_int() -> None:
    @tool
    def f() -> float:
        return 3

    assert (3, int) == (f.call().value, type(f.call().value))


def test_nothing_is_coerced_in_a_result() -> None:
    @tool
    def f() -> int:
        return "3"  # type: ignore[return-value]

    assert ['expected int, got string "3"'] == lines(f.call().errors)


def test_undeclared_keys_of_a_result_are_left_as_they_are() -> None:
    @tool
    def f() -> Item:
        return {"id": 1, "title": "a", "more": 2}  # type: ignore[typeddict-unknown-key]

    assert {"id": 1, "title": "a", "more": 2} == f.call().value


def test_the_model_never_sees_a_firewalled_value_in_a_report() -> None:
    @tool
    def f() -> Row:
        return {"id": 1, "_secret": 12345}  # type: ignore[typeddict-item]

    report = f.call().report()

    assert "12345" not in report
    assert "_secret" not in report
    assert "- <Firewalled>: " in report


def test_what_a_host_type_refuses_is_an_issue_with_its_path() -> None:
    @dataclass
    class Even:
        n: int

        def __post_init__(self) -> None:
            if self.n % 2:
                raise ValueError(f"{self.n} is odd")

    f = tool(name="f")(_hinted(dict[str, list[Even]]))
    outcome = f.call({"value": {"k": [{"n": 2}, {"n": 3}]}})

    assert ("host", ("value", "k", 1)) == (outcome.errors[0].code, outcome.errors[0].path)
    assert str(outcome.errors[0]).startswith("value.k[1]: 3 is odd")
    assert "input" == outcome.stage


def _hinted(hint: Any) -> Any:
    def f(value):  # type: ignore[no-untyped-def]
        return 0

    f.__annotations__["value"] = hint
    return f


@pytest.mark.parametrize(
    "error", [KeyError("k"), AttributeError("a"), ZeroDivisionError("z"), AssertionError("no")]
)
def test_a_constructor_that_fails_in_another_way_is_the_developers_own_exception_or_an_issue(
    error: Exception,
) -> None:
    # An exception of the user's own code reaches the caller, or becomes an issue for the model.
    @dataclass
    class Broken:
        n: int

        def __post_init__(self) -> None:
            raise error

    try:
        outcome = tool(_hinted(Broken)).call({"value": {"n": 1}})
    except type(error) as raised:
        assert raised is error  # noqa: PT017 - both ends are fine
    else:
        assert not outcome.ok


# modes


def test_warn_only_lets_what_is_wrong_pass_but_for_what_is_missing() -> None:
    @tool
    def f(a: int, b: str = "x") -> int:
        return a

    passed = f.call({"a": "many"}, mode="warn_only")
    missing = f.call({}, mode="warn_only")

    assert "many" == passed.value
    assert ['a: expected int, got string "many"', 'expected int, got string "many"'] == lines(
        passed.warnings
    )
    assert ["a: expected int, got nil (missing)"] == lines(missing.errors)


def test_warn_only_decodes_what_it_can() -> None:
    @tool
    def f(day: dt.date, color: Color) -> Any:
        return type(day).__name__, type(color).__name__

    assert ["date", "Color"] == f.call(
        {"day": "2026-01-31", "color": "red"}, mode="warn_only"
    ).value
    assert ["date", "str"] == f.call(
        {"day": "2026-01-31", "color": "green"}, mode="warn_only"
    ).value
    assert ["str", "Color"] == f.call({"day": "soon", "color": "red"}, mode="warn_only").value
    assert ["list", "Color"] == f.call({"day": ["soon"], "color": "red"}, mode="warn_only").value


def test_warn_only_never_raises_for_what_is_wrong_below_a_host_type() -> None:
    @dataclass
    class Point:
        x: int
        y: int

    f = tool(_hinted(list[Point]))
    outcome = f.call({"value": [{"x": "a"}, 3, {"x": 1, "y": 2}]}, mode="warn_only")

    assert outcome.warnings


def test_the_disabled_mode_checks_nothing() -> None:
    outcome = search.call({"query": "budget", "limit": True}, mode="disabled")

    assert ([], []) == (lines(outcome.errors), lines(outcome.warnings))
    assert ITEMS == outcome.value


def test_an_unknown_mode_is_an_error() -> None:
    with pytest.raises(TypesigError) as raised:
        search.call({"query": "a"}, mode="loose")

    assert (
        "there is no mode 'loose'; there are enabled, lenient, warn_only, strict, json, disabled"
        == str(raised.value)
    )


def test_a_policy_is_a_mode() -> None:
    @tool
    def f(n: int) -> int:
        return n

    assert f.call({"n": "42"}).ok
    assert not f.call({"n": "42"}, mode=Policy().off("int_from_string")).ok


# asynchronous tools


def test_a_coroutine_is_awaited() -> None:
    async def main() -> Any:
        return await fetch.acall({"url": "a", "tries": "2"}), await fetch("b", 1)

    outcome, plain = asyncio.run(main())

    assert ("aa", ['tries: coerced string "2" to int'], "b") == (
        outcome.value,
        lines(outcome.warnings),
        plain,
    )


def test_call_on_a_coroutine_function_says_what_to_write() -> None:
    with pytest.raises(TypesigError) as raised:
        fetch.call({"url": "a"})

    assert "fetch is a coroutine function: write await fetch.acall(…)" == str(raised.value)


def test_an_asynchronous_method_and_object_are_awaited() -> None:
    class Later:
        async def __call__(self, n: int) -> int:
            return n

    later = tool(name="later")(Later())

    assert 3 == asyncio.run(Shop().wait.acall({"n": 3})).value
    assert 3 == asyncio.run(later.acall({"n": "3"})).value
    with pytest.raises(TypesigError):
        later.call({"n": 3})


def test_a_partial_of_a_coroutine_function_is_awaited() -> None:
    part = tool(name="part")(functools.partial(fetch.__wrapped__, "a"))

    assert part.is_async
    assert "aa" == asyncio.run(part.acall({"tries": 2})).value


def test_a_plain_wrapper_around_a_coroutine_function_is_awaited_too() -> None:
    # The decorator's function returns the coroutine and is not a coroutine function itself.
    @functools.wraps(fetch.__wrapped__)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return fetch(*args, **kwargs)

    outcome = asyncio.run(tool(wrapper).acall({"url": "a", "tries": 1}))

    assert [] == lines(outcome.errors)
    assert "a" == outcome.value


@pytest.mark.filterwarnings("ignore:coroutine")
def test_a_plain_call_of_such_a_wrapper_says_what_to_write() -> None:
    @functools.wraps(fetch.__wrapped__)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return fetch(*args, **kwargs)

    with pytest.raises(TypesigError) as raised:
        tool(wrapper).call({"url": "a"})

    assert "acall" in str(raised.value)


@pytest.mark.needs_process
def test_a_plain_function_runs_in_a_thread_with_the_context_copied() -> None:
    seen = contextvars.ContextVar("seen", default="nothing")

    @tool
    def f() -> Any:
        return threading.current_thread() is threading.main_thread(), seen.get()

    async def main() -> Any:
        seen.set("something")
        return await f.acall()

    assert (False, "something") == asyncio.run(main()).result


def test_acall_gives_wrong_arguments_and_tool_errors_as_call_does() -> None:
    @tool
    async def f(n: int) -> int:
        if n == 0:
            raise ToolError("not 0")
        return "x"  # type: ignore[return-value]

    async def main() -> list[Any]:
        return [await f.acall(a) for a in ({"n": "x"}, {"n": 0}, {"n": 1}, "{")]

    assert ["input", "call", "output", "input"] == [o.stage for o in asyncio.run(main())]


# explicit signatures


def test_the_text_is_what_the_model_sees_and_the_hints_say_how_to_decode() -> None:
    @tool("(day :string[date], color :enum[red blue]) -> :any")
    def f(day: dt.date, color: Color, deep: bool = False) -> Any:
        return day, color, deep

    outcome = f.call({"day": "2026-01-31", "color": "red"})

    assert 'f(day :string[date], color :enum["red" "blue"]) -> :any' == f.prompt()
    assert (dt.date(2026, 1, 31), Color.RED, False) == outcome.result
    assert [] == lines(f.warnings)


@pytest.mark.parametrize(
    "source",
    ["(a :int) -> :int", typesig.parse("(a :int) -> :int")],
    ids=["text", "signature"],
)
def test_a_signature_is_anything_that_parse_takes(source: Any) -> None:
    @tool(source)
    def f(a):  # type: ignore[no-untyped-def]
        return a

    assert 3 == f.call({"a": "3"}).value


def test_a_text_of_only_a_result_keeps_the_extracted_parameters() -> None:
    @tool("{hits :int}")
    def f(query: str, limit: int = 3) -> Any:
        """Find.

        Args:
            query: words
        """
        return {"hits": limit}

    assert "(query :string, limit :int = 3) -> {hits :int}" == str(f.signature)
    assert '(query :string "words", limit :int = 3) -> {hits :int}' == f.signature.render()
    assert {"hits": 3} == f.call({"query": "a"}).value


ERRORS = [
    # text, the function's parameters, the error
    ("(a :int, b :int) -> :int", "a: int", "f has no parameter b; it has a"),
    ("(a :int) -> :int", "", "f has no parameter a; it has none"),
    ("(a :int) -> :int", "a: int, b: int", "f needs b, which its signature leaves out; add it, give it a default, or annotate it Injected[…]"),
    ("() -> :int", "b: int", "f needs b, which its signature leaves out; add it, give it a default, or annotate it Injected[…]"),
    ("(a? :int) -> :int", "a: int", "f needs a, which its signature lets the model leave out; give the parameter a default"),
    (":int", "a", "f has no hints to take its parameters from; give them too, as in (a :any) -> …"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "params", "message"), ERRORS)
def test_a_text_that_the_function_cannot_keep_is_an_error_at_decoration(
    text: str, params: str, message: str
) -> None:
    space: dict[str, Any] = {}
    exec(f"def f({params}): ...", space)

    with pytest.raises(ExtractionError) as raised:
        tool(text)(space["f"])

    assert message == str(raised.value)


FITS = [
    # text, the function's parameters
    ("(a :int) -> :int", "a: int, b: int = 3"),
    ("(a :int) -> :int", "a, *b, **c"),
    ("(a :int, z :int) -> :int", "a, **c"),
    ("(a :int?) -> :int", "a: int | None"),
    ("(a? :int) -> :int", "a: int = 3"),
    ("(a :int = 3) -> :int", "a: int"),
    ("(a :int) -> :int", "a: int, db: Injected[int]"),
    ("(a :int) -> :int", "a: int, db: int | None"),
]


@pytest.mark.parametrize(("text", "params"), FITS)
def test_a_text_that_the_function_can_keep_is_taken(text: str, params: str) -> None:
    space: dict[str, Any] = {"Injected": Injected, "__name__": __name__}
    exec(f"def f({params}): return 1", space)
    t = tool(text)(space["f"])
    given = {"db": 1} if "Injected" in params else None
    arguments = {"a": 1, "z": 2} if "z" in text else {"a": 1}

    assert text == str(t.signature)
    assert 1 == t.call(arguments, given=given).value


def test_what_the_text_lets_absent_and_the_hint_takes_as_none_is_none() -> None:
    @tool("(a :int?) -> :any")
    def f(a: int | None) -> Any:
        return a

    assert None is f.call({}).value


def test_a_nullable_text_beside_unhinted_parameters_is_none_where_it_is_absent() -> None:
    @tool("(a :int?) -> :any")
    def f(a):  # type: ignore[no-untyped-def]
        return a

    assert None is f.call({}).value
    assert None is f.call({"a": None}).value


def test_a_firewalled_parameter_of_the_text_is_given() -> None:
    @tool("(query :string, _token :string) -> :string")
    def f(query, _token):  # type: ignore[no-untyped-def]
        return query + _token

    assert "f(query :string) -> :string" == f.prompt()
    assert "ab" == f.call({"query": "a"}, given={"_token": "b"}).value
    assert not f.call({"query": "a", "_token": "c"}, given={"_token": "b"}).ok


MISMATCHES = [
    # text, hints, the places of the warnings
    ("(a :string) -> :int", "a: int", ["a"]),
    ("(a :int) -> :string", "a: int", ["returns"]),
    ("(a :int, b :map) -> :int", "a: int, b: list[int]", ["b"]),
    ("(a :int?) -> :int", "a: int", ["a"]),
    ("(a :float) -> :int", "a: int", ["a"]),
    ("(a :int) -> :int", "a: int", []),
    ("(a :int[1..5]) -> :int", "a: int", []),
    ("(a :int) -> :int", "a: float", []),
    ("(a :string) -> :int", "a: 'dt.date'", []),
    ("(a [:int]) -> :int", "a: set[int]", []),
    ("(a :string) -> :int", "a: Any", []),
    ("(a :string) -> :int", "a", []),
    ("(a :int) -> :int", "a: int | str", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "params", "places"), MISMATCHES)
def test_a_hint_that_cannot_hold_the_values_of_the_text_is_a_warning(
    text: str, params: str, places: list[str]
) -> None:
    space: dict[str, Any] = {"dt": dt, "Any": Any, "__name__": __name__}
    exec(f"def f({params}) -> int: return 1", space)
    t = tool(text)(space["f"])

    assert places == [w.place for w in t.warnings]


def test_the_warning_of_a_mismatch_names_both_types() -> None:
    @tool("(a :string) -> :int")
    def f(a: int | bool) -> int:
        return 1

    assert [
        "a: int|bool: the signature says string, which the hint cannot hold; change one of them"
    ] == lines(f.warnings)


def test_a_text_that_is_wider_than_the_hint_decodes_is_never_an_exception() -> None:
    # The hint is a date and the text any string: a string that is not a date is an issue.
    @tool("(day :string) -> :any")
    def f(day: dt.date) -> Any:
        return day

    assert ["day: Invalid isoformat string: 'soon'"] == [
        str(e).partition(" (")[0] for e in f.call({"day": "soon"}).errors
    ]


@pytest.mark.parametrize(
    ("text", "hint", "argument"),
    [
        ("(value :any) -> :any", dt.date, 3),
        ("(value :any) -> :any", dt.date, None),
        ("(value :any) -> :any", list[dt.date], 3),
        ("(value :any) -> :any", dict[str, dt.date], [1]),
        ("(value :any) -> :any", tuple[int, dt.date], [1]),
        ("(value :any) -> :any", bytes, 3),
        ("(value :any) -> :any", float, "x"),
        ("(value :any) -> :any", dt.timedelta, 3),
        ("(value :map) -> :any", Item, {"id": "x"}),
        ("(value :any) -> :any", Color, [1]),
        ("(value :any) -> :any", Literal[1, 2], {"a": 1}),
        ("(value :string) -> :any", set[dt.date], "abc"),
    ],
)
def test_a_text_wider_than_the_hint_never_raises_in_a_call(
    text: str, hint: Any, argument: Any
) -> None:
    assert isinstance(tool(text)(_hinted(hint)).call({"value": argument}), Outcome)


def test_a_hint_that_became_any_is_not_warned_of_if_the_text_gives_its_type() -> None:
    @tool("(a :string) -> :string", strict=True)
    def f(a: Opaque) -> Opaque:
        return a

    assert () == f.warnings


def test_undeclared_keys_inside_records_of_a_text_stay() -> None:
    @tool("(row {id :int}) -> :any")
    def f(row):  # type: ignore[no-untyped-def]
        return row

    assert {"id": 1, "x": 2} == f.call({"row": {"id": 1, "x": 2}}).value


def test_a_bad_text_is_an_error_with_its_place() -> None:
    with pytest.raises(SignatureSyntaxError):
        tool("(a :itn) -> :int", name="f")(lambda a: a)


@pytest.mark.parametrize("source", [3, [], {"a": 1}, b"x"])
def test_an_object_that_is_not_a_signature_is_an_error_of_the_developer(source: Any) -> None:
    with pytest.raises(TypesigError):
        tool(source)(search.__wrapped__)


# positions of markers, and values that JSON does not have


@pytest.mark.parametrize(
    "hint",
    [Injected[int], Injected[int] | None, Annotated[Injected[int], "x"], "Injected[int] | None"],
    ids=repr,
)
def test_an_injected_parameter_is_hidden_wherever_its_marker_stands_or_it_is_warned_of(
    hint: Any,
) -> None:
    def f(query: str, db: Any = None) -> Any:
        return db

    f.__annotations__["db"] = hint
    t = tool(f)

    assert "(query :string) -> :any" == str(t.signature) or t.warnings


def test_a_number_without_a_json_form_is_refused_in_every_position() -> None:
    @tool
    def f() -> Any:
        return {"a": [float("nan")]}

    outcome = f.call()

    assert not outcome.ok or "NaN" not in json.dumps(outcome.value)


def test_a_long_integer_is_shown_without_an_exception() -> None:
    @tool
    def f(n: int) -> str:
        return "x"

    assert "- n: expected int, got int of 16610 bits" in f.call({"n": 10**5_000}).report()
    assert "got int of 16610 bits" in search.call({"query": 10**5_000}).report()


def test_an_asynchronous_generator_is_collected_or_refused_with_a_remedy() -> None:
    @tool
    async def pages(n: int) -> AsyncIterator[int]:
        for page in range(n):
            yield page

    outcome = asyncio.run(pages.acall({"n": 3}))

    assert [0, 1, 2] == outcome.value


def test_a_generator_is_collected_once() -> None:
    @tool
    def rows(n: int) -> Iterator[int]:
        yield from range(n)

    assert [0, 1, 2] == rows.call({"n": 3}).value


def test_what_a_model_sent_is_not_changed() -> None:
    sent = {"query": "budget", "limit": "5", "more": [1]}
    search.call(sent)

    assert {"query": "budget", "limit": "5", "more": [1]} == sent


def test_an_awaitable_result_has_the_type_of_the_awaited_value() -> None:
    def f() -> collections.abc.Awaitable[int]: ...
    def g() -> collections.abc.Coroutine[Any, Any, list[str]]: ...

    assert ["() -> :int", "() -> [:string]"] == [str(tool(each).signature) for each in (f, g)]


def test_what_is_a_sequence_or_an_iterator_is_a_list_at_any_depth() -> None:
    @tool
    def f() -> dict[str, list[int]]:
        return {"a": range(3), "b": iter([1])}  # type: ignore[dict-item]

    assert {"a": [0, 1, 2], "b": [1]} == f.call().value


def test_a_user_defined_set_is_a_set() -> None:
    class Odd(collections.abc.Set[int]):
        def __contains__(self, item: object) -> bool:
            return item in (1, 3)

        def __iter__(self) -> Iterator[int]:
            return iter((1, 3))

        def __len__(self) -> int:
            return 2

    assert [1, 3] == tool("() -> #{:int}")(Odd).call().value
