"""Rarer cases of tools, contracts and toolsets; what a model sees of data."""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import pathlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, NamedTuple, TypedDict, Unpack

import pytest

import typesig
from typesig import Toolset, TypesigError, contract, tool, tools_of
from typesig.algebra.redaction import redact
from typesig.errors import ExtractionError
from typesig.listings.firewall import render_data


def texts(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


@pytest.mark.parametrize(
    ("function", "name"),
    [
        pytest.param(lambda **options: typesig.extract(len, **options), "extract", id="extract"),
        pytest.param(lambda **options: tool(**options), "tool", id="tool"),
        pytest.param(lambda **options: contract(int, **options), "contract", id="contract"),
        pytest.param(lambda **options: tools_of([], **options), "tools_of", id="tools_of"),
    ],
)
def test_an_unknown_option_is_named_and_a_wrong_value_refused(function: Any, name: str) -> None:
    with pytest.raises(
        TypeError, match=rf"{name}\(\) got an unexpected keyword argument 'sctrict'"
    ):
        function(sctrict=True)
    with pytest.raises(TypesigError, match="there is no profile 'x'; there are python, ptc_runner"):
        function(profile="x")


def test_a_contract_has_no_parameters_to_inject() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'injected'"):
        contract(int, injected=["db"])  # type: ignore[call-overload]


# contracts


def test_a_contract_shows_its_type() -> None:
    assert "<contract [:int]>" == repr(contract(list[int]))


def test_a_contract_of_a_contract_is_the_same() -> None:
    answer = contract(list[int])

    assert answer is contract(answer)


def test_a_contract_of_a_function_without_hints_asks_for_a_signature() -> None:
    def f(a): ...  # type: ignore[no-untyped-def]

    with pytest.raises(TypesigError, match="f has no hints for an answer; give a signature"):
        contract(f)


def test_a_disabled_contract_checks_nothing() -> None:
    outcome = contract(list[int]).read('{"items": "x"}', mode="disabled")

    assert outcome.ok
    assert {"items": "x"} == outcome.result


def test_an_answer_that_may_be_wrong_is_handed_on_where_no_host_type_takes_it() -> None:
    outcome = contract(ipaddress.IPv4Address | pathlib.Path).read("[1]", mode="warn_only")

    assert outcome.ok
    assert 1 == len(outcome.warnings)
    assert [1] == outcome.result


class Range(NamedTuple):
    """A range whose bounds are integers."""

    low: int
    high: int


@dataclass
class Checked:
    """A record that refuses every value."""

    x: int

    def __post_init__(self) -> None:
        raise ValueError("no x is good enough")


@pytest.mark.parametrize(
    ("hint", "answer", "code"),
    [
        pytest.param(list[date], [1], "type", id="an item that no date is written as"),
        pytest.param(Range, {"low": 1, "high": "x"}, "type", id="a field of another type"),
        pytest.param(Checked, {"x": 1}, "host", id="a constructor that refuses"),
    ],
)
def test_a_contract_and_a_call_hand_on_what_the_host_refuses_with_the_same_warning(
    hint: Any, answer: Any, code: str
) -> None:
    def take(value):  # type: ignore[no-untyped-def]
        got.append(value)

    got: list[Any] = []
    take.__annotations__ = {"value": hint}
    called = tool(take).call({"value": answer}, mode="warn_only")
    read = contract(hint).read(answer, mode="warn_only")

    assert got == [answer] == [read.result]
    assert [code] == [issue.code for issue in read.warnings]
    assert [(issue.code, issue.path, issue.expected) for issue in called.warnings] == [
        (issue.code, ("value", *issue.path), issue.expected) for issue in read.warnings
    ]


@pytest.mark.parametrize(
    ("hint", "answer"),
    [(int | float, 3), (list[int | float], [3, 2.5]), (dict[str, float], {"a": 3})],
)
def test_a_contract_and_a_call_make_the_same_object(hint: Any, answer: Any) -> None:
    def take(value):  # type: ignore[no-untyped-def]
        return repr(value)

    take.__annotations__ = {"value": hint, "return": str}

    assert tool(take).call({"value": answer}).result == repr(contract(hint).read(answer).result)


def test_a_constructor_that_refuses_an_answer_keeps_the_warnings_of_coercion() -> None:
    outcome = contract(Checked).read({"x": "1"})

    assert ['no x is good enough (got map {"x": 1})'] == texts(outcome.errors)
    assert ['x: coerced string "1" to int'] == texts(outcome.warnings)


@pytest.mark.parametrize("fenced", [b"[1, 2]", b"```json\n[1, 2]\n```", "```\n[1, 2]\n```"])
def test_an_answer_is_read_out_of_bytes_and_fences(fenced: str | bytes) -> None:
    assert [1, 2] == contract(list[int]).read(fenced).result


def test_an_answer_that_is_not_utf_8_is_an_error() -> None:
    outcome = contract(list[int]).read(b"[1, \xff]")

    assert ["the answer is not valid JSON: byte 4 is not UTF-8"] == texts(outcome.errors)


# explicit signatures


def test_a_builtin_with_unknown_parameters_takes_those_of_its_signature() -> None:
    pairs = tool("(a :int, b? :string) -> :map", name="pairs")(dict)

    assert {"a": 1, "b": "x"} == pairs.call({"a": "1", "b": "x"}).value
    assert {"a": 1} == pairs.call({"a": 1}).value


def test_strict_needs_hints_that_can_hold_the_values_of_the_signature() -> None:
    def f(a: int) -> int:
        return a

    with pytest.raises(ExtractionError, match=r"^f: .*a.* the signature says string"):
        tool("(a :string) -> :int", strict=True)(f)


# calls


def test_a_function_that_returns_a_future_is_awaited() -> None:
    def later() -> Any:
        return asyncio.get_running_loop().create_future()

    async def scenario() -> None:
        future = later()
        f = tool("() -> :int", name="f")(lambda: future)

        with pytest.raises(TypesigError, match=r"f returned an awaitable: write await f\.acall"):
            f.call({})
        assert not future.cancelled()

    asyncio.run(scenario())


def test_a_function_that_returns_a_coroutine_wants_acall_and_leaves_nothing_open() -> None:
    async def inner() -> int:
        return 1

    def f() -> Any:
        return inner()

    with pytest.raises(TypesigError, match=r"f returned an awaitable: write await f\.acall"):
        tool(f).call({})


def test_where_nothing_is_checked_a_function_gets_only_names_that_it_has() -> None:
    @tool
    def few(a: int) -> Any:
        return [a]

    @tool
    def all_of(a: int, **others: Any) -> Any:
        return [a, others]

    assert ["x"] == few.call({"a": "x", "b": 2}, mode="disabled").result
    assert ["x", {"b": 2}] == all_of.call({"a": "x", "b": 2}, mode="disabled").result


class Adder:
    """Add one."""

    def __call__(self, a: int, b: int = 1) -> int:
        return a + b


def test_a_callable_object_shows_the_code_of_its_call() -> None:
    add = tool(name="add")(Adder())

    assert 3 == add.call({"a": 2}).value
    assert (1,) == add.__defaults__
    assert ("self", "a", "b") == add.__code__.co_varnames[:3]


def test_a_partial_shows_the_code_of_its_function() -> None:
    def f(a: int, b: int) -> int:
        return a + b

    part = tool(name="part")(functools.partial(f, b=2))

    assert f.__code__ is part.__code__
    assert 3 == part.call({"a": 1}).value


# toolsets


def test_an_object_that_is_not_a_toolset_cannot_be_added_to_one() -> None:
    with pytest.raises(TypeError):
        Toolset([]) + [1]  # type: ignore[operator]  # noqa: RUF005


class Shop:
    @classmethod
    @tool
    def named(cls, name: str) -> str:
        return f"{cls.__name__} {name}"

    @tool
    @classmethod
    def other(cls, name: str) -> str:
        return f"{cls.__name__}, {name}"

    @staticmethod
    @tool
    def twice(n: int) -> int:
        return 2 * n


@pytest.mark.parametrize("target", [Shop, Shop()])
def test_tools_of_a_class_are_bound_wherever_the_decorator_stands(target: object) -> None:
    tools = tools_of(target)

    assert {"named", "other", "twice"} == set(tools.names)
    assert "Shop a" == tools.call("named", {"name": "a"}).value
    assert "Shop, a" == tools.call("other", {"name": "a"}).value
    assert 4 == tools.call("twice", {"n": 2}).value


# what a model sees


@pytest.mark.parametrize(
    ("expected", "value", "type"),
    [
        ('{"a": 1, "_b": <Firewalled>}', {"a": 1, "_b": 2}, None),
        ('{"a": 1, "_b": <Firewalled>}', {"a": 1, "_b": 2}, "{a :int, _b :int}"),
        ('{"_b": 2}', {"_b": 2}, '{"_b" :int}'),
        ('{"_x": 1}', {"_x": 1}, ":map[:int]"),
        ('{"_c": <Firewalled>}', {"_c": 1}, "{a :int}"),
        ('{"_c": <Firewalled>}', {"_c": 1}, "[:int]"),
        ('{"a": 1}', {"a": 1}, "{b :int}|{a :int}"),
        ('[{"_b": <Firewalled>}]', [{"_b": 1}], "[{_b :int}]"),
        ('[{"_b": 1}, {"_b": <Firewalled>}]', [{"_b": 1}, {"_b": 2}], "[:map[:int], {_b :int}]"),
        ('[1, 2, {"_b": <Firewalled>}]', [1, 2, {"_b": 1}], "[:int, :int]"),
        ('[{"_b": <Firewalled>}]', [{"_b": 1}], "{a :int}"),
        ('{"rows": [{"_b": <Firewalled>}]}', {"rows": [{"_b": 1}]},
         "{rows [:Row]} where Row = {_b :int}"),
        ('"zoë"', "zoë", ":string"),
    ],
)  # fmt: skip
def test_data_is_shown_without_what_its_type_hides(
    expected: str, value: object, type: str | None
) -> None:
    assert expected == render_data(value, None if type is None else typesig.parse(type))


def test_a_signature_is_shown_without_what_it_hides() -> None:
    signature = typesig.parse(
        '(a {x :int, _y :Gone} = {"x": 1, "_y": 2}, _b :Gone, ** [:Kept]) -> [{_c :int}]! '
        "where Gone = :int, Kept = {_d :int, e :string}".replace("]! where", "] where")
    )

    assert '(a {x :int} = {"x": 1}, ** [:Kept]) -> [{}] where Kept = {e :string}' == typesig.render(
        redact(signature)
    )


def test_a_closed_signature_stays_closed_when_it_is_shown() -> None:
    assert "(a :int)! -> :any" == str(redact(typesig.parse("(a :int, _b :int)! -> :any")))


def test_annotations_of_a_tool_are_kept() -> None:
    @tool(annotations={"readOnlyHint": True})
    def f(a: Annotated[int, "words"]) -> int:
        return a

    assert isinstance(f.annotations, Mapping)
    assert {"readOnlyHint": True} == dict(f.annotations)


# hints are read when they are first needed


@tool
def waiting(later: Later) -> int:  # type: ignore[valid-type]
    """Take what is defined below.

    Args:
        later: what comes after
    """
    return 1


class Later(TypedDict):
    id: int


def unhinted(a, b=1):  # type: ignore[no-untyped-def]
    return a


class Opaque: ...


def unsaid(a: Opaque) -> int:
    return 1


class Clashing(TypedDict):
    a: int


def clashing(a: int, **more: Unpack[Clashing]) -> int:  # type: ignore[misc]
    return a


def test_a_tool_that_cannot_be_read_takes_no_other_down() -> None:
    found = typesig.tools_of([tool(clashing), tool(fine)])

    assert ["fine"] == [t.name for t in found]
    assert [
        "clashing: the name 'a' occurs twice, so it is left out; or give an explicit signature"
    ] == [str(warning) for warning in found.warnings]


def fine(a: int) -> int:
    return a


class Store:
    @tool
    def mixed(self, a: int, **more: Unpack[Clashing]) -> int:  # type: ignore[misc]
        return a

    @tool
    def fine(self, a: int) -> int:
        return a


def test_a_method_that_cannot_be_read_is_called_and_takes_no_other_down() -> None:
    store = Store()
    found = typesig.tools_of(store)

    assert 3 == store.mixed(3)
    assert ["fine"] == [t.name for t in found]
    assert ["mixed: the name 'a' occurs twice, so it is left out"] == [
        warning.reason for warning in found.warnings
    ]
    with pytest.raises(ExtractionError, match="mixed: the name 'a' occurs twice"):
        store.mixed.call({"a": 1})


class Shelf:
    @tool
    def take(self, book: Later) -> int:
        """Take a book."""
        return book["id"]


def test_a_name_that_is_defined_below_a_tool_is_found() -> None:
    assert '(later {id :int} "what comes after") -> :int' == waiting.signature.render()
    assert () == waiting.warnings
    assert "Take what is defined below." == waiting.description


def test_what_is_refused_without_reading_is_refused_where_it_is_decorated() -> None:
    with pytest.raises(ExtractionError, match="unhinted has no hints"):
        tool(unhinted)
    with pytest.raises(ExtractionError, match="without loss"):
        tool(strict=True)(unsaid)


def test_mistakes_in_hints_are_refused_when_the_hints_are_read() -> None:
    refused = tool(clashing)

    with pytest.raises(ExtractionError, match="clashing: the name 'a' occurs twice"):
        _ = refused.signature
    with pytest.raises(ExtractionError, match="clashing: the name 'a' occurs twice"):
        refused.call({"a": 1})
    for target in (refused, clashing):
        assert ["clashing: the name 'a' occurs twice, so it is left out"] == [
            warning.reason for warning in tools_of([target, waiting]).warnings
        ]
        with pytest.raises(TypesigError, match="the list has no tools: clashing: the name 'a'"):
            tools_of([target])
    assert () == Toolset([refused]).warnings
    assert 3 == refused(3)


def test_a_tool_that_was_not_read_cannot_be_changed_either() -> None:
    unread = tool(description="Other words.")(waiting.__wrapped__)

    with pytest.raises(AttributeError, match="cannot be changed"):
        unread.description = "Mine."
    assert "Other words." == unread.description


def test_bound_tools_share_what_was_read() -> None:
    first, second = Shelf().take, Shelf().take

    assert first.binding is second.binding
    assert 7 == first.call({"book": {"id": 7}}).value


@pytest.mark.needs_process
def test_threads_that_read_at_once_see_one_tool_whole() -> None:
    fresh = [tool(waiting.__wrapped__) for _ in range(50)]
    seen: list[str] = []

    def look() -> None:
        seen.extend(f"{one.prompt()}{one.warnings}" for one in fresh)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {f"{waiting.prompt()}()"} == set(seen)
    assert 200 == len(seen)


@pytest.mark.parametrize(("given", "shown"), [(int, "int"), ("int", "str"), (3, "int")])
def test_a_contract_that_is_made_of_no_signature_says_what_to_write(given: Any, shown: str) -> None:
    with pytest.raises(TypesigError) as raised:
        typesig.Contract(given)

    assert f"a contract is made of a signature, not {shown}; write contract(…)" == str(raised.value)
