"""What the compact notation can express of a signature, and what it cannot, as losses."""

from __future__ import annotations

import re

from typesig.algebra.constructors import make_noted
from typesig.algebra.definitions import Definition
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import Annotation, Field, PatternField, Record, Type
from typesig.algebra.rows.frozen import HIDDEN, NOTES
from typesig.algebra.signature import Signature, get_flags
from typesig.algebra.traversal import get_children, rebuild
from typesig.algebra.views.redaction import redact

_BREAK = re.compile(r"\r\n|[\r\n]")

_MODEL = "the compact notation is for models, which are not shown them"
_TITLE = "the compact notation has no titles"
_LINE = "a description ends with its line"

_PARAMS = ("params",)


def expressed(signature: Signature) -> tuple[Signature, Losses]:
    """Return *signature* as parsing its compact text restores it, and the losses."""
    losses: list[Loss] = []
    if get_flags(signature) & HIDDEN:
        shown = redact(signature, losses)
        if shown != signature:
            losses.insert(0, Loss("omitted", (), "firewalled names", _MODEL))
        signature = shown
    if not get_flags(signature) & NOTES:
        return signature, tuple(losses)
    params = _express_fields(signature.params, _PARAMS, losses)
    returns = _express_on_one_line(signature.returns, ("returns",), losses)
    named = [
        (d, _express_type(d.type, ("definitions", d.name), losses)) for d in signature.definitions
    ]
    extra = signature.extra
    extra = None if extra is None else _express_type(extra, ("params", "**"), losses)
    same = params is signature.params and returns is signature.returns and extra is signature.extra
    if same and all(t is d.type for d, t in named):
        return signature, tuple(losses)
    definitions = [Definition(d.name, t) for d, t in named]
    return Signature(params, returns, definitions, extra, signature.io), tuple(losses)


def _express_type(t: Type, path: tuple[str, ...], losses: list[Loss]) -> Type:
    """Return *t* without titles, and with the descriptions of fields on one line."""
    if not t.flags & NOTES:
        return t
    if isinstance(t, Annotation):
        if t.title is not None:
            losses.append(Loss("omitted", path, f"title {t.title!r}", _TITLE))
        inner = _express_type(t.inner, path, losses)
        is_told = inner is t.inner and t.title is None and t.text
        return t if is_told else make_noted(inner, t.text)
    if not isinstance(t, Record):
        return rebuild(t, [_express_type(child, path, losses) for child in get_children(t)])
    fields = _express_fields(t.fields, path, losses)
    matching = [
        PatternField(
            m.pattern, _express_on_one_line(m.type, (*path, f"/{m.pattern}/"), losses, path)
        )
        for m in t.matching
    ]
    extra = None if t.extra is None else _express_type(t.extra, path, losses)
    same = fields is t.fields and extra is t.extra and not matching
    return t if same else Record(fields, extra, tuple(matching))


def _express_fields(
    fields: tuple[Field, ...], path: tuple[str, ...], losses: list[Loss]
) -> tuple[Field, ...]:
    """Return *fields* with their descriptions on one line."""
    is_top = path == _PARAMS
    out = [
        f.with_type(_express_on_one_line(f.type, (*path, f.name), losses, None if is_top else path))
        for f in fields
    ]
    return fields if all(new is old for new, old in zip(out, fields, strict=True)) else tuple(out)


def _express_on_one_line(
    t: Type, path: tuple[str, ...], losses: list[Loss], below: tuple[str, ...] | None = None
) -> Type:
    """Express *t* like `_express_type`, its outermost description on one line.

    *path* is the place of *t*, and *below* that of what is within, if it is another.
    """
    if not t.flags & NOTES:
        return t
    found = _express_type(t, path if below is None else below, losses)
    if not isinstance(found, Annotation) or found.text is None or not _BREAK.search(found.text):
        return found
    losses.append(Loss("omitted", path, "line breaks of a description", _LINE, "blanks"))
    return Annotation(found.inner, _BREAK.sub(" ", found.text))
