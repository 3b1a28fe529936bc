"""Options of the requests of an ask: tools to call first, and constrained decoding at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, assert_never, get_args

from typesig.errors import TypesigError, format_value
from typesig.providers.projection.projection import Projection
from typesig.tools.answers.request_guard import EndReason
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typesig.calls.arguments import Given
    from typesig.providers.engines.engine import Constraint
    from typesig.providers.projection.call_handler import OnException, PageChoice
    from typesig.providers.projection.projection import Projection
    from typesig.providers.projection.replies import HostItems
    from typesig.providers.registry.calls import WireCall
    from typesig.providers.registry.provider import DecoderName, ProviderName


# --- Escalation of an ask: after repair and feedback, constrained decoding of what failed ---
# A small model that is told of its mistake often repeats it.  Held to a grammar, it cannot.

#: The servers whose guided decoding is asked for in the body of a request.
ServerName: TypeAlias = Literal["vllm", "sglang", "llama.cpp"]

SERVERS: tuple[ServerName, ...] = get_args(ServerName)

#: For each server, the engine that the grammar is for.
#: The pages on structured outputs of docs.vllm.ai and docs.sglang.ai, and the README of the server
#: of llama.cpp, describe them.
ENGINES: dict[ServerName, DecoderName] = {"vllm": "xgrammar", "sglang": "gbnf", "llama.cpp": "gbnf"}

REPEATED = EndReason("refused", "the model was not asked on: it repeated what had failed")


def check_escalation(escalate: object) -> None:
    """Raise `TypesigError` if *escalate* is neither a bool nor the name of a server."""
    if type(escalate) is not bool and escalate not in SERVERS:
        names = ", ".join(map(repr, SERVERS))
        raise TypesigError(f"escalate is True, False, {names}, not {format_value(escalate)}")


def write_body(server: ServerName, held: Constraint[Any]) -> dict[str, Any]:
    """Members of the body of a request that hold *server* to the constraint *held*."""
    match server:
        case "vllm":
            key = "json" if held.syntax == "json_schema" else held.syntax
            return {"structured_outputs": {key: held.grammar if key == "json" else held.text}}
        case "sglang":
            return {"ebnf": held.text}
        case "llama.cpp":
            return {"grammar": held.text}
        case _:
            assert_never(server)


class Escalation:
    """What has failed in an ask, and when to constrain it.

    #: is_constrained: whether the answer is constrained from now on
    #: forced: the name of the tool that the next answer has to call, or None
    """

    __slots__ = ("_last_answer", "_last_calls", "forced", "is_constrained")

    def __init__(self, is_constrained: bool) -> None:
        self.is_constrained = is_constrained
        self.forced: str | None = None
        self._last_answer: str | None = None
        self._last_calls: dict[str, str] = {}

    def note_answer(self, sent: object, left: int) -> EndReason | None:
        """Record the failed answer *sent* with *left* attempts left; return why to stop, or None.

        The answer is constrained when it has been given feedback, repeats itself, or has one
        attempt left.
        """
        text = _write(sent)
        before, self._last_answer = self._last_answer, text
        if text == before and self.is_constrained:
            return REPEATED
        self.is_constrained = self.is_constrained or before is not None or left == 1
        return None

    def note_calls(self, projection: Projection, calls: Iterable[WireCall]) -> EndReason | None:
        """Record which *calls* of tools fail; return why to stop, or None.

        A tool whose call fails once more after feedback is forced, and ends the ask when it then
        repeats itself.
        """
        was_forced, self.forced = self.forced, None
        failed: dict[str, str] = {}
        for call in calls:
            one = projection.tools.get(call.name)
            if one is not None and call.stop is None and not one.read(call.arguments).ok:
                failed[call.name] = _write(call.arguments)
        for name, text in failed.items():
            if name == was_forced and self._last_calls.get(name) == text:
                return REPEATED
            if name in self._last_calls:
                self.forced = name
        self._last_calls = failed
        return None


def force_tool(
    request: Mapping[str, Any],
    projection: Projection,
    name: str,
    forced: Callable[[dict[str, Any], dict[str, Any], str | None], dict[str, Any]],
) -> dict[str, Any]:
    """Copy *request*, which offers no tools, with the tool *name* alone, which must be called."""
    return forced(dict(request), projection.tools[name].definition, name)


def _write(sent: object) -> str:
    """Text of *sent*, an answer or arguments, to compare it with another."""
    return sent if isinstance(sent, str) else json.dumps(sent, sort_keys=True, default=str)


# --- The tools that a model may call before it answers ---


class HostValues(NamedTuple):
    """Values from the host for calls of tools; see `Projection.handle`."""

    given: Given | None = None
    on_exception: OnException | None = None
    pages: PageChoice | None = None
    host_items: HostItems | None = None


def make_projection(
    tools: object, provider: ProviderName, options: Mapping[str, Any]
) -> Projection | None:
    """Project *tools* for *provider*; None if *tools* is no toolset and no projection.

    Raises `TypesigError` for a projection for another provider.
    """
    if isinstance(tools, Toolset):
        project: Callable[..., Any] = tools.project
        made: Projection = project(provider, **options)
        return made
    if not isinstance(tools, Projection):
        return None
    if tools.provider != provider:
        raise TypesigError(
            f"the tools are projected for {tools.provider}, the client is {provider}"
        )
    return tools
