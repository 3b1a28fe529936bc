"""Types of answers for the laws of engines."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.generators import lone_signatures, without_defaults
from typesig.algebra.redaction import redact
from typesig.algebra.signature import Signature
from typesig.notations.json_schema import make_expressible

#: The options of a grammar of every value that conforms.
UNBOUNDED: Any = {"longest": None, "digits": None, "items": None, "closed": False}


@st.composite
def answers(draw: st.DrawFn) -> Signature:
    """Draw a type as JSON has it, with exact names and without defaults."""
    return make_expressible(redact(without_defaults(draw(lone_signatures()))))
