"""A signature as a Python stub: the types that it names, and then itself."""

from __future__ import annotations

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.algebra.views.naming import Named, with_all_definitions, with_named_records
from typesig.notations.python.writer import TAKEN, StubWriter
from typesig.notations.texts.comments import express, identifier

#: What the lone type is called; no definition has the name.
ANSWER = "Answer"


def text_of(signature: Signature, lone: bool) -> tuple[str, Losses]:
    """Return *signature* as text, or its result alone, and the losses."""
    shown, losses = express(signature)
    named = with_all_definitions([shown], lambda name: identifier(name, TAKEN), TAKEN)
    if lone:
        # The outermost record is the class of the answer itself.
        named = Named((), {**named.ahead, ANSWER: named.signatures[0].returns})
    names = [] if lone else ["tool"]
    arranged = with_named_records(named, names, lambda *_: True, TAKEN)
    ahead = dict(arranged.ahead)
    answer = ahead.pop(ANSWER, None)
    writer = StubWriter()
    lines = [writer.definition(name, t, ("definitions", name)) for name, t in ahead.items()]
    if answer is not None:
        lines.append(writer.definition(ANSWER, answer, ("returns",)))
    lines += [writer.function("tool", each, ()) for each in arranged.signatures]
    return "\n".join(lines), (*losses, *writer.losses)
