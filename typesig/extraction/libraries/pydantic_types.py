"""Types that pydantic reads: its schema is the type, its validation decodes, its dump encodes.

Pydantic is asked only if it is loaded, and only about what has no other reader: classes and
metadata that describe themselves to it.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.constructors import bare, noted
from typesig.algebra.loss import changing
from typesig.algebra.signature import fresh_name
from typesig.algebra.traversal import substitute
from typesig.errors import TypesigError
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.media_hints import is_marked
from typesig.extraction.hints.metadata import Mark, read_metadata
from typesig.extraction.hosts import encoders
from typesig.extraction.hosts.decoders import LOST, HostError, Leaf, refusal_of
from typesig.extraction.hosts.enums import is_enum
from typesig.extraction.hosts.host_leaves import leaf_of
from typesig.extraction.libraries.pydantic_fields import is_field, is_loaded, unused
from typesig.extraction.libraries.pydantic_schemas import (
    is_serializer,
    is_unstated,
    with_known_formats,
    without_noise,
)

#: The methods by which classes and metadata describe themselves to pydantic.
_HOOKS = ("__get_pydantic_core_schema__", "__get_pydantic_json_schema__")

#: Metadata of pydantic that does not change values or their schema in a way that is lost here.
_HARMLESS = frozenset({"AllowInfNan", "Discriminator", "FailFast", "Strict", "Tag"})

#: Metadata that does not say how values are written, as each is written by its own class.
_NO_SERIALIZERS = frozenset({
    "AfterValidator", "BeforeValidator", "FieldInfo", "PlainValidator", "SerializeAsAny",
    "SkipValidation", "StringConstraints", "WrapValidator", "_PydanticGeneralMetadata",
})  # fmt: skip

#: The options of pydantic's metadata by which it changes a text.
_CHANGES = ("strip_whitespace", "to_lower", "to_upper")


class SchemaHint:
    """A hint that is a JSON Schema, of a part that pydantic writes."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema

    def __repr__(self) -> str:
        return "the field"


def is_asked(hint: Any, origin: Any) -> bool:
    """Return whether pydantic has to be asked what values of *hint* are."""
    if isinstance(hint, SchemaHint):
        return True
    if not is_loaded():
        return False
    if hasattr(hint, "__metadata__"):
        inner = hint.__origin__
        asks = any(map(_asks, hint.__metadata__)) or is_asked(inner, typing.get_origin(inner))
        # What pydantic cannot read either is left out, with a warning.
        return asks and not isinstance(schema_of(hint, output=False), Exception)
    cls = hint if origin is None else origin
    if not isinstance(cls, type):
        return False
    if "__dataclass_fields__" in vars(cls) and _is_decorated(cls):
        return True
    if not any(hasattr(cls, hook) for hook in _HOOKS):
        return False
    return not (hasattr(cls, "__pydantic_fields__") or is_enum(cls) or leaf_of(cls))


def _is_decorated(cls: type) -> bool:
    """Return whether *cls*, a dataclass, has methods or defaults that are pydantic's."""
    if hasattr(cls, "__pydantic_fields__"):
        return False
    held = (each for ancestor in cls.__mro__[:-1] for each in vars(ancestor).values())
    return any(type(each).__name__ == "PydanticDescriptorProxy" or is_field(each) for each in held)


def _asks(item: Any) -> bool:
    """Return whether pydantic has to be asked what *item*, beside a hint, means."""
    cls = item if isinstance(item, type) else type(item)
    if isinstance(item, Mark) or cls.__name__ in _HARMLESS:
        return False
    if cls.__module__.partition(".")[0] == "pydantic":
        if cls.__name__ == "FieldInfo":
            return any(_asks(inner) for inner in item.metadata)
        if any(getattr(item, name, None) for name in _CHANGES):
            return True
        if cls.__name__ == "_PydanticGeneralMetadata":
            return bool(read_metadata((item,)).unread)
    return any(hasattr(item, hook) for hook in _HOOKS)


def read_asked(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return the type that pydantic has for *hint*; `:any`, with a warning, if it has none."""
    if isinstance(hint, SchemaHint):
        t = type_of_schema(context, hint, hint.schema)
        return HostType(t, None, _is_nullable(t))
    warn_of_unused(context, hint)
    if context.output and hasattr(hint, "__metadata__"):
        return _read_inner(context, hint)
    if context.output and _name(hint) in _DATETIMES:
        # A function returns a datetime, not an object of such a class.
        return HostType(nodes.STRING if context.ptc_runner else nodes.DATETIME)
    return read_whole(context, hint)


def warn_of_unused(context: HintContext, hint: Any) -> None:
    """Warn of what a `Field` in *hint* states only in a model."""
    for item in getattr(hint, "__metadata__", ()):
        for word in unused(item):
            remedy = "write it in a model of pydantic"
            context.warn(hint, f"the {word} of its Field is not used here", remedy)


def read_whole(context: HintContext, hint: Any) -> HostType:
    """Return the type of the JSON that pydantic reads *hint* from, or writes it as."""
    hint = _with_variables(context, hint)
    found = schema_of(hint, context.output)
    if isinstance(found, Exception):
        reason = str(found).strip().partition("\n")[0][:200]
        remedy = "give it a JSON Schema, such as pydantic's WithJsonSchema"
        return context.fall_back(hint, f"pydantic has no schema for it: {reason}", remedy)
    if _name(hint) == "NaiveDatetime":
        # Its schema asks for an offset, which its validation refuses.
        found = {"type": "string", "description": "a date and time without an offset"}
    if "'writeOnly': True" in str(found) or _is_secret(hint):
        place = context.path[-1] if context.path else ""
        context.findings.secrets.add(place.removeprefix("*"))
    if found.get("writeOnly"):
        found = _without_bounds(found)
    t = type_of_schema(context, hint, found)
    metadata = getattr(hint, "__metadata__", ())
    text = read_metadata(tuple(item for item in metadata if not _is_of_pydantic(item))).text
    nil = _is_nullable(t)
    if _is_in_model(context):
        # The model validates its fields itself, and a validator must not run twice.
        return HostType(noted(t, text), None, nil)
    validate = adapter_of(hint).validate_python
    return HostType(noted(t, text), Leaf(lambda value: refused_by(validate, value, hint)), nil)


def _is_secret(hint: Any) -> bool:
    """Return whether *hint* is of a secret of pydantic, such as `Secret[int]`."""
    while hasattr(hint, "__metadata__"):
        hint = hint.__origin__
    cls = typing.get_origin(hint) or hint
    return isinstance(cls, type) and any(each.__name__ == "_SecretBase" for each in cls.__mro__)


def _is_nullable(t: nodes.Type) -> bool:
    return t is nodes.NIL or isinstance(bare(t), nodes.Maybe)


def _is_in_model(context: HintContext) -> bool:
    """Return whether the hint is that of a part of a model of pydantic, which validates it."""
    # Models validate dicts and tuples again, and take other objects as they are.
    around = (cls for cls, _ in reversed(context.records) if not issubclass(cls, dict | tuple))
    return hasattr(next(around, None), "__pydantic_fields__")


def _with_variables(context: HintContext, hint: Any) -> Any:
    """Return *hint* with what its type variables stand for here."""
    generic: Any = hint
    params = () if isinstance(hint, type) else getattr(hint, "__parameters__", ())
    if not params:
        return hint
    known: dict[Any, Any] = {}
    for each in context.variables:
        known |= each
    return generic[tuple(known.get(param, param) for param in params)]


def _without_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the *schema* of a secret with its bounds as text: their errors would show a value."""
    ends = ("at least", schema.get("minLength")), ("at most", schema.get("maxLength"))
    bounds = [f"{which} {bound} characters" for which, bound in ends if bound is not None]
    texts = [schema["description"]] if "description" in schema else []
    told = ", ".join([*texts, *bounds])
    return {"type": "string"} | ({"description": told} if told else {})


#: Types of pydantic whose values are datetimes.
_DATETIMES = ("AwareDatetime", "FutureDatetime", "NaiveDatetime", "PastDatetime")


def _name(hint: Any) -> str:
    return getattr(hint, "__name__", "") if isinstance(hint, type) else ""


def _read_inner(context: HintContext, hint: Any) -> HostType:
    """Return what *hint* becomes in a result, where its validators say nothing."""
    if not is_marked(hint) and any(_writes(item) for item in hint.__metadata__):
        return _read_written(context, hint)
    kept = tuple(item for item in hint.__metadata__ if not _asks(item))
    inner = hint.__origin__
    return context.read(typing.Annotated[(inner, *kept)] if kept else inner)


def _read_written(context: HintContext, hint: Any) -> HostType:
    """Return what a serializer in *hint* writes, and how."""
    whole = _with_variables(context, hint)
    write = dump_of(whole)
    if write is None:
        return read_whole(context, hint)
    context.findings.serializes = True
    if any(map(is_serializer, hint.__metadata__)) and is_unstated(adapter_of(whole).core_schema):
        found = read_unstated(context, hint)
    else:
        found = read_whole(context, hint)
    cls = typing.get_origin(hint.__origin__) or hint.__origin__
    known = (int, float) if cls is float else cls

    def takes(value: Any) -> bool:
        try:
            return isinstance(value, known)
        except TypeError:
            # A union, or a form that has no instances: what is written tells.
            return True

    return found._replace(encode=encoders.Leaf(takes, write))


def read_unstated(context: HintContext, hint: Any) -> HostType:
    """Return `:any`, with a warning, for *hint*, whose serializer does not state its result."""
    reason = "its serializer does not state what it returns"
    remedy = "write return_type=…, or a hint for the result of its function"
    return context.fall_back(hint, reason, remedy)


def _is_of_pydantic(item: Any) -> bool:
    cls = item if isinstance(item, type) else type(item)
    return cls.__module__.partition(".")[0] in ("annotated_types", "pydantic") or _asks(item)


def adapter_of(hint: Any) -> Any:
    """Return pydantic's adapter of *hint*; raise what pydantic raises if it cannot have one."""
    try:
        return _known_adapter(hint)
    except TypeError:
        # Metadata that cannot be hashed.
        return sys.modules["pydantic"].TypeAdapter(hint)


@lru_cache(maxsize=512)
def _known_adapter(hint: Any) -> Any:
    return sys.modules["pydantic"].TypeAdapter(hint)


def schema_of(hint: Any, output: bool) -> Any:
    """Return the JSON Schema that pydantic has for *hint*, or the exception that it raises."""
    mode = "serialization" if output else "validation"
    try:
        return adapter_of(hint).json_schema(mode=mode)
    except _schema_errors() as error:
        return error


def user_errors() -> tuple[type[Exception], ...]:
    """Return what pydantic raises for a hint that it cannot read."""
    errors = sys.modules["pydantic"].errors
    refused = sys.modules["pydantic_core"].SchemaError
    # An ImportError is of a package that pydantic needs for the hint.
    return (
        errors.PydanticUserError, errors.PydanticUndefinedAnnotation, refused, NameError,
        ImportError,
    )  # fmt: skip


def _schema_errors() -> tuple[type[Exception], ...]:
    # The last two are what pydantic raises for a reference that leads nowhere.
    return (*user_errors(), KeyError, AttributeError)


def type_of_schema(context: HintContext, hint: Any, schema: dict[str, Any]) -> nodes.Type:
    """Return the type that *schema* describes; a part that cannot be read is a warning."""
    from typesig.notations.json_schema.reading.parsing import from_json_schema

    try:
        found = from_json_schema(with_known_formats(schema), lossy=True)
    except TypesigError as error:
        remedy = "give it a JSON Schema that can be read"
        return context.fall_back(hint, f"its schema cannot be read: {error}", remedy).type
    for loss in changing(found.losses):
        remedy = "write a schema without it, such as pydantic's WithJsonSchema"
        context.warn(hint, f"its schema is read without a part: {loss}", remedy)
    definitions = context.findings.definitions
    t = without_noise(context, found.returns)
    types = {name: without_noise(context, t_of_name) for name, t_of_name in found.names.items()}
    names: dict[str, nodes.Type] = {}
    taken = {*definitions, *context.findings.names.values()}
    for name, t_of_name in types.items():
        names[name] = nodes.Ref(name)
        if name not in definitions or definitions[name] != t_of_name:
            new = fresh_name(name, taken) if name in taken else name
            taken.add(new)
            names[name] = nodes.Ref(new)
    for name, t_of_name in types.items():
        ref = names[name]
        assert isinstance(ref, nodes.Ref)
        definitions[ref.name] = substitute(t_of_name, names)
    return substitute(t, names)


def is_usual(cls: Any) -> bool:
    """Return whether *cls* is a model of pydantic that does not replace its `model_validate`."""
    validate = getattr(cls, "model_validate", None)
    usual = getattr(sys.modules.get("pydantic"), "BaseModel", None)
    return usual is not None and (
        getattr(validate, "__func__", None) is usual.model_validate.__func__
    )


def validation_of(cls: Any) -> Any:
    """Return the validation of Python data by the model *cls*, None for another class."""
    if not is_usual(cls):
        return getattr(cls, "model_validate", None)
    # What `model_validate` does; the validator of a model is made again when it is rebuilt.
    return lambda given: cls.__pydantic_validator__.validate_python(given)


def refused_by(build: Callable[[Any], Any], value: Any, hint: Any, but: str = "") -> Any:
    """Return what *build*, the validation of *hint* by pydantic, makes of *value*.

    Raise all its errors, except those of the type *but*, as one `HostError`, which does not show
    the values of a hint with secrets.  Return `LOST` if there are no others.
    """
    try:
        return build(value)
    except ValueError as error:
        details: Any = getattr(error, "errors", None)
        if not callable(details):
            problem = refusal_of(error)
            problem.shows = False
            raise problem from error
        secret = has_secrets(hint)
        found: Any = details(include_url=False)
        problems = [_problem(each, value, secret) for each in found if each["type"] != but]
        if not problems:
            return LOST
        problems[0].more.extend(problems[1:])
        raise problems[0] from None


def has_secrets(hint: Any) -> bool:
    """Return whether *hint* has a part that pydantic says is written only, such as a password."""
    try:
        # The validator of a model is made again when the model is rebuilt.
        return _known_secrets(hint, getattr(hint, "__pydantic_validator__", None))
    except TypeError:
        # Metadata that cannot be hashed.
        return _known_secrets.__wrapped__(hint, None)


@lru_cache(maxsize=512)
def _known_secrets(hint: Any, _validator: Any) -> bool:
    found = schema_of(hint, output=False)
    return isinstance(found, Exception) or "'writeOnly': True" in str(found)


def _problem(detail: Any, value: Any, secret: bool) -> HostError:
    """Return one error of pydantic, at the place in *value* that it is about."""
    steps, part, held = [], value, True
    for step in detail["loc"]:
        # The names of branches and of validators are steps that data does not have.
        if held and _has(part, step):
            part = part[step]
        elif detail["type"] == "missing":
            held = False
        else:
            continue
        steps.append(step)
    problem = HostError(detail["msg"])
    problem.steps.extend(reversed(steps))
    # The message of a model's validator is about the model, not about a value.
    problem.shows = held and not secret and type(part) in (str, int, float, bool)
    return problem


def _has(data: Any, step: str | int) -> bool:
    if isinstance(data, dict):
        return step in data
    return isinstance(data, list | tuple) and isinstance(step, int) and step < len(data)


def dumps(hint: Any) -> bool:
    """Return whether pydantic has to write values of *hint*, as a serializer in it asks for."""
    if not is_loaded() or is_marked(hint):
        return False
    beside: tuple[Any, ...] = getattr(hint, "__metadata__", ())
    if any(_writes(item) for item in beside):
        return True
    return any(dumps(part) for part in typing.get_args(hint) if part not in beside)


def _writes(item: Any) -> bool:
    cls = item if isinstance(item, type) else type(item)
    return _asks(item) and cls.__name__ not in _NO_SERIALIZERS


def dump_of(hint: Any) -> Callable[[Any], Any] | None:
    """Return how pydantic writes values of *hint*, or None if it cannot."""
    try:
        adapter = adapter_of(hint)
    except user_errors():
        return None

    def dump(value: Any) -> Any:
        return dumped(
            lambda: adapter.dump_python(value, mode="json", by_alias=True, warnings=False)
        )

    return dump


def dumped(dump: Callable[[], Any]) -> Any:
    """Return what *dump* writes; raise `HostError` if pydantic cannot write it."""
    known = sys.modules["pydantic_core"].PydanticSerializationError
    try:
        return dump()
    except known as error:
        raise refusal_of(error) from error


def object_dump(value: Any) -> Callable[[Any], Any] | None:
    """Return how pydantic writes *value*, an object of a class that describes itself to it."""
    cls: Any = type(value)
    return dump_of(cls) if is_asked(cls, None) else None
