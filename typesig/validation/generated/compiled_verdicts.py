"""Compiling verdicts: functions from a value to the outcome of its check.

A verdict is the predicate that returns an outcome, or, under a policy that coerces, what coerces
plain parts in one pass.  Where it does not know, it asks the check.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import List, Type
from typesig.algebra.rows.builtin import VisitBudget, count_places
from typesig.codegen import Constants
from typesig.limits import MAX_UNWATCHED
from typesig.sentinels import ABSENT
from typesig.validation.check.argument_shapes import may_be_wrapped
from typesig.validation.check.check import compiler_of
from typesig.validation.check_state import CheckState
from typesig.validation.generated import coerced, shapes
from typesig.validation.generated.conditions import condition
from typesig.validation.generated.conversions import SMALL
from typesig.validation.generated.function_texts import VerdictFunction
from typesig.validation.generated.kept_values import Kept, about_kept
from typesig.validation.generated.program import program_of, repeats
from typesig.validation.generated.source import Place, Test, TooMuchSource
from typesig.validation.outcome.check_context import CheckContext, FindingSite, Note
from typesig.validation.outcome.constructors import ValidOutcome, make_failed_outcome
from typesig.validation.outcome.outcome import Outcome

#: Returns the outcome of the check of a value, or None if more has to be done before.
Verdict = Callable[[Any], Outcome[Any] | None]

#: A verdict, which for the rest of a list takes where that is, too.
Collector = Callable[..., Any]

#: Returns the outcome of the check of a value.
Decide = Callable[[Any], Outcome[Any]]


def verdict(about: CheckContext, decide: Decide) -> Verdict:
    """Return the verdict of the check *about*; *decide* returns the outcome where it is unknown.

    Of arguments, it returns None for those that may have to be taken out of something.
    """
    t, policy = about.type, about.policy
    maker = _Maker(about, Place("x0", compiler_of(t, about.definitions, policy)), decide)
    if repeats(t, maker.place.compiler.names):
        return _deciding(about, decide)
    is_leaf = policy.coercions and condition(t, maker.place, Constants()) is not None
    if not is_leaf and not coerced.is_plain(t, maker.place):
        return maker.verdict(maker.judging)
    inner = strip_annotations(t)
    if isinstance(inner, List):
        return maker.verdict(partial(maker.scanning, inner.item))
    if policy.coercions or policy.decoding:
        return maker.verdict(maker.collecting)
    # Where nothing is coerced, most values conform, and the predicate alone is faster.
    return maker.verdict(partial(maker.judging, refusal="collect(x0)"))


class _Maker:
    """Makes the verdicts of one check, those for values that do not conform when one is met."""

    def __init__(self, about: CheckContext, place: Place, decide: Decide) -> None:
        self.about = about
        self.place = place
        self.decide = decide
        self.collector: Collector | None = None
        self.kept = about_kept(about)

    def verdict(self, write: Callable[[VerdictFunction], None]) -> Collector:
        """Return the function that *write* writes."""
        about, place = self.about, self.place
        program = program_of(about.type, place.compiler.names)
        program.namespace.update(
            Passed=ValidOutcome, about=about, most=about.policy.max_issues, decide=self.decide
        )
        program.namespace.update(collect=self.collect, resume=self.resume)
        if self.kept is not None:
            program.namespace.update(kept=self.kept, Kept=Kept)
        program.namespace.update(
            Asking=Asking,
            wrapped=may_be_wrapped,
            failed=make_failed_outcome,
            small=SMALL,
            absent=ABSENT,
        )
        # Also what a method of an object of others raises: the check reads it with care.
        program.namespace["wrong"] = Exception
        try:
            name = program.defined(("verdict",), partial(self._start, write), VerdictFunction)
            source = program.source()
        except (TooMuchSource, RecursionError):
            return _deciding(about, self.decide)
        made: Collector = program.compile_function(source, name)
        return made

    def _start(self, write: Callable[[VerdictFunction], None], f: VerdictFunction) -> None:
        f.refusals.whole = "decide(x0)"
        if self.about.are_arguments:
            with f.open_block("if type(x0) is not dict or (len(x0) == 1 and wrapped(x0)):"):
                f.add("return None")
        write(f)

    def judging(self, f: VerdictFunction, refusal: str = "decide(x0)") -> None:
        """Write lines that return *refusal* for a value that does not conform."""
        f.refusals.whole = refusal
        f.judge(self.about.type, self.place)

    def scanning(self, item: Type, f: VerdictFunction) -> None:
        """Write lines that resume a list of *item* where an item does not conform."""
        x = self.place.name
        f.require([(Test(f"type({x}) is not list"), x)])
        f.visit(x)
        f.counts.leaves = True
        f.add(f"it = iter({x})")
        odd = f.odd or "False"
        f.refusals.whole = f.refusals.missing = f"resume({x}, it, seen, loose, {odd})"
        shapes.scan(f, item, self.place, "it")
        f.refusals.whole = f"decide({x})"

    def collecting(self, f: VerdictFunction) -> None:
        """Write lines that convert what does not conform, and collect what is wrong."""
        t = self.about.type
        f.notes_once = not coerced.has_lists(t)
        f.made = coerced.whole(f, t, self.place)

    def resuming(self, item: Type, f: VerdictFunction) -> None:
        """Write lines that do the same for the items of a list from an index on."""
        f.made = coerced.rest(f, item, self.place)

    def collect(self, value: Any) -> Outcome[Any]:
        """Return the outcome for *value*, which does not conform as it is."""
        if self.collector is None:
            self.collector = self.verdict(self.collecting)
        outcome: Outcome[Any] = self.collector(value)
        return outcome

    def resume(
        self, value: Any, items: Any, seen: int, is_loose: bool, is_odd: bool
    ) -> Outcome[Any]:
        """Return the outcome for a list, of which *items* yields what follows a wrong one.

        *seen*, *is_loose* and *is_odd* tell what was visited.
        """
        if self.collector is None:
            inner = strip_annotations(self.about.type)
            assert isinstance(inner, List)
            self.collector = self.verdict(partial(self.resuming, inner.item))
        at = max(len(value) - items.__length_hint__() - 1, 0)
        outcome: Outcome[Any] = self.collector(value, at, seen, is_loose, is_odd)
        return outcome


class Asking(CheckState):
    """What is left to the checks of parts of *whole*, which share the limits of one check."""

    __slots__ = ("_left", "_takes_errors", "_whole")

    def __init__(self, whole: Any, about: CheckContext) -> None:
        super().__init__(about.policy.max_issues)
        self._whole = whole
        self._left: float = MAX_UNWATCHED
        self._takes_errors = about.policy.on_issue != "fail"

    @property
    def visited(self) -> float:
        """How many values these parts have; less than none if the whole value was counted."""
        return MAX_UNWATCHED - self._left

    def ask(
        self, site: FindingSite, value: Any, notes: list[Note], faults: list[Note], *indices: int
    ) -> Any:
        """Return what the check of *site* makes of *value*, and note what it finds.

        Where errors do not fail, they are *notes*, too.
        """
        self._left -= count_places(value)
        if self._left < 0:
            # If that is much, all are counted, as the check does.
            VisitBudget(self._whole).visit(inf)
            self._left = inf
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


def _deciding(about: CheckContext, decide: Decide) -> Verdict:
    """Return the verdict that always asks the check."""

    def judged(value: Any, *_: object) -> Outcome[Any] | None:
        if about.are_arguments and (type(value) is not dict or may_be_wrapped(value)):
            return None
        return decide(value)

    return judged
