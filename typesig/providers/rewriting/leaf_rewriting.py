"""Constants and constraints: what becomes of enums, bounds, patterns and formats."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor
from typing import assert_never

from typesig import patterns
from typesig.algebra import constructors, nodes
from typesig.algebra.constructors import InapplicableConstraint, kinds_of, refined, union
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.values import Const, Kind
from typesig.notations.json_schema.keywords.constraints import KEYWORDS, all_keywords
from typesig.notations.json_schema.keywords.formats import SPELLINGS
from typesig.notations.json_schema.keywords.kinds import JsonKind, json_kinds
from typesig.providers.rewriting.describing import is_sendable, sendable, words_of_constraints
from typesig.providers.rewriting.rewriter import Rewriter
from typesig.providers.rewriting.text_codecs import IntegerText, Words
from typesig.providers.rows.codecs import Coding, Fields, Items, Pairs, json_text
from typesig.providers.rows.profile import Profile
from typesig.providers.rows.wire import Place, Wire

#: The largest integer that every reader of JSON keeps, see RFC 8259, section 6.
SAFE = 2**53 - 1

_INTS: frozenset[Kind] = frozenset({"int"})

# Enums


def enum(rewriter: Rewriter, t: nodes.Enum, at: Place) -> Wire:
    """Return what is sent in place of an enum."""
    profile = rewriter.profile
    kinds = {value.kind for value in t.values}
    allowed = all(_is_allowed(profile, value) for value in t.values)
    if allowed and (profile.mixed_enums or len(kinds) == 1):
        return Wire(t, None, "nil" in kinds)
    others = tuple([value for value in t.values if value.kind != "nil"])
    if not others:
        return Wire(nodes.NIL, None, True)
    if "nil" in kinds:
        return enum(rewriter, nodes.Enum(others), at).or_null()
    if kinds == {"bool"} and len(others) == 2:
        return Wire(nodes.BOOL)
    if allowed:
        # One enum for each kind: the same values.
        listed = dict.fromkeys(value.kind for value in others)
        groups = [[value for value in others if value.kind == kind] for kind in listed]
        return Wire(union([nodes.Enum(tuple(group)) for group in groups]))
    rewriter.lose("rewritten", at.path, "constants", "texts")
    texts = _texts_of(profile, others)
    return Wire(constructors.enum(texts), Words(tuple(zip(texts, others, strict=True))))


def _is_allowed(profile: Profile, value: Const) -> bool:
    """Tell whether *value* may stand in an enum of *profile*."""
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


def _texts_of(profile: Profile, values: tuple[Const, ...]) -> list[str]:
    """Return a text for each of *values*: its own if it is one, else its JSON text."""
    whole = [json_text(value.thaw()) for value in values]
    own = [
        value.value if value.kind == "string" and value.value and is_sendable(value.value) else text
        for value, text in zip(values, whole, strict=True)
    ]
    return own if len(set(own)) == len(own) else whole


# Constraints


def refinement(
    rewriter: Rewriter, inner: nodes.Type, constraints: tuple[Constraint, ...], at: Place
) -> Wire:
    """Return what is sent in place of *inner* with *constraints*."""
    profile = rewriter.profile
    match inner:
        case nodes.Noted():
            made = rewriter.rewrite(_applied(inner.inner, constraints), at)
            return rewriter.noted(made, inner.text, inner.title, at)
        case nodes.Maybe():
            return rewriter.rewrite(_applied(inner.inner, constraints), at).or_null()
        case nodes.Union(members):
            return rewriter.rewrite(union([_applied(m, constraints) for m in members]), at)
        case nodes.Ref(name) if _stands_alone(profile) and name not in rewriter.within_themselves:
            return rewriter.rewrite(_applied(rewriter.names[name], constraints), at)
        case _:
            pass
    kinds = json_kinds(inner)
    if inner == nodes.ANY and profile.typed:
        return rewriter.as_text(nodes.Refined(inner, constraints), at, "any value")
    if not profile.wide_integers and kinds_of(inner) == _INTS and _is_wide(constraints):
        rewriter.lose("rewritten", at.path, "integers beyond 2^53", "their digits")
        digits = [Constraint("pattern", "^-?[0-9]+$")]
        made = constrained(rewriter, Wire(nodes.STRING), digits, frozenset({"string"}), at)
        return made.described(words_of_constraints(constraints, kinds))._replace(
            codec=IntegerText()
        )
    return constrained(rewriter, rewriter.rewrite(inner, at), constraints, kinds, at)


def _stands_alone(profile: Profile) -> bool:
    """Tell whether no keyword may stand beside a reference."""
    return profile.style.lone_references or not profile.references


def _applied(t: nodes.Type, constraints: tuple[Constraint, ...]) -> nodes.Type:
    """Return *t* with those of *constraints* that apply to its values."""
    if isinstance(t, nodes.Ref | nodes.One):
        return nodes.Refined(t, constraints)
    kept = []
    for constraint in constraints:
        try:
            refined(t, [constraint])
        except InapplicableConstraint:
            continue
        kept.append(constraint)
    return refined(t, kept)


def _is_wide(constraints: Iterable[Constraint]) -> bool:
    bounds = [c.argument.value for c in constraints if c.name != "multiple_of"]
    return any(abs(bound) > SAFE for bound in bounds)


def constrained(
    rewriter: Rewriter,
    made: Wire,
    constraints: Iterable[Constraint],
    kinds: frozenset[JsonKind],
    at: Place,
) -> Wire:
    """Return *made*, the rewrite of a type of *kinds*, with what can be said of *constraints*.

    The others are moved into the description.
    """
    profile = rewriter.profile
    inner, text, title = made.parts()
    sent = _sent_kinds(made.codec, kinds)
    if isinstance(inner, nodes.Ref) and _stands_alone(profile):
        sent = None
    kept: list[Constraint] = []
    moved: list[Constraint] = []
    for constraint in constraints:
        said = None if sent is None else _said(profile, constraint, sent, made.type)
        if said is None or not _stands_beside(said, kept):
            moved.append(constraint)
            continue
        kept.append(said)
        if said != constraint and said.name == constraint.name:
            # Only a form with another name says the same of any value that is sent.
            moved.append(constraint)
    if kept:
        inner = refined(inner, kept)
    made = made._replace(type=constructors.noted(inner, text, title))
    if not moved:
        return made
    words = sendable(words_of_constraints(moved, kinds))
    rewriter.lose("widened", at.path, words.strip("()"), "its description")
    return made.described(words)


def _stands_beside(constraint: Constraint, kept: Iterable[Constraint]) -> bool:
    """Tell whether a schema has a keyword left for *constraint* beside those of *kept*."""
    words = {word for each in kept for word in all_keywords(each)}
    # Of two bounds of one name, the tighter one says both.
    return constraint.row.tightest is not None or words.isdisjoint(all_keywords(constraint))


def _sent_kinds(codec: Coding, kinds: frozenset[JsonKind]) -> frozenset[JsonKind] | None:
    """Return the kinds of what is sent, if it has the same size or number as the value."""
    match codec:
        case None | Items() | Fields():
            return kinds
        case Pairs():
            return frozenset({"array"})
        case _:
            return None


def _said(
    profile: Profile, constraint: Constraint, kinds: frozenset[JsonKind], t: nodes.Type
) -> Constraint | None:
    """Return *constraint* as *profile* can say it of *kinds*, or None."""
    applied = [kind for kind in sorted(kinds) if kind in KEYWORDS[constraint.name]]
    allowed = all((constraint.name, kind) in profile.constraints for kind in applied)
    most = profile.most_min_items
    if profile.typed and len(kinds) > 1:
        # A keyword stands beside the type that it is about.
        return None
    match constraint.name:
        case "format":
            return _said_format(profile, constraint)
        case "above" | "below" if not allowed and kinds_of(t) == _INTS:
            value, is_low = constraint.argument.value, constraint.name == "above"
            name: ConstraintName = "at_least" if is_low else "at_most"
            bound = Constraint(name, floor(value) + 1 if is_low else ceil(value) - 1)
            return bound if (name, "number") in profile.constraints else None
        case "at_least" if allowed and applied == ["array"] and most is not None:
            return Constraint("at_least", min(constraint.argument.value, most))
        case "pattern":
            allowed = allowed and _is_said(profile, constraint)
        case "above" | "below" | "at_least" | "at_most" | "multiple_of" | "unique":
            pass
        case _:
            assert_never(constraint.name)
    return constraint if allowed else None


def _said_format(profile: Profile, constraint: Constraint) -> Constraint | None:
    spelling = SPELLINGS[constraint.argument.value]
    if "format" in spelling:
        return constraint if spelling["format"] in profile.formats else None
    pattern = Constraint("pattern", spelling["pattern"])
    if ("pattern", "string") not in profile.constraints or not _is_said(profile, pattern):
        return None
    # Only in a profile that takes all of JSON Schema, other keywords may stand beside the pattern.
    return pattern if profile.typed else constraint


def _is_said(profile: Profile, constraint: Constraint) -> bool:
    """Tell whether *profile* takes a pattern."""
    if profile.lookarounds:
        return True
    return not patterns.asserts(patterns.parse_pattern(constraint.argument.value), "b", "B")
