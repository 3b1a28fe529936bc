"""Calls of tools: found in what providers' clients recorded, checked, run, and reported."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from typesig.algebra.rows.scalars import SCALARS
from typesig.calls.unknown_tools import explain_unknown_tool
from typesig.cli.inputs.output import BAD, OutputLine, print_errors, stop
from typesig.cli.inputs.targets import (
    Functions,
    import_from_current_folder,
    load_module,
    load_object,
)
from typesig.errors import TypesigError
from typesig.tools.collection import collect_tools
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset
from typesig.validation.issues.excerpt import FIREWALLED
from typesig.validation.issues.issues import Issue, write_path
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import ModeName

if TYPE_CHECKING:
    from typesig.calls.protocols import ToolLike
    from typesig.providers.projection.tool_projection import ProjectedTool
    from typesig.providers.registry.calls import WireCall
    from typesig.providers.registry.provider import ProviderName
    from typesig.providers.registry.vendor import ProfileOptions


# --- Findings of `typesig check`, as lines of text and as JSON ---


class CheckFinding(NamedTuple):
    """An error or warning of a checked value or call, with its location.

    #: place: the file and the line; call: its number in a line with several calls, or 0
    #: tool: its tool, if several are meant; issue: what was found
    """

    severity: Literal["error", "warning"]
    place: str
    call: int
    tool: str
    issue: Issue

    def make_line(self, as_json: bool) -> OutputLine:
        """Write the finding as a report line, as JSON or as text."""
        if as_json:
            about = {"severity": self.severity, "place": self.place}
            return make_json_line({**about, **issue_to_data(self.issue, self.call, self.tool)})
        warning = "warning: " if self.severity == "warning" else ""
        where = format_call_place(self.place, self.call, self.tool)
        return OutputLine(where, f"{warning}{self.issue} [{self.issue.code}]", self.severity)


def make_json_line(data: dict[str, Any]) -> OutputLine:
    """Return a line with *data* as JSON."""
    return OutputLine("", json.dumps(data, ensure_ascii=False))


def format_call_place(place: str, call: int, tool: str) -> str:
    """Return *place* with the number of a call in it and the name of its tool."""
    return place + (f": call {call}" if call else "") + (f": {tool}" if tool else "")


def issue_to_data(issue: Issue, call: int = 0, tool: str = "") -> dict[str, Any]:
    """*issue* as data, with the number and the tool of its call."""
    path = issue.path if issue.hidden < 0 else (*issue.path[: issue.hidden], FIREWALLED)
    about = {"call": call} if call else {}
    named = {"tool": tool} if tool else {}
    found = {"path": write_path(path), "code": issue.code, "message": issue.message}
    return {**about, **named, **found}


# --- Calls of tools: found in what providers' clients recorded, checked, and run ---

_TOOLS = Functions()

#: Characters of signatures that are in no name of a module or path of a file that is a target.
_NOT_IN_TARGETS = "(){}[]"


def is_tool_target(text: str) -> bool:
    """Whether *text* is meant as `module:name`, not as a signature with a mistake."""
    module, _, name = text.rpartition(":")
    if not module or module.startswith(":") or not all(map(str.isidentifier, name.split("."))):
        return False
    if any(c.isspace() or c in _NOT_IN_TARGETS for c in text):
        return False
    if "." in module or "/" in module or "\\" in module:
        return True
    import_from_current_folder()
    try:
        return find_spec(module) is not None
    except ValueError:
        # A loaded module that was not found by a path, such as __main__.
        return True


def is_module_target(text: str) -> bool:
    """Whether *text* looks like a module or a path, not like a signature."""
    if ":" in text or any(c.isspace() or c in _NOT_IN_TARGETS for c in text):
        return False
    if text.endswith(".py") or "/" in text or "\\" in text:
        return True
    if not all(map(str.isidentifier, text.split("."))) or text in SCALARS:
        return False
    import_from_current_folder()
    return "." in text or text in sys.modules or find_spec(text) is not None


def load_tools(target: str) -> Toolset:
    """Load the tools of the module or toolset *target*, or the single tool *target*.

    Stop with a message if there are none.
    """
    found = load_object(target) if ":" in target else load_module(target)
    if isinstance(found, Toolset) and len(found):
        return found
    if not isinstance(found, ModuleType):
        return _make_toolset(found, target)
    tools = collect_tools(found)
    tools = tools if len(tools) else collect_tools(found, undecorated=True)
    if not len(tools):
        stop(f"{target} has no public functions with hints", BAD)
    return tools


def load_tool(target: str, functions: Functions = _TOOLS) -> Toolset:
    """Load the single tool *target* in a toolset; stop if it is not a tool."""
    return _make_toolset(load_object(target), target, functions)


def _make_toolset(found: Any, target: str, functions: Functions = _TOOLS) -> Toolset:
    """Return a toolset of *found*, which *target* names."""
    if isinstance(found, Toolset) and len(found):
        stop(f"{target} is a toolset; name one of its tools, as in {target}.{found.names[0]}")
    if not callable(found):
        stop(f"{target} is not a function, but has the type {type(found).__name__}")
    tools = functions.find_tools([found])
    if len(tools) != 1:
        stop(str(tools.omissions[0]) if tools.omissions else f"{target} is not a function")
    return tools


class CheckedValue(NamedTuple):
    """Errors and warnings of a checked value or call.

    #: which: its number in a line with several calls, or 0; errors, warnings: what the check found
    #: unseen: the number of further errors; tool: the name of its tool, if several are meant
    """

    which: int
    errors: tuple[Issue, ...]
    warnings: tuple[Issue, ...]
    unseen: int = 0
    tool: str = ""


class CallChecker:
    """Checks calls of *tools*, in the spelling of any provider.

    With one tool, a value without calls is its arguments.  Calls of others are only counted, unless
    *tools* are the *whole*.

    #: others: how many calls were of other tools
    """

    def __init__(
        self, tools: Toolset, mode: ModeName | None, strict: bool = False, whole: bool = False
    ) -> None:
        self._tools = tools
        self._whole = whole
        self._strict = strict
        self._projected: dict[ProviderName, Mapping[str, ProjectedTool]] = {}
        self._only: Tool[..., Any] | None = next(iter(tools)) if len(tools) == 1 else None
        self._mode: ModeName | None = mode
        self.others = 0

    def check(self, value: object) -> Iterator[CheckedValue]:
        """Check each call in *value*; a value without calls is arguments."""
        provider, calls = _find_calls(value)
        if provider is None:
            found = CheckedValue(0, (Issue("call", (), "", _NO_CALL),), ())
            if self._only is not None:
                found = self._check_bound(value, 0, self._only, self._only)
            if not (found.errors and _is_answer(value)):
                yield found
            return
        projected = self._project_for(provider)
        for number, call in enumerate(calls, 1):
            one = projected.get(call.name)
            which = number if len(calls) > 1 else 0
            name = one.tool.name if one else call.name
            own = self._tools[name] if name in self._tools else None  # noqa: SIM401 - it has no get
            if call.stop == "malformed":
                yield CheckedValue(which, (Issue("call", (), "", _UNREADABLE),), ())
            elif own is None and not self._whole:
                self.others += 1
            elif own is None:
                told = explain_unknown_tool(call.name, self._tools.names)
                yield CheckedValue(which, (Issue("call", (), "", told),), ())
            elif call.stop is not None:
                yield CheckedValue(which, (Issue("call", (), "", _CUT),), (), 0, self._name_of(own))
            else:
                yield self._check_bound(call.arguments, which, one.called if one else own, own)

    def _name_of(self, tool: Tool[..., Any]) -> str:
        """Return the name of *tool*, or an empty string if only that tool is checked."""
        return tool.name if self._whole else ""

    def _project_for(self, provider: ProviderName) -> Mapping[str, ProjectedTool]:
        """Return the tools projected for *provider*, by their names there."""
        if provider not in self._projected:
            from typesig.providers.vendors.registry import VENDORS

            options: ProfileOptions = {}
            if self._strict and VENDORS[provider].has_strict:
                options["strict"] = True
            self._projected[provider] = self._tools.project(provider, **options).tools
        return self._projected[provider]

    def _check_bound(
        self, arguments: object, which: int, tool: ToolLike, own: Tool[..., Any]
    ) -> CheckedValue:
        """Check *arguments* of call number *which* against *tool* without running it."""
        from typesig.calls.call import BoundArguments, bind
        from typesig.validation.policy import get_first_policy

        # Nothing is run, so it does not matter what the host would give.
        given = dict.fromkeys(own.needs)
        policy = get_first_policy(self._mode, self._tools.modes.get(own.name) or own.mode)
        found = bind(tool.binding, arguments, given, policy)
        if isinstance(found, BoundArguments):
            return CheckedValue(which, (), found.warnings, 0, self._name_of(own))
        return CheckedValue(which, found.errors, found.warnings, found.unseen, self._name_of(own))


_NO_CALL = "this is no call, and of several tools; for arguments of one, write module:name"
_CUT = "the answer ended before this call was whole"
_UNREADABLE = "the provider could not read this call"


def _find_calls(value: object) -> tuple[ProviderName | None, list[WireCall]]:
    """Detect the provider format of *value*; return the provider and the calls."""
    from typesig.providers.registry.answers import is_for_host
    from typesig.providers.vendors.registry import VENDORS

    for provider, vendor in VENDORS.items():
        try:
            calls = vendor.calls.read(value)
        except TypesigError:
            continue
        # To a provider, the call of another is an item of an unknown type that waits for the host.
        if not all(map(is_for_host, calls)):
            return provider, calls
    return None, []


def _is_answer(value: object) -> bool:
    """Whether *value* is an answer of a model, which may have no calls."""
    if not isinstance(value, dict):
        return False
    is_whole = any(name in value for name in ("choices", "candidates"))
    is_response = value.get("object") == "response"
    return is_whole or is_response or value.get("role") in ("assistant", "model")


def write_for_model(outcome: Outcome[Any]) -> str:
    """Write the valid *outcome* as text for the model."""
    data = outcome.for_model()
    return data if isinstance(data, str) else outcome.text()


def to_data(outcome: Outcome[Any]) -> dict[str, Any]:
    """Describe *outcome* as JSON data, without hidden parts."""
    left_out = outcome.left_out() if outcome.ok else ()
    named = {"errors": outcome.errors, "warnings": (*outcome.warnings, *left_out)}
    issues = {name: [issue_to_data(issue) for issue in found] for name, found in named.items()}
    value = {"value": outcome.for_model()} if outcome.ok else {"feedback": outcome.feedback()}
    return {"ok": outcome.ok, "stage": outcome.stage, **value, **issues}


def run(
    target: str,
    arguments: str | bytes,
    mode: ModeName | None,
    given: Mapping[str, Any],
    lifespan: str | None,
    functions: Functions = _TOOLS,
) -> Outcome[Any]:
    """Call the tool *target* with *arguments*, and return the outcome.

    *given* is what the host gives to it, beside what the function *lifespan* yields.
    """
    # Other commands do without it.
    import asyncio

    [one] = load_tool(target, functions)
    for name in given:
        if name not in one.needs:
            takes = f"it takes {', '.join(one.needs)}" if one.needs else "it takes nothing"
            stop(f"{one.name} takes no {name} from its host: {takes}")
    try:
        if lifespan is not None:
            return asyncio.run(_run(one, arguments, mode, given, load_object(lifespan)))
        _check_given(one, given)
        if one.is_async:
            return asyncio.run(one.acall(arguments, given=given, mode=mode))
        return one.call(arguments, given=given, mode=mode)
    except TypesigError:
        raise
    except Exception as error:
        print_errors(f"{one.name} raised {type(error).__name__}: {error}")
        sys.exit(BAD)


async def _run(
    one: Tool[..., Any],
    arguments: str | bytes,
    mode: ModeName | None,
    given: Mapping[str, Any],
    lifespan: Any,
) -> Outcome[Any]:
    """Return the outcome of calling *one* while the context of *lifespan* is open."""
    from typesig.mcp.transport.lifespans import enter_lifespan

    async with enter_lifespan(lifespan) as values:
        given = {**{name: values[name] for name in one.needs if name in values}, **given}
        _check_given(one, given)
        if one.is_async:
            return await one.acall(arguments, given=given, mode=mode)
        return one.call(arguments, given=given, mode=mode)


def _check_given(one: Tool[..., Any], given: Mapping[str, Any]) -> None:
    """Stop if *given* lacks a required host value of the tool *one*."""
    from typesig.calls.binding import get_host_names

    optional = [name for name, is_optional in get_host_names(one.binding).items() if is_optional]
    if lacking := [name for name in one.needs if name not in (*optional, *given)]:
        stop(
            f"{one.name} needs {', '.join(lacking)} from its host: write "
            f"--given {lacking[0]}=VALUE, or --lifespan with a function that yields it"
        )
