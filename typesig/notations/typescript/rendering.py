"""A signature as TypeScript: the types that it names, and then itself."""

from __future__ import annotations

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.algebra.views.naming import with_all_definitions
from typesig.notations.texts.comments import express, identifier
from typesig.notations.typescript.writer import TAKEN, TypeWriter, aliases_of


def text_of(signature: Signature, lone: bool) -> tuple[str, Losses]:
    """Return *signature* as text, or its result alone, and the losses."""
    shown, losses = express(signature)
    [shown], ahead = with_all_definitions([shown], lambda name: identifier(name, TAKEN), TAKEN)
    writer = TypeWriter()
    lines = [text for _, text in aliases_of(shown)]
    lines += [writer.definition(name, t, ("definitions", name)) for name, t in ahead.items()]
    if lone:
        lines.append(writer.definition("Answer", shown.returns, ("returns",)))
    else:
        lines.append(writer.call("type Tool = ", " => ", shown))
    return "\n".join(lines), (*losses, *writer.losses)
