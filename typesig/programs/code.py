"""The tools of a toolset as functions that a program calls, and the programs that call them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.constructors import make_noted, make_union
from typesig.algebra.redaction import redact
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import get_children, rebuild, with_types
from typesig.calls.call import get_first_policy
from typesig.errors import TypesigError, format_value
from typesig.listings.budget import FittedListing, fit_listing
from typesig.listings.entries import Listing, Tier, TieredText
from typesig.listings.styles import make_listing
from typesig.notations.python.writer import make_function_names, make_python_names
from typesig.notations.texts.quoting import Counter, check_counter
from typesig.programs.checks.arguments import Callee
from typesig.programs.checks.expressions import KnownNames
from typesig.programs.checks.program_check import check_program, check_typescript
from typesig.programs.checks.sandbox import MONTY
from typesig.programs.runner import Bounds, Runner, check_bounds
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.calls.arguments import Given
    from typesig.calls.running import WaitMode
    from typesig.governance.governance import Governance
    from typesig.mcp.serving.server import Server
    from typesig.mcp.transport.lifespans import Lifespan
    from typesig.tools.governed_calls import AsyncPerson, Person
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.policy import ModeName, Policy

#: The languages of programs.
CodeStyle: TypeAlias = Literal["python", "typescript"]

_BOUNDS = Bounds()

#: The first lines of a stub, by the style and by whether calls are awaited.
_HEADS: dict[tuple[CodeStyle, bool], tuple[str, ...]] = {
    ("python", False): (
        "# Functions that a Python program can call; its last expression is its result.",
        '# Results are plain data: dicts, lists, texts, numbers; keys as in row["id"].',
        "# Calls return at once. There are no files, no network and no packages.",
    ),
    ("python", True): (
        "# Functions that a Python program can call; its last expression is its result.",
        '# Results are plain data: dicts, lists, texts, numbers; keys as in row["id"].',
        "# Await each call, alone or in asyncio.gather(…). There are no files, no network and no",
        "# packages.",
    ),
    ("typescript", False): (
        "// Functions that a TypeScript program can call, as in tools.name({…}).",
    ),
    ("typescript", True): (
        "// Functions that a TypeScript program can call, as in await tools.name({…}).",
    ),
}


class _ListedFunction(NamedTuple):
    """A tool as listed for programs: name, signature, description and details."""

    name: str
    signature: Signature
    description: str | None
    details: str | None


class Code:
    """The tools of a toolset as functions that programs call; `Toolset.code` makes one.

    #: tools: the tools; style: the language of programs; awaited: whether calls are awaited

    >>> from typesig import tools_of
    >>> def find_user(name: str) -> dict[str, int]:
    ...     return {"id": 7}
    >>> code = tools_of([find_user]).code()
    >>> print(code.prompt(legend=False))
    # Tools you can call
    <BLANKLINE>
    def find_user(name: str) -> dict[str, int]: ...
    >>> print(code.check("find_users('Ann')").report())
    Program errors; nothing was run:
    - line 1, column 1: there is no tool "find_users" (did you mean find_user?)
        find_users('Ann')
        ^^^^^^^^^^
    """

    __slots__ = ("_known", "_runner", "awaited", "style", "tools")

    def __init__(
        self, tools: Toolset, style: CodeStyle, awaited: bool, runner: Runner | None
    ) -> None:
        if style not in ("python", "typescript"):
            raise TypesigError(
                f'programs are in "python" or "typescript", not {format_value(style)}'
            )
        if not isinstance(awaited, bool):
            raise TypesigError(f"awaited is True or False, not {format_value(awaited)}")
        self.tools = tools
        self.style: CodeStyle = style
        self.awaited = awaited
        self._runner = runner
        self._known: KnownNames | None = None

    def __repr__(self) -> str:
        return f"Code({', '.join(self.tools.names)})"

    # what a model reads

    def listing(self, tier: Tier = "full", legend: bool = True) -> Listing:
        """Return the listing of the functions for programs; see `Toolset.listing`."""
        shown = [_make_listed(one) for one in self.tools]
        made = make_listing(shown, self.style, tier, "shared")
        head = "\n".join(_HEADS[self.style, self.awaited])
        if self.awaited and self.style == "python":
            made = made._replace(entries=tuple(map(_make_awaited, made.entries)))
        return made._replace(layout=made.layout._replace(head=head)) if legend else made

    def prompt(self, tier: Tier = "full", legend: bool = True) -> str:
        """Write the function stubs, with descriptions, for the model.

        With *legend*, the first lines tell how programs are run.  *tier* is as for
        `Toolset.listing`.
        """
        return self.listing(tier, legend).text()

    def fit(
        self,
        counter: Counter,
        budget: int,
        legend: bool = True,
        *,
        ranking: Iterable[str | Tool[..., Any]] = (),
    ) -> FittedListing:
        """Return the richest stub whose size, by *counter*, is at most *budget*.

        See `Toolset.fit`.
        """
        return fit_listing(self.listing(legend=legend), check_counter(counter), budget, ranking)

    def select(self, *names: str) -> Code:
        """Return a copy with only the tools called *names*, in that order."""
        return Code(self.tools.select(*names), self.style, self.awaited, self._runner)

    # programs

    @property
    def known(self) -> KnownNames:
        """The names and tools that a program can use, for its check."""
        if self._known is None:
            sandbox = MONTY if self._runner is None else self._runner.sandbox
            listing = make_listing(
                [_make_listed(one) for one in self.tools], "python", "full", "shared"
            )
            names = make_function_names(self.tools.names)
            callees, types = dict[str, Callee](), dict[str, nodes.Type]()
            for one, called in zip(self.tools, names, strict=True):
                shown = listing.signatures[one.name]
                types.update(shown.names)
                callees[called] = _make_callee(one, called, shown.returns, self._get_mode(one))
            self._known = KnownNames(callees, types, self.awaited, sandbox)
        return self._known

    def check(self, program: str) -> Outcome[str]:
        """Check *program* without running it, and return the outcome.

        An error is a place where the program cannot be right; a warning is one where it may fail,
        such as a value that may be None.  Of TypeScript, only the names of tools are checked.
        """
        _check_text(program)
        if self.style == "typescript":
            return check_typescript(program, self.tools.names)
        return check_program(program, self.known)

    def run(
        self,
        program: str,
        *,
        given: Mapping[str, Any] | None = None,
        ledger: Ledger | None = None,
        bounds: Bounds = _BOUNDS,
        governance: Governance | None = None,
        person: Person | None = None,
    ) -> Outcome[Any]:
        """Run *program*; the outcome has the value of its last expression or the error.

        A program that `check` refuses is not run.  Each call is one of `Toolset.call`, with *given*
        and *ledger*; the program reads results as a model would.  A call that is refused
        raises an exception in the program.  An exception of a tool passes, except `ToolError`.
        Calls that the program gathers run in threads, at the same time.  *governance* governs the
        calls, which are those of one turn; where it asks a person, *person* is called with the
        question and the call, and returns None or a `Refuse`: without it, the call is refused.
        Raises `TypesigError` for a coroutine function, and without a sandbox.
        """
        from typesig.calls.running import BLOCKING, run_blocking

        late = [one.name for one in self.tools if one.is_async]
        if late:
            named = ", ".join(late)
            raise TypesigError(f"{named} cannot be called without await: write await code.arun(…)")
        host = given, ledger, governance, person
        return run_blocking(self._run(BLOCKING, program, bounds, *host))

    async def arun(
        self,
        program: str,
        *,
        given: Mapping[str, Any] | None = None,
        ledger: Ledger | None = None,
        bounds: Bounds = _BOUNDS,
        governance: Governance | None = None,
        person: Person | AsyncPerson | None = None,
    ) -> Outcome[Any]:
        """Run *program* as `run` does, for tools that are coroutine functions as well."""
        from typesig.calls.running import AWAITING

        return await self._run(AWAITING, program, bounds, given, ledger, governance, person)

    async def _run(
        self,
        waiting: WaitMode,
        program: str,
        bounds: Bounds,
        given: Mapping[str, Any] | None,
        ledger: Ledger | None,
        governance: Governance | None,
        person: Person | AsyncPerson | None,
    ) -> Outcome[Any]:
        """Check *program* and run it, awaited as *waiting* does."""
        from typesig.programs import running
        from typesig.tools.governed_calls import make_turn

        check_bounds(bounds)
        sandbox, checked = self._find_sandbox(), self.check(program)
        if not checked.ok:
            return checked
        turn = make_turn(governance, ledger, waiting, self.tools.names)
        calling = running.CallHandling(self.tools, self.known, given, ledger, turn, person)
        ran, progress = await running.run(sandbox, program, calling, bounds)
        return progress.make_outcome(ran, checked.warnings)

    def serve(
        self,
        *,
        given: Given | None = None,
        lifespan: Lifespan | None = None,
        bounds: Bounds = _BOUNDS,
        governance: Governance | None = None,
        **options: Any,
    ) -> Server:
        """Return an MCP server of three tools: `search`, `describe`, and `run` for a program.

        *given*, *bounds* and *governance* are those of each run; where a person has to decide on a
        call of the program, the one at the client is asked.  *lifespan* is a function whose context
        is open while the server runs, and yields values for the tools too; further *options* are
        those of `typesig.mcp.server`.
        """
        from typesig.governance.governance import check_governance
        from typesig.programs.serving import RunOptions, make_server

        check_governance(governance)
        runs = RunOptions(given, lifespan, check_bounds(bounds), governance)
        names = {called: callee.name for called, callee in self.known.callees.items()}

        def write_stub(functions: Iterable[str]) -> str:
            return self.select(*functions).prompt()

        return make_server(self.tools, names, write_stub, self.arun, runs, options)

    def _find_sandbox(self) -> Runner:
        """Return the runner of programs; create the default runner on first use."""
        if self._runner is None:
            if self.style != "python":
                raise TypesigError("programs in TypeScript need your own runner: runner=…")
            from typesig.programs.monty import MontyRunner

            self._runner = MontyRunner()
        return self._runner

    def _get_mode(self, one: Tool[..., Any]) -> ModeName | Policy | None:
        """Return the policy mode of the tool *one*: its own, or the toolset's."""
        return self.tools.modes.get(one.name) if one.mode is None else one.mode


def _check_text(program: object) -> None:
    """Raise `TypesigError` unless *program* is a string."""
    if not isinstance(program, str):
        raise TypesigError(f"a program is text, not {type(program).__name__}")


def _make_listed(one: Tool[..., Any]) -> _ListedFunction:
    """Describe the tool *one* for programs, with plain data types in its signature."""
    plain = map_types(one.signature, _to_plain_types)
    params = with_types(plain.params, _accept_lists)
    parts = (plain.returns, plain.definitions, plain.extra, plain.io, plain.secrets)
    shown = plain if params == plain.params else Signature(params, *parts)
    return _ListedFunction(one.name, shown, one.description, one.details)


def _accept_lists(t: nodes.Type) -> nodes.Type:
    """Widen the tuples in the parameter type *t* to lists, since results have lists.

    Records stay as they are, since results share them.
    """
    match t:
        case nodes.Tuple():
            inner = [_accept_lists(part) for part in get_children(t)]
            return make_union([rebuild(t, inner), nodes.List(make_union(inner))])
        case nodes.List() | nodes.MapOf() | nodes.Maybe() | nodes.Union() | nodes.Annotation():
            return rebuild(t, [_accept_lists(part) for part in get_children(t)])
        case _:
            return t


def _to_plain_types(t: nodes.Type) -> nodes.Type:
    """Replace types in *t* by plain data types, except in intersections and the like."""
    match t:
        case nodes.Scalar("datetime"):
            return make_noted(nodes.STRING, "such as 2026-01-31T12:00:00Z")
        case nodes.Set(item):
            return nodes.List(_to_plain_types(item))
        case (
            nodes.List()
            | nodes.Tuple()
            | nodes.MapOf()
            | nodes.Record()
            | nodes.Maybe()
            | nodes.Union()
            | nodes.Annotation()
        ):
            return rebuild(t, [_to_plain_types(part) for part in get_children(t)])
        case _:
            return t


def _make_awaited(entry: TieredText) -> TieredText:
    """Prefix the function stubs of a listing's *entry* with `async`."""
    return entry._replace(signatures=f"async {entry.signatures}", full=f"async {entry.full}")


def _make_callee(
    one: Tool[..., Any], called: str, returns: nodes.Type, mode: ModeName | Policy | None
) -> Callee:
    """Build the data to check calls of the tool *one*; *called* is its name in programs."""
    signature = redact(one.signature)
    names = make_python_names(field.name for field in signature.params)
    binding = one.binding
    is_plain = binding.sent is None and not binding.host.spellings
    return Callee(
        one.name,
        called,
        dict(zip(names, signature.params, strict=True)),
        signature.definitions,
        returns,
        binding.takes_any and signature.extra is not None,
        get_first_policy(mode),
        is_plain,
    )
