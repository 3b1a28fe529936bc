"""What a notation that is only written says in comments: bounds, defaults, descriptions."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import Noted, Type
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.signature import Signature, flags_of, mapped
from typesig.algebra.traversal import without_notes
from typesig.algebra.views.naming import type_name
from typesig.algebra.views.redaction import redacted

Path = tuple[str, ...]


class Written(NamedTuple):
    """A type as text, and what a comment says of it.

    #: binding: how tightly the form binds
    #: notes: what the text does not say, in the order of the parts
    """

    binding: int
    text: str
    notes: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A name with its type as text, and the comment behind it, or an empty text."""

    text: str
    comment: str


def laid_out(entries: Sequence[Entry], mark: str) -> str:
    """Return *entries* with commas, up to the closing bracket.

    An entry with a comment stands on a line of its own, with one blank of indent; *mark* begins the
    comment.
    """
    out: list[str] = []
    broken = False
    for place, (text, comment) in enumerate(entries, 1):
        comma = "," if place < len(entries) else ""
        before = "\n " if comment or broken else " " if out else ""
        out.append(f"{before}{text}{comma}{f' {mark} {comment}' if comment else ''}")
        broken = bool(comment)
    return "".join(out) + ("\n" if broken else "")


def comment_of(notes: Iterable[str], text: str | None) -> str:
    """Return the comment that says *notes* and the description *text*, on one line."""
    said = ", ".join(dict.fromkeys(notes))
    described = one_line(text or "")
    return f"{said}; {described}" if said and described else said or described


def one_line(text: str) -> str:
    """Return *text* on one line: blanks for line breaks, without characters that do not print."""
    lines = [line.expandtabs(4).strip() for line in text.splitlines()]
    joined = " ".join(line for line in lines if line)
    return joined if joined.isprintable() else "".join(c for c in joined if c.isprintable())


def printable(text: str) -> str:
    """Return *text* with escapes for the characters that do not print."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def parted(t: Type) -> tuple[Type, str | None]:
    """Return *t* without the notes around it, and their descriptions, the outermost first."""
    texts: list[str] = []
    while isinstance(t, Noted):
        texts += [] if t.text is None else [t.text]
        t = t.inner
    return t, "; ".join(texts) or None


def losses_of_notes(t: Type, path: Path, where: str) -> list[Loss]:
    """Return what a comment loses of the notes around *t* at *path*; *where* is what has it."""
    out = []
    while isinstance(t, Noted):
        if t.title is not None:
            out.append(Loss("omitted", path, f"title {t.title!r}", f"{where} has no titles"))
        if one_line(t.text or "") != (t.text or ""):
            what, why = "the lines of a description", "a comment is one line"
            out.append(Loss("omitted", path, what, why, "blanks"))
        t = t.inner
    return out


def joined_comments(*comments: str) -> str:
    """Return *comments* as one, without those that are empty."""
    return "; ".join([comment for comment in comments if comment])


def express(signature: Signature, described: bool = True) -> tuple[Signature, list[Loss]]:
    """Return *signature* without firewalled names, and the losses.

    Unless it is *described*, it has no descriptions and titles either.
    """
    losses: list[Loss] = []
    shown = redacted(signature, losses) if flags_of(signature) & HIDDEN else signature
    if shown != signature:
        losses.insert(0, Loss("omitted", (), "firewalled names", "a model is not shown them"))
    return shown if described else mapped(shown, without_notes), losses


def identifier(name: str, taken: Collection[str]) -> str:
    """Return *name* as the name of a type in a programming language where *taken* mean others."""
    is_fine = name.isascii() and name.isidentifier() and name not in taken
    return name if is_fine and not name.startswith("__") else type_name(name)
