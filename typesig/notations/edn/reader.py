"""Reading EDN, by the tables of its grammar, and the places of mistakes in it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from typesig.notations.edn import CLOSED_BY, PIECES
from typesig.notations.edn.rules import EdnParserRules, Mistake, escape_unprintable, shorten
from typesig.notations.texts.table_reader import (
    TableReader,
    UnexpectedPart,
    load_reader,
    make_syntax_error,
)


@cache
def _load_tables() -> TableReader:
    """Load the parse tables of the EDN grammar as a reader."""
    return load_reader("edn", EdnParserRules)


def read(source: str) -> Any:
    """Return the value of the EDN text *source*; or raise `SignatureSyntaxError`."""
    rules = EdnParserRules()
    try:
        value = _load_tables().parse(source, rules)
        if not rules.mistakes:
            return value
        first = min(rules.mistakes)
    except UnexpectedPart as error:
        first = _explain_unexpected(source, error)
    raise make_syntax_error(source, first.at, first.width, first.message)


def _explain_unexpected(source: str, error: UnexpectedPart) -> Mistake:
    """Describe *error*, an unexpected token or word in the EDN text *source*."""
    if not error.is_token:
        return explain_word(source, error.at)
    return explain_token(source, error.at, error.met) if error.met else explain_end(source)


# --- Messages for mistakes in EDN, each with a remedy ---
# To add a remedy for a word that cannot be read, add its row to `WORDS`.

#: Patterns of words that cannot be read, and their remedies; the first that matches is given.
WORDS: tuple[tuple[str, str], ...] = (
    (r'"', "this text has no closing double quote"),
    (r"[\u2018\u2019\u201c-\u201f]", "texts are written in straight double quotes"),
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
    (r"\\(?=\s|$)", r"a character is missing after the backslash; a blank is \space"),
    (r"\\u([0-9A-Fa-f]+)", r"\u is followed by four hexadecimal digits, as in \u00e9"),
    (r"\\o[0-7]+", r"a character is written by its number as \u00e9, in hexadecimal digits"),
    (
        r"\\",
        r"a character is one letter after a backslash, \a, or one of \newline \return \space \tab "
        r"\backspace \formfeed; more letters are a text",
    ),
    (r"[+-]?0[xX][0-9A-Fa-f]+N?", "numbers are decimal in EDN"),
    (r"[+-]?[0-9]{1,2}[rR][0-9A-Za-z]+", "numbers are decimal in EDN"),
    (r"[+-]?0[0-9]+", "a number does not begin with 0: take the 0 away"),
    (r"[+-]?[0-9]+\.(?![0-9])", "a digit follows the point, as in 1.0"),
    (r"[+-]?\.[0-9]", "a digit precedes the point, as in 0.5"),
    (r"[+-]?[0-9]+_[0-9_]*", "a number has no _ between its digits"),
    (r"[+-]?[0-9.]+[eE][+-]?(?![0-9+-])", "a digit follows the e, as in 1e9"),
    (r"[+-]?[0-9]+(?:\.[0-9]+|[eE][0-9]+)+N", "N follows only whole numbers; take it away"),
    (r"[+-]?[0-9]", "this is not a number, and a name does not begin with a digit"),
    (r":(?=\")", 'a keyword has no quotes: write :a, or the text "a"'),
    (r":::", "a keyword begins with one colon"),
    (r"::?(?=[\s,;()\[\]{}]|$)", "a name follows the colon, as in :a"),
    (r":[^/]*/[^/]*/", "a name has one / at most, between its namespace and itself: :a/b"),
    (r":[^:]*/$", "a name follows the /, as in :a/b"),
    (r":/", "a namespace precedes the /, as in :a/b"),
    (r":.*:$", "a keyword does not end in a colon: take it away"),
    (r"[^:]*:$", "the colon of a keyword comes first: write :{name}"),
    (r"[^/]*/[^/]*/", "a name has one / at most, between its namespace and itself: a/b"),
    (r"[^/]*/$", "a name follows the /, as in a/b"),
    (r"/", "a namespace precedes the /, as in a/b"),
    (r"[^/]*:/", "a namespace does not end in a colon"),
    (r"[^/]+/[+.-]?\d", "a name does not begin with a digit"),
)

_WORD = re.compile(r'[^\s,;"()\[\]{}]+')
_SIGN = re.compile(r"[\w.*+!?$%&=<>:#'/-]")


def explain_word(source: str, at: int) -> Mistake:
    """Describe the mistake in the unreadable word at offset *at* of *source*."""
    found = _WORD.match(source, at)
    word = found[0] if found is not None else source[at]
    behind = source[at + len(word) : at + len(word) + 1]
    for pattern, message in WORDS:
        if re.match(pattern, word + (behind if word in _OPENING else "")):
            return Mistake(at, len(word), message.replace("{name}", shorten(word[:-1])))
    for place, sign in enumerate(word):
        if not _SIGN.match(sign):
            return Mistake(at + place, 1, f"{escape_unprintable(sign)} means nothing here")
    return Mistake(
        at, len(word), f"{shorten(word)} is not a name: each part of a name begins with a letter"
    )


# Words whose remedy depends on the next character.
_OPENING = frozenset({"#", ":", "::"})


def explain_token(source: str, at: int, token: str) -> Mistake:
    """Describe the mistake of the unexpected *token* at offset *at* of *source*."""
    width = len(token)
    if token not in (")", "]", "}"):
        message = "a text has one value, and this is a second one; write a vector for more: [1 2]"
        return Mistake(at, width, message)
    opened = _open(source[:at])
    if not opened:
        return Mistake(at, width, f"{token} closes nothing: take it away")
    bracket, place = opened[-1]
    if CLOSED_BY[bracket] != token:
        message = f"{_describe_place(source, bracket, place)} is closed by {CLOSED_BY[bracket]}"
        return Mistake(at, width, message)
    return Mistake(at, width, f"a value is missing before it: {_MISSING}")


def explain_end(source: str) -> Mistake:
    """Describe the mistake of the EDN text *source*, which ends too early."""
    end = len(source.rstrip())
    opened = _open(source)
    if opened:
        bracket, place = opened[-1]
        message = (
            f"the text ends too early: {_describe_place(source, bracket, place)} is not closed; "
        )
        return Mistake(end, 1, message + f"write {CLOSED_BY[bracket]}")
    if not re.sub(r"[\s,]+|;[^\n]*", "", source):
        return Mistake(end, 1, "an empty text has no value; write nil")
    return Mistake(end, 1, f"a value is missing at the end: {_MISSING}")


# The two forms that must be followed by a value.
_MISSING = "each #_ discards one, and a tag is followed by one"


def _open(source: str) -> list[tuple[str, int]]:
    """Return the brackets that are unclosed at the end of *source*, with their offsets."""
    opened: list[tuple[str, int]] = []
    for piece in PIECES.finditer(source):
        if piece[0] in CLOSED_BY:
            opened.append((piece[0], piece.start()))
        elif piece[0] in (")", "]", "}") and opened:
            opened.pop()
    return opened


def _describe_place(source: str, bracket: str, place: int) -> str:
    """Describe the *bracket* at offset *place* of the text *source* by line and column."""
    line = source.count("\n", 0, place) + 1
    return f"the {bracket} at line {line} column {place - source.rfind(chr(10), 0, place)}"
