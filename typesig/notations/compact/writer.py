"""Writing the compact notation: equal signatures give equal texts.

A parameter or field with a description stands on a line of its own, with one blank of indent;
others stand on the line that they follow.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.frozen import RECORDS
from typesig.algebra.rows.names import is_plain
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import children
from typesig.notations.compact.names import RESERVED, is_bare
from typesig.notations.texts.literals import constraints_text, count_text, escape_slashes, literal
from typesig.notations.texts.quoting import quoted

# How tightly a form binds.  A form in a place that asks for more is put in parentheses.
_UNION, _BOTH, _POSTFIX, _ATOM = range(4)


def signature_text(
    signature: Signature, exact: bool | None = None, ahead: Container[str] = ()
) -> str:
    """Return *signature*, which has no titles and no firewalled names, as text.

    *exact* is whether names without quotes are exact; if None, the text says so with a mark where
    all names are.  The definitions with the names *ahead* stand elsewhere and are left out.
    """
    mark = ""
    if exact is None:
        exact = kinds_of_names(signature) == {True}
        mark = "=" if exact else ""
    write = _Writer(exact)
    closed = "!" if signature.extra is None else ""
    params = write.entries(signature.params, signature.extra)
    text = f"{mark}({params}){closed}"
    where = " "
    if signature.returns != nodes.ANY:
        returns, note = _parted(signature.returns)
        text += f" -> {write.at(returns, _UNION)}{note}"
        where = "\n" if _ends_line(note) else " "
    named = [
        definition_text(d.name, d.type, exact) for d in signature.definitions if d.name not in ahead
    ]
    return f"{text}{where}where {', '.join(named)}" if named else text


def definition_text(name: str, t: nodes.Type, exact: bool) -> str:
    """Return the definition of *name*, as it stands after `where`."""
    return f"{name if is_plain(name) else quoted(name)}={type_text(t, exact)}"


def type_text(t: nodes.Type, exact: bool) -> str:
    """Return *t*, which has no titles and no firewalled names, as text."""
    return _Writer(exact).at(t, _UNION)


def kinds_of_names(signature: Signature) -> set[bool]:
    """Return for which of *signature*'s names without quotes it matters whether they are exact.

    The set has True if there are exact ones, and False if there are others.
    """
    wholes = [signature.returns, *[d.type for d in signature.definitions]]
    wholes += [] if signature.extra is None else [signature.extra]
    fields = list(signature.params)
    wholes += [field.type for field in signature.params]
    wholes = [part for part in wholes if part.flags & RECORDS]
    while wholes:
        part = wholes.pop()
        wholes += [child for child in children(part) if child.flags & RECORDS]
        fields += part.fields if isinstance(part, nodes.Record) else ()
    # Names without hyphen and underscore are the same either way; others need quotes anyway.
    return {f.exact for f in fields if ("_" in f.name or "-" in f.name) and is_plain(f.name)}


def _parted(t: nodes.Type) -> tuple[nodes.Type, str]:
    """Return *t* without its description, and the text of the description with a blank before."""
    if not isinstance(t, nodes.Noted):
        return t, ""
    text = t.text or ""
    # A description in quotes can have any character.
    return t.inner, f" ; {text}" if text.isprintable() else f" {quoted(text)}"


def _ends_line(note: str) -> bool:
    return note.startswith(" ;")


#: A field as text, and its description.
_Entry: TypeAlias = tuple[str, str]


class _Writer(NamedTuple):
    """Writes the types of a signature.

    #: exact: whether names without quotes are exact
    """

    exact: bool

    def at(self, t: nodes.Type, place: int) -> str:
        """Return *t* as text, in parentheses if it binds less tightly than *place* asks."""
        binding, text = self._form(t)
        return text if binding >= place else f"({text})"

    def _form(self, t: nodes.Type) -> tuple[int, str]:
        """Return how tightly the form of *t* binds, and its text."""
        match t:
            case nodes.Scalar(name):
                return _ATOM, name
            case nodes.List(item):
                return _ATOM, f"[{self.at(item, _UNION)}]"
            case nodes.Set(item):
                return _ATOM, f"#{{{self.at(item, _UNION)}}}"
            case nodes.Tuple(items, rest):
                texts = [self.at(item, _UNION) for item in items]
                texts += [] if rest is None else [f"** {self.at(rest, _UNION)}"]
                return _ATOM, f"[{', '.join(texts)}]"
            case nodes.MapOf(key, value):
                first = "" if key == nodes.STRING else self.at(key, _UNION) + " "
                return _ATOM, f"map[{first}{self.at(value, _UNION)}]"
            case nodes.Record(fields, extra, matching):
                closed = "!" if extra is None else ""
                return _ATOM, f"{{{self.entries(fields, extra, matching)}}}{closed}"
            case nodes.Maybe(inner):
                # The inner type never ends in a "?" itself: a maybe is never within a maybe.
                place = _POSTFIX if isinstance(inner, nodes.Refined) else _ATOM
                return _POSTFIX, self.at(inner, place) + "?"
            case nodes.Enum(values):
                return _ATOM, _enum_text(values)
            case nodes.Union(members):
                return _UNION, "|".join(self.at(member, _BOTH) for member in members)
            case nodes.One(members):
                return _ATOM, f"one[{', '.join(self.at(m, _UNION) for m in members)}]"
            case nodes.Both(members):
                return _BOTH, " & ".join(self.at(member, _POSTFIX) for member in members)
            case nodes.Not(inner):
                return _ATOM, f"not[{self.at(inner, _UNION)}]"
            case nodes.Counted(item):
                return _ATOM, f"count[{count_text(t)} {self.at(item, _UNION)}]"
            case nodes.Refined(inner, constraints):
                return _POSTFIX, f"{self.at(inner, _ATOM)}[{constraints_text(constraints)}]"
            case nodes.Noted(inner, text):
                return _ATOM, f"({self.at(inner, _UNION)} {quoted(text or '')})"
            case nodes.Ref(name):
                return (
                    _ATOM,
                    f":{name if is_plain(name) and name not in RESERVED else quoted(name)}",
                )
            case _:
                assert_never(t)

    def entries(
        self,
        fields: Sequence[nodes.Field],
        extra: nodes.Type | None,
        matching: Sequence[nodes.Matching] = (),
    ) -> str:
        """Return fields and what stands behind them, up to the closing bracket."""
        entries = [self._field(field) for field in fields]
        entries += [self._matching(m) for m in matching]
        if extra is not None and extra != nodes.ANY:
            entries.append((f"** {self.at(extra, _UNION)}", ""))
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

    def _field(self, field: nodes.Field) -> _Entry:
        t, note = _parted(field.type)
        name = field.name
        bare = is_plain(name) and (self.exact or not field.exact)
        name = name if bare else quoted(name)
        default = "" if field.default is None else f"={literal(field.default)}"
        if isinstance(t, nodes.Maybe):
            # A "?" at the end would also make a required field optional.
            text = f"{self.at(t.inner, _UNION)}|nil" if field.required else self.at(t, _UNION)
            return f"{name} {text}{default}", note
        mark = "" if field.required or default else "?"
        if isinstance(t, nodes.Scalar):
            text = "" if t.name == "string" else f" {t.name}"
        else:
            text = f" {self.at(t, _UNION)}"
        return f"{name}{mark}{text}{default}", note

    def _matching(self, matching: nodes.Matching) -> _Entry:
        t, note = _parted(matching.type)
        return f"/{escape_slashes(matching.pattern)}/ {self.at(t, _UNION)}", note


def _enum_text(values: Sequence[Const]) -> str:
    if len(values) > 1 and all(v.kind == "string" and is_bare(v.value) for v in values):
        return f"[{' '.join([v.value for v in values])}]"
    texts = ",".join([literal(value) for value in values])
    # Other constants, in brackets alone, would be types.
    plain = all(v.kind in ("string", "int", "float", "bool") for v in values)
    return f"[{texts}]" if plain else f"enum[{texts}]"
