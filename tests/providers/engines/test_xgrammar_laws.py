"""Laws of XGrammar, judged by itself: what conforms can be written, what is let through is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engines import XGrammarJudge, orders, spelled
from tests.generators import LAW, conforming, near_misses
from tests.providers.engines.answers import UNBOUNDED, answers
from typesig.algebra.signature import Signature
from typesig.errors import Unsupported
from typesig.providers.engines.engine import Constraint
from typesig.providers.rewriting.descriptions import is_sendable
from typesig.tools.answers.contract import Contract
from typesig.validation.plain_data import to_plain

pytest.importorskip("xgrammar")


def constrain(signature: Signature) -> Constraint[Any]:
    """Return the constraint of *signature*; reject an example without one."""
    try:
        return Contract[Any](signature).project("xgrammar", **UNBOUNDED)
    except Unsupported:
        assume(False)
        raise


@LAW
@given(st.data())
def test_a_model_can_write_what_conforms(data: st.DataObject) -> None:
    signature = data.draw(answers())
    value = to_plain(data.draw(conforming(signature.returns, signature.names)))
    assume(signature.accepts(value) and is_sendable(value))
    made = constrain(signature)
    assume(all(loss.kind != "narrowed" for loss in made.losses))

    judge = XGrammarJudge(made.grammar)
    assert "" == judge.error
    assert judge.writes(value), made.text


@LAW
@given(st.data())
def test_a_model_writes_what_does_not_conform_only_where_a_loss_tells(
    data: st.DataObject,
) -> None:
    signature = data.draw(answers())
    made = constrain(signature)
    assume(all(loss.kind == "narrowed" for loss in made.losses))
    judge = XGrammarJudge(made.grammar)
    value = to_plain(data.draw(conforming(signature.returns, signature.names)))
    wrong = to_plain(data.draw(near_misses(value)))
    assume(is_sendable(wrong))

    written = [text for text in map(spelled, orders(wrong)) if judge.accepts(text)]

    assert [] == [text for text in written if not made.read(text).ok], made.text
