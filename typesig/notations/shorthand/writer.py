"""Writing shorthand: the canonical text of a signature; equal signatures give equal texts."""

from __future__ import annotations

from collections.abc import Container, Sequence

from typesig.algebra import nodes
from typesig.algebra.loss import Loss
from typesig.algebra.rows.frozen import NOTES
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import drop_annotations
from typesig.notations.texts.literals import (
    TypeTexts,
    escape_slashes,
    quote_unless_plain,
    write_literal,
)
from typesig.notations.texts.quoting import quote

#: Other names of scalars, which are read and never written.
ALSO_READ: dict[str, ScalarName] = {"double": "float", "boolean": "bool"}

#: The names that a reference to a definition must quote.
RESERVED = frozenset({*SCALARS, *ALSO_READ, "enum", "one", "not", "count"})


def write_signature(
    signature: Signature, described: bool = True, ahead: Container[str] = ()
) -> str:
    """Write *signature* as shorthand: `(params) -> result where …`.

    The definitions with the names *ahead* stand elsewhere and are left out.
    """
    if not described and (signature.definitions or signature.extra not in (nodes.ANY, None)):
        signature = map_types(signature, drop_annotations)
    returns, note = signature.returns, ""
    returns = returns if described else drop_annotations(returns)
    if isinstance(returns, nodes.Annotation) and returns.text is not None:
        note = f" {quote(returns.text)}"
        returns = returns.inner
    text = f"{_write_params(signature, described)} -> {write_type(returns)}{note}"
    return text + _write_where(signature, ahead)


def write_arguments(signature: Signature) -> str:
    """Write the parameters of *signature* without descriptions: `(a :T) where T = :int`."""
    signature = map_types(signature, drop_annotations)
    return _write_params(signature, False) + _write_where(signature)


def _write_params(signature: Signature, described: bool) -> str:
    """Write the parameters of *signature*, with their descriptions if *described*."""
    closed = "!" if signature.extra is None else ""
    return f"({', '.join(_write_fields(signature.params, signature.extra, (), described))}){closed}"


def _write_where(signature: Signature, ahead: Container[str] = ()) -> str:
    """Write the `where` clause of *signature*, without the definitions in *ahead*."""
    if not signature.definitions:
        return ""
    named = [write_definition(d.name, d.type) for d in signature.definitions if d.name not in ahead]
    return f" where {', '.join(named)}" if named else ""


def write_definition(name: str, t: nodes.Type) -> str:
    """Write the definition of *name* as the type *t*, as it appears after `where`."""
    return f"{quote_unless_plain(name)} = {write_type(t)}"


def write_type(t: nodes.Type, described: bool = True) -> str:
    """Write the type *t* as shorthand, with descriptions if *described*."""
    t = t if described else drop_annotations(t)
    return _form(t)[1]


def write_result(signature: Signature, described: bool = True) -> str:
    """Write the result type of *signature*, with the definitions, as shorthand."""
    if not described:
        signature = map_types(signature, drop_annotations)
    text = write_signature(Signature((), signature.returns, signature.definitions))
    head = "() -> "
    returns = signature.returns
    if not (isinstance(returns, nodes.Annotation) and returns.text is not None):
        return text.removeprefix(head)
    whole = write_type(returns)
    where = text.find(" where ", len(head + write_type(returns.inner)))
    return whole if where < 0 else whole + text[where:]


class _Shorthand(TypeTexts):
    """Writer of types in shorthand."""

    __slots__ = ()
    sign = ":"
    reserved = RESERVED

    def record_text(self, t: nodes.Record) -> str:
        """Write the record type *t* in shorthand."""
        known = _TEXTS.get(id(t))
        if known is not None and known[0] is t:
            return known[1]
        closed = "!" if t.extra is None else ""
        text = f"{{{', '.join(_write_fields(t.fields, t.extra, t.matching))}}}{closed}"
        if len(text) <= _LONGEST_TEXT:
            if len(_TEXTS) >= _MOST_TEXTS:
                _TEXTS.clear()
            _TEXTS[id(t)] = t, text
        return text

    def write_enum(self, values: Sequence[Const]) -> str:
        """Write the enum of the constants *values* as `:enum[…]`."""
        return f":enum[{' '.join([write_literal(value) for value in values])}]"


_form = _Shorthand().write_form


#: Records by their ids, and their texts: extraction measures the text that a listing shows.
_TEXTS: dict[int, tuple[nodes.Record, str]] = {}
_MOST_TEXTS, _LONGEST_TEXT = 256, 2_000


def _write_fields(
    fields: Sequence[nodes.Field],
    extra: nodes.Type | None,
    matching: Sequence[nodes.PatternField] = (),
    described: bool = True,
) -> list[str]:
    """List the shorthand texts of *fields*, pattern fields *matching* and type *extra*."""
    out = [write_field(field, described) for field in fields]
    if matching:
        out += [_write_pattern(m) for m in matching]
    if extra is not None and extra is not nodes.ANY and extra != nodes.ANY:
        out.append(f"** {write_type(extra)}")
    return out


def write_field(field: nodes.Field, described: bool = True) -> str:
    """Return a field or parameter as text, such as `limit :int = 10`."""
    note, t = "", field.type
    if not t.flags & NOTES:
        pass
    elif not described:
        while type(t) is nodes.Annotation:
            t = t.inner
        t = drop_annotations(t) if t.flags & NOTES else t
        # Without notes the type may become nullable, and then `Field` drops a default of nil.
        if field.default is not None and field.default.kind == "nil":
            field = field.with_type(t)
    else:
        if isinstance(t, nodes.Annotation) and t.text is not None:
            note = f" {quote(t.text)}"
            t = t.inner
        while isinstance(t, nodes.Annotation) and t.text is None:
            t = t.inner
    name, default = quote(field.name) if field.exact else field.name, ""
    if field.default is not None:
        default = f" = {write_literal(field.default)}"
    if type(t) is nodes.Scalar:
        mark = "" if field.required or default else "?"
        return f"{name}{mark} :{t.name}{default}{note}"
    if type(t) is nodes.Maybe:
        if not field.required:
            return f"{name} {_form(t)[1]}{default}{note}"
        # A "?" at the end would also make the field optional.
        return f"{name} {_form(t.inner)[1]}|:nil{note}"
    mark = "" if field.required or default else "?"
    return f"{name}{mark} {_form(t)[1]}{default}{note}"


def _write_pattern(matching: nodes.PatternField) -> str:
    """Write the pattern field *matching* as pattern, type and description."""
    note, t = "", matching.type
    if isinstance(t, nodes.Annotation) and t.text is not None:
        note = f" {quote(t.text)}"
        t = t.inner
    return f"/{escape_slashes(matching.pattern)}/ {write_type(t)}{note}"


def find_losses(signature: Signature) -> tuple[Loss, ...]:
    """Return the losses of *signature* when it is written in shorthand."""
    from typesig.algebra.traversal import iter_types

    places: list[tuple[tuple[str, ...], nodes.Type]] = [
        (("params", field.name), field.type) for field in signature.params
    ]
    if signature.extra is not None:
        places.append((("params", "**"), signature.extra))
    places += [(("returns",), signature.returns)]
    places += [(("definitions", d.name), d.type) for d in signature.definitions]
    return tuple(
        Loss("omitted", path, f"title {part.title!r}", "shorthand has no titles")
        for path, whole in places
        for part in iter_types(whole)
        if isinstance(part, nodes.Annotation) and part.title is not None
    )
