"""Details of docstrings in prompts and definitions, and marks of deprecated functions."""

import warnings

import pytest
import typing_extensions

import typesig
from typesig import extract, tool, tools_of


def wipe(folder: str) -> int:
    """Delete the old files of a folder.

    Files younger than a week stay. It cannot be undone.

    Args:
        folder: which one

    Warning:
        Never call it on the root.
    """
    return 0


DETAILS = "Files younger than a week stay. It cannot be undone.\n\nWarning:\n    Never call it on the root."
LINES = [
    "Files younger than a week stay. It cannot be undone.",
    "Warning:",
    "Never call it on the root.",
]


def described(definition):
    return definition.get("function", definition)["description"]


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "mcp", "mistral"])
def test_a_definition_has_the_details_if_they_are_wanted(provider):
    tools = tools_of([wipe])
    (short,) = tools.project(provider).definitions
    (full,) = tools.project(provider, details=True).definitions

    assert "Delete the old files of a folder." == described(short)
    assert f"Delete the old files of a folder.\n\n{DETAILS}" == described(full)
    assert full == tools["wipe"].project(provider, details=True).definitions[0]
    assert described(short) == described(tools.project(provider, details=False).definitions[0])


@pytest.mark.parametrize("style", ["signature", "compact", "call", "typescript", "python"])
def test_a_prompt_has_the_details_once_if_they_are_wanted(style):
    text = tools_of([wipe]).prompt(style, details=True)

    assert [1, 1, 1] == [text.count(line) for line in LINES]
    assert text == tools_of([wipe]).listing(style, details=True).text()
    losses = tools_of([wipe]).listing(style, details=True).losses
    assert [] == [loss for loss in losses if "paragraph" in str(loss)]


def test_the_prompts_of_a_tool_and_of_a_dialect_have_the_details():
    assert all(line in tool(wipe).prompt(details=True) for line in LINES)
    assert LINES[0] not in tool(wipe).prompt()
    assert LINES[0] in tools_of([wipe]).prompt(dialect="hermes", details=True)
    assert LINES[0] in tools_of([wipe]).project(dialect="hermes", details=True).prompt()


def test_a_call_of_a_detailed_tool_is_the_same():
    made = tools_of([wipe], mode="strict").project("openai", details=True)
    call = {
        "id": "1",
        "type": "function",
        "function": {"name": "wipe", "arguments": '{"folder": "a"}'},
    }
    (answer,) = made.handle({"role": "assistant", "tool_calls": [call]})

    assert "0" == answer["content"]
    assert "strict" == made.toolset.modes["wipe"]


def test_a_tool_without_details_is_the_same():
    def plain(n: int) -> int:
        """Do it."""
        return n

    def only(n: int) -> int:
        return n

    tools = tools_of([plain, only])
    assert tools.prompt() == tools.prompt(details=True)


@typing_extensions.deprecated("use wipe")
def old(n: int) -> int:
    """Do it.

    At once.
    """
    return n


@typing_extensions.deprecated("")
def older(n: int) -> int:
    return n


class Shop:
    @typing_extensions.deprecated("use buy")
    def take(self, n: int) -> int:
        return n

    @classmethod
    @typing_extensions.deprecated("gone")
    def make(cls, n: int) -> int:
        return n

    def buy(self, n: int) -> int:
        return n


@typing_extensions.deprecated("use Shop")
class Stall:
    def __init__(self, n: int) -> None: ...


def test_a_deprecated_function_is_marked_in_prompts_and_definitions():
    tools = tools_of([old, older])
    found = extract(old)

    assert "Do it.\n\nDeprecated: use wipe" == found.description
    assert "use wipe" == found.deprecated
    assert "(n :int) -> :int\n  Do it.\n  Deprecated: use wipe" in tools.prompt()
    assert ["Do it.\n\nDeprecated: use wipe", "Deprecated."] == [
        described(each) for each in tools.project("anthropic").definitions
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        assert 3 == tools.call("old", {"n": 3}).value


def test_the_description_of_a_developer_is_marked_too():
    assert "Mine.\n\nDeprecated: use wipe" == tool(description="Mine.")(old).description
    assert tool(description="Mine.")(old).details is None


def test_methods_classes_and_partials_are_marked():
    import functools

    assert ["use buy", "gone", None] == [
        extract(each).deprecated for each in (Shop().take, Shop.make, Shop().buy)
    ]
    assert "use Shop" == extract(Stall).deprecated
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        newer = type("Newer", (Stall,), {})
    assert extract(newer).deprecated is None
    assert "use wipe" == extract(functools.partial(old, 1)).deprecated
    assert "gone" == extract(Shop.__dict__["make"]).deprecated
    assert typesig.extract(print).deprecated is None
