"""Checks of types with constraints, and of values that text in a format may be made of."""

from __future__ import annotations

from typing import Any

from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Kind, get_kind
from typesig.validation.check_state import Checker, CheckState, Finding
from typesig.validation.coercions import CONVERSIONS, REFUSED, Conversion
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.issues.suggestions import make_remedy
from typesig.validation.policy import Policy


def formatting(constraints: tuple[Constraint, ...], policy: Policy) -> list[Conversion]:
    """Return what *policy* makes text of that is in the format of *constraints*."""
    formats = {c.argument.value for c in constraints if c.name == "format"}
    rows = CONVERSIONS.values()
    return [row for row in rows if row.format in formats and row.id in policy.coercions]


def is_undecided(constraints: tuple[Constraint, ...], policy: Policy) -> bool:
    """Whether a text that breaks *constraints* may pass under *policy* all the same."""
    return bool(formatting(constraints, policy)) or (
        "other_format" in policy.coercions and any(c.name == "format" for c in constraints)
    )


def formatted(inner: Checker, rows: list[Conversion]) -> Checker:
    """Return *inner* after the conversions *rows* to text in a format."""
    ways: dict[Kind, Conversion] = {kind: row for row in rows for kind in row.sources}

    def check(value: Any, run: CheckState) -> Any:
        way = ways.get(get_kind(value))
        made = REFUSED if way is None else way.apply(value)
        if way is None or made is REFUSED:
            return inner(value, run)
        if way.warns:
            run.add_coercion(f"{way.format}", value, way.id)
        return inner(made, run)

    return check


def refined(
    inner: Checker, constraints: tuple[Constraint, ...], said: str, policy: Policy
) -> Checker:
    """Return *inner*, then the tests of *constraints*; *said* is what was expected."""
    warns = "other_format" in policy.coercions
    # What is only warned of comes last: it must not hide an error.
    ordered = sorted(constraints, key=lambda c: c.name == "format") if warns else constraints
    tests = [(c.row.kinds, c.test(), _format_of(c), warns and c.name == "format") for c in ordered]

    def check(value: Any, run: CheckState) -> Any:
        errors = run.errors + run.unseen
        new = inner(value, run)
        if run.errors + run.unseen > errors:
            return new
        kind = get_kind(new)
        for kinds, test, format_name, is_warning in tests:
            if kind in kinds and not test(new):
                # Who reads a result has not written it.
                is_told = policy.decoding or not is_warning
                hint = make_remedy(format_name, new) if is_told else ""
                if is_warning:
                    found = Finding(
                        "refined", said, describe_value(new), hint, "other_format", warning=True
                    )
                    run.add(found)
                else:
                    run.add_error("refined", said, new, hint)
                break
        return new

    return check


def _format_of(constraint: Constraint) -> str:
    """Return the name of the format that *constraint* asks for, or an empty text."""
    return str(constraint.argument.value) if constraint.name == "format" else ""
