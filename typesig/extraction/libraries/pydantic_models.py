"""Models and dataclasses of pydantic: their records, and the parts that serializers of them write.

The other parts of results are written by typesig, by the class of each object.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Annotated, Any, get_args

from typesig.algebra.nodes import ANY, Record, Ref, Type, strip_annotations
from typesig.algebra.rows.frozen import NAMES, RECORDS
from typesig.algebra.rows.names import fold_name
from typesig.extraction.callables.hint_resolver import resolve_if_text
from typesig.extraction.callables.scopes import get_class_scope
from typesig.extraction.docstrings.docs import read_field_texts
from typesig.extraction.hints import record_hints
from typesig.extraction.hints.choice_hints import find_sentinel, is_missing
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.fields import MISSING, FieldSource
from typesig.extraction.hints.metadata import read_field_details
from typesig.extraction.hints.result_hints import iter_media_parts
from typesig.extraction.libraries.pydantic_schemas import (
    get_adapter,
    get_schema,
    has_secrets,
    is_serializer,
    is_unstated,
    list_unstated_fields,
)
from typesig.extraction.libraries.pydantic_types import (
    SchemaHint,
    has_serializer,
    is_read_by_pydantic,
    read_unstated,
    read_whole,
    run_dump,
)
from typesig.extraction.libraries.pydantic_validators import (
    get_validation,
    is_usual,
    make_judge,
    validate_by_pydantic,
)
from typesig.extraction.python_types.decoders import DictFactory, LeafDecoder
from typesig.extraction.python_types.encoders import make_root as encoder_of_root
from typesig.extraction.python_types.plan_decoder import decode_by_plan


def read_pydantic(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the record of a model or dataclass of pydantic, or the type of a root model."""
    cls = record_hints.get_class(hint, origin)
    build: Any = get_validation(cls)
    is_root = getattr(cls, "__pydantic_root_model__", False)
    if context.output and (has_own_serializer(cls) or (is_root and find_serialized_fields(cls))):
        if find_media_fields(cls):
            reason = "a serializer of the model writes its media as text"
            context.warn(cls, reason, "write serializers of the other fields only")
        if is_unstated_whole(cls):
            return read_unstated(context, cls)
        return read_whole(context, cls)
    if is_root:
        inner = context.for_record(cls, arguments, {}, context.scope)
        if get_config(cls).get("strict") is True and not context.output:
            context.add_strict_place()
        found = inner.read(get_field_hint(cls.__pydantic_fields__["root"]))
        return HostType(
            found.type,
            LeafDecoder(
                lambda value: validate_by_pydantic(build, decode_by_plan(found.decode, value), cls),
                False,
                found.decode,
            ),
            encode=encoder_of_root(cls, found.encode) if context.output else None,
        )

    def read_extra(inner: HintContext) -> HostType | None:
        extra = get_config(cls).get("extra")
        if extra == "allow":
            return record_hints.read_extras(inner, _get_extra_hint(cls))
        return None if extra == "forbid" else HostType(ANY)

    found = record_hints.read_record(
        context,
        cls,
        arguments,
        partial(_list_model_fields, context, cls),
        _make_factory(cls, build),
        read_extra,
    )
    t, definitions = found.type, context.findings.definitions
    t = strip_annotations(definitions.get(t.name, t) if isinstance(t, Ref) else t)
    _add_strict_fields(context, cls, t)
    others = {} if context.output else map_other_names(cls)
    if others and isinstance(t, Record):
        context.findings.spellings[t] = {**context.findings.spellings.get(t, {}), **others}
    return found


def _add_strict_fields(context: HintContext, cls: Any, t: Type) -> None:
    """Record the fields of *cls*, a strict pydantic model, as not coerced.

    The models within it say for themselves whether they are strict.
    """
    if get_config(cls).get("strict") is not True or not isinstance(t, Record) or context.output:
        return
    infos = {
        get_input_name(cls, name, info): info for name, info in cls.__pydantic_fields__.items()
    }
    for field in t.fields:
        marks = [getattr(mark, "strict", None) for mark in infos[field.name].metadata]
        if not field.type.flags & (NAMES | RECORDS) and False not in marks:
            context.for_step(field.name).add_strict_place()


def _make_factory(cls: Any, build: Any) -> DictFactory:
    """Make the factory of pydantic class *cls*; *build* validates, None for a dataclass."""
    defaults = [(get_input_name(cls, name, info), info) for name, info in list_plain_defaults(cls)]

    def without_defaults(values: dict[str, Any]) -> dict[str, Any]:
        for name, info in defaults:
            # A model does not validate its own defaults, which the check has filled in.
            if name in values and (
                type(values[name]) is type(info.default) and bool(values[name] == info.default)
            ):
                del values[name]
        return values

    def make(values: dict[str, Any]) -> Any:
        return validate_by_pydantic(
            build or (lambda given: cls(**given)), without_defaults(values), cls
        )

    judge = make_judge(cls)
    return DictFactory(
        make, cls if is_usual(cls) else None, lambda values: judge(without_defaults(values))
    )


def _list_model_fields(context: HintContext, cls: Any) -> list[FieldSource]:
    """List the fields of the pydantic model *cls*, for arguments or for results."""
    out, texts = [], read_field_texts(cls)
    own = find_serialized_fields(cls) if context.output else frozenset()
    unstated = find_unstated_fields(cls) if own else frozenset()

    def find_hint(name: str, shown: str, hint: Any, full_hint: Any) -> Any:
        if name in unstated:
            read_unstated(context.for_step(shown), hint)
            return Any
        return get_output_hint(cls, shown) if name in own else full_hint

    for name, info in cls.__pydantic_fields__.items():
        if context.output and info.exclude:
            continue
        shown = get_output_name(info, name) if context.output else get_input_name(cls, name, info)
        if shown is None:
            context.warn(name, "its alias is a path, so it is left out", "give it a name")
            continue
        default, factory = MISSING, False
        if not context.output and not info.is_required():
            if info.default_factory is None:
                default = info.default
            else:
                default, factory = record_hints.read_factory_default(info.default_factory)
        text = info.description or texts.get(name)
        required = not (context.output and getattr(info, "exclude_if", None))
        hint = find_hint(name, shown, info.annotation, get_field_hint(info))
        out.append(FieldSource(shown, hint, required, default, factory, text=text))
    for name, info in list_computed_fields(cls) if context.output else ():
        shown = info.alias or name
        hint = find_hint(name, shown, info.return_type, info.return_type)
        out.append(FieldSource(shown, hint, text=info.description))
    return out


def _get_extra_hint(cls: Any) -> Any:
    """Return the hint of a model's undeclared fields: `__pydantic_extra__: dict[str, T]`."""
    hint, owner = record_hints.collect_hints(cls).get("__pydantic_extra__", (Any, cls))
    held = get_args(resolve_if_text(hint, get_class_scope(owner)))
    return held[1] if len(held) == 2 and held[1] is not type(None) else Any


# --- Names, hints and defaults of fields ---


def get_config(cls: Any) -> Any:
    """Return the configuration of a model or dataclass of pydantic."""
    config = getattr(cls, "model_config", None)
    # A model without configuration has an empty one; to ask it for another name takes longer.
    return getattr(cls, "__pydantic_config__", None) or {} if config is None else config


def list_input_names(cls: Any, name: str, info: Any) -> list[str]:
    """List the input names of the pydantic field *name*, the preferred one first."""
    config = get_config(cls)
    given = info.validation_alias
    given = getattr(given, "choices", [given] if given else [])
    steps = [getattr(each, "path", [each]) for each in given]
    aliases = [each[0] for each in steps if len(each) == 1]
    by_name = config.get("populate_by_name") or config.get("validate_by_name") or not given
    if config.get("validate_by_alias") is False:
        aliases = []
    return [*aliases, *([name] if by_name and name not in aliases else [])]


def get_input_name(cls: Any, name: str, info: Any) -> str | None:
    """Return the preferred input name of pydantic field *name*; None for alias paths."""
    return next(iter(list_input_names(cls, name, info)), None)


def map_other_names(cls: Any) -> dict[str, str]:
    """Map each alternative input name of a model to the visible name of its field."""
    out: dict[str, str] = {}
    for name, info in cls.__pydantic_fields__.items():
        shown, *others = list_input_names(cls, name, info) or [""]
        out |= {fold_name(other): shown for other in others}
    return out


def list_plain_defaults(cls: Any) -> list[tuple[str, Any]]:
    """Return the fields of a model that have an unvalidated default, by name."""
    config = get_config(cls)
    validates = bool(config.get("validate_default"))
    return [
        (name, info)
        for name, info in cls.__pydantic_fields__.items()
        if not info.is_required()
        and info.default_factory is None
        and not (validates if info.validate_default is None else info.validate_default)
    ]


def get_field_hint(info: Any) -> Any:
    """Return the hint of a field of a model, with its metadata."""
    metadata: tuple[Any, ...] = tuple(info.metadata)
    if info.title is not None or info.examples:
        metadata = (*metadata, read_field_details(info))
    return Annotated[info.annotation, *metadata] if metadata else info.annotation


def get_output_name(info: Any, name: str) -> str:
    """Return the name of the field *name* in the output of a model."""
    return info.serialization_alias or info.alias or name


def list_computed_fields(cls: Any) -> list[tuple[str, Any]]:
    """Return the computed fields of a model, which only results have, by name."""
    found = cls.__pydantic_decorators__.computed_fields.items()
    return [(name, decorator.info) for name, decorator in found]


# --- Results: parts that serializers write ---

#: The options of a model's configuration by which it writes values in a way of its own.
_OPTIONS = (
    "json_encoders", "ser_json_bytes", "ser_json_temporal", "ser_json_timedelta",
)  # fmt: skip


def has_own_serializer(cls: Any) -> bool:
    """Whether a pydantic class has a model serializer or options for serialization."""
    if cls.__pydantic_decorators__.model_serializers:
        return True
    # These options are not for media.
    return _has_options(cls) and not find_media_fields(cls)


def _has_options(cls: Any) -> bool:
    """Whether the config of the model *cls* changes how values are serialized."""
    config = get_config(cls)
    return any(config.get(option) for option in _OPTIONS)


def find_media_fields(cls: Any) -> frozenset[str]:
    """Return the names of the fields of a model that contain media."""
    # The validator of a model is made again when the model is rebuilt.
    return _find_media_fields(cls, getattr(cls, "__pydantic_validator__", None))


@lru_cache(maxsize=512)
def _find_media_fields(cls: Any, _validator: Any) -> frozenset[str]:
    """Find the fields and computed fields of the model *cls* that hold media; cached."""
    return frozenset([name for name, hint in _map_hints(cls).items() if _has_media(hint)])


def _map_hints(cls: Any) -> dict[str, Any]:
    """Map the fields and computed fields of the model *cls* to their hints."""
    hints = {name: get_field_hint(info) for name, info in cls.__pydantic_fields__.items()}
    return hints | {name: info.return_type for name, info in list_computed_fields(cls)}


def _has_media(hint: Any) -> bool:
    """Whether *hint* contains media, directly or in fields of a record in it."""
    seen: set[int] = set()
    left = [hint]
    while left:
        for part in iter_media_parts(left.pop()):
            if part is True:
                return True
            if id(part) in seen:
                continue
            seen.add(id(part))
            if hasattr(part, "__pydantic_fields__"):
                left += [get_field_hint(info) for info in part.__pydantic_fields__.values()]
            elif (
                record_hints.is_dataclass(part, None)
                or record_hints.is_typed_dict(part, None)
                or record_hints.is_named_tuple(part, None)
            ):
                hints = record_hints.collect_hints(part).values()
                left += [resolve_if_text(each, get_class_scope(owner)) for each, owner in hints]
    return False


def find_serialized_fields(cls: Any) -> frozenset[str]:
    """Return the names of pydantic model fields that have serializers of their own."""
    hints, serializers = _map_hints(cls), cls.__pydantic_decorators__.field_serializers
    found = {name for each in serializers.values() for name in each.info.fields}
    if "*" in found:
        found.update(hints)
    if _has_options(cls):
        found |= hints.keys() - find_media_fields(cls)
    return frozenset(found.union([name for name, hint in hints.items() if has_serializer(hint)]))


def has_serializers(cls: Any) -> bool:
    """Whether serializers write objects of a pydantic class, or fields of them."""
    return has_own_serializer(cls) or bool(find_serialized_fields(cls))


def is_masked(cls: Any) -> bool:
    """Whether JSON dumped from the pydantic class *cls* may be no valid input for it."""
    if hasattr(cls, "__pydantic_fields__"):
        return has_serializers(cls)
    return is_read_by_pydantic(cls, None) and has_secrets(cls)


def find_unstated_fields(cls: Any) -> frozenset[str]:
    """Return the pydantic fields with serializers without a result hint."""
    fields, decorators = cls.__pydantic_fields__, cls.__pydantic_decorators__
    known = {name for d in decorators.field_serializers.values() for name in d.info.fields}
    known |= {name for name, info in fields.items() if any(map(is_serializer, info.metadata))}
    if not known:
        return frozenset()
    found = list_unstated_fields(get_adapter(cls).core_schema)
    return found if "*" in known else found & known


def is_unstated_whole(cls: Any) -> bool:
    """Whether a pydantic class has a model serializer without a result hint."""
    decorators = cls.__pydantic_decorators__
    return bool(decorators.model_serializers) and is_unstated(get_adapter(cls).core_schema)


def get_output_hint(cls: Any, shown: str) -> Any:
    """Return the output field *shown* of pydantic class *cls* as a JSON Schema hint."""
    schema = get_schema(cls, output=True)
    if isinstance(schema, Exception):
        return Any
    defs = schema.get("$defs", {})
    root = defs.get(schema.get("$ref", "").rpartition("/")[2], schema)
    found = root.get("properties", {}).get(shown, {})
    return SchemaHint({**found, "$defs": defs} if defs else found)


def dump_object(value: Any, own: frozenset[str] | None = None) -> Any:
    """Dump an object of a pydantic class to JSON data, only its fields *own* if given.

    Only the fields *own* are written, if it is not None: pydantic cannot write each of the others.
    """
    dump = type(value).__pydantic_serializer__.to_python
    return run_dump(dump, value, None if own is None else {*own})


def get_plain_names(cls: Any) -> dict[str, str] | None:
    """Map output names to fields of the pydantic class *cls*; None if others may be written."""
    fields = cls.__pydantic_fields__
    leaves_out = any(
        i.exclude or getattr(i, "exclude_if", None) or find_sentinel(i.annotation)
        for i in fields.values()
    )
    is_open = get_config(cls).get("extra") == "allow" or list_computed_fields(cls)
    is_root = getattr(cls, "__pydantic_root_model__", False)
    if leaves_out or is_open or is_root or has_serializers(cls):
        return None
    return {get_output_name(info, name): name for name, info in fields.items()}


def read_model(value: Any) -> Any:
    """Read *value*, an object of a pydantic model, under its output names."""
    cls: Any = type(value)
    if getattr(cls, "__pydantic_root_model__", False):
        return dump_object(value) if has_serializers(cls) else value.root
    if has_own_serializer(cls):
        return dump_object(value)
    own = find_serialized_fields(cls)
    dumped = dump_object(value, own) if own else {}
    out = {}
    for name, info in cls.__pydantic_fields__.items():
        held, leaves_out = getattr(value, name, None), getattr(info, "exclude_if", None)
        if not (info.exclude or is_missing(held) or (leaves_out and leaves_out(held))):
            shown = get_output_name(info, name)
            out[shown] = dumped.get(shown) if name in own else held
    out.update(getattr(value, "__pydantic_extra__", None) or {})
    for name, info in list_computed_fields(cls):
        shown = info.alias or name
        out[shown] = dumped.get(shown) if name in own else getattr(value, name)
    return out
