r"""Regular expressions of ECMA-262, read into a tree.

They are read as with the flag `u`, which JSON Schema recommends, but as leniently as without it
where that is unambiguous; `grammar` tells what is valid with the flag.  Python's `\A`, `\Z`,
`(?P<name>…)` and `(?i)` are read as in Python.
"""

from __future__ import annotations

import re

from typesig import limits
from typesig.errors import TooLarge, TypesigError
from typesig.patterns import charset, nodes
from typesig.patterns.charset import Charset
from typesig.patterns.grammar import CONTROLS, GroupNames, group_name, with_low_half


def parse_pattern(pattern: str) -> nodes.Node:
    """Return *pattern* as a tree; raise `TypesigError` if it is not valid or too large."""
    if len(pattern) > limits.MAX_PATTERN:
        raise TooLarge(
            f"a pattern may have {limits.MAX_PATTERN} characters, this one has {len(pattern)}"
        )
    return _Reader(pattern).read_whole()


def quote_pattern(pattern: str) -> str:
    """Return *pattern* between slashes for a message, cut if it is long."""
    cut = pattern if len(pattern) <= limits.MAX_EXCERPT else pattern[: limits.MAX_EXCERPT - 1] + "…"
    return f"/{cut}/"


_COUNT = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_NO_LEAST = re.compile(r"\{,[0-9]+\}")
_OPENING = re.compile(
    r"\((?:\?(?:(?P<look><?[=!])|(?P<named>P?<)|(?P<on>[is]*)(?:-(?P<off>[is]+))?"
    r"(?P<end>[:)])|(?P<other>P?.?)))?"
)
_POINT = re.compile(
    r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{0*([0-9A-Fa-f]{1,6})\}|U00([0-9A-Fa-f]{6})"
)
_PROPERTY = re.compile(r"\{(?:([A-Za-z_]+)=)?([A-Za-z_]+)\}|([LMNPSZC])")
_LETTER = re.compile("[A-Za-z]")
_ANCHORS: dict[str, nodes.AnchorKind] = {"^": "^", "$": "$"}
_ESCAPED_ANCHORS: dict[str, nodes.AnchorKind] = {"b": "b", "B": "B", "A": "^", "Z": "$", "z": "$"}
_PYTHON_ONLY = {
    "(": "a conditional group",
    ">": "an atomic group",
    "#": "a comment",
    "P=": "a back-reference",
}


class _Reader:
    """Parser that reads one pattern from left to right into nodes."""

    __slots__ = ("at", "depth", "dotall", "ignore", "names", "pattern", "ranges")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0
        self.ranges = 0
        self.ignore = False
        self.dotall = False
        self.names = GroupNames()

    def read_whole(self) -> nodes.Node:
        """Parse the whole pattern, or raise at an unbalanced parenthesis."""
        node = self.choice()
        if self.at < len(self.pattern):
            raise self.make_error("unbalanced parenthesis")
        return node

    def make_error(self, what: str, at: int | None = None) -> TypesigError:
        """Build a syntax error at the position *at*, by default the current position."""
        text = quote_pattern(self.pattern)
        place = self.at if at is None else at
        return TypesigError(
            f"the pattern {text} is not a regular expression: {what} at position {place}"
        )

    def peek(self) -> str:
        """Return the next character of the pattern, empty at its end."""
        return self.pattern[self.at : self.at + 1]

    def take(self, sign: str) -> bool:
        """Skip *sign* if it comes next in the pattern; return whether it did."""
        if not self.pattern.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def make_chars(self, ranges: Charset) -> nodes.Chars:
        """Build the node of the character set *ranges*, widened if case is ignored."""
        self.spend(ranges)
        return nodes.Chars(charset.ignore_case(ranges) if self.ignore else ranges)

    def spend(self, ranges: Charset) -> None:
        """Count *ranges*; raise `TooLarge` if the pattern has too many character ranges."""
        self.ranges += len(ranges)
        if self.ranges > limits.MAX_PATTERN_RANGES:
            raise TooLarge(
                f"the sets of a pattern may have {limits.MAX_PATTERN_RANGES} ranges of characters, "
                f"{quote_pattern(self.pattern)} has more"
            )

    def choice(self) -> nodes.Node:
        """Parse alternatives separated by vertical bars."""
        branches = [self.read_branch()]
        while self.take("|"):
            self.names.start_alternative(self.at)
            branches.append(self.read_branch())
        return nodes.make_choice(branches)

    def read_branch(self) -> nodes.Node:
        """Parse a single alternative: a sequence of repeated atoms."""
        parts: list[nodes.Node] = []
        while (c := self.peek()) and c not in "|)":
            place = self.at
            node = self.read_atom()
            if node is not None:
                parts.append(self.read_repetition(node, place))
        return nodes.make_sequence(parts)

    def read_repetition(self, node: nodes.Node, place: int) -> nodes.Node:
        """Parse the quantifier, if any, of *node*, which begins at *place*."""
        start = self.at
        count = self.count()
        if count is None:
            return node
        if isinstance(node, nodes.Anchor) and self.pattern[place] != "(":
            raise self.make_error("nothing to repeat", start)
        if self.pattern.startswith(("(?<=", "(?<!"), place):
            raise self.make_error("a repeated lookbehind, which ECMA-262 does not have,", start)
        self.take("?")
        if self.take("+"):
            raise self.make_error("a possessive quantifier, which ECMA-262 does not have,", start)
        if (self.peek() or "|") in "*+?" or _COUNT.match(self.pattern, self.at):
            raise self.make_error("multiple repeat")
        low, high = count
        if high is not None and low > high:
            raise self.make_error("min repeat greater than max repeat", start)
        if max(low, high or 0) > limits.MAX_REPEAT:
            raise TooLarge(
                f"the pattern {quote_pattern(self.pattern)} repeats more than "
                f"{limits.MAX_REPEAT} times at position {start}"
            )
        return nodes.make_repeat(node, low, high)

    def count(self) -> tuple[int, int | None] | None:
        """Read a quantifier, such as `*` or `{2,3}`; return its bounds, or None."""
        sign = self.peek()
        if sign and sign in "*+?":
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        found = _COUNT.match(self.pattern, self.at)
        if found is None:
            return None
        self.at = found.end()
        low, comma, high = found.groups()
        return _parse_number(low), _parse_number(
            high
        ) if high else None if comma else _parse_number(low)

    def read_atom(self) -> nodes.Node | None:
        """Read the next atom; None for flags, which change the atoms after them."""
        c = self.peek()
        if c == "(":
            return self.group()
        if c == "[":
            return self.set()
        if c == "\\":
            return self.escape()
        if c in "*+?" or _COUNT.match(self.pattern, self.at):
            raise self.make_error("nothing to repeat")
        if c == "{" and _NO_LEAST.match(self.pattern, self.at):
            raise self.make_error("a count without its least, such as {0,3},")
        self.at += 1
        if c in _ANCHORS:
            return nodes.Anchor(_ANCHORS[c])
        if c == ".":
            return nodes.Chars(
                charset.ALL if self.dotall else charset.make_complement(charset.LINE_ENDS)
            )
        return self.make_chars(_make_single(ord(c)))

    def group(self) -> nodes.Node | None:
        """Parse a group; None if it only sets flags for the rest of its group."""
        start = self.at
        opening = _OPENING.match(self.pattern, self.at)
        assert opening is not None
        if (other := opening["other"]) is not None:
            what = _PYTHON_ONLY.get(other, f"an unknown extension ?{other}")
            raise self.make_error(f"{what}, which patterns do not have,", start)
        self.at = opening.end()
        if opening["named"]:
            self.name(start)
        kept = self.ignore, self.dotall
        on, off = opening["on"] or "", opening["off"] or ""
        if len({*on, *off}) < len(on + off):
            raise self.make_error("a flag that a group sets twice", start)
        self.ignore = (self.ignore or "i" in on) and "i" not in off
        self.dotall = (self.dotall or "s" in on) and "s" not in off
        if opening["end"] == ")":
            if not on + off:
                raise self.make_error("an unknown extension ?)", start)
            # Flags apply to the rest of their group, as in Java and in RE2.
            return None
        self.depth += 1
        if self.depth > limits.MAX_PATTERN_DEPTH:
            raise TooLarge(
                f"a pattern may nest {limits.MAX_PATTERN_DEPTH} groups, "
                f"{quote_pattern(self.pattern)} has more"
            )
        self.names.open(start)
        node = self.choice()
        if not self.take(")"):
            raise self.make_error("missing ), unterminated subpattern", start)
        self.names.close()
        self.depth -= 1
        self.ignore, self.dotall = kept
        look = opening["look"]
        if look is None:
            return node
        behind = look[0] == "<"
        return nodes.Look(
            nodes.trim_optional_ends(node, head=behind, tail=not behind), behind, look[-1] == "!"
        )

    def name(self, start: int) -> None:
        """Read and record the name of the group that starts at *start*."""
        end = self.pattern.find(">", self.at)
        name = group_name(self.pattern[self.at : end]) if end >= 0 else None
        if name is None:
            raise self.make_error("a group without a valid name", start)
        if not self.names.add(name, start):
            raise self.make_error(f"another group with the name {name}", start)
        self.at = end + 1

    def escape(self) -> nodes.Node:
        """Read an escape outside of a character class: an anchor or characters."""
        letter = self.pattern[self.at + 1 : self.at + 2]
        if letter in _ESCAPED_ANCHORS:
            self.at += 2
            return nodes.Anchor(_ESCAPED_ANCHORS[letter])
        escaped = self.read_escape()
        return self.make_chars(_make_single(escaped) if isinstance(escaped, int) else escaped)

    def read_escape(self) -> Charset | int:
        """Read a character escape; return its set, or the code of a single character."""
        start = self.at
        letter = self.pattern[start + 1 : start + 2]
        self.at += 2
        if not letter:
            raise self.make_error("bad escape (end of pattern)", start)
        if letter in charset.ESCAPED:
            return charset.ESCAPED[letter]
        if letter in "pP":
            return self.read_property(letter == "P", start)
        if letter == "c" and _LETTER.match(self.peek()):
            self.at += 1
            return ord(self.pattern[self.at - 1]) % 32
        if letter in "123456789k":
            what = "a back-reference, which cannot be searched in bounded time,"
            raise self.make_error(what, start)
        if letter == "0" and self.peek().isdecimal():
            raise self.make_error("an octal escape, which is written \\xHH,", start)
        if letter in CONTROLS:
            return CONTROLS[letter]
        if letter in "xuU":
            return self.read_code_point(start)
        if _LETTER.match(letter):
            raise self.make_error(f"bad escape \\{letter}", start)
        return ord(letter)

    def read_code_point(self, start: int) -> int:
        """Parse a hexadecimal escape at *start*, joining a surrogate pair."""
        found = _POINT.match(self.pattern, start + 1)
        code = int(next(filter(None, found.groups())), 16) if found else charset.LAST + 1
        if found is None or code > charset.LAST:
            raise self.make_error(f"bad escape \\{self.pattern[start + 1]}", start)
        code, self.at = with_low_half(code, self.pattern, found.end())
        return code

    def read_property(self, negative: bool, start: int) -> Charset:
        """Parse a Unicode property escape; *negative* complements its characters."""
        found = _PROPERTY.match(self.pattern, self.at)
        if found is None:
            raise self.make_error("a property has no name", start)
        self.at = found.end()
        key, name = found[1] or "", found[2] or found[3]
        ranges = None
        if key in ("", "General_Category", "gc"):
            ranges = charset.find_category(name)
        if ranges is None and key in ("", "Script", "sc"):
            ranges = charset.find_script(name)
        if ranges is None:
            raise self.make_error(
                f"the property {found[0]}, which is not a general category"
                " (scripts need the extra: pip install 'typesig[re2]')",
                start,
            )
        return charset.make_complement(ranges) if negative else ranges

    def set(self) -> nodes.Chars:
        """Read a character class in brackets."""
        start = self.at
        self.at += 1
        negative = self.take("^")
        ranges: list[tuple[int, int]] = []
        while not self.take("]"):
            place = self.at
            first = self.read_member(start)
            self.spend(first[0])
            if self.peek() != "-" or self.pattern.startswith("-]", self.at):
                ranges += first[0]
                continue
            self.at += 1
            last = self.read_member(start)
            if first[1] is None or last[1] is None:
                # A hyphen next to a class such as `\d` stands for itself.
                ranges += [*first[0], *last[0], (0x2D, 0x2D)]
            elif first[1] > last[1]:
                text = self.pattern[place : self.at]
                raise self.make_error(f"bad character range {text}", place)
            else:
                ranges.append((first[1], last[1]))
        members = self.make_chars(charset.make_charset(ranges)).ranges
        return nodes.Chars(charset.make_complement(members) if negative else members)

    def read_member(self, start: int) -> tuple[Charset, int | None]:
        """Read a class member; return its set, and its code point if a single one."""
        c = self.peek()
        if not c:
            raise self.make_error("unterminated character set", start)
        if self.take("\\b"):
            found: Charset | int = 8
        elif c == "\\":
            found = self.read_escape()
        else:
            found = ord(c)
            self.at += 1
        return (_make_single(found), found) if isinstance(found, int) else (found, None)


def _make_single(code: int) -> Charset:
    """Build the character set of the single code point *code*."""
    return charset.make_charset([(code, code)])


def _parse_number(digits: str) -> int:
    """Convert the decimal *digits* to an integer, capped if very long."""
    # A count of many digits is above every limit, whatever its value.
    return int(digits) if len(digits) < 10 else 10**9
