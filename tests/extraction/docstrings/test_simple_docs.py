"""The quick reader of Google's sections reads them as docstring_parser does, or leaves them to it."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import EXAMPLES, LAW
from tests.type_table.docstrings import ROWS
from typesig.extraction.docstrings import docs, docstrings, simple_docs

QUICK = [
    "Do.\n\nArgs:\n    x: the x\n    *y (int): the y\n      of it\n\n    z (str, optional): z.\nReturns:\n    It.",
    "Do.\n\nMore.\n\nArgs:\n  x:\n    the x\n\n    - a\n    - b\n  x: again\n  y (a?): why\n  w (optional): the w",
    "Do.\n\nAttributes:\n    x (list of str): the x\n    y:\n\nNote:\n    Mind it.\n\nReturns:\n    a\n      b\n    c",
    "Args:\n    **more: 'names': see `it` there\n    b (??): c",
    "Do.\n\nArgs:\n        \n  \n\nReturns:\n    `it`",
]
LEFT = [
    "Do.\n\nArgs:\n    x the x",
    "Do.\n\nArgs:\n    x (Callable[(int)]): the x",
    "Do.\n\nArgs:\n    x, y: the two\n    z:",
    "Do.\n\nReturns:\n    int: the number",
    "Do.\n\nArgs:\n  z (  ): zed",
    "Do.\n\nYields:\n    the number",
    "Do.\n\nArgs:\n    x: a" + " " * 100 + "b",
    "Do.\n\nArgs:\n    x: a\x1fb",
]  # fmt: skip
PIECES = ["\n", "    ", "  ", ":", "(int)", "(", ")", "Args:\n", "Returns:\n", "x", "*", ",", "\t", "\u00a0", "-", "optional"]  # fmt: skip


def read(text):
    docs._read.cache_clear()
    return docs.read_docstring(text)


def read_by_the_library(text, monkeypatch):
    with monkeypatch.context() as patched:
        # Neither the whole text nor its sections are read here.
        patched.setattr(docs, "read_simple", lambda text: None)
        patched.setattr(docstrings, "read_lines", lambda sections: None)
        return read(text)


def sections_of(text):
    return docstrings._split_sections("google", text).sections


@pytest.mark.parametrize("text", QUICK)
def test_simple_sections_are_read_quickly(text, monkeypatch):
    assert simple_docs.read_lines("\n" + sections_of(text)) is not None
    assert read_by_the_library(text, monkeypatch) == read(text)


@pytest.mark.parametrize("text", LEFT)
def test_other_sections_are_left_to_docstring_parser(text, monkeypatch):
    assert simple_docs.read_lines("\n" + sections_of(text)) is None
    assert read_by_the_library(text, monkeypatch) == read(text)


def test_a_title_that_occurs_twice_is_left_to_docstring_parser():
    assert simple_docs.read_lines("\nArgs:\n    x: the x\n\nArgs:\n    y: the y") is None


@LAW
@given(st.integers(0, 2**32))
def test_sections_are_read_as_docstring_parser_reads_them(seed):
    random = Random(seed)
    known = [row.target.__doc__ for row in ROWS if row.target.__doc__]
    with pytest.MonkeyPatch.context() as monkeypatch:
        for _ in range(EXAMPLES):
            text = random.choice([*QUICK, *LEFT, *known])
            for _ in range(random.randint(0, 3)):
                at = random.randint(0, len(text))
                text = text[:at] + random.choice([*PIECES, ""]) + text[at + random.randint(0, 2) :]
            assert read_by_the_library(text, monkeypatch) == read(text)


@pytest.mark.needs_process
def test_simple_sections_need_no_docstring_parser():
    code = (
        "import sys\n"
        "from typesig.extraction.docstrings.docs import read_docstring\n"
        f"assert read_docstring({QUICK[3]!r}).params\n"
        "assert 'docstring_parser' not in sys.modules\n"
    )

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
