"""JSON Schema, both ways: the schemas of others, and those that providers are given.

`imported` has what reads: a schema is read by the `reader`, as a conjunction of what it says of
kinds of values (`values`, `arrays`, `objects`) and of the whole.  `exported` has what writes: a
type becomes what JSON Schema can express of it (`rewriting`), which the `writer` writes;
`model_view` says how the types differ that a model is shown.  `ptc_runner` is a compatibility
profile.
To add a draft, add a row to `dialects`; a constraint, to `kinds`; an applicator, to `reader`.
"""

from __future__ import annotations

from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.notations.notation import Notation


def parse(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature of a schema, or of a pair of them, and its losses."""
    from typesig.notations.json_schema import imported

    return imported.parse(source, lossy)


def render(signature: Signature, lone: bool = False) -> tuple[Any, Losses]:
    """Return the pair of schemas of *signature*, the result's alone where *lone*, and losses."""
    from typesig.notations.json_schema import exported

    return exported.render(signature, lone)


def expressible(signature: Signature) -> Signature:
    """Return what reading *signature* back from its JSON Schema gives."""
    from typesig.notations.json_schema.rewriting import expressible_with_losses

    return expressible_with_losses(signature)[0]


NOTATION = Notation("json_schema", {"type": "integer"}, render, parse, expressible)

__all__ = ["NOTATION", "expressible", "parse", "render"]
