"""Operations that decode what providers send: both forms do what the codecs do, or step aside."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW, conforming, hostile, near_misses, signatures
from tests.providers.rewriting.test_shape_rewriter_laws import _document, _types_of, profiles
from typesig.providers.registry.codecs import (
    Codec,
    FieldCodec,
    ListCodec,
    NullableCodec,
    PairsCodec,
    RecordCodec,
    decode_data,
    encode_value,
)
from typesig.providers.registry.decode_operations import make_operation
from typesig.providers.registry.vendor import Profile
from typesig.providers.rewriting.rewriter import IntegerTextCodec, JsonTextCodec
from typesig.validation.check_state import CheckState
from typesig.validation.plain_data import to_plain
from typesig.validation.plan.operations import Mismatch, Run
from typesig.validation.policy import ENABLED, STRICT, Policy

#: Stands for a value that an operation leaves to the codec.
LEFT = object()

policies = pytest.mark.parametrize("policy", [ENABLED, STRICT], ids=["enabled", "strict"])


def decoded_by(run: Run, value: Any) -> Any:
    """Return what *run* makes of *value*, or `LEFT`."""
    try:
        return run(value)
    except (Mismatch, KeyError, TypeError):
        return LEFT


def show(value: Any) -> str:
    """Write *value*, unless it is too deep for that."""
    try:
        return repr(value)
    except RecursionError:
        return "deep"


def check(codec: Codec | None, value: Any, policy: Policy) -> Any:
    """Check that both forms decode *value* as *codec* does; return what they make of it."""
    operation = make_operation(codec, policy)
    state = CheckState(9)
    expected = decode_data(codec, value, state, policy)
    if operation is None:
        assert state.found or expected is value or show(expected) == show(value)
        return value
    found = [decoded_by(run, value) for run in (operation.closure(), operation.compile())]
    assert show(found[0]) == show(found[1])
    if found[0] is not LEFT:
        assert not state.found
        # As text, since NaN is not equal to itself.
        assert show(to_plain(expected)) == show(to_plain(found[0]))
    return found[0]


@profiles
@policies
@LAW
@given(data=st.data())
def test_both_forms_do_what_the_codecs_do(
    profile: Profile, policy: Policy, data: st.DataObject
) -> None:
    t, names = _types_of(data.draw(signatures(titled=True)))
    made = _document(profile, t, names)
    sent = encode_value(made.codec, to_plain(data.draw(conforming(t, names))))

    check(made.codec, sent, policy)
    check(made.codec, data.draw(near_misses(sent)), policy)
    check(made.codec, data.draw(hostile()), policy)


PAIR = RecordCodec((FieldCodec("a", "a"), FieldCodec("b", "b", drops=True)))
RENAMED = RecordCodec((FieldCodec("a-b", "a_b"), FieldCodec("c", "c", IntegerTextCodec())))
UNCHANGED = RecordCodec((FieldCodec("a", "a", hides=True),))


@pytest.mark.parametrize(
    ("codec", "value", "expected"),
    [
        (None, [1], [1]),
        (UNCHANGED, {"a": None, "z": 1}, {"a": None, "z": 1}),
        (ListCodec((), UNCHANGED), [{"a": 1}], [{"a": 1}]),
        (NullableCodec(UNCHANGED), None, None),
        (PAIR, {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        (PAIR, {"a": None, "b": None}, {"a": None}),
        (PAIR, {"a": 1, "z": 2}, LEFT),
        (PAIR, '{"a": 1}', LEFT),
        (NullableCodec(PAIR), None, None),
        (NullableCodec(PAIR), {"b": None}, {}),
        (ListCodec((), PAIR), [{"a": 1}, {"b": None}], [{"a": 1}, {}]),
        (ListCodec((), PAIR), {"a": 1}, LEFT),
        (ListCodec((PAIR,), None), [{"b": None}], [{}]),
        (RENAMED, {"a_b": 1, "c": "2"}, {"a-b": 1, "c": 2}),
        (RENAMED, {"c": "x"}, {"c": "x"}),
        (RENAMED, {"a-b": 1}, LEFT),
        (RecordCodec((FieldCodec("a", "a", PAIR),)), {"a": {"a": 1}}, {"a": {"a": 1}}),
        (RecordCodec((FieldCodec("a", "a", PAIR),)), {"a": '{"a": 1}'}, LEFT),
        (RecordCodec((FieldCodec("a", "a", NullableCodec(PAIR), True),)), {"a": None}, {}),
        (RecordCodec((FieldCodec("a", "a", drops=True),), undeclared="meant"), {"b": 1}, {"b": 1}),
        (PairsCodec(None, None), [{"key": "a", "value": 1}], {"a": 1}),
        (PairsCodec(None, PAIR), [{"key": "a", "value": {"b": None}}], {"a": {}}),
        (PairsCodec(None, None), [{"key": "a", "value": 1}] * 2, LEFT),
        (PairsCodec(None, None), [{"key": 1, "value": 1}], LEFT),
        (PairsCodec(None, None), {"a": 1}, LEFT),
        (JsonTextCodec(), "[1]", [1]),
        (JsonTextCodec(), "[1.50]", LEFT),
    ],
)
@policies
def test_examples(codec: Codec | None, value: Any, expected: Any, policy: Policy) -> None:
    found = check(codec, value, policy)

    assert (LEFT if expected is LEFT else repr(expected)) == (
        LEFT if found is LEFT else repr(found)
    )
