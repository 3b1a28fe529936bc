"""Validators and converters that `validation.py`, `building.py` and others compare typesig with.

Each peer makes a check for a hint, or for the JSON Schema that pydantic writes of it, as its own
documentation shows.  In the mode `wrong` a check returns the errors that the peer found; otherwise
it returns what the peer returns, and raises what the peer raises.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from typing_extensions import get_type_hints

Check = Callable[[Any], Any]
Mode = Literal["valid", "coerced", "wrong"]


class Unsupported(Exception):
    """Raised where a peer has no form of a hint."""


class Peer(NamedTuple):
    """A way to make a check.

    #: package: the distribution that has it; make: what makes the check of a hint and a mode
    #: modes: what it can be asked for; all_errors: whether it finds more than the first error
    #: by_schema: whether it takes a JSON Schema instead of a hint
    """

    name: str
    package: str
    make: Callable[[Any, Mode], Check]
    modes: tuple[Mode, ...] = ("valid", "coerced", "wrong")
    all_errors: bool = False
    by_schema: bool = False


def telling(check: Check, error: Any, told: Callable[[Any], Any], mode: Mode) -> Check:
    """Return *check*; in the mode `wrong`, one that returns what is *told* of its error."""
    if mode != "wrong":
        return check

    def run(value: Any) -> Any:
        try:
            check(value)
        except error as found:
            return told(found)
        return []

    return run


def _pydantic_told(error: Any) -> Any:
    return error.errors(include_url=False)


def pydantic_strict(hint: Any, mode: Mode) -> Check:
    pydantic = importlib.import_module("pydantic")
    validate = pydantic.TypeAdapter(hint).validate_python
    run = lambda value: validate(value, strict=True)  # noqa: E731
    return telling(run, pydantic.ValidationError, _pydantic_told, mode)


def pydantic_lax(hint: Any, mode: Mode) -> Check:
    pydantic = importlib.import_module("pydantic")
    validate = pydantic.TypeAdapter(hint).validate_python
    return telling(validate, pydantic.ValidationError, _pydantic_told, mode)


def pydantic_core(hint: Any, mode: Mode) -> Check:
    pydantic = importlib.import_module("pydantic")
    validate, strict = pydantic.TypeAdapter(hint).validator.validate_python, mode != "coerced"
    run = lambda value: validate(value, strict=strict)  # noqa: E731
    return telling(run, pydantic.ValidationError, _pydantic_told, mode)


def msgspec_dict(hint: Any, mode: Mode) -> Check:
    msgspec = importlib.import_module("msgspec")
    convert, strict = msgspec.convert, mode != "coerced"
    return telling(
        lambda value: convert(value, hint, strict=strict), msgspec.ValidationError, str, mode
    )


def msgspec_struct(hint: Any, mode: Mode) -> Check:
    return msgspec_dict(as_struct(hint, importlib.import_module("msgspec")), mode)


def as_struct(hint: Any, msgspec: Any) -> Any:
    """Return *hint* with structs of msgspec for its records."""
    if hasattr(hint, "__required_keys__"):
        fields: list[Any] = []
        for name, inner in get_type_hints(hint).items():
            default = () if name in hint.__required_keys__ else (None,)
            fields.append((name, as_struct(inner, msgspec), *default))
        return msgspec.defstruct(hint.__name__, fields, kw_only=True)
    if getattr(hint, "__origin__", None) is list:
        return list[as_struct(hint.__args__[0], msgspec)]  # type: ignore[misc]
    return hint


def cattrs(hint: Any, mode: Mode) -> Check:
    module = importlib.import_module("cattrs")
    converter = module.Converter(detailed_validation=mode == "wrong")
    strategies = importlib.import_module("cattrs.strategies")
    strategies.configure_union_passthrough(int | str | None, converter)
    return telling(
        lambda value: converter.structure(value, hint), Exception, module.transform_error, mode
    )


def mashumaro(hint: Any, mode: Mode) -> Check:
    codecs = importlib.import_module("mashumaro.codecs")
    decode: Check = codecs.BasicDecoder(hint).decode
    return telling(decode, Exception, str, mode)


def typeguard(hint: Any, mode: Mode) -> Check:
    module = importlib.import_module("typeguard")
    check, every = module.check_type, module.CollectionCheckStrategy.ALL_ITEMS
    return telling(
        lambda value: check(value, hint, collection_check_strategy=every),
        module.TypeCheckError,
        str,
        mode,
    )


def marshmallow(hint: Any, mode: Mode) -> Check:
    module = importlib.import_module("marshmallow")
    fields = module.fields

    def schema(record: Any) -> Any:
        made = {name: field(inner) for name, inner in get_type_hints(record).items()}
        return module.Schema.from_dict(made)

    def field(inner: Any) -> Any:
        if inner in (int, str, float):
            named = {int: fields.Integer, str: fields.String, float: fields.Float}
            return named[inner](required=True)
        if getattr(inner, "__origin__", None) is list:
            return fields.List(field(inner.__args__[0]), required=True)
        if hasattr(inner, "__required_keys__"):
            return fields.Nested(schema(inner), required=True)
        raise Unsupported(inner)

    many = getattr(hint, "__origin__", None) is list
    load = schema(hint.__args__[0] if many else hint)(many=many).load
    return telling(load, module.ValidationError, lambda error: error.messages, mode)


def jsonschema_rs(schema: Any, mode: Mode) -> Check:
    validator = importlib.import_module("jsonschema_rs").validator_for(schema)
    if mode == "wrong":
        return lambda value: list(validator.iter_errors(value))
    is_valid: Check = validator.is_valid
    return is_valid


def jsonschema(schema: Any, mode: Mode) -> Check:
    validator = importlib.import_module("jsonschema").Draft202012Validator(schema)
    if mode == "wrong":
        return lambda value: list(validator.iter_errors(value))
    is_valid: Check = validator.is_valid
    return is_valid


def fastjsonschema(schema: Any, mode: Mode) -> Check:
    module = importlib.import_module("fastjsonschema")
    return telling(module.compile(schema), module.JsonSchemaException, str, mode)


_CHECKS: tuple[Mode, ...] = ("valid", "wrong")

PEERS = (
    Peer("pydantic strict", "pydantic", pydantic_strict, _CHECKS, True),
    Peer("pydantic lax", "pydantic", pydantic_lax, all_errors=True),
    Peer("pydantic core", "pydantic", pydantic_core, all_errors=True),
    Peer("msgspec TypedDict", "msgspec", msgspec_dict),
    Peer("msgspec Struct", "msgspec", msgspec_struct),
    Peer("jsonschema-rs", "jsonschema-rs", jsonschema_rs, _CHECKS, True, by_schema=True),
    Peer("fastjsonschema", "fastjsonschema", fastjsonschema, _CHECKS, by_schema=True),
    Peer("cattrs", "cattrs", cattrs, all_errors=True),
    Peer("mashumaro", "mashumaro", mashumaro),
    Peer("typeguard", "typeguard", typeguard, _CHECKS),
    Peer("marshmallow", "marshmallow", marshmallow, all_errors=True),
    Peer("jsonschema", "jsonschema", jsonschema, _CHECKS, True, by_schema=True),
)


def version_of(package: str) -> str | None:
    """Return the version of *package*, or None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def installed(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of those of *packages* that are installed."""
    found = {package: version_of(package) for package in packages}
    return {package: version for package, version in found.items() if version is not None}


def source_for(peer: Peer, hint: Any) -> Any:
    """Return what *peer* makes its check from: *hint*, or the JSON Schema of it."""
    if not peer.by_schema:
        return hint
    return importlib.import_module("pydantic").TypeAdapter(hint).json_schema()
