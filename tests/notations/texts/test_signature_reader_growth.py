"""What a model or a stranger sends is read in time that is linear in its length."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from time import process_time
from typing import Any

import pytest

import typesig
from typesig import TypesigError, contract, tool
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge
from typesig.listings import Template, firewall
from typesig.listings.firewall import render_data
from typesig.notations import compact, edn
from typesig.notations.gram import parse as gram
from typesig.validation.json_text import BadJson, read_json


def cpu_time(run: Callable[[str], object], text: str) -> float:
    """Return the time that *run* takes for *text*; mistakes in the text are ignored."""
    began = process_time()
    try:
        run(text)
    except (TypesigError, BadJson):
        pass
    return process_time() - began


def assert_linear(run: Callable[[str], object], family: Callable[[int], str], size: int) -> None:
    """Assert that *run* takes about eight times as long for a text that is eight times as long."""
    short, long = family(size), family(8 * size)
    # What takes so little for the long text is not quadratic with any constant that matters.
    if cpu_time(run, long) > 0.05:
        least, most = (min(cpu_time(run, text) for _ in range(3)) for text in (short, long))
        assert most < 8 * 4 * least


@tool
def store(s: str) -> str:
    """Store a text."""
    return s


ANYTHING = contract(":any")

JSON_TEXTS: dict[str, Callable[[int], str]] = {
    "an open text of escaped quotes": lambda n: '{"s": "' + '\\"' * n,
    "a text of escaped quotes": lambda n: '{"s": "' + '\\"' * n + '"}',
    "an open text of backslashes": lambda n: '"' + "\\" * n,
    "an open text of escapes": lambda n: '"' + "\\u" * n,
    "open texts": lambda n: '"' * n,
    "blanks": lambda n: " " * n,
    "open lists": lambda n: "[" * n,
    "lists in a row": lambda n: "[" + "[]," * n,
    "closing brackets": lambda n: "]" * n,
    "digits": lambda n: "1" * n,
    "digits of a fraction": lambda n: "0." + "1" * n,
    "digits of an exponent": lambda n: "1e" + "1" * n,
    "keys": lambda n: "{" + ",".join(f'"{at}": 1' for at in range(n)) + "}",
    "equal keys": lambda n: "{" + '"a": 1,' * n + '"a": 1}',
    "surrogates": lambda n: '"' + "\\ud800" * n + '"',
    "a fence and blanks": lambda n: "```\n" + " " * n,
    "a fence and line ends": lambda n: "```\n" + "\n" * n,
    "a fence and indented lines": lambda n: "```\n" + "\n   " * n + "x",
    "a closed fence with blanks": lambda n: "```\n1" + " " * n + "x\n```",
    "fences": lambda n: "```\n" * n,
    "a fence with a long language": lambda n: "```" + "a" * n,
    "thoughts": lambda n: "<think>" * n + "{}",
}


@pytest.mark.once
@pytest.mark.parametrize("family", JSON_TEXTS)
def test_an_answer_is_read_in_linear_time(family: str) -> None:
    assert_linear(ANYTHING.read, JSON_TEXTS[family], 1_500)


@pytest.mark.once
@pytest.mark.parametrize("family", JSON_TEXTS)
def test_arguments_are_read_in_linear_time(family: str) -> None:
    assert_linear(store.call, JSON_TEXTS[family], 1_500)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1" * 1_000_000, "not readable: a number of 1000000 digits, at most 400"),
        ("[" * 1_000_000, "nested too deep: at most 128 levels"),
        ('{"' + "a" * 100_000 + '": 1, "' + "a" * 100_000 + '": 1}',
         f'not valid JSON: the key "{"a" * 60}" occurs twice'),
        ('{"\ud800": 1, "\ud800": 2}', 'not valid JSON: the key "\\ud800" occurs twice'),
        (b'"\xff"', "not valid JSON: byte 1 is not UTF-8"),
        ("[" * 128 + "]" * 128 + "[" * 128, "not valid JSON: Extra data at line 1 column 257"),
        ('"' + '\\"' * 10 + "[" * 200 + '"}', "not valid JSON: Extra data at line 1 column 223"),
    ],
)  # fmt: skip
def test_a_json_text_beyond_the_limits_is_refused_with_the_reason(
    text: str | bytes, reason: str
) -> None:
    with pytest.raises(BadJson) as raised:
        read_json(text)

    assert reason == str(raised.value)


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("```json\n[1]\n```", [1]),
        ("  ```\n[1]```  \n", [1]),
        ("```\r\n[1]\r\n  ```", [1]),
        ("```1```", 1),
        ("```JSON \t\n\n[1]\n\n\t```", [1]),
        ('```\n"```"\n```', "```"),
    ],
)
def test_a_fence_around_an_answer_is_left_out(text: str, inner: object) -> None:
    assert inner == ANYTHING.read(text).result
    assert inner == ANYTHING.read(text.encode()).result


@pytest.mark.parametrize("text", ["```", "``````", "```1\n2```", "1\n```"])
def test_what_is_no_fence_is_read_as_it_is(text: str) -> None:
    assert "json" == ANYTHING.read(text).errors[0].code


READERS: dict[str, Callable[[str], object]] = {
    "shorthand": typesig.parse,
    "compact": compact.parse,
    "gram": gram,
    "edn": edn.read,
}

BEFORE = ("", '(a :string "', "; ", "(a: ", "#")

UNITS = (
    "(", "[", "{", "#{", ")", "]", '"', '\\"', '"" ', "->", "--> ", "==>", ",", ", ", "a,", ":a|",
    "? ", ";", "; (\n", "\n", " ", "/", "\\", "\\u", "#", "#_", "..", "1", "1.", "-", "a", "a-",
    "=", "where ", "where a = ", "Maybe ", "IO ", "::", "(::Text)-->", "漢", "𝒳", "\ud800",
    "\u202e", "\x00", "a/", ":", ":string[/a/] ", "[a ", "{a :b ", "~", "@",
)  # fmt: skip


@pytest.mark.once
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("reader", READERS)
def test_a_broken_signature_is_refused_in_linear_time(reader: str, before: str) -> None:
    for unit in UNITS:
        for after in ('"', "]"):
            assert_linear(
                READERS[reader],
                lambda n, unit=unit, after=after: before + unit * (n // len(unit)) + after,  # type: ignore[misc]
                1_000,
            )


COMMENTED = "the text ends too early; a ; begins a comment, which hides the rest of its line"


@pytest.mark.parametrize(
    ("text", "commented"),
    [
        ("(a :int ; the id) -> :int", True),
        ("-> [:int, {a ;", True),
        ("(a ;;", True),
        ("(a\n;", False),
        ("(a :int, b [:int]", False),
    ],
)
def test_a_comment_that_hides_a_closing_bracket_is_named(text: str, commented: bool) -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(text)

    assert commented == (COMMENTED == raised.value.message)


@pytest.mark.parametrize(
    ("text", "limited"),
    [
        (':string["a"', True),
        (':int[1]["a"', False),
    ],
)
def test_a_text_within_a_refinement_is_no_constraint(text: str, limited: bool) -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(text)

    assert limited == ("a text is not a constraint" in str(raised.value))


def test_the_nearest_name_is_not_looked_for_among_very_many() -> None:
    definitions = ", ".join(f"N{at} = :int" for at in range(2_000))
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(f":N19999 where {definitions}")
    assert "did you mean" not in str(raised.value)

    for text in (":" + "strin" * 50, ":string[" + "emai" * 50 + "]"):
        with pytest.raises(SignatureSyntaxError) as raised:
            typesig.parse(text)
        assert "did you mean" not in str(raised.value)
    with pytest.raises(SignatureSyntaxError) as raised:
        gram("(a: " + "Tex" * 50 + ") --> Text")
    assert "did you mean" not in str(raised.value)


TEMPLATES: dict[str, Callable[[int], str]] = {
    "open braces": lambda n: "{{" * n,
    "open placeholders": lambda n: "{{a" * n,
    "placeholders": lambda n: "{{a}}" * n,
    "blanks": lambda n: "{{" + " " * n,
    "a long name": lambda n: "{{" + "b" * n + "}}",
    "a long path": lambda n: "{{a." + "b." * n + "b}}",
}


@pytest.mark.once
@pytest.mark.parametrize("family", TEMPLATES)
def test_a_template_is_made_and_rendered_in_linear_time(family: str) -> None:
    def run(text: str) -> None:
        Template(text, "(a :any) -> :any").render({"a": {}})

    assert_linear(run, TEMPLATES[family], 2_000)


@pytest.mark.once
def test_a_template_with_many_placeholders_looks_into_each_type_once() -> None:
    def run(text: str) -> None:
        names = text.split()
        signature = f"({', '.join(f'{name}_x :int' for name in names)}) -> :any"
        template = Template(" ".join(f"{{{{{name}-x}}}}" for name in names), signature)
        assert "1 " * len(names) == template.render({f"{name}_x": 1 for name in names}) + " "

    assert_linear(run, lambda n: " ".join(f"p{at}" for at in range(n)), 250)


def nested_in_itself() -> list[Any]:
    out: list[Any] = []
    out.append(out)
    return out


def doubled(levels: int) -> list[Any]:
    out: list[Any] = []
    for _ in range(levels):
        out = [out, out]
    return out


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([10**5000], "a number of more than 400 digits at [0]"),
        ({"b": [10**400]}, "a number of more than 400 digits at b[0]"),
        (float("nan"), "nan"),
        ({"b": float("inf")}, "inf at b"),
        (object(), "a value of object"),
        ([b"x"], "a value of bytes at [0]"),
        ({"b": nested_in_itself()}, "data of more than 128 levels at b"),
    ],
)
def test_a_placeholder_whose_value_has_no_form_in_json_is_an_error(value: Any, what: str) -> None:
    with pytest.raises(TypesigError) as raised:
        Template("Of {{a}}.", "(a :any) -> :any").render({"a": value})

    message = str(raised.value)
    assert message.startswith(
        f"placeholder {{{{a}}}} cannot be written: JSON has no form for {what}"
    )
    assert message.endswith("; give its text, or data that JSON has a form for")


def test_data_that_grows_too_large_for_a_prompt_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(firewall, "MAX_RENDERED", 1_000)
    message = "data in a prompt may have 1000 values, this has more; render a part"
    for render in (
        render_data,
        lambda value: Template("{{a}}", "(a :any) -> :any").render({"a": value}),
    ):
        with pytest.raises(TooLarge) as raised:
            render(doubled(60))
        assert message == str(raised.value)


class Color(Enum):
    """A color."""

    RED = "red"


class Wordless:
    """Has no text."""

    def __str__(self) -> str:
        raise RuntimeError


def test_rendered_data_shows_what_json_has_no_form_for() -> None:
    values = [float("nan"), 10**5000, Wordless(), b"x", "\ud800", Color.RED]

    assert '[null, null, "a value of Wordless", "b\'x\'", "\\ud800", "red"]' == render_data(values)
    with pytest.raises(TooDeep):
        render_data(nested_in_itself())


def test_the_text_of_an_outcome_can_be_written_as_utf_8() -> None:
    out = typesig.parse(":any").validate_output(["\ud800", "é"])

    assert '["\\ud800","é"]' == out.text()


def test_a_template_hides_what_is_firewalled_within_a_value() -> None:
    signature = "(user {name :string, _id :int}) -> :any"
    values = {"user": {"name": "Ann", "_id": 7}}

    assert '{"name": "Ann", "_id": <Firewalled>} 7' == Template(
        "{{user}} {{user._id}}", signature
    ).render(values)


def test_the_values_of_a_template_are_a_dict() -> None:
    with pytest.raises(TypesigError) as raised:
        Template("{{a}}", "(a :int) -> :any").render([1])  # type: ignore[arg-type]

    assert "the values of a template are a dict by name, not list" == str(raised.value)


def test_an_unknown_placeholder_lists_the_first_names_only() -> None:
    names = ", ".join(f"p{at} :int" for at in range(500))
    with pytest.raises(TypesigError) as raised:
        Template("{{" + "x" * 200 + "}}", f"({names}) -> :any")

    message = str(raised.value)
    assert message.endswith("there are p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, …")
    assert len(message) < 300
