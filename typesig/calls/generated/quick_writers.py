"""Writers of results: values that the encoding and the check of a result would give, in one pass.

The operations are those of `typesig.validation.plan`; here is what they know of Python classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from typesig import json_backends
from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.definitions import Definition
from typesig.calls.call import get_closed_policy
from typesig.calls.results import is_plain
from typesig.extraction.encoder import encode, get_class_attributes
from typesig.extraction.libraries.classes import is_library_object
from typesig.extraction.libraries.libraries import is_loaded
from typesig.extraction.python_types.leaves import get_member_constant, is_enum
from typesig.json_backends import is_odd
from typesig.limits import MAX_VALUES
from typesig.notations.texts.quoting import write_compact_json, write_plain_json
from typesig.validation.check.check import compiled, compiler_of
from typesig.validation.check_state import CheckState
from typesig.validation.generated.program import shortcut
from typesig.validation.outcome.check_context import may_have_floats
from typesig.validation.plain_data import to_plain
from typesig.validation.plan.operations import Mismatch, Plan
from typesig.validation.plan.write_leaves import JSON_SCALARS, HostAccess, NaiveRule
from typesig.validation.plan.write_plan import WritePlanner, may_have_leaves
from typesig.validation.policy import Policy

#: The value may not conform, or has another form: the check decides.
Unknown = Mismatch

#: The depth of a type that has a plan, and the levels of named types that a value is inside of.
#: Even with a value of any type within, a result is not deeper than it may be.
_DEEPEST = 16
_DEEPEST_NAMED = 80

#: The items of a list whose values are there at a time, while their text is written.
_ITEMS = 256


def writer(
    t: nodes.Type, definitions: tuple[Definition, ...], policy: Policy, as_text: bool = False
) -> Callable[[Any], Any]:
    """Return what makes the value of a result of *t*, or *as_text* its compact JSON text.

    The value is plain data, whose records have declared keys only.  It is that of an object of
    which the check by *policy* finds nothing; for others, `Unknown` is raised.  For the text of a
    list, only a part of its value is there at once.
    """
    if t.depth > _DEEPEST:
        return _refuse
    hosts = make_host_access(definitions, policy)
    planner = WritePlanner(compiler_of(t, definitions, policy), hosts)
    if not as_text:
        return _make_writer(t, planner, None)
    types = [t, *[definition.type for definition in definitions]]
    has_floats = any(map(may_have_floats, types))
    write = _make_writer(t, planner, write_compact_json if has_floats else write_plain_json)
    codec = json_backends.find_loaded_codec()
    if codec is None or not any(map(may_have_leaves, types)):
        return write
    planner = WritePlanner(planner.compiler, hosts._replace(leaves=codec.leaves))
    write_quickly = _make_writer(t, planner, partial(_write_by_library, codec.dumps, has_floats))

    def write_text(value: Any) -> str:
        try:
            return write_quickly(value)  # type: ignore[no-any-return]
        except Unknown:
            return write(value)  # type: ignore[no-any-return]

    return write_text


class NotedResult(NamedTuple):
    """A result of which the check has warnings, which are made when they are read.

    #: data: plain data; value: the same with its datetimes, of which some have no offset
    """

    data: Any
    value: Any


def noting_writer(
    t: nodes.Type, definitions: tuple[Definition, ...], policy: Policy
) -> Callable[[Any], NotedResult]:
    """Return what makes a result of *t* in which datetimes have no offset, or raises `Unknown`."""
    hosts, compiler = make_host_access(definitions, policy), compiler_of(t, definitions, policy)
    write, keep = [
        _make_writer(t, WritePlanner(compiler, hosts._replace(naive=naive)), None, True)
        for naive in _NAIVE_RULES
    ]
    return lambda value: NotedResult(write(value), keep(value))


_NAIVE_RULES: tuple[NaiveRule, ...] = ("write", "keep")


def _make_writer(
    t: nodes.Type,
    planner: WritePlanner,
    write_text: Callable[[Any], str] | None,
    fresh: bool = False,
) -> Callable[[Any], Any]:
    """Return what makes plain data of values of *t*, or text of it by *write_text*.

    *fresh*: lists and dicts are copied that stay as they are.
    """
    now, plan = is_loaded(), Plan(planner.plan(t, fresh), ", left")
    is_list = write_text is not None and isinstance(strip_annotations(t), nodes.List)

    def write(value: Any) -> Any:
        # A library that is loaded later may write its classes in another way.
        if is_loaded() is not now:
            raise Unknown
        left = [MAX_VALUES, _DEEPEST_NAMED]
        try:
            if write_text is None:
                return plan.run(value, left)
            if is_list and type(value) is list and len(value) > _ITEMS:
                return _check_text(_write_list(plan, value, left, write_text))
            return _check_text(write_text(plan.run(value, left)))
        except Exception as error:
            # An attribute is not set, or raises; the check tells so.
            raise Unknown from error

    return write


def _write_by_library(dumps: Callable[[Any], bytes], has_floats: bool, data: Any) -> str:
    """Write *data*, in which objects are left to the library."""
    made = dumps(data)
    # A UUID may look like a number with an exponent.
    if has_floats and is_odd(made):
        raise Unknown
    return made.decode()


def _refuse(_value: Any) -> Any:
    """Raise `Unknown`."""
    raise Unknown


def _check_text(text: str) -> str:
    """Return *text*, from which its value can be read; raise `Unknown` if it may have surrogates.

    Two that stand beside each other are read as one character.
    """
    # One character is searched for in a part of the time.
    if "\\" in text and "\\ud" in text:
        raise Unknown
    return text


def _write_list(
    plan: Plan, value: list[Any], left: list[int], write_text: Callable[[Any], str]
) -> str:
    """Write the text of the list *value*, a part after the other."""
    count = len(value)
    # It grows in place; of many parts, the memory is not given back when they are joined.
    text = bytearray(b"[")
    for start in range(0, count, _ITEMS):
        text += write_text(plan.run(value[start : start + _ITEMS], left))[1:-1].encode()
        text += b","
    # What an attribute runs may change the list.
    if len(value) != count:
        raise Unknown
    text[-1:] = b"]"
    return text.decode()


def make_host_access(definitions: tuple[Definition, ...], policy: Policy) -> HostAccess:
    """Return what plans know of Python classes, and the reference implementation under *policy*."""
    closed = get_closed_policy(policy)

    def write(t: nodes.Type, value: Any) -> Any:
        media: list[Any] = []
        try:
            data = encode(value, media, iterates=False)
        except Exception as error:
            raise Unknown from error
        if media or not _is_written_alike(data):
            raise Unknown
        if not shortcut(t, definitions, closed).passes(data):
            run = CheckState(1)
            made = compiled(t, definitions, closed)(data, run)
            if run.found or run.unseen or made is not data:
                raise Unknown
        data = to_plain(data)
        if type(data) not in JSON_SCALARS and not is_plain(data):
            raise Unknown
        return data

    return HostAccess(get_class_attributes, _get_items, _get_members, write)


def _is_written_alike(data: Any) -> bool:
    """Whether a model reads *data* as a host does: no datetime has an offset with seconds."""
    pending = [data]
    while pending:
        part = pending.pop()
        if type(part) in JSON_SCALARS:
            continue
        if isinstance(part, dict):
            pending += [*part, *part.values()]
        elif isinstance(part, list | tuple | set | frozenset):
            pending += part
        elif hasattr(part, "utcoffset"):
            offset = part.utcoffset()
            if offset is not None and offset.total_seconds() % 60:
                return False
    return True


def _get_items(cls: type) -> tuple[str, ...] | None:
    """Return the names of the items of the class *cls* of named tuples, or None."""
    names: Any = getattr(cls, "_fields", None)
    if not (issubclass(cls, tuple) and type(names) is tuple) or is_library_object(cls):
        return None
    is_plain_class = not any(hasattr(cls, name) for name in _OTHER_MARKS)
    return names if is_plain_class and all(type(name) is str for name in names) else None


#: The attributes of classes that are written in another way than named tuples.
_OTHER_MARKS = ("__dataclass_fields__", "__pydantic_core_schema__", "__array__", "tolist")


def _get_members(cls: type) -> Mapping[Any, Any] | None:
    """Return the constants of the members of the enum *cls* by their values, or None."""
    if not is_enum(cls):
        return None
    members = [*cls.__members__.values()]  # type: ignore[attr-defined]
    try:
        known = {member._value_: get_member_constant(member).thaw() for member in members}
    except Exception:
        return None
    is_own = all(type(value) in JSON_SCALARS and data is value for value, data in known.items())
    return known if is_own and len(known) == len(set(map(id, members))) else None
