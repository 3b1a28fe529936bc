"""Labels of internationalized host names, as RFC 5891 and RFC 5892 have them (IDNA 2008)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

#: Characters that RFC 5892 allows or refuses by name, whatever their category.
_ALLOWED = frozenset("-\u00df\u03c2\u06fd\u06fe\u0f0b\u3007")
_REFUSED = frozenset("\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b")
#: Jamo that are parts of a syllable: they are written as the syllable.
_JAMO = ((0x1100, 0x11FF), (0xA960, 0xA97C), (0xD7B0, 0xD7FB))

_VIRAMA = 9
_ARABIC_DIGITS = frozenset(map(chr, range(0x660, 0x66A)))
_EXTENDED_DIGITS = frozenset(map(chr, range(0x6F0, 0x6FA)))


def is_a_label(label: str) -> bool:
    """Whether *label*, which begins with `xn--`, is a valid Punycode domain label.

    >>> is_a_label("xn--bcher-kva"), is_a_label("xn--X")
    (True, False)
    """
    encoded = label[4:].lower()
    try:
        text = encoded.encode("ascii").decode("punycode")
        same = text.encode("punycode").decode("ascii") == encoded
    except ValueError:
        return False
    return same and not text.isascii() and _is_u_label(text)


def _is_u_label(text: str) -> bool:
    """Whether *text* is a valid Unicode label of an internationalized domain name."""
    if unicodedata.normalize("NFC", text) != text or text[2:4] == "--":
        return False
    if text[0] == "-" or text[-1] == "-" or unicodedata.category(text[0])[0] == "M":
        return False
    return all(_is_allowed(text, at) for at in range(len(text)))


def _is_allowed(text: str, at: int) -> bool:
    """Whether a domain label may have the character at index *at* of *text*."""
    char = text[at]
    if char in _IN_CONTEXT:
        return _IN_CONTEXT[char](text, at)
    if char in _ALLOWED:
        return True
    if char in _REFUSED or any(low <= ord(char) <= high for low, high in _JAMO):
        return False
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())
    return folded == char and unicodedata.category(char) in ("Ll", "Lo", "Lm", "Mn", "Mc", "Nd")


def _is_named(char: str, *scripts: str) -> bool:
    """Whether the Unicode name of *char* begins with one of *scripts*, such as `GREEK`."""
    return unicodedata.name(char, "").startswith(scripts)


def _follows_virama(text: str, at: int) -> bool:
    """Whether the character at index *at* of *text* follows a virama sign."""
    return at > 0 and unicodedata.combining(text[at - 1]) == _VIRAMA


def _is_joined(text: str, at: int) -> bool:
    """Whether the joiner at *at* of *text* is between Arabic letters or after a virama."""
    # The tables of Python do not tell which letters join; those of the Arabic script do.
    around = text[at - 1 : at] + text[at + 1 : at + 2]
    arabic = len(around) == 2 and all(_is_named(char, "ARABIC LETTER") for char in around)
    return arabic or _follows_virama(text, at)


def _follows_hebrew(text: str, at: int) -> bool:
    """Whether the character at index *at* of *text* follows a Hebrew character."""
    return _is_named(text[at - 1 : at] or " ", "HEBREW")


def _with_japanese(text: str, _at: int) -> bool:
    """Whether *text* has a Hiragana, Katakana or CJK character besides the middle dot."""
    scripts = ("HIRAGANA", "KATAKANA", "CJK")
    return any(char != "\u30fb" and _is_named(char, *scripts) for char in text)


def _exclude_digits(digits: frozenset[str]) -> Callable[[str, int], bool]:
    """Build the test that a text, at any index, has none of the characters *digits*."""
    return lambda text, _at: digits.isdisjoint(text)


#: The characters that may only stand in some places (RFC 5892, appendix A).
_IN_CONTEXT: dict[str, Callable[[str, int], bool]] = {
    "\u00b7": lambda text, at: text[at - 1 : at] == "l" and text[at + 1 : at + 2] == "l",
    "\u0375": lambda text, at: _is_named(text[at + 1 : at + 2] or " ", "GREEK"),
    "\u05f3": _follows_hebrew,
    "\u05f4": _follows_hebrew,
    "\u200c": _is_joined,
    "\u200d": _follows_virama,
    "\u30fb": _with_japanese,
    **dict.fromkeys(_ARABIC_DIGITS, _exclude_digits(_EXTENDED_DIGITS)),
    **dict.fromkeys(_EXTENDED_DIGITS, _exclude_digits(_ARABIC_DIGITS)),
}
