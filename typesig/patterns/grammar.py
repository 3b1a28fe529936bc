r"""The grammar of ECMA-262 for regular expressions, exactly: what the format `regex` tests.

It is the grammar with the flag `u`, which JSON Schema asks for, and with what ES2025 added: the
flags of a group, and a name that groups of different alternatives share.  Nothing is built, and
nothing recurs, so that the verdict is decided for each nesting and each size, in linear time.
`reader` makes trees of the patterns of types; it reads more than this, and searches less.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from typesig.patterns.charset import CATEGORIES, LAST

#: What opens a group; a name follows `(?<`, and is read by `names`.
_OPENING = re.compile(
    r"\((?:\?(?:(?P<look><?[=!])|(?P<named><)|(?P<on>[ims]*)(?P<off>-[ims]*)?:))?"
)
_QUANTIFIER = re.compile(r"(?:[*+?]|\{(?P<low>[0-9]+)(?:,(?P<high>[0-9]*))?\})\??")
_PLAIN = re.compile(r"[^\\^$*+?()\[\]{}|]+")
_ASSERTION = re.compile(r"[\^$]|\\[bB]")
_BACK_REFERENCE = re.compile(r"\\(?:(?P<number>[1-9][0-9]*)|k(?P<named><))")
_ESCAPE = re.compile(
    r"\\(?:(?P<set>[dDsSwW])|[pP]\{(?:(?P<key>[A-Za-z_]+)=)?(?P<value>[A-Za-z_]+)\}"
    r"|(?P<control>[fnrtv]|0(?![0-9]))|c(?P<letter>[A-Za-z])|(?P<itself>[\^$\\.*+?()\[\]{}|/])"
    r"|(?P<code>x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]+\}))"
)
_LOW_HALF = re.compile(r"\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")
CONTROLS = {"0": 0, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_NAME_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]+\})")
#: The characters of ID_Start and of ID_Continue that Python, which takes XID_Start and
#: XID_Continue, does not take in its names.
_MORE_STARTS = frozenset(
    "\u037a\u0e33\u0eb3\u309b\u309c\ufc5e\ufc5f\ufc60\ufc61\ufc62\ufc63\ufdfa\ufdfb\ufe70\ufe72"
    "\ufe74\ufe76\ufe78\ufe7a\ufe7c\ufe7e\uff9e\uff9f$_"
)
_MORE_PARTS = _MORE_STARTS | frozenset("\u30fb\uff65\u200c\u200d")


class InvalidPattern(Exception):
    """The error for a text that is no regular expression of ECMA-262."""


def is_pattern(text: str) -> bool:
    r"""Whether *text* is a regular expression of ECMA-262 with the flag `u`.

    >>> is_pattern(r"^(?<year>\d{4})$"), is_pattern("(?<n>a)(?<n>b)"), is_pattern("{")
    (True, False, False)
    """
    try:
        _Recognizer(text).check_whole()
    except InvalidPattern:
        return False
    return True


class GroupNames:
    """Group names of one pattern, with a check for forbidden duplicates.

    Two groups may share a name if at most one of them can take part in a match: they are in
    different alternatives of one choice.
    """

    __slots__ = ("last", "opened", "started")

    def __init__(self) -> None:
        # For each open group, the outermost being the whole: where it starts, and its alternative.
        self.opened = [-1]
        self.started = [-1]
        self.last: dict[str, int] = {}

    def open(self, place: int) -> None:
        """Record the start of a group at *place*."""
        self.opened.append(place)
        self.started.append(place)

    def start_alternative(self, place: int) -> None:
        """Record that an alternative of the innermost group starts at index *place*."""
        self.started[-1] = place

    def close(self) -> None:
        """Record the end of the innermost group."""
        self.opened.pop()
        self.started.pop()

    def add(self, name: str, place: int) -> bool:
        """Add group *name* at index *place*; False if the name is a forbidden duplicate.

        The last group of that name is enough to look at: an earlier one shares less with this.
        """
        before = self.last.get(name)
        self.last[name] = place
        if before is None:
            return True
        # The innermost open group that the other one is in.
        around = bisect_left(self.opened, before) - 1
        return before < self.started[around]


class _Recognizer:
    """Recognizer that reads one pattern from left to right and checks its grammar."""

    __slots__ = (
        "at", "groups", "looks", "names", "repeatable", "text", "used_names", "used_number",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.groups = 0
        # Whether each open group is a lookahead or a lookbehind.
        self.looks: list[bool] = []
        self.names = GroupNames()
        self.repeatable = False
        self.used_names: set[str] = set()
        self.used_number = "0"

    def check_whole(self) -> None:
        """Raise `InvalidPattern` unless the whole text is a valid pattern."""
        while self.at < len(self.text):
            self.repeatable = (
                self.take_match(_PLAIN.match(self.text, self.at)) is not None or self.read_sign()
            )
        groups = str(self.groups)
        beyond = is_less(groups, self.used_number)
        if self.looks or beyond or not self.used_names <= self.names.last.keys():
            raise InvalidPattern

    def take_match(self, found: re.Match[str] | None) -> re.Match[str] | None:
        """Advance past the match *found* and return it; None changes nothing."""
        if found is not None:
            self.at = found.end()
        return found

    def read_sign(self) -> bool:
        """Read a special construct; return whether a quantifier may follow."""
        match self.text[self.at]:
            case "(":
                self.open()
                return False
            case ")":
                return self.close()
            case "[":
                self.at += 1
                self.set()
                return True
            case "|":
                self.names.start_alternative(self.at)
                self.at += 1
                return False
        if self.take_match(_ASSERTION.match(self.text, self.at)):
            return False
        if found := self.take_match(_BACK_REFERENCE.match(self.text, self.at)):
            self.read_reference(found)
            return True
        if found := self.take_match(_QUANTIFIER.match(self.text, self.at)):
            self.read_quantifier(found)
            return False
        self.read_escape()
        return True

    def read_reference(self, found: re.Match[str]) -> None:
        """Record the group name or number that a backreference uses."""
        if found["named"]:
            self.used_names.add(self.name())
        elif is_less(self.used_number, found["number"]):
            self.used_number = found["number"]

    def read_quantifier(self, found: re.Match[str]) -> None:
        """Check the quantifier *found*: something to repeat, and ordered bounds."""
        if not self.repeatable or (found["high"] and is_less(found["high"], found["low"])):
            raise InvalidPattern

    def open(self) -> None:
        """Read the opening of a group, with its name, flags or lookaround sign."""
        place = self.at
        opening = self.take_match(_OPENING.match(self.text, self.at))
        # What is no group of the grammar opens a plain one, whose `?` repeats nothing.
        assert opening is not None
        on, off = opening["on"], opening["off"]
        if on is not None and not are_flags(on, off):
            raise InvalidPattern
        if opening["named"] and not self.names.add(self.name(), place):
            raise InvalidPattern
        # A group counts if its text is kept: a plain one, or one with a name.
        self.groups += opening["look"] is None and on is None
        self.looks.append(opening["look"] is not None)
        self.names.open(place)

    def close(self) -> bool:
        """Read a closing parenthesis; return whether a quantifier may follow."""
        self.at += 1
        if not self.looks:
            raise InvalidPattern
        self.names.close()
        return not self.looks.pop()

    def name(self) -> str:
        """Read the name of a group, after its `<`."""
        end = self.text.find(">", self.at)
        name = group_name(self.text[self.at : end]) if end >= 0 else None
        if name is None:
            raise InvalidPattern
        self.at = end + 1
        return name

    def read_escape(self) -> int | None:
        """Read a character escape; return its code point, or None for a set."""
        found = self.take_match(_ESCAPE.match(self.text, self.at))
        if found is None:
            raise InvalidPattern
        if value := found["value"]:
            if not is_property(found["key"] or "", value):
                raise InvalidPattern
            return None
        if found["set"]:
            return None
        if itself := found["itself"]:
            return ord(itself)
        if letter := found["letter"]:
            return ord(letter) % 32
        if control := found["control"]:
            return CONTROLS[control]
        code = read_code_point(found["code"])
        if code is None:
            raise InvalidPattern
        if not found["code"].startswith("u{"):
            code, self.at = with_low_half(code, self.text, self.at)
        return code

    def set(self) -> None:
        """Read a character class, after the `[`."""
        self.take("^")
        while not self.take("]"):
            first = self.read_member()
            if not self.text.startswith("-", self.at) or self.text.startswith("-]", self.at):
                continue
            self.at += 1
            last = self.read_member()
            if first is None or last is None or first > last:
                raise InvalidPattern

    def take(self, sign: str) -> bool:
        """Skip *sign* if it comes next in the text; return whether it did."""
        is_there = self.text.startswith(sign, self.at)
        self.at += is_there
        return is_there

    def read_member(self) -> int | None:
        """Read a member of a character class; return its code point, or None for a set."""
        c = self.text[self.at : self.at + 1]
        if not c:
            raise InvalidPattern
        if c != "\\":
            self.at += 1
            return ord(c)
        if (escaped := self.text[self.at + 1 : self.at + 2]) and escaped in "b-":
            self.at += 2
            return 8 if escaped == "b" else ord("-")
        return self.read_escape()


def are_flags(on: str, off: str | None) -> bool:
    """Whether a group may set the flags *on* and clear the flags *off*, such as `-i`."""
    flags = on + (off or "")
    return len(set(flags)) == len(flags) and flags != "-"


def group_name(text: str) -> str | None:
    r"""Decode the group name *text*, which may have escapes; None if it is not valid.

    >>> group_name(r"caf\u00e9"), group_name("1")
    ('café', None)
    """
    name = text
    if "\\" in text:
        codes = [read_code_point(found[1]) for found in _NAME_ESCAPE.finditer(text)]
        left = iter(codes)
        if None in codes or "\\" in _NAME_ESCAPE.sub("", text):
            return None
        halves = _NAME_ESCAPE.sub(lambda _: chr(next(left) or 0), text)
        # Two escapes of UTF-16 are one character.
        name = halves.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    if not name or not (name[0].isidentifier() or name[0] in _MORE_STARTS):
        return None
    return name if all(f"_{c}".isidentifier() or c in _MORE_PARTS for c in name[1:]) else None


def read_code_point(spelled: str) -> int | None:
    """Decode an escape such as `u{1F600}` to a code point; None if out of range."""
    digits = spelled[1:].strip("{}").lstrip("0") or "0"
    code = int(digits, 16) if len(digits) <= 6 else LAST + 1
    return code if code <= LAST else None


def with_low_half(code: int, text: str, at: int) -> tuple[int, int]:
    r"""Join *code* with a low surrogate escape at *at*; return code point and end.

    That is *code* itself, and *at*, unless these are the two halves of a character in UTF-16.

    >>> with_low_half(0xD83D, r"\ude00", 0), with_low_half(0x61, r"\ude00", 0)
    ((128512, 6), (97, 0))
    """
    low = _LOW_HALF.match(text, at) if 0xD800 <= code <= 0xDBFF else None
    if low is None:
        return code, at
    return 0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00, low.end()


def is_less(one: str, other: str) -> bool:
    """Whether the number *one* is less than *other*; either may have many digits.

    >>> is_less("9", "010")
    True
    """
    one, other = one.lstrip("0"), other.lstrip("0")
    return (len(one), one) < (len(other), other)


_CATEGORY_KEYS = frozenset({"General_Category", "gc"})
_SCRIPT_KEYS = frozenset({"Script", "sc", "Script_Extensions", "scx"})

#: The properties without values.
_BINARY = """
    AHex ASCII ASCII_Hex_Digit Alpha Alphabetic Any Assigned Bidi_C Bidi_Control Bidi_M
    Bidi_Mirrored CI CWCF CWCM CWKCF CWL CWT CWU Case_Ignorable Cased Changes_When_Casefolded
    Changes_When_Casemapped Changes_When_Lowercased Changes_When_NFKC_Casefolded
    Changes_When_Titlecased Changes_When_Uppercased DI Dash Default_Ignorable_Code_Point Dep
    Deprecated Dia Diacritic EBase EComp EMod EPres Emoji Emoji_Component Emoji_Modifier
    Emoji_Modifier_Base Emoji_Presentation Ext ExtPict Extended_Pictographic Extender Gr_Base
    Gr_Ext Grapheme_Base Grapheme_Extend Hex Hex_Digit IDC IDS IDSB IDST IDS_Binary_Operator
    IDS_Trinary_Operator ID_Continue ID_Start Ideo Ideographic Join_C Join_Control LOE
    Logical_Order_Exception Lower Lowercase Math NChar Noncharacter_Code_Point Pat_Syn Pat_WS
    Pattern_Syntax Pattern_White_Space QMark Quotation_Mark RI Radical Regional_Indicator SD
    STerm Sentence_Terminal Soft_Dotted Term Terminal_Punctuation UIdeo Unified_Ideograph Upper
    Uppercase VS Variation_Selector White_Space XIDC XIDS XID_Continue XID_Start space
"""

#: The scripts of Unicode 17, by their long and their short names.
_SCRIPTS = """
    Adlam Adlm Aghb Ahom Anatolian_Hieroglyphs Arab Arabic Armenian Armi Armn Avestan Avst Bali
    Balinese Bamu Bamum Bass Bassa_Vah Batak Batk Beng Bengali Berf Beria_Erfe Bhaiksuki Bhks
    Bopo Bopomofo Brah Brahmi Brai Braille Bugi Buginese Buhd Buhid Cakm Canadian_Aboriginal
    Cans Cari Carian Caucasian_Albanian Chakma Cham Cher Cherokee Chorasmian Chrs Common Copt
    Coptic Cpmn Cprt Cuneiform Cypriot Cypro_Minoan Cyrillic Cyrl Deseret Deva Devanagari Diak
    Dives_Akuru Dogr Dogra Dsrt Dupl Duployan Egyp Egyptian_Hieroglyphs Elba Elbasan Elym
    Elymaic Ethi Ethiopic Gara Garay Geor Georgian Glag Glagolitic Gong Gonm Goth Gothic Gran
    Grantha Greek Grek Gujarati Gujr Gukh Gunjala_Gondi Gurmukhi Guru Gurung_Khema Han Hang
    Hangul Hani Hanifi_Rohingya Hano Hanunoo Hatr Hatran Hebr Hebrew Hira Hiragana Hluw Hmng
    Hmnp Hung Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Ital Java
    Javanese Kaithi Kali Kana Kannada Katakana Kawi Kayah_Li Khar Kharoshthi Khitan_Small_Script
    Khmer Khmr Khoj Khojki Khudawadi Kirat_Rai Kits Knda Krai Kthi Lana Lao Laoo Latin Latn Lepc
    Lepcha Limb Limbu Lina Linb Linear_A Linear_B Lisu Lyci Lycian Lydi Lydian Mahajani Mahj
    Maka Makasar Malayalam Mand Mandaic Mani Manichaean Marc Marchen Masaram_Gondi Medefaidrin
    Medf Meetei_Mayek Mend Mende_Kikakui Merc Mero Meroitic_Cursive Meroitic_Hieroglyphs Miao
    Mlym Modi Mong Mongolian Mro Mroo Mtei Mult Multani Myanmar Mymr Nabataean Nag_Mundari Nagm
    Nand Nandinagari Narb Nbat New_Tai_Lue Newa Nko Nkoo Nshu Nushu Nyiakeng_Puachue_Hmong Ogam
    Ogham Ol_Chiki Ol_Onal Olck Old_Hungarian Old_Italic Old_North_Arabian Old_Permic
    Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Onao Oriya Orkh Orya Osage
    Osge Osma Osmanya Ougr Pahawh_Hmong Palm Palmyrene Pau_Cin_Hau Pauc Perm Phag Phags_Pa Phli
    Phlp Phnx Phoenician Plrd Prti Psalter_Pahlavi Qaac Qaai Rejang Rjng Rohg Runic Runr
    Samaritan Samr Sarb Saur Saurashtra Sgnw Sharada Shavian Shaw Shrd Sidd Siddham Sidetic Sidt
    SignWriting Sind Sinh Sinhala Sogd Sogdian Sogo Sora Sora_Sompeng Soyo Soyombo Sund
    Sundanese Sunu Sunuwar Sylo Syloti_Nagri Syrc Syriac Tagalog Tagb Tagbanwa Tai_Le Tai_Tham
    Tai_Viet Tai_Yo Takr Takri Tale Talu Tamil Taml Tang Tangsa Tangut Tavt Tayo Telu Telugu
    Tfng Tglg Thaa Thaana Thai Tibetan Tibt Tifinagh Tirh Tirhuta Tnsa Todhri Todr Tolong_Siki
    Tols Toto Tulu_Tigalari Tutg Ugar Ugaritic Unknown Vai Vaii Vith Vithkuqi Wancho Wara
    Warang_Citi Wcho Xpeo Xsux Yezi Yezidi Yi Yiii Zanabazar_Square Zanb Zinh Zyyy Zzzz
"""


def is_property(key: str, name: str) -> bool:
    r"""Whether `\p{key=name}`, or `\p{name}` if *key* is empty, is a property.

    >>> is_property("sc", "Grek"), is_property("", "Greek"), is_property("", "L")
    (True, False, True)
    """
    if key in _SCRIPT_KEYS:
        return name in _split_names(_SCRIPTS)
    is_category = name in CATEGORIES or name in CATEGORIES.values()
    if key:
        return key in _CATEGORY_KEYS and is_category
    return is_category or name in _split_names(_BINARY)


@lru_cache(maxsize=2)
def _split_names(text: str) -> frozenset[str]:
    """Set of the names in *text*, which are separated by blanks."""
    return frozenset(text.split())
