"""Results of the fast path of calls: values for which no check would find anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig import json_backends
from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import List
from typesig.algebra.rows.builtin import TooManyValues
from typesig.algebra.rows.frozen import RECORDS
from typesig.calls.binding import Binding
from typesig.calls.call import get_closed_policy, get_output_policy
from typesig.calls.generated.call_source import SCALARS, ResultPlan
from typesig.calls.results import (
    ToolResult,
    has_datetimes,
    has_other_form,
    has_plain_keywords,
    is_plain,
)
from typesig.extraction.encoder import encode, get_class_attributes
from typesig.extraction.libraries.classes import is_library_object
from typesig.extraction.libraries.libraries import is_loaded
from typesig.extraction.python_types.decoders import HostError
from typesig.extraction.python_types.leaves import get_member_constant, is_enum
from typesig.json_backends import is_odd
from typesig.limits import MAX_UNWATCHED, MAX_VALUES
from typesig.notations.texts.quoting import write_compact_json, write_plain_json
from typesig.validation.check.check import compile_checker, get_compiler
from typesig.validation.check.value_classes import ItemsTest, find_scalar_test
from typesig.validation.check_state import CheckState
from typesig.validation.generated.program import get_shortcut
from typesig.validation.outcome.check_context import CheckContext, may_have_floats
from typesig.validation.outcome.passthrough import FOR_TEXT, build_whole_copier
from typesig.validation.outcome.visibility import get_result_secrets
from typesig.validation.plain_data import to_plain
from typesig.validation.plan.operations import Mismatch, Plan
from typesig.validation.plan.write_leaves import JSON_SCALARS, HostAccess, NaiveRule
from typesig.validation.plan.write_plan import WritePlanner, may_have_leaves
from typesig.validation.policy import Policy

# --- Writers of results: values that the encoding and the check of a result would give, in ---
# The operations are those of `typesig.validation.plan`; here is what they know of Python classes.

#: The value may not conform, or has another form: the check decides.
Unknown = Mismatch

#: The depth of a type that has a plan, and the levels of named types that a value is inside of.
#: Even with a value of any type within, a result is not deeper than it may be.
_DEEPEST = 16
_DEEPEST_NAMED = 80

#: The items of a list whose values are there at a time, while their text is written.
_ITEMS = 256


def make_result_writer(
    t: nodes.Type, definitions: tuple[Definition, ...], policy: Policy, as_text: bool = False
) -> Callable[[Any], Any]:
    """Make the function that writes a result of *t* as plain data, or *as_text* as compact JSON.

    The value is plain data, whose records have declared keys only.  It is that of an object of
    which the check by *policy* finds nothing; for others, `Unknown` is raised.  For the text of a
    list, only a part of its value is there at once.
    """
    if t.depth > _DEEPEST:
        return _refuse
    hosts = make_host_access(definitions, policy)
    planner = WritePlanner(get_compiler(t, definitions, policy), hosts)
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
    """A result whose check has warnings, which are made when they are read.

    #: data: plain data; value: the same with its datetimes, of which some have no offset
    """

    data: Any
    value: Any


def make_noting_writer(
    t: nodes.Type, definitions: tuple[Definition, ...], policy: Policy
) -> Callable[[Any], NotedResult]:
    """Make the writer of results of *t* whose datetimes lack an offset; it may raise `Unknown`."""
    hosts, compiler = make_host_access(definitions, policy), get_compiler(t, definitions, policy)
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
    """Make the function that writes values of *t* as plain data, or as text by *write_text*.

    *fresh* is whether unchanged lists and dicts are copied, too.
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
    """Write *data* as JSON text by a library, which also writes the objects in it."""
    made = dumps(data)
    # A UUID may look like a number with an exponent.
    if has_floats and is_odd(made):
        raise Unknown
    return made.decode()


def _refuse(_value: Any) -> Any:
    """Raise `Unknown`."""
    raise Unknown


def _check_text(text: str) -> str:
    """Return *text* if its value can be read back; raise `Unknown` if it may have surrogates.

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
    """Make the plans' access to Python classes, and to the slow path under *policy*."""
    closed = get_closed_policy(policy)

    def write(t: nodes.Type, value: Any) -> Any:
        media: list[Any] = []
        try:
            data = encode(value, media, iterates=False)
        except Exception as error:
            raise Unknown from error
        if media or not _is_written_alike(data):
            raise Unknown
        if not get_shortcut(t, definitions, closed).passes(data):
            run = CheckState(1)
            made = compile_checker(t, definitions, closed)(data, run)
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


#: What is known of a value: it is plain data whose records have declared keys only, plain data, the
#: text of such as a model reads it, a `NotedResult`, or nothing.
Form: TypeAlias = Literal["whole", "plain", "text", "noted", "other"]


class FastResults:
    """Result handling of the fast path, computed once for each tool and policy.

    #: about: the context of the check of a result
    #: writer: makes the value of a result, None before one is asked for
    #: text: makes the text of that value for a model that is shown all of it
    #: classes: those of objects, not iterators, for which it has made a value
    #: plan: the same for generated code, None if it does not know
    """

    __slots__ = (
        "_encodes", "_form", "_items", "_loaded", "_notes", "_noting", "_shortcut", "_tests",
        "about", "classes", "plan", "text", "writer",
    )  # fmt: skip

    def __init__(self, binding: Binding, policy: Policy) -> None:
        signature, host = binding.signature, binding.host
        output = get_output_policy(policy, binding.host.abstract, binding.host.foreign)
        t, definitions = signature.returns, signature.definitions
        secrets = get_result_secrets(host.secrets)
        self.about = CheckContext("output", t, definitions, output, secrets=secrets)
        is_read = host.encode is not None or host.pair or host.bounds
        # Other classes of values are told from the hints, or written in another way.
        self._encodes = not host.ptc_runner and not has_plain_keywords(signature)
        # A model sees a part of such a value, which is found by the type of each part.
        is_rewritten = build_whole_copier(t, definitions, FOR_TEXT) is None
        self._encodes = self._encodes and not (is_rewritten and has_other_form(signature))
        t = strip_annotations(t)
        self.writer: Callable[[Any], Any] | None = None
        self.text: Callable[[Any], str]
        # Without records, no key is undeclared.
        has_records = any(part.flags & RECORDS for part in (t, *[d.type for d in definitions]))
        self._form: Form = "plain" if has_records else "whole"
        self._loaded = False
        self.classes: set[type] = set()
        self._noting: Callable[[Any], NotedResult] | None = None
        self._notes = (
            "naive_datetime" in output.coercions and has_datetimes(signature) and not is_rewritten
        )
        self._shortcut = None if is_read else get_shortcut(t, definitions, output)
        # Scalars and lists of scalars that conform are written as they are.
        self._tests = {cls: find_scalar_test(t, cls) for cls in JSON_SCALARS}
        self._items = ItemsTest(t.item) if isinstance(t, List) else None
        self.plan = None if is_read else ResultPlan(t, definitions, get_closed_policy(output))

    def find_value(self, returned: Any) -> tuple[Any, Form] | None:
        """Find the value that the predicate of the result passes, and its form.

        Returns None if it is not known.
        """
        result = self._shortcut
        if result is None:
            return None
        cls = type(returned)
        if issubclass(cls, ToolResult):
            # Its blocks are sent as they are.
            return None
        test = self._items if cls is list else self._tests.get(cls)
        is_short = cls is not list or len(returned) <= MAX_UNWATCHED
        if test is not None and is_short and test(returned):
            return returned, "whole"
        if self._encodes:
            try:
                value = self.write(returned)
            except Unknown:
                pass
            else:
                if value is not returned:
                    self.classes.add(cls)
                return value, "whole"
            noted = self._make_noted(returned) if self._notes else None
            if noted is not None:
                return noted, "noted"
        if cls in PLAIN and is_plain(returned):
            return (returned, self._form) if result.passes(returned) else None
        return self._encode(returned) if self._encodes else None

    def write(self, returned: Any) -> Any:
        """Write the value of *returned*; raise `Unknown` if it is not known."""
        write = self.writer
        # A library that is loaded later may write its classes in another way.
        if write is None or self._loaded is not is_loaded():
            about = self.about
            self._loaded = is_loaded()
            write = make_result_writer(about.type, about.definitions, about.policy)
            self.text = self._write_first_text
            self.writer = write
        return write(returned)

    def _write_first_text(self, returned: Any) -> str:
        """Write the text of the first result, and make the writer of the later ones."""
        about = self.about
        self.text = make_result_writer(about.type, about.definitions, about.policy, True)
        return self.text(returned)  # type: ignore[no-any-return]

    def _make_noted(self, returned: Any) -> NotedResult | None:
        """Make the noted result of *returned*, with its warnings; None if they are not known."""
        write, about = self._noting, self.about
        if write is None:
            write = self._noting = make_noting_writer(about.type, about.definitions, about.policy)
        try:
            return write(returned)
        except Unknown:
            return None

    def _encode(self, returned: Any) -> tuple[Any, Form] | None:
        media: list[Any] = []
        try:
            # The slow path reads iterators.
            value = encode(returned, media, iterates=False)
        except (HostError, RecursionError, TooManyValues):
            return None
        if media:
            # The slow path keeps them.
            return None
        result = self._shortcut
        return (value, "other") if result is not None and result.passes(value) else None


#: The classes of JSON data.
PLAIN = SCALARS | {list, dict}
