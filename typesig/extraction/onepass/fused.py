"""Records that are checked and decoded in one pass, in generated code.

The code takes only values that the check leaves as they are, of JSON's own classes; for any other
value it returns None, and the value is checked and decoded as before.  It is written from the type
and the decode plan, which are walked together.  Only classes are built in it whose constructors run
nothing of the user's, so it can be tried before the check is.  `decoding` writes code from the plan
alone, for values that have passed the check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.values import SMALL
from typesig.algebra.rows.values import is_long as is_long_int
from typesig.codegen import Constants, Lines
from typesig.extraction.hosts.decoders import (
    FLOATS,
    Decode,
    DecodePlan,
    DictFactory,
    FieldPlan,
    ItemsDecoder,
    LeafDecoder,
    MembersDecoder,
    NullableDecoder,
    RecordDecoder,
    can_call_by_position,
    to_float,
)
from typesig.extraction.hosts.plan_decoder import decode_by_plan
from typesig.extraction.onepass.plain_classes import is_plain, is_stored, nil_by_default
from typesig.limits import MAX_VALUES
from typesig.validation.generated.program import FIRST_CALLS, is_long, shortcut
from typesig.validation.rows.policy import Policy

#: Reads a value; None if it is to be checked first.
Read = Callable[[Any], Any]

#: The policies that a contract has code for.
_MOST_POLICIES = 8

#: The loops within each other, and the fields, of a type that code is written for.
_DEEPEST = 16
_WIDEST = 400


class Fused:
    """Data of one type, checked and decoded in one pass."""

    __slots__ = ("_calls", "_decode", "_definitions", "_reads", "_type")

    takes_text: Literal[False] = False

    def __init__(self, t: nodes.Type, definitions: tuple[Definition, ...], decode: Decode) -> None:
        self._type = t
        self._definitions = definitions
        self._decode = decode
        self._calls = 0
        self._reads: dict[Policy, Read | None] = {}

    def read(self, data: Any, policy: Policy, is_counted: bool = False) -> Any:
        """Return what *data* is decoded to, or None if it is to be checked first."""
        if self._calls < FIRST_CALLS and not is_long(data):
            self._calls += 1
            return None
        read = self.taking(policy)
        try:
            return None if read is None else read(data)
        except Exception:
            # A field is absent, a predicate cannot tell, or a method of a key raises.
            return None

    def taking(self, policy: Policy) -> Read | None:
        """Return what reads data under *policy*, or raises; None if no code is written for it."""
        if policy not in self._reads and len(self._reads) < _MOST_POLICIES:
            # Of two threads that make it at the same time, either result is kept.
            self._reads[policy] = reading(self._type, self._definitions, self._decode, policy)
        return self._reads.get(policy)


class _Unknown(Exception):
    """A type for whose values no code is written."""


def reading(
    t: nodes.Type, definitions: tuple[Definition, ...], decode: Decode, policy: Policy
) -> Read | None:
    """Return what reads values of *t* under *policy*, or None if no code is written for them."""
    writer = _Writer(definitions, policy)
    out = writer.lines
    out.add(f"left = {MAX_VALUES}")
    try:
        made, _ = writer.write(t, decode, "x0")
    except _Unknown:
        return None
    out.add(f"return {made}")
    read: Read = out.compile_function("def read(x0):", "read")
    return read


class _Part(NamedTuple):
    """A field of a record, and how it reaches the host.

    #: may_lack: whether it may be absent; key: its name in the source
    #: made: what the value is decoded to in the source; is_changed: whether that may be another
    """

    field: nodes.Field
    may_lack: bool
    key: str
    made: str
    is_changed: bool


#: The condition on values of scalars that are not taken.
_OTHERS: dict[nodes.Type, str] = {
    nodes.BOOL: "type({x}) is not bool",
    # NaN and the infinities are not equal to themselves, or not 0.
    nodes.FLOAT: "type({x}) is not float or {x} - {x} != 0.0",
    nodes.INT: (
        f"type({{x}}) is not int or ({{x}} > {SMALL} or {{x}} < -{SMALL}) and is_long_int({{x}})"
    ),
    nodes.NIL: "{x} is not None",
    nodes.STRING: "type({x}) is not str",
}


#: What all sources see by name.
_NAMES = {"new": object.__new__, "is_long_int": is_long_int, "float_of": to_float}


class _Objects:
    """Writes the lines that make objects."""

    __slots__ = ("_width", "lines")

    def __init__(self) -> None:
        self._width = 0
        self.lines = Lines(Constants(_NAMES))

    def _set(self, name: str, text: str) -> None:
        if text != name:
            self.lines.add(f"{name} = {text}")

    def _name(self) -> str:
        self._width += 1
        if self._width > _WIDEST:
            raise _Unknown
        return f"x{self._width}"

    def _bound(self, value: Any) -> str:
        return self.lines.constants.bind(value)

    def _object(self, plan: RecordDecoder, parts: list[str]) -> str:
        """Write the lines that make the object of *plan*, whose class takes *parts* in order."""
        made, build = self._name(), plan.build
        attributes = [each.attribute for each in plan.fields]
        if not is_plain(build) or not is_stored(build, attributes):
            self._set(made, f"{self._bound(build)}({', '.join(parts)})")
            return made
        self._set(made, f"new({self._bound(build)})")
        for part, attribute in zip(parts, attributes, strict=True):
            self._set(f"{made}.{self.lines.constants.name(attribute)}", part)
        return made


class _Writer(_Objects):
    """Writes the lines of `read`."""

    __slots__ = ("_definitions", "_policy")

    def __init__(self, definitions: tuple[Definition, ...], policy: Policy) -> None:
        super().__init__()
        self._definitions = definitions
        self._policy = policy

    def write(self, t: nodes.Type, plan: Decode, x: str) -> tuple[str, bool]:
        """Write the lines for the value *x* of *t*.

        Returns the name of what it is decoded to, and whether that may be another value.
        """
        t = nodes.strip_annotations(t)
        if t in _OTHERS and (plan is None or plan is FLOATS):
            self._leave(_OTHERS[t].format(x=x))
            return x, False
        match t, plan:
            case nodes.Maybe(inner), None | NullableDecoder():
                inner, part = nodes.strip_annotations(inner), None if plan is None else plan.inner
                if inner in _OTHERS and (part is None or part is FLOATS):
                    self._leave(f"{x} is not None and ({_OTHERS[inner].format(x=x)})")
                    return x, False
                with self.lines.open_block(f"if {x} is not None:"):
                    made, is_changed = self.write(inner, part, x)
                    self._set(x, made)
                return x, is_changed
            case nodes.List(item), None | ItemsDecoder(build=None):
                return self._list(item, plan, x)
            case nodes.Record(), None | RecordDecoder(rest=None):
                return self._record(t, plan, x)
            case _:
                return self._other(t, plan, x)

    def _other(self, t: nodes.Type, plan: Decode, x: str) -> tuple[str, bool]:
        """Write the lines for a value that the predicate of *t* checks."""
        is_pure = isinstance(plan, MembersDecoder) or (
            isinstance(plan, LeafDecoder) and plan.is_pure
        )
        # Text is not a datetime before the check.
        if t is nodes.DATETIME or not (plan is None or is_pure):
            raise _Unknown
        judge = shortcut(t, self._definitions, self._policy).compiled()
        self._leave(f"{self._bound(judge)}({x}) is not True")
        if plan is None:
            return x, False
        made = self._name()
        make = plan.make if isinstance(plan, LeafDecoder) else partial(decode_by_plan, plan)
        self._set(made, f"{self._bound(make)}({x})")
        return made, True

    def _leave(self, condition: str) -> None:
        self.lines.add(f"if {condition}: return None")

    def _list(self, item: nodes.Type, plan: ItemsDecoder | None, x: str) -> tuple[str, bool]:
        if self.lines.level >= _DEEPEST:
            raise _Unknown
        self._leave(f"type({x}) is not list")
        inner, each = nodes.strip_annotations(item), self._name()
        # A list may stand at many places; a record looks at what is left for lists of scalars.
        places = f" * {1 + len(inner.fields)}" if isinstance(inner, nodes.Record) else ""
        self.lines.add(f"left -= len({x}){places}")
        if inner not in _OTHERS or x == "x0":
            self._leave("left < 0")
        out = f"{each}s"
        if plan is not None:
            self.lines.add(f"{out} = []", f"{out}_append = {out}.append")
        with self.lines.open_block(f"for {each} in {x}:"):
            made, _ = self.write(item, None if plan is None else plan.item, each)
            if plan is not None:
                self.lines.add(f"{out}_append({made})")
        return (x, False) if plan is None else (out, True)

    def _record(self, t: nodes.Record, plan: RecordDecoder | None, x: str) -> tuple[str, bool]:
        if t.matching or t.extra not in (nodes.ANY, None) or any(f.firewalled for f in t.fields):
            raise _Unknown
        plans, build = (None, None) if plan is None else (plan.fields, plan.build)
        if plan is not None and build is not None and not (_is_in_order(plan) and is_plain(build)):
            raise _Unknown
        self._leave(f"type({x}) is not dict")
        parts = self._fields(t.fields, plans, build, x)
        if plan is None:
            return x, False
        if build is None:
            return self._dict(parts, x)
        return self._object(plan, [part.made for part in parts]), True

    def _fields(
        self, fields: tuple[nodes.Field, ...], plans: Sequence[FieldPlan] | None, build: Any, x: str
    ) -> list[_Part]:
        """Write the lines that read the fields of the map *x*, and see that there are no others."""
        if plans is not None and [plan.name for plan in plans] != [f.name for f in fields]:
            raise _Unknown
        nil = frozenset() if build is None else nil_by_default(build)
        size = f"{x}_size"
        self._set(size, f"{len(fields)}")
        out = []
        for place, field in enumerate(fields):
            plan = None if plans is None else plans[place]
            may_lack = not field.required and field.default is None
            if plan is not None:
                # A dict gets a key for None; an object without a default has to be given a value.
                none = plan.nil or plan.attribute in nil
                may_lack = may_lack and none == (build is not None)
            out.append(self._field(field, plan, may_lack, x))
        self._leave(f"len({x}) != {size} or left < 0")
        return out

    def _field(self, field: nodes.Field, plan: FieldPlan | None, may_lack: bool, x: str) -> _Part:
        key, value = self.lines.constants.bind_key(field.name), self._name()
        decode = None if plan is None else plan.decode
        if not may_lack:
            self._set(value, f"{x}[{key}]")
            made, is_changed = self.write(field.type, decode, value)
            return _Part(field, False, key, made, is_changed)
        self._set(value, f"{x}.get({key})")
        with self.lines.open_block(f"if {value} is None and {key} not in {x}:"):
            self.lines.add(f"{x}_size -= 1")
        with self.lines.open_block("else:"):
            made, is_changed = self.write(field.type, decode, value)
            self._set(value, made)
        return _Part(field, True, key, value, is_changed)

    def _dict(self, parts: list[_Part], x: str) -> tuple[str, bool]:
        """Write the lines that make the dict of *parts*; one without changes is the map itself."""
        changed = [part for part in parts if part.is_changed]
        if not changed:
            return x, False
        made = self._name()
        self._set(made, f"{x}.copy()")
        for part in changed:
            store = f"{made}[{part.key}] = {part.made}"
            self.lines.add(f"if {part.key} in {x}: {store}" if part.may_lack else store)
        return made, True


def _is_in_order(plan: RecordDecoder) -> bool:
    """Whether a class makes the objects of *plan*, which takes just its fields in order."""
    if plan.build is None or isinstance(plan.build, DictFactory) or plan.rest is not None:
        return False
    return can_call_by_position(plan.build, tuple([each.attribute for each in plan.fields]))


def decoding(plan: DecodePlan) -> Callable[[Any], Any]:
    """Return what decodes values that have passed the check, as `decode_by_plan` does.

    It is generated code.  Of what is refused it may tell a part only, without the place.
    """
    if isinstance(plan, LeafDecoder):
        return plan.make
    writer = _Decoding()
    try:
        writer.lines.add(f"return {writer.write(plan, 'x0')}")
    except _Unknown:
        return partial(decode_by_plan, plan)
    decode: Callable[[Any], Any] = writer.lines.compile_function("def decode(x0):", "decode")
    return decode


class _Decoding(_Objects):
    """Writes the lines of `decode`."""

    __slots__ = ()

    def write(self, plan: DecodePlan, x: str) -> str:
        """Write the lines for the value *x*; return the name of what it is decoded to."""
        match plan:
            case NullableDecoder(inner):
                with self.lines.open_block(f"if {x} is not None:"):
                    self._set(x, self.write(inner, x))
                return x
            case ItemsDecoder(item, None) if item is not None and self.lines.level < _DEEPEST:
                each = self._name()
                self.lines.add(f"{each}s = []")
                with self.lines.open_block(f"for {each} in {x}:"):
                    self.lines.add(f"{each}s.append({self.write(item, each)})")
                return f"{each}s"
            case RecordDecoder() if self.lines.level < _DEEPEST and _is_in_order(plan):
                return self._named(plan, x)
            case _:
                make = plan.make if isinstance(plan, LeafDecoder) else partial(decode_by_plan, plan)
                made = self._name()
                self._set(made, f"{self._bound(make)}({x})")
                return made

    def _named(self, plan: RecordDecoder, x: str) -> str:
        made, otherwise = self._name(), self._bound(partial(decode_by_plan, plan))
        nil = nil_by_default(plan.build)
        parts = []
        with self.lines.open_block("try:"):
            self.lines.add(f"if type({x}) is not dict: raise KeyError")
            for field in plan.fields:
                key, part = self.lines.constants.bind_key(field.name), self._name()
                is_nil = field.nil or (field.decode is None and field.attribute in nil)
                self._set(part, f"{x}.get({key})" if is_nil else f"{x}[{key}]")
                parts.append((field, key, part))
        # A field is absent.
        with self.lines.open_block("except KeyError:"):
            self._set(made, f"{otherwise}({x})")
        with self.lines.open_block("else:"):
            for field, key, part in parts:
                if field.decode is FLOATS:
                    self.lines.add(f"if type({part}) is not float: {part} = float_of({part})")
                elif field.decode is not None and field.nil:
                    with self.lines.open_block(f"if {part} is not None or {key} in {x}:"):
                        self._set(part, self.write(field.decode, part))
                elif field.decode is not None:
                    self._set(part, self.write(field.decode, part))
            self._set(made, self._object(plan, [part for _, _, part in parts]))
        return made
