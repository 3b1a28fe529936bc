"""Models and dataclasses of pydantic, and its metadata."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

import pydantic
import pydantic.dataclasses

from tests.type_table.rows import Like, Result, Row, param, result, same

T = TypeVar("T")


class User(pydantic.BaseModel):
    id: int
    name: str = "a"
    note: str | None = None


class Secret(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    id: int
    tags: list[str] = pydantic.Field(default_factory=list)


class Aliases(pydantic.BaseModel):
    user_id: int = pydantic.Field(alias="userId")
    kind: str = pydantic.Field("a", validation_alias="type", serialization_alias="kind")


class ByName(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(populate_by_name=True)

    user_id: int = pydantic.Field(alias="userId")


class Limits(pydantic.BaseModel):
    age: int = pydantic.Field(ge=0, lt=150)
    name: Annotated[str, pydantic.Field(min_length=1, max_length=5)] = "a"
    code: str = pydantic.Field("x1", pattern="^[a-z][0-9]$")
    tags: list[int] = pydantic.Field([], max_length=2)
    step: int = pydantic.Field(5, multiple_of=5)


class Texts(pydantic.BaseModel):
    """A text.

    Attributes:
        size: from the docstring
    """

    size: int = pydantic.Field(description="in metres", title="Size")
    name: Annotated[str, pydantic.Field(description="what it is called")] = "a"


class Team(pydantic.BaseModel):
    lead: User
    users: list[User] = []
    by_name: dict[str, User] = {}


class Computed(pydantic.BaseModel):
    width: int
    height: int = 2

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def area(self) -> int:
        """Width by height."""
        return self.width * self.height

    @pydantic.computed_field(alias="aroundIt", description="all sides")  # type: ignore[prop-decorator]
    @property
    def around(self) -> list[int]:
        return [self.width, self.height] * 2


class Inherited(Computed):
    name: str = "a"


class Kept(pydantic.BaseModel):
    id: int
    token: str = pydantic.Field("t", exclude=True)
    size: int = pydantic.Field(0, exclude_if=lambda value: value == 0)


class Allowing(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")

    id: int


class AllowingInts(Allowing):
    __pydantic_extra__: dict[str, int]


class Ignoring(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="ignore")

    id: int


@pydantic.dataclasses.dataclass
class ComputedData:
    id: int
    secret: str = pydantic.Field("s", exclude=True)

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def twice(self) -> int:
        return self.id * 2


class Paths(pydantic.BaseModel):
    id: int = pydantic.Field(
        validation_alias=pydantic.AliasChoices(pydantic.AliasPath("a", 0), "id")
    )
    one: int = pydantic.Field(1, validation_alias=pydantic.AliasPath("first"))
    deep: int = pydantic.Field(2, validation_alias=pydantic.AliasPath("numbers", 0))


class Rows(pydantic.RootModel[list[int]]):
    pass


class Sizes(pydantic.RootModel[dict[str, int]]):
    root: dict[str, int] = {}


class Envelope(pydantic.BaseModel, Generic[T]):
    data: T


class EvenModel(pydantic.BaseModel):
    n: int

    @pydantic.field_validator("n")
    @classmethod
    def _even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("it is odd")
        return value


class Upper(pydantic.BaseModel):
    name: str

    @pydantic.field_validator("name")
    @classmethod
    def _upper(cls, value: str) -> str:
        return value.upper()


@pydantic.dataclasses.dataclass
class PlainData:
    id: int
    name: Annotated[str, pydantic.Field(max_length=3)] = "a"
    size: int = pydantic.Field(3, ge=1, description="in metres")


def _refuses_odd(t: Any) -> list[str]:
    outcome = t.call({"value": [{"n": 2}, {"n": 3}]})
    paths = [error.path[:2] for error in outcome.errors]
    said = "odd" in str(outcome.errors[:1])
    return [] if paths == [("value", 1)] and said else [f"of 3 it says {outcome.errors}"]


_EVENS = ([], []), ([{"n": 2}], Like("one", lambda got: [each.n for each in got] == [2]))

ROWS: tuple[Row, ...] = (
    param(
        "pydantic models",
        User,
        (
            ({"id": 1}, User(id=1)),
            ({"id": 1, "name": "b", "note": None}, User(id=1, name="b")),
            ({"id": 1, "note": "n"}, User(id=1, note="n")),
        ),
        ({}, {"id": "x"}, {"id": 1, "name": 2}, {"id": 1, "note": 3}, [1]),
        shorthand='{id :int, name :string = "a", note :string?}',
    ),
    param(
        "pydantic models",
        Secret,
        (({"id": 1}, Secret(id=1)), ({"id": 1, "tags": ["a"]}, Secret(id=1, tags=["a"]))),
        ({"id": 1, "more": 2}, {"tags": []}, {"id": 1, "tags": [1]}),
        shorthand="{id :int, tags [:string] = []}!",
    ),
    param(
        "pydantic models",
        Envelope[int],
        (({"data": 1}, Envelope[int](data=1)),) * 2,
        ({"data": "x"}, {}),
        shorthand="{data :int}",
    ),
    param(
        "pydantic dataclasses",
        PlainData,
        (({"id": 1}, PlainData(1)), ({"id": 1, "name": "abc", "size": 1}, PlainData(1, "abc", 1))),
        ({}, {"id": 1, "name": "abcd"}, {"id": 1, "size": 0}),
        texts={"value.size": "in metres"},
        shorthand='{id :int, name :string[..3] = "a", size :int[1..] = 3}',
        ptc_runner='{id :int, name :string = "a", size :int = 3}',
    ),
    param(
        "pydantic aliases",
        Aliases,
        (
            ({"userId": 1}, Aliases(userId=1)),
            ({"userId": 1, "type": "b"}, Aliases(userId=1, type="b")),
        ),
        ({"userId": "x"}, {"user_id": 1}, {"userId": 1, "type": 2}),
        shorthand='{userId :int, type :string = "a"}',
    ),
    param(
        "pydantic aliases",
        ByName,
        (({"userId": 1}, ByName(userId=1)),) * 2,
        ({"userId": "x"}, {}),
        shorthand="{userId :int}",
    ),
    param(
        "pydantic Field constraints",
        Limits,
        (
            ({"age": 0}, Limits(age=0)),
            (
                {"age": 1, "name": "abc", "code": "b2", "tags": [1], "step": 10},
                Limits(age=1, name="abc", code="b2", tags=[1], step=10),
            ),
        ),
        (
            {"age": -1},
            {"age": 150},
            {"age": 1, "name": ""},
            {"age": 1, "code": "B2"},
            {"age": 1, "tags": [1, 2, 3]},
            {"age": 1, "step": 4},
        ),
        shorthand='{age :int[0.., <150], name :string[1..5] = "a", code :string[/^[a-z][0-9]$/] = "x1", tags [:int][..2] = [], step :int[%5] = 5}',
        ptc_runner='{age :int, name :string = "a", code :string = "x1", tags [:int] = [], step :int = 5}',
    ),
    param(
        "pydantic Field constraints",
        Annotated[int, pydantic.Field(ge=1, le=5)],
        same(1, 5),
        (0, 6, "x"),
        shorthand=":int[1..5]",
        ptc_runner=":int",
    ),
    param(
        "pydantic Field constraints",
        Annotated[str, pydantic.StringConstraints(min_length=2, pattern="^a")],
        same("ab", "abc"),
        ("a", "bb", 1),
        shorthand=":string[2.., /^a/]",
        ptc_runner=":string",
    ),
    param(
        "pydantic Field constraints",
        pydantic.PositiveInt,
        same(1, 2),
        (0, -1, "x"),
        shorthand=":int[>0]",
        ptc_runner=":int",
    ),
    param(
        "pydantic Field texts",
        Texts,
        (({"size": 1}, Texts(size=1)), ({"size": 1, "name": "b"}, Texts(size=1, name="b"))),
        ({}, {"size": "x"}),
        texts={"value.size": "in metres", "value.name": "what it is called"},
        shorthand='{size :int, name :string = "a"}',
    ),
    param(
        "pydantic Field texts",
        Annotated[int, pydantic.Field(description="how many")],
        same(1, 2),
        ("x", None),
        texts={"value": "how many"},
        shorthand=":int",
    ),
    param(
        "pydantic nested",
        Team,
        (
            ({"lead": {"id": 1}}, Team(lead=User(id=1))),
            (
                {"lead": {"id": 1}, "users": [{"id": 2}], "by_name": {"a": {"id": 3}}},
                Team(lead=User(id=1), users=[User(id=2)], by_name={"a": User(id=3)}),
            ),
        ),
        (
            {},
            {"lead": {}},
            {"lead": {"id": 1}, "users": [{}]},
            {"lead": {"id": 1}, "by_name": {"a": {"id": "x"}}},
        ),
        shorthand='{lead {id :int, name :string = "a", note :string?}, users [{id :int, name :string = "a", note :string?}] = [], by_name :map[{id :int, name :string = "a", note :string?}] = {}}',
        ptc_runner='{lead {id :int, name :string = "a", note :string?}, users [{id :int, name :string = "a", note :string?}] = [], by_name :map = {}}',
    ),
    param(
        "pydantic computed fields",
        Computed,
        (
            ({"width": 1}, Computed(width=1)),
            ({"width": 2, "height": 3}, Computed(width=2, height=3)),
        ),
        ({}, {"width": "x"}),
        shorthand="{width :int, height :int = 2}",
    ),
    param(
        "pydantic excluded fields",
        Kept,
        (({"id": 1}, Kept(id=1)), ({"id": 1, "token": "u"}, Kept(id=1, token="u"))),
        ({"id": 1, "token": 2}, {}),
        shorthand='{id :int, token :string = "t", size :int = 0}',
    ),
    param(
        "pydantic extra",
        Allowing,
        (
            ({"id": 1}, Allowing(id=1)),
            ({"id": 1, "more": [2], "no": None}, Allowing(id=1, more=[2], no=None)),  # type: ignore[call-arg]
        ),
        ({}, {"id": "x", "more": 2}),
        shorthand="{id :int, ** :any?}",
    ),
    param(
        "pydantic extra",
        AllowingInts,
        (({"id": 1, "more": 2}, AllowingInts(id=1, more=2)),),  # type: ignore[call-arg]
        ({"id": 1, "more": "x"},),
        shorthand="{id :int, ** :int}",
    ),
    param(
        "pydantic extra",
        Ignoring,
        (({"id": 1}, Ignoring(id=1)), ({"id": 1, "more": 2}, Ignoring(id=1))),
        ({}, {"id": "x"}),
        shorthand="{id :int}",
    ),
    param(
        "pydantic aliases",
        Paths,
        (
            ({"id": 1}, Paths(id=1)),  # type: ignore[call-arg]
            ({"id": 1, "first": 2}, Paths(id=1, first=2)),  # type: ignore[call-arg]
        ),
        ({"id": 1, "first": "x"}, {}),
        warns=("value: deep: its alias is a path, so it is left out; give it a name",),
        shorthand="{id :int, first :int = 1}",
    ),
    param(
        "pydantic root models",
        Rows,
        (([], Rows([])), ([1, 2], Rows([1, 2]))),
        (["x"], {"root": [1]}, "a"),
        shorthand="[:int]",
    ),
    param(
        "pydantic root models",
        Sizes,
        (({}, Sizes({})), ({"a": 1}, Sizes({"a": 1}))),
        ({"a": "x"}, [1]),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    param(
        "built by their own constructors, so that their validators run",
        list[EvenModel],
        _EVENS,
        ([{}], [{"n": "x"}]),
        also=_refuses_odd,
        shorthand="[{n :int}]",
    ),
    param(
        "built by their own constructors, so that their validators run",
        Upper,
        (({"name": "a"}, Upper(name="A")),) * 2,
        ({}, {"name": 1}),
        shorthand="{name :string}",
    ),
)


RESULTS: tuple[Result, ...] = (
    result(
        "pydantic models",
        User,
        ((User(id=1), {"id": 1, "name": "a", "note": None}),),
        (User.model_construct(id="x"), {"name": "a"}, 1),
        shorthand="{id :int, name :string, note :string?}",
    ),
    result(
        "pydantic dataclasses",
        PlainData,
        ((PlainData(1), {"id": 1, "name": "a", "size": 3}),),
        ({"id": 1, "name": "abcd", "size": 3}, {}),
        shorthand="{id :int, name :string[..3], size :int[1..]}",
        ptc_runner="{id :int, name :string, size :int}",
    ),
    result(
        "pydantic aliases",
        Aliases,
        ((Aliases(userId=1), {"userId": 1, "kind": "a"}),),
        ({"user_id": 1, "kind": "a"}, {"userId": "x", "kind": "a"}),
        shorthand="{userId :int, kind :string}",
    ),
    result(
        "pydantic Field constraints",
        Limits,
        ((Limits(age=1), {"age": 1, "name": "a", "code": "x1", "tags": [], "step": 5}),),
        ({"age": -1, "name": "a", "code": "x1", "tags": [], "step": 5}, {}),
        shorthand="{age :int[0.., <150], name :string[1..5], code :string[/^[a-z][0-9]$/], tags [:int][..2], step :int[%5]}",
        ptc_runner="{age :int, name :string, code :string, tags [:int], step :int}",
    ),
    result(
        "pydantic Field texts",
        Texts,
        ((Texts(size=1), {"size": 1, "name": "a"}),),
        ({"size": "x"},),
        shorthand="{size :int, name :string}",
    ),
    result(
        "pydantic nested",
        Team,
        (
            (
                Team(lead=User(id=1)),
                {"lead": {"id": 1, "name": "a", "note": None}, "users": [], "by_name": {}},
            ),
        ),
        ({"lead": {}, "users": [], "by_name": {}}, User(id=1)),
        shorthand="{lead {id :int, name :string, note :string?}, users [{id :int, name :string, note :string?}], by_name :map[{id :int, name :string, note :string?}]}",
        ptc_runner="{lead {id :int, name :string, note :string?}, users [{id :int, name :string, note :string?}], by_name :map}",
    ),
    result(
        "pydantic computed fields",
        Computed,
        ((Computed(width=3), {"width": 3, "height": 2, "area": 6, "aroundIt": [3, 2, 3, 2]}),),
        ({"width": 3, "height": 2}, {"width": 3, "height": 2, "area": "x", "aroundIt": []}),
        shorthand="{width :int, height :int, area :int, aroundIt [:int]}",
    ),
    result(
        "pydantic computed fields",
        Inherited,
        (
            (
                Inherited(width=3),
                {"width": 3, "height": 2, "name": "a", "area": 6, "aroundIt": [3, 2, 3, 2]},
            ),
        ),
        ({"width": 3, "height": 2, "name": "a"},),
        shorthand="{width :int, height :int, name :string, area :int, aroundIt [:int]}",
    ),
    result(
        "pydantic computed fields",
        ComputedData,
        ((ComputedData(2), {"id": 2, "twice": 4}),),
        ({"id": 2}, {"id": 2, "twice": "x"}),
        shorthand="{id :int, twice :int}",
    ),
    result(
        "pydantic excluded fields",
        Kept,
        ((Kept(id=1), {"id": 1}), (Kept(id=1, token="u", size=2), {"id": 1, "size": 2})),
        ({}, {"id": 1, "size": "x"}),
        shorthand="{id :int, size? :int}",
    ),
    result(
        "pydantic extra",
        AllowingInts,
        ((AllowingInts(id=1, more=2), {"id": 1, "more": 2}), (AllowingInts(id=1), {"id": 1})),  # type: ignore[call-arg]
        ({"more": 2}, {"id": 1, "more": "x"}),
        shorthand="{id :int, ** :int}",
    ),
    result(
        "pydantic extra",
        Allowing,
        ((Allowing(id=1, more="a"), {"id": 1, "more": "a"}),),  # type: ignore[call-arg]
        ({"more": 2},),
        shorthand="{id :int, ** :any?}",
    ),
    result(
        "pydantic root models",
        Rows,
        ((Rows([1]), [1]),),
        ({"root": [1]}, ["x"]),
        shorthand="[:int]",
    ),
)
