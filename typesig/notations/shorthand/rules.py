"""The actions of the shorthand's grammar, beside those of `typesig.notations.texts.type_rules`."""

from __future__ import annotations

from typing import Any

from typesig.algebra.constructors import make_noted, record
from typesig.algebra.nodes import ANY, Field, Ref, Type
from typesig.algebra.rows.scalars import is_scalar_name
from typesig.notations.shorthand.writer import ALSO_READ
from typesig.notations.texts.signature_reader import (
    NamedField,
    Remedies,
    SignatureReader,
    check_fields,
    make_explainer,
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


def _load_remedies() -> Remedies:
    """Import and return the module with the error messages of the notation."""
    # Imported here because a parse without mistakes does not need them.
    from typesig.notations.shorthand import remedies

    return remedies


class ShorthandParserRules(TypeRules):
    """Actions of the rules of the shorthand grammar."""

    def __init__(self) -> None:
        super().__init__(_load_remedies)

    def lone(self, returns: Any) -> tuple[Fields, Type]:
        """Build the parameters and the result type of the rule `lone`."""
        return Fields([], ANY, []), to_type(returns)

    def function(
        self, fields: Fields | None, closed: Token | None, returns: Any, text: Token | None
    ) -> tuple[Fields, Type]:
        """Build the parameters and the result type of the rule `function`."""
        return close_fields(fields, closed), make_noted(to_type(returns), self.words(text))

    def thunk(self, returns: Any, text: Token | None) -> tuple[Fields, Type]:
        """Build the result type, without parameters, of the rule `thunk`."""
        return Fields([], ANY, []), make_noted(to_type(returns), self.words(text))

    def name(self, token: Token) -> Type:
        """Build the scalar or the reference of the rule `name`."""
        word = token[1:]
        known = ALSO_READ.get(word, word)
        if is_scalar_name(known):
            return SCALAR_TYPES[known]
        self.refs.append(token)
        return Ref(word)

    def clojure(self, *parts: Any) -> Type:
        """Build the record type in Clojure style of the rule `clojure`."""
        *entries, closed = parts
        return record(check_fields(entries), ANY if closed is None else None)

    def entry(self, token: Token, t: Any) -> NamedField:
        """Build the field in Clojure style of the rule `entry`."""
        if token.type == "QUOTED":
            name, exact = read_text(token) or "", True
        else:
            name, exact = token[1:], False
        return NamedField(Field(name, to_type(t), not isinstance(t, Optional), None, exact), token)


read = SignatureReader("shorthand", ShorthandParserRules, make_explainer(_load_remedies)).read
