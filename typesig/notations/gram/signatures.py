"""Signatures in gram and in its path form: what each can express, which is what reading back gives.

Parameters become open, names are kept, descriptions are left out; widening twice changes nothing.
"""

from __future__ import annotations

from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import make_maybe
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.values import keywords_to_text
from typesig.algebra.signature import Signature, get_outer_types
from typesig.algebra.traversal import drop_annotations
from typesig.errors import TooDeep
from typesig.limits import MAX_DEPTH
from typesig.notations.gram.widening import (
    NAMED,
    REASONS,
    REFINED,
    GramWidener,
    Path,
    Reason,
    default_phrase,
)
from typesig.notations.gram.writer import SPELLINGS, default_text, write_label

_CLOSED = Reason("closed parameters", "gram's parameters are open; leave out the !")
_EXTRA = Reason("a type of other arguments", "gram has no form for it; leave out the **")
_UNUSED = Reason("a named type", "nothing uses it")

_ABSENT = Reason("a name that may be absent, not null", "a default of null means both; use :T?")
_NULLABLE = Reason("a name that may be null, not absent", "a default of null means both; use :T?")
_SECOND = "a default of null means that it may be null; use :T?"


def widen_for_text(signature: Signature) -> tuple[Signature, Losses]:
    """Return *signature* as parsing its gram text restores it, and the losses."""
    losses: list[Loss] = []
    try:
        widened = _widen_for_text(signature, GramWidener(signature.names, losses, 4 * MAX_DEPTH))
    except TooDeep:
        # A Maybe for each name that may be absent made it deeper than can be read.
        losses = []
        widened = _widen_for_text(signature, GramWidener(signature.names, losses, MAX_DEPTH - 8))
    return widened, tuple(losses)


def _widen_for_text(signature: Signature, widener: GramWidener) -> Signature:
    """Widen the types of *signature* to types that gram text can express."""
    params = [widener.field(f, ("params", f.name), 0) for f in signature.params]
    _report_undeclared(signature, widener)
    returns = widener.widen(signature.returns, ("returns",))
    _report_definitions(signature, widener)
    return Signature(params, returns, io=signature.io)


def _report_undeclared(signature: Signature, widener: GramWidener) -> None:
    """Record the loss of the type of undeclared arguments of *signature*."""
    extra = signature.extra
    if extra is None:
        widener.report_widened(("params",), _CLOSED, "open parameters")
    elif extra != nodes.ANY:
        widener.report_widened(("params", "**"), _EXTRA, "open parameters")
        widener.report_notes(extra, ("params", "**"))


def _report_definitions(signature: Signature, widener: GramWidener) -> None:
    """Record the loss of unused definitions, and of annotations of named types."""
    reached = find_used_names(signature.names, get_outer_types(signature))
    for name in sorted(signature.names.keys() - reached):
        widener.losses.append(Loss("omitted", ("definitions", name), *_UNUSED))
    for name in sorted(reached - widener.inlined):
        widener.report_notes(signature.names[name], ("definitions", name))


def widen_for_path(signature: Signature) -> tuple[Signature, Losses]:
    """Return *signature* as parsing its path form restores it, and the losses."""
    losses: list[Loss] = []
    widener = GramWidener(signature.names, losses, MAX_DEPTH)
    params = [_widen_param(f, ("params", f.name), widener) for f in signature.params]
    _report_undeclared(signature, widener)
    head = widener.head(signature.returns)
    returns = nodes.ANY if isinstance(head, nodes.Maybe) else head
    _report_shape(signature.returns, returns, returns, ("returns",), widener)
    _report_definitions(signature, widener)
    return Signature(params, returns, io=signature.io), tuple(losses)


def _widen_param(field: nodes.Field, at: Path, widener: GramWidener) -> nodes.Field:
    """Widen the parameter *field* at path *at* to the gram path form; record its losses."""
    head = widener.head(field.type)
    t = head.inner if isinstance(head, nodes.Maybe) else head
    default = None if field.default is None else keywords_to_text(field.default)
    nullable = isinstance(head, nodes.Maybe) or (default is not None and default.kind == "nil")
    # The path form expresses nullability with a default of null, and a node has one default.
    kept = None if nullable else default
    absent = nullable or (not field.required and kept is None)
    param = nodes.Field(field.name, make_maybe(t) if absent else t, not absent, kept, field.exact)
    became = write_label(t) + default_text(param)
    _report_shape(field.type, head, t, at, widener, became)
    if field.default is not None and field.default != kept:
        why = _SECOND if nullable else "JSON has no keywords; use a text"
        widener.report_widened(at, Reason(default_phrase(field.default), why), became)
    elif absent and field.required:
        widener.report_widened(at, _NULLABLE, became)
    elif absent and not nullable:
        widener.report_widened(at, _ABSENT, became)
    return param


def _report_shape(
    whole: nodes.Type,
    head: nodes.Type,
    t: nodes.Type,
    at: Path,
    widener: GramWidener,
    became: str = "",
) -> None:
    """Record the parts of *whole* that a label of the path form cannot express."""
    bare = drop_annotations(whole)
    if t == nodes.ANY or bare != head:
        widener.report_widened(at, _find_reason(bare, head), became or write_label(t))
    widener.report_notes(whole, at)


def _find_reason(t: nodes.Type, head: nodes.Type) -> Reason:
    """Return the reason why a label cannot express *t*; *head* is the nearest type."""
    match t:
        case nodes.Scalar(name):
            return Reason(f":{name}", SPELLINGS[name].why)
        case nodes.List():
            why = "the path form has only Array; write the other form"
            return Reason("a list of one type", why)
        case nodes.Record():
            return Reason("a record", "the path form has only Object; write the other form")
        case nodes.Maybe(inner):
            if isinstance(head, nodes.Maybe):
                return _find_reason(inner, head.inner)
            why = "the path form has this only for parameters"
            return Reason("a result that may be null", why)
        case nodes.Annotation(inner):  # pragma: no cover - notes are removed before
            return _find_reason(inner, head)
        case nodes.Refinement():
            return REFINED
        case nodes.Ref():
            return NAMED
        case nodes.Container() | nodes.Enum() | nodes.Combination() | nodes.Not():
            return REASONS[type(t)]
        case _:
            assert_never(t)
