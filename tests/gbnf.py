"""A reader of GBNF, and a judge of texts: the stacks of what may follow, as llama.cpp has them.

It knows nothing of the package: what it reads is the text of a grammar, by the rules of
llama.cpp's page on grammars.
"""

from __future__ import annotations

import re
from typing import Any

_TOKEN = re.compile(
    r"""(?P<space>[ \t]+|\#[^\n]*)|(?P<line>\n)|(?P<name>[A-Za-z0-9-]+)|(?P<is>::=)
    |(?P<text>"(?:[^"\\]|\\.)*")|(?P<class>\[\^?(?:[^\]\\]|\\.)*\])
    |(?P<times>[*+?]|\{\d+(?:,\d*)?\})|(?P<mark>[()|])""",
    re.VERBOSE | re.DOTALL,
)
_SIGN = re.compile(
    r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))|([^\\])", re.DOTALL
)
_NAMED = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "[": "[", "]": "]"}

#: How many rules a repetition may come to in llama.cpp: those that have been made since the part
#: began, times the repetitions (`handle_repetitions` of its llama-grammar.cpp).
_MOST = 2000


class Chars:
    """A set of characters."""

    def __init__(self, ranges: list[tuple[str, str]], negated: bool) -> None:
        self.ranges, self.negated = ranges, negated

    def has(self, sign: str) -> bool:
        return any(low <= sign <= high for low, high in self.ranges) is not self.negated


class Named:
    def __init__(self, name: str) -> None:
        self.name = name


class Group:
    def __init__(self, ways: list[list[Any]]) -> None:
        self.ways = ways


class Times:
    def __init__(self, part: Any, low: int, high: int | None) -> None:
        self.part, self.low, self.high = part, low, high


def _signs(text: str) -> list[str]:
    out = []
    at = 0
    while at < len(text):
        found = _SIGN.match(text, at)
        assert found is not None, text
        code = found[1] or found[2] or found[3]
        out.append(chr(int(code, 16)) if code else _NAMED[found[4]] if found[4] else found[5])
        at = found.end()
    return out


def _class(text: str) -> Chars:
    negated = text.startswith("[^")
    inner = text[2 if negated else 1 : -1]
    # A hyphen that is written as a code is no range.
    parts = re.findall(r"\\x..|\\u....|\\U........|\\.|[^\\]", inner, re.DOTALL)
    ranges = []
    at = 0
    while at < len(parts):
        low = _signs(parts[at])[0]
        if at + 2 < len(parts) and parts[at + 1] == "-":
            ranges.append((low, _signs(parts[at + 2])[0]))
            at += 3
        else:
            ranges.append((low, low))
            at += 1
    assert ranges, text
    return Chars(ranges, negated)


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            assert found is not None, text[at : at + 40]
            if found.lastgroup != "space":
                self.tokens.append((found.lastgroup or "", found[0]))
            at = found.end()
        self.at = 0
        self.made = 0
        self._seen: set[str] = set()

    def rules(self) -> dict[str, Group]:
        out = {}
        while self.at < len(self.tokens):
            name = self._take("name")
            self._see(name)
            self._take("is")
            assert name not in out, f"{name} stands twice"
            out[name] = self._ways()
            self._take("line")
        return out

    def _take(self, kind: str) -> str:
        found, text = self.tokens[self.at]
        assert found == kind, f"{text!r} in place of {kind}"
        self.at += 1
        return text

    def _see(self, name: str) -> None:
        """Count the rule that a *name* makes where it first stands."""
        self.made += name not in self._seen
        self._seen.add(name)

    def _ways(self) -> Group:
        ways: list[list[Any]] = [[]]
        size = 1
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            if kind == "line" or text == ")":
                break
            self.at += 1
            if text == "|":
                ways.append([])
            elif kind == "times":
                repeated = self._repeated(ways[-1][-1], text)
                count = (repeated.low or 1) if repeated.high is None else repeated.high
                size *= count
                assert size < _MOST, f"{size} rules: {text}"
                self.made += 1 if repeated.high is None else repeated.high - repeated.low
                ways[-1][-1] = repeated
            else:
                before = self.made
                ways[-1].append(self._part(kind, text))
                size = max(self.made - before, 1) if text == "(" else 1
        return Group(ways)

    def _part(self, kind: str, text: str) -> Any:
        match kind:
            case "name":
                self._see(text)
                return Named(text)
            case "text":
                return Group([[Chars([(sign, sign)], False) for sign in _signs(text[1:-1])]])
            case "class":
                return _class(text)
            case _:
                assert text == "(", text
                self.made += 1
                inner = self._ways()
                assert self._take("mark") == ")"
                return inner

    def _repeated(self, part: Any, text: str) -> Times:
        low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(text, (-1, None))
        if low < 0:
            first, comma, last = text[1:-1].partition(",")
            low = int(first)
            high = (int(last) if last else None) if comma else low
        return Times(part, low, high)


class Stack:
    """What may follow: a part, and what may follow that."""

    __slots__ = ("part", "rest")

    def __init__(self, part: Any, rest: Stack | None) -> None:
        self.part, self.rest = part, rest


class Gbnf:
    """A grammar that judges texts."""

    def __init__(self, text: str) -> None:
        self._rules = _Reader(text).rules()
        self._made: dict[tuple[int, int], Stack] = {}
        self._times: dict[tuple[int, int, int | None], Times] = {}
        self._next: dict[Stack | None, frozenset[Stack | None]] = {}
        unknown = [each for each in self._named() if each not in self._rules]
        assert unknown == [], unknown

    def _named(self) -> list[str]:
        out, todo = ["root"], [part for rule in self._rules.values() for part in [rule]]
        while todo:
            part: Any = todo.pop()
            match part:
                case Named():
                    out.append(part.name)
                case Group():
                    todo += [each for way in part.ways for each in way]
                case Times():
                    todo.append(part.part)
        return out

    def _on(self, part: Any, rest: Stack | None) -> Stack:
        key = id(part), id(rest)
        if key not in self._made:
            self._made[key] = Stack(part, rest)
        return self._made[key]

    def _less(self, part: Times) -> Times:
        low, high = max(part.low - 1, 0), None if part.high is None else part.high - 1
        if (low, high) == (part.low, part.high):
            return part
        key = id(part.part), low, high
        if key not in self._times:
            self._times[key] = Times(part.part, low, high)
        return self._times[key]

    def _ready(self, stack: Stack | None) -> frozenset[Stack | None]:
        """Return the stacks from *stack* that begin with a character, or are empty."""
        if stack in self._next:
            return self._next[stack]
        out: set[Stack | None] = set()
        seen = {stack}
        todo = [stack]
        while todo:
            each = todo.pop()
            if each is None or isinstance(each.part, Chars):
                out.add(each)
                continue
            for way in self._ways(each):
                if way not in seen:
                    seen.add(way)
                    todo.append(way)
        self._next[stack] = frozenset(out)
        return self._next[stack]

    def _ways(self, stack: Stack) -> list[Stack | None]:
        part, rest = stack.part, stack.rest
        match part:
            case Named():
                return [self._on(self._rules[part.name], rest)]
            case Times():
                ways: list[Stack | None] = [] if part.low else [rest]
                if part.high != 0:
                    less = self._less(part)
                    ways.append(
                        self._on(part.part, rest if less.high == 0 else self._on(less, rest))
                    )
                return ways
            case _:
                out: list[Stack | None] = []
                for way in part.ways:
                    made = rest
                    for each in reversed(way):
                        made = self._on(each, made)
                    out.append(made)
                return out

    def accepts(self, text: str) -> bool:
        """Tell whether a model may write *text*, and then end."""
        stacks = self._ready(self._on(self._rules["root"], None))
        for sign in text:
            found: set[Stack | None] = set()
            for stack in stacks:
                if stack is not None and stack.part.has(sign):
                    found |= self._ready(stack.rest)
            if not found:
                return False
            stacks = frozenset(found)
        return None in stacks
