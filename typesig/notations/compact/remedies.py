"""Messages about mistakes in the compact notation: what is wrong and what to write instead.

For a name of a type that people guess, add a row to `GUESSES`; for a mistake in form, add a row to
`MISTAKES`: the unexpected text, the text before it, and the message.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.names import is_plain
from typesig.algebra.rows.scalars import SCALARS
from typesig.limits import MAX_NEAR, MAX_NEAR_NAME
from typesig.notations.texts.quoting import quote
from typesig.notations.texts.signature_reader import (
    CLOSINGS,
    cut_word,
    describe_expected,
    explain_not_allowed,
    find_row,
)

_LIST = "[any] for a list of anything, [string] for a list of texts"
_TUPLE = "[A, B] for a tuple, or {name A} for named values"
_OBJECT = "{field int}, or map for any map"
_FLOAT = "float, which takes whole numbers too, or int"
_ENUM = '[low high], or ["a b","c"] for texts that are no words'
_UNION = "A|B for one of several types"

#: Names of types in other languages, and what to write instead.
GUESSES: dict[str, str] = {
    "list": _LIST, "array": _LIST, "List": _LIST, "Array": _LIST, "vector": _LIST,
    "tuple": _TUPLE, "Tuple": _TUPLE,
    "object": _OBJECT, "dict": _OBJECT, "record": _OBJECT, "Object": _OBJECT, "Record": _OBJECT,
    "set": "#{string} for a set of texts", "Set": "#{string} for a set of texts",
    "str": "string", "text": "string", "String": "string", "Text": "string",
    "integer": "int", "Integer": "int", "Int": "int", "long": "int",
    "number": _FLOAT, "Number": _FLOAT, "double": "float", "Double": "float", "Float": "float",
    "boolean": "bool", "Boolean": "bool", "Bool": "bool",
    "null": "nil", "none": "nil", "None": "nil", "undefined": "nil", "void": "nil",
    "Any": "any", "unknown": "any",
    "enum": _ENUM, "Enum": _ENUM, "literal": _ENUM, "Literal": _ENUM,
    "union": _UNION, "Union": _UNION, "or": _UNION,
    "optional": "a ? after the type, as in int?", "Optional": "a ? after the type, as in int?",
}  # fmt: skip


def explain_unknown_type(word: str, defined: Sequence[str] = ()) -> str:
    """Return the error message for the unknown type name *word*."""
    from difflib import get_close_matches

    shown = f"there is no type {cut_word(word) if is_plain(word) else quote(cut_word(word))}"
    if word in GUESSES:
        return f"{shown}; write {GUESSES[word]}"
    if word in FORMATS:
        return f"{shown}; write string[{word}]"
    if len(word) <= MAX_NEAR_NAME:
        if near := get_close_matches(word, SCALARS, 1):
            return f"{shown}; did you mean {near[0]}?"
        known = defined if len(defined) <= MAX_NEAR else ()
        if near := get_close_matches(word, known, 1):
            return f"{shown}; did you mean :{near[0]}?"
    if word[:1].isupper():
        return f"{shown}; a name of a definition has a colon: () -> :Name where Name=int"
    names = ", ".join(SCALARS)
    return f'{shown}; write one of {names}, or for an enum ["a"] or [a b]'


#: What messages call the terminals of the grammar; messages do not offer terminals without a row.
EXPECTED: dict[str, str] = {
    "WORD": "a name",
    "TEXT": "a text in double quotes",
    "NUMBER": "a number",
    "_LPAR": "an opening (",
    "_ARROW": "->",
    "_TO": "..",
    "_COMMA": "a comma",
    **CLOSINGS,
    "_COLON": "a colon",
    "_EQUAL": "=",
    "_WHERE": "where",
    "$END": "the end",
}

_BEGIN = "the text begins with the parameter list; write () -> before a type"

#: The unexpected text, the text before it, and the message; the first row that matches is used.
MISTAKES: tuple[tuple[str, str, str], ...] = (
    (r"[A-Za-z_][\w-]*\(", r"^\s*$", "a signature has no name: leave it out, and begin with its ("),
    (r".", r"^\s*$", _BEGIN),
    (r";", r"", "a ; stands after a field or the result, and begins its description"),
    (r"[A-Za-z_,\"/*]", r";[^\n]*\n\s*$",
     "a comma stands before the description of a field that others follow: a int, ; words"),
    (r",", r"\*\*[^,]*$", "** and its type come last: (id int, ** string)"),
    (r"[\]A-Za-z]", r"\bcount\[[^\[\]A-Za-z]*$",
     'items are counted as in count[2..3 int]; your own type count is written :"count"'),
    (r"\]", r"(?:map|not|enum|one)\[\s*$", "of what? write what it holds, as in map[int]"),
    (r"\]", r"one\[[^\[\]]*$", "one takes two types or more, as in one[int, string]"),
    (r"\]", r"\[\s*$", "a list of what? write [any] for a list of anything"),
    (r"\}", r"#\{\s*$", "a set of what? write #{any} for a set of anything"),
    (r"[\])}]", r",\s*$", "remove the comma before it"),
    (r"\?", r"\?\s*$", "one ? is enough"),
    (r"\[", r"\?$", "the ? comes last: write int[1..5]?"),
    (r"\[", r"\[\s*\S+$", "the bracket of a refinement directly follows a type: int[1..5]"),
    (r"\[", r"[A-Za-z0-9_\"-]$", "a blank stands before the bracket of a list or an enum"),
    (r"\[", r"[\w\])}\"]\s+$", "the bracket of a refinement directly follows the type: int[1..5]"),
    (r":", r"(?:^|[(,{])\s*[\w-]+\??\s*$", "no colon stands after a name: write (name int)"),
    (r"[A-Za-z_]", r"\[\s*[^\[\]{}()]*,\s*$", "the words of an enum stand without commas: [a b]"),
    (r"→|=>|⇒", r"", "the arrow is written ->"),
    (r"\*", r"", "other named arguments are written ** any, behind all others"),
    (r"#", r"", "a description begins with ; and ends with the line"),
    (r"'", r"", "texts are written in double quotes"),
)  # fmt: skip


def explain_token(source: str, at: int, met: str, expected: Collection[str]) -> str:
    """Return the error message for the unexpected text *met* at offset *at* of *source*."""
    before = source[:at]
    if row := find_row(MISTAKES, source[at : at + 80], before[-200:]):
        return row[2]
    if met == '"':
        return "this text has no closing double quote"
    if "_COMMA" in expected and re.match(r'[A-Za-z_:"\[{(]', met):
        return "a comma is missing before it"
    return explain_not_allowed(met, expected, EXPECTED)


def explain_end(source: str, expected: Collection[str]) -> str:
    """Return the error message for the text *source*, which ends too early."""
    text = source.rstrip()
    if not text:
        return "an empty text is not a signature; write () for no parameters and any result"
    if text.endswith("->"):
        return "the result is missing; write its type, or leave out the arrow"
    if ";" in text.rsplit("\n", 1)[-1]:
        return "the text ends too early; a description, after a ;, takes the rest of its line"
    return f"the text ends too early; {describe_expected(expected, EXPECTED)}"
