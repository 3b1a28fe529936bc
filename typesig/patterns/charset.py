"""Sets of characters, as sorted ranges of code points.

No set contains a surrogate: a text with a surrogate is not valid Unicode, and no pattern is found
in it.  The Unicode database is read when the first class needs it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

#: Sorted ranges of code points, including both ends; no two ranges touch.
Charset = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
ALL: Charset = ((0, 0xD7FF), (0xE000, LAST))


def make_charset(ranges: Iterable[tuple[int, int]]) -> Charset:
    """Return the set of the characters in *ranges*, which may overlap and touch.

    >>> make_charset([(98, 100), (97, 97), (99, 105)])
    ((97, 105),)
    """
    out: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if out and low <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(high, out[-1][1]))
        else:
            out.append((low, high))
    if any(low <= 0xDFFF and high >= 0xD800 for low, high in out):
        return tuple([piece for each in out for piece in _drop_surrogates(*each)])
    return tuple(out)


def _drop_surrogates(low: int, high: int) -> list[tuple[int, int]]:
    """Split the code point range from *low* to *high* so that it has no surrogates."""
    pieces = [(low, min(high, 0xD7FF)), (max(low, 0xE000), high)]
    return [(first, last) for first, last in pieces if first <= last]


def make_complement(ranges: Charset) -> Charset:
    """Return the set of the characters that are not in *ranges*."""
    out, start = [], 0
    for low, high in ranges:
        if low > start:
            out.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        out.append((start, LAST))
    return make_charset(out)


def _from_ends(text: str) -> Charset:
    """Build a character set from *text*, whose pairs of characters bound ranges."""
    return make_charset(
        (ord(low), ord(high)) for low, high in zip(text[::2], text[1::2], strict=True)
    )


#: The sets of ECMA-262.
DIGIT = _from_ends("09")
WORD = _from_ends("09AZ__az")
SPACE = _from_ends(
    "\t\r  \xa0\xa0\u1680\u1680\u2000\u200a\u2028\u2029\u202f\u202f\u205f\u205f\u3000\u3000"
)
SPACE = make_charset([*SPACE, (0xFEFF, 0xFEFF)])
LINE_ENDS = _from_ends("\n\n\r\r\u2028\u2029")

#: The sets that escapes such as `\d` and `\D` stand for, by letter.
ESCAPED = {"d": DIGIT, "w": WORD, "s": SPACE}
ESCAPED |= {name.upper(): make_complement(ranges) for name, ranges in ESCAPED.items()}


@lru_cache(maxsize=512)
def ignore_case(ranges: Charset) -> Charset:
    """Extend *ranges* by all characters that differ from a member only in case."""
    from bisect import bisect_right

    if sum(high - low + 1 for low, high in ranges) < len(_build_case_groups()):
        # Each character of a small set is looked up.
        known = _group_of_each()
        codes = [code for low, high in ranges for code in range(low, high + 1)]
        others = [other for code in codes for other in known.get(code, ())]
        return make_charset([*ranges, *((other, other) for other in others)])
    starts = [low for low, _ in ranges]
    added: list[tuple[int, int]] = []
    for group in _build_case_groups():
        for code in group:
            place = bisect_right(starts, code) - 1
            if place >= 0 and code <= ranges[place][1]:
                added += [(other, other) for other in group]
                break
    return make_charset([*ranges, *added])


@lru_cache(maxsize=1)
def _build_case_groups() -> tuple[tuple[int, ...], ...]:
    """Return the groups of characters that differ only in case, by Unicode's simple folding."""
    groups: dict[str, list[int]] = {}
    # No letter beyond this block has a case.
    for code in range(0x1E944):
        c = chr(code)
        folded = c.casefold()
        if len(folded) > 1:
            # The full folding has several characters: take the lower case if it is a single one.
            folded = c.lower() if len(c.lower()) == 1 else c
        if folded != c:
            groups.setdefault(folded, [ord(folded)]).append(code)
    return tuple([tuple(group) for group in groups.values()])


@lru_cache(maxsize=1)
def _group_of_each() -> dict[int, tuple[int, ...]]:
    """Map code points to their group of characters that differ only in case."""
    return {code: group for group in _build_case_groups() for code in group}


#: The long names of general categories, which ECMA-262 allows besides the short ones.
CATEGORIES = {
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
def find_category(name: str) -> Charset | None:
    """Find the characters of the Unicode category *name*; None if there is none.

    >>> find_category("Zl"), find_category("Line_Separator"), find_category("Greek")
    (((8232, 8232),), ((8232, 8232),), None)
    """
    if name in ("Any", "ASCII"):
        return ALL if name == "Any" else ((0, 0x7F),)
    name = CATEGORIES.get(name, name)
    if name not in CATEGORIES.values():
        return None
    short = ("Lu", "Ll", "Lt") if name == "LC" else (name,)
    return make_charset(
        r for kind, ranges in _group_by_category().items() if kind.startswith(short) for r in ranges
    )


@lru_cache(maxsize=1)
def _group_by_category() -> dict[str, list[tuple[int, int]]]:
    """Group the code points of Unicode into ranges by general category."""
    from itertools import chain, groupby
    from unicodedata import category as category_of

    found: dict[str, list[tuple[int, int]]] = {}
    # The planes in between are unassigned, and the last two are for private use.
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
def find_script(name: str) -> Charset | None:
    """Find the characters of the Unicode script *name* by RE2; None if not available."""
    re2 = load_google_re2()
    if re2 is None:
        return None
    options = re2.Options()
    options.log_errors = False
    try:
        runs = re2.compile(rf"\p{{{name}}}+", options).finditer(
            "".join(map(chr, [*range(0xD800), *range(0xE000, LAST + 1)]))
        )
    except re2.error:
        return None
    spans = [run.span() for run in runs]
    return make_charset((_get_code_at(start), _get_code_at(stop - 1)) for start, stop in spans)


def _get_code_at(index: int) -> int:
    """Return the code point at *index* in the string of all non-surrogate characters."""
    return index if index < 0xD800 else index + 0x800


#: What is used of the module.  Modules of other projects have the same name: pyre2 and fb-re2 lack
#: some of these.
_USED = ("Options", "compile", "error")
_USED_OPTIONS = ("log_errors", "max_mem", "never_capture")


def load_google_re2() -> Any:
    """Return the module of google-re2, or None if it is not installed."""
    try:
        import re2
    except Exception:
        # Whatever lies on the path under that name may raise anything when it is imported.
        return None
    offered = all(hasattr(re2, name) for name in _USED)
    return re2 if offered and all(hasattr(re2.Options, name) for name in _USED_OPTIONS) else None
