"""The images of signatures: what gram, and its path form, can say, which is what reads back.

Params are open, names are kept, descriptions are left out; the image of an image is itself.
"""

from __future__ import annotations

from typesig.algebra.constructors import maybe
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import ANY, Field, Maybe, Noted, Scalar, Type
from typesig.algebra.redaction import used
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import walk, without_notes
from typesig.algebra.values import without_keywords
from typesig.errors import TooDeep
from typesig.limits import MAX_DEPTH
from typesig.notations.gram.spellings import SPELLINGS
from typesig.notations.gram.widening import WHY, Why, Widener, default_of
from typesig.notations.gram.writer import default_text, label

_CLOSED = Why("closed parameters", "gram's parameters are open; leave out the !")
_EXTRA = Why("a type of other arguments", "gram does not say it; leave out the **")

_UNUSED = Why("a named type", "nothing uses it")

#: What the path form cannot say beside what gram cannot.
_PATH = {
    "List": Why("a list of one type", "the path form says Array alone; write the other form"),
    "Record": Why("a record", "the path form says Object alone; write the other form"),
    "Maybe": Why("a result that may be null", "the path form says so of params alone"),
}
_ABSENT = Why("a name that may be absent, not null", "a default of null says both; use :T?")
_NULLABLE = Why("a name that may be null, not absent", "a default of null says both; use :T?")
_SECOND = "a default of null says that it may be null; use :T?"


def text_expressible(signature: Signature) -> tuple[Signature, Losses]:
    """Return what reading *signature* back from gram gives, and what is lost."""
    kept: list[Loss] = []
    try:
        made = _text_expressible(signature, Widener(signature.names, kept, 4 * MAX_DEPTH))
    except TooDeep:
        # A Maybe for each name that may be absent made it deeper than can be read.
        kept = []
        made = _text_expressible(signature, Widener(signature.names, kept, MAX_DEPTH - 8))
    return made, tuple(kept)


def _text_expressible(signature: Signature, widener: Widener) -> Signature:
    params = [widener.field(f, ("params", f.name), 0) for f in signature.params]
    _undeclared(signature, widener)
    returns = widener.of(signature.returns, ("returns",))
    return Signature(params, returns, io=signature.io)


def _undeclared(signature: Signature, widener: Widener) -> None:
    """Keep what is lost of a signature beside its params and result."""
    extra = signature.extra
    if extra is None:
        widener.lose(("params",), _CLOSED, "open parameters")
    elif extra != ANY:
        widener.lose(("params", "**"), _EXTRA, "open parameters")
        _lose_notes(extra, ("params", "**"), widener)
    wholes = [f.type for f in signature.params] + [signature.returns]
    reached = used(signature.names, wholes if extra is None else [*wholes, extra])
    for name in sorted(signature.names.keys() - reached):
        widener.losses.append(Loss("omitted", ("definitions", name), *_UNUSED))


def path_expressible(signature: Signature) -> tuple[Signature, Losses]:
    """Return what reading *signature* back from the path form gives, and what is lost."""
    losses: list[Loss] = []
    widener = Widener(signature.names, losses, MAX_DEPTH)
    params = [_param(f, ("params", f.name), widener) for f in signature.params]
    _undeclared(signature, widener)
    head = widener.head(signature.returns)
    returns = ANY if isinstance(head, Maybe) else head
    _lose_shape(signature.returns, returns, returns, ("returns",), widener)
    return Signature(params, returns, io=signature.io), tuple(losses)


def _param(field: Field, at: tuple[str, ...], widener: Widener) -> Field:
    head = widener.head(field.type)
    t = head.inner if isinstance(head, Maybe) else head
    default = None if field.default is None else without_keywords(field.default)
    nullable = isinstance(head, Maybe) or (default is not None and default.kind == "nil")
    # Null is said by a default, of which a node has one.
    fixed = None if nullable else default
    absent = nullable or (not field.required and fixed is None)
    image = Field(field.name, maybe(t) if absent else t, not absent, fixed, field.exact)
    became = label(t) + default_text(image)
    _lose_shape(field.type, head, t, at, widener, became)
    if field.default is not None and field.default != fixed:
        why = _SECOND if nullable else "JSON has no keywords; use a text"
        widener.lose(at, Why(default_of(field.default), why), became)
    elif absent and field.required:
        widener.lose(at, _NULLABLE, became)
    elif absent and not nullable:
        widener.lose(at, _ABSENT, became)
    return image


def _lose_shape(
    whole: Type, said: Type, t: Type, at: tuple[str, ...], widener: Widener, became: str = ""
) -> None:
    """Keep what one word does not say of *whole*, and its words."""
    if t == ANY or without_notes(whole) != said:
        widener.lose(at, _why(without_notes(whole), said), became or label(t))
    _lose_notes(whole, at, widener)


def _lose_notes(t: Type, at: tuple[str, ...], widener: Widener) -> None:
    for part in walk(t):
        if isinstance(part, Noted):
            widener.lose_notes(part, at)


def _why(t: Type, said: Type) -> Why:
    """Return why one word does not say *t*, of which *said* is as much as can be."""
    name = type(t).__name__
    if isinstance(t, Maybe) and isinstance(said, Maybe):
        return _why(t.inner, said.inner)
    if isinstance(t, Scalar):
        return Why(f":{t.name}", SPELLINGS[t.name].why)
    return WHY.get(name) or _PATH[name]
