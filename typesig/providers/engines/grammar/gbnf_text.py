"""Grammars as GBNF, which llama.cpp takes."""

from __future__ import annotations

from typing import assert_never

from typesig.errors import Unsupported
from typesig.patterns import Charset
from typesig.providers.engines.grammar.automaton import automaton_of
from typesig.providers.engines.grammar.regex_text import gaps
from typesig.providers.engines.grammar.shapes import (
    Chars,
    Choice,
    Free,
    Grammar,
    Literal,
    Part,
    Reference,
    Repeat,
    Schema,
    Sequence,
    Terminal,
)


def gbnf_text(grammar: Grammar) -> str:
    r"""Return *grammar* as GBNF; raise `TooLarge`, and `Unsupported` for a part of JSON Schema.

    >>> gbnf_text(Grammar(Repeat(Literal('"'), 1, None), {}))
    'root ::= "\\""+\n'
    """
    writer = _Writer()
    lines = [f"root ::= {writer.branches(grammar.root)}"]
    for name, part in grammar.used(within_terminals=True).items():
        lines.append(f"{name} ::= {writer.branches(part)}")
    return "\n".join([*lines, *writer.lines, ""])


class _Writer:
    """Writes parts; free text has rules of its own, `lines`."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._free: dict[Free, str] = {}

    def branches(self, part: Part) -> str:
        """Return *part* as it stands behind `::=`."""
        if isinstance(part, Terminal):
            return self.branches(part.part)
        if isinstance(part, Choice):
            return " | ".join([self._sequence(branch) for branch in part.branches])
        return self._sequence(part)

    def _sequence(self, part: Part) -> str:
        if isinstance(part, Terminal):
            return self._sequence(part.part)
        if isinstance(part, Sequence):
            return " ".join([self._atom(each) for each in part.parts]) or '""'
        return self._atom(part)

    def _atom(self, part: Part) -> str:
        match part:
            case Literal(text):
                return f'"{"".join(map(_escaped, text))}"'
            case Chars(ranges):
                return class_of(ranges)
            case Sequence() | Choice():
                return f"({self.branches(part)})"
            case Repeat(inner, low, high):
                return f"{self._repeated(inner)}{_times(low, high)}"
            case Reference(name):
                return name
            case Terminal(inner):
                return self._atom(inner)
            case Free():
                return self._free_text(part)
            case Schema():
                raise Unsupported("GBNF has no parts of JSON Schema")
            case _:
                assert_never(part)

    def _repeated(self, part: Part) -> str:
        while isinstance(part, Terminal):
            part = part.part
        is_atom = isinstance(part, Chars | Reference | Literal | Free)
        return self._atom(part) if is_atom else f"({self.branches(part)})"

    def _free_text(self, part: Free) -> str:
        if part not in self._free:
            name = f"free{len(self._free)}"
            self._free[part] = f"{name}s0"
            made = automaton_of(part)
            for number, steps in enumerate(made.states):
                branches = [
                    class_of(step.ranges) + ("" if step.to is None else f" {name}s{step.to}")
                    for step in steps
                ]
                branches += ['""'] if made.ends else []
                self.lines.append(f"{name}s{number} ::= {' | '.join(branches)}")
        return self._free[part]


def _times(low: int, high: int | None) -> str:
    match (low, high):
        case (0, 1):
            return "?"
        case (0, None):
            return "*"
        case (1, None):
            return "+"
        case (_, None):
            return f"{{{low},}}"
        case _:
            return f"{{{low}}}" if low == high else f"{{{low},{high}}}"


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return "\\" + sign
    return sign if sign.isprintable() else _code(ord(sign))


def _code(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def class_of(ranges: Charset) -> str:
    r"""Return the class of the characters in *ranges*.

    >>> class_of(((0x30, 0x39), (0x41, 0x41))), class_of(((0, 0x21), (0x23, 0x10FFFF)))
    ('[0-9A]', '[^\\x22]')
    """
    left = gaps(ranges)
    if ranges[-1][1] == 0x10FFFF and left and len(left) < len(ranges):
        return f"[^{''.join(_range(low, high) for low, high in left)}]"
    return f"[{''.join(_range(low, high) for low, high in ranges)}]"


def _range(low: int, high: int) -> str:
    return _sign(low) if low == high else f"{_sign(low)}-{_sign(high)}"


#: The characters that mean nothing else in a class.
_PLAIN = frozenset(map(chr, range(0x21, 0x7F))) - frozenset('\\]^-[&~#"/')


def _sign(code: int) -> str:
    sign = chr(code)
    return sign if sign in _PLAIN else _code(code)
