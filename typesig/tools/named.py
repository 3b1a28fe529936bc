"""Tools by name, and their calls: found by a name that a model wrote, and as a type."""

from __future__ import annotations

import types
from collections.abc import AsyncIterable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, overload

from typesig.algebra import nodes
from typesig.algebra.constructors import make_enum, make_refined, make_union
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.signature import Signature, make_type_signature, make_unique_name
from typesig.algebra.traversal import transform
from typesig.calls.functions import add_outside_request, check_mode, check_needed
from typesig.calls.protocols import ToolLike, ToolsByName
from typesig.errors import TypesigError
from typesig.extraction.callables.warnings import HintWarning
from typesig.tools.tool import Tool

if TYPE_CHECKING:
    from typesig.calls.running import WaitMode
    from typesig.governance.governance import Governance
    from typesig.governance.pending import PendingCalls
    from typesig.providers.dialects.dialect import Dialect
    from typesig.tools.search import SearchIndex
    from typesig.tools.streams.dialects import DialectStream, Reading
    from typesig.tools.streams.stream import Stream
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.policy import ModeName, Policy


# --- Tools by name, and their calls, which are found by a name that a model wrote ---

# Calls need these modules, and listings do not: they are loaded by the first call.


def warnings_of(one: Tool[..., Any]) -> tuple[HintWarning, ...]:
    """Return the warnings about the hints of *one*; none if its hints cannot be read."""
    try:
        return one.warnings
    except TypesigError:
        return ()


class NamedTools:
    """The tools of a toolset by name, in a fixed order, with their calls; see `Toolset`."""

    __slots__ = ("_index", "_omissions", "_tools", "modes", "refused")

    def __init__(
        self,
        tools: Iterable[Tool[..., Any]] = (),
        warnings: Iterable[HintWarning] = (),
        *,
        mode: ModeName | Policy | None = None,
        refused: Mapping[str, TypesigError] | None = None,
    ) -> None:
        if not isinstance(tools, Iterable):
            raise TypesigError(
                f"a toolset has several tools, not {type(tools).__name__}; write tools_of(…)"
            )
        named: dict[str, Tool[..., Any]] = {}
        for one in tools:
            if not isinstance(one, Tool):
                raise TypesigError(
                    f"a toolset has tools, not {type(one).__name__}; write tools_of([…])"
                )
            if one.name in named:
                raise TypesigError(
                    f"two tools are called {one.name}; rename one with @tool(name=…), or write "
                    "prefixed(…)"
                )
            named[one.name] = one
        self._tools = types.MappingProxyType(named)
        # Made by the first search.
        self._index: SearchIndex | None = None
        self._omissions = tuple(warnings)
        self.refused: Mapping[str, TypesigError] = types.MappingProxyType(dict(refused or {}))
        # By name, since the sum of two toolsets keeps the mode of each.
        self.modes: dict[str, ModeName | Policy] = {}
        chosen = check_mode(mode)
        if chosen is not None:
            self.modes.update((name, chosen) for name in named)

    def __iter__(self) -> Iterator[Tool[..., Any]]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __getitem__(self, name: str) -> Tool[..., Any]:
        """Return the tool called *name*.

        Raises the error of a tool that is refused, or else `KeyError` with the nearest name.
        """
        if name not in self._tools:
            from typesig.calls.unknown_tools import make_unknown_tool_error

            raise make_unknown_tool_error(name, self.names, self.refused)
        return self._tools[name]

    @property
    def warnings(self) -> tuple[HintWarning, ...]:
        """Warnings about omitted functions, and about hints that JSON cannot express."""
        return (*self._omissions, *self._definition_warnings())

    @property
    def omissions(self) -> tuple[HintWarning, ...]:
        """Warnings about omitted functions, without those about hints."""
        return self._omissions

    def _definition_warnings(self) -> list[HintWarning]:
        """List the warnings about the hints of all tools, with the tools' names."""
        return [warning.below(one.name) for one in self for warning in warnings_of(one)]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, in order."""
        return tuple(self._tools)

    def call(
        self,
        name: str | PendingCalls,
        arguments: object = None,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
        governance: Governance | None = None,
    ) -> Outcome[Any]:
        """Return the outcome of calling the tool *name*, which a model chose; see `Tool.call`.

        A name that is spelled like that of exactly one tool, but for case, separators, a prefix
        `functions.` or trailing parentheses, means that tool, with a warning.  The tool takes what
        it needs of *given*.  Without *mode*, the tool's own mode holds, or else
        that of the toolset.  *governance* says whether it runs, and how; where it asks a person,
        `Paused` is raised, and *name* is what they decided later.
        """
        if governance is not None or type(name) is not str:
            from typesig.calls.running import BLOCKING, run_blocking

            governed = governance, given, mode, ledger
            return run_blocking(self._call_governed(BLOCKING, name, arguments, *governed))
        found = name if name in self._tools else self._find(name)
        if found is None:
            return self._make_unknown_outcome(name, arguments, ledger)
        one, mode, given = self._choose(found, mode, given)
        outcome = one.call(arguments, given=given, mode=mode, ledger=ledger)
        return self._with_name(outcome, name, one, mode, ledger)

    async def acall(
        self,
        name: str | PendingCalls,
        arguments: object = None,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
        governance: Governance | None = None,
    ) -> Outcome[Any]:
        """Return the outcome of calling the tool *name*; see `call` and `Tool.acall`."""
        if governance is not None or type(name) is not str:
            from typesig.calls.running import AWAITING

            governed = governance, given, mode, ledger
            return await self._call_governed(AWAITING, name, arguments, *governed)
        found = name if name in self._tools else self._find(name)
        if found is None:
            return self._make_unknown_outcome(name, arguments, ledger)
        one, mode, given = self._choose(found, mode, given)
        outcome = await one.acall(arguments, given=given, mode=mode, ledger=ledger)
        return self._with_name(outcome, name, one, mode, ledger)

    async def _call_governed(
        self,
        waiting: WaitMode,
        name: object,
        arguments: object,
        governance: Governance | None,
        given: Mapping[str, Any] | None,
        mode: ModeName | Policy | None,
        ledger: Ledger | None,
    ) -> Outcome[Any]:
        """Return the outcome of a call of the tool *name* that *governance* governs."""
        from typesig.tools.governed_calls import GovernedCall, make_turn, read_wanted

        asked = read_wanted(name, arguments)
        found = self._find(asked.name)
        if found is None:
            return self._make_unknown_outcome(asked.name, asked.arguments, ledger)
        one, mode, given = self._choose(found, mode, given)
        turn = make_turn(governance, ledger, waiting, self.names)
        call = GovernedCall(turn, one, asked, mode, given=given, ledger=ledger)
        return self._with_name(await call.call(), asked.name, one, mode, ledger)

    def _find(self, name: object) -> str | None:
        """Find the tool that a model meant by *name*, maybe misspelt; None if unknown."""
        from typesig.calls.unknown_tools import find_name

        return find_name(name, self._tools, self.refused)

    def _with_name(
        self,
        outcome: Outcome[Any],
        name: str,
        one: Tool[..., Any],
        mode: ModeName | Policy | None,
        ledger: Ledger | None,
    ) -> Outcome[Any]:
        """Add a warning to *outcome* if the tool *one* was called by another *name*."""
        if name == one.name:
            return outcome
        from typesig.calls.unknown_tools import report_name

        return report_name(outcome, name, one, mode, ledger)

    def _choose(
        self, name: str, mode: ModeName | Policy | None, given: Mapping[str, Any] | None
    ) -> tuple[Tool[..., Any], ModeName | Policy | None, dict[str, Any]]:
        """Return the tool *name*, its mode, and the host values it needs from *given*."""
        one = self._tools[name]
        needs = one.needs
        values = add_outside_request(one.binding, check_needed(needs, given)) if needs else {}
        return one, self._get_mode(one, mode), values

    @overload
    def stream(
        self,
        name: str,
        chunks: Iterable[str | None] | AsyncIterable[str | None] | None = None,
        mode: ModeName | Policy | None = None,
        *,
        ledger: Ledger | None = None,
    ) -> Stream[dict[str, Any]]: ...
    @overload
    def stream(
        self,
        *,
        chunks: Iterable[str | None] | AsyncIterable[str | None] | None = None,
        mode: ModeName | Policy | None = None,
        dialect: str | Dialect,
        thinking: bool = False,
        ledger: Ledger | None = None,
    ) -> DialectStream: ...
    def stream(
        self,
        name: str | None = None,
        chunks: Iterable[str | None] | AsyncIterable[str | None] | None = None,
        mode: ModeName | Policy | None = None,
        *,
        dialect: str | Dialect | None = None,
        thinking: bool = False,
        ledger: Ledger | None = None,
    ) -> Stream[dict[str, Any]] | DialectStream:
        """Return the reading of arguments for the tool *name*; see `Tool.stream`.

        If there is no such tool, the outcome says so, as that of `call` does.  With *dialect* in
        place of *name*, return the reading of what an open model writes, with calls of any tool;
        *thinking* says that the prompt begins the reasoning.  Raises `TypesigError` for an unknown
        dialect.
        """
        if dialect is not None or name is None:
            if dialect is None or name is not None:
                raise TypesigError(
                    "stream takes the name of a tool, or else the dialect of a model"
                )
            from typesig.tools.streams.dialects import make_text_stream

            return make_text_stream(dialect, self, chunks, check_mode(mode), thinking, ledger)
        from typesig.tools.streams.stream import make_argument_stream, make_outcome_stream

        found = self._find(name)
        if found is None:
            return make_outcome_stream(
                lambda text: self._make_unknown_outcome(name, text, ledger), chunks
            )
        one = self._tools[found]
        return make_argument_stream(one, chunks, self._get_mode(one, mode), ledger, name)

    def read(
        self,
        text: str,
        *,
        dialect: str | Dialect = "auto",
        mode: ModeName | Policy | None = None,
    ) -> Reading:
        """Read the text, the reasoning and the checked calls of an open model's answer.

        Nothing is run.  With `auto`, the dialect that fits is in the result.  *mode* is by default
        that of each tool.  Raises `TypesigError` for an unknown dialect.
        """
        from typesig.tools.streams.dialects import read_text

        return read_text(text, dialect, self, mode)

    def _get_mode(
        self, one: Tool[..., Any], mode: ModeName | Policy | None
    ) -> ModeName | Policy | None:
        """Return *mode*, or by default the mode of the tool *one* or of the toolset."""
        own = self.modes.get(one.name) if one.mode is None else one.mode
        return own if mode is None else mode

    def _make_unknown_outcome(
        self, name: object, arguments: object, ledger: Ledger | None
    ) -> Outcome[Any]:
        """Build the outcome of a call to *name*, which is no tool; note it in *ledger*."""
        from typesig.calls.unknown_tools import make_unknown_tool_outcome

        return make_unknown_tool_outcome(name, self.names, self.refused, arguments, ledger)


# --- A call of one of several tools as a type, to render, check and project ---


def make_call_signature(tools: ToolsByName, parallel: bool) -> Signature:
    """Make the signature whose result is a call of one of *tools*, or of calls if *parallel*.

    Raises `TypesigError` if there are no tools.
    """
    if not len(tools):
        raise TypesigError("without tools, there is no call")
    names: dict[str, nodes.Type] = {}
    call = make_union([_make_call(one, names) for one in tools])
    whole = make_refined(nodes.List(call), [Constraint("at_least", 1)]) if parallel else call
    return make_type_signature(whole, names)


def _make_call(one: ToolLike, names: dict[str, nodes.Type]) -> nodes.Type:
    """Make the type of a call of the tool *one*; add its definitions to *names*."""
    own = one.signature.names
    new: dict[str, str] = {}
    if any(names.get(name, t) != t for name, t in own.items()):
        taken = {*names, *own}
        new = {name: make_unique_name(name, taken) for name in own if name in names}

    def rename(part: nodes.Type) -> nodes.Type:
        if isinstance(part, nodes.Ref) and part.name in new:
            return nodes.Ref(new[part.name])
        return part

    names.update({new.get(name, name): transform(t, rename) for name, t in own.items()})
    parts = {"name": make_enum([one.name]), "arguments": transform(one.signature.arguments, rename)}
    return nodes.Record(tuple([nodes.Field(name, t) for name, t in parts.items()]), None)
