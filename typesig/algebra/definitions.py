"""Definitions, which are types with names, and defaults that do not fit their types."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from typesig.algebra.constructors import make_both
from typesig.algebra.nodes import Field, Record, Ref, Type
from typesig.algebra.rows.frozen import DEFAULTS, NestedValue
from typesig.algebra.traversal import iter_same_value_types, iter_types, transform
from typesig.errors import TooDeep, TypesigError
from typesig.limits import MAX_CHAIN

# --- Definitions: types with names, which a signature has beside its own types ---


class Definition(NestedValue):
    """A named type."""

    __slots__ = ("name", "type")
    __match_args__ = ("name", "type")
    _DEPTH = 0
    name: str
    type: Type

    def __init__(self, name: str, type: Type) -> None:
        self._fill(name, type)


class Definitions(tuple[Definition, ...]):
    """Definitions that are hashed once, since they are part of the key of each compiled check."""

    def __hash__(self) -> int:
        known: int | None = self.__dict__.get("hash")
        if known is None:
            known = self.__dict__["hash"] = tuple.__hash__(self)
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        # Hashes of texts differ between processes.
        return Definitions, (tuple(self),)


def sort_definitions(definitions: Mapping[str, Type] | Iterable[Definition]) -> Definitions:
    """Return *definitions* in the order of their names."""
    items: Iterable[Any] = definitions
    if isinstance(definitions, Mapping):
        named = cast("Mapping[str, Type]", definitions)
        items = [Definition(name, t) for name, t in named.items()]
    return Definitions(sorted(items, key=lambda definition: definition.name))


def check_chains(named: Mapping[str, Type]) -> None:
    """Raise if a chain of references between *named* types is circular or too long."""
    # Lists, maps and records are not entered: a name within them is not part of a chain.
    leads = {
        name: [
            part.name
            for part in iter_same_value_types(t, {}, negations=True)
            if isinstance(part, Ref)
        ]
        for name, t in named.items()
    }
    length: dict[str, int] = {}
    for start in named:
        path: list[tuple[str, int]] = [(start, 0)]
        while path:
            name, tried = path.pop()
            if tried < len(leads[name]):
                path.append((name, tried + 1))
                following = leads[name][tried]
                if any(following == known for known, _ in path):
                    raise TypesigError(
                        f"the type :{following} is defined only by itself; put a list, a map or "
                        "a record in between"
                    )
                if following not in length:
                    path.append((following, 0))
            else:
                length[name] = 1 + max([length[n] for n in leads[name]], default=0)
            if len(path) > MAX_CHAIN or length.get(name, 0) > MAX_CHAIN:
                raise TooDeep(f"a name may lead to a name {MAX_CHAIN} times, :{start} does more")


# --- Defaults that do not fit their types: the error, where they stand ---


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
