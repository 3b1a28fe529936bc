"""Numbers: bounds, steps, and constants that are left out."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import reduce

from typesig.algebra import nodes
from typesig.algebra.constructors import make_refined
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.values import Const
from typesig.limits.engines import MAX_BRANCHES
from typesig.notations.json_schema.keywords import NEVER
from typesig.providers.engines.engine import Path
from typesig.providers.engines.lowering_state import LoweringState, get_constants, unite_types
from typesig.relations.limits.bounds import Bounds, Limit, find_common_multiple, read_bounds
from typesig.relations.limits.normal_form import Parts


def lower_numbers(
    settler: LoweringState,
    shapes: Iterable[nodes.Type],
    others: Parts,
    limits: list[Limit],
    at: Path,
) -> nodes.Type:
    """Lower the type of numbers in all *shapes* and *limits* and in none of *others*."""
    is_int = nodes.INT in shapes
    found = read_bounds(limits)
    without = {Fraction(value.value) for value in get_constants(others, "number")}
    if not all(isinstance(other, nodes.Enum) for other in others):
        # Of scalars, only integers are some numbers and not all; and they are none here.
        settler.lose(at, "numbers that are no integers", "any number")
    if found.missed:
        settler.lose(at, "numbers that are no multiples of another", "any number")
    found = _limit_steps(settler, found, is_int, at)
    pieces = _split_at(found, sorted(without))
    if len(pieces) > MAX_BRANCHES:
        settler.lose(at, "constants that are left out", "any number")
        pieces = [found]
    return unite_types([_lower_range(settler, piece, is_int, at) for piece in pieces])


def _limit_steps(settler: LoweringState, found: Bounds, is_int: bool, at: Path) -> Bounds:
    """Copy *found* with at most one step, which must be supported by the engine."""
    if not found.steps:
        return found
    enforced = settler.enforced
    is_bounded = found.low is not None or found.high is not None
    is_lost = enforced.steps == "none" or (enforced.steps == "integers" and not is_int)
    if is_lost or (is_bounded and not enforced.bounded_steps):
        settler.lose(at, "a step", "any number")
        return found._replace(steps=())
    step = Fraction(found.step) if is_int else reduce(find_common_multiple, found.steps)
    if max(step.numerator, step.denominator) > enforced.most_step:
        settler.lose(at, "a step of so many digits", "any number")
        return found._replace(steps=())
    return found._replace(steps=() if is_int and step == 1 else (step,))


def _split_at(found: Bounds, values: list[Fraction]) -> list[Bounds]:
    """Split the range *found* at the sorted *values*, which are excluded."""
    out = []
    for value in values:
        if _has(found, value):
            out.append(found._replace(high=value, below=True))
            found = found._replace(low=value, above=True)
    return [*out, found]


def _has(found: Bounds, value: Fraction) -> bool:
    """Whether *value* lies within the bounds *found*."""
    above = found.low is None or value > found.low or (value == found.low and not found.above)
    below = found.high is None or value < found.high or (value == found.high and not found.below)
    return above and below


def _lower_range(settler: LoweringState, found: Bounds, is_int: bool, at: Path) -> nodes.Type:
    """Lower the bounds and steps *found* to an integer or float type."""
    scalar = nodes.INT if is_int else nodes.FLOAT
    for step in found.steps or ((Fraction(1),) if is_int else ()):
        # The nearest multiples are the bounds, so that the engine has no range without a value.
        low, above = _find_multiple(found.low, found.above, step, 1)
        high, below = _find_multiple(found.high, found.below, step, -1)
        found = found._replace(low=low, above=above, high=high, below=below)
    if found.empty:
        return NEVER
    constraints = [
        *_make_bound(settler, "above" if found.above else "at_least", found.low, at),
        *_make_bound(settler, "below" if found.below else "at_most", found.high, at),
        *[Constraint("multiple_of", to_plain_number(step)) for step in found.steps],
    ]
    return make_refined(scalar, constraints)


def _find_multiple(
    value: Fraction | None, strict: bool, step: Fraction, sign: int
) -> tuple[Fraction | None, bool]:
    """Return the nearest multiple of *step* from *value* on, up if *sign* is 1, else down."""
    if value is None:
        return None, False
    count = -((-sign * value) // step)
    if strict and count * step == sign * value:
        count += 1
    return sign * count * step, False


def _make_bound(
    settler: LoweringState, name: ConstraintName, value: Fraction | None, at: Path
) -> list[Constraint]:
    """Make a list with the bound *name* at *value*, empty if the engine is inexact."""
    if value is None:
        return []
    enforced = settler.enforced
    shown = to_plain_number(value)
    digits = -int(Decimal(repr(shown)).as_tuple().exponent) if type(shown) is float else 0
    if abs(value) <= enforced.most_bound and digits <= enforced.most_digits:
        return [Constraint(name, shown)]
    settler.lose(at, f"a bound of {shown:.3g}", "no bound")
    return []


def to_plain_number(value: Fraction) -> int | float:
    """Convert the fraction *value* to an int if it is integral, otherwise to a float."""
    return value.numerator if value.denominator == 1 else float(value)


def is_exact(settler: LoweringState, value: Const) -> bool:
    """Whether the engine writes all digits of the numbers in *value*."""
    match value.kind:
        case "int":
            return bool(abs(value.value) <= settler.enforced.most_bound)
        case "float":
            number = value.value
            text = repr(number)
            if text == "-0.0" or "e" in text or abs(number) > settler.enforced.most_bound:
                return False
            is_long = settler.enforced.long_constants
            return not is_long or f"{number:.17g}" == text.removesuffix(".0")
        case "list":
            return all(is_exact(settler, item) for item in value.value)
        case "map":
            return all(is_exact(settler, pair.const) for pair in value.value)
        case _:
            return True
