"""The style `call`: each tool as the JSON of its call, with types in place of values.

Small models copy what they see: in the shape of a call, they find the right tool more often than in
a signature, at two thirds of the tokens of JSON definitions. Bounds are in words, as in `1 to 14`,
and the values of an enum are as they are sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.loss import Losses
from typesig.algebra.naming import NamedSignatures, with_all_definitions
from typesig.algebra.signature import Signature
from typesig.listings.entries import HEADING, Layout
from typesig.listings.text_styles import ListingWriter
from typesig.notations.texts.comments import (
    Entry,
    Path,
    WrittenType,
    express,
    join_comments,
    lay_out,
    make_comment,
    make_identifier,
)
from typesig.notations.texts.literals import write_literal
from typesig.notations.texts.quoting import quote
from typesig.notations.typescript.writer import (
    TAKEN,
    TypeWriter,
    find_aliases,
    write_property_name,
)

CALL_LEGEND = (
    "# x? may be left out.",
    "# In parentheses: bounds, default, meaning.",
    "# -> is the result.",
)


class CallWriter(TypeWriter):
    """Writer of types on one line, with the comments of fields in parentheses."""

    where, mark = "the style call", "#"

    def write_call(self, name: str, signature: Signature) -> str:
        """Write the call of the tool *name* with *signature*, and its result."""
        notes = self._describe_extra(signature.extra, ("params",), "other arguments")
        entries = [self._write_field(field, ("params", field.name)) for field in signature.params]
        returns, note = self._split_annotations(signature.returns, ("returns",))
        written = self._write_at(returns, ("returns",), 0)
        result = "" if returns == nodes.ANY else f" -> {written.text}"
        said = join_comments(make_comment(notes, None), make_comment(written.notes, note))
        sent = f'"name": {quote(name)}, "arguments": {{{lay_out(entries, self.mark)}}}'
        return f"{{{sent}}}{result}{self._add_comment(said)}"

    def _add_comment(self, comment: str) -> str:
        """Format *comment* to follow a type, in parentheses."""
        return f" ({comment})" if comment else ""

    def _write_field(self, field: nodes.Field, path: Path) -> Entry:
        """Write *field* with its comment behind its type."""
        text, comment = self._describe_field(field, path)
        mark = "" if field.required else "?"
        name = write_property_name(field.name)
        return Entry(f"{name}{mark}: {text}{self._add_comment(comment)}", "")

    def _write_form(self, t: nodes.Type, path: Path) -> WrittenType:
        """Write the type *t*; the values of an enum stand without blanks."""
        written = super()._write_form(t, path)
        if isinstance(t, nodes.Enum):
            values = "|".join([write_literal(value, True) for value in t.values])
            written = written._replace(text=values)
        return written

    def _describe_refined(self, t: nodes.Refinement, path: Path) -> WrittenType:
        """Write the inner type of *t*, with its constraints in words."""
        made = super()._describe_refined(t, path)
        said = _write_bounds(t)
        return made if said is None else made._replace(notes=(*made.notes[:-1], said))


def _write_bounds(t: nodes.Refinement) -> str | None:
    """Write the bounds of *t* in words, or return None for other constraints.

    >>> from typesig import parse
    >>> _write_bounds(parse("[:int][2..]").returns), _write_bounds(parse(":int[1..9]").returns)
    ('at least 2 items', '1 to 9')
    """
    found = {each.name: each.argument.value for each in t.constraints}
    if not found.keys() <= {"at_least", "at_most"}:
        return None
    unit = " item"
    if isinstance(t.inner, nodes.Scalar) and t.inner != nodes.MAP:
        unit = " character" if t.inner == nodes.STRING else ""
    low, high = found.get("at_least"), found.get("at_most")
    if low is not None and high is not None and low > high:
        return None
    unit += "s" if unit and (low if high is None else high) != 1 else ""
    if low is None or high is None:
        return f"at most {high!r}{unit}" if low is None else f"at least {low!r}{unit}"
    return f"{low!r} to {high!r}{unit}" if low < high else f"exactly {low!r}{unit}"


def make_call_writer(_arranged: NamedSignatures, _names: Sequence[str]) -> ListingWriter:
    """Build the writer of a listing of calls."""

    def entry(name: str, signature: Signature, lines: Sequence[str]) -> tuple[str, Losses]:
        writer = CallWriter()
        call = writer.write_call(name, signature)
        return "\n".join([*(f"# {line}" for line in lines), call]), tuple(writer.losses)

    definition = partial(define_type, CallWriter)
    return ListingWriter(Layout(HEADING), entry, definition, aliases=_find_aliases)


def define_type(make: Callable[[], Any], name: str, t: nodes.Type) -> tuple[str, Losses]:
    """Write the definition of *t* as *name* with a new writer of a style of code."""
    writer = make()
    return writer.write_definition(name, t), tuple(writer.losses)


def _find_aliases(signature: Signature) -> list[tuple[str, str]]:
    """Find the scalars of *signature* that do not say by themselves what they are."""
    return [
        (name, text.replace("//", "#")) for name, text in find_aliases(signature) if name != "int"
    ]


def write_answer_type(signature: Signature) -> str:
    """Write the result of *signature*, after the types that it refers to."""
    shown, _ = express(signature)
    [shown], ahead = with_all_definitions([shown], lambda name: make_identifier(name, TAKEN), TAKEN)
    writer = CallWriter()
    lines = [text for _, text in _find_aliases(shown)]
    lines += [writer.write_definition(name, t, ("definitions", name)) for name, t in ahead.items()]
    inner, note = writer._split_annotations(shown.returns, ("returns",))
    written = writer._write_at(inner, ("returns",), 0)
    comment = writer._add_comment(make_comment(written.notes, note))
    return "\n".join([*lines, f"{written.text}{comment}"])
