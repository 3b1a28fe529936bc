"""What stands beside a hint in `Annotated`: constraints, descriptions, marks.

Metadata of annotated-types is known by its module and name; nothing is imported for it.
To add a kind, add a row to `READERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeVar

from typesig.algebra.constraints import COMPARISONS, Constraint, ConstraintName
from typesig.errors import TypesigError

T = TypeVar("T")


class Mark:
    """A mark on a hint, told by identity."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"typesig.{self.name}"

    def __reduce__(self) -> str:
        return "INJECTED" if self.name == "Injected" else "Visible"


INJECTED = Mark("Injected")

#: `Injected[T]`: a parameter that the host supplies and the model never sees.
Injected = Annotated[T, INJECTED]

#: Beside a record field's hint, it shows a name with a leading underscore to the model.
Visible = Mark("Visible")


class Notes(NamedTuple):
    """What metadata says.

    #: unread: metadata that says something this library does not understand
    """

    constraints: tuple[Constraint, ...]
    text: str | None
    visible: bool
    injected: bool
    unread: tuple[Any, ...]


NOTHING = Notes((), None, False, False, ())


def read(metadata: tuple[Any, ...]) -> Notes:
    """Return what *metadata* says; of two texts the later one holds."""
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
            # A `Field` of pydantic: a description and metadata of its own.
            inner = read(tuple(item.metadata))
            text = item.description or text
            constraints.extend(inner.constraints)
            unread.extend(inner.unread)
        elif type(item).__name__ == "Meta" and type(item).__module__.startswith("msgspec"):
            text = item.description or text
            found = _made(_named(item))
            constraints.extend(found or ())
            unread.extend([item] if found is None else [])
        else:
            found = _constraints(item)
            if found is None or _says_more(item):
                unread.append(item)
            constraints.extend(found or ())
    marks = [item for item in metadata if isinstance(item, Mark)]
    injected = INJECTED in marks or any(item is Injected for item in metadata)
    return Notes(tuple(constraints), text, Visible in marks, injected, tuple(unread))


_NAMES: dict[str, ConstraintName] = {
    "gt": "above", "ge": "at_least", "lt": "below", "le": "at_most", "multiple_of": "multiple_of",
    "min_length": "at_least", "max_length": "at_most", "pattern": "pattern",
}  # fmt: skip


def _named(item: Any) -> list[tuple[ConstraintName, Any]]:
    """Return what the attributes of *item* bound."""
    found = {name: getattr(item, name, None) for name in _NAMES}
    return [(_NAMES[name], getattr(bound, "pattern", bound)) for name, bound in found.items()
            if bound is not None and not (name == "min_length" and not bound)]  # fmt: skip


def _of_attrs(item: Any) -> list[tuple[ConstraintName, Any]] | None:
    name = type(item).__name__
    if name == "_NumberValidator" and item.compare_op in COMPARISONS:
        return [(COMPARISONS[item.compare_op], item.bound)]
    if name == "_MaxLengthValidator":
        return [("at_most", item.max_length)]
    if name == "_MinLengthValidator":
        return [("at_least", item.min_length)]
    if name == "_MatchesReValidator":
        end = {"fullmatch": "$", "match": ""}.get(item.match_func.__name__)
        text = item.pattern.pattern
        return [("pattern", text if end is None else f"^(?:{text}){end}")]
    return None


def _made(pairs: list[tuple[ConstraintName, Any]]) -> list[Constraint] | None:
    """Return the constraints of *pairs*, None where one of them, such as a pattern, is refused."""
    try:
        return [Constraint(*pair) for pair in pairs]
    except TypesigError:
        return None


#: What pydantic's metadata does to a value or asks of its making, and says nothing of the value.
_HARMLESS = frozenset({
    "allow_inf_nan", "coerce_numbers_to_str", "fail_fast", "strict", "strip_whitespace",
    "to_lower", "to_upper", "union_mode",
})  # fmt: skip


def _says_more(item: Any) -> bool:
    """Tell whether metadata of pydantic bounds what no constraint here does."""
    if type(item).__name__ != "_PydanticGeneralMetadata":
        return False
    return any(name not in _NAMES.keys() | _HARMLESS for name in vars(item))


def _constraints(item: Any) -> list[Constraint] | None:
    """Return the constraints that *item* stands for, None where it says something else."""
    if isinstance(item, Constraint):
        return [item]
    module = type(item).__module__
    if module == "annotated_types":
        reader = READERS.get(type(item).__name__)
        return None if reader is None else _made(reader(item))
    if module == "attr.validators":
        pairs = _of_attrs(item)
        return None if pairs is None else _made(pairs)
    if module.startswith("pydantic") and type(item).__name__ in (
        "StringConstraints",
        "_PydanticGeneralMetadata",
    ):
        return _made(_named(item))
    # Metadata of other libraries that says nothing about values is no loss.
    return [] if item is None or (module == "builtins" and not callable(item)) else None


Pairs = list[tuple[ConstraintName, Any]]


def _interval(item: Any) -> Pairs:
    given: Pairs = [
        ("above", item.gt),
        ("at_least", item.ge),
        ("below", item.lt),
        ("at_most", item.le),
    ]
    return [(name, bound) for name, bound in given if bound is not None]


def _length(item: Any) -> Pairs:
    pairs: Pairs = [("at_least", item.min_length)] if item.min_length else []
    return pairs if item.max_length is None else [*pairs, ("at_most", item.max_length)]


READERS: dict[str, Callable[[Any], Pairs]] = {
    "Gt": lambda item: [("above", item.gt)],
    "Ge": lambda item: [("at_least", item.ge)],
    "Lt": lambda item: [("below", item.lt)],
    "Le": lambda item: [("at_most", item.le)],
    "Interval": _interval,
    "MultipleOf": lambda item: [("multiple_of", item.multiple_of)],
    "MinLen": lambda item: [("at_least", item.min_length)] if item.min_length else [],
    "MaxLen": lambda item: [("at_most", item.max_length)],
    "Len": _length,
}
