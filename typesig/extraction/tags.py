"""Tags of unions: constant fields that identify one of several records.

A tag has to be sent even if its class has a default for it: without it, the first record that takes
the value would stand for all, and nobody would notice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from typesig.algebra.constructors import make_noted, strip_annotations
from typesig.algebra.nodes import Annotation, Both, Field, One, Record, Ref, Type, Union
from typesig.algebra.rows.frozen import NAMES, RECORDS, cache_by_identity
from typesig.algebra.traversal import iter_distinct_parts, rebuild, transform


def require_tags(
    fields: Iterable[Field], definitions: Mapping[str, Type]
) -> tuple[list[Field], dict[str, Type]]:
    """Make the tag fields of unions in *fields* and *definitions* required.

    A definition that several unions use requires the tags of each.
    """
    fields = list(fields)
    # Only records have tags, and references may lead to them.
    wholes = [field.type for field in fields] + [*definitions.values()]
    wholes = [t for t in wholes if t.flags & (NAMES | RECORDS)]
    if not any(map(_may_have_tags, wholes)):
        return fields, dict(definitions)
    named: dict[str, frozenset[str]] = {}

    def step(part: Type) -> Type:
        tags = _find_tags(part, definitions)
        if not tags:
            return part
        members = part.members if isinstance(part, Union | One) else ()
        for member in members:
            name = _get_name(member)
            if name is not None:
                named[name] = named.get(name, frozenset()) | tags
        return rebuild(part, [_require_in_member(member, tags) for member in members])

    made = [field.with_type(transform(field.type, step)) for field in fields]
    found = {name: transform(t, step) for name, t in definitions.items()}
    return made, {
        name: _require_in_member(t, named.get(name, frozenset())) for name, t in found.items()
    }


@cache_by_identity
def _may_have_tags(t: Type) -> bool:
    """Whether *t* contains a union of records; cached for frequent calls."""
    return any(map(_has_records, iter_distinct_parts([t])))


def _has_records(t: Type) -> bool:
    """Whether *t* is a union with several members that may be records."""
    if not isinstance(t, Union | One):
        return False
    members = [strip_annotations(member) for member in t.members]
    return sum(isinstance(member, Record | Ref | Both) for member in members) > 1


def _find_tags(t: Type, definitions: Mapping[str, Type]) -> frozenset[str]:
    """Return the names of the tags of *t*; empty if it is not a union with tags."""
    if not isinstance(t, Union | One):
        return frozenset()
    from typesig.validation.check.tagged import tag_names

    return tag_names(t.members, definitions)


def _get_name(t: Type) -> str | None:
    """Return the name in *t* if it is a reference to a named type, else None."""
    t = strip_annotations(t)
    return t.name if isinstance(t, Ref) else None


def _require_in_member(t: Type, tags: frozenset[str]) -> Type:
    """Make the fields *tags* required in *t*, a member of a union, if it is a record."""
    if isinstance(t, Annotation):
        return make_noted(_require_in_member(t.inner, tags), t.text, t.title)
    if not isinstance(t, Record) or not tags:
        return t
    fields = [
        Field(field.name, field.type, exact=field.exact) if field.name in tags else field
        for field in t.fields
    ]
    return Record(tuple(fields), t.extra, t.matching)
