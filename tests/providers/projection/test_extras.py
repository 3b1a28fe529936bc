"""What definitions have beside their schemas, and the tools of vendors beside them."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from tests.vendors import refusals
from typesig import TypesigError, tool, tools_of
from typesig.providers.registry.vendor import EXTRA_NAMES
from typesig.providers.vendors.registry import VENDORS


@tool
def search(query: str, labels: dict[str, int] | None = None, limit: int = 3) -> list[str]:
    """Search."""
    return [query] * limit


@tool
def book(room: str, _token: str = "") -> str:
    """Book a room."""
    return f"{room} is booked"


TOOLS = tools_of([search, book])
SEARCH_TOOL = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
WEB = {"type": "web_search_20260209", "name": "web_search", "max_uses": 2}
CODE = "code_execution_20260521"


def definition_of(name: str, provider: Any = "anthropic", **options: Any) -> Any:
    [found] = [
        each for each in TOOLS.project(provider, **options).definitions if each["name"] == name
    ]
    return found


@pytest.mark.parametrize("strict", [False, True])
def test_examples_are_sent_in_the_form_that_the_model_sends(strict: bool) -> None:
    given = {"query": "budget", "labels": {"team": 3}}
    wire = TOOLS.project("anthropic", strict=strict, input_examples={"search": [given]})
    first, second = wire.definitions

    assert [wire.tools["search"].encode_arguments(given)] == first["input_examples"]
    assert given == wire.tools["search"].decode(first["input_examples"][0])
    assert isinstance(first["input_examples"][0]["labels"], list) is strict
    assert "input_examples" not in second
    assert [] == refusals("anthropic", f"tools{'_strict' * strict}", wire.definitions)


@pytest.mark.parametrize(
    ("example", "told"),
    [
        ({}, "query: expected string, got nil (missing)"),
        ({"query": 3}, "query: expected string, got int 3"),
        ({"query": "a", "limit": "3"}, 'limit: expected int, got string "3"'),
        ({"query": "a", "lim": 3}, "lim: unexpected key (did you mean limit?)"),
    ],
)
def test_an_example_that_does_not_fit_is_a_mistake_of_the_developer(
    example: Any, told: str
) -> None:
    with pytest.raises(TypesigError) as raised:
        TOOLS.project("anthropic", input_examples={"search": [{"query": "a"}, example]})

    assert f"an example of search does not fit: {told}" == str(raised.value)


def test_the_definition_says_what_waits_for_a_search_and_who_may_call() -> None:
    options: Any = {"defer_loading": ["search"], "allowed_callers": [CODE]}

    assert definition_of("search", **options)["defer_loading"] is True
    assert "defer_loading" not in definition_of("book", **options)
    assert [CODE] == definition_of("book", **options)["allowed_callers"]
    named = {"allowed_callers": {"search": ["direct", CODE]}}
    assert ["direct", CODE] == definition_of("search", **named)["allowed_callers"]
    assert "allowed_callers" not in definition_of("book", **named)
    assert definition_of("search") == definition_of("search", defer_loading=False)
    responses: Any = {
        "api": "responses",
        "defer_loading": True,
        "allowed_callers": ["programmatic"],
    }
    found = TOOLS.project("openai", **responses)
    assert [(True, ["programmatic"])] * 2 == [
        (each["defer_loading"], each["allowed_callers"]) for each in found.definitions
    ]
    assert [] == refusals("openai", "responses", found.definitions)


def test_tools_of_the_vendor_are_sent_as_they_are() -> None:
    wire = TOOLS.project("anthropic", server_tools=[WEB, SEARCH_TOOL])

    assert wire.definitions[2] is WEB
    assert wire.definitions[3] is SEARCH_TOOL
    assert ["search", "book"] == list(wire.tools)
    assert ({"type": "tool_search"},) == tools_of([]).project(
        "openai", api="responses", server_tools=[{"type": "tool_search"}]
    ).definitions
    custom = {"type": "custom", "custom": {"name": "patch"}}
    assert custom is TOOLS.project("openai", server_tools=[custom]).definitions[-1]


def test_what_the_vendor_runs_is_left_alone() -> None:
    wire = TOOLS.project("anthropic", defer_loading=["book"], server_tools=[WEB, SEARCH_TOOL])
    caller = {"type": CODE, "tool_id": "s3"}
    blocks: list[Any] = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "a"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
        {"type": "server_tool_use", "id": "s2", "name": "tool_search_tool_bm25", "input": {}},
        {"type": "tool_search_tool_result", "tool_use_id": "s2", "content": {}},
        {"type": "tool_use", "id": "t", "name": "book", "input": {"room": "Elm"}, "caller": caller},
    ]
    message = {"role": "assistant", "content": blocks, "stop_reason": "tool_use"}
    [answer] = wire.handle(message)

    assert ["t"] == [each["tool_use_id"] for each in answer["content"]]
    assert [] == wire.handle({**message, "content": blocks[:4], "stop_reason": "end_turn"})
    items: list[Any] = [
        {
            "type": "tool_search_call",
            "id": "a",
            "call_id": None,
            "execution": "server",
            "arguments": {},
            "status": "completed",
        },
        {
            "type": "tool_search_output",
            "id": "b",
            "call_id": None,
            "tools": [],
            "status": "completed",
        },
        {"type": "web_search_call", "id": "c", "status": "completed"},
        {"type": "function_call", "call_id": "d", "name": "book", "arguments": '{"room": "Elm"}'},
    ]
    responses = TOOLS.project("openai", api="responses", server_tools=[{"type": "tool_search"}])
    assert ["d"] == [each["call_id"] for each in responses.handle({"output": items})]
    assert ["d"] == [each["call_id"] for each in responses.handle(items)]


def test_what_is_beside_the_schemas_is_counted() -> None:
    plain = TOOLS.project("anthropic", limits={"bytes": 0}).check(len)
    options: Any = {"input_examples": {"book": [{"room": "Elm"}]}, "server_tools": [WEB]}
    more = TOOLS.project("anthropic", limits={"bytes": 0, "tokens": 0}, **options).check(len)
    counted = {each.limit: each.counted for each in more}

    assert counted["bytes"] > plain[0].counted + len(json.dumps(WEB, separators=(",", ":")))
    assert counted["tokens"] == counted["bytes"]
    assert "tools" not in counted


def test_tools_that_all_wait_for_a_search_that_is_not_there_are_told() -> None:
    [found] = TOOLS.project("anthropic", defer_loading=True).check()

    assert ("search", "defer_loading", 2, 1) == found[:4]
    assert "defer_loading: every tool waits for a search; add one to server_tools" == str(found)
    assert () == TOOLS.project("anthropic", defer_loading=True, server_tools=[SEARCH_TOOL]).check()
    waiting = {**WEB, "defer_loading": True}
    [found] = tools_of([]).project("anthropic", server_tools=[waiting]).check()
    assert "" == found.tool


def test_a_deferred_toolset_of_openai_without_a_search_is_told() -> None:
    [found] = TOOLS.project("openai", api="responses", defer_loading=["book"]).check()
    told = 'defer_loading: 1 of the tools wait for a search; add {"type": "tool_search"} to server_tools'
    search = {"type": "tool_search"}

    assert ("book", "defer_loading", 1, 0, told) == found[:5]
    assert (
        ()
        == TOOLS.project(
            "openai", api="responses", defer_loading=True, server_tools=[search]
        ).check()
    )


def test_a_projection_with_extras_can_be_pickled() -> None:
    wire = TOOLS.project(
        "anthropic", input_examples={"book": [{"room": "Elm"}]}, server_tools=[WEB]
    )
    again = pickle.loads(pickle.dumps(wire))

    assert wire.definitions == again.definitions
    assert wire.extras == again.extras


def test_a_tool_alone_takes_the_same_options() -> None:
    [found] = book.project("anthropic", input_examples={"book": [{"room": "Elm"}]}).definitions

    assert [{"room": "Elm"}] == found["input_examples"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"input_examples": {"serch": []}},
            "input_examples: there is no tool 'serch' (did you mean search?)",
        ),
        ({"input_examples": {"x": []}}, "input_examples: there is no tool 'x'"),
        ({"input_examples": []}, "input_examples are lists by the names of tools, not []"),
        (
            {"input_examples": {"book": {"room": "a"}}},
            "input_examples of book are a list, not {'room': 'a'}",
        ),
        ({"input_examples": {"book": ["a"]}}, "an example of book is a dict of arguments, not 'a'"),
        ({"defer_loading": "book"}, "defer_loading is True or names of tools, not 'book'"),
        ({"defer_loading": 1}, "defer_loading is True or names of tools, not 1"),
        (
            {"defer_loading": ["boook"]},
            "defer_loading: there is no tool 'boook' (did you mean book?)",
        ),
        ({"allowed_callers": CODE}, f"allowed_callers of search are a list, not '{CODE}'"),
        ({"allowed_callers": [1]}, "allowed_callers are texts, such as code_execution_20260521"),
        ({"server_tools": WEB}, "server_tools are definitions in a list, not {"),
        ({"server_tools": [{"name": "book"}]}, "server_tools: 'book' is the name of a tool, too"),
    ],
)
def test_a_wrong_value_is_told(options: Any, message: str) -> None:
    if message.startswith("server_tools are"):
        options = {"server_tools": 5}
        message = "server_tools are definitions in a list, not 5"
    with pytest.raises(TypesigError) as raised:
        TOOLS.project("anthropic", **options)

    assert message == str(raised.value)


@pytest.mark.parametrize("option", EXTRA_NAMES)
@pytest.mark.parametrize("provider", VENDORS)
def test_an_option_that_a_profile_lacks_is_told(provider: Any, option: Any) -> None:
    vendor = VENDORS[provider]
    for profile in vendor.profiles:
        options: Any = {
            "api": profile.api,
            **({"strict": profile.strict} if vendor.has_strict else {}),
        }
        if option in profile.extras:
            empty: Any = {} if option in ("input_examples", "cache_control", "namespaces") else ()
            TOOLS.project(provider, **options, **{option: empty})
            continue
        with pytest.raises(TypesigError, match=f"has no option {option}"):
            TOOLS.project(provider, **options, **{option: ()})


def test_the_error_names_the_options_that_there_are() -> None:
    with pytest.raises(TypesigError) as raised:
        TOOLS.project("openai", defer_loading=True)

    assert "openai chat has no option defer_loading; there are server_tools" == str(raised.value)
    with pytest.raises(TypesigError) as raised:
        TOOLS.project("gemini", defer_loading=True)
    assert "gemini parameters has no option defer_loading" == str(raised.value)


# Streaming, caches, tools that need not be awaited, and groups


def test_arguments_are_streamed_eagerly_where_asked() -> None:
    assert (
        definition_of("search", eager_input_streaming=["search"])["eager_input_streaming"] is True
    )
    assert "eager_input_streaming" not in definition_of("book", eager_input_streaming=["search"])
    assert definition_of("book", eager_input_streaming=True)["eager_input_streaming"] is True


@pytest.mark.parametrize(("given", "marker"), [
    (True, {"type": "ephemeral"}), ({"type": "ephemeral", "ttl": "1h"}, {"type": "ephemeral", "ttl": "1h"}),
])  # fmt: skip
def test_the_last_definition_has_the_marker_of_the_cache(given: Any, marker: Any) -> None:
    first, last = TOOLS.project("anthropic", cache_control=given).definitions
    found = TOOLS.project("anthropic", cache_control=given, server_tools=[WEB]).definitions

    assert marker == last["cache_control"]
    assert "cache_control" not in first
    assert [False, False, True] == ["cache_control" in each for each in found]
    assert "cache_control" not in WEB
    assert [] == refusals("anthropic", "tools", [first, last])
    assert () == tools_of([]).project("anthropic", cache_control=True).definitions
    assert "cache_control" not in definition_of("book", cache_control=False)


def test_tools_that_need_not_be_awaited_are_told_to_openai() -> None:
    found = definition_of("book", "openai", api="responses", async_tools=["book"])

    assert found["async"] is True
    assert [] == refusals("openai", "responses", [found])


def test_tools_of_a_prefix_are_in_a_namespace_and_called_by_it() -> None:
    tools = tools_of([search]) + tools_of([book]).prefixed("rooms.")
    wire = tools.project("openai", api="responses", namespaces={"rooms": "Rooms of the office."},
                         server_tools=[{"type": "tool_search"}], defer_loading=["rooms.book"])  # fmt: skip
    alone, group, _ = wire.definitions
    call = {"type": "function_call", "call_id": "c", "namespace": "rooms", "name": "book",
            "arguments": '{"room": "Elm"}'}  # fmt: skip

    assert ("search", "namespace", "rooms") == (alone["name"], group["type"], group["name"])
    assert "Rooms of the office." == group["description"]
    assert [("book", True)] == [(each["name"], each["defer_loading"]) for each in group["tools"]]
    assert "Elm is booked" == wire.handle({"output": [call]})[0]["output"]
    assert () == wire.check()
    assert [] == refusals("openai", "responses", group["tools"])
    two = (tools_of([search]) + tools_of([book])).prefixed("rooms.")
    [group] = two.project("openai", api="responses", namespaces={"rooms": "Rooms."}).definitions
    assert ["search", "book"] == [each["name"] for each in group["tools"]]


@pytest.mark.parametrize(("options", "message"), [
    ({"namespaces": {"crm": "?"}}, "namespaces: no tool has the prefix 'crm'"),
    ({"namespaces": {"": "?"}}, "namespaces: no tool has the prefix ''"),
    ({"namespaces": {"a.b": "?"}}, "namespaces: openai responses does not take 'a.b'"),
    ({"namespaces": ["crm"]}, "namespaces are descriptions by prefix, not ['crm']"),
    ({"namespaces": {"a.b": 3}}, "namespaces are descriptions by prefix, not {'a.b': 3}"),
])  # fmt: skip
def test_a_wrong_namespace_is_told(options: Any, message: str) -> None:
    tools = tools_of([search]) + tools_of([book]).prefixed("a.b.")

    with pytest.raises(TypesigError) as raised:
        tools.project("openai", api="responses", **options)
    assert message == str(raised.value)


def test_a_wrong_marker_of_the_cache_is_told() -> None:
    wrong: Any = {"cache_control": 5}
    with pytest.raises(TypesigError, match="cache_control is True or what the vendor takes"):
        TOOLS.project("anthropic", **wrong)
