"""The redacted signature: what a model sees, without firewalled names at any depth.

Redaction saves a model's context; it is not access control.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from typesig.algebra.frozen import HIDDEN
from typesig.algebra.nodes import ANY, Field, Not, Record, Type
from typesig.algebra.signature import Definition, Signature
from typesig.algebra.traversal import children, rebuild, references, transform, walk, with_types
from typesig.algebra.values import Const, Pair


def redacted(signature: Signature) -> Signature:
    """Return *signature* without its firewalled params and fields."""
    if not signature.flags & HIDDEN and not signature.definitions:
        return signature
    # Types and defaults at once: a closed record without a field does not accept its value.
    params = _shown(with_types(signature.params, redacted_type))
    returns = redacted_type(signature.returns)
    extra = None if signature.extra is None else redacted_type(signature.extra)
    names = {name: redacted_type(t) for name, t in signature.names.items()}
    wholes = [field.type for field in params] + [returns]
    reached = used(names, wholes if extra is None else [*wholes, extra])
    kept = [Definition(name, t) for name, t in names.items() if name in reached]
    return Signature(params, returns, kept, extra, signature.io)


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
