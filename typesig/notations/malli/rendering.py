"""Signatures to Malli data and EDN text."""

from __future__ import annotations

from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature, lone
from typesig.notations.malli.spelling import Spelling
from typesig.notations.malli.widening import widen_signature
from typesig.notations.malli.writer import Writer


def render_data(
    signature: Signature, spelling: Spelling, result_only: bool, named: bool
) -> tuple[Any, Losses]:
    """Return *signature*, or only its result, as data in *spelling*, and its losses."""
    if result_only:
        signature = lone(signature.returns, signature.definitions)
    widened, losses = widen_signature(signature, spelling, named)
    writer = Writer(spelling)
    if result_only:
        return writer.with_registry(writer.type_form(widened.returns), widened), losses
    return writer.function_form(widened, named), losses
