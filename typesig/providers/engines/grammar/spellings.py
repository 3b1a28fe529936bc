"""How values are spelt: as JSON, as Python, with bare keys; what stands for a character in a text.

To add a notation of values, add a `Spelling`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, assert_never

from typesig import patterns
from typesig.engine_limits import MAX_INDENT
from typesig.providers.engines.grammar.shapes import (
    EMPTY,
    Chars,
    Literal,
    Part,
    Terminal,
    chars,
    choice,
    optional,
    repeat,
    sequence,
)

_ALL: patterns.Charset = ((0, 0xD7FF), (0xE000, 0x10FFFF))
_HEX = chars("09AFaf")


def meet(one: patterns.Charset, other: patterns.Charset) -> patterns.Charset:
    """Return the characters that are in both.

    >>> meet(((1, 5), (8, 9)), ((4, 8),))
    ((4, 5), (8, 8))
    """
    found = [(max(a, c), min(b, d)) for a, b in one for c, d in other if a <= d and c <= b]
    return tuple(sorted(found))


def but(codes: Iterable[int]) -> patterns.Charset:
    """Return all characters but those of *codes*.

    >>> but([0, 97])
    ((1, 96), (98, 55295), (57344, 1114111))
    """
    out: patterns.Charset = _ALL
    for code in sorted(set(codes)):
        out = meet(out, ((0, code - 1), (code + 1, 0x10FFFF)))
    return out


class Signs(NamedTuple):
    """How the characters of a text are spelt.

    #: raw: those that stand for themselves; letters: those that a letter behind a backslash does
    #: hexes: how the others are: what stands before digits, and how many digits there are
    #: free: how any character may be spelt, where nothing else is said of the text
    """

    raw: patterns.Charset
    letters: Mapping[int, str] = {}
    hexes: tuple[str, int] = ("", 0)
    free: Part = EMPTY

    def spelt(self, ranges: patterns.Charset, sign: Part | None = None) -> Part | None:
        """Return one of the characters in *ranges*, or None if none of them can be spelt.

        *sign* stands for any character.
        """
        branches: list[Part] = []
        if sign is not None and meet(ranges, _ALL) == _ALL:
            return sign
        raw = meet(ranges, self.raw)
        if raw:
            branches.append(Chars(raw))
        escaped = _escaped(self.raw) if self.letters else []
        rest = [code for code in escaped if any(a <= code <= b for a, b in ranges)]
        letters = sorted({self.letters[code] for code in rest if code in self.letters})
        if letters:
            branches.append(sequence("\\", chars("".join(2 * sign for sign in letters))))
        before, size = self.hexes
        # The characters by all digits but the last.
        heads: dict[str, list[str]] = {}
        for code in rest:
            if before and code not in self.letters:
                digits = f"{code:0{size}x}"
                heads.setdefault(digits[:-1], []).append(digits[-1])
        for head, lasts in heads.items():
            signs = sorted({*lasts, *[last.upper() for last in lasts]})
            branches.append(sequence(before + head, chars("".join(2 * sign for sign in signs))))
        return choice(branches) if branches else None

    def word(self, text: str) -> str:
        """Return *text* with each character spelt."""
        return "".join([self._one(sign) for sign in text])

    def _one(self, sign: str) -> str:
        code = ord(sign)
        if any(a <= code <= b for a, b in self.raw):
            return sign
        if code in self.letters:
            return "\\" + self.letters[code]
        return f"{self.hexes[0]}{code:0{self.hexes[1]}x}"

    def node(self, node: patterns.Node, sign: Part | None = None) -> Part | None:
        """Return the texts of *node*, which has no assertions, or None if none can be spelt.

        *sign* stands for any character.
        """
        match node:
            case patterns.Chars(ranges):
                return self.spelt(ranges, sign)
            case patterns.Sequence(parts):
                each = [self.node(part, sign) for part in parts]
                found = [part for part in each if part is not None]
                return sequence(*found) if len(found) == len(each) else None
            case patterns.Choice(branches):
                each = [self.node(branch, sign) for branch in branches]
                kept = [part for part in each if part is not None]
                return choice(kept) if kept else None
            case patterns.Repeat(part, low, high):
                made = self.node(part, sign)
                return None if made is None else repeat(made, low, high)
            case patterns.Look() | patterns.Anchor():  # pragma: no cover  # they are not taken
                raise AssertionError
            case _:
                assert_never(node)


def _escaped(raw: patterns.Charset) -> list[int]:
    """Return the characters that are not in *raw*, of which there are few."""
    ends = [-1, *[end for pair in raw for end in pair], 0x110000]
    gaps = zip(ends[::2], ends[1::2], strict=True)
    return [code for low, high in gaps for code in range(low + 1, high) if not _is_lone(code)]


def _is_lone(code: int) -> bool:
    return 0xD800 <= code <= 0xDFFF


_CONTROLS = range(0x20)
_UNIT = choice(
    [
        sequence(chars("09ACEFacef"), repeat(_HEX, 3, 3)),
        sequence(chars("DDdd"), chars("07"), repeat(_HEX, 2, 2)),
    ]
)
_JSON_LETTERS = {8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 34: '"', 92: "\\"}
_PYTHON_LETTERS = {9: "t", 10: "n", 13: "r", 92: "\\"}


def _json_signs(besides: str) -> Signs:
    raw = but([*_CONTROLS, 0x22, 0x5C, *map(ord, besides)])
    # A pair of surrogates is one character, and a lone one is none.
    pair = sequence(
        chars("DDdd"), chars("89ABab"), repeat(_HEX, 2, 2), "\\u",
        chars("DDdd"), chars("CFcf"), repeat(_HEX, 2, 2),
    )  # fmt: skip
    letters = chars('""//\\\\bbffnnrrtt')
    code = sequence("u", choice([_UNIT, pair]))
    free = choice([Chars(raw), sequence("\\", choice([letters, code]))])
    return Signs(raw, _JSON_LETTERS, ("\\u", 4), free)


def _python_signs(quote: str) -> Signs:
    raw = but([*_CONTROLS, ord(quote), 0x5C, 0x7F])
    wide = [sequence("0000", _UNIT), sequence("000", chars("19AFaf"), repeat(_HEX, 4, 4))]
    escapes = [
        chars("\"\"''\\\\nnrrtt"),
        sequence("x", repeat(_HEX, 2, 2)),
        sequence("u", _UNIT),
        sequence("U", choice([*wide, sequence("0010", repeat(_HEX, 4, 4))])),
    ]
    free = choice([Chars(raw), sequence("\\", choice(escapes))])
    return Signs(raw, _PYTHON_LETTERS | {ord(quote): quote}, ("\\x", 2), free)


class Quotes(NamedTuple):
    """What stands around a text, and how its characters are spelt.

    #: is_plain: whether there are no escapes, so that no text has the mark itself
    """

    mark: str
    signs: Signs
    is_plain: bool = False


class Spelling(NamedTuple):
    """How values are spelt.

    #: name: that of its rules, in lower case
    #: quotes: those of texts, the first of which stand around keys, too
    #: null, true, false: the words
    #: blank: what may stand between the parts of a value; colon: what stands behind a key
    #: bare: whether keys that are names of Python have no quotes
    """

    name: str
    quotes: tuple[Quotes, ...]
    null: str = "null"
    true: str = "true"
    false: str = "false"
    blank: Part = EMPTY
    colon: Part = EMPTY
    bare: bool = False


_INDENT = sequence("\n", repeat(chars("\t\t  "), 0, MAX_INDENT))
_BLANK = optional(Terminal(choice([Literal(" "), _INDENT])))


def json_without(name: str, signs: str) -> Spelling:
    """Return the spelling of JSON in which texts have none of *signs* but as escapes."""
    return Spelling(name, (Quotes('"', _json_signs(signs)),), blank=_BLANK)


JSON = json_without("json", "")

_SINGLE, _DOUBLE = Quotes("'", _python_signs("'")), Quotes('"', _python_signs('"'))
PYTHON = Spelling("python", (_SINGLE, _DOUBLE), "None", "True", "False", _BLANK)


def plain_signs(marks: Iterable[str]) -> Signs:
    """Return how characters stand for themselves in a text that ends with one of *marks*."""
    return Signs(but([ord(mark[0]) for mark in marks]))


def bare_within(mark: str) -> Spelling:
    """Return the spelling with bare keys, in which texts stand between equal marks."""
    return Spelling("bare", (Quotes(mark, plain_signs([mark]), True),), bare=True)
