"""Laws of arguments that are sent unchanged: rewriting them says the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import typesig
from tests.generators import signatures
from typesig import tool
from typesig.algebra import nodes
from typesig.algebra.rows.scalars import SCALARS
from typesig.algebra.signature import Signature
from typesig.notations.json_schema.writer import write_document, write_shown_fields
from typesig.providers.projection.tool_projection import _rewrite_arguments
from typesig.providers.registry.vendor import Profile
from typesig.providers.rewriting.descriptions import is_sent_unchanged
from typesig.providers.vendors.registry import PROVIDER_NAMES, find_vendor

PROFILES = [each for name in PROVIDER_NAMES for each in find_vendor(name).profiles]
CHAT = find_vendor("openai").profiles[0]


def made(signature: Signature) -> Any:
    @tool(signature, name="run")
    def run(**given: Any) -> Any:
        """Run it."""

    return run


def agrees(profile: Profile, signature: Signature) -> None:
    if is_sent_unchanged(profile, signature):
        found = _rewrite_arguments(profile, made(signature), [])
        assert found.losses == ()
        schema = write_document(found.type, found.names, profile.style)
        shown = write_shown_fields(signature.params, signature.extra, closing=False)
        assert [*shown.items()] == [*schema.items()]


LEAVES = [*map(nodes.Scalar, SCALARS), nodes.Enum((typesig.algebra.rows.values.to_const("a"),))]
PLAIN = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: (
        st.builds(nodes.List, inner)
        | inner.map(typesig.algebra.constructors.make_maybe)
        | st.builds(nodes.Annotation, inner, st.sampled_from(["a text", "\ud800"]))
    ),
    max_leaves=3,
)


@given(signatures(depth=1), st.sampled_from(PROFILES))
def test_rewriting_says_the_same(signature: Signature, profile: Profile) -> None:
    agrees(profile, signature)


@given(PLAIN, st.booleans(), st.sampled_from(PROFILES))
@example(nodes.Maybe(nodes.ANY), False, CHAT)
def test_rewriting_says_the_same_of_plain_types(
    t: nodes.Type, required: bool, profile: Profile
) -> None:
    agrees(profile, Signature([nodes.Field("x", t, required)], nodes.ANY))


@pytest.mark.parametrize(
    "signature",
    [
        '(x :int, y [:string]?, z :float = 1.5, sort :enum[a b] = "a") -> :any',
        '(x :any, y :bool = true, z [[:string?]] "rows") -> :any',
    ],
)
def test_common_arguments_are_sent_unchanged(signature: str) -> None:
    read = typesig.parse(signature)
    assert is_sent_unchanged(CHAT, read)
    for profile in PROFILES:
        agrees(profile, read)
    sent = made(read).project("openai")
    assert sent.tools["run"].shown.params[0].name == "x"
    counts = sent.tools["run"].counts
    assert counts["properties"] == len(read.params)
    assert len(counts) == len({**counts})
    assert counts["description"] == len("Run it.")


@pytest.mark.parametrize(
    "signature",
    [
        "() -> :any",
        "(x :int, ** :string) -> :any",
        "(_x :int) -> :any",
        "(x :datetime) -> :any",
        "(x [:keyword]) -> :any",
        "(x {a :int}) -> :any",
        "(x [:int] = [1]) -> :any",
        "(x :int[1 ..]) -> :any",
        "(x :int? = 1) -> :any",
        "(x :enum[a 1]) -> :any",
        '(x :enum[""]) -> :any',
    ],
)
def test_other_arguments_are_rewritten(signature: str) -> None:
    assert not is_sent_unchanged(CHAT, typesig.parse(signature))


def test_texts_that_no_provider_takes_are_rewritten() -> None:
    for field in (
        nodes.Field("\ud800", nodes.INT),
        nodes.Field("x", nodes.Annotation(nodes.INT, "\ud800")),
        nodes.Field("x", nodes.Annotation(nodes.INT, "a text", "A title")),
        nodes.Field("x", nodes.Maybe(nodes.ANY)),
    ):
        assert not is_sent_unchanged(CHAT, Signature([field], nodes.ANY))
    named = find_vendor("anthropic").profiles[0]
    assert not is_sent_unchanged(named, Signature([nodes.Field("a b", nodes.INT)], nodes.ANY))
    assert is_sent_unchanged(named, Signature([nodes.Field("ab", nodes.INT)], nodes.ANY))
