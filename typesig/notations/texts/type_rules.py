"""The actions that the grammars of shorthand and of the compact notation share.

Each rule of a grammar calls the method of its name, or of its alias, with its parts.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from typesig.algebra import constructors as make
from typesig.algebra import nodes
from typesig.algebra.definitions import MisfitDefaultError
from typesig.algebra.rows.constraints import COMPARISONS, Constraint, ConstraintName
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import Keyword, to_const
from typesig.algebra.signature import Signature
from typesig.errors import TypesigError, format_value
from typesig.notations.texts.signature_reader import (
    NamedField,
    TextMistake,
    check_fields,
    cut_word,
    explain_inapplicable,
    explain_unknown_flag,
    load_remedies,
    make_default_mistake,
    read_number,
    read_text,
)
from typesig.notations.texts.table_reader import Token

#: The types of scalars by their names.
SCALAR_TYPES: dict[ScalarName, nodes.Type] = {name: nodes.Scalar(name) for name in SCALARS}

#: The place of a mistake of the whole text.
END = Token("END", "")


class Optional(NamedTuple):
    """A parsed type with a `?` behind it: nullable, and for a field also optional."""

    inner: nodes.Type


class MatchingKeys(NamedTuple):
    """A parsed pattern field, and the token of its pattern."""

    matching: nodes.PatternField
    token: Token


class Fields(NamedTuple):
    """Parsed fields of a record, the type of undeclared names or None, and key patterns."""

    named: list[NamedField]
    extra: nodes.Type | None
    matched: list[MatchingKeys]


class Limit(NamedTuple):
    """A parsed constraint that is not yet checked against its type."""

    name: ConstraintName
    argument: Any
    token: Token


def to_type(part: Any) -> nodes.Type:
    """Return the type of the parsed *part*; a `?` behind it makes it nullable."""
    return make.make_maybe(part.inner) if isinstance(part, Optional) else part


class TypeRules:
    """Actions of the grammar rules for types, shared by shorthand and compact.

    #: refs: the references to definitions; defaults: the fields with defaults, and their tokens
    #: package: the name of the notation
    """

    package: ClassVar[str]

    def __init__(self) -> None:
        self.refs: list[Token] = []
        self.defaults: list[NamedField] = []

    def words(self, token: Token | None) -> str | None:
        """Return the text of the description *token*, or None without a token."""
        return None if token is None else read_text(token)

    # signatures

    def start(
        self, contract: tuple[Fields, nodes.Type], *definitions: tuple[Token, nodes.Type]
    ) -> Signature:
        fields, returns = contract
        named: dict[str, nodes.Type] = {}
        for token, t in definitions:
            name = self._name(token)[0]
            if name in named:
                raise TextMistake(token, f"the type {format_value(name)} is defined twice")
            named[name] = t
        for token in self.refs:
            if get_ref_name(token) not in named:
                remedies = load_remedies(self.package)
                message = remedies.explain_unknown_type(get_ref_name(token), list(named))
                raise TextMistake(token, message)
        params = check_fields(fields.named)
        if fields.matched:
            message = "only records have patterns of names; ** is the type of the other arguments"
            raise TextMistake(fields.matched[0].token, message)
        try:
            return Signature(params, returns, named, fields.extra)
        except MisfitDefaultError as error:
            raise make_default_mistake(error, self.defaults) or TextMistake(
                END, str(error)
            ) from None
        except TypesigError as error:
            token = definitions[0][0] if definitions else END
            raise TextMistake(token, str(error)) from None

    def definition(self, token: Token, t: Any) -> tuple[Token, nodes.Type]:
        return token, to_type(t)

    # fields

    def fields(self, *parts: Any) -> Fields:
        *some, extra = parts
        named = [part for part in some if isinstance(part, NamedField)]
        matched = [part for part in some if isinstance(part, MatchingKeys)]
        return Fields(named, None if extra is None else to_type(extra), matched)

    def matching(self, token: Token, t: Any, text: Token | None) -> Any:
        return self._make_pattern_field(token, t, text)

    def _make_pattern_field(self, token: Token, t: Any, text: Token | None) -> MatchingKeys:
        """Build a pattern field from the pattern *token* and the type *t*."""
        try:
            return MatchingKeys(
                nodes.PatternField(token[1:-1], make.make_noted(to_type(t), self.words(text))),
                token,
            )
        except TypesigError as error:
            raise TextMistake(token, str(error)) from None

    def field(self, token: Token, t: Any, default: Any, text: Token | None) -> Any:
        """Build the field of the rule `field`; a `?` behind its type makes it optional."""
        return self._make_field(token, t, default, text, not isinstance(t, Optional))

    def absent_field(
        self, token: Token, _query: Token, t: Any, default: Any, text: Token | None
    ) -> Any:
        return self._make_field(token, t, default, text, False)

    def _make_field(
        self, token: Token, t: Any, default: Any, text: Token | None, required: bool
    ) -> NamedField:
        """Build a field from its parsed name, type, default and description."""
        name, exact = self._name(token)
        whole = make.make_noted(to_type(t), self.words(text))
        # None means that there is no default; a default of nil is wrapped.
        fixed = None if default is None else to_const(default.get_strict())
        field = nodes.Field(name, whole, required, fixed, exact)
        if default is not None:
            self.defaults.append(NamedField(field, default.token or token))
        return NamedField(field, token)

    def _name(self, token: Token) -> tuple[str, bool]:
        """Return the name that *token* writes, and whether it is exact."""
        if token.type == "TEXT":
            return read_text(token) or "", True
        return str(token), False

    # types

    def union(self, *members: Any) -> nodes.Type:
        return make.make_union([to_type(member) for member in members])

    def intersection(self, *members: Any) -> nodes.Type:
        return make.make_both([to_type(member) for member in members])

    def optional(self, inner: Any, _query: Token) -> Optional:
        return Optional(to_type(inner))

    def refinement(self, inner: nodes.Type, opened: Token, *limits: list[Limit]) -> nodes.Type:
        return self._make_refined(inner, opened, limits)

    def refined_map(self, opened: Token, *limits: list[Limit]) -> nodes.Type:
        return self._make_refined(nodes.MAP, opened, limits)

    def quoted(self, token: Token) -> nodes.Type:
        name = read_text(token)
        if not name:
            raise TextMistake(token, 'the name of a type cannot be empty; write :any, or :"Name"')
        self.refs.append(token)
        return nodes.Ref(name)

    def map_of(self, _opened: Token, first: Any, second: Any) -> nodes.Type:
        """Build the map type of the rule `map_of`; keys are strings by default."""
        if second is None:
            return make.map_of(nodes.STRING, to_type(first))
        return make.map_of(to_type(first), to_type(second))

    def list_of(self, item: Any) -> nodes.Type:
        return nodes.List(to_type(item))

    def tuple_of(self, *parts: Any) -> nodes.Type:
        *items, rest = parts
        behind = None if rest is None else to_type(rest)
        return nodes.Tuple(tuple([to_type(item) for item in items]), behind)

    def set_of(self, item: Any) -> nodes.Type:
        return nodes.Set(to_type(item))

    def record(self, fields: Fields | None, closed: Token | None) -> nodes.Type:
        """Build the record type of the rule `record`; refuse a repeated pattern."""
        fields = close_fields(fields, closed)
        found: dict[str, nodes.PatternField] = {}
        for matching, token in fields.matched:
            if found.setdefault(matching.pattern, matching) is not matching:
                raise TextMistake(token, f"the pattern {cut_word(token)} occurs twice")
        return make.record(check_fields(fields.named), fields.extra, found.values())

    def enum(self, *values: Any) -> nodes.Type:
        return make.make_enum([value.value for value in values])

    def one(self, *members: Any) -> nodes.Type:
        return make.make_one([to_type(member) for member in members])

    def negation(self, inner: Any) -> nodes.Type:
        return make.make_not(to_type(inner))

    def counted(self, limits: list[Limit], item: Any) -> nodes.Type:
        for limit in limits:
            if type(limit.argument) is not int or limit.argument < 0:
                raise TextMistake(limit.token, "a number of items is a whole number, 0 or more")
        bounds = {limit.name: limit.argument for limit in limits}
        return make.make_counted(to_type(item), bounds.get("at_least", 0), bounds.get("at_most"))

    def group(self, inner: Any, text: Token | None) -> nodes.Type:
        return make.make_noted(to_type(inner), self.words(text))

    # values, each wrapped: nil differs from no value

    def word(self, token: Token) -> Value:
        known = token in _WORDS
        return Value(_WORDS[token] if known else str(token), None if known else token, token)

    def text(self, token: Token) -> Value:
        return Value(read_text(token), token=token)

    def number(self, token: Token) -> Value:
        return Value(read_number(token), token=token)

    def keyword(self, token: Token) -> Value:
        name = (read_text(token) or "") if token.type == "QUOTED" else token[1:]
        if name.startswith(":"):
            raise TextMistake(token, "a keyword's text has no colon")
        return Value(Keyword(name), token=token)

    def array(self, *items: Value) -> Value:
        first = items[0].token if items else None
        return Value([item.get_strict() for item in items], token=first)

    def object_of(self, *members: tuple[Token, Value]) -> Value:
        """Build the map literal of the rule `object_of`; refuse a repeated key."""
        out: dict[str, Any] = {}
        for token, value in members:
            name = read_text(token) or ""
            if name in out:
                raise TextMistake(token, f"the key {format_value(name)} occurs twice")
            out[name] = value.get_strict()
        return Value(out, token=members[0][0] if members else None)

    def member(self, token: Token, value: Value) -> tuple[Token, Value]:
        return token, value

    # constraints

    def range_from(self, low: Token, high: Token | None) -> list[Limit]:
        limits = [Limit("at_least", read_number(low), low)]
        if high is not None:
            limits.append(Limit("at_most", read_number(high), high))
            if limits[0].argument > limits[1].argument:
                raise TextMistake(low, f"the range is empty; write {high}..{low}")
        return limits

    def range_to(self, high: Token) -> list[Limit]:
        return [Limit("at_most", read_number(high), high)]

    def bound(self, compare: Token, number: Token) -> list[Limit]:
        return [Limit(COMPARISONS[str(compare)], read_number(number), compare)]

    def step(self, number: Token) -> list[Limit]:
        return [Limit("multiple_of", read_number(number), number)]

    def pattern(self, token: Token) -> list[Limit]:
        return [Limit("pattern", token[1:-1], token)]

    def flag(self, token: Token) -> list[Limit]:
        word = str(token)
        if word == "unique":
            return [Limit("unique", True, token)]
        return [Limit("format", word, token)]

    def _make_refined(
        self, inner: nodes.Type, opened: Token, limits: tuple[list[Limit], ...]
    ) -> nodes.Type:
        """Refine *inner* by *limits*; refuse constraints that do not apply."""
        constraints: list[Constraint] = []
        for limit in [limit for group in limits for limit in group]:
            if limit.name == "format" and limit.argument not in FORMATS:
                remedies = load_remedies(self.package)
                if isinstance(inner, nodes.Ref) and inner.name in remedies.GUESSES:
                    # In `:list[int]` the mistake is the name, not the format.
                    raise TextMistake(self.refs[-1], remedies.explain_unknown_type(inner.name))
                raise TextMistake(limit.token, explain_unknown_flag(limit.argument))
            try:
                constraints.append(Constraint(limit.name, limit.argument))
                make.make_refined(inner, constraints[-1:])
            except make.InapplicableConstraint as error:
                raise TextMistake(limit.token, explain_inapplicable(error)) from None
            except TypesigError as error:
                raise TextMistake(limit.token, str(error)) from None
        return make.make_refined(inner, constraints)


class Value(NamedTuple):
    """A parsed literal: its value and its token.

    #: bare: the token of a bare word, which is a text only in an enum
    #: token: its first token that the grammar keeps, or None
    """

    value: Any
    bare: Token | None = None
    token: Token | None = None

    def get_strict(self) -> Any:
        """Return the value; raise a `TextMistake` if it is a bare word."""
        if self.bare is not None:
            meant = {"True": "true", "False": "false", "None": "nil", "none": "nil"}
            written = meant.get(str(self.bare))
            if written is not None:
                raise TextMistake(self.bare, f"it is written {written}")
            message = f'a text is written in double quotes: write "{cut_word(self.bare)}"'
            raise TextMistake(self.bare, message)
        return self.value


_WORDS = {"true": True, "false": False, "null": None, "nil": None}


def get_ref_name(token: Token) -> str:
    """Return the name of the type to which the reference *token* refers."""
    return str(read_text(token)) if token.type == "QUOTED" else token[1:]


def close_fields(fields: Fields | None, closed: Token | None) -> Fields:
    """Return *fields* with the type of undeclared names: `:any`, or None if *closed*."""
    named, extra, matched = fields or ([], None, [])
    if extra is not None and closed is not None:
        raise TextMistake(
            closed, 'write either "!", for no other names, or "**" with the type of other names'
        )
    return Fields(named, nodes.ANY if extra is None and closed is None else extra, matched)
