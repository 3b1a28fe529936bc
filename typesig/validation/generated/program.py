"""Compilation of predicates: when, under which limits, and with which cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.signature import Signature
from typesig.limits import MAX_FAST_CALLS, MAX_FRAMES, MAX_VALUES
from typesig.validation.check.check import get_argument_compiler, get_compiler
from typesig.validation.generated import shapes
from typesig.validation.generated.conditions import Place
from typesig.validation.generated.source import Function, Program, TooMuchSource
from typesig.validation.policy import Extras, Policy

#: True for a value that the check returns without findings; false for others, and if unknown.
Judge = Callable[[Any], bool]


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
            return judge(value)
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
    """Compile the predicate of *t*; if its source is too large, one that knows nothing."""
    place = Place("x0", get_compiler(t, definitions, policy))
    return _compile(t, place.compiler.names, lambda f: shapes.judge(f, t, place))


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
        f.require(["type(x0) is not dict"])
        shapes.write_fields(f, slots, plan, extra, place, fills=fills)

    return _compile(t, compiler.names, write)


def _compile(
    t: nodes.Type, names: Mapping[str, nodes.Type], write: Callable[[Function], None]
) -> Judge:
    program = Program(t, names)
    try:
        name = program.define((), write)
        source = program.write_source()
    except (TooMuchSource, RecursionError):
        return _know_nothing
    if not program.counting:
        judge: Judge = program.compile_function(source, name)
        return judge
    budget = f"{MAX_FRAMES}, [{MAX_FAST_CALLS}, {MAX_VALUES}, False]"
    source += f"\n\ndef judge(x0):\n    return {name}(x0, {budget})"
    counted: Judge = program.compile_function(source, "judge")
    return counted


def _know_nothing(_value: Any) -> bool:
    return False
