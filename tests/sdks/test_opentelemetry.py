"""Spans of governed calls, as the exporter in memory of OpenTelemetry's own SDK has them."""

from __future__ import annotations

import asyncio

import pytest

import typesig
from tests.governance.test_spans import later, message
from typesig.governance import Governance, Spans


def test_the_exporter_of_opentelemetry_has_the_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    # The loops of frameworks switch it off for the whole process.
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as names
    from opentelemetry.trace import StatusCode

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("test")

    @typesig.tool
    async def nested(n: int) -> int:
        """Nest."""
        with tracer.start_as_current_span("inner"):
            await asyncio.sleep(0)
        return n

    wire = typesig.tools_of([nested, later]).project("openai")
    sent = message(("nested", {"n": "1"}), ("later", {"n": "x"}))
    governance = Governance(spans=Spans(provider=provider))
    with tracer.start_as_current_span("turn"):
        asyncio.run(wire.ahandle(sent, governance=governance))

    by_name = {span.name: span for span in exporter.get_finished_spans()}
    nested_span, later_span = by_name["execute_tool nested"], by_name["execute_tool later"]
    turn = by_name["turn"].context
    assert nested_span.context is not None
    assert turn is not None
    assert by_name["inner"].parent is not None
    assert nested_span.parent is not None
    assert nested_span.context.span_id == by_name["inner"].parent.span_id
    assert turn.span_id == nested_span.parent.span_id
    assert {
        names.GEN_AI_OPERATION_NAME: names.GenAiOperationNameValues.EXECUTE_TOOL.value,
        names.GEN_AI_TOOL_NAME: "nested",
        names.GEN_AI_TOOL_TYPE: "function",
        names.GEN_AI_TOOL_CALL_ID: "c0",
    } == dict(nested_span.attributes or {})
    assert ["typesig.mended"] == [event.name for event in nested_span.events]
    assert StatusCode.ERROR is later_span.status.status_code
    assert nested_span.end_time is not None
    assert nested_span.start_time is not None
    assert nested_span.end_time >= nested_span.start_time
