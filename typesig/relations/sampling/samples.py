"""Sample values of a type, and near misses that it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from math import ceil, floor
from random import Random
from typing import Any, NamedTuple

from typesig.algebra.nodes import Refinement, Type
from typesig.algebra.rows.constraints import get_identity
from typesig.algebra.rows.values import Keyword, Kind, get_kind
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_types
from typesig.limits import (
    MAX_CHANGED,
    MAX_DRAWN,
    MAX_EDGES,
    MAX_IDLE,
    MAX_PROOF_STEPS,
    MAX_STARTS,
    MAX_WORK,
)
from typesig.notations import parse
from typesig.notations.shorthand.writer import write_result
from typesig.relations.conformance import Judge, is_json
from typesig.relations.sampling.drawing import Drawer
from typesig.relations.step_budget import NoSample, OutOfSteps, Work

# --- Values near a value: copies of it with one part changed ---
# To add a change, add a function to the row of its kind in `CHANGES`; it returns the replacements
# of a part.

#: Replacements of another kind.
_OTHERS: tuple[Any, ...] = (None, True, 0, 0.5, "x", [], {})


class Edges(NamedTuple):
    """Numbers and sizes at and next to the limits of a type, for near misses.

    #: numbers: the bounds and the numbers next to them
    #: sizes: the limits of sizes, one less and one more
    """

    numbers: tuple[Any, ...]
    sizes: tuple[int, ...]


def find_edges(parts: Iterable[Type]) -> Edges:
    """Collect numbers and sizes at and next to the constraints of the types *parts*."""
    numbers: dict[Any, None] = {}
    sizes: dict[int, None] = {}
    for part in parts:
        for constraint in part.constraints if isinstance(part, Refinement) else ():
            if constraint.row.sort in ("number", "size"):
                bound = constraint.argument.value
                near = (bound, floor(bound) - 1, floor(bound), ceil(bound), ceil(bound) + 1)
                numbers.update(dict.fromkeys((*near, bound + 0.5, bound - 0.5)))
                sizes.update(dict.fromkeys(n for n in near[1:] if 0 <= n <= MAX_DRAWN))
    return Edges(tuple(islice(numbers, MAX_EDGES)), tuple(islice(sizes, MAX_EDGES)))


def iter_mutations(value: Any, at: Edges, rng: Random, json: bool, work: Work) -> Iterator[Any]:
    """Yield copies of *value* with one part replaced by a near variant.

    The copies take steps of *work*.
    """
    for steps, part in islice(_iter_places(value), MAX_CHANGED):
        # The containers around a part are copied, and most changes copy the part.
        around = _count_entries(part)
        inner = value
        for step in steps:
            around += len(inner)
            inner = inner[step]
        for new in _iter_replacements(part, at, rng, json):
            work.take(1 + (around + _count_entries(new)) // 4)
            yield _replace_part(value, steps, new)


def _count_entries(part: Any) -> int:
    """Count the items, keys or characters of *part*; 0 for scalars."""
    return len(part) if isinstance(part, dict | list | set | str) else 0


def _iter_places(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the path of each part of *value* and the part, the outer before the inner."""
    yield steps, value
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for step, item in items:
        yield from _iter_places(item, (*steps, step))


def _replace_part(value: Any, steps: tuple[Any, ...], new: Any) -> Any:
    """Copy *value* with the part at the path *steps* replaced by *new*."""
    if not steps:
        return new
    out = dict(value) if isinstance(value, dict) else list(value)
    out[steps[0]] = _replace_part(value[steps[0]], steps[1:], new)
    return out


def _iter_replacements(part: Any, at: Edges, rng: Random, json: bool) -> Iterator[Any]:
    """Yield near variants of *part*, and two values of other kinds."""
    kind = get_kind(part)
    for change in CHANGES[kind].plain:
        yield from change(part, at)
    for change in () if json else CHANGES[kind].python:
        yield from change(part, at)
    # Only two of another kind, so that they do not outnumber the nearer ones.
    yield from rng.sample([other for other in (*_OTHERS, [part]) if get_kind(other) != kind], 2)


Change = Callable[[Any, Edges], Iterable[Any]]


def _change_number(part: Any, at: Edges) -> Iterable[Any]:
    """Make numbers near *part* and near the limits *at*, of the same Python class."""
    whole = type(part) is int
    return [n for n in (part + 1, part - 1, -part, *at.numbers) if whole is (type(n) is int)]


def _as_text(part: Any, at: Edges) -> Iterable[Any]:
    """Write the number or bool *part* as text."""
    return [str(part).lower()]


def _as_float(part: Any, at: Edges) -> Iterable[Any]:
    """Convert the int *part* to the equal float and to a float 0.5 higher."""
    return [float(part), part + 0.5] if abs(part) < 2**53 else []


def _change_text(part: Any, at: Edges) -> Iterable[Any]:
    """Make longer, shorter and case-swapped copies of the text *part*."""
    sized = [(part + "~" * size)[:size] for size in at.sizes]
    return [part + "~", "~" + part, part[1:], part[:-1], part.swapcase(), "", *sized]


def _change_list(part: Any, at: Edges) -> Iterable[Any]:
    """Make longer, shorter and reversed copies of the list *part*."""
    fill = part or [0]
    sized = [(fill * (size // len(fill) + 1))[:size] for size in at.sizes]
    return [part[:-1], [*part, *part[-1:]], [*part, None], part[::-1], *sized]


def _change_map(part: Any, at: Edges) -> Iterable[Any]:
    """Make copies of the map *part* with keys dropped, renamed, respelled or added."""
    # Each change copies the map, so few keys of a large map are changed.
    keys = list(islice(part, max(MAX_CHANGED**2 // (len(part) + 1), 4)))
    out = [{k: v for k, v in part.items() if k != key} for key in keys]
    names = [key for key in keys if type(key) is str]
    out += [{k + "x" if k == key else k: v for k, v in part.items()} for key in names]
    # A text stands for a keyword as a key, unless it begins with a colon.
    out += [{":" + k if k == key else k: v for k, v in part.items()} for key in names]
    # Another spelling of a key stands for the key, unless both are there or the key is exact.
    spelt = [(key, key.swapcase().swapcase().replace("_", "-")) for key in names]
    out += [{**part, other: part[key]} for key, other in spelt if other != key]
    out += [{other if k == key else k: v for k, v in part.items()} for key, other in spelt]
    out += [{**part, "extra_key": None}, {**part, "extra-key": "x"}]
    for size in at.sizes:
        more = {f"k{n}": None for n in range(max(size - len(part), 0))}
        out.append({**dict(list(part.items())[:size]), **more})
    return out


def _change_keyword(part: Any, at: Edges) -> Iterable[Any]:
    """Make longer, shorter and case-swapped copies of the keyword *part*."""
    return [Keyword(text.lstrip(":")) for text in _change_text(str.__str__(part), at)]


def _change_keys(part: Any, at: Edges) -> Iterable[Any]:
    """Make copies of the map *part* with keys that are keywords or numbers."""
    keys = islice(part, max(MAX_CHANGED**2 // (len(part) + 1), 4))
    texts = [key for key in keys if type(key) is str and not key.startswith(":")]
    as_keywords = [{Keyword(k) if k == key else k: v for k, v in part.items()} for key in texts]
    return [{**part, 1: None}, {**part, Keyword("k"): None}, *as_keywords]


def _change_set(part: Any, at: Edges) -> Iterable[Any]:
    """Make a list and larger and smaller sets of the items of the set *part*."""
    # The order of a set differs between processes.
    items = sorted(part, key=repr)
    sized = [set([*items, *(f"~{n}" for n in range(size))][:size]) for size in at.sizes]
    return [items, {*items, None}, {*items, "~"}, set(items[1:]), *sized]


class KindChanges(NamedTuple):
    """Table row of the functions that make near variants of values of one kind.

    #: plain: those that turn JSON values into JSON values
    #: python: the others
    """

    plain: tuple[Change, ...] = ()
    python: tuple[Change, ...] = ()


CHANGES: dict[Kind, KindChanges] = {
    "nil": KindChanges(),
    "bool": KindChanges((_as_text,)),
    "int": KindChanges((_change_number, _as_text, _as_float)),
    "float": KindChanges((_change_number, _as_text)),
    "string": KindChanges((_change_text,), (lambda part, _: [Keyword(part.lstrip(":"))],)),
    "keyword": KindChanges((), (lambda part, _: [str.__str__(part)], _change_keyword)),
    "list": KindChanges((_change_list,)),
    "map": KindChanges((_change_map,), (_change_keys,)),
    "set": KindChanges((), (_change_set,)),
    "datetime": KindChanges((), (lambda part, _: [part.isoformat(), part.replace(tzinfo=None)],)),
    "object": KindChanges(),
}

#: Values of every kind, tried where no nearer value is left.
PLAIN_VALUES: tuple[Any, ...] = (None, True, 0, 1, -1, 0.5, "", "x", [], {}, [0], {"x": 0})
PYTHON_VALUES: tuple[Any, ...] = (
    Keyword("k"),
    {1},
    frozenset(),
    datetime(2026, 1, 31, tzinfo=UTC),
    {1: 1},
)


def samples(x: object, seed: int = 0, count: int = 10, *, json: bool = False) -> list[Any]:
    """Return up to *count* different values that *x* accepts without coercion.

    *x* is anything that `parse` takes; for a signature, values of its result are drawn.  The same
    *seed* gives the same values on every Python.  The list is shorter if no more values are found.
    With *json*, only plain JSON values are drawn: no keywords, sets or datetimes.
    Raises `NoSample` if no value is found; the type is then probably empty.

    >>> samples("{id :int[1..], tags [:string]}!", count=1)
    [{'id': 14, 'tags': ['true']}]
    >>> samples(":bool")
    [False, True]
    """
    signature = parse(x)
    return _draw_values(signature, _judge(signature, count), seed, count, json)


def _judge(signature: Signature, count: int) -> Judge:
    """Build the `Judge` for types of *signature*; its work limit grows with *count*."""
    # As much work for each ten values as for any other question.
    return Judge(signature.definitions, Work(MAX_PROOF_STEPS * max(1, count // 10)))


def _describe_signature(signature: Signature) -> str:
    """Write the result type of *signature* for a message, cut to 200 characters."""
    text = write_result(signature)
    return text if len(text) <= 200 else text[:200] + "…"


def _draw_values(
    signature: Signature, judge: Judge, seed: int, count: int, json: bool
) -> list[Any]:
    """Draw up to *count* different values; raise `NoSample` if none is found."""
    drawer = Drawer(signature.definitions, Random(seed), json, judge)
    found: list[Any] = []
    seen: set[object] = set()
    idle = 0
    while len(seen) < count and idle < MAX_IDLE:
        # A value may take all the work; failures in a row take less each.
        drawer.left = MAX_WORK // (1 + idle)
        try:
            value = drawer.draw_value(signature.returns)
        except (NoSample, RecursionError):
            idle += 8 if not seen else 1
            continue
        except OutOfSteps:
            break
        key = get_identity(value)
        if key in seen or (json and not is_json(value)):
            idle += 1
            continue
        idle = 0
        seen.add(key)
        found.append(value)
    if not found and count > 0:
        raise NoSample(
            f"no value of {_describe_signature(signature)} was found; the type is probably empty"
        )
    return found


def near_misses(x: object, seed: int = 0, count: int = 10, *, json: bool = False) -> list[Any]:
    """Return up to *count* different values that *x* just refuses.

    Each is a conforming value with one part changed: a value of another kind, a number just out of
    bounds, a text too long, a key missing, a key too many, or a key in another spelling.
    Raises `NoSample` if no value of *x* is found, or none that it refuses.

    >>> near_misses(":int[1..5]", count=3)
    [0, 2.5, 6]
    """
    signature = parse(x)
    judge = _judge(signature, count)
    with judge.work.limit_steps(judge.work.left // 2):
        starts = _draw_values(signature, judge, seed, MAX_STARTS, json)
    found: list[Any] = []
    seen: set[object] = set()
    for value in _iter_near_values(signature, starts, Random(seed), json, judge.work):
        if len(found) >= count:
            break
        key = get_identity(value)
        try:
            if key not in seen and not judge.accepts(signature.returns, value):
                found.append(value)
        except OutOfSteps:
            break
        seen.add(key)
    if not found and count > 0:
        raise NoSample(f"no value was found that {_describe_signature(signature)} refuses")
    return found


def _iter_near_values(
    signature: Signature, starts: list[Any], rng: Random, json: bool, work: Work
) -> Iterator[Any]:
    """Yield near variants of the values *starts* by turns, then values of all kinds."""
    wholes = [signature.returns, *signature.names.values()]
    at = find_edges(part for whole in wholes for part in iter_types(whole))
    share = work.left // (2 * len(starts) + 1)
    pools: list[list[Any]] = []
    for start in starts:
        pool: list[Any] = []
        pools.append(pool)
        with suppress(OutOfSteps), work.limit_steps(share):
            for value in iter_mutations(start, at, rng, json, work):
                pool.append(value)  # noqa: PERF402 - those before the last step are kept
    for pool in pools:
        rng.shuffle(pool)
    while any(pools):
        for pool in pools:
            if pool:
                yield pool.pop()
    yield from PLAIN_VALUES
    if not json:
        yield from PYTHON_VALUES
