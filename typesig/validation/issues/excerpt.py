"""Values and types as messages show them: short, on one line, without firewalled values."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from reprlib import Repr
from typing import Any, assert_never, get_args

from typesig.algebra import nodes
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import Const, Kind, get_kind, is_text, to_builtin
from typesig.algebra.traversal import find_references
from typesig.errors import format_value
from typesig.limits import MAX_EXCERPT, MAX_EXPECTED, MAX_EXPECTED_VALUES
from typesig.notations.texts.quoting import json_string
from typesig.validation.issues.words import (
    KIND_PHRASES,
    SIGNATURE,
    Phrase,
    Words,
    make_scalar_phrase,
)
from typesig.validation.plain_data import get_digits

# --- Values as messages show them: short, on one line, without firewalled values ---

#: The text that takes the place of a firewalled value.
FIREWALLED = "<Firewalled>"


def describe_value(value: object, limit: int = MAX_EXCERPT) -> str:
    """Return the kind and the text of *value*, such as `string "abc"`, cut to about *limit*.

    >>> describe_value("abc"), describe_value(None), describe_value([1, {"a": True}])
    ('string "abc"', 'nil', 'list [1, {"a": true}]')
    """
    return Phrase(_describe_value(value, limit, SIGNATURE), partial(_describe_value, value, limit))


def _describe_value(value: object, limit: int, words: Words) -> str:
    """Write the kind of *value* and an excerpt within *limit* characters, in *words*."""
    kind = get_kind(value)
    match kind:
        case "nil":
            return words.nil
        case "object":
            return _NO_FORM
        case "bool" | "int" | "float" | "string" | "keyword" | "datetime" | "list" | "map" | "set":
            named, text = words.kinds[kind], _write_excerpt(value, limit, words)
            return f"{named} {text.removeprefix(f'an {named} ')}"
        case _:
            assert_never(kind)


#: What is shown of a value of another class.
_NO_FORM = "a value that JSON has no form for"

_KINDS = frozenset(get_args(Kind))


def get_excerpt_kind(excerpt: str) -> str:
    """Return the kind of the value that *excerpt* shows, which may begin with that kind.

    >>> (
    ...     get_excerpt_kind('string "abc"'),
    ...     get_excerpt_kind('"abc"'),
    ...     get_excerpt_kind("-1.5"),
    ...     get_excerpt_kind("nil"),
    ... )
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


def write_excerpt(value: object, limit: int = MAX_EXCERPT) -> str:
    """Return the text of *value* without its kind, cut to about *limit* characters."""
    return Phrase(_write_excerpt(value, limit, SIGNATURE), partial(_write_excerpt, value, limit))


def _write_excerpt(value: object, limit: int, words: Words) -> str:
    """Write *value* in a single line of about *limit* characters, in *words*."""
    out: list[str] = []
    _write(value, out, limit, 0, words)
    return "".join(out)


def _write(value: Any, out: list[str], room: int, depth: int, words: Words) -> int:
    """Append an excerpt of *value* to *out*; return the *room* left, possibly negative."""
    kind, given, value = get_kind(value), value, to_builtin(value)
    match kind:
        case "list":
            return _write_items(("[", "]"), value, out, room, depth, words)
        case "set":
            return _write_items(words.set_marks, value, out, room, depth, words)
        case "map":
            return _map(value, out, room, depth, words)
        case "nil":
            out.append(words.nil)
        case "bool":
            out.append("true" if value else "false")
        case "int":
            out.append(_write_digits(value, words))
        case "float":
            out.append(cut_line(get_digits(given), MAX_EXCERPT))
        case "string":
            out.append(quote_text(value, max(room, 8)))
        case "keyword":
            quoted = quote_text(value, max(room, 8))
            out.append(quoted if words.quotes else f":{quoted[1:-1]}")
        case "datetime":
            written = str(value.isoformat())
            out.append(f'"{written}"' if words.quotes else written)
        case "object":
            out.append("…")
        case _:
            assert_never(kind)
    return room - len(out[-1])


def _write_items(
    marks: tuple[str, str], items: Any, out: list[str], room: int, depth: int, words: Words
) -> int:
    """Append an excerpt of *items* between the brackets *marks*; return the *room* left."""
    out.append(marks[0])
    for count, item in enumerate(to_builtin(items)):
        if count:
            out.append(", ")
        if room <= 0 or depth > 4:
            out.append("…")
            break
        room = _write(item, out, room - 2, depth + 1, words)
    out.append(marks[1])
    return room - 2


def _map(value: Any, out: list[str], room: int, depth: int, words: Words) -> int:
    """Append an excerpt of the map *value* to *out*; return the *room* left."""
    out.append("{")
    for count, (key, item) in enumerate(to_builtin(value).items()):
        if count:
            out.append(", ")
        if room <= 0 or depth > 4:
            out.append("…")
            break
        if is_text(key) and fold_name(key).startswith("_"):
            out.append(FIREWALLED)
            room -= len(FIREWALLED)
            continue
        name = quote_text(key, max(room, 8)) if is_text(key) else _write_excerpt(key, 20, words)
        out.append(f"{name}: ")
        room = _write(item, out, room - len(out[-1]), depth + 1, words)
    out.append("}")
    return room - 2


def _write_digits(value: int, words: Words) -> str:
    """Write the integer *value* in digits, or its size in bits if it is very long."""
    # Python refuses to write very long integers, and their digits do not help a model.
    bits = int.bit_length(value)
    return f"an {words.kinds['int']} of {bits} bits" if bits > _MOST_BITS else int.__repr__(value)


_MOST_BITS = 256


def quote_text(value: str, limit: int = MAX_EXCERPT) -> str:
    """Return *value* as a JSON string on one line, cut to about *limit* characters."""
    cut = str.__str__(value)[: limit + 1]
    if len(cut) > limit:
        cut = cut[:limit] + "…"
    return _escape_unprintable(json_string(cut))


def cut_line(value: str, limit: int) -> str:
    r"""Return *value* on one line, escaped and cut to *limit* characters.

    >>> print(cut_line("two\nlines\x00", 40))
    two lines\u0000
    """
    cut = " ".join(value[: limit + 1].splitlines())
    shown = _escape_unprintable(cut)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def cut_lines(value: str, limit: int, most: int) -> list[str]:
    r"""Split *value* into at most *most* lines, cut to *limit* characters.

    >>> cut_lines("two\nlines\x00", 40, 9), cut_lines("a\nb\nc", 40, 2)
    (['two', 'lines\\u0000'], ['a', 'b c'])
    """
    parts = value[: limit + 1].splitlines()
    whole = [*parts[: most - 1], *([" ".join(parts[most - 1 :])] if len(parts) >= most else [])]
    shown = [cut_line(each.rstrip(), limit) for each in whole]
    if len(value) > limit:
        shown[-1] = shown[-1][:-1] + "…"
    return shown


#: Letters that are not seen, by which text can be hidden: tags and selectors of variants.
_UNSEEN = range(0xE0000, 0xE1000)


def _escape_unprintable(text: str) -> str:
    """Escape the characters of *text* that are invisible or change the text direction."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c if c.isprintable() and ord(c) not in _UNSEEN else json.dumps(c)[1:-1] for c in text
    )


# --- The repr of a value, bounded in depth and length, for developers ---

#: The built-ins' own functions of repr, and whether they write the name of a subclass.
_NAMES_CLASS: dict[Any, bool] = {
    list.__repr__: False,
    tuple.__repr__: False,
    dict.__repr__: False,
    set.__repr__: True,
    frozenset.__repr__: True,
    OrderedDict.__repr__: True,
}


class _BoundedRepr(Repr):
    """A `reprlib.Repr` that survives errors in the methods of the objects it shows."""

    def repr1(self, x: Any, level: int) -> str:
        """Write the bounded repr of *x*, or its class name if `__repr__` raises."""
        try:
            return self._read(x, level)
        except Exception:
            # An object of others, whose methods may raise anything.
            return f"<{type(x).__name__} object>"

    def _read(self, x: Any, level: int) -> str:
        """Write the bounded repr of *x*, without calling a subclass's `__iter__`."""
        cls, plain = type(x), to_builtin(x)
        if plain is x or cls.__repr__ not in _NAMES_CLASS:
            return str.__str__(super().repr1(x, level))
        # Those functions call the `__iter__` of the subclass, which may not end.
        text = super().repr1(plain, level)
        return f"{cls.__name__}({text})" if _NAMES_CLASS[cls.__repr__] else text

    def repr_int(self, x: int, level: int) -> str:
        """Write the integer *x*, without the digits of very long integers."""
        return format_value(x, 200)


def shorten_repr(value: object) -> str:
    """Return the repr of *value*, bounded in depth and length.

    >>> shorten_repr(list(range(30)))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, ...]'
    >>> shorten_repr(OrderedDict(a=1)), shorten_repr(type("Tags", (set,), {})([1]))
    ("OrderedDict({'a': 1})", 'Tags({1})')
    """
    writer = _BoundedRepr()
    writer.maxdict = writer.maxlist = writer.maxtuple = writer.maxset = writer.maxfrozenset = 20
    writer.maxstring = writer.maxlong = writer.maxother = 200
    return writer.repr(value)


# --- Types as messages name them: short, in the words of the notation that the model was shown ---
# In those of signatures, a type is written in shorthand, without the colon.


def describe_type(
    t: nodes.Type, definitions: Mapping[str, nodes.Type], known: dict[str, str] | None = None
) -> str:
    """Write a short label of the type *t* for messages, such as `int[1..100]`.

    *known* keeps the texts of names from one call to the next.
    """
    if type(t) is nodes.Scalar:
        return make_scalar_phrase(t.name)
    if type(t) is nodes.Record:
        return KIND_PHRASES["map"]
    text = _TypeWriter(definitions, {} if known is None else known, SIGNATURE).write_text(t)
    return Phrase(text, lambda words: _TypeWriter(definitions, {}, words).write_text(t))


class _TypeWriter:
    """Writer of type labels, which resolves names by *definitions*; *known* is a cache."""

    def __init__(
        self, definitions: Mapping[str, nodes.Type], known: dict[str, str], words: Words
    ) -> None:
        self._definitions = definitions
        self._known = known
        self._words = words
        # Those of the parts that several others share.
        self._parts: dict[int, str] = {}

    def write_text(self, t: nodes.Type) -> str:
        """Write the label of the type *t*, cut if it is long."""
        text = self._parts.get(id(t))
        if text is None:
            text = self._write_type(t)
            text = text if len(text) <= MAX_EXPECTED else text[: MAX_EXPECTED - 1] + "…"
            self._parts[id(t)] = text
        return text

    def _write_type(self, t: nodes.Type) -> str:
        """Write the label of the type *t* in the notation of the writer."""
        words = self._words
        match t:
            case nodes.Scalar(name):
                return words.scalars.get(name, name)
            case nodes.List() | nodes.Tuple():
                return words.kinds["list"]
            case nodes.Set():
                return words.kinds["set"]
            case nodes.MapOf() | nodes.Record():
                return words.kinds["map"]
            case nodes.Maybe(inner) | nodes.Annotation(inner):
                return self.write_text(inner)
            case nodes.Enum(values):
                return f"one of {_list_values(values, words)}"
            case nodes.Union(members) | nodes.One(members):
                return words.either.join(dict.fromkeys(map(self.write_text, members)))
            case nodes.Both(members):
                return words.both.join(dict.fromkeys(map(self.write_text, members)))
            case nodes.Not(inner):
                return f"not {self.write_text(inner)}"
            case nodes.ItemCount(item):
                # A type may count lists of its own: names stand for themselves.
                named = {name: name for name in find_references(item)}
                return words.counted(
                    t, _TypeWriter(self._definitions, named, words).write_text(item)
                )
            case nodes.Refinement(inner):
                return words.refined(t, self.write_text(inner), self._resolve_type(inner))
            case nodes.Ref(name):
                if name not in self._known:
                    self._known[name] = self.write_text(self._definitions[name])
                return self._known[name]
            case _:
                assert_never(t)

    def _resolve_type(self, t: nodes.Type) -> nodes.Type:
        """Return the type that *t* refers to, or *t* if it is not a reference."""
        while isinstance(t, nodes.Ref):
            t = self._definitions[t.name]
        return t


def write_values(values: tuple[Const, ...]) -> str:
    """Return the first values of an enum as a message lists them."""
    return Phrase(_list_values(values, SIGNATURE), partial(_list_values, values))


def _list_values(values: tuple[Const, ...], words: Words) -> str:
    """Write the enum *values* in the notation of *words*, shortened if too long."""
    texts = [words.literal(value) for value in values[:MAX_EXPECTED_VALUES]]
    texts += ["…"] if len(values) > MAX_EXPECTED_VALUES else []
    text = f"[{', '.join(texts)}]"
    return text if len(text) <= MAX_EXPECTED else text[: MAX_EXPECTED - 2] + "…]"
