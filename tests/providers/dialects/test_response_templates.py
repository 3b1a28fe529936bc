"""Response templates of transformers as dialects: what they say is read, and the rest is refused."""

from __future__ import annotations

from typing import Any

import pytest

from typesig.errors import Unsupported
from typesig.limits import MAX_MARK, MAX_MARKS, MAX_PATTERN
from typesig.providers.dialect_parsing.reader import read_events
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.dialect import Dialect, Marks
from typesig.providers.dialects.lexer import DialectCall, Fault, Rethought, Thought, Told

#: The usual shape of a call in a message, with the name in a group.
SHAPE = {"type": "function", "function": {"name": "{fn}", "arguments": "{content}"}}
JSON = {"content": "json", "repeats": True, "transform": SHAPE}
XML = {**JSON, "content": "xml-inline"}


def template(**fields: Any) -> dict[str, Any]:
    return {"defaults": {"role": "assistant"}, "start_anchor": "[BOT]", "fields": fields}


def said(text: str, made: Dialect) -> tuple[str, str, list[Any]]:
    words, thoughts, calls = "", "", list[Any]()
    for event in read_events(text, made):
        match event:
            case Told():
                words += event.text
            case Thought():
                thoughts += event.text
            case Rethought():
                words, thoughts = "", thoughts + words
            case DialectCall():
                calls.append(f"{event.name} {event.arguments}{f' {event.id}' if event.id else ''}")
            case Fault():
                calls.append(event.kind)
            case _:
                raise AssertionError
    return words, thoughts, calls


READ = [
    pytest.param(
        template(
            tool_calls={
                "open_pattern": "@run (?P<fn>[a-z_]+)=",
                "close": "@done",
                **JSON,
            },
            content={"close": "[EOT]", "content": "text"},
        ),
        'Hi @run f={"a": 1}@done[EOT]',
        ("Hi ", "", ['f {"a": 1}']),
        id="a name in a group",
    ),
    pytest.param(
        template(
            thinking={"open": ["<think>", "<|think|>"], "close": "</think>"},
            tool_calls={
                "open": "<tool_call>",
                "close": "</tool_call>",
                "repeats": True,
                "content": "json",
                "transform": {"type": "function", "function": "{content}"},
            },
            content={"close": "<|im_end|>"},
        ),
        '<|think|>a</think>x<tool_call>{"name":"f","arguments":{"a":1}}</tool_call><|im_end|>',
        ("x", "a", ['f {"a":1}']),
        id="a call as the content",
    ),
    pytest.param(
        template(tool_calls={"open": "<calls>", "close": "</calls>", "content": "json"}),
        '<calls>[{"function": {"name": "f", "arguments": {}}}, {"name": "g"}]</calls>',
        ("", "", ["f {}", "g {}"]),
        id="a list as messages have it",
    ),
    pytest.param(
        template(
            tool_calls={
                "open_pattern": r"<tool_call>\s*<function=(?P<fn>[^>]+)>",
                "close_pattern": r"</function>\s*</tool_call>",
                **XML,
                "content_args": {
                    "tag_pattern": r"<parameter=(?P<key>[^>]+)>\n?(?P<value>.*?)\n?</parameter>",
                    "value_parser": {"name": "json", "args": {"allow_non_json": True}},
                },
            },
        ),
        "x<tool_call>\n<function=f>\n<parameter=a>\n 1\n</parameter>\n</function>\n</tool_call>",
        ("x", "", ["f {'a': ' 1'}"]),
        id="tags",
    ),
    pytest.param(
        template(
            tool_calls={
                "open_pattern": r"<tool_call>(?P<fn>[^\n<]+)\n?",
                "close": "</tool_call>",
                **XML,
                "content_args": {
                    "tag_pattern": (
                        r"<arg_key>(?P<key>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>"
                    )
                },
            },
        ),
        "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>\n1</arg_value>\n</tool_call>",
        ("", "", ["f {'a': '\\n1'}"]),
        id="tags with a mark before the value",
    ),
    pytest.param(
        template(
            tool_calls={
                "open_pattern": r"<\|tool_call>call:(?P<fn>\w+)",
                "close": "<tool_call|>",
                **JSON,
                "content_args": {"unquoted_keys": True, "string_delims": [['<|"|>', '<|"|>']]},
            },
        ),
        '<|tool_call>call:f{a:<|"|>x<|"|>}<tool_call|>',
        ("", "", ['f {"a":"x"}']),
        id="bare keys",
    ),
    pytest.param(
        template(
            tool_calls={
                "open": "<|START_ACTION|>",
                "close": "<|END_ACTION|>",
                "content": "json",
                "transform_each": True,
                "transform": {
                    "type": "function",
                    "id": "{tool_call_id}",
                    "function": {"name": "{tool_name}", "arguments": "{parameters}"},
                },
            },
        ),
        '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"f","parameters":{}}]<|END_ACTION|>',
        ("", "", ["f {} 0"]),
        id="a list with other keys",
    ),
    pytest.param(
        template(
            thinking={"open": "<|channel|>analysis<|message|>", "close": "<|end|>"},
            tool_calls={
                "open_pattern": (
                    r"<\|channel\|>commentary to=functions\.(?P<fn>\S+)"
                    r"(?: <\|constrain\|>json)?<\|message\|>"
                ),
                "close_pattern": r"<\|call\|>",
                **JSON,
            },
            content={"open": "<|channel|>final<|message|>", "close": ["<|return|>", "<|end|>"]},
        ),
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>So."
        "<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json"
        "<|message|>{}<|call|>",
        ("So.", "hm", ["f {}"]),
        id="text between marks only",
    ),
    pytest.param(
        template(
            tool_calls={
                "open_pattern": r"\[CALLS\](?P<fn>\w+)\[ID\](?P<made>\w+)\[(?:ARGS|args)\]",
                **JSON,
                "transform": {**SHAPE, "id": "{made}"},
            },
        ),
        "[CALLS]f[ID]abc[args]{}[CALLS]g[ID]d[ARGS]{}",
        ("", "", ["f {} abc", "g {} d"]),
        id="an id in a group",
    ),
    pytest.param(
        template(
            tool_calls={
                "open": "<|tool_call_start|>",
                "close": "<|tool_call_end|>",
                "content": "python-call-list",
                "transform_each": True,
                "transform": {"function": {"name": "{name}", "arguments": "{arguments}"}},
            },
        ),
        "<|tool_call_start|>[f(a=1)]<|tool_call_end|>ok",
        ("ok", "", ["f {'a': 1}"]),
        id="Python calls",
    ),
    pytest.param(
        template(
            tool_calls={
                "open_pattern": r"<call>[ \t]*",
                "close_pattern": "</call>|<end>",
                "content": "json",
                "transform": {
                    "function": {"name": "{content.tool}", "arguments": "{content.args}"}
                },
            },
        ),
        '<call> {"tool": "f", "args": {"a": "</call>"}}<end>',
        ("", "", ['f {"a": "</call>"}']),
        id="parts of the content",
    ),
    pytest.param(template(content={}), "<x>", ("<x>", "", []), id="text alone"),
    pytest.param(template(content={"open": "<a>"}), "x<a>y", ("y", "", []), id="text behind a mark"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "text", "wanted"), READ)
def test_what_a_template_says_is_read(
    given: dict[str, Any], text: str, wanted: tuple[str, str, list[Any]]
) -> None:
    made = Dialect.from_template(given)

    assert wanted == said(text, made)


@pytest.mark.parametrize(("given", "text", "wanted"), READ)
def test_calls_are_written_as_the_template_reads_them(
    given: dict[str, Any], text: str, wanted: tuple[str, str, list[Any]]
) -> None:
    made = Dialect.from_template(given)
    if made.opens:
        written = write_calls([("f", {"a": "x"}), ("g", {"a": "y"})], made)

        assert ["f", "g"] == [call.split()[0] for call in said(written, made)[2]]


def test_a_broken_call_of_a_template_is_told_and_not_shown() -> None:
    made = Dialect.from_template(template(tool_calls={"open": "<c>", "close": "</c>", **JSON, "transform": {"function": "{content}"}}))  # fmt: skip

    assert ("a", "", ["f {}", "broken"]) == said('a<c>{"name": "f",}</c><c>{"x"</c>', made)
    assert ("a", "", ["cut"]) == said('a<c>{"name": "f"', made)


def test_a_dialect_of_a_template_has_its_name_and_marks() -> None:
    given = template(reasoning_content={"open": "<t>", "close": "</t>"})
    made = Dialect.from_template(given, "mine")

    assert ("mine", (Marks("<t>", "</t>"),)) == (made.name, made.reasoning)
    assert "template" == Dialect.from_template(given).name


def call(**parts: Any) -> dict[str, Any]:
    return template(tool_calls={"open": "<c>", "close": "</c>", **JSON, **parts})


def named(pattern: str, **parts: Any) -> dict[str, Any]:
    return template(tool_calls={"open_pattern": pattern, **JSON, **parts})


TAG = r"<p=(?P<key>\w+)>(?P<value>.*?)</p>"
WHOLE = {"function": "{content}"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (1, "the template: expected a dict, got 1"),
        ({1: 2}, "the template: expected a dict, got {1: 2}"),
        ({"x": 1}, "the template: the key 'x' is not known"),
        ({"version": 2}, "version: version 2 is not known"),
        ({"defaults": {"a": 1}}, "defaults.a: a dialect has no values that are always there"),
        ({"fields": []}, "fields: expected a dict, got []"),
        ({}, "fields: there is none"),
        (template(content=1), "fields.content: expected a dict, got 1"),
        (template(content={"x": 1}), "fields.content: the key 'x' is not known"),
        (template(content={"content": "json"}), "fields.content: text and reasoning are texts"),
        (template(plan={}), "fields.plan: a dialect has content, reasoning_content and tool_calls"),
        (
            template(thinking={"close": "</t>"}),
            "fields.thinking: reasoning has a mark that opens it, and one that closes it",
        ),
        (template(content={"open": 1}), "fields.content.open: a mark is a text, or a list of texts"),
        (template(content={"open": [""]}), "fields.content.open: a mark is a text, or a list of texts"),
        (
            template(content={"open": ["a"] * (MAX_MARKS + 1)}),
            f"fields.content.open: there are more than {MAX_MARKS} marks",
        ),
        (
            template(content={"close_pattern": "a" * (MAX_MARK + 1)}),
            f"fields.content.close_pattern: a mark has more than {MAX_MARK} characters",
        ),
        (
            template(content={"open": "a", "open_pattern": "b"}),
            "fields.content.open_pattern: a pattern is a text, in place of a mark",
        ),
        (
            template(content={"open_pattern": 1}),
            "fields.content.open_pattern: a pattern is a text, in place of a mark",
        ),
        (call(content="kv-lines"), "fields.tool_calls.content: the arguments of a call are no 'kv-lines'"),
        (template(tool_calls=JSON), "fields.tool_calls: calls need a mark that opens them"),
        (call(content_args=1), "fields.tool_calls.content_args: expected a dict, got 1"),
        (call(transform=1), "fields.tool_calls.transform: expected a dict, got 1"),
        (call(transform={"x": 1}), "fields.tool_calls.transform: the key 'x' is not known"),
        (
            call(transform={"function": {"x": 1}}),
            "fields.tool_calls.transform.function: the key 'x' is not known",
        ),
        (
            call(transform={"function": {"name": "f"}}),
            "fields.tool_calls.transform.function.name: a dialect finds it in the call, and not in 'f'",
        ),
        (
            call(transform={**WHOLE, "id": 1}),
            "fields.tool_calls.transform.id: a dialect finds it in the call, and not in 1",
        ),
        (
            call(transform={"function": {"name": "{content.a}", "arguments": "{content}"}}),
            "fields.tool_calls.transform: a call has a name and arguments",
        ),
        (call(transform=WHOLE, content="xml-inline"), "fields.tool_calls.transform: a call has a name and arguments"),
        (
            named("<c>(?P<fn>a)", transform=WHOLE),
            "fields.tool_calls: the name is in the content, and a group has nothing",
        ),
        (
            call(transform=WHOLE, content_args={"unquoted_keys": True}),
            "fields.tool_calls.content_args: names are bare only where the name stands before them",
        ),
        (named("(?P<fn>a)"), "fields.tool_calls: calls need a mark before the name"),
        (
            named("<c>(?P<fn>a)", close_pattern="(?P<x>b)"),
            "fields.tool_calls: the mark behind a call has a named group",
        ),
        (
            named("<c>(?P<fn>a)", transform={"function": {"name": "{fn}", "arguments": "{content.x}"}}),
            "fields.tool_calls.transform: the arguments are all of the content",
        ),
        (
            named("<c>(?P<fn>a)=", content_args={"unquoted_keys": True}),
            "fields.tool_calls.content_args: bare keys stand behind the name, with equal marks around texts",
        ),
        (
            named("<c>(?P<fn>a)", content_args={"string_delims": [["(", ")"]]}),
            "fields.tool_calls.content_args: bare keys stand behind the name, with equal marks around texts",
        ),
        (
            named("<c>(?P<id>a)<d>(?P<fn>b)", transform={**SHAPE, "id": "{id}"}),
            "fields.tool_calls: the group id is not used, or has no mark before",
        ),
        (
            named("<c>(?P<fn>a)", content="xml-inline"),
            "fields.tool_calls.content_args.tag_pattern: a pattern for each argument, of which there is one",
        ),
        (
            named("<c>(?P<fn>a)", content="xml-inline", content_args={"tag_pattern": TAG, "merge_duplicates": True}),
            "fields.tool_calls.content_args.tag_pattern: a pattern for each argument, of which there is one",
        ),
        (
            named("<c>(?P<fn>a)", content="xml-inline", content_args={"tag_pattern": r"(?P<key>\w+)=(?P<value>.*)"}),
            "fields.tool_calls.content_args.tag_pattern: a mark stands before and behind the key",
        ),
        (
            named("<c>(?P<fn>a)", content="xml-inline", content_args={"tag_pattern": r"<(?P<key>\w+)>(?P<value>.*)"}),
            "fields.tool_calls.content_args.tag_pattern: a mark stands behind the value",
        ),
        (
            named("<c>(?P<fn>a)", content="xml-inline", content_args={"tag_pattern": r"<[pq]=(?P<key>\w+)>(?P<value>.*?)</p>"}),
            "fields.tool_calls.content_args.tag_pattern: the marks of an argument are the same in all of its forms",
        ),
        (named("<c>(?P<fn>"), "fields.tool_calls.open_pattern: the pattern /<c>(?P<fn>/ is not a regular "
            "expression: missing ), unterminated subpattern at position 3"),
        (named("<c>((?P<fn>a))"), "fields.tool_calls.open_pattern: a named group stands in another group"),
        (named("a+"), "fields.tool_calls.open_pattern: a dialect has literal marks with optional blanks "
            "and named groups, not a repetition"),
        (named("a(?=b)"), "fields.tool_calls.open_pattern: a dialect has literal marks with optional blanks "
            "and named groups, not a lookaround"),
        (named("^a"), "fields.tool_calls.open_pattern: a dialect has literal marks with optional blanks "
            "and named groups, not an anchor"),
        (named("a.b"), "fields.tool_calls.open_pattern: a dialect has literal marks with optional blanks "
            "and named groups, not a class of characters"),
        (named("[a-z][a-z]"), f"fields.tool_calls.open_pattern: the pattern stands for more than {MAX_MARKS} marks"),
        (named("|".join(f"ab{n}c" for n in range(MAX_MARKS + 1))), f"fields.tool_calls.open_pattern: the pattern stands for more than {MAX_MARKS} marks"),
        (named("a" * (MAX_PATTERN + 1)), f"fields.tool_calls.open_pattern: a pattern may have {MAX_PATTERN} "
            f"characters, this one has {MAX_PATTERN + 1}"),
    ],
)  # fmt: skip
def test_what_a_dialect_cannot_say_is_refused_with_its_place(given: Any, message: str) -> None:
    with pytest.raises(Unsupported) as raised:
        Dialect.from_template(given)

    assert message == str(raised.value)


def test_classes_and_escapes_of_patterns_are_read() -> None:
    given = named(r"<\|[c(]\)(?P<fn>(?:[()\])\w])+)[)]?\s*\s(?:)")

    assert ("", "", ["f {}"]) == said("<|c)f){}", Dialect.from_template(given))
    assert ("", "", ["f {}"]) == said("<|()f {}", Dialect.from_template(given))


def test_text_between_the_last_tag_and_the_mark_behind_a_call_is_skipped() -> None:
    shape = {
        "open_pattern": r"<run>\s*<tool=(?P<fn>\w+)>",
        "close": "</run>",
        "content_args": {"tag_pattern": r"<arg=(?P<key>\w+)>\s*(?P<value>.*?)\s*</arg>"},
        **XML,
    }
    made = Dialect.from_template(template(tool_calls=shape))
    text = "<run>\n<tool=f>\n<arg=a>\nx\n</arg>\nand\n<arg=b>1</arg>\n</tool>\n</run>Done."

    words, thoughts, calls = said(text, made)

    assert ("Done.", "", ["f {'a': 'x', 'b': '1'}"]) == (words.strip(), thoughts, calls)
