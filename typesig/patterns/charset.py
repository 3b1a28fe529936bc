"""Sets of characters: sorted ranges of code points, which a pattern's classes are made of.

No set holds a surrogate: a text that has one is no Unicode text, and no pattern is found in it.
What Unicode says of characters is read from `unicodedata` at the first class that asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

#: Sorted ranges of code points, both ends included, no two of which touch.
Charset = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
ALL: Charset = ((0, 0xD7FF), (0xE000, LAST))


def charset(ranges: Iterable[tuple[int, int]]) -> Charset:
    """Return the set of all characters within *ranges*.

    >>> charset([(98, 100), (97, 97), (99, 105)])
    ((97, 105),)
    """
    out: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if out and low <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(high, out[-1][1]))
        else:
            out.append((low, high))
    if any(low <= 0xDFFF and high >= 0xD800 for low, high in out):
        return tuple([piece for each in out for piece in _without_surrogates(*each)])
    return tuple(out)


def _without_surrogates(low: int, high: int) -> list[tuple[int, int]]:
    pieces = [(low, min(high, 0xD7FF)), (max(low, 0xE000), high)]
    return [(first, last) for first, last in pieces if first <= last]


def complement(ranges: Charset) -> Charset:
    """Return the set of all characters that *ranges* has not."""
    out, start = [], 0
    for low, high in ranges:
        if low > start:
            out.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        out.append((start, LAST))
    return charset(out)


def _said(text: str) -> Charset:
    """Return the set of pairs: each two characters of *text* are the ends of a range."""
    return charset((ord(low), ord(high)) for low, high in zip(text[::2], text[1::2], strict=True))


#: What the escapes mean in ECMA-262.
DIGIT = _said("09")
WORD = _said("09AZ__az")
SPACE = _said(
    "\t\r  \xa0\xa0\u1680\u1680\u2000\u200a\u2028\u2029\u202f\u202f\u205f\u205f\u3000\u3000"
)
SPACE = charset([*SPACE, (0xFEFF, 0xFEFF)])
LINE_ENDS = _said("\n\n\r\r\u2028\u2029")
ESCAPED = {"d": DIGIT, "w": WORD, "s": SPACE}
ESCAPED |= {name.upper(): complement(ranges) for name, ranges in ESCAPED.items()}


@lru_cache(maxsize=512)
def caseless(ranges: Charset) -> Charset:
    """Return *ranges* and all that differs from one of its characters by case alone."""
    from bisect import bisect_right

    starts = [low for low, _ in ranges]
    added: list[tuple[int, int]] = []
    for kin in _kin():
        for code in kin:
            place = bisect_right(starts, code) - 1
            if place >= 0 and code <= ranges[place][1]:
                added += [(other, other) for other in kin]
                break
    return charset([*ranges, *added])


@lru_cache(maxsize=1)
def _kin() -> tuple[tuple[int, ...], ...]:
    """Return the groups of characters that differ by case alone: Unicode's simple folding."""
    groups: dict[str, list[int]] = {}
    # Beyond this block no letter has a case.
    for code in range(0x1E944):
        c = chr(code)
        folded = c.casefold()
        if len(folded) > 1:
            # Folded to several characters: by itself, or by its lower case where that is one.
            folded = c.lower() if len(c.lower()) == 1 else c
        if folded != c:
            groups.setdefault(folded, [ord(folded)]).append(code)
    return tuple([tuple(group) for group in groups.values()])


#: The long names of general categories, as ECMA-262 takes them beside the short ones.
_CATEGORIES = {
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo",
    "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc",
    "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
    "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
    "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf",
    "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs",
    "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc",
    "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
}  # fmt: skip


@lru_cache(maxsize=64)
def category(name: str) -> Charset | None:
    """Return the characters of a general category, or None where Unicode has no such one.

    >>> category("Zl"), category("Line_Separator"), category("Greek")
    (((8232, 8232),), ((8232, 8232),), None)
    """
    if name in ("Any", "ASCII"):
        return ALL if name == "Any" else ((0, 0x7F),)
    name = _CATEGORIES.get(name, name)
    if name not in _CATEGORIES.values():
        return None
    short = ("Lu", "Ll", "Lt") if name == "LC" else (name,)
    return charset(
        r for kind, ranges in _by_category().items() if kind.startswith(short) for r in ranges
    )


@lru_cache(maxsize=1)
def _by_category() -> dict[str, list[tuple[int, int]]]:
    from itertools import chain, groupby
    from unicodedata import category as category_of

    found: dict[str, list[tuple[int, int]]] = {}
    # The planes between these are empty, and the last two are for private use.
    codes = chain(range(0x40000), range(0xE0000, 0xE1000))
    for kind, group in groupby(codes, lambda code: category_of(chr(code))):
        run = list(group)
        if run[0] < 0xE0000 <= run[-1]:
            found.setdefault(kind, []).extend([(run[0], 0x3FFFF), (0xE0000, run[-1])])
        else:
            found.setdefault(kind, []).append((run[0], run[-1]))
    found["Cn"] += [(0x40000, 0xDFFFF), (0xE1000, 0xEFFFF), (0xFFFFE, 0xFFFFF), (LAST - 1, LAST)]
    found["Co"] += [(0xF0000, 0xFFFFD), (0x100000, LAST - 2)]
    return found


@lru_cache(maxsize=64)
def script(name: str) -> Charset | None:
    """Return the characters of a script, or None where RE2, which knows them, does not say."""
    try:
        import re2
    except ImportError:
        return None
    options = re2.Options()
    options.log_errors = False
    try:
        runs = re2.compile(rf"\p{{{name}}}+", options).finditer(_every())
    except re2.error:
        return None
    spans = [run.span() for run in runs]
    # A place in that text is a code point, less the surrogates that it leaves out.
    return charset((_code(start), _code(stop - 1)) for start, stop in spans)


def _every() -> str:
    return "".join(map(chr, [*range(0xD800), *range(0xE000, LAST + 1)]))


def _code(place: int) -> int:
    return place if place < 0xD800 else place + 0x800
