"""Write results by encode plans: only parts with serializers change.

`encoder` writes the others, by the class of each object.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence, Set
from functools import partial
from typing import Any, assert_never

from typesig.algebra.nodes import ANY
from typesig.extraction.callables.parameters import EMPTY
from typesig.extraction.callables.warnings import get_exception_message
from typesig.extraction.encoder import SetItems, encode, get_record_parts
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.python_types import encoders
from typesig.extraction.python_types.decoders import HostError
from typesig.extraction.python_types.plan_decoder import run_at_step, run_once

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
            if isinstance(value, str | bytes | bytearray | memoryview) or hasattr(value, "_fields"):
                return False
            return isinstance(value, Sequence | Set | Iterator | MappingView)
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


# --- Data of classes in results, which the option `results` says how to get ---
# In: the class of a hint and what the option says of it, an attribute, a method or a callable.
# Out: the type of the data, by the hint of that, and how a call gets them.


def read_result_data(context: HintContext, hint: Any) -> HostType | None:
    """Read *hint* by the option `results`, which sets how objects become data, or None."""
    cls = typing.get_origin(hint) or hint
    given, bases = context.options.results, cls.__mro__ if isinstance(cls, type) else ()
    known = dict(given)
    # What the option says of the class, or of its nearest base class.
    source = next((known[each] for each in bases if each in known), None)
    if source is None:
        return None
    context.findings.serializes = True
    # A class that returns itself has no data.
    others = tuple([pair for pair in given if pair[1] is not source])
    context = context._replace(options=context.options._replace(results=others))
    data_hint, owner = _hint_of_data(cls, source, typing.get_args(hint))
    if data_hint is EMPTY:
        found = HostType(ANY)
    else:
        module = sys.modules.get(getattr(owner, "__module__", None) or "")
        scope = context.scope if module is None else context.scope.for_module(module)
        found = context._replace(scope=scope).read(data_hint)
    write = _writer(cls, source, found.encode)
    return found._replace(encode=encoders.LeafEncoder(lambda value: isinstance(value, cls), write))


def _hint_of_data(cls: type, source: Any, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the hint of the data that *source* gets from *cls*, and its declarer."""
    if isinstance(source, type):
        # `list` of a `Page[Issue]` is a `list[Issue]`.
        return (source[arguments] if arguments else source), cls  # type: ignore[index]
    if isinstance(source, str):
        for owner in cls.__mro__:
            hints = getattr(owner, "__annotations__", {})
            if source in hints:
                return hints[source], owner
        from inspect import getattr_static

        source = getattr_static(cls, source, None)
        source = getattr(source, "fget", None) or getattr(source, "func", source)
        source = getattr(source, "__func__", source)
    return getattr(source, "__annotations__", {}).get("return", EMPTY), source


def _writer(cls: type, source: Any, encode: encoders.Encode) -> Callable[[Any], Any]:
    """Make a function that converts an object of *cls* to its data with *source*."""
    name = source if isinstance(source, str) else getattr(source, "__name__", repr(source))

    def write(value: Any) -> Any:
        try:
            if isinstance(source, str):
                data = getattr(value, source)
                data = data() if callable(data) else data
            else:
                data = source(value)
        except Exception as error:
            raise HostError(
                f"{name} of {cls.__name__} raises {get_exception_message(error)}"
            ) from error
        return write_by_plan(encode, data)

    return write
