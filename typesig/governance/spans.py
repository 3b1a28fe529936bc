"""OpenTelemetry spans of calls and requests, by its conventions for generative AI.

The names are those of `execute_tool` in opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from typesig.errors import TypesigError
from typesig.governance.pending import Call
from typesig.governance.timing import Usage
from typesig.lazy_imports import import_extra
from typesig.limits.calls import MAX_TRACED
from typesig.validation.outcome.annotated_input import write_without_secrets
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider


class Spans:
    """Factory of OpenTelemetry spans for calls, used as `Governance(spans=…)`.

    The span is the current one while the tool runs, and ends with it.  What was mended and refused
    is told by events `typesig.mended` and `typesig.refused`.  With *content*, the arguments and the
    result are told too, without what is hidden and secrets, at most `MAX_TRACED` characters of
    each.  *provider* makes the tracer, by default the global one.
    Raises `TypesigError` without the package of the extra.

    >>> from typesig.governance import Governance
    >>> from importlib.util import find_spec
    >>> if find_spec("opentelemetry"):
    ...     governance = Governance(spans=Spans(content=True))
    """

    __slots__ = ("_content", "_tracer")
    _tracer: Tracer

    def __init__(self, *, content: bool = False, provider: TracerProvider | None = None) -> None:
        trace = import_extra("opentelemetry.trace", "otel", "typesig.governance.Spans")
        if not (provider is None or hasattr(provider, "get_tracer")):
            raise TypesigError(
                f"provider is a tracer provider of OpenTelemetry, not {type(provider).__name__}"
            )
        self._content = content
        self._tracer = (provider or trace).get_tracer("typesig")

    @contextmanager
    def start_call(self, call: Call, read: Outcome[Any]) -> Iterator[CallSpan]:
        """Start the span of *call*; *read* is the outcome of reading arguments."""
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.name,
            "gen_ai.tool.type": "function",
        }
        if call.id is not None:
            attributes["gen_ai.tool.call.id"] = call.id
        if self._content and read.ok:
            attributes["gen_ai.tool.call.arguments"] = _write_visible_value(read)
        with self._tracer.start_as_current_span(
            f"execute_tool {call.name}",
            attributes=attributes,
            # The text of an exception may be private.
            record_exception=self._content,
            set_status_on_exception=False,
        ) as span:
            made = CallSpan(span, self._content)
            try:
                yield made
            except BaseException as error:
                made.fail(type(error).__qualname__)
                raise

    @contextmanager
    def start_request(
        self, provider: str | None, model: str | None, is_current: bool
    ) -> Iterator[AskSpan]:
        """Start the span of a request to *model* of *provider*.

        It must not be while a stream is given away piece by piece.
        """
        from opentelemetry.trace import SpanKind, use_span

        told = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": None if provider is None else _NAMES.get(provider, provider),
            "gen_ai.request.model": model,
            "gen_ai.output.type": "json",
        }
        attributes = {name: value for name, value in told.items() if value is not None}
        name = "chat" if model is None else f"chat {model}"
        span = self._tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes)
        made = AskSpan(span, self._content)
        # The text of an exception may be private.
        current = use_span(span, record_exception=self._content, set_status_on_exception=False)
        try:
            with current if is_current else nullcontext():
                yield made
        except BaseException as error:
            made.fail(type(error).__qualname__)
            raise
        finally:
            span.end()


#: The names of vendors in the conventions, where they are others than ours.
_NAMES = {"gemini": "gcp.gemini", "mistral": "mistral_ai", "xai": "x_ai"}


class CallSpan:
    """The span of one call."""

    __slots__ = ("_content", "_span")

    def __init__(self, span: Span, content: bool) -> None:
        self._span = span
        self._content = content

    def end(self, outcome: Outcome[Any]) -> None:
        """Record the outcome and end the span."""
        mended = Counter([each.rule or each.code for each in outcome.warnings])
        refused = Counter([each.code for each in outcome.errors])
        for what, names in (("mended", mended), ("refused", refused)):
            for name, times in names.items():
                event: dict[str, str | int] = {
                    f"typesig.{what}.by": name,
                    f"typesig.{what}.times": times,
                }
                self._span.add_event(f"typesig.{what}", event)
        if outcome.errors:
            self.fail(outcome.errors[0].code)
        if self._content:
            shown = _write_visible_value(outcome) if outcome.ok else outcome.feedback()[:MAX_TRACED]
            self._tell(shown)

    def _tell(self, shown: str) -> None:
        """Set the text *shown* as the tool result attribute of the span."""
        self._span.set_attribute("gen_ai.tool.call.result", shown)

    def fail(self, kind: str) -> None:
        """Record in the span that the call failed with an error of type *kind*."""
        from opentelemetry.trace import StatusCode

        self._span.set_attribute("error.type", kind)
        self._span.set_status(StatusCode.ERROR)


class AskSpan(CallSpan):
    """The span of one request to a model."""

    __slots__ = ()

    def spend(self, usage: Usage) -> None:
        """Record the tokens of the request."""
        self._span.set_attribute("gen_ai.usage.input_tokens", usage.input)
        self._span.set_attribute("gen_ai.usage.output_tokens", usage.output)

    def _tell(self, shown: str) -> None:
        """Set the text *shown* as the output message attribute of the span."""
        parts = [{"type": "text", "content": shown}]
        messages = [{"role": "assistant", "parts": parts, "finish_reason": "stop"}]
        text = json.dumps(messages, ensure_ascii=False)
        self._span.set_attribute("gen_ai.output.messages", text)


def _write_visible_value(outcome: Outcome[Any]) -> str:
    """JSON text of the value of *outcome*, without firewalled parts."""
    subject = outcome._subject
    if subject is None:
        return outcome.text()[:MAX_TRACED]
    return write_without_secrets(subject.value, subject, MAX_TRACED)[:MAX_TRACED]
