"""The syntax of newer versions of Python, as source that only they can compile.

`type X = …` and `def f[T]` are new in 3.12, defaults of type parameters in 3.13, deferred evaluation
of annotations in 3.14.  The rows of `type_system` state the same with typing_extensions, for older
versions.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from tests.type_table.rows import Like, Result, Row, keep, param, result

_SINCE_12 = """
from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypedDict, Unpack
import annotated_types as at

type Table = dict[str, list[int]]
type Pairs[T] = list[tuple[T, T]]
type Small = Annotated[int, at.Ge(1), "a small one"]
type Nested = list[Nested | int]
type Json = int | str | list[Json] | dict[str, Json]
type Even = list[Odd]
type Odd = dict[str, Even] | int
type Maybe[T] = T | None
type Quoted = "list[Point]"

@dataclass
class Point:
    x: int

@dataclass
class Box[T]:
    content: T

@dataclass
class IntBox(Box[int]):
    name: str = "a"

@dataclass
class Bounded[T: int]:
    content: T

@dataclass
class Chosen[T: (int, str)]:
    content: T

class Crate[T](TypedDict):
    item: T

class Cell[T](NamedTuple):
    content: T

class Shop[T]:
    def take(self, value: list[T], more: Box[int] | None = None) -> None:
        keep(value, more)

class IntShop(Shop[int]):
    pass

class Options(TypedDict):
    limit: int

def bounded[T: int](value: T) -> T:
    keep(value)
    return value

def chosen[T: (int, str)](value: T) -> T:
    keep(value)
    return value

def boxed[T: int](value: Box[T]) -> None:
    keep(value)

def unpacked(**value: Unpack[Options]) -> None:
    keep(value)

def passed[**P](value: int, *args: P.args, **kwargs: P.kwargs) -> None:
    keep(value, args, kwargs)
"""

_SINCE_13 = """
import warnings
from dataclasses import dataclass
from typing import NamedTuple, NotRequired, ReadOnly, TypedDict, TypeIs

type Listed[T = int] = list[T]

@dataclass
class Fallen[T = int]:
    content: T

class Read(TypedDict):
    id: ReadOnly[int]
    name: NotRequired[ReadOnly[str]]

class Crate[T = str](TypedDict):
    item: T

class Cell[K, V = K](NamedTuple):
    key: K
    held: V

class Changed(Read):
    id: int
    size: ReadOnly[NotRequired[int]]

def fallen[T = int](value: T) -> None:
    keep(value)

def narrowed(value: object) -> TypeIs[int]:
    return isinstance(value, int)

@warnings.deprecated("use Point", category=None)
@dataclass
class OldPoint:
    x: int

@warnings.deprecated("use fallen", category=None)
def old(value: int) -> None:
    keep(value)
"""

_SINCE_14 = """
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from nowhere import Session

def later(value: Order, name: Name | None = None) -> None:
    keep(value, name)

def giving_later(value) -> Part:
    return value

def in_parts(value: list[Nowhere] | int, more: dict[str, Part] | None = None) -> None:
    keep(value, more)

class Shelf:
    def put(self, value: Book, on: Shelf | None = None) -> None:
        keep(value)

    class Book(TypedDict):
        title: str

@dataclass
class Unsure:
    id: int
    session: Session | None = None
    part: Part | None = None

class Patched:
    size: int

def annotate(format, /):
    return {"value": Part, "return": None}

def annotated(value):
    keep(value)

annotated.__annotate__ = annotate

def unresolved(value: int, session: Session, other: list[Nowhere] | None = None) -> None:
    keep(value, session, other)

class Name(TypedDict):
    first: str
    next: list[Name] | None

@dataclass
class Order:
    id: int
    parts: list[Part] = field(default_factory=list)

class Part(NamedTuple):
    size: int

@dataclass
class Documented:
    size: int = field(doc="in metres")

def made():
    @dataclass
    class Local:
        id: int

    def f(value: Local) -> None:
        keep(value)

    return f, Local

local, Local = made()
"""


def _module(version: int, text: str) -> Any:
    """Return the module with the source *text*, or None if this Python cannot compile it."""
    if sys.version_info < (3, version):
        return None
    module = types.ModuleType(f"{__name__}{version}")
    vars(module)["keep"] = keep
    # Objects of the module are looked up by its name.
    sys.modules[module.__name__] = module
    exec(compile(text, f"<{module.__name__}>", "exec", dont_inherit=True), vars(module))
    return module


def _row(module: Any, noun: str, name: str, takes: Any, refuses: Any, **more: Any) -> Row:
    return Row(noun, getattr(module, name), takes, refuses, **more)


_SAID = {"recursive": True}


def _rows_12(m: Any) -> tuple[Row, ...]:
    names = "type X = …"
    return (
        param(names, m.Table, (({}, {}), ({"a": [1]}, {"a": [1]})), ({"a": ["x"]}, [1]), shorthand=":map[[:int]]", ptc_runner=":map"),
        param(names, m.Pairs[int], (([], []), ([[1, 2]], [(1, 2)])), ([[1]], [["x", "y"]]), shorthand="[[:int, :int]]", ptc_runner="[:any]"),
        param(names, m.Maybe[int], ((1, 1), (None, None)), ("x", []), shorthand=":int?"),
        param(names, list[m.Quoted], (([], []), ([[{"x": 1}]], [[m.Point(1)]])), ([1], [[{}]]), shorthand="[[{x :int}]]"),
        param(
            "Annotated inside aliases", m.Small, ((1, 1), (2, 2)), (0, "x"),
            texts={"value": "a small one"},
        shorthand=":int[1..]", ptc_runner=":int",),
        param(
            "recursive aliases", m.Nested, (([], []), ([1, [2, []]], [1, [2, []]])),
            (["x"], [[["x"]]], 1), options=_SAID,
        shorthand=":Nested where Nested = [:Nested|:int]",),
        param(
            "recursive aliases", m.Json, ((1, 1), ({"a": [1, "b"]}, {"a": [1, "b"]})),
            (None, {"a": [1.5]}), options=_SAID,
        shorthand=":Json where Json = :int|:string|[:Json]|:map[:Json]", ptc_runner=":Json where Json = :int|:string|[:Json]|:map",),
        param(
            "mutually recursive aliases", m.Even, (([], []), ([1, {"a": [2]}], [1, {"a": [2]}])),
            (["x"], [{"a": 1}]), options=_SAID,
        shorthand=":Even where Even = [:map[:Even]|:int]", ptc_runner=":Even where Even = [:map|:int]",),
        param(
            "the :any default", m.Nested, (([], []), ([1, "a"], [1, "a"])), (1, "a"),
            warns=("it refers to itself",),
        shorthand="[:any|:int]",),
        param("PEP 695", m.Box[int], (({"content": 1}, m.Box(1)),), ({"content": "x"}, {}), shorthand="{content :int}"),
        param(
            "PEP 695", m.IntBox, (({"content": 1}, m.IntBox(1)),), ({"content": "x"}, {}),
        shorthand='{content :int, name :string = "a"}',),
        param("PEP 695", m.Bounded, (({"content": 1}, m.Bounded(1)),), ({"content": "x"}, {}), shorthand="{content :int}"),
        param("PEP 695", m.Chosen, (({"content": "a"}, m.Chosen("a")),), ({"content": None}, {}), shorthand="{content :int|:string}"),
        param("PEP 695", m.Crate[int], (({"item": 1}, {"item": 1}),), ({"item": "x"}, {}), shorthand="{item :int}"),
        param("PEP 695", m.Cell[int], (({"content": 1}, m.Cell(1)),), ({"content": "x"}, {}), shorthand="{content :int}"),
        _row(m, "PEP 695", "bounded", (({"value": 1}, 1),), ({"value": "x"}, {})),
        _row(m, "PEP 695", "chosen", (({"value": "a"}, "a"),), ({"value": None}, {})),
        _row(
            m, "PEP 695", "boxed", (({"value": {"content": 1}}, m.Box(1)),),
            ({"value": {"content": "x"}}, {"value": {}}),
        ),
        Row(
            "PEP 695", m.IntShop().take, (({"value": [1]}, ([1], None)),),
            ({"value": ["x"]}, {"value": 1}),
        ),
        _row(m, "Unpack[TypedDict]", "unpacked", (({"limit": 1}, {"limit": 1}),), ({}, {"limit": "x"})),
        _row(
            m, "ParamSpec", "passed", (({"value": 1}, (1, (), {})),), ({"value": "x"}, {}), warns=None
        ),
    )  # fmt: skip


def _rows_13(m: Any) -> tuple[Row, ...]:
    return (
        param(
            "PEP 696", m.Fallen, (({"content": 1}, m.Fallen(1)),), ({"content": "x"}, {}),
        shorthand="{content :int}",),
        param("PEP 696", m.Fallen[str], (({"content": "a"}, m.Fallen("a")),), ({"content": 1}, {}), shorthand="{content :string}"),
        param(
            "TypedDict ReadOnly", m.Read, (({"id": 1}, {"id": 1}),), ({}, {"id": 1, "name": 2}),
        shorthand="{id :int, name? :string}",
        ),
        param("PEP 696", m.Listed[str], ((["a"], ["a"]),), ([1], "a"), shorthand="[:string]"),
        param("PEP 696", m.Listed, (([1], [1]),), (["a"], 1), shorthand="[:int]"),
        param("PEP 696", m.Crate, (({"item": "a"}, {"item": "a"}),), ({"item": 1}, {}), shorthand="{item :string}"),
        param("PEP 696", m.Crate[int], (({"item": 1}, {"item": 1}),), ({"item": "a"}, {}), shorthand="{item :int}"),
        param(
            "PEP 696", m.Cell[int], (({"key": 1, "held": 2}, m.Cell(1, 2)),), ({"key": 1, "held": "a"}, {}),
        shorthand="{key :int, held :int}",),
        param(
            "TypedDict ReadOnly", m.Changed, (({"id": 1, "size": 2}, {"id": 1, "size": 2}),),
            ({}, {"id": 1, "size": "x"}),
        shorthand="{id :int, name? :string, size? :int}",),
        param("TypeGuard", m.TypeIs[int], ((True, True), (False, False)), (1, "x"), shorthand=":bool"),
        param("deprecated", m.OldPoint, (({"x": 1}, Like("the point", lambda p: p.x == 1)),), ({"x": "a"}, {}), shorthand="{x :int}"),
        _row(m, "deprecated", "old", (({"value": 1}, 1),), ({"value": "x"}, {})),
        _row(m, "PEP 696", "fallen", (({"value": 1}, 1),), ({"value": "x"}, {})),
    )  # fmt: skip


def _unsure(id: int, part: Any) -> Like:
    # Reading the annotations of such a class raises NameError.
    def test(got: Any) -> bool:
        return vars(got) == {"id": id, "session": None, "part": part}

    return Like(f"an Unsure of {id} and {part}", test)


def _rows_14(m: Any) -> tuple[Row, ...]:
    noun = "deferred annotations of Python 3.14"
    lost = "is not defined"
    return (
        _row(
            m, noun, "later",
            (
                ({"value": {"id": 1, "parts": [{"size": 2}]}}, (m.Order(1, [m.Part(2)]), None)),
                ({"value": {"id": 1}}, (m.Order(1), None)),
            ),
            ({"value": {}}, {"value": {"id": 1, "parts": [1]}}),
            warns=("it refers to itself",),
        ),
        _row(
            m, noun, "unresolved",
            (({"value": 1, "session": 2}, (1, 2, None)),),
            ({"value": "x", "session": 2}, {"value": 1, "session": 2, "other": 3}),
            warns=(f"session: Session: the name Session {lost}", f"other: Nowhere: the name Nowhere {lost}"),
        ),
        _row(
            m, noun, "in_parts",
            (
                ({"value": 1, "more": {"a": {"size": 2}}}, (1, {"a": m.Part(2)})),
                ({"value": [1, "a"]}, ([1, "a"], None)),
            ),
            ({"value": "x"}, {"value": 1, "more": {"a": 2}}),
            warns=(f"value: Nowhere: the name Nowhere {lost}",),
        ),
        Row(
            noun, m.Shelf().put, (({"value": {"title": "a"}}, {"title": "a"}),),
            ({"value": {}}, {"value": {"title": 1}}), warns=None,
        ),
        param(
            noun, m.Unsure,
            (
                ({"id": 1}, _unsure(1, None)),
                ({"id": 1, "part": {"size": 2}}, _unsure(1, m.Part(2))),
            ),
            ({}, {"id": 1, "part": 2}),
            warns=(f"value.session: Session: the name Session {lost}",),
            shorthand="{id :int, session :any?, part {size :int}?}",
        ),
        _row(m, noun, "annotated", (({"value": {"size": 1}}, m.Part(1)),), ({"value": {}}, {})),
        _row(m, "local classes", "local", (({"value": {"id": 1}}, m.Local(1)),), ({"value": {}},)),
        param(
            "dataclasses metadata", m.Documented, (({"size": 1}, m.Documented(1)),), ({},),
            texts={"value.size": "in metres"}, shorthand="{size :int}",
        ),
    )  # fmt: skip


def _results_12(m: Any) -> tuple[Result, ...]:
    return (
        result(
            "type X = …",
            m.Pairs[int],
            (([(1, 2)], [[1, 2]]),),
            ([(1,)], 1),
            shorthand="[[:int, :int]]",
            ptc_runner="[:any]",
        ),
        result(
            "PEP 695",
            m.Box[int],
            ((m.Box(1), {"content": 1}),),
            (m.Box("x"), {}),
            shorthand="{content :int}",
        ),
        result(
            "recursive aliases",
            m.Nested,
            (([1, [2]], [1, [2]]),),
            ([["x"]],),
            options=_SAID,
            shorthand=":Nested where Nested = [:Nested|:int]",
        ),
    )


def _results_13(m: Any) -> tuple[Result, ...]:
    return (
        result(
            "PEP 696",
            m.Fallen,
            ((m.Fallen(1), {"content": 1}),),
            (m.Fallen("a"), {}),
            shorthand="{content :int}",
        ),
        result("TypeGuard", m.TypeIs[int], ((True, True),), (1, None), shorthand=":bool"),
        result(
            "TypedDict ReadOnly",
            m.Read,
            (({"id": 1}, {"id": 1}),),
            ({"id": "x"}, {}),
            shorthand="{id :int, name? :string}",
        ),
    )


def _results_14(m: Any) -> tuple[Result, ...]:
    def later(value: Any) -> Any:
        # A copy of the function, with the annotations that refer to a class defined later.
        def f():  # type: ignore[no-untyped-def]
            return value

        f.__annotate__ = lambda format: {"return": m.giving_later.__annotations__["return"]}  # type: ignore[attr-defined]
        return f

    return (
        Result(
            "postponed annotations", later, ((m.Part(1), {"size": 1}),), (1, {"size": "x"}),
            shorthand="{size :int}",
        ),
        result(
            "dataclasses nested", m.Order, ((m.Order(1, [m.Part(2)]), {"id": 1, "parts": [{"size": 2}]}),),
            (m.Order("x"), {"id": 1}), shorthand="{id :int, parts [{size :int}]}",
        ),
    )  # fmt: skip


_MADE = (
    (_module(12, _SINCE_12), _rows_12, _results_12),
    (_module(13, _SINCE_13), _rows_13, _results_13),
    (_module(14, _SINCE_14), _rows_14, _results_14),
)
ROWS: tuple[Row, ...] = tuple(
    row for module, make, _ in _MADE if module is not None for row in make(module)
)
RESULTS: tuple[Result, ...] = tuple(
    row for module, _, make in _MADE if module is not None for row in make(module)
)
