"""Fields of records and parameters: their types, defaults and metadata."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from typesig.algebra import nodes
from typesig.algebra.constructors import make_maybe, strip_annotations
from typesig.algebra.rows.values import Const, to_const
from typesig.algebra.signature import (
    Signature,
    make_type_signature,
    with_fitting_defaults,
    with_secrets,
)
from typesig.algebra.traversal import find_references
from typesig.errors import TypesigError, format_value
from typesig.extraction.callables.generics import BARE, LITERAL, UNIONS
from typesig.extraction.callables.hint_resolver import (
    TEXT,
    HintResolutionError,
    HintScope,
    resolve,
    resolve_if_text,
)
from typesig.extraction.callables.warnings import get_exception_message
from typesig.extraction.hints import common_hints, metadata
from typesig.extraction.hints.choice_hints import drop_sentinel, is_missing, is_sentinel
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.metadata import add_text, may_add_text
from typesig.extraction.python_types.decoders import FieldPlan, HostError

_PLAIN = {str: nodes.STRING, int: nodes.INT, bool: nodes.BOOL}
#: The part has no default.
MISSING = object()


class FieldSource(NamedTuple):
    """A field of a host record, or a parameter, before its hint is read.

    #: required: whether it must be given, unless it has a default
    #: default: the host's own default, or `MISSING`
    #: factory: whether the host makes a default that is not known here
    #: nil: whether the host gets None if the model leaves out a nullable field
    #: text: its description, or None
    #: attribute: the host's name for it, if that is another
    """

    name: str
    hint: Any
    required: bool = True
    default: Any = MISSING
    factory: bool = False
    nil: bool = True
    text: str | None = None
    attribute: str = ""


def read_field(
    context: HintContext, part: FieldSource, notes: metadata.HintMetadata | None = None
) -> tuple[nodes.Field, FieldPlan]:
    """Read *part*, a record field or parameter; return its field and decode plan.

    *notes* are the marks on its hint, if they are known.  See "Optional and nullable" and
    "Defaults" in the docs' page of rules.
    """
    is_usual = not part.factory and (part.text is None or type(part.text) is str)
    read = common_hints.read_common(context, part.hint) if is_usual else None
    if read is not None:
        name, hint, required, given, _, nil, text, attribute = part
        field = make_common_field(context, read, name, hint, given, text, required)
        nil = nil and read.nil and not field.required and given is MISSING
        return field, FieldPlan(name, attribute or name, read.decode, nil, read.encode)
    context = context.for_step(part.name)
    if not (part.default is MISSING or part.default is None or type(part.hint) in BARE):
        part = _drop_sentinel(context, _with_final(context, part))
    found = context.read(part.hint)
    t, required = found.type, part.required and not part.factory
    if context.output and _may_be_unset(context, part.hint):
        required = False
    default: Const | None = None
    if part.default is None:
        t, required = t if found.nil else make_maybe(t), False
    elif part.default is not MISSING:
        required = False
        default = _read_default(context, part, t)
    elif found.nil and t not in (nodes.ANY, nodes.NIL) and context.options.optional == "loose":
        required = False
    notes = read_marks(part.hint, context.scope) if notes is None else notes
    if notes.injected:
        reason, remedy = "a field cannot be injected", "inject the whole parameter"
        context.warn(part.hint, reason, remedy)
    whole = t
    text = None if part.text is None else context.check_text(part.text)
    if text is not None and may_add_text(t, notes):
        text = context.limit_text(text) if context.records else text
        whole = add_text(t, text, notes.examples != ())
    field = nodes.Field(part.name, whole, required, default, notes.visible)
    nil = part.nil and not required and default is None and found.nil and part.default is MISSING
    return field, FieldPlan(
        part.name, part.attribute or part.name, found.decode, nil and not part.factory, found.encode
    )


def make_common_field(
    context: HintContext,
    found: HostType,
    name: str,
    hint: Any,
    given: Any,
    text: str | None,
    required: bool = True,
) -> nodes.Field:
    """Make the field *name* from the common *hint*, already read as *found*.

    It is that of `read_field`, without asking for what only other hints have.  *given* is its
    default, or `MISSING`; *text* is its description, or None.
    """
    t, default = found.type, None
    if given is MISSING:
        if found.nil and t is not nodes.NIL and context.options.optional == "loose":
            required = False
    elif given is None:
        t, required = t if found.nil else make_maybe(t), False
    else:
        default = _get_plain_default(given, t)
        if default is None:
            default = _read_default(
                context.for_step(name), FieldSource(name, hint, default=given), t
            )
        required = False
    if text is not None:
        if context.records:
            at = context.for_step(name)
            text = at.check_text(text)
            text = None if text is None else at.limit_text(text)
        if text:
            t = nodes.make_note(nodes.Annotation, t, text)
    return nodes.make_field(nodes.Field, name, t, required, default)


def _get_plain_default(given: Any, t: nodes.Type) -> Const | None:
    """Return the default *given* as a constant if it clearly fits *t*, else None."""
    kind, inner = type(given), t.inner if type(t) is nodes.Maybe else t
    if kind is str:
        if inner is nodes.STRING:
            return Const("string", given)
        if type(inner) is nodes.Enum:
            for value in inner.values:
                if value.value == given:
                    return value
    elif kind is bool and inner is nodes.BOOL:
        return _BOOLS[given]
    elif kind is int and inner is nodes.INT and given.bit_length() <= _FEW_BITS:
        return Const("int", given)
    elif kind is float and inner is nodes.FLOAT and given - given == 0:
        return to_const(given)
    return None


_BOOLS = {value: Const("bool", value) for value in (False, True)}
#: Larger numbers may have more digits than a type can.
_FEW_BITS = 64


def _with_final(context: HintContext, part: FieldSource) -> FieldSource:
    """Replace the hint of *part* by the class of its default if it is a bare `Final`."""
    hint = resolve_if_text(part.hint, context.scope)
    named = getattr(hint, "_name", None) == "Final" and typing.get_origin(hint) is None
    return part._replace(hint=type(part.default)) if named else part


def _drop_sentinel(context: HintContext, part: FieldSource) -> FieldSource:
    """Remove a sentinel default, and its branch of the hint, from the field *part*.

    The host fills in its default, as it does where it makes one.
    """
    given = part.default
    if is_missing(given):
        part = part._replace(default=MISSING, factory=True)
    hint = resolve_if_text(part.hint, context.scope)
    if typing.get_origin(hint) not in (*_UNIONS, typing.Literal):
        return part
    kept = drop_sentinel(context, hint, given)
    if kept is None:
        return part
    hint = typing.Union[tuple(kept)]  # noqa: UP007 - branches may be None
    return part._replace(hint=hint, default=MISSING, factory=True)


def _may_be_unset(context: HintContext, hint: Any) -> bool:
    """Whether *hint* is a union with a sentinel for absent fields, such as UNSET."""
    if not ("msgspec" in sys.modules or "pydantic" in sys.modules):
        return False
    hint = resolve_if_text(hint, context.scope)
    branches = typing.get_args(hint) if typing.get_origin(hint) in _UNIONS else ()
    return any(is_sentinel(branch) for branch in branches)


def read_marks(
    hint: Any, scope: HintScope, seen: dict[int, Any] | None = None
) -> metadata.HintMetadata:
    """Parse the `Annotated` metadata of *hint*, which may be text or in a qualifier.

    *seen* has what hints in text around it stand for, by their ids.
    """
    if type(hint) in BARE or type(hint) is LITERAL:
        return metadata.NOTHING
    metaclass = type(hint)
    if issubclass(metaclass, type) and metaclass is not metadata.HostTypeMeta:
        # A class of another metaclass, such as a TypedDict.
        return metadata.read_metadata(getattr(hint, "__metadata__", ()))
    if isinstance(hint, TEXT):
        try:
            hint = resolve(hint if isinstance(hint, str) else hint.__forward_arg__, scope)
        except HintResolutionError:
            return metadata.NOTHING
        seen = {} if seen is None else seen
        if id(hint) in seen:
            return metadata.NOTHING
        seen[id(hint)] = hint
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        return metadata.NOTHING
    while origin not in _UNIONS and not hasattr(hint, "__metadata__") and get_qualifier(hint):
        hint = typing.get_args(hint)[0]
        origin = typing.get_origin(hint)
    if origin in _UNIONS:
        # If one branch is injected, as in Injected[T] | None, the whole is.
        for branch in hint.__args__:
            if type(branch) not in BARE and (found := read_marks(branch, scope, seen)).injected:
                return metadata.NOTHING._replace(injected=True, supplied=found.supplied)
        return metadata.NOTHING
    if origin is typing.Annotated:
        # What is annotated may stand for the host's as well.
        inner = read_marks(hint.__origin__, scope, seen).supplied
        if inner is not None:
            return metadata.NOTHING._replace(injected=True, supplied=inner)
    if type(hint) is metadata.HostTypeMeta:
        return metadata.NOTHING._replace(injected=True, supplied=hint)
    return metadata.read_metadata(getattr(hint, "__metadata__", ()))


_UNIONS = (typing.Union, types.UnionType)

_QUALIFIERS = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar")


def get_qualifier(hint: Any) -> str:
    """Return the name of the qualifier around *hint*, or an empty text."""
    kind = type(hint)
    if kind in BARE or kind is LITERAL or kind in UNIONS:
        return ""
    form = typing.get_origin(hint)
    home = getattr(form, "__module__", "")
    name = getattr(form, "_name", None) or getattr(form, "__name__", None) or ""
    return name if home in ("typing", "typing_extensions") and name in _QUALIFIERS else ""


def _read_default(context: HintContext, part: FieldSource, t: nodes.Type) -> Const | None:
    """Return the default of *part* as a constant, or None with a warning."""
    fixed, why = _make_constant(context, part.default, t)
    if fixed is None:
        context.warn(part.hint, f"the default is not shown: {why}", KEPT)
    return fixed


def iter_fitting_examples(
    context: HintContext, hint: Any, t: nodes.Type, values: Iterable[Any]
) -> Iterator[Any]:
    """Yield the examples *values* of *hint* that fit its type *t*, as plain data.

    Those that do not fit are left out with a warning.
    """
    for value in values:
        fixed, why = _make_constant(context, value, t)
        if fixed is None:
            reason = f"the example {format_value(value)} is not shown: {why}"
            context.warn(hint, reason, "correct it, or remove it")
        else:
            yield fixed.thaw()


def _make_constant(context: HintContext, value: Any, t: nodes.Type) -> tuple[Const | None, str]:
    """Return *value* as a constant of *t*, or None and the reason."""
    inner, own = strip_annotations(t), _PLAIN.get(type(value))
    try:
        fixed = to_const(value) if own is not None else context.constant(value)
    except (HostError, TypesigError, TypeError, ValueError) as error:
        return None, str(error)
    except Exception as error:
        # Reading a stranger's object may raise anything.
        return None, f"it raises {get_exception_message(error)}"
    if isinstance(inner, nodes.Enum) and fixed in inner.values:
        return fixed, ""
    if own == inner or find_references(t) - context.findings.definitions.keys():
        # A default of the hint's own class needs no check, and the check is not loaded for it.
        # A type that is still being read cannot check anything: the signature does it.
        return fixed, ""
    return _fit_constant(fixed, make_type_signature(t, context.findings.definitions)), _UNFIT


#: The warning of a default that does not fit its hint, and what to do.
_UNFIT = "it does not fit the hint"
UNFIT = f"the default is not shown: {_UNFIT}"
KEPT = "the function uses it where the model leaves the argument out"


def _fit_constant(fixed: Const, t: Signature) -> Const | None:
    """Convert the constant *fixed* to a value of *t* by coercion; None if this fails."""
    if t.validate_and_coerce(fixed.thaw(), "strict").ok:
        return fixed
    found = t.validate_and_coerce(fixed.thaw())
    if not found.ok or found.warnings:
        return None
    from typesig.validation.plain_data import to_plain

    made = to_plain(found.result)
    return to_const(made) if t.validate_and_coerce(made, "strict").ok else None


def fit_signature(
    context: HintContext,
    fields: Iterable[nodes.Field],
    returns: nodes.Type,
    definitions: Mapping[str, nodes.Type],
    extra: nodes.Type | None = nodes.ANY,
) -> Signature:
    """Build the signature without defaults that do not fit, warning of each.

    A type that refers to itself is known, and checks defaults, only when it has been read.
    """
    made, unfit = with_fitting_defaults(fields, returns, definitions, extra)
    if unfit:
        for name in dict.fromkeys([field.name for field, _ in unfit]):
            context.for_step(name).warn("", UNFIT, KEPT)
    if not context.findings.secrets:
        return made
    secrets = {"" if name == "returns" else name for name in context.findings.secrets}
    return with_secrets(made, frozenset(secrets))


def read_fields(
    context: HintContext, parts: Iterable[FieldSource]
) -> tuple[tuple[nodes.Field, ...], tuple[FieldPlan, ...], int]:
    """Read *parts* as fields; return the fields, their decode plans and text length.

    A field is matched exactly if an earlier one has the same key.  They have at most that many.
    """
    width = 0
    fields: list[nodes.Field] = []
    found: list[FieldPlan] = []
    findings, most = context.findings, common_hints.get_hint_limit(context)
    is_loose = context.options.optional == "loose"
    for part in parts:
        name, hint, required, default, factory, nil, text, attribute = part
        read = None
        if not factory and text is None:
            read = common_hints.find_common(resolve_if_text(hint, context.scope))
        if read is None or default is not MISSING or findings.hints + read.hints > most:
            field, plan = read_field(context, part)
            width += findings.measure_field(field)
        else:
            # Most fields of records: the same as `read_field`, without asking for the rest.
            findings.hints += read.hints
            t, decode, is_nil, encode = read.found
            if is_nil and is_loose and t is not nodes.NIL:
                required = False
            field = nodes.make_field(nodes.Field, name, t, required)
            plan = FieldPlan(
                name, attribute or name, decode, nil and is_nil and not required, encode
            )
            width += len(name) + read.width
            if field.exact:
                width += findings.measure_field(field)
        fields.append(field)
        found.append(plan)
    return _make_distinct(fields), tuple(found), width


def _make_distinct(fields: list[nodes.Field]) -> tuple[nodes.Field, ...]:
    """Return *fields*; a field whose key occurs before is matched exactly."""
    if len({field.name.replace("-", "_") for field in fields}) == len(fields):
        return tuple(fields)
    seen: dict[str, str] = {}
    out = []
    for field in fields:
        if seen.setdefault(field.key, field.name) != field.name:
            field = nodes.Field(field.name, field.type, field.required, field.default, True)
        out.append(field)
    return tuple(out)
