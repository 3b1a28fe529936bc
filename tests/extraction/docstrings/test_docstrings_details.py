"""Sections of docstrings that `details=True` shows: exceptions, notes and warnings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import extract, tool, tools_of
from typesig.extraction.docstrings.docs import read_docstring

Items = list[tuple[str, list[str]]]


def google(items: Items) -> str:
    rows = [f"    {name}: " + "\n        ".join(lines) for name, lines in items]
    return "Do.\n\nArgs:\n    n: the n\n\nRaises:\n" + "\n".join(rows) + "\n\nReturns:\n    it\n"


def numpy(items: Items) -> str:
    rows = [f"{name}\n    " + "\n    ".join(lines) for name, lines in items]
    head = "Do.\n\nParameters\n----------\nn\n    the n\n\nRaises\n------\n"
    return head + "\n".join(rows) + "\n\nReturns\n-------\nint\n    it\n"


def rest(items: Items) -> str:
    rows = [f":raises {name}: " + "\n    ".join(lines) for name, lines in items]
    return "Do.\n\n:param n: the n\n" + "\n".join(rows) + "\n:returns: it\n"


def epydoc(items: Items) -> str:
    rows = [f"@raise {name}: " + "\n    ".join(lines) for name, lines in items]
    return "Do.\n\n@param n: the n\n" + "\n".join(rows) + "\n@return: it\n"


words = st.text("abcdefg", min_size=1, max_size=6)
lines = st.lists(st.lists(words, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=3)
exceptions = st.sampled_from(["ValueError", "KeyError", "json.JSONDecodeError", "my_pkg.Error"])


@LAW
@given(
    st.sampled_from([google, numpy, rest, epydoc]),
    st.lists(st.tuples(exceptions, lines), min_size=1, max_size=4),
)
def test_exceptions_are_details_in_every_style(style: Any, items: Items) -> None:
    doc = read_docstring(style(items))

    shown = [f"    {name}: {' '.join(said)}" for name, said in items]
    assert "\n".join(["Raises:", *shown]) == doc.details
    assert ("Do.", {"n": "the n"}, "it") == (doc.text, doc.params, doc.returns)


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("Do.\n\nMore.\n\nRaises:\n    OSError\n", "More.\n\nRaises:\n    OSError"),
        ("Do.\n\nRaises:\n\n    If it is bad.\n", "Raises:\n    If it is bad."),
        (
            "Do.\n\nRaises:\n    `A`: ``x``\n    B: y\n\nEnd.",
            "End.\n\nRaises:\n    `A`: x\n    B: y",
        ),
        ("Do.\n:raises: if bad", "Raises:\n    if bad"),
        ("Do.\n\n:raise A:\n:exception B: y", "Raises:\n    A\n    B: y"),
        ("Do.\n\n:except A: x", "Raises:\n    A: x"),
        ("Do.\n\nRaises:\n\n", None),
        ("It raises ValueError: often.", None),
        ("Do.\n\nRaises", "Raises"),
        ("Do.\n\nRaises\n------\nA\n    x\nB", "Raises:\n    A: x\n    B"),
        (
            "Do.\n\nRaises\n------\nA\n\nNotes\n-----\nMind\nit.\n\n- a\n- b",
            "Notes:\n    Mind it.\n    \n    - a\n    - b\n\nRaises:\n    A",
        ),
        (
            "Do.\n\nParameters\n----------\nn\n    the n\n\nWarnings\n--------\nIt is slow.\n",
            "Warnings:\n    It is slow.",
        ),
    ],
)
def test_details_of_sections(text: str, details: str | None) -> None:
    assert details == read_docstring(text).details
    assert "Do." == read_docstring(text).text or details is None


def test_prompts_and_definitions_have_exceptions_if_details_are_wanted() -> None:
    @tool
    def load(path: str) -> str:
        """Load a file.

        Raises:
            OSError: if there is no such file
        """
        return path

    said = "Raises:\n  OSError: if there is no such file"
    assert load.prompt().endswith("Load a file.")
    assert load.prompt(details=True).endswith(said)
    tools = tools_of([load])
    assert said in tools.prompt(details=True)
    [definition] = tools.project("anthropic", details=True).definitions
    assert (
        "Load a file.\n\nRaises:\n    OSError: if there is no such file"
        == (definition["description"])
    )
    assert "Raises" not in str(tools.project("anthropic").definitions)
    assert "Raises:\n    OSError: if there is no such file" == extract(load).details
