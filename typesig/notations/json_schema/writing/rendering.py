"""The schemas that are written: of a signature, of its arguments and of its result."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import Record, Ref, Type
from typesig.algebra.signature import Signature
from typesig.algebra.views.redaction import redacted_types
from typesig.notations.json_schema.writing import model_view
from typesig.notations.json_schema.writing.inlining import inlined
from typesig.notations.json_schema.writing.shown import (
    is_written_straight,
    shown_fields,
    shown_schema,
)
from typesig.notations.json_schema.writing.widening import (
    expressible_types,
    expressible_with_losses,
)
from typesig.notations.json_schema.writing.writer import document_of


def render(signature: Signature, lone: bool = False) -> tuple[Any, Losses]:
    """Return the pair of schemas of *signature*, or if *lone* only the result's, and the losses."""
    made, losses = expressible_with_losses(signature)
    output = document_of(made.returns, made.names)
    if lone:
        return output, losses
    arguments = document_of(Record(made.params, made.extra), made.names)
    return {"input": arguments, "output": output}, losses


def result_schema(
    signature: Signature, exact: bool = False, inline: bool = False
) -> dict[str, Any]:
    """Return the schema of the result; see `Signature.to_json_schema`."""
    kept = _kept_result_schema(signature, exact, inline)
    return kept.own(_result_schema, signature, exact, inline)


class _Kept:
    """A schema of which each caller gets its own, since it may change it.

    The first is written for its caller; many are asked for once.  For the second it is written
    again and kept: loading it is faster than copying it.
    """

    __slots__ = ("_asked", "_text")

    def __init__(self) -> None:
        self._asked = False
        self._text: bytes | None = None

    def own(self, write: Callable[..., dict[str, Any]], *given: Any) -> dict[str, Any]:
        """Return what *write* makes of *given*, the same in each call, as a new schema."""
        if not self._asked:
            self._asked = True
            return write(*given)
        if self._text is None:
            # Version 2 keeps no references, so that no two parts become one object.
            self._text = marshal.dumps(write(*given), 2)
        return marshal.loads(self._text)  # type: ignore[no-any-return]


@lru_cache(maxsize=1024)
def _kept_result_schema(_signature: Signature, _exact: bool, _inline: bool) -> _Kept:
    return _Kept()


def _result_schema(signature: Signature, exact: bool, inline: bool) -> dict[str, Any]:
    if not exact and not signature.definitions and is_written_straight(signature.returns):
        t = signature.returns
        t = model_view.wrapped_list(t) if model_view.is_list(t, {}) else t
        return shown_schema(t, closing=True)
    t, names = redacted_types(*_result_types(signature, exact))
    if not exact and model_view.is_list(t, names):
        t = model_view.wrapped_list(t)
    return _document(t, names, inline)


def returns_list(signature: Signature) -> bool:
    """Tell whether the result is a list, which `result_schema` wraps in `items`."""
    return model_view.is_list(signature.returns, signature.names)


def arguments_schema(
    signature: Signature, exact: bool = False, inline: bool = False
) -> dict[str, Any]:
    """Return the schema of the named arguments; see `Signature.input_schema`."""
    kept = _kept_arguments_schema(signature, exact, inline)
    return kept.own(_arguments_schema, signature, exact, inline)


@lru_cache(maxsize=1024)
def _kept_arguments_schema(_signature: Signature, _exact: bool, _inline: bool) -> _Kept:
    return _Kept()


def _arguments_schema(signature: Signature, exact: bool, inline: bool) -> dict[str, Any]:
    if not exact and not signature.definitions:
        if signature.params and is_written_straight(signature):
            return shown_fields(signature.params, signature.extra, closing=False)
        arguments = signature.arguments
        if is_written_straight(arguments):
            return shown_schema(arguments, closing=False)
    t, names = redacted_types(*_argument_types(signature, exact))
    found = _document(t, names, inline)
    # Some providers reject an object schema without `properties`.
    return found if "properties" in found else {"type": "object", "properties": {}, **found}


def _result_types(signature: Signature, exact: bool) -> tuple[Type, Mapping[str, Type]]:
    if exact:
        return signature.returns, signature.names
    return model_view.result_view(signature)


def _argument_types(signature: Signature, exact: bool) -> tuple[Type, Mapping[str, Type]]:
    if exact:
        return signature.arguments, signature.names
    return model_view.arguments_view(signature)


def schema_losses(signature: Signature, exact: bool = False) -> Losses:
    """Return what the schemas do not say; see `Signature.schema_losses`."""
    losses: list[Loss] = []
    for place, (t, names) in (
        ("params", _argument_types(signature, exact)),
        ("returns", _result_types(signature, exact)),
    ):
        t, names = redacted_types(t, names, losses, (place,))
        expressible_types(t, names, losses, (place,))
    # Both schemas may use a named type.
    return tuple(dict.fromkeys(losses))


def _document(t: Type, names: Mapping[str, Type], inline: bool) -> dict[str, Any]:
    """Return the schema of *t* with its definitions; its root is never a reference."""
    t, names = expressible_types(t, names)
    # Some clients reject a schema whose root is a reference.
    while isinstance(t, Ref):
        t = names[t.name]
    if inline and names:
        t, names = inlined(t, names)
    return document_of(t, names)
