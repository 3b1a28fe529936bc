"""The actions of the compact grammar, beside those of `typesig.notations.texts.type_rules`."""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.algebra.constructors import make_enum, make_noted
from typesig.algebra.nodes import ANY, STRING, Ref, Type
from typesig.algebra.rows.scalars import is_scalar_name
from typesig.notations.compact.writer import RESERVED, is_bare
from typesig.notations.texts import type_rules
from typesig.notations.texts.signature_reader import (
    NamedField,
    SignatureReader,
    TextMistake,
    cut_word,
    load_remedies,
)
from typesig.notations.texts.table_reader import Token


class _Field(NamedTuple):
    """A parsed field to which a description behind it may still be added."""

    token: Token
    t: Any
    default: Any
    text: Token | None
    required: bool


class _Pattern(NamedTuple):
    """A parsed key pattern and its type, to which a description may still be added."""

    token: Token
    t: Any
    text: Token | None


class CompactParserRules(type_rules.TypeRules):
    """Actions of the rules of the compact grammar.

    #: exact: whether names without quotes are exact in the text that is read
    """

    package = "compact"

    def __init__(self) -> None:
        super().__init__()
        self.exact = False

    def words(self, token: Token | None) -> str | None:
        """Return the text of the description *token*, or None without a token."""
        if token is None or token.type != "DESCRIPTION":
            return super().words(token)
        return token[1:].removeprefix(" ")

    # signatures

    def folded_names(self) -> None:
        """Note that names without quotes are folded, for rule `folded_names`."""
        self.exact = False

    def exact_names(self) -> None:
        """Note that names without quotes are exact, for the rule `exact_names`."""
        self.exact = True

    def unknown_result(
        self, _marked: None, fields: type_rules.Fields | None, closed: Token | None
    ) -> tuple[type_rules.Fields, Type]:
        return type_rules.close_fields(fields, closed), ANY

    def function(
        self,
        _marked: None,
        fields: type_rules.Fields | None,
        closed: Token | None,
        returns: Any,
        text: Token | None,
    ) -> tuple[type_rules.Fields, Type]:
        return type_rules.close_fields(fields, closed), make_noted(
            type_rules.to_type(returns), self.words(text)
        )

    # fields

    def fields(self, *parts: Any) -> type_rules.Fields:
        named: list[NamedField] = []
        matched: list[type_rules.MatchingKeys] = []
        extra: Type | None = None
        for part in parts:
            if isinstance(part, type_rules.MatchingKeys):
                matched.append(part)
            elif not isinstance(part, NamedField):
                extra = type_rules.to_type(part)
            elif matched:
                raise TextMistake(part.token, "names come before patterns: {id int, /^x-/ string}")
            else:
                named.append(part)
        return type_rules.Fields(named, extra, matched)

    def entry(
        self, item: _Field | _Pattern, described: Token | None
    ) -> NamedField | type_rules.MatchingKeys:
        if item.text is not None and described is not None:
            raise TextMistake(described, "it has a description already, in quotes")
        text = item.text or described
        if isinstance(item, _Pattern):
            return self._make_pattern_field(item.token, item.t, text)
        return self._make_field(item.token, item.t, item.default, text, item.required)

    def rest(self, t: Any) -> Any:
        return t

    def field(self, token: Token, t: Any, default: Any, text: Token | None) -> _Field:
        t = STRING if t is None else t
        return _Field(token, t, default, text, not isinstance(t, type_rules.Optional))

    def absent_field(
        self, token: Token, _query: Token, t: Any, default: Any, text: Token | None
    ) -> _Field:
        return _Field(token, STRING if t is None else t, default, text, False)

    def matching(self, token: Token, t: Any, text: Token | None) -> _Pattern:
        return _Pattern(token, t, text)

    def _name(self, token: Token) -> tuple[str, bool]:
        """Return the name that *token* writes, and whether it is exact."""
        name, exact = super()._name(token)
        return name, exact or self.exact

    # types

    def name(self, token: Token) -> Type:
        if not is_scalar_name(token):
            raise TextMistake(token, load_remedies(self.package).explain_unknown_type(token))
        return type_rules.SCALAR_TYPES[token]

    def reference(self, token: Token) -> Type:
        if token[1:] in RESERVED:
            raise TextMistake(
                token, f"only the names of definitions have a colon: write {token[1:]}"
            )
        self.refs.append(token)
        return Ref(token[1:])

    def bare_words(self, *words: Token) -> Type:
        for word in words:
            if not is_bare(word):
                raise TextMistake(
                    word, f'this word is written in quotes, with commas: ["{cut_word(word)}", "b"]'
                )
        return make_enum([str(word) for word in words])


read = SignatureReader("compact", CompactParserRules).read
