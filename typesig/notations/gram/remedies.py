"""What to do about a text that is no gram: the remedies, as tables, each with the code it has.

To add one for a guessed name, add a row to `GUESSES`; for a mistake in form, a row to `MISTAKES`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from typesig.errors import INVALID_SYNTAX
from typesig.notations.gram.spellings import (
    ARRAY,
    INVALID_RECORD,
    MALFORMED_PARAMETERS,
    MISSING_RETURN_TYPE,
    READ,
    SPELLINGS,
    UNKNOWN_TYPE,
    Spelling,
)
from typesig.notations.quoting import quoted

_LIST = "write [Text] for a list of texts"
_RECORD = "write {name: Text}, or Object for any map"
_MAYBE = "write Maybe Text"
_ONE = "gram has no unions; write one type, or Maybe Text for what may be null"
_NULL = "gram has no type of null alone; write Maybe Text"
_TIME = "gram has no times; write Text"

#: Guessed names, in lower case, and what to write.
GUESSES: dict[str, str] = {
    **dict.fromkeys(
        ("str", "string", "text", "char", "varchar", "bytestring", "uuid", "url", "path"),
        "write Text",
    ),
    **dict.fromkeys(("int", "integer", "long", "int64", "int32", "word", "natural"), "write Int"),
    **dict.fromkeys(
        ("double", "number", "float", "real", "decimal", "num", "rational"), "write Double"
    ),
    **dict.fromkeys(("bool", "boolean", "flag"), "write Bool"),
    **dict.fromkeys(("list", "array", "vector", "sequence", "seq", "set"), _LIST),
    **dict.fromkeys(("object", "dict", "map", "record", "struct", "json", "value"), _RECORD),
    **dict.fromkeys(("maybe", "optional", "option", "nullable"), _MAYBE),
    **dict.fromkeys(("any", "unknown", "dynamic", "a"), "write Any"),
    **dict.fromkeys(("null", "nil", "none", "unit", "void", "undefined"), _NULL),
    **dict.fromkeys(("date", "datetime", "time", "timestamp", "utctime"), _TIME),
    **dict.fromkeys(("union", "either", "enum", "literal", "oneof"), _ONE),
    **dict.fromkeys(("tuple", "pair"), "gram has no tuples; write {first: Text, second: Int}"),
    "io": "IO stands before the result alone",
}

_LABELS = {
    **dict.fromkeys(("list", "vector", "sequence", "seq", "set"), f"write {ARRAY}"),
    **dict.fromkeys(("dict", "map", "record", "struct", "json"), "write Object"),
    **dict.fromkeys(
        ("maybe", "optional", "option", "nullable"),
        "what may be null has a default: (name::String {default:null})",
    ),
}

_WORDS = [row.word for row in SPELLINGS.values() if isinstance(row, Spelling)]


def unknown_type(word: str) -> str:
    """Return what to write in place of the type *word*."""
    known = "IO stands before the result alone" if word == "IO" else None
    if word == ARRAY:
        known = _LIST
    return _unknown("type", word, known or GUESSES.get(word.lower()), _WORDS)


def unknown_label(word: str) -> str:
    """Return what to write in place of the label *word* of the path form."""
    known = _LABELS.get(word.lower()) or GUESSES.get(word.lower())
    return _unknown("label", word, known, [*sorted(READ), ARRAY])


def _unknown(what: str, word: str, known: str | None, words: list[str]) -> str:
    from difflib import get_close_matches

    shown = f'there is no {what} "{cut(word)}"'
    if known is not None:
        return f"{shown}; {known}"
    if near := get_close_matches(word, {**dict.fromkeys(words), **READ}, 1):
        return f"{shown}; did you mean {near[0]}?"
    if what == "type" and word[:1].islower():
        return f"{shown}; types begin with a capital, and a name has one: {cut(word)}: Text"
    return f"{shown}; there are {', '.join(words)}"


class _Row(NamedTuple):
    """A mistake in form.

    #: met: what was met; before: what stands before it; code: None for the code of the place
    """

    met: str
    before: str
    code: str | None
    remedy: str


_END = "the text ends too early"
_ONE_LIST = "parameters stand in one list: (a: Int, b: Int) --> Text"
_ARROW = "the arrow is written -->"
_NAME = r'(?:"(?:[^"\\\n]|\\.)*"|[A-Za-z_][\w-]*)'

#: The first row that fits is given; the end of a text is met as nothing.
MISTAKES: tuple[_Row, ...] = (
    _Row("$", r"^\s*$", None, "an empty text is no signature; write () --> Text"),
    _Row("$", r"-->\s*IO\s*$", MISSING_RETURN_TYPE, "IO of what? write its type, as in IO Text"),
    _Row("$", r"(?:-->|==>|~~>)\s*$", MISSING_RETURN_TYPE,
         "the result is missing; write its type, as in --> IO Text"),
    _Row("$", r"\bMaybe\s*$", None, "Maybe what? write its type, as in Maybe Text"),
    _Row(r"=(?![=>])", r"[({,]\s*" + _NAME + r"\s*$", None,
         "a type stands behind a colon: name: Text"),
    _Row(r"\)", r"(?:-->|\bIO|:)\s*\(\s*$", None, f"() is no type; {_NULL}"),
    _Row(r"\)", r"\(\s*$", None, "a type is missing: write Text, or () before an arrow"),
    _Row(r"[\])}]", r",\s*$", None, "take away the comma before it"),
    _Row(r",", r"[(\[{,]\s*$", None, "something is missing before the comma, or it is too many"),
    _Row(r"\]", r"\[\s*$", None, "a list of what? write [Text] for a list of texts"),
    _Row(r",", r"(?:-->|\bIO)\s*\([^()]*$", None,
         "a result is one type, and gram has no tuples: write {a: Int, b: Int}"),
    _Row(r"-->|->", r":\s*\([^()]*\)\s*$", None, "a function is no value that a model can send"),
    _Row(r",", r"\[[^\[\]]*$", None, "a list has one type, and gram has no tuples: [Text]"),
    _Row(r"[,)\]}]", r"\bMaybe\s*$", None, "Maybe what? write its type, as in Maybe Text"),
    _Row(r"[,)}\]]", r":\s*$", None, "a type is missing behind the colon, as in name: Text"),
    _Row(r"=>|->|→|⇒|-{3,}>|={3,}>|~>", r"\)\s*$", None, _ARROW),
    _Row(r"=(?![=>])|:=", r"(?:[\w\])}]|\")\s*$", None,
         'defaults stand in the path form alone: (name::String {default:"a"})==>(::String)'),
    _Row(r"\?", r"[(,{]\s*" + _NAME + r"\s*$", None,
         "what may be absent is written name: Maybe Text"),
    _Row(r"\?", r"", None, "what may be null is written Maybe Text"),
    _Row(r"\|", r"", None, _ONE),
    _Row(r"!", r"\}\s*$", INVALID_RECORD, "gram has no closed records; take away the !"),
    _Row(r"\*", r"", None, "gram does not say what other names hold; take it away"),
    _Row(r"'|`", r"", None, "texts stand in double quotes"),
    _Row(r":(?!:)", r"(?:-->|==>|~~>)\s*\(\s*" + _NAME + r"\s*$", MALFORMED_PARAMETERS, _ONE_LIST),
    _Row(r"-->", r"-->[^-]*\)\s*$", MALFORMED_PARAMETERS, _ONE_LIST),
    _Row(r"-->|->|→", r"^[^()]*$", MALFORMED_PARAMETERS,
         "parameters stand in parentheses: (name: Text) --> Text"),
    _Row(r":(?!:)", r"^\s*" + _NAME + r"\s*$", MALFORMED_PARAMETERS,
         "parameters stand in parentheses: (name: Text) --> Text"),
    _Row(r":(?!:)", r"\(\s*\(\s*" + _NAME + r"\s*$", None, "one pair of parentheses is enough"),
    _Row(r":(?!:)", r"[(,{]\s*$", None, "a name is missing before the colon: name: Text"),
    _Row(r"::", r"[(,{]\s*" + _NAME + r"\s*$", None, "a name has one colon here: name: Text"),
    _Row(r"-->|==>|~~>", r"\(\s*\)\s*(?:-->|==>|~~>)\s*\([^()]*\)\s*$", MALFORMED_PARAMETERS,
         "() stands for no parameters: the result follows it, and that ends the text"),
    _Row(r"==>|~~>", r"\)\s*$", None,
         f"{_ARROW}; in the path form names have two colons: (name::String)==>(::String)"),
    _Row(r"<", r"", None, "an arrow leads from the parameters to the result: -->"),
    _Row(r"[\w\[{\"]", r"::[^()]*\)\s*(?:-->|==>|~~>)\s*$", None,
         "in the path form the result is a node too: (::Text)"),
    _Row(r"[\w\[{(]", r"::\s*$", None,
         f"a label is one word: a list is {ARRAY}, a record is Object"),
    _Row(r"[)\]}]", r"[({,]\s*\"(?:[^\"\\\n]|\\.)*\"\s*$", None,
         "a text is no type; a name is followed by one: name: Text"),
    _Row(r"\}", r"::[^(]*[{,]\s*\w+\s*$", None, "a property has a value, as in {default:1}"),
    _Row(r"\}", r"[{,]\s*" + _NAME + r"\s*$", None, "a field has a name and a type: {name: Text}"),
    _Row(r",", r"\{\s*(?:[^{}]*,\s*)?" + _NAME + r"\s*$", None,
         "a field has a name and a type: {name: Text}"),
    _Row(r"[A-Za-z_\[{\"]", r"[({,]\s*" + _NAME + r"\s*$", None,
         "a colon is missing between name and type: name: Text"),
    _Row(r"[0-9.]|[^\x00-\x7f]", r"[({,]\s*[\w-]*$", None,
         'a name is made of a-z, 0-9, _ and -; any other stands in double quotes: "1st"'),
    _Row(r"[0-9\"-]", r":\s*$", None, "a value is no type; write Text, Int, Double or Bool"),
)  # fmt: skip


def cut(word: str) -> str:
    """Return *word*, its end left out where it is long."""
    return word if len(word) <= 30 else word[:29] + "…"


#: What closes each bracket.
_CLOSING = {"(": ")", "[": "]", "{": "}"}

_PIECES = re.compile(r'"(?:[^"\\\n]|\\.)*"?|-->|==>|~~>|::|[(\[{]|[)\]}]')


class _Place(NamedTuple):
    """Where a text stands.

    #: open: the bracket that is not closed, or nothing
    #: code: the code of a mistake there
    """

    open: str
    code: str


def _place(before: str) -> _Place:
    """Return the place behind *before*."""
    stack: list[str] = []
    arrow = label = False
    for piece in _PIECES.finditer(before):
        match piece[0]:
            case "-->" | "==>" | "~~>":
                arrow = True
            case "::":
                label = True
            case "(" | "[" | "{":
                stack.append(piece[0])
            case ")" | "]" | "}" if stack:
                stack.pop()
    inner = stack[-1] if stack else ""
    if inner == "{" and not label:
        return _Place(inner, INVALID_RECORD)
    if stack and stack[0] == "(" and not arrow and inner == "(":
        return _Place(inner, MALFORMED_PARAMETERS)
    return _Place(inner, INVALID_SYNTAX)


class Told(NamedTuple):
    """A mistake, told.

    #: at, width: the part of the text that is at fault
    """

    code: str
    message: str
    at: int
    width: int


# A word where a type stands.
_TYPE = re.compile(r"(?:-->|\bIO|\bMaybe|[(\[,:])\s*([A-Za-z_][\w-]*)\s*$")


def at_token(source: str, at: int, met: str, expected: Collection[str]) -> Told:
    """Return what to do about *met*, which stands at *at* of *source* where it cannot."""
    before = source[:at]
    found = _row(source[at : at + 40], before[-200:])
    if found is None:
        # Of `List Text` the first word is the mistake.
        type_ = _TYPE.search(before[-200:])
        if type_ is not None and type_[1] not in READ and not met.startswith(":"):
            start = at - len(before[-200:]) + type_.start(1)
            return Told(UNKNOWN_TYPE, unknown_type(type_[1]), start, len(type_[1]))
    place = _place(before)
    code, message = _met(source, at, met, expected, place) if found is None else found[2:]
    return Told(code or place.code, message, at, len(met))


def _met(
    source: str, at: int, met: str, expected: Collection[str], place: _Place
) -> tuple[str | None, str]:
    before = source[:at].rstrip()
    if met == '"':
        return None, "this text has no closing double quote"
    closing = _CLOSING.get(place.open)
    if met in _CLOSING.values() and met != closing:
        if closing is None:
            return None, f"{met} closes nothing; take it away"
        return None, f"a closing {closing} is missing before it"
    if not place.open and _without_result(before):
        message = "the result is missing before it; write --> and a type, as in --> IO Text"
        return MISSING_RETURN_TYPE, message
    if "_COMMA" in expected and re.match(r'[\w"\[{(]', met):
        return None, "a comma is missing before it"
    if not place.open and before and not re.search(r"(?:[->]|\bIO|\bMaybe)$", before):
        return None, "the signature ends before it; take the rest away"
    if len(met) == 1 and met not in _SIGNS:
        return None, f"{quoted(met)} means nothing here"
    return None, f"{cut(met)} cannot stand here; {_wanted(expected)}"


_SIGNS = "()[]{}:,"


def at_end(source: str) -> Told:
    """Return what to do about a text that ends too early."""
    text = source.rstrip()
    place = _place(text)
    found = _row("", text[-200:])
    code, message = _missing(text, place) if found is None else found[2:]
    return Told(code or place.code, message, len(text), 1)


def _missing(text: str, place: _Place) -> tuple[str | None, str]:
    if place.open:
        what = ", or the comma is too many" if text.endswith(",") else ""
        return None, f"{_END}: a closing {_CLOSING[place.open]} is missing{what}"
    message = "the result is missing; write --> and its type, as in --> IO Text"
    return MISSING_RETURN_TYPE, message


def _without_result(before: str) -> bool:
    return before.rstrip().endswith(")") and not re.search(r"-->|==>|~~>", before)


def _row(met: str, before: str) -> _Row | None:
    for row in MISTAKES:
        if re.match(row.met, met) and re.search(row.before, before):
            return row
    return None


#: What a terminal of the grammar is called in a message; those not listed are not offered.
EXPECTED: dict[str, str] = {
    "WORD": "a name or a type such as Text",
    "_LABEL": "::",
    "_COLON": "a colon",
    "_DASHES": "-->",
    "NUMBER": "a value",
    "_COMMA": "a comma",
    "_RPAR": "a closing )",
    "_RSQB": "a closing ]",
    "_RBRACE": "a closing }",
    "$END": "the end",
}


def _wanted(expected: Collection[str]) -> str:
    offered = [word for name, word in EXPECTED.items() if name in expected] or ["the end"]
    last = offered.pop()
    return f"expected {', '.join(offered)} or {last}" if offered else f"expected {last}"
