"""JSON Schema, both ways: the schemas of other tools, and those that providers are given.

To read: `parsing` has the public functions, and `several` those for many schemas; `reader` reads a
schema as a conjunction of the keywords for each kind of values (`values`) and of applicators
(`unevaluated`), at its place (`places`); `references` finds what a reference leads to;
`parameters` makes the parameters of a signature.
To write: `writer` has the functions behind the methods of a signature; `model_view` makes the
types that a model is shown, and `widening` what JSON Schema can express of a type.
To add a draft, add a row to `dialects`; a constraint or a format, to `keywords`; a scalar, to
`widening`; an applicator, to `reader`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.notations.texts.notation import Notation


def parse(
    source: Any, lossy: bool = False, resources: Mapping[str, Any] | None = None
) -> tuple[Signature, Losses]:
    """Return the signature of a schema, or of a pair of schemas, and the losses.

    *resources* are the schemas that references out of it lead to, by their URIs.
    """
    from typesig.notations.json_schema import parser

    return parser.parse(source, lossy, resources)


def render(signature: Signature, lone: bool = False) -> tuple[Any, Losses]:
    """Return the pair of schemas of *signature*, or if *lone* only the result's, and the losses."""
    from typesig.notations.json_schema import writer

    return writer.render(signature, lone)


def make_expressible(signature: Signature) -> Signature:
    """Return *signature* as parsing its JSON Schema restores it."""
    from typesig.notations.json_schema.widening import make_expressible_with_losses

    return make_expressible_with_losses(signature)[0]


NOTATION = Notation(
    "json_schema",
    {"type": "integer"},
    render,
    parse,
    make_expressible,
    given="json",
    read_options=frozenset({"resources"}),
)

__all__ = ["NOTATION", "make_expressible", "parse", "render"]
