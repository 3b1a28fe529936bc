"""Rewrites types to a profile's types, each with a codec that reverses the change.

`ShapeRewriter` takes expressible types, as `typesig.notations.json_schema.widening` makes
them.  It rewrites a shape in a method, in the order of the shapes; `record_codecs` has records and
maps, `leaf_rewriting` constants and constraints, `union_codecs` unions.  What a profile cannot say
at all becomes JSON text.  Everything that changes is a loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, assert_never

from typesig.algebra import constructors, nodes, traversal
from typesig.algebra.constructors import (
    InapplicableConstraint,
    make_not,
    make_one,
    make_refined,
    make_union,
    strip_annotations,
)
from typesig.algebra.loss import Loss
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.traversal import allows_nil
from typesig.errors import TooLarge
from typesig.limits import MAX_SCHEMAS
from typesig.notations.json_schema.model_view import is_exact_below
from typesig.providers.registry.codecs import OptionalCodec, ReferenceCodec, make_list_codec
from typesig.providers.registry.provider import NameRule, use_legal_names
from typesig.providers.registry.vendor import Profile, SentType, TypePlace
from typesig.providers.rewriting import leaf_rewriter, record_codecs, union_codecs
from typesig.providers.rewriting.descriptions import (
    describe_order,
    is_sendable,
    replace_surrogates,
)
from typesig.providers.rewriting.rewriter import Rewriter


class ShapeRewriter(Rewriter):
    """Rewrites types of every shape."""

    def _rewrite_reference(self, t: nodes.Ref, at: TypePlace) -> SentType:
        """Rewrite a reference, or expand it if its definition is not kept."""
        if self.is_kept(t.name):
            codec = ReferenceCodec(t.name, self.codecs) if t.name in self.not_plain else None
            known = self.sent.get(t.name)
            nullable = traversal.allows_nil(t, self.names) if known is None else known.nullable
            return SentType(t, codec, nullable)
        if t.name in at.inside:
            return self.as_text(nodes.ANY, at, "a type within itself")
        return self.rewrite(self.names[t.name], at._replace(inside=at.inside | {t.name}))

    def rewrite(self, t: nodes.Type, at: TypePlace) -> SentType:
        """Rewrite *t*, which is located at *at*, to a type that the profile takes."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge(f"a schema may hold {MAX_SCHEMAS} schemas, this one would hold more")
        # The shapes of most parameters come first.
        match t:
            case nodes.Scalar(name):
                if name == "any" and self.profile.typed:
                    return self.as_text(t, at, "any value")
                return SentType(t, None, name in ("any", "nil"))
            case nodes.Annotation(inner, text, title):
                return self._rewrite_annotation(t, inner, text, title, at)
            case nodes.List(item):
                made = self.rewrite(item, at.add_steps("items"))
                return SentType(
                    t if made.type is item else nodes.List(made.type),
                    make_list_codec((), made.codec),
                )
            case nodes.Set():  # pragma: no cover - widening makes it a list of unique items
                raise AssertionError(t)
            case nodes.Tuple():
                return self._rewrite_tuple(t, at)
            case nodes.MapOf(key, value):
                return record_codecs.rewrite_map(self, key, value, at)
            case nodes.Record():
                return record_codecs.rewrite_record(self, t, at)
            case nodes.Maybe(inner):
                return self.rewrite(inner, at).allow_null()
            case nodes.Enum():
                return leaf_rewriter.rewrite_enum(self, t, at)
            case nodes.Union(members):
                return union_codecs.rewrite_union(self, members, at)
            case nodes.One(members):
                return self._rewrite_one(members, at)
            case nodes.Both(members):
                return rewrite_intersection(self, members, at)
            case nodes.Not(inner):
                return self._rewrite_negation(inner, at)
            case nodes.ItemCount():
                return self._rewrite_counted(t, at)
            case nodes.Refinement(inner, constraints):
                return self._rewrite_refined(inner, constraints, at)
            case nodes.Ref():
                return self._rewrite_reference(t, at)
            case _:
                assert_never(t)

    def _rewrite_annotation(
        self, t: nodes.Type, inner: nodes.Type, text: str | None, title: str | None, at: TypePlace
    ) -> SentType:
        """Rewrite *t*, the type *inner* with the description *text* and a *title*."""
        made = self.rewrite(inner, at)
        is_same = made.type is inner and type(inner) is not nodes.Annotation
        if is_same and title is None and text is not None and is_sendable(text):
            return SentType(t, made.codec, made.nullable)
        return self.add_annotations(made, text, title, at)

    def _rewrite_tuple(self, t: nodes.Tuple, at: TypePlace) -> SentType:
        """Rewrite a tuple to a list if the profile has no tuples."""
        each = [self.rewrite(item, at.add_steps(str(n))) for n, item in enumerate(t.items)]
        rest = None if t.rest is None else self.rewrite(t.rest, at.add_steps("items"))
        codec = make_list_codec(
            tuple([made.codec for made in each]), None if rest is None else rest.codec
        )
        if self.profile.tuples:
            types = tuple([made.type for made in each])
            return SentType(nodes.Tuple(types, None if rest is None else rest.type), codec)
        kinds = dict.fromkeys([made.type for made in (*each, *([] if rest is None else [rest]))])
        bounds = [Constraint("at_least", len(each))]
        if rest is None:
            bounds.append(Constraint("at_most", len(each)))
        item = nodes.ANY if nodes.ANY in kinds else make_union(kinds)
        made = SentType(nodes.List(item), codec)
        if len(kinds) > 1:
            self.record_loss("widened", at.path, "the types by position", "a list of any of them")
            words = describe_order([one.type for one in each], None if rest is None else rest.type)
            made = made.append_description(replace_surrogates(words))
        return leaf_rewriter.add_constraints(self, made, bounds, frozenset({"array"}), at)

    def _rewrite_one(self, members: tuple[nodes.Type, ...], at: TypePlace) -> SentType:
        """Rewrite an exclusive union of *members*, as a plain union if needed."""
        if self.profile.one_of and all(self.is_unchanged(member) for member in members):
            sent = make_one(map(self._rewrite_annotations, members))
            return SentType(sent, None, traversal.allows_nil(nodes.One(members), self.names))
        self.record_loss("widened", at.path, "exactly one of several types", "at least one of them")
        return self.rewrite(make_union(members), at._replace(exact=True))

    def _rewrite_negation(self, inner: nodes.Type, at: TypePlace) -> SentType:
        """Rewrite the negation of *inner*, or widen it to any value."""
        if self.profile.negations and self.is_unchanged(inner):
            sent = make_not(self._rewrite_annotations(inner))
            return SentType(sent, None, not traversal.allows_nil(inner, self.names))
        self.record_loss("widened", at.path, "a negation", "any value")
        return self.rewrite(nodes.ANY, at)

    def _rewrite_counted(self, t: nodes.ItemCount, at: TypePlace) -> SentType:
        """Rewrite *t*, which limits the count of some items, or widen it to any list."""
        takes = self.profile.negations and self.profile.tuples
        if takes and self.is_unchanged(t.item):
            return SentType(traversal.rebuild(t, [self._rewrite_annotations(t.item)]), None, False)
        self.record_loss("widened", at.path, "a number of items of a type", "a list")
        return self.rewrite(nodes.List(nodes.ANY), at)

    def _rewrite_refined(
        self, inner: nodes.Type, constraints: tuple[Constraint, ...], at: TypePlace
    ) -> SentType:
        """Rewrite the type *inner* with its *constraints*."""
        if is_exact_below(nodes.Refinement(inner, constraints)):
            at = at._replace(exact=True)
        return leaf_rewriter.rewrite_refinement(self, inner, constraints, at)

    def is_unchanged(self, t: nodes.Type) -> bool:
        """Whether *t* needs no rewriting inside a union or intersection."""
        if t not in self._same:
            # While it is asked for, which a name within itself does, it is taken to be.
            self._same[t] = True
            made = self.rewrite_without_losses(t, TypePlace((), exact=True))
            self._same[t] = (
                made.codec is None
                and traversal.drop_annotations(made.type) == traversal.drop_annotations(t)
                and all(
                    self.is_unchanged(self.names[name]) for name in traversal.find_references(t)
                )
            )
        return self._same[t]

    def _rewrite_annotations(self, t: nodes.Type) -> nodes.Type:
        """Rewrite the annotations of *t*, which is otherwise unchanged."""
        return self.rewrite_without_losses(t, TypePlace((), exact=True)).type

    def rewrite_without_losses(self, t: nodes.Type, at: TypePlace) -> SentType:
        """Rewrite *t* without recording the losses."""
        losses, self.losses = self.losses, []
        try:
            return self.rewrite(t, at)
        finally:
            self.losses = losses

    # Whole types

    def rewrite_document(self, t: nodes.Record, place: str, takes_any: bool) -> RewrittenDocument:
        """Rewrite the root type *t* for *profile*; *names* are its definitions.

        *takes_any* is whether undeclared keys of *t* mean something.
        """
        made = record_codecs.rewrite_root(self, t, TypePlace((place,)), takes_any)
        pending = sorted(traversal.find_references(made.type), reverse=True)
        reached: set[str] = set()
        while pending:
            name = pending.pop()
            if name not in reached:
                reached.add(name)
                found = self.get_definition(name)
                assert found is not None
                pending += sorted(traversal.find_references(found.type), reverse=True)
        kept = {
            name: self.sent[name].type
            for name in sorted(find_used_names(self.judge.names, [made.type]))
        }
        return RewrittenDocument(made.type, kept, made.codec, tuple(self.losses))


class RewrittenDocument(NamedTuple):
    """A rewritten root type with its definitions, its codec, and the losses."""

    type: nodes.Type
    names: Mapping[str, nodes.Type]
    codec: OptionalCodec
    losses: tuple[Loss, ...]


def rewrite_document(
    profile: Profile,
    t: nodes.Record,
    names: Mapping[str, nodes.Type],
    place: str,
    takes_any: bool = False,
    closing: bool = False,
) -> RewrittenDocument:
    """Return what *profile* takes in place of the expressible type *t*, which stands at *place*.

    For *takes_any* see `ShapeRewriter.document`, for *closing* see `Rewriter`.
    """
    found = ShapeRewriter(profile, names, t, closing)
    made = found.rewrite_document(t, place, takes_any)
    changed = [name for name, codec in found.codecs.items() if codec is not None]
    if changed:
        # References were taken to be sent as they are: once more, with those that are not known.
        coded = traversal.find_names_leading_to(changed, names)
        again = ShapeRewriter(profile, names, t, closing, coded, found.sent)
        made = again.rewrite_document(t, place, takes_any)
        if not union_codecs.has_sound_assumptions(
            again
        ):  # pragma: no cover - the forms of names differ in codecs only
            made = ShapeRewriter(profile, names, t, closing, coded).rewrite_document(
                t, place, takes_any
            )
    sent, named = use_legal_names(made.type, made.names, _DEFINITION_NAMES)
    return made._replace(type=sent, names=named)


_DEFINITION_NAMES = NameRule("A-Za-z_", "A-Za-z0-9_.-", 64)


def rewrite_intersection(
    rewriter: Rewriter, members: tuple[nodes.Type, ...], at: TypePlace
) -> SentType:
    """Rewrite the intersection of *members* to a type that the profile allows."""
    whole = nodes.Both(members)
    if rewriter.profile.all_of:
        place = at._replace(exact=True)
        before = len(rewriter.losses)
        made = [rewriter.rewrite(m, place.add_steps(str(n))) for n, m in enumerate(members)]
        if all(each.codec is None for each in made):
            nullable = allows_nil(whole, rewriter.names)
            return SentType(constructors.make_both([each.type for each in made]), None, nullable)
        del rewriter.losses[before:]
    merged = _rewrite_merged(rewriter, members, at)
    return rewriter.as_text(whole, at, "an intersection") if merged is None else merged


def _rewrite_merged(
    rewriter: Rewriter, members: tuple[nodes.Type, ...], at: TypePlace
) -> SentType | None:
    """Merge *members* into one type and rewrite it; return None if impossible."""
    texts: list[str] = []
    kept: list[nodes.Type] = []
    constraints = []
    counts = lost = False
    for member in members:
        while isinstance(member, nodes.Annotation):
            texts += [member.text] if member.text else []
            member = member.inner
        if isinstance(member, nodes.Refinement) and strip_annotations(member.inner) == nodes.ANY:
            constraints += list(member.constraints)
        elif isinstance(member, nodes.Not):
            lost = True
        elif isinstance(member, nodes.ItemCount):
            counts = lost = True
        elif member != nodes.ANY and member not in kept:
            kept.append(member)
    one = _merge_types(rewriter, kept or [nodes.List(nodes.ANY)] if counts else kept)
    if one is None:
        return None
    for constraint in constraints:
        try:
            one = make_refined(one, [constraint])
        except InapplicableConstraint:
            continue
    if lost or len(kept) > 1:
        rewriter.record_loss("widened", at.path, "an intersection", "one type")
    return rewriter.rewrite(constructors.make_noted(one, "\n".join(texts)), at)


def _merge_types(rewriter: Rewriter, kept: list[nodes.Type]) -> nodes.Type | None:
    """Merge *kept* into one type that accepts at least their common values, or None."""
    if not kept:
        return nodes.ANY
    if len(kept) == 1:
        return kept[0]
    opened = [_unwrap(rewriter, t) for t in kept]
    records = [t for t in opened if isinstance(t, nodes.Record)]
    if len(records) == len(opened):
        fields: dict[str, nodes.Field] = {}
        for record in records:
            if record.extra != nodes.ANY or record.matching:
                return None
            for field in record.fields:
                old = fields.get(field.name)
                fields[field.name] = field if old is None else _merge_fields(old, field)
        return nodes.Record(tuple(fields.values()), nodes.ANY)
    for t, inner in zip(kept, opened, strict=True):
        # Any of them accepts each value; a value without parts is sent whole by one of them.
        if isinstance(inner, nodes.Scalar | nodes.Enum):
            return t
    return None


def _unwrap(rewriter: Rewriter, t: nodes.Type) -> nodes.Type:
    """Resolve references and strip annotations and refinements from *t*."""
    while isinstance(t, nodes.Ref | nodes.Annotation | nodes.Refinement):
        if isinstance(t, nodes.Ref):
            t = rewriter.names[t.name]
        else:
            t = t.inner
    return t


def _merge_fields(old: nodes.Field, new: nodes.Field) -> nodes.Field:
    """Merge the fields *old* and *new* of equal name; intersect their types."""
    required = old.required or new.required
    default = None if required else old.default or new.default
    return nodes.Field(
        old.name, constructors.make_both([old.type, new.type]), required, default, True
    )
