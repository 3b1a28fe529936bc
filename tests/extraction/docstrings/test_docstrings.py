"""Docstrings: every style, descriptions of several lines, and parts that do not follow the style."""

from __future__ import annotations

import importlib.util
import sys
import tokenize
from dataclasses import dataclass
from typing import Any

import docstring_parser
import pytest

from typesig import extract
from typesig.extraction.docstrings import docs, docstrings
from typesig.extraction.docstrings.docs import read_docstring, read_field_texts


def parts_of(text: str) -> dict[str, Any]:
    """Return the parts of the docstring *text* that are not empty."""
    found = read_docstring(text)._asdict()
    return {name: dict(v) if name == "types" else v for name, v in found.items() if v}


ARGS = {"x": "the x", "y": "the y"}

ROWS = [
    # the docstring, its parts
    ("", {}),
    ("Do.", {"text": "Do."}),
    (">>> do()\n1", {}),
    ("Do.\n\nMore\nof it.\n\n>>> do()\n1\n\nEnd.", {"text": "Do.", "details": "More\nof it.\n\nEnd."}),
    # Google
    ("Do.\n\nArgs:\n    x: the x\n    y: the y", {"text": "Do.", "params": ARGS}),
    ("Do.\nArgs:\n    x: the x\n\n    y: the y", {"text": "Do.", "params": ARGS}),
    ("Args:\n    x: the x\n    y: the y", {"params": ARGS}),
    ("Do.\n\nArgs:\n\n    x: the\n        x\n    y: the y", {"text": "Do.", "params": ARGS}),
    ("Do.\n\nArgs:\nx: the x\ny: the y", {"text": "Do.", "params": ARGS}),
    ("Do.\n\nArgs:\n    x (optional): the x\n    y: the y", {"text": "Do.", "params": ARGS}),
    ("Do.\n\nArgs:\n \tx: the x\n \ty: the y", {"text": "Do.", "params": ARGS}),
    ("Do.\n\nArgs:\n  x: the x\n\nKeyword Args:\n    y: the y", {"text": "Do.", "params": ARGS}),
    ("Do.\n\nArgs:\n    x: the x\n\nArgs:\n    y: the y", {"text": "Do.", "params": ARGS}),
    ("Do.\n\nParams:\n    x: the x\n\nOther Parameters:\n    y: the y", {"text": "Do.", "params": ARGS}),
    ("  Do.\n\n    Args:\n        x: the x\n        y: the y\n", {"text": "Do.", "params": ARGS}),
    ("Do.\n\n  Args:\n      x: the x\n      y: the y\n  Returns:\n      it\n\nLast.",
     {"text": "Do.", "params": ARGS, "returns": "it", "details": "Last."}),
    ("Do.\n\nArgs:\n    x: the x\n    y: the y\n\nNote:\n    Mind.\n\nReturns:\n    it",
     {"text": "Do.", "params": ARGS, "returns": "it", "details": "Note:\n    Mind."}),
    ("Do.\n\nArgs:\n    x: the x\n    y: the y\nMind.", {"text": "Do.", "params": ARGS, "details": "Mind."}),
    ("Do.\n\nRaises:\n    OSError: never\n\nExample:\n    >>> do()",
     {"text": "Do.", "details": "Raises:\n    OSError: never"}),
    ("Do.\n\nReturns:\n\nMind.", {"text": "Do.", "returns": "Mind."}),
    ("Do.\n\nArgs:\n    x: the x\n    what is this\n    y: the y",
     {"text": "Do.", "params": ARGS, "unread": ("what is this",)}),
    ("Do.\n\nArgs:\n    one\n    two\n    y: the y", {"text": "Do.", "params": {"y": "the y"}, "unread": ("one", "two")}),
    ("Do.\n\nArgs:\n    it's what\n    y: the y", {"text": "Do.", "params": {"y": "the y"}, "unread": ("it's what",)}),
    ("Do.\n\nArgs:\n    : nameless\n    y: the y",
     {"text": "Do.", "params": {"y": "the y"}}),
    ("Do.\n\nYields:\n    each", {"text": "Do.", "returns": "each"}),
    # NumPy
    ("Do.\n\nParameters\n----------\nx : optional\n    the x\ny : int\n    the y",
     {"text": "Do.", "params": ARGS, "types": {"y": "int"}}),
    ("Do.\n\nMore.\n\nParameters\n----------\nx\n    the x\ny : int\n    the y\n\nNotes\n-----\nMind.",
     {"text": "Do.", "details": "More.\n\nNotes:\n    Mind.", "params": ARGS, "types": {"y": "int"}}),
    # reST
    ("Do.\n\n:param x: the x\n:param int y: the y\n:returns: it",
     {"text": "Do.", "params": ARGS, "types": {"y": "int"}, "returns": "it"}),
    ("Do.\n:param x: the x\n:param y: the\n  y", {"text": "Do.", "params": ARGS}),
    ("Do.\n\n:param x: the x\n\n  :param y: the y\n\nMind.", {"text": "Do.", "params": ARGS, "details": "Mind."}),
    (":class:`A` is made.\n\n:param x: the x\n:param y: the y", {"text": "A is made.", "params": ARGS}),
    ("Do.\n\n:param x: the x\n:param y: the y\n:returns", {"text": "Do.", "params": ARGS, "unread": (":returns",)}),
    ("Do.\n\n:param x", {"text": "Do.", "details": ":param x"}),
    ("Do.\n\n:param a b c d: the x\n:param y: the y",
     {"text": "Do.", "params": {"y": "the y"}, "unread": (":param a b c d: the x",)}),
    ("Do.\n\n:ivar x: the x\n:cvar y: the y", {"text": "Do.", "params": ARGS}),
    # Epydoc
    ("Do.\n\n@param x: the x\n@param y: the y", {"text": "Do.", "params": ARGS}),
    ("Do.\n\n@param x\n@param y: the y", {"text": "Do.", "params": {"y": "the y"}, "unread": ("@param x",)}),
]  # fmt: skip


EXAMPLES = [
    "Do.\n\nArgs:\n    x: the x\n    y: the y\n    >>> do(1, 2)\n    3\n",
    "Do.\n>>> do(1)\n\nArgs:\n    x: the x\n\n    >>> do(1)\n    3\n\n    y: the y\n>>> do(2)\n3",
    "Do.\n\n>>> do(1)\n... # more\n1\n\n:param x: the x\n\n>>> do(1)\n\n:param y: the y\n",
    "Do.\n\nParameters\n----------\nx : int\n    the x\n\n>>> do(1)\n3\n\ny : int\n    the y\n",
    "Do.\n\n@param x: the x\n@param y: the y\n\n>>> do(1)\n",
    "Do.\n\nArgs:\n    x: the x\n        >>> do(1)\n        3\n    y: the y\n",
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_interactive_example_is_no_part_of_a_text_and_no_warning(text: str) -> None:
    found = read_docstring(text)

    assert found.text == "Do."
    assert found.params == {"x": "the x", "y": "the y"}
    assert found.unread == ()
    assert found.details is None


def test_a_line_of_a_text_may_begin_with_a_role() -> None:
    text = "Do.\n\n:param x: the first,\n:class:`Foo` or\n    :class:`~a.Bar`, not more\n:param y: the y"

    assert read_docstring(text).params == {
        "x": "the first, Foo or Bar, not more",
        "y": "the y",
    }


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        (":class:`Foo`", "Foo"),
        (":class:`~a.b.Foo`", "Foo"),
        (":py:meth:`a.b.run`", "a.b.run"),
        (":ref:`the guide <guide>`", "the guide"),
        (":math:`x^2`", "x^2"),
        ("``x`` and ``y``", "x and y"),
        (":class:`.Foo`", "Foo"),
        (":class:`!a.Foo`", "a.Foo"),
        (":obj:`<a.Foo>`", "a.Foo"),
        (":file:`.env`", ".env"),
        (":code:`a < b`", "a < b"),
        ("`the page <https://a.b/c>`_", "the page (https://a.b/c)"),
        ("`<https://a.b/c>`__", "https://a.b/c"),
        ("`https://a.b <https://a.b>`_", "https://a.b"),
        ("`the page`_ and `another`__", "the page and another"),
        ("it [1]_, [#note]_ and [Knuth73]_", "it [1], [#note] and [Knuth73]"),
        ("version |release|", "version release"),
        (r"\*args and \*\*kwargs", "*args and **kwargs"),
        ("``|name|`` and ``[1]_``", "|name| and [1]_"),
        # what is no markup
        ("|x| < 1 and |xs| + 1", "|x| < 1 and |xs| + 1"),
        ("||xs|| or a|bc|d", "||xs|| or a|bc|d"),
        ("x[i]_ and class_", "x[i]_ and class_"),
        (r"C:\*x", r"C:\*x"),
        ("`open", "`open"),
        ("`x` and *y*", "`x` and *y*"),
        ("```x```", "```x```"),
        ("a:`b`", "a:`b`"),
    ],
)
def test_markup_of_rest_is_left_out_of_every_text(marked: str, plain: str) -> None:
    text = f"Do {marked}.\n\nMore {marked}.\n\n:param x: the {marked}.\n:returns: a {marked}."
    found = read_docstring(text)

    assert found.text == f"Do {plain}."
    assert found.details == f"More {plain}."
    assert found.params == {"x": f"the {plain}."}
    assert found.returns == f"a {plain}."


DIRECTIVES = [
    # the docstring, its text
    (".. note:: Mind\n   it.", "Note: Mind\nit."),
    (".. note::\n\n   Mind it.\n\n   Twice.", "Note: Mind it.\n\nTwice."),
    (".. WARNING:: x", "x"),
    (".. note::", ""),
    (".. seealso:: :func:`f`", "See also: f"),
    (".. versionadded:: 1.2", "New in version 1.2."),
    (".. versionchanged:: 1.3 Now\n   more.", "Changed in version 1.3: Now\nmore."),
    (".. deprecated:: 2.0\n   Use it.", "Deprecated since version 2.0: Use it."),
    (".. deprecated::\n   Use it.", "Use it."),
    (".. code-block:: python\n   :linenos:\n\n   a = 1\n\n   b = 2\n\nEnd.", "    a = 1\n\n    b = 2\n\nEnd."),
    (".. image:: x.png\n   :alt: x\n\nEnd.", "End."),
    (".. math:: x^2", "x^2"),
    (".. py:other::\n\n   Body.", "Body."),
    (".. note::\n   :returns: it", "Note: :returns: it"),
    (".. [1] Read\n   it.", "[1] Read\n   it."),
    (".. _place:\n.. _page: https://a.b\n.. |x| replace:: y\n\nEnd.", "End."),
    (".. only a line", ".. only a line"),
    ("As here::\n\n    a = 1", "As here:\n\n    a = 1"),
    ("As here ::\n\n    a = 1", "As here\n\n    a = 1"),
    ("::\n\n    a = 1", "    a = 1"),
    ("std::\n\nEnd::\nnow::", "std::\n\nEnd::\nnow::"),
]  # fmt: skip


@pytest.mark.parametrize(("marked", "plain"), DIRECTIVES)
def test_the_body_of_a_directive_is_plain_text(marked: str, plain: str) -> None:
    found = read_docstring(f"Do.\n\n{marked}")

    assert found.text == "Do."
    assert (found.details or "") == plain


def test_a_directive_within_a_section_belongs_to_its_text() -> None:
    google = "Do.\n\nArgs:\n    x: the x\n\n        .. note:: Mind.\n    y: the y"
    rest = "Do.\n\n:param x: the x\n\n    .. note:: Mind.\n:param y: the y"
    numpy = "Do.\n\nParameters\n----------\nx\n    the x\n\n    .. note:: Mind.\ny\n    the y"

    for text in (google, rest, numpy):
        found = read_docstring(text).params
        assert {name: " ".join(said.split()) for name, said in found.items()} == {
            "x": "the x Note: Mind.",
            "y": "the y",
        }


EPYDOC = [
    ("C{int}", "int"),
    ("C{dict of C{int}}", "dict of int"),
    ("C{{'a': 1}}", "{'a': 1}"),
    ("L{Shop}, L{it<a.Shop>}, L{ it <a.Shop> }", "Shop, it,  it"),
    ("U{the page<https://a.b>} or U{https://a.b}", "the page (https://a.b) or https://a.b"),
    ("a < b or C{x}", "a < b or x"),
    ("C{x} I{y} B{z} M{x^2} X{term}", "x y z x^2 term"),
    ("C{E{lb}aE{rb}} E{@}x S{alpha}", "{a} @x alpha"),
    ("L{a<C{x}>}", "a"),
    ("L{a<b} and L{<b>}", "a<b and <b>"),
    # what is no markup
    ("C{open", "C{open"),
    ("C{open\n\nB{a} and C{b}", "C{open\n\na and b"),
    ("B{a} is a set, as {b} and X_{i} are", "B{a} is a set, as {b} and X_{i} are"),
    (r"ABC{d} \C{e} }", r"ABC{d} \C{e} }"),
]


@pytest.mark.parametrize(("marked", "plain"), EPYDOC)
def test_markup_of_epydoc_is_left_out_of_every_text(marked: str, plain: str) -> None:
    first, _, rest = plain.partition("\n\n")
    found = read_docstring(f"Do {marked}.")

    assert found.text == (f"Do {first}" if rest else f"Do {plain}.")
    assert found.details == (f"{rest}." if rest else None)


def test_a_field_of_epydoc_shows_that_the_text_is_of_epydoc() -> None:
    found = read_docstring("Do B{a}.\n\n@param x: I{the} x\n@type x: C{list} of L{int}")

    assert (found.text, found.params, found.types) == ("Do a.", {"x": "the x"}, {"x": "list[int]"})


@pytest.mark.parametrize(
    "part",
    [
        *("C{", "C{}", "C{<", "L{a<b>}", "`", ":a", "-:a", "|a", "[a", "``a", "`a<", "`a <b>`_"),
        *(".. note::\n", ".. note::\n\n", "a::\n", "a::\n\n", "\\*", "E{", " ", ".. [", ".. |"),
    ],
)
def test_a_hostile_docstring_is_read_without_a_recursion(part: str) -> None:
    text = f"Do.\n\n{part * 5_000}"

    assert read_docstring(text).text == "Do."


@pytest.mark.parametrize(("text", "found"), ROWS)
def test_a_docstring_has_these_parts(text: str, found: dict[str, Any]) -> None:
    assert found == parts_of(text)


def test_an_error_in_one_part_does_not_discard_the_others() -> None:
    faults = [f"fault {n}" for n in range(30)]

    found = read_docstring("Do.\n\nArgs:\n    " + "\n    ".join([*faults, "x: the x"]))

    assert ("Do.", {"x": "the x"}, tuple(faults)) == (found.text, found.params, found.unread)


@pytest.mark.parametrize(
    "error", [docstring_parser.ParseError("What?"), ValueError("what"), IndexError()]
)
def test_a_part_on_which_the_parser_fails_is_unread(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(text: str) -> Any:
        raise error

    monkeypatch.setattr(docstrings, "_make_parser", lambda _: (fail, docstring_parser.ParseError))

    found = read_docstring("Do.\n\nArgs:\n    x : the x")

    assert ("Do.", {}, ("x : the x",)) == (found.text, found.params, found.unread)


def test_an_unread_part_is_a_warning() -> None:
    def f(x: int, **more: int) -> None:
        """Do.

        Args:
            x: the x
            what is this
        """

    (warning,) = extract(f).warnings

    assert str(warning) == (
        "what is this: this part of the docstring does not follow its style; "
        "write `name: text`, or move it out of the section"
    )


def test_an_unread_part_of_the_docstring_of_a_record_is_a_warning() -> None:
    @dataclass
    class Told:
        """Told.

        Attributes:
            x: the x
            what is this
        """

        x: int

    def f(value: Told) -> None: ...

    found = extract(f)

    assert '(value {x :int "the x"} "Told.") -> :nil' == (
        found.signature and found.signature.render()
    )
    assert ["value"] == [warning.place for warning in found.warnings]
    assert "what is this: this part of the docstring does not follow its style" in str(
        found.warnings[0]
    )


def test_paragraphs_after_the_first_are_details() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        """Do.

        Then more.
        """

    assert ("Do.", "Then more.") == (extract(f).description, extract(f).details)


SOURCE = '''
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypedDict, TypeVar
import typing_extensions as te
T = TypeVar("T")

@dataclass
class Above:
    first: int
    """first of all"""
    second: str
    """overridden"""

@dataclass
class Below(Above, Generic[T]):
    second: str
    r"""second \\d"""
    third: int = 0; """third"""
    fourth: int = 0
    # between
    "fourth"
    """no field's"""
    odd, even = 1, 2
    """of two"""
    fifth: int = 0
    """ """

class Plain:
    x: int

if True:
    class Inner(TypedDict):
        """A thing.

        Attributes:
            x: said above
        """
        x: int
        """said below"""
        y: int
        """why (or
not)"""

class More(Inner):
    # class More is below
    z: int
    """the z"""

class Further(te.TypedDict):
    x: int
    """far"""

class Farther(Further):
    y: int
    """farther"""

class Point(NamedTuple):
    x: int
    """across"""

def twice(flag):
    if flag:
        class Twin:
            x: int
            """one"""
    else:
        class Twin:
            x: int
            """another"""
    return Twin

def once():
    class Single:
        x: int
        """one"""
    return Single

class Changed:
    x: int
    """gone"""
    y: int

class Unfinished:
    x: int
    """of what was cut off
'''


def _loaded(tmp_path: Any, text: str, name: str) -> Any:
    path = tmp_path / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return _loaded_from(path, name)


def _loaded_from(path: Any, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_strings_below_fields_describe_them(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = _loaded(
        tmp_path, SOURCE.replace('"""of what was cut off', '"""of all"""'), "texts_below"
    )
    monkeypatch.setattr(sys, "modules", {**sys.modules})

    assert read_field_texts(module.Below) == {
        "first": "first of all", "second": r"second \d", "third": "third", "fourth": "fourth",
    }  # fmt: skip
    assert {} == read_field_texts(module.Plain)
    assert {"x": "said above", "y": "why (or not)"} == read_field_texts(module.Inner)
    assert "the z" == read_field_texts(module.More)["z"]
    assert {"x": "far", "y": "farther"} == read_field_texts(module.Farther)
    assert {"x": "across"} == read_field_texts(module.Point)
    assert {} == read_field_texts(module.twice(True))
    assert {"x": "one"} == read_field_texts(module.once())


def test_classes_whose_names_begin_alike_keep_their_own_descriptions(tmp_path: Any) -> None:
    pair = "class Item:\n    x: int\n    'of one'\n\nclass Items:\n    x: int\n    'of all'\n"
    module = _loaded(tmp_path, pair, "named_alike")

    assert {"x": "of one"} == read_field_texts(module.Item)
    assert {"x": "of all"} == read_field_texts(module.Items)


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("", "utf-8"), ("# one\n# two\n", "utf-8"), ("\ufeff", "utf-8"), ("\r\n\r\n", "utf-8"),
        ("# -*- coding: latin-1 -*-\n", "latin-1"), ("\n# vim: fileencoding=cp1252 :\n", "cp1252"),
        ("coding = 1\n", "utf-8"),
    ],
)  # fmt: skip
def test_a_source_is_read_in_its_encoding(tmp_path: Any, head: str, encoding: str) -> None:
    text = f"{head}class Item:\n    x: int\n    'as naïve'\n"
    path = tmp_path / "encoded.py"
    path.write_bytes(text.encode(encoding))

    with tokenize.open(path) as opened:
        assert opened.read() == docs._read_source(str(path))
    assert {"x": "as naïve"} == read_field_texts(_loaded_from(path, "encoded").Item)


@pytest.mark.parametrize("head", [b"'\xff'\n", b"# coding: none\n", b"# coding: utf-8\n'\xff'\n"])
def test_a_source_that_cannot_be_decoded_gives_no_descriptions(tmp_path: Any, head: bytes) -> None:
    path = tmp_path / "undecoded.py"
    path.write_bytes(head + b"class Item:\n    x: int\n    'one'\n")

    assert "" == docs._read_source(str(path))


def test_a_source_with_other_fields_than_the_class_gives_no_descriptions(tmp_path: Any) -> None:
    module = _loaded(tmp_path, SOURCE.replace('"""of what was cut off', ""), "texts_changed")
    (tmp_path / "texts_changed.py").write_text(
        SOURCE.replace("class Changed:\n    x: int", "class Changed:\n    z: int")
    )

    assert {} == read_field_texts(module.Changed)
    assert {} == read_field_texts(module.Unfinished)


@pytest.mark.parametrize("text", [None, b"\xff\xfe"])
def test_a_source_that_cannot_be_read_gives_no_descriptions(
    tmp_path: Any, text: bytes | None
) -> None:
    name = f"texts_{'gone' if text is None else 'odd'}"
    module = _loaded(tmp_path, SOURCE.replace('"""of what was cut off', ""), name)
    path = tmp_path / f"{name}.py"
    path.unlink() if text is None else path.write_bytes(text)

    assert {} == read_field_texts(module.Changed)


def test_a_class_without_a_source_has_no_descriptions() -> None:
    assert {} == read_field_texts(
        type("Made", (), {"__annotations__": {"x": int}, "__module__": "nowhere"})
    )
