"""Arrays: the items by position, how many there are, and what no form says of them."""

from __future__ import annotations

from collections.abc import Iterable

from typesig.algebra import nodes
from typesig.algebra.constructors import refined
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.traversal import item_types
from typesig.notations.json_schema.keywords.kinds import NEVER
from typesig.providers.engines.engine import Path
from typesig.providers.engines.settler import Settler
from typesig.relations.limits.bounds import Limit, read_sizes, read_uniqueness
from typesig.relations.limits.normal_form import Parts

_ANY_LIST = nodes.List(nodes.ANY)


def arrays(
    settler: Settler, shapes: Parts, others: Parts, limits: list[Limit], at: Path
) -> nodes.Type:
    """Return what is written for the lists of all of *shapes* and of none of *others*."""
    for place, other in enumerate(others):
        ways = _ways_out(other)
        if ways is not None:
            return settler.met_by(ways, shapes, others[place + 1 :], limits, at)
        settler.lose(at, "lists that are left out", "any list")
    return _array(settler, shapes, limits, at)


def _ways_out(t: nodes.Type) -> list[nodes.Type] | None:
    """Return types that together have the lists that are not of *t*, or None if there are none.

    Lists with some item of a type have no such form.
    """
    if not isinstance(t, nodes.Tuple) or t.rest not in (None, nodes.ANY):
        return None
    count = len(t.items)
    out: list[nodes.Type] = [refined(_ANY_LIST, [Constraint("at_most", count - 1)])]
    if t.rest is None:
        out.append(refined(_ANY_LIST, [Constraint("at_least", count + 1)]))
    for place, item in enumerate(t.items):
        if item != nodes.ANY:
            before = (nodes.ANY,) * place
            out.append(nodes.Tuple((*before, nodes.Not(item)), nodes.ANY))
    return out


def _array(settler: Settler, shapes: Parts, limits: list[Limit], at: Path) -> nodes.Type:
    low, high = settler.size(read_sizes(limits), at)
    for shape in shapes:
        match shape:
            case nodes.Tuple(items, rest):
                low = max(low, len(items))
                high = len(items) if rest is None and (high is None or high > len(items)) else high
            case nodes.Counted():
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
    each = [settler.met(_at(rows, place), (), (*at, str(place))) for place in range(count)]
    rest = NEVER
    if high is None or high > count:
        rest = settler.met(_at(rows, count), (), (*at, "items"))
    if rest == NEVER:
        high = len(each)
    if NEVER in each or (high is not None and low > high):
        return NEVER
    if True in read_uniqueness(limits) and (high is None or high > 1):
        settler.lose(at, "unique items", "any items")
    if False in read_uniqueness(limits):
        settler.lose(at, "items that are not unique", "any items")
    return _written(each, None if rest == NEVER else rest, low, high)


def _at(rows: Iterable[nodes.Type], place: int) -> Parts:
    """Return the types of the item at *place* of lists of all of *rows*."""
    return tuple([t for row in rows for t in item_types(row, place) or (NEVER,)])


def _written(
    each: list[nodes.Type], rest: nodes.Type | None, low: int, high: int | None
) -> nodes.Type:
    """Return the list of *each*, then of *rest*, with *low* to *high* items."""
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
    return refined(whole, bounds)
