"""The source of a generated predicate: functions with their lines, and constants by name.

See `typesig.codegen` for what is in the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from typesig.algebra.nodes import ANY, Record, Scalar, Type
from typesig.algebra.rows.shared import places
from typesig.algebra.traversal import children
from typesig.codegen import Constants
from typesig.limits import (
    MAX_FAST_CALLS,
    MAX_GENERATED,
    MAX_UNWATCHED,
    MAX_VALUES,
)
from typesig.validation.check.check import Compiler, Exact
from typesig.validation.generated import function_texts
from typesig.validation.generated.predicate_answers import NAMES
from typesig.validation.generated.value_counts import counted

#: Loops within loops in one function; CPython allows 20 blocks.
_MOST_LOOPS = 16

#: Levels of indentation in one function; CPython allows 100.
_MOST_LEVELS = 40

#: The length of an expression that is made longer.
_MOST_TEXT = 2_000

#: The items of a list within another that are not counted.
_SHORT = 16


class TooMuchSource(Exception):
    """A type is so large that its source would be."""


class Place(NamedTuple):
    """The value that is judged, and how.

    #: name: the variable that holds it; compiler: has the policy and the definitions
    #: exact: names that other members of an intersection spell exactly
    """

    name: str
    compiler: Compiler
    exact: Exact = frozenset()

    def at(self, name: str) -> Place:
        """Return the same place of the value in the variable *name*, a part of this one."""
        return Place(name, self.compiler)


class Test(NamedTuple):
    """An expression that is true if a value does not conform.

    #: text: the expression, or empty if each value conforms
    #: soft: whether such a value may be changed without a warning
    """

    text: str
    soft: bool = False


class Program(Constants):
    """The functions of one predicate, and the constants that they use.

    #: counting: whether functions count their calls, the references that they are inside of, and
    #: the values that they visit
    """

    def __init__(self, counting: bool) -> None:
        super().__init__(NAMES)
        self.counting = counting
        self.texts: list[str] = []
        self.known: dict[tuple[Any, ...], str] = {}
        self.pending: list[Callable[[], None]] = []
        self.nodes = 0
        # Whether values may have parts that are not visited, and the parts that types may have.
        self.is_loose = False
        self.width = 1
        self.whole: Type = ANY
        self.namespace["fits"] = self.fits

    def count(self) -> None:
        """Count one part of a type; raise `TooMuchSource` beyond `MAX_GENERATED`."""
        self.nodes += 1
        if self.nodes > MAX_GENERATED:
            raise TooMuchSource

    def measure(self, types: tuple[Type, ...]) -> None:
        """Count the parts of *types*: first the whole one, then those that it may refer to."""
        self.whole = types[0]
        pending = [*types]
        while pending and self.width <= MAX_GENERATED:
            t = pending.pop()
            self.width += 1
            if type(t) is Scalar:
                self.is_loose |= t.name in ("any", "map")
                continue
            # The values of undeclared keys count where there are any.
            pending.extend(_visited(t))
        self.namespace.setdefault("many", MAX_UNWATCHED // self.width)

    def fits(self, value: Any, visited: float, is_loose: bool) -> bool:
        """Tell whether *value*, of which more than `many` was visited, is none that is too large.

        *is_loose* is whether it has parts that were not visited.
        """
        if is_loose or self.is_loose:
            return places(value) <= MAX_VALUES
        if visited * self.width <= MAX_VALUES:
            return True
        count = counted(self.whole, value)
        return (places(value) if count is None else count) <= MAX_VALUES

    def defined(self, key: tuple[Any, ...], write: Callable[[Function], None]) -> str:
        """Return the name of the function *key*, which *write* will write if there is none."""
        name = self.known.get(key)
        if name is None:
            name = self.known[key] = f"f{len(self.known)}"
            self.pending.append(lambda: self._write(name, write, key[0]))
        return name

    def _write(self, name: str, write: Callable[[Function], None], kind: str) -> None:
        function = Function(self, name)
        write(function)
        if function.is_first and not function.calls_others and kind != "walk":
            self.counting = False
        self.texts.append(function_texts.TEXTS.get(kind, function_texts.predicate)(function))

    def source(self) -> str:
        """Return the text of all functions, those that they call included."""
        while self.pending:
            self.pending.pop()()
        return "\n\n".join(self.texts)


def _visited(t: Type) -> Iterable[Type]:
    """Return the parts of *t* but for what an open record says of undeclared keys."""
    if isinstance(t, Record) and t.extra == ANY:
        return [field.type for field in t.fields] + [each.type for each in t.matching]
    return children(t)


class _Block:
    """Indents the lines that are added to *f* within it."""

    __slots__ = ("_f", "_is_loop", "_start")

    def __init__(self, f: Function, is_loop: bool) -> None:
        self._f = f
        self._is_loop = is_loop
        self._start = len(f.lines)

    def __enter__(self) -> None:
        self._f.level += 1
        self._f.loops += self._is_loop

    def __exit__(self, *_: object) -> None:
        f = self._f
        if len(f.lines) == self._start:
            f.line("pass")
        f.level -= 1
        f.loops -= self._is_loop


class Function:
    """The lines of one function of a program, while they are written."""

    def __init__(self, program: Program, name: str) -> None:
        self.program = program
        self.name = name
        self.lines: list[str] = []
        self.level = 2
        self.loops = 0
        self.variables = 1
        # What the function returns for a value that does not conform, if not an answer.
        self.refusal: str | None = None
        # What the verdict returns where a map lacks a key, if that is something else.
        self.missing = ""
        # What is done for an item of a list that is looked at alone, or empty.
        self.item_refusal = ""
        # Whether each site is noted once at most: no list is on the way to any.
        self.notes_once = False
        # The variable that holds what is made of the value, or empty if nothing is.
        self.makes_of = ""
        # The first function is called once, and counts what it visits in a variable.
        self.is_first = not program.texts
        self.visits = self.counts_lists = False
        # The lines that count items of loops which are in no other, and those items; the lists in
        # these whose items are only counted if they are many.
        self.outermost: list[tuple[int, str]] = []
        self.short_lists = 0
        # The maps with undeclared keys, by the lines that count them, and the last test.
        self.sites: list[tuple[int, str]] = []
        self.last_test = (-1, 0, "")
        # Whether it calls other functions.
        self.calls_others = False
        # Whether it goes on with a list, of which another function judged the first items.
        self.resumes = False
        # Whether the notes of its list are counted once for many items.
        self.in_chunks = False
        # Whether it may leave parts of the value that are not visited.
        self.leaves = False
        # Whether a map that lacks a key may have it under another spelling.
        self.soft_keys = False

    @property
    def is_full(self) -> bool:
        """Whether what is further inside needs a function of its own."""
        return self.loops >= _MOST_LOOPS or self.level >= _MOST_LEVELS

    def variable(self) -> str:
        """Return the name of a new variable."""
        self.variables += 1
        return f"x{self.variables - 1}"

    def line(self, text: str) -> None:
        """Add one line."""
        self.lines.append("    " * self.level + text)

    def refuse(self, answer: str) -> None:
        """Return *answer*, which is not True, from the function, or do what is done for it."""
        if self.item_refusal:
            self.line(self.item_refusal)
        else:
            self.refuse_whole(answer)

    def refuse_whole(self, answer: str) -> None:
        """Return *answer*, or what is returned for it."""
        self.line(f"return {answer if self.refusal is None else self.refusal}")

    def block(self, head: str) -> _Block:
        """Add *head* and indent what is added within."""
        self.line(head)
        return _Block(self, head.startswith("for "))

    def visit(self, name: str, is_leaf: bool = False) -> None:
        """Count the values of the list or map in the variable *name*.

        *is_leaf* is whether none of them has parts.
        """
        if self.is_first and is_leaf and self.loops == 1:
            # A sum for each item of a long list costs more than the rest of the check of some.
            self.short_lists += 1
            with self.block(f"if len({name}) > {_SHORT}:"):
                self.line(f"seen += len({name})")
                with self.block(f"if seen > {MAX_VALUES}:"):
                    self.refuse_whole("None")
            return
        if self.is_first:
            self.visits = self.counts_lists = True
            if not self.loops:
                self.outermost.append((len(self.lines), name))
            self.line(f"seen += len({name})")
            test = f"seen > {MAX_VALUES}"
        elif self.program.counting:
            self.line(f"calls[1] -= len({name})")
            test = "calls[1] < 0"
        else:
            return
        with self.block(f"if {test}:"):
            self.refuse_whole("None")

    def leave(self, name: str) -> None:
        """Count the keys of the map in the variable *name*, of which some have other values."""
        if self.is_first:
            self.visits = self.leaves = True
            if not self.loops:
                self.outermost.append((len(self.lines), name))
            self.sites.append((len(self.lines), name))
            self.line(f"seen += len({name})")
            self.line("loose = True")
            return
        if self.program.counting:
            self.line(f"calls[1] -= len({name})")
            self.line("calls[2] = True")
        else:
            # It is not known how many there are.
            self.program.is_loose = True
            self.program.namespace["many"] = -1

    def start(self) -> list[str]:
        """Return lines that set what counts values."""
        if self.resumes:
            return []
        return [
            *(["    seen = 0"] if self.visits else []),
            *(["    loose = False"] if self.leaves else []),
        ]

    def end(self) -> list[str]:
        """Return lines that refuse a value of which the check may find that it is too large."""
        if not self.is_first or not (self.visits or self.calls_others):
            return []
        if not self.counts_lists and not self.calls_others:
            self._bound_maps()
            return []
        if self.short_lists:
            # Each item stands for what may be in its short lists, too.
            share = 1 + -(-_SHORT * self.short_lists // self.program.width)
            for at, name in self.outermost:
                self.lines[at] = self.lines[at].replace(f"len({name})", f"len({name}) * {share}")
        visited = "seen" if self.visits else "0"
        self.level = 2
        before = len(self.lines)
        counting = self.program.counting and self.calls_others
        if counting:
            self.line(f"visited = {visited} + {MAX_FAST_CALLS + MAX_VALUES} - calls[0] - calls[1]")
            visited = "visited"
        flags = ["loose"] if self.leaves else []
        flags += ["calls[2]"] if counting else []
        is_loose = " or ".join(flags) or "False"
        with self.block(f"if {visited} > many and not fits(x0, {visited}, {is_loose}):"):
            self.refuse("None")
        end = self.lines[before:]
        del self.lines[before:]
        return end

    def _bound_maps(self) -> None:
        """Refuse a map of many keys where some are undeclared, instead of counting them.

        Without lists, each map is looked at once, and so few are enough for none to be too many.
        """
        self.visits = self.leaves = False
        self.program.namespace["few"] = self.program.namespace["many"] // len(self.sites)
        for at, name in reversed(self.sites):
            head = self.lines[at - 2]
            indent = self.lines[at][: -len(self.lines[at].lstrip())]
            text = f"{indent}if len({name}) > few"
            refusal = f"{indent}    return {self.refusal}"
            if head.startswith(f"{indent}if ") and self.lines[at - 1] == refusal:
                self.lines[at - 2 : at + 2] = [f"{text} or {head.strip()[3:]}", refusal]
            else:
                self.lines[at : at + 2] = [f"{text}:", refusal]

    def require(self, tests: list[tuple[Test, str]]) -> None:
        """Return from the function unless each value, named beside its test, conforms."""
        failing = [(test, name) for test, name in tests if test.text]
        if not failing:
            return
        if self.item_refusal or self.refusal is not None:
            self._require(" or ".join([test.text for test, _ in failing]))
            return
        answer = "soft" if any(test.soft for test, _ in failing) else "hard"
        text = " or ".join([test.text for test, _ in failing])
        names = ", ".join(dict.fromkeys([name for _, name in failing]))
        with self.block(f"if {text}:"):
            self.refuse(f"{answer}({names})")

    def _require(self, text: str) -> None:
        """Do what is done for any value that does not conform if the expression *text* is true.

        A test directly behind another becomes a part of it: source is compiled by the line.
        """
        at, level, held = self.last_test
        if at == len(self.lines) - 2 and level == self.level and len(held) < _MOST_TEXT:
            text = f"{held} or {text}"
            del self.lines[at:]
        self.last_test = len(self.lines), self.level, text
        with self.block(f"if {text}:"):
            self.refuse("")

    def call(self, function: str, name: str) -> str:
        """Return the call of *function* with the value in the variable *name*."""
        self.calls_others = True
        return f"{function}({name}{', left, calls' if self.program.counting else ''})"

    def pass_on(self, call: str) -> None:
        """Return what *call* answers, unless that is True."""
        if self.item_refusal or self.refusal is not None:
            with self.block(f"if {call} is not True:"):
                self.refuse("")
            return
        answer = self.variable()
        self.line(f"{answer} = {call}")
        with self.block(f"if {answer} is not True:"):
            self.refuse(answer)


def key_of(kind: str, t: Type, place: Place) -> tuple[Any, ...]:
    """Return what tells functions of a program apart."""
    return kind, t, place.compiler.policy, place.exact
