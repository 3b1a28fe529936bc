"""Fields of records and parameters: their types, defaults and marks."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from typesig.algebra import nodes
from typesig.algebra.constructors import bare, maybe
from typesig.algebra.rows.values import Const, const
from typesig.algebra.signature import Signature, lone, with_fitting_defaults, with_secrets
from typesig.algebra.traversal import references
from typesig.errors import TypesigError, short
from typesig.extraction.callables.generics import BARE, LITERAL, UNIONS
from typesig.extraction.callables.resolve import HintScope, Unresolved, resolve
from typesig.extraction.callables.warnings import said_by
from typesig.extraction.hints import common_hints, metadata
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.notes import is_open, placed
from typesig.extraction.hints.sentinels import drop_sentinel, is_missing, is_sentinel
from typesig.extraction.hosts.decoders import FieldPlan, HostError

_PLAIN = {str: nodes.STRING, int: nodes.INT, bool: nodes.BOOL}
#: The classes of hints that are written as text.
TEXT = (str, typing.ForwardRef)

#: The part has no default.
MISSING = object()


class Part(NamedTuple):
    """One field of a host record, or one parameter, before its hint is read.

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


def field_of(
    context: HintContext, part: Part, notes: metadata.Notes | None = None
) -> tuple[nodes.Field, FieldPlan]:
    """Return the field that *part* becomes, and how the host gets it.

    *notes* are the marks on its hint, if they are known.  See "Optional and nullable" and
    "Defaults" in the docs' page of rules.
    """
    is_usual = not part.factory and (part.text is None or type(part.text) is str)
    read = common_hints.common_in(context, part.hint) if is_usual else None
    if read is not None:
        name, hint, required, given, _, nil, text, attribute = part
        field = field_of_common(context, read, name, hint, given, text, required)
        nil = nil and read.nil and not field.required and given is MISSING
        return field, FieldPlan(name, attribute or name, read.decode, nil, read.encode)
    context = context.at(part.name)
    if not (part.default is MISSING or part.default is None or type(part.hint) in BARE):
        part = _without_sentinel(context, _with_final(context, part))
    found = context.read(part.hint)
    t, required = found.type, part.required and not part.factory
    if context.output and _may_be_unset(context, part.hint):
        required = False
    default: Const | None = None
    if part.default is None:
        t, required = t if found.nil else maybe(t), False
    elif part.default is not MISSING:
        required = False
        default = _default(context, part, t)
    elif found.nil and t not in (nodes.ANY, nodes.NIL) and context.options.optional == "loose":
        required = False
    notes = marks_of(part.hint, context.scope) if notes is None else notes
    if notes.injected:
        reason, remedy = "a field cannot be injected", "inject the whole parameter"
        context.warn(part.hint, reason, remedy)
    whole = t
    text = None if part.text is None else context.text(part.text)
    if text is not None and is_open(t, notes):
        text = context.described(text) if context.records else text
        whole = placed(t, text, notes.examples != ())
    field = nodes.Field(part.name, whole, required, default, notes.visible)
    nil = part.nil and not required and default is None and found.nil and part.default is MISSING
    return field, FieldPlan(
        part.name, part.attribute or part.name, found.decode, nil and not part.factory, found.encode
    )


def field_of_common(
    context: HintContext,
    found: HostType,
    name: str,
    hint: Any,
    given: Any,
    text: str | None,
    required: bool = True,
) -> nodes.Field:
    """Return the field *name*, whose *hint* is common and became *found*.

    It is that of `field_of`, without asking for what only other hints have.  *given* is its
    default, or `MISSING`; *text* is its description, or None.
    """
    t, default = found.type, None
    if given is MISSING:
        if found.nil and t is not nodes.NIL and context.options.optional == "loose":
            required = False
    elif given is None:
        t, required = t if found.nil else maybe(t), False
    else:
        default = _plain_default(given, t)
        if default is None:
            default = _default(context.at(name), Part(name, hint, default=given), t)
        required = False
    if text is not None:
        if context.records:
            at = context.at(name)
            text = at.text(text)
            text = None if text is None else at.described(text)
        if text:
            t = nodes.make_note(nodes.Noted, t, text)
    return nodes.make_field(nodes.Field, name, t, required, default)


def _plain_default(given: Any, t: nodes.Type) -> Const | None:
    """Return *given* as a constant if it plainly fits *t*, the type of a common hint, else None."""
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
        return const(given)
    return None


_BOOLS = {value: Const("bool", value) for value in (False, True)}
#: Larger numbers may have more digits than a type can.
_FEW_BITS = 64


def _with_final(context: HintContext, part: Part) -> Part:
    """Return *part* with the class of its default as its hint if that is a bare `Final`."""
    hint = resolve_if_text(part.hint, context.scope)
    named = getattr(hint, "_name", None) == "Final" and typing.get_origin(hint) is None
    return part._replace(hint=type(part.default)) if named else part


def _without_sentinel(context: HintContext, part: Part) -> Part:
    """Return *part* without its default, and the branch for it, if that is a sentinel.

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
    """Whether *hint* is of a field that a sentinel, such as msgspec's UNSET, leaves out."""
    if not ("msgspec" in sys.modules or "pydantic" in sys.modules):
        return False
    hint = resolve_if_text(hint, context.scope)
    branches = typing.get_args(hint) if typing.get_origin(hint) in _UNIONS else ()
    return any(is_sentinel(branch) for branch in branches)


def marks_of(hint: Any, scope: HintScope, seen: dict[int, Any] | None = None) -> metadata.Notes:
    """Return the marks on *hint*, which may be text or stand in a qualifier.

    *seen* has what hints in text around it stand for, by their ids.
    """
    if type(hint) in BARE or type(hint) is LITERAL:
        return metadata.NOTHING
    metaclass = type(hint)
    if issubclass(metaclass, type) and metaclass is not metadata.HostSupplied:
        # A class of another metaclass, such as a TypedDict.
        return metadata.read_metadata(getattr(hint, "__metadata__", ()))
    if isinstance(hint, TEXT):
        try:
            hint = resolve(hint if isinstance(hint, str) else hint.__forward_arg__, scope)
        except Unresolved:
            return metadata.NOTHING
        seen = {} if seen is None else seen
        if id(hint) in seen:
            return metadata.NOTHING
        seen[id(hint)] = hint
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        return metadata.NOTHING
    while origin not in _UNIONS and not hasattr(hint, "__metadata__") and qualifier_of(hint):
        hint = typing.get_args(hint)[0]
        origin = typing.get_origin(hint)
    if origin in _UNIONS:
        # If one branch is injected, as in Injected[T] | None, the whole is.
        for branch in hint.__args__:
            if type(branch) not in BARE and (found := marks_of(branch, scope, seen)).injected:
                return metadata.NOTHING._replace(injected=True, supplied=found.supplied)
        return metadata.NOTHING
    if origin is typing.Annotated:
        # What is annotated may stand for the host's as well.
        inner = marks_of(hint.__origin__, scope, seen).supplied
        if inner is not None:
            return metadata.NOTHING._replace(injected=True, supplied=inner)
    if type(hint) is metadata.HostSupplied:
        return metadata.NOTHING._replace(injected=True, supplied=hint)
    return metadata.read_metadata(getattr(hint, "__metadata__", ()))


_UNIONS = (typing.Union, types.UnionType)

_QUALIFIERS = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar")


def qualifier_of(hint: Any) -> str:
    """Return the name of the qualifier that *hint* is, or an empty text."""
    kind = type(hint)
    if kind in BARE or kind is LITERAL or kind in UNIONS:
        return ""
    form = typing.get_origin(hint)
    home = getattr(form, "__module__", "")
    name = getattr(form, "_name", None) or getattr(form, "__name__", None) or ""
    return name if home in ("typing", "typing_extensions") and name in _QUALIFIERS else ""


def _default(context: HintContext, part: Part, t: nodes.Type) -> Const | None:
    """Return the default of *part* as a constant, or None with a warning."""
    fixed, why = _constant(context, part.default, t)
    if fixed is None:
        context.warn(part.hint, f"the default is not shown: {why}", KEPT)
    return fixed


def fitting_examples(
    context: HintContext, hint: Any, t: nodes.Type, values: Iterable[Any]
) -> Iterator[Any]:
    """Yield *values*, examples of *hint*, which became *t*, as plain data.

    Those that do not fit are left out with a warning.
    """
    for value in values:
        fixed, why = _constant(context, value, t)
        if fixed is None:
            reason = f"the example {short(value)} is not shown: {why}"
            context.warn(hint, reason, "correct it, or remove it")
        else:
            yield fixed.thaw()


def _constant(context: HintContext, value: Any, t: nodes.Type) -> tuple[Const | None, str]:
    """Return *value* as a constant of *t*, or None and why it is none."""
    inner, own = bare(t), _PLAIN.get(type(value))
    try:
        fixed = const(value) if own is not None else context.constant(value)
    except (HostError, TypesigError, TypeError, ValueError) as error:
        return None, str(error)
    except Exception as error:
        # Reading a stranger's object may raise anything.
        return None, f"it raises {said_by(error)}"
    if isinstance(inner, nodes.Enum) and fixed in inner.values:
        return fixed, ""
    if own == inner or references(t) - context.findings.definitions.keys():
        # A default of the hint's own class needs no check, and the check is not loaded for it.
        # A type that is still being read cannot check anything: the signature does it.
        return fixed, ""
    return _fitting(fixed, lone(t, context.findings.definitions)), _UNFIT


#: The warning of a default that does not fit its hint, and what to do.
_UNFIT = "it does not fit the hint"
UNFIT = f"the default is not shown: {_UNFIT}"
KEPT = "the function uses it where the model leaves the argument out"


def _fitting(fixed: Const, t: Signature) -> Const | None:
    """Return *fixed* as a value of *t*, such as the digits of a decimal, or None."""
    if t.validate_and_coerce(fixed.thaw(), "strict").ok:
        return fixed
    found = t.validate_and_coerce(fixed.thaw())
    if not found.ok or found.warnings:
        return None
    from typesig.validation.rows.plain import plain

    made = plain(found.result)
    return const(made) if t.validate_and_coerce(made, "strict").ok else None


def fitting_signature(
    context: HintContext,
    fields: Iterable[nodes.Field],
    returns: nodes.Type,
    definitions: Mapping[str, nodes.Type],
    extra: nodes.Type | None = nodes.ANY,
) -> Signature:
    """Return the signature without the defaults that do not fit, with a warning of each.

    A type that refers to itself is known, and checks defaults, only when it has been read.
    """
    made, unfit = with_fitting_defaults(fields, returns, definitions, extra)
    if unfit:
        for name in dict.fromkeys([field.name for field, _ in unfit]):
            context.at(name).warn("", UNFIT, KEPT)
    if not context.findings.secrets:
        return made
    secrets = {"" if name == "returns" else name for name in context.findings.secrets}
    return with_secrets(made, frozenset(secrets))


def fields_of(
    context: HintContext, parts: Iterable[Part]
) -> tuple[tuple[nodes.Field, ...], tuple[FieldPlan, ...], int]:
    """Return the fields of *parts*, how the host gets them, and how many characters they have.

    A field is matched exactly if an earlier one has the same key.  They have at most that many.
    """
    width = 0
    fields: list[nodes.Field] = []
    found: list[FieldPlan] = []
    findings, most = context.findings, common_hints.most_hints(context)
    is_loose = context.options.optional == "loose"
    for part in parts:
        name, hint, required, default, factory, nil, text, attribute = part
        read = None if factory or text is not None else common_hints.common_of(hint)
        if read is None or default is not MISSING or findings.hints + read.hints > most:
            field, plan = field_of(context, part)
            width += findings.width_of(field)
        else:
            # Most fields of records: the same as `field_of`, without asking for the rest.
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
                width += findings.width_of(field)
        fields.append(field)
        found.append(plan)
    return _distinct(fields), tuple(found), width


def _distinct(fields: list[nodes.Field]) -> tuple[nodes.Field, ...]:
    """Return *fields*; one is matched exactly if an earlier one has the same key."""
    if len({field.name.replace("-", "_") for field in fields}) == len(fields):
        return tuple(fields)
    seen: dict[str, str] = {}
    out = []
    for field in fields:
        if seen.setdefault(field.key, field.name) != field.name:
            field = nodes.Field(field.name, field.type, field.required, field.default, True)
        out.append(field)
    return tuple(out)


def resolve_if_text(hint: Any, scope: HintScope) -> Any:
    """Return *hint*, resolved if it is text that can be."""
    if isinstance(hint, TEXT):
        try:
            return resolve(hint if isinstance(hint, str) else hint.__forward_arg__, scope)
        except Unresolved:
            return hint
    return hint
