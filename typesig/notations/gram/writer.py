"""A signature to gram text; only what gram can express is written, so widen it before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.names import has_positional_name
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature
from typesig.notations.gram.spellings import ARRAY, get_spelling
from typesig.notations.texts.quoting import quote


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
