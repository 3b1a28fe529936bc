"""Classes of attrs, built by their own constructors."""

from __future__ import annotations

from typing import Any

import attrs

from tests.type_table.rows import Like, Result, Row, param, result


@attrs.define
class Plain:
    id: int
    tags: list[str] = attrs.field(factory=list)
    place: dict[str, int] = attrs.Factory(lambda self: {"id": self.id}, takes_self=True)


@attrs.define
class Aliased:
    _hidden: int
    long_name: str = attrs.field(default="a", alias="name")


@attrs.frozen(kw_only=True)
class Bounded:
    low: int = attrs.field(validator=[attrs.validators.ge(1), attrs.validators.lt(10)])
    word: str = attrs.field(
        default="a", validator=attrs.validators.and_(attrs.validators.max_len(3))
    )
    code: str = attrs.field(default="x1", validator=attrs.validators.matches_re("[a-z][0-9]"))
    kind: str = attrs.field(default="a", validator=attrs.validators.in_(["a", "b"]))
    size: int | None = attrs.field(
        default=None, validator=attrs.validators.optional(attrs.validators.gt(0))
    )


@attrs.define
class Whole:
    part: Plain
    more: list[Bounded] = attrs.field(factory=list, metadata={"description": "the rest"})
    made: int = attrs.field(init=False, default=3)


def _even(_instance: Any, _attribute: Any, value: int) -> None:
    if value % 2:
        raise ValueError(f"{value} is odd")


@attrs.define
class EvenAttrs:
    n: int = attrs.field(validator=_even, converter=int)


def _refuses_odd(t: Any) -> list[str]:
    outcome = t.call({"value": [{"n": 2}, {"n": 3}]})
    paths = [error.path[:2] for error in outcome.errors]
    said = "odd" in str(outcome.errors[:1])
    return [] if paths == [("value", 1)] and said else [f"of 3 it says {outcome.errors}"]


_EVENS = ([], []), ([{"n": 2}], Like("one", lambda got: [each.n for each in got] == [2]))

ROWS: tuple[Row, ...] = (
    param(
        "attrs factory",
        Plain,
        (
            ({"id": 1}, Plain(1)),
            ({"id": 1, "tags": ["a"], "place": {"b": 2}}, Plain(1, ["a"], {"b": 2})),
        ),
        ({}, {"id": "x"}, {"id": 1, "tags": [1]}, {"id": 1, "place": {"a": "x"}}),
        shorthand="{id :int, tags [:string] = [], place? :map[:int]}",
        ptc_runner="{id :int, tags [:string] = [], place? :map}",
    ),
    param(
        "attrs factory",
        Whole,
        (
            ({"part": {"id": 1}}, Whole(Plain(1))),
            ({"part": {"id": 1}, "more": [{"low": 2}]}, Whole(Plain(1), [Bounded(low=2)])),
        ),
        ({}, {"part": {}}, {"part": {"id": 1}, "more": [{"low": 0}]}),
        texts={"value.more": "the rest"},
        shorthand='{part {id :int, tags [:string] = [], place? :map[:int]}, more [{low :int[1.., <10], word :string[..3] = "a", code :string[/^(?:[a-z][0-9])$/] = "x1", kind :enum["a" "b"] = "a", size :int[>0]?}] = []}',
        ptc_runner='{part {id :int, tags [:string] = [], place? :map}, more [{low :int, word :string = "a", code :string = "x1", kind :enum["a" "b"] = "a", size :int?}] = []}',
    ),
    param(
        "attrs alias",
        Aliased,
        (({"hidden": 1}, Aliased(1)), ({"hidden": 1, "name": "b"}, Aliased(1, "b"))),
        ({}, {"hidden": "x"}, {"hidden": 1, "name": 2}, {"name": "b"}),
        shorthand='{hidden :int, name :string = "a"}',
    ),
    param(
        "attrs bounds of plain validators",
        Bounded,
        (
            ({"low": 1}, Bounded(low=1)),
            (
                {"low": 9, "word": "abc", "code": "b2", "kind": "b", "size": 1},
                Bounded(low=9, word="abc", code="b2", kind="b", size=1),
            ),
        ),
        (
            {"low": 0},
            {"low": 10},
            {"low": 1, "word": "abcd"},
            {"low": 1, "code": "22"},
            {"low": 1, "kind": "c"},
            {"low": 1, "size": 0},
        ),
        shorthand='{low :int[1.., <10], word :string[..3] = "a", code :string[/^(?:[a-z][0-9])$/] = "x1", kind :enum["a" "b"] = "a", size :int[>0]?}',
        ptc_runner='{low :int, word :string = "a", code :string = "x1", kind :enum["a" "b"] = "a", size :int?}',
    ),
    param(
        "built by their own constructors, so that their validators run",
        list[EvenAttrs],
        _EVENS,
        ([{}], {"n": 2}),
        # A converter may accept more than the hint says, so the type says nothing about the input.
        warns=None,
        also=_refuses_odd,
        shorthand="[{n :int}]",
    ),
)


RESULTS: tuple[Result, ...] = (
    result(
        "attrs factory",
        Plain,
        ((Plain(1), {"id": 1, "tags": [], "place": {"id": 1}}),),
        (Plain("x"), {"id": 1}),  # type: ignore[arg-type]
        shorthand="{id :int, tags [:string], place :map[:int]}",
        ptc_runner="{id :int, tags [:string], place :map}",
    ),
    result(
        "attrs factory",
        Whole,
        (
            (
                Whole(Plain(1, [], {})),
                {"part": {"id": 1, "tags": [], "place": {}}, "more": [], "made": 3},
            ),
        ),
        (Whole(None), {}),  # type: ignore[arg-type]
        shorthand='{part {id :int, tags [:string], place :map[:int]}, more [{low :int[1.., <10], word :string[..3], code :string[/^(?:[a-z][0-9])$/], kind :enum["a" "b"], size :int[>0]?}], made :int}',
        ptc_runner='{part {id :int, tags [:string], place :map}, more [{low :int, word :string, code :string, kind :enum["a" "b"], size :int?}], made :int}',
    ),
    result(
        "attrs alias",
        Aliased,
        ((Aliased(1), {"hidden": 1, "name": "a"}),),
        (Aliased("x"), {"name": "a"}),  # type: ignore[arg-type]
        shorthand="{hidden :int, name :string}",
    ),
    result(
        "attrs bounds of plain validators",
        Bounded,
        ((Bounded(low=1), {"low": 1, "word": "a", "code": "x1", "kind": "a", "size": None}),),
        ({"low": 0, "word": "a", "code": "x1", "kind": "a", "size": None}, {}),
        shorthand='{low :int[1.., <10], word :string[..3], code :string[/^(?:[a-z][0-9])$/], kind :enum["a" "b"], size :int[>0]?}',
        ptc_runner='{low :int, word :string, code :string, kind :enum["a" "b"], size :int?}',
    ),
)
