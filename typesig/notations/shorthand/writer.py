"""Writing shorthand: the canonical text of a signature; equal signatures give equal texts."""

from __future__ import annotations

from collections.abc import Container, Sequence

from typesig.algebra import nodes
from typesig.algebra.loss import Loss
from typesig.algebra.rows.frozen import NOTES
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature, mapped
from typesig.algebra.traversal import without_notes
from typesig.notations.texts.literals import escape_slashes, literal
from typesig.notations.texts.quoting import quoted
from typesig.notations.texts.type_texts import TypeTexts, plain_or_quoted

#: Other names of scalars, which are read and never written.
ALSO_READ: dict[str, ScalarName] = {"double": "float", "boolean": "bool"}

#: The names that a reference to a definition must quote.
RESERVED = frozenset({*SCALARS, *ALSO_READ, "enum", "one", "not", "count"})


def signature_text(signature: Signature, described: bool = True, ahead: Container[str] = ()) -> str:
    """Return *signature* as text: `(params) -> result`, with its definitions after `where`.

    The definitions with the names *ahead* stand elsewhere and are left out.
    """
    if not described and (signature.definitions or signature.extra not in (nodes.ANY, None)):
        signature = mapped(signature, without_notes)
    returns, note = signature.returns, ""
    returns = returns if described else without_notes(returns)
    if isinstance(returns, nodes.Noted) and returns.text is not None:
        note = f" {quoted(returns.text)}"
        returns = returns.inner
    text = f"{_params(signature, described)} -> {type_text(returns)}{note}"
    return text + _where(signature, ahead)


def arguments_text(signature: Signature) -> str:
    """Return what a call of *signature* takes, without descriptions: `(a :T) where T = :int`."""
    signature = mapped(signature, without_notes)
    return _params(signature, False) + _where(signature)


def _params(signature: Signature, described: bool) -> str:
    closed = "!" if signature.extra is None else ""
    return f"({', '.join(_fields(signature.params, signature.extra, (), described))}){closed}"


def _where(signature: Signature, ahead: Container[str] = ()) -> str:
    if not signature.definitions:
        return ""
    named = [definition_text(d.name, d.type) for d in signature.definitions if d.name not in ahead]
    return f" where {', '.join(named)}" if named else ""


def definition_text(name: str, t: nodes.Type) -> str:
    """Return the definition of *name*, as it stands after `where`."""
    return f"{plain_or_quoted(name)} = {type_text(t)}"


def type_text(t: nodes.Type, described: bool = True) -> str:
    """Return a type as text."""
    t = t if described else without_notes(t)
    return _form(t)[1]


def lone_text(signature: Signature, described: bool = True) -> str:
    """Return the result type of *signature*, with the definitions, as text."""
    if not described:
        signature = mapped(signature, without_notes)
    text = signature_text(Signature((), signature.returns, signature.definitions))
    head = "() -> "
    returns = signature.returns
    if not (isinstance(returns, nodes.Noted) and returns.text is not None):
        return text.removeprefix(head)
    whole = type_text(returns)
    where = text.find(" where ", len(head + type_text(returns.inner)))
    return whole if where < 0 else whole + text[where:]


class _Shorthand(TypeTexts):
    """Writes the types of a signature."""

    __slots__ = ()
    sign = ":"
    reserved = RESERVED

    def record_text(self, t: nodes.Record) -> str:
        return _record_text(t)

    def enum_text(self, values: Sequence[Const]) -> str:
        return f":enum[{' '.join([literal(value) for value in values])}]"


_form = _Shorthand().form


#: Records by their ids, and their texts: extraction measures the text that a listing shows.
_TEXTS: dict[int, tuple[nodes.Record, str]] = {}
_MOST_TEXTS, _LONGEST_TEXT = 256, 2_000


def _record_text(t: nodes.Record) -> str:
    known = _TEXTS.get(id(t))
    if known is not None and known[0] is t:
        return known[1]
    closed = "!" if t.extra is None else ""
    text = f"{{{', '.join(_fields(t.fields, t.extra, t.matching))}}}{closed}"
    if len(text) <= _LONGEST_TEXT:
        if len(_TEXTS) >= _MOST_TEXTS:
            _TEXTS.clear()
        _TEXTS[id(t)] = t, text
    return text


def _fields(
    fields: Sequence[nodes.Field],
    extra: nodes.Type | None,
    matching: Sequence[nodes.Matching] = (),
    described: bool = True,
) -> list[str]:
    out = [field_text(field, described) for field in fields]
    if matching:
        out += [_matching_text(m) for m in matching]
    if extra is not None and extra is not nodes.ANY and extra != nodes.ANY:
        out.append(f"** {type_text(extra)}")
    return out


def field_text(field: nodes.Field, described: bool = True) -> str:
    """Return a field or parameter as text, such as `limit :int = 10`."""
    note, t = "", field.type
    if not t.flags & NOTES:
        pass
    elif not described:
        while type(t) is nodes.Noted:
            t = t.inner
        t = without_notes(t) if t.flags & NOTES else t
        # Without notes the type may become nullable, and then `Field` drops a default of nil.
        if field.default is not None and field.default.kind == "nil":
            field = field.with_type(t)
    else:
        if isinstance(t, nodes.Noted) and t.text is not None:
            note = f" {quoted(t.text)}"
            t = t.inner
        while isinstance(t, nodes.Noted) and t.text is None:
            t = t.inner
    name, default = quoted(field.name) if field.exact else field.name, ""
    if field.default is not None:
        default = f" = {literal(field.default)}"
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


def _matching_text(matching: nodes.Matching) -> str:
    note, t = "", matching.type
    if isinstance(t, nodes.Noted) and t.text is not None:
        note = f" {quoted(t.text)}"
        t = t.inner
    return f"/{escape_slashes(matching.pattern)}/ {type_text(t)}{note}"


def losses_of(signature: Signature) -> tuple[Loss, ...]:
    """Return the losses of *signature* in shorthand, which has no titles."""
    from typesig.algebra.traversal import walk

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
        for part in walk(whole)
        if isinstance(part, nodes.Noted) and part.title is not None
    )
