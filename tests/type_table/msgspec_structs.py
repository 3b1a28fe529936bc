"""Structs of msgspec, and its metadata; hints for which none of the libraries is imported."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Any

import msgspec

from tests.type_table.rows import Like, Result, Row, param, result, same


class Account(msgspec.Struct):
    id: int
    name: str = "a"
    tags: list[str] = []


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    id: int


class Camel(msgspec.Struct, rename="camel"):
    user_id: int
    full_name: str = "a"


class Renamed(msgspec.Struct):
    kind: str = msgspec.field(name="type")
    size: int = msgspec.field(default=1, name="sz")


class Get(msgspec.Struct, tag=True):
    key: str


class Put(msgspec.Struct, tag="put", tag_field="type"):
    key: str
    value: int


class Add(msgspec.Struct, tag="add", tag_field="type"):
    key: str
    value: str


class Kebab(msgspec.Struct, tag_field="kind", tag=str.lower, rename="kebab"):
    some_name: int


class Numbered(msgspec.Struct, tag=3):
    id: int


class Point(msgspec.Struct, array_like=True):
    x: int
    y: int


class Spot(msgspec.Struct, array_like=True, tag="spot"):
    x: int
    name: str = "a"
    tags: list[str] = []


class Alone(msgspec.Struct, array_like=True):
    at: Point


class Nothing(msgspec.Struct, array_like=True, omit_defaults=True):
    size: int = 1


class Sparse(msgspec.Struct, omit_defaults=True):
    id: int
    name: str = "a"
    tags: list[str] = []
    sizes: dict[str, int] = msgspec.field(default_factory=lambda: {"a": 1})


class Patch(msgspec.Struct):
    id: int
    name: str | msgspec.UnsetType | None = msgspec.UNSET
    size: int | None = None


class Metered(msgspec.Struct):
    age: Annotated[int, msgspec.Meta(ge=0, lt=150, description="in years")]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=5)] = "a"
    code: Annotated[str, msgspec.Meta(pattern="^[a-z][0-9]$")] = "x1"


class EvenStruct(msgspec.Struct):
    n: int

    def __post_init__(self) -> None:
        if self.n % 2:
            raise ValueError(f"{self.n} is odd")


def _refuses_odd(t: Any) -> list[str]:
    outcome = t.call({"value": [{"n": 2}, {"n": 3}]})
    paths = [error.path[:2] for error in outcome.errors]
    said = "odd" in str(outcome.errors[:1])
    return [] if paths == [("value", 1)] and said else [f"of 3 it says {outcome.errors}"]


_FRESH = """
import sys
from dataclasses import dataclass
from typesig import tool
@dataclass
class P:
    x: int
def f(p: P, q: dict[str, P]) -> list[P]: ...
t = tool(f)
t.call({"p": {"x": 1}, "q": {}})
print([m for m in ("attrs", "attr", "pydantic", "msgspec") if m in sys.modules])
"""


def _imports_nothing(_: Any) -> list[str]:
    if sys.platform == "emscripten":
        # The platform has no processes.
        return []
    run = [sys.executable, "-c", _FRESH]
    out = subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip()
    return [] if out == "[]" else [f"extraction imports {out}"]


_EVENS = ([], []), ([{"n": 2}], Like("one", lambda got: [each.n for each in got] == [2]))

ROWS: tuple[Row, ...] = (
    param(
        "msgspec Struct",
        Account,
        (
            ({"id": 1}, Account(1)),
            ({"id": 1, "name": "b", "tags": ["c"]}, Account(1, "b", ["c"])),
        ),
        ({}, {"id": "x"}, {"id": 1, "tags": [2]}),
        shorthand='{id :int, name :string = "a", tags [:string] = []}',
    ),
    param(
        "msgspec Meta",
        Metered,
        (
            ({"age": 0}, Metered(0)),
            ({"age": 149, "name": "abc", "code": "b2"}, Metered(149, "abc", "b2")),
        ),
        ({"age": -1}, {"age": 150}, {"age": 1, "name": ""}, {"age": 1, "code": "B2"}),
        texts={"value.age": "in years"},
        shorthand='{age :int[0.., <150], name :string[1..5] = "a", code :string[/^[a-z][0-9]$/] = "x1"}',
        ptc_runner='{age :int, name :string = "a", code :string = "x1"}',
    ),
    param(
        "msgspec Meta",
        Annotated[int, msgspec.Meta(gt=1, multiple_of=2, description="how many")],
        same(2, 4),
        (0, 3, "x"),
        texts={"value": "how many"},
        shorthand=":int[>1, %2]",
        ptc_runner=":int",
    ),
    param(
        "msgspec rename",
        Camel,
        (({"userId": 1}, Camel(1)), ({"userId": 1, "fullName": "b"}, Camel(1, "b"))),
        ({"user_id": 1}, {"userId": "x"}, {"userId": 1, "fullName": 2}),
        shorthand='{userId :int, fullName :string = "a"}',
    ),
    param(
        "msgspec rename",
        Renamed,
        (({"type": "a"}, Renamed("a")), ({"type": "a", "sz": 2}, Renamed("a", 2))),
        ({"kind": "a"}, {"type": 1}),
        shorthand="{type :string, sz :int = 1}",
    ),
    param(
        "msgspec tag",
        Get | Put,
        (
            ({"type": "Get", "key": "a"}, Get("a")),
            ({"type": "put", "key": "a", "value": 1}, Put("a", 1)),
        ),
        ({"type": "Got", "key": "a"}, {"type": "put", "key": "a"}, {"type": "put", "value": 1}),
        shorthand='{type :enum["Get"], key :string}|{type :enum["put"], key :string, value :int}',
    ),
    param(
        "msgspec tag",
        Put | Add,
        (
            ({"type": "add", "key": "a", "value": "b"}, Add("a", "b")),
            ({"type": "put", "key": "a", "value": 1}, Put("a", 1)),
        ),
        (
            {"type": "add", "key": "a", "value": 1},
            {"type": "put", "key": "a", "value": "b"},
            {"type": "sub", "key": "a", "value": 1},
        ),
        shorthand='{type :enum["put"], key :string, value :int}|{type :enum["add"], key :string, value :string}',
    ),
    param(
        "msgspec tag",
        Kebab,
        (({"kind": "kebab", "some-name": 1}, Kebab(1)),),
        ({"type": "kebab", "some-name": 1}, {"kind": "kebab", "some": 1}),
        shorthand='{kind :enum["kebab"], some-name :int}',
    ),
    param(
        "msgspec tag",
        Numbered,
        (({"type": 3, "id": 1}, Numbered(1)),),
        ({"type": 4, "id": 1}, {"id": 1}),
        shorthand="{type :enum[3], id :int}",
    ),
    param(
        "msgspec array_like",
        Point,
        (([1, 2], Point(1, 2)),),
        ([1], [1, 2, 3], ["x", 2], {"x": 1, "y": 2}),
        shorthand="[:int, :int]",
        ptc_runner=":any",
    ),
    param(
        "msgspec array_like",
        Spot,
        (
            (["spot", 1], Spot(1)),
            (["spot", 1, "b"], Spot(1, "b")),
            (["spot", 1, "b", ["c"]], Spot(1, "b", ["c"])),
        ),
        ([1], ["spot"], ["spot", 1, 2], ["spot", 1, "b", "c"], ["sport", 1]),
        shorthand='[:enum["spot"], :int]|[:enum["spot"], :int, :string]|[:enum["spot"], :int, :string, [:string]]',
        ptc_runner=":any",
    ),
    param(
        "msgspec array_like",
        list[Alone],
        (([], []), ([[[1, 2]]], [Alone(Point(1, 2))])),
        ([[1, 2]], [[]], [[[1]]]),
        shorthand="[[[:int, :int]][1..1]]",
        ptc_runner="[:any]",
    ),
    param(
        "msgspec array_like",
        Nothing,
        (([], Nothing()), ([2], Nothing(2))),
        ([1, 2], ["x"], 1),
        shorthand="[:any][0..0]|[:int][1..1]",
        ptc_runner=":any",
    ),
    param(
        "msgspec omit_defaults",
        Sparse,
        (({"id": 1}, Sparse(1)), ({"id": 1, "name": "b", "tags": ["c"]}, Sparse(1, "b", ["c"]))),
        ({}, {"id": 1, "name": 2}),
        shorthand='{id :int, name :string = "a", tags [:string] = [], sizes? :map[:int]}',
        ptc_runner='{id :int, name :string = "a", tags [:string] = [], sizes? :map}',
    ),
    param(
        "msgspec UNSET",
        Patch,
        (
            ({"id": 1}, Patch(1)),
            ({"id": 1, "name": None}, Patch(1, None)),
            ({"id": 1, "name": "a", "size": 2}, Patch(1, "a", 2)),
        ),
        ({}, {"id": 1, "name": 2}),
        shorthand="{id :int, name :string?, size :int?}",
    ),
    param(
        "msgspec forbid_unknown_fields",
        Strict,
        (({"id": 1}, Strict(1)), ({"id": 2}, Strict(2))),
        ({"id": 1, "more": 2}, {}, {"id": "x"}),
        shorthand="{id :int}!",
    ),
    param(
        "recognised without importing their libraries",
        int,
        same(1, 2),
        ("x", None),
        also=_imports_nothing,
        shorthand=":int",
    ),
    param(
        "built by their own constructors, so that their validators run",
        list[EvenStruct],
        _EVENS,
        ([{}], [{"n": "x"}]),
        also=_refuses_odd,
        shorthand="[{n :int}]",
    ),
)


RESULTS: tuple[Result, ...] = (
    result(
        "msgspec Struct",
        Account,
        ((Account(1), {"id": 1, "name": "a", "tags": []}),),
        (Account("x"), {"id": 1}),  # type: ignore[arg-type]
        shorthand="{id :int, name :string, tags [:string]}",
    ),
    result(
        "msgspec Meta",
        Metered,
        ((Metered(1), {"age": 1, "name": "a", "code": "x1"}),),
        (Metered(-1), {"age": 1}),
        shorthand="{age :int[0.., <150], name :string[1..5], code :string[/^[a-z][0-9]$/]}",
        ptc_runner="{age :int, name :string, code :string}",
    ),
    result(
        "msgspec rename",
        Camel,
        ((Camel(1), {"userId": 1, "fullName": "a"}),),
        (Camel("x"), {"user_id": 1, "full_name": "a"}),  # type: ignore[arg-type]
        shorthand="{userId :int, fullName :string}",
    ),
    result(
        "msgspec tag",
        Get | Put,
        (
            (Get("a"), {"type": "Get", "key": "a"}),
            (Put("a", 1), {"type": "put", "key": "a", "value": 1}),
        ),
        ({"key": "a"}, {"type": "put", "key": "a"}, Add("a", "b")),
        shorthand='{type :enum["Get"], key :string}|{type :enum["put"], key :string, value :int}',
    ),
    result(
        "msgspec tag",
        Kebab,
        ((Kebab(1), {"kind": "kebab", "some-name": 1}),),
        ({"kind": "kebab", "some_name": "x"}, {"some-name": 1}),
        shorthand='{kind :enum["kebab"], some-name :int}',
    ),
    result(
        "msgspec array_like",
        Spot,
        ((Spot(1), ["spot", 1, "a", []]), (Spot(1, "b", ["c"]), ["spot", 1, "b", ["c"]])),
        (["spot", 1], {"x": 1}, Spot("x")),  # type: ignore[arg-type]
        shorthand='[:enum["spot"], :int, :string, [:string]]',
        ptc_runner=":any",
    ),
    result(
        "msgspec array_like",
        Alone | Nothing,
        ((Alone(Point(1, 2)), [[1, 2]]), (Nothing(), [1])),
        ([], [[1]]),
        shorthand="[[:int, :int]][1..1]|[:int][1..1]",
        ptc_runner=":any",
    ),
    result(
        "msgspec omit_defaults",
        Sparse,
        (
            (Sparse(1), {"id": 1, "sizes": {"a": 1}}),
            (Sparse(1, "b", ["c"]), {"id": 1, "name": "b", "tags": ["c"], "sizes": {"a": 1}}),
        ),
        ({"name": "a"}, {"id": 1, "tags": "x"}),
        shorthand="{id :int, name? :string, tags? [:string], sizes? :map[:int]}",
        ptc_runner="{id :int, name? :string, tags? [:string], sizes? :map}",
    ),
    result(
        "msgspec UNSET",
        Patch,
        (
            (Patch(1), {"id": 1, "size": None}),
            (Patch(1, None, 2), {"id": 1, "name": None, "size": 2}),
        ),
        ({"size": None}, {"id": 1, "name": 2, "size": None}),
        shorthand="{id :int, name :string?, size :int?}",
    ),
    result(
        "msgspec forbid_unknown_fields",
        Strict,
        ((Strict(1), {"id": 1}),),
        ({"id": 1, "more": 2}, Strict("x")),  # type: ignore[arg-type]
        shorthand="{id :int}!",
    ),
)
