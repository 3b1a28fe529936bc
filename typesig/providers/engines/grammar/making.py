"""Settled types as grammars: the values of a type, as a spelling writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const
from typesig.engine_limits import MAX_REPEATED
from typesig.notations.json_schema.keywords.kinds import KINDS, NEVER, WHOLE
from typesig.providers.engines.engine import Enforced, Lose, Path
from typesig.providers.engines.grammar.digits import ANY_INTEGER, integers, numbers_within
from typesig.providers.engines.grammar.shapes import (
    EMPTY,
    Free,
    Literal,
    Part,
    Reference,
    Terminal,
    choice,
    optional,
    repeat,
    sequence,
)
from typesig.providers.engines.grammar.spellings import JSON, Quotes, Spelling
from typesig.providers.engines.grammar.words import (
    Wanted,
    constant_text,
    is_covered,
    key_named,
    keyword,
    none_of,
    quoted_text,
    spelt_text,
    wanted_of,
    whole,
)

#: What a grammar of ours says of a type, whatever engine reads it.
ENFORCED = Enforced(
    takes=lambda pattern: whole(pattern) is not None,
    many_patterns=False,
    lengths_beside=False,
    steps="none",
    most_size=MAX_REPEATED,
    most_bound=10**30,
)


class Maker:
    """Makes parts of settled types, which refer to each other by names of rules.

    #: rules: the parts by name
    """

    def __init__(
        self,
        names: Mapping[str, nodes.Type],
        rules: dict[str, Part],
        lose: Lose,
        spelling: Spelling = JSON,
    ) -> None:
        self.rules = rules
        self.spelling = spelling
        self._names = names
        self._lose = lose
        self._made: dict[str, str] = {}
        self._pending: list[str] = []
        self._parts: dict[Part, str] = {}

    def finish(self) -> None:
        """Make the rules of all names that were referred to."""
        while self._pending:
            name = self._pending.pop()
            self.rules[self._made[name]] = self.part(self._names[name], ("definitions", name))

    def part(self, t: nodes.Type, at: Path) -> Part:
        """Return the values of *t*, which stands at *at*."""
        match t:
            case nodes.Scalar():
                return self._scalar(t)
            case nodes.Enum(values):
                return choice([self.constant(value) for value in values])
            case nodes.Refined(scalar, constraints) if isinstance(scalar, nodes.Scalar):
                return self._refined(scalar, constraints, at)
            case nodes.Refined(inner, constraints):
                return self._many(inner, *_sizes(constraints), at)
            case nodes.List() | nodes.Tuple() | nodes.Record():
                return self._many(t, 0, None, at)
            case nodes.Maybe(inner):
                return choice([self.part(inner, at), Literal(self.spelling.null)])
            case nodes.Union(members):
                return choice([self.part(member, at) for member in members])
            case nodes.Ref(name):
                return self._reference(name)
            case _:  # pragma: no cover  # a settled type has no other shape
                raise AssertionError

    def _reference(self, name: str) -> Part:
        if name not in self._made:
            made = self._free_name(name)
            self._made[name] = made
            self.rules[made] = EMPTY
            self._pending.append(name)
        return Reference(self._made[name])

    def _free_name(self, name: str) -> str:
        """Return a name for the rule of the type *name*: a letter, then letters and digits."""
        kept = "".join([sign for sign in name.lower() if sign.isascii() and sign.isalnum()])
        made = stem = f"{self.spelling.name}type{kept[:24]}"
        count = 1
        while made in self.rules:
            count += 1
            made = f"{stem}x{count}"
        return made

    def _rule(self, name: str, make: Callable[[], Part]) -> Part:
        """Return a reference to what *make* returns, which is called once for each spelling."""
        name = self.spelling.name + name
        if name not in self.rules:
            self.rules[name] = EMPTY
            self.rules[name] = make()
        return Reference(name)

    # Scalars

    def _scalar(self, t: nodes.Scalar) -> Part:
        spelling = self.spelling
        if t == nodes.ANY:
            return self._rule("value", self._any)
        if t == nodes.NIL:
            return Literal(spelling.null)
        if t == nodes.BOOL:
            return choice([Literal(spelling.true), Literal(spelling.false)])
        if t == nodes.INT:
            return self._rule("integer", lambda: Terminal(ANY_INTEGER))
        if t == nodes.FLOAT:
            return self._rule("number", lambda: Terminal(numbers_within(None, None)))
        assert t == nodes.STRING
        return self._rule("text", lambda: self._text(Wanted(), ()))

    def _any(self) -> Part:
        return choice([self.part(WHOLE[kind], ()) for kind in KINDS])

    def _refined(self, t: nodes.Scalar, constraints: tuple[Constraint, ...], at: Path) -> Part:
        if t == nodes.STRING:
            return self._text(wanted_of(constraints), at)
        bounds = {each.name: each.argument.value for each in constraints}
        if t == nodes.INT:
            return Terminal(integers(bounds.get("at_least"), bounds.get("at_most")))
        low, high = bounds.get("at_least"), bounds.get("at_most")
        above, below = bounds.get("above"), bounds.get("below")
        return Terminal(
            numbers_within(
                _fraction(low if above is None else above),
                _fraction(high if below is None else below),
                above is not None,
                below is not None,
            )
        )

    def _text(self, wanted: Wanted, at: Path) -> Part:
        return choice([self._quoted(quotes, wanted, at) for quotes in self.spelling.quotes])

    def _quoted(self, quotes: Quotes, wanted: Wanted, at: Path) -> Part:
        if not quotes.is_plain:
            sign = self._rule(f"sign{ord(quotes.mark)}", lambda: quotes.signs.free)
            part = spelt_text(quotes.signs, wanted, sign)
            return Terminal(sequence(quotes.mark, part, quotes.mark))
        return sequence(
            quotes.mark, plain_text(quotes, (quotes.mark,), quotes.mark, wanted, at, self._lose)
        )

    def constant(self, value: Const) -> Part:
        """Return the constant *value*."""
        spelling = self.spelling
        match value.kind:
            case "nil":
                return Literal(spelling.null)
            case "bool":
                return Literal(spelling.true if value.value else spelling.false)
            case "int":
                return Literal(str(value.value))
            case "float":
                return _constant_number(value.value)
            case "string":
                return choice([constant_text(quotes, value.value) for quotes in spelling.quotes])
            case "list":
                return self._bracketed(
                    "[", [(self.constant(item), True) for item in value.value], None, "]"
                )
            case "map":
                return self.object_of([(p.name, self.constant(p.const)) for p in value.value])
            case "keyword":  # pragma: no cover  # JSON has none
                raise AssertionError
            case _:
                assert_never(value.kind)

    # Lists and objects

    def object_of(self, members: Iterable[tuple[str, Part]]) -> Part:
        """Return the object with exactly *members*, keys and the parts of their values."""
        return self._bracketed("{", [(self._pair(*each), True) for each in members], None, "}")

    def list_of(self, item: Part) -> Part:
        """Return the list of one *item* or more."""
        return self._bracketed("[", [], (item, 1, None), "]")

    def _many(self, t: nodes.Type, low: int, high: int | None, at: Path) -> Part:
        match t:
            case nodes.List(item):
                if high == 0:
                    return self._bracketed("[", [], None, "]")
                part = self.part(item, (*at, "items"))
                return self._bracketed("[", [], (part, low, high), "]")
            case nodes.Tuple(items, rest):
                each = [(self.part(item, (*at, str(n))), True) for n, item in enumerate(items)]
                if rest is None:
                    return self._bracketed("[", each, None, "]")
                count = len(items)
                more = max(low - count, 0), None if high is None else high - count
                return self._bracketed("[", each, (self.part(rest, (*at, "items")), *more), "]")
            case nodes.Record():
                return self._record(t, low, high, at)
            case _:  # pragma: no cover  # a settled type has no other shape
                raise AssertionError

    def _record(self, t: nodes.Record, low: int, high: int | None, at: Path) -> Part:
        fields = [field for field in t.fields if field.type != NEVER]
        each = [
            (self._pair(field.name, self.part(field.type, (*at, field.name))), field.required)
            for field in fields
        ]
        names = [field.name for field in t.fields]
        others = [self._by_pattern(one, names, at) for one in t.matching if one.type != NEVER]
        if t.extra is not None:
            others.append(self._other(names, t.extra, at))
        if not others:
            return self._bracketed("{", each, None, "}")
        more = max(low - len(each), 0), None if high is None else high - len(each)
        return self._bracketed("{", each, (choice(others), *more), "}")

    def _by_pattern(self, one: nodes.Matching, names: list[str], at: Path) -> Part:
        test = one.test()
        place = (*at, f"/{one.pattern}/")
        node = None if self.spelling.bare else whole(one.pattern)
        if node is None:
            self._lose(place, "a pattern of keys", "any other keys")
            return self._other(names, nodes.ANY, at)
        if any(map(test, names)):
            self._lose(place, "declared keys apart from those of a pattern", "any of them")
        key = self._shared(self._text(Wanted(node=node), place))
        return self._member(key, self.part(one.type, place))

    def _other(self, names: list[str], t: nodes.Type, at: Path) -> Part:
        key = self._other_key(names)
        if key is None:
            self._lose((*at, "**"), "other keys than the declared ones", "any keys")
            key = self._other_key([])
            assert key is not None
        return self._member(key, self.part(t, (*at, "**")))

    def _other_key(self, names: list[str]) -> Part | None:
        """Return a key that is none of *names*, or None if there is no form for that."""
        word = keyword(names) if self.spelling.bare else None
        bare = [] if word is None else [word]
        if not names:
            return choice([*bare, self._scalar(nodes.STRING)])
        wanted = none_of(names)
        if wanted is None:
            return None
        # Between quotes that are no quotes of JSON, a key has no beginning of a mark.
        texts = [quoted_text(quotes, wanted) for quotes in self.spelling.quotes if quotes.is_plain]
        return choice([*bare, *texts] if texts else [self._shared(self._text(wanted, ()))])

    def _pair(self, name: str, value: Part) -> Part:
        return self._member(key_named(self.spelling, name), value)

    def _member(self, key: Part, value: Part) -> Part:
        return sequence(key, ":", self._blank(), value)

    def _blank(self) -> Part:
        blank = self.spelling.blank
        return blank if blank == EMPTY else self._rule("blank", lambda: blank)

    def _bracketed(
        self,
        opened: str,
        each: list[tuple[Part, bool]],
        more: tuple[Part, int, int | None] | None,
        closed: str,
    ) -> Part:
        """Return *each*, those that are not required perhaps, then *more*, within brackets."""
        blank = self._blank()
        comma = sequence(",", blank)
        inner, needs = self.listed(each, more, comma)
        if not needs:
            inner = optional(sequence(inner, blank)) if inner != EMPTY else EMPTY
            return sequence(opened, blank, inner, closed)
        return sequence(opened, blank, inner, blank, closed)

    def listed(
        self, each: list[tuple[Part, bool]], more: tuple[Part, int, int | None] | None, comma: Part
    ) -> tuple[Part, bool]:
        """Return one part or more of *each* and *more*, with *comma* between them.

        Also return whether there has to be one.
        """
        tail: Part = EMPTY
        if more is not None:
            part, low, high = more
            tail = repeat(sequence(comma, part), low, high)
        first = next((place for place, (_, required) in enumerate(each) if required), None)
        if first is not None:
            before = [optional(sequence(part, comma)) for part, _ in each[:first]]
            behind = [
                sequence(comma, part) if required else optional(sequence(comma, part))
                for part, required in each[first + 1 :]
            ]
            return sequence(*before, each[first][0], *behind, tail), True
        branches: list[Part] = []
        needs = False
        if more is not None and more[2] != 0:
            part, low, high = more
            again = repeat(
                sequence(comma, part), max(low - 1, 0), None if high is None else high - 1
            )
            branches.append(sequence(part, again))
            needs = low > 0
        for place in range(len(each) - 1, -1, -1):
            part = each[place][0]
            branches.append(sequence(part, tail))
            if place:
                tail = self._shared(sequence(optional(sequence(comma, part)), tail))
        return (choice(reversed(branches)), needs) if branches else (EMPTY, False)

    def _shared(self, part: Part) -> Part:
        """Return a reference to *part*, so that its text is there once."""
        if part not in self._parts:
            self._parts[part] = f"{self.spelling.name}part{len(self.rules)}"
            self.rules[self._parts[part]] = part
        return Reference(self._parts[part])


def plain_text(
    quotes: Quotes, without: tuple[str, ...], end: str, wanted: Wanted, at: Path, lose: Lose
) -> Part:
    """Return a text without escapes that is *wanted*, and has none of *without*; then *end*."""
    node = wanted.node
    if node is not None and is_covered(node, quotes.signs.raw):
        part = quotes.signs.node(node)
        assert part is not None
        return Terminal(sequence(part, end))
    if node is not None:
        lose(at, "a pattern beside the marks around texts", "any text")
    elif wanted != Wanted():
        lose(at, "a length beside the marks around texts", "any length")
    return Free(without, "", end)


def _constant_number(value: float) -> Part:
    text = f"{Decimal(repr(value)):f}"
    whole = text.removesuffix(".0")
    return choice([Literal(text), Literal(whole)])


def _fraction(value: Any) -> Fraction | None:
    return None if value is None else Fraction(Decimal(repr(value)))


def _sizes(constraints: Iterable[Constraint]) -> tuple[int, int | None]:
    found = {each.name: each.argument.value for each in constraints}
    return found.get("at_least", 0), found.get("at_most")
