"""Unions of parameters with branches that no model can send."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, Union

import pytest

from typesig import extract, tool

T = TypeVar("T")
U = TypeVar("U")
T_co = TypeVar("T_co", covariant=True)


class Url: ...


@dataclass
class Request:
    url: Url | str


LEFT_OUT = (
    "value: Url: the class has no JSON form of its own, so it is left out of the union; write a "
    "dataclass or a TypedDict, Injected[…] where the host supplies it, or an explicit signature"
)
OF_CALLABLE = (
    "value: collections.abc.Callable[[], int]: the hint has no JSON form, so it is left out of the union; give an "
    "explicit signature"
)
OUT = "it is left out of the union"
NOT_DEFINED = (
    f"value: Nowhere: the name Nowhere is not defined in the scope of the hint, so {OUT}; import it "
    "where the function is defined, or give an explicit signature"
)
BECAME_ANY = LEFT_OUT.replace("it is left out of the union", "it became :any")


@pytest.mark.parametrize(
    ("hint", "expected", "warnings"),
    [
        (Url | str, ":string", [LEFT_OUT]),
        ("Url | str", ":string", [LEFT_OUT]),
        (Union["Url", str], ":string", [LEFT_OUT]),
        (str | list[dict[str, Any] | Url] | None, "(:string|[:map])?", [LEFT_OUT]),
        (Url | Callable[[], int] | int, ":int", [LEFT_OUT, OF_CALLABLE]),
        (dict[str, Url | int], ":map[:int]", [LEFT_OUT]),
        (Url | int | list[Url | int], ":int|[:int]", [LEFT_OUT]),
        ("Nowhere | str", ":string", [NOT_DEFINED]),
        ("Nowhere | None", ":any?", [NOT_DEFINED.replace(OUT, "it became :any")]),
        # Nothing is left, or anything can be sent.
        (list[Url | None], "[:any?]", [BECAME_ANY]),
        (list[Url] | str, ":string", [LEFT_OUT]),
        (list[list[Url] | None] | dict[str, Url] | str, ":string", [LEFT_OUT]),
        (list[Url] | dict[str, Any], ":map", [LEFT_OUT]),
        (list[Url] | dict[str, Url], "[:any]|:map", [BECAME_ANY]),
        (set[Url] | dict[int, Url] | int, ":int", [LEFT_OUT]),
        (Url | Any, ":any", [BECAME_ANY]),
        (str | None, ":string?", []),
    ],
)
def test_a_branch_without_a_form_is_left_out_of_a_parameter(
    hint: Any, expected: str, warnings: list[str]
) -> None:
    def f(value) -> None: ...  # type: ignore[no-untyped-def]

    f.__annotations__ = {"value": hint, "return": None}
    found = extract(f)

    assert found.signature is not None
    assert f"(value {expected}) -> :nil" == str(found.signature)
    assert warnings == [str(each) for each in found.warnings]


def test_what_is_left_out_is_refused() -> None:
    def f(url: Url | str, request: Request | None = None) -> str:
        return repr(url)

    made = tool(f)

    assert "(url :string, request {url :string}?) -> :string" == str(made.signature)
    assert "'u'" == made.call({"url": "u"}).result
    errors = [str(each) for each in made.call({"url": {"a": 1}}).errors]
    assert ['url: expected string, got map {"a": 1}'] == errors


def test_a_result_keeps_all_its_branches() -> None:
    def f() -> Url | str: ...

    assert "() -> :any|:string" == str(extract(f).signature)


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (Mapping[str, str] | Mapping[bytes, bytes], ":map[:string]"),
        (Sequence[tuple[str, str]] | Sequence[tuple[bytes, bytes]], "[[:string, :string]]"),
        (dict[str | bytes, str | bytes], ":map[:string]"),
        (list[bytes] | list[str] | list[int], "[:string]|[:int]"),
        (list[bytes] | list[int], "[:string[base64]]|[:int]"),
    ],
)
def test_bytes_beside_text_are_no_branch_of_their_own_in_collections(
    hint: Any, expected: str
) -> None:
    def f(value) -> None: ...  # type: ignore[no-untyped-def]

    f.__annotations__ = {"value": hint, "return": None}

    assert f"(value {expected}) -> :nil" == str(extract(f).signature)


class SequenceNotText(Protocol[T_co]):
    def __getitem__(self, index: int, /) -> T_co: ...
    def __contains__(self, value: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[T_co]: ...


class Readable(Protocol[T_co]):
    def __iter__(self) -> Iterator[T_co]: ...
    def read(self) -> T_co: ...


class Pairs(Protocol[T, U]):
    def __iter__(self) -> Iterator[tuple[T, U]]: ...


class Sized(Protocol):
    def __len__(self) -> int: ...


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (SequenceNotText[int], "[:int]"),
        (SequenceNotText[str] | str, "[:string]|:string"),
        (SequenceNotText, "[:any]"),
        (Readable[int], ":any"),
        (Pairs[int, int], ":any"),
        (Sized, ":any"),
    ],
)
def test_a_list_is_sent_for_a_protocol_that_lists_follow(hint: Any, expected: str) -> None:
    def f(value) -> str:  # type: ignore[no-untyped-def]
        return repr(value)

    f.__annotations__["value"] = hint
    made = tool(f)

    assert f"(value {expected}) -> :string" == str(made.signature)
    if expected.startswith("[:int]"):
        assert "[1, 2]" == made.call({"value": [1, "2"]}).value
