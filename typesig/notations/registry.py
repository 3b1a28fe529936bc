"""The table of notations, and parsing and rendering in one that is chosen by name.

To add a notation, write a package with a `NOTATION`, add its name to `NotationName` and its row
to `NOTATIONS`; the tests of totality, the matrix and the corpora then name what else it needs.
"""

from __future__ import annotations

from typing import Any

from typesig.algebra.loss import Losses, select_changing
from typesig.algebra.nodes import Type
from typesig.algebra.rows.builtin import as_data
from typesig.algebra.rows.values import Keyword, to_builtin
from typesig.algebra.signature import Signature, add_losses, make_type_signature
from typesig.errors import TypesigError, Unsupported, format_value
from typesig.notations import compact, gram, json_schema, malli, python, shorthand, typescript
from typesig.notations.texts.notation import Notation, NotationName

#: The notations by name, each with `parse`, if it can be read, and `render`.
NOTATIONS: dict[NotationName, Notation] = {
    notation.name: notation
    for notation in (
        shorthand.NOTATION,
        compact.NOTATION,
        malli.NOTATION,
        malli.EDN_NOTATION,
        json_schema.NOTATION,
        gram.NOTATION,
        gram.PATH_NOTATION,
        typescript.NOTATION,
        python.NOTATION,
    )
}


def readable() -> tuple[NotationName, ...]:
    """Return the names of the notations that can be parsed, and not only rendered."""
    return tuple([name for name, notation in NOTATIONS.items() if notation.parse is not None])


def _get_notation(name: str) -> Notation:
    """Return the notation called *name*; raise `TypesigError` if there is none."""
    for known, notation in NOTATIONS.items():
        if known == name:
            return notation
    raise TypesigError(
        f"there is no notation {format_value(name)}; there are {', '.join(NOTATIONS)}"
    )


def parse(
    source: object, notation: NotationName | None = None, *, lossy: bool = False, **options: Any
) -> Signature:
    """Return the signature that *source* describes; a type becomes a signature without parameters.

    Without *notation*, text is shorthand, and a list or a tuple is Malli data; a signature or a
    type is accepted unchanged. The notations are `shorthand`; `compact`, text for prompts; `malli`,
    data or its EDN text; `edn`, EDN text only; `json_schema`, data or its JSON text; `gram` and
    `gram_path`. *options* depend on the notation: `json_schema` takes `resources`, the referenced
    schemas by URI. Raises `SignatureSyntaxError` for text, with line, column and remedy, and
    `Unsupported` for data, with the place. With *lossy*, an unreadable part is widened instead, and
    listed in the `losses` of the signature.

    >>> parse("(id :int, name :string?) -> {count :int}").params[0].name
    'id'
    >>> str(parse([":map", [":id", ":int"]]))
    '() -> {id :int}'
    >>> schema = {"type": "array", "items": {"$ref": "https://example.com/row.json"}}
    >>> signature = parse(schema, "json_schema", lossy=True)
    >>> str(signature), [loss.kind for loss in signature.losses]
    ('() -> [:any]', ['widened'])
    """
    if notation is None and not options and type(source) is str:
        return shorthand.parse_text(source)
    # By its class: `isinstance` asks the object itself, too, which may raise.
    given: Any = source
    if issubclass(type(given), Signature):
        same: Signature = given
        return same
    if issubclass(type(given), Type):
        return make_type_signature(given)
    source = as_data(to_builtin(source))
    found = _get_notation(notation or _guess_notation(source))
    if found.parse is None:
        known = ", ".join(readable())
        raise TypesigError(f"the notation {found.name} is only written; {known} are also read")
    _check_options(found.name, options, found.read_options)
    signature, losses = found.parse(source, lossy, **options)
    return add_losses(signature, losses)


def _guess_notation(source: object) -> NotationName:
    """Return the notation for the class of *source*; raise `TypesigError` if none fits."""
    if isinstance(source, list | tuple | Keyword):
        return "malli"
    if isinstance(source, str):
        return "shorthand"
    if isinstance(source, dict):
        raise TypesigError(
            'a dict is not a signature; for a JSON Schema, pass notation="json_schema"'
        )
    python = callable(source) or type(source).__module__ in {"types", "typing"}
    raise TypesigError(
        "a signature is text such as '(id :int) -> :bool', or Malli data, "
        f"not {type(source).__name__}"
        f"{'; for a type or a function of Python, write contract(…)' if python else ''}"
    )


def render(
    x: object, notation: NotationName = "shorthand", lossy: bool = False, **options: Any
) -> Any:
    """Return *x*, a signature, a type or anything that `parse` takes, written in *notation*.

    *options* are those of `convert`.  Unless *lossy*, raises `Unsupported` with the place of what
    the notation cannot express.

    >>> render("(id :int)->:int? ; by id")
    '(id :int) -> :int?'
    """
    result, losses = convert(x, notation, **options)
    if not lossy:
        for loss in select_changing(losses):
            raise Unsupported(f"{loss.what}: {loss.why}", loss.path, "")
    return result


def convert(x: object, to: NotationName, **options: Any) -> tuple[Any, Losses]:
    """Write *x* in the notation *to*, and list the parts that it cannot express.

    *options* depend on the notation: `malli` and `edn` take `named=True`, which keeps the names of
    parameters.  Raises `TypesigError` for an option that the notation does not have.

    >>> convert("{:id :int :name :string}", "shorthand")
    ('() -> {id :int, name :string}', ())
    >>> convert("(id :int) -> :bool", "edn", named=True)
    ('[:=> [:catn [:id :int]] :boolean]', ())
    """
    given: Any = x
    signature, is_type = (
        (make_type_signature(given), True) if issubclass(type(given), Type) else (parse(x), False)
    )
    notation = _get_notation(to)
    _check_options(to, options, notation.options)
    return notation.render(signature, is_type, **options)


def _check_options(name: str, given: dict[str, Any], known: frozenset[str]) -> None:
    """Raise `TypesigError` if the notation *name* does not know an option in *given*."""
    if unknown := sorted(given.keys() - known):
        names = ", ".join(sorted(known)) or "none"
        raise TypesigError(
            f"the notation {name} has no option {format_value(unknown[0])}; it has {names}"
        )
