"""The actions of the shorthand's grammar, which make types and signatures.

While lark parses, each rule of `shorthand.lark` calls the method of its name with its parts.  A
rule without a method raises, so a misspelt name is found.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lark import Token, v_args

from typesig.algebra.constraints import COMPARISONS, Constraint, ConstraintName
from typesig.algebra.constructors import (
    InapplicableConstraint,
    both,
    enum,
    map_of,
    maybe,
    negated,
    noted,
    one,
    record,
    refined,
    union,
)
from typesig.algebra.defaults import UnfitDefault
from typesig.algebra.formats import FORMATS
from typesig.algebra.nodes import (
    ANY,
    MAP,
    STRING,
    Field,
    List,
    Matching,
    Ref,
    Scalar,
    Set,
    Tuple,
    Type,
)
from typesig.algebra.scalars import is_scalar_name
from typesig.algebra.signature import Signature
from typesig.algebra.values import Keyword
from typesig.errors import TypesigError, short
from typesig.notations.rule_values import RuleValues
from typesig.notations.shorthand.names import ALSO_READ
from typesig.notations.tokens import Mistake, Named, at_default, checked_fields, number_in, text_in

#: The place of a mistake of the whole text.
_END = Token("END", "", 0, 1, 1)


class _Optional(NamedTuple):
    """A type with a `?` after it: nullable, and at the end of a field also optional."""

    inner: Type


class _Matched(NamedTuple):
    """The type of keys that match a pattern, and the token of the pattern."""

    matching: Matching
    token: Token


class _Fields(NamedTuple):
    named: list[Named]
    extra: Type | None
    matched: list[_Matched]


class _Limit(NamedTuple):
    """A constraint that is not yet checked against its type."""

    name: ConstraintName
    argument: Any
    token: Token


def _settled(part: Any) -> Type:
    """Return *part* as a type, nullable if a `?` follows it."""
    return maybe(part.inner) if isinstance(part, _Optional) else part


def _text(token: Token | None) -> str | None:
    return None if token is None else text_in(token)


@v_args(inline=True)
class Rules(RuleValues):
    """The actions of the grammar.

    #: refs: the references to definitions; defaults: the fields with defaults, and their tokens
    """

    def __init__(self) -> None:
        super().__init__()
        self.refs: list[Token] = []
        self.defaults: list[Named] = []

    def clear(self) -> None:
        """Forget what was collected from a text."""
        self.refs.clear()
        self.defaults.clear()

    # signatures

    def start(self, contract: tuple[_Fields, Type], *definitions: tuple[Token, Type]) -> Signature:
        fields, returns = contract
        named: dict[str, Type] = {}
        for token, t in definitions:
            name = self._name(token)[0]
            if name in named:
                raise Mistake(token, f"the type {short(name)} is defined twice")
            named[name] = t
        for token in self.refs:
            if _ref_name(token) not in named:
                from typesig.notations.shorthand import remedies

                raise Mistake(token, remedies.unknown_type(_ref_name(token), list(named)))
        params = checked_fields(fields.named)
        if fields.matched:
            message = "only records have patterns of names; ** is the type of the other arguments"
            raise Mistake(fields.matched[0].token, message)
        try:
            return Signature(params, returns, named, fields.extra)
        except UnfitDefault as error:
            raise at_default(error, self.defaults) or Mistake(_END, str(error)) from None
        except TypesigError as error:
            token = definitions[0][0] if definitions else _END
            raise Mistake(token, str(error)) from None

    def lone(self, returns: Any) -> tuple[_Fields, Type]:
        return _Fields([], ANY, []), _settled(returns)

    def function(
        self, fields: _Fields | None, closed: Token | None, returns: Any, text: Token | None
    ) -> tuple[_Fields, Type]:
        return _ended(fields, closed), noted(_settled(returns), _text(text))

    def thunk(self, returns: Any, text: Token | None) -> tuple[_Fields, Type]:
        return _Fields([], ANY, []), noted(_settled(returns), _text(text))

    def definition(self, token: Token, t: Any) -> tuple[Token, Type]:
        return token, _settled(t)

    # fields

    def fields(self, *parts: Any) -> _Fields:
        *some, extra = parts
        named = [part for part in some if isinstance(part, Named)]
        matched = [part for part in some if isinstance(part, _Matched)]
        return _Fields(named, None if extra is None else _settled(extra), matched)

    def matching(self, token: Token, t: Any, text: Token | None) -> _Matched:
        try:
            return _Matched(Matching(token[1:-1], noted(_settled(t), _text(text))), token)
        except TypesigError as error:
            raise Mistake(token, str(error)) from None

    def field(self, token: Token, t: Any, default: Any, text: Token | None) -> Named:
        return self._field(token, t, default, text, not isinstance(t, _Optional))

    def absent_field(
        self, token: Token, _query: Token, t: Any, default: Any, text: Token | None
    ) -> Named:
        return self._field(token, t, default, text, False)

    def _field(
        self, token: Token, t: Any, default: Any, text: Token | None, required: bool
    ) -> Named:
        name, exact = self._name(token)
        whole = noted(_settled(t), _text(text))
        # None means that there is no default; a default of nil is wrapped.
        fixed = None if default is None else _const(default)
        field = Field(name, whole, required, fixed, exact)
        if default is not None:
            self.defaults.append(Named(field, default.token or token))
        return Named(field, token)

    def _name(self, token: Token) -> tuple[str, bool]:
        if token.type == "TEXT":
            return _text(token) or "", True
        return str(token), False

    # types

    def union(self, *members: Any) -> Type:
        return union([_settled(member) for member in members])

    def intersection(self, *members: Any) -> Type:
        return both([_settled(member) for member in members])

    def optional(self, inner: Any, _query: Token) -> _Optional:
        return _Optional(_settled(inner))

    def refinement(self, inner: Type, opened: Token, *limits: list[_Limit]) -> Type:
        return _refined(inner, opened, limits)

    def refined_map(self, opened: Token, *limits: list[_Limit]) -> Type:
        return _refined(MAP, opened, limits)

    def name(self, token: Token) -> Type:
        word = token[1:]
        known = ALSO_READ.get(word, word)
        if is_scalar_name(known):
            return Scalar(known)
        self.refs.append(token)
        return Ref(word)

    def quoted(self, token: Token) -> Type:
        name = _text(token)
        if not name:
            raise Mistake(token, 'the name of a type cannot be empty; write :any, or :"Name"')
        self.refs.append(token)
        return Ref(name)

    def map_of(self, _opened: Token, first: Any, second: Any) -> Type:
        if second is None:
            return map_of(STRING, _settled(first))
        return map_of(_settled(first), _settled(second))

    def list_of(self, item: Any) -> Type:
        return List(_settled(item))

    def tuple_of(self, *parts: Any) -> Type:
        *items, rest = parts
        behind = None if rest is None else _settled(rest)
        return Tuple(tuple([_settled(item) for item in items]), behind)

    def set_of(self, item: Any) -> Type:
        return Set(_settled(item))

    def record(self, fields: _Fields | None, closed: Token | None) -> Type:
        fields = _ended(fields, closed)
        found: dict[str, Matching] = {}
        for matching, token in fields.matched:
            if found.setdefault(matching.pattern, matching) is not matching:
                from typesig.notations.shorthand import remedies

                raise Mistake(token, f"the pattern {remedies.cut(token)} occurs twice")
        return record(checked_fields(fields.named), fields.extra, found.values())

    def clojure(self, *parts: Any) -> Type:
        *entries, closed = parts
        return record(checked_fields(entries), ANY if closed is None else None)

    def entry(self, token: Token, t: Any) -> Named:
        if token.type == "QUOTED":
            name, exact = _text(token) or "", True
        else:
            name, exact = token[1:], False
        return Named(Field(name, _settled(t), not isinstance(t, _Optional), None, exact), token)

    def enum(self, *values: Any) -> Type:
        return enum([value.value for value in values])

    def one(self, *members: Any) -> Type:
        return one([_settled(member) for member in members])

    def negation(self, inner: Any) -> Type:
        return negated(_settled(inner))

    def group(self, inner: Any, text: Token | None) -> Type:
        return noted(_settled(inner), _text(text))

    # values, each wrapped: nil differs from no value

    def word(self, token: Token) -> _Value:
        known = token in _WORDS
        return _Value(_WORDS[token] if known else str(token), None if known else token, token)

    def text(self, token: Token) -> _Value:
        return _Value(_text(token), token=token)

    def number(self, token: Token) -> _Value:
        return _Value(number_in(token), token=token)

    def keyword(self, token: Token) -> _Value:
        name = (_text(token) or "") if token.type == "QUOTED" else token[1:]
        if name.startswith(":"):
            raise Mistake(token, "a keyword's text has no colon")
        return _Value(Keyword(name), token=token)

    def array(self, *items: _Value) -> _Value:
        first = items[0].token if items else None
        return _Value([item.strict() for item in items], token=first)

    def object_of(self, *members: tuple[Token, _Value]) -> _Value:
        out: dict[str, Any] = {}
        for token, value in members:
            name = _text(token) or ""
            if name in out:
                raise Mistake(token, f"the key {short(name)} occurs twice")
            out[name] = value.strict()
        return _Value(out, token=members[0][0] if members else None)

    def member(self, token: Token, value: _Value) -> tuple[Token, _Value]:
        return token, value

    # constraints

    def range_from(self, low: Token, high: Token | None) -> list[_Limit]:
        limits = [_Limit("at_least", number_in(low), low)]
        if high is not None:
            limits.append(_Limit("at_most", number_in(high), high))
            if limits[0].argument > limits[1].argument:
                raise Mistake(low, f"the range is empty; write {high}..{low}")
        return limits

    def range_to(self, high: Token) -> list[_Limit]:
        return [_Limit("at_most", number_in(high), high)]

    def bound(self, compare: Token, number: Token) -> list[_Limit]:
        return [_Limit(COMPARISONS[str(compare)], number_in(number), compare)]

    def step(self, number: Token) -> list[_Limit]:
        return [_Limit("multiple_of", number_in(number), number)]

    def pattern(self, token: Token) -> list[_Limit]:
        return [_Limit("pattern", token[1:-1], token)]

    def flag(self, token: Token) -> list[_Limit]:
        word = str(token)
        if word == "unique":
            return [_Limit("unique", True, token)]
        return [_Limit("format", word, token)]


class _Value(NamedTuple):
    """A literal.

    #: bare: the token of a bare word, which is a text only in an enum
    #: token: its first token that the grammar keeps, or None
    """

    value: Any
    bare: Token | None = None
    token: Token | None = None

    def strict(self) -> Any:
        if self.bare is not None:
            meant = {"True": "true", "False": "false", "None": "nil", "none": "nil"}
            written = meant.get(str(self.bare))
            if written is not None:
                raise Mistake(self.bare, f"it is written {written}")
            from typesig.notations.shorthand import remedies

            cut = remedies.cut(self.bare)
            raise Mistake(self.bare, f'a text is written in double quotes: write "{cut}"')
        return self.value


_WORDS = {"true": True, "false": False, "null": None, "nil": None}


def _const(default: _Value) -> Any:
    from typesig.algebra.values import const

    return const(default.strict())


def _ref_name(token: Token) -> str:
    return str(_text(token)) if token.type == "QUOTED" else token[1:]


def _ended(fields: _Fields | None, closed: Token | None) -> _Fields:
    """Return *fields* with the type of undeclared names: `:any`, or None if *closed*."""
    named, extra, matched = fields or ([], None, [])
    if extra is not None and closed is not None:
        raise Mistake(
            closed, 'write either "!", for no other names, or "**" with the type of other names'
        )
    return _Fields(named, ANY if extra is None and closed is None else extra, matched)


def _refined(inner: Type, opened: Token, limits: tuple[list[_Limit], ...]) -> Type:
    constraints: list[Constraint] = []
    for limit in [limit for group in limits for limit in group]:
        if limit.name == "format" and limit.argument not in FORMATS:
            from typesig.notations.shorthand import remedies

            if isinstance(inner, Ref) and remedies.is_guess(inner.name):
                # In `:list[int]` the mistake is the name, not the format.
                guess = Token("NAME", f":{inner.name}", 0, opened.line, opened.column)
                guess.column = (opened.column or 1) - len(guess)
                raise Mistake(guess, remedies.unknown_type(inner.name))
            raise Mistake(limit.token, remedies.unknown_flag(limit.argument))
        try:
            constraints.append(Constraint(limit.name, limit.argument))
            refined(inner, constraints[-1:])
        except InapplicableConstraint as error:
            from typesig.notations.shorthand import remedies

            raise Mistake(limit.token, remedies.inapplicable(error)) from None
        except TypesigError as error:
            raise Mistake(limit.token, str(error)) from None
    return refined(inner, constraints)
