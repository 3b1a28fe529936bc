"""The ok/error pair: a result of two tuples that differ in their first item.

`tuple[Literal["ok"], T] | tuple[Literal["error"], E]` becomes `{result T, error E?}`.
"""

from __future__ import annotations

import typing
from typing import Any

from typesig.algebra.constructors import make_maybe, record, strip_annotations
from typesig.algebra.nodes import ANY, NIL, Field
from typesig.extraction.callables.generics import UNIONS
from typesig.extraction.callables.hint_resolver import HintResolutionError, HintScope, resolve
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hosts import encoders


def find_pair_branches(hint: Any, scope: HintScope) -> tuple[Any, Any] | None:
    """Return the hints of value and reason in an ok/error tuple *hint*, or None."""
    if isinstance(hint, str):
        try:
            hint = resolve(hint, scope)
        except HintResolutionError:
            return None
    if type(hint) not in UNIONS:
        return None
    found = {_get_tag(branch): branch for branch in typing.get_args(hint)}
    if found.keys() != {"ok", "error"} or len(typing.get_args(hint)) != 2:
        return None
    return typing.get_args(found["ok"])[1], typing.get_args(found["error"])[1]


def _get_tag(branch: Any) -> str | None:
    """Return the literal "ok" or "error" that begins the tuple hint *branch*, or None."""
    parts = typing.get_args(branch)
    if typing.get_origin(branch) is not tuple or len(parts) != 2:
        return None
    form, values = typing.get_origin(parts[0]), typing.get_args(parts[0])
    # The methods of another value may raise anything.
    is_tag = form is typing.Literal and len(values) == 1 and type(values[0]) is str
    return values[0] if is_tag else None


def read_pair(context: HintContext, value: Any, reason: Any) -> HostType:
    """Return the record of an ok/error result, with the fields result and error.

    A value that may be None is optional too, as other hints of this kind are.
    """
    result = context.for_step("result").read(value)
    error = context.for_step("error").read(reason)
    loose = result.nil and context.options.optional == "loose" and result.type not in (ANY, NIL)
    fields = (
        Field("result", result.type, not loose),
        Field("error", make_maybe(error.type), False),
    )
    parts = {
        "result": encoders.make_nullable(result.encode),
        "error": encoders.make_nullable(error.encode),
    }
    return HostType(record(fields), encode=encoders.make_record(dict, parts))


def encode_pair(value: Any) -> Any:
    """Convert an ok/error tuple *value* to a map of result and error."""
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("ok", "error"):
        if value[0] == "ok":
            return {"result": value[1], "error": None}
        return {"result": None, "error": value[1]}
    return value


def make_checked_record(fields: tuple[Field, ...], value: Any) -> Any:
    """Build the type to check an ok/error map *value*; an error permits any result."""
    result, error = fields
    if isinstance(value, dict) and value.get("error") is not None:
        return record(
            (Field("result", ANY, False), Field("error", strip_annotations(error.type), False))
        )
    return record((result, error))
