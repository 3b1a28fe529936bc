"""Grammars as GBNF, which llama.cpp takes, with free text as an automaton."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, assert_never

from typesig.errors import Unsupported
from typesig.limits.engines import MAX_GBNF_RULES
from typesig.patterns import Charset
from typesig.providers.grammars import shapes
from typesig.providers.grammars.regex_text import write_ranges, write_times
from typesig.providers.grammars.shapes import BLANKS, Free, exclude_codes

# --- Free text as an automaton, for engines whose grammars cannot say what a text does not have ---
# Its states are the beginnings of marks that the text so far ends with, as in the search of Aho and
# Corasick, and whether there were only blanks so far.

#: The end of a mark that is still missing: a state.  And whether only blanks came before.
_State = tuple[str, bool]


class Step(NamedTuple):
    """A possible next step of an automaton.

    #: ranges: the characters; to: the number of the state behind them, or None at the end
    """

    ranges: Charset
    to: int | None


def build_automaton(free: Free) -> list[tuple[Step, ...]]:
    r"""Build the automaton that accepts the free text *free*: the steps of each state.

    The first state starts; a text without a mark at its end may end in any state.

    >>> for steps in build_automaton(Free(("ab",), end="\n")):
    ...     print([(step.to, len(step.ranges)) for step in steps])
    [(1, 1), (0, 4), (None, 1)]
    [(1, 1), (None, 1), (0, 4)]
    """
    marks = (*free.without, *((free.end,) if free.end else ()))
    signs = dict.fromkeys(sign for mark in (*marks, free.first) for sign in mark)
    beginnings = {mark[:size] for mark in marks for size in range(len(mark))} | {""}
    blanks = {chr(code) for low, high in BLANKS for code in range(low, high + 1)}
    known = [*dict.fromkeys([*signs, *(sorted(blanks) if free.first else ())])]
    others = exclude_codes(map(ord, known))
    start: _State = ("", bool(free.first))
    numbers: dict[_State, int] = {start: 0}
    states: list[tuple[Step, ...]] = []
    todo: list[_State] = [start]
    while len(states) < len(todo):
        state = todo[len(states)]
        found: dict[_State | None, list[str]] = {}
        for sign in known:
            if state[1] and sign in free.first:
                continue
            held = state[0] + sign
            if free.end and held.endswith(free.end):
                found.setdefault(None, []).append(sign)
            elif not any(held.endswith(mark) for mark in free.without):
                behind = (
                    next(held[at:] for at in range(len(held) + 1) if held[at:] in beginnings),
                    state[1] and sign in blanks,
                )
                found.setdefault(behind, []).append(sign)
        base: _State = ("", False)
        found.setdefault(base, [])
        for to in found:
            if to is not None and to not in numbers:
                numbers[to] = len(todo)
                todo.append(to)
        states.append(tuple(_iter_steps(found, base, numbers, others)))
    return states


def _iter_steps(
    found: dict[_State | None, list[str]], base: _State, numbers: dict[_State, int], others: Charset
) -> Iterator[Step]:
    """Yield the transitions of a state; *others* are further characters to *base*."""
    for to, signs in found.items():
        ranges: Iterable[tuple[int, int]] = sorted((ord(sign), ord(sign)) for sign in signs)
        if to == base:
            out: list[tuple[int, int]] = []
            for low, high in sorted([*ranges, *others]):
                if out and low == out[-1][1] + 1:
                    out[-1] = (out[-1][0], high)
                else:
                    out.append((low, high))
            ranges = tuple(out)
        yield Step(tuple(ranges), None if to is None else numbers[to])


# --- Grammars as GBNF, which llama.cpp takes ---


def write_gbnf(grammar: shapes.Grammar) -> str:
    r"""Write *grammar* as GBNF; raise `Unsupported` for a part of JSON Schema.

    >>> write_gbnf(shapes.Grammar(shapes.Repeat(shapes.Literal('"'), 1, None), {}))
    'root ::= "\\""+\n'
    """
    writer = _GbnfWriter()
    lines = [f"root ::= {writer.write_branches(grammar.root)}"]
    for name, part in grammar.collect_rules(within_terminals=True).items():
        lines.append(f"{name} ::= {writer.write_branches(part)}")
    return "\n".join([*lines, *writer.lines, ""])


class _GbnfWriter:
    """A writer of grammar parts as GBNF, with rules of its own for free text and repetitions.

    llama.cpp makes rules of groups and repetitions, and refuses a repetition that would repeat too
    many of them.  (It multiplies the rules made since the operand began by the repetitions:
    https://github.com/ggml-org/llama.cpp/blob/master/src/llama-grammar.cpp, `handle_repetitions`.)
    A rule of its own counts as one, whatever it has.

    #: lines: the rules; _size: how many rules llama.cpp has made at most
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._free: dict[shapes.Free, str] = {}
        self._named: dict[str, str] = {}
        self._size = 0

    def write_branches(self, part: shapes.Part) -> str:
        """Write *part* as the right-hand side of a rule, after `::=`."""
        if isinstance(part, shapes.Terminal):
            return self.write_branches(part.part)
        if isinstance(part, shapes.Choice):
            return " | ".join([self._write_sequence(branch) for branch in part.branches])
        return self._write_sequence(part)

    def _write_sequence(self, part: shapes.Part) -> str:
        """Write *part* as a branch of a choice, without parentheses."""
        if isinstance(part, shapes.Terminal):
            return self._write_sequence(part.part)
        if isinstance(part, shapes.Sequence):
            return " ".join([self._write_atom(each) for each in part.parts]) or '""'
        return self._write_atom(part)

    def _write_atom(self, part: shapes.Part) -> str:
        """Write *part* in parentheses if it has several elements."""
        match part:
            case shapes.Literal(text):
                return f'"{"".join(map(_escape, text))}"'
            case shapes.Chars(ranges):
                return write_class(ranges)
            case shapes.Sequence() | shapes.Choice():
                return self._write_group(part)
            case shapes.Repeat(inner, low, high):
                return self._write_repeat(inner, low, high)
            case shapes.Reference(name):
                self._size += 1
                return name
            case shapes.Terminal(inner):
                return self._write_atom(inner)
            case shapes.Free():
                return self._write_free_text(part)
            case shapes.Schema():
                raise Unsupported("GBNF has no parts of JSON Schema")
            case _:
                assert_never(part)

    def _write_group(self, part: shapes.Part) -> str:
        """Write *part* in parentheses."""
        self._size += 1
        return f"({self.write_branches(part)})"

    def _write_repeat(self, part: shapes.Part, low: int, high: int | None) -> str:
        """Write *part*, *low* to *high* times."""
        while isinstance(part, shapes.Terminal):
            part = part.part
        before = self._size
        is_atom = isinstance(part, shapes.Chars | shapes.Reference | shapes.Literal | shapes.Free)
        text = self._write_atom(part) if is_atom else self._write_group(part)
        times = (low or 1) if high is None else high
        if times * max(self._size - before, 1) >= MAX_GBNF_RULES and not is_atom:
            text = self._name_rule(text[1:-1])
            self._size = before + 1
        if high is not None and high >= MAX_GBNF_RULES:
            rest = f"{text} {text}{write_times(max(low - 1, 0), high - 1)}"
            return self._name_rule(rest if low else f'{rest} | ""')
        self._size += 1 if high is None else high - low
        return f"{text}{write_times(low, high)}"

    def _name_rule(self, text: str) -> str:
        """Return the name of a rule of *text*, written on first use."""
        if text not in self._named:
            self._named[text] = f"repeated{len(self._named)}"
            self.lines.append(f"{self._named[text]} ::= {text}")
        self._size += 1
        return self._named[text]

    def _write_free_text(self, part: shapes.Free) -> str:
        """Name of the rule for free text; its rules are written on first use."""
        if part not in self._free:
            name = f"free{len(self._free)}"
            self._free[part] = f"{name}s0"
            for number, steps in enumerate(build_automaton(part)):
                branches = [
                    write_class(step.ranges) + ("" if step.to is None else f" {name}s{step.to}")
                    for step in steps
                ]
                branches += ['""'] if not part.end else []
                self.lines.append(f"{name}s{number} ::= {' | '.join(branches)}")
        self._size += 1
        return self._free[part]


def _escape(sign: str) -> str:
    """Escape a character, *sign*, for a GBNF literal."""
    if sign in '"\\':
        return "\\" + sign
    return sign if sign.isprintable() else _write_code(ord(sign))


def _write_code(code: int) -> str:
    """Write a character's *code* point as a GBNF escape."""
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def write_class(ranges: Charset) -> str:
    r"""Write the characters in *ranges* as a character class of GBNF.

    >>> write_class(((0x30, 0x39), (0x41, 0x41))), write_class(((0, 0x21), (0x23, 0x10FFFF)))
    ('[0-9A]', '[^\\x22]')
    """
    return write_ranges(ranges, _write_code)
