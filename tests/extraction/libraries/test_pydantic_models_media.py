"""Media in the fields of pydantic's models, and in sets."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import pytest
from pydantic import (
    Base64Bytes,
    BaseModel,
    ConfigDict,
    FilePath,
    RootModel,
    computed_field,
    field_serializer,
    model_serializer,
)
from pydantic.dataclasses import dataclass as model_dataclass
from typing_extensions import TypedDict

from tests.extraction.python_types.test_media import PNG, Album, Png, outcome_of
from typesig import Media, tool

#: Bytes that pydantic cannot write as text.
BYTES = b"\x89PNG\xff"
SHOWN = "[image/png, 5 B]"
HELD = Media("image/png", BYTES)


@dataclass(frozen=True)
class Named:
    name: str
    chart: Png


class Chart(BaseModel):
    title: str
    chart: Png


class Charts(BaseModel):
    charts: list[Png]
    by_name: dict[str, Png]
    last: Png | None
    inner: Chart


class Objects(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    media: Media
    album: Album


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    any: Any


class Root(RootModel[list[Png]]):
    model_config = ConfigDict(ser_json_bytes="base64")


@model_dataclass
class Plain:
    chart: Png
    n: int

    @field_serializer("n")
    def _written(self, n: int) -> str:
        return f"no. {n}"


class Written(BaseModel):
    chart: Png
    n: int

    @field_serializer("n")
    def _written(self, n: int) -> str:
        return f"no. {n}"


class Configured(BaseModel):
    model_config = ConfigDict(ser_json_bytes="base64", ser_json_timedelta="float")
    chart: Png
    raw: bytes
    took: timedelta
    inner: list[Chart]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def computed(self) -> Png:
        return self.chart

    @computed_field  # type: ignore[prop-decorator]
    @property
    def twice(self) -> timedelta:
        return 2 * self.took


@pytest.mark.parametrize(
    ("returned", "data", "shown"),
    [
        (Chart(title="a", chart=BYTES), {"title": "a", "chart": SHOWN}, [HELD]),
        (
            Charts(
                charts=[b"png", BYTES],
                by_name={"a": BYTES},
                last=None,
                inner=Chart(title="a", chart=BYTES),
            ),
            {
                "charts": ["[image/png, 3 B]", SHOWN],
                "by_name": {"a": SHOWN},
                "last": None,
                "inner": {"title": "a", "chart": SHOWN},
            },
            [PNG, HELD, HELD, HELD],
        ),
        (
            Objects(media=PNG, album=Album("a", [HELD])),
            {"media": "[image/png, 3 B]", "album": {"name": "a", "pictures": [SHOWN]}},
            [PNG, HELD],
        ),
        (
            Open(any=[PNG], more=HELD),
            {"any": ["[image/png, 3 B]"], "more": SHOWN},
            [PNG, HELD],
        ),
        (Root([b"png", BYTES]), ["[image/png, 3 B]", SHOWN], [PNG, HELD]),
        (Plain(BYTES, 1), {"chart": SHOWN, "n": "no. 1"}, [HELD]),
        (Written(chart=BYTES, n=1), {"chart": SHOWN, "n": "no. 1"}, [HELD]),
        (
            Configured(
                chart=BYTES,
                raw=b"raw",
                took=timedelta(1),
                inner=[Chart(title="a", chart=b"png")],
            ),
            {
                "chart": SHOWN,
                "raw": "cmF3",
                "took": 86400.0,
                "inner": [{"title": "a", "chart": "[image/png, 3 B]"}],
                "computed": SHOWN,
                "twice": 172800.0,
            },
            [HELD, PNG, HELD],
        ),
    ],
    ids=lambda each: type(each).__name__,
)
def test_media_in_models_are_sent_as_those_in_other_records(
    returned: Any, data: Any, shown: list[Media]
) -> None:
    outcome = outcome_of(type(returned), returned)

    assert outcome.ok, outcome.report()
    assert data == outcome.value
    assert tuple(shown) == outcome.media
    assert (*shown, *shown) == outcome_of(list[type(returned)], [returned] * 2).media  # type: ignore[misc]


def test_media_are_not_written_as_pydantic_writes_what_they_stand_beside(tmp_path: Path) -> None:
    class Files(BaseModel):
        decoded: Annotated[Base64Bytes, Media("image/png")]
        file: Annotated[FilePath, Media("image/png")]
        files: list[Annotated[FilePath, Media("image/png")]]

    file = tmp_path / "a.png"
    file.write_bytes(b"png")
    held = Media("image/png", b"png", "a.png")

    outcome = outcome_of(
        Files, Files(decoded=base64.b64encode(BYTES), file=file, files=[file, file])
    )

    assert (HELD, held, held, held) == outcome.media


def test_a_model_within_itself_has_media_at_each_level() -> None:
    def tree() -> Any:
        return Tree(chart=b"png", parts=[Tree(chart=BYTES)])

    tree.__annotations__["return"] = Tree

    assert (HELD, PNG) == tool(recursive=True)(tree).call({}).media


class Tree(BaseModel):
    model_config = ConfigDict(ser_json_bytes="base64")
    parts: list[Tree] = []
    chart: Png


class Drawn(TypedDict):
    title: str
    chart: Png


class Both(NamedTuple):
    first: Png
    second: int


class WithRecords(BaseModel):
    model_config = ConfigDict(ser_json_bytes="base64")
    named: Named
    drawn: Drawn
    both: Both
    raw: bytes


def test_media_in_other_records_of_a_model_are_not_for_its_options_either() -> None:
    named = Named("a", BYTES)
    drawn: Drawn = {"title": "a", "chart": BYTES}

    outcome = outcome_of(
        WithRecords, WithRecords(named=named, drawn=drawn, both=Both(b"png", 1), raw=b"r")
    )

    assert (HELD, HELD, PNG) == outcome.media
    assert "cg==" == outcome.for_model()["raw"]


class Timed(BaseModel):
    model_config = ConfigDict(ser_json_timedelta="float")
    took: timedelta
    parts: list[Timed] = []


def test_a_model_without_media_is_written_as_its_options_say() -> None:
    outcome = outcome_of(Timed, Timed(took=timedelta(1), parts=[Timed(took=timedelta(2))]))

    inner = {"took": 172800.0, "parts": []}
    assert {"took": 86400.0, "parts": [inner]} == outcome.value


def test_a_model_that_writes_itself_as_a_whole_is_told() -> None:
    class Whole(BaseModel):
        chart: Png

        @model_serializer
        def _written(self) -> dict[str, str]:
            return {"chart": "a chart"}

    def f() -> Any:
        return Whole(chart=BYTES)

    f.__annotations__["return"] = Whole
    made = tool(f)

    assert [
        "returns: Whole: a serializer of the model writes its media as text; write serializers of "
        "the other fields only"
    ] == [str(each) for each in made.warnings]
    outcome = made.call({})
    assert ({"chart": "a chart"}, ()) == (outcome.value, outcome.media)


class InSets(BaseModel):
    some: set[Png]
    others: frozenset[Png]


A, B, C = (Media("text/csv", data) for data in (b"a", b"b", b"c"))


@pytest.mark.parametrize(
    ("hint", "returned", "data", "shown"),
    [
        (set[Png], {b"png"}, ["[image/png, 3 B]"], [PNG]),
        (frozenset[Png], frozenset({b"png", BYTES}), ["[image/png, 3 B]", SHOWN], [PNG, HELD]),
        (set[Media], {PNG}, ["[image/png, 3 B]"], [PNG]),
        (set, {PNG, 1}, [1, "[image/png, 3 B]"], [PNG]),
        (Any, {PNG, HELD}, ["[image/png, 3 B]", SHOWN], [PNG, HELD]),
        (dict[str, set[Png]], {"a": {b"png"}}, {"a": ["[image/png, 3 B]"]}, [PNG]),
        (set[tuple[int, Png]], {(1, b"png")}, [[1, "[image/png, 3 B]"]], [PNG]),
        (set[Named], {Named("a", BYTES)}, [{"name": "a", "chart": SHOWN}], [HELD]),
        (set[Png | None], {None}, [None], []),
        (
            InSets,
            InSets(some={b"png"}, others=frozenset({BYTES})),
            {"some": ["[image/png, 3 B]"], "others": [SHOWN]},
            [PNG, HELD],
        ),
    ],
)
def test_media_in_sets_are_sent_as_those_in_lists(
    hint: Any, returned: Any, data: Any, shown: list[Media]
) -> None:
    outcome = outcome_of(hint, returned)

    assert outcome.ok, outcome.report()
    assert data == outcome.value
    assert tuple(shown) == outcome.media


@pytest.mark.parametrize("hint", [set[Media], frozenset[Media], Any])
def test_media_whose_texts_are_the_same_are_all_in_a_set(hint: Any) -> None:
    outcome = outcome_of(hint, {A, B, C})

    assert ["[text/csv, 1 B] (2)", "[text/csv, 1 B] (3)", "[text/csv, 1 B]"] == outcome.value
    assert (B, C, A) == outcome.media
    within = outcome_of(set[tuple[int, Media]], {(1, A), (1, B)})
    assert {A, B} == set(within.media)
    assert ["[text/csv, 1 B]"] * 2 == outcome_of(list[Media], [A, B]).value


def test_a_set_behind_a_field_that_cannot_be_written_counts_anew() -> None:
    outcome = outcome_of(dict[str, Any], {"_hidden": {A, object()}, "shown": {A}})

    assert {"shown": ["[text/csv, 1 B]"]} == outcome.for_model()
    assert (A,) == outcome.media
