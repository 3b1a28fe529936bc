"""Test cases from signatures: tools return declared types and refuse near misses.

A case is a callable that a test runner calls; it raises `TrialFailure`, or `unittest.SkipTest` with
the reason where it cannot be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias
from unittest import SkipTest

from typesig.calls.binding import get_host_names
from typesig.calls.protocols import replace_function
from typesig.contracts.rehearsals.rehearsal import (
    Trial,
    TrialFailure,
    TrialFault,
    choose_smallest,
    draw_near_misses,
    search_by_samples,
    write_arguments,
)
from typesig.errors import TypesigError, format_value
from typesig.limits.contracts import REHEARSED_ARGUMENTS
from typesig.tools.collection import collect_tools
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset
from typesig.validation.policy import ModeName, Policy

#: What a case is about: the results of conforming arguments, the refusal of near misses, or a
#: function that is no tool.
Subject: TypeAlias = Literal["results", "refusals", "signature"]


class Case(NamedTuple):
    """One test of one tool; `str` is its name in a report.

    #: name: the tool's name; subject: what is tested; reason: why the function is not run, or ""
    #: seed, examples: of the arguments; mode: that of calls
    """

    name: str
    subject: Subject
    tool: Tool[..., Any] | None
    reason: str = ""
    seed: int = 0
    examples: int = REHEARSED_ARGUMENTS
    mode: ModeName | Policy | None = None

    def __str__(self) -> str:
        return f"{self.name}-{self.subject}"

    def __call__(
        self, given: Mapping[str, Any] | None = None, function: Callable[..., Any] | None = None
    ) -> None:
        """Run the case; raise `TrialFailure` if the tool breaks its contract.

        *given* has what the host supplies, by name; *function* stands in place of the tool's, which
        is then not called.  Raises `unittest.SkipTest` with the reason if the function may not run.
        """
        __tracebackhide__ = True
        tool = self.tool
        if tool is None:
            raise SkipTest(self.reason)
        if self.subject == "refusals":
            self._check_refusals(tool)
            return
        if function is not None:
            tool = replace_function(tool, function)
        elif self.reason:
            raise SkipTest(self.reason)
        own = {name: value for name, value in (given or {}).items() if name in tool.needs}
        lacking = [each for each in _list_required(tool) if each not in own]
        if lacking:
            raise SkipTest(
                f"{tool.name} needs {', '.join(lacking)} from its host: return it from the fixture "
                "typesig_given, or pass given={…}"
            )
        self._check_results(tool, own)

    def _check_results(self, tool: Tool[..., Any], given: Mapping[str, Any]) -> None:
        """Run *tool* with conforming arguments; fail if it breaks its contract."""
        __tracebackhide__ = True
        trial = Trial(tool, given, self.mode)
        fault = _search()(trial, self.seed, self.examples)
        if fault is not None:
            _fail(tool, fault, f"the smallest found in {trial.calls} calls with seed {self.seed}")
        if trial.reached == 0 and trial.refused is not None:
            told = "refuses all generated arguments, which conform: " + trial.refused.told
            _fail(tool, trial.refused._replace(told=told), f"seed {self.seed}")
        if trial.reached == 0:
            raise SkipTest(f"no arguments were found for {tool.name}; its types are probably empty")

    def _check_refusals(self, tool: Tool[..., Any]) -> None:
        """Call *tool* with near misses; fail if any reaches the function unrepaired."""
        __tracebackhide__ = True
        found = draw_near_misses(tool, self.seed, self.examples)
        if not found:
            raise SkipTest(
                f"no near misses were found for {tool.name}; its types are probably empty"
            )
        faults = [fault for each in found if (fault := _find_accepted(tool, each, self.mode))]
        if faults:
            _fail(tool, choose_smallest(faults), f"the smallest of {len(faults)}, seed {self.seed}")


def _search() -> Callable[[Trial, int, int], TrialFault | None]:
    """Return the fault search: by Hypothesis if installed, else by samples."""
    try:
        from typesig.contracts.rehearsals.hypothesis_search import search_by_hypothesis
    except ImportError:
        return search_by_samples
    return search_by_hypothesis


def _list_required(tool: Tool[..., Any]) -> list[str]:
    """List the parameters that the application has to inject into *tool*."""
    named = get_host_names(tool.binding).items()
    return [name for name, can_do_without in named if not can_do_without]


def _find_accepted(
    tool: Tool[..., Any], arguments: Any, mode: ModeName | Policy | None
) -> TrialFault | None:
    """Return a fault if near-miss *arguments* reach the function unrepaired, or None."""
    ran: list[bool] = []
    inert = replace_function(tool, lambda *_, **__: ran.append(True))
    given = dict.fromkeys(_list_required(tool))
    outcome = inert.call(arguments, given=given, mode=mode)
    told = [issue for issue in outcome.warnings if not issue.rule]
    if ran and (told or not outcome.warnings):
        why = f": {told[0]}" if told else ", without a warning"
        return TrialFault(arguments, f"ran with arguments that do not conform{why}")
    return None


def _fail(tool: Tool[..., Any], fault: TrialFault, how: str) -> NoReturn:
    """Raise `TrialFailure` for *fault*; *how* explains the way it was found."""
    __tracebackhide__ = True
    text = f"{tool.name} {fault.told}\n  arguments: {write_arguments(fault.arguments)}\n  ({how})"
    raise TrialFailure(text) from fault.error


def cases(
    target: object,
    *,
    run: Iterable[str] = (),
    run_all: bool = False,
    seed: int = 0,
    count: int = REHEARSED_ARGUMENTS,
) -> list[Case]:
    """Build two cases per tool of *target*: for its results and for its refusals.

    *target* is what `tools_of` takes, or `module:name`.  Functions run only if their tool has the
    annotation `readOnlyHint`, or is named by *run*, or with *run_all*; the other cases of results
    are skipped, unless they are given a function.  Each case has up to *count* arguments, drawn
    from *seed*.  Raises `TypesigError` for a target without tools, or a name that is none of them.

    >>> from typesig import tool
    >>> @tool(annotations={"readOnlyHint": True})
    ... def half(n: int) -> int:
    ...     return n / 2
    >>> [str(case) for case in cases([half])]
    ['half-results', 'half-refusals']
    """
    if type(seed) is not int:
        raise TypesigError(f"seed is an int, not {format_value(seed)}")
    if type(count) is not int or count < 1:
        raise TypesigError(f"count is an int of at least 1, not {format_value(count)}")
    tools = load_tools(target)
    named = [run] if isinstance(run, str) else list(run)
    for name in named:
        if name not in tools:
            raise TypesigError(
                f"there is no tool {format_value(name)}; "
                f"there are {format_value(', '.join(tools.names))}"
            )
    found: list[Case] = []
    for one in tools:
        runs = run_all or one.name in named or one.annotations.get("readOnlyHint") is True
        mode = tools.modes.get(one.name) if one.mode is None else None
        reason = "" if runs else _EFFECTS.format(name=one.name)
        found.append(Case(one.name, "results", one, reason, seed, count, mode))
        found.append(Case(one.name, "refusals", one, "", seed, count, mode))
    for number, warning in enumerate(tools._omissions, 1):
        found.append(Case(f"left out {number}", "signature", None, str(warning)))
    return found


_EFFECTS = (
    "{name} may have effects: it lacks the annotation readOnlyHint; run it with --typesig-run "
    "{name} or run=[…], or give a function in its place"
)


def load_tools(target: object) -> Toolset:
    """Tools of *target*, or its public functions if it has no tools.

    Raises `TypesigError` if there are none, or *target* is a name of nothing.
    """
    found = _load_named(target) if isinstance(target, str) else target
    tools = collect_tools(found)
    if not len(tools):
        tools = collect_tools(found, undecorated=True)
    if not len(tools):
        why = f": {tools._omissions[0]}" if tools._omissions else ""
        raise TypesigError(f"{format_value(target)} has no tools{why}")
    return tools


def _load_named(target: str) -> Any:
    """Import the object *target*, written `module:name`; the name may enter a toolset."""
    module, _, names = target.partition(":")
    try:
        found: Any = import_module(module)
        for name in names.split(".") if names else ():
            inner = found[name] if isinstance(found, Toolset) and name in found else None
            found = getattr(found, name) if inner is None else inner
    except TypesigError:
        raise
    except (Exception, SystemExit) as error:
        # The code of a module, or of a property, may raise anything.
        why = f"{type(error).__name__}: {error}"
        raise TypesigError(f"{format_value(target)} cannot be imported: {why}") from error
    return found
