"""Comments of write-only notations: bounds, defaults and descriptions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import ClassVar, NamedTuple

from typesig.algebra.loss import Loss, LossKind
from typesig.algebra.naming import make_type_name
from typesig.algebra.nodes import ANY, Annotation, Field, ItemCount, PatternField, Refinement, Type
from typesig.algebra.redaction import redact
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.signature import Signature, get_flags, map_types
from typesig.algebra.traversal import drop_annotations
from typesig.notations.texts.literals import count_text, write_constraints, write_literal
from typesig.notations.texts.quoting import escape_unprintable

Path = tuple[str, ...]

#: How tightly a form binds.  A form in a place that asks for more is put in parentheses.
UNION, BOTH, ATOM = range(3)


class WrittenType(NamedTuple):
    """A type written as text, and the notes that its comment adds.

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


def add_comment(comment: str, mark: str) -> str:
    """Format *comment* to follow code, after the comment sign *mark*; nothing if empty.

    A description that reads as an order to a type checker, as "type: ignore" does, is none.
    """
    if not comment:
        return ""
    return f" {mark} {mark.join(map(_disarm_directives, comment.split(mark)))}"


def _disarm_directives(text: str) -> str:
    """Put a hyphen before a comment *text* that type checkers or linters would obey."""
    words = text.lstrip()
    first = words.partition(":")[0].rstrip().lower()
    if first not in _ORDERS and not words.lower().startswith(("noqa", "@ts-")):
        return text
    return f"{text[: len(text) - len(words)]}- {words}"


def lay_out(entries: Sequence[Entry], mark: str) -> str:
    """Join *entries* with commas; an entry with a comment gets a line of its own.

    An entry with a comment stands on a line of its own, with one blank of indent; *mark* begins the
    comment.
    """
    out: list[str] = []
    broken = False
    for place, (text, comment) in enumerate(entries, 1):
        comma = "," if place < len(entries) else ""
        before = "\n " if comment or broken else " " if out else ""
        out.append(f"{before}{text}{comma}{add_comment(comment, mark)}")
        broken = bool(comment)
    return "".join(out) + ("\n" if broken else "")


def make_comment(notes: Iterable[str], text: str | None) -> str:
    """Join *notes* and the description *text* to a comment on one line."""
    said = ", ".join(dict.fromkeys(notes))
    described = to_one_line(text or "")
    return f"{said}; {described}" if said and described else said or described


def to_one_line(text: str) -> str:
    """Return *text* on one line: blanks for line breaks, without characters that do not print."""
    lines = [line.expandtabs(4).strip() for line in text.splitlines()]
    joined = " ".join(line for line in lines if line)
    return joined if joined.isprintable() else "".join(c for c in joined if c.isprintable())


def split_annotations(t: Type) -> tuple[Type, str | None]:
    """Return *t* without its annotations, and their descriptions, the outermost first."""
    texts: list[str] = []
    while isinstance(t, Annotation):
        texts += [] if t.text is None else [t.text]
        t = t.inner
    return t, "; ".join(texts) or None


def find_annotation_losses(t: Type, path: Path, where: str) -> list[Loss]:
    """Return the losses of annotations of *t* written as comments in *where*."""
    out = []
    while isinstance(t, Annotation):
        if t.title is not None:
            out.append(Loss("omitted", path, f"title {t.title!r}", f"{where} has no titles"))
        if to_one_line(t.text or "") != (t.text or ""):
            what, why = "the lines of a description", "a comment is one line"
            out.append(Loss("omitted", path, what, why, "blanks"))
        t = t.inner
    return out


def join_comments(*comments: str) -> str:
    """Join *comments*, without empty ones."""
    return "; ".join([comment for comment in comments if comment])


class CommentWriter:
    """Base class of writers that put inexpressible parts of types into comments.

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
    def _write_form(self, t: Type, path: Path) -> WrittenType:
        """Write the type *t* at the path *path* in the language of the writer."""

    def _write_aside(self, t: Type, path: Path) -> WrittenType:
        """Write the type *t* at the path *path* for use inside a comment."""
        return self._write_form(t, path)

    def _record_loss(
        self, kind: LossKind, path: Path, what: str, became: str = "a comment"
    ) -> None:
        """Record that a part of a type, at the path *path*, *became* a comment."""
        self.losses.append(Loss(kind, path, what, f"{self.where} has no form for it", became))

    def _split_annotations(self, t: Type, path: Path) -> tuple[Type, str | None]:
        """Return *t* without annotations, and its description; record losses."""
        self.losses += find_annotation_losses(t, path, self.where)
        return split_annotations(t)

    def _add_comment(self, comment: str) -> str:
        """Format *comment* to follow code, with the comment mark of the language."""
        return add_comment(comment, self.mark)

    def _describe_field(self, field: Field, path: Path) -> Entry:
        """Return the type of *field* as text, and the comment on the field."""
        inner, note = self._split_annotations(field.type, path)
        made = self._write_form(inner, path)
        notes = made.notes
        if field.default is not None:
            self._record_loss("omitted", path, "the default")
            notes = (*notes, f"default {write_literal(field.default, self.in_json)}")
        return Entry(made.text, make_comment(notes, note))

    def _describe_negation(self, inner: Type, path: Path) -> WrittenType:
        """Write `not` *inner* as any type, with the negation in a comment."""
        self._record_loss("widened", path, ":not")
        made = self._write_aside(inner, path)
        return WrittenType(ATOM, self.anything, (f"not {made.text}", *made.notes))

    def _describe_counted(self, t: ItemCount, path: Path) -> WrittenType:
        """Write the item count *t* as any list, with the count in a comment."""
        self._record_loss("widened", path, ":count")
        made = self._write_aside(t.item, path)
        return WrittenType(ATOM, self.any_list, (f"{count_text(t)} of {made.text}", *made.notes))

    def _describe_refined(self, t: Refinement, path: Path) -> WrittenType:
        """Write the inner type of *t*, with its constraints in a comment."""
        said = escape_unprintable(write_constraints(t.constraints))
        self._record_loss("widened", path, said)
        made = self._write_form(t.inner, path)
        return made._replace(notes=(*made.notes, said))

    def _describe_annotated(self, t: Annotation, path: Path) -> WrittenType:
        """Write the inner type of *t*, with its description in a comment."""
        inner, note = self._split_annotations(t, path)
        made, said = self._write_form(inner, path), make_comment((), note)
        return made._replace(notes=(*made.notes, *([said] if said else [])))

    def _describe_patterns(self, matching: Iterable[PatternField], path: Path) -> list[str]:
        """Describe the pattern fields *matching* in comments; record losses."""
        notes = list[str]()
        for m in matching:
            made = self._write_aside(m.type, (*path, f"/{m.pattern}/"))
            said = escape_unprintable(m.pattern)
            self._record_loss("widened", path, f"keys by /{said}/")
            notes += [f"keys that match /{said}/ are {made.text}", *made.notes]
        return notes

    def _describe_extra(self, extra: Type | None, path: Path, what: str) -> tuple[str, ...]:
        """Return comments on *extra*, the type of undeclared names."""
        if extra == ANY:
            return ()
        self._record_loss("widened", path, f"no {what}" if extra is None else what)
        if extra is None:
            return (f"no {what}",)
        made = self._write_aside(extra, path)
        return (f"{what} are {made.text}", *made.notes)


def express(signature: Signature, described: bool = True) -> tuple[Signature, list[Loss]]:
    """Return *signature* without firewalled names, and the losses.

    Unless it is *described*, it has no descriptions and titles either.
    """
    losses: list[Loss] = []
    shown = redact(signature, losses) if get_flags(signature) & HIDDEN else signature
    if shown != signature:
        losses.insert(0, Loss("omitted", (), "firewalled names", "a model is not shown them"))
    return shown if described else map_types(shown, drop_annotations), losses


def make_identifier(name: str, taken: Collection[str]) -> str:
    """Return *name*, or a type name made from it if it is invalid or in *taken*."""
    is_fine = name.isascii() and name.isidentifier() and name not in taken
    return name if is_fine and not name.startswith("__") else make_type_name(name)
