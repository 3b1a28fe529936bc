"""Laws of words in prose: a word is read from the closed set of sentences, and from nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import GenericAlias
from typing import Any, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import contract
from typesig.validation.repair.framing import find_only_word, is_denial, is_filler

#: Sentences that say the word at `@`.
SAYING = (
    "@", "@.", "@!", "**@**", "*@*", "`@`", "(@)", "“@”", "'@'.", "$\\boxed{@}$",
    "Answer: @", "**Answer:** @", "## Answer\n\n@", "answer = @", "Final answer:\n@",
    "The answer is @.", "The answer is: @", "The final answer is '@'.", "My verdict is @.",
    "So, the answer is @.", "@ is my answer.", "It is @.", "It's @.", "It’s @", "This is @",
    "The statement is @.", "I @", "I @ it.", "@ this.", "I choose @.", "I vote for @.",
    "I classify this as @", "Here is my answer: @", "Here it is:\n\n@", "Here you go: @",
    "Sure! Here's the answer:\n@", "Of course, here is my answer: @", "```\n@\n```",
    "Sure, here you are:\n```text\n@\n```\nHope this helps!", "@\n\nI hope that helps.",
    "@. Thank you.", "@\nLet me know if you have any questions.", "@. It is @.",
    "<answer>@</answer>", "<think>not @</think>\n@", "@<|im_end|>",
)  # fmt: skip

#: What stands before a word and denies it, refuses it, doubts it, or puts a condition on it.
BEFORE = (
    "not", "No,", "No way is that", "no", "never", "neither", "nor", "none", "non", "un", "without",
    "cannot", "can't", "can’t", "cant", "can not", "don't", "don’t", "dont", "do not", "won't",
    "wont", "isn't", "isnt", "aint", "It is not", "It's not", "This isn’t", "The answer is not",
    "The answer isn't", "The wrong answer is", "Wrong answer:", "I refuse to", "I decline to",
    "I deny that it is", "I fail to", "I am unable to", "Unable to", "I hesitate to", "I doubt it is",
    "I stop short of", "I avoid", "I am against", "hardly", "barely", "far from", "anything but",
    "not at all", "by no means", "instead of", "rather than", "except", "all but", "unless", "if",
    "Only if it rains:", "until", "whether", "maybe", "perhaps", "probably", "I would", "I'd", "I could",
    "I might", "I may", "I should", "it would be", "it may be", "Is it", "They say", "He said:",
    "Someone else would say", "The options are:", "Q:", "User:", "If asked, I", "Previously:", "-",
    "!", "~", "¬", ">", "//", "#", "- [ ]", "1.", "nicht", "ne pas", "nie", "不", "нет,", "❌",
)  # fmt: skip

#: What stands behind a word and does the same.
BEHIND = (
    "? No.", "?", "? Never!", ", not", " not", " is wrong", " is not my answer", " isn't it",
    ", if it works", " if it works", " only if it works", " unless it fails", " until tomorrow",
    " or not", " or something else", ", maybe", " perhaps", ", but not now", ", however",
    " - not", " (not)", "... not", "...", "…", "*", "/", ". Wait, no.", ". No.", ".\n\nNot really.",
    "\n\nJust kidding.", ". That is wrong.", " would be wrong", " is false", " was my first thought",
    ", he said", " because nothing speaks for it", " ❌", " /* not */", " // not", " # not",
    ", except on Mondays", " rather than nothing", " without", "\nFinal answer:", " not?", "!?",
)  # fmt: skip

CASES: tuple[Callable[[str], str], ...] = (str, str.upper, str.capitalize)
MARKUP = ("{}", "**{}**", "*{}*", "`{}`", "“{}”", "({})")
BLANKS = (" ", "\n", "\n\n", "  ", "\t", " \n ")

NAMES = st.one_of(
    st.sampled_from(["approve", "high", "spam", "in_progress", "very high", "yes", "allow"]),
    st.text("bdgkrtz", min_size=4, max_size=8),
)


@st.composite
def asked(draw: st.DrawFn) -> tuple[Any, str, Any]:
    """Return a hint, one of its words, and the value of the word."""
    if draw(st.booleans()):
        value = draw(st.booleans())
        return bool, str(value), value
    members = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    assume(not any(a != b and a in b for a in members for b in members))
    return Literal[tuple(members)], members[0], members[0]


@st.composite
def denied(draw: st.DrawFn, word: str) -> str:
    """Return a text that has *word* and does not mean it."""
    change, blank = draw(st.sampled_from(CASES)), draw(st.sampled_from(BLANKS))
    marked: str = draw(st.sampled_from(MARKUP)).format(draw(st.sampled_from(CASES))(word))
    if draw(st.booleans()):
        before: str = draw(st.sampled_from(MARKUP[:3])).format(
            change(draw(st.sampled_from(BEFORE)))
        )
        return before + blank + marked
    return marked + change(draw(st.sampled_from(BEHIND)))


@LAW
@given(st.data())
def test_a_word_that_is_denied_is_read_in_no_mode(data: st.DataObject) -> None:
    hint, word, _value = data.draw(asked())
    reader = contract(hint)
    text = data.draw(denied(word))

    for mode in ("lenient", "enabled"):
        assert not reader.read(text, mode=mode).ok


@pytest.mark.parametrize("frame", SAYING)
def test_each_sentence_of_the_table_is_read(frame: str) -> None:
    text = frame.replace("@", "approve")

    assert "approve" == contract(Literal["approve", "reject"]).read(text, mode="lenient").value


@LAW
@given(st.sampled_from(SAYING), asked(), st.sampled_from(CASES), st.sampled_from(CASES))
def test_a_sentence_of_the_table_gives_its_word(
    frame: str, case: tuple[Any, str, Any], change: Any, around: Any
) -> None:
    hint, word, value = case
    sentence = around(frame).replace("\\BOXED", "\\boxed")
    text = sentence.replace("@", change(word))

    assert value == contract(hint).read(text, mode="lenient").value


@LAW
@given(st.sampled_from(SAYING), asked(), st.data())
def test_any_other_word_in_a_sentence_of_the_table_refuses_it(
    frame: str, case: tuple[Any, str, Any], data: st.DataObject
) -> None:
    hint, word, _value = case
    text = frame.replace("@", word)
    begin = text.find("</think>") + len("</think>") if "</think>" in text else 0
    breaks = [begin, *(at for at in range(begin + 1, len(text)) if text[at].isspace()), len(text)]
    at = data.draw(st.sampled_from(breaks))
    other = data.draw(
        st.one_of(st.sampled_from(["not", "no", "NEVER", "if"]), st.text("qx", min_size=1))
    )

    assert not contract(hint).read(f"{text[:at]} {other} {text[at:]}", mode="lenient").ok


@LAW
@given(st.data())
def test_a_stream_of_a_word_that_is_denied_never_shows_it(data: st.DataObject) -> None:
    hint, word, _value = data.draw(asked())
    reader = contract(hint)
    text = data.draw(denied(word))
    stream = reader.stream(mode="lenient")
    shown = [stream.feed(char).value for char in text]

    assert {None} == {*shown, reader.read(text, mode="lenient", partial=True).value}
    assert not stream.close().ok


@LAW
@given(st.data())
def test_a_text_in_json_that_denies_a_word_is_not_the_word(data: st.DataObject) -> None:
    hint, word, _value = data.draw(asked())
    text = data.draw(denied(word))
    record: Any = GenericAlias(dict, (str, hint))
    field = contract(record)

    assert not field.read({"a": text}, mode="lenient").ok
    assert not field.read(json.dumps({"a": text}), mode="lenient").ok
    assert not field.read('{"a": ' + text + "}", mode="lenient").ok


@LAW
@given(st.one_of(st.integers(), st.booleans(), st.none()), st.sampled_from(BEFORE), st.booleans())
def test_a_lone_number_or_word_in_a_fence_is_not_read_where_the_text_around_denies_it(
    value: Any, denial: str, is_before: bool
) -> None:
    fence = f"```json\n{json.dumps(value)}\n```"
    text = f"{denial} x\n{fence}" if is_before else f"{fence}\n{denial} x"
    reader = contract(":int|:bool|:nil")

    assert not reader.read(text).ok
    assert not reader.read(text, mode="lenient").ok
    assert value == reader.read(f"Here is the answer:\n{fence}\nThanks!").value


def test_two_fences_with_different_values_are_no_answer() -> None:
    texts = ['```json\n{"id": 1}\n```\nor\n```json\n{"id": 2}\n```', "```\n1\n```\n```\n2\n```"]

    assert [False, False] == [contract("{id :int}|:int").read(t, mode="lenient").ok for t in texts]


@pytest.mark.parametrize(
    ("word", "text", "value"),
    [
        ("not_able", "Not able", "not_able"),
        ("notAble", "not-able", "notAble"),
        ("notable", "not able", None),
        ("not able", "notable", None),
        ("nowhere", "no-where", None),
        ("in_progress", "inprogress", "in_progress"),
    ],
)
def test_a_word_that_denies_is_no_part_of_a_longer_word(word: str, text: str, value: Any) -> None:
    hint: Any = Literal[word, "other"]
    outcome = contract(hint).read(json.dumps(text), mode="lenient")

    assert value == (outcome.value if outcome.ok else None)


def test_a_text_with_the_marks_of_the_tables_is_not_read() -> None:
    assert find_only_word("approve\x01", {"approve": 1}) is None
    assert find_only_word("\x00 approve", {"approve": 1}) is None


def test_values_in_a_row_are_found_by_the_longest_word() -> None:
    words = {"high": 1, "very high": 2}

    assert (2,) == find_only_word("It is very high.", words)
    assert find_only_word("It is very high or high.", words) is None


def test_an_announcement_has_no_value_and_other_text_is_none() -> None:
    texts = ["", "Sure!", "Here it is:\nThanks!", "Thanks! Sure!", "It is wrong:", "Not"]

    assert [True, True, True, False, False, False] == [is_filler(text) for text in texts]


DENIED = [
    'Don\'t use {"a": 1}', 'Never send {"a": 1}.', 'Use a list instead of {"a": 1}', 'Do not use this:\n```json\n{"a": 1}\n```',
    'The answer is **not** `{"a": 1}`', 'I’d say anything rather than {"a": 1}.', 'You can’t return {"a": 1}', 'Avoid the form {"a": 1}',
    'It is not {"a": 2} but {"a": 1}',
]  # fmt: skip
NOT_DENIED = [
    'I could not find more: {"a": 1}', 'No problem! {"a": 1}', 'It\'s not hard. {"a": 1}', 'There is no doubt, so {"a": 1}',
    'Do not forget that the answer is:\n```json\n{"a": 1}\n```', 'If not, {"a": 1}', 'As a result: {"a": 1}', 'The json {"a": 1}',
]  # fmt: skip


@pytest.mark.parametrize("mode", ["enabled", "lenient"])
@pytest.mark.parametrize("text", DENIED)
def test_an_object_that_the_text_before_it_denies_is_not_read_nor_streamed(
    text: str, mode: Any
) -> None:
    asked = contract("{a :int}")
    outcome = asked.read(text, mode=mode)
    stream = asked.stream(list(text), mode=mode)
    parts = list(stream)

    assert ["json"] == [error.code for error in outcome.errors]
    assert "the text denies the value at line" in str(outcome.errors[0])
    assert [] == [part.value for part in parts if part.value]
    assert not stream.close().ok


@pytest.mark.parametrize("mode", ["enabled", "lenient"])
@pytest.mark.parametrize("text", NOT_DENIED)
def test_an_object_behind_another_sentence_is_read(text: str, mode: Any) -> None:
    asked = contract("{a :int}")
    stream = asked.stream(list(text), mode=mode)
    list(stream)

    assert {"a": 1} == asked.read(text, mode=mode).value == stream.close().value


def test_only_a_denial_directly_before_a_value_denies_it() -> None:
    texts = ["not", "Don't use: ", "isn’t a json object like ", "not found: ", "", "the "]

    assert [True, True, True, False, False, False] == [is_denial(text) for text in texts]
