"""A signature as a Python stub: the types that it names, and then itself."""

from __future__ import annotations

from typesig.algebra.loss import Losses
from typesig.algebra.naming import with_all_definitions, with_named_records
from typesig.algebra.signature import Signature
from typesig.notations.comments import express, identifier
from typesig.notations.python.writer import TAKEN, StubWriter


def text_of(signature: Signature, lone: bool) -> tuple[str, Losses]:
    """Return *signature* as text, or its result alone, and the losses."""
    shown, losses = express(signature)
    named = with_all_definitions([shown], lambda name: identifier(name, TAKEN), TAKEN)
    hint = "answer" if lone else "tool"
    [shown], ahead = with_named_records(named, [hint], lambda record, times: True, TAKEN)
    writer = StubWriter()
    lines = [writer.definition(name, t, ("definitions", name)) for name, t in ahead.items()]
    if lone:
        lines.append(writer.definition("Answer", shown.returns, ("returns",)))
    else:
        lines.append(writer.function("tool", shown, ()))
    return "\n".join(lines), (*losses, *writer.losses)
