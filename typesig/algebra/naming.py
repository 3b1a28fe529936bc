"""Names for records and definitions that several signatures share.

A definition or a record that stands *ahead* of signatures is written once, and each signature
refers to it; each signature still has the definitions that it needs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from typesig.algebra import nodes, traversal
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.definitions import Definition
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.frozen import NAMES, RECORDS
from typesig.algebra.signature import Signature, get_outer_types, make_unique_name
from typesig.errors import TooDeep
from typesig.graphs import iter_components

#: Tells whether a type that is written so many times is given a name, and that name.
Pays: TypeAlias = Callable[[nodes.Type, int, str], bool]


class NamedSignatures(NamedTuple):
    """Signatures, and the definitions that are written ahead of them, by name."""

    signatures: tuple[Signature, ...]
    ahead: dict[str, nodes.Type]


def with_common_definitions(signatures: Sequence[Signature]) -> NamedSignatures:
    """Move equal definitions of two or more *signatures* ahead of all signatures.

    A name that means different types, and whatever leads to it, stays with its signature.
    """
    met: dict[str, nodes.Type] = {}
    counts: dict[str, int] = {}
    clashing: set[str] = set()
    for signature in signatures:
        for name, t in signature.names.items():
            counts[name] = counts.get(name, 0) + 1
            if met.setdefault(name, t) != t:
                clashing.add(name)
    for signature in signatures if clashing else ():
        clashing |= traversal.find_names_leading_to(
            clashing & signature.names.keys(), signature.names
        )
    ahead = {n: t for n, t in met.items() if counts[n] > 1 and n not in clashing}
    return NamedSignatures(tuple(signatures), ahead)


def with_single_uses_inlined(named: NamedSignatures) -> NamedSignatures:
    """Inline the definitions that a signature of *named* uses only once.

    Names without uses are left out.  Those that stand ahead are kept, and so are recursive ones and
    those with a refinement around them; so is a signature that would be too deep.
    """
    return NamedSignatures(
        tuple([_inline_definitions(each, named.ahead) for each in named.signatures]), named.ahead
    )


def sort_by_dependency(names: Mapping[str, nodes.Type]) -> tuple[list[str], set[str]]:
    """Sort *names* after the names they refer to; also return the recursive ones."""
    order: list[str] = []
    recursive: set[str] = set()
    leads = {name: sorted(traversal.find_references(t)) for name, t in names.items()}
    for found, leads_back in iter_components(leads):
        order += found
        recursive.update(found if leads_back else ())
    return order, recursive


def _inline_definitions(signature: Signature, ahead: Mapping[str, nodes.Type]) -> Signature:
    """Inline definitions used only once, unless recursive or named in *ahead*."""
    if not signature.definitions:
        return signature
    named = signature.names
    counts = dict.fromkeys(named, 0)
    order, recursive = sort_by_dependency(named)
    kept = recursive | {name for name in named if name in ahead}
    outer = get_outer_types(signature)
    for whole in (*outer, *named.values()):
        for part in traversal.iter_types(whole) if whole.flags & NAMES else ():
            if isinstance(part, nodes.Ref):
                counts[part.name] += 1
            elif isinstance(part, nodes.Refinement):
                kept |= traversal.find_references(part)
    kept |= {name for name, count in counts.items() if count > 1}

    flat: dict[str, nodes.Type] = {}
    try:
        for name in order:
            if name not in kept:
                flat[name] = traversal.substitute(named[name], flat)
        told = [traversal.substitute(t, flat) for t in outer]
        left = {name: traversal.substitute(named[name], flat) for name in kept}
        needed = {name: left[name] for name in find_used_names(left, told)}
        return _rewrite_signature(signature, lambda t: traversal.substitute(t, flat), needed)
    except TooDeep:
        return signature


def with_all_definitions(
    signatures: Sequence[Signature], identifier: Callable[[str], str], taken: Iterable[str]
) -> NamedSignatures:
    """Move all definitions of *signatures* ahead, named by *identifier*.

    A name that is *taken*, or means another type in an earlier signature, gets a number.
    """
    reserved = set(taken)
    ahead: dict[str, nodes.Type] = {}
    known: dict[tuple[Definition, ...], dict[str, nodes.Type]] = {}
    out = []
    for signature in signatures:
        refs = known.get(signature.definitions)
        if refs is None:
            refs = {}
            for name in signature.names:
                made = make_unused_name(identifier(name), reserved)
                reserved.add(made)
                refs[name] = nodes.Ref(made)
            known[signature.definitions] = refs
            for name, t in signature.names.items():
                ahead[_name_of(refs[name])] = traversal.substitute(t, refs)
        moved = {name: ahead[name] for name in map(_name_of, refs.values())}
        out.append(_rewrite_signature(signature, partial(traversal.substitute, names=refs), moved))
    return NamedSignatures(tuple(out), ahead)


def _name_of(ref: nodes.Type) -> str:
    """Return the name that the reference type *ref* refers to."""
    assert isinstance(ref, nodes.Ref)
    return ref.name


def make_unused_name(name: str, taken: set[str]) -> str:
    """Return *name*, with a number appended if it is in *taken*."""
    return make_unique_name(name, taken) if name in taken else name


def with_named_records(
    named: NamedSignatures,
    hints: Sequence[str],
    pays: Pays,
    taken: Iterable[str] = (),
    all_types: bool = False,
) -> NamedSignatures:
    """Return *named* with a definition for each record for which *pays* returns true.

    A name is made of that of the field that has the record first, or of the *hints*, one for the
    result of each signature; it is not one of *taken*.  A record that refers to a definition that
    is not ahead gets none.  With *all_types*, other types get names as records do, with their
    descriptions.
    """
    parts = _NameableParts(all_types)
    found = _NamedParts(named, hints, parts)
    reserved = {*taken, *named.ahead}
    reserved.update(name for signature in named.signatures for name in signature.names)
    names: dict[nodes.Type, str] = {}
    for part in sorted(found.hints, key=lambda each: -each.depth):
        count = found.counts[part]
        empty = isinstance(part, nodes.Record) and not part.fields
        allowed = not empty and traversal.find_references(part) <= named.ahead.keys()
        name = make_unused_name(make_type_name(found.hints[part]), reserved) if allowed else ""
        if allowed and pays(part, count, name):
            names[part] = name
            reserved.add(name)
            count = 1
        for inner, _ in parts.iter_below(part, ""):
            found.counts[inner] += count
    return _replace_types(named, names, found.hints, all_types) if names else named


class _NameableParts(NamedTuple):
    """Selection of the parts of a type that may get a name: records only, or more.

    #: all_types: whether all types may that are more than a scalar or a name, and not only records
    """

    all_types: bool

    def iter_outermost(self, t: nodes.Type, hint: str) -> Iterator[tuple[nodes.Type, str]]:
        """Yield the outermost nameable parts of *t*, each with a name hint."""
        if isinstance(t, nodes.Record) or (
            self.all_types and not isinstance(t, nodes.Scalar | nodes.Ref)
        ):
            yield t, hint
        elif t.flags & RECORDS:
            yield from self._iter_in_children(t, hint)

    def _iter_in_children(self, t: nodes.Type, hint: str) -> Iterator[tuple[nodes.Type, str]]:
        """Yield nameable types below *t* with name hints derived from *hint*."""
        if isinstance(t, nodes.List | nodes.Set | nodes.Tuple | nodes.MapOf | nodes.ItemCount):
            hint = _make_singular(hint)
        for child in traversal.get_children(t):
            yield from self.iter_outermost(child, hint)

    def iter_below(self, part: nodes.Type, hint: str) -> Iterator[tuple[nodes.Type, str]]:
        """Yield the outermost nameable parts inside *part*, each with a name hint."""
        if not isinstance(part, nodes.Record):
            yield from self._iter_in_children(part, hint)
            return
        for field in part.fields:
            yield from self.iter_outermost(field.type, field.name)
        for other in [m.type for m in part.matching]:
            yield from self.iter_outermost(other, "")
        if part.extra is not None:
            yield from self.iter_outermost(part.extra, "")

    def iter_in_definition(self, t: nodes.Type, name: str) -> Iterator[tuple[nodes.Type, str]]:
        """Yield the outermost nameable parts inside the definition *t*."""
        return self.iter_below(strip_annotations(t), name)


class _NamedParts:
    """Nameable parts of several signatures, with their name hints and counts.

    #: hints: each part, in order, with the name that it is called after
    #: counts: how often each stands outside other parts
    """

    def __init__(self, named: NamedSignatures, hints: Sequence[str], parts: _NameableParts) -> None:
        self.hints: dict[nodes.Type, str] = {}
        self.counts: dict[nodes.Type, int] = {}
        self._parts = parts
        for signature, hint in zip(named.signatures, hints, strict=True):
            for field in signature.params:
                self._take(parts.iter_outermost(field.type, field.name))
            self._take(parts.iter_outermost(signature.returns, f"{hint} result"))
            if signature.extra is not None:
                self._take(parts.iter_outermost(signature.extra, hint))
            for name, t in signature.names.items():
                if name not in named.ahead:
                    self._take(parts.iter_in_definition(t, name))
        for name, t in named.ahead.items():
            self._take(parts.iter_in_definition(t, name))

    def _take(self, found: Iterable[tuple[nodes.Type, str]]) -> None:
        """Count the (type, name hint) pairs in *found* and store hints for all parts."""
        pending = deque[tuple[nodes.Type, str]]()
        for part, hint in found:
            self.counts[part] = self.counts.get(part, 0) + 1
            pending.append((part, hint))
        while pending:
            part, hint = pending.popleft()
            if part not in self.hints:
                self.hints[part] = hint
                self.counts.setdefault(part, 0)
                pending += self._parts.iter_below(part, hint)


def _make_singular(name: str) -> str:
    """Derive the singular of the English plural *name*; return other names unchanged."""
    if name.endswith("ies"):
        return name[:-3] + "y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


#: How long the part of a name may be that is made of a field's name.
_MAX_NAME = 40


def make_type_name(hint: str) -> str:
    """Build the name of a type from *hint*: `SearchResult` from `search result`."""
    kept = "".join([c if c.isascii() and c.isalnum() else " " for c in hint[:_MAX_NAME]])
    made = "".join([word[0].upper() + word[1:] for word in kept.split()])
    return made if made[:1].isalpha() else f"Value{made}"


def _replace_types(
    named: NamedSignatures,
    names: Mapping[nodes.Type, str],
    order: Iterable[nodes.Type],
    all_types: bool,
) -> NamedSignatures:
    """Replace the types in *names* by references, and define them ahead of *named*."""

    def step(t: nodes.Type) -> nodes.Type:
        name = names.get(t)
        return replace_children(t) if name is None else nodes.Ref(name)

    def replace_children(t: nodes.Type) -> nodes.Type:
        if not (all_types or t.flags & RECORDS):
            return t
        return traversal.rebuild(t, [step(child) for child in traversal.get_children(t)])

    def body(t: nodes.Type) -> nodes.Type:
        if isinstance(t, nodes.Annotation):
            return traversal.rebuild(t, [body(t.inner)])
        return replace_children(t) if isinstance(t, nodes.Record) else step(t)

    ahead = {name: body(t) for name, t in named.ahead.items()}
    ahead.update((names[part], replace_children(part)) for part in order if part in names)
    out = []
    for signature in named.signatures:
        own = {n: ahead[n] if n in ahead else body(t) for n, t in signature.names.items()}
        needed = find_used_names(ahead, [*map(step, get_outer_types(signature)), *own.values()])
        out.append(
            _rewrite_signature(signature, step, {**own, **{name: ahead[name] for name in needed}})
        )
    return NamedSignatures(tuple(out), ahead)


def _rewrite_signature(
    signature: Signature,
    step: Callable[[nodes.Type], nodes.Type],
    definitions: Mapping[str, nodes.Type],
) -> Signature:
    """Copy *signature* with *step* applied to its types, and new *definitions*."""
    return Signature(
        traversal.with_types(signature.params, step),
        step(signature.returns),
        definitions,
        None if signature.extra is None else step(signature.extra),
        signature.io,
        signature.secrets,
        keeps_ints=signature.keeps_ints,
    )
