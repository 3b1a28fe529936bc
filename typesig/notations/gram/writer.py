"""A signature to gram text: of images alone, in which all can be said.

Nothing here loads lark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import assert_never

from typesig.algebra.nodes import (
    Both,
    Enum,
    Field,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.positional import has_positional_name
from typesig.algebra.signature import Signature
from typesig.algebra.values import Const
from typesig.notations.gram.spellings import ARRAY, SPELLINGS
from typesig.notations.quoting import quoted


def signature_text(signature: Signature) -> str:
    """Return an image as text: `(params) --> result`."""
    params = ", ".join(_params(signature.params))
    return f"({params}) --> {lone_text(signature)}"


def lone_text(signature: Signature) -> str:
    """Return the result of an image alone."""
    effect = "IO " if signature.io else ""
    return effect + type_text(signature.returns)


def _params(params: tuple[Field, ...]) -> Iterator[str]:
    for place, param in enumerate(params, 1):
        name = "" if has_positional_name(param, place) else f"{_name(param)}: "
        yield name + type_text(param.type)


def _name(field: Field) -> str:
    return quoted(field.name) if field.exact else field.name


def type_text(t: Type) -> str:
    """Return an image of a type as text."""
    return "".join(_pieces(t))


def brief_text(t: Type, most: int) -> str:
    """Return an image of a type as text of *most* characters, its end left out if need be.

    No more of it is written than is shown, however large it is.
    """
    out = ""
    for piece in _pieces(t):
        out += piece
        if len(out) > most:
            return f"{out[: most - 1]}…"
    return out


def _pieces(t: Type) -> Iterator[str]:
    match t:
        case Scalar(name):
            yield SPELLINGS[name].word
        case List(item):
            yield "["
            yield from _pieces(item)
            yield "]"
        case Record(fields):
            yield "{"
            for place, field in enumerate(fields):
                yield f"{', ' if place else ''}{_name(field)}: "
                yield from _pieces(field.type)
            yield "}"
        case Maybe(inner):
            yield "Maybe "
            yield from _pieces(inner)
        case (  # pragma: no cover - no image is one of these
            Set() | Tuple() | MapOf() | Enum() | Union() | One() | Both() | Not() | Refined()
            | Noted() | Ref()
        ):  # fmt: skip
            raise AssertionError(t)
        case _:
            assert_never(t)


def path_text(signature: Signature) -> str:
    """Return an image of the path form as text: `(name::Label {default:…})==>(::Label)`."""
    nodes = [_node(param, place) for place, param in enumerate(signature.params, 1)]
    return "==>".join([*(nodes or ["()"]), lone_node_text(signature)])


def lone_node_text(signature: Signature) -> str:
    """Return the last node of an image of the path form."""
    return f"(::{label(signature.returns)})"


def label(t: Type) -> str:
    """Return the label of an image of the path form: a scalar, or a list of anything."""
    return SPELLINGS[t.name].label if isinstance(t, Scalar) else ARRAY


def _node(param: Field, place: int) -> str:
    name = "" if has_positional_name(param, place) else _name(param)
    t = param.type
    said = default_text(param)
    return f"({name}::{label(t.inner if isinstance(t, Maybe) else t)}{said})"


def default_text(param: Field) -> str:
    """Return what a node says beside its type: the default; null for what may be null."""
    if isinstance(param.type, Maybe):
        return " {default:null}"
    return "" if param.default is None else f" {{default:{json_text(param.default)}}}"


def json_text(value: Const) -> str:
    """Return a constant as JSON on one line, whatever cannot be printed escaped."""
    dumped = json.dumps(value.thaw(), ensure_ascii=False, separators=(",", ":"))
    return dumped if dumped.isprintable() else json.dumps(value.thaw(), separators=(",", ":"))
