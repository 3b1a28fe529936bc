"""Signatures of foreign tools: alternative arguments, and results that are cut at a depth."""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra.constructors import find_kinds, make_union, strip_annotations
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import MAP, Not, One, Record, Ref, Refinement, Type
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.frozen import cache_by_identity
from typesig.algebra.rows.values import Kind
from typesig.algebra.signature import Signature, make_unique_name
from typesig.algebra.traversal import (
    find_names_leading_to,
    find_references,
    get_children,
    iter_distinct_parts,
    rebuild,
)
from typesig.errors import TypesigError, format_value
from typesig.extraction.parameter_types import require_tags
from typesig.validation.check.record_branches import find_tag_names

# --- The arguments of foreign tools ---
# JSON Schema's `oneOf` excludes values that fit two alternatives, which servers rarely mean: an
# integer could never be sent to `oneOf` of an integer and a number.  It is read as `anyOf`.


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
    if len(records) > 1 and not find_tag_names(t.members, names):
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


# --- Results of foreign tools, cut at a depth: what is nested deeper is any map ---


def check_depth(depth: object) -> int | None:
    """Return *depth*; raise `TypesigError` if it is neither None nor a number of levels."""
    if depth is None or (type(depth) is int and depth >= 0):
        return depth
    raise TypesigError(
        f"depth is a number of levels of at least 0, or None, not {format_value(depth)}"
    )


def cut_result(signature: Signature, depth: int) -> tuple[Signature, list[Loss]]:
    """Limit the nested objects in the result of *signature* to *depth*; return the loss."""
    cutting = _DepthLimiter(signature)
    returns = cutting.cut(signature.returns, depth)
    if not cutting.count:
        return signature, []
    found = cutting.definitions
    named = {name: found[name] for name in found if name in find_used_names(found, [returns])}
    what = f"{cutting.count} objects within others"
    loss = Loss("widened", ("output",), what, f"they are deeper than depth={depth}", ":map")
    secrets, before = signature.secrets, signature.losses
    return Signature((), returns, named, secrets=secrets, losses=before), [loss]


class _DepthLimiter:
    """Limiter of nested objects in a signature's types, with named types by depth.

    #: count: how many objects became maps
    """

    def __init__(self, signature: Signature) -> None:
        self._names = signature.names
        self._known: dict[tuple[str, int], str] = {}
        self._taken = {*self._names}
        self.definitions: dict[str, Type] = {}
        self.count = 0

    def cut(self, t: Type, left: int) -> Type:
        """Limit the nested objects in *t* to *left* levels."""
        if isinstance(t, Ref):
            return Ref(self._name(t.name, left))
        if isinstance(t, Record):
            if not left:
                self.count += 1
                return MAP
            left -= 1
        inner = get_children(t)
        made = [self.cut(child, left) for child in inner]
        same = all(new is old for new, old in zip(made, inner, strict=True))
        return t if same else rebuild(t, made)

    def _name(self, name: str, left: int) -> str:
        """Define the type *name* cut to *left* levels; return its name."""
        known = self._known.get((name, left))
        if known is None:
            known = name
            if name in self.definitions:
                known = make_unique_name(name, self._taken)
                self._taken.add(known)
            self._known[name, left] = known
            # A type may refer to itself only inside a level, so this ends.
            self.definitions[known] = self._names[name]
            self.definitions[known] = self.cut(self._names[name], left)
        return known
