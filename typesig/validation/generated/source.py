"""Source code of generated predicates: functions with their lines, and named constants.

See `typesig.codegen` for what is in the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, Self, TypeVar

from typesig.algebra.nodes import ANY, Record, Scalar, Type
from typesig.algebra.rows.builtin import count_places
from typesig.algebra.traversal import get_children
from typesig.codegen import Constants, Lines
from typesig.limits import MAX_FAST_CALLS, MAX_GENERATED, MAX_UNWATCHED, MAX_VALUES
from typesig.validation.check.check import Compiler, Exact
from typesig.validation.generated.predicate_answers import NAMES
from typesig.validation.generated.value_counts import count_values

#: Loops within loops in one function; CPython allows 20 blocks.
_MOST_LOOPS = 16

#: Levels of indentation in one function; CPython allows 100.
_MOST_LEVELS = 40

#: The items of a list within another that are not counted.
_SHORT = 16


class TooMuchSource(Exception):
    """Raised if a type is so large that its source code would be too large."""


class Place(NamedTuple):
    """The variable of a value that is checked, with the compiler of its type.

    #: name: the variable that holds it; compiler: has the policy and the definitions
    #: exact: names that other members of an intersection spell exactly
    """

    name: str
    compiler: Compiler
    exact: Exact = frozenset()

    def with_name(self, name: str) -> Place:
        """Return the place of a part of this value in the variable *name*."""
        return Place(name, self.compiler)


class Test(NamedTuple):
    """An expression that is true if a value does not conform.

    #: text: the expression, or empty if each value conforms
    #: soft: whether such a value may be changed without a warning
    """

    text: str
    soft: bool = False


class Refusals:
    """The statements with which a function refuses values that do not conform.

    #: whole: the expression that it returns instead of an answer, or None
    #: missing: the expression that a verdict returns if a map lacks a key, or empty
    #: item: the statement that refuses an item of a list that is checked alone, or empty
    #: soft_keys: whether a map that lacks a key may have it under another spelling
    """

    __slots__ = ("item", "missing", "soft_keys", "whole")

    def __init__(self) -> None:
        self.whole: str | None = None
        self.missing = self.item = ""
        self.soft_keys = False

    @property
    def is_uniform(self) -> bool:
        """Whether all refusals do the same, whatever the answer."""
        return bool(self.item) or self.whole is not None

    def write_return(self, answer: str) -> str:
        """Line that returns *answer*, or the common answer of all refusals."""
        return f"return {answer if self.whole is None else self.whole}"

    def write_refusal(self, answer: str) -> str:
        """Line that refuses an item, or else that of `write_return`."""
        return self.item or self.write_return(answer)


class Counts:
    """Counters of a function; only the first function of a program has variables for them.

    #: lists: whether it counts the items of lists or maps
    #: short: the lists in outermost lists that are only counted if they have many items
    #: maps: the maps with undeclared keys; leaves: whether parts may be that are not visited
    """

    __slots__ = ("is_first", "leaves", "lists", "maps", "short")

    def __init__(self, is_first: bool) -> None:
        self.is_first = is_first
        self.lists = self.leaves = False
        self.short = self.maps = 0

    @property
    def has_any(self) -> bool:
        """Whether a variable counts anything."""
        return self.lists or self.maps > 0


class Function(Lines):
    """A function of a program that answers for a value, while its lines are written."""

    #: The variable that is set where a value is not plain data with declared keys, or empty.
    odd = ""

    #: Names in its namespace that are parameters, too: local names are found faster.
    local_names: tuple[str, ...] = (
        "type", "len", "str", "int", "float", "bool", "dict", "list", "tuple", "enumerate",
        "infinity", "minus_infinity",
    )  # fmt: skip

    def __init__(self, program: Program, name: str) -> None:
        super().__init__(program)
        self.program = program
        self.name = name
        self.refusals = Refusals()
        self.counts = Counts(not program.texts)
        self.calls_others = False
        self._variables = 0

    def text(self, write: Callable[[Self], None]) -> str:
        """Return the text of the function, whose lines *write* writes."""
        self.add_at_end(self.start)
        with self.open_block("try:"):
            write(self)
            self.close()
        self.end()
        if self.counts.is_first and not self.calls_others:
            self.program.counting = False
        return self.write_definition()

    def write_definition(self) -> str:
        """Return the text of the function, head and lines."""
        text = "\n".join(self.finish())
        # One that is only a part of a longer word does no harm.
        names = "".join([f", {name}={name}" for name in self.local_names if name in text])
        return f"def {self.name}({self.parameters()}{names}):\n{text}"

    def parameters(self) -> str:
        """Return the text of the parameters, once all lines are known."""
        return "x0, left, calls" if self.program.counting else "x0"

    def start(self) -> list[str]:
        """Return the lines that initialize the counters of calls and values."""
        counted = ["calls[0] -= 1", "if calls[0] < 0:", "    return None"]
        return [*(counted if self.program.counting else []), *self.write_counters()]

    def write_counters(self) -> list[str]:
        """Return the lines that initialize the counters of values."""
        if not self.counts.has_any or self._bounds_maps:
            return []
        return ["seen = 0", *(["loose = False"] if self.counts.leaves else [])]

    def end(self) -> None:
        """Write the exception handler and the answer after the lines for the value."""
        with self.open_block("except KeyError:"):
            self.add(f"return {'0' if self.refusals.soft_keys else 'False'}")
        self.add("return True")

    @property
    def is_full(self) -> bool:
        """Whether further nesting needs a function of its own."""
        return self.loops >= _MOST_LOOPS or self.level >= _MOST_LEVELS

    def new_variable(self) -> str:
        """Return the name of a new variable."""
        self._variables += 1
        return f"x{self._variables}"

    def refuse(self, answer: str) -> None:
        """Write the statement that returns *answer*, which is not True, or refuses the value."""
        self.add(self.refusals.write_refusal(answer))

    def visit(self, name: str, is_leaf: bool = False) -> None:
        """Count the values of the list or map in the variable *name*.

        *is_leaf* is whether none of them has parts.
        """
        counts, refusal = self.counts, self.refusals.write_return("None")
        if counts.is_first and is_leaf and self.loops == 1:
            # A sum for each item of a long list costs more than the rest of the check of some.
            counts.short += 1
            with self.open_block(f"if len({name}) > {_SHORT}:"):
                self.add(f"seen += len({name})")
                self.guard(f"seen > {MAX_VALUES}", refusal)
        elif counts.is_first:
            counts.lists = True
            self.add_at_end(partial(self._write_count, name, self.loops))
            self.guard(f"seen > {MAX_VALUES}", refusal)
        elif self.program.counting:
            self.add(f"calls[1] -= len({name})")
            self.guard("calls[1] < 0", refusal)

    def _write_count(self, name: str, loops: int) -> list[str]:
        """Return the line that counts the values of a list or map, once all lists are known."""
        share = 1
        if not loops and self.counts.short:
            # Each item stands for what may be in its short lists, too.
            share += -(-_SHORT * self.counts.short // self.program.width)
        return [f"seen += len({name}){f' * {share}' if share > 1 else ''}"]

    def leave(self, name: str, judge: str = "") -> None:
        """Count the keys of the map in the variable *name*, some of them unknown.

        The value is refused unless the call *judge*, if there is one, returns True.
        """
        if judge and not (self.counts.is_first and self.refusals.is_uniform):
            self.pass_on(judge)
            judge = ""
        if self.counts.is_first:
            self.counts.leaves = True
            self.counts.maps += 1
            refusal = self.refusals.write_refusal("None")
            self.add_at_end(partial(self._write_leave, name, judge, refusal, self.loops))
        elif self.program.counting:
            self.add(f"calls[1] -= len({name})", "calls[2] = True")
        else:
            # It is not known how many there are.
            self.program.is_loose = True
            self.program.namespace["many"] = -1

    def note_key_classes(self, name: str) -> None:
        """Write lines that note the classes of the keys, in functions that report them."""

    @property
    def _bounds_maps(self) -> bool:
        """Whether a map with unknown keys is refused by its length instead of counted.

        Without lists, each map is looked at once, and so few are enough for none to be too many.
        """
        return self.counts.maps > 0 and not self.counts.lists and not self.calls_others

    def _write_leave(self, name: str, judge: str, refusal: str, loops: int) -> list[str]:
        """Return the lines of `leave`, once it is known whether keys are counted."""
        test = f"{judge} is not True" if judge else ""
        if self._bounds_maps:
            few = f"len({name}) > few"
            return [f"if {few} or {test}:" if test else f"if {few}:", f"    {refusal}"]
        judged = [f"if {test}:", f"    {refusal}"] if test else []
        return [*judged, *self._write_count(name, loops), "loose = True"]

    def close(self) -> None:
        """Write lines that refuse a value that may exceed the limit of values."""
        counts = self.counts
        if not counts.is_first or not (counts.has_any or self.calls_others):
            return
        if self._bounds_maps:
            self.program.namespace["few"] = self.program.namespace["many"] // counts.maps
            return
        visited = "seen" if counts.has_any else "0"
        counting = self.program.counting and self.calls_others
        if counting:
            self.add(f"visited = {visited} + {MAX_FAST_CALLS + MAX_VALUES} - calls[0] - calls[1]")
            visited = "visited"
        flags = ["loose"] if counts.leaves else []
        flags += ["calls[2]"] if counting else []
        is_loose = " or ".join(flags) or "False"
        large = f"{visited} > many and not fits(x0, {visited}, {is_loose})"
        self.guard(large, self.refusals.write_refusal("None"))

    def judge(self, t: Type, place: Place, is_guarded: bool = False) -> None:
        """Write lines that return unless the value in the variable of *place* is of *t*.

        *is_guarded* is whether it passed the test of its class.
        """
        self.program.judge(self, t, place, is_guarded)

    def define_judge(self, t: Type, place: Place) -> str:
        """Define a function that checks a value of *t*, and return its name."""
        inner = place._replace(name="x0")
        return self.program.define(
            make_function_key("whole", t, place), lambda f: f.judge(t, inner)
        )

    def require(self, tests: list[tuple[Test, str]]) -> None:
        """Return from the function unless each value, named beside its test, conforms."""
        failing = [(test, name) for test, name in tests if test.text]
        if not failing:
            return
        answer = "soft" if any(test.soft for test, _ in failing) else "hard"
        text = " or ".join([test.text for test, _ in failing])
        names = ", ".join(dict.fromkeys([name for _, name in failing]))
        self.guard(text, self.refusals.write_refusal(f"{answer}({names})"))

    def call(self, function: str, name: str) -> str:
        """Write the call of *function* with the value in the variable *name*."""
        self.calls_others = True
        return f"{function}({name}{', left, calls' if self.program.counting else ''})"

    def pass_on(self, call: str) -> None:
        """Write lines that return the answer of *call*, unless that is True."""
        if self.refusals.is_uniform:
            self.guard(f"{call} is not True", self.refusals.write_refusal(""))
            return
        answer = self.new_variable()
        self.add(f"{answer} = {call}")
        self.guard(f"{answer} is not True", self.refusals.write_refusal(answer))


#: A kind of function.
F = TypeVar("F", bound=Function)


class Program(Constants):
    """The functions of one predicate, and the constants that they use.

    #: judge: writes lines of a function that judge a value; see `Function.judge`
    #: counting: whether functions count their calls, the references that they are inside of, and
    #: the values that they visit
    """

    def __init__(
        self, judge: Callable[[Function, Type, Place, bool], None], counting: bool
    ) -> None:
        super().__init__(NAMES)
        self.judge = judge
        self.counting = counting
        self.texts: list[str] = []
        self.known: dict[tuple[Any, ...], str] = {}
        self.pending: list[Callable[[], None]] = []
        self.nodes = 0
        # Whether values may have parts that are not visited, and the parts that types may have.
        self.is_loose = False
        self.width = 1
        self.whole: Type = ANY
        self.namespace["fits"] = self.is_within_limit

    def count(self) -> None:
        """Count one part of a type; raise `TooMuchSource` beyond `MAX_GENERATED`."""
        self.nodes += 1
        if self.nodes > MAX_GENERATED:
            raise TooMuchSource

    def measure(self, types: tuple[Type, ...]) -> None:
        """Count the parts of *types*: the whole type first, then the types it may refer to."""
        self.whole = types[0]
        pending = [*types]
        while pending and self.width <= MAX_GENERATED:
            t = pending.pop()
            self.width += 1
            if type(t) is Scalar:
                self.is_loose |= t.name in ("any", "map")
                continue
            # The values of undeclared keys count where there are any.
            pending.extend(_get_visited_parts(t))
        self.namespace.setdefault("many", MAX_UNWATCHED // self.width)

    def is_within_limit(self, value: Any, visited: float, is_loose: bool) -> bool:
        """Whether *value*, with more than `many` visited values, has at most `MAX_VALUES`.

        *is_loose* is whether it has parts that were not visited.
        """
        if is_loose or self.is_loose:
            return count_places(value) <= MAX_VALUES
        if visited * self.width <= MAX_VALUES:
            return True
        count = count_values(self.whole, value)
        return (count_places(value) if count is None else count) <= MAX_VALUES

    def define(
        self,
        key: tuple[Any, ...],
        write: Callable[[F], None],
        kind: Callable[[Program, str], F] = Function,  # type: ignore[assignment]
    ) -> str:
        """Return the name of the function *key*, which *write* writes if it is new."""
        name = self.known.get(key)
        if name is None:
            name = self.known[key] = f"f{len(self.known)}"
            self.pending.append(lambda: self.texts.append(kind(self, name).text(write)))
        return name

    def write_source(self) -> str:
        """Return the source code of all functions and of the functions that they call."""
        while self.pending:
            self.pending.pop()()
        return "\n\n".join(self.texts)


def _get_visited_parts(t: Type) -> Iterable[Type]:
    """Return the parts of *t*, without the type of unknown keys of an open record."""
    if isinstance(t, Record) and t.extra == ANY:
        return [field.type for field in t.fields] + [each.type for each in t.matching]
    return get_children(t)


def make_function_key(kind: str, t: Type, place: Place) -> tuple[Any, ...]:
    """Make the key that identifies a function of a program."""
    return kind, t, place.compiler.policy, place.exact
