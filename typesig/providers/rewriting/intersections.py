"""Intersections: kept, merged into one type, or sent as JSON text."""

from __future__ import annotations

from typesig.algebra import constructors, nodes
from typesig.algebra.constructors import InapplicableConstraint, bare, refined
from typesig.algebra.traversal import admits_nil
from typesig.providers.rewriting.rewriter import Rewriter
from typesig.providers.rows.wire import Place, Wire


def both(rewriter: Rewriter, members: tuple[nodes.Type, ...], at: Place) -> Wire:
    """Return what is sent in place of an intersection."""
    whole = nodes.Both(members)
    if rewriter.profile.all_of:
        place = at._replace(exact=True)
        before = len(rewriter.losses)
        made = [rewriter.rewrite(m, place.below(str(n))) for n, m in enumerate(members)]
        if all(each.codec is None for each in made):
            nullable = admits_nil(whole, rewriter.names)
            return Wire(constructors.both([each.type for each in made]), None, nullable)
        del rewriter.losses[before:]
    merged = _merged(rewriter, members, at)
    return rewriter.as_text(whole, at, "an intersection") if merged is None else merged


def _merged(rewriter: Rewriter, members: tuple[nodes.Type, ...], at: Place) -> Wire | None:
    """Return what is sent in place of the one type that *members* are together, or None."""
    texts: list[str] = []
    kept: list[nodes.Type] = []
    constraints = []
    counts = lost = False
    for member in members:
        while isinstance(member, nodes.Noted):
            texts += [member.text] if member.text else []
            member = member.inner
        if isinstance(member, nodes.Refined) and bare(member.inner) == nodes.ANY:
            constraints += list(member.constraints)
        elif isinstance(member, nodes.Not):
            lost = True
        elif isinstance(member, nodes.Counted):
            counts = lost = True
        elif member != nodes.ANY and member not in kept:
            kept.append(member)
    one = _one_of(rewriter, kept or [nodes.List(nodes.ANY)] if counts else kept)
    if one is None:
        return None
    for constraint in constraints:
        try:
            one = refined(one, [constraint])
        except InapplicableConstraint:
            continue
    if lost or len(kept) > 1:
        rewriter.lose("widened", at.path, "an intersection", "one type")
    return rewriter.rewrite(constructors.noted(one, "\n".join(texts)), at)


def _one_of(rewriter: Rewriter, kept: list[nodes.Type]) -> nodes.Type | None:
    """Return one type whose values are at least those of all of *kept*, or None."""
    if not kept:
        return nodes.ANY
    if len(kept) == 1:
        return kept[0]
    opened = [_opened(rewriter, t) for t in kept]
    records = [t for t in opened if isinstance(t, nodes.Record)]
    if len(records) == len(opened):
        return _one_record(records)
    for t, inner in zip(kept, opened, strict=True):
        # Any of them accepts each value; a value without parts is sent whole by one of them.
        if isinstance(inner, nodes.Scalar | nodes.Enum):
            return t
    return None


def _opened(rewriter: Rewriter, t: nodes.Type) -> nodes.Type:
    while isinstance(t, nodes.Ref | nodes.Noted | nodes.Refined):
        if isinstance(t, nodes.Ref):
            t = rewriter.names[t.name]
        else:
            t = t.inner
    return t


def _one_record(records: list[nodes.Record]) -> nodes.Type | None:
    """Return the record with the fields of all *records*, which are open, or None."""
    fields: dict[str, nodes.Field] = {}
    for record in records:
        if record.extra != nodes.ANY or record.matching:
            return None
        for field in record.fields:
            old = fields.get(field.name)
            fields[field.name] = field if old is None else _one_field(old, field)
    return nodes.Record(tuple(fields.values()), nodes.ANY)


def _one_field(old: nodes.Field, new: nodes.Field) -> nodes.Field:
    required = old.required or new.required
    default = None if required else old.default or new.default
    return nodes.Field(old.name, constructors.both([old.type, new.type]), required, default, True)
