"""Media in results: hints, values, the texts that stand for them, and what a model may see."""

from __future__ import annotations

import copy
import os
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import Media, TypesigError, tool
from typesig.errors import TooLarge
from typesig.limits.calls import MAX_MEDIA, MAX_MEDIA_BYTES

PNG = Media("image/png", b"png")
Png = Annotated[bytes, Media("image/png")]


class Report(TypedDict):
    title: str
    chart: Png
    _raw: Png


@dataclass
class Album:
    name: str
    pictures: list[Media]


class Pair(NamedTuple):
    left: Png
    right: Media | None


def outcome_of(hint: Any, returned: Any) -> typesig.Outcome[Any]:
    def f() -> Any:
        return returned

    f.__annotations__["return"] = hint
    return tool(f).call({})


@pytest.mark.parametrize(
    ("hint", "returned", "text", "shown"),
    [
        (Png, b"png", '"[image/png, 3 B]"', [PNG]),
        (Png, bytearray(b"png"), '"[image/png, 3 B]"', [PNG]),
        (Png, memoryview(b"png"), '"[image/png, 3 B]"', [PNG]),
        (Annotated[bytes | None, Media("image/png")], b"png", '"[image/png, 3 B]"', [PNG]),
        (Annotated[bytes | None, Media("image/png")], None, "null", []),
        (Png | None, b"png", '"[image/png, 3 B]"', [PNG]),
        (Png | int, b"png", '"[image/png, 3 B]"', [PNG]),
        (Png | int, 3, "3", []),
        (list[Png], [b"png", b"png"], '["[image/png, 3 B]","[image/png, 3 B]"]', [PNG, PNG]),
        (Media, PNG, '"[image/png, 3 B]"', [PNG]),
        (
            Media,
            Media("audio/wav", b"1", "a b.wav"),
            '"[audio/wav, 1 B, a b.wav]"',
            [Media("audio/wav", b"1", "a b.wav")],
        ),
        (Annotated[Media, Media("image/png")], PNG, '"[image/png, 3 B]"', [PNG]),
        (Any, PNG, '"[image/png, 3 B]"', [PNG]),
        (Any, {"a": [1, PNG]}, '{"a":[1,"[image/png, 3 B]"]}', [PNG]),
        (
            dict[str, Any],
            {"a": PNG, "b": {"c": PNG}},
            '{"a":"[image/png, 3 B]","b":{"c":"[image/png, 3 B]"}}',
            [PNG, PNG],
        ),
        (Album, Album("x", [PNG]), '{"name":"x","pictures":["[image/png, 3 B]"]}', [PNG]),
        (
            Pair,
            Pair(b"png", PNG),
            '{"left":"[image/png, 3 B]","right":"[image/png, 3 B]"}',
            [PNG, PNG],
        ),
    ],
)
def test_media_are_texts_beside_which_they_are_kept(
    hint: Any, returned: Any, text: str, shown: list[Media]
) -> None:
    outcome = outcome_of(hint, returned)

    assert outcome.ok, outcome.report()
    assert (text, tuple(shown)) == (outcome.text(), outcome.media)
    assert returned is outcome.result
    if isinstance(returned, memoryview):
        return
    for again in (pickle.loads(pickle.dumps(outcome)), copy.deepcopy(outcome)):
        assert outcome.media == again.media


def test_media_of_hidden_fields_are_not_shown_even_if_a_text_reads_the_same() -> None:
    found = {"title": "[image/png, 4 B]", "chart": b"png", "_raw": b"1234"}

    outcome = outcome_of(Report, found)

    assert '{"title":"[image/png, 4 B]","chart":"[image/png, 3 B]"}' == outcome.text()
    assert (PNG,) == outcome.media


def test_media_are_kept_in_each_call_of_a_tool() -> None:
    @tool
    def pictures(n: int) -> dict[str, Any]:
        return {"all": [PNG] * n} if n else {"all": []}

    for n in (0, 1, 2, 0, 3, 1):
        assert (PNG,) * n == pictures.call({"n": n}).media


@given(st.lists(st.sampled_from(["text", PNG, Media("audio/wav", b"1"), None]), max_size=6))
@LAW
def test_each_media_of_a_result_is_shown_in_its_place(items: list[Any]) -> None:
    outcome = outcome_of(list[Any], items)

    held = [each for each in items if isinstance(each, Media)]
    assert tuple(held) == outcome.media
    texts = [each.shown if isinstance(each, Media) else each for each in items]
    assert texts == outcome.value


def test_the_schema_says_text_and_which_media_it_stands_for() -> None:
    @tool
    def chart() -> Png:
        return b"png"

    assert "() -> :string" == str(chart.signature)
    schema = chart.signature.to_json_schema()
    assert {"type": "string", "description": "image/png"}.items() <= schema.items()


def test_a_file_is_read_when_the_tool_has_returned_its_path(tmp_path: Path) -> None:
    file = tmp_path / "plot.png"
    file.write_bytes(b"png")
    hint = Annotated[Path, Media("image/png")]

    assert (Media("image/png", b"png", "plot.png"),) == outcome_of(hint, file).media
    assert PNG == Media("image/png", file)
    missing = outcome_of(hint, tmp_path / "secret.png")
    assert "secret" not in missing.report()
    assert "- the file cannot be read: No such file or directory" in missing.report()
    (tmp_path / "a[1].png").write_bytes(b"png")
    assert (PNG,) == outcome_of(hint, tmp_path / "a[1].png").media


def test_media_have_a_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("typesig.extraction.python_types.media.MAX_MEDIA_BYTES", 10)
    monkeypatch.setattr("typesig.extraction.python_types.media.MAX_MEDIA", 2)
    (tmp_path / "large").write_bytes(b"1" * 12)

    told = "media has 12 B, and at most 10 B are sent"
    for data in (b"1" * 12, tmp_path / "large"):
        with pytest.raises(TooLarge) as caught:
            Media("image/png", data)
        assert told == str(caught.value)
    assert f"- {told}" in outcome_of(Png, b"1" * 12).report()
    assert f"- {told}" in outcome_of(list[Png], [b"1" * 6, b"1" * 6]).report()
    assert "- it has 3 media, and at most 2 are sent" in outcome_of(list[Png], [b"1"] * 3).report()


def test_the_limits_are_as_the_page_says() -> None:
    assert (20_000_000, 100) == (MAX_MEDIA_BYTES, MAX_MEDIA)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("png",), "a media type is such as \"image/png\", not 'png'"),
        ((3,), 'a media type is such as "image/png", not 3'),
        (
            ("text/plain; charset=utf-8",),
            "a media type is such as \"image/png\", not 'text/plain; charset=utf-8'",
        ),
        (("image/png", "text"), "the data of media is bytes or a path, not 'text'"),
        (
            ("image/png", b"", "a/b"),
            "the name of media is that of a file, without folders, brackets and quotes, not 'a/b'",
        ),
        (
            ("image/png", b"", 3),
            "the name of media is that of a file, without folders, brackets and quotes, not 3",
        ),
    ],
)
def test_wrong_media_are_a_mistake(arguments: Any, told: str) -> None:
    with pytest.raises(TypesigError) as caught:
        Media(*arguments)

    assert told == str(caught.value)


def test_media_are_values() -> None:
    assert Media("IMAGE/PNG", bytearray(b"png")) == PNG == pickle.loads(pickle.dumps(PNG))
    assert "Media('image/png', <3 B>)" == repr(PNG)
    assert "Media('image/png')" == repr(Media("image/png"))
    assert "Media('text/csv', <1.2 MB>, 'a.csv')" == repr(
        Media("text/csv", bytes(1_200_000), "a.csv")
    )
    assert "[text/csv, 12 kB]" == Media("text/csv", bytes(12_345)).shown
    with pytest.raises(AttributeError):
        PNG.type = "image/jpeg"


def test_a_parameter_takes_no_media() -> None:
    @tool
    def show(picture: Media, raw: Png) -> int:
        return len(raw)

    assert "(picture :any, raw :string[base64]) -> :int" == str(show.signature)
    assert ["picture"] == [each.place for each in show.warnings]
    assert 3 == show.call({"picture": 1, "raw": "cG5n"}).value


def test_other_hints_are_read_as_before() -> None:
    def f(path: os.PathLike[str]) -> int:
        return 1

    f.__annotations__["path"] = os.PathLike[str]
    assert "(path :string) -> :int" == str(tool(f).signature)


def test_a_mark_beside_something_else_is_told() -> None:
    @tool
    def f() -> Annotated[str, Media("image/png")]:
        return "x"

    assert [
        "returns: Annotated[str, Media('image/png')]: Media('image/png') does not apply to it; "
        "put it beside bytes, a Path, an image or Media"
    ] == [str(each) for each in f.warnings]
    assert "x" == f.call({}).value


def test_what_is_no_media_after_all_is_an_error_of_the_tool() -> None:
    assert "expected string, got int 3" in outcome_of(Png, 3).report()


def _image(mode: str, fails: bool = False) -> Any:
    """Return an object of a class that looks like that of Pillow, as far as is asked."""

    class Image:
        def __init__(self) -> None:
            self.mode = mode

        def convert(self, to: str) -> Any:
            self.mode = to
            return self

        def save(self, out: Any, format: str) -> None:
            if fails:
                raise OSError("no encoder")
            out.write(f"{self.mode} {format}".encode())

    Image.__module__ = "PIL.Image"
    return Image()


@pytest.mark.parametrize("hint", [None, Any, Png], ids=["own", "any", "marked"])
def test_an_image_of_pillow_is_a_png(hint: Any) -> None:
    image = _image("CMYK")

    outcome = outcome_of(hint or type(image), image)

    assert (Media("image/png", b"RGB PNG"),) == outcome.media
    assert (Media("image/png", b"L PNG"),) == outcome_of(Any, _image("L")).media


def test_an_image_that_cannot_be_written_is_an_error_of_the_tool() -> None:
    image = _image("RGB", fails=True)

    assert (
        "- the image cannot be written: OSError: no encoder"
        in outcome_of(type(image), image).report()
    )
