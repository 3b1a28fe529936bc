"""The value of each rule of gram's grammar.

Each rule of `gram.lark` calls the method of its name, or of its alias, with its parts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.algebra.constructors import make_maybe, record
from typesig.algebra.definitions import MisfitDefaultError
from typesig.algebra.nodes import ANY, Field, List, Maybe, Scalar, Type
from typesig.algebra.rows.names import make_positional_name
from typesig.algebra.rows.values import Const, to_const
from typesig.algebra.signature import Signature, make_type_signature
from typesig.errors import TypesigError, format_value
from typesig.notations.gram import writer
from typesig.notations.texts.signature_reader import (
    ExplainedMistake,
    NamedField,
    SignatureReader,
    TextMistake,
    check_fields,
    make_default_mistake,
    read_number,
    read_text,
)
from typesig.notations.texts.table_reader import Token, UnexpectedPart

#: The property that a node may have.
_DEFAULT = "default"

_CONSTANTS = {"true": True, "false": False, "null": None}


class _Name(NamedTuple):
    """A name and its token."""

    text: str
    exact: bool
    token: Token


class _Param(NamedTuple):
    """A parsed parameter: its name, if any, its type and its default."""

    name: _Name | None
    type: Type
    default: Const | None = None


class _PathNode(NamedTuple):
    """A parsed node of the path form: its name, type, label and default."""

    name: _Name | None
    type: Type
    label: Token
    default: tuple[Const, Token] | None


class _PatternMember(NamedTuple):
    """A parsed name and value in the properties of a node or in an object."""

    name: _Name
    value: Any


class GramParserRules:
    """Actions of the rules of the gram grammar."""

    # signatures

    def lone(self, returns: Type) -> Signature:
        return make_type_signature(returns)

    def lone_effect(self, _io: Token, returns: Type) -> Signature:
        return Signature((), returns, io=True)

    def function(self, params: list[_Param] | None, result: tuple[Type, bool]) -> Signature:
        returns, io = result
        return Signature(_name_params(params or []), returns, io=io)

    def result(self, io: Token | None, t: Type) -> tuple[Type, bool]:
        return t, io is not None

    def lone_node(self, node: _PathNode) -> Signature:
        return make_type_signature(_make_result(node))

    def path(self, *nodes: _PathNode) -> Signature:
        *before, last = nodes
        fields, returns = _name_params([_make_param(node) for node in before]), _make_result(last)
        try:
            return Signature(fields, returns)
        except MisfitDefaultError as error:
            given = zip(fields, before, strict=True)
            places = [
                NamedField(f, node.default[1]) for f, node in given if node.default is not None
            ]
            raise make_default_mistake(error, places) or error from None

    # parameters and fields

    def params(self, *parts: Any) -> list[Any]:
        return list(parts)

    fields = properties = array = params

    def unnamed(self, t: Type) -> _Param:
        return _Param(None, t)

    def named(self, name: _Name, t: Type) -> _Param:
        return _Param(name, t)

    def name(self, token: Token) -> _Name:
        """Build the name of the rule `name`, exact if it is quoted."""
        return _Name(
            read_text(token) if token.type == "TEXT" else str(token), token.type == "TEXT", token
        )

    def field(self, name: _Name, t: Type) -> NamedField:
        return NamedField(_make_field(name.text, _Param(name, t)), name.token)

    # types

    def maybe(self, _maybe: Token, inner: Type) -> Type:
        return make_maybe(inner)

    def word(self, token: Token) -> Type:
        """Build the scalar type of the rule `word`; refuse an unknown name."""
        if token not in writer.READ:
            from typesig.notations.gram.remedies import explain_unknown_type

            raise TextMistake(token, explain_unknown_type(token), code=writer.UNKNOWN_TYPE)
        return Scalar(writer.READ[token])

    def list_of(self, item: Type) -> Type:
        return List(item)

    def record(self, fields: list[NamedField] | None) -> Type:
        return record(check_fields(fields or [], writer.INVALID_RECORD))

    # the path form

    def node(
        self, name: _Name | None, label: Token, properties: list[_PatternMember] | None
    ) -> _PathNode:
        return _PathNode(name, _make_labelled_type(label), label, _default(properties or []))

    def property(self, name: _Name, value: Any) -> _PatternMember:
        """Build the property `default` of the rule `property`; refuse others."""
        if name.text != _DEFAULT:
            message = f'a node has one property, {_DEFAULT}: (name::String {{{_DEFAULT}:"a"}})'
            raise TextMistake(name.token, message)
        return _PatternMember(name, _make_constant(value, name.token))

    # values

    def constant(self, token: Token) -> Any:
        """Return the JSON constant of the rule `constant`: true, false or null."""
        if token not in _CONSTANTS:
            raise TextMistake(token, "a value is JSON; a text is written in double quotes")
        return _CONSTANTS[token]

    def text(self, token: Token) -> str:
        return read_text(token)

    def number(self, token: Token) -> int | float:
        return read_number(token)

    def object_of(self, *members: _PatternMember) -> dict[str, Any]:
        """Build the dict of the rule `object_of`; refuse a repeated key."""
        out: dict[str, Any] = {}
        for name, value in members:
            if name.text in out:
                raise TextMistake(name.token, f"the key {format_value(name.text)} occurs twice")
            out[name.text] = value
        return out

    def member(self, name: _Name, value: Any) -> _PatternMember:
        return _PatternMember(name, value)


def _make_field(name: str, param: _Param) -> Field:
    """Build the field *name* of *param*; a field of a `Maybe` type is optional."""
    exact = param.name is not None and param.name.exact
    return Field(name, param.type, not isinstance(param.type, Maybe), param.default, exact)


def _name_params(params: list[_Param]) -> list[Field]:
    """Build the fields of *params*; unnamed parameters get the names `arg1`, `arg2`, …."""
    without = {make_positional_name(place) for place, p in enumerate(params, 1) if p.name is None}
    for param in params:
        if param.name is not None and param.name.text in without:
            name = param.name.text
            message = f"a parameter without a name is {name} already; give it a name"
            raise TextMistake(param.name.token, message, code=writer.MALFORMED_PARAMETERS)
    fields = [
        NamedField(_make_field(make_positional_name(place), param), _NOWHERE)
        if param.name is None
        else NamedField(_make_field(param.name.text, param), param.name.token)
        for place, param in enumerate(params, 1)
    ]
    return check_fields(fields, writer.MALFORMED_PARAMETERS)


#: The token of a name that is not written; such names never clash.
_NOWHERE = Token("WORD", "")


def _make_param(node: _PathNode) -> _Param:
    """Build the parameter of *node*; a null default makes its type nullable."""
    if node.default is None:
        return _Param(node.name, node.type)
    default = node.default[0]
    # Gram expresses nullability with a null default.
    if default.kind == "nil":
        return _Param(node.name, make_maybe(node.type))
    return _Param(node.name, node.type, default)


def _make_result(node: _PathNode) -> Type:
    """Return the result type of the last *node*; refuse a name or a default."""
    if node.name is not None:
        message = f"the last node is the result, which has no name: write (::{node.label})"
        raise TextMistake(node.name.token, message)
    if node.default is not None:
        raise TextMistake(node.default[1], "the last node is the result, which has no default")
    return node.type


def _make_labelled_type(token: Token) -> Type:
    """Return the type of the label *token* of the path form."""
    if token == writer.ARRAY:
        return List(ANY)
    if token not in writer.READ:
        from typesig.notations.gram.remedies import explain_unknown_label

        raise TextMistake(token, explain_unknown_label(token), code=writer.UNKNOWN_TYPE)
    return Scalar(writer.READ[token])


def _default(properties: list[_PatternMember]) -> tuple[Const, Token] | None:
    """Return the default in the *properties* of a node, or None; refuse a second one."""
    if not properties:
        return None
    if len(properties) > 1:
        raise TextMistake(properties[1].name.token, f"the property {_DEFAULT} occurs twice")
    return properties[0].value, properties[0].name.token


def _make_constant(value: Any, token: Token) -> Const:
    """Convert the JSON *value* at *token* to a constant."""
    try:
        return to_const(value)
    except TypesigError as error:
        raise TextMistake(token, str(error)) from None


def _explain(_package: str, source: str, error: UnexpectedPart) -> ExplainedMistake:
    """Explain the syntax *error* in the gram text *source*."""
    # Imported here because a parse without mistakes does not need them.
    from typesig.notations.gram import remedies

    if not error.met:
        return remedies.explain_end(source)
    return remedies.explain_token(source, error.at, error.met, error.expected)


read = SignatureReader("gram", GramParserRules, _explain).read
