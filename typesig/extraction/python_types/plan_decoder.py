"""Make Python objects from checked values, by decode plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, assert_never

from typesig.algebra.rows.values import to_builtin, to_const
from typesig.extraction.python_types.decoders import (
    FLOATS,
    LOST,
    NO_BAD,
    BadParts,
    BranchBadParts,
    Decode,
    DictFactory,
    FieldPlan,
    HostError,
    ItemsDecoder,
    LazyDecoder,
    LeafDecoder,
    MapDecoder,
    MembersDecoder,
    NullableDecoder,
    RecordDecoder,
    TupleDecoder,
    UnionDecoder,
    build_or_refuse,
    merge_errors,
    to_host_error,
)
from typesig.sentinels import ABSENT


def decode_by_plan(plan: Decode, value: Any, bad: BadParts = NO_BAD) -> Any:
    """Decode *value* by *plan*; return `LOST` if *bad* has refused parts of the value.

    If *bad*, the parts that the check has refused, is not empty, the other parts are decoded for
    their refusals, and `LOST` is returned.  Raises a `HostError`, with all refusals of parts.
    """
    if bad:
        _decode_good_parts(plan, value, bad)
        return LOST
    match plan:
        case None:
            return value
        case LeafDecoder(make):
            return make(value)
        case RecordDecoder():
            return _decode_record(plan, value)
        case NullableDecoder(inner):
            return None if value is None else decode_by_plan(inner, value)
        case ItemsDecoder():
            return _decode_items(plan, value)
        case MembersDecoder(members):
            return members.get(to_const(value), value)
        case TupleDecoder():
            return _decode_tuple(plan, value)
        case MapDecoder():
            return _decode_map(plan, value)
        case UnionDecoder():
            tried = partial(_decode_union, plan)
            return run_once(plan, tried, value) if isinstance(value, dict | list) else tried(value)
        case LazyDecoder(known, key):
            return decode_by_plan(known[key], value)
        case _:
            assert_never(plan)


def _decode_good_parts(plan: Decode, value: Any, bad: BadParts) -> None:
    """Decode the parts of *value* that are not in *bad*, only to collect refusals."""
    match plan:
        case None | MembersDecoder():
            pass
        case UnionDecoder(branches, meant=meant):
            # Within a branch, each union would check its part again.
            asked = None if isinstance(bad, BranchBadParts) else meant
            found = None if asked is None else asked(value, bad)
            if found is not None:
                decode_by_plan(branches[found.place][1], found.value, found.bad)
        case LeafDecoder(inner=inner) | NullableDecoder(inner):
            decode_by_plan(inner, value, bad)
        case RecordDecoder():
            if isinstance(value, dict):
                _decode_record(plan, value, bad)
        case ItemsDecoder(item, build):
            # The check returns the items of a set that it refuses as they were sent.
            if isinstance(value, list) and build not in (set, frozenset):
                _decode_parts([(place, item, part) for place, part in enumerate(value)], bad)
        case TupleDecoder():
            if isinstance(value, list):
                _decode_tuple(plan, value, bad)
        case MapDecoder(_, item):
            # A key that was read as another is at a step of its own.
            if isinstance(value, dict) and bad.keys() <= set(map(str, value)):
                _decode_parts([(str(key), item, part) for key, part in value.items()], bad)
        case LazyDecoder(known, key):
            decode_by_plan(known[key], value, bad)
        case _:
            assert_never(plan)


class CheckedDecoder:
    """Decodes a value by a plan, and raises what *check* raises for the object."""

    __slots__ = ("check", "decode")

    def __init__(self, decode: Decode, check: Callable[[Any], None]) -> None:
        self.decode = decode
        self.check = check

    def __call__(self, value: Any) -> Any:
        """Decode *value*."""
        return self.pass_on(decode_by_plan(self.decode, value))

    def pass_on(self, made: Any) -> Any:
        """Return the decoded object *made* if it passes the check."""
        self.check(made)
        return made


#: What `get_part_plan` returns if it is not known how a part is decoded.
UNKNOWN: Any = object()


def get_part_plan(plan: Decode, step: str | int) -> Any:
    """Return the decode plan of the item or field *step* in *plan*; `UNKNOWN` if open."""
    match plan:
        case None:
            return None
        case ItemsDecoder(item) | MapDecoder(_, item):
            return item
        case NullableDecoder(inner):
            return get_part_plan(inner, step)
        case LazyDecoder(known, key):
            return get_part_plan(known[key], step)
        case RecordDecoder(fields, _, rest):
            return {field.name: field.decode for field in fields}.get(str(step), rest)
        case TupleDecoder(parts):
            # Behind a part that may be absent, the place of a part depends on their number.
            known_parts: dict[str | int, Decode] = dict(enumerate(parts))
            return UNKNOWN if plan.open_at is not None else known_parts.get(step, UNKNOWN)
        case LeafDecoder() | MembersDecoder() | UnionDecoder():
            return UNKNOWN
        case _:
            assert_never(plan)


def run_at_step(step: str | int, decode: Callable[[Any], Any], value: Any) -> Any:
    """Call *decode* with *value*; add *step* to the path of a `HostError`."""
    try:
        return decode(value)
    except HostError as error:
        for each in (error, *error.more):
            each.steps.append(step)
        raise


def _decode_parts(
    parts: Iterable[tuple[str | int, Decode, Any]], bad: BadParts = NO_BAD
) -> list[Any]:
    """Decode *parts*, tuples of step, plan and value; raise all refusals as one error.

    A part has its step in a path, its plan and its value.  For *bad* see `decode_by_plan`.
    """
    first: HostError | None = None
    out = []
    for step, plan, value in parts:
        try:
            if step in bad:
                out.append(_decode_bad_part(plan, value, bad[step]))
            else:
                out.append(value if plan is None else decode_by_plan(plan, value))
        except HostError as error:
            first = merge_errors(first, error, step)
    if first is not None:
        raise first
    return out


def _decode_bad_part(plan: Decode, value: Any, bad: BadParts | None) -> Any:
    """Decode the good parts of a partly refused *value*; return `LOST`."""
    return LOST if bad is None else decode_by_plan(plan, value, bad)


def _decode_items(plan: ItemsDecoder, value: Any) -> Any:
    """Decode the items of the list *value*, and build the collection that *plan* names."""
    item, build = plan
    out = value = to_builtin(value)
    if item is not None:
        first: HostError | None = None
        out, rest = [], iter(value)
        decode = item.make if isinstance(item, LeafDecoder) else partial(decode_by_plan, item)
        while True:
            try:
                # What is made before a refusal is kept.
                out.extend(map(decode, rest))
                break
            except HostError as error:
                first = merge_errors(first, error, len(out))
                out.append(None)
        if first is not None:
            raise first
    return out if build is None else build_or_refuse(build, out)


def _decode_tuple(plan: TupleDecoder, value: Any, bad: BadParts = NO_BAD) -> Any:
    """Decode the list *value* to a tuple; items that failed the check are in *bad*."""
    parts, build, rest, open_at = plan
    value = to_builtin(value)
    more = len(value) - len(parts) if isinstance(value, list | tuple) else -1
    if more < 0 or (more and open_at is None):
        raise HostError(f"expected a list of {len(parts)}{'' if open_at is None else ' or more'}")
    split = len(parts) if open_at is None else open_at
    each = (*parts[:split], *[rest] * more, *parts[split:])
    out = _decode_parts(zip(range(len(each)), each, value, strict=True), bad)
    return LOST if bad else build(iter(out))


def _decode_map(plan: MapDecoder, value: Any) -> Any:
    """Decode the keys and values of the map *value* by *plan*."""
    key, item, build = plan
    out = value = to_builtin(value)
    if key is not None or item is not None:
        names = [
            k if key is None else run_at_step(str(k), partial(decode_by_plan, key), k)
            for k in value
        ]
        made = _decode_parts((str(k), item, v) for k, v in value.items())
        out = dict(zip(names, made, strict=True))
    return out if build is None else build_or_refuse(build, out)


def _decode_record(plan: RecordDecoder, value: Any, bad: BadParts = NO_BAD) -> Any:
    """Decode the fields of the map *value* to an object; *bad* has fields that failed."""
    fields, build, rest = plan
    value = to_builtin(value)
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
                made = (
                    _decode_bad_part(part, made, bad[name])
                    if name in bad
                    else decode_by_plan(part, made)
                )
            except HostError as error:
                first, made = merge_errors(first, error, name), LOST
        out[attribute] = made
    if first is not None or bad:
        return _judge_record(build, out, first)
    if build is None:
        # A map that needs no decoding stays itself.
        is_same = all(value.get(name, ABSENT) is made for name, made in out.items())
        return value if is_same else {**value, **out}
    try:
        return build.make(out) if isinstance(build, DictFactory) else build(**out)
    except (TypeError, ValueError) as error:
        raise to_host_error(error) from error


def _judge_record(build: Any, parts: dict[str, Any], first: HostError | None) -> Any:
    """Validate the accepted *parts* of a refused record; raise errors or return `LOST`.

    Raises *first*, what they were refused for, with what the class says of the others.
    """
    if isinstance(build, DictFactory) and build.judge is not None:
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


def _decode_union(plan: UnionDecoder, value: Any) -> Any:
    """Decode *value* by the first branch whose type accepts it and that can decode it."""
    branches, undeclared = plan.branches, plan.undeclared
    reason: HostError | None = None
    if undeclared is not None and isinstance(value, dict):
        # Sorting keeps the order of equals.
        counts = {place: undeclared(place, value) for place in range(len(branches))}
        branches = tuple([branches[place] for place in sorted(counts, key=counts.__getitem__)])
    for fits, branch in branches:
        if fits(value):
            try:
                return decode_by_plan(branch, value)
            except HostError as error:
                reason = reason or error
    if reason is not None:
        raise reason
    return value


@cache
def _get_memory() -> Any:
    """Return the per-thread cache of values decoded within the outermost union."""
    # Imported here, since it takes long, and most tools have no such union.
    import threading

    class Memory(threading.local):
        """The memory of one thread.

        #: known: a value, what it was decoded to, or why it was refused, by union and value
        """

        known: dict[tuple[int, int], tuple[Any, Any, HostError | None]] | None = None

    return Memory()


def run_once(owner: object, decode: Callable[[Any], Any], value: Any) -> Any:
    """Decode *value* for the union *owner*, once within the outermost union; cached.

    It does that once within the outermost union.

    What is below a union is decoded for each branch: without a memory, the branches of unions
    within each other would be tried twice as often at each level.
    """
    memory, key = _get_memory(), (id(owner), id(value))
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
