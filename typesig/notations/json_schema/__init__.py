"""JSON Schema, both ways: `parse` and `render`, and the schemas that providers are given.

A type becomes its `image` first, which the `writer` writes; a schema is read by the `reader`, a
conjunction of what it says of kinds of values (`values`, `arrays`, `objects`) and of the whole.
To add a draft, add a row to `dialects`; a constraint, to `kinds`; an applicator, to `reader`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, Record, Ref, Type
from typesig.algebra.redaction import redacted, used
from typesig.algebra.signature import Signature, joined
from typesig.errors import TooDeep, TooLarge, TypesigError, Unsupported
from typesig.limits import MAX_SCHEMA, MAX_SCHEMA_DEPTH
from typesig.notations.json_schema import seed
from typesig.notations.json_schema.expressible import expressible, rewritten
from typesig.notations.json_schema.inlining import inlined
from typesig.notations.json_schema.writer import document, schema
from typesig.notations.language import Language


def parse(source: Any) -> Signature:
    """Return the signature of a schema, or of a pair `{"input": …, "output": …}` of them.

    Raises `Unsupported` with the JSON pointer and the keyword, `TooDeep`, `TooLarge`.
    """
    source = _data(source)
    if isinstance(source, dict) and source.keys() == {"input", "output"}:
        return signature_from_json_schema(source["input"], source["output"])
    return from_json_schema(source)


def render(signature: Signature, losses: list[Loss], lone: bool = False) -> Any:
    """Return the pair of schemas of *signature*, the result's alone where *lone*."""
    made = expressible(signature, losses)
    output = document(made.returns, made.names)
    return output if lone else {"input": _arguments(made), "output": output}


def _arguments(signature: Signature) -> dict[str, Any]:
    return document(Record(signature.params, signature.extra), signature.names)


def from_json_schema(
    schema: Any, lossy: bool = False, profile: str = "exact", losses: list[Loss] | None = None
) -> Signature:
    """Return the type that *schema* describes, as a signature without parameters.

    *schema* is an object, true, false, or their JSON text; drafts 4 to 2020-12, by `$schema`.
    What cannot be read raises `Unsupported` with its JSON pointer and keyword; with *lossy* it is
    widened to anything.  What was widened, and what says nothing of values (examples, a default
    of a required name), is appended to *losses*.  *profile* "seed" reads the subset of seed 004,
    where what may be absent may also be null.  Raises `TooDeep`, `TooLarge`.

    >>> str(from_json_schema({"type": "array", "items": {"type": "integer", "minimum": 1}}))
    '() -> [:int[1..]]'
    """
    from typesig.notations.json_schema.reader import read_type, signed

    source = _data(schema)
    kept = [] if losses is None else losses
    if _is_seed(profile):
        seed.check(source)
    t, names = read_type(source, lossy, kept)
    return signed(None, seed.optional(t) if profile == "ptc_runner" else t, names)


def signature_from_json_schema(
    params: Any,
    returns: Any = None,
    lossy: bool = False,
    profile: str = "exact",
    losses: list[Loss] | None = None,
) -> Signature:
    """Return the signature of a tool whose input and output schemas are these.

    *params* describes an object, whose properties are the parameters (None: there are none said);
    without *returns* the result is anything.  The rest is as in `from_json_schema`.

    >>> asked = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    >>> str(signature_from_json_schema(asked, {"type": "boolean"}))
    '(q :string) -> :bool'
    """
    from typesig.notations.json_schema.reader import read_record, read_type, signed

    kept = [] if losses is None else losses
    given = {} if params is None else _data(params)
    result = True if returns is None else _data(returns)
    if _is_seed(profile):
        seed.check(given)
    mine: list[Loss] = []
    taken, names = read_record(given, lossy, mine)
    kept.extend(Loss(("input", *x.path), x.what, x.why, x.became) for x in mine)
    theirs: list[Loss] = []
    t, more = read_type(result, lossy, theirs)
    kept.extend(Loss(("output", *x.path), x.what, x.why, x.became) for x in theirs)
    if profile == "ptc_runner":
        t, lean = seed.optional(t), seed.optional(taken)
        assert isinstance(lean, Record)
        taken = lean
    return joined(signed(taken, ANY, names), signed(None, t, more))


def _is_seed(profile: str) -> bool:
    if profile not in ("exact", "ptc_runner"):
        raise TypesigError(f"there is no profile {profile!r}; there are exact and seed")
    return profile == "ptc_runner"


def _data(source: Any) -> Any:
    """Return *source*, JSON text read."""
    if not isinstance(source, str | bytes):
        return source
    if len(source) > MAX_SCHEMA:
        raise TooLarge(f"a JSON Schema may have {MAX_SCHEMA} characters, this one has more")
    try:
        return json.loads(source, object_pairs_hook=_once)
    except RecursionError:
        limit = f"a JSON Schema may nest {MAX_SCHEMA_DEPTH} schemas"
        raise TooDeep(f"{limit}, this one has more") from None
    except ValueError as error:
        raise Unsupported(f"this is no JSON: {error}", (), "") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in pairs:
        if name in out:
            raise ValueError(f"the key {name!r} stands twice")
        out[name] = value
    return out


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
    t, names = (seen.returns, seen.names) if exact else seed.answered(seen)
    if not exact and seed.is_list(t, names):
        t = seed.wrapped(t)
    return _rooted(*rewritten(t, names), inline)


def returns_list(signature: Signature) -> bool:
    """Tell whether the result is a list, which `result_schema` wraps in `items` (seed 004)."""
    return seed.is_list(signature.returns, signature.names)


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
    t, names = (seen.arguments, seen.names) if exact else seed.taken(seen)
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


LANGUAGE = Language(parse, render, expressible)

__all__ = ["LANGUAGE", "from_json_schema", "parse", "render", "signature_from_json_schema"]
