"""One part of a value changed: what is near a value, by kind.

To add a change, add a function to the row of its kind in `CHANGES`; it returns what stands there
instead.  Changes in `_PLAIN` give JSON for JSON, those in `_PYTHON` need not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from math import ceil, floor
from random import Random
from typing import Any, NamedTuple

from typesig.algebra.nodes import Refined, Type
from typesig.algebra.values import Keyword, kind_of
from typesig.limits import MAX_CHANGED as MAX_PLACES
from typesig.limits import MAX_DRAWN

#: What stands in place of a value of another kind.
_OTHERS: tuple[Any, ...] = (None, True, 0, 0.5, "x", [], {})


class Edges(NamedTuple):
    """Where a type changes its mind.

    #: numbers: at its bounds and beyond
    #: sizes: its sizes, one less and one more
    """

    numbers: tuple[Any, ...]
    sizes: tuple[int, ...]


def edges(parts: Iterable[Type]) -> Edges:
    """Return the edges that the constraints of *parts* make."""
    numbers: dict[Any, None] = {}
    sizes: dict[int, None] = {}
    for part in parts:
        for constraint in part.constraints if isinstance(part, Refined) else ():
            bound = constraint.argument.value
            if constraint.name in ("at_least", "at_most", "above", "below", "multiple_of"):
                near = (bound, floor(bound) - 1, floor(bound), ceil(bound), ceil(bound) + 1)
                numbers.update(dict.fromkeys((*near, bound + 0.5, bound - 0.5)))
                sizes.update(dict.fromkeys(n for n in near[1:] if 0 <= n <= MAX_DRAWN))
    return Edges(tuple(numbers), tuple(sizes))


def changed(value: Any, at: Edges, rng: Random, json: bool) -> Iterator[Any]:
    """Yield *value* with one of its parts changed, in each way that there is for its kind."""
    for steps, part in _places(value)[:MAX_PLACES]:
        for new in _instead(part, at, rng, json):
            yield _replaced(value, steps, new)


def _places(value: Any, steps: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    found = [(steps, value)]
    if isinstance(value, dict):
        for key, item in value.items():
            found += _places(item, (*steps, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += _places(item, (*steps, index))
    return found


def _replaced(value: Any, steps: tuple[Any, ...], new: Any) -> Any:
    if not steps:
        return new
    out = dict(value) if isinstance(value, dict) else list(value)
    out[steps[0]] = _replaced(value[steps[0]], steps[1:], new)
    return out


def _instead(part: Any, at: Edges, rng: Random, json: bool) -> Iterator[Any]:
    kind = kind_of(part)
    for change in _PLAIN.get(kind, ()):
        yield from change(part, at)
    for change in () if json else _PYTHON.get(kind, ()):
        yield from change(part, at)
    # Two of another kind: they are to be no more than what is nearer.
    yield from rng.sample([other for other in (*_OTHERS, [part]) if kind_of(other) != kind], 2)


Change = Callable[[Any, Edges], Iterable[Any]]


def _numbers(part: Any, at: Edges) -> Iterable[Any]:
    whole = type(part) is int
    return [n for n in (part + 1, part - 1, -part, *at.numbers) if whole is (type(n) is int)]


def _as_text(part: Any, at: Edges) -> Iterable[Any]:
    return [str(part).lower()]


def _as_float(part: Any, at: Edges) -> Iterable[Any]:
    return [float(part), part + 0.5] if abs(part) < 2**53 else []


def _texts(part: Any, at: Edges) -> Iterable[Any]:
    sized = [(part + "~" * size)[:size] for size in at.sizes]
    return [part + "~", "~" + part, part[1:], part[:-1], part.swapcase(), "", *sized]


def _lists(part: Any, at: Edges) -> Iterable[Any]:
    fill = part or [0]
    sized = [(fill * (size // len(fill) + 1))[:size] for size in at.sizes]
    return [part[:-1], [*part, *part[-1:]], [*part, None], part[::-1], *sized]


def _maps(part: Any, at: Edges) -> Iterable[Any]:
    out = [{k: v for k, v in part.items() if k != key} for key in part]
    names = [key for key in part if type(key) is str]
    out += [{k + "x" if k == key else k: v for k, v in part.items()} for key in names]
    # Another spelling of one key: it stands for it, unless both are there or it is exact.
    spelt = [(key, key.swapcase().swapcase().replace("_", "-")) for key in names]
    out += [{**part, other: part[key]} for key, other in spelt if other != key]
    out += [{other if k == key else k: v for k, v in part.items()} for key, other in spelt]
    out += [{**part, "extra_key": None}, {**part, "extra-key": "x"}]
    for size in at.sizes:
        more = {f"k{n}": None for n in range(max(size - len(part), 0))}
        out.append({**dict(list(part.items())[:size]), **more})
    return out


def _worded(part: Any, at: Edges) -> Iterable[Any]:
    return [Keyword(part.lstrip(":"))]


def _plain(part: Any, at: Edges) -> Iterable[Any]:
    return [str.__str__(part)]


def _keywords(part: Any, at: Edges) -> Iterable[Any]:
    return [Keyword(text.lstrip(":")) for text in _texts(str.__str__(part), at)]


def _keyed(part: Any, at: Edges) -> Iterable[Any]:
    texts = [key for key in part if type(key) is str and not key.startswith(":")]
    worded = [{Keyword(k) if k == key else k: v for k, v in part.items()} for key in texts]
    return [{**part, 1: None}, {**part, Keyword("k"): None}, *worded]


def _sets(part: Any, at: Edges) -> Iterable[Any]:
    # In an order that is the same in each process.
    items = sorted(part, key=repr)
    sized = [set([*items, *(f"~{n}" for n in range(size))][:size]) for size in at.sizes]
    return [items, {*items, None}, {*items, "~"}, set(items[1:]), *sized]


def _moments(part: Any, at: Edges) -> Iterable[Any]:
    return [part.isoformat(), part.replace(tzinfo=None)]


_PLAIN: dict[str, tuple[Change, ...]] = {
    "bool": (_as_text,),
    "int": (_numbers, _as_text, _as_float),
    "float": (_numbers, _as_text),
    "string": (_texts,),
    "list": (_lists,),
    "map": (_maps,),
}

_PYTHON: dict[str, tuple[Change, ...]] = {
    "string": (_worded,),
    "keyword": (_plain, _keywords),
    "map": (_keyed,),
    "set": (_sets,),
    "datetime": (_moments,),
}

#: Values of every kind, for where nothing better is at hand.
PLAIN_VALUES: tuple[Any, ...] = (None, True, 0, 1, -1, 0.5, "", "x", [], {}, [0], {"x": 0})
PYTHON_VALUES: tuple[Any, ...] = (
    Keyword("k"),
    {1},
    frozenset(),
    datetime(2026, 1, 31, tzinfo=UTC),
    {1: 1},
)
