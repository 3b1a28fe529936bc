"""Values as messages show them: short, on one line, without firewalled values."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any, assert_never, get_args

from typesig.algebra.rows.names import folded
from typesig.algebra.rows.values import Kind, exact, is_text, kind_of
from typesig.limits import MAX_EXCERPT
from typesig.notations.texts.quoting import json_string
from typesig.validation.issues.words import KIND_PHRASES, SIGNATURE, Phrase, Words
from typesig.validation.issues.written import digits_of

#: The text that takes the place of a firewalled value.
FIREWALLED = "<Firewalled>"


def shown(value: object, limit: int = MAX_EXCERPT) -> str:
    """Return the kind and the text of *value*, such as `string "abc"`, cut to about *limit*.

    >>> shown("abc"), shown(None), shown([1, {"a": True}])
    ('string "abc"', 'nil', 'list [1, {"a": true}]')
    """
    return Phrase(_shown(value, limit, SIGNATURE), partial(_shown, value, limit))


def _shown(value: object, limit: int, words: Words) -> str:
    kind = kind_of(value)
    match kind:
        case "nil":
            return words.nil
        case "object":
            return _NO_FORM
        case "bool" | "int" | "float" | "string" | "keyword" | "datetime" | "list" | "map" | "set":
            named, text = words.kinds[kind], _bare(value, limit, words)
            return f"{named} {text.removeprefix(f'an {named} ')}"
        case _:
            assert_never(kind)


#: What is shown of a value of another class.
_NO_FORM = "a value that JSON has no form for"

_KINDS = frozenset(get_args(Kind))


def kind_in(excerpt: str) -> str:
    """Return the kind of the value that *excerpt* shows, which may begin with that kind.

    >>> kind_in('string "abc"'), kind_in('"abc"'), kind_in("-1.5"), kind_in("nil")
    ('string', 'string', 'float', 'nil')
    """
    first = excerpt.partition(" ")[0]
    found = None if first in _KINDS else _BARE.match(excerpt)
    kind: Any = first if found is None else found.lastgroup
    return KIND_PHRASES[kind] if kind in _KINDS else _NO_FORM


#: How the text of a value without its kind begins.
_BARE = re.compile(
    r"""(?P<string>")|(?P<keyword>:)|(?P<list>\[)|(?P<map>\{)|(?P<set>\#)|(?P<bool>true|false)"""
    r"""|(?P<datetime>\d+-\d+-)|(?P<float>-?(?:inf|\d+[.e])|nan)|(?P<int>-?\d|an int )"""
)


def bare(value: object, limit: int = MAX_EXCERPT) -> str:
    """Return the text of *value* without its kind, cut to about *limit* characters."""
    return Phrase(_bare(value, limit, SIGNATURE), partial(_bare, value, limit))


def _bare(value: object, limit: int, words: Words) -> str:
    out: list[str] = []
    _write(value, out, limit, 0, words)
    return "".join(out)


def _write(value: Any, out: list[str], room: int, depth: int, words: Words) -> int:
    """Append the text of *value* to *out* and return the room that is left, maybe below 0."""
    kind, given, value = kind_of(value), value, exact(value)
    match kind:
        case "list":
            return _series(("[", "]"), value, out, room, depth, words)
        case "set":
            return _series(words.set_marks, value, out, room, depth, words)
        case "map":
            return _map(value, out, room, depth, words)
        case "nil":
            out.append(words.nil)
        case "bool":
            out.append("true" if value else "false")
        case "int":
            out.append(_digits(value, words))
        case "float":
            out.append(line(digits_of(given), MAX_EXCERPT))
        case "string":
            out.append(text(value, max(room, 8)))
        case "keyword":
            quoted = text(value, max(room, 8))
            out.append(quoted if words.quotes else f":{quoted[1:-1]}")
        case "datetime":
            written = str(value.isoformat())
            out.append(f'"{written}"' if words.quotes else written)
        case "object":
            out.append("…")
        case _:
            assert_never(kind)
    return room - len(out[-1])


def _series(
    marks: tuple[str, str], items: Any, out: list[str], room: int, depth: int, words: Words
) -> int:
    out.append(marks[0])
    for count, item in enumerate(exact(items)):
        if count:
            out.append(", ")
        if room <= 0 or depth > 4:
            out.append("…")
            break
        room = _write(item, out, room - 2, depth + 1, words)
    out.append(marks[1])
    return room - 2


def _map(value: Any, out: list[str], room: int, depth: int, words: Words) -> int:
    out.append("{")
    for count, (key, item) in enumerate(exact(value).items()):
        if count:
            out.append(", ")
        if room <= 0 or depth > 4:
            out.append("…")
            break
        if is_text(key) and folded(key).startswith("_"):
            out.append(FIREWALLED)
            room -= len(FIREWALLED)
            continue
        name = text(key, max(room, 8)) if is_text(key) else _bare(key, 20, words)
        out.append(f"{name}: ")
        room = _write(item, out, room - len(out[-1]), depth + 1, words)
    out.append("}")
    return room - 2


def _digits(value: int, words: Words) -> str:
    # Python refuses to write very long integers, and their digits do not help a model.
    bits = int.bit_length(value)
    return f"an {words.kinds['int']} of {bits} bits" if bits > _MOST_BITS else int.__repr__(value)


_MOST_BITS = 256


def text(value: str, limit: int = MAX_EXCERPT) -> str:
    """Return *value* as a JSON string on one line, cut to about *limit* characters."""
    cut = str.__str__(value)[: limit + 1]
    if len(cut) > limit:
        cut = cut[:limit] + "…"
    return _printable(json_string(cut))


def line(value: str, limit: int) -> str:
    r"""Return *value* on one line, cut to *limit* characters; what cannot be seen is escaped.

    >>> print(line("two\nlines\x00", 40))
    two lines\u0000
    """
    cut = " ".join(value[: limit + 1].splitlines())
    shown = _printable(cut)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def lines(value: str, limit: int, most: int) -> list[str]:
    r"""Return the lines of *value*, cut to *limit* characters; those after *most* are one.

    >>> lines("two\nlines\x00", 40, 9), lines("a\nb\nc", 40, 2)
    (['two', 'lines\\u0000'], ['a', 'b c'])
    """
    parts = value[: limit + 1].splitlines()
    whole = [*parts[: most - 1], *([" ".join(parts[most - 1 :])] if len(parts) >= most else [])]
    shown = [line(each.rstrip(), limit) for each in whole]
    if len(value) > limit:
        shown[-1] = shown[-1][:-1] + "…"
    return shown


#: Letters that are not seen, by which text can be hidden: tags and selectors of variants.
_UNSEEN = range(0xE0000, 0xE1000)


def _printable(text: str) -> str:
    """Return *text* with escapes for the characters that are not seen, or change the order."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c if c.isprintable() and ord(c) not in _UNSEEN else json.dumps(c)[1:-1] for c in text
    )
