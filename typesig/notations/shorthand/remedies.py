"""Messages about mistakes in shorthand: what is wrong and what to write instead.

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

_LIST = "write [:any] for a list of anything, [:string] for a list of texts"
_TUPLE = "write [:a, :b], or {name :a} for named values"
_OBJECT = "write {field :type}, or :map for any map"
_UNION = "write :a|:b for one of several types"
_OPTIONAL = "write a ? after the type, as in :string?"
_DATE = "write :string[date]"
_FUNCTION = "a model cannot send a function"


def _write(spelling: str) -> str:
    """Format the advice to write *spelling*."""
    return f"write {spelling}"


#: Names of types in other languages, and what to write instead.
GUESSES: dict[str, str] = {
    "list": _LIST, "array": _LIST, "vector": _LIST, "sequence": _LIST, "sequential": _LIST,
    "iterable": _LIST, "collection": _LIST, "seq": _LIST, "List": _LIST, "Array": _LIST,
    "Sequence": _LIST, "Iterable": _LIST, "ReadonlyArray": _LIST,
    "tuple": _TUPLE, "Tuple": _TUPLE, "cat": _TUPLE, "pair": _TUPLE,
    "object": _OBJECT, "dict": _OBJECT, "record": _OBJECT, "struct": _OBJECT, "hash": _OBJECT,
    "dictionary": _OBJECT, "mapping": _OBJECT, "Dict": _OBJECT, "Mapping": _OBJECT,
    "Object": _OBJECT, "Map": _OBJECT, "Record": _OBJECT, "json": "write :any, or :map",
    "set": "write #{:string} for a set of texts", "Set": "write #{:string} for a set of texts",
    "frozenset": "write #{:string} for a set of texts",
    "str": _write(":string"), "String": _write(":string"), "Text": _write(":string"),
    "text": _write(":string"), "char": _write(":string"), "binary": _write(":string[base64]"),
    "bytes": _write(":string[base64]"), "Path": _write(":string"), "path": _write(":string"),
    "integer": _write(":int"), "Integer": _write(":int"), "Int": _write(":int"),
    "long": _write(":int"), "bigint": _write(":int"), "timeout": _write(":int"),
    "number": "write :float, which takes whole numbers too, or :int",
    "Number": "write :float, which takes whole numbers too, or :int",
    "num": "write :float, which takes whole numbers too, or :int",
    "Float": _write(":float"), "Double": _write(":float"), "real": _write(":float"),
    "decimal": _write(":string[decimal]"), "Decimal": _write(":string[decimal]"),
    "Bool": _write(":bool"), "Boolean": _write(":bool"),
    "null": _write(":nil"), "none": _write(":nil"), "None": _write(":nil"),
    "NoneType": _write(":nil"), "undefined": _write(":nil"), "void": _write(":nil"),
    "unit": _write(":nil"),
    "Any": _write(":any"), "unknown": _write(":any"), "term": _write(":any"),
    "mixed": _write(":any"), "never": "there is no type without values; leave it out",
    "atom": _write(":keyword"), "symbol": _write(":keyword"), "Keyword": _write(":keyword"),
    "module": _write(":keyword"),
    "timestamp": _write(":datetime"), "DateTime": _write(":datetime"),
    "Datetime": _write(":datetime"), "Date": _DATE, "url": "write :string[uri]",
    "fraction": _write(":string[fraction]"), "Fraction": _write(":string[fraction]"),
    "regex": "write :string[/pattern/]", "timedelta": "write :string[duration]",
    "enum": 'write :enum["a" "b"]', "literal": 'write :enum["a" "b"]',
    "Literal": 'write :enum["a" "b"]', "Enum": 'write :enum["a" "b"]',
    "const": 'write :enum["a"]',
    "union": _UNION, "Union": _UNION, "or": _UNION, "oneof": "write :one[:a, :b]",
    "oneOf": "write :one[:a, :b]", "anyOf": _UNION, "allOf": "write {a :int} & {b :int}",
    "one": "write :one[:a, :b]", "and": "write {a :int} & {b :int}",
    "optional": _OPTIONAL, "Optional": _OPTIONAL, "maybe": _OPTIONAL, "Maybe": _OPTIONAL,
    "function": _FUNCTION, "callable": _FUNCTION, "Callable": _FUNCTION, "fn": _FUNCTION,
    "pid": "use a text that identifies the process, :string",
    "reference": "use a text that identifies it, :string",
}  # fmt: skip


def explain_unknown_type(word: str, defined: Sequence[str] = ()) -> str:
    """Return the error message for the unknown type name *word*."""
    from difflib import get_close_matches

    name = cut_word(word) if is_plain(word) else quote(cut_word(word))
    shown = f'there is no type ":{name}"' if is_plain(word) else f"there is no type :{name}"
    if word in GUESSES:
        return f"{shown}; {GUESSES[word]}"
    if word in FORMATS:
        return f"{shown}; write :string[{word}]"
    known = [*SCALARS, *defined] if len(defined) <= MAX_NEAR else [*SCALARS]
    near = get_close_matches(word, known, 1) if len(word) <= MAX_NEAR_NAME else []
    if near:
        return f"{shown}; did you mean :{near[0]}?"
    if word.lower() in SCALARS:
        return f"{shown}; write :{word.lower()}"
    names = ", ".join(f":{name}" for name in SCALARS)
    return f"{shown}; define it after the signature (where {name} = …), or write one of {names}"


#: What messages call the terminals of the grammar; messages do not offer terminals without a row.
EXPECTED: dict[str, str] = {
    "NAME": "a type such as :int",
    "WORD": "a name",
    "TEXT": "a text in double quotes",
    "NUMBER": "a number",
    "_ARROW": "->",
    "_TO": "..",
    "_COMMA": "a comma",
    **CLOSINGS,
    "_COLON": "a colon",
    "_EQUAL": "=",
    "_WHERE": "where",
    "$END": "the end",
}

#: The unexpected text, the text before it, and the message; the first row that matches is used.
MISTAKES: tuple[tuple[str, str, str], ...] = (
    (r"\]", r":map\[\s*$", "a map of what? write :map for any map, :map[:int] for one of ints"),
    (r"\]", r":not\[\s*$", "not what? write what it must not be, as in :not[:string]"),
    (r"\]", r":(?:enum|one)\[\s*$", 'of what? write what it may be, as in :enum["a" "b"]'),
    (r"[\]:]", r":count\[[^\[\]:]*$",
     'items are counted as in :count[2..3 :int]; your own type count is written :"count"'),
    (r"\]", r"\[\s*$", "a list of what? write [:any] for a list of anything"),
    (r"\]", r":one\[[^\[\]]*$", ":one takes two types or more, as in :one[:int, :string]"),
    (r"\]", r"\[\s*-?[0-9.eE+-]+\s*$",
     "a range is written 1..5, or 1.. from one on, ..5 up to five"),
    (r"\}", r"#\{\s*$", "a set of what? write #{:any} for a set of anything"),
    (r"[\])}]", r",\s*$", "remove the comma before it"),
    (r"[A-Za-z_\"]", r"[{(,]\s*/(?:[^/\\\n]|\\.)+/[^,{}()]*,\s*$",
     "names come before patterns: {id :int, /^x-/ :string}"),
    (r"\*\*", r"\[[^\[\]]*[\w\]?]\s+$", "a comma is missing before it"),
    (r"[)}]", r"\*\*\s*$", "** is followed by the type of the other arguments, as in ** :any"),
    (r"\?", r"\?\s*$", "one ? is enough"),
    (r"\[", r"\?$", "the ? comes last: write :int[1..5]?"),
    (r":", r"^\s*\(\s*:[\w-]+\s+$", "the name of a parameter has no colon: write (name :int)"),
    (r":", r"\bwhere\s*$", "a definition's name has no colon: write where Name = :int"),
    (r"/", r"\[\s*(?:[^\]]*,\s*)?/?$", "an empty pattern is written /(?:)/"),
    (r".", r"\[[^\]]*/(?:[^/\\\n]|\\.)+/$", "a / within a pattern is written \\/"),
    (r"\[", r"[\w\])}\"?]\s+$",
     "the bracket of a refinement directly follows the type: :int[1..5]"),
    (r"->", r"", "parameters are written in parentheses, with names: (name :int) -> :string"),
    (r"→|=>|⇒", r"", "the arrow is written ->"),
    (r"\*", r"", "other named arguments are written ** :any"),
    (r"or\b|and\b", r"", "any of two types is :a|:b, both of them {a :int} & {b :int}"),
    (r",", r":enum\[\s*$", "an enum begins with a value, as in :enum[low high]"),
    (r"\[", r"\]$", "constraints share one pair of brackets, as in :string[..5, email]"),
    (r"#", r"", "a comment begins with ; and ends with the line"),
    (r"'", r"", "texts are written in double quotes"),
    (r"=>|=|:", r"\)\s*$", "the arrow is written ->"),
    (r"[,)}]", r"(?:^|[(,{])\s*[A-Za-z_][\w-]*\s*$", "a name is followed by its type: name :any"),
    (r"/", r"", "a pattern is written in a refinement, as in :string[/^[a-z]+$/]"),
)  # fmt: skip

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def explain_token(source: str, at: int, met: str, expected: Collection[str]) -> str:
    """Return the error message for the unexpected text *met* at offset *at* of *source*."""
    before = source[:at]
    if message := _explain_python_hint(source, at, before) or _explain_text(source, at):
        return message
    if row := find_row(MISTAKES, source[at : at + 2], before[-200:]):
        return row[2]
    opened = re.search(r":([A-Za-z_][\w-]*)\[\s*$", before[-60:])
    if opened is not None and opened[1] in GUESSES:
        return explain_unknown_type(opened[1])
    bare = _BARE.match(source, at)
    if bare is not None and "NAME" in expected:
        if not before.strip() and re.match(r"\s*\??\s*:", source[bare.end() : bare.end() + 20]):
            return f"named values are written in braces: {{{cut_word(bare[0])} …}}"
        if not before.strip() and source.startswith("(", bare.end()):
            return f"a signature has no name: leave {cut_word(bare[0])} out, and begin with its ("
        word = cut_word(bare[0])
        if word in SCALARS:
            return f"a type begins with a colon: write :{word}"
        if word in GUESSES:
            return f'a type begins with a colon, and there is no ":{word}"; {GUESSES[word]}'
        return f"{word} is not a type; a type begins with a colon, as in :string"
    if "_COMMA" in expected and re.match(r'[\w:"\[{(#]', met):
        return "a comma is missing before it"
    return explain_not_allowed(met, expected, EXPECTED)


#: What begins with a bracket, and so without a colon.
_OPENINGS = {"[": "a list", "{": "a record", "#": "a set"}

_NAMED = re.compile(r"(?:^|[(,{])\s*(\"(?:[^\"\\\n]|\\.)*\"|[A-Za-z_][\w-]*)\s*$")


def _explain_python_hint(source: str, at: int, before: str) -> str | None:
    """Return the error message for a Python hint `name: type`, or None."""
    found = _NAMED.search(before[-200:])
    if found is None or source[at] != ":":
        return None
    rest = source[at + 1 :].lstrip()
    if rest[:1] in _OPENINGS:
        return f"{_OPENINGS[rest[:1]]} has no colon: write {cut_word(found[1])} {rest[0]}…"
    bare = _BARE.match(rest)
    word = bare[0] if bare is not None else "int"
    if word in GUESSES:
        return f"the colon belongs to the type: {cut_word(found[1])} :…, and {GUESSES[word]}"
    return f"the colon belongs to the type: write {cut_word(found[1])} :{cut_word(word)}"


_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def _explain_text(source: str, at: int) -> str | None:
    """Return the error message for an unexpected quoted text at *at*, or None."""
    if source[at] != '"':
        return None
    found = _STRING.match(source, at)
    if found is None:
        return "this text has no closing double quote"
    if source.rfind("[", 0, at) > source.rfind("]", 0, at):
        return (
            "a text is not a constraint; one of several values is written "
            f":enum[{cut_word(found[0])}]"
        )
    return "a text is not a type; a type begins with a colon, as in :string"


# A bracket, and a comment on its line.  It is the last bracket before it, so that no part of the
# text is read twice.
_COMMENTED = re.compile(r"[({\[][^(){}\[\]\n;]*;")


def explain_end(source: str, expected: Collection[str]) -> str:
    """Return the error message for the text *source*, which ends too early."""
    text = source.rstrip()
    if not text:
        return "an empty text is not a signature; write :any for anything"
    if _COMMENTED.search(text):
        return "the text ends too early; a ; begins a comment, which hides the rest of its line"
    if text.endswith("->"):
        return "the result is missing; write its type, or :any"
    if text.endswith(")") and "_ARROW" in expected:
        return "the result is missing; write -> and its type, or -> :any"
    if text.endswith(","):
        return (
            f"the text ends too early; {describe_expected(expected, EXPECTED)}, or remove the comma"
        )
    return f"the text ends too early; {describe_expected(expected, EXPECTED)}"
