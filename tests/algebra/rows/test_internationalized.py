"""The ASCII forms of internationalized labels of host names."""

from __future__ import annotations

import pytest

from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.internationalized import is_a_label

# The cases of the official tests of the format idn-hostname, and some of RFC 5892.
VALID = {
    "Hangul": "실례", "sharp s": "ß", "final sigma": "ας", "Sindhi sign": "\u06fd",
    "middle dot": "l·l", "Greek keraia": "α͵β", "Hebrew geresh": "א׳ב", "gershayim": "א״ב",
    "katakana dot, hiragana": "・ぁ", "katakana dot, katakana": "・ァ", "katakana dot, Han": "・丈",
    "Arabic digits": "ب٠ب", "extended digits": "۰0", "joiner after virama": "क्\u200dष",
    "non-joiner after virama": "क्\u200cष", "non-joiner in Arabic": "بي\u200cبي", "digits": "३",
}  # fmt: skip
INVALID = {
    "Hangul tone mark first": "\u302e실례", "Hangul tone mark": "실\u302e례",
    "spacing mark first": "\u0903hello", "nonspacing mark first": "\u0300hello",
    "enclosing mark first": "\u0488hello", "right to left": "\u0640\u07fa",
    "left to right": "\u3031\u3032\u3033\u3034\u3035\u302e\u302f\u303b",
    "dot without l before": "a·l", "dot first": "·l", "dot without l behind": "l·a", "dot last": "l·",
    "keraia without Greek": "α͵s", "keraia last": "α͵", "geresh without Hebrew": "a׳ב",
    "geresh first": "׳ב", "gershayim first": "״ב", "katakana dot alone": "def・abc", "dot only": "・",
    "mixed digits": "ب٠۰", "joiner without virama": "क\u200dष", "joiner first": "\u200dष",
    "non-joiner first": "\u200cب", "upper case": "Ü", "hyphens third and fourth": "aä--b",
    "hyphen first": "-ä", "hyphen last": "ä-", "symbol": "❤", "wide letter": "ａ", "Jamo": "\u1100",
    "not composed": "u\u0308", "blank": "ä b",
}  # fmt: skip


def ascii_form(label: str) -> str:
    return "xn--" + label.encode("punycode").decode("ascii")


@pytest.mark.parametrize("label", VALID.values(), ids=VALID)
def test_a_label_that_idna_2008_allows_is_part_of_a_host_name(label):
    assert FORMATS["hostname"](f"www.{ascii_form(label)}.example")
    assert FORMATS["hostname"](ascii_form(label).upper())


@pytest.mark.parametrize("label", INVALID.values(), ids=INVALID)
def test_a_label_that_idna_2008_refuses_is_none(label):
    assert not is_a_label(ascii_form(label))


@pytest.mark.parametrize(
    "label", ["xn--", "xn--a", "xn--abc", "xn--X", "xn--99999999", "xn--a-", "xn---"]
)
def test_what_is_no_punycode_is_no_label(label):
    assert not FORMATS["hostname"](label)
