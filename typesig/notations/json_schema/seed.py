"""JSON Schema to the letter of the seeds (002 and 004), as a rewriting of types.

What a model answers is closed; `T?` shows `T` and is not required; a list at the root is wrapped
in `items`.  The one writer then writes what comes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.algebra.constructors import bare, maybe, noted, record
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
from typesig.algebra.traversal import children, level, rebuild, transform, walk
from typesig.errors import Unsupported


def shown(t: Type) -> Type:
    """Return *t* as the seeds show what goes in: fields that may be null are merely absent."""
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
    """Return the result of *signature*, and its names, as the seeds show what a model answers.

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
    """Return the arguments of *signature*, and its names, as the seeds show what goes in."""
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


# reading by seed 004

_WORDS = frozenset({
    "type", "items", "properties", "required", "additionalProperties", "description", "title",
    "$schema",
})  # fmt: skip


def check(schema: Any, at: tuple[str, ...] = ()) -> None:
    """Raise `Unsupported` where *schema* is beyond the subset that seed 004 reads."""
    where = "".join(f"/{step}" for step in at) or "the root"
    if not isinstance(schema, dict):
        raise Unsupported(f"{where}: a schema is an object in profile seed", at, "")
    for word in schema:
        if word not in _WORDS:
            message = f"{where}: {word}: profile seed reads no such keyword"
            raise Unsupported(message, at, str(word))
    if not isinstance(schema.get("type"), str) or schema["type"] == "null":
        raise Unsupported(f"{where}: type: profile seed wants one of the types", at, "type")
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if isinstance(properties, dict):
        for name in required if isinstance(required, list) else ():
            if not isinstance(name, str) or name not in properties:
                message = f"{where}: required: {name!r} is not among the properties"
                raise Unsupported(message, at, "required")
        for name, inner in properties.items():
            check(inner, (*at, "properties", str(name)))
    if not isinstance(schema.get("additionalProperties", True), bool):
        message = f"{where}: additionalProperties: profile seed takes true or false"
        raise Unsupported(message, at, "additionalProperties")
    if "items" in schema:
        check(schema["items"], (*at, "items"))


def optional(t: Type) -> Type:
    """Return *t* with each field that may be absent also nullable, as seed 004 reads them."""

    def step(part: Type) -> Type:
        if not isinstance(part, Record):
            return part
        fields = [f if f.required else f.with_type(maybe(f.type)) for f in part.fields]
        return Record(tuple(fields), part.extra)

    return transform(t, step)
