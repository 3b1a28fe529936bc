"""Write results by encode plans: only parts with serializers change.

`encoding` writes the others, by the class of each object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence, Set
from functools import partial
from typing import Any, assert_never

from typesig.extraction.encoder import SetItems, encode, get_record_parts
from typesig.extraction.hosts import encoders
from typesig.extraction.hosts.decoders import HostError
from typesig.extraction.hosts.plan_decoder import run_at_step, run_once

#: The plans whose values are of a class of their own.
_GUARDED = (
    encoders.ItemsEncoder,
    encoders.TupleEncoder,
    encoders.MapEncoder,
    encoders.RecordEncoder,
    encoders.RootEncoder,
)


def write_by_plan(plan: encoders.Encode, value: Any) -> Any:
    """Replace the parts of *value* that have serializers in *plan* by their output.

    A value that is not of the hint stays as it is.  Raises `HostError` if a serializer refuses.
    """
    if plan is None or (isinstance(plan, _GUARDED) and not is_plan_value(plan, value)):
        return value
    match plan:
        case encoders.LeafEncoder():
            return plan.write(value)
        case encoders.ItemsEncoder(item):
            out = [
                run_at_step(place, partial(write_by_plan, item), each)
                for place, each in enumerate(value)
            ]
            return SetItems(out) if isinstance(value, Set) else out
        case encoders.TupleEncoder():
            return _write_tuple(plan, value)
        case encoders.MapEncoder(key, item):
            return {
                run_at_step(str(k), partial(write_by_plan, key), k): _write_field(str(k), item, v)
                for k, v in value.items()
            }
        case encoders.NullableEncoder(inner):
            return None if value is None else write_by_plan(inner, value)
        case encoders.UnionEncoder():
            return run_once(plan, partial(_write_union, plan), value)
        case encoders.RecordEncoder():
            return _write_record(plan, value)
        case encoders.LazyEncoder(known, key):
            return write_by_plan(known[key], value)
        case encoders.RootEncoder(_, inner):
            return write_by_plan(inner, value.root)
        case _:
            assert_never(plan)


def is_plan_value(plan: encoders.EncodePlan, value: Any) -> bool:
    """Whether *value* has a class that the encode plan *plan* is for."""
    match plan:
        case encoders.LeafEncoder():
            return plan.takes(value)
        case encoders.ItemsEncoder():
            return _is_sequence(value)
        case encoders.TupleEncoder():
            more = len(value) - len(plan.parts) if isinstance(value, list | tuple) else -1
            return more == 0 or (more > 0 and plan.open_at is not None)
        case encoders.MapEncoder():
            return isinstance(value, Mapping)
        case encoders.NullableEncoder(inner):
            return value is None or is_plan_value(inner, value)
        case encoders.UnionEncoder():
            return any(
                branch is not None and is_plan_value(branch, value) for _, branch in plan.branches
            )
        case encoders.RecordEncoder():
            if isinstance(value, Mapping):
                return True
            cls = plan.cls
            return get_record_parts(value) is not None if cls is None else isinstance(value, cls)
        case encoders.LazyEncoder(known, key):
            found = known[key]
            return found is not None and is_plan_value(found, value)
        case encoders.RootEncoder(cls, _):
            return isinstance(value, cls)
        case _:
            assert_never(plan)


def _is_sequence(value: Any) -> bool:
    """Whether *value* is a collection other than a string, bytes or a named tuple."""
    if isinstance(value, str | bytes | bytearray | memoryview) or hasattr(value, "_fields"):
        return False
    return isinstance(value, Sequence | Set | Iterator | MappingView)


def _write_tuple(plan: encoders.TupleEncoder, value: Any) -> list[Any]:
    """Write the items of the tuple *value* by the encoders of their positions."""
    parts, split = plan.parts, len(plan.parts) if plan.open_at is None else plan.open_at
    each = (*parts[:split], *[plan.rest] * (len(value) - len(parts)), *parts[split:])
    return [
        run_at_step(place, partial(write_by_plan, part), item)
        for place, (part, item) in enumerate(zip(each, value, strict=True))
    ]


def _write_field(name: str, part: encoders.Encode, value: Any) -> Any:
    """Encode the record field *name* by *part*; keep a private field that fails."""
    try:
        return run_at_step(name, partial(write_by_plan, part), value)
    except HostError:
        if name.startswith("_"):
            # Private: no model sees it, so it need not be written.
            return value
        raise


def _write_union(plan: encoders.UnionEncoder, value: Any) -> Any:
    """Encode *value* by the first branch of *plan* with output of the branch's type."""
    reason: HostError | None = None
    for fits, branch in plan.branches:
        if branch is not None and is_plan_value(branch, value):
            try:
                made = write_by_plan(branch, value)
                if fits(encode(made)):
                    return made
            except HostError as error:
                reason = reason or error
    if reason is not None and not any(_fits_plainly(fits, value) for fits, _ in plan.branches):
        raise reason
    return value


def _fits_plainly(fits: Callable[[Any], bool], value: Any) -> bool:
    """Whether *value*, encoded without a serializer, passes the test *fits*."""
    try:
        return fits(encode(value))
    except HostError:
        return False


def _write_record(plan: encoders.RecordEncoder, value: Any) -> Any:
    """Write the fields of *value*, a mapping or an object, by their encoders."""
    held = value if isinstance(value, Mapping) else get_record_parts(value)
    if isinstance(held, Mapping):
        return {k: _write_field(str(k), plan.parts.get(k, plan.rest), v) for k, v in held.items()}
    if isinstance(held, list) and len(held) == len(plan.parts):
        # A struct that is written as a list has its parts in their order.
        given = zip(plan.parts.items(), held, strict=True)
        return [_write_field(name, part, item) for (name, part), item in given]
    return value
