"""Laws of engines: what conforms can be written, and what is let through is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engines import Judge, orders, spelled
from tests.generators import LAW, conforming, lone_signatures, near_misses, without_defaults
from typesig.algebra.signature import Signature
from typesig.algebra.views.redaction import redacted
from typesig.errors import Unsupported
from typesig.notations.json_schema import expressible
from typesig.providers.engines.constraint import Constraint
from typesig.providers.rewriting.describing import is_sendable
from typesig.tools.answers.contract import Contract
from typesig.validation.rows.plain import plain

pytest.importorskip("llguidance")


@st.composite
def answers(draw: st.DrawFn) -> Signature:
    """Draw a type as JSON has it, with exact names and without defaults."""
    return expressible(redacted(without_defaults(draw(lone_signatures()))))


def constrained(signature: Signature) -> Constraint[Any] | None:
    """Return the constraint of *signature*, or None if no value fits."""
    contract = Contract[Any](signature)
    try:
        return contract.project("llguidance")
    except Unsupported:
        return None


@LAW
@given(st.data())
def test_a_model_can_write_what_conforms(data: st.DataObject) -> None:
    signature = data.draw(answers())
    value = plain(data.draw(conforming(signature.returns, signature.names)))
    assume(signature.accepts(value) and is_sendable(value))

    made = constrained(signature)

    assert made is not None
    judge = Judge(made.grammar)
    assert "" == judge.error
    assert judge.writes(value), made.text


@LAW
@given(st.data())
def test_a_model_writes_what_does_not_conform_only_where_a_loss_tells(data: st.DataObject) -> None:
    signature = data.draw(answers())
    made = constrained(signature)
    assume(made is not None and not made.losses)
    judge = Judge(made.grammar)
    value = plain(data.draw(conforming(signature.returns, signature.names)))
    wrong = plain(data.draw(near_misses(value)))
    assume(is_sendable(wrong))

    written = [text for text in map(spelled, orders(wrong)) if judge.accepts(text)]

    assert [] == [text for text in written if not made.read(text).ok], made.text
