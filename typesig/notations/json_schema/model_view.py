"""The types that a model is shown: what `input_schema` and `to_json_schema` write unless exact.

Objects that a model answers with are closed; `T?` is shown as `T` and is not required; a list at
the root is wrapped in `items`.  The one writer then writes the rewritten types.
"""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra.constructors import bare, noted, record
from typesig.algebra.frozen import NEGATIONS, RECORDS
from typesig.algebra.nodes import (
    ANY,
    Both,
    Field,
    List,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.redaction import used
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import children, level, rebuild, walk


def shown(t: Type) -> Type:
    """Return *t* as an input is shown: fields that may be null are merely optional."""
    if isinstance(t, Not):
        # To take less there would be to take more of the whole.
        return t
    if not t.flags & RECORDS:
        return t
    t = rebuild(t, [shown(part) for part in children(t)])
    return _lean(t) if isinstance(t, Record) else t


def denied(signature: Signature) -> set[str]:
    """Return the names that stand where a value must not be of them: they stay as they are."""
    if not signature.flags & NEGATIONS:
        return set()
    names = signature.names
    wholes = [field.type for field in signature.params] + [signature.returns, *names.values()]
    wholes += [] if signature.extra is None else [signature.extra]
    return used(names, [part for t in wholes for part in walk(t) if isinstance(part, Not)])


def answered(signature: Signature) -> tuple[Type, Mapping[str, Type]]:
    """Return the result of *signature*, and its names, as a model's answer is shown.

    That is as `shown`, and closed too.
    """
    names = signature.names
    if not names:
        return _answer(signature.returns), names
    wholes = [signature.returns, *names.values()]
    # One of several that hold together knows no more than its own names.
    joint = [m for t in wholes for part in walk(t) if isinstance(part, Both) for m in part.members]
    shared = {p.name for m in joint for p in level(m, names) if isinstance(p, Ref)}
    exact = denied(signature)
    made = {
        name: t if name in exact else _closed(shown(t), name not in shared)
        for name, t in names.items()
    }
    return _closed(shown(signature.returns), True), made


def _answer(t: Type) -> Type:
    """Return *t* as `_closed` makes it of what `shown` does; most results are one flat record."""
    if isinstance(t, Noted):
        inner = _answer(t.inner)
        return t if inner is t.inner else noted(inner, t.text, t.title)
    if not (isinstance(t, Record) and t.fields and t.extra == ANY and not t.matching):
        return _closed(shown(t), True)
    fields = [lean_field(f.with_type(shown(f.type))) for f in t.fields]
    return Record(tuple([f.with_type(_closed(f.type, True)) for f in fields]))


def taken(signature: Signature) -> tuple[Record, Mapping[str, Type]]:
    """Return the arguments of *signature*, and its names, as they are shown."""
    exact = denied(signature) if signature.definitions else set()
    names = {n: t if n in exact else shown(t) for n, t in signature.names.items()}
    extra = None if signature.extra is None else shown(signature.extra)
    fields = [lean_field(f.with_type(shown(f.type))) for f in signature.params]
    return Record(tuple(fields), extra), names


def _lean(t: Record) -> Record:
    fields = tuple(map(lean_field, t.fields))
    same = all(new is old for new, old in zip(fields, t.fields, strict=True))
    return t if same else Record(fields, t.extra, t.matching)


def lean_field(field: Field) -> Field:
    """Return *field* without its null where it may be absent too, as `T?` says."""
    return field if field.required else field.with_type(_without_null(field.type))


def _without_null(t: Type) -> Type:
    if isinstance(t, Noted):
        inner = _without_null(t.inner)
        return t if inner is t.inner else noted(inner, t.text, t.title)
    return t.inner if isinstance(t, Maybe) else t


def _closed(t: Type, close: bool) -> Type:
    if isinstance(t, Not):
        # Closing what must not be would open the whole.
        return t
    if not t.flags & RECORDS:
        return t
    inner = True
    if isinstance(t, Both):
        inner = False
    elif isinstance(t, Maybe | Union | One | Refined | Noted):
        inner = close
    t = rebuild(t, [_closed(part, inner) for part in children(t)])
    if close and isinstance(t, Record) and t.extra == ANY and (t.fields or t.matching):
        return Record(t.fields, None, t.matching)
    return t


def is_list(t: Type, names: Mapping[str, Type]) -> bool:
    """Tell whether *t* is a list, a set or a tuple, or may be null beside."""
    t = bare(t)
    if isinstance(t, Refined | Maybe):
        return is_list(t.inner, names)
    if isinstance(t, Ref):
        return is_list(names[t.name], names)
    return isinstance(t, List | Set | Tuple)


def wrapped(t: Type) -> Type:
    """Return the closed record in whose `items` a list stands."""
    return record([Field("items", t)], None)
