"""Laws of the compact notation: a signature reads back equal, less what is reported as lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, deep_types, lone_signatures, signatures
from typesig.algebra.nodes import Type
from typesig.algebra.signature import Signature
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge, Unsupported
from typesig.notations import compact, convert


@LAW
@given(signatures(titled=True))
def test_written_text_reads_back_as_the_expressible_signature(s: Signature) -> None:
    text = typesig.render(s, "compact", lossy=True)
    shown = compact.make_expressible(s)

    assert shown == typesig.parse(text, "compact")
    assert shown == compact.make_expressible(shown)
    assert text == typesig.render(shown, "compact")


@LAW
@given(signatures(titled=True))
def test_a_loss_is_reported_if_and_only_if_the_signature_changes(s: Signature) -> None:
    _, losses = convert(s, "compact")

    assert (s != compact.make_expressible(s)) == bool(losses)
    if any(loss.kind != "omitted" for loss in losses):
        with pytest.raises(Unsupported):
            typesig.render(s, "compact")
    else:
        typesig.render(s, "compact")


@LAW
@given(lone_signatures())
def test_a_type_is_written_as_the_result_of_a_signature(s: Signature) -> None:
    text, _ = compact.render(s, lone=True)

    assert text.startswith(("()", "=()"))
    assert compact.make_expressible(s) == typesig.parse(text, "compact")


@LAW
@given(deep_types())
def test_a_deep_type_reads_back_equal(t: Type) -> None:
    text = typesig.render(t, "compact", lossy=True)

    assert compact.make_expressible(typesig.parse(t)) == typesig.parse(text, "compact")


@LAW
@given(signatures(), signatures())
def test_signatures_are_written_alike_if_and_only_if_their_expressible_parts_are_equal(
    a: Signature, b: Signature
) -> None:
    same = compact.make_expressible(a) == compact.make_expressible(b)

    assert same == (
        compact.render(a) == compact.render(b) or compact.render(a)[0] == compact.render(b)[0]
    )


#: Text that tries to be a part of the signature.
HOSTILE = st.text(
    st.sampled_from('()[]{}:;,.|&?!*=-><%/#"\\ \n\r\t\x00\x0b\x85\u2028\u202eaé'), max_size=20
)


@LAW
@given(HOSTILE, HOSTILE, HOSTILE)
def test_a_description_cannot_forge_a_part_of_the_signature(a: str, b: str, c: str) -> None:
    from typesig.algebra.constructors import make_field, make_noted, record
    from typesig.algebra.nodes import INT, STRING

    inner = record([make_field("x", make_noted(INT, b)), make_field("y", STRING)])
    s = Signature(
        [make_field("p", make_noted(STRING, a)), make_field("q", inner)], make_noted(INT, c)
    )
    text = typesig.render(s, "compact")
    back = typesig.parse(text, "compact")

    assert compact.make_expressible(s) == back
    assert str(s) == str(back)
    # A line begins with a field or a closing bracket, whoever breaks the text into lines.
    assert all(line[:1] in (" ", ")", "}") for line in text.splitlines()[1:])


_ALPHABET = '()[]{}:;,.|&?!*=-><%/#"\\ \n\t\r_aZ09\x00é\u2028'


@LAW
@given(
    signatures(),
    st.sampled_from(["delete", "insert", "double", "cut", "swap"]),
    st.integers(0, 10_000),
    st.sampled_from(_ALPHABET),
)
def test_a_text_with_a_typo_is_read_or_refused_with_its_place(
    s: Signature, way: str, at: int, c: str
) -> None:
    text = typesig.render(s, "compact", lossy=True)
    at %= len(text)
    changed = {
        "delete": text[:at] + text[at + 1 :],
        "insert": text[:at] + c + text[at:],
        "double": text[:at] + text[at] * 2 + text[at + 1 :],
        "cut": text[:at],
        "swap": text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
    }[way]

    _assert_read_or_refused(changed)


@LAW
@given(st.text(st.sampled_from(_ALPHABET), max_size=12))
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    _assert_read_or_refused(text)
    _assert_read_or_refused(f"({text})")


def _assert_read_or_refused(text: str) -> None:
    try:
        s = typesig.parse(text, "compact")
    except SignatureSyntaxError as error:
        refused = error
    except (TooDeep, TooLarge):
        return
    else:
        shown = typesig.render(s, "compact", lossy=True)
        assert compact.make_expressible(s) == typesig.parse(shown, "compact")
        return

    said = str(refused).split("\n")
    lines = text.split("\n")
    assert f"line {refused.line} column {refused.column}" in said[0]
    assert {" ", "^"} == {*said[2], " "}
    assert refused.message
    assert 1 <= refused.line <= len(lines)
    assert 1 <= refused.column <= len(lines[refused.line - 1]) + 1
