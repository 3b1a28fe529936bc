"""What the compact notation can express of a signature, and what it cannot, as losses."""

from __future__ import annotations

import re

from typesig.algebra.constructors import noted
from typesig.algebra.frozen import HIDDEN, NOTES
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import Field, Matching, Noted, Record, Type
from typesig.algebra.redaction import redacted
from typesig.algebra.signature import Signature, mapped
from typesig.algebra.traversal import children, rebuild, walk, with_types

_BREAK = re.compile(r"\r\n|[\r\n]")

_MODEL = "the compact notation is for models, which are not shown them"
_TITLE = "the compact notation has no titles"
_LINE = "a description ends with its line"


def expressed(signature: Signature) -> tuple[Signature, Losses]:
    """Return *signature* as reading it back gives it, and the losses."""
    losses: list[Loss] = []
    if signature.flags & HIDDEN:
        shown = redacted(signature, losses)
        if shown != signature:
            losses.insert(0, Loss("omitted", (), "firewalled names", _MODEL))
        signature = shown
    places: list[tuple[tuple[str, ...], Type]] = [
        (("params", field.name), field.type) for field in signature.params
    ]
    places += [(("returns",), signature.returns)]
    places += [(("definitions", d.name), d.type) for d in signature.definitions]
    if signature.extra is not None:
        places += [(("params", "**"), signature.extra)]
    changed = [(path, whole) for path, whole in places if _is_changed(whole)]
    if not changed:
        return signature, tuple(losses)
    for path, whole in changed:
        lines = path[0] != "definitions" and path[-1] != "**"
        losses += _losses_of(path, whole, lines)
    shown = mapped(signature, lambda t: _told(t) if _is_changed(t) else t)
    params = with_types(shown.params, _on_one_line)
    returns = _on_one_line(shown.returns)
    if returns is not shown.returns or params != shown.params:
        shown = Signature(params, returns, shown.definitions, shown.extra, shown.io)
    return shown, tuple(losses)


def _is_changed(whole: Type) -> bool:
    """Tell whether a note within *whole* may change: with a title, a line break or no text."""
    # Most types have a note outside and none within, which their flags tell.
    parts = [whole]
    while parts:
        part = parts.pop()
        if isinstance(part, Noted):
            if not part.text or part.title is not None or _BREAK.search(part.text) is not None:
                return True
            part = part.inner
        if part.flags & NOTES:
            parts += children(part)
    return False


def _losses_of(path: tuple[str, ...], whole: Type, lines: bool) -> list[Loss]:
    """Return the titles within *whole*, and if *lines* the line breaks of its description."""
    out = _broken(path, whole) if lines else []
    for part in walk(whole):
        if isinstance(part, Noted) and part.title is not None:
            out.append(Loss("omitted", path, f"title {part.title!r}", _TITLE))
        if isinstance(part, Record):
            out += [loss for f in part.fields for loss in _broken((*path, f.name), f.type)]
            for m in part.matching:
                out += _broken((*path, f"/{m.pattern}/"), m.type)
    return out


def _broken(path: tuple[str, ...], t: Type) -> list[Loss]:
    text = _untitled(t)
    if not isinstance(text, Noted) or not _BREAK.search(text.text or ""):
        return []
    return [Loss("omitted", path, "line breaks of a description", _LINE, "blanks")]


def _untitled(t: Type) -> Type:
    return noted(t.inner, t.text) if isinstance(t, Noted) else t


def _told(t: Type) -> Type:
    """Return *t* without titles, and with the descriptions of fields on one line."""
    if not t.flags & NOTES:
        return t
    return _plain(rebuild(t, [_told(child) for child in children(t)]))


def _plain(t: Type) -> Type:
    """Return *t* without its title, and with the descriptions of its fields on one line."""
    if not isinstance(t, Record):
        return _untitled(t)
    fields: list[Field] = [f.with_type(_on_one_line(f.type)) for f in t.fields]
    matching = [Matching(m.pattern, _on_one_line(m.type)) for m in t.matching]
    return Record(tuple(fields), t.extra, tuple(matching))


def _on_one_line(t: Type) -> Type:
    """Return *t* with blanks for the line breaks of its outermost description."""
    if not isinstance(t, Noted) or t.text is None:
        return t
    text = _BREAK.sub(" ", t.text)
    return t if text == t.text else Noted(t.inner, text)
