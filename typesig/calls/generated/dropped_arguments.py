"""Arguments that a call drops with a warning, cached by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.calls.call import drop_nulls
from typesig.validation.check_state import Checker, CheckState, Finding
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.words import SIGNATURE
from typesig.validation.outcome.reports import select_notices_for_policy, write_notice
from typesig.validation.policy import Policy
from typesig.validation.verdicts import run_checker


class DroppedArguments(NamedTuple):
    """Names and warnings of arguments that calls dropped.

    #: names: their names, none if a call has other findings
    #: notice: the line for a model
    """

    names: frozenset[str]
    warnings: tuple[Issue, ...] = ()
    noticed: tuple[Issue, ...] = ()
    notice: str = ""


_NOTHING = DroppedArguments(frozenset())

#: The sets of names with a dropped one whose warnings are kept, and the characters of each.
_MOST_SETS = 64
_MOST_NAMES = 1_000


class DropFinder:
    """Finds the arguments that calls of one tool drop, and caches their warnings.

    *check* is the check of the arguments under *policy*; *warn* makes the warnings of findings.
    """

    __slots__ = ("_check", "_known", "_nulls", "_policy", "_warn")

    def __init__(
        self,
        check: Checker,
        nulls: frozenset[str],
        policy: Policy,
        warn: Callable[[list[Finding]], tuple[Issue, ...]],
    ) -> None:
        self._check = check
        self._nulls = nulls
        self._policy = policy
        self._warn = warn
        self._known: dict[tuple[str, ...], DroppedArguments] = {}

    def find_unknown(self, data: dict[str, Any]) -> DroppedArguments:
        """Find the unknown arguments in *data* that are dropped, if there are no other findings.

        The names alone decide it where none is null, which counts as absent.
        """
        if any(part is None for part in data.values()):
            return _NOTHING
        names = tuple(data)
        known = self._known.get(names)
        if known is not None:
            return known
        run = CheckState(self._policy.max_issues)
        run_checker(self._check, data, run)
        is_all = all(each.code == "dropped" and len(each.steps) == 1 for each in run.found)
        return self._remember(names, run.found) if is_all and not run.unseen else _NOTHING

    def find_nulls(self, data: dict[str, Any]) -> DroppedArguments:
        """Find the arguments in *data* whose null counts as absent, with a warning."""
        names = tuple([name for name, part in data.items() if part is None and name in self._nulls])
        known = self._known.get(("", *names))
        if known is not None or not names:
            return known or _NOTHING
        run = CheckState(self._policy.max_issues)
        drop_nulls(data, self._nulls, run)
        return self._remember(("", *names), run.found)

    def _remember(self, key: tuple[str, ...], found: list[Finding]) -> DroppedArguments:
        """Make the dropped arguments of *found*, and cache them by the names *key*."""
        warnings = self._warn(found)
        noticed = select_notices_for_policy(self._policy, warnings)
        names = frozenset([str(each.steps[0]) for each in found])
        made = DroppedArguments(names, warnings, noticed, write_notice(noticed, SIGNATURE))
        is_short = sum(map(len, key)) <= _MOST_NAMES and {*map(type, key)} == {str}
        if is_short and len(self._known) < _MOST_SETS:
            self._known[key] = made
        return made
