"""Records of the host: TypedDict, dataclass, NamedTuple; and fields, which parameters share.

To add a kind of record, write a reader that lists its parts and add its row to `hints.readers`.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from typesig.algebra.constructors import bare, maybe, noted, record, text_of
from typesig.algebra.nodes import ANY, BOOL, INT, NIL, STRING, Enum, Field, Ref, Type
from typesig.algebra.traversal import references
from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.extraction import metadata, plans
from typesig.extraction.defaults import constant_of
from typesig.extraction.generics import inherited, is_variable
from typesig.extraction.hints import read
from typesig.extraction.plans import Decode, FieldPlan, HostError
from typesig.extraction.reading import Read, Reading
from typesig.extraction.resolve import (
    HintScope,
    Unresolved,
    annotations_of,
    resolve,
    scope_of_class,
)
from typesig.extraction.texts import UNREAD, field_texts, unread_texts
from typesig.limits import MAX_RECORDS

_PLAIN = {str: STRING, int: INT, bool: BOOL}
_TEXT = (str, typing.ForwardRef)

#: No default.
MISSING = object()


class Part(NamedTuple):
    """One field of a host record, or one parameter, before its hint is read.

    #: required: whether it must be given; a default settles that it need not
    #: default: the host's own default, or `MISSING`
    #: factory: whether the host makes a default that is not known here
    #: nil: whether the host needs None where the model left a nullable one out
    """

    name: str
    hint: Any
    required: bool = True
    default: Any = MISSING
    factory: bool = False
    nil: bool = True
    text: str | None = None
    attribute: str = ""


def field_of(
    reading: Reading, part: Part, notes: metadata.Notes | None = None
) -> tuple[Field, FieldPlan]:
    """Return the field that *part* becomes (decisions 27 and 28), and how the host gets it.

    *notes* are the marks on its hint, where they are known.
    """
    reading.path.append(part.name)
    try:
        found = read(reading, part.hint)
        t, required = found.type, part.required and not part.factory
        default: Const | None = None
        if part.default is None:
            t, required = t if found.nil else maybe(t), False
        elif part.default is not MISSING:
            required = False
            default = _default(reading, part, t)
        elif found.nil and t not in (ANY, NIL) and reading.options.optional == "loose":
            required = False
        notes = marks(part.hint, reading.scope) if notes is None else notes
        if notes.injected:
            reason, remedy = "a field cannot be injected", "give the parameter whole"
            reading.warn(part.hint, reason, remedy)
        whole = t
        if part.text is not None and text_of(t) is None:
            whole = noted(t, reading.told(part.text) if reading.stack else part.text)
        field = Field(part.name, whole, required, default, notes.visible)
        nil = (
            part.nil and not required and default is None and found.nil and part.default is MISSING
        )
        return field, FieldPlan(
            part.name, part.attribute or part.name, found.decode, nil and not part.factory
        )
    finally:
        reading.path.pop()


def marks(hint: Any, scope: HintScope) -> metadata.Notes:
    """Return the marks on *hint*, also where it is text or stands in a qualifier."""
    if type(hint) in _BARE:
        return metadata.NOTHING
    if isinstance(hint, _TEXT):
        try:
            hint = resolve(hint if isinstance(hint, str) else hint.__forward_arg__, scope)
        except Unresolved:
            return metadata.NOTHING
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        return metadata.NOTHING
    while origin not in _UNIONS and not hasattr(hint, "__metadata__") and _qualifier(hint):
        hint = typing.get_args(hint)[0]
        origin = typing.get_origin(hint)
    if origin in _UNIONS:
        # Injected[T] | None is injected as a whole.
        for branch in hint.__args__:
            if type(branch) not in _BARE and marks(branch, scope).injected:
                return metadata.NOTHING._replace(injected=True)
        return metadata.NOTHING
    return metadata.read_metadata(getattr(hint, "__metadata__", ()))


_UNIONS = (typing.Union, types.UnionType)

# Nothing can be marked on a class or on `list[T]` itself.
_BARE = (type, types.GenericAlias)

_QUALIFIERS = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar")


def _qualifier(hint: Any) -> str:
    """Return the qualifier that *hint* is made of, or empty."""
    if type(hint) in _BARE:
        return ""
    form = typing.get_origin(hint)
    home = getattr(form, "__module__", "")
    name = getattr(form, "_name", None) or getattr(form, "__name__", None) or ""
    return name if home in ("typing", "typing_extensions") and name in _QUALIFIERS else ""


def _default(reading: Reading, part: Part, t: Type) -> Const | None:
    """Return the default of *part* as a constant, None with a warning where it has none."""
    remedy = "the function uses it where the model leaves the argument out"
    inner = bare(t)
    own = _PLAIN.get(type(part.default))
    plainly = own == inner
    try:
        fixed = constant_of(part.default) if own is None else const(part.default)
    except (HostError, TypesigError, TypeError, ValueError) as error:
        reading.warn(part.hint, f"the default is not shown: {error}", remedy)
        return None
    if isinstance(inner, Enum) and fixed in inner.values:
        return fixed
    if plainly or references(t) - reading.definitions.keys():
        # What is plainly of its type needs no check, nor the rooms that check; and of a type that
        # is being read just now, what it takes is not known yet.
        return fixed
    from typesig.algebra.signature import lone

    if not lone(t, reading.definitions).validate_and_coerce(fixed.thaw()).ok:
        reading.warn(part.hint, "the default is not shown: it does not fit the hint", remedy)
        return None
    return fixed


def fields_of(
    reading: Reading, parts: Iterable[Part]
) -> tuple[tuple[Field, ...], tuple[FieldPlan, ...]]:
    """Return the fields of *parts*; two names that fold to one key leave the later out."""
    fields: list[Field] = []
    found: list[FieldPlan] = []
    seen: dict[str, str] = {}
    for part in parts:
        field, plan = field_of(reading, part)
        other = seen.setdefault(field.key, field.name)
        if other != field.name:
            field = Field(field.name, field.type, field.required, field.default, True)
        fields.append(field)
        found.append(plan)
    return tuple(fields), tuple(found)


# named records


_ITSELF = ("it refers to itself", "write recursive=True to keep it by name")


def record_of(
    reading: Reading,
    cls: Any,
    arguments: tuple[Any, ...],
    parts: Callable[[], list[Part]],
    build: Callable[..., Any] | None,
    extra: Callable[[], Read | None] | None = None,
    shape: Callable[[Reading, Any, tuple[Field, ...], Decode], Read] | None = None,
) -> Read:
    """Return the record of *cls*, cut where it meets itself or lies too deep.

    *shape* makes of the fields what is no record.
    """
    arguments = tuple(_bound(reading, argument) for argument in arguments)
    if (cls, arguments) in reading.stack:
        if not reading.options.recursive:
            return reading.fall_back(cls, *_ITSELF)
        reading.recursive.add(cls)
        decoders = reading.decoders
        return Read(Ref(reading.name_of(cls)), lambda value: _later(decoders, cls, value))
    if cls in reading.recursive:
        return Read(Ref(reading.name_of(cls)), reading.decoders[cls])
    if len(reading.stack) >= reading.options.max_depth:
        reason = f"it lies more than {reading.options.max_depth} records deep"
        return reading.fall_back(cls, reason, "write a larger max_depth")
    reading.records += 1
    if reading.records > MAX_RECORDS:
        reason = f"{MAX_RECORDS} records are written out already"
        return reading.fall_back(cls, reason, "write a smaller max_depth, or a flatter type")
    reading.stack.append((cls, arguments))
    params = getattr(cls, "__parameters__", ()) or getattr(cls, "__type_params__", ())
    reading.variables.append(inherited(cls, dict(zip(params, arguments, strict=False))))
    try:
        with reading.inside(scope_of_class(cls)):
            fields, found = fields_of(reading, parts())
            rest = Read(ANY) if extra is None else extra()
        for text in unread_texts(cls):
            reading.warn(text, *UNREAD)
    finally:
        reading.variables.pop()
        reading.stack.pop()
    kind: Type = record(fields, None if rest is None else rest.type)
    decode = plans.named(found, build, None if rest is None else rest.decode)
    if shape is not None:
        kind, decode = shape(reading, cls, fields, decode)[:2]
    if cls in reading.recursive:
        reading.decoders[cls] = decode
        reading.definitions[reading.name_of(cls)] = kind
        kind = Ref(reading.name_of(cls))
    return Read(kind, decode)


def _bound(reading: Reading, argument: Any) -> Any:
    """Return what a type variable stands for here, anything else as it is."""
    for known in reversed(reading.variables):
        if is_variable(argument) and argument in known:
            return known[argument]
    return argument


def _later(decoders: dict[Any, Decode], cls: Any, value: Any) -> Any:
    decode = decoders[cls]
    return value if decode is None else decode(value)


def own_hints(cls: Any) -> dict[str, tuple[Any, type]]:
    """Return the hints written in *cls* and its ancestors, each with the class that has it."""
    out: dict[str, tuple[Any, type]] = {}
    for owner in reversed(cls.__mro__):
        for name, hint in annotations_of(owner).items():
            out[name] = hint, owner
    return out


def scoped_hint(hint: Any, owner: type, cls: type) -> Any:
    """Return *hint* looked up where it was written, when that is not the class being read."""
    if owner is cls or not isinstance(hint, _TEXT):
        return hint
    text = hint if isinstance(hint, str) else hint.__forward_arg__
    try:
        return resolve(text, scope_of_class(owner))
    except Unresolved:
        return hint


def is_typed_dict(hint: Any, origin: Any) -> bool:
    """Tell whether *hint* is a TypedDict, of typing or typing_extensions."""
    cls = hint if origin is None else origin
    return isinstance(cls, type) and issubclass(cls, dict) and hasattr(cls, "__total__")


def typed_dict(reading: Reading, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Read:
    """Return the record of a TypedDict."""
    cls = hint if origin is None else origin

    def parts() -> list[Part]:
        return _typed_dict_parts(cls)

    def extra() -> Read | None:
        if getattr(cls, "__closed__", None):
            return None
        items = getattr(cls, "__extra_items__", MISSING)
        none = getattr(sys.modules.get("typing_extensions"), "NoExtraItems", MISSING)
        if items in (MISSING, none, None):
            return Read(ANY)
        return extras(reading, items)

    return record_of(reading, cls, arguments, parts, None, extra)


def extras(reading: Reading, hint: Any) -> Read:
    """Return what undeclared keys hold that are asked for, and not put up with alone."""
    found = read(reading, hint)
    # An open record drops what it does not declare: `** :any?` says that such keys are welcome.
    welcome = maybe(ANY) if found.type == ANY else found.type
    return Read(welcome, found.decode or (lambda value: value))


def _typed_dict_parts(cls: Any) -> list[Part]:
    """Return the fields of a TypedDict, its qualifiers read wherever they stand."""
    required: frozenset[str] = getattr(cls, "__required_keys__", frozenset())
    out = []
    texts = field_texts(cls)
    for name, written in annotations_of(cls).items():
        resolved = written
        if isinstance(written, _TEXT):
            resolved = opened(written, scope_of_class(_owner(cls, name)))
        needed = name in required
        # Postponed, a qualifier is text that the TypedDict itself could not see.
        while mark := _qualifier(resolved):
            needed = {"Required": True, "NotRequired": False}.get(mark, needed)
            resolved = typing.get_args(resolved)[0]
        # `note: NotRequired[str | None]` may be absent, so None is not put there.
        out.append(Part(name, resolved, needed, nil=needed, text=texts.get(name)))
    return out


def unpacked(reading: Reading, hint: Any) -> list[tuple[Field, FieldPlan]] | None:
    """Return the fields of the TypedDict in `Unpack[TD]`, None where *hint* is no such thing."""
    hint = opened(hint, reading.scope)
    form = typing.get_origin(hint)
    name = getattr(form, "_name", None) or getattr(form, "__name__", "")
    cls = typing.get_args(hint)[0] if name == "Unpack" else None
    if cls is None or not is_typed_dict(cls, None):
        return None
    with reading.inside(scope_of_class(cls)):
        fields, plans_ = fields_of(reading, _typed_dict_parts(cls))
    return list(zip(fields, plans_, strict=True))


def _owner(cls: Any, name: str) -> type:
    """Return the class of a TypedDict's ancestry that wrote the field *name*."""
    for base in getattr(cls, "__orig_bases__", ()):
        origin = typing.get_origin(base) or base
        if hasattr(origin, "__total__") and name in annotations_of(origin):
            return _owner(origin, name)
    return cls  # type: ignore[no-any-return]


def opened(hint: Any, scope: HintScope) -> Any:
    """Return *hint* with the text around its qualifiers resolved, else as it is."""
    if isinstance(hint, _TEXT):
        try:
            return resolve(hint if isinstance(hint, str) else hint.__forward_arg__, scope)
        except Unresolved:
            return hint
    return hint


def is_dataclass(hint: Any, origin: Any) -> bool:
    """Tell whether *hint* is a dataclass."""
    cls = hint if origin is None else origin
    return isinstance(cls, type) and "__dataclass_fields__" in cls.__dict__


def dataclass(reading: Reading, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Read:
    """Return the record of a dataclass."""
    cls = hint if origin is None else origin
    missing = sys.modules["dataclasses"].MISSING

    def parts() -> list[Part]:
        written = own_hints(cls)
        out = []
        texts = field_texts(cls)
        for name, entry in cls.__dataclass_fields__.items():
            kind = entry._field_type.name
            if kind == "_FIELD_CLASSVAR" or (kind == "_FIELD_INITVAR" and reading.output):
                continue
            if not entry.init and not reading.output:
                continue
            hint, owner = written.get(name, (entry.type, cls))
            hint = scoped_hint(hint, owner, cls)
            if kind == "_FIELD_INITVAR" and type(hint).__name__ == "InitVar":
                hint = hint.type
            default = MISSING if entry.default is missing else entry.default
            factory = entry.default_factory is not missing
            if factory and not reading.output:
                default, factory = made_default(entry.default_factory)
            if reading.output:
                # An instance has all its fields, whatever the constructor needs.
                default, factory = MISSING, False
            said = [entry.metadata.get(key) for key in ("description", "doc")]
            said = [*said, getattr(entry, "doc", None), texts.get(name)]
            text = next((each for each in said if isinstance(each, str)), None)
            out.append(Part(name, hint, True, default, factory, text=text))
        return out

    return record_of(reading, cls, arguments, parts, cls)


def made_default(factory: Any) -> tuple[Any, bool]:
    """Return the default of a factory that makes an empty collection, else that it is unknown."""
    return (factory(), False) if factory in (list, dict, set) else (MISSING, True)


def is_protocol(hint: Any, origin: Any) -> bool:
    """Tell whether *hint* is a protocol of attributes alone."""
    cls = hint if origin is None else origin
    if not (isinstance(cls, type) and cls.__dict__.get("_is_protocol") and own_hints(cls)):
        return False
    from typing_extensions import get_protocol_members

    return get_protocol_members(cls) == own_hints(cls).keys()


def protocol(reading: Reading, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Read:
    """Return the record of what a protocol names."""
    cls = hint if origin is None else origin

    def parts() -> list[Part]:
        texts = field_texts(cls)
        return [
            Part(name, scoped_hint(kind, owner, cls), text=texts.get(name))
            for name, (kind, owner) in own_hints(cls).items()
        ]

    return record_of(reading, cls, arguments, parts, types.SimpleNamespace)


def is_named_tuple(hint: Any, origin: Any) -> bool:
    """Tell whether *hint* is a NamedTuple."""
    cls = hint if origin is None else origin
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def named_tuple(reading: Reading, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Read:
    """Return the record of a NamedTuple."""
    cls: Any = hint if origin is None else origin

    def parts() -> list[Part]:
        written, defaults, texts = own_hints(cls), cls._field_defaults, field_texts(cls)
        out = []
        for name in cls._fields:
            hint, owner = written.get(name, (Any, cls))
            default = MISSING if reading.output else defaults.get(name, MISSING)
            hint = scoped_hint(hint, owner, cls)
            out.append(Part(name, hint, True, default, text=texts.get(name)))
        return out

    return record_of(reading, cls, arguments, parts, cls)
