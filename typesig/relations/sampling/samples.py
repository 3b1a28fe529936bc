"""Sample values of a type, and near misses that it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from typesig.algebra.rows.constraints import get_identity
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_types
from typesig.limits import MAX_IDLE, MAX_PROOF_STEPS, MAX_STARTS, MAX_WORK
from typesig.notations import parse
from typesig.notations.shorthand.writer import write_result
from typesig.relations.limits.conformance import Judge, is_json
from typesig.relations.limits.step_budget import NoSample, OutOfSteps, Work
from typesig.relations.sampling.drawing import Drawer
from typesig.relations.sampling.mutations import (
    PLAIN_VALUES,
    PYTHON_VALUES,
    find_edges,
    iter_mutations,
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
