"""Checking scalars and enums: where coercions happen."""

from __future__ import annotations

from functools import partial
from typing import Any

from typesig.algebra.constraints import identity
from typesig.algebra.formats import is_date_time
from typesig.algebra.scalars import SCALARS, ScalarName, ScalarRow
from typesig.algebra.values import Const, Kind, kind_of
from typesig.notations.shorthand.writer import literal
from typesig.validation.coercions import COERCIONS, REFUSED, Coercion
from typesig.validation.excerpt import bare, shown
from typesig.validation.expected import values_text
from typesig.validation.keys import MAX_NEAR
from typesig.validation.policy import Policy
from typesig.validation.run import Checker, Found, Run


def active(policy: Policy, target: str) -> dict[Kind, Coercion]:
    """Return the rows by which *policy* reaches the scalar *target*, by the kind they start at."""
    return {
        row.source: row
        for row in COERCIONS.values()
        if row.target == target
        and row.source
        and (row.id in policy.coercions or (row.decoding and policy.decoding))
    }


def scalar(name: ScalarName, expected: str, policy: Policy) -> Checker:
    """Return the check of the scalar *name*."""
    row = SCALARS[name]
    if not row.kinds:
        return _anything
    kinds, rows, fits = row.kinds, active(policy, name), row.fits
    naive = "naive_datetime" in policy.coercions
    # An int conforms to a float; on input it becomes one where it can.
    eager = {kind for kind in rows if kind in kinds}

    def check(value: Any, run: Run) -> Any:
        kind = kind_of(value)
        if name == "keyword" and _is_member(value):
            # A member of an Enum is a keyword, whatever else it is.
            return value
        if kind in kinds and kind not in eager:
            if kind == "datetime" and naive and value.utcoffset() is None:
                run.add(Found("naive", got=shown(value), rule="naive_datetime", warning=True))
                return value
            if fits is not None and not fits(value):
                run.error("type", expected, value, row.flaw)
            return value
        way = rows.get(kind)
        if way is not None:
            made = way.apply(value)
            if made is not REFUSED:
                if way.warns:
                    got = shown(value)
                    run.add(Found("coerced", name, got, rule=way.id, warning=True))
                return made
        run.error("type", expected, value, _advice(row, value))
        return value

    return check


def _anything(value: Any, run: Run) -> Any:
    return value


def _advice(row: ScalarRow, value: Any) -> str:
    """Return how a value of *row* is written; of a datetime, what else *value* needs."""
    text = value if row.name == "datetime" and kind_of(value) == "string" else ""
    naive = 0 < len(text) < 64 and is_date_time(text.strip() + "Z")
    return row.flaw if naive else row.form


def _is_member(value: object) -> bool:
    from enum import Enum

    return isinstance(value, Enum)


def enum(values: tuple[Const, ...], policy: Policy) -> Checker:
    """Return the check that a value is one of *values*, of the same kind."""
    known = {identity(value.thaw()): value for value in values}
    kinds = frozenset(value.kind for value in values)
    listed = values_text(values)

    def check(value: Any, run: Run) -> Any:
        if kind_of(value) in kinds and identity(value) in known:
            return value
        for rule, candidate, warns in _candidates(value, values, policy):
            found = known.get(identity(candidate))
            if found is not None:
                if warns:
                    got, to = shown(value), _named(found)
                    run.add(Found("coerced", to, got, rule=rule, warning=True))
                return found.thaw()
        run.add(Found("enum", listed, bare(value), partial(_near, value, values)))
        return value

    return check


def _named(value: Const) -> str:
    return shown(value.thaw())


def _candidates(
    value: Any, values: tuple[Const, ...], policy: Policy
) -> list[tuple[str, Any, bool]]:
    """Return what *value* may stand for: the coercion, the other value, whether it warns."""
    kind = kind_of(value)
    out: list[tuple[str, Any, bool]] = []
    for target in dict.fromkeys(v.kind for v in values):
        row = active(policy, target).get(kind)
        scalars = kind == "string" and target in ("int", "float", "bool")
        if row is not None and not (scalars and "enum_from_string" not in policy.coercions):
            out.append(("enum_from_string" if scalars else row.id, row.apply(value), row.warns))
    if kind == "string" and "enum_ignoring_case" in policy.coercions:
        folded = value.casefold()
        same = [v.value for v in values if v.kind == "string" and v.value.casefold() == folded]
        if len(same) == 1:
            out.append(("enum_ignoring_case", same[0], True))
    return [candidate for candidate in out if candidate[1] is not REFUSED]


def _near(value: Any, values: tuple[Const, ...]) -> str:
    from difflib import get_close_matches

    texts = kind_of(value) in ("string", "keyword")
    if not texts or len(value) > 100 or len(values) > MAX_NEAR:
        return ""
    lower = {str(v.value).lower(): v for v in values if v.kind in ("string", "keyword")}
    near = get_close_matches(value.lower(), lower, 1)
    return f"did you mean {literal(lower[near[0]])}?" if near else ""
