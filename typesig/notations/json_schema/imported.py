"""The schemas that are read: the type that a schema describes, and the signature of a tool."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias, get_args

from typesig.algebra.loss import Losses
from typesig.algebra.nodes import ANY, Record
from typesig.algebra.signature import Signature, joined
from typesig.errors import TooDeep, TooLarge, TypesigError, Unsupported
from typesig.limits import MAX_SCHEMA, MAX_SCHEMA_DEPTH
from typesig.notations.json_schema import ptc_runner
from typesig.notations.json_schema.reader import read_record, read_type, signed

SchemaProfile: TypeAlias = Literal["exact", "ptc_runner"]


def parse(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature of a schema, or of a pair `{"input": …, "output": …}` of them.

    Raises `Unsupported` with the JSON pointer and the keyword, `TooDeep`, `TooLarge`.
    """
    source = _data(source)
    if isinstance(source, dict) and source.keys() == {"input", "output"}:
        return read_tool(source["input"], source["output"], lossy)
    return read_schema(source, lossy)


def from_json_schema(
    schema: Any, lossy: bool = False, profile: SchemaProfile = "exact"
) -> Signature:
    """Return the type that *schema* describes, as a signature without parameters.

    *schema* is an object, true, false, or their JSON text; drafts 4 to 2020-12, by `$schema`.
    What cannot be read raises `Unsupported` with its JSON pointer and keyword; with *lossy* it is
    widened to anything, and `typesig.parse_with_losses` also returns what that was.
    *profile* "ptc_runner" reads the subset that PtcRunner reads, where what may be absent may
    also be null.  Raises `TooDeep`, `TooLarge`.

    >>> str(from_json_schema({"type": "array", "items": {"type": "integer", "minimum": 1}}))
    '() -> [:int[1..]]'
    """
    return read_schema(schema, lossy, profile)[0]


def read_schema(
    schema: Any, lossy: bool = False, profile: SchemaProfile = "exact"
) -> tuple[Signature, Losses]:
    """Return the same as `from_json_schema`, and what was not read.

    That is what was widened, and what says nothing of values (examples, a default of a required
    name).

    >>> [str(loss) for loss in read_schema({"type": "integer", "examples": [1]})[1]]
    ['examples: the keyword examples: it says nothing of values; became nothing']
    """
    source = _data(schema)
    narrow = _is_ptc_runner(profile)
    if narrow:
        ptc_runner.check(source)
    t, names, losses = read_type(source, lossy)
    return signed(None, ptc_runner.optional(t) if narrow else t, names), losses


def signature_from_json_schema(
    params: Any, returns: Any = None, lossy: bool = False, profile: SchemaProfile = "exact"
) -> Signature:
    """Return the signature of a tool whose input and output schemas are these.

    *params* describes an object, whose properties are the parameters (None: there are none said);
    without *returns* the result is anything.  The rest is as in
    `from_json_schema`.

    >>> asked = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    >>> str(signature_from_json_schema(asked, {"type": "boolean"}))
    '(q :string) -> :bool'
    """
    return read_tool(params, returns, lossy, profile)[0]


def read_tool(
    params: Any, returns: Any = None, lossy: bool = False, profile: SchemaProfile = "exact"
) -> tuple[Signature, Losses]:
    """Return the same as `signature_from_json_schema`, and what was not read of either schema.

    >>> asked = {"type": "object", "properties": {"q": {"examples": ["a"]}}}
    >>> [loss.path for loss in read_tool(asked)[1]]
    [('input', 'properties', 'q', 'examples')]
    """
    given = {} if params is None else _data(params)
    result = True if returns is None else _data(returns)
    narrow = _is_ptc_runner(profile)
    if narrow:
        ptc_runner.check(given)
    taken, names, mine = read_record(given, lossy)
    t, more, theirs = read_type(result, lossy)
    if narrow:
        t, lean = ptc_runner.optional(t), ptc_runner.optional(taken)
        assert isinstance(lean, Record)
        taken = lean
    losses = [loss.below("input") for loss in mine] + [loss.below("output") for loss in theirs]
    return joined(signed(taken, ANY, names), signed(None, t, more)), tuple(losses)


def _is_ptc_runner(profile: str) -> bool:
    known = get_args(SchemaProfile)
    if profile not in known:
        raise TypesigError(f"there is no profile {profile!r}; there are {' and '.join(known)}")
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
