"""Laws of engines, judged by llguidance: what conforms can be written, what is let through is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engines import Judge, orders, spelled
from tests.generators import LAW, conforming, near_misses
from tests.providers.engines.answers import UNBOUNDED, answers
from typesig.algebra.nodes import INT
from typesig.algebra.signature import make_type_signature
from typesig.errors import Unsupported
from typesig.providers.engines.engine import Constraint
from typesig.providers.rewriting.descriptions import is_sendable
from typesig.tools.answers.contract import Contract
from typesig.validation.plain_data import to_plain

pytest.importorskip("llguidance")

Project = Callable[[Contract[Any]], Constraint[Any]]

EACH = pytest.mark.parametrize(
    "project",
    [
        lambda contract: contract.project("llguidance", **UNBOUNDED),
        lambda contract: contract.project("openai-grammar", syntax="lark", **UNBOUNDED),
        lambda contract: contract.project("openai-grammar", syntax="regex", **UNBOUNDED),
    ],
    ids=["schema", "lark", "regex"],
)


def made_by_regex(project: Project) -> bool:
    """Raise unless *project* makes regular expressions; return that there is none to judge."""
    assert "regex" == project(Contract[Any](make_type_signature(INT, {}))).syntax
    return False


@EACH
@LAW
@given(st.data())
def test_a_model_can_write_what_conforms(project: Project, data: st.DataObject) -> None:
    signature = data.draw(answers())
    value = to_plain(data.draw(conforming(signature.returns, signature.names)))
    assume(signature.accepts(value) and is_sendable(value))
    try:
        made = project(Contract[Any](signature))
    except Unsupported:
        # No regular expression has values within values of their own kind.
        assume(made_by_regex(project))

    judge = Judge(made.grammar, made.syntax)
    assert "" == judge.error
    assert judge.writes(value), made.text


@EACH
@LAW
@given(st.data())
def test_a_model_writes_what_does_not_conform_only_where_a_loss_tells(
    project: Project, data: st.DataObject
) -> None:
    signature = data.draw(answers())
    try:
        made = project(Contract[Any](signature))
    except Unsupported:
        assume(False)
    assume(not made.losses)
    judge = Judge(made.grammar, made.syntax)
    value = to_plain(data.draw(conforming(signature.returns, signature.names)))
    wrong = to_plain(data.draw(near_misses(value)))
    assume(is_sendable(wrong))

    written = [text for text in map(spelled, orders(wrong)) if judge.accepts(text)]

    assert [] == [text for text in written if not made.read(text).ok], made.text
