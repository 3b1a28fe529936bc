"""Calls of one tool with arguments that conform, and what is wrong with them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from typesig.contracts.rehearsals.conforming import arguments_of
from typesig.extraction.callables.warnings import said_by
from typesig.relations.limits.step_budget import NoSample
from typesig.tools.tool import Tool
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.policy import ModeName, Policy


class Failure(AssertionError):
    """A tool does not keep its contract; the message has the smallest arguments that were found."""


class Fault(NamedTuple):
    """One call that broke the contract.

    #: arguments: what was sent; told: what happened; error: what the function raised, or None
    """

    arguments: Any
    told: str
    error: BaseException | None = None


class Trial:
    """Calls of one tool with conforming arguments.

    #: calls: how many there were; reached: how many of them the function answered
    #: refused: arguments that its host types refused, though they conform, or None
    """

    def __init__(
        self, tool: Tool[..., Any], given: Mapping[str, Any], mode: ModeName | Policy | None
    ) -> None:
        self.tool = tool
        self.calls = 0
        self.reached = 0
        self.refused: Fault | None = None
        self._given = given
        self._mode: ModeName | Policy | None = mode

    def fault(self, arguments: Any) -> Fault | None:
        """Return what is wrong with the call with *arguments*, or None; a `ToolError` is not."""
        self.calls += 1
        try:
            outcome = self._outcome(arguments)
        except (Exception, SystemExit) as error:
            # A stranger's function may raise anything.
            self.reached += 1
            told = f"raised {said_by(error)}"
            return Fault(arguments, told, error.with_traceback(_own_places(error)))
        if outcome.ok or outcome.stage == "call":
            self.reached += 1
            return None
        if outcome.stage == "input":
            self.refused = self.refused or Fault(arguments, _told(outcome))
            return None
        self.reached += 1
        return Fault(arguments, f"returned what does not fit its result type: {_told(outcome)}")

    def _outcome(self, arguments: Any) -> Outcome[Any]:
        # A copy, since a function may change what it is given.
        sent = json.loads(json.dumps(arguments))
        if not self.tool.is_async:
            return self.tool.call(sent, given=self._given, mode=self._mode)
        return asyncio.run(self.tool.acall(sent, given=self._given, mode=self._mode))


def _own_places(error: BaseException) -> TracebackType | None:
    """Return where *error* was raised, without the places of the library above the function."""
    at = error.__traceback__
    while at is not None and at.tb_frame.f_code.co_filename.startswith(_LIBRARY):
        at = at.tb_next
    return at or error.__traceback__


#: How the names of files begin whose places are above that of a function.
_LIBRARY = (str(Path(__file__).parents[2]), "typesig generated", str(Path(asyncio.__file__).parent))


def _told(outcome: Outcome[Any]) -> str:
    return "; ".join(map(str, outcome.errors))


def smallest(faults: Iterable[Fault]) -> Fault:
    """Return the one of *faults* whose arguments are the shortest as JSON text."""
    return min(faults, key=lambda fault: len(shown(fault.arguments)))


def by_samples(trial: Trial, seed: int, count: int) -> Fault | None:
    """Return the smallest fault of *trial* in *count* samples, or None."""
    try:
        drawn = arguments_of(trial.tool, seed, count)
    except NoSample:
        return None
    faults = [fault for each in drawn if (fault := trial.fault(each))]
    return smallest(faults) if faults else None


def shown(arguments: Any) -> str:
    """Return *arguments* as JSON text."""
    return json.dumps(arguments, ensure_ascii=False, default=repr)
