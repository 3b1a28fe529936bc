"""Signatures to Malli data and EDN text."""

from __future__ import annotations

from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature, lone
from typesig.notations.malli.rewriting import expressible_with_losses
from typesig.notations.malli.spelling import Spelling
from typesig.notations.malli.writer import Writer


def written(
    signature: Signature, spelling: Spelling, alone: bool, named: bool
) -> tuple[Any, Losses]:
    """Return *signature* as data in *spelling*, its result alone where *alone*, and its losses."""
    if alone:
        signature = lone(signature.returns, signature.definitions)
    made, losses = expressible_with_losses(signature, spelling, named)
    writer = Writer(spelling)
    if alone:
        return writer.registered(writer.of(made.returns), made), losses
    return writer.whole(made, named), losses
