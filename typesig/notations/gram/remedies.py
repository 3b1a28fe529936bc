"""Messages for mistakes in gram: tables of remedies, each with a code.

To add a remedy for a guessed name, add a row to `GUESSES`; for a mistake in form, to `MISTAKES`.
This module is loaded only if there is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from typesig.errors import INVALID_SYNTAX
from typesig.limits import MAX_NEAR_NAME
from typesig.notations.gram.writer import (
    ARRAY,
    INVALID_RECORD,
    MALFORMED_PARAMETERS,
    MISSING_RETURN_TYPE,
    READ,
    SPELLINGS,
    UNKNOWN_TYPE,
    LabelSpelling,
)
from typesig.notations.texts.quoting import quote
from typesig.notations.texts.signature_reader import (
    CLOSINGS,
    ExplainedMistake,
    cut_word,
    describe_expected,
    find_row,
)

_LIST = "write [Text] for a list of texts"
_RECORD = "write {name: Text}, or Object for any map"
_MAYBE = "write Maybe Text"
_ONE = "gram has no unions; write one type, or Maybe Text for a nullable one"
_NULL = "gram has no type of only null; write Maybe Text"
_TIME = "gram has no times; write Text"

#: Guessed names, in lower case, and what to write instead.
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
    "io": "IO is allowed only before the result",
}

_LABELS = {
    **dict.fromkeys(("list", "vector", "sequence", "seq", "set"), f"write {ARRAY}"),
    **dict.fromkeys(("dict", "map", "record", "struct", "json"), "write Object"),
    **dict.fromkeys(
        ("maybe", "optional", "option", "nullable"),
        "a nullable parameter has a default: (name::String {default:null})",
    ),
}

_WORDS = [row.word for row in SPELLINGS.values() if isinstance(row, LabelSpelling)]


def explain_unknown_type(word: str) -> str:
    """Return the error message for the unknown type name *word*."""
    known = "IO is allowed only before the result" if word == "IO" else None
    if word == ARRAY:
        known = _LIST
    return _explain_unknown("type", word, known or GUESSES.get(word.lower()), _WORDS)


def explain_unknown_label(word: str) -> str:
    """Return the message for an unknown label of the path form."""
    known = _LABELS.get(word.lower()) or GUESSES.get(word.lower())
    return _explain_unknown("label", word, known, [*sorted(READ), ARRAY])


def _explain_unknown(what: str, word: str, known: str | None, words: list[str]) -> str:
    """Explain the unknown *word* by the remedy *known* or the nearest of *words*."""
    from difflib import get_close_matches

    shown = f'there is no {what} "{cut_word(word)}"'
    if known is not None:
        return f"{shown}; {known}"
    names = {**dict.fromkeys(words), **READ}
    near = get_close_matches(word, names, 1) if len(word) <= MAX_NEAR_NAME else []
    if near:
        return f"{shown}; did you mean {near[0]}?"
    if what == "type" and word[:1].islower():
        return f"{shown}; types begin with a capital, and a name has one: {cut_word(word)}: Text"
    return f"{shown}; there are {', '.join(words)}"


class _Row(NamedTuple):
    """A known syntax mistake: patterns of the text at and before it, and its code.

    #: met: pattern of the text at the mistake; before: pattern of the text before it
    #: code: the code, or None for that of the place
    """

    met: str
    before: str
    code: str | None
    remedy: str


_END = "the text ends too early"
_ONE_LIST = "parameters are written in one list: (a: Int, b: Int) --> Text"
_ARROW = "the arrow is written -->"
_NO_RESULT = "the result is missing; write its type, as in --> IO Text"
_NAME = r'(?:"(?:[^"\\\n]|\\.)*"|[A-Za-z_][\w-]*)'

#: The first row that matches is given; the end of a text is an empty text.
MISTAKES: tuple[_Row, ...] = (
    _Row("$", r"^\s*$", None, "an empty text is not a signature; write () --> Text"),
    _Row("$", r"-->\s*IO\s*$", MISSING_RETURN_TYPE, "IO of what? write its type, as in IO Text"),
    _Row("$", r"(?:-->|==>|~~>)\s*$", MISSING_RETURN_TYPE,
         _NO_RESULT),
    _Row("$", r"\bMaybe\s*$", None, "Maybe what? write its type, as in Maybe Text"),
    _Row(r"=(?![=>])", r"[({,]\s*" + _NAME + r"\s*$", None,
         "a type follows a colon: name: Text"),
    _Row(r"\)", r"(?:-->|\bIO|:)\s*\(\s*$", None, f"() is not a type; {_NULL}"),
    _Row(r"\)", r"\(\s*$", None, "a type is missing: write Text, or () before an arrow"),
    _Row(r"[\])}]", r",\s*$", None, "take away the comma before it"),
    _Row(r",", r"[(\[{,]\s*$", None, "something is missing before the comma, or take it away"),
    _Row(r"\]", r"\[\s*$", None, "a list of what? write [Text] for a list of texts"),
    _Row(r",", r"(?:-->|\bIO)\s*\([^()]*$", None,
         "a result is one type, and gram has no tuples: write {a: Int, b: Int}"),
    _Row(r"-->|->", r":\s*\([^()]*\)\s*$", None, "a function is not a value that a model can send"),
    _Row(r",", r"\[[^\[\]]*$", None, "a list has one type, and gram has no tuples: [Text]"),
    _Row(r"[,)\]}]", r"\bMaybe\s*$", None, "Maybe what? write its type, as in Maybe Text"),
    _Row(r"[,)}\]]", r":\s*$", None, "a type is missing after the colon, as in name: Text"),
    _Row(r"=>|->|→|⇒|-{3,}>|={3,}>|~>", r"\)\s*$", None, _ARROW),
    _Row(r"=(?![=>])|:=", r"(?:[\w\])}]|\")\s*$", None,
         'defaults are written only in the path form: (name::String {default:"a"})==>(::String)'),
    _Row(r"\?", r"[(,{]\s*" + _NAME + r"\s*$", None,
         "an optional name is written name: Maybe Text"),
    _Row(r"\?", r"", None, "a nullable type is written Maybe Text"),
    _Row(r"\|", r"", None, _ONE),
    _Row(r"!", r"\}\s*$", INVALID_RECORD, "gram has no closed records; take away the !"),
    _Row(r"\*", r"", None, "gram has no type of other names; take it away"),
    _Row(r"'|`", r"", None, "texts are written in double quotes"),
    _Row(r":(?!:)", r"(?:-->|==>|~~>)\s*\(\s*" + _NAME + r"\s*$", MALFORMED_PARAMETERS, _ONE_LIST),
    _Row(r"-->", r"-->[^-]*\)\s*$", MALFORMED_PARAMETERS, _ONE_LIST),
    _Row(r"-->|->|→", r"^[^()]*$", MALFORMED_PARAMETERS,
         "parameters are written in parentheses: (name: Text) --> Text"),
    _Row(r":(?!:)", r"^\s*" + _NAME + r"\s*$", MALFORMED_PARAMETERS,
         "parameters are written in parentheses: (name: Text) --> Text"),
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
         "a text is not a type; a name is followed by a type: name: Text"),
    _Row(r"\}", r"::[^(]*[{,]\s*\w+\s*$", None, "a property has a value, as in {default:1}"),
    _Row(r"\}", r"[{,]\s*" + _NAME + r"\s*$", None, "a field has a name and a type: {name: Text}"),
    _Row(r",", r"\{\s*(?:[^{}]*,\s*)?" + _NAME + r"\s*$", None,
         "a field has a name and a type: {name: Text}"),
    _Row(r"[A-Za-z_\[{\"]", r"[({,]\s*" + _NAME + r"\s*$", None,
         "a colon is missing between name and type: name: Text"),
    _Row(r"[0-9.]|[^\x00-\x7f]", r"[({,]\s*[\w-]*$", None,
         'a name is made of a-z, 0-9, _ and -; any other is written in double quotes: "1st"'),
    _Row(r"[0-9\"-]", r":\s*$", None, "a value is not a type; write Text, Int, Double or Bool"),
)  # fmt: skip


#: The closing bracket of each opening bracket.
_CLOSING = {"(": ")", "[": "]", "{": "}"}

_PIECES = re.compile(r'"(?:[^"\\\n]|\\.)*"?|-->|==>|~~>|::|[(\[{]|[)\]}]')


class _Place(NamedTuple):
    """The context of an offset in a text: the open bracket, and the code of mistakes.

    #: open: the innermost open bracket, or empty
    #: code: the code of a mistake at this place
    """

    open: str
    code: str


def _find_place(before: str) -> _Place:
    """Return the innermost open bracket, and the error code, after the text *before*."""
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


# A word at the place of a type.
_TYPE = re.compile(r"(?:-->|\bIO|\bMaybe|[(\[,:])\s*([A-Za-z_][\w-]*)\s*$")


def explain_token(source: str, at: int, met: str, expected: Collection[str]) -> ExplainedMistake:
    """Explain the mistake of the unexpected text *met* at offset *at* of *source*."""
    before = source[:at]
    found = find_row(MISTAKES, source[at : at + 40], before[-200:])
    chained = met in _ARROWS or (found is not None and found.code == MALFORMED_PARAMETERS)
    if chained and (source.rstrip().endswith(_ARROWS) and sum(map(source.count, _ARROWS)) > 1):
        return ExplainedMistake(MISSING_RETURN_TYPE, _NO_RESULT, len(source.rstrip()), 1)
    if found is None:
        # In `List Text` the mistake is the first word.
        type_ = _TYPE.search(before[-200:])
        if type_ is not None and type_[1] not in READ and not met.startswith(":"):
            start = at - len(before[-200:]) + type_.start(1)
            return ExplainedMistake(
                UNKNOWN_TYPE, explain_unknown_type(type_[1]), start, len(type_[1])
            )
    place = _find_place(before)
    code, message = _explain_met(source, at, met, expected, place) if found is None else found[2:]
    return ExplainedMistake(code or place.code, message, at, len(met))


def _explain_met(
    source: str, at: int, met: str, expected: Collection[str], place: _Place
) -> tuple[str | None, str]:
    """Return code and message for the unexpected token *met* at offset *at* of *source*."""
    before = source[:at].rstrip()
    if met == '"':
        return None, "this text has no closing double quote"
    closing = _CLOSING.get(place.open)
    if met in _CLOSING.values() and met != closing:
        if closing is None:
            return None, f"{met} closes nothing; take it away"
        return None, f"a closing {closing} is missing before it"
    if not place.open and _lacks_result(before):
        message = "the result is missing before it; write --> and a type, as in --> IO Text"
        return MISSING_RETURN_TYPE, message
    if "_COMMA" in expected and re.match(r'[\w"\[{(]', met):
        return None, "a comma is missing before it"
    if not place.open and before and not re.search(r"(?:[->]|\bIO|\bMaybe)$", before):
        return None, "the signature ends before it; take the rest away"
    if len(met) == 1 and met not in _SIGNS:
        return None, f"{quote(met)} means nothing here"
    return None, f"{cut_word(met)} is not allowed here; {describe_expected(expected, EXPECTED)}"


_SIGNS = "()[]{}:,"


def explain_end(source: str) -> ExplainedMistake:
    """Explain the mistake of a text that ends too early."""
    text = source.rstrip()
    place = _find_place(text)
    found = find_row(MISTAKES, "", text[-200:])
    code, message = _explain_missing(text, place) if found is None else found[2:]
    return ExplainedMistake(code or place.code, message, len(text), 1)


def _explain_missing(text: str, place: _Place) -> tuple[str | None, str]:
    """Return code and message for the *text* that ends too early, at the open *place*."""
    if place.open:
        what = ", or take away the comma" if text.endswith(",") else ""
        return None, f"{_END}: a closing {_CLOSING[place.open]} is missing{what}"
    message = "the result is missing; write --> and its type, as in --> IO Text"
    return MISSING_RETURN_TYPE, message


_ARROWS = ("-->", "==>", "~~>")


def _lacks_result(before: str) -> bool:
    """Whether the text *before* ends with the parameters and has no arrow after them."""
    return before.rstrip().endswith(")") and not re.search(r"-->|==>|~~>", before)


#: What messages call the terminals of the grammar; other terminals are not suggested.
EXPECTED: dict[str, str] = {
    "WORD": "a name or a type such as Text",
    "_LABEL": "::",
    "_COLON": "a colon",
    "_DASHES": "-->",
    "NUMBER": "a value",
    "_COMMA": "a comma",
    **CLOSINGS,
    "$END": "the end",
}
