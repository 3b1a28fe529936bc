"""How a type is written: the notations, one module and one row each.

To add one, write a module with a `LANGUAGE` and add its row to `NOTATIONS`; the matrix and
round-trip tests then read the row.  Notations never import each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import Type
from typesig.algebra.signature import Signature, lone
from typesig.algebra.values import Keyword
from typesig.errors import TypesigError, Unsupported
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
    def render(self) -> Callable[..., Any]:
        """The function from a signature to what is written."""
        return self.load().render

    @property
    def expressible(self) -> Callable[..., Signature]:
        """The function from a signature to what reading it back gives."""
        return self.load().expressible


def _shorthand() -> Language:
    from typesig.notations.shorthand import LANGUAGE

    return LANGUAGE


def _malli() -> Language:
    from typesig.notations.malli import LANGUAGE

    return LANGUAGE


def _edn() -> Language:
    from typesig.notations.malli import EDN_LANGUAGE

    return EDN_LANGUAGE


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
        Notation("malli", _malli, [":=>", [":cat", ":int"], [":map", [":name", ":string"]]]),
        Notation("edn", _edn, "[:=> [:cat :int] [:map [:name :string]]]"),
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

    Where no *notation* is named, text is shorthand, and a list or a tuple is Malli data; a
    signature or a type is taken as it is.
    Raises `SignatureSyntaxError` with line, column, caret and remedy; for data `Unsupported` with
    the place.

    >>> parse("(id :int, name :string?) -> {count :int}").params[0].name
    'id'
    >>> str(parse([":map", [":id", ":int"]]))
    '() -> {id :int}'
    """
    if isinstance(source, Signature):
        return source
    if isinstance(source, Type):
        return lone(source)
    if notation is None:
        notation = _spoken(source)
    return named(notation).parse(source)


def _spoken(source: object) -> str:
    """Return the notation that *source* is in by its kind; raise `TypesigError` where none is."""
    if isinstance(source, list | tuple | Keyword):
        return "malli"
    if isinstance(source, str):
        return "shorthand"
    if isinstance(source, dict):
        raise TypesigError('a dict is no signature; for a JSON Schema, say notation="json_schema"')
    raise TypesigError(
        "a signature is text such as '(id :int) -> :bool', or Malli data, "
        f"not {type(source).__name__}"
    )


def _whole(x: object) -> tuple[Signature, bool]:
    if isinstance(x, Type):
        return lone(x), True
    return parse(x), False


def render(x: object, notation: str = "shorthand", lossy: bool = False, **options: Any) -> Any:
    """Return a signature, a type, or what `parse` takes, written in *notation*.

    *options* are those of `convert`.  Raises `Unsupported` with the place where the notation
    cannot say something, unless *lossy*.

    >>> render("(id :int)->:int? ; by id")
    '(id :int) -> :int?'
    """
    result, losses = convert(x, notation, **options)
    widened = [loss for loss in losses if loss.became != "nothing"]
    if widened and not lossy:
        raise Unsupported(f"{widened[0].what}: {widened[0].why}", widened[0].path, "")
    return result


def convert(x: object, to: str, **options: Any) -> tuple[Any, tuple[Loss, ...]]:
    """Return *x* written in the notation *to*, and what that notation could not say.

    *options* are the notation's own: `malli` and `edn` take `named=True`, for parameters with
    their names.  Raises `TypesigError` for one that it has not.

    >>> convert("{:id :int :name :string}", "shorthand")
    ('() -> {id :int, name :string}', ())
    >>> convert("(id :int) -> :bool", "edn", named=True)
    ('[:=> [:catn [:id :int]] :boolean]', ())
    """
    signature, alone = _whole(x)
    language = named(to).load()
    if unknown := sorted(options.keys() - language.options):
        there = ", ".join(sorted(language.options)) or "none"
        raise TypesigError(f"the notation {to} has no option {unknown[0]!r}; it has {there}")
    losses: list[Loss] = []
    result = language.render(signature, losses, alone, **options)
    return result, tuple(losses)
