"""The ok/error pair: a result that is one of two tuples, told apart by their first item.

`tuple[Literal["ok"], T] | tuple[Literal["error"], E]` becomes `{result T, error E?}`.
"""

from __future__ import annotations

import typing
from typing import Any

from typesig.algebra.constructors import bare, maybe, record
from typesig.algebra.nodes import ANY, NIL, Field
from typesig.extraction.callables.generics import UNIONS
from typesig.extraction.callables.resolve import HintScope, Unresolved, resolve
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hosts import encoders


def branches_of(hint: Any, scope: HintScope) -> tuple[Any, Any] | None:
    """Return the hints of the value and of the reason, or None if *hint* is not a pair."""
    if isinstance(hint, str):
        try:
            hint = resolve(hint, scope)
        except Unresolved:
            return None
    if type(hint) not in UNIONS:
        return None
    found = {_tag(branch): branch for branch in typing.get_args(hint)}
    if found.keys() != {"ok", "error"} or len(typing.get_args(hint)) != 2:
        return None
    return typing.get_args(found["ok"])[1], typing.get_args(found["error"])[1]


def _tag(branch: Any) -> str | None:
    parts = typing.get_args(branch)
    if typing.get_origin(branch) is not tuple or len(parts) != 2:
        return None
    form, values = typing.get_origin(parts[0]), typing.get_args(parts[0])
    # The methods of another value may raise anything.
    is_tag = form is typing.Literal and len(values) == 1 and type(values[0]) is str
    return values[0] if is_tag else None


def read_pair(context: HintContext, value: Any, reason: Any) -> HostType:
    """Return the record of a pair, in which the reason is optional and nullable.

    A value that may be None is optional too, as other hints of this kind are.
    """
    result = context.at("result").read(value)
    error = context.at("error").read(reason)
    loose = result.nil and context.options.optional == "loose" and result.type not in (ANY, NIL)
    fields = (Field("result", result.type, not loose), Field("error", maybe(error.type), False))
    parts = {"result": encoders.maybe(result.encode), "error": encoders.maybe(error.encode)}
    return HostType(record(fields), encode=encoders.named(dict, parts))


def encode_pair(value: Any) -> Any:
    """Return the record that stands for the pair *value*, or another value as it is."""
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("ok", "error"):
        if value[0] == "ok":
            return {"result": value[1], "error": None}
        return {"result": None, "error": value[1]}
    return value


def record_to_check(fields: tuple[Field, ...], value: Any) -> Any:
    """Return the record that *value* is checked against; beside a reason, any result conforms."""
    result, error = fields
    if isinstance(value, dict) and value.get("error") is not None:
        return record((Field("result", ANY, False), Field("error", bare(error.type), False)))
    return record((result, error))
