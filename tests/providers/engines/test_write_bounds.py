"""Bounds of what a model writes, calls that it has to make, and grammars that an engine refuses."""

from __future__ import annotations

import builtins
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engines import Judge, XGrammarJudge, spelled
from tests.gbnf import Gbnf
from tests.generators import LAW
from tests.providers.engines.answers import UNBOUNDED, answers
from typesig import Toolset, TypesigError, contract, from_json_schema, tool, tools_of
from typesig.algebra.nodes import NIL
from typesig.algebra.signature import Signature
from typesig.errors import Unsupported
from typesig.limits.engines import MAX_WRITTEN_DIGITS, MAX_WRITTEN_ITEMS, MAX_WRITTEN_TEXT
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.registry import DIALECTS
from typesig.providers.engines import engine
from typesig.providers.engines.engine import EngineGrammar
from typesig.providers.engines.registry import LLGUIDANCE
from typesig.tools.answers.contract import Contract

EACH = pytest.mark.parametrize("name", DIALECTS)

SMALL: Any = {"longest": 5, "digits": 3, "items": 2}

TREE = {"$ref": "#/$defs/t", "$defs": {"t": {
    "type": "object", "properties": {"a": {"$ref": "#/$defs/t"}},
    "patternProperties": {"^a": {"$ref": "#/$defs/t"}}, "additionalProperties": False,
}}}  # fmt: skip

#: A type, values that a model may write within the small bounds, and some that it may not.
BOUNDED: list[tuple[Any, list[Any], list[Any]]] = [
    (":string", ["", "abcde"], ["abcdef"]),
    (":string[7..]", ["abcdefg"], ["abcdefgh", "abc"]),
    (":string[..9]", ["abcdefghi"], ["abcdefghij"]),
    (":int", [0, -999, 999], [1000, -1000]),
    (":int[5000..]", [5000, 99999], [999]),
    (":int[..-5000]", [-5000, -99999], [-999]),
    (":int[5..]", [5, 999], [1000, -5]),
    (":int[..9999]", [9999, -999], [-1000, 10000]),
    ("[:bool]", [[], [True, False]], [[True] * 3]),
    ("[:bool][3..]", [[True] * 3], [[True] * 4, [True]]),
    (dict[str, int], [{}, {"a": 1, "b": 2}], [{"a": 1, "b": 2, "c": 3}, {"a": 1000}]),
    ("{a :string?, b? [:int]}", [{"a": None, "b": [1, 2]}], [{"a": "abcdef"}, {"a": None, "c": 1}]),
    (":int | :bool", [1, True], [1000]),
    ("{b? {a :bool}}", [{"b": {"a": True}}], [{"b": {"a": True, "c": 1}}]),
]  # fmt: skip


def judge_llguidance(hint: Any, **bounds: Any) -> Judge:
    pytest.importorskip("llguidance")
    return Judge(contract(hint).project("llguidance", **bounds).grammar)


def judge_gbnf(hint: Any, **bounds: Any) -> Gbnf:
    return Gbnf(contract(hint).project("gbnf", **bounds).grammar)


def judge_lark(hint: Any, **bounds: Any) -> Judge:
    pytest.importorskip("llguidance")
    made = contract(hint).project("openai-grammar", **bounds)
    return Judge(made.grammar, made.syntax)


MAKERS: list[Callable[..., Any]] = [judge_llguidance, judge_gbnf, judge_lark]


@pytest.mark.parametrize(("hint", "good", "bad"), BOUNDED)
@pytest.mark.parametrize("make", MAKERS)
def test_a_value_without_a_bound_of_its_own_gets_one(
    make: Callable[..., Any], hint: Any, good: list[Any], bad: list[Any]
) -> None:
    judge = make(hint, **SMALL)
    freely = make(hint, **UNBOUNDED)

    assert [] == [value for value in good if not judge.accepts(spelled(value))]
    assert [] == [value for value in bad if judge.accepts(spelled(value))]
    assert [] == [value for value in good if not freely.accepts(spelled(value))]


def test_bounds_are_losses() -> None:
    made = contract("{n :int, a? [:string], b? [:bool]}").project("gbnf", **SMALL)

    assert [
        "returns: undeclared keys: closed=True leaves them out; became nothing",
        "returns: numbers of more than 3 digits: digits=3 leaves them out; became nothing",
        "returns: texts of more than 5 characters: longest=5 leaves them out; became nothing",
        "returns: more than 2 items: items=2 leaves them out; became nothing",
    ] == [str(loss) for loss in made.losses]
    assert {"narrowed"} == {loss.kind for loss in made.losses}
    assert () == contract("{n :int[1..9]}").project("llguidance", closed=False).losses
    assert () == contract("{n :int, s :string}").project("llguidance", **UNBOUNDED).losses


def test_bounds_have_defaults() -> None:
    made = contract("{s :string, n :int, l [:bool]}").project("llguidance").grammar
    most = 10**MAX_WRITTEN_DIGITS

    assert {
        "s": {"type": "string", "maxLength": MAX_WRITTEN_TEXT},
        "n": {"type": "integer", "minimum": -most, "maximum": most},
        "l": {"type": "array", "items": {"type": "boolean"}, "maxItems": MAX_WRITTEN_ITEMS},
    } == made["properties"]
    assert made["additionalProperties"] is False


def test_xgrammar_counts_no_text_of_itself() -> None:
    made = contract("{s :string, n :int[%3], l [:bool]}").project("xgrammar")

    assert {
        "s": {"type": "string"},
        "n": {"type": "integer", "multipleOf": 3},
        "l": {"type": "array", "items": {"type": "boolean"}, "maxItems": 100},
    } == made.grammar["properties"]


def test_numbers_have_as_many_digits_as_the_grammar_says() -> None:
    judge = judge_gbnf("{x :float, y :float[0..1]}", digits=4)
    good = ["1234", "0.1234", "-12.5", "1e10"]

    assert [] == [each for each in good if not judge.accepts(f'{{"x":{each},"y":0.25}}')]
    assert not any(judge.accepts(f'{{"x":{each},"y":1}}') for each in ("12345", "1.12345"))
    assert not judge.accepts('{"x":1,"y":0.1234567}')


def test_a_value_of_any_type_is_bounded_where_the_grammar_spells_it() -> None:
    judge = judge_gbnf(":any", **SMALL)
    bad: list[Any] = ["abcdef", [1, 2, 3], {"a": "abcdef"}, {"abcdef": 1}, [[1, 2, 3]], 1000]

    assert all(map(judge.accepts, ("null", "true", '"abc"', "[1,[2]]", '{"a":{"b":1.5}}')))
    assert [] == [value for value in bad if judge.accepts(spelled(value))]
    assert {} == contract(":any").project("llguidance", **SMALL).grammar
    both = judge_gbnf("{a :any, b :any}", **SMALL)
    assert both.accepts('{"a":1,"b":[1]}')
    assert not both.accepts('{"a":1,"b":"abcdef"}')


def test_a_number_in_a_schema_may_have_any_digits() -> None:
    made = contract("{x :float}").project("llguidance", digits=3, closed=False)

    assert {"type": "number"} == made.grammar["properties"]["x"]
    assert () == made.losses


@LAW
@given(st.data())
def test_a_bounded_grammar_is_part_of_the_whole_one(data: st.DataObject) -> None:
    pytest.importorskip("llguidance")
    signature = data.draw(answers())
    try:
        made = Contract[Any](signature).project("llguidance", **SMALL)
        whole = Contract[Any](signature).project("llguidance", **UNBOUNDED)
    except Unsupported:
        return
    assert "" == Judge(made.grammar).error
    assert {*whole.losses} <= {*made.losses}


@pytest.mark.parametrize(("name", "value"), [
    ("longest", 0), ("digits", "3"), ("items", True), ("closed", None), ("longest", 1.5),
])  # fmt: skip
def test_a_wrong_bound_is_told(name: str, value: Any) -> None:
    with pytest.raises(TypesigError, match=f"{name} is "):
        contract(":string").project("gbnf", **{name: value})


# Calls


@tool
def book(city: str, days: int = 1, kind: Literal["slow", "fast"] | None = None) -> str:
    """Book a journey."""
    return f"{days} days in {city}"


@tool
def now() -> str:
    """Tell the time."""
    return "12:00"


TOOLS = tools_of([book, now])
BOOK: tuple[str, dict[str, Any]] = ("book", {"city": "Bern", "days": 2})
NOW: tuple[str, dict[str, Any]] = ("now", {})


@EACH
def test_a_call_is_required_without_prose(name: str) -> None:
    row = DIALECTS[name]
    one, many = (
        Gbnf(TOOLS.project("gbnf", dialect=name, tool_choice="required", parallel=each).text)
        for each in (False, True)
    )
    lone = [write_calls([call], row) for call in (BOOK, NOW)]
    both = write_calls([BOOK, NOW], row)

    assert [] == [text for text in lone if not one.accepts(text) or not many.accepts(text)]
    assert many.accepts(both)
    assert not one.accepts(both)
    bad = ["", "Hi.", f"Hi.\n{lone[0]}", f"{lone[0]}\nDone."]
    assert [] == [text for text in bad if one.accepts(text) or many.accepts(text)]
    assert ["book"] == [call.name for call in TOOLS.read(lone[0], dialect=name).calls]


@EACH
def test_a_named_tool_is_called_and_no_other(name: str) -> None:
    row = DIALECTS[name]
    judge = Gbnf(TOOLS.project("gbnf", dialect=name, tool_choice="now", parallel=False).text)

    assert judge.accepts(write_calls([NOW], row))
    assert not judge.accepts(write_calls([BOOK], row))


@EACH
def test_no_call_is_made_where_none_may_be(name: str) -> None:
    judge = Gbnf(TOOLS.project("gbnf", dialect=name, tool_choice="none").text)

    assert judge.accepts("hello")
    assert not judge.accepts(write_calls([NOW], DIALECTS[name]))


@EACH
def test_at_most_one_call_is_made_beside_prose(name: str) -> None:
    row = DIALECTS[name]
    judge = Gbnf(TOOLS.project("gbnf", dialect=name, parallel=False).text)

    assert judge.accepts("hello")
    assert judge.accepts(write_calls([NOW], row))
    assert not judge.accepts(write_calls([NOW, NOW], row))


@EACH
@pytest.mark.parametrize("parallel", [False, True])
def test_engines_take_grammars_that_force_a_call(name: str, parallel: bool) -> None:
    pytest.importorskip("llguidance")
    row = DIALECTS[name]
    made = TOOLS.project("llguidance", dialect=name, tool_choice="required", parallel=parallel)
    judge = Judge(made.grammar, made.syntax)

    assert "" == judge.error
    text = write_calls([BOOK], row)
    if made.text.count("%json"):
        text = text.replace('": ', '":').replace(', "', ',"')
    assert judge.accepts(text), made.text
    assert not judge.accepts("Hi.")
    assert not judge.accepts("Hi.\n" + text)


@EACH
@pytest.mark.parametrize("parallel", [False, True])
def test_xgrammar_takes_tags_that_force_a_call(name: str, parallel: bool) -> None:
    pytest.importorskip("xgrammar")
    row = DIALECTS[name]
    made = TOOLS.project("xgrammar", dialect=name, tool_choice="required", parallel=parallel)
    judge = XGrammarJudge(made.grammar, made.syntax)

    assert "" == judge.error
    assert judge.accepts(write_calls([BOOK], row)), made.text
    assert not judge.accepts("Hi.")


def test_a_choice_that_nothing_can_follow_is_refused() -> None:
    with pytest.raises(Unsupported, match="no tool can be called, so that GBNF has nothing to"):
        Toolset([]).project("gbnf", tool_choice="required")
    with pytest.raises(KeyError, match="did you mean book"):
        TOOLS.project("gbnf", tool_choice="bok")
    wrong: Any = {"tool_choice": 3}
    with pytest.raises(TypesigError, match="tool_choice is 'auto', 'required', 'none' or the name"):
        TOOLS.project("gbnf", **wrong)
    wrong = {"parallel": 1}
    with pytest.raises(TypesigError, match="parallel is True or False, not 1"):
        TOOLS.project("gbnf", **wrong)


def test_a_request_of_custom_tools_has_the_choice() -> None:
    made = TOOLS.project("openai-grammar", tool_choice="book", parallel=False, longest=7)
    again = pickle.loads(pickle.dumps(made))

    assert {"tools", "tool_choice", "parallel_tool_calls"} == made.request.keys()
    assert {"type": "custom", "name": "book"} == made.request["tool_choice"]
    assert made.request == again.request
    assert made.request["parallel_tool_calls"] is False
    assert {"tools"} == TOOLS.project("openai-grammar").request.keys()
    assert "required" == TOOLS.project(
        "openai-grammar", tool_choice="required"
    ).request["tool_choice"]  # fmt: skip


def test_a_custom_tool_without_a_grammar_is_not_required() -> None:
    def take(data: Any) -> None: ...

    with pytest.raises(Unsupported, match="take has no grammar, so that no call of it can be"):
        tools_of([take]).project("openai-grammar", syntax="regex", tool_choice="take")


# A call as a type


def make_tool(name: str, value: str) -> Toolset:
    """Return a tool that takes a tree of values of the type *value*."""
    node = {"type": "object", "properties": {"v": {"type": value}, "next": {"$ref": "#/$defs/t"}}}
    whole = {"type": "object", "properties": {"tree": {"$ref": "#/$defs/t"}}, "$defs": {"t": node}}
    found = from_json_schema(whole)
    record: Any = found.returns
    signature = Signature(record.fields, NIL, found.names, record.extra)
    return Toolset([tool(signature, name=name)(lambda **given: None)])


def test_a_call_of_one_of_the_tools_is_a_type() -> None:
    made = contract(TOOLS.call_signature())

    assert made.read('{"name": "now", "arguments": {}}').value == {"name": "now", "arguments": {}}
    assert 'did you mean "now"' in made.read('{"name": "nw", "arguments": {}}').feedback()
    assert ["arguments", "city"] == [*made.read('{"name": "book", "arguments": {}}').errors[0].path]
    assert 'name :enum["now"]' in made.prompt()
    judge = Gbnf(made.project("gbnf").grammar)
    assert judge.accepts('{"name":"book","arguments":{"city":"Bern"}}')
    assert not judge.accepts('{"name":"boo","arguments":{"city":"Bern"}}')
    assert not judge.accepts('{"name":"book","arguments":{"city":"Bern","size":1}}')
    with pytest.raises(TypesigError, match="without tools, there is no call"):
        Toolset([]).call_signature()


def test_several_calls_are_a_list() -> None:
    made = contract(TOOLS.call_signature(parallel=True))

    assert 2 == len(made.read([{"name": "now", "arguments": {}}] * 2).value)
    assert not made.read([]).ok


def test_calls_keep_the_definitions_of_their_tools_apart() -> None:
    same = contract(
        (make_tool("grow", "integer") + make_tool("shrink", "integer")).call_signature()
    )
    other = contract((make_tool("grow", "integer") + make_tool("cut", "string")).call_signature())

    assert ["t"] == list(same.signature.names)
    assert ["t", "t2"] == sorted(other.signature.names)
    deep = {"next": {"next": {"v": "a"}}}
    assert other.read({"name": "cut", "arguments": {"tree": deep}}).ok
    assert not other.read({"name": "grow", "arguments": {"tree": deep}}).ok
    assert not same.read({"name": "shrink", "arguments": {"tree": deep}}).ok


# Refusals


def test_what_llguidance_refuses_is_widened_until_it_takes_it() -> None:
    pytest.importorskip("llguidance")
    made = contract(from_json_schema(TREE)).project("llguidance", **UNBOUNDED)

    assert "" == Judge(made.grammar).error
    assert [
        "definitions.t.**: types of keys by pattern: llguidance does not enforce it; became any other "
        "keys"
    ] == [str(loss) for loss in made.losses]
    short = {"type": "string", "pattern": "^(a|b)?c$", "minLength": 3}
    made = contract(from_json_schema(short)).project("llguidance", **UNBOUNDED)
    assert "" == Judge(made.grammar).error
    assert "a length beside a pattern or a format" == made.losses[0].what


def test_a_call_that_llguidance_refuses_is_widened() -> None:
    pytest.importorskip("llguidance")
    tree = TREE["$ref"]
    whole = {"type": "object", "properties": {"a": {"$ref": tree}}, "$defs": TREE["$defs"]}
    found = from_json_schema(whole)
    record: Any = found.returns
    signature = Signature(record.fields, NIL, found.names, record.extra)
    tools = Toolset([tool(signature, name="plant")(lambda **given: None)])
    made = tools.project("llguidance", tool_choice="required", **UNBOUNDED)

    assert "" == Judge(made.grammar, made.syntax).error
    assert "types of keys by pattern" in [loss.what for loss in made.losses]


def test_a_grammar_that_is_refused_in_every_form_has_a_loss() -> None:
    tried: list[Any] = []

    def refuse(made: EngineGrammar) -> str:
        tried.append(made.grammar)
        return "too large"

    made = engine.write_accepted(
        replace(LLGUIDANCE, find_refusal=refuse),
        ("returns",),
        lambda engine: EngineGrammar("json_schema", {"n": len(tried)}, ()),
    )

    assert [{"n": n} for n in range(5)] == tried
    assert ["returns: the grammar: llguidance refuses it: too large; became nothing"] == [
        str(loss) for loss in made.losses
    ]


def test_without_llguidance_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name == "llguidance":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    made = contract(from_json_schema(TREE)).project("llguidance", **UNBOUNDED)

    assert "patternProperties" in json.dumps(made.grammar)


# Order


def test_keys_that_are_only_required_follow_the_declared_ones() -> None:
    text = {"type": "string"}
    schema = {"allOf": [{"required": ["z"]},
                        {"type": "object", "properties": {"y": text, "z": text}}]}  # fmt: skip
    made = contract(from_json_schema(schema)).project("llguidance", **UNBOUNDED)

    assert ["y", "z"] == list(made.grammar["properties"])
    assert ["z"] == made.grammar["required"]


@pytest.mark.parametrize("text", ["{b :any, a :int}", "{b? :any, a :int}", "{b :any, a :any}"])
def test_keys_of_any_type_keep_their_place(text: str) -> None:
    made = contract(text).project("llguidance")

    assert ["b", "a"] == list(made.grammar["properties"])


@pytest.mark.parametrize("word", ["allOf", "$ref"])
@pytest.mark.parametrize("is_first", [False, True])
def test_keys_of_other_schemas_have_the_place_of_their_keyword(word: str, is_first: bool) -> None:
    integer = {"type": "integer"}
    base = {"type": "object", "properties": {"k": integer}, "required": ["k"]}
    part = {word: [base] if word == "allOf" else "#/$defs/base"}
    own = {"properties": {"b": integer}}
    both = {**part, **own} if is_first else {**own, **part}
    schema = {"type": "object", **both, "$defs": {"base": base}}
    made = contract(from_json_schema(schema)).project("llguidance", **UNBOUNDED)

    assert (["k", "b"] if is_first else ["b", "k"]) == list(made.grammar["properties"])
