"""Python stubs, which models know: `def tool(query: str) -> list[int]: ...`; only written.

`writer` writes types, and comments on what hints cannot say: bounds, defaults of keys,
descriptions.  A record is a `TypedDict` ahead of the function.
"""

from __future__ import annotations

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.notations.texts.notation import Notation


def render(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return *signature* as the function `tool`, or its result as `Answer`, and the losses."""
    from typesig.notations.python.writer import write_signature

    return write_signature(signature, lone)


NOTATION = Notation("python", "def tool(id: int) -> str: ...", render)

__all__ = ["NOTATION", "render"]
