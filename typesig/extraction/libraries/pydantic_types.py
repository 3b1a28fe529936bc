"""Types read by pydantic: it supplies the schema, the validation and the dump.

Pydantic is asked only if it is loaded, and only about what has no other reader: classes and
metadata that describe themselves to it.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from functools import partial
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.constructors import make_noted, strip_annotations
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.metadata import Mark, get_class, read_metadata
from typesig.extraction.hints.result_hints import is_marked
from typesig.extraction.libraries.libraries import (
    is_field,
    is_loaded,
    warn_of_unused,
)
from typesig.extraction.libraries.pydantic_schemas import (
    get_adapter,
    get_schema,
    get_user_errors,
    is_serializer,
    is_unstated,
    read_schema,
)
from typesig.extraction.libraries.pydantic_validators import validate_by_pydantic
from typesig.extraction.python_types import encoders
from typesig.extraction.python_types.decoders import LeafDecoder, to_host_error
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
    cls = get_class(item)
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
        if not is_marked(hint) and any(_is_serializer_metadata(item) for item in hint.__metadata__):
            return _read_serialized(context, hint)
        kept = tuple(item for item in hint.__metadata__ if not _is_pydantic_metadata(item))
        inner = hint.__origin__
        return context.read(typing.Annotated[(inner, *kept)] if kept else inner)
    if context.output and _name(hint) in _DATETIMES:
        # A function returns a datetime, not an object of such a class.
        return HostType(nodes.STRING if context.ptc_runner else nodes.DATETIME)
    return read_whole(context, hint)


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
        ends = ("at least", found.get("minLength")), ("at most", found.get("maxLength"))
        bounds = [f"{which} {bound} characters" for which, bound in ends if bound is not None]
        texts = [found["description"]] if "description" in found else []
        told = ", ".join([*texts, *bounds])
        found = {"type": "string"} | ({"description": told} if told else {})
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


#: Types of pydantic whose values are datetimes.
_DATETIMES = ("AwareDatetime", "FutureDatetime", "NaiveDatetime", "PastDatetime")


def _name(hint: Any) -> str:
    """Return the name of *hint* if it is a class, otherwise ""."""
    return getattr(hint, "__name__", "") if isinstance(hint, type) else ""


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
    home = get_class(item).__module__.partition(".")[0]
    return home in ("annotated_types", "pydantic") or _is_pydantic_metadata(item)


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
    return _is_pydantic_metadata(item) and get_class(item).__name__ not in _NO_SERIALIZERS


def make_dump(hint: Any) -> Callable[[Any], Any] | None:
    """Make a function that dumps values of *hint* by pydantic; None if it cannot."""
    try:
        adapter = get_adapter(hint)
    except get_user_errors():
        return None

    return partial(run_dump, adapter.dump_python)


def run_dump(dump: Callable[..., Any], value: Any, include: set[str] | None = None) -> Any:
    """Dump *value* by *dump* of pydantic, only its fields *include* if given.

    Raises `HostError` if pydantic cannot write the value.
    """
    known = sys.modules["pydantic_core"].PydanticSerializationError
    try:
        return dump(value, mode="json", by_alias=True, warnings=False, include=include)
    except known as error:
        raise to_host_error(error) from error


def find_dump(value: Any) -> Callable[[Any], Any] | None:
    """Return the function that dumps *value* by pydantic, if its class is left to it."""
    cls: Any = type(value)
    return make_dump(cls) if is_read_by_pydantic(cls, None) else None
