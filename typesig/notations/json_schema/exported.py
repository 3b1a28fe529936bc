"""The schemas that are written: of a signature, of its arguments and of its result."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.nodes import Record, Ref, Type
from typesig.algebra.redaction import redacted, used
from typesig.algebra.signature import Signature
from typesig.notations.json_schema import model_view
from typesig.notations.json_schema.inlining import inlined
from typesig.notations.json_schema.rewriting import expressible_with_losses, rewritten
from typesig.notations.json_schema.writer import document, schema


def render(signature: Signature, lone: bool = False) -> tuple[Any, Losses]:
    """Return the pair of schemas of *signature*, the result's alone where *lone*, and losses."""
    made, losses = expressible_with_losses(signature)
    output = document(made.returns, made.names)
    if lone:
        return output, losses
    arguments = document(Record(made.params, made.extra), made.names)
    return {"input": arguments, "output": output}, losses


def result_schema(
    signature: Signature, exact: bool = False, inline: bool = False
) -> dict[str, Any]:
    """Return the schema of the result; see `Signature.to_json_schema`."""
    return _copied(_result_written(signature, exact, inline))  # type: ignore[no-any-return]


@lru_cache(maxsize=1024)
def _result_written(signature: Signature, exact: bool, inline: bool) -> dict[str, Any]:
    return _document(*_result(signature, exact, inline))


def _copied(value: Any) -> Any:
    """Return a schema made anew, for the caller may change it; copying is faster than writing."""
    # Most parts are texts: to call for each of them would take as long as to write it.
    if type(value) is dict:
        return {k: v if type(v) is str else _copied(v) for k, v in value.items()}
    if type(value) is list:
        return [v if type(v) is str else _copied(v) for v in value]
    return value


def _result(signature: Signature, exact: bool, inline: bool) -> tuple[Type, Mapping[str, Type]]:
    """Return the image of the result and its definitions: what is written."""
    seen = redacted(signature)
    t, names = (seen.returns, seen.names) if exact else model_view.answered(seen)
    if not exact and model_view.is_list(t, names):
        t = model_view.wrapped(t)
    return _rooted(*rewritten(t, names), inline)


def returns_list(signature: Signature) -> bool:
    """Tell whether the result is a list, which `result_schema` wraps in `items`."""
    return model_view.is_list(signature.returns, signature.names)


def arguments_schema(
    signature: Signature, exact: bool = False, inline: bool = False
) -> dict[str, Any]:
    """Return the schema of the named arguments; see `Signature.input_schema`."""
    return _copied(_taken_written(signature, exact, inline))  # type: ignore[no-any-return]


@lru_cache(maxsize=1024)
def _taken_written(signature: Signature, exact: bool, inline: bool) -> dict[str, Any]:
    found = _document(*_taken(signature, exact, inline))
    # Some providers take no object without properties.
    return found if "properties" in found else {"type": "object", "properties": {}, **found}


def _taken(signature: Signature, exact: bool, inline: bool) -> tuple[Type, Mapping[str, Type]]:
    """Return the image of the arguments and its definitions: what is written."""
    seen = redacted(signature)
    t, names = (seen.arguments, seen.names) if exact else model_view.taken(seen)
    return _rooted(*rewritten(t, names), inline)


def _rooted(t: Type, names: Mapping[str, Type], inline: bool) -> tuple[Type, Mapping[str, Type]]:
    """Return *t* with a root that is no reference, for clients refuse such a root."""
    if not names:
        return t, names
    while isinstance(t, Ref):
        t = names[t.name]
    if inline:
        t, names = inlined(t, names)
    kept = used(names, [t])
    return t, {name: names[name] for name in sorted(kept)}


def _document(t: Type, names: Mapping[str, Type]) -> dict[str, Any]:
    return (
        {**schema(t), "$defs": {n: schema(inner) for n, inner in names.items()}}
        if names
        else schema(t)
    )
