"""A server of three tools: to find functions, to describe them, to run a program of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypedDict

from typesig.calls.errors import ToolError
from typesig.calls.given import Given, Giver
from typesig.calls.unknown import unknown_tool
from typesig.errors import TypesigError
from typesig.mcp.serving.calling import needs_of, requests_of
from typesig.mcp.serving.naming import name_of
from typesig.mcp.serving.requests import Request
from typesig.mcp.serving.serving import Server, server
from typesig.programs.runner import Bounds
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typesig.programs.checks.expressions import Known
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

    async def arun(self, program: str, *, given: Mapping[str, Any], bounds: Bounds) -> Outcome[Any]:
        """Return the outcome of *program*."""
        ...


class Found(TypedDict):
    """A function that was found: its name, and what it does."""

    name: str
    description: str


def server_of(
    code: Programs, given: Given | None, bounds: Bounds, options: Mapping[str, Any]
) -> Server:
    """Return the server of *code*; see `Code.serve`."""
    if "lifespan" in options:
        raise TypesigError("code is served without lifespan: pass a function as given")
    requests = {name for one in code.tools for name in requests_of(one)}
    giver = Giver("run", _needs(code.tools), given)
    tools = code.tools
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

    async def run(
        program: Annotated[str, "its last expression is its result"], request: Request
    ) -> Any:
        """Run a program that calls the functions, and return its result."""
        values = {**await giver.avalues(request), **dict.fromkeys(requests, request)}
        outcome = await code.arun(program, given=values, bounds=bounds)
        if not outcome.ok:
            raise ToolError(outcome.feedback())
        return outcome.value

    served: list[Tool[..., Any]] = [
        Tool(search, annotations={"readOnlyHint": True}),
        Tool(describe, annotations={"readOnlyHint": True}),
        Tool(run),
    ]
    about = {"name": name_of(tools), "instructions": _INSTRUCTIONS, **options}
    return server(Toolset(served), **about)


def _needs(tools: Toolset) -> dict[str, bool]:
    """Return the names that the host gives to *tools*, and whether all can go without."""
    needs: dict[str, bool] = {}
    for one in tools:
        for name, optional in needs_of(one).items():
            needs[name] = optional and needs.get(name, True)
    return needs
