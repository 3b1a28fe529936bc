"""Grammars of lowered types, with values in a given spelling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import make_refined
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const
from typesig.limits.engines import MAX_REPEATED
from typesig.notations.json_schema.keywords import KINDS, NEVER, WHOLE
from typesig.providers.engines.engine import LossRecorder, Path, SchemaSupport
from typesig.providers.grammars.scalars import (
    ANY_INTEGER,
    TextShape,
    complete_pattern,
    exclude_names,
    is_covered,
    limit_digits,
    make_bare_key,
    make_constant_text,
    make_integers,
    make_key,
    make_numbers,
    make_quoted_text,
    make_text,
    read_text_shape,
)
from typesig.providers.grammars.shapes import (
    EMPTY,
    JSON,
    Free,
    GrammarSpelling,
    Literal,
    Part,
    Quotes,
    Reference,
    Terminal,
    make_choice,
    make_optional,
    make_repeat,
    make_sequence,
)

#: The length of texts, and the digits of bounds, from which they are rules of their own.
_LONG = 16

#: What a grammar of ours says of a type, whatever engine reads it.
ENFORCED = SchemaSupport(
    takes=lambda pattern: complete_pattern(pattern) is not None,
    many_patterns=False,
    lengths_beside=False,
    steps="none",
    most_size=MAX_REPEATED,
    most_bound=10**30,
)


class GrammarBuilder:
    """A builder of grammar parts for lowered types in one spelling of values.

    #: rules: the parts by name
    """

    def __init__(
        self,
        names: Mapping[str, nodes.Type],
        rules: dict[str, Part],
        lose: LossRecorder,
        spelling: GrammarSpelling = JSON,
    ) -> None:
        self.rules = rules
        self.spelling = spelling
        self._names = names
        self._lose = lose
        self._made: dict[str, str] = {}
        self._pending: list[str] = []
        self._parts: dict[Part, str] = {}

    def finish(self) -> None:
        """Build the pending rules of all named types that parts refer to."""
        while self._pending:
            name = self._pending.pop()
            self.rules[self._made[name]] = self.build_part(self._names[name], ("definitions", name))

    def build_part(self, t: nodes.Type, at: Path) -> Part:
        """Build the part that matches the values of *t*; losses are recorded at *at*."""
        match t:
            case nodes.Scalar():
                return self._build_scalar(t)
            case nodes.Enum(values):
                return make_choice([self.build_constant(value) for value in values])
            case nodes.Refinement(scalar, constraints) if isinstance(scalar, nodes.Scalar):
                return self._build_refined(scalar, constraints, at)
            case nodes.Refinement(inner, constraints):
                return self._build_container(inner, *_read_sizes(constraints), at)
            case nodes.List() | nodes.Tuple() | nodes.Record():
                return self._build_container(t, 0, None, at)
            case nodes.Maybe(inner):
                return make_choice([self.build_part(inner, at), Literal(self.spelling.null)])
            case nodes.Union(members):
                return make_choice([self.build_part(member, at) for member in members])
            case nodes.Ref(name):
                if name not in self._made:
                    made = self._make_free_name(name)
                    self._made[name] = made
                    self.rules[made] = EMPTY
                    self._pending.append(name)
                return Reference(self._made[name])
            case _:  # pragma: no cover  # a settled type has no other shape
                raise AssertionError

    def _make_free_name(self, name: str) -> str:
        """Return a name for the rule of the type *name*: a letter, then letters and digits."""
        kept = "".join([sign for sign in name.lower() if sign.isascii() and sign.isalnum()])
        made = stem = f"{self.spelling.name}type{kept[:24]}"
        count = 1
        while made in self.rules:
            count += 1
            made = f"{stem}x{count}"
        return made

    def _get_rule(self, name: str, make: Callable[[], Part]) -> Part:
        """Return a reference to the rule *name*, built by *make* once per spelling."""
        name = self.spelling.name + name
        if name not in self.rules:
            self.rules[name] = EMPTY
            self.rules[name] = make()
        return Reference(name)

    # Scalars

    def _build_scalar(self, t: nodes.Scalar) -> Part:
        """Part that matches the values of a scalar type."""
        spelling = self.spelling
        if t == nodes.ANY:
            return self._get_rule("value", self._build_any)
        if t == nodes.NIL:
            return Literal(spelling.null)
        if t == nodes.BOOL:
            return make_choice([Literal(spelling.true), Literal(spelling.false)])
        if t == nodes.INT:
            return self._get_rule("integer", lambda: self._make_number(ANY_INTEGER))
        if t == nodes.FLOAT:
            return self._get_rule("number", lambda: self._make_number(make_numbers(None, None)))
        assert t == nodes.STRING
        return self._get_rule("text", lambda: self._build_text(TextShape(), ()))

    def _make_number(self, part: Part) -> Part:
        """Make the terminal of *part*, a number, with as many digits as the spelling has."""
        return Terminal(limit_digits(part, self.spelling.digits))

    def _build_any(self) -> Part:
        """Part that matches a value of any JSON kind."""
        return make_choice([self.build_part(WHOLE[kind], ()) for kind in KINDS])

    def _build_refined(
        self, t: nodes.Scalar, constraints: tuple[Constraint, ...], at: Path
    ) -> Part:
        """Part that matches a scalar type within its *constraints*."""
        if t == nodes.STRING:
            wanted = read_text_shape(constraints)
            part = self._build_text(wanted, at)
            # Engines write a repetition out: once is enough.
            return self._shared(part) if (wanted.high or 0) >= _LONG else part
        bounds = {each.name: each.argument.value for each in constraints}
        if t == nodes.INT:
            low, high = bounds.get("at_least"), bounds.get("at_most")
            part = self._make_number(make_integers(low, high))
            return self._shared(part) if max(abs(low or 0), abs(high or 0)) > 10**_LONG else part
        low, high = bounds.get("at_least"), bounds.get("at_most")
        above, below = bounds.get("above"), bounds.get("below")
        return self._make_number(
            make_numbers(
                _to_fraction(low if above is None else above),
                _to_fraction(high if below is None else below),
                above is not None,
                below is not None,
            )
        )

    def _build_text(self, wanted: TextShape, at: Path) -> Part:
        """Part that matches texts of the shape *wanted*, in any quotes."""
        return make_choice(
            [self._build_quoted(quotes, wanted, at) for quotes in self.spelling.quotes]
        )

    def _build_quoted(self, quotes: Quotes, wanted: TextShape, at: Path) -> Part:
        """Part that matches texts of the shape *wanted* between *quotes*."""
        if not quotes.is_plain:
            sign = self._get_rule(f"sign{ord(quotes.mark)}", lambda: quotes.signs.free)
            part = make_text(quotes.signs, wanted, sign)
            return Terminal(make_sequence(quotes.mark, part, quotes.mark))
        return make_sequence(
            quotes.mark,
            make_plain_text(quotes, (quotes.mark,), quotes.mark, wanted, at, self._lose),
        )

    def build_constant(self, value: Const) -> Part:
        """Build the part that matches the constant *value*."""
        spelling = self.spelling
        match value.kind:
            case "nil":
                return Literal(spelling.null)
            case "bool":
                return Literal(spelling.true if value.value else spelling.false)
            case "int":
                return Literal(str(value.value))
            case "float":
                return _make_number(value.value)
            case "string":
                return make_choice(
                    [make_constant_text(quotes, value.value) for quotes in spelling.quotes]
                )
            case "list":
                return self._wrap_in_brackets(
                    "[", [(self.build_constant(item), True) for item in value.value], None, "]"
                )
            case "map":
                return self.build_object(
                    [(p.name, self.build_constant(p.const)) for p in value.value]
                )
            case "keyword":  # pragma: no cover  # JSON has none
                raise AssertionError
            case _:
                assert_never(value.kind)

    # Lists and objects

    def build_object(self, members: Iterable[tuple[str, Part]]) -> Part:
        """Build the part for an object with exactly *members*, keys and value parts."""
        return self._wrap_in_brackets(
            "{", [(self._build_pair(*each), True) for each in members], None, "}"
        )

    def build_list(self, item: Part, most: int | None = None) -> Part:
        """Build the part for a list of one to *most* items that match *item*."""
        return self._wrap_in_brackets("[", [], (item, 1, most), "]")

    def _build_container(self, t: nodes.Type, low: int, high: int | None, at: Path) -> Part:
        """Part for a list, tuple or record with *low* to *high* elements."""
        match t:
            case nodes.List(item):
                if high == 0:
                    return self._wrap_in_brackets("[", [], None, "]")
                part = self.build_part(item, (*at, "items"))
                return self._wrap_in_brackets("[", [], (part, low, high), "]")
            case nodes.Tuple(items, rest):
                each = [
                    (self.build_part(item, (*at, str(n))), True) for n, item in enumerate(items)
                ]
                if rest is None:
                    return self._wrap_in_brackets("[", each, None, "]")
                count = len(items)
                more = max(low - count, 0), None if high is None else high - count
                return self._wrap_in_brackets(
                    "[", each, (self.build_part(rest, (*at, "items")), *more), "]"
                )
            case nodes.Record():
                return self._build_record(t, low, high, at)
            case _:  # pragma: no cover  # a settled type has no other shape
                raise AssertionError

    def _build_record(self, t: nodes.Record, low: int, high: int | None, at: Path) -> Part:
        """Part that matches a record with *low* to *high* members."""
        fields = [field for field in t.fields if field.type != NEVER]
        each = [
            (
                self._build_pair(field.name, self.build_part(field.type, (*at, field.name))),
                field.required,
            )
            for field in fields
        ]
        names = [field.name for field in t.fields]
        others = [
            self._build_pattern_member(one, names, at) for one in t.matching if one.type != NEVER
        ]
        if t.extra is not None:
            others.append(self._build_other_member(names, t.extra, at))
        if not others:
            return self._wrap_in_brackets("{", each, None, "}")
        more = max(low - len(each), 0), None if high is None else high - len(each)
        return self._wrap_in_brackets("{", each, (make_choice(others), *more), "}")

    def _build_pattern_member(self, one: nodes.PatternField, names: list[str], at: Path) -> Part:
        """Part for a member whose key matches a pattern; *names* are declared."""
        test = one.test()
        place = (*at, f"/{one.pattern}/")
        node = None if self.spelling.bare else complete_pattern(one.pattern)
        if node is None:
            self._lose(place, "a pattern of keys", "any other keys")
            return self._build_other_member(names, nodes.ANY, at)
        if any(map(test, names)):
            self._lose(place, "declared keys apart from those of a pattern", "any of them")
        key = self._shared(self._build_text(TextShape(node=node), place))
        return self._build_member(key, self.build_part(one.type, place))

    def _build_other_member(self, names: list[str], t: nodes.Type, at: Path) -> Part:
        """Part for a member of type *t* under a key other than *names*."""
        key = self._build_other_key(names)
        if key is None:
            self._lose((*at, "**"), "other keys than the declared ones", "any keys")
            key = self._build_other_key([])
            assert key is not None
        return self._build_member(key, self.build_part(t, (*at, "**")))

    def _build_other_key(self, names: list[str]) -> Part | None:
        """Build the part for a key that is none of *names*, or return None."""
        word = make_bare_key(names) if self.spelling.bare else None
        bare = [] if word is None else [word]
        if not names:
            most = self.spelling.key_length
            limits = [] if most is None else [Constraint("at_most", most)]
            return make_choice([*bare, self.build_part(make_refined(nodes.STRING, limits), ())])
        wanted = exclude_names(names)
        if wanted is None:
            return None
        # Between quotes that are no quotes of JSON, a key has no beginning of a mark.
        texts = [
            make_quoted_text(quotes, wanted) for quotes in self.spelling.quotes if quotes.is_plain
        ]
        return make_choice(
            [*bare, *texts] if texts else [self._shared(self._build_text(wanted, ()))]
        )

    def _build_pair(self, name: str, value: Part) -> Part:
        """Part that matches the key *name*, a colon and a *value*."""
        return self._build_member(make_key(self.spelling, name), value)

    def _build_member(self, key: Part, value: Part) -> Part:
        """Part that matches a *key*, a colon and a *value*."""
        return make_sequence(key, ":", self._get_blank(), value)

    def _get_blank(self) -> Part:
        """Part that matches the blanks that the spelling allows between tokens."""
        blank = self.spelling.blank
        return blank if blank == EMPTY else self._get_rule("blank", lambda: blank)

    def _wrap_in_brackets(
        self,
        opened: str,
        each: list[tuple[Part, bool]],
        more: tuple[Part, int, int | None] | None,
        closed: str,
    ) -> Part:
        """Build brackets around *each*, required or optional parts, and *more*."""
        blank = self._get_blank()
        comma = make_sequence(",", blank)
        inner, needs = self.join_members(each, more, comma)
        if not needs:
            inner = make_optional(make_sequence(inner, blank)) if inner != EMPTY else EMPTY
            return make_sequence(opened, blank, inner, closed)
        return make_sequence(opened, blank, inner, blank, closed)

    def join_members(
        self, each: list[tuple[Part, bool]], more: tuple[Part, int, int | None] | None, comma: Part
    ) -> tuple[Part, bool]:
        """Join the parts *each* and the repeated part *more* with *comma*.

        Also return whether there has to be one.
        """
        tail: Part = EMPTY
        if more is not None:
            part, low, high = more
            tail = make_repeat(make_sequence(comma, part), low, high)
        first = next((place for place, (_, required) in enumerate(each) if required), None)
        if first is not None:
            before = [make_optional(make_sequence(part, comma)) for part, _ in each[:first]]
            behind = [
                make_sequence(comma, part)
                if required
                else make_optional(make_sequence(comma, part))
                for part, required in each[first + 1 :]
            ]
            return make_sequence(*before, each[first][0], *behind, tail), True
        branches: list[Part] = []
        needs = False
        if more is not None and more[2] != 0:
            part, low, high = more
            again = make_repeat(
                make_sequence(comma, part), max(low - 1, 0), None if high is None else high - 1
            )
            branches.append(make_sequence(part, again))
            needs = low > 0
        for place in range(len(each) - 1, -1, -1):
            part = each[place][0]
            branches.append(make_sequence(part, tail))
            if place:
                tail = self._shared(make_sequence(make_optional(make_sequence(comma, part)), tail))
        return (make_choice(reversed(branches)), needs) if branches else (EMPTY, False)

    def _shared(self, part: Part) -> Part:
        """Make *part* a rule and return a reference, so that its text occurs once."""
        if part not in self._parts:
            self._parts[part] = f"{self.spelling.name}part{len(self.rules)}"
            self.rules[self._parts[part]] = part
        return Reference(self._parts[part])


def make_plain_text(
    quotes: Quotes,
    without: tuple[str, ...],
    end: str,
    wanted: TextShape,
    at: Path,
    lose: LossRecorder,
) -> Part:
    """Build free text of the shape *wanted* without the marks *without*, up to *end*."""
    node = wanted.node
    if node is not None and is_covered(node, quotes.signs.raw):
        part = quotes.signs.spell_node(node)
        assert part is not None
        return Terminal(make_sequence(part, end))
    if node is not None:
        lose(at, "a pattern beside the marks around texts", "any text")
    elif wanted != TextShape():
        lose(at, "a length beside the marks around texts", "any length")
    return Free(without, "", end)


def _make_number(value: float) -> Part:
    """Build the part for the number *value* in decimals, with or without `.0`."""
    text = f"{Decimal(repr(value)):f}"
    whole = text.removesuffix(".0")
    return make_choice([Literal(text), Literal(whole)])


def _to_fraction(value: Any) -> Fraction | None:
    """Convert a number to the exact fraction of its decimal spelling; None stays None."""
    return None if value is None else Fraction(Decimal(repr(value)))


def _read_sizes(constraints: Iterable[Constraint]) -> tuple[int, int | None]:
    """Least and greatest size that *constraints* allow; None is no upper limit."""
    found = {each.name: each.argument.value for each in constraints}
    return found.get("at_least", 0), found.get("at_most")
