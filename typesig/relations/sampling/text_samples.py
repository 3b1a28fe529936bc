"""Sample texts of each format and facts about all of its texts, one row each.

To add a format, add its row.  Tests compare the rows with `typesig.algebra.rows.formats.FORMATS`
and check the facts on sample texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple, assert_never

from typesig import patterns
from typesig.algebra.rows.formats import FORMATS
from typesig.errors import TypesigError
from typesig.limits import MAX_DIGITS, MAX_MADE
from typesig.relations.step_budget import Work

_HEX = "0123456789abcdefABCDEF"
_DIGITS = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_WORD = _LOWER + _LOWER.upper() + _DIGITS
_PRINTED = "".join(map(chr, range(0x20, 0x7F)))
_URI = _WORD + "._~:/?#[]@!$&'()*+,;=-%"


class FormatTexts(NamedTuple):
    """Table row of one format: text maker, lengths, characters, related formats.

    #: make: makes a text of the format, of about the given length if lengths vary
    #: low, high: the fewest and the most characters, or None for no limit
    #: marks: characters that every text contains
    #: letters: the only characters that a text may contain, or empty for any
    #: within: the other formats that every text conforms to
    #: apart: formats that no text conforms to, which the other facts do not tell
    #: inferred: whether texts of it are recognized; ordinary words or numbers are of some formats,
    #:     and another format is the usual meaning of the texts of others
    """

    make: Callable[[Random, int], str]
    low: int
    high: int | None
    marks: str = ""
    letters: str = ""
    within: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    inferred: bool = False


def _draw_letters(letters: str, count: int, rng: Random) -> str:
    """Draw *count* random characters of *letters*, joined to a text."""
    return "".join(rng.choices(letters, k=max(0, count)))


def _draw_complex(rng: Random, size: int) -> str:
    """Draw the text of a complex number of about *size* characters."""
    return (
        f"{_draw_letters('123456789', max(1, size - 3), rng)}{rng.choice('+-')}{rng.randint(0, 9)}j"
    )


def _make_network(draw: Callable[[Random, int], str], most: int) -> Callable[[Random, int], str]:
    """Build the function that draws an address by *draw*, with a prefix of up to *most* bits."""
    return lambda rng, size: f"{draw(rng, size)}/{rng.randint(0, most)}"


def _draw_date(rng: Random, size: int = 0) -> str:
    """Draw an ISO date; *size* is ignored."""
    year, month, day = rng.randint(1, 9999), rng.randint(1, 12), rng.randint(1, 28)
    return f"{year:04}-{month:02}-{day:02}"


def _draw_clock(rng: Random, size: int) -> str:
    """Draw a time `HH:MM:SS`, with a fraction if *size* is more than 8 characters."""
    text = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}"
    if size > 8:
        text += "." + _draw_letters(_DIGITS, max(size - 9, 1), rng)
    return text


def _draw_offset(rng: Random) -> str:
    """Draw a UTC offset, `Z` or `±HH:MM`."""
    return rng.choice(["Z", f"{rng.choice('+-')}{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"])


def _draw_time(rng: Random, size: int) -> str:
    """Draw an ISO time of about *size* characters, with or without an offset."""
    return _draw_clock(rng, size) + (_draw_offset(rng) if rng.random() < 0.5 or size > 18 else "")


def _draw_offset_time(rng: Random, size: int) -> str:
    """Draw an ISO time with an offset, of about *size* characters."""
    return _draw_clock(rng, size - 1) + (_draw_offset(rng) if size < 9 or size > 14 else "Z")


def _draw_date_time(rng: Random, size: int) -> str:
    """Draw an ISO date and time with an offset, of about *size* characters."""
    return f"{_draw_date(rng)}T{_draw_clock(rng, size - 12)}{_draw_offset(rng)}"


def _draw_decimal(rng: Random, size: int) -> str:
    """Draw a decimal number of about *size* characters, with or without a point."""
    whole = _draw_letters("123456789", max(size - 3, rng.randint(1, 3)), rng)
    return (
        f"{whole}.{_draw_letters(_DIGITS, 2, rng)}" if size != 1 and rng.random() < 0.5 else whole
    )


def _draw_fraction(rng: Random, size: int) -> str:
    """Draw a fraction such as `12/5` or an integer, of about *size* characters."""
    over = f"/{rng.randint(1, 9)}" if size > 2 or (size == 0 and rng.random() < 0.5) else ""
    return _draw_letters("123456789", max(1, size - len(over)), rng) + over


def _draw_duration(rng: Random, size: int) -> str:
    """Draw an ISO duration in days, weeks or minutes, of about *size* characters."""
    digits = _draw_letters("123456789", max(1, size - 2), rng)
    return rng.choice([f"P{digits}D", f"P{digits}W", f"PT{digits[:-1] or 1}M"])


def _draw_whole_duration(rng: Random, size: int) -> str:
    """Draw an ISO duration in years, days, weeks or minutes."""
    return rng.choice(
        [f"P{_draw_letters('123456789', max(1, size - 2), rng)}Y", _draw_duration(rng, size)]
    )


def _draw_pointer(rng: Random, size: int) -> str:
    """Draw a JSON pointer of about *size* characters; it may be empty for size 0."""
    if size == 0 and rng.random() < 0.3:
        return rng.choice(["", "/0/a~1b"])
    return "/" + _draw_letters(_LOWER, max(size - 1, rng.randint(1, 6)), rng)


def _draw_relative_pointer(rng: Random, size: int) -> str:
    """Draw a relative JSON pointer of about *size* characters."""
    digits = str(rng.randint(0, 9))
    return (
        digits if size < 2 and rng.random() < 0.5 else digits + _draw_pointer(rng, max(size - 1, 1))
    )


def _draw_uri_reference(rng: Random, size: int) -> str:
    """Draw a URI or an absolute path of about *size* characters."""
    if size == 0 and rng.random() < 0.5:
        return _draw_uri(rng, 0)
    return "/" + _draw_letters(_LOWER, max(size - 1, rng.randint(0, 6)), rng)


def _draw_labels(rng: Random, size: int) -> str:
    """Draw a host name of dot-separated labels, of about *size* characters."""
    text = _draw_letters(_LOWER, max(1, min(size, 63), rng.randint(0, 8)), rng)
    while len(text) < min(size, 253):
        text += "." + _draw_letters(_LOWER, max(1, min(size - len(text) - 1, 63)), rng)
    return text[:253].strip(".")


def _draw_email(rng: Random, size: int) -> str:
    """Draw an email address of about *size* characters."""
    local = _draw_letters(_LOWER, max(1, min(size - 12, 64), rng.randint(0, 6)), rng)
    if size and size < 8:
        return f"{local[:1]}@{_draw_labels(rng, size - 2)}"[: max(size, 3)]
    return f"{local}@{_draw_labels(rng, size - len(local) - 1)}"


def _draw_ipv4(rng: Random, size: int) -> str:
    """Draw an IPv4 address; a larger *size* makes numbers with more digits."""
    low, high = (0, 9) if size < 10 else (0, 255) if size < 13 else (100, 255)
    return ".".join([str(rng.randint(low, high)) for _ in range(4)])


def _draw_ipv6(rng: Random, size: int) -> str:
    """Draw an IPv6 address, abbreviated with `::` if *size* is below 12."""
    if size < 12:
        return "::" + f"{rng.randint(0, 0xFFFF):x}"
    return ":".join([f"{rng.randint(0, 0xFFFF):04x}" for _ in range(8)])


def _draw_uri(rng: Random, size: int) -> str:
    """Draw a URI of about *size* characters."""
    if size and size < 12:
        return "a:" + _draw_letters(_LOWER, size - 2, rng)
    return "https://" + _draw_letters(_LOWER, max(size - 8, rng.randint(2, 9)), rng)


def _draw_uuid(rng: Random, size: int) -> str:
    """Draw a UUID from random hexadecimal digits; *size* is ignored."""
    return "-".join([_draw_letters(_HEX[:16], count, rng) for count in (8, 4, 4, 4, 12)])


_TIME_LETTERS = _DIGITS + ":.Zz+-"

#: The formats that a text of letters, digits, hyphens and dots conforms to as well.
_HOST = frozenset({"hostname", "uri-reference"})

FORMAT_TEXTS: dict[str, FormatTexts] = {
    "base64": FormatTexts(
        lambda rng, size: _draw_letters(_WORD, 4 * (-(-size // 4)), rng), 0, None, "", _WORD + "+/="
    ),
    "complex": FormatTexts(_draw_complex, 1, None, "", _DIGITS + "+-.eEj"),
    "date": FormatTexts(_draw_date, 10, 10, "-", _DIGITS + "-", _HOST, inferred=True),
    "date-time": FormatTexts(_draw_date_time, 20, None, ":-", _TIME_LETTERS + "Tt", inferred=True),
    "decimal": FormatTexts(_draw_decimal, 1, MAX_DIGITS, "", _DIGITS + "+-.eE"),
    "duration": FormatTexts(_draw_duration, 3, None, "P", _DIGITS + "-.PTWMDHS", inferred=True),
    "email": FormatTexts(
        _draw_email, 3, 254, "@", _PRINTED, apart=frozenset({"uri"}), inferred=True
    ),
    "fraction": FormatTexts(_draw_fraction, 1, None, "", _DIGITS + "+-./"),
    "hostname": FormatTexts(_draw_labels, 1, 253, "", _WORD + "-.", frozenset({"uri-reference"})),
    "ipv4": FormatTexts(_draw_ipv4, 7, 15, ".", _DIGITS + ".", _HOST, inferred=True),
    "ipv6": FormatTexts(_draw_ipv6, 2, 45, ":", _HEX + ":.", inferred=True),
    "ipv4-network": FormatTexts(_make_network(_draw_ipv4, 32), 9, 18, "./", _DIGITS + "./"),
    "ipv6-network": FormatTexts(_make_network(_draw_ipv6, 128), 4, 49, ":/", _HEX + ":./"),
    "json-pointer": FormatTexts(_draw_pointer, 0, None),
    "offset-time": FormatTexts(_draw_offset_time, 9, None, ":", _TIME_LETTERS),
    "regex": FormatTexts(lambda rng, size: _draw_letters(_WORD, size, rng), 0, None),
    "relative-json-pointer": FormatTexts(_draw_relative_pointer, 1, None),
    "time": FormatTexts(_draw_time, 8, None, ":", _TIME_LETTERS, inferred=True),
    "uri": FormatTexts(_draw_uri, 2, None, ":", _URI, frozenset({"uri-reference"}), inferred=True),
    "uri-reference": FormatTexts(_draw_uri_reference, 0, None, "", _URI),
    "uuid": FormatTexts(_draw_uuid, 36, 36, "-", _HEX + "-", _HOST, inferred=True),
    "whole-duration": FormatTexts(_draw_whole_duration, 3, None, "P", _DIGITS + "PTWYMDHS"),
}


def are_disjoint(a: str, b: str) -> bool:
    """Whether it is certain that no text conforms to both formats *a* and *b*.

    >>> are_disjoint("date", "date-time"), are_disjoint("ipv4", "hostname")
    (True, False)
    """
    one, other = FORMAT_TEXTS[a], FORMAT_TEXTS[b]
    if (one.high is not None and one.high < other.low) or (
        other.high is not None and other.high < one.low
    ):
        return True
    return (
        b in one.apart
        or a in other.apart
        or _excludes_required_character(one, other)
        or _excludes_required_character(other, one)
    )


def _excludes_required_character(one: FormatTexts, other: FormatTexts) -> bool:
    """Whether format *other* excludes a character that texts of format *one* need."""
    return bool(other.letters) and not set(one.marks) <= set(other.letters)


def _is_url(text: str) -> bool:
    """Whether *text* is a URI that contains `://`."""
    # Any word followed by a colon is a URI of some scheme.
    return "://" in text and FORMATS["uri"](text)


#: The tests by which formats are recognized; the first that all texts pass is inferred.
RECOGNIZERS: dict[str, Callable[[str], bool]] = {
    name: _is_url if name == "uri" else FORMATS[name]
    for name, row in FORMAT_TEXTS.items()
    if row.inferred
}


# --- Texts that match a pattern, made from the pattern itself ---

#: Characters that a text is made of where the pattern allows them.
_PLAIN = ((97, 122), (48, 57), (65, 90))


@lru_cache(maxsize=512)
def parse_pattern(pattern: str) -> patterns.Node | None:
    """Return *pattern* as a tree, or None if it cannot be parsed."""
    try:
        return patterns.parse_pattern(pattern)
    except TypesigError:
        return None


def get_min_length(pattern: str) -> int:
    """Return the fewest characters of a text that matches *pattern*.

    >>> get_min_length("^[a-z]{2,}-?$")
    2
    """
    node = parse_pattern(pattern)
    return 0 if node is None else patterns.measure_width(node)[0]


def iter_matching_texts(pattern: str, rng: Random, work: Work, low: int = 0) -> Iterator[str]:
    """Yield texts that are likely to match *pattern*, the longer ones about *low* long.

    Making them takes steps of *work*.

    >>> "abb" in iter_matching_texts("^ab{2}$", Random(0), Work())
    True
    """
    node = parse_pattern(pattern)
    if node is None or patterns.measure_width(node)[0] > MAX_MADE:
        return
    for more in (0, 1, 3, max(low - patterns.measure_width(node)[0], 0), 8, low, 2 * low, 20):
        text = _TextMaker(rng, work, min(more, MAX_MADE)).make_text(node)
        # A pattern without anchors matches with other text around it.
        missing = min(max(low - len(text), rng.randint(1, 3)), MAX_MADE)
        fill = "".join(rng.choices("abcdefgh", k=missing))
        found = [text, text, text + fill, f"{fill} {text}", f"{text} {fill}"]
        rng.shuffle(found)
        yield from found


class _TextMaker:
    """Maker of texts that match a pattern; repetitions get up to *more* extra rounds.

    #: left: how many parts are made before repetitions come no more often than they must
    """

    def __init__(self, rng: Random, work: Work, more: int) -> None:
        self.rng = rng
        self.work = work
        self.more = more
        self.left = MAX_MADE

    def make_text(self, node: patterns.Node) -> str:
        """Make a text that matches *node*, with texts for its lookaheads inserted."""
        self.left -= 1
        self.work.take(self.left % 2)
        match node:
            case patterns.Chars(ranges):
                return _draw_char(ranges, self.rng)
            case patterns.Sequence(parts):
                return self._make_sequence(parts)
            case patterns.Choice(branches):
                return self.make_text(self.rng.choice(branches))
            case patterns.Repeat(part, low, high):
                most = low + self.more if high is None else min(high, low + self.more)
                count = self.rng.randint(low, most)
                return "".join(
                    [self.make_text(part) for at in range(count) if at < low or self.left > 0]
                )
            case patterns.Look() | patterns.Anchor():
                return ""
            case _:
                assert_never(node)

    def _make_sequence(self, parts: tuple[patterns.Node, ...]) -> str:
        """Make a text for a sequence of pattern nodes, with its lookaheads."""
        pieces = [self.make_text(part) for part in parts]
        for part in parts:
            if isinstance(part, patterns.Look) and not part.negative:
                # The lookahead usually begins with `.*`, so its narrow part can stand anywhere.
                wanted = _TextMaker(self.rng, self.work, 0).make_text(_narrow(part.part))
                text = "".join(pieces)
                at = self.rng.randint(0, len(text))
                pieces = [text[:at], wanted, text[at:]]
        return "".join(pieces)


def _narrow(node: patterns.Node) -> patterns.Node:
    """Drop the parts of the pattern *node* that may match the empty text."""
    if isinstance(node, patterns.Sequence):
        wide = [part for part in node.parts if patterns.measure_width(part)[0]]
        return patterns.Sequence(tuple(wide))
    return node if patterns.measure_width(node)[0] else patterns.EMPTY


def _draw_char(ranges: patterns.Charset, rng: Random) -> str:
    """Draw a character of *ranges*, preferably a plain letter or digit."""
    plain = [
        (max(low, first), min(high, last))
        for first, last in _PLAIN
        for low, high in ranges
        if low <= last and high >= first
    ]
    low, high = rng.choice(plain or ranges[:4] or ((63, 63),))
    return chr(rng.randint(low, min(high, low + 25)))
