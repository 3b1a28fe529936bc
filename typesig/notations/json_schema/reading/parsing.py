"""The schemas that are read: the type that a schema describes, and the signature of a tool."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, assert_never, get_args

from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import ANY, Record
from typesig.algebra.rows.builtin import as_data, read_mapping
from typesig.algebra.rows.pattern_budget import bounded_patterns
from typesig.algebra.rows.values import exact
from typesig.algebra.signature import Signature, joined, with_secrets
from typesig.errors import TooDeep, TooLarge, TypesigError, Unsupported, short
from typesig.limits import MAX_DIGITS, MAX_SCHEMA, MAX_SCHEMA_DEPTH
from typesig.notations.json_schema.keywords.addresses import resolved
from typesig.notations.json_schema.reading import ptc_runner
from typesig.notations.json_schema.reading.reader import make_signature, read_arguments, read_type
from typesig.notations.json_schema.reading.rounding import is_rounded, rounding_losses
from typesig.notations.json_schema.reading.secrets import secret_names

SchemaProfile: TypeAlias = Literal["exact", "ptc_runner"]


def parse(
    source: Any, lossy: bool = False, resources: Mapping[str, Any] | None = None
) -> tuple[Signature, Losses]:
    """Return the signature of a schema, or of a pair `{"input": …, "output": …}` of schemas.

    *resources* are those of `from_json_schema`.  Raise `Unsupported` with the JSON pointer and the
    keyword, `TooDeep` or `TooLarge`.
    """
    source, rounded = _data(source, lossy)
    if isinstance(source, dict) and source.keys() == {"input", "output"}:
        made, losses = read_tool(source["input"], source["output"], lossy, resources=resources)
    else:
        made, losses = read_schema(source, lossy, resources=resources)
    return made, (*losses, *rounded)


def from_json_schema(
    schema: Any,
    lossy: bool = False,
    profile: SchemaProfile = "exact",
    *,
    resources: Mapping[str, Any] | None = None,
) -> Signature:
    """Return the type that *schema* describes, as a signature without parameters.

    *schema* is an object, true, false, or their JSON text; drafts 4 to 2020-12, by `$schema`.
    A keyword that cannot be read raises `Unsupported` with its JSON pointer; with *lossy* it is
    widened to anything, and `typesig.parse_with_losses` also returns these losses.
    *profile* "ptc_runner" reads the subset that PtcRunner supports, where optional properties are
    also nullable.  *resources* are the schemas that references out of *schema* lead to, by their
    URIs: nothing is fetched.  Raise `TooDeep` or `TooLarge` if *schema* exceeds a limit.

    >>> str(from_json_schema({"type": "array", "items": {"type": "integer", "minimum": 1}}))
    '() -> [:int[1..]]'
    """
    return read_schema(schema, lossy, profile, resources)[0]


@bounded_patterns()
def read_schema(
    schema: Any,
    lossy: bool = False,
    profile: SchemaProfile = "exact",
    resources: Mapping[str, Any] | None = None,
) -> tuple[Signature, Losses]:
    """Return the same as `from_json_schema`, and the losses.

    The losses are what was widened, and what was omitted because it does not constrain values, such
    as examples or the default of a required property.

    >>> [str(loss) for loss in read_schema({"type": "integer", "examples": [1]})[1]]
    ['examples: the keyword examples: it does not constrain values; became nothing']
    """
    source, rounded = _data(schema, lossy)
    narrow = _is_ptc_runner(profile)
    if narrow:
        ptc_runner.check_subset(source)
    t, names, losses = read_type(source, lossy, _resources(resources))
    losses = (*losses, *rounded)
    if narrow:
        t = ptc_runner.with_nullable_optionals(t)
    made = make_signature(None, t, names)
    return with_secrets(made, secret_names(source)), losses


def signature_from_json_schema(
    params: Any,
    returns: Any = None,
    lossy: bool = False,
    profile: SchemaProfile = "exact",
    *,
    resources: Mapping[str, Any] | None = None,
) -> Signature:
    """Return the signature of a tool whose input and output schemas are these.

    *params* describes an object, whose properties become the parameters; without it, any arguments
    are accepted.  Without *returns* the result is anything.  The other options are those of
    `from_json_schema`.

    >>> asked = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    >>> str(signature_from_json_schema(asked, {"type": "boolean"}))
    '(q :string) -> :bool'
    """
    return read_tool(params, returns, lossy, profile, resources)[0]


@bounded_patterns()
def read_tool(
    params: Any,
    returns: Any = None,
    lossy: bool = False,
    profile: SchemaProfile = "exact",
    resources: Mapping[str, Any] | None = None,
) -> tuple[Signature, Losses]:
    """Return the same as `signature_from_json_schema`, and the losses of both schemas.

    >>> asked = {"type": "object", "properties": {"q": {"examples": ["a"]}}}
    >>> [loss.path for loss in read_tool(asked)[1]]
    [('input', 'properties', 'q', 'examples')]
    """
    given, rounded = ({}, []) if params is None else _data(params, lossy)
    result, rounded_below = (True, []) if returns is None else _data(returns, lossy)
    narrow = _is_ptc_runner(profile)
    if narrow:
        ptc_runner.check_subset(given)
    beside = _resources(resources)
    arguments, names, input_losses = read_arguments(given, lossy, beside)
    t, more, output_losses = read_type(result, lossy, beside)
    if narrow:
        t = ptc_runner.with_nullable_optionals(t)
        narrowed = ptc_runner.with_nullable_optionals(arguments)
        assert isinstance(narrowed, Record)
        arguments = narrowed
    losses = [loss.below("input") for loss in (*input_losses, *rounded)]
    losses += [loss.below("output") for loss in (*output_losses, *rounded_below)]
    signature = joined(make_signature(arguments, ANY, names), make_signature(None, t, more))
    # An empty name is the result itself.
    secrets = (secret_names(given) - {""}) | secret_names(result)
    return with_secrets(signature, secrets), tuple(losses)


def _is_ptc_runner(profile: SchemaProfile) -> bool:
    known = get_args(SchemaProfile)
    if profile not in known:
        profiles = " and ".join(known)
        raise TypesigError(f"there is no profile {short(profile)}; the profiles are {profiles}")
    match profile:
        case "exact":
            return False
        case "ptc_runner":
            return True
        case _:
            assert_never(profile)


def _resources(given: Any) -> dict[str, Any]:
    """Return the schemas of *given* by URI; raise `TypesigError` if a key is no URI of a schema."""
    if given is None:
        return {}
    if not issubclass(type(given), Mapping):
        raise TypesigError(
            f"resources are schemas by URI, in a dict, and not {type(given).__name__}"
        )
    found: dict[str, Any] = {}
    for uri, schema in read_mapping(given).items():
        if not isinstance(uri, str) or resolved("", uri).fragment:
            raise TypesigError(f"the key {uri!r} of resources is not a URI without a fragment")
        found[resolved("", uri).uri], _ = _data(schema, False)
    return found


def _data(source: Any, lossy: bool) -> tuple[Any, list[Loss]]:
    """Return *source*, or the data that it is the JSON text of, and the losses of that."""
    source = as_data(exact(source))
    if type(source) not in (str, bytes):
        return source, []
    if len(source) > MAX_SCHEMA:
        raise TooLarge(f"a JSON Schema may have {MAX_SCHEMA} characters, this one has more")
    rounded: list[str] = []

    def float_of(digits: str) -> float:
        rounded.extend([digits] if is_rounded(digits) else [])
        return float(digits)

    try:
        data = json.loads(
            source,
            object_pairs_hook=_without_duplicates,
            parse_int=_int_of,
            parse_float=float_of,
        )
    except RecursionError:
        limit = f"a JSON Schema may nest {MAX_SCHEMA_DEPTH} schemas"
        raise TooDeep(f"{limit}, this one has more") from None
    except ValueError as error:
        raise Unsupported(f"this is not JSON: {error}", (), "") from None
    return data, rounding_losses(source, lossy) if rounded else []


def _int_of(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits, at most {MAX_DIGITS}")
    return int(digits)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in pairs:
        if name in out:
            raise ValueError(f"the key {short(name)} occurs twice")
        out[name] = value
    return out
