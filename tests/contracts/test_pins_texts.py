"""A pinned toolset never shows a text that is not in its lock, wherever a definition has it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import Tool, Toolset, TypesigError
from typesig.calls.results import ToolResult
from typesig.contracts import ContractBroken, Lock
from typesig.contracts.contract import annotate_signature, make_contract
from typesig.contracts.places import find_annotations
from typesig.mcp.client.tool_list import Pin, apply_pin
from typesig.providers.registry.provider import PROVIDER_NAMES
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool

MARK = "MARKER"

Definition = dict[str, Any]

WORDS = st.sampled_from(["Read a file.", "the path", "x", "a b", "note"])
NAMES = st.sampled_from(["path", "depth", "mode", "a-b", "kind"])


def schemas() -> st.SearchStrategy[Any]:
    """Draw schemas of many shapes, with texts where schemas have them."""
    leaves = st.one_of(
        st.fixed_dictionaries(
            {"type": st.sampled_from(["string", "integer", "boolean", "number"])},
            optional={"description": WORDS, "title": WORDS, "examples": st.lists(WORDS)},
        ),
        st.fixed_dictionaries({"enum": st.lists(WORDS, min_size=1, unique=True)}),
        st.just({"$ref": "#/$defs/Node"}),
        st.fixed_dictionaries({"type": st.just("string"), "default": WORDS}),
        st.fixed_dictionaries({"type": st.just("string"), "pattern": st.sampled_from(["^a+$"])}),
        st.just(True),
        st.just({"type": "string", "format": "date"}),
        st.just({"not": {"type": "string", "description": "no text"}}),
        st.just({"if": {"type": "string"}, "then": {"minLength": 1}, "x-odd": {"k": ["v"]}}),
    )
    return st.recursive(
        leaves, lambda inner: st.one_of(lists(inner), records(inner), any_of(inner)), max_leaves=6
    )


def lists(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({"type": st.just("array"), "items": inner})


def any_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    words = st.sampled_from(["anyOf", "oneOf", "allOf"])
    return st.builds(lambda word, parts: {word: parts}, words, st.lists(inner, min_size=1))


def records(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(NAMES, inner, max_size=3)},
        optional={"description": WORDS, "additionalProperties": st.booleans()},
    )


NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}


@st.composite
def definitions(draw: st.DrawFn) -> Definition:
    """Draw the definition of a tool as a server lists it."""
    parts = {
        "inputSchema": records(schemas()).map(lambda s: {**s, "$defs": {"Node": NODE}}),
        "annotations": st.just({"readOnlyHint": True, "title": "Reader"}),
    }
    others = {
        "description": WORDS,
        "title": WORDS,
        "outputSchema": records(schemas()).map(lambda s: {**s, "$defs": {"Node": NODE}}),
        "_meta": st.just({"vendor/x": {"k": ["v"]}}),
    }
    found: Definition = draw(st.fixed_dictionaries(parts, optional=others))
    return found


def inserted(data: Any) -> Iterator[Any]:
    """Yield *data* with the marker at each of its places in turn: keys, texts, new members."""
    match data:
        case str():
            yield MARK
            yield f"{data} {MARK}"
        case dict():
            for value in (MARK, True, {"type": "string"}, {"description": MARK}, [MARK], {MARK: 1}):
                yield {**data, MARK: value}
            for key in ("description", "title", "$comment", "$id", "format", "pattern", "default"):
                yield {**data, key: MARK}
            yield {**data, "enum": [MARK]}
            yield {**data, "required": [MARK]}
            yield {**data, "properties": {**data.get("properties", {}), "new": {"title": MARK}}}
            yield {**data, "$defs": {**data.get("$defs", {}), MARK: {"type": "string"}}}
            for key, value in data.items():
                yield {(MARK if k == key else k): v for k, v in data.items()}
                for each in inserted(value):
                    yield {**data, key: each}
        case list():
            yield [*data, MARK]
            yield [*data, {"description": MARK}]
            for place, value in enumerate(data):
                for each in inserted(value):
                    yield [*data[:place], each, *data[place + 1 :]]
        case bool():
            yield {"description": MARK}
        case _:
            yield MARK


def tool_of(definition: Definition, name: str = "read") -> Tool[..., Any]:
    """Return the tool that a client makes of *definition*."""
    return foreign_tool(
        lambda **_: ToolResult((), {}, True, None),
        ForeignDefinition(
            name,
            definition.get("inputSchema", {}),
            definition.get("outputSchema"),
            definition.get("description"),
            definition.get("title"),
            definition.get("annotations", {}),
            beside={"_meta": definition["_meta"]} if "_meta" in definition else {},
        ),
    )


class Session:
    """Stands for a connection."""


def shown(tools: Toolset) -> Iterator[str]:
    """Yield all that a model, or the client of a proxy, can read of *tools*."""
    for style in ("signature", "compact", "call", "typescript", "python"):
        for tier in ("full", "signatures", "names"):
            yield tools.prompt(style=style, tier=tier)
    for provider in PROVIDER_NAMES:
        wire = tools.project(provider)
        yield json.dumps(wire.definitions)
        yield str(wire.losses)
    yield tools.search("read file marker").prompt()
    for name in ("read", "other", "reed"):
        for arguments in ({}, {"path": [], "depth": {}, "kind": 3}, "{"):
            outcome = tools.call(name, arguments)
            yield outcome.report()
            yield outcome.feedback()
            yield outcome.text() if outcome.ok else ""


@pytest.fixture(autouse=True)
def _without_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")


def hold(tools: list[Tool[..., Any]], keep_locked: bool = False) -> Toolset:
    return asyncio.run(apply_pin(Toolset(tools), Session(), Pin("tools.lock", keep_locked)))


@LAW
@given(st.data(), definitions(), st.booleans())
def test_a_pinned_toolset_never_shows_a_text_that_is_not_in_the_lock(
    data: st.DataObject, definition: Definition, keep_locked: bool
) -> None:
    if os.path.exists("tools.lock"):
        os.unlink("tools.lock")
    hold([tool_of(definition), tool_of({}, "other")])
    changed = data.draw(st.sampled_from(list(inserted(definition))))
    try:
        new = tool_of(changed)
    except TypesigError:
        # A client leaves out what cannot be read.
        return
    tools = hold([new, tool_of({}, "other")], keep_locked)

    for text in shown(tools):
        assert MARK not in text
    if "read" not in tools.names:
        assert isinstance(tools.refused["read"], ContractBroken)


@LAW
@given(definitions())
def test_a_signature_gets_its_descriptions_back(definition: Definition) -> None:
    one = make_contract(tool_of(definition))
    again = annotate_signature(one)

    [kept] = Lock.read(Lock({one.name: one}).text())
    assert one == kept
    for texts, found in zip((one.notes, one.titles), find_annotations(again)[:2], strict=True):
        assert found.items() <= texts.items()
        # Members that differ in their texts only are one without these.
        assert all("|" in place for place in texts.keys() - found.keys())
