"""What a notation that is only written says in comments: bounds, defaults, descriptions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import ClassVar, NamedTuple

from typesig.algebra.loss import Loss, LossKind
from typesig.algebra.nodes import ANY, Counted, Field, Matching, Noted, Refined, Type
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.signature import Signature, flags_of, mapped
from typesig.algebra.traversal import without_notes
from typesig.algebra.views.naming import type_name
from typesig.algebra.views.redaction import redacted
from typesig.notations.texts.literals import constraints_text, count_text, literal
from typesig.notations.texts.quoting import printable

Path = tuple[str, ...]

#: How tightly a form binds.  A form in a place that asks for more is put in parentheses.
UNION, BOTH, ATOM = range(3)


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


#: What type checkers and linters take a comment for an order by, before a colon.
_ORDERS = ("type", "mypy", "pyright", "pylint", "ruff")


def behind(comment: str, mark: str) -> str:
    """Return *comment* as it stands behind code, begun by *mark*; nothing if it is empty.

    A description that reads as an order to a type checker, as "type: ignore" does, is none.
    """
    if not comment:
        return ""
    return f" {mark} {mark.join(map(_no_order, comment.split(mark)))}"


def _no_order(text: str) -> str:
    words = text.lstrip()
    first = words.partition(":")[0].rstrip().lower()
    if first not in _ORDERS and not words.lower().startswith(("noqa", "@ts-")):
        return text
    return f"{text[: len(text) - len(words)]}- {words}"


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
        out.append(f"{before}{text}{comma}{behind(comment, mark)}")
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


class CommentWriter:
    """Writes types in a language that has no form for all of them, and keeps the losses.

    #: losses: what the text does not say; each is in a comment, unless it became nothing
    """

    #: What has the text, and begins the reason of a loss; what begins a comment; the types of
    #: anything and of a list of anything; whether constants are written as in JSON.
    where: ClassVar[str]
    mark: ClassVar[str]
    anything: ClassVar[str]
    any_list: ClassVar[str]
    in_json: ClassVar[bool]

    def __init__(self) -> None:
        self.losses: list[Loss] = []

    @abstractmethod
    def _form(self, t: Type, path: Path) -> Written:
        """Return *t* as text."""

    def _aside(self, t: Type, path: Path) -> Written:
        """Return *t* as a part of a comment."""
        return self._form(t, path)

    def _lose(self, kind: LossKind, path: Path, what: str, became: str = "a comment") -> None:
        self.losses.append(Loss(kind, path, what, f"{self.where} has no form for it", became))

    def _parted(self, t: Type, path: Path) -> tuple[Type, str | None]:
        self.losses += losses_of_notes(t, path, self.where)
        return parted(t)

    def _behind(self, comment: str) -> str:
        return behind(comment, self.mark)

    def _described(self, field: Field, path: Path) -> Entry:
        """Return the type of *field* as text, and the comment on the field."""
        inner, note = self._parted(field.type, path)
        made = self._form(inner, path)
        notes = made.notes
        if field.default is not None:
            self._lose("omitted", path, "the default")
            notes = (*notes, f"default {literal(field.default, self.in_json)}")
        return Entry(made.text, comment_of(notes, note))

    def _negated(self, inner: Type, path: Path) -> Written:
        self._lose("widened", path, ":not")
        made = self._aside(inner, path)
        return Written(ATOM, self.anything, (f"not {made.text}", *made.notes))

    def _counted(self, t: Counted, path: Path) -> Written:
        self._lose("widened", path, ":count")
        made = self._aside(t.item, path)
        return Written(ATOM, self.any_list, (f"{count_text(t)} of {made.text}", *made.notes))

    def _refined(self, t: Refined, path: Path) -> Written:
        said = printable(constraints_text(t.constraints))
        self._lose("widened", path, said)
        made = self._form(t.inner, path)
        return made._replace(notes=(*made.notes, said))

    def _noted(self, t: Noted, path: Path) -> Written:
        inner, note = self._parted(t, path)
        made, said = self._form(inner, path), comment_of((), note)
        return made._replace(notes=(*made.notes, *([said] if said else [])))

    def _matching_notes(self, matching: Iterable[Matching], path: Path) -> list[str]:
        notes = list[str]()
        for m in matching:
            made = self._aside(m.type, (*path, f"/{m.pattern}/"))
            said = printable(m.pattern)
            self._lose("widened", path, f"keys by /{said}/")
            notes += [f"keys that match /{said}/ are {made.text}", *made.notes]
        return notes

    def _extra_notes(self, extra: Type | None, path: Path, what: str) -> tuple[str, ...]:
        """Return what a comment says of the types of *what*, which have no names."""
        if extra == ANY:
            return ()
        self._lose("widened", path, f"no {what}" if extra is None else what)
        if extra is None:
            return (f"no {what}",)
        made = self._aside(extra, path)
        return (f"{what} are {made.text}", *made.notes)


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
