"""Extraction: a callable's signature and texts, and how a call reaches it."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.constructors import get_description, make_maybe, make_noted
from typesig.algebra.nodes import ANY, NIL, Annotation, Field, List, Type, make_field, make_note
from typesig.algebra.signature import Signature
from typesig.errors import ExtractionError, TypesigError
from typesig.extraction.callables.callables import Callee, mark_deprecated, read_callee
from typesig.extraction.callables.generics import LITERAL, UNIONS
from typesig.extraction.callables.hint_resolver import resolve_if_text
from typesig.extraction.callables.options import Options, make_options
from typesig.extraction.callables.parameters import EMPTY, Param
from typesig.extraction.callables.warnings import (
    PASSED,
    HintWarning,
    get_class_name,
    get_exception_message,
    group_warnings,
    make_read_error,
)
from typesig.extraction.docstrings.docs import UNREAD, find_unknown_params, read_docstring
from typesig.extraction.docstrings.simple_docs import Doc
from typesig.extraction.hints import common_hints, record_hints
from typesig.extraction.hints.choice_hints import find_sentinel
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.fields import (
    MISSING,
    FieldSource,
    fit_signature,
    make_common_field,
    read_field,
    read_marks,
)
from typesig.extraction.hints.result_hints import find_pair_branches, read_pair
from typesig.extraction.libraries import libraries
from typesig.extraction.parameter_types import (
    read_documented,
    read_documented_hint,
    read_documented_keywords,
    require_tags,
)
from typesig.extraction.python_types import decoders
from typesig.extraction.python_types.host_plan import HostParam, HostPlan
from typesig.extraction.python_types.leaves import get_leaf
from typesig.extraction.readers import make_context
from typesig.limits import MAX_DOCSTRING

if TYPE_CHECKING:
    from typing import Unpack

    from typesig.extraction.callables.options import OptionKeywords
    from typesig.extraction.parameter_types import Keywords


class Extraction(NamedTuple):
    """The signature and texts read from a callable's hints and docstring.

    #: name: the name of the callable
    #: signature: its parameters and result, or None if it has no hints
    #: description: the first paragraph of its docstring, or None
    #: warnings: what the signature does not express as the function's hints do
    #: details: the other paragraphs of its docstring, or None
    #: deprecated: the message of its deprecation, which the description has too, or None

    >>> def twice(n: int) -> int: ...
    >>> found = extract(twice)
    >>> found.name, str(found.signature), found.warnings
    ('twice', '(n :int) -> :int', ())
    """

    name: str
    signature: Signature | None
    description: str | None
    warnings: tuple[HintWarning, ...] = ()
    details: str | None = None
    deprecated: str | None = None

    def mark_deprecated(self, description: str) -> str | None:
        """Append the deprecation message of the callable, if it has one, to *description*."""
        return mark_deprecated(description, self.deprecated)


def extract(callable: Callable[..., Any], **options: Unpack[OptionKeywords]) -> Extraction:
    """Return name, signature, description and warnings of a callable.

    A hint that a signature cannot express becomes `:any` with a warning; the options are:
    *strict* raises `ExtractionError` instead of warning; *profile* "ptc_runner" uses only the
    types of PtcRunner; *optional* "exact" keeps `T | None` required; *recursive* names types that
    refer to themselves; *max_depth* limits records within records; *injected* has the classes
    and the names of parameters that the host supplies; *results* says how objects of classes
    become data in the result, as `{Issue: "raw_data"}` does.

    >>> def area(width: float, height: float = 1.0) -> float:
    ...     "The area of a rectangle."
    >>> found = extract(area)
    >>> str(found.signature), found.description
    ('(width :float, height :float = 1.0) -> :float', 'The area of a rectangle.')
    """
    found, _ = extract_callee(read_callee(callable), make_options("extract", options))
    return found


def extract_callee(callee: Callee, options: Options) -> tuple[Extraction, HostPlan]:
    """Extract the signature of *callee* and its call plan, or raise `ExtractionError`."""
    try:
        return _extract_parts(callee, options)
    except PASSED:
        raise
    except Exception as error:
        raise make_read_error(callee, error) from error


def _extract_parts(callee: Callee, options: Options) -> tuple[Extraction, HostPlan]:
    """Extract the signature of *callee* and its call plan; any exception is passed on."""
    context = make_context(options, callee.scope, callee.owner, callee.variables)
    findings = context.findings
    doc = _read_doc(context, callee.doc)
    text = mark_deprecated(doc.text, callee.deprecated)
    if callee.params and (doc.choices or options.inferred):
        callee, doc = read_documented(context, callee, doc)
    callee, keywords = read_documented_keywords(context, callee, doc)
    if callee.params is None or not (keywords or _is_hinted(callee, doc, options.inferred)):
        told = tuple(findings.warnings)
        return Extraction(callee.name, None, text, told, doc.details, callee.deprecated), HostPlan()
    if callee.overloads > 1 and options.strict:
        raise ExtractionError(
            f"{callee.name} has {callee.overloads} overloads", "give an explicit signature"
        )
    fields, hosts, extra = _read_params(context, callee.params, doc, keywords)
    returns, is_pair = _read_result(context.for_output(), callee, doc)
    _warn_of_unknown_texts(context, callee, doc)
    signature = _make_signature(context, callee.name, fields, returns.type, extra)
    if options.strict:
        raise_if_warned(f"{callee.name} cannot be extracted without loss", findings.warnings)
    told = group_warnings(findings.warnings)
    found = Extraction(callee.name, signature, text, told, doc.details, callee.deprecated)
    encode = returns.encode if findings.serializes else None
    return found, HostPlan(
        tuple(hosts), returns.decode, encode, is_pair, findings.exact, findings.abstract,
        context.ptc_runner, findings.spellings, findings.bounds, frozenset(findings.secrets),
        strict=frozenset(findings.strict),
    )  # fmt: skip


def _read_doc(context: HintContext, doc: object) -> Doc:
    """Parse the docstring *doc*, warning if it is too long, unreadable or not a string."""
    if isinstance(doc, str):
        if str.__len__(doc) > MAX_DOCSTRING:
            reason = f"the docstring has more than {MAX_DOCSTRING} characters; the rest is not read"
            context.warn("", reason, "write a shorter one")
    elif isinstance(doc, Exception):
        context.warn("", f"reading its docstring raises {get_exception_message(doc)}", "correct it")
    elif doc is not None:
        reason = f"its docstring is {get_class_name(type(doc))}, not str, so it is left out"
        context.warn("", reason, "write a str")
    return read_docstring(doc)


def raise_if_warned(failure: str, warnings: list[HintWarning]) -> None:
    """Raise `ExtractionError` with the text *failure* if there are *warnings*."""
    if warnings:
        lines = "\n".join(f"- {warning}" for warning in group_warnings(warnings))
        raise ExtractionError(f"{failure}:\n{lines}")


def _is_hinted(callee: Callee, doc: Doc, inferred: bool) -> bool:
    """Whether *callee* has enough hints, in code or in *doc*, to make a signature."""
    # A callable without parameters has no parameter whose hint is missing.
    if not callee.params or callee.returns is not EMPTY:
        return True
    named = inferred and any(not p.kind.startswith("VAR_") for p in callee.params)
    return named or any(p.annotation is not EMPTY or p.name in doc.types for p in callee.params)


def _make_signature(
    context: HintContext, name: str, fields: list[Field], returns: Type, extra: Type | None
) -> Signature:
    """Build the signature of function *name*, with only the definitions that it uses."""
    definitions = context.findings.definitions
    if definitions:
        from typesig.algebra.redaction import find_used_names

        wholes = [*(field.type for field in fields), returns, *([] if extra is None else [extra])]
        # There are others if the type that referred to them became `:any`.
        kept = find_used_names(definitions, wholes)
        definitions = {name: t for name, t in definitions.items() if name in kept}
    fields, definitions = require_tags(fields, definitions)
    try:
        return fit_signature(context, fields, returns, definitions, extra)
    except TypesigError as error:
        raise ExtractionError(f"{name}: {error}", "or give an explicit signature") from None


# parameters


#: The type of the undeclared arguments of a function that takes any.
OPEN = make_maybe(ANY)


def _read_params(
    context: HintContext, params: tuple[Param, ...], doc: Doc, keywords: Keywords
) -> tuple[list[Field], list[HostParam], Type | None]:
    """Return the fields of *params*, their plans, and the type of unknown arguments."""
    fields: list[Field] = []
    hosts: list[HostParam] = []
    extra: Type | None = ANY
    most = -1 if context.options.injected else common_hints.get_hint_limit(context)
    for param in params:
        read = _read_common(context, param, doc, most)
        if read is not None:
            fields.append(read[0])
            hosts.append(read[1])
            continue
        if param.kind != "VAR_KEYWORD":
            try:
                field, host = _read_param(context, param, doc)
            except (TypesigError, MemoryError):
                raise
            except Exception as error:
                field, host = _replace_unreadable(context, param, error)
            fields.extend([] if field is None else [field])
            hosts.append(host)
            continue
        at_param = context.for_step(f"**{param.name}")
        unpacked = record_hints.read_unpacked_fields(at_param, param.annotation)
        # `**kwargs: Unpack[TD]` stands for the fields of TD (PEP 692).
        for field, plan in keywords if unpacked is None else unpacked:
            fields.append(field)
            optional = not field.required
            hosts.append(
                HostParam(field.name, "KEYWORD_ONLY", plan.decode, plan.nil, optional=optional)
            )
        if unpacked is not None:
            continue
        found = HostType(ANY) if param.annotation is EMPTY else at_param.read(param.annotation)
        # A signature shows `** :any?`; it is silent about `:any`, which is dropped.
        shown = OPEN if found.type == ANY else found.type
        extra = make_noted(shown, doc.params.get(param.name))
        hosts.append(HostParam(param.name, param.kind, found.decode, optional=True))
    return fields, hosts, extra


def _replace_unreadable(
    context: HintContext, param: Param, error: Exception
) -> tuple[Field, HostParam]:
    """Make the field of a parameter whose default or metadata raises *error*."""
    t = context.for_step(param.name).fall_back_on_error("", error).type
    optional = param.default is not EMPTY or param.kind == "VAR_POSITIONAL"
    host = HostParam(param.name, param.kind, optional=optional, default=param.default)
    t = List(t) if param.kind == "VAR_POSITIONAL" else t
    return Field(param.name, t, not optional), host


def _read_param(context: HintContext, param: Param, doc: Doc) -> tuple[Field | None, HostParam]:
    """Return the field of a parameter, None if hidden from the model, and its plan."""
    name, kind, hint, given = param.name, param.kind, param.annotation, param.default
    fill = None
    if libraries.is_field(given):
        # `x: int = Field(…)` states the default and the constraints of x.
        if hint is not EMPTY:
            hint = libraries.add_field_metadata(resolve_if_text(hint, context.scope), given)
        given, fill = libraries.get_field_default(given, EMPTY)
    if given is EMPTY and (sentinel := find_sentinel(resolve_if_text(hint, context.scope))):
        given, fill = sentinel, lambda: sentinel
    notes = None if hint is EMPTY else read_marks(hint, context.scope)
    if (notes is not None and notes.injected) or _is_supplied(context, param):
        supplied = None if notes is None else notes.supplied
        host = HostParam(
            name, kind, optional=given is not EMPTY, injected=True, default=given, fill=fill,
            supplied=supplied,
        )  # fmt: skip
        return None, host
    if hint is EMPTY and name in doc.types:
        hint, context = read_documented_hint(context, doc.types[name])
    elif hint is EMPTY:
        reason, remedy = "it has no hint, so it became :any", "write one, or Any"
        context.for_step(name).warn("", reason, remedy, "unhinted")
        hint = Any
    if given is not EMPTY and not _may_be_sent(context, hint):
        # A model could only send it wrongly: the default is used, or what the host gives.
        reason = "the hint has no JSON form, so it is hidden and left to its default"
        remedy = "write Injected[…], or an explicit signature"
        context.for_step(name).warn(hint, reason, remedy)
        return None, HostParam(name, kind, None, False, True, True, given, formless=True, fill=fill)
    if kind == "VAR_POSITIONAL":
        return _read_var_positional(context, name, hint, doc)
    default = MISSING if given is EMPTY else given
    # This class stands for a default factory in a dataclass's signature.
    factory = default is libraries.MADE
    factory = factory or type(default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS"
    shown = MISSING if factory else default
    part = FieldSource(name, hint, True, shown, factory, text=doc.params.get(name))
    field, plan = read_field(context, part, notes)
    optional = default is not MISSING
    host = HostParam(name, kind, plan.decode, plan.nil, optional, default=given, fill=fill)
    return field, host


#: The classes of defaults that carry no mark of a library.
_PLAIN_DEFAULTS = frozenset({type(None), str, int, float, bool})


def _read_common(
    context: HintContext, param: Param, doc: Doc, most: int
) -> tuple[Field, HostParam] | None:
    """Read *param* on the fast path for common hints; None if it needs the general one.

    Otherwise it returns None; and if the hint is beyond *most*, the hints that may be read.
    """
    name, kind, given, hint = param.name, param.kind, param.default, param.annotation
    found = common_hints.find_common(resolve_if_text(hint, context.scope))
    if found is None or kind == "VAR_POSITIONAL" or kind == "VAR_KEYWORD":
        return None
    findings = context.findings
    hints = findings.hints + found.hints
    if hints > most or not (given is EMPTY or type(given) in _PLAIN_DEFAULTS):
        return None
    findings.hints = hints
    t, decode, is_nil, _ = found.found
    text = doc.params.get(name)
    if given is EMPTY:
        is_nil = is_nil and t is not NIL and context.options.optional == "loose"
        field = make_field(Field, name, make_note(Annotation, t, text) if text else t, not is_nil)
        host = (name, kind, decode, is_nil, False, False, given, False, None, None, True)
    else:
        field = make_common_field(context, found.found, name, hint, given, text)
        host = (name, kind, decode, False, True, False, given, False, None, None, True)
    return field, _new_host(HostParam, host)


#: Makes the host side of a parameter of all its parts, faster than by its name.
_new_host: Callable[[Any, tuple[Any, ...]], HostParam] = tuple.__new__


def _read_var_positional(
    context: HintContext, name: str, hint: Any, doc: Doc
) -> tuple[Field, HostParam]:
    """Return the field of `*args` and its plan."""
    at_param = context.for_step(f"*{name}")
    spread = _get_spread_tuple(context, hint)
    if spread is None:
        item = at_param.read(hint)
        found = HostType(List(item.type), decoders.make_items(item.decode))
    else:
        found = at_param.read(spread)
    t = make_noted(found.type, doc.params.get(name))
    # `*args: *tuple[int, ...]` is `*args: int`, which takes no argument too.
    optional = isinstance(found.type, List)
    return Field(name, t, not optional), HostParam(
        name, "VAR_POSITIONAL", found.decode, optional=optional
    )


def _is_supplied(context: HintContext, param: Param) -> bool:
    """Whether the option `injected` has the name or the class of *param*."""
    injected = context.options.injected
    if not injected or param.name in injected:
        return bool(injected)
    hint = resolve_if_text(param.annotation, context.scope)
    branches = typing.get_args(hint) or (hint,)
    return any(branch is given for branch in branches for given in injected)


def _may_be_sent(context: HintContext, hint: Any) -> bool:
    """Whether a model can send values of *hint*: it or a part of it has a JSON form."""
    kind = type(hint)
    if kind is LITERAL or (kind is types.GenericAlias and hint.__origin__ in (list, dict)):
        # A collection has a form, whatever its items are.
        return True
    if kind in UNIONS and len(hint.__args__) == 2 and hint.__args__[1] is type(None):
        return _may_be_sent(context, hint.__args__[0])
    if isinstance(hint, type) and get_leaf(hint) is not None:
        return True
    return context.has_form(hint)


def _get_spread_tuple(context: HintContext, hint: Any) -> Any:
    """Return the tuple in `*args: *tuple[A, B]` (PEP 646), or None for other hints.

    A `TypeVarTuple` without arguments is a tuple of anything.
    """
    if isinstance(hint, str) and hint.lstrip().startswith("*"):
        hint = resolve_if_text(hint.lstrip()[1:], context.scope)
    else:
        hint = resolve_if_text(hint, context.scope)
        if getattr(hint, "__unpacked__", False):
            return typing.get_origin(hint)[typing.get_args(hint)]
        form = typing.get_origin(hint)
        if "Unpack" not in (getattr(form, "__name__", ""), getattr(form, "_name", "")):
            return None
        (hint,) = typing.get_args(hint)
    if type(hint).__name__ == "TypeVarTuple":
        return tuple[Any, ...]
    return hint if typing.get_origin(hint) is tuple else None


# result and texts


def _read_result(context: HintContext, callee: Callee, doc: Doc) -> tuple[HostType, bool]:
    """Return the type of the result, and whether it is an ok/error pair."""
    hint, branches = callee.returns, None
    context = context.for_step("returns")
    if hint is EMPTY and doc.returned is not None:
        hint, context = read_documented_hint(context, doc.returned)
    elif hint is not EMPTY:
        branches = find_pair_branches(hint, context.scope)
    if callee.manages:
        # The hint tells what the generator yields, which no call returns.
        reason = "the function returns a context manager, which has no JSON form"
        remedy = "write a function that enters it and returns data"
        context.warn("" if hint is EMPTY else hint, reason, remedy, "any")
        found, branches = HostType(ANY), None
    elif hint is EMPTY:
        found = HostType(ANY)
    else:
        found = context.read(hint) if branches is None else read_pair(context, *branches)
    if doc.returns is not None and get_description(found.type) is None:
        found = HostType(make_noted(found.type, doc.returns), *found[1:])
    return found, branches is not None


def _warn_of_unknown_texts(context: HintContext, callee: Callee, doc: Doc) -> None:
    """Warn of docstring parts that are unreadable or name no parameter."""
    for text in doc.unread:
        context.warn(text, *UNREAD)
    params = callee.params or ()
    names = {param.name for param in params}
    if doc.params.keys() <= names or any(param.kind == "VAR_KEYWORD" for param in params):
        return
    known = names | {"self", "cls"} | callee.names
    for name in find_unknown_params(doc, known):
        context.for_step(name).warn(
            "",
            "the docstring describes it, but there is no such parameter",
            "remove it, or correct its name",
        )
