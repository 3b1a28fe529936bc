"""Types rewritten to what a profile takes, each with the codec that undoes it.

`ShapeRewriter` takes expressible types, as `typesig.notations.json_schema.writing.widening` makes
them.  It rewrites a shape in a method, in the order of the shapes; `record_codecs` has records and
maps, `leaf_rewriting` constants and constraints, `union_codecs` unions.  What a profile cannot say
at all becomes JSON text.  Everything that changes is a loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, assert_never

from typesig.algebra import constructors, nodes, traversal
from typesig.algebra.constructors import InapplicableConstraint, bare, negated, one, refined, union
from typesig.algebra.loss import Loss
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.traversal import admits_nil
from typesig.algebra.views.redaction import used
from typesig.errors import TooLarge
from typesig.limits import MAX_SCHEMAS
from typesig.notations.json_schema.writing.model_view import is_exact_below
from typesig.providers.rewriting import leaf_rewriting, record_codecs, union_codecs
from typesig.providers.rewriting.describing import sendable, words_of_order
from typesig.providers.rewriting.rewriter import Rewriter
from typesig.providers.rows.codecs import Coding, Named, items_codec
from typesig.providers.rows.names import NameRule, with_legal_names
from typesig.providers.rows.profile import Profile
from typesig.providers.rows.wire import Place, Wire


class ShapeRewriter(Rewriter):
    """Rewrites types of every shape."""

    def _reference(self, t: nodes.Ref, at: Place) -> Wire:
        if self.is_kept(t.name):
            codec = Named(t.name, self.codecs) if t.name in self.not_plain else None
            known = self.sent.get(t.name)
            nullable = traversal.admits_nil(t, self.names) if known is None else known.nullable
            return Wire(t, codec, nullable)
        if t.name in at.inside:
            return self.as_text(nodes.ANY, at, "a type within itself")
        return self.rewrite(self.names[t.name], at._replace(inside=at.inside | {t.name}))

    def rewrite(self, t: nodes.Type, at: Place) -> Wire:
        """Return what is sent in place of *t*, which stands at *at*."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge(f"a schema may hold {MAX_SCHEMAS} schemas, this one would hold more")
        match t:
            case nodes.Scalar(name):
                if name == "any" and self.profile.typed:
                    return self.as_text(t, at, "any value")
                return Wire(t, None, name in ("any", "nil"))
            case nodes.List(item):
                made = self.rewrite(item, at.below("items"))
                return Wire(nodes.List(made.type), items_codec((), made.codec))
            case nodes.Set():  # pragma: no cover - widening makes it a list of unique items
                raise AssertionError(t)
            case nodes.Tuple():
                return self._tuple(t, at)
            case nodes.MapOf(key, value):
                return record_codecs.map_of(self, key, value, at)
            case nodes.Record():
                return record_codecs.record(self, t, at)
            case nodes.Maybe(inner):
                return self.rewrite(inner, at).or_null()
            case nodes.Enum():
                return leaf_rewriting.enum(self, t, at)
            case nodes.Union(members):
                return union_codecs.union(self, members, at)
            case nodes.One(members):
                return self._one(members, at)
            case nodes.Both(members):
                return both(self, members, at)
            case nodes.Not(inner):
                return self._negation(inner, at)
            case nodes.Counted():
                return self._counted(t, at)
            case nodes.Refined(inner, constraints):
                return self._refined(inner, constraints, at)
            case nodes.Noted(inner, text, title):
                return self.noted(self.rewrite(inner, at), text, title, at)
            case nodes.Ref():
                return self._reference(t, at)
            case _:
                assert_never(t)

    def _tuple(self, t: nodes.Tuple, at: Place) -> Wire:
        each = [self.rewrite(item, at.below(str(n))) for n, item in enumerate(t.items)]
        rest = None if t.rest is None else self.rewrite(t.rest, at.below("items"))
        codec = items_codec(
            tuple([made.codec for made in each]), None if rest is None else rest.codec
        )
        if self.profile.tuples:
            types = tuple([made.type for made in each])
            return Wire(nodes.Tuple(types, None if rest is None else rest.type), codec)
        kinds = dict.fromkeys([made.type for made in (*each, *([] if rest is None else [rest]))])
        bounds = [Constraint("at_least", len(each))]
        if rest is None:
            bounds.append(Constraint("at_most", len(each)))
        item = nodes.ANY if nodes.ANY in kinds else union(kinds)
        made = Wire(nodes.List(item), codec)
        if len(kinds) > 1:
            self.lose("widened", at.path, "the types by position", "a list of any of them")
            words = words_of_order([one.type for one in each], None if rest is None else rest.type)
            made = made.described(sendable(words))
        return leaf_rewriting.constrained(self, made, bounds, frozenset({"array"}), at)

    def _one(self, members: tuple[nodes.Type, ...], at: Place) -> Wire:
        if self.profile.one_of and all(self.is_same(member) for member in members):
            sent = one(map(self._as_sent, members))
            return Wire(sent, None, traversal.admits_nil(nodes.One(members), self.names))
        self.lose("widened", at.path, "exactly one of several types", "at least one of them")
        return self.rewrite(union(members), at._replace(exact=True))

    def _negation(self, inner: nodes.Type, at: Place) -> Wire:
        if self.profile.negations and self.is_same(inner):
            sent = negated(self._as_sent(inner))
            return Wire(sent, None, not traversal.admits_nil(inner, self.names))
        self.lose("widened", at.path, "a negation", "any value")
        return self.rewrite(nodes.ANY, at)

    def _counted(self, t: nodes.Counted, at: Place) -> Wire:
        takes = self.profile.negations and self.profile.tuples
        if takes and self.is_same(t.item):
            return Wire(traversal.rebuild(t, [self._as_sent(t.item)]), None, False)
        self.lose("widened", at.path, "a number of items of a type", "a list")
        return self.rewrite(nodes.List(nodes.ANY), at)

    def _refined(self, inner: nodes.Type, constraints: tuple[Constraint, ...], at: Place) -> Wire:
        if is_exact_below(nodes.Refined(inner, constraints)):
            at = at._replace(exact=True)
        return leaf_rewriting.refinement(self, inner, constraints, at)

    def is_same(self, t: nodes.Type) -> bool:
        """Tell whether *t* is sent as it is, in a place where other types judge it too."""
        if t not in self._same:
            # While it is asked for, which a name within itself does, it is taken to be.
            self._same[t] = True
            made = self.rewritten_apart(t, Place((), exact=True))
            self._same[t] = (
                made.codec is None
                and traversal.without_notes(made.type) == traversal.without_notes(t)
                and all(self.is_same(self.names[name]) for name in traversal.references(t))
            )
        return self._same[t]

    def _as_sent(self, t: nodes.Type) -> nodes.Type:
        """Return *t*, which is sent as it is, with its words as they can be sent."""
        return self.rewritten_apart(t, Place((), exact=True)).type

    def rewritten_apart(self, t: nodes.Type, at: Place) -> Wire:
        """Return what is sent in place of *t*, without recording the losses."""
        losses, self.losses = self.losses, []
        try:
            return self.rewrite(t, at)
        finally:
            self.losses = losses

    # Whole types

    def document(self, t: nodes.Record, place: str, takes_any: bool) -> Document:
        """Return what is sent in place of *t*, the root, with its definitions.

        *takes_any* is whether undeclared keys of *t* mean something.
        """
        made = record_codecs.root(self, t, Place((place,)), takes_any)
        pending = sorted(traversal.references(made.type), reverse=True)
        reached: set[str] = set()
        while pending:
            name = pending.pop()
            if name not in reached:
                reached.add(name)
                found = self.definition(name)
                assert found is not None
                pending += sorted(traversal.references(found.type), reverse=True)
        kept = {name: self.sent[name].type for name in sorted(used(self.judge.names, [made.type]))}
        return Document(made.type, kept, made.codec, tuple(self.losses))


class Document(NamedTuple):
    """A whole type as it is sent, with its definitions, its codec, and what is lost."""

    type: nodes.Type
    names: Mapping[str, nodes.Type]
    codec: Coding
    losses: tuple[Loss, ...]


def document_of(
    profile: Profile,
    t: nodes.Record,
    names: Mapping[str, nodes.Type],
    place: str,
    takes_any: bool = False,
    closing: bool = False,
) -> Document:
    """Return what *profile* takes in place of the expressible type *t*, which stands at *place*.

    For *takes_any* see `ShapeRewriter.document`, for *closing* see `Rewriter`.
    """
    found = ShapeRewriter(profile, names, t, closing)
    made = found.document(t, place, takes_any)
    changed = [name for name, codec in found.codecs.items() if codec is not None]
    if changed:
        # References were taken to be sent as they are: once more, with those that are not known.
        coded = traversal.leading_to(changed, names)
        again = ShapeRewriter(profile, names, t, closing, coded, found.sent)
        made = again.document(t, place, takes_any)
        if not union_codecs.is_sound(
            again
        ):  # pragma: no cover - the forms of names differ in codecs only
            made = ShapeRewriter(profile, names, t, closing, coded).document(t, place, takes_any)
    sent, named = with_legal_names(made.type, made.names, _DEFINITION_NAMES)
    return made._replace(type=sent, names=named)


_DEFINITION_NAMES = NameRule("A-Za-z_", "A-Za-z0-9_.-", 64)


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
