"""Types of parameters beside their hints: from docstrings and defaults, and tags of unions.

In: the parameters of a callable and its docstring.  Out: both, with what these tell as hints.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import Any, Literal, get_args, get_origin

from typesig.algebra.constructors import make_noted, strip_annotations
from typesig.algebra.nodes import (
    ANY,
    Annotation,
    Both,
    Field,
    List,
    Maybe,
    One,
    Record,
    Ref,
    Type,
    Union,
)
from typesig.algebra.rows.frozen import NAMES, RECORDS, cache_by_identity
from typesig.algebra.traversal import iter_distinct_parts, rebuild, transform
from typesig.extraction.callables.callables import Callee
from typesig.extraction.callables.hint_resolver import HintScope, resolve_if_text
from typesig.extraction.callables.parameters import EMPTY, Param
from typesig.extraction.docstrings.simple_docs import Doc
from typesig.extraction.hints.context import Findings, HintContext
from typesig.extraction.hints.fields import FieldSource, read_field, read_marks
from typesig.extraction.python_types.decoders import FieldPlan

#: The classes of values that a description may list, each with the hints of which they are.
_KINDS: Mapping[type, tuple[type, ...]] = {
    bool: (bool,), int: (int, float), float: (float,), str: (str,),
}  # fmt: skip

#: The classes of defaults that tell the type of a parameter.
_TELLING = (bool, int, float, str, list, dict, tuple)

_MARK = "(inferred type)"


def read_documented(context: HintContext, callee: Callee, doc: Doc) -> tuple[Callee, Doc]:
    """Add the choices and, if enabled, the types in docstring *doc* to the *callee*."""
    params = callee.params or ()
    if doc.choices:
        params, doc = narrow_params(context, params, doc)
    if context.options.inferred:
        params, doc = infer_params(context, params, doc)
    return callee._replace(params=params), doc


def narrow_params(
    context: HintContext, params: tuple[Param, ...], doc: Doc
) -> tuple[tuple[Param, ...], Doc]:
    """Limit the hints of *params* to the choices in *doc*; unfit ones stay in its text."""
    texts = dict(doc.params)
    out: list[Param] = []
    for param in params:
        choices = doc.choices.get(param.name, ())
        if choices:
            hint = _narrow_hint(context, param, choices)
            if hint is None:
                text = f"{texts.get(param.name, '')} (choices: {[*choices]})"
                texts[param.name] = text.strip()
            else:
                param = param._replace(annotation=hint)
        out.append(param)
    return tuple(out), doc._replace(params=texts)


def _narrow_hint(context: HintContext, param: Param, choices: tuple[Any, ...]) -> Any:
    """Return the hint of *param* limited to *choices*; None if they do not fit the hint."""
    made: Any = Literal[choices]
    if param.annotation is EMPTY:
        return made
    hint = resolve_if_text(param.annotation, context.scope)
    known = get_args(hint) if get_origin(hint) in (typing.Union, UnionType) else (hint,)
    if not all({*_KINDS[type(each)]} & {*known} for each in choices):
        return None
    return made | None if type(None) in known else made


def infer_params(
    context: HintContext, params: tuple[Param, ...], doc: Doc
) -> tuple[tuple[Param, ...], Doc]:
    """Add types from docstring *doc* or defaults to *params*; descriptions mention it."""
    texts = dict(doc.params)
    out: list[Param] = []
    for param in params:
        if param.name in doc.types and _tells_more(context, param, doc.types[param.name]):
            reason = "its hint has no type, so that of the docstring is taken"
            context.for_step(param.name).warn(param.annotation, reason, "write another", "inferred")
            texts[param.name] = f"{texts.get(param.name, '')} {_MARK}".strip()
            out.append(param._replace(annotation=EMPTY))
            continue
        source = _find_source(param, doc)
        if source:
            texts[param.name] = f"{texts.get(param.name, '')} {_MARK}".strip()
            reason = f"it has no hint, so its type is inferred from {source}"
            context.for_step(param.name).warn("", reason, "write one", "inferred")
        if source == _DEFAULT:
            param = param._replace(annotation=type(param.default))
        out.append(param)
    return tuple(out), doc._replace(params=texts)


def _tells_more(context: HintContext, param: Param, text: str) -> bool:
    """Whether docstring type *text* is more specific than the hint of *param*."""
    if param.annotation is EMPTY or param.kind.startswith("VAR_"):
        return False
    if context.options.injected or read_marks(param.annotation, context.scope).injected:
        # The host supplies it, whatever the docstring has.
        return False
    stated, findings = _read_alone(context, param.annotation)
    if findings.formless or not _is_untyped(stated):
        return False
    hint, inner = read_documented_hint(context, text)
    return not _is_untyped(_read_alone(inner, hint)[0])


def _read_alone(context: HintContext, hint: Any) -> tuple[Type, Findings]:
    """Return the type of *hint* and separate findings, without adding to *context*."""
    alone = context._replace(findings=Findings())
    return alone.read(hint).type, alone.findings


def _is_untyped(t: Type) -> bool:
    """Whether the type *t* takes any value, or is a list or union with any value."""
    match t:
        case Maybe(inner) | Annotation(inner) | List(inner):
            return _is_untyped(inner)
        case Union(members):
            return any(map(_is_untyped, members))
        case _:
            return t == ANY


_DEFAULT = "its default"


def _find_source(param: Param, doc: Doc) -> str:
    """Return the source of an inferred type for *param*, such as its default, or ""."""
    if param.annotation is not EMPTY or param.kind.startswith("VAR_"):
        return ""
    if param.name in doc.types:
        return "the docstring"
    return _DEFAULT if type(param.default) in _TELLING else ""


#: Matches what says that an argument is required.
_REQUIRED = re.compile(r"[\[(]required[\])]", re.IGNORECASE)

#: Matches the type that a description begins with, as in `string, The name.`.
_LEADING = re.compile(r"(string|integer|number|boolean), (?=\S)")

#: The fields of keyword arguments, and how a call reaches them.
Keywords = Sequence[tuple[Field, FieldPlan]]


def read_documented_keywords(
    context: HintContext, callee: Callee, doc: Doc
) -> tuple[Callee, Keywords]:
    """Return *callee* and the `**kwargs` keywords in docstring *doc*, as fields.

    Where there are some, the callee loses `*args` without a hint: the docstring has all arguments.
    """
    params = callee.params or ()
    last = params[-1] if params and context.options.inferred else None
    if last is None or last.kind != "VAR_KEYWORD" or last.annotation is not EMPTY:
        return callee, ()
    hidden = [each for each in context.options.injected if isinstance(each, str)]
    known = {*hidden, *(param.name for param in params)}
    names = [n for n in dict.fromkeys((*doc.params, *doc.types)) if n not in known]
    keywords = [_read_keyword(context, name, doc) for name in names if name.isidentifier()]
    kept = [p for p in params if p.kind != "VAR_POSITIONAL" or p.annotation is not EMPTY]
    return callee._replace(params=tuple(kept)) if keywords else callee, keywords


def _read_keyword(context: HintContext, name: str, doc: Doc) -> tuple[Field, FieldPlan]:
    """Return the field and plan of the keyword *name*, which only docstring *doc* has."""
    text = doc.params.get(name, "")
    needed = _REQUIRED.search(text) is not None
    leading = _LEADING.match(text)
    written = doc.types.get(name)
    if written is None and leading is not None:
        from typesig.extraction.docstrings.type_phrases import parse_type

        written, text = parse_type(leading[1]), text[leading.end() :]
    reason = "only the docstring has this keyword argument"
    context.for_step(name).warn("", reason, "write it as a parameter, with a hint", "inferred")
    hint: Any = Any
    if written is not None:
        hint, context = read_documented_hint(context, written)
    text = f"{text} {_MARK}".strip()
    return read_field(context, FieldSource(name, hint, needed, nil=False, text=text))


#: Names of arrays, where the module of the function has no such class.
_ARRAYS = {"array": list, "ndarray": list}


def read_documented_hint(context: HintContext, text: str) -> tuple[Any, HintContext]:
    """Resolve the docstring type *text*; return the hint and the context to read it in."""
    from typesig.extraction.docstrings.type_phrases import get_hint_namespace

    known = context.scope
    spaces = (get_hint_namespace(), *known.spaces, _ARRAYS)
    scope = HintScope(*spaces, module=known.module, around=known)
    return resolve_if_text(text, scope), context._replace(documented=True)


# --- Tags of unions: constant fields that identify one of several records ---
# A tag has to be sent even if its class has a default for it: without it, the first record that
# takes the value would stand for all, and nobody would notice.


def require_tags(
    fields: Iterable[Field], definitions: Mapping[str, Type]
) -> tuple[list[Field], dict[str, Type]]:
    """Make the tag fields of unions in *fields* and *definitions* required.

    A definition that several unions use requires the tags of each.
    """
    fields = list(fields)
    # Only records have tags, and references may lead to them.
    wholes = [field.type for field in fields] + [*definitions.values()]
    wholes = [t for t in wholes if t.flags & (NAMES | RECORDS)]
    if not any(map(_may_have_tags, wholes)):
        return fields, dict(definitions)
    named: dict[str, frozenset[str]] = {}

    def step(part: Type) -> Type:
        tags = _find_tags(part, definitions)
        if not tags:
            return part
        members = part.members if isinstance(part, Union | One) else ()
        for member in members:
            t = member
            t = strip_annotations(t)
            name = t.name if isinstance(t, Ref) else None
            if name is not None:
                named[name] = named.get(name, frozenset()) | tags
        return rebuild(part, [_require_in_member(member, tags) for member in members])

    made = [field.with_type(transform(field.type, step)) for field in fields]
    found = {name: transform(t, step) for name, t in definitions.items()}
    return made, {
        name: _require_in_member(t, named.get(name, frozenset())) for name, t in found.items()
    }


@cache_by_identity
def _may_have_tags(t: Type) -> bool:
    """Whether *t* contains a union of records; cached for frequent calls."""
    return any(map(_has_records, iter_distinct_parts([t])))


def _has_records(t: Type) -> bool:
    """Whether *t* is a union with several members that may be records."""
    if not isinstance(t, Union | One):
        return False
    members = [strip_annotations(member) for member in t.members]
    return sum(isinstance(member, Record | Ref | Both) for member in members) > 1


def _find_tags(t: Type, definitions: Mapping[str, Type]) -> frozenset[str]:
    """Return the names of the tags of *t*; empty if it is not a union with tags."""
    if not isinstance(t, Union | One):
        return frozenset()
    from typesig.validation.check.record_branches import find_tag_names

    return find_tag_names(t.members, definitions)


def _require_in_member(t: Type, tags: frozenset[str]) -> Type:
    """Make the fields *tags* required in *t*, a member of a union, if it is a record."""
    if isinstance(t, Annotation):
        return make_noted(_require_in_member(t.inner, tags), t.text, t.title)
    if not isinstance(t, Record) or not tags:
        return t
    fields = [
        Field(field.name, field.type, exact=field.exact) if field.name in tags else field
        for field in t.fields
    ]
    return Record(tuple(fields), t.extra, t.matching)
