"""Rewrites of constants and constraints: enums, bounds, patterns and formats."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor
from typing import assert_never

from typesig import patterns
from typesig.algebra import constructors, nodes
from typesig.algebra.constructors import (
    InapplicableConstraint,
    find_kinds,
    make_refined,
    make_union,
)
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.values import Const, Kind
from typesig.notations.json_schema.keywords import (
    KEYWORDS,
    SPELLINGS,
    JsonKind,
    find_json_kinds,
    list_keywords,
)
from typesig.providers.registry.codecs import (
    ListCodec,
    OptionalCodec,
    PairsCodec,
    RecordCodec,
    write_json,
)
from typesig.providers.registry.vendor import Profile, SentType, TypePlace
from typesig.providers.rewriting.descriptions import (
    describe_constraints,
    is_sendable,
    replace_surrogates,
)
from typesig.providers.rewriting.rewriter import ConstantTextCodec, IntegerTextCodec, Rewriter

#: The largest integer that every reader of JSON keeps, see RFC 8259, section 6.
SAFE = 2**53 - 1

_INTS: frozenset[Kind] = frozenset({"int"})

# Enums


def rewrite_enum(rewriter: Rewriter, t: nodes.Enum, at: TypePlace) -> SentType:
    """Rewrite the enum *t* to types that the provider's profile allows."""
    profile = rewriter.profile
    kinds = {value.kind for value in t.values}
    allowed = all(_is_allowed(profile, value) for value in t.values)
    if allowed and (profile.mixed_enums or len(kinds) == 1):
        return SentType(t, None, "nil" in kinds)
    others = tuple([value for value in t.values if value.kind != "nil"])
    if not others:
        return SentType(nodes.NIL, None, True)
    if "nil" in kinds:
        return rewrite_enum(rewriter, nodes.Enum(others), at).allow_null()
    if kinds == {"bool"} and len(others) == 2:
        return SentType(nodes.BOOL)
    if allowed:
        # One enum for each kind: the same values.
        listed = dict.fromkeys(value.kind for value in others)
        groups = [[value for value in others if value.kind == kind] for kind in listed]
        return SentType(make_union([nodes.Enum(tuple(group)) for group in groups]))
    rewriter.record_loss("rewritten", at.path, "constants", "texts")
    texts = _make_texts(profile, others)
    return SentType(
        constructors.make_enum(texts), ConstantTextCodec(tuple(zip(texts, others, strict=True)))
    )


def _is_allowed(profile: Profile, value: Const) -> bool:
    """Whether *profile* allows *value* as a member of an enum."""
    if value.kind not in profile.enums:
        return False
    match value.kind:
        case "string":
            return is_sendable(value.value) and (bool(value.value) or profile.empty_texts)
        case "int":
            return profile.wide_integers or abs(value.value) <= SAFE
        case "list" | "map":
            return is_sendable(value.thaw())
        case "nil" | "bool" | "float" | "keyword":
            return True
        case _:
            assert_never(value.kind)


def _make_texts(profile: Profile, values: tuple[Const, ...]) -> list[str]:
    """Make a distinct text for each of *values*: strings unchanged, others as JSON."""
    whole = [write_json(value.thaw()) for value in values]
    own = [
        value.value if value.kind == "string" and value.value and is_sendable(value.value) else text
        for value, text in zip(values, whole, strict=True)
    ]
    return own if len(set(own)) == len(own) else whole


# Constraints


def rewrite_refinement(
    rewriter: Rewriter, inner: nodes.Type, constraints: tuple[Constraint, ...], at: TypePlace
) -> SentType:
    """Rewrite the type *inner* together with *constraints* on its values."""
    profile = rewriter.profile
    match inner:
        case nodes.Annotation():
            made = rewriter.rewrite(_apply_constraints(inner.inner, constraints), at)
            return rewriter.add_annotations(made, inner.text, inner.title, at)
        case nodes.Maybe():
            return rewriter.rewrite(_apply_constraints(inner.inner, constraints), at).allow_null()
        case nodes.Union(members):
            return rewriter.rewrite(
                make_union([_apply_constraints(m, constraints) for m in members]), at
            )
        case nodes.Ref(name) if (
            profile.style.lone_references or not profile.references
        ) and name not in rewriter.within_themselves:
            return rewriter.rewrite(_apply_constraints(rewriter.names[name], constraints), at)
        case _:
            pass
    kinds = find_json_kinds(inner)
    if inner == nodes.ANY and profile.typed:
        return rewriter.as_text(nodes.Refinement(inner, constraints), at, "any value")
    if not profile.wide_integers and find_kinds(inner) == _INTS and _is_wide(constraints):
        rewriter.record_loss("rewritten", at.path, "integers beyond 2^53", "their digits")
        digits = [Constraint("pattern", "^-?[0-9]+$")]
        made = add_constraints(rewriter, SentType(nodes.STRING), digits, frozenset({"string"}), at)
        return made.append_description(describe_constraints(constraints, kinds))._replace(
            codec=IntegerTextCodec()
        )
    return add_constraints(rewriter, rewriter.rewrite(inner, at), constraints, kinds, at)


def _apply_constraints(t: nodes.Type, constraints: tuple[Constraint, ...]) -> nodes.Type:
    """Refine *t* with the *constraints* that apply to its values."""
    if isinstance(t, nodes.Ref | nodes.One):
        return nodes.Refinement(t, constraints)
    kept = []
    for constraint in constraints:
        try:
            make_refined(t, [constraint])
        except InapplicableConstraint:
            continue
        kept.append(constraint)
    return make_refined(t, kept)


def _is_wide(constraints: Iterable[Constraint]) -> bool:
    """Whether a bound in *constraints* exceeds the safe integers of JSON readers."""
    bounds = [c.argument.value for c in constraints if c.name != "multiple_of"]
    return any(abs(bound) > SAFE for bound in bounds)


def add_constraints(
    rewriter: Rewriter,
    made: SentType,
    constraints: Iterable[Constraint],
    kinds: frozenset[JsonKind],
    at: TypePlace,
) -> SentType:
    """Add the expressible *constraints* to *made*, a rewritten type of *kinds*.

    The others are moved into the description.
    """
    profile = rewriter.profile
    inner, text, title = made.parts()
    sent = _get_sent_kinds(made.codec, kinds)
    if isinstance(inner, nodes.Ref) and (profile.style.lone_references or not profile.references):
        sent = None
    kept: list[Constraint] = []
    moved: list[Constraint] = []
    for constraint in constraints:
        said = None if sent is None else _convert_constraint(profile, constraint, sent, made.type)
        if said is None or not _can_combine(said, kept):
            moved.append(constraint)
            continue
        kept.append(said)
        if said != constraint and said.name == constraint.name:
            # Only a form with another name says the same of any value that is sent.
            moved.append(constraint)
    if kept:
        inner = make_refined(inner, kept)
    made = made._replace(type=constructors.make_noted(inner, text, title))
    if not moved:
        return made
    words = replace_surrogates(describe_constraints(moved, kinds))
    rewriter.record_loss("widened", at.path, words.strip("()"), "its description")
    return made.append_description(words)


def _can_combine(constraint: Constraint, kept: Iterable[Constraint]) -> bool:
    """Whether *constraint* needs no schema keyword that *kept* constraints use."""
    words = {word for each in kept for word in list_keywords(each)}
    # Of two bounds of one name, the tighter one says both.
    return constraint.row.tightest is not None or words.isdisjoint(list_keywords(constraint))


def _get_sent_kinds(codec: OptionalCodec, kinds: frozenset[JsonKind]) -> frozenset[JsonKind] | None:
    """Return the JSON kinds sent by *codec* if sizes are preserved; otherwise None."""
    match codec:
        case None | ListCodec() | RecordCodec():
            return kinds
        case PairsCodec():
            return frozenset({"array"})
        case _:
            return None


def _convert_constraint(
    profile: Profile, constraint: Constraint, kinds: frozenset[JsonKind], t: nodes.Type
) -> Constraint | None:
    """Convert *constraint* on *kinds* to one that *profile* takes, or None."""
    applied = [kind for kind in sorted(kinds) if kind in KEYWORDS[constraint.name]]
    allowed = all((constraint.name, kind) in profile.constraints for kind in applied)
    most = profile.most_min_items
    if profile.typed and len(kinds) > 1:
        # A keyword stands beside the type that it is about.
        return None
    match constraint.name:
        case "format":
            spelling = SPELLINGS[constraint.argument.value]
            if "format" in spelling:
                return constraint if spelling["format"] in profile.formats else None
            pattern = Constraint("pattern", spelling["pattern"])
            if ("pattern", "string") not in profile.constraints or not _allows_pattern(
                profile, pattern
            ):
                return None
            # Other keywords may stand beside a pattern only where all of JSON Schema is taken.
            return pattern if profile.typed else constraint
        case "above" | "below" if not allowed and find_kinds(t) == _INTS:
            value, is_low = constraint.argument.value, constraint.name == "above"
            name: ConstraintName = "at_least" if is_low else "at_most"
            bound = Constraint(name, floor(value) + 1 if is_low else ceil(value) - 1)
            return bound if (name, "number") in profile.constraints else None
        case "at_least" if allowed and applied == ["array"] and most is not None:
            return Constraint("at_least", min(constraint.argument.value, most))
        case "pattern":
            allowed = allowed and _allows_pattern(profile, constraint)
        case "above" | "below" | "at_least" | "at_most" | "multiple_of" | "unique":
            pass
        case _:
            assert_never(constraint.name)
    return constraint if allowed else None


def _allows_pattern(profile: Profile, constraint: Constraint) -> bool:
    """Whether *profile* takes the pattern of *constraint*."""
    if profile.lookarounds:
        return True
    return not patterns.has_assertion(patterns.parse_pattern(constraint.argument.value), "b", "B")
