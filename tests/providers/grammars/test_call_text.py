"""Texts with calls in each dialect, as grammars and structural tags; custom tools of OpenAI."""

from __future__ import annotations

import json
import pickle
from typing import Annotated, Any, Literal

import pytest

from tests.gbnf import Gbnf
from tests.providers.engines.answers import UNBOUNDED
from typesig import Toolset, TypesigError, from_json_schema, tool, tools_of
from typesig.algebra.nodes import NIL, MapOf
from typesig.algebra.signature import Signature
from typesig.errors import Unsupported
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.dialect import BareForm, Marks, PythonForm, TagForm
from typesig.providers.dialects.registry import DIALECTS
from typesig.providers.registry.provider import DecoderName

EACH = pytest.mark.parametrize("name", DIALECTS)


@tool
def book(city: str, days: int = 1, kind: Literal["slow", "fast"] | None = None) -> str:
    """Book a journey.

    Args:
        city: where to
    """
    return f"{days} days in {city}"


@tool
def now() -> str:
    """Tell the time."""
    return "12:00"


@tool
def find(words: list[str], where: dict[str, int] | None = None) -> list[str]:
    """Find words."""
    return words


TOOLS = tools_of([book, now, find])
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("book", {"city": "Bern", "days": 2, "kind": "slow"}),
    ("now", {}),
    ("find", {"words": ["a", "it's"], "where": {"x": 1}}),
]


def tool_of(schema: Any, name: str = "taken") -> Toolset:
    """Return a tool with the arguments of *schema*, an object."""
    found = from_json_schema({"properties": {}, **schema})
    record: Any = found.returns
    fields = getattr(record, "fields", ())
    extra = record.value if isinstance(record, MapOf) else record.extra
    signature = Signature(fields, NIL, found.names, extra)
    return Toolset([tool(signature, name=name)(lambda **given: None)])


# Every dialect


@EACH
def test_a_model_writes_prose_and_calls_that_check(name: str) -> None:
    made = TOOLS.project("gbnf", dialect=name, **UNBOUNDED)
    judge = Gbnf(made.text)
    row = DIALECTS[name]
    lone = [write_calls([call], row) for call in CALLS]
    wrong = [("book", {"days": 2}), ("book", {"city": "a", "days": "x"}), ("boo", {}),
             ("book", {"city": "a", "size": 1}), ("now", {"at": 1}), ("book", {"city": "a", "kind": "b"})]  # fmt: skip

    assert ("gbnf", "gbnf") == (made.engine, made.syntax)
    assert [] == [text for text in ("", "hello", "a < b\n", *lone) if not judge.accepts(text)]
    assert judge.accepts("Hi.\n" + write_calls(CALLS, row))
    assert [] == [call for call in wrong if judge.accepts(write_calls([call], row))]
    assert [] == [mark for mark in row.opens if judge.accepts(mark)]
    reading = made.read("Hi.\n" + write_calls(CALLS, row))
    assert [name for name, _ in CALLS] == [call.name for call in reading.calls]
    assert all(call.outcome.ok for call in reading.calls)


@EACH
def test_reasoning_comes_before_prose(name: str) -> None:
    judge = Gbnf(TOOLS.project("gbnf", dialect=name, **UNBOUNDED).text)
    row = DIALECTS[name]
    call = write_calls([("now", {})], row)

    for pair in row.reasoning:
        thought = f"{pair.open}so < so{pair.close}"
        assert judge.accepts(thought + "Hi.\n" + call), thought
        assert not judge.accepts(pair.open + "so"), pair
    if row.reasoning and not row.bare:
        assert judge.accepts(f"It began in the prompt.{row.reasoning[0].close}\n" + call)


@EACH
def test_a_text_without_tools_has_no_calls(name: str) -> None:
    judge = Gbnf(Toolset([]).project("gbnf", dialect=name, **UNBOUNDED).text)

    assert judge.accepts("hello")
    assert not judge.accepts(write_calls([("now", {})], DIALECTS[name]))


def test_what_a_dialect_has_no_spelling_for_is_told() -> None:
    told = {
        name: [str(loss) for loss in TOOLS.project("gbnf", dialect=name, **UNBOUNDED).losses]
        for name in DIALECTS
    }
    narrow = [
        f"{{tool}}.params: texts with marks of calls: the dialect {name} has no spelling for them; "
        "became nothing"
        for name, row in DIALECTS.items()
        if isinstance(row.form, TagForm | BareForm)
    ]

    assert narrow == [
        loss.replace("book.", "{tool}.") for each in told.values() for loss in each
        if loss.startswith("book")
    ]  # fmt: skip
    assert [] == told["hermes"]


# Forms


def test_tags_have_texts_as_they_are_and_other_values_as_json() -> None:
    tools = tool_of({"type": "object", "required": ["a"], "properties": {
        "a": {"anyOf": [{"type": "integer"}, {"enum": ["x", "y</parameter>", None, 2.5]}]},
        "b": {"type": "string", "pattern": "^(?:a|b)[a-z]+$"},
        "c": {"$ref": "#/$defs/c"},
        "d": {"type": "array", "items": {"type": "string"}},
        "e": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "f": False,
    }, "additionalProperties": {"type": "integer"},
        "$defs": {"c": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}}})  # fmt: skip
    made = tools.project("gbnf", dialect="minimax-m2")
    judge = Gbnf(made.text)

    def call(**texts: str) -> str:
        tags = "".join(f'<parameter name="{k}">{v}</parameter>\n' for k, v in texts.items())
        body = f'<invoke name="taken">\n{tags}</invoke>'
        return f"<minimax:tool_call>\n{body}\n</minimax:tool_call>"

    good = [call(a="1"), call(a="x"), call(a="null"), call(a="2.5"), call(a="1", b="abc"),
            call(a="1", c="true"), call(a="1", c="null"), call(a="1", d='["\\u003c", "a"]'),
            call(a="1", e="any < text"), call(a="1", other="12")]  # fmt: skip
    bad = [call(), call(a="z"), call(a="y</parameter>"), call(a="1", b="ABC"), call(a="1", c="x"),
           call(a="1", d='["<"]'), call(a="1", other="x"), call(a="1", f="1"),
           call(a="1", e="</parameter>")]  # fmt: skip
    assert [] == [text for text in good if not judge.accepts(text)]
    assert [] == [text for text in bad if judge.accepts(text)]
    assert [] == [
        str(error) for text in good for each in made.read(text).calls for error in each.outcome.errors
    ]  # fmt: skip


def test_a_length_or_a_pattern_beside_marks_is_told() -> None:
    tools = tool_of({"type": "object", "properties": {
        "a": {"type": "string", "maxLength": 3}, "b": {"type": "string", "pattern": "<"},
    }, "additionalProperties": False})  # fmt: skip
    for name in ("glm-4.7", "gemma-4"):
        losses = [str(loss) for loss in tools.project("gbnf", dialect=name, **UNBOUNDED).losses]
        assert [
            "taken.params.a: a length beside the marks around texts: GBNF does not enforce it; "
            "became any length",
            "taken.params.b: a pattern beside the marks around texts: GBNF does not enforce it; "
            "became any text",
        ] == losses[:2], name


def test_other_arguments_are_python_keywords_that_are_no_words_of_python() -> None:
    many = tool_of({"type": "object", "additionalProperties": {"type": "integer"}})
    judge = Gbnf(many.project("gbnf", dialect="pythonic").text)

    assert judge.accepts("[taken(some=1, other=2)]")
    assert not any(map(judge.accepts, ("[taken(if=1)]", "[taken(a='x')]", "[taken(1)]")))


def test_python_calls_have_texts_in_either_quotes() -> None:
    judge = Gbnf(TOOLS.project("gbnf", dialect="pythonic").text)
    good = ['[book(city="Bern", kind=None)]', "[book(city='it\\'s',days=-2), now()]",
            "[find(words=['\\n\\u00e9', \"'\"], where={'a': 1, \"b\": 2})]"]  # fmt: skip
    bad = ["[book(city='it's')]", "[book('Bern')]", "[book(city='a' 'b')]", "book(city='a')",
           "[book(city=null)]", "[book(city='\\ud800')]"]  # fmt: skip

    assert [] == [text for text in good if not judge.accepts(text)]
    assert [] == [text for text in bad[:3] + bad[4:] if judge.accepts(text)]
    assert judge.accepts(bad[3])
    assert () == TOOLS.read(bad[3], dialect="pythonic").calls


#: A dialect, a tool, and why it has no call.
REFUSED: list[tuple[str, Any, str, str]] = [
    ("pythonic", {"type": "object"}, "a-b", "a Python call has no form for the name 'a-b'"),
    ("pythonic", {"type": "object", "properties": {"if": {}}}, "a",
     "a Python call has no keyword 'if'"),
    ("pythonic", {"type": "object", "properties": {"a" * 99: {}},
                  "additionalProperties": {"type": "integer"}}, "a",
     "a.params: the names of its arguments are too long for a grammar"),
    ("qwen3-coder", {"type": "object", "properties": {"a>": {}}}, "a",
     "this dialect has no tag for the argument 'a>'"),
    ("qwen3-coder", {"type": "object", "properties": {"a": {"const": "</parameter>"}}}, "a",
     "a.params.a: each of its texts has a mark of the dialect"),
    ("functiongemma", {"type": "object", "properties": {"a": {"const": "<escape>"}}}, "a",
     "no text has '<escape>', which ends it"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "schema", "name", "message"), REFUSED)
def test_a_call_without_a_form_is_refused(
    dialect: str, schema: Any, name: str, message: str
) -> None:
    with pytest.raises(Unsupported) as caught:
        tool_of(schema, name).project("gbnf", dialect=dialect)
    assert message == str(caught.value)


def test_a_tool_whose_arguments_no_value_fits_is_left_out() -> None:
    never = tool_of({"type": "object", "properties": {"a": {"not": {}}}, "required": ["a"]})
    made = (never + tools_of([now])).project("gbnf", dialect="hermes")

    assert [
        "taken: the tool: no value fits its arguments; became no calls of it"
    ] == [str(loss) for loss in made.losses]  # fmt: skip
    assert Gbnf(made.text).accepts(write_calls([("now", {})], DIALECTS["hermes"]))


def test_bare_keys_that_are_no_names_stand_between_quotes() -> None:
    made = tool_of({"type": "object", "properties": {
        "a": closed({"x-y": {"const": "b"}, "f": {"type": "object", "patternProperties": {
            "^x": {"type": "integer"}}, "additionalProperties": False}}),
    }, "additionalProperties": False}).project("gbnf", dialect="gemma-4")  # fmt: skip
    judge = Gbnf(made.text)

    assert judge.accepts(
        '<|tool_call>call:taken{a:{<|"|>x-y<|"|>:<|"|>b<|"|>,f:{x:1}}}<tool_call|>'
    )
    assert [
        "taken.params.a.f./^x/: a pattern of keys: GBNF does not enforce it; became any other keys"
    ] == [str(loss) for loss in made.losses if loss.kind == "widened"]


def test_bare_keys_of_a_map_may_be_any_text() -> None:
    made = tool_of({"type": "object", "properties": {
        "a": {"type": "object", "properties": {"b": {"type": "null"}},
              "additionalProperties": {"type": "integer"}},
        "c": {"type": "object", "additionalProperties": {"type": "integer"}},
        "d": {"type": "object", "properties": {"b" * 99: {"type": "null"}}},
    }}).project("gbnf", dialect="gemma-4", closed=False)  # fmt: skip
    judge = Gbnf(made.text)

    def call(text: str) -> str:
        return f"<|tool_call>call:taken{{{text}}}<tool_call|>"

    good = ['a:{b:null,x:1,<|"|>y z<|"|>:2}', 'c:{<|"|><|"|>:1,<|"|><|<|"|>:2,x:3}', "d:{x:null}"]
    bad = ["a:{b:1}", 'a:{<|"|>b<|"|>:1}', "a:{1:1}"]
    assert [] == [text for text in good if not judge.accepts(call(text))]
    assert [] == [text for text in bad if judge.accepts(call(text))]
    assert [
        "taken.params.d.**: other keys than the declared ones: GBNF does not enforce it; became any keys"
    ] == [str(loss) for loss in made.losses if loss.kind == "widened"]


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a closed object."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def test_an_argument_that_must_not_be_there_is_not_written() -> None:
    tools = tool_of({"type": "object", "properties": {"f": False, "a": {"type": "integer"}},
                     "additionalProperties": {"type": "integer"}})  # fmt: skip
    judge = Gbnf(tools.project("gbnf", dialect="pythonic").text)

    assert judge.accepts("[taken(a=1)]")
    assert not judge.accepts("[taken(f=1)]")


def test_a_dialect_without_a_mark_before_calls_is_refused() -> None:
    project: Any = TOOLS.project
    with pytest.raises(Unsupported, match="it has no mark before calls"):
        project("gbnf", dialect=DIALECTS["hermes"]._replace(opens=()))


# Engines


def test_lark_of_llguidance_has_arguments_as_schemas() -> None:
    made = tools_of([now]).project("llguidance", dialect="mistral")

    assert "lark" == made.syntax
    assert (
        'start: free0? (("[THINK]" free1 | "<think>" free2)? free3 "now[ARGS]" %json '
        '{"type":"object","additionalProperties":false})* ("[THINK]" free1 | "<think>" free2)? T4'
    ) == made.text.split("\n")[0]


def test_xgrammar_is_given_a_structural_tag() -> None:
    made = tools_of([now]).project("xgrammar", dialect="granite-3.0")
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "const": "now"},
            "arguments": {"type": "object", "additionalProperties": False},
        },
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }
    content = made.grammar["format"]["rules"][0][1]["elements"]

    assert ("structural_tag", made.grammar) == (made.syntax, json.loads(made.text))
    assert {"type": "json_schema", "json_schema": schema} in content
    assert ("dispatch", False, "<|tool_call|>") == (
        made.grammar["format"]["type"],
        made.grammar["format"]["loop"],
        made.grammar["format"]["rules"][0][0],
    )


@EACH
def test_structural_tags_have_the_marks_of_each_dialect(name: str) -> None:
    made = TOOLS.project("xgrammar", dialect=name, **UNBOUNDED)
    row = DIALECTS[name]
    found = list(_formats(made.grammar["format"]))

    assert {each["type"] for each in found} <= {
        "sequence", "or", "optional", "repeat", "dispatch", "any_text", "const_string", "grammar",
        "json_schema",
    }  # fmt: skip
    heard = [mark for each in found if each["type"] == "dispatch" for mark, _ in each["rules"]]
    first = row.opens[0] if row.section is None else row.section.open
    assert bool(row.bare) or first in heard
    has_schemas = not isinstance(row.form, TagForm | PythonForm | BareForm)
    assert has_schemas is any(each["type"] == "json_schema" for each in found)


def _formats(part: Any) -> Any:
    if isinstance(part, dict):
        if "type" in part:
            yield part
        if part.get("type") == "json_schema":
            return
        for each in part.values():
            yield from _formats(each)
    elif isinstance(part, list):
        for each in part:
            yield from _formats(each)


def test_reasoning_stands_before_calls_behind_which_is_nothing() -> None:
    row = DIALECTS["granite-3.1"]._replace(reasoning=(Marks("<think>", "</think>"),))
    project: Any = tools_of([now]).project
    made = project("xgrammar", dialect=row)
    elements = made.grammar["format"]["elements"]

    assert ["optional", "optional", "dispatch"] == [each["type"] for each in elements]
    assert {"type": "const_string", "value": "<think>"} == elements[1]["content"]["elements"][0]


def test_structural_tags_without_tools_are_text() -> None:
    made = Toolset([]).project("xgrammar", dialect="hermes")

    assert "grammar" == made.grammar["format"]["type"]


def test_undeclared_arguments_are_written_where_a_tool_takes_them() -> None:
    def count(**numbers: int) -> int:
        return sum(numbers.values())

    judge = Gbnf(tools_of([count]).project("gbnf", dialect="mistral").text)

    assert judge.accepts('[TOOL_CALLS]count[ARGS]{"a": 1}')
    assert not judge.accepts('[TOOL_CALLS]count[ARGS]{"a": "x"}')


def test_an_undeclared_argument_in_a_tag_is_read_by_its_type() -> None:
    def count(**numbers: int) -> int:
        return sum(numbers.values())

    tools = tools_of([count])
    text = write_calls([("count", {"a": 1})], DIALECTS["hunyuan"])

    assert Gbnf(tools.project("gbnf", dialect="hunyuan").text).accepts(text)
    assert {"a": 1} == tools.read(text, dialect="hunyuan").calls[0].outcome.value


# Custom tools


def test_custom_tools_have_a_grammar_each() -> None:
    made = TOOLS.project("openai-grammar", syntax="regex")
    [first, _, last] = made.definitions

    assert (
        'book(city :string "where to", days :int = 1, kind :enum["slow" "fast"]?) -> :string\n'
        "  Book a journey.\nThe input is one JSON object with the arguments."
    ) == first["description"]
    assert ("custom", "book", ["type", "name", "description", "format"]) == (
        first["type"], first["name"], list(first),
    )  # fmt: skip
    assert ("grammar", "regex") == (last["format"]["type"], last["format"]["syntax"])
    assert "lark" == TOOLS.project("openai-grammar").definitions[0]["format"]["syntax"]
    assert "<custom tools for openai, regex: book, now, find>" == repr(made)
    again = pickle.loads(pickle.dumps(made))
    assert made.definitions == again.definitions
    with pytest.raises(AttributeError):
        made.syntax = "lark"  # type: ignore[attr-defined]


def test_calls_of_custom_tools_are_answered() -> None:
    made = TOOLS.project("openai-grammar")
    call = {"type": "custom_tool_call", "call_id": "c1", "name": "book",
            "input": '{"city": "Bern", "days": "2"}'}  # fmt: skip
    wrong = {**call, "call_id": "c2", "input": '{"days": 2}'}
    answers = made.handle({"output": [call, wrong]})

    assert ["2 days in Bern", "c2", "custom_tool_call_output"] == [
        answers[0]["output"], answers[1]["call_id"], answers[1]["type"],
    ]  # fmt: skip
    assert "city" in answers[1]["output"]
    assert () == made.check()


def test_a_custom_tool_has_a_legal_name_and_is_called_by_it() -> None:
    odd = tools_of([now]).prefixed("a.")
    made = odd.project("openai-grammar")
    [definition] = made.definitions
    call = {"type": "custom_tool_call", "call_id": "c", "name": definition["name"], "input": "{}"}

    assert ["renamed"] == [loss.kind for loss in made.losses]
    assert "12:00" == made.handle(call)[0]["output"]


def test_a_custom_tool_without_a_grammar_is_left_out() -> None:
    def take(data: Any) -> None: ...

    made = tools_of([take, now]).project("openai-grammar", syntax="regex")
    why = (
        "a value that may contain values of its own kind has no regular expression; "
        'write project("openai-grammar", syntax="lark")'
    )

    assert ["now"] == [each["name"] for each in made.definitions]
    assert [f"take: the tool: {why}; became no definition"] == [str(loss) for loss in made.losses]
    assert [f"take: {why}; the tool is left out"] == [str(each) for each in made.check()]


def test_a_wrong_option_of_custom_tools_is_told() -> None:
    project: Any = TOOLS.project

    with pytest.raises(TypesigError) as caught:
        project("openai-grammar", dialect="hermes")
    assert (
        "openai-grammar has no option 'dialect'; there is syntax, tool_choice, parallel, longest, "
        "digits, items, closed"
    ) == str(caught.value)
    with pytest.raises(TypesigError) as caught:
        project("openai-grammar", syntax="ebnf")
    assert "there is no syntax 'ebnf'; there are lark, regex" == str(caught.value)


@pytest.mark.parametrize("engine", ["llguidance", "xgrammar", "gbnf"])
def test_a_secret_argument_is_not_written(engine: DecoderName) -> None:
    def show(name: str, _secret: Annotated[str, "hidden"] = "") -> str:
        return name

    assert "secret" not in tools_of([show]).project(engine, dialect="hermes").text
