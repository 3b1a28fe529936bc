"""How signatures, tools, toolsets, contracts and outcomes show themselves to a developer."""

from __future__ import annotations

import pytest
from hypothesis import given

import typesig
from tests.generators import LAW, signatures
from typesig import Signature
from typesig.limits import MAX_SHOWN
from typesig.notations.shorthand import NOTATION

# repr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(id :int) -> {name :string}", "Signature('(id :int) -> {name :string}')"),
        (":int", "Signature('() -> :int')"),
        ("() -> :T where T = {a [:T]}", "Signature('() -> :T where T = {a [:T]}')"),
        ('(a :int "it\'s a") -> :int', "Signature('(a :int \"it\\'s a\") -> :int')"),
        ("(_key :int) -> {_id :int}", "Signature('(_key :int) -> {_id :int}')"),
    ],
)
def test_the_repr_of_a_signature_is_its_shorthand(text: str, expected: str) -> None:
    assert expected == repr(typesig.parse(text))


@LAW
@given(signatures())
def test_the_repr_of_a_signature_evaluates_by_parse(signature: Signature) -> None:
    text = repr(signature)

    assert len(text) <= 2 * MAX_SHOWN + len("Signature('')")
    if not text.endswith("…')") and not text.endswith('…")'):
        assert NOTATION.expressible is not None
        assert NOTATION.expressible(signature) == eval(text, {"Signature": typesig.parse})


def test_the_repr_of_a_long_signature_is_cut() -> None:
    text = repr(typesig.parse(f"({', '.join(f'a{n} :int' for n in range(10_000))}) -> :int"))

    assert text.startswith("Signature('(a0 :int, a1 :int,")
    assert text.endswith("…')")
    assert MAX_SHOWN == len(text) - len("Signature('')")
    with pytest.raises(typesig.SignatureSyntaxError):
        eval(text, {"Signature": typesig.parse})
