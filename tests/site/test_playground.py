"""What the worker of the playground is answered, whatever is pasted."""

from __future__ import annotations

import doctest
import linecache
import sys
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from tests.site.playing import EXAMPLES, Asking, marks, page, pasted, rows, sent, texts
from typesig.listings.entries import Style
from typesig.notations import NOTATIONS, readable
from typesig.providers.registry.provider import PROVIDER_NAMES

FUNCTION = '''
from typesig import tool

@tool
def find(seats: int, floor: int | None = None) -> list[str]:
    """Find rooms."""
    print("looking")
    return ["Birch"] * seats
'''


@pytest.fixture
def asking() -> Iterator[Asking]:
    yield Asking()
    sys.modules.pop(pasted.MODULE, None)
    linecache.cache.pop(pasted.FILE, None)


@pytest.mark.parametrize("module", [marks, page, pasted, rows, sent, texts])
def test_the_examples_of_its_docstrings_run(module: Any) -> None:
    assert 0 == doctest.testmod(module).failed


# what is pasted


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("(n :int) -> :int", "shorthand"),
        ("(query :string,\nlimit :int = 10) -> :int", "shorthand"),
        ("[:int]", "shorthand"),
        ("{:id :int}", "shorthand"),
        ("#{:string}", "shorthand"),
        (":int", "shorthand"),
        ("", "shorthand"),
        ("[:map [:id :int]]", "malli"),
        ('[:enum "a" "b"]', "malli"),
        ("[:=> [:cat :int] :boolean]", "malli"),
        ("(id: Int) --> IO Bool", "gram"),
        ("(id::Integer)==>(::Object)", "gram_path"),
        ('{"type": "object"}', "json"),
        ("{}", "json"),
        ('\n [ {"name": "f", "input_schema": {}}]', "json"),
        ("def f(n: int): ...", "python"),
        ("# what I have\n\nclass A:\n    n: int", "python"),
        ("import typesig\nA = typesig.contract(list[int])", "python"),
        ("@tool\nasync def f(): ...", "python"),
        ("type A = list[int]", "python"),
        ("while True: pass", "python"),
        ("for n in range(3):\n    print(n)", "python"),
        ("try:\n    import json\nfinally: ...", "python"),
        ("Answer: object = 1  # --> a comment", "python"),
    ],
)
def test_a_source_is_read_as_what_it_looks_like(asking: Asking, source: str, kind: str) -> None:
    assert kind == asking.ask("needs", source=source, kind="guess")["kind"]


def test_each_notation_that_can_be_read_can_be_pasted() -> None:
    # EDN is read as Malli is, and JSON Schema with definitions of tools.
    assert {*readable()} - {"edn", "json_schema"} == {*pasted.READ_AS}


def test_a_function_is_shown_as_a_model_sees_it(asking: Asking) -> None:
    found = asking.open(FUNCTION)

    assert "(seats :int, floor :int?) -> [:string]" == found["signature"]
    assert "find(seats :int, floor :int?) -> [:string]\n  Find rooms." == found["prompt"]
    assert ("python", ["find"], "find", True) == (
        found["kind"], found["names"], found["name"], found["can_call"],
    )  # fmt: skip


def test_functions_without_the_decorator_are_shown_where_there_are_no_tools(
    asking: Asking,
) -> None:
    assert ["f"] == asking.open("def f(n: int): ...\ndef _g(n: int): ...")["names"]


def test_of_several_types_the_last_is_shown_first_and_another_can_be_chosen(
    asking: Asking,
) -> None:
    source = (
        "from dataclasses import dataclass\nfrom typing import TypedDict\n"
        "@dataclass\nclass A:\n    n: int\nclass B(TypedDict):\n    a: A\n"
    )
    first, second = asking.open(source), asking.open(source, name="A")

    assert (["A", "B"], "B", "{a {n :int}}") == (
        first["names"], first["name"], first["signature"],
    )  # fmt: skip
    assert ("A", "{n :int}") == (second["name"], second["signature"])
    assert [] == second["warnings"]


def test_what_is_left_out_of_pasted_code_is_told(asking: Asking) -> None:
    found = asking.open("def f(n: int): ...\ndef g(n): ...")

    assert ["f"] == found["names"]
    assert found["warnings"][0].startswith("g has no hints, so it is left out")


def test_a_pydantic_model_is_read_with_the_object_that_it_becomes(asking: Asking) -> None:
    pytest.importorskip("pydantic")
    asking.open("from pydantic import BaseModel\nclass Guest(BaseModel):\n    age: int\n")
    read = asking.read('Here: ```json\n{"age": "4"}\n```')

    assert ('{\n  "age": 4\n}', "Guest(age=4)") == (read["value"], read["result"])
    assert 'age: coerced string "4" to int' in read["warnings"]


def test_a_contract_is_shown_too(asking: Asking) -> None:
    found = asking.open("import typesig\nAnswer = typesig.contract('{n :int}')")

    assert ("Answer", "{n :int}", False) == (found["name"], found["signature"], found["is_tool"])


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a statement of Python 3.12")
def test_a_named_type_is_shown_too(asking: Asking) -> None:
    assert ["Rooms"] == asking.open("type Rooms = list[str]")["names"]


def test_what_the_modules_of_a_source_are_is_told_before_it_runs(asking: Asking) -> None:
    source = "import os.path, json\nfrom pydantic import BaseModel\nfrom . import a\nx = 1"

    assert ["json", "os", "pydantic"] == asking.ask("needs", source=source, kind="python")[
        "modules"
    ]
    assert [] == asking.ask("needs", source="import (", kind="python")["modules"]
    assert [] == asking.ask("needs", source="import os" + " " * 100_000, kind="python")["modules"]
    assert [] == asking.ask("needs", source="(n :int)", kind="guess")["modules"]


def test_a_definition_of_a_tool_is_a_tool_and_a_schema_an_answer(asking: Asking) -> None:
    schema = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}'
    tool = asking.open('[{"name": "f", "input_schema": ' + schema + "}]")
    answer = asking.open(schema)

    assert ("f", True, "(n :int) -> :any", False) == (
        tool["name"], tool["is_tool"], tool["signature"], tool["can_call"],
    )  # fmt: skip
    assert ("answer", False, "{n :int}") == (
        answer["name"], answer["is_tool"], answer["signature"],
    )  # fmt: skip


def test_what_reading_a_schema_loses_is_told(asking: Asking) -> None:
    found = asking.open('{"type": "array", "items": {"$ref": "https://example.com/a.json"}}')

    assert ["[:any]"] == [found["signature"]]
    assert "(widened)" in found["losses"][0]


@pytest.mark.parametrize("example", EXAMPLES, ids=[each["title"] for each in EXAMPLES])
def test_each_example_of_the_page_is_read_and_says_something(
    asking: Asking, example: dict[str, Any]
) -> None:
    if "pydantic" in example["source"]:
        pytest.importorskip("pydantic")
    found = asking.open(example["source"], example["kind"])
    read = asking.read(example["sent"], example.get("mode", "enabled"))

    assert "error" not in found
    assert (read["warnings"] or read["errors"]) != []


# what is told of it


@pytest.mark.parametrize("example", EXAMPLES, ids=[each["title"] for each in EXAMPLES])
def test_each_notation_vendor_and_style_has_a_row(asking: Asking, example: dict[str, Any]) -> None:
    if "pydantic" in example["source"]:
        pytest.importorskip("pydantic")
    asking.open(example["source"])
    notations, definitions, sizes = (
        asking.ask(do)["rows"] for do in ("notations", "definitions", "tokens")
    )

    assert [*NOTATIONS] == [row["name"] for row in notations]
    assert all(row.get("text") or row.get("error") for row in (*notations, *definitions))
    assert len(definitions) >= len(PROVIDER_NAMES)
    styles = get_args(Style)

    assert [*styles] == [row["name"] for row in sizes[: len(styles)]]
    assert all(row["tokens"] == -(-row["characters"] // 4) or "names" in row for row in sizes)


def test_a_definition_has_its_losses(asking: Asking) -> None:
    asking.open(FUNCTION)
    strict = {row["title"]: row for row in asking.ask("definitions")["rows"]}["OpenAI chat, strict"]

    assert ["find.params.floor: an optional field"] == [
        loss.partition(": openai")[0] for loss in strict["losses"]
    ]


def test_malli_is_on_one_line_and_json_schema_on_many(asking: Asking) -> None:
    asking.open("(n :int) -> :int")
    text = {row["name"]: row["text"] for row in asking.ask("notations")["rows"]}

    assert '[":=>", [":catn", [":n", ":int"]], ":int"]' == text["malli"]
    assert text["json_schema"].startswith("{\n")


# what a model sent


def test_arguments_are_checked_and_nothing_is_called(asking: Asking) -> None:
    asking.open(FUNCTION)
    read = asking.read('{"seats": "2", "view": 1}')

    assert '{\n  "seats": 2\n}' == read["value"]
    assert [
        'seats: coerced string "2" to int',
        "view: unexpected key dropped",
    ] == read["warnings"]
    assert ("", None) == (read["printed"], read.get("text"))


def test_the_function_is_called_if_that_is_asked_for(asking: Asking) -> None:
    asking.open(FUNCTION)
    read = asking.read('{"seats": 2}', call=True)

    assert ('["Birch","Birch"]', "looking\n") == (read["text"].replace(" ", ""), read["printed"])


def test_what_does_not_fit_has_the_feedback_for_the_model(asking: Asking) -> None:
    asking.open(FUNCTION)
    read = asking.read('{"seats": "two"}')

    assert (False, ['seats: expected int, got string "two"']) == (read["ok"], read["errors"])
    assert read["feedback"].endswith("A call that fits: find(seats :int, floor :int?)")


def test_what_is_sent_is_read_in_the_form_of_a_vendor(asking: Asking) -> None:
    found = asking.open("(labels :map[:int]) -> :int")
    forms = [form for form, _ in found["forms"]]
    good = asking.read('{"labels": [{"key": "a", "value": 1}]}', form="gemini parameters")
    bad = asking.read('{"labels": [{"key": "a"}]}', form="gemini parameters")

    assert "gemini parameters" in forms
    assert '{\n  "labels": {\n    "a": 1\n  }\n}' == good["value"]
    assert '{"key": "a"' in bad["feedback"] or '"key": "a"' in bad["feedback"]


def test_an_answer_is_read_in_the_form_of_a_vendor(asking: Asking) -> None:
    asking.open("[:int]")

    assert "[\n  1\n]" == asking.read('{"items": ["1"]}', form="openai chat, strict")["value"]


def test_a_tool_is_called_in_the_form_of_a_vendor(asking: Asking) -> None:
    asking.open(FUNCTION)
    read = asking.read('{"seats": 1, "floor": null}', form="openai chat, strict", call=True)

    assert '["Birch"]' == read["text"]


@pytest.mark.parametrize("source", ["async def f(n: int) -> int: ...", "(n :int) -> :int"])
def test_what_cannot_be_called_is_checked(asking: Asking, source: str) -> None:
    found = asking.open(source)

    assert found["can_call"] is False
    if found["kind"] == "python":
        assert '{\n  "n": 1\n}' == asking.read('{"n": 1}', call=True)["value"]


# mistakes


def test_a_mistake_has_the_message_of_typesig_as_it_is(asking: Asking) -> None:
    title, text = asking.error("(a :itn) -> :int")

    assert "SignatureSyntaxError" == title
    assert text.endswith('    ^^^^\n  there is no type ":itn"; did you mean :int?')


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        ("", "guess", "there is nothing here: paste a function, a type, a schema or a signature"),
        ("{", "json", "this is not JSON: "),
        ("[" * 5_000, "json", "this is not JSON: "),
        ("3", "json", "a JSON Schema is an object, and a definition of a tool, too"),
        ('["a"', "malli", "this is not JSON: "),
        ("(n :int)", "runes", "unknown kind 'runes'; the kinds are guess, python, json"),
        ("x = 1", "python", "this defines no function with hints, and no class"),
        ("a" * 100_001, "python", "the text may have 100,000 characters, this has 100,001"),
        ("def f(a): ...", "python", "f has no hints, so it is left out; annotate its parameters"),
    ],
)
def test_what_cannot_be_read_says_why(asking: Asking, source: str, kind: str, message: str) -> None:
    assert message in asking.error(source, kind)[1]


@pytest.mark.parametrize(
    ("source", "title", "text"),
    [
        ("x = 1\ny = x / 0", "ZeroDivisionError", "line 2\nZeroDivisionError: division by zero"),
        ("def f():\n    raise KeyError(1)\nf()", "KeyError", "line 3\nline 2, in f\nKeyError: 1"),
        ("import sys\nsys.exit(3)", "SystemExit", "line 2\nSystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", "line 1\nKeyboardInterrupt"),
        ("import no_such_module", "ModuleNotFoundError", "line 1\nModuleNotFoundError: No module named 'no_such_module'\n"
         "This page has the standard library, pydantic, attrs and msgspec. Leave the import out, or "
         "install typesig and run your module there."),
        ("def f(n: int) -> int:\n    return f(n)\nf(1)", "RecursionError", "line 3\nline 2, in f"),
        ("class E(Exception):\n    def __str__(self): raise E\nraise E", "E", "line 3\n"),
    ],
)  # fmt: skip
def test_an_exception_of_pasted_code_is_told_with_its_lines(
    asking: Asking, source: str, title: str, text: str
) -> None:
    found = asking.error(source, "python")

    assert title == found[0]
    assert found[1].startswith(text)


def test_a_mistake_of_syntax_has_its_line(asking: Asking) -> None:
    title, text = asking.error("def f(:\n    ...")

    assert "SyntaxError" == title
    assert "line 1" in text
    assert "    def f(:" in text


def test_code_with_nul_characters_is_refused(asking: Asking) -> None:
    assert asking.error("x = 1\0", "python")[0] in ("SyntaxError", "ValueError")


def test_an_exception_of_a_function_that_is_called_is_told(asking: Asking) -> None:
    asking.open("def f(n: int) -> int:\n    return 1 // n\n")
    error = asking.read('{"n": 0}', call=True)["error"]

    assert "ZeroDivisionError" == error["title"]
    assert error["text"].startswith("line 2, in f\n")


def test_an_unknown_mode_form_or_request_says_so(asking: Asking) -> None:
    asking.open("(n :int) -> :int")

    assert "there is no mode 'loose'" in asking.read("{}", mode="loose")["error"]["text"]
    assert "this has no form 'x'" == asking.read("{}", form="x")["error"]["text"]
    assert "the page knows no request" in asking.ask("dance")["error"]["text"]


def test_nothing_is_read_where_nothing_could_be_opened(asking: Asking) -> None:
    asking.open("(n :int) -> :int")
    asking.open("(n :itn) -> :int")

    assert "nothing is open: what is above cannot be read" == asking.read("{}")["error"]["text"]


def test_a_fault_of_typesig_asks_for_a_report(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise AttributeError("gone")

    monkeypatch.setattr(page, "size_rows", broken)
    asking.open(":int")
    error = asking.ask("tokens")["error"]

    assert "a bug in typesig: please report it with a link" == error["title"]
    assert error["text"].endswith("AttributeError: gone\n")


def test_a_stack_that_is_too_deep_is_no_fault(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deep(_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(page, "size_rows", deep)
    asking.open(":int")

    assert "this nests too deep for the stack of a browser" == asking.ask("tokens")["error"]["text"]


def test_what_is_too_long_to_be_sent_says_so(asking: Asking) -> None:
    asking.open(":int")

    assert (
        "the text may have 100,000 characters, this has 100,001"
        == asking.read("1" * 100_001)["error"]["text"]
    )


# bounds


def test_what_goes_out_is_bounded(asking: Asking) -> None:
    fields = ", ".join(f"a{number} :int" for number in range(3_000))
    found = asking.open(f"({fields}) -> :int")
    answers = [asking.ask(do) for do in ("notations", "definitions")]
    read = asking.read("{" + ", ".join(f'"b{number}": 1' for number in range(3_000)) + "}")

    assert "more characters)" in found["signature"]
    assert all(
        len(row.get("text", "")) < texts.MAX_TEXT + 100 for each in answers for row in each["rows"]
    )
    assert len(read["errors"]) == texts.MAX_TOLD + 1
    assert read["errors"][-1].startswith("… and ")


def test_what_code_prints_is_kept_up_to_a_bound(asking: Asking) -> None:
    found = asking.open("for n in range(500):\n    print('x' * 99)\ndef f(n: int): ...")

    assert texts.MAX_TEXT + len("\n… (30,000 more characters)") == len(found["printed"])


def test_further_functions_and_types_are_counted(asking: Asking) -> None:
    found = asking.open("\n".join(f"def f{number}(n: int): ..." for number in range(205)))

    assert (pasted.MAX_NAMES, 5) == (len(found["names"]), found["unnamed"])
