"""The program that asks a model from each style of listing, against a scripted endpoint."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

SCHEMA = {
    "type": "object",
    "properties": {
        "room": {"type": "string"},
        "seats": {"type": "integer", "default": 2},
        "note": {"type": "string"},
    },
    "required": ["room"],
}
TOOL = {"name": "book", "description": "Book a room.", "parameters": SCHEMA}
QUESTION = {
    "question": "Book Elm.",
    "tools": [{"type": "function", "function": TOOL}],
    "calls": [{"name": "book", "arguments": {"room": "Elm"}}],
}
RIGHT = [{"name": "book", "arguments": {"room": "elm ", "seats": "2"}}]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import model_eval

    yield model_eval
    for name in ("model_eval", "tokens", "function_calling"):
        sys.modules.pop(name, None)


def reply_to(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return what the scripted model answers: as it should, or with a mistake for each style."""
    if "tools" in body:
        call = {"function": {"name": "book", "arguments": json.dumps(RIGHT[0]["arguments"])}}
        return 200, message({"content": None, "tool_calls": [call]}, 90)
    listing = body["messages"][0]["content"]
    if listing.startswith("["):
        return 200, message({"content": "I will not."}, 80)
    if listing.startswith("//"):
        return 200, message({"content": '[{"name": "book", "arguments": {}}]'}, 60)
    if listing.startswith("# "):
        wrong = '[{"name": "book", "arguments": {"room": "Elm", "seats": 3}}]'
        return 200, message({"content": wrong}, 70)
    return 200, message({"content": f"```json\n{json.dumps(RIGHT)}\n```"}, 50)


def message(content: dict[str, Any], tokens: int) -> dict[str, Any]:
    return {"choices": [{"message": content}], "usage": {"prompt_tokens": tokens}}


class Endpoint(BaseHTTPRequestHandler):
    seen: list[tuple[str, str | None]]
    busy: list[int]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((self.path, self.headers["Authorization"]))
        status, found = (self.busy.pop(), {}) if self.busy else reply_to(body)
        text = json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[tuple[str, type[Endpoint]]]:
    handler = type("Handler", (Endpoint,), {"seen": [], "busy": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", handler
    server.shutdown()
    server.server_close()
    thread.join()


def saved(folder: Path, *rows: dict[str, Any], name: str = "questions.jsonl") -> str:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


@pytest.mark.needs_process
def test_accuracy_and_tokens_are_printed_by_style(
    program: ModuleType,
    endpoint: tuple[str, type[Endpoint]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url, handler = endpoint
    monkeypatch.setenv("MY_KEY", "k")
    handler.busy.append(503)
    options = ["--url", url, "--model", "m", "--key", "MY_KEY", "--wait", "0"]
    status = program.main([saved(tmp_path, QUESTION, QUESTION), *options])
    rows = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}

    assert 0 == status
    assert ["questions", "right", "valid", "unreadable", "tokens"] == rows["style"]
    assert ["2", "100.0%", "100.0%", "0.0%", "90"] == rows["native"]
    assert ["2", "0.0%", "0.0%", "100.0%", "80"] == rows["json"]
    assert ["2", "100.0%", "100.0%", "0.0%", "50"] == rows["signature"] == rows["compact"]
    assert ["2", "0.0%", "0.0%", "0.0%", "60"] == rows["typescript"]
    assert ["2", "0.0%", "100.0%", "0.0%", "70"] == rows["python"]
    assert {("/v1/chat/completions", "Bearer k")} == set(handler.seen)


@pytest.mark.needs_process
def test_an_endpoint_that_refuses_is_told(
    program: ModuleType,
    endpoint: tuple[str, type[Endpoint]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    url, handler = endpoint
    handler.busy.append(401)
    status = program.main([saved(tmp_path, QUESTION), "--url", url, "--model", "m"])

    assert 1 == status
    assert "question 1, native: status 401: {}" in capsys.readouterr().err


def test_questions_of_the_leaderboard_are_read(program: ModuleType, tmp_path: Path) -> None:
    schema = {"type": "dict", "properties": {"x": {"type": "float"}, "y": {"type": "any"}}}
    asked = saved(
        tmp_path,
        {
            "id": "simple_0",
            "question": [[{"role": "user", "content": "Go."}]],
            "function": [{"name": "go", "description": "Go.", "parameters": schema}],
        },
    )
    truth = {"id": "simple_0", "ground_truth": [{"go": {"x": [1.5], "y": ["", 2]}}]}
    answers = saved(tmp_path, truth, name="answers.jsonl")
    (question,) = program.questions_in(Path(asked), Path(answers))

    assert [{"role": "user", "content": "Go."}] == question.messages
    assert {"type": "number"} == question.tools[0]["parameters"]["properties"]["x"]
    assert {} == question.tools[0]["parameters"]["properties"]["y"]
    assert [("go", {"x": [1.5], "y": [None, 2]})] == question.right
    signatures = {"go": program.toolset_of(question)["go"].signature}
    for arguments, right in (({"x": 1.5}, True), ({"x": 1.5, "y": 3}, False), ({"y": 2}, False)):
        assert right is program.is_right([("go", arguments)], question.right, signatures)
    assert not program.is_right([], question.right, signatures)


def test_a_line_that_is_no_question_is_told(program: ModuleType, tmp_path: Path) -> None:
    asked = saved(tmp_path, {"question": "?"})

    with pytest.raises(ValueError, match="question 1: KeyError"):
        list(program.questions_in(Path(asked), None))


LEADERBOARD = {
    "BFCL_v4_simple_python.json": [
        {
            "id": "simple_python_0",
            "question": [[{"role": "user", "content": "Book Elm."}]],
            "function": [{**TOOL, "parameters": {**SCHEMA, "type": "dict"}}],
        }
    ],
    "BFCL_v4_irrelevance.json": [
        {
            "id": "irrelevance_0",
            "question": [[{"role": "user", "content": "Sing."}]],
            "function": [TOOL, {"name": "go", "parameters": {"type": "HashMap"}}],
        }
    ],
    "BFCL_v4_multi_turn_base.json": [{"id": "multi_turn_base_0", "question": [[], []]}],
    "possible_answer/BFCL_v4_simple_python.json": [
        {"id": "simple_python_0", "ground_truth": [{"book": {"room": ["Elm"], "note": [""]}}]}
    ],
    "possible_answer/BFCL_v4_multi_turn_base.json": [
        {"id": "multi_turn_base_0", "ground_truth": [[]]}
    ],
    "multi_turn_func_doc/files.json": [{"name": "find", "parameters": {"type": "dict"}}, TOOL],
}


@pytest.fixture
def leaderboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bfcl_eval" / "data"
    for name, rows in LEADERBOARD.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        saved(folder, *rows, name=name)
    (folder / "BFCL_v4_format_sensitivity.json").write_text('{\n"simple": []}', "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_the_functions_of_the_installed_leaderboard_are_listed(
    program: ModuleType, leaderboard: Path
) -> None:
    import tokens

    listed = list(tokens.from_file(Path("bfcl_eval"), False))
    found = [(tool.server, tool.name) for tool in listed]

    assert [
        ("BFCL_v4_irrelevance 1", "book"),
        ("BFCL_v4_irrelevance 1", "go"),
        ("BFCL_v4_simple_python 1", "book"),
        ("files 1", "find"),
    ] == found


def test_the_questions_of_the_installed_leaderboard_are_read(
    program: ModuleType, leaderboard: Path
) -> None:
    (question,) = program.questions_in(Path("bfcl_eval:simple_python"), None)
    (irrelevant,) = program.questions_in(Path("bfcl_eval:irrelevance"), None)

    assert [("book", {"room": ["Elm"], "note": [None]})] == question.right
    assert [] == irrelevant.right
    with pytest.raises(ValueError, match="'multi_turn_base'; there are irrelevance, simple_python"):
        list(program.questions_in(Path("bfcl_eval:multi_turn_base"), None))


def test_a_leaderboard_that_is_not_installed_is_told(program: ModuleType) -> None:
    with pytest.raises(FileNotFoundError, match="pip install --no-deps bfcl-eval"):
        list(program.questions_in(Path("bfcl_eval:simple_python"), None))


@pytest.mark.needs_process
def test_a_category_of_the_leaderboard_is_asked(
    program: ModuleType,
    endpoint: tuple[str, type[Endpoint]],
    leaderboard: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--url", endpoint[0], "--model", "m", "--styles", "native", "compact", "python"]
    status = program.main(["bfcl_eval:simple_python", *options])
    rows = {line.split()[0]: line.split()[2] for line in capsys.readouterr().out.splitlines()}

    assert 0 == status
    assert {"style": "right", "native": "100.0%", "compact": "100.0%", "python": "0.0%"} == rows


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        ({"room": {"name": "Elm"}}, True),
        ({"room": {"name": "elm", "floor": 1}}, True),
        ({"room": {"name": "Elm", "floor": 2}}, False),
        ({"room": {"name": "Elm", "wing": "x"}}, False),
        ({"room": {"floor": 1}}, False),
        ({"room": "Elm"}, False),
        ({"room": {"name": "Elm"}, "seats": 2}, True),
        ({"room": {"name": "Elm"}, "seats": 3}, False),
    ],
)
@pytest.mark.parametrize("write", [lambda x: x, json.dumps])
def test_objects_of_the_leaderboard_have_a_list_of_values_for_each_key(
    program: ModuleType, tmp_path: Path, arguments: dict[str, Any], right: bool, write: Any
) -> None:
    floor = {"type": "integer", "default": 7}
    room = {"type": "dict", "properties": {"name": {"type": "string"}, "floor": floor}}
    schema = {"type": "dict", "properties": {"room": room, "seats": SCHEMA["properties"]["seats"]}}
    asked = {"id": 1, "question": "Go.", "function": [{"name": "book", "parameters": schema}]}
    wanted = {"room": [{"name": ["Elm"], "floor": ["", 1]}], "seats": [""]}
    truth = saved(tmp_path, {"id": 1, "ground_truth": [{"book": wanted}]}, name="answers.jsonl")
    (question,) = program.questions_in(Path(saved(tmp_path, asked)), Path(truth))
    tools = program.toolset_of(question)
    call = {"function": {"name": "book", "arguments": write(arguments)}}
    reply = {"choices": [{"message": {"tool_calls": [call]}}]}

    assert right is program.scored(question, tools, reply, "native").right
