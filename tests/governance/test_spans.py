"""Spans for OpenTelemetry, as its own exporter in memory has them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest

import typesig
from typesig import ToolError, TypesigError
from typesig.governance import Governance, Refuse, Spans

SECRET = "hunter2"


@typesig.tool
def find(n: int, _key: str = "k") -> dict[str, Any]:
    """Find."""
    return {"n": n, "_owner": SECRET}


@typesig.tool
def fail(n: int) -> int:
    """Fail."""
    raise KeyError(SECRET)


@typesig.tool
def refuse(n: int) -> int:
    """Refuse."""
    raise ToolError("no such order")


@typesig.tool
async def later(n: int) -> int:
    """Wait."""
    await asyncio.sleep(0)
    return n


@typesig.tool
async def sleepless(n: int) -> int:
    """Raise."""
    raise KeyError(SECRET)


TOOLS = typesig.tools_of([find, fail, refuse])


def message(*calls: tuple[str, Any]) -> Any:
    asked = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(a)}}
        for n, (name, a) in enumerate(calls)
    ]
    return {"role": "assistant", "tool_calls": asked}


class Seen:
    """A tracer provider that keeps what it is told."""

    def __init__(self) -> None:
        self.spans: list[dict[str, Any]] = []

    def get_tracer(self, name: str) -> Any:
        return self

    def start_as_current_span(self, name: str, attributes: Any, **options: Any) -> Any:
        seen = {"name": name, **attributes, "events": [], "failed": False, "options": options}
        self.spans.append(seen)

        class Span:
            def __enter__(self) -> Any:
                return self

            def __exit__(self, *_: object) -> None:
                pass

            def add_event(self, event: str, parts: Any) -> None:
                seen["events"].append((event.partition(".")[2], *parts.values()))

            def set_attribute(self, key: str, value: Any) -> None:
                seen[key] = value

            def set_status(self, status: Any) -> None:
                seen["failed"] = True

            def end(self) -> None:
                seen["ended"] = True

        return Span()

    def start_span(self, name: str, kind: Any, attributes: Any) -> Any:
        return self.start_as_current_span(name, attributes)


def spans_of(
    *calls: tuple[str, Any], content: bool = False, **options: Any
) -> list[dict[str, Any]]:
    pytest.importorskip("opentelemetry.trace")
    seen = Seen()
    governance = Governance(spans=Spans(provider=seen, content=content), **options)  # type: ignore[arg-type]
    TOOLS.project("openai").handle(
        message(*calls), governance=governance, on_exception=lambda error, call: "failed"
    )
    return seen.spans


def test_each_call_of_a_tool_has_a_span() -> None:
    [found] = spans_of(("find", {"n": "3"}), ("nothing", {}))

    assert {
        "name": "execute_tool find",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "c0",
        "events": [("mended", "int_from_string", 1)],
        "failed": False,
        "options": {"record_exception": False, "set_status_on_exception": False},
    } == found


@pytest.mark.parametrize(
    ("call", "kind", "events"),
    [
        (("find", {"n": "x"}), "type", [("refused", "type", 1)]),
        (("refuse", {"n": 1}), "tool", [("refused", "tool", 1)]),
        (("fail", {"n": 1}), "KeyError", []),
    ],
)
def test_what_went_wrong_is_told_by_its_kind(call: Any, kind: str, events: list[Any]) -> None:
    [found] = spans_of(call)

    assert (kind, True, events) == (found["error.type"], found["failed"], found["events"])
    assert SECRET not in str(found)


def test_a_call_that_is_refused_by_a_hook_has_a_span() -> None:
    [found] = spans_of(("find", {"n": 1}), before=lambda call: Refuse("no"))

    assert ("refused", [("refused", "refused", 1)]) == (found["error.type"], found["events"])


def test_content_is_told_only_when_asked_and_without_what_is_hidden() -> None:
    found = spans_of(("find", {"n": "3"}), ("refuse", {"n": 1}), ("find", {"m": 1}), content=True)

    assert '{"n": 3}' == found[0]["gen_ai.tool.call.arguments"]
    assert '{"n": 3}' == found[0]["gen_ai.tool.call.result"]
    assert "Tool errors:\n- no such order" == found[1]["gen_ai.tool.call.result"]
    assert "gen_ai.tool.call.arguments" not in found[2]
    assert SECRET not in str(found)


def test_the_result_of_after_is_not_that_of_the_tool() -> None:
    other = typesig.parse(":int").validate_output(5)

    [found] = spans_of(("find", {"n": 3}), content=True, after=lambda call, outcome: other)

    assert "3" in found["gen_ai.tool.call.result"]


def test_a_call_without_an_id_and_an_outcome_without_a_type_are_told() -> None:
    pytest.importorskip("opentelemetry.trace")
    seen = Seen()
    governance = Governance(spans=Spans(provider=seen, content=True))  # type: ignore[arg-type]

    TOOLS.project("mcp").handle({"name": "find", "arguments": {"n": 1}}, governance=governance)
    with governance.spans.start_call(  # type: ignore[union-attr]
        __import__("typesig").governance.Call(None, "f", {}, {}), typesig.Outcome({"a": 1})
    ) as span:
        span.end(typesig.Outcome({"a": 1}))

    assert "gen_ai.tool.call.id" not in seen.spans[0]
    assert '{"a":1}' == seen.spans[1]["gen_ai.tool.call.result"]


@pytest.mark.parametrize("name", ["later", "sleepless"])
def test_calls_in_a_loop_have_spans_too(name: str) -> None:
    pytest.importorskip("opentelemetry.trace")
    seen = Seen()
    governance = Governance(spans=Spans(provider=seen))  # type: ignore[arg-type]
    wire = typesig.tools_of([later, sleepless]).project("openai")

    async def told(error: Exception, call: Any) -> str:
        return "failed"

    made = wire.ahandle(message((name, {"n": 1})), governance=governance, on_exception=told)
    [found] = asyncio.run(made)

    fails = name == "sleepless"
    assert ("failed" if fails else "1") == found["content"]
    assert [fails] == [each["failed"] for each in seen.spans]


def test_what_is_no_provider_is_a_mistake() -> None:
    pytest.importorskip("opentelemetry.trace")
    with pytest.raises(TypesigError) as caught:
        Spans(provider=3)  # type: ignore[arg-type]

    assert "provider is a tracer provider of OpenTelemetry, not int" == str(caught.value)


def test_without_the_extra_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(TypesigError) as caught:
        Spans()

    told = "typesig.governance.Spans needs opentelemetry.trace, of its extra: pip install 'typesig[otel]'"
    assert told == str(caught.value).replace("opentelemetry,", "opentelemetry.trace,")


@pytest.mark.needs_process
def test_nothing_of_spans_is_loaded_unless_asked() -> None:
    program = (
        "import sys, typesig\n"
        "from typesig.governance import Governance\n"
        "def f() -> int: return 1\n"
        "wire = typesig.tools_of([f]).project('mcp')\n"
        "wire.handle({'name': 'f', 'arguments': {}}, governance=Governance(retries=1))\n"
        "print([name for name in sys.modules if 'opentel' in name or name.endswith('.spans')])\n"
        "wire.handle({'name': 'f', 'arguments': {}})\n"
    )
    plain = (
        "import sys, typesig\n"
        "def f() -> int: return 1\n"
        "typesig.tools_of([f]).project('mcp').handle({'name': 'f', 'arguments': {}})\n"
        "print([name for name in sys.modules if 'governance' in name])\n"
    )
    for each in (program, plain):
        ran = subprocess.run([sys.executable, "-c", each], capture_output=True, text=True)

        assert ("[]\n", "") == (ran.stdout, ran.stderr)
