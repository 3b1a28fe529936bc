"""Arrays: items by position, lengths, and features that are not expressible."""

from __future__ import annotations

from collections.abc import Iterable

from typesig.algebra import nodes
from typesig.algebra.constructors import make_refined
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.traversal import get_item_types
from typesig.notations.json_schema.keywords import NEVER
from typesig.providers.engines.engine import Path
from typesig.providers.engines.lowering_state import LoweringState
from typesig.relations.limits.bounds import Limit, read_sizes, read_uniqueness
from typesig.relations.limits.normal_form import Parts

_ANY_LIST = nodes.List(nodes.ANY)


def lower_arrays(
    settler: LoweringState, shapes: Parts, others: Parts, limits: list[Limit], at: Path
) -> nodes.Type:
    """Lower the type of lists that match all *shapes* and none of *others*."""
    for place, other in enumerate(others):
        ways = _negate_array(other)
        if ways is not None:
            return settler.lower_alternatives(ways, shapes, others[place + 1 :], limits, at)
        settler.lose(at, "lists that are left out", "any list")
    return _lower_array(settler, shapes, limits, at)


def _negate_array(t: nodes.Type) -> list[nodes.Type] | None:
    """Return types that together match the lists outside *t*, or None if impossible.

    Lists with some item of a type have no such form.
    """
    if not isinstance(t, nodes.Tuple) or t.rest not in (None, nodes.ANY):
        return None
    count = len(t.items)
    out: list[nodes.Type] = [make_refined(_ANY_LIST, [Constraint("at_most", count - 1)])]
    if t.rest is None:
        out.append(make_refined(_ANY_LIST, [Constraint("at_least", count + 1)]))
    for place, item in enumerate(t.items):
        if item != nodes.ANY:
            before = (nodes.ANY,) * place
            out.append(nodes.Tuple((*before, nodes.Not(item)), nodes.ANY))
    return out


def _lower_array(
    settler: LoweringState, shapes: Parts, limits: list[Limit], at: Path
) -> nodes.Type:
    """Lower the intersection of array *shapes* and size *limits* to a single array type."""
    low, high = settler.limit_size(read_sizes(limits), at)
    for shape in shapes:
        match shape:
            case nodes.Tuple(items, rest):
                low = max(low, len(items))
                high = len(items) if rest is None and (high is None or high > len(items)) else high
            case nodes.ItemCount():
                low = max(low, shape.at_least)
                settler.lose(at, "a number of items of a type", "any items")
            case _:
                assert isinstance(shape, nodes.List)
    if high is not None and low > high:
        return NEVER
    tuples = [shape for shape in shapes if isinstance(shape, nodes.Tuple)]
    rows: list[nodes.Type] = [shape for shape in shapes if isinstance(shape, nodes.List)]
    rows += tuples
    count = max([len(t.items) for t in tuples], default=0)
    each = [
        settler.intersect(_get_item_types(rows, place), (), (*at, str(place)))
        for place in range(count)
    ]
    rest = NEVER
    if high is None or high > count:
        rest = settler.intersect(_get_item_types(rows, count), (), (*at, "items"))
    if rest == NEVER:
        high = len(each)
    if NEVER in each or (high is not None and low > high):
        return NEVER
    if True in read_uniqueness(limits) and (high is None or high > 1):
        settler.lose(at, "unique items", "any items")
    if False in read_uniqueness(limits):
        settler.lose(at, "items that are not unique", "any items")
    return _make_array(each, None if rest == NEVER else rest, low, high)


def _get_item_types(rows: Iterable[nodes.Type], place: int) -> Parts:
    """Return the item types at index *place* of all list types *rows*."""
    return tuple([t for row in rows for t in get_item_types(row, place) or (NEVER,)])


def _make_array(
    each: list[nodes.Type], rest: nodes.Type | None, low: int, high: int | None
) -> nodes.Type:
    """Make a list type with the item types *each*, then *rest*, and a size range."""
    whole: nodes.Type
    if rest is None and len(each) < 2:
        whole, is_bounded = nodes.List(each[0] if each else nodes.ANY), False
    elif each:
        whole, is_bounded = nodes.Tuple(tuple(each), rest), True
    else:
        whole, is_bounded = nodes.List(rest if rest is not None else nodes.ANY), False
    bounds = []
    if low > (len(each) if is_bounded else 0):
        bounds.append(Constraint("at_least", low))
    if high is not None and not (is_bounded and rest is None):
        bounds.append(Constraint("at_most", high))
    return make_refined(whole, bounds)
