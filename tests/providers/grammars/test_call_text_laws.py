"""Laws of texts with calls: what a dialect writes is let through, and what is let through is read."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.dialect_forms import EACH_FORM
from tests.engines import orders
from tests.gbnf import Gbnf
from tests.generators import LAW, conforming, signatures, without_defaults
from tests.grammar_texts import Drawing
from typesig import tool
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import NIL
from typesig.algebra.redaction import redact
from typesig.algebra.signature import Signature
from typesig.errors import Unsupported
from typesig.notations.json_schema import make_expressible
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.engines.engine import ToolCalls
from typesig.providers.engines.registry import GBNF, build_arguments_type
from typesig.providers.grammars.call_text import CallText, build_call_text
from typesig.providers.grammars.gbnf_text import write_gbnf
from typesig.providers.rewriting.descriptions import is_sendable
from typesig.tools.toolset import Toolset
from typesig.validation.plain_data import to_plain

pytestmark = pytest.mark.once


def now() -> str:
    """Tell the time."""
    return "12:00"


@st.composite
def toolsets(draw: st.DrawFn) -> Toolset:
    """Draw two tools, the first of which takes anything that JSON has."""
    drawn = make_expressible(redact(without_defaults(draw(signatures(depth=1)))))
    signature = Signature(drawn.params, NIL, drawn.names, drawn.extra)
    return Toolset([tool(signature, name="first_tool")(lambda **given: None), tool(now)])


def said(tools: Toolset, row: Dialect) -> tuple[CallText, list[Loss]] | None:
    """Return the grammar of texts in *row*, or None if it has no form for the calls."""
    losses: list[Loss] = []
    wholes = {one.name: build_arguments_type(one, losses) for one in tools}
    try:
        made = build_call_text(GBNF, ToolCalls(wholes, row))
    except Unsupported:
        return None
    return made, [loss for loss in (*losses, *made.losses) if loss.kind != "narrowed"]


def is_plain(value: Any) -> bool:
    """Tell whether *value* has only numbers that are written with digits and a point."""
    match value:
        case float():
            return "e" not in repr(value)
        case list():
            return all(map(is_plain, value))
        case dict():
            return all(map(is_plain, value.values()))
        case _:
            return True


@EACH_FORM
@LAW
@given(st.data())
def test_a_model_can_write_a_call_that_conforms(row: Dialect, data: st.DataObject) -> None:
    tools = data.draw(toolsets())
    signature = tools["first_tool"].signature
    value = to_plain(data.draw(conforming(signature.arguments, signature.names)))
    assume(is_sendable(value) and is_plain(value))
    assume(set(value) <= {field.name for field in signature.params})
    assume(tools["first_tool"].call(value).ok)
    found = said(tools, row)
    assume(found is not None)
    judge = Gbnf(write_gbnf(found[0].build_grammar()))
    try:
        texts = [write_calls([("first_tool", each)], row) for each in orders(value)]
    except Unsupported:
        assume(False)

    assert any(map(judge.accepts, texts)), texts[0]


@EACH_FORM
@LAW
@given(st.data(), st.integers(0, 2**30))
def test_what_a_grammar_lets_through_is_read_as_calls_that_check(
    row: Dialect, data: st.DataObject, seed: int
) -> None:
    tools = data.draw(toolsets())
    found = said(tools, row)
    assume(found is not None and not found[1])
    grammar = found[0].build_grammar()
    text = Drawing(grammar, Random(seed)).text(grammar.root)

    reading = tools.read(text, dialect=row.name)

    assert Gbnf(write_gbnf(grammar)).accepts(text)
    assert () == reading.issues, text
    assert [] == [str(e) for call in reading.calls for e in call.outcome.errors], text
