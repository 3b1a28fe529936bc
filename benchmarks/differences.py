"""Where typesig, pydantic and msgspec take different sides, on random hints and JSON values.

    python benchmarks/differences.py                   # 2,000 hints, 12 values each
    python benchmarks/differences.py --hints 20000 --seed 7
    python benchmarks/differences.py --show 40         # more classes of differences

Each JSON text is read for its hint by `contract(hint).read(text, "strict")`, by
`TypeAdapter(hint).validate_json(text, strict=True)` and by
`msgspec.json.decode(text, type=hint, strict=True)`.  A difference is followed down to the smallest
part of the hint and of the value on which the verdicts still differ, and counted there.

    python -m pip install pydantic msgspec

The exit status is 1 if a library raises what is not an error of validation.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import enum
import json
import random
import re
import sys
import types
import typing
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypedDict,
    Union,
    get_args,
    get_origin,
)
from uuid import UUID

sys.path.insert(0, str(Path(__file__).parent.parent))

import msgspec
import pydantic

import typesig
from typesig.relations import near_misses, samples


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.0


@dataclasses.dataclass
class Node:
    name: str
    kids: list[Point] = dataclasses.field(default_factory=list)
    note: str | None = None


class Movie(TypedDict, total=False):
    title: typing.Required[str]
    year: int


class Pair(NamedTuple):
    left: int
    right: str = "r"


LEAVES: list[Any] = [
    *[int, float, str, bool, type(None), Any, bytes],
    *[dt.datetime, dt.date, dt.time, dt.timedelta, Decimal, UUID],
    *[Color, Level, Point, Node, Movie, Pair, list, dict, set],
    *[Literal["a", "b"], Literal[1, 2], Literal["a", None]],
    Annotated[int, msgspec.Meta(ge=1, le=9), pydantic.Field(ge=1, le=9)],
    Annotated[str, msgspec.Meta(min_length=2), pydantic.Field(min_length=2)],
]

#: Hints for which one text is like any other.
SIMPLE = (int, float, str, bool, bytes)

#: JSON values that every hint meets, whatever it is.
ODDITIES: list[Any] = [
    *[None, True, False, 0, 1, 2, -1, 1.0, 2.5, 1e3, -0.0, 2**63, 10**30, "", "a", "1", "true"],
    *["red", "null", "2026-01-31", "2026-01-31T10:00:00Z", "2026-01-31T10:00:00", "10:00:00"],
    *[
        "2026-01-31 10:00:00+01:00",
        "2026-01-31T10:00Z",
        "10:00:00Z",
        "P1D",
        "PT1.5S",
        "1.50",
        "YQ==",
    ],
    *["YQ==", "123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "NaN"],
    *[[], [1], [1, 1], ["a"], [1, "a"], {}, {"x": 1}, {"x": 1, "z": 2}, {"title": "t", "more": 1}],
    *[{"left": 1}, {"name": "n", "kids": [{"x": 1}], "note": None}, {"1": 1}, {"a": None}],
]


def random_hint(rng: random.Random, depth: int = 2) -> Any:
    if depth == 0 or rng.random() < 0.35:
        return rng.choice(LEAVES)
    inner = random_hint(rng, depth - 1)
    match rng.randrange(8):
        case 0 | 1:
            return list[inner]
        case 2:
            return dict[str, inner]
        case 3:
            return dict[int, inner]
        case 4:
            return tuple[inner, random_hint(rng, depth - 1)]
        case 5:
            return tuple[inner, ...]
        case 6:
            return Union[inner, None]  # noqa: UP007
        case _:
            return Union[inner, random_hint(rng, depth - 1)]  # noqa: UP007


def values_for(rng: random.Random, hint: Any) -> Iterator[Any]:
    """Yield JSON values that fit *hint*, some that just do not, and some that anybody may send."""
    shown = typesig.contract(hint).signature
    for draw in (samples, near_misses):
        try:
            yield from draw(shown, rng.randrange(1000), 4, json=True)
        except typesig.TypesigError:
            continue
    yield from rng.sample(ODDITIES, 4)


# The judges: each returns whether the JSON text fits the hint.


def by_typesig(hint: Any, text: str) -> bool:
    return typesig.contract(hint).read(text, "strict").ok


def by_pydantic(hint: Any, text: str) -> bool | None:
    try:
        pydantic.TypeAdapter(hint).validate_json(text, strict=True)
    except pydantic.ValidationError:
        return False
    except pydantic.PydanticUserError:
        return None
    return True


def by_msgspec(hint: Any, text: str) -> bool | None:
    if _crashes(hint):
        return None
    try:
        msgspec.json.decode(text.encode(), type=hint, strict=True)
    except msgspec.ValidationError:
        return False
    except TypeError:  # a union that it does not support
        return None
    return True


def _crashes(hint: Any) -> bool:
    """Whether msgspec 0.22 may end the process: for bounds on a branch of a union."""
    inner = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return any(get_origin(each) is Annotated or _crashes(each) for each in inner)
    return any(_crashes(each) for each in inner)


PEERS = {"pydantic": by_pydantic, "msgspec": by_msgspec}


def differs(peer: str, hint: Any, value: Any) -> bool:
    text = json.dumps(value)
    verdict = PEERS[peer](hint, text)
    return verdict is not None and verdict != by_typesig(hint, text)


# The smallest part that still differs


def parts(hint: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each part of *hint* with the part of *value* that it describes."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        yield arguments[0], value
    elif origin in (Union, types.UnionType):
        for argument in arguments:
            yield argument, value
    elif origin is list and isinstance(value, list):
        yield from ((arguments[0], item) for item in value)
    elif origin is tuple and isinstance(value, list):
        hints = [arguments[0]] * len(value) if arguments[-1] is ... else arguments
        yield from zip(hints, value, strict=False)
    elif origin is dict and isinstance(value, dict):
        yield from ((arguments[1], item) for item in value.values())
    elif isinstance(value, dict) and hasattr(hint, "__annotations__"):
        fields = typing.get_type_hints(hint, sys.modules[__name__].__dict__)
        yield from ((fields[key], value[key]) for key in value if key in fields)


def smallest(peer: str, hint: Any, value: Any) -> tuple[Any, Any]:
    for inner, item in parts(hint, value):
        if differs(peer, inner, item):
            return smallest(peer, inner, item)
    return hint, value


def name_of(hint: Any) -> str:
    """Return the head of *hint*: what it is, without what it holds."""
    origin = get_origin(hint)
    if origin is Literal:
        return "Literal"
    if origin in (Union, types.UnionType):
        return "Union"
    if origin is tuple:
        return "tuple[T, ...]" if get_args(hint)[-1] is ... else "tuple[A, B]"
    if origin is dict:
        return f"dict[{get_args(hint)[0].__name__}, T]"
    return getattr(origin or hint, "__name__", str(hint))


def kind_of(hint: Any, value: Any) -> str:
    """Return what sort of JSON *value* is, as far as it matters for a hint."""
    match value:
        case bool() | None:
            return json.dumps(value)
        case int():
            return "int" if abs(value) < 2**63 else "int of more than 64 bits"
        case float():
            return "whole float" if value == int(value) else "float"
        case str():
            # Runs of digits are alike, and so are words: all dates are one sort of text.
            sort = re.sub("[a-z]+", "a", re.sub("[0-9]+", "9", value[:32]), flags=re.IGNORECASE)
            return "text" if hint in SIMPLE else f"text like {sort[:24]!r}"
        case list():
            return "list"
        case _:
            known = getattr(hint, "__annotations__", value)
            return "object" if set(value) <= set(known) else "object with an unknown key"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--hints", type=int, default=2_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--show", type=int, default=25, help="classes of differences to print")
    chosen = options.parse_args()
    rng = random.Random(chosen.seed)
    counts: dict[str, Counter[tuple[str, str, bool]]] = {peer: Counter() for peer in PEERS}
    examples: dict[tuple[Any, ...], tuple[Any, Any]] = {}
    asked, judged, crashes = 0, Counter[str](), 0
    for _ in range(chosen.hints):
        hint = random_hint(rng)
        for value in values_for(rng, hint):
            asked += 1
            for peer, judge in PEERS.items():
                try:
                    judged[peer] += judge(hint, json.dumps(value)) is not None
                    if not differs(peer, hint, value):
                        continue
                    part, item = smallest(peer, hint, value)
                except Exception as error:  # whatever it is, it is told
                    crashes += 1
                    print(f"crash: {peer} {hint} {value!r}: {type(error).__name__}: {error}")
                    continue
                key = (name_of(part), kind_of(part, item), by_typesig(part, json.dumps(item)))
                counts[peer][key] += 1
                examples.setdefault((peer, *key), (part, item))
    print(f"{chosen.hints} hints, {asked} values, seed {chosen.seed}; crashes: {crashes}")
    for peer, found in counts.items():
        total = found.total()
        print(f"\n{peer}: {total} of {judged[peer]} verdicts differ ({total / judged[peer]:.1%})")
        for key, count in found.most_common(chosen.show):
            part, item = examples[peer, *key]
            side = "typesig takes, it refuses" if key[2] else "typesig refuses, it takes"
            print(f"{count:6} {key[0]:16} {key[1]:32} {side}: {part} {json.dumps(item)[:60]}")
    return 1 if crashes else 0


if __name__ == "__main__":
    raise SystemExit(main())
