"""A server of three tools: to find functions, to describe them, to run a program of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol, TypedDict

from typesig.calls.errors import ToolError
from typesig.calls.given import Given, Giver
from typesig.calls.unknown import unknown_tool
from typesig.extraction.hints.metadata import Injected
from typesig.mcp.serving.calling import ask_person, needs_of, requests_of
from typesig.mcp.serving.naming import name_of
from typesig.mcp.serving.requests import Request
from typesig.mcp.serving.serving import Server, server
from typesig.mcp.transport.lifespans import entered
from typesig.programs.runner import Bounds
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typesig.governance.governance import Governance
    from typesig.mcp.transport.lifespans import Lifespan
    from typesig.programs.checks.expressions import Known
    from typesig.tools.governing import AsyncPerson
    from typesig.validation.outcome.outcome import Outcome

#: What clients are told of the server.
_INSTRUCTIONS = (
    "Search for functions, let those that you need be described, then run one program that calls "
    "them and returns what you want to know."
)


class Programs(Protocol):
    """What is served: the `Code` of a toolset."""

    @property
    def tools(self) -> Toolset:
        """The tools that programs call."""
        ...

    @property
    def known(self) -> Known:
        """Their names in programs."""
        ...

    def select(self, *names: str) -> Programs:
        """Return the same of the tools called *names*."""
        ...

    def prompt(self) -> str:
        """Return what a model reads of them."""
        ...

    async def arun(
        self,
        program: str,
        *,
        given: Mapping[str, Any],
        bounds: Bounds,
        governance: Governance | None,
        person: AsyncPerson | None,
    ) -> Outcome[Any]:
        """Return the outcome of *program*."""
        ...


class Found(TypedDict):
    """A function that was found: its name, and what it does."""

    name: str
    description: str


class Runs(NamedTuple):
    """What programs are run with; see `Code.serve`."""

    given: Given | None
    lifespan: Lifespan | None
    bounds: Bounds
    governance: Governance | None


class _Host:
    """What the host gives to the tools: the *values* of the lifespan function, and *given*."""

    __slots__ = ("_giver", "_values")

    def __init__(
        self, needs: Mapping[str, bool], given: Given | None, values: Mapping[str, Any]
    ) -> None:
        # A function need not give what the lifespan function does.
        left = {name: optional or name in values for name, optional in needs.items()}
        self._giver = Giver("run", left, given)
        self._values = values

    async def give(self, request: Request) -> dict[str, Any]:
        """Return the values for the run that *request* asks for."""
        return {**self._values, **await self._giver.avalues(request)}


def server_of(code: Programs, runs: Runs, options: Mapping[str, Any]) -> Server:
    """Return the server of *code*; see `Code.serve`."""
    tools, needs = code.tools, _needs(code.tools)
    names = {called: callee.name for called, callee in code.known.callees.items()}
    called = {name: each for each, name in names.items()}

    def search(
        query: Annotated[str, "words that tell what is to be done"],
        limit: Annotated[int, "functions at most"] = 10,
    ) -> list[Found]:
        """Search for functions that a program can call."""
        if limit < 1:
            raise ToolError("limit is 1 or more")
        found = tools.search(query, limit)
        return [{"name": called[one.name], "description": one.description or ""} for one in found]

    def describe(functions: list[str]) -> str:
        """Describe functions: their parameters and results, as a stub."""
        unknown = [each for each in functions if each not in names]
        if unknown:
            raise ToolError(unknown_tool(unknown[0], names))
        return code.select(*dict.fromkeys(names[each] for each in functions)).prompt()

    served: list[Tool[..., Any]] = [
        Tool(search, annotations={"readOnlyHint": True}),
        Tool(describe, annotations={"readOnlyHint": True}),
        Tool(_run_of(code, runs)),
    ]
    about = {"name": name_of(tools), "instructions": _INSTRUCTIONS, **options}
    if runs.lifespan is None:
        return server(Toolset(served), given={"host": _Host(needs, runs.given, {})}, **about)
    return server(Toolset(served), lifespan=partial(_opened, needs, runs), **about)


def _run_of(code: Programs, runs: Runs) -> Callable[..., Any]:
    """Return the function that runs a program."""
    requests = {name for one in code.tools for name in requests_of(one)}

    async def run(
        program: Annotated[str, "its last expression is its result"],
        request: Request,
        host: Injected[_Host],
    ) -> Any:
        """Run a program that calls the functions, and return its result."""
        outcome = await code.arun(
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


async def _opened(needs: Mapping[str, bool], runs: Runs) -> AsyncIterator[dict[str, Any]]:
    """Yield what `run` needs while what the lifespan function has opened is open."""
    async with entered(runs.lifespan) as values:
        yield {"host": _Host(needs, runs.given, values)}


def _needs(tools: Toolset) -> dict[str, bool]:
    """Return the names that the host gives to *tools*, and whether all can go without."""
    needs: dict[str, bool] = {}
    for one in tools:
        for name, optional in needs_of(one).items():
            needs[name] = optional and needs.get(name, True)
    return needs
