"""Calls of one tool: found in what providers' clients recorded, checked, and run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.cli.inputs.output import BAD, complain, stop
from typesig.cli.inputs.targets import at_current_folder, object_of
from typesig.errors import TypesigError
from typesig.tools.collecting import tools_of
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.policy import ModeName

if TYPE_CHECKING:
    from typesig.calls.called import Called
    from typesig.providers.projection.projected import Projected
    from typesig.providers.rows.calls import WireCall
    from typesig.providers.rows.profile import ProfileOptions
    from typesig.providers.rows.provider import ProviderName

#: Characters of signatures that are in no name of a module or path of a file that is a target.
_NOT_IN_TARGETS = "(){}[]"


def names_tool(text: str) -> bool:
    """Return whether *text* is meant as `module:name`, not as a signature with a mistake."""
    module, _, name = text.rpartition(":")
    if not module or module.startswith(":") or not all(map(str.isidentifier, name.split("."))):
        return False
    if any(c.isspace() or c in _NOT_IN_TARGETS for c in text):
        return False
    if "." in module or "/" in module or "\\" in module:
        return True
    at_current_folder()
    try:
        return find_spec(module) is not None
    except ValueError:
        # A loaded module that was not found by a path, such as __main__.
        return True


def tool_named(target: str) -> Toolset:
    """Return a toolset of the one tool that *target* names; stop with a message if it is none."""
    found = object_of(target)
    if isinstance(found, Toolset) and len(found):
        stop(f"{target} is a toolset; name one of its tools, as in {target}.{found.names[0]}")
    if not callable(found):
        stop(f"{target} is no function, but of the type {type(found).__name__}")
    tools = tools_of([found])
    if len(tools) != 1:
        stop(str(tools.warnings[0]) if tools.warnings else f"{target} is no function")
    return tools


class Checked(NamedTuple):
    """What the check of one value, or of one call in it, found.

    #: which: its number in a line with several calls, or 0; errors, warnings: what the check found
    #: unseen: the number of further errors
    """

    which: int
    errors: tuple[Issue, ...]
    warnings: tuple[Issue, ...]
    unseen: int = 0


class Calls:
    """Checks calls of one tool, in the spelling of any provider.

    #: others: how many calls were of other tools, since they were last taken
    """

    def __init__(self, tools: Toolset, mode: ModeName | None, strict: bool = False) -> None:
        self._tools = tools
        self._strict = strict
        self._projected: dict[ProviderName, Mapping[str, Projected]] = {}
        self._tool: Tool[..., Any] = next(iter(tools))
        self._mode: ModeName | None = mode
        self.others = 0

    def checked(self, value: object) -> Iterator[Checked]:
        """Yield the outcome of each call in *value*; without calls it is arguments itself."""
        provider, calls = _calls_in(value)
        if provider is None:
            found = self._checked(value, 0, self._tool)
            if not (found.errors and _is_answer(value)):
                yield found
            return
        projected = self._projected_for(provider)
        for number, call in enumerate(calls, 1):
            one = projected.get(call.name)
            if one is None and call.name != self._tool.name and call.stop != "malformed":
                self.others += 1
                continue
            which = number if len(calls) > 1 else 0
            if call.stop is not None:
                why = _UNREADABLE if call.stop == "malformed" else _CUT
                yield Checked(which, (Issue("call", (), "", why),), ())
                continue
            yield self._checked(call.arguments, which, one.called if one else self._tool)

    def _projected_for(self, provider: ProviderName) -> Mapping[str, Projected]:
        """Return the tool as *provider* was told of it, by the name that it has there."""
        if provider not in self._projected:
            from typesig.providers.vendors.vendors import VENDORS

            options: ProfileOptions = {}
            if self._strict and VENDORS[provider].has_strict:
                options["strict"] = True
            self._projected[provider] = self._tools.project(provider, **options).tools
        return self._projected[provider]

    def taken_others(self) -> int:
        """Return how many calls were of other tools since this was last called."""
        others, self.others = self.others, 0
        return others

    def _checked(self, arguments: object, which: int, tool: Called) -> Checked:
        from typesig.calls.call import Bound, bind
        from typesig.validation.rows.policy import first_policy

        # Nothing is run, so it does not matter what the host would give.
        given = dict.fromkeys(self._tool.needs)
        policy = first_policy(self._mode, self._tool.mode)
        found = bind(tool.binding, arguments, given, policy)
        if isinstance(found, Bound):
            return Checked(which, (), found.warnings)
        return Checked(which, found.errors, found.warnings, found.unseen)


_CUT = "the answer ended before this call was whole"
_UNREADABLE = "the provider could not read this call"


def _calls_in(value: object) -> tuple[ProviderName | None, list[WireCall]]:
    """Return the provider that spells calls as *value* does, and the calls; or nothing."""
    from typesig.providers.vendors.vendors import VENDORS

    for provider, vendor in VENDORS.items():
        try:
            calls = vendor.calls.read(value)
        except TypesigError:
            continue
        if calls:
            return provider, calls
    return None, []


def _is_answer(value: object) -> bool:
    """Return whether *value* is an answer of a model, which may have no calls."""
    if not isinstance(value, dict):
        return False
    is_whole = any(name in value for name in ("choices", "candidates"))
    is_response = value.get("object") == "response"
    return is_whole or is_response or value.get("role") in ("assistant", "model")


def text_read(outcome: Outcome[Any]) -> str:
    """Return what a model reads of *outcome*, which has no errors: a text as it is, or JSON."""
    data = outcome.for_model()
    return data if isinstance(data, str) else outcome.text()


def run(target: str, arguments: str | bytes, mode: ModeName | None) -> Outcome[Any]:
    """Return the outcome of calling the tool that *target* names; stop if it cannot be called."""
    tools = tool_named(target)
    [one] = tools
    if lacking := [name for name in one.needs if name not in _optional(one)]:
        stop(f"{one.name} needs {', '.join(lacking)} from its host, so it cannot be called here")
    try:
        if one.is_async:
            import asyncio

            return asyncio.run(one.acall(arguments, mode=mode))
        return one.call(arguments, mode=mode)
    except TypesigError:
        raise
    except Exception as error:
        complain(f"{one.name} raised {type(error).__name__}: {error}")
        sys.exit(BAD)


def _optional(one: Tool[..., Any]) -> list[str]:
    from typesig.calls.binding import names_from_host

    return [name for name, can_do_without in names_from_host(one.binding).items() if can_do_without]
