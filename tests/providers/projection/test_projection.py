"""Toolsets, tools and contracts as providers take them: definitions, names, limits and answers."""

from __future__ import annotations

import json
import pickle
from typing import Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import (
    Injected,
    Ledger,
    Toolset,
    TypesigError,
    contract,
    from_json_schema,
    tool,
    tools_of,
)
from typesig.providers.projection.projection import Projection
from typesig.providers.registry.provider import PROVIDER_NAMES, NameRule, make_legal_names
from typesig.providers.vendors.registry import VENDORS


@tool(title="Search", annotations={"readOnlyHint": True})
def search(query: str, limit: int = 10) -> list[str]:
    """Search for items."""
    return [query] * limit


@tool
def ping() -> None:
    """Ping."""


TOOLS = Toolset([search, ping])

EMPTY = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def test_the_definitions_of_openai() -> None:
    plain, _ = TOOLS.project("openai").definitions
    strict = TOOLS.project("openai", strict=True).definitions[1]
    flat = TOOLS.project("openai", api="responses").definitions[1]

    assert plain == {
        "type": "function",
        "function": {
            "name": "search",
            "description": "Search for items.",
            "parameters": {
                "type": "object",
                "properties": {
                    "query": {"type": "string"},
                    "limit": {"type": "integer", "default": 10},
                },
                "required": ["query"],
            },
        },
    }
    function = {"name": "ping", "description": "Ping.", "parameters": EMPTY, "strict": True}
    assert strict == {"type": "function", "function": function}
    assert flat == {
        "type": "function",
        "name": "ping",
        "description": "Ping.",
        "parameters": {"type": "object", "properties": {}},
        "strict": False,
    }


def test_the_definitions_of_anthropic() -> None:
    ping_alone = {"name": "ping", "description": "Ping."}

    assert TOOLS.project("anthropic").definitions[1] == {
        **ping_alone,
        "input_schema": {"type": "object", "properties": {}},
    }
    assert TOOLS.project("anthropic", strict=True).definitions[1] == {
        **ping_alone,
        "input_schema": EMPTY,
        "strict": True,
    }


def test_the_declarations_of_gemini() -> None:
    found = TOOLS.project("gemini").definitions

    assert list(found[0]) == ["name", "description", "parameters"]
    assert found[1] == {"name": "ping", "description": "Ping."}
    assert list(TOOLS.project("gemini", api="json").definitions[0]) == [
        "name",
        "description",
        "parametersJsonSchema",
    ]


def test_the_definitions_of_mcp() -> None:
    found = TOOLS.project("mcp").definitions

    assert found[0]["title"] == "Search"
    assert found[0]["annotations"] == {"readOnlyHint": True}
    assert found[0]["outputSchema"] == {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"type": "string"}}},
        "required": ["items"],
        "additionalProperties": False,
    }
    assert found[1]["outputSchema"]["properties"] == {"result": {"type": "null"}}
    # A result that may be null is in an object, which clients take for one that was sent.
    new = TOOLS.project("mcp", api="2026-07-28").definitions
    assert new[1]["outputSchema"] == found[1]["outputSchema"]


def test_results_as_they_are_sent() -> None:
    found = search.call({"query": "a", "limit": 2})
    nothing = ping.call()

    def sent(provider: Any, **options: Any) -> list[Any]:
        made = TOOLS.project(provider, **options).tools
        return [made["search"].encode(found), made["ping"].encode(nothing)]

    assert sent("openai") == [["a", "a"], None]
    assert sent("anthropic") == [["a", "a"], None]
    assert sent("gemini") == [{"output": ["a", "a"]}, {"output": None}]
    assert sent("mcp") == [{"items": ["a", "a"]}, {"result": None}]
    assert sent("mcp", api="2026-07-28") == [{"items": ["a", "a"]}, {"result": None}]
    assert TOOLS.project("mcp").tools["search"].encode(["b"]) == {"items": ["b"]}


def test_the_result_of_a_named_type_has_no_reference_at_its_root() -> None:
    @tool("() -> :Tree where Tree = {kids [:Tree]}!")
    def grow() -> Any:
        """Grow."""
        return {"kids": []}

    schema = tools_of([grow]).project("mcp").definitions[0]["outputSchema"]

    assert schema["type"] == "object"


def test_what_the_host_supplies_is_not_shown() -> None:
    @tool
    def find(key: str, db: Injected[object]) -> str:
        """Find."""
        return key

    assert list(tools_of([find]).project("mcp").tools["find"].schema["properties"]) == ["key"]


def test_one_tool_is_projected_as_a_toolset_of_one() -> None:
    assert (
        search.project("anthropic").definitions
        == Toolset([search]).project("anthropic").definitions
    )


def test_a_projection_is_a_value() -> None:
    made = TOOLS.project("openai", strict=True)

    again = pickle.loads(pickle.dumps(made))

    assert isinstance(again, Projection)
    assert again.definitions == made.definitions
    assert repr(made) == "<projection for openai chat, strict: search, ping>"
    assert made.provider == "openai"
    assert made.toolset is TOOLS
    with pytest.raises(AttributeError, match="cannot be changed"):
        made.losses = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        made.tools["x"] = made.tools["ping"]  # type: ignore[index]


KNOWN = ", ".join(PROVIDER_NAMES)


@pytest.mark.parametrize(
    ("provider", "options", "message"),
    [
        (
            "cohere",
            {},
            f"there is no provider 'cohere'; there are {KNOWN}",
        ),
        (
            "Mistral",
            {},
            f"there is no provider 'Mistral'; there are {KNOWN} (did you mean mistral?)",
        ),
        (
            5,
            {},
            f"there is no provider 5; there are {KNOWN}",
        ),
        ("openai", {"api": "x"}, "openai has no api 'x'; there are chat, responses"),
        ("openai", {"strikt": 1}, "openai has no option 'strikt'; there are api, strict, limits"),
        ("gemini", {"strict": True}, "gemini has no option 'strict'; there are api, limits"),
        ("openai", {"strict": 1}, "strict is True or False, not 1"),
        ("openai", {"limits": 3}, "limits are numbers by name, not 3"),
        ("openai", {"limits": {"tools": -1}}, "the limit tools is a number of 0 or more, not -1"),
    ],
)
def test_a_wrong_option_is_named(provider: Any, options: Any, message: str) -> None:
    with pytest.raises(TypesigError) as caught:
        TOOLS.project(provider, **options)

    assert str(caught.value) == message


def test_an_unknown_limit_is_named() -> None:
    with pytest.raises(TypesigError, match="there is no limit 'tolls'; there are tools, optionals"):
        TOOLS.project("openai", limits={"tolls": 1})


# Names


def test_illegal_names_of_tools_become_legal_whatever_their_order() -> None:
    def run() -> None:
        """Run."""

    names = ["a.b", "a_b", "a.c", "a" * 70, "x" * 64]
    tools = [tool(name=name)(run) for name in names]
    made = Toolset(tools).project("openai")
    back = Toolset(tools[::-1]).project("openai")
    by_tool = {each.tool.name: name for name, each in made.tools.items()}

    assert by_tool["a_b"] == "a_b"
    assert by_tool["a.c"] == "a_c"
    assert by_tool["a.b"].startswith("a_b_")
    assert by_tool["x" * 64] == "x" * 64
    assert by_tool == {each.tool.name: name for name, each in back.tools.items()}
    assert all(len(name) <= 64 for name in made.tools)
    assert ("renamed", ("a.c",)) in [(loss.kind, loss.path) for loss in made.losses]


RULES = [
    NameRule("A-Za-z", "A-Za-z0-9_-", 48),
    NameRule("a-z", "a-z0-9_", 40),
    *dict.fromkeys(
        rule
        for vendor in VENDORS.values()
        for profile in vendor.profiles
        for rule in (profile.tool_names, profile.property_names)
        if rule is not None
    ),
]


@settings(LAW, max_examples=100)
@given(st.lists(st.text(st.sampled_from("aZ_-9 ü日"), max_size=60)), st.sampled_from(RULES))
def test_names_become_legal_and_differ_by_any_rule(names: list[str], rule: NameRule) -> None:
    found = make_legal_names(names, rule)

    assert set(names) == set(found)
    assert all(rule.allows(each) for each in found.values())
    assert len(found) == len(set(found.values()))


def test_a_name_that_may_not_begin_with_an_underscore_begins_with_a_letter() -> None:
    assert {"2": "a2", "日本": "a_e3aebe34"} == make_legal_names(["2", "日本"], RULES[0])


RULE = NameRule("A-Za-z_", "A-Za-z0-9_", 64)


def test_a_name_without_letters_gets_some() -> None:
    assert make_legal_names(["日本", "2", "\ud800x"], RULE) == {
        "日本": "_e3aebe34",
        "2": "_2",
        "\ud800x": "_x",
    }


def test_a_name_that_is_taken_with_its_hash_gets_more_of_it() -> None:
    first = make_legal_names(["a b", "a_b"], RULE)["a b"]
    second = make_legal_names(["a b", "a_b", first], RULE)["a b"]
    more = make_legal_names(["a b", "a_b", first, second], RULE)["a b"]
    fourth = make_legal_names(["a b", "a_b", first, second, more], RULE)["a b"]

    assert len({"a_b", first, second, more, fourth}) == 5
    assert all(RULE.allows(name) for name in (first, second, more, fourth))


def test_without_a_rule_a_name_only_has_to_be_sendable() -> None:
    assert make_legal_names(["a b", "\ud800"], None) == {"a b": "a b", "\ud800": "_54e8de6f"}


# Limits


def test_each_limit_has_a_date_and_a_page() -> None:
    assert all(
        row.date >= "2026" and "." in row.page
        for vendor in VENDORS.values()
        for row in vendor.limits
    )


def test_the_limits_on_a_request_name_the_tool_at_fault() -> None:
    @tool("(a? :int, b? :int|:string, c :int|:string) -> :nil")
    def many(**given: Any) -> None:
        """Do."""

    made = Toolset([search, many]).project(
        "anthropic", strict=True, limits={"tools": 1, "optionals": 2, "unions": 1, "bytes": 10}
    )

    assert [(each.limit, each.tool, each.counted) for each in made.check()][:3] == [
        ("tools", "many", 2),
        ("optionals", "many", 3),
        ("unions", "many", 2),
    ]
    assert str(made.check()[0]) == "tools: 2 together, at most 1; many is the first beyond"
    assert str(made.check()[1]) == "optionals: 3 together, at most 2; many has 2"
    assert made.check()[3].limit == "bytes"
    assert len(made.definitions) == 2


def test_tokens_are_counted_by_the_caller() -> None:
    made = TOOLS.project("openai", limits={"tokens": 5})

    assert made.check() == ()
    assert [each.limit for each in made.check(lambda text: len(text) // 4)] == ["tokens"]


@pytest.mark.parametrize(
    ("counter", "told"),
    [
        (7, "a counter is a function such as lambda text: len(encoding.encode(text)), not int"),
        (
            lambda text: "many",
            "a counter returns a whole number, not str; write lambda text: len(encoding.encode(text))",
        ),
        (lambda text: -1, "a counter returns 0 or more, not -1"),
    ],
)
def test_what_counts_no_tokens_is_named(counter: Any, told: str) -> None:
    for made in (TOOLS.project("openai"), contract(int).project("openai")):
        with pytest.raises(TypesigError) as raised:
            made.check(counter)

        assert told == str(raised.value)


def test_a_long_description_is_told() -> None:
    @tool(description="x" * 2000)
    def long() -> None: ...

    found = long.project("openai").check()

    assert [(str(each), each.is_left_out) for each in found] == [
        ("long: description 2000, at most 1024", False)
    ]


def test_a_tool_that_a_provider_refuses_is_left_out_and_told() -> None:
    words = " ".join(f'"{n}"' for n in range(1001))

    @tool(f"(p :enum[{words}]) -> :nil")
    def wide(**given: Any) -> None:
        """Do."""

    made = Toolset([wide, ping]).project("openai", strict=True)

    assert list(made.tools) == ["ping"]
    assert [str(each) for each in made.check()] == [
        "wide: enum values 1001, at most 1000; the tool is left out"
    ]
    assert [(loss.kind, loss.path) for loss in made.losses] == [("refused", ("wide",))]
    assert len(Toolset([wide, ping]).project("openai").tools) == 2


def test_a_tool_that_cannot_be_written_is_left_out_and_told() -> None:
    names = ", ".join(f"T{n} = {{a :T{n + 1}, b :T{n + 1}}}!" for n in range(20))

    @tool(f"(p :T0) -> :nil where {names}, T20 = {{x :int}}!")
    def doubling(**given: Any) -> None:
        """Do."""

    made = Toolset([doubling, ping]).project("gemini")
    [found] = made.check()

    assert list(made.tools) == ["ping"]
    assert (found.limit, found.is_left_out) == ("refused", True)
    assert str(found).startswith("doubling: a schema may hold")


# Answers


class Item(TypedDict):
    """An item."""

    id: int
    note: str | None


def test_a_list_is_answered_in_an_object() -> None:
    made = contract(list[Item]).project("openai")
    sent = {"items": [{"id": 1, "note": None}]}

    assert made.definition["type"] == "json_schema"
    assert made.definition["json_schema"]["name"] == "answer"
    assert made.schema["required"] == ["items"]
    assert made.read('{"items": [{"id": "1", "note": null}]}').result == [{"id": 1, "note": None}]
    assert made.encode([{"id": 1}]) == sent
    assert made.decode(sent) == [{"id": 1}]
    assert made.decode("no JSON") == "no JSON"


@pytest.mark.parametrize(
    ("t", "value", "sent"),
    [
        (":int", 3, {"result": 3}),
        (":map[:int]", {"a": 1}, {"additional_properties": [{"key": "a", "value": 1}]}),
        (":map", {"a": 1}, {"additional_properties": [{"key": "a", "value": "1"}]}),
        ("{a :int}|{b :int}", {"b": 1}, {"result": {"b": 1}}),
        ("{}!", {}, {}),
        ("T where T = ({a :int})", {"a": 1}, {"a": 1}),
    ],
)
def test_what_is_no_object_is_answered_in_one(t: str, value: Any, sent: Any) -> None:
    text = t if t[0] != "T" else f":{t}"
    made = contract(text).project("openai", api="responses")

    assert made.definition["schema"]["type"] == "object"
    assert made.encode(value) == sent
    assert made.decode(sent) == value
    assert made.decode("{") == "{"


def test_an_answer_without_fields_is_json_text_for_gemini() -> None:
    made = contract("{}!").project("gemini")

    assert made.definition == {
        "responseMimeType": "application/json",
        "responseSchema": {
            "type": "object",
            "properties": {"result": {"type": "string", "description": "JSON text of {}"}},
            "required": ["result"],
        },
    }
    assert made.read({"result": "{}"}).value == {}


def test_the_response_formats_of_other_providers() -> None:
    answer = contract("{a :int}")

    claude = answer.project("anthropic").definition
    assert claude == {"type": "json_schema", "schema": answer.project("anthropic").schema}
    assert "responseJsonSchema" in answer.project("gemini", api="json").definition
    assert answer.project("mcp").definition == {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": False,
    }


def test_an_answer_is_checked_against_limits() -> None:
    made = contract("{a :int, b :{c :int}}".replace(":{", "{")).project(
        "openai", limits={"properties": 2, "tokens": 1}
    )

    assert [each.limit for each in made.check()] == ["properties"]
    assert [each.limit for each in made.check(len)] == ["properties", "tokens"]


def test_a_projected_answer_is_a_value() -> None:
    made = contract("{a :int}").project("openai")

    assert pickle.loads(pickle.dumps(made)).definition == made.definition
    assert repr(made) == "<answer for openai chat, strict: <contract {a :int}>>"
    with pytest.raises(AttributeError, match="cannot be changed"):
        made.losses = ()  # type: ignore[misc]


def test_an_answer_nested_beyond_the_stack_is_left_as_it_is() -> None:
    made = contract(":T where T = {m :map, next :T?}!").project("openai")
    deep: Any = {"m": []}
    for _ in range(5_000):
        deep = {"m": [], "next": deep}

    assert made.decode(deep) is deep


def test_what_was_mended_in_an_answer_is_told_and_counted() -> None:
    made = contract(":map[:int]").project("openai")
    pairs = [{"key": "a", "value": "1"}]
    text = f"```json\n{json.dumps({'additional_properties': pairs})}\n```"
    ledger = Ledger()
    outcome = made.read(text, ledger=ledger)

    assert outcome.result == made.read(text).result == {"a": 1}
    assert list(map(str, outcome.warnings)) == [
        "removed a code fence (line 1 column 1)",
        'a: coerced string "1" to int',
    ]
    assert ["code_fence", "int_from_string"] == [row.id for row in ledger.rows()]
    assert not made.read(text, "strict").ok
    assert made.decode(text) == {"a": "1"}
    assert contract(":map[:int]", mode="strict").project("openai").decode(text) == text


def test_a_key_that_is_sent_twice_in_an_answer_is_named() -> None:
    made = contract("[:map[:int]]").project("openai")
    pair = {"key": "a", "value": 1}
    outcome = made.read({"items": [[], [pair, pair]]})

    assert list(map(str, outcome.errors)) == ['[1].a: the key "a" is sent twice']
    twice = made.read({"items": [[pair, pair]]}, "disabled").result
    assert twice == [[pair, pair]]


def test_a_tool_without_words_has_none() -> None:
    @tool
    def quiet() -> None: ...

    assert list(search.project("mcp").definitions[0])[-1] == "annotations"
    assert list(quiet.project("mcp").definitions[0]) == ["name", "inputSchema", "outputSchema"]
    assert quiet.project("gemini").definitions == ({"name": "quiet", "description": "quiet"},)
    assert "description" not in quiet.project("anthropic").definitions[0]


def test_the_description_of_a_result_or_an_answer_is_kept() -> None:
    schema = {"type": "object", "title": "T", "properties": {"a": {"type": "integer"}}}
    titled = from_json_schema(schema)

    @tool('() -> ({a :int} "words")')
    def one() -> Any:
        """Do."""

    @tool(titled)
    def other() -> Any:
        """Do."""

    assert one.project("mcp").definitions[0]["outputSchema"]["description"] == "words"
    assert other.project("mcp").definitions[0]["outputSchema"]["title"] == "T"
    assert contract('({a :int} "words")').project("openai").schema["description"] == "words"
    assert contract(titled).project("gemini").schema["description"] == "T"


def test_a_result_is_sent_as_its_schema_says() -> None:
    @tool('() -> {"a" :enum["\\ud800" "b"]}')
    def odd() -> Any:
        """Do."""
        return {"a": "\ud800"}

    made = odd.project("mcp").tools["odd"]

    assert made.encode(odd.call()) == {"a": '"\\ud800"'}


def test_a_default_that_cannot_be_sent_is_described() -> None:
    @tool('(a :string = "\\ud800") -> :nil')
    def odd(**given: Any) -> None:
        """Do."""

    shown = odd.project("mcp").tools["odd"].schema["properties"]["a"]
    assert shown == {"type": "string", "description": '(default: "\\ud800")'}


def test_only_arguments_of_any_name_are_declared_in_the_json_form_of_gemini() -> None:
    @tool
    def count(**words: int) -> None:
        """Count."""

    found = count.project("gemini", api="json").definitions[0]

    assert found["parametersJsonSchema"] == {
        "type": "object",
        "additionalProperties": {"type": "integer"},
    }


@pytest.mark.parametrize(
    ("of_tool", "of_toolset", "is_mended"),
    [
        (None, None, True),
        ("strict", None, False),
        (None, "strict", False),
        ("enabled", "strict", True),
    ],
)
def test_text_that_is_no_json_is_mended_as_the_mode_of_calls_allows(
    of_tool: Any, of_toolset: Any, is_mended: bool
) -> None:
    @tool("(m :map[:int]) -> :nil", mode=of_tool)
    def run(**given: Any) -> None:
        """Run."""

    made = Toolset([run], mode=of_toolset).project("openai", strict=True).tools["run"]
    text = '```json\n{"m": []}\n```'

    assert made.decode(text) == ({"m": {}} if is_mended else text)


def test_a_tool_whose_types_nest_beyond_the_stack_is_left_out_and_told() -> None:
    chain = ", ".join(f"T{n} = {{a :T{n + 1}?}}!" for n in range(600))

    @tool(f"(p :T0) -> :nil where {chain}, T600 = {{x :int}}!")
    def nested(**given: Any) -> None:
        """Do."""

    made = Toolset([nested, ping]).project("gemini")

    assert [str(each) for each in made.check()] == [
        "nested: its types nest too deep; the tool is left out"
    ]
    assert list(made.tools) == ["ping"]
