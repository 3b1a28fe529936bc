"""Metadata of a hint in `Annotated`: constraints, descriptions, marks.

Metadata of other libraries is recognised by its module and class name; nothing is imported for it.
A constraint that other libraries state too has their attribute's name in `ATTRIBUTES`.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeVar

from typesig.algebra.constraints import COMPARISONS, Constraint, ConstraintName
from typesig.errors import TypesigError

T = TypeVar("T")


class Mark:
    """A mark on a hint, compared by identity.

    #: name: its public name
    #: variable: the variable of this module that refers to it, for pickling
    """

    def __init__(self, name: str, variable: str) -> None:
        self.name = name
        self.variable = variable

    def __repr__(self) -> str:
        return f"typesig.{self.name}"

    def __reduce__(self) -> str:
        return self.variable


INJECTED = Mark("Injected", "INJECTED")

#: `Injected[T]`: a parameter that the host supplies and the model never sees.
Injected = Annotated[T, INJECTED]

#: Metadata of a record field whose name has a leading underscore: shows the field to the model.
Visible = Mark("Visible", "Visible")


class Notes(NamedTuple):
    """The meaning of metadata.

    #: unread: metadata that states something this library does not understand
    """

    constraints: tuple[Constraint, ...]
    text: str | None
    visible: bool
    injected: bool
    unread: tuple[Any, ...]


NOTHING = Notes((), None, False, False, ())


def read_metadata(metadata: tuple[Any, ...]) -> Notes:
    """Return the meaning of *metadata*; of two descriptions the later one counts."""
    if not metadata:
        return NOTHING
    constraints: list[Constraint] = []
    text: str | None = None
    unread: list[Any] = []
    for item in metadata:
        if isinstance(item, str):
            text = item
        elif isinstance(item, Mark) or item is Injected:
            continue
        elif type(item).__name__ == "Doc" and isinstance(getattr(item, "documentation", None), str):
            text = item.documentation
        elif type(item).__name__ == "FieldInfo" and hasattr(item, "metadata"):
            # A `Field` of pydantic has a description and metadata of its own.
            described = (item.description,) if item.description else ()
            inner = read_metadata((*item.metadata, *described))
            text = inner.text or text
            constraints.extend(inner.constraints)
            unread.extend(inner.unread)
        elif type(item).__name__ == "Meta" and type(item).__module__.startswith("msgspec"):
            text = item.description or text
            found = _made(_pairs_of_attributes(item))
            constraints.extend(found or ())
            unread.extend([item] if found is None else [])
        else:
            found = _constraints(item)
            if found is None or _constrains_further(item):
                unread.append(item)
            constraints.extend(found or ())
    marks = [item for item in metadata if isinstance(item, Mark)]
    injected = INJECTED in marks or any(item is Injected for item in metadata)
    return Notes(tuple(constraints), text, Visible in marks, injected, tuple(unread))


#: The attributes by which metadata of other libraries states a constraint; empty if none does.
ATTRIBUTES: dict[ConstraintName, tuple[str, ...]] = {
    "at_least": ("ge", "min_length"),
    "above": ("gt",),
    "at_most": ("le", "max_length"),
    "below": ("lt",),
    "multiple_of": ("multiple_of",),
    "pattern": ("pattern",),
    "format": (),
    "unique": (),
}

_NAMES: dict[str, ConstraintName] = {
    each: name for name, attributes in ATTRIBUTES.items() for each in attributes
}

_Pairs = list[tuple[ConstraintName, Any]]


def _pairs_of_attributes(item: Any) -> _Pairs:
    """Return the constraints that the attributes of *item* state."""
    found = {name: getattr(item, name, None) for name in _NAMES}
    return [
        (_NAMES[name], getattr(bound, "pattern", bound))
        for name, bound in found.items()
        # Every length is at least 0.
        if bound is not None and not (name == "min_length" and not bound)
    ]


#: How attrs matches a pattern, and that pattern as one that is searched for.
_MATCHES = {"fullmatch": "^(?:{})$", "match": "^(?:{})", "search": "{}"}


def _pairs_of_attrs(item: Any) -> _Pairs | None:
    """Return the constraints that a validator of attrs states, or None if it is another one."""
    name = type(item).__name__
    if name == "_NumberValidator" and item.compare_op in COMPARISONS:
        return [(COMPARISONS[item.compare_op], item.bound)]
    if name == "_MaxLengthValidator":
        return [("at_most", item.max_length)]
    if name == "_MinLengthValidator":
        return [("at_least", item.min_length)]
    if name == "_MatchesReValidator" and item.match_func.__name__ in _MATCHES:
        written = _MATCHES[item.match_func.__name__]
        return [("pattern", written.replace("{}", item.pattern.pattern))]
    return None


def _made(pairs: _Pairs) -> list[Constraint] | None:
    """Return the constraints of *pairs*, or None if one of them, such as a pattern, is refused."""
    try:
        return [Constraint(*pair) for pair in pairs]
    except TypesigError:
        return None


#: Pydantic's options that change a value or how it is parsed, and do not constrain the result.
_HARMLESS = frozenset({
    "allow_inf_nan", "coerce_numbers_to_str", "fail_fast", "strict", "strip_whitespace",
    "to_lower", "to_upper", "union_mode",
})  # fmt: skip


def _constrains_further(item: Any) -> bool:
    """Tell whether *item* is pydantic's and states a constraint that does not exist here."""
    if type(item).__name__ != "_PydanticGeneralMetadata":
        return False
    return any(name not in _NAMES.keys() | _HARMLESS for name in vars(item))


def _constraints(item: Any) -> list[Constraint] | None:
    """Return the constraints that *item* states, or None if it states something else."""
    if isinstance(item, Constraint):
        return [item]
    module = type(item).__module__
    if module == "annotated_types":
        known = type(item).__name__ in _ANNOTATED_TYPES
        return _made(_pairs_of_attributes(item)) if known else None
    if module == "attr.validators":
        pairs = _pairs_of_attrs(item)
        return None if pairs is None else _made(pairs)
    if module.startswith("pydantic") and type(item).__name__ in (
        "StringConstraints",
        "_PydanticGeneralMetadata",
    ):
        return _made(_pairs_of_attributes(item))
    # Plain data, such as a tuple, does not constrain values: leaving it out is no loss.
    return [] if item is None or (module == "builtins" and not callable(item)) else None


#: The classes of annotated-types whose attributes state all that they mean.
_ANNOTATED_TYPES = frozenset({
    "Gt", "Ge", "Lt", "Le", "Interval", "MultipleOf", "MinLen", "MaxLen", "Len",
})  # fmt: skip
