"""Calls of a tool on the command line: recorded ones are checked, and one is made."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from typesig.cli.commands import typesig

ROOT = Path(__file__).resolve().parents[2]
SHOP = """
from datetime import date
from typing import TypedDict
from typesig import Injected, ToolError, tool

RAN = []

@tool
def book(room: str, day: date, seats: int = 1) -> str:
    RAN.append(room)
    if room == "Ash":
        raise ToolError("there is no room Ash")
    return f"{room} on {day} for {seats}"

@tool
def fail(room: str) -> str:
    raise KeyError(room)

@tool
async def later(room: str) -> dict[str, str]:
    return {"room": room}

@tool
def whose(room: str, db: Injected[dict]) -> str:
    return db[room]

@tool
def maybe(room: str, db: Injected[dict] = {}) -> str:
    return db.get(room, "nobody")

@tool(mode="strict")
def strictly(seats: int) -> int:
    return seats

@tool(name="team.score")
def score(points: dict[str, int]) -> int:
    return sum(points.values())

@tool
def bound(n: int) -> int:
    import typesig
    raise typesig.TypesigError("not now")

@tool
def say(role: str, parts: list[str]) -> str:
    return role

def plain(room: str) -> str:
    return room

def unhinted(room):
    return room

ROOMS = {}

@tool
async def whose_later(room: str, db: Injected[dict]) -> str:
    return db[room]

def life():
    yield {"db": {"Elm": "Ann"}, "other": 1}
    RAN.append("closed")

async def later_life():
    yield {"db": {"Elm": "Ann"}}
    RAN.append("closed")

def bare():
    yield {}

def none():
    return None
"""


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop_of_calls.py").write_text(SHOP)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "shop_of_calls", raising=False)


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(typesig, arguments, input=stdin)


def checked(name: str, *lines: Any, options: tuple[str, ...] = ()) -> Result:
    sent = "\n".join(map(json.dumps, lines))
    return run("check", f"shop_of_calls:{name}", *options, stdin=sent)


ARGUMENTS = {"room": "Elm", "day": "2027-06-30"}
CHAT = {
    "id": "c",
    "type": "function",
    "function": {"name": "book", "arguments": json.dumps(ARGUMENTS)},
}
ITEM = {"type": "function_call", "call_id": "c", "name": "book", "arguments": json.dumps(ARGUMENTS)}
USE = {"type": "tool_use", "id": "c", "name": "book", "input": ARGUMENTS}
PART = {"functionCall": {"name": "book", "args": ARGUMENTS}}


@pytest.mark.parametrize(
    "line",
    [
        ARGUMENTS,
        CHAT,
        {"role": "assistant", "tool_calls": [CHAT]},
        {"choices": [{"finish_reason": "tool_calls", "message": {"tool_calls": [CHAT]}}]},
        ITEM,
        {"object": "response", "status": "completed", "output": [ITEM]},
        USE,
        {"role": "assistant", "content": [USE], "stop_reason": "tool_use"},
        PART,
        {"role": "model", "parts": [PART]},
        {"candidates": [{"content": {"parts": [PART]}, "finishReason": "STOP"}]},
        {"name": "book", "arguments": ARGUMENTS},
        {"method": "tools/call", "params": {"name": "book", "arguments": ARGUMENTS}},
    ],
)
def test_a_call_is_found_in_the_spelling_of_each_provider(line: Any) -> None:
    result = checked("book", line)

    assert "1 call: 1 fit, 0 do not\n" == result.output
    assert 0 == result.exit_code
    assert [] == sys.modules["shop_of_calls"].RAN


def test_the_calls_of_a_line_are_numbered_and_those_of_other_tools_are_counted() -> None:
    bad = {"name": "book", "arguments": {"room": 7}}
    other = {"name": "fail", "arguments": {}}
    result = checked(
        "book", [bad, other, {"name": "book", "arguments": {**ARGUMENTS, "seats": "2"}}]
    )

    assert [
        "standard input: call 1: day: expected string[date], got nil (missing) [missing]",
        "standard input: call 1: room: expected string, got int 7 [type]",
    ] == sorted(result.stdout.splitlines()[:2])
    assert 'standard input: call 3: warning: seats: coerced string "2" to int' in result.stdout
    assert (
        "2 calls: 1 fit, 1 do not, 1 with warnings; 1 of other tools"
        == result.stdout.splitlines()[-1]
    )
    assert 1 == result.exit_code


def test_the_calls_of_several_lines_have_the_lines_they_stand_in() -> None:
    result = checked("book", {"room": "Elm"}, {"name": "book", "arguments": None}, "text")

    places = {line.split(": ")[0] for line in result.stdout.splitlines()[:-1]}
    assert {f"standard input:{n}" for n in (1, 2, 3)} == places
    assert "3 calls: 0 fit, 3 do not" == result.stdout.splitlines()[-1]


def test_a_call_that_was_cut_does_not_fit() -> None:
    line = {"role": "assistant", "content": [USE], "stop_reason": "max_tokens"}
    result = checked("book", line)

    assert (
        "standard input: the answer ended before this call was whole [call]"
        == result.stdout.splitlines()[0]
    )
    assert 1 == result.exit_code


@pytest.mark.parametrize(
    "line",
    [
        {"role": "assistant", "content": "Elm is yours."},
        {"role": "model", "parts": [{"text": "Elm is yours."}]},
        {"object": "response", "output": []},
        {"choices": [{"message": {"role": "assistant", "content": "Elm."}}]},
        {"candidates": []},
    ],
)
def test_an_answer_without_calls_is_passed_over(line: Any) -> None:
    assert "no calls: none was found\n" == checked("book", line).output


def test_arguments_that_look_like_an_answer_are_arguments() -> None:
    assert "1 call: 1 fit, 0 do not\n" == checked("say", {"role": "model", "parts": []}).output


def test_a_call_is_read_as_the_provider_was_told_to_send_it() -> None:
    result = checked("score", {**USE, "name": "team_score", "input": {"points": {"a": 1}}})
    assert "1 call: 1 fit, 0 do not\n" == result.stdout

    result = checked("score", {**USE, "name": "team.score", "input": {"points": {"a": "x"}}})
    assert 'points.a: expected int, got string "x"' in result.stdout


def test_calls_of_strict_definitions_are_read_in_their_form() -> None:
    pairs = [{"key": "a", "value": "1"}]
    chat = {**CHAT, "function": {"name": "team_score", "arguments": {"points": pairs}}}
    part = {"functionCall": {"name": "team.score", "args": {"points": pairs}}}
    twice = {**USE, "name": "team_score", "input": {"points": pairs * 2}}
    lines = [chat, part, twice, {"points": {"a": 1}}]
    result = checked("score", *lines, options=("--strict",))

    assert "4 calls: 3 fit, 1 do not, 3 with warnings" == result.stdout.splitlines()[-1]
    assert 'standard input:3: points.a: the key "a" is sent twice' in result.stdout
    assert "expected map, got list" in checked("score", chat).stdout


def test_strict_is_for_calls_of_a_tool() -> None:
    result = run("check", "(a :int) -> :any", "--strict", stdin="{}")

    assert 2 == result.exit_code
    assert "--strict is for calls of a tool: write module:name" in result.stderr


def test_a_call_that_the_provider_could_not_read_does_not_fit() -> None:
    result = checked("book", {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}, PART)

    assert "standard input:1: the provider could not read this call" in result.stdout
    assert "2 calls: 1 fit, 1 do not" == result.stdout.splitlines()[-1]


def test_what_cannot_be_read_does_not_fit() -> None:
    result = run("check", "shop_of_calls:book", stdin="{")

    assert result.stdout.startswith("standard input: ")
    assert "1 call: 0 fit, 1 do not" == result.stdout.splitlines()[-1]


def test_the_mode_is_the_tools_own_unless_it_is_given() -> None:
    assert "seats: expected int, got string" in checked("strictly", {"seats": "2"}).stdout
    lax = checked("strictly", {"seats": "2"}, options=("--mode", "enabled", "-q"))
    assert ("", 0) == (lax.output, lax.exit_code)


def test_what_the_host_gives_is_not_needed_for_a_check() -> None:
    assert "1 call: 1 fit, 0 do not\n" == checked("whose", {"room": "Elm"}).stdout


def test_more_errors_than_are_kept_are_counted() -> None:
    many = {"points": {str(n): "x" for n in range(1_002)}}
    assert "standard input: … and 2 more\n" in checked("score", many, options=("--all",)).stdout


def test_a_result_can_be_checked_against_a_tool() -> None:
    result = run("check", "shop_of_calls:book", "--output", stdin="3")

    assert "standard input: expected string, got int 3" in result.stdout
    assert "1 value: 0 fit, 1 do not" == result.stdout.splitlines()[-1]


def test_a_function_and_the_path_of_a_file_are_taken(tmp_path: Path) -> None:
    for target in (
        "shop_of_calls:plain",
        f"{tmp_path}/shop_of_calls.py:plain",
        "shop_of_calls.py:plain",
    ):
        assert "1 call: 1 fit" in run("check", target, stdin='{"room": "Elm"}').stdout


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("shop_of_calls:ROOMS", "shop_of_calls:ROOMS is not a function, but has the type dict"),
        ("shop_of_calls:unhinted", "unhinted has no hints, so it is left out"),
        ("shop_of_calls:bok", "there is no bok in shop_of_calls; did you mean book?"),
        ("no.such.module:tool", "there is no module no.such.module"),
    ],
)
def test_what_is_no_tool_is_named(target: str, told: str) -> None:
    for command in ("check", "call"):
        result = run(command, target, stdin="{}")
        assert told in result.stderr.replace("\n  ", " ")
        assert 2 == result.exit_code


def test_a_module_that_was_made_in_memory_is_a_target(monkeypatch: pytest.MonkeyPatch) -> None:
    made = types.ModuleType("made_in_memory")
    monkeypatch.setitem(sys.modules, "made_in_memory", made)

    assert "there is no book in made_in_memory" in run("check", "made_in_memory:book").stderr


@pytest.mark.parametrize(
    "text", ["id:int", "(id:int", "id :int", "a:b:c", "nothing", ":nothing", "a:5"]
)
def test_a_signature_with_a_mistake_is_no_tool(text: str) -> None:
    result = run("check", text, stdin="{}")

    assert "cannot parse this signature" in result.stderr
    assert 2 == result.exit_code


@pytest.mark.parametrize(
    ("name", "sent", "stdout", "stderr", "status"),
    [
        ("book", '{"room": "Elm", "day": "2027-06-30"}', "Elm on 2027-06-30 for 1\n", "", 0),
        ("book", '{"room": "Elm", "day": "2027-06-30", "seats": "2", "x": 1}', "Elm on 2027-06-30 for 2\n", 'warning: seats: coerced string "2" to int\nwarning: x: unexpected key dropped\n', 0),
        ("book", '{"room": "Ash", "day": "2027-06-30"}', "", "Tool errors:\n- there is no room Ash\n", 1),
        ("strictly", '{"seats": 2}', "2\n", "", 0),
        ("later", '{"room": "Elm"}', '{"room":"Elm"}\n', "", 0),
        ("maybe", '{"room": "Elm"}', "nobody\n", "", 0),
        ("fail", '{"room": "Elm"}', "", "fail raised KeyError: 'Elm'\n", 1),
        ("plain", '```json\n{"room": "Elm"}\n```', "Elm\n", "warning: removed a code fence (line 1 column 1)\n", 0),
    ],
)  # fmt: skip
def test_a_call_prints_what_the_model_reads(
    name: str, sent: str, stdout: str, stderr: str, status: int
) -> None:
    result = run("call", f"shop_of_calls:{name}", sent)

    assert status == result.exit_code
    assert stdout == result.stdout
    assert stderr == result.stderr


def test_the_errors_of_a_call_are_the_feedback_on_it() -> None:
    result = run("call", "shop_of_calls:book")

    assert (1, "") == (result.exit_code, result.stdout)
    assert "// missing: room :string" in result.stderr
    assert "A call that fits: book(room :string" in result.stderr


def test_a_call_reads_standard_input_and_is_quiet_when_told() -> None:
    result = run(
        "call", "shop_of_calls:strictly", "-", "-q", "--mode", "enabled", stdin='{"seats": "2"}'
    )

    assert ("2\n", 0) == (result.output, result.exit_code)


def test_a_tool_that_needs_its_host_cannot_be_called() -> None:
    result = run("call", "shop_of_calls:whose", '{"room": "Elm"}')

    told = "write --given db=VALUE, or --lifespan with a function that yields it"
    assert f"typesig: whose needs db from its host: {told}\n" == result.stderr
    assert 2 == result.exit_code
    bare = run("call", "shop_of_calls:whose", '{"room": "Elm"}', "--lifespan", "shop_of_calls:bare")
    assert result.stderr == bare.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["--given", 'db={"Elm": "Ann"}'],
        ["--lifespan", "shop_of_calls:life"],
        ["--lifespan", "shop_of_calls:later_life"],
        ["--lifespan", "shop_of_calls:bare", "--given", 'db={"Elm": "Ann"}'],
    ],
)
@pytest.mark.parametrize("name", ["whose", "whose_later"])
def test_a_call_is_given_what_its_host_would_give(name: str, options: list[str]) -> None:
    result = run("call", f"shop_of_calls:{name}", '{"room": "Elm"}', *options)

    assert (0, "Ann\n", "") == (result.exit_code, result.stdout, result.stderr)
    if "life" in options[1]:
        assert "closed" == sys.modules["shop_of_calls"].RAN[-1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--given", "dc=1"], "whose takes no dc from its host: it takes db"),
        (["--given", "db"], '--given is NAME=VALUE, not string "db"'),
        (["--given", "1=2"], "--given is NAME=VALUE"),
        (["--lifespan", "shop_of_calls:plain"], "plain() missing 1 required positional argument"),
        (["--lifespan", "shop_of_calls:none"], "lifespan is a function that yields a dict"),
        (
            ["--given", "db=1", "--mcp", "x"],
            "--given, --inferred, --results and --lifespan are for a target",
        ),
    ],
)
def test_what_a_host_gives_wrongly_is_told(options: list[str], told: str) -> None:
    result = run("call", "shop_of_calls:whose", '{"room": "Elm"}', *options)

    assert told in result.stderr
    assert result.exit_code
    assert "it takes nothing" in run("call", "shop_of_calls:plain", "--given", "a=1").stderr


def test_an_outcome_is_printed_as_json() -> None:
    good = run("call", "shop_of_calls:strictly", '{"seats": "2"}', "--json", "--mode", "enabled")
    bad = run("call", "shop_of_calls:strictly", '{"seats": "2"}', "--json")
    issue = {"path": "seats", "code": "coerced", "message": 'coerced string "2" to int'}
    about = {"ok": True, "stage": "output", "value": 2, "errors": [], "warnings": [issue]}

    assert (0, about) == (good.exit_code, json.loads(good.stdout))
    assert (1, "") == (bad.exit_code, bad.stderr)
    found = json.loads(bad.stdout)
    assert (False, "input") == (found["ok"], found["stage"])
    assert [("seats", "type")] == [(each["path"], each["code"]) for each in found["errors"]]
    assert "expected int" in found["feedback"]


# the calls of a whole module


def test_calls_of_all_tools_of_a_module_are_checked() -> None:
    sent = "\n".join(
        json.dumps(each)
        for each in (
            [USE, {**USE, "name": "bok", "input": {}}],
            {"name": "team_score", "arguments": {"points": {"a": "x"}}},
            {**USE, "name": "team_score", "input": {"points": {"a": "2"}}},
            ARGUMENTS,
            {"role": "assistant", "content": [{**USE, "input": {}}], "stop_reason": "max_tokens"},
        )
    )
    result = run("check", "shop_of_calls", stdin=sent)

    assert result.stdout.splitlines() == [
        'standard input:1: call 2: there is no tool "bok"; did you mean book? [call]',
        'standard input:2: there is no tool "team_score"; did you mean team.score? [call]',
        'standard input:3: team.score: warning: points.a: coerced string "2" to int [coerced]',
        "standard input:4: this is no call, and of several tools; for arguments of one, write "
        "module:name [call]",
        "standard input:5: book: the answer ended before this call was whole [call]",
        "6 calls: 2 fit, 4 do not, 1 with warnings",
    ]
    assert result.stdout == run("check", "shop_of_calls.py", stdin=sent).stdout
    summed = run("check", "shop_of_calls", "--summary", stdin=sent).stdout.splitlines()
    assert any("book (call), first in standard input:5: book" in line for line in summed)


def test_calls_of_a_toolset_and_of_plain_functions_are_checked(tmp_path: Path) -> None:
    (tmp_path / "held_calls.py").write_text(
        "import typesig, shop_of_calls as s\ntools = typesig.tools_of([s.book, s.later])\n"
        "def plain(room: str) -> str: ...\n"
    )
    line = json.dumps({**USE, "name": "fail", "input": {}})

    assert 'no tool "fail"' in run("check", "held_calls:tools", stdin=line).stdout
    assert 'no tool "fail"; there are plain' in run("check", "held_calls", stdin=line).stdout
    assert "1 fit" in run("check", "held_calls", stdin='{"room": "Elm"}').stdout
    assert "1 fit" in run("check", "held_calls", "--output", stdin='"Elm"').stdout
    (tmp_path / "nothing_held.py").write_text("")
    told = run("check", "nothing_held.py", stdin=line)
    assert (1, "") == (told.exit_code, told.stdout)
    assert "nothing_held.py has no public functions with hints" in told.stderr
    told = run("check", "held_calls:tools", "--output", stdin=line)
    assert "--output is for the result of one tool: write module:name" in told.stderr


@pytest.mark.parametrize("text", ["string", "a b.py", "nothing_at_all", ":nothing", "(a/b)"])
def test_a_word_that_is_no_module_is_a_signature_with_a_mistake(text: str) -> None:
    assert "cannot parse this signature" in run("check", text, stdin="{}").stderr


def test_findings_are_printed_as_json() -> None:
    sent = json.dumps([{"name": "book", "arguments": {**ARGUMENTS, "seats": "x"}}] * 2)
    lines = run("check", "shop_of_calls", "--json", stdin=sent).stdout.splitlines()
    first, _, counts = map(json.loads, lines)

    assert {
        "severity": "error", "place": "standard input", "call": 1, "tool": "book",
        "path": "seats", "code": "type", "message": 'expected int, got string "x"',
    } == first  # fmt: skip
    assert {"calls": 2, "fit": 0, "do_not_fit": 2, "warned": 0, "of_other_tools": 0} == counts
    summed = run("check", "shop_of_calls", "--json", "--summary", stdin=sent).stdout
    assert 2 == json.loads(summed.splitlines()[0])["times"]
    many = json.dumps({"points": {str(n): "x" for n in range(1_002)}})
    lines = run(
        "check", "shop_of_calls:score", "--json", stdin=f"{many}\n{many}"
    ).stdout.splitlines()
    assert 1_002 == len(lines)
    assert {"lines": 2_002} == json.loads(lines[-2])
    lines = run("check", "shop_of_calls:score", "--json", "--all", stdin=many).stdout.splitlines()
    assert {"severity": "error", "place": "standard input", "unseen": 2} == json.loads(lines[-2])
    lines = run("check", "shop_of_calls:score", "--json", "--summary", stdin=many).stdout.split(
        "\n"
    )
    assert {"unseen": 2} == json.loads(lines[-3])


def test_an_error_of_the_library_is_one_line() -> None:
    result = run("call", "shop_of_calls:bound", '{"n": 1}')

    assert ("typesig: not now\n", 2) == (result.stderr, result.exit_code)
