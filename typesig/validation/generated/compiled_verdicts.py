"""Compilation of verdicts: functions from a value to the outcome of its check.

A verdict is a predicate that returns an outcome; under a policy that coerces, it also coerces plain
parts in the same pass.  Cases that it cannot decide are left to the checker.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import List, Type
from typesig.algebra.rows.builtin import VisitBudget
from typesig.codegen import Constants
from typesig.limits import MAX_UNWATCHED
from typesig.sentinels import ABSENT
from typesig.validation.check.argument_shapes import may_be_wrapped
from typesig.validation.check.check import get_compiler
from typesig.validation.check_state import CheckState
from typesig.validation.generated import coercion_source, shapes
from typesig.validation.generated.conditions import Place, build_condition
from typesig.validation.generated.conversions import SMALL
from typesig.validation.generated.source import Program, TooMuchSource, count_parts
from typesig.validation.generated.unchanged_outcomes import (
    UnchangedOutcome,
    make_unchanged_context,
)
from typesig.validation.generated.verdict_source import VerdictFunction
from typesig.validation.outcome.check_context import CheckContext, FindingSite, Note
from typesig.validation.outcome.constructors import ValidOutcome, make_failed_outcome
from typesig.validation.outcome.outcome import Outcome

#: Returns the outcome of the check of a value, or None if more has to be done before.
Verdict = Callable[[Any], Outcome[Any] | None]

#: A verdict, which for the rest of a list takes where that is, too.
Collector = Callable[..., Any]

#: Returns the outcome of the check of a value.
Decide = Callable[[Any], Outcome[Any]]


def compile_verdict(about: CheckContext, decide: Decide) -> Verdict:
    """Compile the verdict of the check *about*; *decide* handles the cases it does not know.

    The verdict of arguments returns None if they may be in a wrapper.
    """
    t, policy = about.type, about.policy
    maker = _VerdictCompiler(about, Place("x0", get_compiler(t, about.definitions, policy)), decide)
    is_leaf = policy.coercions and build_condition(t, maker.place, Constants()) is not None
    if not is_leaf and not coercion_source.is_plain(t, maker.place):
        return maker.compile(maker.write_test)
    inner = strip_annotations(t)
    if isinstance(inner, List):
        return maker.compile(partial(maker.write_scan, inner.item))
    if policy.coercions or policy.decoding:
        return maker.compile(maker.write_collector)
    # Where nothing is coerced, most values conform, and the predicate alone is faster.
    return maker.compile(partial(maker.write_test, refusal="collect(x0)"))


class _VerdictCompiler:
    """Compiles the verdicts of one check; that of invalid values when it is first needed."""

    def __init__(self, about: CheckContext, place: Place, decide: Decide) -> None:
        self.about = about
        self.place = place
        self.decide = decide
        self.collector: Collector | None = None
        self.kept = make_unchanged_context(about)

    def compile(self, write: Callable[[VerdictFunction], None]) -> Collector:
        """Compile the function whose lines *write* writes."""
        about, place = self.about, self.place
        program = Program(about.type, place.compiler.names)
        program.namespace.update(
            Passed=ValidOutcome, about=about, most=about.policy.max_issues, decide=self.decide
        )
        program.namespace.update(collect=self.collect, resume=self.resume)
        if self.kept is not None:
            program.namespace.update(kept=self.kept, UnchangedOutcome=UnchangedOutcome)
        program.namespace.update(
            PartCheckState=PartCheckState,
            wrapped=may_be_wrapped,
            failed=make_failed_outcome,
            small=SMALL,
            absent=ABSENT,
        )
        # Also what a method of an object of others raises: the check reads it with care.
        program.namespace["wrong"] = Exception
        try:
            name = program.define((), partial(self._write_start, write), VerdictFunction)
            source = program.write_source()
        except (TooMuchSource, RecursionError):
            return _make_slow_verdict(about, self.decide)
        made: Collector = program.compile_function(source, name)
        return made

    def _write_start(self, write: Callable[[VerdictFunction], None], f: VerdictFunction) -> None:
        f.refusal = "return decide(x0)"
        if self.about.are_arguments:
            with f.open_block("if type(x0) is not dict or (len(x0) == 1 and wrapped(x0)):"):
                f.add("return None")
        write(f)

    def write_test(self, f: VerdictFunction, refusal: str = "decide(x0)") -> None:
        """Write lines that return *refusal* for a value that does not conform."""
        f.refusal = f"return {refusal}"
        shapes.judge(f, self.about.type, self.place)

    def write_scan(self, item: Type, f: VerdictFunction) -> None:
        """Write lines that check a list of *item*, and resume it where an item does not conform."""
        x = self.place.name
        f.require([f"type({x}) is not list"])
        f.visit(x, count_parts(item))
        f.counts.leaves = True
        f.add(f"it = iter({x})")
        odd = f.odd or "False"
        above, f.missing = f.refusal, f"resume({x}, it, seen, loose, {odd})"
        f.refusal = f"return {f.missing}"
        shapes.write_loop(f, item, self.place, "it")
        f.refusal = above

    def write_collector(self, f: VerdictFunction) -> None:
        """Write lines that convert values that do not conform, and collect their errors."""
        t = self.about.type
        f.notes_once = not coercion_source.has_lists(t)
        f.made = coercion_source.write_value(f, t, self.place)

    def write_resumption(self, item: Type, f: VerdictFunction) -> None:
        """Write the lines of `write_collector` for the items of a list from an index on."""
        f.made = coercion_source.write_list_rest(f, item, self.place)

    def collect(self, value: Any) -> Outcome[Any]:
        """Make the outcome of *value*, which does not conform unchanged."""
        if self.collector is None:
            self.collector = self.compile(self.write_collector)
        outcome: Outcome[Any] = self.collector(value)
        return outcome

    def resume(
        self, value: Any, items: Any, seen: int, is_loose: bool, is_odd: bool
    ) -> Outcome[Any]:
        """Make the outcome of a list after an invalid item; *items* yields the items after it.

        *seen*, *is_loose* and *is_odd* are the counters of the values visited so far.
        """
        if self.collector is None:
            inner = strip_annotations(self.about.type)
            assert isinstance(inner, List)
            self.collector = self.compile(partial(self.write_resumption, inner.item))
        at = max(len(value) - items.__length_hint__() - 1, 0)
        outcome: Outcome[Any] = self.collector(value, at, seen, is_loose, is_odd)
        return outcome


class PartCheckState(CheckState):
    """State of the checkers that check parts of *whole* within the limits of one check."""

    __slots__ = ("_takes_errors",)

    def __init__(self, whole: Any, about: CheckContext) -> None:
        super().__init__(about.policy.max_issues)
        self.watch = VisitBudget(whole)
        self._takes_errors = about.policy.on_issue != "fail"

    @property
    def visited(self) -> float:
        """Number of values visited in these parts; below 0 if the whole value was counted."""
        return MAX_UNWATCHED - self.watch.left

    def check_part(
        self, site: FindingSite, value: Any, notes: list[Note], faults: list[Note], *indices: int
    ) -> Any:
        """Run the checker of *site* on *value*, and note its findings.

        Where errors do not fail, they are *notes*, too.
        """
        self.warnings, self.errors = len(notes), len(faults)
        made = site.check(value, self)
        if self.found:
            self._note(site, notes, faults, indices)
        return made

    def _note(
        self, site: FindingSite, notes: list[Note], faults: list[Note], indices: tuple[int, ...]
    ) -> None:
        for found in self.found:
            found.settle()
            note = (site, found, *indices)
            if found.warning or self._takes_errors:
                notes.append(note)
            if not found.warning:
                faults.append(note)
        self.found.clear()


def _make_slow_verdict(about: CheckContext, decide: Decide) -> Verdict:
    """Make the verdict that always runs the checker."""

    def judge(value: Any, *_: object) -> Outcome[Any] | None:
        if about.are_arguments and (type(value) is not dict or may_be_wrapped(value)):
            return None
        return decide(value)

    return judge
