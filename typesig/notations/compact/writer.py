"""Writing the compact notation, what it can express, and losses: equal signatures, equal texts."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from operator import is_
from typing import TypeAlias

from typesig.algebra import nodes
from typesig.algebra.constructors import make_noted
from typesig.algebra.definitions import Definition
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import Annotation, Record, Type
from typesig.algebra.redaction import redact
from typesig.algebra.rows.frozen import HIDDEN, NOTES, RECORDS
from typesig.algebra.rows.names import is_plain
from typesig.algebra.rows.scalars import SCALARS
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature, get_flags, get_outer_types
from typesig.algebra.traversal import get_children, get_placed_children, rebuild
from typesig.notations.texts.literals import (
    UNION,
    TypeTexts,
    escape_slashes,
    quote_unless_plain,
    write_literal,
)
from typesig.notations.texts.quoting import quote

# --- Writing the compact notation: equal signatures give equal texts ---
# A parameter or field with a description stands on a line of its own, with one blank of indent;
# others stand on the line that they follow.

#: The names that a reference to a definition must quote.
RESERVED = frozenset({*SCALARS, "enum", "one", "not", "count"})

#: The words that an enum writes in quotes.
_QUOTED = frozenset({*SCALARS, "true", "false", "null"})


def is_bare(word: str) -> bool:
    """Whether *word* needs no quotes in an enum of several words."""
    return is_plain(word) and word not in _QUOTED and not word[0].isupper()


def write_signature(
    signature: Signature, exact: bool | None = None, ahead: Container[str] = ()
) -> str:
    """Write *signature*, without titles and firewalled names, as compact text.

    *exact* is whether names without quotes are exact; if None, the text says so with a mark where
    all names are.  The definitions with the names *ahead* stand elsewhere and are left out.
    """
    mark = ""
    if exact is None:
        exact = find_name_kinds(signature) == {True}
        mark = "=" if exact else ""
    write = _CompactWriter(exact)
    closed = "!" if signature.extra is None else ""
    params = write.write_entries(signature.params, signature.extra)
    text = f"{mark}({params}){closed}"
    where = " "
    if signature.returns != nodes.ANY:
        returns, note = _split_description(signature.returns)
        text += f" -> {write.write_at(returns, UNION)}{note}"
        where = "\n" if note.startswith(" ;") else " "
    named = [
        write_definition(d.name, d.type, exact)
        for d in signature.definitions
        if d.name not in ahead
    ]
    return f"{text}{where}where {', '.join(named)}" if named else text


def write_definition(name: str, t: nodes.Type, exact: bool) -> str:
    """Write the definition of *name* as the type *t*, as it appears after `where`."""
    return f"{quote_unless_plain(name)}={write_type(t, exact)}"


def write_type(t: nodes.Type, exact: bool) -> str:
    """Write *t*, without titles and firewalled names, as compact text."""
    return _CompactWriter(exact).write_at(t, UNION)


def find_name_kinds(signature: Signature) -> set[bool]:
    """Return the kinds of unquoted names in *signature*: exact (True), folded (False).

    The set has True if there are exact ones, and False if there are others.
    """
    fields = list(signature.params)
    wholes = [*get_outer_types(signature), *signature.names.values()]
    wholes = [part for part in wholes if part.flags & RECORDS]
    while wholes:
        part = wholes.pop()
        wholes += [child for child in get_children(part) if child.flags & RECORDS]
        fields += part.fields if isinstance(part, nodes.Record) else ()
    # Names without hyphen and underscore are the same either way; others need quotes anyway.
    return {f.exact for f in fields if ("_" in f.name or "-" in f.name) and is_plain(f.name)}


def _split_description(t: nodes.Type) -> tuple[nodes.Type, str]:
    """Return *t* without its description, and the description after a blank."""
    if not isinstance(t, nodes.Annotation):
        return t, ""
    text = t.text or ""
    # A description in quotes can have any character.
    return t.inner, f" ; {text}" if text.isprintable() else f" {quote(text)}"


#: A field as text, and its description.
_Entry: TypeAlias = tuple[str, str]


class _CompactWriter(TypeTexts):
    """Writer of types in the compact notation.

    #: exact: whether names without quotes are exact
    """

    __slots__ = ("exact",)
    sign = ""
    reserved = RESERVED

    def __init__(self, exact: bool) -> None:
        self.exact = exact

    def record_text(self, t: nodes.Record) -> str:
        """Write the record type *t* in braces, followed by `!` if it is closed."""
        closed = "!" if t.extra is None else ""
        return f"{{{self.write_entries(t.fields, t.extra, t.matching)}}}{closed}"

    def write_enum(self, values: Sequence[Const]) -> str:
        """Write the enum of the constants *values* in brackets."""
        if len(values) > 1 and all(v.kind == "string" and is_bare(v.value) for v in values):
            return f"[{' '.join([v.value for v in values])}]"
        texts = ",".join([write_literal(value) for value in values])
        # Other constants, in brackets alone, would be types.
        plain = all(v.kind in ("string", "int", "float", "bool") for v in values)
        return f"[{texts}]" if plain else f"enum[{texts}]"

    def write_entries(
        self,
        fields: Sequence[nodes.Field],
        extra: nodes.Type | None,
        matching: Sequence[nodes.PatternField] = (),
    ) -> str:
        """Write *fields*, patterns and *extra* up to the closing bracket."""
        entries = [self._write_field(field) for field in fields]
        entries += [self._write_pattern(m) for m in matching]
        if extra is not None and extra != nodes.ANY:
            entries.append((f"** {self.write_at(extra, UNION)}", ""))
        out: list[str] = []
        broken = False
        for place, (text, note) in enumerate(entries, 1):
            ends = note[:2] == " ;"
            comma = "," if place < len(entries) else ""
            before = "\n " if ends or broken else " " if out else ""
            # A description in quotes stands before the comma, one that ends the line behind it.
            out.append(f"{before}{text}{comma}{note}" if ends else f"{before}{text}{note}{comma}")
            broken = ends
        return "".join(out) + ("\n" if broken else "")

    def _write_field(self, field: nodes.Field) -> _Entry:
        """Return *field* as text (name, type, default), and its description."""
        t, note = _split_description(field.type)
        name = field.name
        bare = is_plain(name) and (self.exact or not field.exact)
        name = name if bare else quote(name)
        default = "" if field.default is None else f"={write_literal(field.default)}"
        if isinstance(t, nodes.Maybe):
            # A "?" at the end would also make a required field optional.
            text = (
                f"{self.write_at(t.inner, UNION)}|nil"
                if field.required
                else self.write_at(t, UNION)
            )
            return f"{name} {text}{default}", note
        mark = "" if field.required or default else "?"
        if isinstance(t, nodes.Scalar):
            text = "" if t.name == "string" else f" {t.name}"
        else:
            text = f" {self.write_at(t, UNION)}"
        return f"{name}{mark}{text}{default}", note

    def _write_pattern(self, matching: nodes.PatternField) -> _Entry:
        """Return the pattern field *matching* as text, and its description."""
        t, note = _split_description(matching.type)
        return f"/{escape_slashes(matching.pattern)}/ {self.write_at(t, UNION)}", note


# --- What the compact notation can express of a signature, and what it cannot, as losses ---

_BREAK = re.compile(r"\r\n|[\r\n]")

_MODEL = "the compact notation is for models, which are not shown them"
_TITLE = "the compact notation has no titles"
_LINE = "a description ends with its line"


def expressed(signature: Signature) -> tuple[Signature, Losses]:
    """Return *signature* as parsing its compact text restores it, and the losses."""
    losses: list[Loss] = []
    if get_flags(signature) & HIDDEN:
        shown = redact(signature, losses)
        if shown != signature:
            losses.insert(0, Loss("omitted", (), "firewalled names", _MODEL))
        signature = shown
    if not get_flags(signature) & NOTES:
        return signature, tuple(losses)
    params = [
        f.with_type(_express_type(f.type, ("params", f.name), losses, True))
        for f in signature.params
    ]
    returns = _express_type(signature.returns, ("returns",), losses, True)
    named = signature.definitions
    types = [_express_type(d.type, ("definitions", d.name), losses) for d in named]
    extra = signature.extra
    extra = None if extra is None else _express_type(extra, ("params", "**"), losses)
    same = returns is signature.returns and extra is signature.extra
    same = same and all(map(is_, params, signature.params))
    if same and all(t is d.type for t, d in zip(types, named, strict=True)):
        return signature, tuple(losses)
    definitions = [Definition(d.name, t) for d, t in zip(named, types, strict=True)]
    return Signature(params, returns, definitions, extra, signature.io), tuple(losses)


def _express_type(
    t: Type, path: tuple[str, ...], losses: list[Loss], is_field: bool = False
) -> Type:
    """Return *t* without titles, and with the descriptions of fields on one line.

    *is_field* is whether *t* is the type of a field, a key pattern or the result.
    """
    if not t.flags & NOTES:
        return t
    if not isinstance(t, Annotation):
        count = len(t.fields) + len(t.matching) if isinstance(t, Record) else 0
        old = get_placed_children(t, path)
        new = [_express_type(*part, losses, place < count) for place, part in enumerate(old)]
        is_same = all(part is told for part, (told, _) in zip(new, old, strict=True))
        return t if is_same else rebuild(t, new)
    if t.title is not None:
        losses.append(Loss("omitted", path, f"title {t.title!r}", _TITLE))
    inner = _express_type(t.inner, path, losses)
    is_told = inner is t.inner and t.title is None and t.text
    found = t if is_told else make_noted(inner, t.text)
    if not is_field or not isinstance(found, Annotation) or not _BREAK.search(found.text or ""):
        return found
    losses.append(Loss("omitted", path, "line breaks of a description", _LINE, "blanks"))
    return Annotation(found.inner, _BREAK.sub(" ", found.text or ""))
