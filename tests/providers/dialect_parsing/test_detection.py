"""Each call in a text is read, or told of; no mark of a call is shown without a word about it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.dialect_forms import FORMS
from tests.generators import LAW
from tests.growth import assert_growth
from typesig import Dialect, Ledger, tool, tools_of
from typesig.errors import TypesigError, Unsupported
from typesig.providers.dialect_parsing.detection import (
    _MARKS_OF_CALLS,
    find_dialect,
    resolve_tool_name,
)
from typesig.providers.dialect_parsing.reader import read_events
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.dialect import JsonForm, PythonForm, TagForm
from typesig.providers.dialects.lexer import DialectCall, Fault, Thought, Told
from typesig.providers.dialects.registry import DIALECTS
from typesig.tools.streams.dialects import Reading

EACH = pytest.mark.parametrize("row", DIALECTS.values(), ids=list(DIALECTS))
THINKING = pytest.mark.parametrize(
    "row", [row for row in DIALECTS.values() if row.reasoning], ids=lambda row: row.name
)
SECTIONED = pytest.mark.parametrize(
    "row", [row for row in DIALECTS.values() if row.section], ids=lambda row: row.name
)


@tool
def pack(item: str = "", count: int = 0) -> str:
    return f"{count} {item}"


@tool
def leave() -> str:
    return "left"


TOOLS = tools_of([pack, leave])
WORDS = st.text("abc xyz,.-", max_size=8)
CALLS = st.lists(
    st.one_of(
        st.tuples(st.just("pack"), st.fixed_dictionaries({"item": WORDS, "count": st.integers()})),
        st.tuples(st.just("leave"), st.just({})),
    ),
    min_size=1,
    max_size=3,
)


def reading(text: str, row: Dialect, **options: Any) -> Reading:
    return TOOLS.read(text, dialect=row, **options)


def in_pieces(text: str, row: Dialect, cuts: list[int], thinking: bool = False) -> Reading:
    stream, last = TOOLS.stream(dialect=row, thinking=thinking), 0
    for cut in [*sorted(cuts), len(text)]:
        stream.feed(text[last:cut])
        last = cut
    return stream.close()


def results(said: Reading) -> list[Any]:
    return [(each.name, each.outcome.result if each.outcome.ok else None) for each in said.calls]


def told(said: Reading) -> Any:
    """Return all that *said* tells, without the objects of outcomes."""
    return said.text, said.reasoning.strip(), results(said), said.issues, said.dialect


def wanted(calls: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    return [(name, sent) for name, sent in calls]


@EACH
@LAW
@given(calls=CALLS, prose=st.sampled_from(["", "So:\n"]))
def test_a_text_is_found_to_be_in_the_dialect_that_wrote_it(
    row: Dialect, calls: list[tuple[str, dict[str, Any]]], prose: str
) -> None:
    written = write_calls(calls, row)
    found = find_dialect(prose + written)

    # Some families write calls alike.
    assert found is not None
    assert row == found or written == write_calls(calls, found)
    assert wanted(calls) == results(TOOLS.read(prose + written))


@EACH
@LAW
@given(calls=CALLS)
def test_a_projection_for_any_dialect_answers_each_call_once(
    row: Dialect, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    replies = TOOLS.project(dialect="auto").handle(write_calls(calls, row))

    said = [f"{sent['count']} {sent['item']}" if sent else "left" for _, sent in calls]
    assert said == [each["content"] for each in replies]


def mutated(data: st.DataObject, written: str, row: Dialect) -> str:
    """Draw *written* with one mark that is dropped, doubled, damaged, or another's."""
    inner = (
        [row.form.key_open, row.form.value_open, row.form.value_end]
        if isinstance(row.form, TagForm)
        else []
    )
    found = [mark for mark in (*row.marks, *inner) if mark.strip() and mark in written]
    assume(found)
    mark = data.draw(st.sampled_from(found))
    at = data.draw(st.integers(0, len(mark) - 1))
    other = data.draw(st.sampled_from(sorted(_MARKS_OF_CALLS)))
    made = data.draw(st.sampled_from(["", mark * 2, mark[:at] + mark[at + 1 :], other]))
    which = data.draw(st.integers(1, written.count(mark)))
    parts = written.split(mark)
    return mark.join(parts[:which]) + made + mark.join(parts[which:])


@pytest.mark.parametrize(
    "row", [row for row in DIALECTS.values() if not row.bare], ids=lambda row: row.name
)
@LAW
@given(calls=CALLS, data=st.data())
def test_a_call_with_a_damaged_mark_is_read_or_told_of(
    row: Dialect, calls: list[tuple[str, dict[str, Any]]], data: st.DataObject
) -> None:
    text = mutated(data, write_calls(calls, row), row)
    said = reading(text, row)

    assert said.issues or said.calls or _is_silent(row, text)
    if any(mark in said.text for mark in _MARKS_OF_CALLS):
        assert said.issues
    assert len(said.calls) <= len(calls)
    for call in results(said):
        assert call[0] in ("pack", "leave") or call[1] is None
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=3))
    assert told(said) == told(in_pieces(text, row, cuts))
    assert told(said) == told(in_pieces(text, row, list(range(len(text)))))


def _is_silent(row: Dialect, text: str) -> bool:
    """Return whether nothing in *text* tells that there was a call."""
    return not any(mark in text for mark in _MARKS_OF_CALLS) and not isinstance(row.form, JsonForm)


@pytest.mark.parametrize(
    "row", [r for r in DIALECTS.values() if r.reasoning and not r.bare], ids=lambda row: row.name
)
@LAW
@given(calls=CALLS, data=st.data())
def test_a_call_in_reasoning_that_does_not_end_is_one(
    row: Dialect, calls: list[tuple[str, dict[str, Any]]], data: st.DataObject
) -> None:
    pair, written = row.reasoning[0], write_calls(calls, row)
    text = f"{pair.open}I pack.\n{written}"
    said = reading(text, row)

    assert (wanted(calls), "I pack.", "") == (results(said), said.reasoning.strip(), said.text)
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=3))
    assert told(said) == told(in_pieces(text, row, cuts))
    assert told(said) == told(in_pieces(f"I pack.\n{written}", row, cuts, thinking=True))


@THINKING
def test_a_call_that_is_spoken_of_in_reasoning_is_not_run(row: Dialect) -> None:
    written = write_calls([("leave", {})], row)
    for pair in row.reasoning:
        said = reading(f"{pair.open}I could {written} but no.{pair.close}No.", row)

        if row.open_reasoning:
            # Each mark of this family is one of a message.
            assert ["leave"] == [call.name for call in said.calls]
        else:
            assert ((), "No.") == (said.calls, said.text)
            assert f"I could {written} but no." == said.reasoning


@THINKING
def test_the_mark_before_reasoning_is_not_a_part_of_it(row: Dialect) -> None:
    for pair in row.reasoning:
        for before in ("", pair.open, f"\n{pair.open}"):
            said = in_pieces(f"{before}I think.{pair.close}So.", row, [2], thinking=True)

            assert ("I think.", "So.") == (said.reasoning.strip(), said.text)


def test_reasoning_without_an_end_that_only_speaks_of_calls_is_reasoning() -> None:
    row = DIALECTS["hermes"]
    events = read_events("<think>I write <tool_call> and </tool_call>, then", row)

    assert ["broken", "unclosed"] == [each.kind for each in events if isinstance(each, Fault)]
    assert not any(isinstance(each, Told) for each in events)
    text = "".join(each.text for each in events if isinstance(each, Thought))
    assert "I write <tool_call> and </tool_call>, then" == text


def test_a_mark_that_reasoning_without_an_end_speaks_of_is_no_fault() -> None:
    events = read_events("<think>I write <tool_call> first", DIALECTS["hermes"])

    assert [Fault("unclosed", 0)] == [each for each in events if isinstance(each, Fault)]


def test_reasoning_before_the_first_call_is_no_text() -> None:
    call = '<tool_call>{"name": "leave"}</tool_call>'
    said = TOOLS.read(f"<think>a <tool_call> b\n{call}\nc<think>d{call}", dialect="hermes")

    assert ("a d", "c") == (said.reasoning, said.text)
    assert ["leave", "leave"] == [each.name for each in said.calls]


def test_other_marks_behind_reasoning_are_waited_for_once() -> None:
    row = DIALECTS["mistral"]
    text = "[THINK]a[TOOL_CALLS]x <think>b[TOOL_CALLS]leave{}"
    said = reading(text, row)

    assert ["leave"] == [each.name for each in said.calls]
    assert "" == said.text


@SECTIONED
@pytest.mark.parametrize("many", [False, True])
def test_json_between_the_marks_around_calls_is_read(row: Dialect, many: bool) -> None:
    assert row.section is not None
    call = '{"name": "pack", "arguments": {"item": "a}]", "count": 2}}'
    text = f"[{call}, {call}]" if many else call
    said = reading(f"{row.section.open}\n{text}\n{row.section.close}Done.", row)

    assert [("pack", {"item": "a}]", "count": 2})] * (1 + many) == results(said)
    assert ("Done.", ()) == (said.text, said.issues)


@SECTIONED
def test_what_is_no_call_between_the_marks_around_calls_is_told_of(row: Dialect) -> None:
    assert row.section is not None
    said = reading(f"{row.section.open}pack two{row.section.close}", row)
    replies = TOOLS.project(dialect=row).handle(f"{row.section.open}pack two{row.section.close}")

    assert ["a call cannot be read"] == [str(each).partition(";")[0] for each in said.issues]
    assert 1 == len(replies)
    assert [] == TOOLS.project(dialect=row).handle(f"Write {row.section.open} first.")
    spoken = reading(f"Write {row.section.open} first.", row)
    assert ["Write", "first."] == spoken.text.split()
    assert 1 == len(spoken.issues)
    # Behind a call it is text.
    call = write_calls([("leave", {})], row).removesuffix(row.section.close)
    assert "That is all." == reading(f"{call}That is all.{row.section.close}", row).text
    assert "That is all." == reading(f"{call}That is all.", row).text


NOT_BARE = [row for row in DIALECTS.values() if not row.bare and not row.section]


@pytest.mark.parametrize("row", NOT_BARE, ids=lambda row: row.name)
def test_json_behind_the_mark_of_another_form_is_read(row: Dialect) -> None:
    if isinstance(row.form, JsonForm) or (isinstance(row.form, PythonForm) and row.form.is_lines):
        return
    close = (*row.closes, "")[0]
    said = reading(f'{row.opens[0]}{{"name": "pack", "arguments": {{"count": 2}}}}{close}', row)

    assert [("pack", 2)] == [(name, sent["count"]) for name, sent in results(said)]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        pytest.param(
            "hermes",
            '<tool_call>{"name": "leave"}<tool_call>',
            ["leave"],
            id="the mark before a call behind it",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "leave"}<tool_call>{"name": "leave"}<tool_call>\n</tool_call>',
            ["leave", "leave"],
            id="the mark before a call behind each",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "leave"}</tool_call><tool_call>',
            ["leave", "cut"],
            id="a call that is cut off right behind its mark",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "leave"}<tool_call> <tool_call>{"name": "leave"}',
            ["leave", "leave"],
            id="two marks between calls",
        ),
        pytest.param(
            "hermes",
            "<tool_call>\n<function=pack>\n<parameter=count>\n2\n</parameter>\n</function>\n</tool_call>",
            ["pack"],
            id="tags within the marks",
        ),
        pytest.param(
            "mistral-json", '[TOOL_CALLS][{"name": "leave"}][/TOOL_CALLS]', ["leave"], id="an end"
        ),
        pytest.param("mistral-json", "[TOOL_CALLS]leave[ARGS]{}", ["leave"], id="a head"),
        pytest.param("mistral", '[TOOL_CALLS] [{"name": "leave"}]', ["leave"], id="a list"),
        pytest.param("mistral", "[TOOL_CALLS]leave[x]", ["cut"], id="a bracket in a head"),
        pytest.param("kimi-k2", '<|tool_call_begin|>functions.pack:0<|tool_call_argument_begin|>"{\\"count\\": 2}"', ["pack"], id="encoded twice"),
        pytest.param("kimi-k2", '<|tool_call_begin|>pack"x"{}<|tool_call_end|>', ["broken"], id="quotes in a head"),
        pytest.param("kimi-k2", "<|tool_call_begin|>functions.pack:0<|tool_call_argument_begin|>count 2<|tool_call_end|>", ["broken"], id="arguments that are no object"),
        pytest.param("mistral", "[TOOL_CALLS]leave[CALL_ID]abc123def[ARGS][TOOL_CALLS]leave{}", ["broken", "leave"], id="no arguments before another call"),
        pytest.param("lfm2", '<|tool_call_start|>[{"name": "leave"}]<|tool_call_end|>', ["leave"], id="JSON"),
        pytest.param("lfm2", '<|tool_call_start|>x {"name": "leave"}<|tool_call_end|>', ["broken"], id="prose before JSON"),
        pytest.param("olmo-3", "<function_calls>pack(count=1)\nleave()", ["pack", "leave"], id="no end of lines"),
        pytest.param("olmo-3", "<function_calls>pack(count=1", ["cut"], id="a line that is cut off"),
        pytest.param("olmo-3", "<function_calls>a = 1</function_calls>", ["broken"], id="a line that is no call"),
        pytest.param("olmo-3", "<function_calls></function_calls>", ["broken"], id="no lines"),
        pytest.param("olmo-3", "<function_calls>leave()<function_calls>leave()", ["leave", "leave"], id="lines without an end"),
        pytest.param("qwen3.5", "<tool_call><function=leave/></tool_call>", ["leave"], id="a tag that closes itself"),
        pytest.param("minimax-m2", '<invoke name="leave" />', ["leave"], id="a blank before the slash"),
        pytest.param("minimax-m2", "<invoke name='pack'><parameter name=\"count\">1</parameter></invoke>", ["pack"], id="single quotes"),
        pytest.param("deepseek-v4", '<｜DSML｜invoke name="pack">\n{"count": 1}\n</｜DSML｜invoke>', ["pack"], id="arguments as JSON"),
        pytest.param("deepseek-v4", '<｜DSML｜toolcalls>\n<｜DSML｜ invoke name="leave">\n</｜DSML｜ invoke></｜DSML｜tools>', ["leave"], id="other marks around"),
        pytest.param("qwen3.5", "<function=pack>\nx {", ["cut"], id="prose before a bracket"),
        pytest.param("qwen3.5", "<function=pa[ck></function>", ["broken"], id="a bracket in a name"),
        pytest.param("glm-4.7", "<tool_call>leave</arg_value></tool_call>", ["leave"], id="a stray end of a text"),
        pytest.param("glm-4.7", "<tool_call>pack<arg_key>item<arg_value>a</arg_value></tool_call>", ["pack"], id="no end of a key"),
        pytest.param("glm-4.7", "<tool_call>pack<arg_key>item</arg_key>a</arg_value></tool_call>", ["pack"], id="no mark before a text"),
        pytest.param(
            "glm-4.7",
            "<tool_call>pack<arg_key>item</arg_key><arg_value>a</arg_value>" * 3 + "</tool_call>",
            ["pack", "pack", "pack"],
            id="no ends between calls",
        ),
        pytest.param(
            "glm-4.7",
            "<tool_call>pack<arg_key>item</arg_key><arg_value>a</arg_value><tool_call>leave</tool_call></arg_value></tool_call>",
            ["ambiguous"],
            id="a call in a text that quotes another",
        ),
        pytest.param("harmony", " to=functions.leave<|channel|>analysis<|message|>{}", ["leave"], id="the recipient first"),
        pytest.param("harmony", "<|channel|>commentary to=functions.leave code<|message|>{}", ["leave"], id="a bare kind"),
        pytest.param("harmony", "<|channel|>analysis<|message|>a<|channel|>commentary to=functions.leave<|message|>{}<|call|>", ["leave"], id="no end of a message"),
        pytest.param("gemma-4", '<|tool_call>call:pack{item: "a } b", count: 1}<tool_call|>', ["pack"], id="quotes of JSON"),
        pytest.param("functiongemma", '<start_function_call>call:pack{"item": "\\"]", count:1}', ["pack"], id="an escape in quotes"),
        pytest.param("apertus", '<|tools_prefix|>[{"leave": {}}, {"name": "leave", "arguments": {}}]', ["leave", "leave"], id="both forms"),
        pytest.param("apertus", '<|tools_prefix|>[{"a b": {}}]', ["broken"], id="a key that is no name"),
        pytest.param("minicpm-5", '<function name="pack"><param name="item"><![CDATA[a\nb]]></param></function>', ["pack"], id="CDATA"),
    ],
)  # fmt: skip
def test_what_models_write_by_mistake_is_read_as(name: str, text: str, found: list[str]) -> None:
    row = DIALECTS[name]
    told = [
        each.name if isinstance(each, DialectCall) else each.kind
        for each in read_events(text, row)
        if isinstance(each, DialectCall | Fault)
    ]

    assert found == told
    assert not any(each.text.strip() for each in read_events(text, row) if isinstance(each, Told))


def test_values_between_tags_keep_their_last_line_break() -> None:
    text = "<function=pack><parameter=item>a\n</parameter></function>"
    padded = "<function=pack><parameter=item>\na\n\n</parameter></function>"

    for written, name in ((text, "qwen3.5"), (padded, "seed-oss")):
        [(_, sent)] = results(reading(written, DIALECTS[name]))
        assert "a\n" == sent["item"]


def test_escaped_quotes_of_json_between_tags_are_read_where_no_text_is_wanted() -> None:
    @tool
    def add(items: list[dict[str, int]]) -> int:
        return len(items)

    text = '<tool_call>add<arg_key>items</arg_key><arg_value>[{\\"a\\": 1}]</arg_value></tool_call>'
    [call] = tools_of([add]).read(text, dialect="glm-4.7").calls
    stream = tools_of([add]).stream(dialect="glm-4.7", mode="strict")
    stream.feed(text)
    [strict] = stream.close().calls

    assert {"items": [{"a": 1}]} == call.outcome.result
    assert call.outcome.warnings
    assert not strict.outcome.ok


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<function=pack><parameter=item>a</parameter>b</parameter></function>", "qwen3-coder"),
        ('<tool_calls>[{"name": "leave", "arguments": "{}"}]</tool_calls>', "jamba"),
    ],
)
def test_of_dialects_that_read_calls_alike_it_is_the_first(text: str, found: str) -> None:
    row = find_dialect(text)

    assert row is not None
    assert found == row.name


def test_a_call_in_another_dialect_is_answered_and_not_run() -> None:
    made = TOOLS.project(dialect="hermes")
    for text, name in (
        ('{"name": "leave", "parameters": {}}', "llama-json"),
        (write_calls([("leave", {})], DIALECTS["kimi-k2"]), "kimi-k2"),
        ("<|tool_call_begin|>functions.leave:0<|tool_call_argument_begin|>{", "kimi-k2"),
    ):
        ledger = Ledger()
        [reply] = made.handle(text, ledger=ledger)

        assert f"is written in the dialect {name}, which is not read here" in reply["content"]
        assert [f"is written in the dialect {name}" in str(each) for each in made_issues(text)]
    [reply] = made.handle('Here: {"name": "leave", "arguments": {}}')
    assert "the call of leave cannot be read" in reply["content"]


def made_issues(text: str) -> list[str]:
    return [str(each) for each in TOOLS.read(text, dialect="hermes").issues]


def test_objects_that_name_no_tool_are_text() -> None:
    for text in ('{"name": "Ann", "age": 3}', "[1, 2]", "{}", "Use [leave] and {pack}."):
        assert [] == TOOLS.project(dialect="hermes").handle(text)
        assert [] == TOOLS.project(dialect="auto").handle(text)
        assert (text, ()) == (TOOLS.read(text, dialect="hermes").text, TOOLS.read(text).issues)


def test_a_mark_of_another_dialect_in_a_text_is_told_to_the_host() -> None:
    ledger = Ledger()
    text = "Begin with <|tool_calls_section_begin|>."

    assert [] == TOOLS.project(dialect="hermes").handle(text, ledger=ledger)
    assert 1 == len(ledger.rows())
    assert ["a mark of calls in the dialect kimi-k2 stands where no call is read"] == made_issues(
        text
    )


def test_the_dialect_of_a_text_without_calls_is_that_of_its_marks() -> None:
    made = TOOLS.project(dialect="auto")
    text = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi"

    assert {"role": "assistant", "content": "Hi", "reasoning_content": "Hm."} == made.assembled(
        text
    )
    assert "harmony" == TOOLS.read(text).dialect
    assert "" == TOOLS.read("Hi").dialect
    said = TOOLS.read("Write <tool_call> first")
    assert ("Write  first", 1) == (said.text, len(said.issues))


def test_a_projection_for_any_dialect_lists_tools_and_renders_nothing() -> None:
    made = TOOLS.project(dialect="auto")

    assert "<tool_call>" in made.prompt()
    assert "<projection for auto: pack, leave>" == repr(made)
    with pytest.raises(Unsupported, match="name it in place of auto"):
        made.render([])
    with pytest.raises(TypesigError, match="there is no dialect"):
        TOOLS.project("xgrammar", dialect="auto")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("functions_pack_1", "pack"),
        ("functionspack5", "pack"),
        ("functions.pack12", "pack"),
        ("pack:3", "pack"),
        ("pack2", "pack2"),
        ("functions.pack21", "functions.pack21"),
        ("other_1", "other_1"),
    ],
)
def test_a_counter_that_is_not_set_off_is_no_part_of_the_name(name: str, wanted: str) -> None:
    assert wanted == resolve_tool_name(name, DIALECTS["kimi-k2"], ["pack", "pack2"])
    assert name == resolve_tool_name(name, DIALECTS["hermes"], ["pack"])


def test_a_counter_is_taken_off_in_answers_and_streams() -> None:
    text = '<|tool_call_begin|>functions_pack_1<|tool_call_argument_begin|>{"count": 2}<|tool_call_end|>'
    row = DIALECTS["kimi-k2"]

    assert ["2 "] == [each["content"] for each in TOOLS.project(dialect=row).handle(text)]
    assert ["pack"] == [call.name for call in in_pieces(text, row, [40]).calls]
    news = TOOLS.stream(dialect=row).feed(text)
    assert ["pack"] == [each.name for each in news if hasattr(each, "key")]


UNENDED = {
    "reasoning": lambda row, size: (
        f"{row.reasoning[0].open}a{write_calls([('f', {})], row)}" * size
    ),
    "sections": lambda row, size: (row.section.open if row.section else row.opens[0]) + "a" * size,
    "openers": lambda row, size: row.opens[0] * size + "{",
    "calls": lambda row, size: (
        write_calls([("f", {"a": "x"})], row).replace((*row.closes, "?")[0], "") * size
    ),
    "json": lambda row, size: (row.opens[0] + '{"name": "f"') * size,
}


@pytest.mark.once
@pytest.mark.parametrize(
    "row", [DIALECTS[name] for name in FORMS if DIALECTS[name].reasoning], ids=lambda row: row.name
)
@pytest.mark.parametrize("kind", list(UNENDED))
def test_what_does_not_end_is_read_in_proportion_to_the_text(row: Dialect, kind: str) -> None:
    assert_growth(
        lambda size: UNENDED[kind](row, size), lambda text: read_events(text, row), (64, 256, 1024),
        spare=4000,
    )  # fmt: skip
