"""The types that a model is shown: what `input_schema` and `to_json_schema` write unless exact.

Objects of a result are closed; an optional field `T?` is shown as `T`; a list at the root is
wrapped in `items`.  The writer then writes these types as it writes any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from typesig.algebra.constructors import bare, noted, record
from typesig.algebra.frozen import NEGATIONS, RECORDS
from typesig.algebra.nodes import (
    ANY,
    Both,
    Enum,
    Field,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.redaction import used
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import children, level, rebuild, walk


def result_view(signature: Signature) -> tuple[Type, Mapping[str, Type]]:
    """Return the result of *signature*, and its definitions, as a model is shown them."""
    names = signature.names
    if not names:
        return _closed_view(signature.returns), names
    wholes = [signature.returns, *names.values()]
    # A member of `A & B` stays open: it does not know the fields of the other members.
    joint = [m for t in wholes for part in walk(t) if isinstance(part, Both) for m in part.members]
    shared = {p.name for m in joint for p in level(m, names) if isinstance(p, Ref)}
    exact = _negated_names(signature)
    made = {
        name: t if name in exact else _closed(_without_optional_nulls(t), name not in shared)
        for name, t in names.items()
    }
    return _closed(_without_optional_nulls(signature.returns), True), made


def arguments_view(signature: Signature) -> tuple[Record, Mapping[str, Type]]:
    """Return the arguments of *signature*, and its definitions, as a model is shown them."""
    exact = _negated_names(signature) if signature.definitions else set()
    names = {n: t if n in exact else _without_optional_nulls(t) for n, t in signature.names.items()}
    extra = None if signature.extra is None else _without_optional_nulls(signature.extra)
    return Record(tuple([_field_view(f) for f in signature.params]), extra), names


def is_list(t: Type, names: Mapping[str, Type]) -> bool:
    """Tell whether *t* is a list, a set or a tuple, nullable or not."""
    t = bare(t)
    if isinstance(t, Refined | Maybe):
        return is_list(t.inner, names)
    if isinstance(t, Ref):
        return is_list(names[t.name], names)
    return isinstance(t, List | Set | Tuple)


def wrapped_list(t: Type) -> Type:
    """Return the closed record whose field `items` is of type *t*."""
    return record([Field("items", t)], None)


def _negated_names(signature: Signature) -> set[str]:
    """Return the names that are used in a negation; their definitions stay as they are."""
    if not signature.flags & NEGATIONS:
        return set()
    names = signature.names
    wholes = [field.type for field in signature.params] + [signature.returns, *names.values()]
    wholes += [] if signature.extra is None else [signature.extra]
    return used(names, [part for t in wholes for part in walk(t) if isinstance(part, Not)])


def _without_optional_nulls(t: Type) -> Type:
    """Return *t* whose optional fields are not nullable, at any depth."""
    if isinstance(t, Not):
        # A negated type that accepts less would make the whole accept more.
        return t
    if not t.flags & RECORDS:
        return t
    t = rebuild(t, [_without_optional_nulls(part) for part in children(t)])
    if not isinstance(t, Record):
        return t
    fields = tuple(map(_without_optional_null, t.fields))
    same = all(new is old for new, old in zip(fields, t.fields, strict=True))
    return t if same else Record(fields, t.extra, t.matching)


def _field_view(field: Field) -> Field:
    return _without_optional_null(field.with_type(_without_optional_nulls(field.type)))


def _without_optional_null(field: Field) -> Field:
    """Return *field*, which is no longer nullable if it is optional."""
    return field if field.required else field.with_type(_without_null(field.type))


def _without_null(t: Type) -> Type:
    if isinstance(t, Noted):
        inner = _without_null(t.inner)
        return t if inner is t.inner else noted(inner, t.text, t.title)
    return t.inner if isinstance(t, Maybe) else t


def _closed_view(t: Type) -> Type:
    """Return *t* with its records closed and without optional nulls.

    Most results are one flat record, which is rebuilt here in one step.
    """
    if isinstance(t, Noted):
        inner = _closed_view(t.inner)
        return t if inner is t.inner else noted(inner, t.text, t.title)
    if not (isinstance(t, Record) and t.fields and t.extra == ANY and not t.matching):
        return _closed(_without_optional_nulls(t), True)
    fields = [_field_view(f) for f in t.fields]
    return Record(tuple([f.with_type(_closed(f.type, True)) for f in fields]))


def _closed(t: Type, close: bool) -> Type:
    """Return *t* with the records inside it closed, and *t* itself only if *close*."""
    if not t.flags & RECORDS:
        return t
    match t:
        case Not() | Scalar() | Enum() | Ref():
            # A negated type that accepts less would make the whole accept more.
            return t
        case Both():
            return _closed_inside(t, False)
        case Maybe() | Union() | One() | Refined() | Noted():
            return _closed_inside(t, close)
        case List() | Set() | Tuple() | MapOf():
            return _closed_inside(t, True)
        case Record():
            t = _closed_inside(t, True)
            if close and isinstance(t, Record) and t.extra == ANY and (t.fields or t.matching):
                return Record(t.fields, None, t.matching)
            return t
        case _:
            assert_never(t)


def _closed_inside(t: Type, close: bool) -> Type:
    return rebuild(t, [_closed(part, close) for part in children(t)])
