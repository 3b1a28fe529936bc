"""Compilation of predicates: when, under which limits, and with which cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Literal, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import get_children
from typesig.limits import MAX_FAST_CALLS, MAX_FRAMES, MAX_GENERATED, MAX_VALUES
from typesig.validation.check.check import get_argument_compiler, get_compiler
from typesig.validation.generated import shapes
from typesig.validation.generated.predicate_answers import Answer
from typesig.validation.generated.source import (
    Function,
    Place,
    Program,
    Test,
    TooMuchSource,
    make_function_key,
)
from typesig.validation.policy import Extras, Policy

Judge = Callable[[Any], Answer]


class Shortcut:
    """The predicate of a type, which is compiled after some calls.

    The first calls defer to the check, unless the value is long.
    """

    __slots__ = ("__weakref__", "_calls", "_make", "judge")

    def __init__(self, make: Callable[[], Judge]) -> None:
        self._make = make
        self._calls = 0
        self.judge: Judge | None = None

    def passes(self, value: Any) -> bool:
        """Whether the checker would return *value* without findings; False if unknown."""
        judge = self.judge
        if judge is None:
            self._calls += 1
            if self._calls <= FIRST_CALLS and not is_long(value):
                return False
            judge = self.compile()
        try:
            return judge(value) is True
        except Exception:
            # A part may be an object of others, whose methods may raise anything; the check reads
            # it with care, and tells a value that is too large or too deep.
            return False

    def compile(self) -> Judge:
        """Compile the predicate if it is not compiled yet, and return it."""
        # Of two threads that compile at the same time, either result is kept.
        judge = self.judge
        if judge is None:
            judge = self.judge = self._make()
        return judge


#: Calls of a check before its source is generated, which takes as long as some of them.
FIRST_CALLS = 2

#: The length of a list, or of a list in a map, for which source is generated at once.
_LONG = 1_000


def is_long(value: Any) -> bool:
    """Whether *value* is so long that source is generated at once."""
    if type(value) is dict:
        return any(type(part) is list and len(part) >= _LONG for part in value.values())
    return type(value) is list and len(value) >= _LONG


@lru_cache(maxsize=2048)
def get_shortcut(t: nodes.Type, definitions: tuple[Definition, ...], policy: Policy) -> Shortcut:
    """Return the cached predicate of *t* under *policy*."""
    return Shortcut(partial(compile_predicate, t, definitions, policy))


@lru_cache(maxsize=2048)
def get_argument_shortcut(
    signature: Signature,
    policy: Policy,
    undeclared: Extras,
    any_name: bool = False,
    fills: bool = True,
) -> Shortcut:
    """Return the cached predicate of named arguments; see `compile_argument_predicate`."""
    return Shortcut(
        partial(compile_argument_predicate, signature, policy, undeclared, any_name, fills)
    )


def compile_predicate(t: nodes.Type, definitions: tuple[Definition, ...], policy: Policy) -> Judge:
    """Compile the predicate of *t*; if its source is too large, one that always answers None."""
    place = Place("x0", get_compiler(t, definitions, policy))
    return _compile(t, place, make_function_key("whole", t, place), lambda f: f.judge(t, place))


def compile_argument_predicate(
    signature: Signature,
    policy: Policy,
    undeclared: Extras,
    any_name: bool = False,
    fills: bool = True,
) -> Judge:
    """Compile the predicate of the arguments of *signature*; see `compile_predicate`.

    For the others see `typesig.validation.check.check`; without *fills*, an absent argument with a
    default conforms.
    """
    compiler, plan = get_argument_compiler(signature, policy, any_name)
    place, t = Place("x0", compiler), signature.arguments
    extra: nodes.Type | Extras = undeclared
    if signature.extra != nodes.ANY:
        extra = "reject" if signature.extra is None else signature.extra
    slots = [(field, field.type) for field in signature.params]

    def write(f: Function) -> None:
        f.require([(Test("type(x0) is not dict"), "x0")])
        shapes.write_fields(f, slots, plan, extra, place, fills=fills)

    return _compile(t, place, ("arguments",), write)


def make_program(t: nodes.Type, names: Mapping[str, nodes.Type]) -> Program:
    """Make a program for values of *t*, with the limits that its functions count."""
    program = Program(shapes.judge, bool(t.flags & NAMES) or is_nested(t))
    program.measure((t, *names.values()) if t.flags & NAMES else (t,))
    return program


def _compile(
    t: nodes.Type, place: Place, key: tuple[Any, ...], write: Callable[[Function], None]
) -> Judge:
    names = place.compiler.names
    if may_repeat(t, names):
        return _answer_unknown
    program = make_program(t, names)
    try:
        name = program.define(key, write)
        source = program.write_source()
    except (TooMuchSource, RecursionError):
        return _answer_unknown
    if not program.counting:
        judge: Judge = program.compile_function(source, name)
        return judge
    budget = f"{MAX_FRAMES}, [{MAX_FAST_CALLS}, {MAX_VALUES}, False]"
    source += f"\n\ndef judge(x0):\n    return {name}(x0, {budget})"
    counted: Judge = program.compile_function(source, "judge")
    return counted


def _answer_unknown(_value: Any) -> Answer:
    return None


def is_nested(t: nodes.Type) -> bool:
    """Whether lists or maps of *t* may contain others, so that one may occur at many places.

    So it may within a choice, whose branches have functions of their own.
    """
    pending, visited = [(t, 0)], 0
    while pending:
        current, depth = pending.pop()
        visited += 1
        if type(current) is nodes.Scalar and visited <= MAX_GENERATED:
            continue
        depth += isinstance(current, nodes.List | nodes.Set | nodes.MapOf | nodes.Tuple)
        # A type that shares its parts is longer than it looks.
        if depth > 1 or visited > MAX_GENERATED or _is_choice(current):
            return True
        pending.extend([(child, depth) for child in get_children(current)])
    return False


def may_repeat(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Whether nested or wide choices may check a value many times.

    The check remembers what it found in a value, and finds the branches and patterns that matter.
    """
    pending, visited = [(t, 0)], 0
    # The choices around each name; around one that leads to itself through a choice are ever more.
    known: dict[str, int] = {}
    while pending:
        current, depth = pending.pop()
        visited += 1
        if type(current) is nodes.Scalar and visited <= MAX_GENERATED:
            continue
        if isinstance(current, nodes.Ref):
            if known.get(current.name, -1) < depth:
                known[current.name] = depth
                pending.append((names[current.name], depth))
            continue
        # A type that shares its parts is longer than it looks.
        if visited > MAX_GENERATED:
            return True
        depth += _is_choice(current) and not _is_sorted(current, names)
        if depth > _MOST_CHOICES or _is_wide(current):
            return True
        pending.extend([(child, depth) for child in get_children(current)])
    return False


#: Choices within choices that a predicate takes apart.
_MOST_CHOICES = 3


#: Branches of a choice, and patterns of a record, that a predicate tries one after the other.
_MOST_BRANCHES = 16
_MOST_PATTERNS = 4


def _is_wide(t: nodes.Type) -> bool:
    if isinstance(t, nodes.Record):
        return len(t.matching) > _MOST_PATTERNS
    members = t.members if isinstance(t, nodes.Combination) else ()
    return len(members) > _MOST_BRANCHES


def _is_sorted(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Whether the class of a value excludes all but one branch of *t* with parts."""
    members = t.members if isinstance(t, nodes.Union) else ()
    sorts = [_find_sort(member, names) for member in members]
    told = [sort for sort in sorts if sort != "scalar"]
    return bool(members) and None not in told and len(set(told)) == len(told)


def _find_sort(t: nodes.Type, names: Mapping[str, nodes.Type]) -> Sort | None:
    """Find the sort of the values of *t* other than null; None if there may be several."""
    match t:
        case nodes.Leaf():
            # Values of :any and :map are not looked into.
            return "scalar"
        case nodes.List() | nodes.Tuple() | nodes.ItemCount():
            return "list"
        case nodes.Set():
            return "set"
        case nodes.MapOf() | nodes.Record():
            return "map"
        case nodes.Maybe(inner) | nodes.Annotation(inner) | nodes.Refinement(inner):
            return _find_sort(inner, names)
        case nodes.Ref(name):
            return _find_sort(names[name], names)
        case nodes.Combination() | nodes.Not():
            return None
        case _:
            assert_never(t)


#: The sorts of values of a type: at most one sort has parts that are judged, or it is unknown.
Sort: TypeAlias = Literal["scalar", "list", "set", "map"]


def _is_choice(t: nodes.Type) -> bool:
    if isinstance(t, nodes.Union):
        return not all(isinstance(member, nodes.Scalar | nodes.Enum) for member in t.members)
    return isinstance(t, nodes.One | nodes.Both | nodes.Not | nodes.ItemCount)
