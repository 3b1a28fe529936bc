"""A signature to gram text; only what gram can express is written, so widen it before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.nodes import ANY, Type
from typesig.algebra.rows.names import has_positional_name
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature
from typesig.errors import INVALID_SYNTAX
from typesig.notations.texts.quoting import quote

# --- How gram spells the scalars, and the codes of its mistakes ---
# To spell another scalar, add its row: a name and a label, or a wider type and the reason.


class LabelSpelling(NamedTuple):
    """Gram spelling of a scalar: its type name, and its label in the path form.

    #: word: its type
    #: label: its label in the path form
    #: why: why writing it is a loss, and what to use instead; empty if it is not
    """

    word: str
    label: str
    why: str = ""


class WiderLabel(NamedTuple):
    """A wider type for a scalar that gram cannot express, and the reason.

    #: type: the nearest type that takes its values, which is written instead
    #: why: why gram cannot express it, and what to use instead
    """

    type: Type
    why: str


SPELLINGS: dict[ScalarName, LabelSpelling | WiderLabel] = {
    "string": LabelSpelling("Text", "String"),
    "int": LabelSpelling("Int", "Integer"),
    "float": LabelSpelling("Double", "Number"),
    "bool": LabelSpelling("Bool", "Boolean"),
    "keyword": WiderLabel(ANY, "gram has no keywords; use a text"),
    "any": LabelSpelling("Any", "Any", "gram has no type of everything; name a type"),
    "nil": WiderLabel(ANY, "gram has no type of only null; use Maybe with another type"),
    "datetime": WiderLabel(ANY, "gram has no times; use a text"),
    "map": LabelSpelling("Object", "Object"),
}

#: The label of a list, only in the path form.
ARRAY = "Array"

#: The scalars by their words, which are read as types and as labels.
READ: dict[str, ScalarName] = {
    word: name
    for name, row in SPELLINGS.items()
    if isinstance(row, LabelSpelling)
    for word in (row.word, row.label)
}


def get_spelling(name: ScalarName) -> LabelSpelling:
    """Return the spelling of a scalar that gram can express."""
    row = SPELLINGS[name]
    assert isinstance(row, LabelSpelling)
    return row


#: The codes of mistakes.
UNKNOWN_TYPE = "unknown_type"
MALFORMED_PARAMETERS = "malformed_parameters"
INVALID_RECORD = "invalid_record"
MISSING_RETURN_TYPE = "missing_return_type"
CODES = (INVALID_SYNTAX, UNKNOWN_TYPE, MALFORMED_PARAMETERS, INVALID_RECORD, MISSING_RETURN_TYPE)


def write_signature(signature: Signature) -> str:
    """Write *signature* as gram text: `(params) --> result`."""
    params = ", ".join(_write_params(signature.params))
    return f"({params}) --> {write_result(signature)}"


def write_result(signature: Signature) -> str:
    """Write only the result of *signature* as gram text."""
    effect = "IO " if signature.io else ""
    return effect + write_type(signature.returns)


def _write_params(params: tuple[nodes.Field, ...]) -> Iterator[str]:
    """Yield the gram text of each parameter in *params*."""
    for place, param in enumerate(params, 1):
        name = "" if has_positional_name(param, place) else f"{_name(param)}: "
        yield name + write_type(param.type)


def _name(field: nodes.Field) -> str:
    """Write the name of *field*, in quotes if it is exact."""
    return quote(field.name) if field.exact else field.name


def write_type(t: nodes.Type) -> str:
    """Write the type *t* as gram text."""
    return "".join(_iter_pieces(t))


def write_brief(t: nodes.Type, most: int) -> str:
    """Write the type *t* as gram text, shortened to *most* characters.

    Only the part that is shown is written, however large the type is.
    """
    out = ""
    for piece in _iter_pieces(t):
        out += piece
        if len(out) > most:
            return f"{out[: most - 1]}…"
    return out


def _iter_pieces(t: nodes.Type) -> Iterator[str]:
    """Yield the gram text of the type *t* in small strings."""
    match t:
        case nodes.Scalar(name):
            yield get_spelling(name).word
        case nodes.List(item):
            yield "["
            yield from _iter_pieces(item)
            yield "]"
        case nodes.Record(fields):
            yield "{"
            for place, field in enumerate(fields):
                yield f"{', ' if place else ''}{_name(field)}: "
                yield from _iter_pieces(field.type)
            yield "}"
        case nodes.Maybe(inner):
            yield "Maybe "
            yield from _iter_pieces(inner)
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():  # pragma: no cover
            raise AssertionError(t)  # these are widened before
        case _:
            assert_never(t)


def write_path(signature: Signature) -> str:
    """Return *signature* in the path form: `(name::Label {default:…})==>(::Label)`."""
    written = [_write_node(param, place) for place, param in enumerate(signature.params, 1)]
    return "==>".join([*(written or ["()"]), write_last_node(signature)])


def write_last_node(signature: Signature) -> str:
    """Return the last node of *signature* in the path form."""
    return f"(::{write_label(signature.returns)})"


def write_label(t: nodes.Type) -> str:
    """Write *t*, a scalar or a list of anything, as a label of the path form."""
    match t:
        case nodes.Scalar(name):
            return get_spelling(name).label
        case nodes.List():
            return ARRAY
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():  # pragma: no cover
            raise AssertionError(t)  # these are widened before
        case _:
            assert_never(t)


def _write_node(param: nodes.Field, place: int) -> str:
    """Write *param*, the parameter at position *place*, as a node of the path form."""
    name = "" if has_positional_name(param, place) else _name(param)
    t = param.type
    label = write_label(t.inner if isinstance(t, nodes.Maybe) else t)
    return f"({name}::{label}{default_text(param)})"


def default_text(param: nodes.Field) -> str:
    """Write the default of *param* as a node property; null if it is nullable."""
    if isinstance(param.type, nodes.Maybe):
        return " {default:null}"
    return "" if param.default is None else f" {{default:{write_json(param.default)}}}"


def write_json(value: Const) -> str:
    """Write the constant *value* as JSON on one line."""
    dumped = json.dumps(value.thaw(), ensure_ascii=False, separators=(",", ":"))
    return dumped if dumped.isprintable() else json.dumps(value.thaw(), separators=(",", ":"))
