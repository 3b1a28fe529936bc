"""Values of a type, and values that are nearly of it, drawn by a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from typesig.algebra.constraints import identity
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import walk
from typesig.limits import MAX_IDLE, MAX_WORK
from typesig.limits import MAX_STARTS as _STARTS
from typesig.notations import parse
from typesig.notations.shorthand.writer import lone_text
from typesig.relations.changes import PLAIN_VALUES, PYTHON_VALUES, changed, edges
from typesig.relations.drawing import Drawer
from typesig.relations.errors import NoSample
from typesig.relations.judging import accepts, is_json


def samples(x: object, seed: int = 0, count: int = 10, *, json: bool = False) -> list[Any]:
    """Return up to *count* different values that *x* accepts to the letter.

    *x* is what `parse` takes; of a signature, its result is meant.  The same *seed* gives the same
    values on every Python.  Fewer come back where no more are found; with *json* there are plain
    JSON values alone, so keywords, sets and datetimes are never drawn.
    Raises `NoSample` where no value is found: most often the type has none.

    >>> samples("{id :int[1..], tags [:string]}!", count=1)
    [{'id': 14, 'tags': ['true']}]
    >>> samples(":bool")
    [False, True]
    """
    signature = parse(x)
    found = list(_drawn(signature, seed, count, json))
    if not found and count > 0:
        raise NoSample(f"no value of {_named(signature)} was found: most often it has none")
    return found


def _named(signature: Signature) -> str:
    text = lone_text(signature)
    return text if len(text) <= 200 else text[:200] + "…"


def _drawn(signature: Signature, seed: int, count: int, json: bool) -> Iterator[Any]:
    drawer = Drawer(signature.definitions, Random(seed), json)
    seen: set[object] = set()
    idle = 0
    while len(seen) < count and idle < MAX_IDLE:
        # Each value has as much work as it may need, all failures together no more than that.
        drawer.left = MAX_WORK // (1 + idle)
        try:
            value = drawer.value(signature.returns)
        except (NoSample, RecursionError):
            idle += 8 if not seen else 1
            continue
        key = identity(value)
        if key in seen or (json and not is_json(value)):
            idle += 1
            continue
        idle = 0
        seen.add(key)
        yield value


def near_misses(x: object, seed: int = 0, count: int = 10, *, json: bool = False) -> list[Any]:
    """Return up to *count* different values that *x* does not accept, though nearly.

    Each is a conforming value with one part changed: of another kind, out of bounds by one, too
    long, without a key, with a key too many, spelled in another way.
    Raises `NoSample` where no value of *x* is found, or none that it refuses.

    >>> near_misses(":int[1..5]", count=3)
    [0, 2.5, 6]
    """
    signature = parse(x)
    found: list[Any] = []
    seen: set[object] = set()
    for value in _near(signature, samples(signature, seed, _STARTS, json=json), Random(seed), json):
        if len(found) >= count:
            break
        key = identity(value)
        if key not in seen and not accepts(signature.returns, signature.definitions, value):
            found.append(value)
        seen.add(key)
    if not found and count > 0:
        raise NoSample(f"no value was found that {_named(signature)} refuses")
    return found


def _near(signature: Signature, starts: list[Any], rng: Random, json: bool) -> Iterator[Any]:
    """Yield what is near each of *starts* by turns, then values of every kind."""
    wholes = [signature.returns, *signature.names.values()]
    at = edges(part for whole in wholes for part in walk(whole))
    pools = [list(changed(start, at, rng, json)) for start in starts]
    for pool in pools:
        rng.shuffle(pool)
    while any(pools):
        for pool in pools:
            if pool:
                yield pool.pop()
    yield from PLAIN_VALUES
    if not json:
        yield from PYTHON_VALUES
