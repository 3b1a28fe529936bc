"""The actions of the shorthand's grammar, beside those of `typesig.notations.texts.type_rules`."""

from __future__ import annotations

from typing import Any

from typesig.algebra.constructors import make_noted, record
from typesig.algebra.nodes import ANY, Field, Ref, Type
from typesig.algebra.rows.scalars import is_scalar_name
from typesig.notations.shorthand.writer import ALSO_READ
from typesig.notations.texts.signature_reader import (
    NamedField,
    SignatureReader,
    check_fields,
    read_text,
)
from typesig.notations.texts.table_reader import Token
from typesig.notations.texts.type_rules import (
    SCALAR_TYPES,
    Fields,
    Optional,
    TypeRules,
    close_fields,
    to_type,
)


class ShorthandParserRules(TypeRules):
    """Actions of the rules of the shorthand grammar."""

    package = "shorthand"

    def lone(self, returns: Any) -> tuple[Fields, Type]:
        return Fields([], ANY, []), to_type(returns)

    def function(
        self, fields: Fields | None, closed: Token | None, returns: Any, text: Token | None
    ) -> tuple[Fields, Type]:
        return close_fields(fields, closed), make_noted(to_type(returns), self.words(text))

    def thunk(self, returns: Any, text: Token | None) -> tuple[Fields, Type]:
        return Fields([], ANY, []), make_noted(to_type(returns), self.words(text))

    def name(self, token: Token) -> Type:
        word = token[1:]
        known = ALSO_READ.get(word, word)
        if is_scalar_name(known):
            return SCALAR_TYPES[known]
        self.refs.append(token)
        return Ref(word)

    def clojure(self, *parts: Any) -> Type:
        *entries, closed = parts
        return record(check_fields(entries), ANY if closed is None else None)

    def entry(self, token: Token, t: Any) -> NamedField:
        if token.type == "QUOTED":
            name, exact = read_text(token) or "", True
        else:
            name, exact = token[1:], False
        return NamedField(Field(name, to_type(t), not isinstance(t, Optional), None, exact), token)


read = SignatureReader("shorthand", ShorthandParserRules).read
