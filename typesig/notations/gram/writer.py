"""A signature to gram text; only what gram can express is written, so widen it before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.names import has_positional_name
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature
from typesig.notations.gram.spellings import ARRAY, spelling_of
from typesig.notations.texts.quoting import quoted


def signature_text(signature: Signature) -> str:
    """Return *signature* as text: `(params) --> result`."""
    params = ", ".join(_params(signature.params))
    return f"({params}) --> {lone_text(signature)}"


def lone_text(signature: Signature) -> str:
    """Return only the result of *signature* as text."""
    effect = "IO " if signature.io else ""
    return effect + type_text(signature.returns)


def _params(params: tuple[nodes.Field, ...]) -> Iterator[str]:
    for place, param in enumerate(params, 1):
        name = "" if has_positional_name(param, place) else f"{_name(param)}: "
        yield name + type_text(param.type)


def _name(field: nodes.Field) -> str:
    return quoted(field.name) if field.exact else field.name


def type_text(t: nodes.Type) -> str:
    """Return *t* as text."""
    return "".join(_pieces(t))


def brief_text(t: nodes.Type, most: int) -> str:
    """Return *t* as text, shortened to *most* characters.

    Only the part that is shown is written, however large the type is.
    """
    out = ""
    for piece in _pieces(t):
        out += piece
        if len(out) > most:
            return f"{out[: most - 1]}…"
    return out


def _pieces(t: nodes.Type) -> Iterator[str]:
    match t:
        case nodes.Scalar(name):
            yield spelling_of(name).word
        case nodes.List(item):
            yield "["
            yield from _pieces(item)
            yield "]"
        case nodes.Record(fields):
            yield "{"
            for place, field in enumerate(fields):
                yield f"{', ' if place else ''}{_name(field)}: "
                yield from _pieces(field.type)
            yield "}"
        case nodes.Maybe(inner):
            yield "Maybe "
            yield from _pieces(inner)
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():  # pragma: no cover
            raise AssertionError(t)  # these are widened before
        case _:
            assert_never(t)


def path_text(signature: Signature) -> str:
    """Return *signature* in the path form: `(name::Label {default:…})==>(::Label)`."""
    written = [_node(param, place) for place, param in enumerate(signature.params, 1)]
    return "==>".join([*(written or ["()"]), lone_node_text(signature)])


def lone_node_text(signature: Signature) -> str:
    """Return the last node of *signature* in the path form."""
    return f"(::{label(signature.returns)})"


def label(t: nodes.Type) -> str:
    """Return the label of *t* in the path form, a scalar or a list of anything."""
    match t:
        case nodes.Scalar(name):
            return spelling_of(name).label
        case nodes.List():
            return ARRAY
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():  # pragma: no cover
            raise AssertionError(t)  # these are widened before
        case _:
            assert_never(t)


def _node(param: nodes.Field, place: int) -> str:
    name = "" if has_positional_name(param, place) else _name(param)
    t = param.type
    return f"({name}::{label(t.inner if isinstance(t, nodes.Maybe) else t)}{default_text(param)})"


def default_text(param: nodes.Field) -> str:
    """Return the default of a node as text; null if the parameter is nullable."""
    if isinstance(param.type, nodes.Maybe):
        return " {default:null}"
    return "" if param.default is None else f" {{default:{json_text(param.default)}}}"


def json_text(value: Const) -> str:
    """Return a constant as JSON on one line, unprintable characters escaped."""
    dumped = json.dumps(value.thaw(), ensure_ascii=False, separators=(",", ":"))
    return dumped if dumped.isprintable() else json.dumps(value.thaw(), separators=(",", ":"))
