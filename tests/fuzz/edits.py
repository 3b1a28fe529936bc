"""Strategies that spoil what is well formed: the closer to a valid text, the deeper a reader goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

#: The longest text that is made.
LONGEST = 6_000

#: Characters that text from outside contains, and readers forget: controls, blanks that are not
#: spaces, marks that change the direction, a byte order mark, digits that are not ASCII, a lone
#: surrogate, a character outside the basic plane.
ODD = ["\0", "\x1b", "\x7f", "\x85", "\xa0", "\u2028", "\u202e", "\ufeff", "٣", "\ud800", "😀", "ß"]

#: Tokens of every language that is read here.
TOKENS = [
    *"(){}[]<>\"'`\\/|&,;:=-+*.?!#%^~@$_ \t\n\r",
    *["->", "-->", "=>", "==>", "::", "..", "**", "{{", "}}", "```", "//", "/*", "*/", "#{", "#_"],
    *["where", "nil", "null", "true", "NaN", "Infinity", "-0", "0x1F", "1e999", "9" * 500, "\\u"],
    *[":int", ":map", ":enum", ":one", ":not", ":ref", "$ref", "Maybe", "IO", '"a"', "\\ud800"],
    *["<think>", "</think>", "Args:", "Returns:", ":param x:", ">>> ", "----", ":class:`a`", "{@"],
]

pieces = st.one_of(st.sampled_from(TOKENS), st.sampled_from(ODD), st.text(max_size=8))


@st.composite
def spoiled(draw: st.DrawFn, texts: Sequence[str]) -> str:
    """Draw one of *texts* with up to five edits; an edit may repeat a piece hundreds of times."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 5))):
        text = _edited(draw, text, texts)[:LONGEST]
    return text


def _edited(draw: st.DrawFn, text: str, texts: Sequence[str]) -> str:
    first, last = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    times = draw(st.sampled_from([1, 1, 1, 2, 3, 40, 900]))
    match draw(st.sampled_from(["insert", "delete", "repeat", "splice", "wrap"])):
        case "insert":
            return text[:first] + draw(pieces) * times + text[first:]
        case "delete":
            return text[:first] + text[last:]
        case "repeat":
            return text[:last] + text[first:last] * times + text[last:]
        case "splice":
            return text[:first] + draw(st.sampled_from(texts)) + text[last:]
        case _:
            return draw(pieces) * times + text + draw(pieces) * times


numbers = st.one_of(
    st.integers(), st.floats(), st.sampled_from([10**500, -(10**500), 2**63, 1e308, -0.0])
)
scalars = st.one_of(
    st.none(), st.booleans(), numbers, pieces, st.sampled_from(["1", "true", "2026-01-31T10:00Z"])
)


def data(keys: Sequence[str]) -> st.SearchStrategy[Any]:
    """Return a strategy of JSON data whose maps have some of *keys*."""
    names = st.one_of(st.sampled_from(keys), pieces)
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.lists(inner, max_size=6), st.dictionaries(names, inner, max_size=6)
        ),
        max_leaves=25,
    )


@st.composite
def altered(draw: st.DrawFn, values: Sequence[Any], keys: Sequence[str]) -> Any:
    """Draw one of the JSON *values* with up to four parts replaced, removed, renamed or nested."""
    value = draw(st.sampled_from(values))
    for _ in range(draw(st.integers(0, 4))):
        value = _altered(draw, value, values, keys)
    return value


def _altered(draw: st.DrawFn, value: Any, values: Sequence[Any], keys: Sequence[str]) -> Any:
    """Return *value* with one change somewhere inside; *value* itself stays as it is."""
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(list(value)))
        rest = {k: v for k, v in value.items() if k != key}
        match draw(st.sampled_from(["inside", "inside", "remove", "rename", "add"])):
            case "inside":
                return {**value, key: _altered(draw, value[key], values, keys)}
            case "remove":
                return rest
            case "rename":
                return {**rest, draw(st.sampled_from(keys)): value[key]}
            case _:
                return {**value, draw(st.sampled_from(keys)): draw(data(keys))}
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        at = draw(st.integers(0, len(value) - 1))
        times = draw(st.sampled_from([0, 1, 1, 1, 2, 300]))
        return [*value[:at], *[_altered(draw, value[at], values, keys)] * times, *value[at + 1 :]]
    if draw(st.booleans()):
        return draw(st.sampled_from(values))
    return draw(data(keys))
