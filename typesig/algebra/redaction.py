"""What a model sees of a signature: firewalled names left out, at every depth.

It saves a model's context; it is not an access control.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from typesig.algebra.frozen import HIDDEN
from typesig.algebra.nodes import ANY, Field, Not, Record, Type
from typesig.algebra.signature import Definition, Signature, mapped
from typesig.algebra.traversal import children, rebuild, references, transform, walk
from typesig.algebra.values import Const, Pair


def redacted(signature: Signature) -> Signature:
    """Return *signature* without the params and fields that are firewalled."""
    if not signature.flags & HIDDEN and not signature.definitions:
        return signature
    shown = mapped(signature, redacted_type)
    params = _shown(shown.params)
    wholes = [field.type for field in params] + [shown.returns]
    reached = used(shown.names, wholes if shown.extra is None else [*wholes, shown.extra])
    kept = [Definition(d.name, d.type) for d in shown.definitions if d.name in reached]
    return Signature(params, shown.returns, kept, shown.extra, shown.io)


def used(names: Mapping[str, Type], wholes: Iterable[Type]) -> set[str]:
    """Return those of *names* that *wholes* lead to."""
    pending = list(wholes)
    reached: set[str] = set()
    while pending:
        for name in references(pending.pop()) - reached:
            reached.add(name)
            pending.append(names[name])
    return reached


def redacted_type(t: Type) -> Type:
    """Return *t* without the fields that are firewalled."""
    if not t.flags & HIDDEN:
        return t

    def step(part: Type) -> Type:
        if isinstance(part, Record):
            return Record(_shown(part.fields), part.extra, part.matching)
        return part

    return transform(_without_hidden_negations(t), step)


def _without_hidden_negations(t: Type) -> Type:
    # Without the field that it hangs on, what must not be would be more than it is.
    if isinstance(t, Not):
        records = [part for part in walk(t.inner) if isinstance(part, Record)]
        return ANY if any(f.firewalled for part in records for f in part.fields) else t
    return rebuild(t, [_without_hidden_negations(part) for part in children(t)])


def _shown(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields that a model sees, their defaults without what it does not see."""
    return tuple(
        Field(f.name, f.type, f.required, _visible_default(f.default), f.exact)
        for f in fields
        if not f.firewalled
    )


def _visible_default(value: Const | None) -> Const | None:
    if value is None or value.kind not in ("list", "map"):
        return value
    if value.kind == "list":
        return Const("list", tuple([_visible_default(item) for item in value.value]))
    kept = [pair for pair in value.value if not pair.name.startswith("_")]
    pairs = [Pair(pair.name, _visible_default(pair.const) or pair.const) for pair in kept]
    return Const("map", tuple(pairs))
