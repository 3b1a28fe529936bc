"""How a type is written: the notations, one module and one row each.

To add one, write a module with a `NOTATION`, add its name to `NotationName` and its row to
`NOTATIONS`; the tests of totality, the matrix and the corpus then name what else it needs.
Notations never import each other.
"""

from __future__ import annotations

from typing import Any

from typesig.algebra.loss import Loss, Losses, changing
from typesig.algebra.nodes import Type
from typesig.algebra.signature import Signature, lone
from typesig.algebra.values import Keyword
from typesig.errors import TypesigError, Unsupported
from typesig.notations import gram, json_schema, malli, shorthand
from typesig.notations.notation import Notation, NotationName

NOTATIONS: dict[NotationName, Notation] = {
    notation.name: notation
    for notation in (
        shorthand.NOTATION,
        malli.NOTATION,
        malli.EDN_NOTATION,
        json_schema.NOTATION,
        gram.NOTATION,
        gram.PATH_NOTATION,
    )
}


def readable() -> tuple[NotationName, ...]:
    """Return the names of the notations that can be read; the others are only written."""
    return tuple([name for name, notation in NOTATIONS.items() if notation.parse is not None])


def named(name: str) -> Notation:
    """Return the notation called *name*; raise `TypesigError` where there is none."""
    for known, notation in NOTATIONS.items():
        if known == name:
            return notation
    raise TypesigError(f"there is no notation {name!r}; there are {', '.join(NOTATIONS)}")


def parse(source: object, notation: NotationName | None = None) -> Signature:
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
    return parse_with_losses(source, notation)[0]


def parse_with_losses(
    source: object, notation: NotationName | None = None, *, lossy: bool = False
) -> tuple[Signature, Losses]:
    """Return the signature that *source* writes, and what was not read of it.

    With *lossy* what cannot be read is widened, and is a loss, instead of raising `Unsupported`.
    The rest is as in `parse`.

    >>> schema = {"type": "array", "unevaluatedItems": False}
    >>> signature, losses = parse_with_losses(schema, "json_schema", lossy=True)
    >>> str(signature), [loss.kind for loss in losses]
    ('() -> [:any]', ['widened'])
    """
    if isinstance(source, Signature):
        return source, ()
    if isinstance(source, Type):
        return lone(source), ()
    found = named(notation or _notation_of(source))
    if found.parse is None:
        known = ", ".join(readable())
        raise TypesigError(f"the notation {found.name} is only written; {known} are also read")
    return found.parse(source, lossy)


def _notation_of(source: object) -> NotationName:
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


def render(
    x: object, notation: NotationName = "shorthand", lossy: bool = False, **options: Any
) -> Any:
    """Return a signature, a type, or what `parse` takes, written in *notation*.

    *options* are those of `convert`.  Raises `Unsupported` with the place where the notation
    cannot express something, unless *lossy*.

    >>> render("(id :int)->:int? ; by id")
    '(id :int) -> :int?'
    """
    result, losses = convert(x, notation, **options)
    if not lossy:
        for loss in changing(losses):
            raise Unsupported(f"{loss.what}: {loss.why}", loss.path, "")
    return result


def convert(x: object, to: NotationName, **options: Any) -> tuple[Any, tuple[Loss, ...]]:
    """Return *x* written in the notation *to*, and what that notation does not express.

    *options* are the notation's own: `malli` and `edn` take `named=True`, for parameters with
    their names.  Raises `TypesigError` for an option that the notation does not have.

    >>> convert("{:id :int :name :string}", "shorthand")
    ('() -> {id :int, name :string}', ())
    >>> convert("(id :int) -> :bool", "edn", named=True)
    ('[:=> [:catn [:id :int]] :boolean]', ())
    """
    signature, alone = (lone(x), True) if isinstance(x, Type) else (parse(x), False)
    notation = named(to)
    if unknown := sorted(options.keys() - notation.options):
        there = ", ".join(sorted(notation.options)) or "none"
        raise TypesigError(f"the notation {to} has no option {unknown[0]!r}; it has {there}")
    return notation.render(signature, alone, **options)
