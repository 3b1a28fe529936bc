"""Lists of dataclasses that a library writes have the texts of those that are written with care."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import json_backends, tool
from typesig.calls.generated import quick_writers
from typesig.calls.generated.quick_objects import objects_writer
from typesig.json_backends import LIBRARIES, Codec

pytestmark = pytest.mark.skipif(
    not json_backends._IS_SAFE, reason="no library is used under WebAssembly"
)


@dataclass
class Plain:
    id: int
    share: float
    tags: list[str]
    note: str


@dataclass(slots=True)
class Slotted:
    id: int
    share: float
    tags: list[str]
    note: str


@dataclass(frozen=True)
class Frozen:
    id: int
    share: float
    tags: list[str] = field(default_factory=list)
    note: str = field(kw_only=True)
    kind: ClassVar[str] = "frozen"


@dataclass
class Prepared:
    id: int
    share: float
    tags: list[str]
    note: str
    size: InitVar[int] = 3
    made: str = field(init=False, default="")

    def __post_init__(self, size: int) -> None:
        self.made = "m" * size


@dataclass
class Derived(Plain):
    more: bool = False


@dataclass
class Doubled:
    """What is written is not what is held."""

    id: int
    share: float
    tags: list[str]
    note: str

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return found * 2 if name == "id" else found


@dataclass
class Lacking:
    """What is absent is made."""

    id: int
    share: float
    tags: list[str]
    note: str

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return 7


class _Half:
    __slots__ = ("id",)


@dataclass
class Both(_Half):
    """Objects that have a slot and a dict."""

    id: int
    share: float
    tags: list[str]
    note: str


@dataclass
class Propertied:
    id: int
    share: float
    tags: list[str]
    note: str

    @property
    def own(self) -> int:
        return 1


Propertied.id = property(
    lambda self: self.__dict__["id"] + 1, lambda self, n: self.__dict__.update(id=n)
)  # type: ignore[assignment, method-assign, misc]

CLASSES: list[Any] = [
    Plain, Slotted, Frozen, Prepared, Derived, Doubled, Lacking, Both, Propertied,
]  # fmt: skip
#: Those whose objects a library writes.
WRITTEN = {Plain, Slotted, Frozen, Prepared, Derived}

VALUES: dict[str, list[Any]] = {
    "id": [1, -5, 2**40, 10**30, True, "1", 2.0, 10**401],
    "share": [0.5, 1.0, -2.5, 3, 0.0, -0.0, 1e-7, -1e-7, 1e22, float("nan"), float("inf"), "1"],
    "tags": [[], ["a"], ["é", '"', "\\"], ["\ud800"], ("a",), [1], ["\u2028", "\x7f"]],
    "note": ["a", "", "b", "c", "\udfff", 3, None],
}


class Loaded(NamedTuple):
    """A library and its codec."""

    name: str
    codec: Codec


MODULES = [("msgspec.json", "msgspec"), ("pydantic_core", "pydantic_core")]
LOADED = [Loaded(name, LIBRARIES[name](importlib.import_module(name))) for name, _ in MODULES]
each_library = pytest.mark.parametrize("loaded", LOADED, ids=[each.name for each in LOADED])


def made_of(cls: Any, rng: random.Random, few: int) -> Any:
    """Return an object of *cls*; one value in *few* is odd."""
    parts = {
        name: rng.choice(values[:4] if rng.randrange(few) else values)
        for name, values in VALUES.items()
    }
    parts["tags"] = list(parts["tags"]) if type(parts["tags"]) is list else parts["tags"]
    return cls(**parts)


def told(call: Callable[[], Any]) -> Any:
    outcome = call()
    return outcome.ok, outcome.text(), outcome.report(), repr(outcome.value if outcome.ok else None)


@each_library
@pytest.mark.parametrize("cls", CLASSES)
@settings(LAW)
@given(st.integers(0, 2**32))
def test_the_text_of_objects_is_the_same_each_time(loaded: Loaded, cls: Any, number: int) -> None:
    rng = random.Random(number)
    rows: list[Any] = []

    def give() -> Any:
        return rows

    give.__annotations__["return"] = list[cls]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_backends, "_TAKEN", [loaded.codec])
        patch.setattr(quick_writers, "_ITEMS", 4)
        warm = tool(give)
        rows[:] = [made_of(cls, rng, 10**6) for _ in range(3)]
        for _ in range(6):
            warm.call().text()
        for few in (1_000, 20, 20):
            rows[:] = [made_of(cls, rng, few) for _ in range(rng.choice((1, 5, 9)))]
            if rng.random() < 0.2 and cls is not Slotted:
                vars(rows[0])["more"] = "of its own"
            if rng.random() < 0.2:
                rows.insert(rng.randrange(len(rows)), made_of(rng.choice((Plain, Slotted)), rng, 9))
            assert told(lambda: tool(give).call()) == told(lambda: warm.call())


@pytest.mark.generated
@each_library
@pytest.mark.parametrize("cls", CLASSES)
def test_a_library_writes_objects_of_plain_classes(
    loaded: Loaded, cls: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_backends, "_TAKEN", [loaded.codec])
    items = [cls(1, 0.5, ["a"], note="b"), cls(2, 1.5, [], note="c")]
    names = [*items[0].__dataclass_fields__] if cls is not Prepared else [*VALUES, "made"]
    names = [name for name in names if name != "kind"]
    values = [{name: getattr(item, name) for name in names} for item in items]
    write = objects_writer(cls, {name: name for name in names}, items, values)

    assert (cls in WRITTEN) is (write is not None)
    assert write is None or loaded.codec.dumps(values) == write(items)
    assert objects_writer(cls, {f"{name}_": name for name in names}, items, values) is None
    assert objects_writer(cls, {name: name for name in names[1:]}, items, values) is None
    assert objects_writer(cls, {name: name for name in names}, items, values[1:]) is None


@pytest.mark.generated
@each_library
def test_no_dicts_are_made_of_objects_that_a_library_writes(
    loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_backends, "_TAKEN", [loaded.codec])
    rows = [Plain(1, 0.5, ["a"], "b")]

    def give() -> list[Plain]:
        return rows

    made = tool(give)
    for _ in range(6):
        text = made.call().text()
    monkeypatch.setattr(quick_writers._ByClass, "write_list", None)

    assert text == made.call().text() == '[{"id":1,"share":0.5,"tags":["a"],"note":"b"}]'


def test_a_library_without_a_writer_of_objects_writes_dicts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def raising(_cls: type, _names: list[str]) -> Any:
        raise AttributeError("core_schema")

    codec = LOADED[0].codec
    items, values = [Plain(1, 0.5, [], "b")], [{"id": 1, "share": 0.5, "tags": [], "note": "b"}]
    for taken in ([], [codec._replace(objects=None)], [codec._replace(objects=raising)]):
        monkeypatch.setattr(json_backends, "_TAKEN", taken)
        monkeypatch.setattr(json_backends, "LIBRARIES", {})
        assert objects_writer(Plain, {name: name for name in values[0]}, items, values) is None


@dataclass
class Holding:
    part: Plain


def test_objects_within_objects_are_written_by_way_of_dicts() -> None:
    rows = [Holding(Plain(1, 0.5, ["a"], "b"))] * 3

    def give() -> list[Holding]:
        return rows

    made = tool(give)
    texts = [made.call().text() for _ in range(7)]

    part = '{"part":{"id":1,"share":0.5,"tags":["a"],"note":"b"}}'
    assert [f"[{part},{part},{part}]"] * 7 == texts


def test_no_library_writes_what_is_no_dataclass() -> None:
    assert objects_writer(int, {"real": "real"}, [1], [{"real": 1}]) is None
