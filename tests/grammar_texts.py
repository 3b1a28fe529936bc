"""Texts that a grammar lets through, drawn from its parts."""

from __future__ import annotations

from random import Random

from typesig.providers.grammars.gbnf_text import build_automaton
from typesig.providers.grammars.shapes import (
    Chars,
    Choice,
    Free,
    Grammar,
    Literal,
    Part,
    Reference,
    Repeat,
    Sequence,
    Terminal,
)

_ENDLESS = 10**6


def _has_key(part: Part) -> bool:
    """Tell whether *part* is a member of an object whose key is not known."""
    parts = part.parts if isinstance(part, Sequence) else (part,)
    marks = (":", "=", "<parameter=", "<arg_key>", "<steptml:parameter")
    texts = [each.text for each in parts if isinstance(each, Literal)]
    return any(text.startswith(marks) or text.endswith(('parameter name="', "=")) for text in texts)


class Drawing:
    """Draws texts of *grammar*; how they nest is bounded by *budget* parts."""

    def __init__(self, grammar: Grammar, random: Random, budget: int = 400) -> None:
        self._rules = grammar.rules
        self._random = random
        self._left = budget
        self._heights = dict.fromkeys(grammar.rules, _ENDLESS)
        changed = True
        while changed:
            heights = {name: self._height(part) for name, part in grammar.rules.items()}
            changed = heights != self._heights
            self._heights = heights

    def text(self, part: Part) -> str:
        """Return a text of *part*."""
        self._left -= 1
        random = self._random
        match part:
            case Literal(text):
                return text
            case Chars(ranges):
                low, high = random.choice(ranges)
                return chr(random.choice([low, high, random.randint(low, min(high, low + 40))]))
            case Sequence(parts):
                return "".join(map(self.text, parts))
            case Choice(branches):
                if self._left > 0:
                    return self.text(random.choice(branches))
                return self.text(min(branches, key=self._height))
            case Repeat(inner, low, high):
                most = low if self._left <= 0 else low + random.choice([0, 0, 1, 1, 2, 3])
                if _has_key(inner) and (low, high) != (0, 1):
                    # No grammar tells that a key stands twice; the check does.
                    most = low
                count = most if high is None else min(most, high)
                return "".join([self.text(inner) for _ in range(count)])
            case Reference(name):
                return self.text(self._rules[name])
            case Terminal(inner):
                return self.text(inner)
            case Free():
                return self._free(part)
            case _:
                raise AssertionError(part)

    def _free(self, part: Free) -> str:
        states = build_automaton(part)
        out = []
        at: int | None = 0
        for _ in range(self._random.choice([0, 1, 3, 20])):
            if at is None:
                break
            step = self._random.choice(states[at])
            low, high = self._random.choice(step.ranges)
            out.append(chr(self._random.choice([low, min(high, low + 60)])))
            at = step.to
        if at is not None and part.end:
            # It goes to the end by the shortest way.
            return self._to_end(part, "".join(out), at)
        return "".join(out)

    def _to_end(self, part: Free, text: str, at: int) -> str:
        states = build_automaton(part)
        ways: dict[int, str] = {at: text}
        todo = [at]
        for number in todo:
            for step in states[number]:
                said = ways[number] + chr(step.ranges[0][0])
                if step.to is None:
                    return said
                if step.to not in ways:
                    ways[step.to] = said
                    todo.append(step.to)
        raise AssertionError(part)

    def _height(self, part: Part) -> int:
        match part:
            case Sequence(parts):
                return 1 + sum(map(self._height, parts))
            case Choice(branches):
                return 1 + min(map(self._height, branches))
            case Repeat(inner, low, _):
                return 1 + (self._height(inner) if low else 0)
            case Reference(name):
                return 1 + self._heights[name]
            case Terminal(inner):
                return self._height(inner)
            case _:
                return 1
