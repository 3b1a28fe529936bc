"""What all bridges share, without any of the frameworks: see `tests/sdks` for runs of agents."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest

import typesig
from typesig import Injected, Media, Outcome, Tool, TypesigError, tool, tools_of
from typesig.bridges.bridge import (
    find_media,
    import_extra,
    make_bridge,
    make_bridges,
    make_langchain_blocks,
    read_data_for_model,
    returns_image,
    write_for_model,
)
from typesig.calls.arguments import Given
from typesig.calls.results import ToolResult


class Store:
    name = "store"


@tool
def find(id: int, store: Injected[Store], _user: str = "ann") -> str:
    """Find it."""
    return f"{id} {store.name} {_user}"


@tool
def plain(id: int) -> int:
    return id


STORE = Store()


def called(given: Given | None, context: object = None) -> Any:
    bridge = make_bridge(find, given, None)
    return bridge.call({"id": "1"}, bridge.giver.values(context)).value


def test_a_bridge_tells_what_a_model_sees() -> None:
    bridge = make_bridge(find, {"store": STORE}, None)

    assert ("find", "Find it.", find.signature.input_schema()) == (
        bridge.name, bridge.description, bridge.schema
    )  # fmt: skip
    assert ["id"] == list(bridge.schema["properties"])
    assert "" == make_bridge(plain, None, None).description


def test_what_is_given_is_a_dict_or_a_function_with_or_without_the_context() -> None:
    assert "1 store ann" == called({"store": STORE})
    assert "1 store bob" == called({"store": STORE, "_user": "bob"})
    assert "1 store ann" == called(lambda: {"store": STORE})
    assert "1 store eve" == called(lambda context: {"store": STORE, "_user": context}, "eve")
    assert "1 store eve" == called(lambda *all: {"store": STORE, "_user": all[0]}, "eve")


def test_the_given_function_is_asked_for_each_call() -> None:
    users = iter(["ann", "bob"])
    bridge = make_bridge(find, lambda: {"store": STORE, "_user": next(users)}, None)

    assert ["1 store ann", "1 store bob"] == [
        bridge.call({"id": 1}, bridge.giver.values(None)).value for _ in range(2)
    ]


def test_a_coroutine_function_gives_for_asynchronous_calls_only() -> None:
    async def later(context: object) -> dict[str, Any]:
        return {"store": STORE, "_user": context}

    bridge = make_bridge(find, later, None)

    async def call() -> Any:
        return (await bridge.acall({"id": 1}, await bridge.giver.avalues("eve"))).value

    assert "1 store eve" == asyncio.run(call())
    with pytest.raises(TypesigError) as raised:
        bridge.giver.values("eve")
    assert (
        "given for find is a coroutine function, and this call is not asynchronous: pass a plain "
        "function"
    ) == str(raised.value)


def test_an_awaitable_that_is_no_coroutine_is_refused_too() -> None:
    class Later:
        def __await__(self) -> Any:
            yield

    with pytest.raises(TypesigError, match="given for find is a coroutine function"):
        make_bridge(find, Later, None).giver.values(None)  # type: ignore[arg-type]


def test_an_exception_of_the_given_function_passes() -> None:
    def broken() -> dict[str, Any]:
        raise KeyError("store")

    with pytest.raises(KeyError):
        called(broken)


NEEDS = 'find needs store from its host: write given={"store": …}, or a function that returns it'


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, NEEDS),
        ({}, NEEDS),
        ({"_user": "bob"}, NEEDS),
        ({"store": STORE, "stor": 1}, "find takes no stor from its host; it takes store, _user"),
        ([STORE], "given for find is a dict, or a function that returns one, not list"),
    ],
)
def test_a_dict_that_does_not_fit_is_refused_when_the_bridge_is_made(
    given: Any, message: str
) -> None:
    with pytest.raises(TypesigError) as raised:
        make_bridge(find, given, None)

    assert message == str(raised.value)


def test_a_name_for_a_tool_that_needs_nothing_is_refused() -> None:
    with pytest.raises(TypesigError) as raised:
        make_bridge(plain, {"id": 1}, None)

    assert "plain takes no id from its host; it needs nothing given" == str(raised.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (dict, NEEDS),
        (lambda: None, NEEDS),
        (lambda: 3, "given for find is a dict, or a function that returns one, not int"),
    ],
)
def test_what_a_function_gives_is_checked_for_each_call(given: Any, message: str) -> None:
    bridge = make_bridge(find, given, None)

    with pytest.raises(TypesigError) as raised:
        bridge.giver.values(None)
    assert message == str(raised.value)
    with pytest.raises(TypesigError):
        asyncio.run(bridge.giver.avalues(None))


def test_the_model_is_told_text_as_it_is_and_data_as_json() -> None:
    @tool
    def said(text: str) -> str:
        return text

    @tool
    def kept(text: str) -> dict[str, str]:
        return {"text": text}

    assert 'a "b"\nc' == write_for_model(said.call({"text": 'a "b"\nc'}))
    assert '{"text":"a\\nc"}' == write_for_model(kept.call({"text": "a\nc"}))
    assert said.call({"text": 1}).feedback() == write_for_model(said.call({"text": 1}))
    write_for_model(said.call({"text": "\ud800"})).encode()
    write_for_model(said.call({"texts": "\ud800"})).encode()
    assert {"text": "\\ud800"} == read_data_for_model(kept.call({"text": "\ud800"}))
    assert {"items": [1, None, {"a": "b"}]} == read_data_for_model(
        typesig.parse("[:any]").validate_output([1, None, {"a": "b"}])
    )


def test_the_tools_of_a_toolset_take_what_they_need_and_keep_its_mode() -> None:
    first, second = make_bridges(tools_of([find, plain], mode="strict"), {"store": STORE}, None)

    given = first.giver.values(None)
    assert first.call({"id": 1}, given).ok
    assert not second.call({"id": "1"}, second.giver.values(None)).ok
    lenient = make_bridge(plain, None, "lenient")
    assert lenient.call({"id": "1"}, lenient.giver.values(None)).ok


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: make_bridges(find, None, None), "tools takes a toolset, not Tool; write tools_of(…)"),
        (lambda: make_bridges([find], None, None), "tools takes a toolset, not list; write tools_of(…)"),
        (lambda: make_bridge(print, None, None), "tool takes a tool, not builtin_function_or_method; decorate the function with @tool"),
        (lambda: make_bridge(tools_of([plain]), None, None), "tool takes a tool, not Toolset; write tools(…)"),
    ],
)  # fmt: skip
def test_anything_else_is_refused(make: Any, message: str) -> None:
    with pytest.raises(TypesigError) as raised:
        make()

    assert message == str(raised.value)


def test_a_missing_framework_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(TypesigError) as raised:
        import_extra("no_such_framework.tools", "langchain")

    assert (
        "the bridge needs no_such_framework, of its extra: pip install 'typesig[langchain]'"
    ) == str(raised.value)
    assert isinstance(import_extra("json", "langchain").dumps, type(lambda: None))


def test_an_import_that_fails_within_a_framework_is_not_taken_for_its_absence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_installed.py").write_text("import no_such_dependency")
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(ModuleNotFoundError, match="no_such_dependency"):
        import_extra("half_installed", "langchain")


BRIDGES = {
    "langchain": "langchain_core",
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
    "smolagents": "smolagents",
}


@pytest.mark.parametrize(("name", "framework"), BRIDGES.items())
def test_each_bridge_asks_for_its_extra_only_when_it_is_used(
    name: str, framework: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(f"typesig.bridges.{name}")
    monkeypatch.setitem(sys.modules, framework, None)
    for loaded in [each for each in sys.modules if each.startswith(f"{framework}.")]:
        monkeypatch.setitem(sys.modules, loaded, None)

    for make in (lambda: module.tool(plain), lambda: module.tools(tools_of([plain]))):
        with pytest.raises(TypesigError) as raised:
            make()
        assert str(raised.value).endswith(f"pip install 'typesig[{name.replace('_', '-')}]'")


@pytest.mark.needs_process
def test_a_bridge_is_imported_without_its_framework() -> None:
    code = "import sys\n" + "".join(f"import typesig.bridges.{name}\n" for name in BRIDGES)
    code += f"print([name for name in {[*BRIDGES.values()]} if name in sys.modules])"
    home = Path(typesig.__file__).parent.parent
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=home
    )

    assert "[]" == ran.stdout.strip()


def test_every_bridge_has_the_same_two_functions() -> None:
    for name in BRIDGES:
        module = import_module(f"typesig.bridges.{name}")

        assert callable(module.tool)
        assert callable(module.tools)
    assert isinstance(find, Tool)


@tool
def total(counts: dict[str, int], store: Injected[Store]) -> int:
    """Add counts."""
    return sum(counts.values())


def test_a_bridge_to_a_projected_tool_speaks_its_form() -> None:
    usual = make_bridge(total, {"store": STORE}, "strict")
    one = tools_of([total]).project("openai", strict=True).tools["total"]
    bridge = usual.as_projected(one)
    given = {"store": STORE}
    good: Any = {"counts": [{"key": "a", "value": 2}]}
    bad: Any = {"counts": [{"key": "a", "value": "2"}]}

    assert ("total", one.schema) == (bridge.name, bridge.schema)
    assert "2" == bridge.write_for_model(good, asyncio.run(bridge.acall(good, given)))
    assert '"value": "2"  // expected integer, got string "2"' in bridge.write_for_model(
        bad, asyncio.run(bridge.acall(bad, given))
    )
    assert "counts" in usual.write_for_model(good, usual.call(good, given))
    assert usual.projected is None


PNG = Media("image/png", b"png", "a.png")


class Files(TypedDict):
    shown: Media
    _hidden: Media


def test_the_media_of_a_result_are_those_that_a_model_may_see() -> None:
    @tool
    def files() -> Files:
        return {"shown": PNG, "_hidden": Media("image/gif", b"gif")}

    sent = {"type": "image", "data": "cG5n", "mimeType": "image/png"}
    of_server = Outcome(ToolResult((sent,)), stage="output")

    assert (PNG,) == find_media(files.call({}))
    assert (Media("image/png", b"png"),) == find_media(of_server)
    assert () == find_media(plain.call({"id": 1}))


@pytest.mark.parametrize(
    ("hint", "is_image"),
    [
        (Annotated[bytes, Media("image/png")], True),
        (Annotated[Path, Media("image/jpeg")], True),
        (Annotated[bytes, Media("image/svg+xml")], False),
        (Annotated[bytes, Media("audio/wav")], False),
        (Annotated[bytes, Media("image/png")] | None, False),
        (list[Annotated[bytes, Media("image/png")]], False),
        (Media, False),
        (bytes, False),
        (int, False),
        (type("Image", (), {"__module__": "PIL.Image"}), True),
    ],
)
def test_a_tool_returns_an_image_if_its_hint_says_so(hint: Any, is_image: bool) -> None:
    def f() -> Any: ...

    f.__annotations__["return"] = hint

    assert is_image == returns_image(tool(f))


def test_langchain_gets_blocks_of_what_the_message_of_a_tool_can_have() -> None:
    media = (
        PNG,
        Media("text/csv", b"a,b"),
        Media("application/pdf", b"pdf", "a.pdf"),
        Media("image/tiff", b"1"),
        Media("audio/wav", b"1"),
        Media("text/csv", b"\xff"),
    )

    assert [
        {
            "type": "text",
            "text": "here\n"
            "[not sent: audio/wav, 1 B; LangChain takes image/*, text/*, application/json, "
            "application/xml, application/yaml, application/*]\n"
            "[not sent: text/csv, 1 B; it is not UTF-8 text]",
        },
        {
            "type": "image",
            "base64": "cG5n",
            "mime_type": "image/png",
            "extras": {"filename": "a.png"},
        },
        {"type": "text", "text": "a,b"},
        {
            "type": "file",
            "base64": "cGRm",
            "mime_type": "application/pdf",
            "extras": {"filename": "a.pdf"},
        },
        {"type": "image", "base64": "MQ==", "mime_type": "image/tiff"},
    ] == make_langchain_blocks("here", media)


def test_a_bridge_without_extras_refuses_arguments_that_are_not_declared() -> None:
    @tool
    def find(query: str) -> str:
        return query

    sent = {"query": "a", "zzz": 1}
    strict = make_bridge(find, None, None).without_extras()

    assert make_bridge(find, None, None).call(sent, {}).ok
    assert ["zzz: unexpected key"] == [str(error) for error in strict.call(sent, {}).errors]
