"""How a type is written: the notations, one module and one row each.

To add one, write a module with a `LANGUAGE` and add its row to `NOTATIONS`; the matrix and
round-trip tests then read the row.  Notations never import each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.algebra.errors import TypesigError, Unsupported
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import Type
from typesig.algebra.signature import Signature, lone
from typesig.notations.language import Language


class Notation(NamedTuple):
    """A language that signatures are written in.

    #: load: returns its functions; its module is imported by that and not before
    #: example: something written in it
    """

    name: str
    load: Callable[[], Language]
    example: Any

    @property
    def parse(self) -> Callable[[Any], Signature]:
        """The function from what is written to a signature."""
        return self.load().parse

    @property
    def render(self) -> Callable[[Signature, list[Loss], bool], Any]:
        """The function from a signature to what is written."""
        return self.load().render

    @property
    def image(self) -> Callable[[Signature], Signature]:
        """The function from a signature to what reading it back gives."""
        return self.load().image


def _shorthand() -> Language:
    from typesig.notations.shorthand import LANGUAGE

    return LANGUAGE


def _json_schema() -> Language:
    from typesig.notations.json_schema import LANGUAGE

    return LANGUAGE


def _gram() -> Language:
    from typesig.notations.gram import LANGUAGE

    return LANGUAGE


def _gram_path() -> Language:
    from typesig.notations.gram import PATH

    return PATH


NOTATIONS: dict[str, Notation] = {
    n.name: n
    for n in (
        Notation("shorthand", _shorthand, "(id :int) -> {name :string}"),
        Notation("json_schema", _json_schema, {"type": "integer"}),
        Notation("gram", _gram, "(name: Text, age: Maybe Int) --> IO Text"),
        Notation("gram_path", _gram_path, '(name::String {default:"world"})==>(::String)'),
    )
}


def named(name: str) -> Notation:
    """Return the notation called *name*; raise `TypesigError` where there is none."""
    found = NOTATIONS.get(name)
    if found is None:
        raise TypesigError(f"there is no notation {name!r}; there are {', '.join(NOTATIONS)}")
    return found


def parse(source: object, notation: str | None = None) -> Signature:
    """Return the signature that *source* writes, a lone type being one without parameters.

    Text is shorthand where no *notation* is named; a signature or a type is taken as it is.
    Raises `SignatureSyntaxError` with line, column, caret and remedy.

    >>> parse("(id :int, name :string?) -> {count :int}").params[0].name
    'id'
    """
    if isinstance(source, Signature):
        return source
    if isinstance(source, Type):
        return lone(source)
    if notation is None and not isinstance(source, str):
        raise TypesigError(
            f"a signature is text such as '(id :int) -> :bool', not {type(source).__name__}"
        )
    return named(notation or "shorthand").parse(source)


def _whole(x: object) -> tuple[Signature, bool]:
    if isinstance(x, Type):
        return lone(x), True
    return parse(x), False


def render(x: object, notation: str = "shorthand", lossy: bool = False) -> Any:
    """Return a signature, a type, or what `parse` takes, written in *notation*.

    Raises `Unsupported` with the place where the notation cannot say something, unless *lossy*.

    >>> render("(id :int)->:int? ; by id")
    '(id :int) -> :int?'
    """
    result, losses = convert(x, notation)
    widened = [loss for loss in losses if loss.became != "nothing"]
    if widened and not lossy:
        raise Unsupported(f"{widened[0].what}: {widened[0].why}", widened[0].path, "")
    return result


def convert(x: object, to: str) -> tuple[Any, tuple[Loss, ...]]:
    """Return *x* written in the notation *to*, and what that notation could not say.

    >>> convert("{:id :int :name :string}", "shorthand")
    ('() -> {id :int, name :string}', ())
    """
    signature, alone = _whole(x)
    losses: list[Loss] = []
    result = named(to).render(signature, losses, alone)
    return result, tuple(losses)
