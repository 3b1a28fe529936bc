"""Metadata of a hint in `Annotated`: constraints, descriptions, marks.

Metadata of other libraries is recognised by its module and class name; nothing is imported for it.
A constraint that other libraries state too has their attribute's name in `ATTRIBUTES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar

from typesig.algebra.constructors import get_description, make_maybe, make_noted
from typesig.algebra.nodes import Annotation, Enum, Maybe, Record, Type
from typesig.algebra.rows.constraints import COMPARISONS, Constraint, ConstraintName
from typesig.errors import TypesigError, format_value
from typesig.extraction.docstrings.docs import read_docstring
from typesig.extraction.hints.context import HintContext
from typesig.extraction.python_types.media import Media
from typesig.limits import MAX_SHOWN

T = TypeVar("T")


class Mark:
    """A public marker for use in `Annotated`, such as `typesig.Visible`.

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


class HostTypeMeta(type):
    """Metaclass of classes whose objects the host, not the model, passes to parameters.

    A class of this kind stands for something of the host's, such as the request that a call is of.
    """


#: What a bound of another library is about: the value itself, its length, or its digits.
Measure: TypeAlias = Literal["value", "length", "digits"]


class NumericLimit(NamedTuple):
    """A bound on a value, its length or its digits, stated in `Annotated` metadata.

    #: relation: how the value, or its length, relates to the bound; digits: the most digits and
    #:     decimal places of a decimal, None for any number of them
    #: measure: which of them does; None if the kind of the value decides, as with a `Constraint`
    """

    relation: ConstraintName | Literal["digits"]
    argument: Any
    measure: Measure | None


class FieldDetails:
    """The title and examples in a field of pydantic or msgspec.

    #: title: a title, or None; examples: values that are examples, which may have no hash
    """

    __slots__ = ("examples", "title")

    def __init__(self, title: str | None, examples: tuple[Any, ...]) -> None:
        self.title = title
        self.examples = examples

    def __repr__(self) -> str:
        told = (("title", self.title), ("examples", [*self.examples]))
        return f"Field({', '.join([f'{name}={value!r}' for name, value in told if value])})"


_SILENCE = FieldDetails(None, ())


class HintMetadata(NamedTuple):
    """The constraints, texts and options parsed from `Annotated` metadata.

    #: bounds: ranges, steps and lengths; constraints: what else it asks of a value
    #: unread: metadata that states something this library does not understand
    #: offset: whether a date or a time needs an offset, or None if it is not said
    #: supplied: the class of `HostTypeMeta` that is injected, or None
    #: title: a title, or None; examples: values that are examples
    #: media: what bytes or paths of a result are, or None
    #: strict: whether pydantic takes no other value for it, as `StrictInt` says
    """

    bounds: tuple[NumericLimit, ...]
    constraints: tuple[Constraint, ...]
    text: str | None
    visible: bool
    injected: bool
    unread: tuple[Any, ...]
    offset: bool | None = None
    supplied: type | None = None
    title: str | None = None
    examples: tuple[Any, ...] = ()
    media: Media | None = None
    strict: bool = False


NOTHING = HintMetadata((), (), None, False, False, ())


def read_metadata(metadata: tuple[Any, ...]) -> HintMetadata:
    """Parse the items of `Annotated` *metadata*; the last description counts."""
    if type(metadata) is not tuple or not metadata:
        return NOTHING
    stated: list[_Statement] = []
    text: str | None = None
    unread: list[Any] = []
    offset: bool | None = None
    said, media = _SILENCE, None
    for item in metadata:
        if isinstance(item, str):
            text = item
        elif isinstance(item, Media):
            media = item
        elif isinstance(item, Mark) or item is Injected or _is_neutral(item):
            continue
        elif type(item).__name__ == "Doc" and isinstance(getattr(item, "documentation", None), str):
            text = item.documentation
        elif type(item).__name__ == "FieldInfo" and hasattr(item, "metadata"):
            # A `Field` of pydantic has a description and metadata of its own.
            inner = read_metadata(tuple(item.metadata))
            said = read_field_details(item, said)
            text = item.description or text
            stated.extend((*inner.bounds, *inner.constraints))
            unread.extend(inner.unread)
        elif type(item).__name__ == "Meta" and type(item).__module__.startswith("msgspec"):
            text, offset = item.description or text, offset if item.tz is None else item.tz
            said = read_field_details(item, said)
            found = _read_attributes(item)
            stated.extend(found or ())
            unread.extend([item] if found is None else [])
        elif isinstance(item, FieldDetails):
            said = item
        elif type(item).__name__ == "Timezone" and getattr(item, "tz", "") in (None, ...):
            offset = item.tz is ...
        else:
            found = _read_statements(item)
            if found is None or _has_unknown_constraint(item):
                unread.append(item)
            stated.extend(found or ())
    marks = [item for item in metadata if isinstance(item, Mark)]
    injected = INJECTED in marks or any(item is Injected for item in metadata)
    bounds = tuple(each for each in stated if isinstance(each, NumericLimit))
    constraints = tuple(each for each in stated if isinstance(each, Constraint))
    marked, strict = (Visible in marks, injected), any(map(_is_strict, metadata))
    notes = (bounds, constraints, text, *marked, tuple(unread), offset, None)
    return HintMetadata(*notes, said.title, said.examples, media, strict)


def read_field_details(item: Any, before: FieldDetails = _SILENCE) -> FieldDetails:
    """Return the title and examples of *item*, a library's field, or *before*."""
    title, examples = item.title, item.examples
    known = tuple(examples) if isinstance(examples, list | tuple) else ()
    return FieldDetails(title if isinstance(title, str) else before.title, known or before.examples)


#: Metadata of pydantic that refuses what JSON cannot carry, says how a branch is chosen, or is read
#: elsewhere.
_SILENT = frozenset({
    "AllowInfNan", "Discriminator", "FailFast", "Strict", "Tag", "_AllowAnyJson",
})  # fmt: skip


def _is_neutral(item: Any) -> bool:
    """Whether the metadata *item* is pydantic's and does not affect JSON values."""
    return get_class(item).__name__ in _SILENT and _is_of_pydantic(item)


def _is_strict(item: Any) -> bool:
    """Whether the metadata *item* is pydantic's and turns coercion off."""
    if not _is_of_pydantic(item):
        return False
    if type(item).__name__ == "FieldInfo":
        return any(map(_is_strict, item.metadata))
    return getattr(item, "strict", None) is True


def get_class(item: Any) -> type:
    """Return *item*, metadata of a hint, if it is a class, otherwise its class."""
    return item if isinstance(item, type) else type(item)


def _is_of_pydantic(item: Any) -> bool:
    """Whether *item* is a class of pydantic or an instance of such a class."""
    return get_class(item).__module__.partition(".")[0] == "pydantic"


#: What metadata states.
_Statement: TypeAlias = NumericLimit | Constraint

#: The attributes by which metadata of other libraries states a constraint, each with what a bound
#: is about; empty if none does.
ATTRIBUTES: dict[ConstraintName, dict[str, Measure | None]] = {
    "at_least": {"ge": "value", "min_length": "length"},
    "above": {"gt": "value"},
    "at_most": {"le": "value", "max_length": "length"},
    "below": {"lt": "value"},
    "multiple_of": {"multiple_of": "value"},
    "pattern": {"pattern": None},
    "format": {},
    "unique": {},
}

_NAMES: dict[str, ConstraintName] = {
    each: name for name, attributes in ATTRIBUTES.items() for each in attributes
}


def _read_attributes(item: Any) -> list[_Statement] | None:
    """Read the constraints in the attributes of *item*; None if a pattern is refused."""
    out: list[_Statement] = []
    for attribute, name in _NAMES.items():
        argument, measure = getattr(item, attribute, None), ATTRIBUTES[name][attribute]
        # Every length is at least 0.
        if argument is None or (attribute == "min_length" and not argument):
            continue
        if measure is not None:
            out.append(NumericLimit(name, argument, measure))
            continue
        made = _make_constraint(name, getattr(argument, "pattern", argument))
        if made is None:
            return None
        out.append(made)
    return out


#: How attrs matches a pattern, and that pattern as one that is searched for.
_MATCHES = {"fullmatch": "^(?:{})$", "match": "^(?:{})", "search": "{}"}


def _read_attrs_validator(item: Any) -> list[_Statement] | None:
    """Read the constraints of a validator of attrs; None if it is not known."""
    name = type(item).__name__
    if name == "_NumberValidator" and item.compare_op in COMPARISONS:
        return [NumericLimit(COMPARISONS[item.compare_op], item.bound, "value")]
    if name == "_MaxLengthValidator":
        return [NumericLimit("at_most", item.max_length, "length")]
    if name == "_MinLengthValidator":
        return [NumericLimit("at_least", item.min_length, "length")]
    if name == "_MatchesReValidator" and item.match_func.__name__ in _MATCHES:
        written = _MATCHES[item.match_func.__name__]
        made = _make_constraint("pattern", written.replace("{}", item.pattern.pattern))
        return None if made is None else [made]
    return None


def _make_constraint(name: ConstraintName, argument: Any) -> Constraint | None:
    """Make the constraint *name*; None if *argument*, such as a pattern, is invalid."""
    try:
        return Constraint(name, argument)
    except TypesigError:
        return None


#: Pydantic's options for the digits of a decimal.
_DIGITS = ("max_digits", "decimal_places")

#: Pydantic's options that change a value or how it is parsed, and do not constrain the result.
_HARMLESS = frozenset({
    *_DIGITS, "allow_inf_nan", "coerce_numbers_to_str", "fail_fast", "strict", "strip_whitespace",
    "to_lower", "to_upper", "union_mode",
})  # fmt: skip


def _has_unknown_constraint(item: Any) -> bool:
    """Whether *item* is pydantic's and has a constraint that typesig lacks."""
    is_open = type(item).__name__ == "_PydanticGeneralMetadata"
    return is_open and not vars(item).keys() <= _NAMES.keys() | _HARMLESS


def _read_statements(item: Any) -> list[_Statement] | None:
    """Convert the metadata *item* to bounds and constraints; None if it is unknown."""
    if isinstance(item, Constraint):
        is_bound = any(ATTRIBUTES[item.name].get(each) for each in ATTRIBUTES[item.name])
        return [NumericLimit(item.name, item.argument.thaw(), None) if is_bound else item]
    module = type(item).__module__
    if module == "annotated_types":
        return _read_attributes(item) if type(item).__name__ in _ANNOTATED_TYPES else None
    if module == "attr.validators":
        return _read_attrs_validator(item)
    if module.startswith("pydantic") and type(item).__name__ in (
        "StringConstraints",
        "_PydanticGeneralMetadata",
    ):
        found, digits = _read_attributes(item), tuple([getattr(item, n, None) for n in _DIGITS])
        if found is not None and digits != (None, None):
            found.append(NumericLimit("digits", digits, "digits"))
        return found
    # Plain data, such as a tuple, does not constrain values: leaving it out is no loss.
    return [] if item is None or (module == "builtins" and not callable(item)) else None


#: The classes of annotated-types whose attributes state all that they mean.
_ANNOTATED_TYPES = frozenset({
    "Gt", "Ge", "Lt", "Le", "Interval", "MultipleOf", "MinLen", "MaxLen", "Len",
})  # fmt: skip


# --- Descriptions, titles and examples of places and of the classes used there ---


def get_class_text(context: HintContext, cls: Any) -> str | None:
    """Return the first paragraph of the docstring of *cls*; None if generated or absent."""
    doc = vars(cls).get("__doc__")
    # A dataclass and a NamedTuple make one of their fields.
    if not isinstance(doc, str) or doc.startswith(f"{cls.__name__}("):
        return None
    text = read_docstring(doc).text
    return context.limit_text(text) if text else None


def get_class_title(cls: Any) -> str | None:
    """Return the title in the configuration of *cls*, a class of pydantic, or None."""
    for name in ("model_config", "__pydantic_config__"):
        config = vars(cls).get(name)
        title = config.get("title") if isinstance(config, dict) else None
        if isinstance(title, str):
            return title
    return None


def add_title(t: Type, title: str | None) -> Type:
    """Return *t* with *title*, a field's or parameter's, in place of its class's title.

    >>> from typesig.algebra.constructors import record, get_title
    >>> get_title(add_title(make_noted(record([]), "An order.", "Order"), "What to book"))
    'What to book'
    """
    inner = t.inner if isinstance(t, Maybe) else t
    if title is not None and isinstance(inner, Annotation) and inner.title is not None:
        within = make_noted(inner.inner, inner.text)
        t = make_maybe(within) if isinstance(t, Maybe) else within
    return make_noted(t, None, title)


def may_add_text(t: Type, notes: HintMetadata) -> bool:
    """Whether a field or parameter of type *t* with *notes* may get a description."""
    return get_description(t) is None or (
        notes.text is None and (_is_described_class(t) or notes.examples != ())
    )


def _is_described_class(t: Type) -> bool:
    """Whether *t* is a record or an enum with a description, such as its docstring."""
    return isinstance(t, Annotation) and isinstance(t.inner, Record | Enum)


def add_text(t: Type, text: str | None, joins: bool = False) -> Type:
    """Put *text*, a field's or parameter's, in front of the class description of *t*.

    With *joins* it stands before any other.

    >>> from typesig.algebra.constructors import record
    >>> get_description(add_text(make_noted(record([]), "An order."), "what to book"))
    'what to book. An order.'
    """
    inner = t.inner if isinstance(t, Maybe) else t
    if not text or not isinstance(inner, Annotation) or not (joins or _is_described_class(inner)):
        return make_noted(t, text)
    within = make_maybe(inner.inner) if isinstance(t, Maybe) else inner.inner
    return make_noted(within, _join_sentences(text, inner.text or ""), inner.title)


def _join_sentences(text: str, more: str) -> str:
    """Append *more* to the description *text*, with a full stop between if needed."""
    return f"{text}{'' if text[-1] in '.!?:;' or not more else '.'} {more}".rstrip()


def with_examples(t: Type, examples: Sequence[Any], are_all: bool) -> Type:
    """Append *examples*, as JSON text, to the description of the type *t*.

    *are_all* tells whether there are no other examples.
    """
    if not examples:
        return t
    told = f"Examples: {', '.join(map(_format_example, examples))}{'' if are_all else ', …'}"
    before = get_description(t) if isinstance(t, Annotation) else None
    if isinstance(t, Annotation) and before:
        return make_noted(t.inner, _join_sentences(before, told), t.title)
    return make_noted(t, told)


def _format_example(value: Any) -> str:
    """Write the example *value* as JSON text, shortened if it is long."""
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN else format_value(text)
