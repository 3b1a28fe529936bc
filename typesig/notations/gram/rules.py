"""The value of each rule of gram's grammar.

Each rule of `gram.lark` calls the method of its name, or of its alias, with its parts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.algebra.constructors import maybe, record
from typesig.algebra.defaults import UnfitDefault
from typesig.algebra.nodes import ANY, Field, List, Maybe, Scalar, Type
from typesig.algebra.rows.names import positional_name
from typesig.algebra.rows.values import Const, const
from typesig.algebra.signature import Signature, lone
from typesig.errors import TypesigError, short
from typesig.notations.gram import spellings
from typesig.notations.texts.reading import Explained, SignatureReader
from typesig.notations.texts.table_reader import Token, Unexpected
from typesig.notations.texts.tokens import (
    Mistake,
    Named,
    at_default,
    checked_fields,
    number_in,
    text_in,
)

#: The property that a node may have.
_DEFAULT = "default"

_CONSTANTS = {"true": True, "false": False, "null": None}


class _Name(NamedTuple):
    """A name and its token."""

    text: str
    exact: bool
    token: Token


class _Result(NamedTuple):
    type: Type
    io: bool


class _Param(NamedTuple):
    """A parameter, which may have no name."""

    name: _Name | None
    type: Type
    default: Const | None = None


class _Node(NamedTuple):
    """A node of the path form; a default is a tuple, since the default may be null."""

    name: _Name | None
    type: Type
    label: Token
    default: tuple[Const, Token] | None


class _Member(NamedTuple):
    """A name and a value, in the properties of a node or in an object."""

    name: _Name
    value: Any


class Rules:
    """The value of each rule of the grammar."""

    # signatures

    def lone(self, returns: Type) -> Signature:
        return lone(returns)

    def lone_effect(self, _io: Token, returns: Type) -> Signature:
        return Signature((), returns, io=True)

    def function(self, params: list[_Param] | None, result: _Result) -> Signature:
        return Signature(_placed(params or []), result.type, io=result.io)

    def result(self, io: Token | None, t: Type) -> _Result:
        return _Result(t, io is not None)

    def lone_node(self, node: _Node) -> Signature:
        return lone(_returned(node))

    def path(self, *nodes: _Node) -> Signature:
        *before, last = nodes
        fields, returns = _placed([_param(node) for node in before]), _returned(last)
        try:
            return Signature(fields, returns)
        except UnfitDefault as error:
            given = zip(fields, before, strict=True)
            places = [Named(f, node.default[1]) for f, node in given if node.default is not None]
            raise at_default(error, places) or error from None

    # parameters and fields

    def params(self, *params: _Param) -> list[_Param]:
        return list(params)

    def unnamed(self, t: Type) -> _Param:
        return _Param(None, t)

    def named(self, name: _Name, t: Type) -> _Param:
        return _Param(name, t)

    def name(self, token: Token) -> _Name:
        return _Name(text_in(token) if token.type == "TEXT" else str(token), _is_text(token), token)

    def fields(self, *fields: Named) -> list[Named]:
        return list(fields)

    def field(self, name: _Name, t: Type) -> Named:
        return Named(_field(name.text, _Param(name, t)), name.token)

    # types

    def maybe(self, _maybe: Token, inner: Type) -> Type:
        return maybe(inner)

    def word(self, token: Token) -> Type:
        if token not in spellings.READ:
            from typesig.notations.gram.remedies import unknown_type

            raise Mistake(token, unknown_type(token), code=spellings.UNKNOWN_TYPE)
        return Scalar(spellings.READ[token])

    def list_of(self, item: Type) -> Type:
        return List(item)

    def record(self, fields: list[Named] | None) -> Type:
        return record(checked_fields(fields or [], spellings.INVALID_RECORD))

    # the path form

    def node(self, name: _Name | None, label: Token, properties: list[_Member] | None) -> _Node:
        return _Node(name, _labelled(label), label, _default(properties or []))

    def properties(self, *properties: _Member) -> list[_Member]:
        return list(properties)

    def property(self, name: _Name, value: Any) -> _Member:
        if name.text != _DEFAULT:
            message = f'a node has one property, {_DEFAULT}: (name::String {{{_DEFAULT}:"a"}})'
            raise Mistake(name.token, message)
        return _Member(name, _fixed(value, name.token))

    # values

    def constant(self, token: Token) -> Any:
        if token not in _CONSTANTS:
            raise Mistake(token, "a value is JSON; a text is written in double quotes")
        return _CONSTANTS[token]

    def text(self, token: Token) -> str:
        return text_in(token)

    def number(self, token: Token) -> int | float:
        return number_in(token)

    def array(self, *items: Any) -> list[Any]:
        return list(items)

    def object_of(self, *members: _Member) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, value in members:
            if name.text in out:
                raise Mistake(name.token, f"the key {short(name.text)} occurs twice")
            out[name.text] = value
        return out

    def member(self, name: _Name, value: Any) -> _Member:
        return _Member(name, value)


def _is_text(token: Token) -> bool:
    return bool(token.type == "TEXT")


def _field(name: str, param: _Param) -> Field:
    """Return a field; one of a `Maybe` type may be absent as well as null."""
    exact = param.name is not None and param.name.exact
    return Field(name, param.type, not isinstance(param.type, Maybe), param.default, exact)


def _placed(params: list[_Param]) -> list[Field]:
    """Return *params* as fields, those without a name named by their places."""
    without = {positional_name(place) for place, p in enumerate(params, 1) if p.name is None}
    for param in params:
        if param.name is not None and param.name.text in without:
            name = param.name.text
            message = f"a parameter without a name is {name} already; give it a name"
            raise Mistake(param.name.token, message, code=spellings.MALFORMED_PARAMETERS)
    fields = [
        Named(_field(positional_name(place), param), _NOWHERE)
        if param.name is None
        else Named(_field(param.name.text, param), param.name.token)
        for place, param in enumerate(params, 1)
    ]
    return checked_fields(fields, spellings.MALFORMED_PARAMETERS)


#: The token of a name that is not written; such names never clash.
_NOWHERE = Token("WORD", "")


def _param(node: _Node) -> _Param:
    if node.default is None:
        return _Param(node.name, node.type)
    default = node.default[0]
    # Gram expresses nullability with a null default.
    if default.kind == "nil":
        return _Param(node.name, maybe(node.type))
    return _Param(node.name, node.type, default)


def _returned(node: _Node) -> Type:
    if node.name is not None:
        message = f"the last node is the result, which has no name: write (::{node.label})"
        raise Mistake(node.name.token, message)
    if node.default is not None:
        raise Mistake(node.default[1], "the last node is the result, which has no default")
    return node.type


def _labelled(token: Token) -> Type:
    if token == spellings.ARRAY:
        return List(ANY)
    if token not in spellings.READ:
        from typesig.notations.gram.remedies import unknown_label

        raise Mistake(token, unknown_label(token), code=spellings.UNKNOWN_TYPE)
    return Scalar(spellings.READ[token])


def _default(properties: list[_Member]) -> tuple[Const, Token] | None:
    if not properties:
        return None
    if len(properties) > 1:
        raise Mistake(properties[1].name.token, f"the property {_DEFAULT} occurs twice")
    return properties[0].value, properties[0].name.token


def _fixed(value: Any, token: Token) -> Const:
    try:
        return const(value)
    except TypesigError as error:
        raise Mistake(token, str(error)) from None


def _explain(source: str, error: Unexpected) -> Explained:
    # Imported here because a parse without mistakes does not need them.
    from typesig.notations.gram import remedies

    if not error.met:
        return remedies.at_end(source)
    return remedies.at_token(source, error.at, error.met, error.expected)


read = SignatureReader("gram", Rules, _explain).read
