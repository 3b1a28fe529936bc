"""The schemas that are read: the type that a schema describes, and the signature of a tool."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

from typesig.algebra.constructors import make_maybe
from typesig.algebra.loss import Loss, Losses, LossKind
from typesig.algebra.nodes import ANY, Record, Type
from typesig.algebra.rows.builtin import as_data, read_mapping
from typesig.algebra.rows.pattern_budget import limit_pattern_work
from typesig.algebra.rows.values import to_builtin
from typesig.algebra.signature import Signature, add_losses, join_signatures, with_secrets
from typesig.algebra.traversal import transform
from typesig.errors import TooDeep, TooLarge, TypesigError, Unsupported, format_value
from typesig.limits import MAX_DIGITS, MAX_SCHEMA, MAX_SCHEMA_DEPTH
from typesig.notations.json_schema.parameters import read_parameters
from typesig.notations.json_schema.reader import R, Reader, make_signature, read_schema
from typesig.notations.json_schema.references import resolve

SchemaProfile: TypeAlias = Literal["exact", "ptc_runner"]

#: Data, and the losses of the text that it was read from.
_Data: TypeAlias = tuple[Any, list[Loss]]

#: Stands for a schema that was not asked about; None is one that the tool does not have.
_NOT_GIVEN: Any = ...


def parse(
    source: Any, lossy: bool = False, resources: Mapping[str, Any] | None = None
) -> tuple[Signature, Losses]:
    """Return the signature of a schema, or of a pair `{"input": …, "output": …}` of schemas.

    For *resources* see `from_json_schema`. Raise `Unsupported` with the JSON pointer and the
    keyword, `TooDeep` or `TooLarge`.
    """
    schema, rounded = _load_data(source, lossy)
    returns = _NOT_GIVEN
    if isinstance(schema, dict) and schema.keys() == {"input", "output"}:
        schema, returns = schema["input"], schema["output"]
    made = from_json_schema(schema, returns, lossy=lossy, resources=resources)
    return made, (*made.losses, *rounded)


@limit_pattern_work()
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
    output: *schema* describes an object, whose properties become the parameters. For a tool without
    one of these schemas, pass None, which accepts anything.

    A schema is an object, true, false, or their JSON text; drafts 4 to 2020-12, by `$schema`. A
    keyword that cannot be read raises `Unsupported` with its JSON pointer; with *lossy* it is
    widened to anything. The `losses` of the signature list widened keywords, and omitted ones that
    do not constrain values, such as examples or the default of a required property. *profile*
    "ptc_runner" reads the subset that PtcRunner supports; in it, optional properties are also
    nullable. *resources* contains other referenced schemas by URI; nothing is fetched. Raise
    `TooDeep` or `TooLarge` if a schema exceeds a limit.

    >>> str(from_json_schema({"type": "array", "items": {"type": "integer", "minimum": 1}}))
    '() -> [:int[1..]]'
    >>> asked = {"properties": {"q": {"type": "string", "examples": ["a"]}}, "required": ["q"]}
    >>> tool = from_json_schema(asked, {"type": "boolean"})
    >>> str(tool), [loss.path for loss in tool.losses]
    ('(q :string) -> :bool', [('input', 'properties', 'q', 'examples')])
    """
    known = get_args(SchemaProfile)
    if profile not in known:
        profiles = " and ".join(known)
        raise TypesigError(
            f"there is no profile {format_value(profile)}; the profiles are {profiles}"
        )
    narrow = profile == "ptc_runner"
    beside = _check_resources(resources)
    if returns is _NOT_GIVEN:
        return _read_result(_load_data(schema, lossy), lossy, narrow, beside)
    given = _load_data({} if schema is None else schema, lossy)
    result = _load_data(True if returns is None else returns, lossy)
    arguments = _read_arguments(given, lossy, narrow, beside)
    return join_signatures(arguments, _read_result(result, lossy, narrow, beside, "output"))


def _read_result(
    read: _Data, lossy: bool, narrow: bool, beside: dict[str, Any], *path: str
) -> Signature:
    """Read the schema in *read* as a result: a signature without parameters."""
    t, names, losses = _read_source(read, lossy, narrow, beside, Reader.read_root)
    made = with_secrets(make_signature(None, t, names, not narrow), find_secret_names(read[0]))
    return add_losses(made, tuple([loss.below(*path) for loss in losses]))


def _read_arguments(read: _Data, lossy: bool, narrow: bool, beside: dict[str, Any]) -> Signature:
    """Read the schema in *read* as arguments: a signature with any result."""
    arguments, names, losses = _read_source(read, lossy, narrow, beside, read_parameters)
    # An empty name is a result itself.
    made = make_signature(arguments, ANY, names, not narrow)
    made = with_secrets(made, find_secret_names(read[0]) - {""})
    return add_losses(made, tuple([loss.below("input") for loss in losses]))


def _read_source(
    read: _Data, lossy: bool, narrow: bool, beside: dict[str, Any], step: Callable[[Reader], R]
) -> tuple[R, dict[str, Type], Losses]:
    """Apply *step* to the schema in *read*; also return definitions and losses."""
    source, rounded = read
    if narrow:
        check_subset(source)
    made, names, losses = read_schema(source, lossy, beside, step)
    # A record stays a record.
    made = cast(R, with_nullable_optionals(made)) if narrow else made
    return made, names, (*losses, *rounded)


def _check_resources(given: Any) -> dict[str, Any]:
    """Return the schemas *given* by URI; raise `TypesigError` for an invalid URI."""
    if given is None:
        return {}
    if not issubclass(type(given), Mapping):
        raise TypesigError(
            f"resources are schemas by URI, in a dict, and not {type(given).__name__}"
        )
    found: dict[str, Any] = {}
    for uri, schema in read_mapping(given).items():
        if not isinstance(uri, str) or resolve("", uri).fragment:
            raise TypesigError(f"the key {uri!r} of resources is not a URI without a fragment")
        found[resolve("", uri).uri], _ = _load_data(schema, False)
    return found


def _load_data(source: Any, lossy: bool) -> _Data:
    """Return the schema *source*, parsed if it is JSON text, and its rounding losses."""
    source = as_data(to_builtin(source))
    if type(source) not in (str, bytes):
        return source, []
    if len(source) > MAX_SCHEMA:
        raise TooLarge(f"a JSON Schema may have {MAX_SCHEMA} characters, this one has more")
    rounded: list[str] = []

    def read_float(digits: str) -> float:
        rounded.extend([digits] if is_rounded(digits) else [])
        return float(digits)

    try:
        data = json.loads(
            source,
            object_pairs_hook=_reject_duplicates,
            parse_int=_parse_int,
            parse_float=read_float,
        )
    except RecursionError:
        limit = f"a JSON Schema may nest {MAX_SCHEMA_DEPTH} schemas"
        raise TooDeep(f"{limit}, this one has more") from None
    except ValueError as error:
        raise Unsupported(f"this is not JSON: {error}", (), "") from None
    return data, find_rounding_losses(source, lossy) if rounded else []


def _parse_int(digits: str) -> int:
    """Parse an integer of JSON; raise `ValueError` if it has too many *digits*."""
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits, at most {MAX_DIGITS}")
    return int(digits)


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a dict of the *pairs* of a JSON object; raise `ValueError` on repeated keys."""
    out: dict[str, Any] = {}
    for name, value in pairs:
        if name in out:
            raise ValueError(f"the key {format_value(name)} occurs twice")
        out[name] = value
    return out


_WORDS = frozenset({
    "type", "items", "properties", "required", "additionalProperties", "description",
    "$schema",
})  # fmt: skip


def check_subset(schema: Any, at: tuple[str, ...] = ()) -> None:
    """Raise `Unsupported` if *schema* is not in the subset that PtcRunner supports."""
    if not isinstance(schema, dict):
        raise _make_refusal(at, "", "a schema is an object in profile ptc_runner")
    for word in schema:
        if word not in _WORDS:
            raise _make_refusal(at, str(word), "profile ptc_runner does not support this keyword")
    if not isinstance(schema.get("type"), str) or schema["type"] == "null":
        raise _make_refusal(at, "type", "profile ptc_runner requires one type")
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if isinstance(properties, dict):
        for name in required if isinstance(required, list) else ():
            if not isinstance(name, str) or name not in properties:
                raise _make_refusal(at, "required", f"{name!r} is not among the properties")
        for name, inner in properties.items():
            check_subset(inner, (*at, "properties", str(name)))
    if not isinstance(schema.get("additionalProperties", True), bool):
        why = "profile ptc_runner only takes true or false"
        raise _make_refusal(at, "additionalProperties", why)
    if schema["type"] == "array" and "items" not in schema:
        raise _make_refusal(at, "items", "profile ptc_runner requires the type of the items")
    if "items" in schema:
        check_subset(schema["items"], (*at, "items"))


def _make_refusal(at: tuple[str, ...], word: str, why: str) -> Unsupported:
    """Build the error that refuses the keyword *word* at path *at* with reason *why*."""
    where = "".join(f"/{step}" for step in at) or "the root"
    message = f"{where}: {word}: {why}" if word else f"{where}: {why}"
    return Unsupported(message, at, word, why)


def with_nullable_optionals(t: Type) -> Type:
    """Return *t* with each optional field nullable, as PtcRunner reads a property."""

    def step(part: Type) -> Type:
        if not isinstance(part, Record):
            return part
        fields = [f if f.required else f.with_type(make_maybe(f.type)) for f in part.fields]
        return Record(tuple(fields), part.extra)

    return transform(t, step)


#: The number of digits that each float keeps, whatever its exponent is.
_KEPT = 15

#: The keywords that bound numbers: whether values above the bound are refused.
_BOUNDS = {"maximum": True, "exclusiveMaximum": True, "minimum": False, "exclusiveMinimum": False}

#: The keywords that constrain values in another way.
_VALUES = frozenset({"const", "enum", "multipleOf"})


class _Digits(str):
    """Digits of a number in JSON text that a float rounds to another number."""

    __slots__ = ()


def is_rounded(digits: str) -> bool:
    """Whether converting the number *digits* to a float changes its value.

    >>> is_rounded("1.10"), is_rounded("12345678901234567.89")
    (False, True)
    """
    if len(digits) <= _KEPT and "e" not in digits and "E" not in digits:
        return False
    number = float(digits)
    # JSON has no infinity, which is refused where it stands.
    return number - number == 0 and _parse_decimal(digits) != Decimal(repr(number))


def _parse_decimal(digits: str) -> Decimal:
    """Parse *digits* as a `Decimal`; a number too small for it becomes 1e-9999 or zero."""
    try:
        return Decimal(digits)
    except InvalidOperation:
        # Its exponent is too long: of a finite float, it is nearer to zero than any other.
        mantissa = digits.lower().partition("e")[0]
        nearest = Decimal("1e-9999") if mantissa.strip("-0.") else Decimal(0)
        return -nearest if digits.startswith("-") else nearest


def find_rounding_losses(text: str | bytes, lossy: bool) -> list[Loss]:
    """Return a loss for each number in the JSON *text* that a float rounds.

    Raises `Unsupported` unless *lossy* for one that constrains values.
    """
    read = json.loads(text, parse_float=lambda digits: _Digits(digits) if is_rounded(digits) else 0)
    return [_make_loss(path, digits, lossy) for path, digits in _iter_numbers(read)]


def _iter_numbers(data: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the path and the digits of each rounded number in the JSON *data*."""
    pending: list[tuple[tuple[str, ...], Any]] = [((), data)]
    while pending:
        path, part = pending.pop()
        if type(part) is _Digits:
            yield path, part
        elif isinstance(part, dict):
            pending += [((*path, key), item) for key, item in part.items()]
        elif isinstance(part, list):
            pending += [((*path, str(place)), item) for place, item in enumerate(part)]


def _make_loss(path: tuple[str, ...], digits: str, lossy: bool) -> Loss:
    """Build the loss for rounded *digits* at *path*; refuse a constraint unless *lossy*."""
    number = float(digits)
    word = next((step for step in reversed(path) if not step.isdigit()), "")
    what, why = f"the number {format_value(digits)}", "a float has fewer digits"
    kind: LossKind = "omitted"
    if word in _BOUNDS:
        is_above = Decimal(repr(number)) > _parse_decimal(digits)
        kind = "widened" if is_above == _BOUNDS[word] else "narrowed"
    elif not _VALUES.isdisjoint(path):
        kind = "narrowed"
    if kind != "omitted" and not lossy:
        where = "".join(f"/{s.replace('~', '~0').replace('/', '~1')}" for s in path)
        message = f"{where}: {what}: {why}; write {number!r}"
        raise Unsupported(message, path[:-1], path[-1], why)
    return Loss(kind, path, what, why, repr(number))


class _Definition(NamedTuple):
    """Path of a definition, as references name it."""

    pointer: str


#: Keywords whose values are data, not schemas.
_DATA = ("const", "default", "enum", "example", "examples")


def find_secret_names(schema: Any) -> frozenset[str]:
    """Return the names of secret properties; an empty name means the value itself.

    >>> sorted(find_secret_names({"properties": {"user": {}, "pin": {"writeOnly": True}}}))
    ['pin']
    """
    found: set[str | _Definition] = set()
    users: dict[str, set[str | _Definition]] = {}
    seen: set[tuple[int, str | _Definition]] = set()
    pending: list[tuple[Any, str | _Definition]] = [(schema, "")]
    while pending:
        part, name = pending.pop()
        if not isinstance(part, dict | list) or (id(part), name) in seen:
            continue
        seen.add((id(part), name))
        if isinstance(part, list):
            pending.extend((each, name) for each in part)
            continue
        if part.get("writeOnly") is True or part.get("format") == "password":
            found.add(name)
        if isinstance(part.get("$ref"), str):
            users.setdefault(part["$ref"], set()).add(name)
        for word, value in part.items():
            if word == "properties" and isinstance(value, dict):
                pending.extend((each, str(key)) for key, each in value.items())
            elif word in ("$defs", "definitions") and isinstance(value, dict):
                pending.extend(
                    (each, _Definition(f"#/{word}/{key}")) for key, each in value.items()
                )
            elif word not in _DATA:
                pending.append((value, name))
    return frozenset(name for name in _add_users(found, users) if isinstance(name, str))


def _add_users(
    found: set[str | _Definition], users: dict[str, set[str | _Definition]]
) -> set[str | _Definition]:
    """Return *found* and all definitions that refer to its members, also indirectly."""
    pending = list(found)
    while pending:
        name = pending.pop()
        if isinstance(name, _Definition):
            more = users.get(name.pointer, set()) - found
            found |= more
            pending.extend(more)
    return found
