"""Code as real packages write it, found by extracting all public callables of many packages."""

from __future__ import annotations

import collections
import collections.abc
import itertools
import sys
import types
import typing
import unittest.mock
from dataclasses import dataclass, make_dataclass
from typing import Any, Hashable, NamedTuple, Union  # noqa: UP035

import attrs
import pytest

from typesig import extract, tool
from typesig.errors import ExtractionError
from typesig.extraction.docstrings.type_phrases import parse_type

# types in docstrings


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        # words
        ("array_like", "bool | int | float | list"),
        ("Boolean", "bool"),
        ("List of Strings", "list[str]"),
        ("dtype", "str"),
        ("hashable object", "Hashable"),
        ("A list of ints", "list[int]"),
        ("DataFrame", "DataFrame"),
        ("`numpy.random.Generator`", "numpy.random.Generator"),
        (":class:`~pkg.Thing`", "pkg.Thing"),
        (":class:`Thing <pkg.Thing>`", "Thing"),
        ("Rotation instance", "Rotation"),
        ("class", "'class'"),
        # alternatives
        ("int | None", "int | None"),
        ("integer, float, or None", "int | float | None"),
        ("Series/DataFrame", "Series | DataFrame"),
        ("int or int", "int"),
        ("scalar or float", "int | float"),
        # optional parameters, and words beside a type
        ("int, optional", "int"),
        ("bool (default: True)", "bool"),
        ("bool (optional", "bool"),
        ("string, optional (default='weight')", "str"),
        ("{'default', 'x'}", "Literal['default', 'x']"),
        ("dict = None", "dict"),
        ("optional", None),
        ("array_like, shape (M,) or (M, K)", "bool | int | float | list"),
        ("array_like, with ``bytes_``, or ``str_`` dtype", "bool | int | float | list"),
        ("(N,) array_like", "bool | int | float | list"),
        ("int or 1-D array_like", "int | bool | float | list"),
        ("(M, N) ndarray", "ndarray"),
        ("float array_like", "bool | int | float | list"),
        ("array-like (1-dimensional)", "bool | int | float | list"),
        ("None or (lower limit, upper limit)", "None | '(lower limit, upper limit)'"),
        # choices
        ("{'a', 'b'}", "Literal['a', 'b']"),
        ("{\u2018a\u2019, \u2018b\u2019}", "Literal['a', 'b']"),
        ("{0 or 'index', 1 or 'columns'}", "Literal[0, 'index', 1, 'columns']"),
        ("{index (0), columns (1)}", "Literal[0, 'index', 1, 'columns']"),
        ("{int, None}", "int | None"),
        ("bool or 'auto'", "bool | Literal['auto']"),
        ("str or False or {'a'}", "str | Literal[False, 'a']"),
        ("str {'full', 'valid'}", "Literal['full', 'valid']"),
        ("string ('in', 'out')", "Literal['in', 'out']"),
        ("{}", "'{}'"),
        ("{None, 'armijo'", "'{None' | Literal['armijo']"),
        # bounds
        ("positive int", "Positive[int]"),
        ("integer, positive", "Positive[int]"),
        ("float or None, non-negative", "NonNegative[float] | None"),
        ("positive thing", "'positive thing'"),
        # collections
        ("sequence of ints", "Sequence[int]"),
        ("iterable of str", "Iterable[str]"),
        ("generator of str", "Iterator[str]"),
        ("collection of str", "Collection[str]"),
        ("set of str", "set[str]"),
        ("frozenset of str", "frozenset[str]"),
        ("tuple of ints", "tuple[int, ...]"),
        ("array_like of ints", "int | list"),
        ("array_like of colours", "colours | list"),
        ("array_like of dark colours", "bool | int | float | list"),
        ("list of node pairs", "list['node pairs']"),
        ("dictionary of floats", "dict"),
        ("dict of {str: int}", "dict[str, int]"),
        ("dict of node names to int", "dict"),
        ("dict mapping str to int", "dict[str, int]"),
        ("list of 2 floats", "tuple[float, float]"),
        ("pair of strings", "tuple[str, str]"),
        ("pair of dark colours", "tuple"),
        ("2-tuple", "tuple"),
        ("3-tuple of int", "tuple[int, int, int]"),
        ("(int, str)", "tuple[int, str]"),
        ("tuple (int, str)", "tuple[int, str]"),
        ("(left, right)", "'(left, right)'"),
        ("[int, int]", "list"),
        ("[array, array]", "'[array, array]'"),
        ("dict[str, Any]", "dict[str, Any]"),
        ("dict[str]", "'dict[str]'"),
        ("tuple[int, ...]", "tuple[int, ...]"),
        ("list[string]", "list[str]"),
        ("Literal['a', 'b']", "Literal['a', 'b']"),
        ("Optional[str]", "str | None"),
        ("Union[int, str]", "int | str"),
        ("ndarray[bool]", "'ndarray[bool]'"),
        # texts that are not types
        ("callable f(x, *args)", "Callable"),
        ("int or NetworkX graph", "int | 'NetworkX graph'"),
        ("instance of nothing (much)", "'instance of nothing (much)'"),
        ("(" * 9 + "int, int" + ")" * 9, None),
        ("x " * 300, None),
    ],
)
def test_a_type_in_a_docstring_is_read_as_people_write_it(written, hint):
    found = parse_type(written)

    assert hint == found or (hint is None and (found is None or found.startswith("'")))


def reduced(values, steps=3, mode="fast", seed=None):  # type: ignore[no-untyped-def]
    """Reduce.

    Parameters
    ----------
    values : array_like, shape (n,)
        what to reduce
    steps : positive int, optional
        how often
    mode : {'fast', 'exact'}
        how
    seed : random state, optional
        where it starts

    Returns
    -------
    total : float
        the sum
    names : list of str
        what was reduced
    """
    return float(sum(values)), [mode] * steps


def test_a_numpy_docstring_is_a_signature():
    made = tool(reduced)

    assert (
        '(values :bool|:float|[:any], steps :int[>0] = 3, mode :enum["fast" "exact"] = "fast", '
        "seed :any?) -> [:float, [:string]]"
    ) == str(made.signature)
    assert [
        "seed: 'random state': the docstring's text is not a type, so it became :any; write a hint"
    ] == [str(warning) for warning in made.warnings]
    assert (6.0, ["fast"]) == made.call({"values": [1, 2, 3], "steps": 1}).result
    assert ["steps: expected int[>0], got int 0"] == [
        str(issue) for issue in made.call({"values": [1], "steps": 0}).errors
    ]


def test_what_a_docstring_yields_is_read_as_a_list():
    def counted(top):  # type: ignore[no-untyped-def]
        """Count.

        Parameters
        ----------
        top : int
            where it ends

        Yields
        ------
        int
            the next number
        """
        yield from range(top)

    assert "(top :int) -> [:int]" == str(extract(counted).signature)
    assert [0, 1] == tool(counted).call({"top": 2}).value


# hints


def test_what_can_be_hashed_is_what_json_has_of_it():
    def mark(at: Hashable, names: dict[Hashable, int]) -> Hashable:
        return at

    found = extract(mark)

    assert "(at :string|:float|:bool|:nil, names :map[:int]) -> :any" == str(found.signature)
    assert ["returns"] == [warning.place for warning in found.warnings]
    assert 3 == tool(mark).call({"at": 3, "names": {"a": 1}}).result
    assert not tool(mark).call({"at": [3], "names": {}}).ok


Tree = Union[set[int], dict[int, "Tree"], dict[str, "Tree"]]  # noqa: UP007


def test_an_alias_that_names_itself_in_text_ends_there():
    def prune(tree: Tree, more: "dict[str, Tree]") -> None: ...  # noqa: UP037

    found = extract(prune)

    assert "it refers to itself, so it became :any" == found.warnings[0].reason
    assert len(str(found.signature)) < 300


def test_warnings_alike_within_records_are_one_that_counts_the_places():
    @dataclass
    class Part:
        handle: types.FrameType
        again: types.CodeType

    def build(one: Part, two: Part) -> None: ...
    def small(one: Part) -> None: ...
    def plain(a: types.FrameType, b: types.FrameType, c: types.FrameType, d: types.FrameType): ...

    (warning,) = extract(build).warnings
    assert str(warning) == (
        "one.handle and 3 more places: frame, code: the class has no JSON form of its own, "
        "so it became :any; write Injected[…] where the host supplies it, or an explicit "
        "signature"
    )
    with pytest.raises(ExtractionError, match=r"- one\.handle and 3 more places: "):
        extract(build, strict=True)
    assert ["one.handle", "one.again"] == [each.place for each in extract(small).warnings]
    # Each parameter is named.
    assert ["a", "b", "c", "d"] == [each.place for each in extract(plain).warnings]


def wide_record(name: str, size: int, *inner: type) -> type:
    fields = [
        *((f"field_{n}", int) for n in range(size)),
        *((f"of_{c.__name__}", c) for c in inner),
    ]
    return make_dataclass(name, fields)


def test_the_records_of_a_signature_have_a_bounded_length():
    leaves = [wide_record(f"Leaf{n}", 20) for n in range(20)]
    middles = [wide_record(f"Middle{n}", 1, *leaves) for n in range(20)]
    whole = wide_record("Whole", 3, *middles)

    def f(a: whole, b: int, c: leaves[0]) -> whole: ...

    found = extract(f)

    assert 20_000 < len(str(found.signature)) < 22_000
    assert str(found.signature).endswith("b :int, c :any) -> :any")
    (warning,) = found.warnings
    assert warning.reason == (
        "the records of the signature have more than 20000 characters; from here on they became "
        ":any"
    )
    assert warning.remedy == "write a smaller max_depth, or an explicit signature"
    assert len(str(extract(f, max_depth=2).signature)) < 14_000


def test_a_record_that_is_too_long_by_itself_is_any():
    huge = wide_record("Huge", 3_000)

    def f(a: huge, b: int) -> None: ...

    found = extract(f)

    assert str(found.signature) == "(a :any, b :int) -> :nil"
    assert [warning.place for warning in found.warnings] == ["a"]


def test_the_source_of_a_class_is_parsed_once(monkeypatch):
    from typesig.extraction.docstrings import docs

    parsed = []
    original = docs._parse_class
    monkeypatch.setattr(docs, "_parse_class", lambda text: parsed.append(text) or original(text))
    docs._read_descriptions.cache_clear()

    def f(a: Noted, b: list[Noted], c: dict[str, Noted]) -> Noted: ...

    found = extract(f)
    assert str(found.signature).count("x :int") == 4
    assert len(parsed) == 1


@dataclass
class Noted:
    x: int
    """the x"""


# defaults


class Lazy(collections.abc.Sequence[int]):
    asked = 0

    def __len__(self) -> int:
        Lazy.asked += 1
        return 3

    def __getitem__(self, index: Any) -> Any:
        Lazy.asked += 1
        return index


class Renamed(dict[str, int]):
    def items(self) -> Any:
        raise RuntimeError("items")


class Plain(dict[str, int]): ...


@dataclass
class Holding:
    rows: collections.abc.Iterable[int]


@attrs.define
class Slotted:
    n: int = 1


class Pair(NamedTuple):
    a: int = 1


_NUMBERS = iter([1, 2, 3])


@pytest.mark.parametrize(
    ("default", "reason"),
    [
        (_NUMBERS, "a value of list_iterator has no JSON form"),
        (itertools.count(), "a value of count has no JSON form"),
        (range(10**6), "it has more than 1000 values"),
        (range(10**30), "it has more than 1000 values"),
        (Lazy(), "a value of Lazy has no JSON form"),
        (Renamed(a=1), "a value of Renamed has no JSON form"),
        ([_NUMBERS], "a value of list_iterator has no JSON form"),
        ({"a": _NUMBERS}, "a value of list_iterator has no JSON form"),
        (Holding(_NUMBERS), "a value of list_iterator has no JSON form"),
    ],
)
def test_a_default_that_reading_would_change_is_not_shown(default, reason):
    def show(rows=default): ...

    show.__annotations__ = {"rows": Any}
    found = extract(show)

    assert "(rows? :any) -> :any" == str(found.signature)
    assert [f"the default is not shown: {reason}"] == [w.reason for w in found.warnings]
    assert (0, 3) == (Lazy.asked, _NUMBERS.__length_hint__())


def test_a_default_that_contains_itself_is_not_shown():
    loop: list[Any] = []
    loop.append(loop)

    def show(rows: list[Any] = loop) -> None: ...

    assert "(rows? [:any]) -> :nil" == str(extract(show).signature)


@pytest.mark.parametrize(
    ("hint", "default", "shown"),
    [
        (tuple[int, ...], range(3), "[0, 1, 2]"),
        (Pair, Pair(), '{"a": 1}'),
        (dict[str, int], Plain(a=1), '{"a": 1}'),
        (collections.OrderedDict[str, int], collections.OrderedDict(a=1), '{"a": 1}'),
        (Slotted, Slotted(), '{"n": 1}'),
        (bytes, b"x", '"eA=="'),
    ],
)
def test_a_default_of_plain_values_is_shown(hint, default, shown):
    def show(value=default): ...

    show.__annotations__ = {"value": hint}

    assert f" = {shown})" in str(extract(show).signature)


# callables


def test_an_object_that_invents_attributes_is_not_a_wrapper():
    assert extract(unittest.mock.call).signature is None


def test_a_callable_that_inspect_cannot_read_has_no_signature(monkeypatch):
    def gone(*_: Any) -> Any:
        # inspect raises this for a builtin whose defaults are undefined names.
        raise AttributeError("module '_curses' has no attribute 'ACS_VLINE'")

    monkeypatch.setattr("inspect.signature", gone)

    assert extract(len).signature is None


def _moved() -> Any:
    """Return a package that gives its own name to what a private module defines."""
    return """
from __future__ import annotations
import typing
if typing.TYPE_CHECKING:
    from decimal import Decimal
class Shape:
    def grow(self, by: Decimal) -> Decimal: ...
    size: Decimal
def made(by: Decimal) -> Decimal: ...
class Bare:
    def __init__(self, by: Decimal) -> None: ...
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "movedpkg"
    folder.mkdir()
    (folder / "_inner.py").write_text(_moved(), "utf-8")
    lines = ["from ._inner import Bare, Shape, made"]
    lines += [f"{name}.__module__ = 'movedpkg'" for name in ("Bare", "Shape", "made")]
    (folder / "__init__.py").write_text("\n".join(lines), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    import movedpkg

    yield movedpkg
    for name in [name for name in sys.modules if name.partition(".")[0] == "movedpkg"]:
        del sys.modules[name]


def test_names_are_looked_up_where_the_code_was_written(package):
    for each in (package.made, package.Shape.grow, package.Bare):
        found = extract(each)

        assert "by :string[decimal]" in str(found.signature)
        assert [] == [w for w in found.warnings if w.place == "by"]


class Typed:
    str = "|O08"

    def cast(self, value: "str | None", more: "dict[str, int]") -> None: ...  # noqa: UP037


def test_a_text_in_a_class_under_the_name_of_a_type_is_not_a_type():
    found = extract(Typed.cast)

    assert "(value :any, more :map[:int]) -> :nil" == str(found.signature)
    assert 2 == len(found.warnings)


def test_alternatives_that_are_not_types_affect_only_their_hint():
    def bins(edges: "int | [int]") -> None: ...  # noqa: UP037

    found = extract(bins)

    # From Python 3.13 on, a union takes objects that cannot be hashed; they are left out of it.
    kept = ":int" if sys.version_info >= (3, 13) else ":any"
    assert f"(edges {kept}) -> :nil" == str(found.signature)
    assert 1 == len(found.warnings)


def test_a_form_of_typing_that_is_its_own_origin_is_read():
    assert "() -> :any" == str(extract(typing.Generic).signature)


def test_texts_of_fields_are_kept_up_to_a_bound(monkeypatch):
    monkeypatch.setattr("typesig.extraction.hints.context.MAX_DESCRIBED", 10)

    @dataclass
    class Told:
        """Told.

        Attributes:
            a: the first
            b: the second
            c: the third
        """

        a: int
        b: int
        c: int

    def build(one: Told) -> None:
        """Do.

        Args:
            one: a long text of a parameter
        """

    found = extract(build)

    assert '(one {a :int "the first", b :int, c :int} "a long text of a parameter") -> :nil' == (
        found.signature.render()
    )
    assert [
        "one.b: the texts of fields are longer than 10 characters; from here on they are left out; "
        "write shorter ones, or a smaller max_depth"
    ] == [str(warning) for warning in found.warnings]


def test_records_are_written_out_up_to_a_bound(monkeypatch):
    monkeypatch.setattr("typesig.extraction.hints.record_hints.MAX_RECORDS", 2)

    def build(one: Pair, two: Pair, three: Pair) -> None: ...

    found = extract(build)

    assert "(one {a :int = 1}, two {a :int = 1}, three :any) -> :nil" == str(found.signature)
    assert ["2 records are written out already, so it became :any"] == [
        warning.reason for warning in found.warnings
    ]
