"""What quick readers of notations have in common: tokens, literals and constraints.

A quick reader takes tokens from the end of a list, where the next one stands; the list begins with
`END`, and a function that meets `END` raises `Unknown`.  A "[" that may open a refinement is the
token `REFINE`; where no refinement can stand, it is a usual "[".
"""

from __future__ import annotations

import re
from typing import Any

from typesig.algebra.constraints import COMPARISONS, Constraint
from typesig.algebra.values import Keyword
from typesig.limits import MAX_DIGITS

END = ""

#: A "[" directly after what a type ends with.
REFINE = "[["

#: The parts of the patterns of tokens.  An unclosed text or pattern matches, too: looking for its
#: end from each place would take long.  So does a number with letters, which has no value.
TEXT = r'"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"?'
PATTERN = r"/[^/\\\n\r]*+(?:\\.[^/\\\n\r]*+)*+/?"
NUMBER = r"-?[0-9]++(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+[A-Za-z0-9_]*+"

LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
DIGITS = frozenset("-0123456789")

_WORDS = {"true": True, "false": False, "null": None, "nil": None}


class Unknown(Exception):
    """A text that only the grammar reads."""


def reversed_tokens(
    source: str, pattern: re.Pattern[str], ignored: frozenset[str], refinable: frozenset[str]
) -> list[str]:
    """Return the tokens of *source* from the last one to the first, after `END`.

    *ignored* has the first characters of what *pattern* matches between tokens, and *refinable*
    those of the tokens that it matches together with a "[" that follows directly.
    """
    tokens = pattern.findall(source)
    if len("".join(tokens)) != len(source):
        raise Unknown
    left = [END]
    for token in reversed(tokens):
        first = token[0]
        if token[-1] == "[" and first in refinable:
            left.append(REFINE)
            left.append(token[:-1])
        elif first not in ignored:
            left.append(token)
    return left


def take(left: list[str], token: str) -> None:
    """Take *token*, which has to be next."""
    if left.pop() != token:
        raise Unknown


def takes(left: list[str], token: str) -> bool:
    """Take *token* if it is next, and tell whether it was."""
    if left[-1] != token:
        return False
    left.pop()
    return True


def text(left: list[str]) -> str | None:
    """Take a text in quotes if one is next; return it, or None."""
    return unquoted(left.pop()) if left[-1][:1] == '"' else None


def unquoted(token: str) -> str:
    """Return what stands between the quotes of *token*."""
    if "\\" not in token and token[-1] == '"' and token != '"':
        return token[1:-1]
    import json

    try:
        return str(json.loads(token))
    except ValueError:
        raise Unknown from None


def pattern(token: str) -> str:
    """Return what stands between the slashes of *token*."""
    body = token[1:-1]
    # After an odd number of backslashes the last slash belongs to the pattern, which has no end.
    if not body or token[-1] != "/" or (len(body) - len(body.rstrip("\\"))) % 2:
        raise Unknown
    return body


def literal(left: list[str], is_bare_text: bool = False) -> Any:
    """Take a literal and return its value; a bare word is a text if *is_bare_text*."""
    token = left.pop()
    first = token[:1]
    if first == '"':
        return unquoted(token)
    if first in LETTERS:
        if token in _WORDS:
            return _WORDS[token]
        if is_bare_text:
            return token
        raise Unknown
    if first == ":":
        return Keyword(_named(token))
    if first == "[":
        return _array(left)
    return _object(left) if token == "{" else number(token)


def _named(token: str) -> str:
    """Return the name behind the colon of *token*."""
    if token == ":":
        raise Unknown
    return unquoted(token[1:]) if token[1] == '"' else token[1:]


def _array(left: list[str]) -> list[Any]:
    if takes(left, "]"):
        return []
    items = [literal(left)]
    while takes(left, ","):
        items.append(literal(left))
    take(left, "]")
    return items


def _object(left: list[str]) -> dict[str, Any]:
    if takes(left, "}"):
        return {}
    out: dict[str, Any] = {}
    while True:
        token = left.pop()
        colon = left.pop() if token[:1] == '"' else END
        if colon[:1] != ":":
            raise Unknown
        if colon != ":":
            # In `{"a":true}` the colon and the word are two tokens, elsewhere one.
            left.append(colon[1:])
        name = unquoted(token)
        if name in out:
            raise Unknown
        out[name] = literal(left)
        if not takes(left, ","):
            take(left, "}")
            return out


def number(token: str) -> int | float:
    """Return the number that *token* is."""
    digits = token.removeprefix("-")
    # Python, but not JSON, reads underscores between digits, and zeros before them.
    has_zeros = digits[:1] == "0" and digits[1:2].isdecimal()
    if len(token) > MAX_DIGITS or "_" in token or has_zeros or not digits[:1].isdecimal():
        raise Unknown
    try:
        found = int(token) if digits.isdecimal() else float(token)
    except ValueError:
        raise Unknown from None
    if found - found != 0:
        raise Unknown
    return found


def constraints(left: list[str]) -> list[Constraint]:
    """Take constraints and the closing bracket of a refinement."""
    found: list[Constraint] = []
    while True:
        found += _constraint(left)
        if not takes(left, ","):
            take(left, "]")
            return found


def _constraint(left: list[str]) -> list[Constraint]:
    token = left.pop()
    if token in COMPARISONS:
        return [Constraint(COMPARISONS[token], number(left.pop()))]
    if token == "..":
        return [Constraint("at_most", number(left.pop()))]
    if token == "%":
        return [Constraint("multiple_of", number(left.pop()))]
    first = token[:1]
    if first == "/":
        return [Constraint("pattern", pattern(token))]
    if first in LETTERS:
        return [Constraint("unique", True) if token == "unique" else Constraint("format", token)]
    low = number(token)
    take(left, "..")
    if left[-1] in (",", "]"):
        return [Constraint("at_least", low)]
    high = number(left.pop())
    if low > high:
        raise Unknown
    return [Constraint("at_least", low), Constraint("at_most", high)]
