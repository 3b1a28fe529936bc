"""The redacted signature: what a model sees, without firewalled names at any depth.

Redaction saves a model's context; it is not access control.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from typesig.algebra.frozen import HIDDEN
from typesig.algebra.nodes import ANY, Field, Not, Record, Type
from typesig.algebra.signature import Definition, Signature, mapped
from typesig.algebra.traversal import children, rebuild, references, transform, walk
from typesig.algebra.values import Const, Pair


def redacted(signature: Signature) -> Signature:
    """Return *signature* without its firewalled params and fields."""
    if not signature.flags & HIDDEN and not signature.definitions:
        return signature
    shown = mapped(signature, redacted_type)
    params = _shown(shown.params)
    wholes = [field.type for field in params] + [shown.returns]
    reached = used(shown.names, wholes if shown.extra is None else [*wholes, shown.extra])
    kept = [Definition(d.name, d.type) for d in shown.definitions if d.name in reached]
    return Signature(params, shown.returns, kept, shown.extra, shown.io)


def used(names: Mapping[str, Type], wholes: Iterable[Type]) -> set[str]:
    """Return the names of *names* that *wholes* refer to, directly or through each other."""
    pending = list(wholes)
    reached: set[str] = set()
    while pending:
        for name in references(pending.pop()) - reached:
            reached.add(name)
            pending.append(names[name])
    return reached


def redacted_type(t: Type) -> Type:
    """Return *t* without its firewalled fields."""
    if not t.flags & HIDDEN:
        return t

    def step(part: Type) -> Type:
        if isinstance(part, Record):
            return Record(_shown(part.fields), part.extra, part.matching)
        return part

    return transform(_without_hidden_negations(t), step)


def _without_hidden_negations(t: Type) -> Type:
    # A negated record without one of its fields would refuse more values than it does.
    if isinstance(t, Not):
        records = [part for part in walk(t.inner) if isinstance(part, Record)]
        return ANY if any(f.firewalled for part in records for f in part.fields) else t
    return rebuild(t, [_without_hidden_negations(part) for part in children(t)])


def _shown(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields that a model sees, without the firewalled names in their defaults."""
    return tuple([_redacted_field(f) for f in fields if not f.firewalled])


def _redacted_field(f: Field) -> Field:
    default = None if f.default is None else _redacted_const(f.default)
    return Field(f.name, f.type, f.required, default, f.exact)


def _redacted_const(value: Const) -> Const:
    match value.kind:
        case "nil" | "bool" | "int" | "float" | "string" | "keyword":
            return value
        case "list":
            return Const("list", tuple([_redacted_const(item) for item in value.value]))
        case "map":
            kept = [pair for pair in value.value if not pair.name.startswith("_")]
            return Const("map", tuple([Pair(p.name, _redacted_const(p.const)) for p in kept]))
        case _:
            assert_never(value.kind)
