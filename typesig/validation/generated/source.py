"""Source code of generated predicates: functions with their lines, and named constants.

See `typesig.codegen` for what is in the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Any, Self, TypeVar

from typesig.algebra.nodes import ANY, MAP, List, MapOf, Set, Type
from typesig.algebra.rows.builtin import VisitBudget, as_builtin, count_places
from typesig.algebra.rows.frozen import NAMES as REFERENCES
from typesig.algebra.traversal import get_declared_parts, iter_distinct_parts
from typesig.codegen import Constants, Lines
from typesig.limits import MAX_FAST_CALLS, MAX_FRAMES, MAX_GENERATED, MAX_UNWATCHED, MAX_VALUES
from typesig.validation.check_state import Checker, CheckState
from typesig.validation.generated.conditions import NAMES, Place

#: Loops within loops in one function; CPython allows 20 blocks.
_MOST_LOOPS = 16

#: Levels of indentation in one function; CPython allows 100.
_MOST_LEVELS = 40

#: The items of a list within another that are not counted.
_SHORT = 4


class TooMuchSource(Exception):
    """Raised if a type is so large that its source code would be too large."""


class Counts:
    """Counters of a function; only the first function of a program has variables for them.

    #: has_any: whether it counts the items of lists, or of maps in lists
    #: short: the lists in outermost lists that are only counted if they have many items
    #: maps: the maps with undeclared keys in no list
    #: leaves: whether parts may be that are not visited
    """

    __slots__ = ("has_any", "is_first", "leaves", "maps", "short")

    def __init__(self, is_first: bool) -> None:
        self.is_first = is_first
        self.has_any = self.leaves = False
        self.short = self.maps = 0


class Function(Lines):
    """A function of a program that tells whether a value conforms, while its lines are written.

    #: refusal: the statement for a value that may not conform
    """

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
        self.refusal = "return False"
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
        counted = ["calls[0] -= 1", "if calls[0] < 0:", "    return False"]
        return [*(counted if self.program.counting else []), *self.write_counters()]

    def write_counters(self) -> list[str]:
        """Return the lines that initialize the counters of values."""
        if not self.counts.has_any:
            return []
        return ["seen = 0", *(["loose = False"] if self.counts.leaves else [])]

    def end(self) -> None:
        """Write the exception handler and the answer after the lines for the value."""
        with self.open_block("except KeyError:"):
            self.add("return False")
        self.add("return True")

    @property
    def is_full(self) -> bool:
        """Whether further nesting needs a function of its own."""
        return self.loops >= _MOST_LOOPS or self.level >= _MOST_LEVELS

    def new_variable(self) -> str:
        """Return the name of a new variable."""
        self._variables += 1
        return f"x{self._variables}"

    def refuse(self) -> None:
        """Write the statement that refuses the value."""
        self.add(self.refusal)

    def require(self, tests: Iterable[str]) -> None:
        """Write lines that refuse the value if one of *tests*, some of them empty, is true."""
        for test in filter(None, tests):
            self.guard(test, self.refusal)

    def visit(self, name: str, share: int, is_leaf: bool = False) -> None:
        """Count the values in the list or map in the variable *name*: *share* for each item.

        *is_leaf* is whether none of them has parts.
        """
        counts, is_outer = self.counts, not self.loops
        if counts.is_first and is_leaf and self.loops == 1:
            # A sum for each item of a long list costs more than the rest of the check of some.
            counts.short += 1
            with self.open_block(f"if len({name}) > {_SHORT}:"):
                self.add(f"seen += {_write_count(name, share)}")
                self.guard(f"seen > {MAX_VALUES}", self.refusal)
        elif counts.is_first:
            counts.has_any = True
            # Each item of an outermost list stands for what may be in its short lists, too.
            self.add_at_end(
                lambda: [f"seen += {_write_count(name, share + is_outer * _SHORT * counts.short)}"]
            )
            self.guard(f"seen > {MAX_VALUES}", self.refusal)
        else:
            self.count_call(_write_count(name, share))

    def count_call(self, count: str) -> None:
        """Write lines that count the values *count* where another function has the counters."""
        self.add(f"calls[1] -= {count}")
        self.guard("calls[1] < 0", self.refusal)

    def leave(self, name: str, share: int = 1) -> None:
        """Count the values in the map in the variable *name*, of which some keys are unknown."""
        if not self.counts.is_first:
            self.add("calls[2] = True")
            self.count_call(_write_count(name, share))
        elif self.loops or share > 1:
            self.counts.leaves = True
            self.visit(name, share)
            self.add("loose = True")
        else:
            # It is looked at once, and so few keys are enough for none to be too many.
            self.counts.maps += 1
            self.require([f"len({name}) > few"])

    def note_key_classes(self, name: str) -> None:
        """Write lines that note the classes of the keys, in functions that report them."""

    def close(self) -> None:
        """Write lines that refuse a value that may exceed the limit of values."""
        counts, few = self.counts, MAX_UNWATCHED // 2
        self.program.namespace["few"] = few // max(counts.maps, 1)
        if not counts.is_first or not (counts.has_any or self.calls_others):
            return
        visited = "seen" if counts.has_any else "0"
        flags = ["loose"] if counts.leaves else []
        if self.program.counting and self.calls_others:
            self.add(f"visited = {visited} + {MAX_FAST_CALLS + MAX_VALUES} - calls[0] - calls[1]")
            visited = "visited"
            flags.append("calls[2]")
        is_loose = " or ".join(flags) or "False"
        self.require([f"{visited} > {few} and not fits(x0, {visited}, {is_loose})"])

    def define(self, kind: str, t: Type, place: Place, write: Write) -> str:
        """Define the function of *kind* for a value of *t*, and return its name."""
        inner = place.with_name("x0")
        key = kind, t, place.compiler.policy, place.choices
        return self.program.define(key, lambda f: write(f, inner))

    def call(self, function: str, name: str) -> str:
        """Write the call of *function* with the value in the variable *name*."""
        self.calls_others = True
        return f"{function}({name}{', left, calls' if self.program.counting else ''})"

    def ask_check(self, t: Type, place: Place) -> None:
        """Write lines that refuse the value in the variable of *place* if the check of *t* does."""
        ask, visited = (
            self.program.bind(_count_checked(place.compiler.checker(t))),
            self.new_variable(),
        )
        left = "" if self.counts.is_first else ", left"
        self.add(f"{visited} = {ask}({place.name}{left})")
        self.require([f"{visited} < 0"])
        if self.counts.is_first:
            self.counts.has_any = self.counts.leaves = True
            self.add(f"seen += {visited}", "loose = True")
        else:
            self.add("calls[2] = True")
            self.count_call(visited)


#: Writes the lines of a function for the value of a place.
Write = Callable[[Function, Place], None]

#: A kind of function.
F = TypeVar("F", bound=Function)


class Program(Constants):
    """The functions of one predicate, and the constants that they use.

    #: counting: whether functions count their calls, the references that they are inside of, and
    #: the values that they visit
    """

    def __init__(self, t: Type, names: Mapping[str, Type]) -> None:
        """*t* is the whole type, with the definitions *names*."""
        super().__init__(NAMES)
        self.counting = True
        self.texts: list[str] = []
        self.known: dict[tuple[Any, ...], str] = {}
        self.pending: list[Callable[[], None]] = []
        self.nodes = 0
        # Whether values may have parts that are not visited.
        types = (t, *names.values()) if t.flags & REFERENCES else (t,)
        # The values of undeclared keys count where there are any.
        parts = iter_distinct_parts(types, get_declared_parts)
        self.is_loose = any(part in (ANY, MAP) for part in parts)
        self.namespace["fits"] = self.is_within_limit

    def count(self) -> None:
        """Count one part of a type; raise `TooMuchSource` beyond `MAX_GENERATED`."""
        self.nodes += 1
        if self.nodes > MAX_GENERATED:
            raise TooMuchSource

    def is_within_limit(self, value: Any, visited: float, is_loose: bool) -> bool:
        """Whether *value*, with *visited* values at most that are visited, is not too large.

        *is_loose* is whether it has parts that were not visited.
        """
        known = not is_loose and not self.is_loose and visited <= MAX_VALUES
        return known or count_places(value) <= MAX_VALUES

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


def count_parts(t: Type) -> int:
    """Return how many values are visited for one of *t* at most, without the items of its lists."""
    pending, count = [t], 0
    # A type that shares its parts is longer than it looks.
    while pending and count <= MAX_GENERATED:
        part = pending.pop()
        count += 1
        if not isinstance(part, List | Set | MapOf):
            pending.extend(get_declared_parts(part))
    return count


def _write_count(name: str, share: int) -> str:
    return f"len({name})" if share == 1 else f"len({name}) * {share}"


def _count_checked(check: Checker) -> Callable[..., float]:
    """Make the function that counts what *check* visits in a value; below 0 if it is refused."""

    def visit(value: Any, left: int = MAX_FRAMES) -> float:
        # A part of another class is read with care by the check of the whole value.
        if as_builtin(value) is not value:
            return -1
        run = CheckState(1)
        run.frames = MAX_FRAMES - left
        run.watch = watch = VisitBudget(value)
        if check(value, run) is not value or run.found:
            return -1
        return MAX_UNWATCHED - watch.left if watch.left < inf else count_places(value)

    return visit
