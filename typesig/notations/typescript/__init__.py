"""TypeScript, which models know: `type Tool = (args: {query: string}) => int[]`; only written.

`writer` writes types, and comments on what TypeScript cannot say: bounds, defaults, descriptions.
"""

from __future__ import annotations

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.notations.texts.notation import Notation


def render(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return *signature* as `type Tool`, or its result as `type Answer`, and the losses."""
    from typesig.notations.typescript.writer import write_signature

    return write_signature(signature, lone)


NOTATION = Notation("typescript", "type Tool = (args: {id: int}) => string", render)

__all__ = ["NOTATION", "render"]
