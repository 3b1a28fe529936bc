"""Arrays: the items by position, how many there are, and what no form says of them."""

from __future__ import annotations

from typesig.algebra import nodes
from typesig.algebra.constructors import refined
from typesig.algebra.rows.constraints import Constraint
from typesig.notations.json_schema.keywords.kinds import NEVER
from typesig.providers.engines.settler import Parts, Path, Settler, alternatives
from typesig.relations.limits.bounds import Limit, sizes, uniqueness

_ANY_LIST = nodes.List(nodes.ANY)


def arrays(
    settler: Settler, shapes: Parts, others: Parts, limits: list[Limit], at: Path
) -> nodes.Type:
    """Return what is written for the lists of all of *shapes* and of none of *others*."""
    for place, other in enumerate(others):
        ways = _ways_out(other)
        if ways is None:
            settler.lose(at, "lists that are left out", "any list")
            others = others[:place] + others[place + 1 :]
            return arrays(settler, shapes, others, limits, at)
        rest = others[:place] + others[place + 1 :]
        kept = tuple([nodes.Refined(nodes.ANY, (each,)) for each, wanted in limits if wanted])
        gone = tuple([nodes.Refined(nodes.ANY, (each,)) for each, wanted in limits if not wanted])
        return alternatives(
            [settler.met((*shapes, *kept, way), (*rest, *gone), at) for way in ways]
        )
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
    low, high = settler.size(sizes(limits), at)
    behind: list[nodes.Type] = []
    tuples: list[nodes.Tuple] = []
    for shape in shapes:
        match shape:
            case nodes.List(item):
                behind.append(item)
            case nodes.Tuple(items, rest):
                tuples.append(shape)
                low = max(low, len(items))
                high = len(items) if rest is None and (high is None or high > len(items)) else high
            case _:
                assert isinstance(shape, nodes.Counted)
                low = max(low, shape.at_least)
                settler.lose(at, "a number of items of a type", "any items")
    if high is not None and low > high:
        return NEVER
    each: list[nodes.Type] = []
    for place in range(max([len(t.items) for t in tuples], default=0)):
        types = behind + [t.items[place] if place < len(t.items) else _rest(t) for t in tuples]
        each.append(settler.met(tuple(types), (), (*at, str(place))))
    rest = NEVER
    if high is None or high > len(each):
        types = behind + [_rest(t) for t in tuples]
        rest = settler.met(tuple(types), (), (*at, "items"))
    if rest == NEVER:
        high = len(each)
    if NEVER in each or (high is not None and low > high):
        return NEVER
    if True in uniqueness(limits) and (high is None or high > 1):
        settler.lose(at, "unique items", "any items")
    if False in uniqueness(limits):
        settler.lose(at, "items that are not unique", "any items")
    return _written(each, None if rest == NEVER else rest, low, high)


def _rest(t: nodes.Tuple) -> nodes.Type:
    return NEVER if t.rest is None else t.rest


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
