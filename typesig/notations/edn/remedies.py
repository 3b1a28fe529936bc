"""What to do about mistakes in EDN: a remedy for each that people make.

Adding one is a row: in `WORDS` for what no value looks like, in `TOKENS` for a place.
Loaded where there is a mistake, and not before.
"""

from __future__ import annotations

import re

from lark import Token

from typesig.notations.edn.data import CLOSED_BY, PIECES
from typesig.notations.edn.rules import Mistake, cut, printable

#: What stands there, and the remedy; the first row that fits is given.
WORDS: tuple[tuple[str, str], ...] = (
    (r'"', "this text has no closing double quote"),
    (r"[\u2018\u2019\u201c-\u201f]", "texts stand in straight double quotes"),
    (r'#"', r'a pattern is written as text, each of its backslashes twice: "\\d+"'),
    (r"#\(", "functions are Clojure's own: EDN has none"),
    (r"#'", "variables are Clojure's own: EDN has none"),
    (r"#\?", "reader conditionals are Clojure's own: write the branch that is meant"),
    (r"#=", "nothing is evaluated: write the value"),
    (r"#!", "a comment begins with ;"),
    (r"#:", "a map has no namespace of its own: write it in each key, as in {:a/b 1}"),
    (r"##", "there is no such value; write a number, or nil"),
    (r"#", "a tag is # and a name; a set is #{1 2}, and #_ discards the next value"),
    (r"'", "a quote is Clojure's own: take the ' away, nothing is evaluated here"),
    (r"`", "a quote is Clojure's own: take the ` away, nothing is evaluated here"),
    (r"~", "nothing is evaluated: write the value"),
    (r"@", "nothing is evaluated: write the value"),
    (r"\^", "metadata is Clojure's own: take it away"),
    (r"\\(?=\s|$)", r"a character is missing behind the backslash; a blank is \space"),
    (r"\\u([0-9A-Fa-f]+)", r"\u is followed by four hexadecimal digits, as in \u00e9"),
    (r"\\o[0-7]+", r"a character is written by its number as \u00e9, in hexadecimal digits"),
    (
        r"\\",
        r"a character is one letter behind a backslash, \a, or one of \newline \return \space \tab "
        r"\backspace \formfeed; more letters are a text",
    ),
    (r"[+-]?0[xX][0-9A-Fa-f]+N?", "numbers are decimal in EDN"),
    (r"[+-]?[0-9]{1,2}[rR][0-9A-Za-z]+", "numbers are decimal in EDN"),
    (r"[+-]?0[0-9]+", "a number does not begin with 0: take the 0 away"),
    (r"[+-]?[0-9]+\.(?![0-9])", "a digit follows the point, as in 1.0"),
    (r"[+-]?\.[0-9]", "a digit stands before the point, as in 0.5"),
    (r"[+-]?[0-9]+_[0-9_]*", "a number has no _ between its digits"),
    (r"[+-]?[0-9.]+[eE][+-]?(?![0-9+-])", "a digit follows the e, as in 1e9"),
    (r"[+-]?[0-9]+(?:\.[0-9]+|[eE][0-9]+)+N", "N stands behind whole numbers; take it away"),
    (r"[+-]?[0-9]", "this is no number, and a name does not begin with a digit"),
    (r":(?=\")", 'a keyword has no quotes: write :a, or the text "a"'),
    (r":::", "a keyword begins with one colon"),
    (r"::?(?=[\s,;()\[\]{}]|$)", "a name follows the colon, as in :a"),
    (r":[^/]*/[^/]*/", "a name has one / at most, between its namespace and itself: :a/b"),
    (r":[^:]*/$", "a name follows the /, as in :a/b"),
    (r":/", "a namespace stands before the /, as in :a/b"),
    (r":.*:$", "a keyword does not end in a colon: take it away"),
    (r"[^:]*:$", "the colon of a keyword stands first: write :{name}"),
    (r"[^/]*/[^/]*/", "a name has one / at most, between its namespace and itself: a/b"),
    (r"[^/]*/$", "a name follows the /, as in a/b"),
    (r"/", "a namespace stands before the /, as in a/b"),
    (r"[^/]*:/", "a namespace does not end in a colon"),
    (r"[^/]+/[+.-]?\d", "a name does not begin with a digit"),
)

_WORD = re.compile(r'[^\s,;"()\[\]{}]+')
_SIGN = re.compile(r"[\w.*+!?$%&=<>:#'/-]")


def at_word(source: str, at: int) -> Mistake:
    """Return the mistake at *at*, where nothing can be read."""
    found = _WORD.match(source, at)
    word = found[0] if found is not None else source[at]
    behind = source[at + len(word) : at + len(word) + 1]
    for pattern, message in WORDS:
        if re.match(pattern, word + (behind if word in _OPENING else "")):
            return Mistake(at, len(word), message.replace("{name}", cut(word[:-1])))
    for place, sign in enumerate(word):
        if not _SIGN.match(sign):
            return Mistake(at + place, 1, f"{printable(sign)} means nothing here")
    return Mistake(at, len(word), f"{cut(word)} is no name: each part of one begins with a letter")


# What is told by the sign that comes next.
_OPENING = frozenset({"#", ":", "::"})


def at_token(source: str, token: Token) -> Mistake:
    """Return the mistake of *token*, which cannot stand where it does."""
    at, width = token.start_pos or 0, len(token)
    if token not in (")", "]", "}"):
        message = "a text holds one value, and this is a second one; a vector holds more: [1 2]"
        return Mistake(at, width, message)
    opened = _open(source[:at])
    if not opened:
        return Mistake(at, width, f"{token} closes nothing: take it away")
    bracket, place = opened[-1]
    if CLOSED_BY[bracket] != token:
        message = f"{_at(source, bracket, place)} is closed by {CLOSED_BY[bracket]}"
        return Mistake(at, width, message)
    return Mistake(at, width, f"a value is missing before it: {_MISSING}")


def at_end(source: str) -> Mistake:
    """Return the mistake of a text that ends too early."""
    end = len(source.rstrip())
    opened = _open(source)
    if opened:
        bracket, place = opened[-1]
        message = f"the text ends too early: {_at(source, bracket, place)} is not closed; "
        return Mistake(end, 1, message + f"write {CLOSED_BY[bracket]}")
    if not re.sub(r"[\s,]+|;[^\n]*", "", source):
        return Mistake(end, 1, "an empty text holds no value; write nil for none")
    return Mistake(end, 1, f"a value is missing at the end: {_MISSING}")


# The two that want a value behind them.
_MISSING = "each #_ discards one, and a tag stands before one"


def _open(source: str) -> list[tuple[str, int]]:
    """Return the brackets that are open at the end of *source*, and where each stands."""
    opened: list[tuple[str, int]] = []
    for piece in PIECES.finditer(source):
        if piece[0] in CLOSED_BY:
            opened.append((piece[0], piece.start()))
        elif piece[0] in (")", "]", "}") and opened:
            opened.pop()
    return opened


def _at(source: str, bracket: str, place: int) -> str:
    line = source.count("\n", 0, place) + 1
    return f"the {bracket} at line {line} column {place - source.rfind(chr(10), 0, place)}"
