"""The nearest type of several in gram: one that takes what any of them takes, or what all take.

The types are widened before: only scalars, lists, records and maybes are joined here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce

from typesig.algebra.constructors import make_maybe, record
from typesig.algebra.nodes import ANY, FLOAT, INT, MAP, Field, List, Maybe, Record, Type
from typesig.algebra.rows.names import fold_name


def join_types(types: Iterable[Type]) -> Type:
    """Return the nearest gram type that accepts all values of every type in *types*."""
    return reduce(_join, types)


def intersect_types(types: Iterable[Type]) -> Type:
    """Return a near gram type that accepts the values common to all *types*."""
    return reduce(_intersect, types)


def _join(a: Type, b: Type) -> Type:
    """Return the nearest gram type that accepts all values of the types *a* and *b*."""
    if a == b:
        return a
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        whole = _join(_strip_nil(a), _strip_nil(b))
        return ANY if whole == ANY else make_maybe(whole)
    if {a, b} == {INT, FLOAT}:
        return FLOAT
    if isinstance(a, List) and isinstance(b, List):
        return List(_join(a.item, b.item))
    if isinstance(a, Record) and isinstance(b, Record):
        return _keep_common_fields(a, b)
    if all(isinstance(t, Record) or t == MAP for t in (a, b)):
        return MAP
    return ANY


def _strip_nil(t: Type) -> Type:
    """Return the inner type of *t* if it is a `Maybe`, otherwise *t*."""
    return t.inner if isinstance(t, Maybe) else t


def _keep_common_fields(a: Record, b: Record) -> Record:
    """Return the record of the fields that *a* and *b* share."""
    # If only one of two names that fold to one key stayed, it would take the values of both.
    shared = _find_repeated_keys(a) | _find_repeated_keys(b)
    others = {field.name: field for field in b.fields}
    kept = []
    for field in a.fields:
        other = others.get(field.name)
        if other is None or other.exact != field.exact or fold_name(field.name) in shared:
            continue
        t = _join(field.type, other.type)
        required = field.required and other.required
        kept.append(
            Field(field.name, t if required else make_maybe(t), required, None, field.exact)
        )
    return record(kept)


def _find_repeated_keys(t: Record) -> set[str]:
    """Find the folded names that several fields of the record type *t* share."""
    return {key for key, n in Counter(fold_name(f.name) for f in t.fields).items() if n > 1}


def _intersect(a: Type, b: Type) -> Type:
    """Return a type that accepts every value that conforms to both types *a* and *b*."""
    both = _join(a, b)
    if both == b:
        return a
    if both == a:
        return b
    if isinstance(a, Maybe) and isinstance(b, Maybe):
        return make_maybe(_intersect(a.inner, b.inner))
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        return _intersect(_strip_nil(a), _strip_nil(b))
    if isinstance(a, List) and isinstance(b, List):
        return List(_intersect(a.item, b.item))
    if isinstance(a, Record) and isinstance(b, Record):
        return _merge_records(a, b)
    # No value conforms to both, so either type takes all that conform to both.
    return a


def _merge_records(a: Record, b: Record) -> Record:
    """Return the record with the fields of both *a* and *b*, common types intersected."""
    fields = {field.name: field for field in a.fields}
    keys, doubled = {fold_name(name) for name in fields}, _find_repeated_keys(b)
    for field in b.fields:
        known = fields.get(field.name)
        if known is not None and known.exact == field.exact:
            t = _intersect(known.type, field.type)
            # A nullable type cannot be required in gram.
            required = (known.required or field.required) and not isinstance(t, Maybe)
            t = t if required else make_maybe(t)
            fields[field.name] = Field(field.name, t, required, None, field.exact)
        elif fold_name(field.name) not in keys | doubled:
            # Another spelling of a known name would fold to the same key.
            fields[field.name] = field
            keys.add(fold_name(field.name))
    return record(fields.values())
