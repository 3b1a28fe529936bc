"""Jedi, which completes code in many editors, shows tools as the functions that they decorate."""

from __future__ import annotations

from pathlib import Path

import pytest

import typesig

jedi = pytest.importorskip("jedi")

CODE = '''
import typesig
from typesig import Toolset, tool

@tool
def find_rooms(seats: int, floor: int | None = None) -> list[str]:
    """Find rooms."""
    return []

@tool(name="later", mode="lenient")
async def wait(until: str) -> int:
    return 1

@typesig.tool("(room :string) -> :int")
def book(room):
    return 1

class Office:
    @tool
    def close(self, room: str, hours: int = 1) -> str:
        return room
'''


def editor(line: str) -> tuple[object, int, int]:
    """Return a script that ends with *line*, and the place of the cursor behind it."""
    root = Path(typesig.__file__).parents[1]
    project = jedi.Project(root, added_sys_path=[str(root)])
    code = CODE + line
    return jedi.Script(code, project=project), code.count("\n") + 1, len(line)


def signatures(line: str) -> list[str]:
    """Return the signatures that an editor shows after *line*."""
    script, row, column = editor(line)
    return [each.to_string() for each in script.get_signatures(row, column)]  # type: ignore[attr-defined]


def completions(line: str) -> set[str]:
    """Return the words that an editor offers after *line*."""
    script, row, column = editor(line)
    return {each.name for each in script.complete(row, column)}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "signature"),
    [
        ("find_rooms(", "find_rooms(seats: int, floor: int | None=None) -> list[str]"),
        ("wait(", "wait(until: str) -> int"),
        ("book(", "book(room)"),
        ("Office().close(", "close(room: str, hours: int=1) -> str"),
        ("Office.close(", "close(self, room: str, hours: int=1) -> str"),
    ],
)
def test_a_call_of_a_tool_shows_the_parameters_of_its_function(line: str, signature: str) -> None:
    assert signature in signatures(line)


def test_a_call_of_a_tool_completes_the_names_of_its_parameters() -> None:
    assert "floor=" in completions("find_rooms(fl")
    assert "hours=" in completions("Office().close('x', h")


def test_the_result_of_a_tool_is_that_of_its_function() -> None:
    assert {"append", "sort"} <= completions("find_rooms(1).")


def test_a_tool_completes_its_members_and_an_outcome_has_its_own() -> None:
    assert {"call", "project", "signature"} <= completions("find_rooms.")
    assert {"feedback", "ok", "value"} <= completions("find_rooms.call({}).")


def test_a_toolset_and_a_projection_complete_their_members() -> None:
    assert {"call", "names", "project"} <= completions("Toolset([find_rooms]).")
    assert {"definitions", "handle"} <= completions("Toolset([find_rooms]).project('openai').")
    assert any("provider: ProviderName" in each for each in signatures("Toolset([]).project("))


def test_the_decorator_shows_its_options() -> None:
    assert any("description: str | None" in each for each in signatures("tool("))
