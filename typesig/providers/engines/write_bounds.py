"""Bounds on the values that a grammar lets a model write, so that it comes to an end.

A model that repeats itself writes a text, a number or a list without an end, and the answer is cut
off.  Types that set no bound of their own get one; undeclared keys are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.constructors import make_refined
from typesig.algebra.loss import Loss
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.signature import make_unique_name
from typesig.algebra.traversal import get_children, rebuild
from typesig.errors import TypesigError, format_value
from typesig.providers.engines.engine import LoweredType, RootType, SchemaSupport, WriteBounds

#: The options of `project` that set bounds.
OPTIONS = WriteBounds._fields


def read_write_bounds(options: Mapping[str, Any]) -> WriteBounds:
    """Read the bounds among *options*; raise `TypesigError` for an invalid one.

    >>> read_write_bounds({"longest": 80, "items": None})
    WriteBounds(longest=80, digits=18, items=None, closed=True)
    """
    for name in OPTIONS[:3]:
        value = options.get(name)
        if value is not None and (type(value) is not int or value < 1):
            raise TypesigError(f"{name} is an int from 1 on or None, not {format_value(value)}")
    if type(options.get("closed", True)) is not bool:
        raise TypesigError(f"closed is True or False, not {format_value(options['closed'])}")
    return WriteBounds(**{name: options[name] for name in OPTIONS if name in options})


def limit_type(
    made: LoweredType,
    bounds: WriteBounds,
    enforced: SchemaSupport,
    whole: RootType,
    *,
    spells: bool,
) -> LoweredType:
    """Bound the texts, numbers, lists and objects of *made*, the lowered *whole*; report losses.

    *spells* tells that the grammar spells each value itself.
    """
    limiter = _TypeLimiter(bounds, enforced, spells, set(made.names))
    t = limiter.limit(made.type, whole.is_arguments)
    names = {name: limiter.limit(each) for name, each in made.names.items()}
    losses = [Loss("narrowed", whole.place, what, why) for what, why in limiter.reasons.items()]
    return LoweredType(t, {**names, **limiter.names}, (*made.losses, *losses))


class _TypeLimiter:
    """A rewriter of lowered types that adds bounds, and keeps the reasons.

    #: names: the definitions that it adds; reasons: what is left out, each with its reason
    """

    def __init__(
        self, bounds: WriteBounds, enforced: SchemaSupport, spells: bool, taken: set[str]
    ) -> None:
        self.names: dict[str, nodes.Type] = {}
        self.reasons: dict[str, str] = {}
        self._bounds = bounds
        self._enforced = enforced
        self._spells = spells
        self._any = make_unique_name("anything", taken)

    def limit(self, t: nodes.Type, is_open: bool = False) -> nodes.Type:
        """Bound the values of *t*, a lowered type; it keeps undeclared keys if it *is_open*."""
        match t:
            case nodes.Scalar():
                if t == nodes.ANY:
                    return self._limit_any()
                if t in (nodes.STRING, nodes.INT, nodes.FLOAT):
                    return self._limit_refined(t, ())
                return t
            case nodes.Refinement(nodes.Scalar() as inner, constraints):
                return self._limit_refined(inner, constraints)
            case nodes.Refinement():
                inner = self._limit_parts(t.inner, is_open)
                return self._limit_size(inner, list(t.constraints))
            case nodes.Record() if is_open:
                return self._limit_parts(t, is_open)
            case nodes.List() | nodes.Tuple() | nodes.Record():
                return self._limit_size(self._limit_parts(t, is_open), [])
            case nodes.Maybe(inner):
                return nodes.Maybe(self.limit(inner, is_open))
            case nodes.Union(members):
                return nodes.Union(tuple([self.limit(member, is_open) for member in members]))
            case _:
                # Constants and references, and several patterns of a text.
                return t

    def _limit_any(self) -> nodes.Type:
        """Name a type of any JSON value whose parts are bounded, if the grammar spells values."""
        if not self._spells or None in self._bounds[:3]:
            return nodes.ANY
        if self._any not in self.names:
            self.names[self._any] = nodes.ANY
            whole = nodes.Ref(self._any)
            parts: list[nodes.Type] = [
                nodes.STRING,
                nodes.FLOAT,
                nodes.List(whole),
                nodes.Record((), whole),
            ]
            limited = [self.limit(part) for part in parts]
            self.names[self._any] = nodes.Union((nodes.NIL, nodes.BOOL, *limited))
        return nodes.Ref(self._any)

    def _limit_refined(self, t: nodes.Scalar, constraints: tuple[Constraint, ...]) -> nodes.Type:
        """Bound the scalar type *t* within its *constraints*."""
        known: dict[ConstraintName, Any] = {each.name: each.argument.value for each in constraints}
        if t == nodes.STRING:
            longest = self._bounds.longest
            is_counted = self._enforced.lengths and not self._enforced.raw_length
            # Beside a pattern or a format, engines do not count.
            if longest is None or not is_counted or known.keys() - {"at_least"}:
                return make_refined(t, list(constraints))
            self._explain(f"texts of more than {longest} characters", f"longest={longest}")
            most = max(longest, known.get("at_least", 0))
            return make_refined(t, [*constraints, Constraint("at_most", most)])
        if self._bounds.digits is None:
            return make_refined(t, list(constraints))
        if t == nodes.INT:
            return self._limit_integers(list(constraints), known, self._bounds.digits)
        if self._spells:
            self._explain_digits(self._bounds.digits)
        return make_refined(t, list(constraints))

    def _limit_integers(
        self, constraints: list[Constraint], known: Mapping[ConstraintName, Any], digits: int
    ) -> nodes.Type:
        """Bound whole numbers to *digits* digits."""
        most = 10**digits - 1
        if not self._spells and most > self._enforced.most_bound:
            # The nearest bound that a float holds.
            most += 1
        is_stepped = "multiple_of" in known and not self._enforced.bounded_steps
        low, high = known.get("at_least"), known.get("at_most")
        if not is_stepped and low is None and (high is None or high > -most):
            constraints.append(Constraint("at_least", -most))
            self._explain_digits(digits)
        if not is_stepped and high is None and (low is None or low < most):
            constraints.append(Constraint("at_most", most))
            self._explain_digits(digits)
        return make_refined(nodes.INT, constraints)

    def _limit_parts(self, t: nodes.Type, is_open: bool) -> nodes.Type:
        """Bound the parts of the container *t*; it keeps undeclared keys if it *is_open*."""
        closes = self._bounds.closed and not is_open
        if closes and isinstance(t, nodes.Record) and t.fields and t.extra == nodes.ANY:
            self._explain("undeclared keys", "closed=True")
            t = nodes.Record(t.fields, None, t.matching)
        return rebuild(t, [self.limit(part) for part in get_children(t)])

    def _limit_size(self, t: nodes.Type, constraints: list[Constraint]) -> nodes.Type:
        """Bound the number of items of the list or map *t* with *constraints*."""
        items = self._bounds.items
        known: dict[ConstraintName, Any] = {each.name: each.argument.value for each in constraints}
        is_endless = (
            isinstance(t, nodes.List)
            or (isinstance(t, nodes.Tuple) and t.rest is not None)
            or (isinstance(t, nodes.Record) and not t.fields and t.extra is not None)
        )
        if items is not None and is_endless and "at_most" not in known:
            count = len(t.items) if isinstance(t, nodes.Tuple) else 0
            constraints.append(Constraint("at_most", max(items, count, known.get("at_least", 0))))
            self._explain(f"more than {items} items", f"items={items}")
        return make_refined(t, constraints)

    def _explain_digits(self, digits: int) -> None:
        """Report that numbers have at most *digits* digits."""
        self._explain(f"numbers of more than {digits} digits", f"digits={digits}")

    def _explain(self, what: str, option: str) -> None:
        """Report that values with *what* are left out because of *option*."""
        self.reasons[what] = f"{option} leaves them out"
