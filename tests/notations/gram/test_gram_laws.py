"""Laws of gram: expressible signatures read back equal, others become wider, never narrower."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, conforming, lone_signatures, plain_names, quoted_names, signatures
from typesig.algebra.constructors import make_field, make_maybe, record
from typesig.algebra.nodes import ANY, BOOL, FLOAT, INT, MAP, STRING, Field, List, Maybe, Type
from typesig.algebra.rows.values import get_kind
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_types
from typesig.errors import TypesigError, Unsupported
from typesig.notations import NOTATIONS, convert
from typesig.relations import is_subtype

FORMS = ["gram", "gram_path"]

# expressible signatures

_SCALARS = st.sampled_from([STRING, INT, FLOAT, BOOL, MAP])
_NAMES = st.one_of(
    plain_names.map(lambda name: (name, False)),
    quoted_names.map(lambda name: (name, True)),
    st.sampled_from(["arg1", "arg2", "arg3", "Maybe", "IO", "Text", "default"]).map(
        lambda name: (name, False)
    ),
)


def _fields(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[list[Field]]:
    made = st.tuples(_NAMES, inner).map(
        lambda pair: make_field(
            pair[0][0], pair[1], required=not isinstance(pair[1], Maybe), exact=pair[0][1]
        )
    )
    # Two names may fold to one key only if one of them is exact.
    return st.lists(made, max_size=4, unique_by=(lambda f: f.name, lambda f: f.key)).filter(_fit)


def _fit(fields: list[Field]) -> bool:
    try:
        record(fields)
    except TypesigError:
        return False
    return True


gram_types = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(inner.map(List), inner.map(make_maybe), _fields(inner).map(record)),
    max_leaves=8,
)


@st.composite
def expressible_in_gram(draw: st.DrawFn) -> Signature:
    """Return a signature that gram can express."""
    return Signature(draw(_fields(gram_types)), draw(gram_types), io=draw(st.booleans()))


_DEFAULTS = st.recursive(
    st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner | st.none(), max_size=3), st.dictionaries(st.text(max_size=3), inner | st.none(), max_size=3)),
    max_leaves=4,
)  # fmt: skip
_OF_KIND: dict[str, Type] = {
    "string": STRING,
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "map": MAP,
    "list": List(ANY),
}
_WORDS = st.sampled_from([STRING, INT, FLOAT, BOOL, MAP, List(ANY)])


@st.composite
def expressible_in_path(draw: st.DrawFn) -> Signature:
    """Return a signature that the path form can express."""
    params = []
    for name, exact in draw(st.lists(_NAMES, max_size=4, unique_by=lambda pair: pair[0])):
        t = draw(_WORDS)
        match draw(st.sampled_from(["required", "null", "default"])):
            case "required":
                params.append(make_field(name, t, exact=exact))
            case "null":
                params.append(make_field(name, make_maybe(t), required=False, exact=exact))
            case _:
                default = draw(_DEFAULTS)
                t = _OF_KIND[get_kind(default)]
                params.append(make_field(name, t, default=default, exact=exact))
    return Signature(params if _fit(params) else [], draw(_WORDS))


@LAW
@given(expressible_in_gram())
def test_an_expressible_signature_reads_back_equal(s: Signature) -> None:
    text, losses = convert(s, "gram")
    back = typesig.parse(text, "gram")

    assert () == losses
    assert (s, s.io) == (back, back.io)
    assert text == typesig.render(back, "gram")


@LAW
@given(expressible_in_path())
def test_a_signature_expressible_in_the_path_form_reads_back_equal(s: Signature) -> None:
    text, losses = convert(s, "gram_path")

    assert () == losses
    assert s == typesig.parse(text, "gram")
    assert s == typesig.parse(text, "gram_path")


@LAW
@given(gram_types)
def test_a_lone_type_reads_back_equal(t: Type) -> None:
    assert t == typesig.parse(typesig.render(t, "gram"), "gram").returns


# other signatures


@pytest.mark.parametrize("form", FORMS)
@LAW
@given(s=signatures(titled=True))
def test_written_text_reads_back_as_the_expressible_signature(form: str, s: Signature) -> None:
    text = typesig.render(s, form, lossy=True)
    wider = NOTATIONS[form].expressible(s)

    assert wider == typesig.parse(text, form)
    assert wider == NOTATIONS[form].expressible(wider)
    assert text == typesig.render(wider, form, lossy=True)


@pytest.mark.parametrize("form", FORMS)
@LAW
@given(s=signatures(titled=True))
def test_a_loss_is_reported_if_and_only_if_the_signature_changes(form: str, s: Signature) -> None:
    _, losses = convert(s, form)
    widened = [loss for loss in losses if loss.kind != "omitted"]

    if s != NOTATIONS[form].expressible(s):
        assert losses
    elif ANY not in _parts(s):
        assert () == losses
    if widened:
        with pytest.raises(Unsupported):
            typesig.render(s, form)
    else:
        typesig.render(s, form)


def _parts(s: Signature) -> list[Any]:
    return [part for t in (s.returns, *[f.type for f in s.params]) for part in iter_types(t)]


@pytest.mark.parametrize("form", FORMS)
@LAW
@given(data=st.data())
def test_the_expressible_type_takes_every_value_of_the_type(form: str, data: st.DataObject) -> None:
    s = data.draw(lone_signatures())
    wider = NOTATIONS[form].expressible(s)
    value = data.draw(conforming(s.returns, s.names))

    assert not s.accepts(value) or wider.accepts(value)


@pytest.mark.parametrize("form", FORMS)
@LAW
@given(s=signatures())
def test_the_expressible_signature_is_a_supertype(form: str, s: Signature) -> None:
    wider = NOTATIONS[form].expressible(s)
    taken = Signature((), s.arguments, s.definitions)

    assert is_subtype(s, wider) is not False
    assert is_subtype(taken, wider.arguments) is not False
