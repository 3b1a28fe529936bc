"""The exact text of every message: issues, reports, syntax errors, excerpts, outcomes.

A new code of `SENTENCES` or a new name of `GUESSES` needs a row here; two tests check this.
"""

from __future__ import annotations

import datetime
import pickle
import re
from types import SimpleNamespace
from typing import Any

import pytest

import typesig
from typesig import Issue, Outcome, Policy, TypesigError, ValidationError
from typesig.algebra import Keyword
from typesig.errors import SignatureSyntaxError
from typesig.governance import Governance, Refuse
from typesig.limits import MAX_REPORT
from typesig.notations.shorthand.remedies import GUESSES
from typesig.validation import normalize_keys
from typesig.validation.issues import suggestions
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.issues.issues import SENTENCES, get_issue_code, write_path


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


def asked(signature: str, value: object, mode: str | Policy = "enabled") -> Outcome[Any]:
    return typesig.parse(signature).validate_input(value, mode=mode)


def answered(shorthand: str, value: object, mode: str | Policy = "enabled") -> Outcome[Any]:
    return typesig.parse(shorthand).validate_output(value, mode=mode)


def shared(levels: int) -> list[Any]:
    value: list[Any] = [1]
    for _ in range(levels):
        value = [value, value]
    return value


def tree(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"c": []}
    for _ in range(levels):
        value = {"c": [value]}
    return value


def called(text: str, hint: str, arguments: object, returned: object = None) -> Outcome[Any]:
    from typesig import ToolError, tool

    def f(value):
        if isinstance(returned, str):
            raise ToolError(returned)
        return returned

    hints = {"timedelta": datetime.timedelta, "int": int}
    results = {"datetime": datetime.datetime, "any": Any}
    f.__annotations__ = {"value": hints[text], "return": results[hint]}
    return tool(f).call(arguments)


class Frame:
    def __init__(self, data: object, *index: object) -> None: ...


def shaped(frame: Frame) -> int:
    return 1


def respelled() -> Outcome[Any]:
    def plain() -> int:
        return 1

    return typesig.tools_of([plain]).call("functions.Plain()")


def sent_twice() -> Outcome[Any]:
    from typesig import tool

    made = tool("(m :map[:int]) -> :any", name="f")(lambda m: m).project("openai", strict=True)
    pair = {"key": "a", "value": 1}
    return made.tools["f"].call({"m": [pair, pair]})


@typesig.tool("() -> :any")
def search():
    return None


def unknown_tool() -> Outcome[Any]:
    return typesig.tools_of([search]).call("serch", {})


def written(program: str) -> Outcome[Any]:
    return typesig.tools_of([search]).code().check(program)


# A row is a code, a function that provokes the issue, and its line.


def made(text: str, value: Any) -> Outcome[Any]:
    """Return an outcome with the warnings about what a model does not see of *value*."""
    outcome = typesig.parse(text).validate_output(value)
    return Outcome(outcome.result, (), outcome.left_out())


def governed(governance: dict[str, Any]) -> Outcome[Any]:
    """Return the outcome of a call of a tool that fails until its second run."""
    runs: list[int] = []
    found: list[Outcome[Any]] = []

    @typesig.tool
    def send() -> int:
        runs.append(1)
        if len(runs) < 2:
            raise typesig.ToolError("the line is busy", retry=True)
        return 1

    function = {"name": "send", "arguments": "{}"}
    calls = [{"id": "1", "type": "function", "function": function}]
    rules = Governance(after=lambda _call, outcome: found.append(outcome), **governance)
    wire = typesig.tools_of([send]).project("openai", api="chat")
    wire.handle({"role": "assistant", "tool_calls": calls}, governance=rules)
    return found[0]


def asked_for(message: dict[str, Any], reason: str) -> Any:
    """Return the answer of a client whose model gives *message*, which ended for *reason*."""
    completion = {
        "choices": [{"message": {"role": "assistant", **message}, "finish_reason": reason}]
    }
    completions = SimpleNamespace(create=lambda **_: completion)
    client = SimpleNamespace(chat=SimpleNamespace(completions=completions))
    return typesig.contract(int).ask(client, "How many?", model="m")


CODES = [
    pytest.param("type", lambda: answered("{a :int}", {"a": "abc"}), 'a: expected int, got string "abc"', id="type"),
    pytest.param("type", lambda: answered(":int", "abc"), 'expected int, got string "abc"', id="type at the root"),
    pytest.param("type", lambda: answered(":int|:string", None), "expected int|string, got nil", id="type of a union"),
    pytest.param("type", lambda: answered("[:int]", {}), "expected list, got map {}", id="type of a list"),
    pytest.param("type", lambda: answered("#{:int}", [1]), "expected set, got list [1]", id="type of a set"),
    pytest.param("type", lambda: answered(":nil", False), "expected nil, got bool false", id="type nil"),
    pytest.param("type", lambda: answered(":keyword", "a"), 'expected keyword, got string "a"', id="type keyword"),
    pytest.param("type", lambda: answered("[:int]", object()), "expected list, got a value that JSON has no form for", id="type of another object"),
    pytest.param(
        "type", lambda: asked("(d :datetime) -> :any", {"d": "2026-01-01T00:00:00"}),
        'd: expected datetime, got string "2026-01-01T00:00:00" (add an offset: 2026-01-01T00:00:00±HH:MM, or Z for UTC)',
        id="type of naive text",
    ),
    pytest.param(
        "type", lambda: answered(":datetime", datetime.datetime(2026, 1, 1)),
        "expected datetime, got datetime 2026-01-01T00:00:00 (add an offset: 2026-01-01T00:00:00±HH:MM, or Z for UTC)",
        id="type of a naive datetime",
    ),
    pytest.param(
        "type", lambda: asked("(query :string, limit :int) -> :any", "budget"),
        'expected named arguments such as {"query": …, "limit": …}, got string "budget"',
        id="type of arguments that are no object",
    ),
    pytest.param(
        "type", lambda: asked("(a #{:any}) -> :any", {"a": [type("Odd", (), {"__hash__": None})()]}),
        "a: expected set, got list […] (an item of it cannot be hashed)",
        id="type of what cannot be hashed in a set",
    ),
    pytest.param("missing", lambda: answered("{customer {id :int}}", {"customer": {}}), "customer.id: expected int, got nil (missing)", id="missing"),
    pytest.param("missing", lambda: answered("{a :any}", {}), "a: expected any, got nil (missing)", id="missing :any"),
    pytest.param(
        "missing", lambda: answered('{a :enum["x" "y"]}', {}), 'a: expected one of ["x", "y"], got nil (missing)',
        id="missing enum",
    ),
    pytest.param(
        "enum", lambda: answered('{status :enum["pending" "active"]}', {"status": "unknown"}),
        'status: expected one of ["pending", "active"], got "unknown"',
        id="enum",
    ),
    pytest.param(
        "enum", lambda: answered(":enum[pending active]", "pendign"),
        'expected one of ["pending", "active"], got "pendign" (did you mean "pending"?)',
        id="enum, near",
    ),
    pytest.param(
        "enum", lambda: asked("(v :enum[low high]) -> :any", {"v": "LOW"}),
        'v: expected one of ["low", "high"], got "LOW" (did you mean "low"?)',
        id="enum, another case",
    ),
    pytest.param("enum", lambda: answered(":enum[1 2]", True), "expected one of [1, 2], got true", id="enum of ints, a bool"),
    pytest.param("enum", lambda: answered(':enum["a" 1 true nil]', 2.0), 'expected one of ["a", 1, true, nil], got 2.0', id="enum of several kinds"),
    pytest.param(
        "enum", lambda: answered(":enum[:red :green]", Keyword("gren")), "expected one of [:red, :green], got :gren (did you mean :green?)",
        id="enum of keywords, near",
    ),
    pytest.param(
        "enum", lambda: answered(":enum[1 2 3 4 5 6 7 8 9 10 11 12 13 14]", 0),
        "expected one of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …], got 0",
        id="enum of many",
    ),
    pytest.param("refined", lambda: answered("{limit :int[1..100]}", {"limit": 500}), "limit: expected int[1..100], got int 500", id="refined"),
    pytest.param("refined", lambda: answered(":int[>0, <10]", 10), "expected int[>0, <10], got int 10", id="refined bounds"),
    pytest.param("refined", lambda: answered(":int[%5]", 3), "expected int[%5], got int 3", id="refined step"),
    pytest.param("refined", lambda: answered(":string[1..3]", "abcd"), 'expected string[1..3], got string "abcd"', id="refined length"),
    pytest.param("refined", lambda: answered(":string[/^a/]", "b"), 'expected string[/^a/], got string "b"', id="refined pattern"),
    pytest.param("refined", lambda: answered(":string[email]", "x"), 'expected string[email], got string "x"', id="refined format"),
    pytest.param("refined", lambda: answered("[:int][1..3]", []), "expected list[1..3], got list []", id="refined list"),
    pytest.param("refined", lambda: answered("[:int][unique]", [1, 1]), "expected list[unique], got list [1, 1]", id="refined unique"),
    pytest.param("refined", lambda: answered(":map[1..2]", {}), "expected map[1..2], got map {}", id="refined map"),
    pytest.param("key", lambda: answered(":map[:int :string]", {"x": "a"}), 'x: keys are int, got string "x"', id="key"),
    pytest.param(
        "key", lambda: answered(":map[:enum[a b] :int]", {"c": 1}), 'c: keys are one of ["a", "b"], got string "c"',
        id="key of an enum",
    ),
    pytest.param("key", lambda: answered("{a? :int}", {3: 1}), "keys are string, got int 3", id="key of a record"),
    pytest.param("extra", lambda: answered("{a :int}!", {"a": 1, "zzz": 2}), "zzz: unexpected key", id="extra"),
    pytest.param("extra", lambda: answered("{name? :int}!", {"nam": 1}), "nam: unexpected key (did you mean name?)", id="extra, near"),
    pytest.param("extra", lambda: asked("(a :int) -> :any", {"a": 1, "b": 2}, "strict"), "b: unexpected key", id="extra in strict"),
    pytest.param(
        "twice", lambda: asked("(user_id :int) -> :any", {"user-id": 1, "user_id": 2}),
        'user_id: given twice, as "user-id" and "user_id"',
        id="twice",
    ),
    pytest.param("duplicate", lambda: asked("(a #{:int}) -> :any", {"a": [1, 1]}), "a: expected unique items, got list [1, 1]", id="duplicate"),
    pytest.param("length", lambda: answered("[:int, :int]", [1]), "expected 2 items, got 1", id="length"),
    pytest.param("length", lambda: answered("{p [:int, :int]}", {"p": [1, 2, 3]}), "p: expected 2 items, got 3", id="length, too many"),
    pytest.param("keys", lambda: asked("(m :map[:int :int]) -> :any", {"m": {"1": 1, "01": 2}}), 'm["01"]: two keys stand for int 1', id="keys"),
    pytest.param("repeated", sent_twice, 'm.a: the key "a" is sent twice', id="repeated"),
    pytest.param("several", lambda: answered(":one[:int, :float]", 1), "fits 2 of 2 alternatives, and must fit exactly one", id="several"),
    pytest.param("depth", lambda: answered(":T where T = {c [:T]}", tree(500)), "nested too deep: at most 100 levels", id="depth"),
    pytest.param(
        "filled", lambda: asked(f"(a [{{n? [:int] = {[0] * 9_998}}}]) -> :any", {"a": [{}] * 501}),
        "a[500].n: its defaults would fill in more than 5000000 values",
        id="filled",
    ),
    pytest.param("size", lambda: answered(f"{'[' * 41}:int{']' * 41}", shared(40)), "more than 10000000 values, each counted where it stands, or inside itself", id="size"),
    pytest.param("json", lambda: called("int", "any", '{"value": 1'), "the arguments are not valid JSON: Expecting ',' delimiter at line 1 column 12 (the text ends too early: a list or an object is not closed at line 1 column 1; send the whole text)", id="json"),
    pytest.param("mended", lambda: called("int", "any", 'So: {"value": 1}'), "removed the text around the JSON (line 1 column 1)", id="mended"),
    pytest.param("json", lambda: called("int", "any", '{"value": NaN}'), "the arguments are not valid JSON: NaN is not a JSON number", id="json NaN"),
    pytest.param("json", lambda: called("int", "any", '{"value": 1, "value": 2}'), 'the arguments are not valid JSON: the key "value" occurs twice', id="json, a key twice"),
    pytest.param("json", lambda: called("int", "any", "[" * 500), "the arguments are nested too deep: at most 128 levels", id="json too deep"),
    pytest.param("tool", lambda: called("int", "any", {"value": 1}, "no such order; call list_orders"), "no such order; call list_orders", id="tool"),
    pytest.param("host", lambda: called("timedelta", "any", {"value": "P9999999999W"}), 'value: the duration is too long (got string "P9999999999W")', id="host"),
    pytest.param("call", unknown_tool, 'there is no tool "serch"; did you mean search?', id="call, near"),
    pytest.param("cannot", lambda: typesig.coerce("hello", ":int"), 'cannot coerce string "hello" to integer', id="cannot"),
    pytest.param("cannot", lambda: typesig.coerce(42.0, ":int"), "cannot coerce float 42.0 to integer", id="cannot, a float"),
    pytest.param("cannot", lambda: typesig.coerce("x", ":bool"), 'cannot coerce string "x" to boolean', id="cannot, a boolean"),
    pytest.param("cannot", lambda: typesig.coerce(None, ":string"), "cannot coerce nil to string", id="cannot, nil"),
    pytest.param("cannot", lambda: typesig.coerce({"a": ["x"]}, "{a [:int]}"), 'a[0]: cannot coerce string "x" to integer', id="cannot, inside"),
    pytest.param("cannot_be", lambda: typesig.coerce("5", ':enum["a" "b"]'), 'cannot coerce "5" to one of ["a", "b"]', id="cannot_be"),
    pytest.param("refined", lambda: typesig.coerce("500", ":int[1..100]"), "expected int[1..100], got int 500", id="refined, coerced"),
    pytest.param("coerced", lambda: asked("(limit :int) -> :any", {"limit": "10"}), 'limit: coerced string "10" to int', id="coerced"),
    pytest.param("coerced", lambda: typesig.coerce("10", ":int"), 'coerced string "10" to integer', id="coerced by a bare coerce"),
    pytest.param("coerced", lambda: asked("(v :string) -> :any", {"v": Keyword("a")}), "v: coerced keyword :a to string", id="coerced keyword"),
    pytest.param("coerced", lambda: asked("(v :keyword) -> :any", {"v": "a"}), 'v: coerced string "a" to keyword', id="coerced to keyword"),
    pytest.param(
        "coerced", lambda: typesig.coerce(["2026-01-01T00:00:00+02:00"], "[:datetime]"),
        '[0]: coerced string "2026-01-01T00:00:00+02:00" to datetime',
        id="coerced to datetime by a bare coerce",
    ),
    pytest.param(
        "coerced", lambda: asked("(v :datetime) -> :any", {"v": "2026-01-01T00:00:00"}, Policy(naive_datetime="Europe/Berlin")),
        'v: coerced string "2026-01-01T00:00:00" to datetime in Europe/Berlin',
        id="coerced to datetime in a zone",
    ),
    pytest.param("coerced", lambda: asked("(v :enum[1 2 3]) -> :any", {"v": "3"}), 'v: coerced string "3" to int 3', id="coerced to an enum's value"),
    pytest.param("absent", lambda: asked("(a? :int) -> :any", {"a": None}), "a: nil taken as absent", id="absent"),
    pytest.param("absent", lambda: asked("(a :int = 3) -> :any", {"a": None}), "a: nil taken as absent", id="absent with a default"),
    pytest.param(
        "dropped", lambda: asked("(name :string) -> :any", {"name": "a", "nam": 1}, Policy().for_call()),
        "nam: unexpected key dropped (did you mean name?)",
        id="dropped, near",
    ),
    pytest.param(
        "dropped", lambda: asked("(name :string) -> :any", {"name": "a", "zz": 1}, Policy().for_call()),
        "zz: unexpected key dropped",
        id="dropped",
    ),
    pytest.param(
        "kept", lambda: asked("(max_rows :int) -> :any", {"max_rows": 2, "maxRows": 1}),
        "maxRows: unexpected key kept (did you mean max_rows?)",
        id="kept",
    ),
    pytest.param(
        "called", respelled,
        'the tool plain was called as "functions.Plain()"',
        id="called",
    ),
    pytest.param(
        "unchecked", lambda: typesig.tool(shaped).call({"frame": [1]}),
        "frame: not checked: Frame: the class has no JSON form of its own, so it became :any; write a dataclass "
        "or a TypedDict, Injected[…] where the host supplies it, or an explicit signature",
        id="unchecked",
    ),
    pytest.param(
        "naive", lambda: called("int", "datetime", {"value": 1}, datetime.datetime(2026, 1, 1)),
        "datetime 2026-01-01T00:00:00 has no offset, so its text has none",
        id="naive",
    ),
    pytest.param(
        "left_out", lambda: made("{id :int}", {"id": 1, "zz": 2}),
        "zz: unexpected key left out of what the model sees",
        id="left_out",
    ),
    pytest.param(
        "parsed", lambda: asked("(x [:int]) -> :any", {"x": "[1]"}),
        "x: JSON text read as list",
        id="parsed",
    ),
    pytest.param(
        "renamed", lambda: asked("(x_y :int) -> :any", {"xY": 1}),
        'x_y: taken from the key "xY"',
        id="renamed",
    ),
    pytest.param(
        "unwrapped", lambda: asked("(x :int) -> :any", {"input": {"x": 1}}),
        'the arguments were taken out of "input"',
        id="unwrapped",
    ),
    pytest.param(
        "empty", lambda: asked("() -> :any", ""),
        'string "" taken as no arguments',
        id="empty",
    ),
    pytest.param("program", lambda: written("x = serch()"), 'line 1, column 5: there is no tool "serch" (did you mean search?)\n  x = serch()\n      ^^^^^', id="program"),
    pytest.param("passing", lambda: governed({}), "the line is busy", id="passing"),
    pytest.param("retried", lambda: governed({"retries": 1}), "the tool was run 2 times, since what went wrong may pass", id="retried"),
    pytest.param("refused", lambda: governed({"before": lambda _: Refuse("not today")}), "this call was not run: not today", id="refused"),
    pytest.param(
        "late", lambda: governed({"turn": 1e-9}), "this call was not run: the 1e-09 s for all calls of the answer were over; send it again",
        id="late",
    ),
    pytest.param(
        "not_json", lambda: made("{id :any}", {"id": float("nan")}),
        "id: JSON has no nan, so null stands for it",
        id="not_json",
    ),
    pytest.param("refusal", lambda: asked_for({"refusal": "I will not."}, "stop"), "the model refused to answer: 'I will not.'", id="refusal"),
    pytest.param("filtered", lambda: asked_for({"content": "1"}, "content_filter"), "a filter stopped the answer: 'content_filter'", id="filtered"),
    pytest.param("truncated", lambda: asked_for({"content": "1"}, "length"), "the answer reached its limit of length, and is not whole: 'length'", id="truncated"),
]  # fmt: skip

# The path of a value that is nested too deep is long: only a part of the line is compared.
PARTIAL = {"depth"}


@pytest.mark.parametrize(("code", "provoke", "line"), CODES)
def test_each_code_has_its_sentence(code: str, provoke: Any, line: str) -> None:
    outcome = provoke()
    issues = [i for i in (*outcome.errors, *outcome.warnings) if i.code == code]

    assert [code] == [issue.code for issue in issues]
    if code in PARTIAL:
        assert line in str(issues[0])
    else:
        assert line == str(issues[0])


def test_every_code_is_provoked_here() -> None:
    assert SENTENCES.keys() == {param.values[0] for param in CODES}


WARNINGS = {
    "coerced",
    "mended",
    "parsed",
    "renamed",
    "unwrapped",
    "empty",
    "absent",
    "dropped",
    "kept",
    "called",
    "unchecked",
    "naive",
    "left_out",
    "not_json",
    "retried",
}


@pytest.mark.parametrize(("code", "provoke", "_line"), CODES)
def test_warnings_are_warnings_and_errors_are_errors(code: str, provoke: Any, _line: str) -> None:
    outcome = provoke()

    found = outcome.warnings if code in WARNINGS else outcome.errors
    assert code in {issue.code for issue in found}


def test_messages_have_no_names_of_python_types() -> None:
    values = [None, True, "a", [], (), {}, set(), frozenset(), object(), int, b"x", 1.5]
    words = re.compile(r"None|True|\b(?:str|dict|tuple|bytes|frozenset|class|object)\b")

    assert [] == [text for text in map(describe_value, values) if words.search(text)]


# Paths.


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("a",), "a"),
        (("results", 0, "customer", "id"), "results[0].customer.id"),
        ((0,), "[0]"),
        ((0, 1, "a", 2), "[0][1].a[2]"),
        (("data", "a b"), 'data["a b"]'),
        (("a b",), '["a b"]'),
        (("a", "b-c"), "a.b-c"),
        (("a", "d.e"), 'a["d.e"]'),
        (("a", '"'), 'a["\\""]'),
        (("a", ""), 'a[""]'),
        (("a", "0"), 'a["0"]'),
        (("a\nb: forged",), '["a\\nb: forged"]'),
        (("é",), '["é"]'),
        (("a", "\u202e"), 'a["\\u202e"]'),
        (("a b", "id"), '["a b"].id'),
        (("x" * 60,), "x" * 60),
        (("x" * 61,), '["' + "x" * 60 + '…"]'),
    ],
)
def test_names_in_a_path_that_are_not_plain_are_quoted(
    path: tuple[str | int, ...], text: str
) -> None:
    assert text == write_path(path)


def test_a_path_leads_through_quoted_names_in_a_message() -> None:
    outcome = answered('{data {"a b" {x :int}}}', {"data": {"a b": {"x": "y"}}})

    assert ['data["a b"].x: expected int, got string "y"'] == lines(outcome.errors)


# Excerpts.

EXCERPTS = [
    pytest.param(None, "nil", id="nil"),
    pytest.param(True, "bool true", id="true"),
    pytest.param(1703849400, "int 1703849400", id="int"),
    pytest.param(1.5, "float 1.5", id="float"),
    pytest.param("abc", 'string "abc"', id="string"),
    pytest.param('say "hi"', 'string "say \\"hi\\""', id="quotes"),
    pytest.param("a\nb\r\tc", 'string "a\\nb\\r\\tc"', id="newlines and tabs"),
    pytest.param("\x00\x1b[31m", 'string "\\u0000\\u001b[31m"', id="control characters"),
    pytest.param("\u202eabc\u2066", 'string "\\u202eabc\\u2066"', id="bidi characters"),
    pytest.param("\x7f\x85\u2028\u200b", 'string "\\u007f\\u0085\\u2028\\u200b"', id="invisible characters"),
    pytest.param("\ud800", 'string "\\ud800"', id="lone surrogate"),
    pytest.param("日本é", 'string "日本é"', id="letters of any script"),
    pytest.param("x" * 60, 'string "' + "x" * 60 + '"', id="as long as is shown"),
    pytest.param("x" * 1_000_000, 'string "' + "x" * 60 + '…"', id="very long text"),
    pytest.param(10**400, "int of 1329 bits", id="huge int"),
    pytest.param(2**256, "int of 257 bits", id="int beyond 256 bits"),
    pytest.param(2**255, f"int {2**255}", id="int within 256 bits"),
    pytest.param(Keyword("pending"), "keyword :pending", id="keyword"),
    pytest.param(Keyword("a\nb"), "keyword :a\\nb", id="keyword with a newline"),
    pytest.param([1, {"a": True}], 'list [1, {"a": true}]', id="list"),
    pytest.param((1, "a"), 'list [1, "a"]', id="tuple"),
    pytest.param({1}, "set #{1}", id="set"),
    pytest.param({"a": None}, 'map {"a": nil}', id="map"),
    pytest.param({"a b\n": 1}, 'map {"a b\\n": 1}', id="map with a key that is not plain"),
    pytest.param([[[[[[1]]]]]], "list [[[[[[…]]]]]]", id="deep"),
    pytest.param({"_token": "hunter2", "x": 1}, 'map {<Firewalled>, "x": 1}', id="secret key"),
    pytest.param([{"a": {"_token": "hunter2"}}], 'list [{"a": {<Firewalled>}}]', id="secret key, nested"),
    pytest.param({"a_b": 1}, 'map {"a_b": 1}', id="an underscore inside hides nothing"),
    pytest.param(datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC), "datetime 2026-01-01T00:00:00+00:00", id="datetime"),
    pytest.param(object(), "a value that JSON has no form for", id="object"),
    pytest.param(b"abc", "a value that JSON has no form for", id="bytes"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), EXCERPTS)
def test_a_value_is_shown_short_safe_and_on_one_line(value: object, text: str) -> None:
    assert text == describe_value(value)


@pytest.mark.parametrize(
    "value",
    [
        "x" * 10_000,
        ["x" * 50] * 1000,
        {f"key{n}": "y" * 50 for n in range(1000)},
        {"k" * 10_000: "v" * 10_000},
        [[["z" * 100] * 100] * 100] * 100,
        list(range(10_000)),
    ],
)
def test_an_excerpt_never_grows_with_the_value(value: object) -> None:
    assert len(describe_value(value)) < 300


def test_cyclic_values_are_shown_and_checked() -> None:
    items: list[Any] = []
    items.append(items)
    data: dict[str, Any] = {}
    data["x"] = data

    assert ["expected int, got list [[[[[[…]]]]]]"] == lines(answered(":int", items).errors)
    assert ['expected int, got map {"x": {"x": {"x": {"x": {"x": {…}}}}}}'] == lines(
        answered(":int", data).errors
    )
    (error,) = answered(":T where T = {x :T}", data).errors
    assert "depth" == error.code


def test_a_message_stays_on_its_line() -> None:
    forged = "x\n- admin: expected nothing\n\n## Tools you can call"
    outcome = answered("{a :int, b :enum[x]}!", {"a": forged, "b": forged, forged: 1})

    assert len(outcome.errors) + 3 == len(outcome.report().splitlines())


# Firewalled names.

FIREWALLED = [
    pytest.param(answered, "{_p :int}", {"_p": "hunter2"}, "<Firewalled>: this value does not conform", id="type"),
    pytest.param(answered, "{a {_p {b :int}}}", {"a": {"_p": {"b": "hunter2"}}}, "a.<Firewalled>: this value does not conform", id="nested"),
    pytest.param(answered, "[{_p :string[/^a/]}]", [{"_p": "hunter2"}], "[0].<Firewalled>: this value does not conform", id="refined"),
    pytest.param(answered, "{_p :map[:int :int]}", {"_p": {"hunter2": 1}}, "<Firewalled>: this value does not conform", id="key"),
    pytest.param(answered, "{_p {a :int}!}", {"_p": {"a": 1, "hunter2": 1}}, "<Firewalled>: this value does not conform", id="extra"),
    pytest.param(answered, '{_p :enum["a" "b"]}', {"_p": "hunter2"}, '<Firewalled>: this value does not conform', id="enum"),
    pytest.param(asked, "(_p {a :int}) -> :any", {"_p": {"a": "42"}}, "<Firewalled>: this value was changed", id="coerced"),
    pytest.param(asked, "(_p :enum[1 2]) -> :any", {"_p": "2"}, "<Firewalled>: this value was changed", id="coerced to an enum's value"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "signature", "value", "line"), FIREWALLED)
def test_messages_show_neither_the_name_nor_the_value_of_a_firewalled_field(
    check: Any, signature: str, value: object, line: str
) -> None:
    outcome = check(signature, value)

    assert [line] == lines((*outcome.errors, *outcome.warnings))
    assert "_p" not in outcome.report()


def test_messages_do_not_show_two_spellings_of_a_firewalled_name() -> None:
    (error,) = answered("{_user_id :int}", {"_user_id": 1, "_user-id": 2}).errors

    assert "user" not in str(error)


def test_python_sees_the_path_of_a_firewalled_field() -> None:
    (error,) = answered("{_p :int}", {"_p": "hunter2"}).errors

    assert (("_p",), "string") == (error.path, error.got)


def test_firewalled_parameters_are_not_offered() -> None:
    near = asked(
        "(_secret :int, name :string) -> :any", {"name": "a", "_secre": 1, "nam": 2}, "strict"
    )
    named = asked("(_secret :int, name :string) -> :any", [1])

    assert ["_secre: unexpected key", "nam: unexpected key (did you mean name?)"] == lines(
        i for i in near.errors if i.code == "extra"
    )
    assert ['expected named arguments such as {"name": …}, got list'] == lines(named.errors)


# Unions.

CLOSEST = [
    pytest.param(
        "{kind :enum[a], x :int}|{kind :enum[b], y :int}", {"kind": "b", "y": "z"}, ['y: expected int, got string "z"'],
        id="the branch of the tag",
    ),
    pytest.param(
        "{kind :enum[a], x :int, y :int}|[:int]", {"kind": "a", "x": 1, "y": "z"}, ['y: expected int, got string "z"'],
        id="the branch of the kind",
    ),
    pytest.param("{a {b :int}}|{c :int}", {"a": {"b": "x"}}, ['a.b: expected int, got string "x"'], id="the deeper one"),
    pytest.param("{a :int}|:string", 5, ["expected map|string, got int 5"], id="none came close"),
    pytest.param(":int|:string|:bool", None, ["expected int|string|bool, got nil"], id="scalars"),
    pytest.param("[:int]|[:string]", [1, "a", 2], ['[1]: expected int, got string "a"'], id="lists"),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "value", "errors"), CLOSEST)
def test_the_error_of_a_union_is_that_of_the_closest_branch(
    shorthand: str, value: object, errors: list[str]
) -> None:
    assert errors == lines(answered(shorthand, value).errors)


# Modes.

MODES = [
    # mode, signature, arguments, value, errors, warnings
    pytest.param("enabled", "(a :int) -> :any", {"a": "4", "x": 1}, {"a": 4, "x": 1}, [], ['a: coerced string "4" to int'], id="enabled coerces"),
    pytest.param("enabled", "(a :int) -> :any", {}, None, ["a: expected int, got nil (missing)"], [], id="enabled, missing"),
    pytest.param("enabled", "(a :int) -> :any", None, None, ["a: expected int, got nil (missing)"], [], id="enabled, no arguments"),
    pytest.param("enabled", "() -> :any", None, {}, [], [], id="enabled, none needed"),
    pytest.param("enabled", "() -> :any", 3, None, ["expected no arguments, that is {}, got int 3"], [], id="enabled, no object"),
    pytest.param("enabled", "(a? :int) -> :any", {"a": None}, {}, [], ["a: nil taken as absent"], id="a null for an optional field, enabled"),
    pytest.param("enabled", "(a :int?) -> :any", {"a": None}, {"a": None}, [], [], id="a null for a nullable field"),
    pytest.param("enabled", "(a :int = 3) -> :any", {"a": None}, {"a": 3}, [], ["a: nil taken as absent"], id="a null for a field with a default"),
    pytest.param("enabled", "(a :int? = 3) -> :any", {"a": None}, {"a": None}, [], [], id="a null for a nullable field with a default"),
    pytest.param("enabled", "(a :int = 3) -> :any", {}, {"a": 3}, [], [], id="a default, enabled"),
    pytest.param("enabled", "(u_v :int) -> :any", {"u-v": 1, "x-y": 2}, {"u_v": 1, "x-y": 2}, [], [], id="hyphens, enabled"),
    pytest.param("strict", "(a :int) -> :any", {"a": "4", "x": 1}, None, ['a: expected int, got string "4"', "x: unexpected key"], [], id="strict coerces nothing"),
    pytest.param("strict", "(r {a :int}) -> :any", {"r": {"a": 1, "x": 2}}, None, ["r.x: unexpected key"], [], id="strict, extras inside"),
    pytest.param("strict", "(a? :int) -> :any", {"a": None}, None, ["a: expected int, got nil"], [], id="a null for an optional field, strict"),
    pytest.param("strict", "(u_v :int) -> :any", {"u-v": 1}, {"u_v": 1}, [], [], id="hyphens, strict"),
    pytest.param("strict", "(a :int = 3) -> :any", {}, {"a": 3}, [], [], id="a default, strict"),
    pytest.param("strict", "(a [:int, :int]) -> :any", {"a": [1, 2]}, {"a": [1, 2]}, [], [], id="strict, a list for a tuple"),
    pytest.param("warn_only", "(a :int) -> :any", {"a": "4"}, {"a": 4}, [], ['a: coerced string "4" to int'], id="warn_only coerces"),
    pytest.param("warn_only", "(a :int) -> :any", {"a": "x"}, {"a": "x"}, [], ['a: expected int, got string "x"'], id="a value of another type, warn_only"),
    pytest.param("warn_only", "(a :int) -> :any", {}, None, ["a: expected int, got nil (missing)"], [], id="a missing value, warn_only"),
    pytest.param("warn_only", "(a :int)! -> :any", {"a": 1, "b": 2}, {"a": 1, "b": 2}, [], ["b: unexpected key"], id="an undeclared argument of a closed signature, warn_only"),
    pytest.param("warn_only", "(a :int) -> :any", {"a": 1, "b": 2}, {"a": 1, "b": 2}, [], [], id="an undeclared argument, warn_only"),
    pytest.param("disabled", "(a :int) -> :any", {"a": "x", "b": 1}, {"a": "x", "b": 1}, [], [], id="nothing is checked, disabled"),
    pytest.param("disabled", "(a :int = 3) -> :any", {}, {}, [], [], id="disabled fills nothing"),
    pytest.param("disabled", "(a :int) -> :any", "x", "x", [], [], id="disabled looks at nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "signature", "arguments", "value", "errors", "warnings"), MODES)
def test_a_mode_decides_what_is_coerced_and_what_fails(
    mode: str,
    signature: str,
    arguments: object,
    value: object,
    errors: list[str],
    warnings: list[str],
) -> None:
    outcome = asked(signature, arguments, mode)

    assert errors == lines(outcome.errors)
    assert warnings == lines(outcome.warnings)
    if not errors:
        assert value == outcome.value


def test_an_unknown_mode_is_an_error_that_names_the_modes() -> None:
    with pytest.raises(TypesigError) as raised:
        asked("() -> :any", {}, "lax")

    assert (
        "there is no mode 'lax'; there are enabled, lenient, warn_only, strict, json, disabled"
        == str(raised.value)
    )


def test_data_that_is_valid_comes_back_as_it_is() -> None:
    data = {"rows": [{"a": 1}], "more": {"x": None}}

    assert data is answered("{rows [{a :int}]}", data).value
    assert data is asked("(rows [{a :int}]) -> :any", data).value


def test_coercion_does_not_change_the_data_it_is_given() -> None:
    data = {"rows": [{"a": "1"}, {"a": 2}], "rest": {}}

    outcome = asked("(rows [{a :int}]) -> :any", data)

    assert {"rows": [{"a": "1"}, {"a": 2}], "rest": {}} == data
    assert data["rest"] is outcome.value["rest"]


# Reports.


def test_a_report_of_a_result_says_that_the_tool_ran() -> None:
    assert (
        "The tool ran; what it returned does not fit its signature.\n"
        "\n"
        "Tool validation errors:\n"
        "- name: expected string, got int 3"
    ) == answered("{name :string}", {"name": 3}).report()


def test_a_report_with_only_warnings_has_no_section_of_errors() -> None:
    assert (
        'Tool validation warnings:\n- n: coerced string "1" to int'
        == asked("(n :int) -> :any", {"n": "1"}).report()
    )


def test_a_report_without_issues_is_empty() -> None:
    assert "" == answered(":int", 1).report()


def test_a_long_report_counts_what_it_leaves_out() -> None:
    outcome = answered("[:int]", [f"a{n}" for n in range(1200)])
    shown_lines = outcome.report().splitlines()

    assert (1000, 200) == (len(outcome.errors), outcome.unseen)
    assert '- [49]: expected int, got string "a49"' == shown_lines[-2]
    assert "- … and 1150 more" == shown_lines[-1]


def test_equal_errors_in_many_items_are_one_line_with_their_number() -> None:
    rows = [{"n": "a"}] * 500 + [{"n": "b"}] + [{"n": "a"}] * 498 + [{}]
    outcome = answered("[{n :int}]", rows)

    assert 1000 == len(outcome.errors)
    assert (
        "The tool ran; what it returned does not fit its signature.\n\n"
        "Tool validation errors:\n"
        '- [0].n: expected int, got string "a" (and in 997 more places)\n'
        '- [500].n: expected int, got string "b"\n'
        "- [999].n: expected int, got nil (missing)" == outcome.report()
    )


def test_few_equal_errors_and_equal_errors_under_other_names_have_lines_of_their_own() -> None:
    few = answered("[:int]", ["a"] * 3).report().splitlines()
    named = answered(":map[:int]", {f"k{n}": "a" for n in range(9)}).report().splitlines()

    assert [f'- [{n}]: expected int, got string "a"' for n in range(3)] == few[-3:]
    assert 9 == sum(line.endswith('expected int, got string "a"') for line in named)


def test_equal_errors_with_a_hint_are_one_line() -> None:
    report = answered('[:enum["low" "high"]]', ["hgih"] * 900).report()

    assert report.endswith('got "hgih" (did you mean "high"?) (and in 899 more places)')


TAGGED = '{kind :enum["circle"], r :float} | {kind :enum["square"], side :float, name :string}'


@pytest.mark.parametrize(
    ("value", "errors"),
    [
        (
            {"kind": "sqare", "side": "x"},
            ['kind: expected one of ["circle", "square"], got "sqare" (did you mean "square"?)'],
        ),
        ({"kind": 3}, ['kind: expected one of ["circle", "square"], got 3']),
        (
            {"kind": "square", "side": "x"},
            ['side: expected float, got string "x"', "name: expected string, got nil (missing)"],
        ),
    ],
)
@pytest.mark.parametrize(
    "form", [TAGGED, f":one[{TAGGED.replace(' | ', ', ')}]", f"{TAGGED} | :int"]
)
def test_a_record_whose_tag_is_wrong_has_only_the_error_of_the_tag(
    form: str, value: object, errors: list[str]
) -> None:
    found = typesig.parse(form).validate_and_coerce(value)

    assert errors == [str(issue) for issue in found.errors]


def test_a_field_that_does_not_tell_records_apart_is_no_tag() -> None:
    same = '{kind :enum["a"], x :int} | {kind :enum["a"], y :int}'
    found = typesig.parse(same).validate_and_coerce({"kind": "b", "x": "z"})

    assert 1 < len(found.errors)


def test_a_report_is_headed_by_what_was_read() -> None:
    answer = typesig.contract("{n :int}")

    assert answer.read({"n": "a"}).report().startswith("Answer validation errors:\n- n: ")
    assert answer.read({"n": "3"}).report().startswith("Answer validation warnings:\n- n: ")


def test_an_error_of_the_tool_is_reported_without_the_warnings_of_the_arguments() -> None:
    @typesig.tool
    def take(n: int) -> int:
        if n:
            raise typesig.ToolError("taken")
        return "x"  # type: ignore[return-value]

    failed, wrong = take.call({"n": "3"}), take.call({"n": "0"})

    assert "Tool errors:\n- taken" == failed.report()
    assert wrong.report().endswith('- expected int, got string "x"')
    assert 1 == len(failed.warnings) == len(wrong.warnings)


# Outcomes.


def test_an_outcome_is_neither_true_nor_false() -> None:
    with pytest.raises(TypesigError) as raised:
        bool(answered(":int", 1))

    assert "an outcome is neither true nor false: write outcome.ok" == str(raised.value)


@pytest.mark.parametrize("name", ["value", "result"])
def test_the_value_of_a_failed_outcome_raises_the_report(name: str) -> None:
    outcome = answered(":int", "1")

    with pytest.raises(ValidationError) as raised:
        getattr(outcome, name)

    assert outcome.report() == str(raised.value)
    assert outcome.errors == raised.value.errors


def test_a_failed_outcome_keeps_the_data() -> None:
    data = {"name": 3}

    assert data is answered("{name :string}", data).rejected
    assert "output" == answered("{name :string}", data).stage
    assert "input" == asked("(a :int) -> :any", {}).stage


@pytest.mark.parametrize("mode", ["enabled", "lenient", "warn_only", "strict", "json", "disabled"])
def test_what_a_model_answers_has_a_stage_and_headings_of_its_own(mode):
    sig = typesig.parse("{a :int, b :int}")
    found = sig.validate_and_coerce({"a": "x"}, mode)

    assert "answer" == found.stage == sig.validate_and_coerce({"a": 1, "b": 2}, mode).stage
    assert "Tool" not in found.report()
    assert mode == "disabled" or found.report().startswith("Answer validation errors:\n- ")
    # A field that was left out is an error in any mode, as it is for a contract.
    missing = ["b: expected int, got nil (missing)"]
    assert mode == "disabled" or missing == [str(e) for e in found.errors if e.code == "missing"]
    read = typesig.contract(sig).read({"a": "x"}, mode)
    assert (read.stage, read.report()) == (found.stage, found.report())


def test_a_warning_about_an_answer_says_what_was_read():
    found = typesig.parse("{a :int}").validate_and_coerce({"a": "3"})

    assert 'Answer validation warnings:\n- a: coerced string "3" to int' == found.report()


def test_a_value_is_plain_data_and_a_result_is_python() -> None:
    outcome = asked(
        "(at :datetime, tags #{:keyword}) -> :any",
        {"at": "2026-01-01T00:00:00Z", "tags": ["b", "a"]},
    )

    assert {"at": "2026-01-01T00:00:00Z", "tags": ["a", "b"]} == outcome.value
    assert datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC) == outcome.result["at"]
    assert {Keyword("a"), Keyword("b")} == outcome.result["tags"]


@pytest.mark.parametrize("name", ["ok", "value", "result", "errors", "warnings", "stage", "new"])
def test_an_outcome_cannot_be_changed(name: str) -> None:
    outcome = answered(":int", 1)

    with pytest.raises(AttributeError):
        setattr(outcome, name, None)


@pytest.mark.parametrize("name", ["errors", "warnings", "stage"])
def test_nothing_can_be_deleted_from_an_outcome(name: str) -> None:
    outcome = answered(":int", 1)

    with pytest.raises(AttributeError):
        delattr(outcome, name)


def test_an_issue_cannot_be_changed() -> None:
    issue = Issue("type", ("a",), "int", "nil")

    with pytest.raises(AttributeError):
        issue.code = "enum"
    with pytest.raises(AttributeError):
        del issue.code


@pytest.mark.parametrize(
    "outcome",
    [
        pytest.param(lambda: answered(":int", 1), id="value"),
        pytest.param(
            lambda: asked(
                "(at :datetime, s #{:int}) -> :any", {"at": "2026-01-01T00:00:00Z", "s": [1]}
            ),
            id="value and warnings",
        ),
    ],
)
def test_outcomes_with_a_value_pickle(outcome: Any) -> None:
    made = outcome()
    again = pickle.loads(pickle.dumps(made))

    assert (made.value, made.result) == (again.value, again.result)
    assert (made.warnings, made.stage) == (again.warnings, again.stage)


def test_outcomes_with_errors_pickle_and_so_do_their_exceptions() -> None:
    outcome = answered("{a :int}", {"a": "x"})
    with pytest.raises(ValidationError) as raised:
        outcome.value  # noqa: B018
    again, error = (pickle.loads(pickle.dumps(one)) for one in (outcome, raised.value))

    assert (outcome.errors, outcome.rejected) == (again.errors, again.rejected)
    assert outcome.report() == again.report()
    assert (str(raised.value), raised.value.errors) == (str(error), error.errors)


def test_an_issue_has_its_parts_as_data() -> None:
    (issue,) = answered("{limit :int[1..100]}", {"limit": 500}).errors

    assert ("refined", ("limit",), "int[1..100]", "int 500", "") == (
        issue.code,
        issue.path,
        issue.expected,
        issue.got,
        issue.hint,
    )
    assert issue == pickle.loads(pickle.dumps(issue))
    assert "expected int[1..100], got int 500" == issue.message


def test_the_repr_of_an_outcome_shows_its_result_and_its_issues() -> None:
    assert "Outcome(errors=['expected int, got string \"a\"'])" == repr(answered(":int", "a"))
    assert "Outcome({'a': 1}, warnings=['a: coerced string \"1\" to int'])" == repr(
        asked("(a :int) -> :any", {"a": "1"})
    )


# Syntax errors in full: the place, the line, the caret, the remedy.

_NAMES = ":string, :int, :float, :bool, :keyword, :any, :nil, :datetime, :map"

SYNTAX = [
    pytest.param("(a :int,) -> :int", "1 column 9", "(a :int,) -> :int", "        ^", "remove the comma before it", id="trailing comma in params"),
    pytest.param("{a :int,}", "1 column 9", "{a :int,}", "        ^", "remove the comma before it", id="trailing comma in a record"),
    pytest.param("[:int,]", "1 column 7", "[:int,]", "      ^", "remove the comma before it", id="trailing comma in a tuple"),
    pytest.param("[]", "1 column 2", "[]", " ^", "a list of what? write [:any] for a list of anything", id="empty list"),
    pytest.param("", "1 column 1", "", "^", "an empty text is not a signature; write :any for anything", id="empty text"),
    pytest.param(" \n ", "1 column 1", " ", "^", "an empty text is not a signature; write :any for anything", id="blank text"),
    pytest.param(":int??", "1 column 6", ":int??", "     ^", "one ? is enough", id="??"),
    pytest.param("{a :int??}", "1 column 9", "{a :int??}", "        ^", "one ? is enough", id="?? in a field"),
    pytest.param(":int?[1..5]", "1 column 6", ":int?[1..5]", "     ^", "the ? comes last: write :int[1..5]?", id="? before a refinement"),
    pytest.param(
        ":Tree", "1 column 1", ":Tree", "^^^^^",
        f'there is no type ":Tree"; define it after the signature (where Tree = …), or write one of {_NAMES}',
        id="undefined name",
    ),
    pytest.param(
        "[:Foo]", "1 column 2", "[:Foo]", " ^^^^",
        f'there is no type ":Foo"; define it after the signature (where Foo = …), or write one of {_NAMES}',
        id="undefined name in a list",
    ),
    pytest.param(":strin", "1 column 1", ":strin", "^^^^^^", 'there is no type ":strin"; did you mean :string?', id="near a scalar"),
    pytest.param(
        ":Treee where Tree = :int", "1 column 1", ":Treee where Tree = :int", "^^^^^^", 'there is no type ":Treee"; did you mean :Tree?',
        id="near a definition",
    ),
    pytest.param(":STRING", "1 column 1", ":STRING", "^^^^^^^", 'there is no type ":STRING"; write :string', id="another case"),
    pytest.param(":email", "1 column 1", ":email", "^^^^^^", 'there is no type ":email"; write :string[email]', id="a format"),
    pytest.param("() -> output_type", "1 column 7", "() -> output_type", "      ^^^^^^^^^^^", "output_type is not a type; a type begins with a colon, as in :string", id="a name without a colon"),
    pytest.param("{a int}", "1 column 4", "{a int}", "   ^^^", "a type begins with a colon: write :int", id="no colon"),
    pytest.param("[str]", "1 column 2", "[str]", " ^^^", 'a type begins with a colon, and there is no ":str"; write :string', id="no colon before a guess"),
    pytest.param("(a: int) -> :bool", "1 column 3", "(a: int) -> :bool", "  ^", "the colon belongs to the type: write a :int", id="the colon at the name"),
    pytest.param("(a: [:int]) -> :bool", "1 column 3", "(a: [:int]) -> :bool", "  ^", "a list has no colon: write a […", id="a colon before a list"),
    pytest.param("{a :#{:int}}", "1 column 4", "{a :#{:int}}", "   ^", "a set has no colon: write a #…", id="a colon before a set"),
    pytest.param("search(a :int) -> :bool", "1 column 1", "search(a :int) -> :bool", "^^^^^^", "a signature has no name: leave search out, and begin with its (", id="the name of a tool"),
    pytest.param("() => :int", "1 column 4", "() => :int", "   ^", "the arrow is written ->", id="another arrow"),
    pytest.param("(a :int)", "1 column 9", "(a :int)", "        ^", "the result is missing; write -> and its type, or -> :any", id="no result"),
    pytest.param("(a :int) ->", "1 column 12", "(a :int) ->", "           ^", "the result is missing; write its type, or :any", id="nothing behind the arrow"),
    pytest.param("(a) -> :any", "1 column 3", "(a) -> :any", "  ^", "a name is followed by its type: name :any", id="a name without type"),
    pytest.param("[:int", "1 column 6", "[:int", "     ^", "the text ends too early; expected a comma or a closing ]", id="not closed"),
    pytest.param(":enum['a']", "1 column 7", ":enum['a']", "      ^", "texts are written in double quotes", id="single quotes"),
    pytest.param(":list[:int]", "1 column 7", ":list[:int]", "      ^^^^", 'there is no type ":list"; write [:any] for a list of anything, [:string] for a list of texts', id="a guessed name with a type"),
    pytest.param("# a", "1 column 1", "# a", "^", "a comment begins with ; and ends with the line", id="a hash"),
    pytest.param("/x/", "1 column 1", "/x/", "^^^", "a pattern is written in a refinement, as in :string[/^[a-z]+$/]", id="a lone pattern"),
    pytest.param(":enum[]", "1 column 7", ":enum[]", "      ^", 'of what? write what it may be, as in :enum["a" "b"]', id="empty enum"),
    pytest.param(":map[]", "1 column 6", ":map[]", "     ^", "a map of what? write :map for any map, :map[:int] for one of ints", id="empty map"),
    pytest.param("(**) -> :any", "1 column 4", "(**) -> :any", "   ^", "** is followed by the type of the other arguments, as in ** :any", id="** alone"),
    pytest.param("{a :int, ** :int}!", "1 column 18", "{a :int, ** :int}!", "                 ^", 'write either "!", for no other names, or "**" with the type of other names', id="! with **"),
    pytest.param("(a :int, a :int) -> :any", "1 column 10", "(a :int, a :int) -> :any", "         ^", "the name 'a' occurs twice", id="a name twice"),
    pytest.param(
        "{a-b :int, a_b :int}", "1 column 12", "{a-b :int, a_b :int}", "           ^^^",
        "'a-b' and 'a_b' are one name here, since hyphen and underscore are the same; quote one to keep it exactly",
        id="two names of one key",
    ),
    pytest.param(":string[emial]", "1 column 9", ":string[emial]", "        ^^^^^", 'there is no format "emial"; did you mean email?', id="near a format"),
    pytest.param(":int[/x/]", "1 column 6", ":int[/x/]", "     ^^^", "a pattern does not apply to int", id="a constraint that says nothing"),
    pytest.param(":string[>3]", "1 column 9", ":string[>3]", "        ^", "a bound does not apply to string; a length is a range, as in [1..5]", id="a bound on a text"),
    pytest.param(":int[5..1]", "1 column 6", ":int[5..1]", "     ^", "the range is empty; write 1..5", id="a range upside down"),
    pytest.param(
        ":string[/(/]", "1 column 9", ":string[/(/]", "        ^^^",
        "the pattern /(/ is not a regular expression: missing ), unterminated subpattern at position 0",
        id="not a regular expression",
    ),
    pytest.param("{a :int = b}", "1 column 11", "{a :int = b}", "          ^", 'a text is written in double quotes: write "b"', id="a bare default"),
    pytest.param(':""', "1 column 1", ':""', "^^^", 'the name of a type cannot be empty; write :any, or :"Name"', id="an empty name of a type"),
    pytest.param(
        ":T where T = :T", "1 column 10", ":T where T = :T", "         ^",
        "the type :T is defined only by itself; put a list, a map or a record in between",
        id="defined by itself",
    ),
    pytest.param("() -> :int where A = :int, A = :nil", "1 column 28", "() -> :int where A = :int, A = :nil", " " * 27 + "^", "the type 'A' is defined twice", id="defined twice"),
    pytest.param("{a :int} trailing", "1 column 10", "{a :int} trailing", "         ^^^^^^^^", "trailing is not allowed here; expected where or the end", id="text behind"),
    pytest.param("(a :int,\n b :strin) -> :int", "2 column 4", " b :strin) -> :int", "   ^^^^^^", 'there is no type ":strin"; did you mean :string?', id="the second line"),
    pytest.param("\t{a\t:str}", "1 column 5", " {a :str}", "    ^^^^", 'there is no type ":str"; write :string', id="tabs"),
    pytest.param("\u202e:int", "1 column 1", " :int", "^", '"\\u202e" means nothing here', id="a character that reorders"),
    pytest.param("id :int, name :string", "1 column 1", "id :int, name :string", "^^", "named values are written in braces: {id …}", id="named values without braces"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "place", "line", "caret", "remedy"), SYNTAX)
def test_a_syntax_error_shows_the_place_and_the_remedy(
    written: str, place: str, line: str, caret: str, remedy: str
) -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(written)

    assert (f"cannot parse this signature, line {place}\n  {line}\n  {caret}\n  {remedy}") == str(
        raised.value
    )


def test_a_syntax_error_in_a_long_line_shows_the_part_around_it() -> None:
    text = "{" + ", ".join(f"name{n} :int" for n in range(40)) + ", x :str}"
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(text)

    shown_line, caret = str(raised.value).splitlines()[1:3]
    assert shown_line.startswith("  …")
    assert len(shown_line) < 110
    assert ":str" == shown_line[caret.index("^") : caret.rindex("^") + 1]


def test_a_syntax_error_has_its_parts_and_pickles() -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse("(a :int,\n b :list) -> :int")
    error = raised.value
    again = pickle.loads(pickle.dumps(error))

    assert (2, 4, " b :list) -> :int") == (error.line, error.column, error.text)
    assert (str(error), error.line) == (str(again), again.line)


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        pytest.param(lambda: typesig.parse("[" * 300 + ":int" + "]" * 300), "a type may nest 128 levels, this text has more brackets", id="TooDeep"),
        pytest.param(lambda: typesig.parse("x" * 1_000_001), "a signature may have 250000 characters, this one has 1000001", id="TooLarge"),
        pytest.param(lambda: typesig.parse(3), "a signature is text such as '(id :int) -> :bool', or Malli data, not int", id="no text"),
        pytest.param(lambda: typesig.coerce("3", int), "a signature is text such as '(id :int) -> :bool', or Malli data, not type; for a type or a function of Python, write contract(…)", id="a class"),
        pytest.param(lambda: typesig.parse(list[int]), "a signature is text such as '(id :int) -> :bool', or Malli data, not GenericAlias; for a type or a function of Python, write contract(…)", id="a type of Python"),
        pytest.param(lambda: Keyword(":a"), "a keyword's text has no colon: write Keyword('a')", id="keyword"),
        pytest.param(lambda: normalize_keys({"a-b": 1, "a_b": 2}), 'the key "a_b" is given twice, in two spellings', id="normalize_keys"),
    ],
)  # fmt: skip
def test_a_mistake_of_the_developer_has_a_message(mistake: Any, message: str) -> None:
    with pytest.raises(TypesigError) as raised:
        mistake()

    assert message == str(raised.value)


# Guessed names: the remedy for each name, and that what the remedy offers can be parsed.

_LIST = "write [:any] for a list of anything, [:string] for a list of texts"
_TUPLE = "write [:a, :b], or {name :a} for named values"
_OBJECT = "write {field :type}, or :map for any map"
_NUMBER = "write :float, which takes whole numbers too, or :int"
_SET = "write #{:string} for a set of texts"
_ENUM = 'write :enum["a" "b"]'
_UNION = "write :a|:b for one of several types"
_OPTIONAL = "write a ? after the type, as in :string?"
_FUNCTION = "a model cannot send a function"

ANSWERS = [
    # names, the remedy, and what the remedy offers, with real types
    ("list array vector sequence sequential iterable collection seq List Array Sequence Iterable ReadonlyArray", _LIST, "[:any] [:string]"),
    ("tuple Tuple cat pair", _TUPLE, "[:int,:int] {name:int}"),
    ("object dict record struct hash dictionary mapping Dict Mapping Object Map Record", _OBJECT, "{field:int} :map"),
    ("json", "write :any, or :map", ":any :map"),
    ("set Set frozenset", _SET, "#{:string}"),
    ("str String Text text char Path path", "write :string", ":string"),
    ("binary bytes", "write :string[base64]", ":string[base64]"),
    ("integer Integer Int long bigint timeout", "write :int", ":int"),
    ("number Number num", _NUMBER, ":float :int"),
    ("Float Double real", "write :float", ":float"),
    ("decimal Decimal", "write :string[decimal]", ":string[decimal]"),
    ("fraction Fraction", "write :string[fraction]", ":string[fraction]"),
    ("Bool Boolean", "write :bool", ":bool"),
    ("null none None NoneType undefined void unit", "write :nil", ":nil"),
    ("Any unknown term mixed", "write :any", ":any"),
    ("never", "there is no type without values; leave it out", ""),
    ("atom symbol Keyword module", "write :keyword", ":keyword"),
    ("timestamp DateTime Datetime", "write :datetime", ":datetime"),
    ("Date", "write :string[date]", ":string[date]"),
    ("url", "write :string[uri]", ":string[uri]"),
    ("regex", "write :string[/pattern/]", ":string[/pattern/]"),
    ("timedelta", "write :string[duration]", ":string[duration]"),
    ("enum literal Literal Enum", _ENUM, ':enum["a","b"]'),
    ("const", 'write :enum["a"]', ':enum["a"]'),
    ("union Union or anyOf", _UNION, ":int|:string"),
    ("oneof oneOf one", "write :one[:a, :b]", ":one[:int,:string]"),
    ("allOf and", "write {a :int} & {b :int}", "{a:int}&{b:int}"),
    ("optional Optional maybe Maybe", _OPTIONAL, ":string?"),
    ("function callable Callable fn", _FUNCTION, ""),
    ("pid", "use a text that identifies the process, :string", ":string"),
    ("reference", "use a text that identifies it, :string", ":string"),
]  # fmt: skip

GUESSED = [(name, answer) for names, answer, _ in ANSWERS for name in names.split()]


@pytest.mark.parametrize(("name", "answer"), GUESSED)
def test_the_remedy_for_a_guessed_name_tells_what_to_write(name: str, answer: str) -> None:
    text = f"(a :int, value :{name}) -> :bool"
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(text)

    assert (
        "cannot parse this signature, line 1 column 16\n"
        f"  {text}\n"
        f"  {' ' * 15}{'^' * (len(name) + 1)}\n"
        f'  there is no type ":{name}"; {answer}'
    ) == str(raised.value)


def test_every_guessed_name_has_a_row_here() -> None:
    assert GUESSES == dict(GUESSED)


@pytest.mark.parametrize(
    "spelling", sorted({s for _, _, offered in ANSWERS for s in offered.split()})
)
def test_what_a_remedy_offers_can_be_parsed(spelling: str) -> None:
    typesig.parse(spelling)


# Frequent mistakes, whose messages name the mistake and not the grammar.

CLEARER = [
    pytest.param("{id :int name :string}", "comma", id="a comma is missing between fields"),
    pytest.param("(a :int b :int) -> :any", "comma", id="a comma is missing between params"),
    pytest.param("{id :int :name :string}", "comma", id="half Clojure style"),
    pytest.param("[:int :string]", "comma", id="a comma is missing in a tuple"),
    pytest.param('{a "x}', "double quote", id="a text is not closed"),
    pytest.param("(v :list[int]) -> :any", ":list", id="a guess with brackets"),
]


@pytest.mark.parametrize(("written", "words"), CLEARER)
def test_a_frequent_mistake_is_named(written: str, words: str) -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(written)

    assert words in raised.value.message


def _looked_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the wrong words for which the closest is looked for from now on."""
    looked: list[str] = []
    usual = suggestions.suggest_closest

    def closest(word: str, known: Any) -> str:
        looked.append(word)
        return usual(word, known)

    monkeypatch.setattr(suggestions, "suggest_closest", closest)
    return looked


WRONG = [
    ("(rows [{k :enum[apple pear]}]) -> :any", lambda n: {"rows": [{"k": f"appl{n}"}] * 3}),
    ("(rows [:enum[apple pear]]) -> :any", lambda n: {"rows": [f"appl{n}"]}),
    ("(rows [{k :enum[apple pear], _own :int?}]) -> :any", lambda n: {"rows": [{"k": f"appl{n}"}]}),
]


@pytest.mark.parametrize(("text", "made"), WRONG)
@pytest.mark.parametrize("times", [1, 20])
def test_what_was_meant_is_looked_for_where_an_error_is_shown(
    text: str, made: Any, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = typesig.parse(text)
    sent: dict[str, Any] = {"rows": [row for n in range(300) for row in made(n)["rows"]]}
    for _ in range(times):
        # The first calls take another way than the later ones.
        found = signature.validate_input(sent)
    looked = _looked_for(monkeypatch)
    errors = found.errors
    codes = {get_issue_code(each) for each in errors}

    assert ({"enum"}, []) == (codes, looked)
    assert MAX_REPORT < len(errors)
    assert "(did you mean" in found.report()
    assert MAX_REPORT == len(looked)
    assert '(did you mean "apple"?)' in str(errors[-1])
    assert MAX_REPORT + 1 == len(looked)
