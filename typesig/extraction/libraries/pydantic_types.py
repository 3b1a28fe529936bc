"""Types read by pydantic: it supplies the schema, the validation and the dump.

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
from typesig.algebra.constructors import make_noted, strip_annotations
from typesig.algebra.loss import select_changing
from typesig.algebra.signature import make_unique_name
from typesig.algebra.traversal import substitute
from typesig.errors import TypesigError
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.metadata import Mark, read_metadata
from typesig.extraction.hints.result_hints import is_marked
from typesig.extraction.libraries.pydantic_fields import is_field, is_loaded, list_unused_settings
from typesig.extraction.libraries.pydantic_schemas import (
    drop_noise,
    is_serializer,
    is_unstated,
    with_known_formats,
)
from typesig.extraction.python_types import encoders
from typesig.extraction.python_types.decoders import LOST, HostError, LeafDecoder, to_host_error
from typesig.extraction.python_types.leaves import get_leaf, is_enum

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
    """A JSON Schema used as the hint of a part that pydantic serializes."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema

    def __repr__(self) -> str:
        return "the field"


def is_read_by_pydantic(hint: Any, origin: Any) -> bool:
    """Whether *hint* is left to pydantic, which determines its JSON Schema."""
    if isinstance(hint, SchemaHint):
        return True
    if not is_loaded():
        return False
    if hasattr(hint, "__metadata__"):
        inner = hint.__origin__
        asks = any(map(_is_pydantic_metadata, hint.__metadata__)) or is_read_by_pydantic(
            inner, typing.get_origin(inner)
        )
        # What pydantic cannot read either is left out, with a warning.
        return asks and not isinstance(get_schema(hint, output=False), Exception)
    cls = hint if origin is None else origin
    if not isinstance(cls, type):
        return False
    if "__dataclass_fields__" in vars(cls) and _is_decorated(cls):
        return True
    if not any(hasattr(cls, hook) for hook in _HOOKS):
        return False
    return not (hasattr(cls, "__pydantic_fields__") or is_enum(cls) or get_leaf(cls))


def _is_decorated(cls: type) -> bool:
    """Whether the dataclass *cls* has pydantic decorators or `Field` defaults."""
    if hasattr(cls, "__pydantic_fields__"):
        return False
    held = (each for ancestor in cls.__mro__[:-1] for each in vars(ancestor).values())
    return any(type(each).__name__ == "PydanticDescriptorProxy" or is_field(each) for each in held)


def _is_pydantic_metadata(item: Any) -> bool:
    """Whether pydantic interprets *item*, metadata of a hint."""
    cls = item if isinstance(item, type) else type(item)
    if isinstance(item, Mark) or cls.__name__ in _HARMLESS:
        return False
    if cls.__module__.partition(".")[0] == "pydantic":
        if cls.__name__ == "FieldInfo":
            return any(_is_pydantic_metadata(inner) for inner in item.metadata)
        if any(getattr(item, name, None) for name in _CHANGES):
            return True
        if cls.__name__ == "_PydanticGeneralMetadata":
            return bool(read_metadata((item,)).unread)
    return any(hasattr(item, hook) for hook in _HOOKS)


def read_asked(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return the type of a *hint* left to pydantic; `:any`, with a warning, if none."""
    if isinstance(hint, SchemaHint):
        t = read_schema(context, hint, hint.schema)
        return HostType(t, None, _is_nullable(t))
    warn_of_unused(context, hint)
    if context.output and hasattr(hint, "__metadata__"):
        return _read_without_validators(context, hint)
    if context.output and _name(hint) in _DATETIMES:
        # A function returns a datetime, not an object of such a class.
        return HostType(nodes.STRING if context.ptc_runner else nodes.DATETIME)
    return read_whole(context, hint)


def warn_of_unused(context: HintContext, hint: Any) -> None:
    """Warn of options of a `Field` in *hint* that only apply in a model."""
    for item in getattr(hint, "__metadata__", ()):
        for word in list_unused_settings(item):
            remedy = "write it in a model of pydantic"
            context.warn(hint, f"the {word} of its Field is not used here", remedy)


def read_whole(context: HintContext, hint: Any) -> HostType:
    """Return the type of *hint* from its JSON Schema by pydantic."""
    hint = _substitute_variables(context, hint)
    found = get_schema(hint, context.output)
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
        found = _drop_bounds(found)
    t = read_schema(context, hint, found)
    metadata = getattr(hint, "__metadata__", ())
    text = read_metadata(tuple(item for item in metadata if not _is_of_pydantic(item))).text
    nil = _is_nullable(t)
    if _is_in_model(context):
        # The model validates its fields itself, and a validator must not run twice.
        return HostType(make_noted(t, text), None, nil)
    validate = get_adapter(hint).validate_python
    return HostType(
        make_noted(t, text),
        LeafDecoder(lambda value: validate_by_pydantic(validate, value, hint)),
        nil,
    )


def _is_secret(hint: Any) -> bool:
    """Whether *hint* is of a secret of pydantic, such as `Secret[int]`."""
    while hasattr(hint, "__metadata__"):
        hint = hint.__origin__
    cls = typing.get_origin(hint) or hint
    return isinstance(cls, type) and any(each.__name__ == "_SecretBase" for each in cls.__mro__)


def _is_nullable(t: nodes.Type) -> bool:
    """Whether the type *t* accepts nil."""
    return t is nodes.NIL or isinstance(strip_annotations(t), nodes.Maybe)


def _is_in_model(context: HintContext) -> bool:
    """Whether the hint belongs to a pydantic model, which validates it itself."""
    # Models validate dicts and tuples again, and take other objects as they are.
    around = (cls for cls, _ in reversed(context.records) if not issubclass(cls, dict | tuple))
    return hasattr(next(around, None), "__pydantic_fields__")


def _substitute_variables(context: HintContext, hint: Any) -> Any:
    """Return *hint* with its type variables replaced by their values."""
    generic: Any = hint
    params = () if isinstance(hint, type) else getattr(hint, "__parameters__", ())
    if not params:
        return hint
    known: dict[Any, Any] = {}
    for each in context.variables:
        known |= each
    return generic[tuple(known.get(param, param) for param in params)]


def _drop_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the *schema* of a secret with its bounds as text: errors would show a value."""
    ends = ("at least", schema.get("minLength")), ("at most", schema.get("maxLength"))
    bounds = [f"{which} {bound} characters" for which, bound in ends if bound is not None]
    texts = [schema["description"]] if "description" in schema else []
    told = ", ".join([*texts, *bounds])
    return {"type": "string"} | ({"description": told} if told else {})


#: Types of pydantic whose values are datetimes.
_DATETIMES = ("AwareDatetime", "FutureDatetime", "NaiveDatetime", "PastDatetime")


def _name(hint: Any) -> str:
    """Return the name of *hint* if it is a class, otherwise ""."""
    return getattr(hint, "__name__", "") if isinstance(hint, type) else ""


def _read_without_validators(context: HintContext, hint: Any) -> HostType:
    """Read *hint* of a result by its serializers, ignoring its validators."""
    if not is_marked(hint) and any(_is_serializer_metadata(item) for item in hint.__metadata__):
        return _read_serialized(context, hint)
    kept = tuple(item for item in hint.__metadata__ if not _is_pydantic_metadata(item))
    inner = hint.__origin__
    return context.read(typing.Annotated[(inner, *kept)] if kept else inner)


def _read_serialized(context: HintContext, hint: Any) -> HostType:
    """Return the type and encode plan of *hint*, whose metadata has a serializer."""
    whole = _substitute_variables(context, hint)
    write = make_dump(whole)
    if write is None:
        return read_whole(context, hint)
    context.findings.serializes = True
    if any(map(is_serializer, hint.__metadata__)) and is_unstated(get_adapter(whole).core_schema):
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

    return found._replace(encode=encoders.LeafEncoder(takes, write))


def read_unstated(context: HintContext, hint: Any) -> HostType:
    """Return `:any`, with a warning, for *hint*, whose serializer does not state its result."""
    reason = "its serializer does not state what it returns"
    remedy = "write return_type=…, or a hint for the result of its function"
    return context.fall_back(hint, reason, remedy)


def _is_of_pydantic(item: Any) -> bool:
    """Whether the metadata *item* comes from pydantic or annotated-types."""
    cls = item if isinstance(item, type) else type(item)
    return cls.__module__.partition(".")[0] in (
        "annotated_types",
        "pydantic",
    ) or _is_pydantic_metadata(item)


def get_adapter(hint: Any) -> Any:
    """Return the pydantic adapter of *hint*; raise pydantic's error if there is none."""
    try:
        return _make_adapter(hint)
    except TypeError:
        # Metadata that cannot be hashed.
        return sys.modules["pydantic"].TypeAdapter(hint)


@lru_cache(maxsize=512)
def _make_adapter(hint: Any) -> Any:
    """Make the pydantic `TypeAdapter` of *hint*; cached."""
    return sys.modules["pydantic"].TypeAdapter(hint)


def get_schema(hint: Any, output: bool) -> Any:
    """Return pydantic's JSON Schema of *hint*, or the exception that it raises."""
    mode = "serialization" if output else "validation"
    try:
        return get_adapter(hint).json_schema(mode=mode)
    except _get_schema_errors() as error:
        return error


def get_user_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that pydantic raises for a hint that it cannot read."""
    errors = sys.modules["pydantic"].errors
    refused = sys.modules["pydantic_core"].SchemaError
    # An ImportError is of a package that pydantic needs for the hint.
    return (
        errors.PydanticUserError, errors.PydanticUndefinedAnnotation, refused, NameError,
        ImportError,
    )  # fmt: skip


def _get_schema_errors() -> tuple[type[Exception], ...]:
    """Return the exception classes that pydantic may raise while it makes a schema."""
    # The last two are what pydantic raises for a reference that leads nowhere.
    return (*get_user_errors(), KeyError, AttributeError)


def read_schema(context: HintContext, hint: Any, schema: dict[str, Any]) -> nodes.Type:
    """Return the type that *schema* describes, with a warning for unreadable parts."""
    from typesig.notations.json_schema.parsing import from_json_schema

    try:
        found = from_json_schema(with_known_formats(schema), lossy=True)
    except TypesigError as error:
        remedy = "give it a JSON Schema that can be read"
        return context.fall_back(hint, f"its schema cannot be read: {error}", remedy).type
    for loss in select_changing(found.losses):
        remedy = "write a schema without it, such as pydantic's WithJsonSchema"
        context.warn(hint, f"its schema is read without a part: {loss}", remedy)
    definitions = context.findings.definitions
    t = drop_noise(context, found.returns)
    types = {name: drop_noise(context, t_of_name) for name, t_of_name in found.names.items()}
    names: dict[str, nodes.Type] = {}
    taken = {*definitions, *context.findings.names.values()}
    for name, t_of_name in types.items():
        names[name] = nodes.Ref(name)
        if name not in definitions or definitions[name] != t_of_name:
            new = make_unique_name(name, taken) if name in taken else name
            taken.add(new)
            names[name] = nodes.Ref(new)
    for name, t_of_name in types.items():
        ref = names[name]
        assert isinstance(ref, nodes.Ref)
        definitions[ref.name] = substitute(t_of_name, names)
    return substitute(t, names)


def is_usual(cls: Any) -> bool:
    """Whether *cls* is a model of pydantic that does not replace its `model_validate`."""
    validate = getattr(cls, "model_validate", None)
    usual = getattr(sys.modules.get("pydantic"), "BaseModel", None)
    return usual is not None and (
        getattr(validate, "__func__", None) is usual.model_validate.__func__
    )


def get_validation(cls: Any) -> Any:
    """Return the function that validates Python data as pydantic model *cls*, or None."""
    if not is_usual(cls):
        return getattr(cls, "model_validate", None)
    # What `model_validate` does; the validator of a model is made again when it is rebuilt.
    return lambda given: cls.__pydantic_validator__.validate_python(given)


def validate_by_pydantic(build: Callable[[Any], Any], value: Any, hint: Any, but: str = "") -> Any:
    """Call the pydantic validation *build* with *value*; raise errors as `HostError`.

    Raise all its errors, except those of the type *but*, as one `HostError`, which does not show
    the values of a hint with secrets.  Return `LOST` if there are no others.
    """
    try:
        return build(value)
    except ValueError as error:
        details: Any = getattr(error, "errors", None)
        if not callable(details):
            problem = to_host_error(error)
            problem.shows = False
            raise problem from error
        secret = has_secrets(hint)
        found: Any = details(include_url=False)
        problems = [_make_error(each, value, secret) for each in found if each["type"] != but]
        if not problems:
            return LOST
        problems[0].more.extend(problems[1:])
        raise problems[0] from None


def has_secrets(hint: Any) -> bool:
    """Whether pydantic marks a part of *hint* as write-only, such as a password."""
    try:
        # The validator of a model is made again when the model is rebuilt.
        return _find_secrets(hint, getattr(hint, "__pydantic_validator__", None))
    except TypeError:
        # Metadata that cannot be hashed.
        return _find_secrets.__wrapped__(hint, None)


@lru_cache(maxsize=512)
def _find_secrets(hint: Any, _validator: Any) -> bool:
    """Whether the pydantic schema of *hint* has a write-only part or fails; cached."""
    found = get_schema(hint, output=False)
    return isinstance(found, Exception) or "'writeOnly': True" in str(found)


def _make_error(detail: Any, value: Any, secret: bool) -> HostError:
    """Convert the pydantic error *detail* to a `HostError` with its path in *value*."""
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
    """Whether *data*, a dict or list, has the key or index *step*."""
    if isinstance(data, dict):
        return step in data
    return isinstance(data, list | tuple) and isinstance(step, int) and step < len(data)


def has_serializer(hint: Any) -> bool:
    """Whether a serializer in *hint* requires that pydantic writes its values."""
    if not is_loaded() or is_marked(hint):
        return False
    beside: tuple[Any, ...] = getattr(hint, "__metadata__", ())
    if any(_is_serializer_metadata(item) for item in beside):
        return True
    return any(has_serializer(part) for part in typing.get_args(hint) if part not in beside)


def _is_serializer_metadata(item: Any) -> bool:
    """Whether the metadata *item* is from pydantic and may set a serializer."""
    cls = item if isinstance(item, type) else type(item)
    return _is_pydantic_metadata(item) and cls.__name__ not in _NO_SERIALIZERS


def make_dump(hint: Any) -> Callable[[Any], Any] | None:
    """Make a function that dumps values of *hint* by pydantic; None if it cannot."""
    try:
        adapter = get_adapter(hint)
    except get_user_errors():
        return None

    def dump(value: Any) -> Any:
        return run_dump(
            lambda: adapter.dump_python(value, mode="json", by_alias=True, warnings=False)
        )

    return dump


def run_dump(dump: Callable[[], Any]) -> Any:
    """Call *dump*; raise `HostError` if pydantic cannot write the value."""
    known = sys.modules["pydantic_core"].PydanticSerializationError
    try:
        return dump()
    except known as error:
        raise to_host_error(error) from error


def find_dump(value: Any) -> Callable[[Any], Any] | None:
    """Return the function that dumps *value* by pydantic, if its class is left to it."""
    cls: Any = type(value)
    return make_dump(cls) if is_read_by_pydantic(cls, None) else None
