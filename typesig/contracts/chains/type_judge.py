"""Whether the type of a result fits a parameter; if not, the reason and the remedy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from typesig.algebra import nodes
from typesig.algebra.redaction import make_standalone_signature
from typesig.algebra.signature import Signature
from typesig.contracts.chains.links import Code, Kind
from typesig.errors import TypesigError
from typesig.limits import MAX_EXPECTED
from typesig.limits.contracts import MAX_CHAIN_SAMPLES, MAX_CHAIN_STEPS, MAX_LINK_STEPS
from typesig.notations.shorthand.writer import write_type
from typesig.relations.proofs.subtyping import Relations, align_definitions
from typesig.relations.sampling.samples import samples
from typesig.relations.step_budget import NoSample
from typesig.validation.issues import excerpt


class Verdict(NamedTuple):
    """Result of comparing a result type with a parameter type; see `Link`."""

    kind: Kind
    code: Code = ""
    reason: str = ""
    mend: str = ""


FITS = Verdict("fits")
WRAPPED = Verdict(
    "nearly", "wrapped", "is one item, and the parameter takes several", "put the value in a list"
)


class TypeJudge:
    """Comparer of result and parameter types, cached, within one budget of steps.

    #: is_spent: whether a question was not answered since the budget was spent
    """

    def __init__(self) -> None:
        self._left = MAX_CHAIN_STEPS
        self._known: dict[tuple[Signature, Signature], Verdict] = {}
        self._proved: dict[tuple[Signature, Signature], bool | None] = {}
        self.is_spent = False

    def judge(self, source: Signature, target: Signature) -> Verdict:
        """Compare result type *source* with parameter type *target*, cached."""
        known = self._known.get((source, target))
        if known is None:
            known = self._known[source, target] = self._compute_verdict(source, target)
        return known

    def _compute_verdict(self, source: Signature, target: Signature) -> Verdict:
        """Compare result type *source* with parameter type *target*, uncached."""
        proved = self._is_subtype(source, target)
        if proved:
            return FITS
        if (
            proved is not None
            and (near := next(self._find_near_fits(source, target), None)) is not None
        ):
            return near
        if proved is None:
            reason = "neither a proof nor a value that is refused was found"
            return Verdict("unknown", "unknown", reason, _suggest_declaration(target))
        reason = (
            f"{write_result_type(source)} is not "
            f"{write_result_type(target)}{_give_example(source, target)}"
        )
        both = _is_simple(source) and _is_simple(target)
        mend = "" if not both else "call them differently, or give both one type"
        return Verdict("differs", "type" if both else "shape", reason, mend)

    def _is_subtype(self, source: Signature, target: Signature) -> bool | None:
        """Whether *source* is a subtype of *target*; None if unknown or out of steps."""
        if source == target:
            return True
        key = source, target
        if key not in self._proved:
            if self._left <= 0:
                self.is_spent = True
                return None
            x, y, definitions = align_definitions(source, target)
            relations = Relations(definitions)
            share = relations.work.left = min(MAX_LINK_STEPS, self._left)
            self._proved[key] = relations.is_subtype(x, y)
            self._left -= max(1, share - relations.work.left)
        return self._proved[key]

    def _find_near_fits(self, source: Signature, target: Signature) -> Iterator[Verdict]:
        """Yield the reasons why *source* nearly fits *target*, the simplest first."""
        inner, outer = resolve_result(source), resolve_result(target)
        wanted = write_result_type(target)
        if isinstance(inner, nodes.Maybe) and self._is_assignable(source, inner.inner, target):
            mend = "leave nil out before the call, or let the parameter accept nil"
            yield Verdict("nearly", "nullable", f"may be nil, and {wanted} refuses nil", mend)
        if isinstance(outer, nodes.Maybe):
            outer = _resolve(outer.inner, target)
        if isinstance(outer, nodes.List | nodes.Set) and self._is_assignable(
            target, outer.item, source, True
        ):
            yield WRAPPED
        if isinstance(outer, nodes.Refinement) and self._is_assignable(
            target, outer.inner, source, True
        ):
            reason = f"some values are beyond the bounds of {wanted}{_give_example(source, target)}"
            yield Verdict("nearly", "bounds", reason, _suggest_declaration(target))
        if isinstance(inner, nodes.Record) and self._is_assignable(
            source, nodes.Record(inner.fields, None, inner.matching), target
        ):
            reason = f"may have further keys, which {wanted} declares or refuses"
            yield Verdict("nearly", "open", reason, "declare these keys in the result")
        if isinstance(outer, nodes.Enum) and isinstance(inner, nodes.Enum):
            both = [value.value for value in outer.values if value in inner.values]
            if both:
                reason = f"only some values are of {wanted}: {excerpt.describe_value(both)}"
                yield Verdict("nearly", "values", reason, _suggest_declaration(target))
        if _is_read(source, target):
            reason = f"is {write_result_type(source)}, which a call reads as {wanted}"
            yield Verdict("nearly", "coerced", reason, _suggest_declaration(target))
        if isinstance(inner, nodes.Record) and isinstance(outer, nodes.Record):
            had = {field.key for field in inner.fields if field.required}
            lacking = [f.name for f in outer.fields if f.required and f.key not in had]
            if lacking and len(lacking) < sum(f.required for f in outer.fields):
                names = ", ".join(lacking)
                yield Verdict("nearly", "fields", f"lacks {names}", f"add {names} to the result")

    def _is_assignable(
        self, of: Signature, t: nodes.Type, other: Signature, is_target: bool = False
    ) -> bool:
        """Whether *t*, a part of *of*, provably fits *other*, or the reverse."""
        part = make_standalone_signature(t, of.names)
        pair = (other, part) if is_target else (part, other)
        return self._is_subtype(*pair) is True


def resolve_result(signature: Signature) -> nodes.Type:
    """Result type of *signature*, with a reference to a named type resolved."""
    return _resolve(signature.returns, signature)


def _resolve(t: nodes.Type, of: Signature) -> nodes.Type:
    """Follow references from *t* through the definitions of *of*."""
    # A chain of names has an end: a signature is checked for that.
    while isinstance(t, nodes.Ref):
        t = of.names[t.name]
    return t


def find_core(signature: Signature) -> nodes.Type:
    """Return the result type of *signature* stripped of lists, annotations and nil.

    Of a list that holds itself, which has nothing else, a list comes back.
    """
    t = resolve_result(signature)
    within: set[nodes.Type] = set()
    while (
        isinstance(t, nodes.Maybe | nodes.List | nodes.Set | nodes.Annotation) and t not in within
    ):
        within.add(t)
        t = t.inner if isinstance(t, nodes.Maybe | nodes.Annotation) else t.item
        t = _resolve(t, signature)
    return t


def write_result_type(signature: Signature) -> str:
    """Return the result of *signature* as text, cut if it is long."""
    text = write_type(signature.returns)
    return text if len(text) <= MAX_EXPECTED else text[: MAX_EXPECTED - 1] + "…"


def measure_specificity(signature: Signature) -> int:
    """How special a type is: 2 for records and enums, 1 for bounds or formats, else 0.

    >>> import typesig
    >>> [
    ...     measure_specificity(typesig.parse(t))
    ...     for t in (":string", "[:string[uuid]]", "{id :int, at :int}")
    ... ]
    [0, 1, 2]
    """
    match find_core(signature):
        case nodes.Record(fields):
            return 2 if len(fields) > 1 else 1
        case nodes.Enum(values):
            return 2 if len(values) > 1 and values[0].kind == "string" else 1
        case nodes.Refinement():
            return 1
        case nodes.Scalar(name):
            return 1 if name == "datetime" else 0
        case nodes.Union(members) | nodes.One(members):
            resolved_members = [_resolve(member, signature) for member in members]
            return 2 if all(isinstance(m, nodes.Record) for m in resolved_members) else 0
        case _:
            return 0


def _suggest_declaration(target: Signature) -> str:
    """Write the remedy that declares the result as the type of *target*."""
    return f"declare the result as {write_result_type(target)}"


def _give_example(source: Signature, target: Signature) -> str:
    """Write a value of *source* that *target* refuses; empty if none is found."""
    x, y, definitions = align_definitions(source, target)
    relations = Relations(definitions)
    relations.work.left = MAX_LINK_STEPS
    found = relations.counterexample(x, y)
    return "" if found is None else f", such as {excerpt.describe_value(found[0])}"


def _is_simple(signature: Signature) -> bool:
    """Whether the result type of *signature* is a scalar or an enum."""
    t = resolve_result(signature)
    while isinstance(t, nodes.Maybe | nodes.Refinement | nodes.Annotation):
        t = _resolve(t.inner, signature)
    return isinstance(t, nodes.Scalar | nodes.Enum) and t not in (nodes.ANY, nodes.MAP)


def _is_read(source: Signature, target: Signature) -> bool:
    """Whether *target* accepts sample values of *source* sent as JSON."""
    try:
        drawn = samples(source, count=MAX_CHAIN_SAMPLES)
    except NoSample:
        return False
    field = nodes.Field("value", target.returns)
    check = Signature([field], nodes.NIL, target.definitions)
    try:
        seen = [json.loads(source.validate_output(value).text()) for value in drawn]
    except TypesigError:
        # A value that JSON has no form for, or is too large.
        return False
    return all(check.validate_input({"value": value}).ok for value in seen)
