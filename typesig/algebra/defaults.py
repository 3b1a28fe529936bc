"""Defaults that do not fit their types: the error, where they stand, and types without them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from typesig.algebra.constructors import make_both
from typesig.algebra.nodes import Field, Record, Type
from typesig.algebra.rows.frozen import DEFAULTS
from typesig.algebra.traversal import iter_types, transform
from typesig.errors import TypesigError


class MisfitDefault(NamedTuple):
    """A field whose default does not fit its type, and the reason why."""

    field: Field
    why: str


class MisfitDefaultError(TypesigError):
    """Error for a signature with defaults that do not fit their types.

    #: unfit: each of their fields, with the reason
    """

    def __init__(self, unfit: tuple[MisfitDefault, ...]) -> None:
        self.unfit = unfit
        super().__init__(format_misfit(unfit[0]))


def format_misfit(unfit: MisfitDefault) -> str:
    """Return the error message for the misfit default *unfit*."""
    return (
        f"the default of {unfit.field.name} does not fit its type: {unfit.why}; "
        "correct it, or leave it out"
    )


def iter_fields_with_defaults(
    params: Iterable[Field], types: Iterable[Type]
) -> Iterator[tuple[Field, Type]]:
    """Yield each field with a default in *params* and *types*, and the type of its values."""
    within = list(types)
    for param in params:
        within.append(param.type)
        if param.default is not None:
            yield param, param.type
    for t in within:
        if not t.flags & DEFAULTS:
            continue
        for part in iter_types(t):
            if not isinstance(part, Record):
                continue
            for field in part.fields:
                if field.default is not None:
                    # Patterns apply to declared names too.
                    also = [m.type for m in part.matching if m.test()(field.name)]
                    yield field, make_both([field.type, *also])


def select_innermost(unfit: Collection[MisfitDefault]) -> list[MisfitDefault]:
    """Return the misfit defaults without other misfits inside their types, or else all.

    A default may be unfit only because of another one within its own type, which is filled in.
    """
    fields = {field for field, _ in unfit}
    inner = [
        each
        for each in unfit
        if not any(f in fields for f, _ in iter_fields_with_defaults((), [each.field.type]))
    ]
    return inner or list(unfit)


def drop_defaults(t: Type, fields: Collection[Field]) -> Type:
    """Return *t* without the defaults of those fields that are in *fields*."""

    def step(part: Type) -> Type:
        if not isinstance(part, Record) or not any(f in fields for f in part.fields):
            return part
        return Record(drop_field_defaults(part.fields, fields), part.extra, part.matching)

    return transform(t, step) if t.flags & DEFAULTS else t


def drop_field_defaults(given: Iterable[Field], fields: Collection[Field]) -> tuple[Field, ...]:
    """Copy the fields *given*, without the defaults of those in *fields*."""
    return tuple([drop_default(f) if f in fields else f for f in given])


def drop_record_defaults(t: Type) -> Type:
    """Return *t*, if it is a record, without the defaults of its fields."""
    if not isinstance(t, Record):
        return t
    return Record(tuple(map(drop_default, t.fields)), t.extra, t.matching)


def drop_default(field: Field) -> Field:
    """Return *field* without its default; an optional field stays optional."""
    return Field(field.name, field.type, field.required, exact=field.exact)
