"""The command that measures how well a model calls tools, against a scripted endpoint."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

pytest.importorskip("click")

from click.testing import CliRunner

from typesig import tool, tools_of
from typesig.cli.command_eval import eval_
from typesig.cli.commands import typesig
from typesig.cli.evaluation import models
from typesig.cli.evaluation.runs import Case, RunOptions, load_cases, run_case
from typesig.cli.evaluation.scores import (
    ReadAnswer,
    SentCall,
    are_right,
    find_interval,
    score_answer,
)
from typesig.cli.evaluation.tasks import RightCall, Task, read_tasks
from typesig.cli.evaluation.variants import Variant, make_variants
from typesig.cli.inputs.targets import Functions
from typesig.errors import TypesigError

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
TASK = {
    "id": "elm",
    "question": "Book Elm.",
    "tools": [{"type": "function", "function": TOOL}],
    "calls": [{"name": "book", "arguments": {"room": "Elm"}}],
}
RIGHT = [{"name": "book", "arguments": {"room": "elm ", "seats": "2"}}]
FUNCTIONS = Functions(False)


@tool
def book(room: str, seats: int = 2, notes: dict[str, str] | None = None) -> str:
    """Book a room."""
    raise AssertionError


ROOMS = tools_of([book])


def message(content: dict[str, Any], tokens: int = 50) -> dict[str, Any]:
    return {
        "choices": [{"message": {"role": "assistant", **content}}],
        "usage": {"prompt_tokens": tokens},
    }


def reply_to(body: dict[str, Any]) -> dict[str, Any]:
    """Return what the scripted model answers: right, or with a mistake for each form."""
    if "tools" in body:
        if body["messages"][-1]["role"] == "tool":
            return message({"content": "No."})
        call = {
            "id": "1",
            "function": {"name": "book", "arguments": json.dumps(RIGHT[0]["arguments"])},
        }
        return message({"content": None, "tool_calls": [call]}, 90)
    listing = body["messages"][0]["content"]
    if (
        "grammar" in body
        or "structured_outputs" in body
        or body["messages"][-1]["content"][:3] == "Too"
    ):
        return message({"content": json.dumps(RIGHT)})
    if listing.startswith("["):
        return message({"content": "I will not."}, 80)
    if listing.startswith("//"):
        return message({"content": '[{"name": "book", "arguments": {}}]'}, 60)
    if "<tools>" in listing:
        call = {"name": "book", "arguments": {"room": "Elm", "seats": 3}}
        return message({"content": f"<tool_call>\n{json.dumps(call)}\n</tool_call>"}, 70)
    return message({"content": f"```json\n{json.dumps(RIGHT)}\n```"})


class Endpoint(BaseHTTPRequestHandler):
    seen: list[tuple[str, str | None, dict[str, Any]]]
    states: list[Any]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((self.path, self.headers["Authorization"], body))
        status = self.states.pop(0) if self.states else 200
        text = json.dumps(reply_to(body) if status == 200 else {}).encode()
        self.send_response(200 if status == "empty" else status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[tuple[str, type[Endpoint]]]:
    handler = type("Handler", (Endpoint,), {"seen": [], "states": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", handler
    server.shutdown()
    server.server_close()
    thread.join()


def saved(folder: Path, *rows: Any, name: str = "tasks.jsonl") -> str:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


def run(*arguments: str) -> tuple[int, str]:
    """Run the command; return its exit status and what it prints."""
    found = CliRunner().invoke(typesig, ["eval", *arguments])
    return found.exit_code, found.output


def rows_of(output: str) -> dict[str, list[str]]:
    found = {line.split("  ")[0]: line for line in output.splitlines()}
    return {name: line[len(name) :].split() for name, line in found.items()}


# The command


@pytest.mark.needs_process
def test_each_style_has_a_row_with_intervals(
    endpoint: tuple[str, type[Endpoint]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, handler = endpoint
    monkeypatch.setenv("MY_KEY", "k")
    handler.states.append(503)
    styles = [
        part for name in ("native", "json", "compact", "typescript") for part in ("--style", name)
    ]
    options = ["--url", url, "--model", "m", "--key", "MY_KEY", "--wait", "0", "--max-tokens", "9"]
    status, output = run(saved(tmp_path, TASK), *options, *styles, "--dialect", "hermes")
    rows = rows_of(output)

    assert 0 == status
    assert [
        "tasks",
        "right",
        "95",
        "%",
        "valid",
        "95",
        "%",
        "as",
        "sent",
        "failed",
        "tokens",
    ] == rows["variant"]
    assert ["1", "100.0%", "21%-100%", "100.0%", "21%-100%", "0.0%", "0", "90"] == rows["native"]
    assert ["1", "0.0%", "0%-79%", "0.0%", "0%-79%", "0.0%", "0", "80"] == rows["json"]
    assert ["1", "100.0%", "21%-100%", "100.0%", "21%-100%", "0.0%", "0", "50"] == rows["compact"]
    assert ["1", "0.0%", "0%-79%", "0.0%", "0%-79%", "0.0%", "0", "60"] == rows["typescript"]
    assert ["1", "0.0%", "0%-79%", "100.0%", "21%-100%", "100.0%", "0", "70"] == rows["hermes"]
    assert "json, lost against native: elm" in output
    assert {("/v1/chat/completions", "Bearer k", 9)} == {
        (path, key, body["max_tokens"]) for path, key, body in handler.seen
    }


@pytest.mark.needs_process
def test_grammars_and_turns_are_compared(
    endpoint: tuple[str, type[Endpoint]], tmp_path: Path
) -> None:
    url, handler = endpoint
    options = ["--style", "json", "--grammar", "no", "--grammar", "always", "--grammar", "retry",
               "--turns", "0", "--turns", "1", "--json"]  # fmt: skip
    status, output = run(saved(tmp_path, TASK), "--url", url, "--model", "m", *options)
    found = json.loads(output)

    assert 0 == status
    assert {
        "json": 0, "json turns=1": 0, "json grammar=always": 1, "json grammar=always turns=1": 1,
        "json grammar=retry turns=1": 1,
    } == {name: each["right"]["count"] for name, each in found.items()}  # fmt: skip
    assert {"gained": ["elm"], "lost": []} == found["json grammar=always"]["against json"]
    assert any("grammar" in body for _, _, body in handler.seen)


@pytest.mark.needs_process
def test_answers_are_saved_and_a_failed_request_costs_one_case(
    endpoint: tuple[str, type[Endpoint]], tmp_path: Path
) -> None:
    url, handler = endpoint
    handler.states += [401, 200]
    other = {**TASK, "id": "oak"}
    file = str(tmp_path / "answers.jsonl")
    options = ["--url", url, "--model", "m", "--style", "compact", "--saved", file]
    status, output = run(saved(tmp_path, TASK, other), *options)

    assert 0 == status
    assert ["1", "100.0%", "21%-100%", "100.0%", "21%-100%", "0.0%", "1", "25"] == rows_of(output)[
        "compact"
    ]
    assert "compact, task elm failed: status 401: {}" in output
    with Path(file).open("a") as lines:
        lines.write('{"key": "half')
    status, output = run(saved(tmp_path, TASK, other), *options)
    assert "2" == rows_of(output)["compact"][0]
    assert 3 == len(handler.seen)


@pytest.mark.needs_process
def test_an_endpoint_that_always_fails_is_told(
    endpoint: tuple[str, type[Endpoint]], tmp_path: Path
) -> None:
    url, handler = endpoint
    handler.states += [503, 503, 503, 503, "empty"]
    options = ["--url", url, "--model", "m", "--style", "compact", "--style", "json", "--wait", "0"]
    status, output = run(saved(tmp_path, TASK), *options)

    assert 1 == status
    assert "compact, task elm failed: status 503: {}" in output
    assert "json, task elm failed: the reply is not a chat completion" in output
    status, output = run(saved(tmp_path, TASK), "--url", "http://127.0.0.1:9/v1", "--model", "m")
    assert 1 == status
    assert "task elm failed: URLError" in output


@pytest.mark.needs_process
def test_tasks_of_a_module_use_its_tools_and_run_nothing(
    endpoint: tuple[str, type[Endpoint]], tmp_path: Path
) -> None:
    file = tmp_path / "rooms_to_ask.py"
    file.write_text(
        "from typesig import tool\n\n"
        "@tool\ndef book(room: str, seats: int = 2) -> str:\n    raise AssertionError\n\n"
        'CALLS = [{"name": "book", "arguments": {"room": "Elm"}}]\n'
        'TASKS = [{"question": "Book Elm.", "calls": CALLS}]\n'
        "OTHER = 3\n",
        encoding="utf-8",
    )
    options = ["--url", endpoint[0], "--model", "m", "--style", "native", "--turns", "1"]
    status, output = run(str(file), *options)

    assert 0 == status, output
    assert "100.0%" == rows_of(output)["native turns=1"][1]
    assert 2 == run(f"{file}:OTHER", *options)[0]
    file.write_text('TASKS = [{"question": "Book Elm."}]\n', encoding="utf-8")
    assert "has no public functions with hints" in run(str(file), *options)[1]


def test_wrong_usage_is_told(tmp_path: Path) -> None:
    file = saved(tmp_path, TASK)

    assert "eval takes --url with an endpoint, or --gguf with a model" in run(file)[1]
    assert (
        "the environment variable NO_KEY is not set"
        in run(file, "--url", "u", "--key", "NO_KEY")[1]
    )
    assert "--grammar retry needs --turns" in run(file, "--url", "u", "--grammar", "retry")[1]
    assert (2, True) == (run(str(tmp_path / "no.jsonl"), "--url", "u")[0], eval_.name == "eval")


def test_a_local_model_needs_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    monkeypatch.setitem(sys.modules, "xllamacpp", None)

    status, output = run(saved(tmp_path, TASK), "--gguf", "model.gguf")
    assert 2 == status
    assert "pip install xllamacpp, or pip install llama-cpp-python" in output


def test_a_local_model_is_asked_under_a_grammar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []

    class Llama:
        def __init__(self, path: str, **options: Any) -> None:
            assert ("model.gguf", 4096) == (path, options["n_ctx"])

        def create_chat_completion(self, **options: Any) -> dict[str, Any]:
            asked.append(options)
            if options["grammar"] is None:
                raise ValueError("too many tokens")
            return message({"content": json.dumps(RIGHT)})

    grammars = SimpleNamespace(from_string=lambda text, verbose: text)
    monkeypatch.setitem(
        sys.modules, "llama_cpp", SimpleNamespace(Llama=Llama, LlamaGrammar=grammars)
    )
    options = [
        "--gguf",
        "model.gguf",
        "--style",
        "compact",
        "--grammar",
        "no",
        "--grammar",
        "always",
    ]
    status, output = run(saved(tmp_path, TASK), *options)

    assert 0 == status
    assert "compact, task elm failed: too many tokens" in output
    assert "100.0%" == rows_of(output)["compact grammar=always"][1]
    assert asked[1]["grammar"].startswith("root ::= ")
    assert "model" not in asked[0]


class FakeServer:
    """A stand-in for the server of xllamacpp."""

    asked: ClassVar[list[dict[str, Any]]] = []
    params: Any

    def __init__(self, params: Any) -> None:
        FakeServer.params = params

    def handle_chat_completions(self, body: dict[str, Any]) -> dict[str, Any]:
        FakeServer.asked.append(body)
        if "free" in body["messages"][-1]["content"]:
            raise ValueError("no such message")
        if "grammar" not in body:
            return {"error": {"code": 400, "message": "too many tokens"}}
        return message({"content": json.dumps(RIGHT)})


@pytest.mark.parametrize(("threads", "used"), [([], None), (["--threads", "2"], 2)])
def test_a_local_model_runs_with_either_binding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: list[str], used: int | None
) -> None:
    def make_params() -> Any:
        parts = {name: SimpleNamespace(n_threads=None) for name in ("cpuparams", "cpuparams_batch")}
        return SimpleNamespace(model=SimpleNamespace(), **parts)

    monkeypatch.setattr(FakeServer, "asked", [])
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    binding = SimpleNamespace(CommonParams=make_params, Server=FakeServer)
    monkeypatch.setitem(sys.modules, "xllamacpp", binding)
    file = saved(tmp_path, TASK, {**TASK, "id": "free", "question": "free"})
    options = ["--gguf", "model.gguf", "--style", "compact", "--grammar", "no"]
    status, output = run(file, *options, "--grammar", "always", *threads)

    assert 0 == status
    assert "compact, task elm failed: {'code': 400, 'message': 'too many tokens'}" in output
    assert "compact grammar=always, task free failed: no such message" in output
    assert "100.0%" == rows_of(output)["compact grammar=always"][1]
    made = FakeServer.params
    assert ("model.gguf", 4096, 1) == (made.model.path, made.n_ctx, made.n_parallel)
    assert [used, used] == [made.cpuparams.n_threads, made.cpuparams_batch.n_threads]
    assert any(body.get("grammar", "").startswith("root ::= ") for body in FakeServer.asked)


# Turns


def make_task(*right: RightCall) -> Task:
    return Task("t", [{"role": "user", "content": "Book Elm."}], ROOMS, right)


OPTIONS = RunOptions("m", 9, "gbnf")


def scripted(*contents: Any) -> tuple[models.Send, list[dict[str, Any]]]:
    """Return a model with prepared messages, and the bodies of its requests."""
    left, bodies = list(contents), list[dict[str, Any]]()

    def send(body: dict[str, Any], held: Any) -> dict[str, Any]:
        bodies.append({**body, "held": held})
        made = left.pop(0)
        return message(made if isinstance(made, dict) else {"content": made})

    return send, bodies


def test_feedback_is_sent_until_there_is_a_valid_call() -> None:
    send, bodies = scripted("No.", "[]", '[{"name": "book", "arguments": {"room": "Elm"}}]')
    case = run_case(
        send, make_task(RightCall("book", {"room": ["Elm"]})), Variant("compact", turns=5), OPTIONS
    )

    assert 3 == len(case.answers)
    assert ["The answer has no calls."] * 2 == [
        body["messages"][-1]["content"] for body in bodies[1:]
    ]
    send, bodies = scripted("[]")
    assert 1 == len(run_case(send, make_task(), Variant("compact", turns=5), OPTIONS).answers)


def test_the_same_answer_again_ends_a_case() -> None:
    send, bodies = scripted("No.", "No.", "No.")
    task = make_task(RightCall("book", {"room": ["Elm"]}))

    assert 2 == len(run_case(send, task, Variant("compact", turns=5), OPTIONS).answers)
    send, bodies = scripted("No.", "No.")
    assert 2 == len(run_case(send, task, Variant("compact", "retry", 1), OPTIONS).answers)
    assert [None, "gbnf"] == [body["held"] and body["held"].engine for body in bodies]


def test_native_calls_are_answered_one_by_one() -> None:
    wrong = {"tool_calls": [{"id": "1", "function": {"name": "book", "arguments": "{}"}}]}
    send, bodies = scripted(wrong, {"content": "No."})
    run_case(send, make_task(RightCall("book", {})), Variant("native", "retry", 1), OPTIONS)

    assert ["tool", "1"] == [bodies[1]["messages"][-1][key] for key in ("role", "tool_call_id")]
    assert ["required"] == [body["tool_choice"] for body in bodies if "tool_choice" in body]


def test_a_dialect_is_constrained_by_its_own_grammar() -> None:
    send, bodies = scripted(
        "Hi.", '<tool_call>\n{"name": "book", "arguments": {"room": "Elm"}}\n</tool_call>'
    )
    case = run_case(
        send,
        make_task(RightCall("book", {"room": ["Elm"]})),
        Variant("hermes", "retry", 1),
        OPTIONS,
    )

    assert 2 == len(case.answers)
    assert "<tool_call>" in bodies[1]["held"].text
    send, bodies = scripted("<tool_call>{")
    assert not run_case(send, make_task(), Variant("hermes"), OPTIONS).error


def test_what_follows_a_wrong_call_is_one_call_short_enough_to_end() -> None:
    wrong = [{"name": "book", "arguments": {"rom": "Elm"}}]
    task = make_task(RightCall("book", {"room": ["Elm"]}))
    for first, parallel in ((wrong, False), ("none", False), (wrong * 2, True)):
        send, bodies = scripted(json.dumps(first), json.dumps(wrong))
        run_case(send, task, Variant("compact", "retry", 1), OPTIONS)

        assert [None] == [body["held"] for body in bodies[:1]]
        held = bodies[1]["held"]
        calls = [{"name": "book", "arguments": {"room": "Elm", "seats": 3}}]
        assert held.read(json.dumps(calls)).ok
        assert parallel == held.read(json.dumps(calls * 2)).ok
        assert "{0,20}" in held.text


def test_a_task_that_cannot_be_constrained_costs_its_case() -> None:
    send, _ = scripted()
    nothing = Task("t", [], tools_of([]), ())

    assert (
        "without tools, there is no call"
        == run_case(send, nothing, Variant("compact", "always"), OPTIONS).error
    )


def test_variants_are_combined() -> None:
    made = make_variants(["compact"], ["no", "retry"], [0, 2])

    assert ["compact", "compact turns=2", "compact grammar=retry turns=2"] == [
        one.name for one in made
    ]


def test_no_file_has_no_cases(tmp_path: Path) -> None:
    assert {} == load_cases(None) == load_cases(tmp_path / "none")
    assert ([], 0, "") == Case([], 0)


# Scores


@pytest.mark.parametrize(("arguments", "expected"), [
    ({"room": "ELM "}, (True, True, True)),
    ({"room": "Elm", "seats": "2"}, (True, True, False)),
    ('{"room": "Elm"}', (True, True, True)),
    ({"room": "Oak"}, (False, True, True)),
    ({"room": "Elm", "notes": {"a": "b"}}, (False, True, True)),
    ({"seats": 2}, (False, False, False)),
    ('{room: "Elm"}', (True, True, False)),
    ("[]", (False, False, False)),
])  # fmt: skip
def test_a_call_is_scored(arguments: Any, expected: tuple[bool, ...]) -> None:
    task = make_task(RightCall("book", {"room": ["Elm"]}))

    assert expected == score_answer(task, ReadAnswer([SentCall("book", arguments)]))[:3]


def test_only_answers_with_a_call_are_valid() -> None:
    task = make_task()

    assert (True, False, False, "") == score_answer(task, ReadAnswer([]))
    assert (False, False, False) == score_answer(task, ReadAnswer(None))[:3]
    unknown = score_answer(task, ReadAnswer([SentCall("bok", {})]))
    assert "did you mean book?" in unknown.errors


def test_the_interval_of_no_answers_is_everything() -> None:
    assert (0.0, 1.0) == find_interval(0, 0)
    assert 0.0 == find_interval(0, 5)[0]
    assert 1.0 == find_interval(5, 5)[1]


def test_a_line_of_the_leaderboard_is_a_task(tmp_path: Path) -> None:
    schema = {"type": "dict", "properties": {"x": {"type": "float"}, "y": {"type": "any"}}}
    asked = {"id": "simple_0", "question": [[{"role": "user", "content": "Go."}]],
             "function": [{"name": "go", "description": "Go.", "parameters": schema}]}  # fmt: skip
    truth = {"id": "simple_0", "ground_truth": [{"go": {"x": [1.5], "y": ["", 2]}}]}
    answers = saved(tmp_path, truth, name="answers.jsonl")
    [task] = read_tasks(saved(tmp_path, asked), answers, FUNCTIONS)

    assert ("simple_0", [{"role": "user", "content": "Go."}]) == (task.id, task.messages)
    assert (RightCall("go", {"x": [1.5], "y": [None, 2]}),) == task.right
    signatures = {"go": task.tools["go"].signature}
    for arguments, right in (({"x": 1.5}, True), ({"x": 1.5, "y": 3}, False), ({"y": 2}, False)):
        assert right is are_right([("go", arguments)], task.right, signatures)
    assert not are_right([], task.right, signatures)
    assert not are_right([("go", {"x": 1.5})] * 2, task.right, signatures)


@pytest.mark.parametrize(("arguments", "right"), [
    ({"room": {"name": "Elm"}}, True),
    ({"room": {"name": "elm", "floor": 1}}, True),
    ({"room": {"name": "Elm", "floor": 2}}, False),
    ({"room": {"name": "Elm", "wing": "x"}}, False),
    ({"room": {"floor": 1}}, False),
    ({"room": {"name": "Elm"}, "seats": 2}, True),
    ({"room": {"name": "Elm"}, "seats": 3}, False),
    ({"room": {"name": "Elm"}, "tags": ["A"]}, True),
    ({"room": {"name": "Elm"}, "tags": ["A", "b"]}, False),
])  # fmt: skip
@pytest.mark.parametrize("write", [lambda x: x, json.dumps])
def test_objects_of_the_leaderboard_have_a_list_of_values_for_each_key(
    tmp_path: Path, arguments: dict[str, Any], right: bool, write: Any
) -> None:
    floor = {"type": "integer", "default": 7}
    room = {"type": "dict", "properties": {"name": {"type": "string"}, "floor": floor}}
    tags = {"type": "array", "items": {"type": "string"}}
    schema = {
        "type": "dict",
        "properties": {"room": room, "seats": {"type": "integer", "default": 2}, "tags": tags},
    }
    asked = {"id": 1, "question": "Go.", "function": [{"name": "book", "parameters": schema}]}
    wanted = {"room": [{"name": ["Elm"], "floor": ["", 1]}], "seats": [""], "tags": ["", ["a"]]}
    truth = saved(tmp_path, {"id": 1, "ground_truth": [{"book": wanted}]}, name="answers.jsonl")
    [task] = read_tasks(saved(tmp_path, asked), truth, FUNCTIONS)
    score = score_answer(task, ReadAnswer([SentCall("book", write(arguments))]))

    assert (right, True) == (score.right, score.valid), score.errors


def test_lists_of_objects_and_truths_are_compared() -> None:
    task = make_task(RightCall("book", {"room": ["Elm"], "seats": [2], "notes": [{"a": "b"}]}))
    sent = {"room": "Elm", "seats": 2, "notes": {"a": "b"}}

    assert score_answer(task, ReadAnswer([SentCall("book", sent)])).right
    assert not are_right(
        [("book", {"room": True})], (RightCall("book", {"room": [1]}),), {"book": book.signature}
    )


@pytest.mark.parametrize(("row", "why"), [
    (3, "task 1 is not an object with a question, but 3"),
    ({"question": "?"}, "task 1 has no tools"),
    ({"question": "?", "tools": 3}, "the tools of task 1 are no toolset and no list"),
    ({"question": "?", "tools": [TOOL], "calls": [{}]}, "a call of task 1 has no name and arguments"),
])  # fmt: skip
def test_a_row_that_is_no_task_is_told(row: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(TypesigError, match=why):
        read_tasks(saved(tmp_path, row), None, FUNCTIONS)


def test_a_file_or_module_without_tasks_is_told(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("{", encoding="utf-8")

    with pytest.raises(TypesigError, match="is not a JSON Lines file"):
        read_tasks(str(tmp_path / "bad.jsonl"), None, FUNCTIONS)
    with pytest.raises(TypesigError, match="json has no list TASKS"):
        read_tasks("json", None, FUNCTIONS)


def test_a_task_of_a_module_may_have_a_toolset(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("asked_here")
    vars(module)["TASKS"] = [{"question": [{"role": "user", "content": "?"}], "tools": ROOMS}]
    monkeypatch.setitem(sys.modules, "asked_here", module)
    [task] = read_tasks("asked_here", None, FUNCTIONS)

    assert (("book",), ()) == (task.tools.names, task.right)
