"""A server of three tools: to find functions, to describe them, to run a program of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias, TypedDict

from typesig.calls.arguments import Given, InjectedValues
from typesig.calls.functions import ToolError
from typesig.calls.unknown_tools import explain_unknown_tool
from typesig.extraction.hints.metadata import Injected
from typesig.mcp.serving.call_runner import ask_person, get_injected_names, get_request_parameters
from typesig.mcp.serving.requests import Request
from typesig.mcp.serving.server import Server, find_server_name, server
from typesig.mcp.transport.lifespans import enter_lifespan
from typesig.programs.runner import Bounds
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typesig.governance.governance import Governance
    from typesig.mcp.transport.lifespans import Lifespan
    from typesig.validation.outcome.outcome import Outcome

#: What clients are told of the server.
_INSTRUCTIONS = (
    "Search for functions, let those that you need be described, then run one program that calls "
    "them and returns what you want to know."
)


#: Runs a program; see `Code.arun`.
RunProgram: TypeAlias = "Callable[..., Awaitable[Outcome[Any]]]"


class FoundFunction(TypedDict):
    """A function found by a search: name and description."""

    name: str
    description: str


class RunOptions(NamedTuple):
    """Options for running programs; see `Code.serve`."""

    given: Given | None
    lifespan: Lifespan | None
    bounds: Bounds
    governance: Governance | None


class _HostValues:
    """Values from the host: the lifespan function's and *given*."""

    __slots__ = ("_giver", "_values")

    def __init__(
        self, needs: Mapping[str, bool], given: Given | None, values: Mapping[str, Any]
    ) -> None:
        # A function need not give what the lifespan function does.
        left = {name: optional or name in values for name, optional in needs.items()}
        self._giver = InjectedValues("run", left, given)
        self._values = values

    async def give(self, request: Request) -> dict[str, Any]:
        """Return the host values for the program that *request* asks to run."""
        return {**self._values, **await self._giver.avalues(request)}


def make_server(
    tools: Toolset,
    names: Mapping[str, str],
    write_stub: Callable[[Iterable[str]], str],
    run: RunProgram,
    runs: RunOptions,
    options: Mapping[str, Any],
) -> Server:
    """Build the MCP server with the tools `search`, `describe` and `run` for programs.

    *names* are those of *tools* by their names in programs; *write_stub* writes the stub of some.
    """
    needs = _find_needs(tools)
    called = {name: each for each, name in names.items()}

    def search(
        query: Annotated[str, "words that tell what is to be done"],
        limit: Annotated[int, "functions at most"] = 10,
    ) -> list[FoundFunction]:
        """Search for functions that a program can call."""
        if limit < 1:
            raise ToolError("limit is 1 or more")
        found = tools.search(query, limit)
        return [{"name": called[one.name], "description": one.description or ""} for one in found]

    def describe(functions: list[str]) -> str:
        """Describe functions: their parameters and results, as a stub."""
        unknown = [each for each in functions if each not in names]
        if unknown:
            raise ToolError(explain_unknown_tool(unknown[0], names))
        return write_stub(dict.fromkeys(names[each] for each in functions))

    served: list[Tool[..., Any]] = [
        Tool(search, annotations={"readOnlyHint": True}),
        Tool(describe, annotations={"readOnlyHint": True}),
        Tool(_run_of(tools, run, runs)),
    ]
    about = {"name": find_server_name(tools), "instructions": _INSTRUCTIONS, **options}
    if runs.lifespan is None:
        return server(Toolset(served), given={"host": _HostValues(needs, runs.given, {})}, **about)
    return server(Toolset(served), lifespan=partial(_open, needs, runs), **about)


def _run_of(tools: Toolset, run_program: RunProgram, runs: RunOptions) -> Callable[..., Any]:
    """Build the server's tool function `run`, which runs a program by *run_program*."""
    requests = {name for one in tools for name in get_request_parameters(one)}

    async def run(
        program: Annotated[str, "its last expression is its result"],
        request: Request,
        host: Injected[_HostValues],
    ) -> Any:
        """Run a program that calls the functions, and return its result."""
        outcome = await run_program(
            program,
            given={**await host.give(request), **dict.fromkeys(requests, request)},
            bounds=runs.bounds,
            governance=runs.governance,
            person=partial(ask_person, request),
        )
        if not outcome.ok:
            raise ToolError(outcome.feedback())
        return outcome.value

    return run


async def _open(needs: Mapping[str, bool], runs: RunOptions) -> AsyncIterator[dict[str, Any]]:
    """Yield the host values for `run` while the lifespan function is active."""
    async with enter_lifespan(runs.lifespan) as values:
        yield {"host": _HostValues(needs, runs.given, values)}


def _find_needs(tools: Toolset) -> dict[str, bool]:
    """Map the host values that *tools* need to whether all tools can do without."""
    needs: dict[str, bool] = {}
    for one in tools:
        for name, optional in get_injected_names(one).items():
            needs[name] = optional and needs.get(name, True)
    return needs
