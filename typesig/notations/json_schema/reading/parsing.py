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
from typesig.algebra.signature import Signature, joined, with_losses, with_secrets
from typesig.errors import TooDeep, TooLarge, TypesigError, Unsupported, short
from typesig.limits import MAX_DIGITS, MAX_SCHEMA, MAX_SCHEMA_DEPTH
from typesig.notations.json_schema.keywords.addresses import resolved
from typesig.notations.json_schema.reading import ptc_runner
from typesig.notations.json_schema.reading.reader import make_signature, read_arguments, read_type
from typesig.notations.json_schema.reading.rounding import is_rounded, rounding_losses
from typesig.notations.json_schema.reading.secrets import secret_names

SchemaProfile: TypeAlias = Literal["exact", "ptc_runner"]

#: Data, and the losses of the text that it was read from.
_Data: TypeAlias = tuple[Any, list[Loss]]

#: Stands for a schema that was not asked about; None is one that the tool does not have.
_NOT_GIVEN: Any = ...


def parse(
    source: Any, lossy: bool = False, resources: Mapping[str, Any] | None = None
) -> tuple[Signature, Losses]:
    """Return the signature of a schema, or of a pair `{"input": …, "output": …}` of schemas.

    *resources* are those of `from_json_schema`.  Raise `Unsupported` with the JSON pointer and the
    keyword, `TooDeep` or `TooLarge`.
    """
    schema, rounded = _data(source, lossy)
    returns = _NOT_GIVEN
    if isinstance(schema, dict) and schema.keys() == {"input", "output"}:
        schema, returns = schema["input"], schema["output"]
    made = from_json_schema(schema, returns, lossy=lossy, resources=resources)
    return made, (*made.losses, *rounded)


@bounded_patterns()
def from_json_schema(
    schema: Any,
    returns: Any = _NOT_GIVEN,
    *,
    lossy: bool = False,
    profile: SchemaProfile = "exact",
    resources: Mapping[str, Any] | None = None,
) -> Signature:
    """Return the type that *schema* describes, as a signature without parameters.

    If *returns* is given, return the signature of a tool with these schemas for its input and its
    output: *schema* describes an object, whose properties become the parameters.  For a tool, None
    is the schema that it does not have, and accepts anything.

    A schema is an object, true, false, or their JSON text; drafts 4 to 2020-12, by `$schema`.
    A keyword that cannot be read raises `Unsupported` with its JSON pointer; with *lossy* it is
    widened to anything.  The `losses` of the signature tell that, and what was left out because it
    does not constrain values, such as examples or the default of a required property.
    *profile* "ptc_runner" reads the subset that PtcRunner supports, where optional properties are
    also nullable.  *resources* are the schemas that references out of these lead to, by their
    URIs: nothing is fetched.  Raise `TooDeep` or `TooLarge` if a schema exceeds a limit.

    >>> str(from_json_schema({"type": "array", "items": {"type": "integer", "minimum": 1}}))
    '() -> [:int[1..]]'
    >>> asked = {"properties": {"q": {"type": "string", "examples": ["a"]}}, "required": ["q"]}
    >>> tool = from_json_schema(asked, {"type": "boolean"})
    >>> str(tool), [loss.path for loss in tool.losses]
    ('(q :string) -> :bool', [('input', 'properties', 'q', 'examples')])
    """
    narrow = _is_ptc_runner(profile)
    beside = _resources(resources)
    if returns is _NOT_GIVEN:
        return _result(_data(schema, lossy), lossy, narrow, beside)
    given = _data({} if schema is None else schema, lossy)
    result = _data(True if returns is None else returns, lossy)
    arguments = _arguments(given, lossy, narrow, beside)
    return joined(arguments, _result(result, lossy, narrow, beside, "output"))


def _result(
    read: _Data, lossy: bool, narrow: bool, beside: dict[str, Any], *path: str
) -> Signature:
    """Return the signature with the result that *read* describes; *path* begins its losses."""
    source, rounded = read
    if narrow:
        ptc_runner.check_subset(source)
    t, names, losses = read_type(source, lossy, beside)
    if narrow:
        t = ptc_runner.with_nullable_optionals(t)
    made = with_secrets(make_signature(None, t, names), secret_names(source))
    return with_losses(made, tuple([loss.below(*path) for loss in (*losses, *rounded)]))


def _arguments(read: _Data, lossy: bool, narrow: bool, beside: dict[str, Any]) -> Signature:
    """Return the signature with the parameters that *read* describes, and any result."""
    source, rounded = read
    if narrow:
        ptc_runner.check_subset(source)
    arguments, names, losses = read_arguments(source, lossy, beside)
    if narrow:
        narrowed = ptc_runner.with_nullable_optionals(arguments)
        assert isinstance(narrowed, Record)
        arguments = narrowed
    # An empty name is a result itself.
    made = with_secrets(make_signature(arguments, ANY, names), secret_names(source) - {""})
    return with_losses(made, tuple([loss.below("input") for loss in (*losses, *rounded)]))


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


def _data(source: Any, lossy: bool) -> _Data:
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
