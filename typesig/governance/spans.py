"""Spans: what OpenTelemetry is told of each call, by its conventions for generative AI.

The names are those of `execute_tool` in opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from typesig.call_limits import MAX_TRACED
from typesig.errors import TypesigError
from typesig.fronts import needed
from typesig.governance.decisions import Call
from typesig.validation.outcome.echo import text_without_secrets
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider


class Spans:
    """Makes a span `execute_tool NAME` for each call; for `Governance(spans=…)`.

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
        trace = needed("opentelemetry.trace", "otel", "typesig.governance.Spans")
        if not (provider is None or hasattr(provider, "get_tracer")):
            raise TypesigError(
                f"provider is a tracer provider of OpenTelemetry, not {type(provider).__name__}"
            )
        self._content = content
        self._tracer = (provider or trace).get_tracer("typesig")

    @contextmanager
    def begun(self, call: Call, read: Outcome[Any]) -> Iterator[CallSpan]:
        """Make the span of *call*, whose arguments were *read*, the current one."""
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.name,
            "gen_ai.tool.type": "function",
        }
        if call.id is not None:
            attributes["gen_ai.tool.call.id"] = call.id
        if self._content and read.ok:
            attributes["gen_ai.tool.call.arguments"] = _shown(read)
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


class CallSpan:
    """The span of one call."""

    __slots__ = ("_content", "_span")

    def __init__(self, span: Span, content: bool) -> None:
        self._span = span
        self._content = content

    def end(self, outcome: Outcome[Any]) -> None:
        """Tell what became of the call."""
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
            shown = _shown(outcome) if outcome.ok else outcome.feedback()[:MAX_TRACED]
            self._span.set_attribute("gen_ai.tool.call.result", shown)

    def fail(self, kind: str) -> None:
        """Tell that the call failed by *kind*, which has no data in it."""
        from opentelemetry.trace import StatusCode

        self._span.set_attribute("error.type", kind)
        self._span.set_status(StatusCode.ERROR)


def _shown(outcome: Outcome[Any]) -> str:
    """Return the value of *outcome* as JSON text without what is hidden."""
    subject = outcome._subject
    if subject is None:
        return outcome.text()[:MAX_TRACED]
    return text_without_secrets(subject.value, subject, MAX_TRACED)[:MAX_TRACED]
