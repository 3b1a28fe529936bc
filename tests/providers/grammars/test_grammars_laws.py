"""Laws of grammars, judged without an engine: what conforms can be written, and what is let through.

The judge is a reader of GBNF of its own, so that these run everywhere.
"""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engines import orders, spelled
from tests.gbnf import Gbnf
from tests.generators import LAW, conforming, near_misses
from tests.providers.engines.answers import UNBOUNDED, answers
from typesig.algebra.signature import Signature
from typesig.errors import Unsupported
from typesig.providers.engines.engine import Constraint
from typesig.providers.rewriting.descriptions import is_sendable
from typesig.tools.answers.contract import Contract
from typesig.validation.plain_data import to_plain


def constrained(signature: Signature) -> Constraint[Any] | None:
    """Return the constraint of *signature*, or None if no value fits."""
    try:
        return Contract[Any](signature).project("gbnf", **UNBOUNDED)
    except Unsupported:
        return None


@LAW
@given(st.data())
def test_a_model_can_write_what_conforms(data: st.DataObject) -> None:
    signature = data.draw(answers())
    value = to_plain(data.draw(conforming(signature.returns, signature.names)))
    assume(signature.accepts(value) and is_sendable(value))

    made = constrained(signature)

    assert made is not None
    judge = Gbnf(made.grammar)
    assert any(judge.accepts(spelled(each)) for each in orders(value)), made.grammar


@LAW
@given(st.data())
def test_a_model_writes_what_does_not_conform_only_where_a_loss_tells(data: st.DataObject) -> None:
    signature = data.draw(answers())
    made = constrained(signature)
    assume(made is not None and not made.losses)
    judge = Gbnf(made.grammar)
    value = to_plain(data.draw(conforming(signature.returns, signature.names)))
    wrong = to_plain(data.draw(near_misses(value)))
    assume(is_sendable(wrong))

    written = [text for text in map(spelled, orders(wrong)) if judge.accepts(text)]

    assert [] == [text for text in written if not made.read(text).ok], made.grammar
