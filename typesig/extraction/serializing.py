"""Results by encode plans: the parts with serializers are written, the others stay as they were.

`encoding` writes the others, by the class of each object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence, Set
from functools import partial
from typing import Any, assert_never

from typesig.extraction.encoding import Unordered, encode, parts_of_record
from typesig.extraction.hosts import encoders
from typesig.extraction.hosts.decoded import at, once
from typesig.extraction.hosts.decoders import HostError

#: The plans whose values are of a class of their own.
_GUARDED = (encoders.Items, encoders.Positions, encoders.Pairs, encoders.Named, encoders.Root)


def written(plan: encoders.Encode, value: Any) -> Any:
    """Return *value* with the parts written that have serializers, as *plan* has them.

    A value that is not of the hint stays as it is.  Raises `HostError` if a serializer refuses.
    """
    if plan is None or (isinstance(plan, _GUARDED) and not takes(plan, value)):
        return value
    match plan:
        case encoders.Leaf():
            return plan.write(value)
        case encoders.Items(item):
            out = [at(place, partial(written, item), each) for place, each in enumerate(value)]
            return Unordered(out) if isinstance(value, Set) else out
        case encoders.Positions():
            return _positions(plan, value)
        case encoders.Pairs(key, item):
            return {
                at(str(k), partial(written, key), k): _field(str(k), item, v)
                for k, v in value.items()
            }
        case encoders.Nullable(inner):
            return None if value is None else written(inner, value)
        case encoders.Either():
            return once(plan, partial(_either, plan), value)
        case encoders.Named():
            return _named(plan, value)
        case encoders.Later(known, key):
            return written(known[key], value)
        case encoders.Root(_, inner):
            return written(inner, value.root)
        case _:
            assert_never(plan)


def takes(plan: encoders.EncodePlan, value: Any) -> bool:
    """Return whether *value* is one of the hint of *plan*, by its class alone."""
    match plan:
        case encoders.Leaf():
            return plan.takes(value)
        case encoders.Items():
            return _is_sequence(value)
        case encoders.Positions():
            more = len(value) - len(plan.parts) if isinstance(value, list | tuple) else -1
            return more == 0 or (more > 0 and plan.open_at is not None)
        case encoders.Pairs():
            return isinstance(value, Mapping)
        case encoders.Nullable(inner):
            return value is None or takes(inner, value)
        case encoders.Either():
            return any(branch is not None and takes(branch, value) for _, branch in plan.branches)
        case encoders.Named():
            if isinstance(value, Mapping):
                return True
            cls = plan.cls
            return parts_of_record(value) is not None if cls is None else isinstance(value, cls)
        case encoders.Later(known, key):
            found = known[key]
            return found is not None and takes(found, value)
        case encoders.Root(cls, _):
            return isinstance(value, cls)
        case _:
            assert_never(plan)


def _is_sequence(value: Any) -> bool:
    if isinstance(value, str | bytes | bytearray | memoryview) or hasattr(value, "_fields"):
        return False
    return isinstance(value, Sequence | Set | Iterator | MappingView)


def _positions(plan: encoders.Positions, value: Any) -> list[Any]:
    parts, split = plan.parts, len(plan.parts) if plan.open_at is None else plan.open_at
    each = (*parts[:split], *[plan.rest] * (len(value) - len(parts)), *parts[split:])
    return [
        at(place, partial(written, part), item)
        for place, (part, item) in enumerate(zip(each, value, strict=True))
    ]


def _field(name: str, part: encoders.Encode, value: Any) -> Any:
    try:
        return at(name, partial(written, part), value)
    except HostError:
        if name.startswith("_"):
            # Private: no model sees it, so it need not be written.
            return value
        raise


def _either(plan: encoders.Either, value: Any) -> Any:
    reason: HostError | None = None
    for fits, branch in plan.branches:
        if branch is not None and takes(branch, value):
            try:
                made = written(branch, value)
                if fits(encode(made)):
                    return made
            except HostError as error:
                reason = reason or error
    if reason is not None and not any(_fits_plainly(fits, value) for fits, _ in plan.branches):
        raise reason
    return value


def _fits_plainly(fits: Callable[[Any], bool], value: Any) -> bool:
    try:
        return fits(encode(value))
    except HostError:
        return False


def _named(plan: encoders.Named, value: Any) -> Any:
    held = value if isinstance(value, Mapping) else parts_of_record(value)
    if isinstance(held, Mapping):
        return {k: _field(str(k), plan.parts.get(k, plan.rest), v) for k, v in held.items()}
    if isinstance(held, list) and len(held) == len(plan.parts):
        # A struct that is written as a list has its parts in their order.
        given = zip(plan.parts.items(), held, strict=True)
        return [_field(name, part, item) for (name, part), item in given]
    return value
