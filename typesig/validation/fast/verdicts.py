"""Compiling verdicts: functions from a value to the outcome of its check.

A verdict is the predicate that returns an outcome, or, under a policy that coerces, what coerces
plain parts in one pass.  Where it does not know, it asks the check.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.algebra.frozen import NAMES
from typesig.errors import TooLarge
from typesig.validation.arguments import may_be_wrapped
from typesig.validation.check import compiler_of
from typesig.validation.fast import coerced, shapes
from typesig.validation.fast.program import executed, nests, repeats, wholes
from typesig.validation.fast.source import Function, Place, Program, TooMuchSource
from typesig.validation.notes import failed
from typesig.validation.outcome import Outcome
from typesig.validation.subject import About

#: Returns the outcome of the check of a value, or None if more has to be done before.
Verdict = Callable[[Any], Outcome[Any] | None]

#: Returns the outcome of the check of a value.
Decide = Callable[[Any], Outcome[Any]]


def verdict(about: About, decide: Decide) -> Verdict:
    """Return the verdict of the check *about*; *decide* returns the outcome where it is unknown.

    Of arguments, it returns None for those that may have to be taken out of something.
    """
    t, policy = about.type, about.policy
    place = Place("x0", compiler_of(t, about.definitions, policy))
    if repeats(t, place.compiler.names):
        return _deciding(about, decide)
    if not coerced.is_plain(t, place):
        return _compiled(about, place, False, decide)
    if policy.coercions or policy.decoding or coerced.has_lists(t):
        return _compiled(about, place, True, decide)
    # Where nothing is coerced, most values conform, and the predicate alone is faster.
    collecting: list[Verdict] = []

    def collect(value: Any) -> Outcome[Any]:
        if not collecting:
            collecting.append(_compiled(about, place, True, decide))
        outcome = collecting[0](value)
        assert outcome is not None
        return outcome

    return _compiled(about, place, False, collect)


def _compiled(about: About, place: Place, is_collecting: bool, decide: Decide) -> Verdict:
    t, policy = about.type, about.policy
    program = Program(bool(t.flags & NAMES) or nests(t))
    program.measure(wholes(t, place.compiler.names))
    made = {"new": object.__new__, "Outcome": Outcome, "about": about, "most": policy.max_issues}
    program.namespace.update(made, decide=decide, wrapped=may_be_wrapped, failed=failed)
    program.namespace.update(RecursionError=RecursionError, TooLarge=TooLarge)

    def write(f: Function) -> None:
        f.refusal = "decide(x0)"
        if about.are_arguments:
            with f.block("if type(x0) is not dict or (len(x0) == 1 and wrapped(x0)):"):
                f.line("return None")
        if is_collecting:
            f.notes_once = not coerced.has_lists(t)
            f.makes_of = coerced.whole(f, t, place)
        else:
            shapes.judge(f, t, place)

    try:
        name = program.function(("verdict",), write)
        source = program.source()
    except (TooMuchSource, RecursionError):
        return _deciding(about, decide)
    made_of: Verdict = executed(source, program, name)
    return made_of


def _deciding(about: About, decide: Decide) -> Verdict:
    """Return the verdict that always asks the check."""

    def judged(value: Any) -> Outcome[Any] | None:
        if about.are_arguments and (type(value) is not dict or may_be_wrapped(value)):
            return None
        return decide(value)

    return judged
