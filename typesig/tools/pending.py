"""What a tool keeps until its hints are read."""

from __future__ import annotations

from typing import NamedTuple

from typesig.extraction.callables.callables import Callee
from typesig.extraction.callables.options import Options


class Pending(NamedTuple):
    """What a tool's signature is read from when it is first needed."""

    callee: Callee
    signature: object
    description: str | None
    options: Options
