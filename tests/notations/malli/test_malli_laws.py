"""Laws of Malli, as Python data and as EDN text: what is written reads back, perhaps wider."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, conforming, hostile, lone_signatures, signatures
from typesig import TypesigError
from typesig.errors import TooDeep
from typesig.notations import NOTATIONS, convert, parse

BOTH = pytest.mark.parametrize("notation", ["malli", "edn"])
NAMED = pytest.mark.parametrize("named", [False, True], ids=["cat", "catn"])


@BOTH
@NAMED
@LAW
@given(s=signatures(titled=True))
def test_written_text_reads_back_as_the_expressible_signature(notation, named, s):
    written = typesig.render(s, notation, lossy=True, named=named)

    assert NOTATIONS[notation].expressible(s, named=named) == typesig.parse(written, notation)


@BOTH
@NAMED
@LAW
@given(s=signatures(titled=True))
def test_an_expressible_signature_is_expressible_as_it_is(notation, named, s):
    form = NOTATIONS[notation].expressible
    once = form(s, named=named)

    assert once == form(once, named=named)


@BOTH
@LAW
@given(s=signatures(titled=True))
def test_an_expressible_signature_is_written_without_loss(notation, s):
    form = NOTATIONS[notation].expressible(s, named=True)

    assert () == convert(form, notation, named=True)[1]


@BOTH
@LAW
@given(data=st.data())
def test_the_expressible_type_takes_every_value_of_the_type(notation, data):
    s = data.draw(lone_signatures())
    value = data.draw(conforming(s.returns, s.names))

    assert NOTATIONS[notation].expressible(s).accepts(value)


@BOTH
@LAW
@given(data=st.data())
def test_a_type_written_without_loss_does_not_become_wider(notation, data):
    s = data.draw(lone_signatures())
    if convert(s, notation)[1]:
        return
    form = NOTATIONS[notation].expressible(s)
    value = data.draw(conforming(form.returns, form.names))

    assert s.accepts(value)


@LAW
@given(signatures(titled=True))
def test_python_data_is_json_and_a_new_object_each_time(s):
    written = typesig.render(s, "malli", lossy=True)

    assert written == json.loads(json.dumps(written))
    assert written is not typesig.render(s, "malli", lossy=True)


@LAW
@given(signatures(titled=True))
def test_python_data_and_edn_text_mean_the_same_if_neither_loses_anything(s):
    data, losses = convert(s, "malli", named=True)
    text, more = convert(s, "edn", named=True)
    if not losses and not more:
        assert typesig.parse(data, "malli") == typesig.parse(text, "edn")


@LAW
@given(st.one_of(hostile(), st.lists(hostile(), max_size=3)))
def test_hostile_data_is_refused(data):
    try:
        typesig.parse(data, "malli")
    except TypesigError:
        pass


HEADS = [":=>", ":cat", ":catn", ":map", ":vector", ":and", ":or", ":enum", ":schema", ":ref", ":?"]
HEADS += [":*", ":+", ":tuple", ":map-of", ":maybe", ":>", ":re", ":int", ":string", ":=", ":orn"]
HEADS += [":->", ":function", ":fn", "int?", "Tree", ":id", ":min", ":registry", ":default", ":x/y"]

forms = st.recursive(
    st.one_of(st.sampled_from(HEADS), st.sampled_from([None, True, 0, 1.5, "", ":", "a", "::b"])),
    lambda inner: st.one_of(
        st.builds(
            lambda head, parts: [head, *parts], st.sampled_from(HEADS), st.lists(inner, max_size=3)
        ),
        st.dictionaries(st.sampled_from(HEADS), inner, max_size=2),
    ),
    max_leaves=12,
)


@LAW
@given(forms)
def test_data_that_looks_like_malli_is_read_or_refused(data):
    try:
        s = typesig.parse(data, "malli")
    except TypesigError:
        return
    written = typesig.render(s, "malli", lossy=True)

    assert NOTATIONS["malli"].expressible(s) == typesig.parse(written, "malli")


@LAW
@given(forms)
def test_refused_data_is_widened_if_lossy(data):
    try:
        exact = typesig.parse(data, "malli")
    except TypesigError:
        exact = None
    try:
        wide = parse(data, "malli", lossy=True)
        losses = wide.losses
    except TooDeep:
        raise
    except TypesigError:
        # The parts of a function's form are not types, so they cannot be widened.
        assert exact is None
        return
    if exact is None:
        assert any(loss.kind == "widened" for loss in losses)
    else:
        assert exact == wide
