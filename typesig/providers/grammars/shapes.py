"""The shapes of a grammar, and the spellings of values: JSON, Python and bare keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, assert_never

from typesig import patterns
from typesig.errors import TooLarge
from typesig.limits.engines import MAX_GRAMMAR, MAX_INDENT
from typesig.patterns import Charset
from typesig.providers.engines.engine import WriteBounds

# --- The shapes of a grammar: what a model may write, a closed set, and how to join parts ---
# A part says which texts there are; `Grammar` has the part of the whole text and the named ones.
# Make parts with the functions here, which leave out what says nothing.


@dataclass(frozen=True, slots=True)
class Literal:
    """A grammar part that matches exactly the string `text`."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """A grammar part that matches one character of a set."""

    ranges: Charset


@dataclass(frozen=True, slots=True)
class Sequence:
    """A grammar part that matches its parts in order; without parts, the empty text."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A grammar part that matches one of two or more branches."""

    branches: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A grammar part that matches another part *low* to *high* times; None is no limit."""

    part: Part
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Reference:
    """A grammar part that refers to a named rule."""

    name: str


@dataclass(frozen=True, slots=True)
class Terminal:
    """A grammar part that the engine matches by a regular expression, without recursion."""

    part: Part


@dataclass(frozen=True, slots=True)
class Free:
    """A grammar part that matches free text without some marks, up to an end mark.

    #: without: the marks that it does not have; first: the characters that it does not begin with,
    #:     behind blanks
    #: end: the mark with which it ends where that first occurs, or empty; it is a part of the text
    """

    without: tuple[str, ...] = ()
    first: str = ""
    end: str = ""


#: The characters that `str.strip` takes off, which may stand before `Free.first`.
BLANKS: Charset = (
    (9, 13), (28, 32), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Schema:
    """A grammar part that matches the JSON text of values of a JSON Schema.

    #: text: the schema as JSON text
    """

    text: str


Part: TypeAlias = (
    Literal | Chars | Sequence | Choice | Repeat | Reference | Terminal | Free | Schema
)

EMPTY = Sequence(())


class Grammar(NamedTuple):
    """A grammar: the root part and the rules, which are parts by name."""

    root: Part
    rules: Mapping[str, Part]

    def collect_rules(self, *, within_terminals: bool) -> dict[str, Part]:
        """Return the rules that the root needs, in the order of their first use.

        Those that only terminals need are among them if *within_terminals*.  Raises `TooLarge` if
        there is more than an engine reads.
        """
        found: dict[str, Part] = {}
        for part in self.iter_parts(within_terminals=within_terminals):
            if isinstance(part, Reference):
                found[part.name] = self.rules[part.name]
        return found

    def iter_parts(self, *, within_terminals: bool = True) -> Iterator[Part]:
        """Yield all parts of the root and of its rules; raise `TooLarge` if too many."""
        seen: set[str] = set()
        todo = [self.root]
        left = MAX_GRAMMAR
        while todo:
            part = todo.pop()
            left -= 1
            if left < 0:
                raise TooLarge(f"a grammar may have {MAX_GRAMMAR} parts, this one would have more")
            yield part
            if isinstance(part, Reference) and part.name not in seen:
                seen.add(part.name)
                todo.append(self.rules[part.name])
            if within_terminals or not isinstance(part, Terminal):
                todo += reversed(list(iter_children(part)))


def iter_children(part: Part) -> Iterator[Part]:
    """Yield the direct parts of *part*."""
    match part:
        case Sequence(parts) | Choice(parts):
            yield from parts
        case Repeat(each) | Terminal(each):
            yield each
        case Literal() | Chars() | Reference() | Free() | Schema():
            return
        case _:
            assert_never(part)


def make_sequence(*parts: Part | str) -> Part:
    """Join *parts* in order; a string becomes a literal.

    >>> make_sequence("a", make_sequence("b"), EMPTY)
    Literal(text='ab')
    """
    flat: list[Part] = []
    for part in parts:
        made = Literal(part) if isinstance(part, str) else part
        for each in made.parts if isinstance(made, Sequence) else (made,):
            last = flat[-1] if flat else None
            if isinstance(each, Literal) and isinstance(last, Literal):
                flat[-1] = Literal(last.text + each.text)
            elif each != Literal(""):
                flat.append(each)
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def make_choice(branches: Iterable[Part]) -> Part:
    """Make a choice of *branches* without duplicates; a single branch is unchanged."""
    flat: dict[Part, None] = {}
    for branch in branches:
        flat |= dict.fromkeys(branch.branches if isinstance(branch, Choice) else (branch,))
    found = tuple(flat)
    return found[0] if len(found) == 1 else Choice(found)


def make_repeat(part: Part, low: int, high: int | None) -> Part:
    """Make a repetition of *part*, *low* to *high* times."""
    if high == 0:
        return EMPTY
    return part if low == high == 1 else Repeat(part, low, high)


def make_optional(part: Part) -> Part:
    """Make *part* optional, so that it also matches the empty text."""
    return part if part == EMPTY else Repeat(part, 0, 1)


def make_chars(text: str) -> Chars:
    """Build a character class from *text*, pairs of first and last characters of ranges.

    >>> make_chars("09az").ranges
    ((48, 57), (97, 122))
    """
    pairs = zip(text[::2], text[1::2], strict=True)
    return Chars(tuple([(ord(low), ord(high)) for low, high in pairs]))


# --- Spellings of values: JSON, Python and bare keys, with escapes of characters ---
# To add a notation of values, add a `GrammarSpelling`.

_ALL: patterns.Charset = ((0, 0xD7FF), (0xE000, 0x10FFFF))
_HEX = make_chars("09AFaf")


def intersect_ranges(one: patterns.Charset, other: patterns.Charset) -> patterns.Charset:
    """Return the characters that are in both character sets *one* and *other*.

    >>> intersect_ranges(((1, 5), (8, 9)), ((4, 8),))
    ((4, 5), (8, 8))
    """
    found = [(max(a, c), min(b, d)) for a, b in one for c, d in other if a <= d and c <= b]
    return tuple(sorted(found))


def exclude_codes(codes: Iterable[int]) -> patterns.Charset:
    """Return all characters except *codes*.

    >>> exclude_codes([0, 97])
    ((1, 96), (98, 55295), (57344, 1114111))
    """
    out: patterns.Charset = _ALL
    for code in sorted(set(codes)):
        out = intersect_ranges(out, ((0, code - 1), (code + 1, 0x10FFFF)))
    return out


class Signs(NamedTuple):
    """The spelling of characters in quoted texts: raw, escaped or in hexadecimal digits.

    #: raw: those that stand for themselves; letters: those that a letter behind a backslash does
    #: hexes: how the others are: what stands before digits, and how many digits there are
    #: free: how any character may be spelt, where nothing else is said of the text
    """

    raw: patterns.Charset
    letters: Mapping[int, str] = {}
    hexes: tuple[str, int] = ("", 0)
    free: Part = EMPTY

    def spell_char(self, ranges: patterns.Charset, sign: Part | None = None) -> Part | None:
        """Build the part for one character of *ranges*; return None if impossible.

        *sign* stands for any character.
        """
        branches: list[Part] = []
        if sign is not None and intersect_ranges(ranges, _ALL) == _ALL:
            return sign
        raw = intersect_ranges(ranges, self.raw)
        if raw:
            branches.append(Chars(raw))
        escaped = _list_escaped(self.raw) if self.letters else []
        rest = [code for code in escaped if any(a <= code <= b for a, b in ranges)]
        letters = sorted({self.letters[code] for code in rest if code in self.letters})
        if letters:
            branches.append(make_sequence("\\", make_chars("".join(2 * sign for sign in letters))))
        before, size = self.hexes
        # The characters by all digits but the last.
        heads: dict[str, list[str]] = {}
        for code in rest:
            if before and code not in self.letters:
                digits = f"{code:0{size}x}"
                heads.setdefault(digits[:-1], []).append(digits[-1])
        for head, lasts in heads.items():
            signs = sorted({*lasts, *[last.upper() for last in lasts]})
            branches.append(
                make_sequence(before + head, make_chars("".join(2 * sign for sign in signs)))
            )
        return make_choice(branches) if branches else None

    def spell_text(self, text: str) -> str:
        """Escape the characters of *text* where necessary."""
        return "".join([self._spell_sign(sign) for sign in text])

    def _spell_sign(self, sign: str) -> str:
        """Spell a character, *sign*, with an escape if necessary."""
        code = ord(sign)
        if any(a <= code <= b for a, b in self.raw):
            return sign
        if code in self.letters:
            return "\\" + self.letters[code]
        return f"{self.hexes[0]}{code:0{self.hexes[1]}x}"

    def spell_node(self, node: patterns.Node, sign: Part | None = None) -> Part | None:
        """Build the part for the texts of the pattern *node*; return None if impossible.

        *sign* stands for any character.
        """
        match node:
            case patterns.Chars(ranges):
                return self.spell_char(ranges, sign)
            case patterns.Sequence(parts):
                each = [self.spell_node(part, sign) for part in parts]
                found = [part for part in each if part is not None]
                return make_sequence(*found) if len(found) == len(each) else None
            case patterns.Choice(branches):
                each = [self.spell_node(branch, sign) for branch in branches]
                kept = [part for part in each if part is not None]
                return make_choice(kept) if kept else None
            case patterns.Repeat(part, low, high):
                made = self.spell_node(part, sign)
                return None if made is None else make_repeat(made, low, high)
            case patterns.Look() | patterns.Anchor():  # pragma: no cover  # they are not taken
                raise AssertionError
            case _:
                assert_never(node)


def _list_escaped(raw: patterns.Charset) -> list[int]:
    """List the code points outside the set *raw*, except surrogates."""
    ends = [-1, *[end for pair in raw for end in pair], 0x110000]
    gaps = zip(ends[::2], ends[1::2], strict=True)
    return [
        code
        for low, high in gaps
        for code in range(low + 1, high)
        if not (0xD800 <= code <= 0xDFFF)
    ]


_CONTROLS = range(0x20)
_UNIT = make_choice(
    [
        make_sequence(make_chars("09ACEFacef"), make_repeat(_HEX, 3, 3)),
        make_sequence(make_chars("DDdd"), make_chars("07"), make_repeat(_HEX, 2, 2)),
    ]
)
_JSON_LETTERS = {8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 34: '"', 92: "\\"}
_PYTHON_LETTERS = {9: "t", 10: "n", 13: "r", 92: "\\"}


def _make_json_signs(besides: str) -> Signs:
    """Spelling of characters in JSON texts; characters in *besides* are escaped too."""
    raw = exclude_codes([*_CONTROLS, 0x22, 0x5C, *map(ord, besides)])
    # A pair of surrogates is one character, and a lone one is none.
    pair = make_sequence(
        make_chars("DDdd"), make_chars("89ABab"), make_repeat(_HEX, 2, 2), "\\u",
        make_chars("DDdd"), make_chars("CFcf"), make_repeat(_HEX, 2, 2),
    )  # fmt: skip
    letters = make_chars('""//\\\\bbffnnrrtt')
    code = make_sequence("u", make_choice([_UNIT, pair]))
    free = make_choice([Chars(raw), make_sequence("\\", make_choice([letters, code]))])
    return Signs(raw, _JSON_LETTERS, ("\\u", 4), free)


def _make_python_signs(quote: str) -> Signs:
    """Spelling of characters in Python strings between *quote* characters."""
    raw = exclude_codes([*_CONTROLS, ord(quote), 0x5C, 0x7F])
    wide = [
        make_sequence("0000", _UNIT),
        make_sequence("000", make_chars("19AFaf"), make_repeat(_HEX, 4, 4)),
    ]
    escapes = [
        make_chars("\"\"''\\\\nnrrtt"),
        make_sequence("x", make_repeat(_HEX, 2, 2)),
        make_sequence("u", _UNIT),
        make_sequence("U", make_choice([*wide, make_sequence("0010", make_repeat(_HEX, 4, 4))])),
    ]
    free = make_choice([Chars(raw), make_sequence("\\", make_choice(escapes))])
    return Signs(raw, _PYTHON_LETTERS | {ord(quote): quote}, ("\\x", 2), free)


class Quotes(NamedTuple):
    """The quotes around a text, and the spelling of its characters.

    #: is_plain: whether there are no escapes, so that no text has the mark itself
    """

    mark: str
    signs: Signs
    is_plain: bool = False


class GrammarSpelling(NamedTuple):
    """The spelling of constants, texts, keys and blanks in a notation of values.

    #: name: that of its rules, in lower case
    #: quotes: those of texts, the first of which stand around keys, too
    #: null, true, false: the words
    #: blank: what may stand between the parts of a value
    #: bare: whether keys that are names of Python have no quotes
    #: digits: the most digits in a row where a number may have any; key_length: the most characters
    #:     of a key that may be any text
    """

    name: str
    quotes: tuple[Quotes, ...]
    null: str = "null"
    true: str = "true"
    false: str = "false"
    blank: Part = EMPTY
    bare: bool = False
    digits: int | None = None
    key_length: int | None = None

    def limit(self, bounds: WriteBounds) -> GrammarSpelling:
        """Copy the spelling with the digits and the length of keys that *bounds* allow."""
        return self._replace(digits=bounds.digits, key_length=bounds.longest)


_INDENT = make_sequence("\n", make_repeat(make_chars("\t\t  "), 0, MAX_INDENT))
_BLANK = make_optional(Terminal(make_choice([Literal(" "), _INDENT])))


def make_json_spelling(name: str, signs: str) -> GrammarSpelling:
    """Make a JSON spelling *name* in which the characters *signs* are escaped."""
    return GrammarSpelling(name, (Quotes('"', _make_json_signs(signs)),), blank=_BLANK)


JSON = make_json_spelling("json", "")

_SINGLE, _DOUBLE = Quotes("'", _make_python_signs("'")), Quotes('"', _make_python_signs('"'))
PYTHON = GrammarSpelling("python", (_SINGLE, _DOUBLE), "None", "True", "False", _BLANK)


def make_plain_signs(marks: Iterable[str]) -> Signs:
    """Make a spelling without escapes, which excludes the first character of *marks*."""
    return Signs(exclude_codes([ord(mark[0]) for mark in marks]))


def make_bare_spelling(mark: str) -> GrammarSpelling:
    """Make a spelling with unquoted keys, and with *mark* as the quote of texts."""
    return GrammarSpelling("bare", (Quotes(mark, make_plain_signs([mark]), True),), bare=True)
