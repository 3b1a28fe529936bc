"""The actions of the shorthand's grammar, beside those of `typesig.notations.texts.type_rules`."""

from __future__ import annotations

from typing import Any

from typesig.algebra.constructors import noted, record
from typesig.algebra.nodes import ANY, Field, Ref, Type
from typesig.algebra.rows.scalars import is_scalar_name
from typesig.notations.shorthand.writer import ALSO_READ
from typesig.notations.texts.reading import Remedies, SignatureReader, explained
from typesig.notations.texts.table_reader import Token
from typesig.notations.texts.tokens import Named, checked_fields, text_in
from typesig.notations.texts.type_rules import (
    SCALAR_TYPES,
    Fields,
    Optional,
    TypeRules,
    ended,
    settled,
)


def _remedies() -> Remedies:
    # Imported here because a parse without mistakes does not need them.
    from typesig.notations.shorthand import remedies

    return remedies


class Rules(TypeRules):
    """The actions of the grammar."""

    def __init__(self) -> None:
        super().__init__(_remedies)

    def lone(self, returns: Any) -> tuple[Fields, Type]:
        return Fields([], ANY, []), settled(returns)

    def function(
        self, fields: Fields | None, closed: Token | None, returns: Any, text: Token | None
    ) -> tuple[Fields, Type]:
        return ended(fields, closed), noted(settled(returns), self.words(text))

    def thunk(self, returns: Any, text: Token | None) -> tuple[Fields, Type]:
        return Fields([], ANY, []), noted(settled(returns), self.words(text))

    def name(self, token: Token) -> Type:
        word = token[1:]
        known = ALSO_READ.get(word, word)
        if is_scalar_name(known):
            return SCALAR_TYPES[known]
        self.refs.append(token)
        return Ref(word)

    def clojure(self, *parts: Any) -> Type:
        *entries, closed = parts
        return record(checked_fields(entries), ANY if closed is None else None)

    def entry(self, token: Token, t: Any) -> Named:
        if token.type == "QUOTED":
            name, exact = text_in(token) or "", True
        else:
            name, exact = token[1:], False
        return Named(Field(name, settled(t), not isinstance(t, Optional), None, exact), token)


read = SignatureReader("shorthand", Rules, explained(_remedies)).read
