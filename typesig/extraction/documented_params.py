"""Parameters whose types a docstring or a default tells: choices, and inferred types.

In: the parameters of a callable and its docstring.  Out: both, with what these tell as hints.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from typesig.extraction.callables.callables import Callee
from typesig.extraction.callables.params import EMPTY, Param
from typesig.extraction.callables.resolve import HintScope
from typesig.extraction.docstrings.simple_docs import Doc
from typesig.extraction.hints.context import HintContext
from typesig.extraction.hints.fields import resolve_if_text

#: The classes of values that a description may list, each with the hints of which they are.
_KINDS: Mapping[type, tuple[type, ...]] = {
    bool: (bool,), int: (int, float), float: (float,), str: (str,),
}  # fmt: skip

#: The classes of defaults that tell the type of a parameter.
_TELLING = (bool, int, float, str, list, dict, tuple)

_MARK = "(inferred type)"


def read_documented(context: HintContext, callee: Callee, doc: Doc) -> tuple[Callee, Doc]:
    """Return *callee* and *doc* with choices, and with inferred types if they are wanted."""
    params = callee.params or ()
    if doc.choices:
        params, doc = narrow_params(context, params, doc)
    if context.options.inferred:
        params, doc = infer_params(context, params, doc)
    return callee._replace(params=params), doc


def narrow_params(
    context: HintContext, params: tuple[Param, ...], doc: Doc
) -> tuple[tuple[Param, ...], Doc]:
    """Use the choices of *doc* as hints; the text keeps choices that do not fit."""
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
    """Return the hint of *param* with *choices* alone; None if they are no values of the hint."""
    made: Any = Literal[choices]
    if param.annotation is EMPTY:
        return made
    hint = resolve_if_text(param.annotation, context.scope)
    known = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if not all({*_KINDS[type(each)]} & {*known} for each in choices):
        return None
    return made | None if type(None) in known else made


def infer_params(
    context: HintContext, params: tuple[Param, ...], doc: Doc
) -> tuple[tuple[Param, ...], Doc]:
    """Return *params* with the types of docstring and defaults, which descriptions mark."""
    texts = dict(doc.params)
    out: list[Param] = []
    for param in params:
        source = _find_source(param, doc)
        if source:
            texts[param.name] = f"{texts.get(param.name, '')} {_MARK}".strip()
            reason = f"it has no hint, so its type is inferred from {source}"
            context.at(param.name).warn("", reason, "write one", "inferred")
        if source == _DEFAULT:
            param = param._replace(annotation=type(param.default))
        out.append(param)
    return tuple(out), doc._replace(params=texts)


_DEFAULT = "its default"


def _find_source(param: Param, doc: Doc) -> str:
    """Return the source of the type of *param*, which has no hint; empty if there is none."""
    if param.annotation is not EMPTY or param.kind.startswith("VAR_"):
        return ""
    if param.name in doc.types:
        return "the docstring"
    return _DEFAULT if type(param.default) in _TELLING else ""


def read_documented_hint(context: HintContext, text: str) -> tuple[Any, HintContext]:
    """Return the hint that a docstring writes as *text*, and the context to read it in."""
    from typesig.extraction.docstrings.documented import names_of_hints

    known = context.scope
    scope = HintScope(names_of_hints(), *known.spaces, module=known.module, around=known)
    return resolve_if_text(text, scope), context._replace(documented=True)
