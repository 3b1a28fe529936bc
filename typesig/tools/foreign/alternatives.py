"""The arguments of foreign tools: which of several alternatives is sent, and how that is told.

JSON Schema's `oneOf` excludes values that fit two alternatives, which servers rarely mean: an
integer could never be sent to `oneOf` of an integer and a number.  It is read as `anyOf`.
"""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra.constructors import find_kinds, make_union, strip_annotations
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import Not, One, Record, Ref, Refinement, Type
from typesig.algebra.rows.frozen import cache_by_identity
from typesig.algebra.rows.values import Kind
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import (
    find_names_leading_to,
    find_references,
    get_children,
    iter_distinct_parts,
    rebuild,
)
from typesig.extraction.parameter_types import require_tags
from typesig.validation.check.tagged import tag_names


def allow_alternatives(signature: Signature) -> tuple[Signature, list[Loss]]:
    """Widen `oneOf` to `anyOf` in the arguments of *signature*; return the losses.

    The losses have the parameters in which values may fit several alternatives.
    """
    names = signature.names
    wholes = [*[field.type for field in signature.params], *names.values()]
    if signature.extra is not None:
        wholes.append(signature.extra)
    ones = [part for whole in wholes for part in _ones(whole)]
    fields = list(signature.params)
    if ones:
        fields = [field.with_type(_any_of(field.type)) for field in fields]
    definitions = {name: _any_of(t) for name, t in names.items()} if ones else names
    extra = None if signature.extra is None else _any_of(signature.extra)
    made, found = require_tags(fields, definitions)
    is_same = not ones and found == definitions and made == list(signature.params)
    if is_same:
        return signature, []
    losses = _losses(signature, {part for part in ones if not _is_exclusive(part, names)})
    secrets, before = signature.secrets, signature.losses
    whole = Signature(made, signature.returns, found, extra, signature.io, secrets, before)
    return whole, losses


@cache_by_identity
def _ones(t: Type) -> tuple[One, ...]:
    """Return the `oneOf` types inside *t*, cached."""
    return tuple([part for part in iter_distinct_parts([t]) if isinstance(part, One)])


def _any_of(t: Type) -> Type:
    """Replace the `oneOf` types inside *t* by unions, except in negations."""
    if isinstance(t, Not):
        return t
    inner = get_children(t)
    made = [_any_of(child) for child in inner]
    if any(new is not old for new, old in zip(made, inner, strict=True)):
        t = rebuild(t, made)
    return make_union(t.members) if isinstance(t, One) else t


def _losses(signature: Signature, ones: set[One]) -> list[Loss]:
    """Return a loss for each parameter of *signature* that has one of *ones*."""
    if not ones:
        return []
    names = signature.names
    direct = [name for name, t in names.items() if _has(t, ones)]
    leading = find_names_leading_to(direct, names)
    why = "it is not checked that only one alternative fits"
    return [
        Loss("widened", ("input", field.name), "the keyword oneOf", why, "anyOf")
        for field in signature.params
        if _has(field.type, ones) or find_references(field.type) & leading
    ]


def _has(t: Type, ones: set[One]) -> bool:
    """Whether *t* contains any of *ones*, the `oneOf` types."""
    return any(part in ones for part in _ones(t))


def _is_exclusive(t: One, names: Mapping[str, Type]) -> bool:
    """Whether no value fits two members of *t*, judged by kinds and tags."""
    found = [_resolve(member, names) for member in t.members]
    records = [each for each in found if isinstance(each, Record)]
    if len(records) > 1 and not tag_names(t.members, names):
        return False
    taken: set[Kind] = {"map"} if records else set()
    for each in found:
        if isinstance(each, Record):
            continue
        kinds = find_kinds(each)
        if not kinds or taken & kinds:
            return False
        taken |= kinds
    return True


def _resolve(t: Type, names: Mapping[str, Type]) -> Type:
    """Follow references by *names*; strip annotations and refinements from *t*."""
    seen: set[str] = set()
    while True:
        t = strip_annotations(t)
        if isinstance(t, Ref) and t.name not in seen and t.name in names:
            seen.add(t.name)
            t = names[t.name]
        elif isinstance(t, Refinement):
            t = t.inner
        else:
            return t


def without_exclusion(t: Type) -> Type:
    """Replace the `oneOf` type *t* by a union if its members have formats.

    A value in another format is no member of any of them, and would be refused for that.
    """
    if isinstance(t, One) and any(map(_has_format, t.members)):
        return make_union(t.members)
    return t


def _has_format(t: Type) -> bool:
    """Whether *t* contains a `format` constraint."""
    return any(
        isinstance(part, Refinement) and any(c.name == "format" for c in part.constraints)
        for part in iter_distinct_parts([t])
    )
