"""Call one tool with conforming arguments, and report broken contracts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from typesig.contracts.rehearsals.rehearsal import draw_conforming
from typesig.extraction.callables.warnings import get_exception_message
from typesig.relations.limits.step_budget import NoSample
from typesig.tools.tool import Tool
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.policy import ModeName, Policy


class TrialFailure(AssertionError):
    """A tool broke its contract; the message has the smallest failing arguments."""


class TrialFault(NamedTuple):
    """A call in which a tool broke its contract.

    #: arguments: what was sent; told: what happened; error: what the function raised, or None
    """

    arguments: Any
    told: str
    error: BaseException | None = None


class Trial:
    """Runner that calls one tool with conforming arguments and finds faults.

    #: calls: how many there were; reached: how many of them the function answered
    #: refused: arguments that its host types refused, though they conform, or None
    """

    def __init__(
        self, tool: Tool[..., Any], given: Mapping[str, Any], mode: ModeName | Policy | None
    ) -> None:
        self.tool = tool
        self.calls = 0
        self.reached = 0
        self.refused: TrialFault | None = None
        self._given = given
        self._mode: ModeName | Policy | None = mode

    def find_fault(self, arguments: Any) -> TrialFault | None:
        """Call the tool with *arguments*; return a fault or None, as for a `ToolError`."""
        self.calls += 1
        try:
            outcome = self._call(arguments)
        except (Exception, SystemExit) as error:
            # A stranger's function may raise anything.
            self.reached += 1
            told = f"raised {get_exception_message(error)}"
            return TrialFault(arguments, told, error.with_traceback(_trim_traceback(error)))
        if outcome.ok or outcome.stage == "call":
            self.reached += 1
            return None
        if outcome.stage == "input":
            self.refused = self.refused or TrialFault(arguments, _describe_outcome(outcome))
            return None
        self.reached += 1
        return TrialFault(
            arguments, f"returned what does not fit its result type: {_describe_outcome(outcome)}"
        )

    def _call(self, arguments: Any) -> Outcome[Any]:
        """Call the tool with a copy of *arguments*; async tools run in a new event loop."""
        # A copy, since a function may change what it is given.
        sent = json.loads(json.dumps(arguments))
        if not self.tool.is_async:
            return self.tool.call(sent, given=self._given, mode=self._mode)
        return asyncio.run(self.tool.acall(sent, given=self._given, mode=self._mode))


def _trim_traceback(error: BaseException) -> TracebackType | None:
    """Traceback of *error* without the frames of the library above the function."""
    at = error.__traceback__
    while at is not None and at.tb_frame.f_code.co_filename.startswith(_LIBRARY):
        at = at.tb_next
    return at or error.__traceback__


#: How the names of files begin whose places are above that of a function.
_LIBRARY = (str(Path(__file__).parents[2]), "typesig generated", str(Path(asyncio.__file__).parent))


def _describe_outcome(outcome: Outcome[Any]) -> str:
    """Write the errors of *outcome*, joined by semicolons."""
    return "; ".join(map(str, outcome.errors))


def choose_smallest(faults: Iterable[TrialFault]) -> TrialFault:
    """The fault whose arguments are shortest as JSON text."""
    return min(faults, key=lambda fault: len(write_arguments(fault.arguments)))


def search_by_samples(trial: Trial, seed: int, count: int) -> TrialFault | None:
    """The smallest fault of *trial* in *count* samples, or None."""
    try:
        drawn = draw_conforming(trial.tool, seed, count)
    except NoSample:
        return None
    faults = [fault for each in drawn if (fault := trial.find_fault(each))]
    return choose_smallest(faults) if faults else None


def write_arguments(arguments: Any) -> str:
    """Write *arguments* as JSON text."""
    return json.dumps(arguments, ensure_ascii=False, default=repr)
