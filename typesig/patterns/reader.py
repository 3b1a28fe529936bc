r"""Regular expressions of ECMA-262, read into a tree: what the constraint `pattern` says.

They are read as JSON Schema recommends, with the flag `u`, and as leniently as without it where
that is unambiguous.  Of Python's own, `\A`, `\Z`, `(?P<name>…)` and `(?i)` mean what they mean
there.
"""

from __future__ import annotations

import re

from typesig.errors import TooLarge, TypesigError
from typesig.limits import (
    MAX_EXCERPT,
    MAX_PATTERN,
    MAX_PATTERN_DEPTH,
    MAX_REPEAT,
)
from typesig.patterns import charset
from typesig.patterns.charset import Charset
from typesig.patterns.nodes import (
    Anchor,
    Chars,
    Look,
    Node,
    choice,
    repeat,
    sequence,
    trimmed,
)


def parse_pattern(pattern: str) -> Node:
    """Return what *pattern* says; raise `TypesigError` where it says nothing, or too much."""
    if len(pattern) > MAX_PATTERN:
        raise TooLarge(f"a pattern may have {MAX_PATTERN} characters, this one has {len(pattern)}")
    return _Reader(pattern).whole()


def is_pattern(text: str) -> bool:
    """Tell whether *text* is a regular expression, also one that cannot be searched in time."""
    try:
        parse_pattern(text)
    except (Unsearchable, TooLarge):
        return True
    except TypesigError:
        return False
    return True


class Unsearchable(TypesigError):
    """A regular expression that no engine here searches in bounded time."""


def pattern_text(pattern: str) -> str:
    """Return *pattern* between slashes, cut where it is long."""
    cut = pattern if len(pattern) <= MAX_EXCERPT else pattern[: MAX_EXCERPT - 1] + "…"
    return f"/{cut}/"


_COUNT = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_NO_LEAST = re.compile(r"\{,[0-9]+\}")
_OPENING = re.compile(
    r"\((?:\?(?:(?P<look><?[=!])|P?<(?P<name>[A-Za-z_$][\w$]*)>|(?P<on>[is]*)(?:-(?P<off>[is]+))?"
    r"(?P<end>[:)])|(?P<other>P?.?)))?"
)
_POINT = re.compile(
    r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{0*([0-9A-Fa-f]{1,6})\}|U00([0-9A-Fa-f]{6})"
)
_LOW_HALF = re.compile(r"\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")
_PROPERTY = re.compile(r"\{(?:([A-Za-z_]+)=)?([A-Za-z_]+)\}|([LMNPSZC])")
_LETTER = re.compile("[A-Za-z]")
_CONTROLS = {"0": 0, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_PYTHON_ONLY = {
    "(": "a group that hangs on another",
    ">": "an atomic group",
    "#": "a comment",
    "P=": "a back-reference",
}


class _Reader:
    """Reads one pattern from left to right."""

    __slots__ = ("at", "depth", "dotall", "ignore", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0
        self.ignore = False
        self.dotall = False

    def whole(self) -> Node:
        node = self.choice()
        if self.at < len(self.pattern):
            raise self.wrong("unbalanced parenthesis")
        return node

    def wrong(self, what: str, at: int | None = None) -> TypesigError:
        said = pattern_text(self.pattern)
        place = self.at if at is None else at
        return TypesigError(
            f"the pattern {said} is no regular expression: {what} at position {place}"
        )

    def next(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def takes(self, sign: str) -> bool:
        if not self.pattern.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def chars(self, ranges: Charset) -> Chars:
        return Chars(charset.caseless(ranges) if self.ignore else ranges)

    def choice(self) -> Node:
        branches = [self.branch()]
        while self.takes("|"):
            branches.append(self.branch())
        return choice(branches)

    def branch(self) -> Node:
        parts: list[Node] = []
        while (c := self.next()) and c not in "|)":
            place = self.at
            node = self.atom()
            if node is not None:
                parts.append(self.repeated(node, place))
        return sequence(parts)

    def repeated(self, node: Node, place: int) -> Node:
        start = self.at
        count = self.count()
        if count is None:
            return node
        if isinstance(node, Anchor) and self.pattern[place] != "(":
            raise self.wrong("nothing to repeat", start)
        self.takes("?")
        if self.takes("+"):
            raise self.wrong("a possessive quantifier, which ECMA-262 has not,", start)
        if (self.next() or "|") in "*+?" or _COUNT.match(self.pattern, self.at):
            raise self.wrong("multiple repeat")
        low, high = count
        if high is not None and low > high:
            raise self.wrong("min repeat greater than max repeat", start)
        if max(low, high or 0) > MAX_REPEAT:
            raise TooLarge(
                f"the pattern {pattern_text(self.pattern)} repeats more than {MAX_REPEAT} times "
                f"at position {start}"
            )
        return repeat(node, low, high)

    def count(self) -> tuple[int, int | None] | None:
        """Return how often the last atom is to be taken, None where nothing says that."""
        sign = self.next()
        if sign and sign in "*+?":
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        found = _COUNT.match(self.pattern, self.at)
        if found is None:
            return None
        self.at = found.end()
        low, comma, high = found.groups()
        return _number(low), _number(high) if high else None if comma else _number(low)

    def atom(self) -> Node | None:
        """Return the next atom, None for flags, which speak of what follows."""
        c = self.next()
        if c == "(":
            return self.group()
        if c == "[":
            return self.set()
        if c == "\\":
            return self.escape()
        if c in "*+?" or _COUNT.match(self.pattern, self.at):
            raise self.wrong("nothing to repeat")
        if c == "{" and _NO_LEAST.match(self.pattern, self.at):
            raise self.wrong("a count without its least, such as {0,3},")
        self.at += 1
        if c in "^$":
            return Anchor(c)
        if c == ".":
            return Chars(charset.ALL if self.dotall else charset.complement(charset.LINE_ENDS))
        return self.chars(_single(ord(c)))

    def group(self) -> Node | None:
        start = self.at
        opening = _OPENING.match(self.pattern, self.at)
        assert opening is not None
        if (other := opening["other"]) is not None:
            what = _PYTHON_ONLY.get(other, f"an unknown extension ?{other}")
            raise self.wrong(f"{what}, which patterns here have not,", start)
        self.at = opening.end()
        kept = self.ignore, self.dotall
        on, off = opening["on"] or "", opening["off"] or ""
        self.ignore = (self.ignore or "i" in on) and "i" not in off
        self.dotall = (self.dotall or "s" in on) and "s" not in off
        if opening["end"] == ")":
            if not on + off:
                raise self.wrong("an unknown extension ?)", start)
            # Flags in the middle speak of the rest of their group, as in Java and in RE2.
            return None
        self.depth += 1
        if self.depth > MAX_PATTERN_DEPTH:
            raise TooLarge(
                f"a pattern may nest {MAX_PATTERN_DEPTH} groups, "
                f"{pattern_text(self.pattern)} has more"
            )
        node = self.choice()
        if not self.takes(")"):
            raise self.wrong("missing ), unterminated subpattern", start)
        self.depth -= 1
        self.ignore, self.dotall = kept
        look = opening["look"]
        if look is None:
            return node
        behind = look[0] == "<"
        return Look(trimmed(node, head=behind, tail=not behind), behind, look[-1] == "!")

    def escape(self) -> Node:
        """Return what a backslash outside a class says."""
        letter = self.pattern[self.at + 1 : self.at + 2]
        if letter and letter in "bBAZz":
            self.at += 2
            return Anchor({"A": "^", "Z": "$", "z": "$"}.get(letter, letter))
        said = self.escaped()
        return self.chars(_single(said) if isinstance(said, int) else said)

    def escaped(self) -> Charset | int:
        """Return the set, or the character, that a backslash stands for in a class or outside."""
        start = self.at
        letter = self.pattern[start + 1 : start + 2]
        self.at += 2
        if not letter:
            raise self.wrong("bad escape (end of pattern)", start)
        if letter in charset.ESCAPED:
            return charset.ESCAPED[letter]
        if letter in "pP":
            return self.property(letter == "P", start)
        if letter == "c" and _LETTER.match(self.next()):
            self.at += 1
            return ord(self.pattern[self.at - 1]) % 32
        if letter in "123456789k":
            what = "a back-reference, which cannot be searched in bounded time,"
            raise Unsearchable(str(self.wrong(what, start)))
        if letter == "0" and self.next().isdecimal():
            raise self.wrong("an octal escape, which is written \\xHH,", start)
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter in "xuU":
            return self.point(start)
        if _LETTER.match(letter):
            raise self.wrong(f"bad escape \\{letter}", start)
        return ord(letter)

    def point(self, start: int) -> int:
        found = _POINT.match(self.pattern, start + 1)
        code = int(next(filter(None, found.groups())), 16) if found else charset.LAST + 1
        if found is None or code > charset.LAST:
            raise self.wrong(f"bad escape \\{self.pattern[start + 1]}", start)
        self.at = found.end()
        low = _LOW_HALF.match(self.pattern, self.at) if 0xD800 <= code <= 0xDBFF else None
        if low is not None:
            self.at = low.end()
            code = 0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00
        return code

    def property(self, negative: bool, start: int) -> Charset:
        found = _PROPERTY.match(self.pattern, self.at)
        if found is None:
            raise self.wrong("a property has no name", start)
        self.at = found.end()
        key, name = found[1] or "", found[2] or found[3]
        ranges = None
        if key in ("", "General_Category", "gc"):
            ranges = charset.category(name)
        if ranges is None and key in ("", "Script", "sc"):
            ranges = charset.script(name)
        if ranges is None:
            raise self.wrong(
                f"the property {found[0]}, which is no general category"
                " (scripts need the extra: pip install 'typesig[re2]')",
                start,
            )
        return charset.complement(ranges) if negative else ranges

    def set(self) -> Chars:
        """Return a class between brackets."""
        start = self.at
        self.at += 1
        negative = self.takes("^")
        ranges: list[tuple[int, int]] = []
        while not self.takes("]"):
            place = self.at
            first = self.member(start)
            if self.next() != "-" or self.pattern.startswith("-]", self.at):
                ranges += first[0]
                continue
            self.at += 1
            last = self.member(start)
            if first[1] is None or last[1] is None:
                # A class at one end of a hyphen makes it a hyphen.
                ranges += [*first[0], *last[0], (0x2D, 0x2D)]
            elif first[1] > last[1]:
                said = self.pattern[place : self.at]
                raise self.wrong(f"bad character range {said}", place)
            else:
                ranges.append((first[1], last[1]))
        held = self.chars(charset.charset(ranges)).ranges
        return Chars(charset.complement(held) if negative else held)

    def member(self, start: int) -> tuple[Charset, int | None]:
        """Return the next characters of a class, and which one it is where it is a single one."""
        c = self.next()
        if not c:
            raise self.wrong("unterminated character set", start)
        if self.takes("\\b"):
            said: Charset | int = 8
        elif c == "\\":
            said = self.escaped()
        else:
            said = ord(c)
            self.at += 1
        return (_single(said), said) if isinstance(said, int) else (said, None)


def _single(code: int) -> Charset:
    return charset.charset([(code, code)])


def _number(digits: str) -> int:
    # A count of many digits is beyond every limit, whatever it is.
    return int(digits) if len(digits) < 10 else 10**9
