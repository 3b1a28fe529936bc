"""Inputs of a tool until its hints are read."""

from __future__ import annotations

from typing import NamedTuple

from typesig.extraction.callables.callables import Callee
from typesig.extraction.callables.options import Options


class PendingTool(NamedTuple):
    """Inputs from which a tool's signature is read when first needed."""

    callee: Callee
    signature: object
    description: str | None
    options: Options
