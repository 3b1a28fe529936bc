"""Objects and arrays, lowered: properties by name and by pattern, items by position, counts."""

from __future__ import annotations

from collections.abc import Iterable

from typesig.algebra import nodes
from typesig.algebra.constructors import make_refined
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.traversal import get_item_types
from typesig.errors import Unsupported
from typesig.limits.engines import MAX_COUNTED_PROPERTIES
from typesig.notations.json_schema.keywords import NEVER
from typesig.providers.engines.engine import LoweringState, Path, unite_types
from typesig.providers.rewriting.descriptions import is_sendable
from typesig.relations.bounds import Limit, read_sizes, read_uniqueness
from typesig.relations.conformance import get_record_keys
from typesig.relations.normal_form import Parts

# --- Objects: properties by name and by pattern, the others, and how many there are ---

_OPEN = nodes.Record((), nodes.ANY)


def lower_objects(
    settler: LoweringState, shapes: Parts, others: Parts, limits: list[Limit], at: Path
) -> nodes.Type:
    """Lower the type of objects that match all *shapes* and none of *others*."""
    records = [_as_record(settler, shape, at) for shape in shapes]
    for place, other in enumerate(others):
        ways = _negate_object(other, records)
        if ways is not None:
            return settler.lower_alternatives(ways, shapes, others[place + 1 :], limits, at)
        settler.lose(at, "objects that are left out", "any object")
    low, high = settler.limit_size(read_sizes(limits), at)
    merged = _merge_records(settler, records or [_OPEN], at)
    return NEVER if merged is None else _limit_count(settler, merged, low, high, at)


def _negate_object(t: nodes.Type, records: list[nodes.Record]) -> list[nodes.Type] | None:
    """Return types for the objects of *records* outside *t*, or None if impossible."""
    if not isinstance(t, nodes.Record) or t.matching:
        return None
    names = {field.name for field in t.fields}
    if t.extra != nodes.ANY and not any(
        record.extra is None
        and not record.matching
        and names.issuperset([field.name for field in record.fields])
        for record in records
    ):
        # Some undeclared key is wrong: that has no form.
        return None
    out: list[nodes.Type] = []
    for field in t.fields:
        if field.required:
            absent = nodes.Field(field.name, NEVER, False, None, True)
            out.append(nodes.Record((absent,), nodes.ANY))
        if field.type != nodes.ANY:
            wrong = nodes.Field(field.name, nodes.Not(field.type), True, None, True)
            out.append(nodes.Record((wrong,), nodes.ANY))
    return out


# Maps


def _as_record(settler: LoweringState, t: nodes.Type, at: Path) -> nodes.Record:
    """Convert *t*, a record or a map, to a record."""
    if isinstance(t, nodes.Record):
        return t
    assert isinstance(t, nodes.MapOf)
    if t.key == nodes.STRING:
        return nodes.Record((), t.value)
    before = len(settler.losses)
    keys = settler.intersect((nodes.STRING, t.key), (), (*at, "keys"))
    if keys == NEVER:
        return nodes.Record((), None)
    if isinstance(keys, nodes.Enum):
        fields = [nodes.Field(v.value, t.value, False, None, True) for v in keys.values]
        return nodes.Record(tuple(fields), None)
    if len(settler.losses) == before:
        if keys == nodes.STRING:
            return nodes.Record((), t.value)
        if isinstance(keys, nodes.Refinement) and isinstance(t.key, nodes.Refinement):
            patterns = [c for c in t.key.constraints if c.name == "pattern"]
            if len(t.key.constraints) == 1 and patterns and t.key.inner == nodes.STRING:
                matching = nodes.PatternField(patterns[0].argument.value, t.value)
                return nodes.Record((), None, (matching,))
        settler.lose((*at, "keys"), "the type of the keys", "any keys")
    return nodes.Record((), t.value)


# Intersections


def _merge_records(
    settler: LoweringState, records: list[nodes.Record], at: Path
) -> nodes.Record | None:
    """Merge *records* into the record of their common objects, or None without any."""
    plans = [get_record_keys(record) for record in records]
    matching, extra = _merge_patterns(settler, records, at)
    tests = [each.test() for each in matching]
    fields: list[nodes.Field] = []
    required = {f.name for record in records for f in record.fields if f.required}
    for name in _order_names(records):
        types = [plan.get_value_type(name) for plan in plans]
        known = tuple([NEVER if t is None else t for t in types])
        made = settler.intersect(known, (), (*at, name))
        if not is_sendable(name):
            if name in required:
                raise Unsupported(f"{'.'.join(at)}: UTF-8 has no form for the name of a property")
            settler.drop((*at, repr(name)), "a name that UTF-8 has no form for")
        elif made != NEVER:
            fields.append(nodes.Field(name, made, name in required, None, True))
        elif name in required:
            return None
        elif extra is not None or any(test(name) for test in tests):
            if settler.enforced.forbidden:
                fields.append(nodes.Field(name, NEVER, False, None, True))
            else:
                settler.lose((*at, name), "a property that must not be there", "any value")
                fields.append(nodes.Field(name, nodes.ANY, False, None, True))
    return nodes.Record(tuple(fields), extra, tuple(matching))


def _order_names(records: list[nodes.Record]) -> list[str]:
    """Names of *records* in their declared order; those that are only required come last."""
    names: list[str] = []
    required: list[str] = []
    for record in records:
        is_bare = all(field.required and field.type == nodes.ANY for field in record.fields)
        (required if is_bare else names).extend([field.name for field in record.fields])
    return list(dict.fromkeys([*names, *required]))


def _merge_patterns(
    settler: LoweringState, records: list[nodes.Record], at: Path
) -> tuple[list[nodes.PatternField], nodes.Type | None]:
    """Return the types of the undeclared keys of all of *records*: by pattern, and of the rest."""
    with_patterns = [record for record in records if record.matching]
    extras = [record.extra for record in records]
    place = (*at, "**")
    if not with_patterns:
        return [], _merge_extra(settler, extras, place)
    if len(with_patterns) > 1 and any(record.extra != nodes.ANY for record in with_patterns):
        settler.lose(place, "types of keys by pattern", "any other keys")
        return [], _merge_extra(settler, [r.extra for r in records if not r.matching], place)
    others = [record.extra for record in records if not record.matching]
    found: dict[str, list[nodes.Type]] = {}
    for record in with_patterns:
        for each in record.matching:
            found.setdefault(each.pattern, []).append(each.type)
    out = []
    for pattern, types in found.items():
        known = [NEVER if t is None else t for t in (*types, *others)]
        made = settler.intersect(tuple(known), (), (*at, f"/{pattern}/"))
        out.append(nodes.PatternField(pattern, made))
    return _keep_disjoint_patterns(settler, out, _merge_extra(settler, extras, place), at)


def _merge_extra(
    settler: LoweringState, extras: list[nodes.Type | None], at: Path
) -> nodes.Type | None:
    """Intersect the types *extras* of undeclared keys; return None if none are allowed."""
    made = settler.intersect(tuple([NEVER if t is None else t for t in extras]), (), at)
    return None if made == NEVER else made


def _keep_disjoint_patterns(
    settler: LoweringState, found: list[nodes.PatternField], extra: nodes.Type | None, at: Path
) -> tuple[list[nodes.PatternField], nodes.Type | None]:
    """Keep the key patterns *found* if supported and disjoint; else record a loss."""
    if extra is None:
        found = [each for each in found if each.type != NEVER]
    keys = [nodes.Refinement(nodes.STRING, (Constraint("pattern", m.pattern),)) for m in found]
    overlap = any(
        not settler.is_disjoint(a, b) for place, a in enumerate(keys) for b in keys[place + 1 :]
    )
    enforced = settler.enforced
    taken = (extra is None or enforced.open_patterns) and all(
        enforced.key_patterns and enforced.takes(each.pattern) for each in found
    )
    if overlap or not taken:
        settler.lose((*at, "**"), "types of keys by pattern", "any other keys")
        return [], nodes.ANY
    if any(enforced.narrows(each.pattern) for each in found):
        settler.drop((*at, "**"), "a character that JSON escapes, within a key")
    return found, extra


# Counts


def _limit_count(
    settler: LoweringState, t: nodes.Record, low: int, high: int | None, at: Path
) -> nodes.Type:
    """Restrict the record *t* to objects with *low* to *high* properties."""
    present = [field for field in t.fields if field.required]
    possible = [field for field in t.fields if field.type != NEVER]
    is_closed = t.extra is None and not t.matching
    low = 0 if low <= len(present) else low
    if is_closed:
        if low > len(possible):
            return NEVER
        high = None if high is not None and high >= len(possible) else high
    if high is not None and high < len(present):
        return NEVER
    if low == 0 and high is None:
        return _simplify(t)
    if high == len(present) and low == 0:
        # No other property may be there.
        return _simplify(nodes.Record(tuple(present), None))
    words = [Constraint("at_least", low)] if low else []
    words += [] if high is None else [Constraint("at_most", high)]
    if len(present) == len(t.fields) and not t.matching:
        return make_refined(_simplify(t), words)
    if is_closed and low == 1 and high is None and len(possible) <= MAX_COUNTED_PROPERTIES:
        return unite_types([_make_tail(t, place) for place in range(len(t.fields))])
    settler.lose(at, "a number of properties", "any number of properties")
    return _simplify(t)


def _make_tail(t: nodes.Record, place: int) -> nodes.Type:
    """Make a record of the fields of *t* from index *place* on, the first one required."""
    first, *rest = t.fields[place:]
    needed = nodes.Field(first.name, first.type, True, None, True)
    return nodes.Record((needed, *rest), None)


def _simplify(t: nodes.Record) -> nodes.Type:
    """Convert the record *t* to a map if it has neither fields nor key patterns."""
    return nodes.Record((), t.extra) if not t.fields and not t.matching else t


# --- Arrays: items by position, lengths, and features that are not expressible ---

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
