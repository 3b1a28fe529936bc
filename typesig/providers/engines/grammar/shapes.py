"""The shapes of a grammar: what a model may write, a closed set, and how parts are put together.

A part says which texts there are; `Grammar` has the part of the whole text and the named ones.
Make parts with the functions here, which leave out what says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, assert_never

from typesig.errors import TooLarge
from typesig.limits.engines import MAX_GRAMMAR
from typesig.patterns import Charset


@dataclass(frozen=True, slots=True)
class Literal:
    """A grammar part that matches exactly the string `text`."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """A grammar part that matches one character of a set."""

    ranges: Charset


@dataclass(frozen=True, slots=True)
class Sequence:
    """A grammar part that matches its parts in order; without parts, the empty text."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A grammar part that matches one of two or more branches."""

    branches: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A grammar part that matches another part *low* to *high* times; None is no limit."""

    part: Part
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Reference:
    """A grammar part that refers to a named rule."""

    name: str


@dataclass(frozen=True, slots=True)
class Terminal:
    """A grammar part that the engine matches by a regular expression, without recursion."""

    part: Part


@dataclass(frozen=True, slots=True)
class Free:
    """A grammar part that matches free text without some marks, up to an end mark.

    #: without: the marks that it does not have; first: the characters that it does not begin with,
    #:     behind blanks
    #: end: the mark with which it ends where that first occurs, or empty; it is a part of the text
    """

    without: tuple[str, ...] = ()
    first: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Schema:
    """A grammar part that matches the JSON text of values of a JSON Schema.

    #: text: the schema as JSON text
    """

    text: str


Part: TypeAlias = (
    Literal | Chars | Sequence | Choice | Repeat | Reference | Terminal | Free | Schema
)

EMPTY = Sequence(())


class Grammar(NamedTuple):
    """A grammar: the root part and the rules, which are parts by name."""

    root: Part
    rules: Mapping[str, Part]

    def collect_rules(self, *, within_terminals: bool) -> dict[str, Part]:
        """Return the rules that the root needs, in the order of their first use.

        Those that only terminals need are among them if *within_terminals*.  Raises `TooLarge` if
        there is more than an engine reads.
        """
        found: dict[str, Part] = {}
        for part in self.iter_parts(within_terminals=within_terminals):
            if isinstance(part, Reference):
                found[part.name] = self.rules[part.name]
        return found

    def iter_parts(self, *, within_terminals: bool = True) -> Iterator[Part]:
        """Yield all parts of the root and of its rules; raise `TooLarge` if too many."""
        seen: set[str] = set()
        todo = [self.root]
        left = MAX_GRAMMAR
        while todo:
            part = todo.pop()
            left -= 1
            if left < 0:
                raise TooLarge(f"a grammar may have {MAX_GRAMMAR} parts, this one would have more")
            yield part
            if isinstance(part, Reference) and part.name not in seen:
                seen.add(part.name)
                todo.append(self.rules[part.name])
            if within_terminals or not isinstance(part, Terminal):
                todo += reversed(list(iter_children(part)))


def iter_children(part: Part) -> Iterator[Part]:
    """Yield the direct parts of *part*."""
    match part:
        case Sequence(parts) | Choice(parts):
            yield from parts
        case Repeat(each) | Terminal(each):
            yield each
        case Literal() | Chars() | Reference() | Free() | Schema():
            return
        case _:
            assert_never(part)


def make_sequence(*parts: Part | str) -> Part:
    """Join *parts* in order; a string becomes a literal.

    >>> make_sequence("a", make_sequence("b"), EMPTY)
    Literal(text='ab')
    """
    flat: list[Part] = []
    for part in parts:
        made = Literal(part) if isinstance(part, str) else part
        for each in made.parts if isinstance(made, Sequence) else (made,):
            last = flat[-1] if flat else None
            if isinstance(each, Literal) and isinstance(last, Literal):
                flat[-1] = Literal(last.text + each.text)
            elif each != Literal(""):
                flat.append(each)
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def make_choice(branches: Iterable[Part]) -> Part:
    """Make a choice of *branches* without duplicates; a single branch is unchanged."""
    flat: dict[Part, None] = {}
    for branch in branches:
        flat |= dict.fromkeys(branch.branches if isinstance(branch, Choice) else (branch,))
    found = tuple(flat)
    return found[0] if len(found) == 1 else Choice(found)


def make_repeat(part: Part, low: int, high: int | None) -> Part:
    """Make a repetition of *part*, *low* to *high* times."""
    if high == 0:
        return EMPTY
    return part if low == high == 1 else Repeat(part, low, high)


def make_optional(part: Part) -> Part:
    """Make *part* optional, so that it also matches the empty text."""
    return part if part == EMPTY else Repeat(part, 0, 1)


def make_chars(text: str) -> Chars:
    """Build a character class from *text*, pairs of first and last characters of ranges.

    >>> make_chars("09az").ranges
    ((48, 57), (97, 122))
    """
    pairs = zip(text[::2], text[1::2], strict=True)
    return Chars(tuple([(ord(low), ord(high)) for low, high in pairs]))
