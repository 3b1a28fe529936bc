"""Laws of handling, on generated signatures and on whatever a model may send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, conforming, hostile, near_misses, signatures
from typesig.algebra.nodes import STRING
from typesig.algebra.signature import Signature
from typesig.contracts.rehearsals.rehearsal import call_of
from typesig.providers.projection.projection import Projection
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.providers.vendors.registry import find_vendor
from typesig.validation.plain_data import to_plain

PROFILES: list[tuple[Any, dict[str, Any]]] = [
    ("openai", {}),
    ("openai", {"strict": True}),
    ("openai", {"api": "responses", "strict": True}),
    ("anthropic", {}),
    ("anthropic", {"strict": True}),
    ("gemini", {}),
    ("gemini", {"api": "json"}),
    ("mcp", {}),
]

profiles = pytest.mark.parametrize("profile", PROFILES, ids=str)


def _projection(profile: tuple[Any, dict[str, Any]], signature: Signature) -> Projection:
    """Return the projection of a tool that takes the arguments of *signature*."""
    taken = Signature(signature.params, STRING, signature.names, signature.extra)

    @typesig.tool(taken, name="f")
    def run(**sent: Any) -> str:
        return "ran"

    provider, options = profile
    return typesig.tools_of([run]).project(provider, **options)


def _message(projection: Projection, name: str, arguments: Any) -> Any:
    return call_of(projection.provider, projection.profile.api, name, arguments)


def _told(projection: Projection, arguments: Any) -> tuple[bool, str]:
    """Return whether the call with *arguments* has run, and all that the model reads."""
    [name] = projection.tools or ["f"]
    needed = dict.fromkeys(projection.toolset["f"].needs)
    [result] = projection.handle(_message(projection, name, arguments), given=needed)
    written = json.dumps(result, ensure_ascii=False)

    assert json.loads(written.encode()) == result
    assert len(written) < 20_000
    return '"ran"' in written, written


def _outcome(projection: Projection, arguments: Any) -> typesig.Outcome[Any] | None:
    """Return the outcome of the call itself, or None if the provider has no definition of it."""
    if not projection.tools:
        return None
    [one] = projection.tools.values()
    assert isinstance(one, ProjectedTool)
    needed = dict.fromkeys(one.tool.needs)
    message = _message(projection, one.name, arguments)
    [call] = find_vendor(projection.provider).calls.read(message)
    return one.tool.call(one.decode(call.arguments), given=needed)


def _is_json(value: Any) -> bool:
    try:
        return json.loads(json.dumps(value, allow_nan=False)) == value
    except (TypeError, ValueError, RecursionError):
        return False


@profiles
@LAW
@given(data=st.data())
def test_what_is_sent_as_the_definition_says_runs(profile: Any, data: st.DataObject) -> None:
    projection = _projection(profile, data.draw(signatures()))
    signature = projection.toolset["f"].signature
    value = to_plain(data.draw(conforming(signature.arguments, signature.names)))
    hidden = {field.name for field in signature.params if field.firewalled}
    value = {key: each for key, each in value.items() if key not in hidden}
    for one in projection.tools.values():
        sent = one.encode_arguments(value)
        outcome = _outcome(projection, sent)

        assert outcome is not None
        assert outcome.ok == _told(projection, sent)[0]


@profiles
@LAW
@given(data=st.data())
def test_whatever_is_sent_is_answered(profile: Any, data: st.DataObject) -> None:
    projection = _projection(profile, data.draw(signatures()))
    signature = projection.toolset["f"].signature
    fitting = to_plain(data.draw(conforming(signature.arguments, signature.names)))
    value = data.draw(st.one_of(hostile(), near_misses(fitting)))
    if not _is_json(value):
        # Clients hand on JSON; what Python objects become is the subject of other laws.
        return
    ran, written = _told(projection, value)
    outcome = _outcome(projection, value)
    if outcome is None:
        assert "there is no tool" in written
    else:
        assert outcome.ok == ran


@profiles
@LAW
@given(data=st.data())
def test_whatever_text_is_sent_is_answered(profile: Any, data: st.DataObject) -> None:
    projection = _projection(profile, data.draw(signatures()))
    value = data.draw(st.one_of(st.text(max_size=20), st.binary(max_size=20)))
    if isinstance(value, bytes):
        value = value.decode(errors="surrogateescape")
    ran, _ = _told(projection, value)
    outcome = _outcome(projection, value)

    assert outcome is None or outcome.ok == ran
