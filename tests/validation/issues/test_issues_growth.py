"""No message grows with the texts that it quotes, and each can be printed, whatever they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import typesig
from typesig import Policy, ToolError, TypesigError, contract, parse, tool, tools_of
from typesig.algebra.nodes import INT, STRING, Field, Not, Ref
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Keyword
from typesig.algebra.signature import Signature
from typesig.cli.commands import typesig as command
from typesig.cli.inputs import data
from typesig.errors import ExtractionError, SignatureSyntaxError, Unsupported, format_value
from typesig.extraction.extract import extract
from typesig.listings import Template
from typesig.notations import convert, edn
from typesig.notations.gram import parse as gram
from typesig.relations import infer
from typesig.tools.tool import Tool
from typesig.validation import normalize_keys
from typesig.validation.issues.issues import Issue, ValidationError
from typesig.validation.json_text import BadJson, read_json

LONG = "n" * 200_000
STRANGE = "x\u202e\ud800\x1b[0m\u2028\U000e0001" + "y" * 200_000
HUGE = 10**5_000


def count(a: int) -> int:
    return a


def hinted(hint: Any) -> Callable[[int], int]:
    def function(a: int) -> int:
        return a

    function.__annotations__["a"] = hint
    return function


#: What raises an exception, with a text of others in it.
RAISED: dict[str, Callable[[Any], object]] = {
    "unknown type": lambda n: parse(f":{n}"),
    "quoted type": lambda n: parse(f':"{n}"'),
    "name twice": lambda n: parse(f'("{n}" :int, "{n}" :int) -> :int'),
    "names alike": lambda n: parse(f"({n}_b :int, {n}-b :int) -> :int"),
    "definition twice": lambda n: parse(f":{n} where {n} = :int, {n} = :int"),
    "definition of itself": lambda n: parse(f":{n} where {n} = :{n}"),
    "key twice": lambda n: parse(f'(a :map = {{"{n}": 1, "{n}": 2}}) -> :int'),
    "pattern twice": lambda n: parse(f"{{/{n[:9_000]}/ :int, /{n[:9_000]}/ :int}}"),
    "bare word": lambda n: parse(f"(a :string = {n}) -> :int"),
    "unfit default": lambda n: parse(f'("{n}" :int = "{n}") -> :int'),
    "format": lambda n: parse(f":string[{n}]"),
    "pattern": lambda n: parse(f":string[/({n}/]"),
    "hint of Python": lambda n: parse(f"({n}: {n}) -> :int"),
    "text as a constraint": lambda n: parse(f':int["{n}"]'),
    "gram type": lambda n: gram(f"(a: {n}) --> Int"),
    "gram name twice": lambda n: gram(f'("{n}": Int, "{n}": Int) --> Int'),
    "gram label": lambda n: gram(f"(a::{n})"),
    "gram property": lambda n: gram(f"(a::String {{default:{n}}})==>(::String)"),
    "gram key": lambda n: gram(f'(a::Object {{default:{{"{n}":1,"{n}":1}}}})==>(::String)'),
    "EDN twice": lambda n: edn.read(f'{{"{n}" 1 "{n}" 2}}'),
    "EDN tag": lambda n: edn.read(f"#{n} 1"),
    "EDN value": lambda n: edn.write({n: object()}),
    "symbol": lambda n: edn.Symbol(f"1{n}"),
    "Malli type": lambda n: parse([f":{n}"]),
    "Malli property": lambda n: parse([":string", {f":{n}": 1}]),
    "Malli closed": lambda n: parse([":map", {":closed": n}, ["a", ":int"]]),
    "schema type": lambda n: typesig.from_json_schema({"type": n}),
    "schema reference": lambda n: typesig.from_json_schema({"$ref": n}),
    "schema property": lambda n: typesig.from_json_schema({"properties": {n: {"type": "x"}}}),
    "schema key": lambda n: typesig.from_json_schema(f'{{"{n}": 1, "{n}": 2}}'),
    "profile": lambda n: typesig.from_json_schema({}, profile=n),
    "notation": lambda n: parse("a", n),
    "option": lambda n: convert("(a :int) -> :int", "malli", **{n: 1}),
    "not expressible": lambda n: typesig.render(Signature([Field(n, Not(STRING))], STRING), "gram"),
    "mode": lambda n: parse("(a :int) -> :int").validate_input({}, mode=n),
    "coercion": lambda n: Policy(coercions=[n]),
    "coercions": lambda n: Policy(coercions=n),
    "extras": lambda n: Policy(extras=n),
    "time zone": lambda n: Policy(naive_datetime=n),
    "max_issues": lambda n: Policy(max_issues=n),
    "huge max_issues": lambda n: Policy(max_issues=-HUGE),
    "defaults": lambda n: Policy(defaults=n),
    "keys alike": lambda n: normalize_keys({f"{n}-a": 1, f"{n}_a": 2}),
    "tool name": lambda n: Tool(count, name=n),
    "explicit parameter": lambda n: tool(f'("{n}" :int) -> :int')(count),
    "given": lambda n: tool(count).call({"a": 1}, given={n: 1}),
    "no such tool": lambda n: tools_of([count])[n],
    "attribute": lambda n: getattr(tool(count), n),
    "contract": contract,
    "placeholder": lambda n: Template(f"{{{{{n}}}}}", "(a :int) -> :any"),
    "placeholder below": lambda n: Template(f"{{{{a.{n}}}}}", "(a {b :int}) -> :any"),
    "value of a placeholder": lambda n: Template("{{" + LONG + "}}", "(** :any) -> :any").render({}),
    "keyword": lambda n: Keyword(":" + n),
    "reference": lambda n: Signature([], Ref(n)),
    "field twice": lambda n: Signature([Field(n, INT), Field(n, INT)], INT),
    "bound": lambda n: Constraint("at_least", n),
    "step": lambda n: Constraint("multiple_of", n),
    "huge step": lambda n: Constraint("multiple_of", -HUGE),
    "huge pattern": lambda n: Constraint("pattern", HUGE),
    "huge format": lambda n: Constraint("format", HUGE),
    "optional": lambda n: extract(count, optional=n),
    "hint in text": lambda n: extract(hinted(n), strict=True),
    "value for a model": lambda n: parse(":any").validate_output({n: object()}).for_model(),
    "sample": lambda n: infer([{n: object()}]),
    "answer": lambda n: contract(f'{{"{n}" :int}}').read({}).result,
    "issue": lambda n: contract(":int").read(n).result,
    "error with a path": lambda n: (_ for _ in ()).throw(Unsupported(n, (n, n), n)),
    "error with a remedy": lambda n: (_ for _ in ()).throw(ExtractionError(n, n)),
    "error with a line": lambda n: (_ for _ in ()).throw(SignatureSyntaxError(n, 1, 9, n)),
    "error with a long list": lambda n: (_ for _ in ()).throw(TypesigError(f"{n[:4]} " * 9_000)),
}  # fmt: skip


@pytest.mark.parametrize("text", [LONG, STRANGE], ids=["long", "strange"])
@pytest.mark.parametrize("case", RAISED)
def test_a_message_is_bounded_and_can_be_printed(case: str, text: str) -> None:
    with pytest.raises((TypesigError, KeyError, AttributeError)) as raised:
        RAISED[case](text)

    message = str(raised.value)
    assert len(message) <= (10_000 if case == "error with a long list" else 1_100)
    assert message.replace("\n", "").isprintable()
    assert len(repr(raised.value)) <= 1_100
    assert repr(raised.value).isprintable()


def test_a_message_keeps_what_it_says_around_a_long_name() -> None:
    with pytest.raises(TypesigError) as raised:
        Signature([], Ref(LONG))

    assert f"the type :{'n' * 50}" in str(raised.value)
    assert str(raised.value).endswith("n is not defined")


def test_a_value_is_shortened_for_a_message() -> None:
    class Unwritable:
        def __repr__(self) -> str:
            raise RuntimeError

    assert "'abc'" == format_value("abc")
    assert "'aaaa…aaa'" == format_value("a" * 100, 8)
    assert "an int of 16610 bits" == format_value(HUGE)
    assert str(10**100)[:4] + "…000" == format_value(10**100, 8)
    assert "a value of Unwritable" == format_value(Unwritable())


def test_an_outcome_with_huge_ints_has_a_repr() -> None:
    out = parse(":any").validate_output({"a": HUGE, HUGE: [-HUGE], "b": 10**90})

    bits = "an int of 16610 bits"
    assert f"Outcome({{'a': {bits}, {bits}: [{bits}], 'b': {10**90}}})" == repr(out)


@pytest.mark.parametrize(
    ("signature", "value"),
    [
        (":map[:int :int]", {HUGE: "x"}),
        ("[:int[1..5]]", [HUGE]),
        ("[:string]", [HUGE]),
        ("[:string]", [LONG, STRANGE, 1]),
        ("{a :int}!", {LONG: 1, STRANGE: 2, "a": LONG}),
        (':enum["a" "b"]', STRANGE),
        ('[:enum["a" "b"]]', [HUGE]),
        (":string[email]", STRANGE),
        ("#{:int}", [HUGE, HUGE]),
        (":datetime", STRANGE),
    ],
    ids=lambda part: part if isinstance(part, str) and len(part) < 30 else "value",
)
def test_a_report_is_bounded_and_can_be_printed(signature: str, value: Any) -> None:
    for out in (parse(signature).validate_output(value), contract(signature).read(value, "strict")):
        assert len(out.report()) < 2_000
        assert out.report().replace("\n", "").isprintable()
        assert repr(out).isprintable()
        assert out.tree() is not None or out.ok


def test_the_text_of_a_tools_error_stays_and_can_be_printed() -> None:
    @tool
    def find(name: str) -> str:
        raise ToolError(f"first\r\n\tno {name}\x1b[0m" + "a b " * 5_000)

    report = find.call({"name": "\ud800"}).report()

    assert "- first\n  \tno \\ud800\\x1b[0ma b a b" in report
    assert len(report) > 20_000
    with pytest.raises(ValidationError) as raised:
        _ = find.call({"name": "\u202e"}).value
    assert "\\u202e" in str(raised.value)


def test_an_issue_of_others_can_be_printed() -> None:
    issue = Issue("host", ("a",), "", "no \U000e0001", "\x00")

    assert "a: no \\U000e0001 (\\x00)" == str(issue)


def test_bytes_that_are_too_many_are_not_decoded() -> None:
    with pytest.raises(BadJson) as raised:
        read_json(b"\xff" * 64_000_001)

    assert "too large: 64000001 bytes, at most 16000000 characters" == str(raised.value)


def run(*arguments: str, given: bytes = b"") -> Any:
    return CliRunner().invoke(command, arguments, input=given)


def test_a_file_that_is_no_value_is_not_read_beyond_the_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(data, "_TOO_LONG", 1_000)
    read = []

    def lines() -> Any:
        for at in range(1_000):
            read.append(at)
            yield b"{" + b" " * 98 + b"\n"

    assert 10 == len([*data._iter_bounded(lines())])
    assert 10 == len(read)


@pytest.mark.parametrize("line", [b"[" * 100_000, b'"' + b'\\"' * 100_000, b"\xff" * 100_000])
def test_a_command_reads_a_long_line(line: bytes) -> None:
    done = run("check", ":int", "-", given=b"1\n" + line + b"\n2\n")

    assert 1 == done.exit_code
    assert "3 values: 2 fit, 1 do not" in done.output
    assert len(done.output) < 400


def test_a_command_prints_a_limited_number_of_lines_about_broken_json() -> None:
    given = b"1\n" + b"{\n" * 3_000

    assert 1_002 == len(run("check", ":int", "-", given=given).output.splitlines())
    assert 3_001 == len(run("check", ":int", "-", "--all", given=given).output.splitlines())


def test_a_command_refuses_a_long_signature_in_a_few_words() -> None:
    for text in ("(" * 100_000, ":" + LONG, '(a :string "' + "(" * 100_000):
        done = run("convert", text)
        assert 2 == done.exit_code
        assert len(done.output) < 600
