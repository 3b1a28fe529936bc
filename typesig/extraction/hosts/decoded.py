"""Objects by decode plans: of values that the check has passed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, assert_never

from typesig.absence import ABSENT
from typesig.algebra.rows.values import const, exact
from typesig.extraction.hosts.decoders import (
    FLOATS,
    LOST,
    NO_BAD,
    Bad,
    BadInBranch,
    Decode,
    Either,
    FieldPlan,
    HostError,
    Items,
    Later,
    Leaf,
    Members,
    Named,
    Nullable,
    OfMap,
    Pairs,
    Positions,
    build_or_refuse,
    gathered,
    refusal_of,
)


def decoded(plan: Decode, value: Any, bad: Bad = NO_BAD) -> Any:
    """Return what *value* is to the host, as *plan* has it.

    If *bad*, the parts that the check has refused, is not empty, the other parts are decoded for
    their refusals, and `LOST` is returned.  Raises a `HostError`, with all refusals of parts.
    """
    if bad:
        _judge(plan, value, bad)
        return LOST
    match plan:
        case None:
            return value
        case Leaf(make):
            return make(value)
        case Named():
            return _named(plan, value)
        case Nullable(inner):
            return None if value is None else decoded(inner, value)
        case Items():
            return _items(plan, value)
        case Members(members):
            return members.get(const(value), value)
        case Positions():
            return _positions(plan, value)
        case Pairs():
            return _pairs(plan, value)
        case Either():
            tried = partial(_either, plan)
            return once(plan, tried, value) if isinstance(value, dict | list) else tried(value)
        case Later(known, key):
            return decoded(known[key], value)
        case _:
            assert_never(plan)


def _judge(plan: Decode, value: Any, bad: Bad) -> None:
    """Decode the parts of *value* that are not *bad*; raise all refusals as one `HostError`."""
    match plan:
        case None | Members():
            pass
        case Either(branches, meant=meant):
            # Within a branch, each union would check its part again.
            asked = None if isinstance(bad, BadInBranch) else meant
            found = None if asked is None else asked(value, bad)
            if found is not None:
                decoded(branches[found.place][1], found.value, found.bad)
        case Leaf(inner=inner) | Nullable(inner):
            decoded(inner, value, bad)
        case Named():
            if isinstance(value, dict):
                _named(plan, value, bad)
        case Items(item, build):
            # The check returns the items of a set that it refuses as they were sent.
            if isinstance(value, list) and build not in (set, frozenset):
                _all([(place, item, part) for place, part in enumerate(value)], bad)
        case Positions():
            if isinstance(value, list):
                _positions(plan, value, bad)
        case Pairs(_, item):
            # A key that was read as another is at a step of its own.
            if isinstance(value, dict) and bad.keys() <= set(map(str, value)):
                _all([(str(key), item, part) for key, part in value.items()], bad)
        case Later(known, key):
            decoded(known[key], value, bad)
        case _:
            assert_never(plan)


#: What `part_of` returns if it is not known how a part is decoded.
UNKNOWN: Any = object()


def part_of(plan: Decode, step: str | int) -> Any:
    """Return the plan of the part at *step* of what *plan* decodes, or `UNKNOWN`."""
    match plan:
        case None:
            return None
        case Items(item) | Pairs(_, item):
            return item
        case Nullable(inner):
            return part_of(inner, step)
        case Later(known, key):
            return part_of(known[key], step)
        case Named(fields, _, rest):
            return {field.name: field.decode for field in fields}.get(str(step), rest)
        case Positions(parts):
            # Behind a part that may be absent, the place of a part depends on their number.
            known_parts: dict[str | int, Decode] = dict(enumerate(parts))
            return UNKNOWN if plan.open_at is not None else known_parts.get(step, UNKNOWN)
        case Leaf() | Members() | Either():
            return UNKNOWN
        case _:
            assert_never(plan)


def at(step: str | int, decode: Callable[[Any], Any], value: Any) -> Any:
    """Return what *decode* makes of *value*; a `HostError` gets *step* added to its path."""
    try:
        return decode(value)
    except HostError as error:
        for each in (error, *error.more):
            each.steps.append(step)
        raise


def _all(parts: Iterable[tuple[str | int, Decode, Any]], bad: Bad = NO_BAD) -> list[Any]:
    """Return what the parts are decoded to; raise all refusals as one `HostError`.

    A part has its step in a path, its plan and its value.  For *bad* see `decoded`.
    """
    first: HostError | None = None
    out = []
    for step, plan, value in parts:
        try:
            if step in bad:
                out.append(_lost(plan, value, bad[step]))
            else:
                out.append(value if plan is None else decoded(plan, value))
        except HostError as error:
            first = gathered(first, error, step)
    if first is not None:
        raise first
    return out


def _lost(plan: Decode, value: Any, bad: Bad | None) -> Any:
    """Return `LOST` for a part that was refused; for *bad* see `decoded`, None if it is all."""
    return LOST if bad is None else decoded(plan, value, bad)


def _items(plan: Items, value: Any) -> Any:
    item, build = plan
    out = value = exact(value)
    if item is not None:
        first: HostError | None = None
        out, rest = [], iter(value)
        decode = item.make if isinstance(item, Leaf) else partial(decoded, item)
        while True:
            try:
                # What is made before a refusal is kept.
                out.extend(map(decode, rest))
                break
            except HostError as error:
                first = gathered(first, error, len(out))
                out.append(None)
        if first is not None:
            raise first
    return out if build is None else build_or_refuse(build, out)


def _positions(plan: Positions, value: Any, bad: Bad = NO_BAD) -> Any:
    parts, build, rest, open_at = plan
    value = exact(value)
    more = len(value) - len(parts) if isinstance(value, list | tuple) else -1
    if more < 0 or (more and open_at is None):
        raise HostError(f"expected a list of {len(parts)}{'' if open_at is None else ' or more'}")
    split = len(parts) if open_at is None else open_at
    each = (*parts[:split], *[rest] * more, *parts[split:])
    out = _all(zip(range(len(each)), each, value, strict=True), bad)
    return LOST if bad else build(iter(out))


def _pairs(plan: Pairs, value: Any) -> Any:
    key, item, build = plan
    out = value = exact(value)
    if key is not None or item is not None:
        names = [k if key is None else at(str(k), partial(decoded, key), k) for k in value]
        made = _all((str(k), item, v) for k, v in value.items())
        out = dict(zip(names, made, strict=True))
    return out if build is None else build_or_refuse(build, out)


def _named(plan: Named, value: Any, bad: Bad = NO_BAD) -> Any:
    fields, build, rest = plan
    value = exact(value)
    first: HostError | None = None
    out: dict[str, Any] = {}
    if rest is not None:
        declared = {field.name for field in fields}
        others = [FieldPlan(key, key, rest, False) for key in value if key not in declared]
        fields = (*fields, *others)
    for name, attribute, part, nil, _ in fields:
        made = value.get(name, ABSENT)
        if made is ABSENT and name not in bad:
            if nil:
                out[attribute] = None
            continue
        if name in bad or (part is not None and not (part is FLOATS and type(made) is float)):
            try:
                made = _lost(part, made, bad[name]) if name in bad else decoded(part, made)
            except HostError as error:
                first, made = gathered(first, error, name), LOST
        out[attribute] = made
    if first is not None or bad:
        return _judged(build, out, first)
    if build is None:
        # A map that needs no decoding stays itself.
        is_same = all(value.get(name, ABSENT) is made for name, made in out.items())
        return value if is_same else {**value, **out}
    try:
        return build.make(out) if isinstance(build, OfMap) else build(**out)
    except (TypeError, ValueError) as error:
        raise refusal_of(error) from error


def _judged(build: Any, parts: dict[str, Any], first: HostError | None) -> Any:
    """Return `LOST` for a record of *parts*, of which some are.

    Raises *first*, what they were refused for, with what the class says of the others.
    """
    if isinstance(build, OfMap) and build.judge is not None:
        try:
            build.judge(parts)
        except HostError as error:
            if first is None:
                raise
            first.more += [error, *error.more]
            error.more = []
    if first is not None:
        raise first
    return LOST


def _either(plan: Either, value: Any) -> Any:
    branches, undeclared, _ = plan
    reason: HostError | None = None
    if undeclared is not None and isinstance(value, dict):
        # Sorting keeps the order of equals.
        counts = {place: undeclared(place, value) for place in range(len(branches))}
        branches = tuple([branches[place] for place in sorted(counts, key=counts.__getitem__)])
    for fits, branch in branches:
        if fits(value):
            try:
                return decoded(branch, value)
            except HostError as error:
                reason = reason or error
    if reason is not None:
        raise reason
    return value


@cache
def _memory() -> Any:
    """Return what unions have decoded within the outermost one, in each thread."""
    # Imported here, since it takes long, and most tools have no such union.
    import threading

    class Memory(threading.local):
        """The memory of one thread.

        #: known: a value, what it was decoded to, or why it was refused, by union and value
        """

        known: dict[tuple[int, int], tuple[Any, Any, HostError | None]] | None = None

    return Memory()


def once(owner: object, decode: Callable[[Any], Any], value: Any) -> Any:
    """Return what *decode*, of the union *owner*, makes of *value*.

    It does that once within the outermost union.

    What is below a union is decoded for each branch: without a memory, the branches of unions
    within each other would be tried twice as often at each level.
    """
    memory, key = _memory(), (id(owner), id(value))
    known = memory.known
    if known is None:
        memory.known = {}
        try:
            return decode(value)
        finally:
            memory.known = None
    if key not in known:
        made, refused = None, None
        try:
            made = decode(value)
        except HostError as error:
            refused = error
        # The value is kept alive, so that its id stays its own.
        known[key] = value, made, refused
    _, made, refused = known[key]
    if refused is not None:
        raise refused.copy()
    return made
