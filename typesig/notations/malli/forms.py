"""The forms that Malli data is made of, one row each: its properties, and what it reads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.algebra.constraints import COMPARISONS, NUMBERS, Constraint, ConstraintName
from typesig.algebra.constructors import both, kinds_of, map_of, maybe, refined, union
from typesig.algebra.constructors import enum as enum_of
from typesig.algebra.nodes import ANY, FLOAT, INT, MAP, STRING, Field, List, Record, Set, Type
from typesig.notations.malli import sequences
from typesig.notations.malli.reader import WORDS, Form, Path, Reader, Row, shown
from typesig.notations.malli.spelling import text_of


def _one(reader: Reader, form: Form, what: str = "one type, as in [{} :int]") -> Any:
    if len(form.parts) != 1:
        raise reader.refusal(form.at, form.shape, f"it takes {what.format(form.shape)}")
    return form.parts[0]


def _parts(reader: Reader, form: Form) -> list[Any]:
    if not form.parts:
        example = "[:orn [:a :int]]" if form.head == "orn" else f"[{form.shape} :int :string]"
        raise reader.refusal(form.at, form.shape, f"it takes one type or more, as in {example}")
    return form.parts


def _each(reader: Reader, form: Form) -> list[Type]:
    parts = _parts(reader, form)
    return [reader.read(part, (*form.at, str(n))) for n, part in enumerate(parts)]


# sizes

_SIZES: dict[str, ConstraintName] = {"min": "at_least", "max": "at_most"}
_SIZED = frozenset(_SIZES)


def _sized(t: Type, form: Form) -> Type:
    given = form.properties
    return refined(t, [Constraint(_SIZES[name], given[name]) for name in _SIZES if name in given])


def _scalar(t: Type) -> Callable[[Reader, Form], Type]:
    def read(reader: Reader, form: Form) -> Type:
        if form.parts:
            why = "it takes no types; did you mean [:tuple …]?"
            raise reader.refusal(form.at, form.shape, why)
        return _sized(t, form)

    return read


def _string(reader: Reader, form: Form) -> Type:
    made = _scalar(STRING)(reader, form)
    given = form.properties.get("format", ())
    formats = given if isinstance(given, list | tuple) else [given]
    return refined(made, [Constraint("format", text_of(one) or shown(one)) for one in formats])


# collections


def _list(reader: Reader, form: Form) -> Type:
    return _sized(List(reader.read(_one(reader, form), (*form.at, "items"))), form)


def _set(reader: Reader, form: Form) -> Type:
    return _sized(Set(reader.read(_one(reader, form), (*form.at, "items"))), form)


def _map_of(reader: Reader, form: Form) -> Type:
    if len(form.parts) != 2:
        why = "it takes the type of keys and that of values, as in [:map-of :string :int]"
        raise reader.refusal(form.at, form.shape, why)
    key, value = form.parts
    # The seed's form of a map of anything, to the letter.
    words = (reader.spelling.word(key), reader.spelling.word(value))
    if words == ("keyword", "any") and not {(True, word) for word in words} & reader.scope.keys():
        return _sized(MAP, form)
    keys = reader.read(key, (*form.at, "keys"))
    return _sized(map_of(keys, reader.read(value, (*form.at, "values"))), form)


def _tuple(reader: Reader, form: Form) -> Type:
    return sequences.fixed(_each(reader, form) if form.parts else [])


def _map(reader: Reader, form: Form) -> Type:
    closed = _flag(reader, form, "closed")
    fields = tuple([_entry(reader, part, form.at) for part in form.parts])
    return Record(fields, None if closed else ANY)


_ENTRY = WORDS | {"optional", "default"}


def _entry(reader: Reader, data: Any, above: Path) -> Field:
    """Return the field that an entry describes: `[:id :int]`, `[:id {:optional true} :int]`."""
    form = reader.form(data, above)
    head = data[0] if isinstance(data, list | tuple) else data
    key = reader.key(head)
    if key is None:
        raise reader.refusal(above, form.shape, "an entry is named by a keyword or a text")
    if key == (True, "malli.core/default"):
        why = "it types undeclared keys; write them in shorthand, {id :int, ** :string}"
        raise reader.refusal(above, form.shape, why)
    form = form._replace(at=(*above, key[1]))
    if not form.parts and key in reader.scope:
        # An entry that is named as a type is, alone, is of that type.
        form.parts.append(head)
    t, default = reader.defaulted(_one(reader, form, "one type in an entry: [{} :int]"), form.at)
    reader.known(form, _ENTRY)
    if "default" in form.properties:
        default = reader.constant(form.properties["default"])
    t = reader.noted(t, form)
    return Field(key[1], t, not _flag(reader, form, "optional"), default, not key[0])


def _flag(reader: Reader, form: Form, name: str) -> bool:
    given = form.properties.get(name, False)
    if not isinstance(given, bool):
        raise reader.refusal(form.at, f":{name}", f"it must be true or false, not {shown(given)}")
    return given


# choices


def _maybe(reader: Reader, form: Form) -> Type:
    return maybe(reader.read(_one(reader, form), form.at))


def _or(reader: Reader, form: Form) -> Type:
    return union(_each(reader, form))


def _orn(reader: Reader, form: Form) -> Type:
    branches = []
    for n, part in enumerate(_parts(reader, form)):
        branch = reader.form(part, (*form.at, str(n)))
        reader.known(branch, WORDS)
        what = f"the name of the branch {branch.shape}"
        reader.lose(branch.at, what, "a union has no names")
        given = _one(reader, branch, "one type in a branch: [{} :int]")
        branches.append(reader.noted(reader.read(given, branch.at), branch))
    return union(branches)


def _enum(reader: Reader, form: Form) -> Type:
    return enum_of([reader.constant(part) for part in form.parts])


def _equal(reader: Reader, form: Form) -> Type:
    return enum_of([reader.constant(_one(reader, form, "one value, as in [{} 1]"))])


# constraints

#: The forms that ask something of what else stands in `:and`, and the constraints that they are.
LIMITS: dict[str, ConstraintName] = {**COMPARISONS, "re": "pattern"}


def _alone(reader: Reader, form: Form) -> Type:
    """Return the type of all that meets a constraint, which is of numbers or of texts."""
    limit = _limit(reader, form)
    return refined(STRING if limit.name == "pattern" else FLOAT, [limit])


def _limit(reader: Reader, form: Form) -> Constraint:
    given = _one(reader, form, 'one text, as in [:re "^a"]' if form.head == "re" else "one number")
    text = text_of(given) if form.head == "re" else None
    return Constraint(LIMITS[form.head or ""], given if text is None else text)


def _and(reader: Reader, form: Form) -> Type:
    types: list[Type] = []
    limits: dict[str, list[Constraint]] = {"number": [], "text": []}
    for n, part in enumerate(_parts(reader, form)):
        head = reader.spelling.word(part[0]) if isinstance(part, list | tuple) and part else None
        at = (*form.at, str(n))
        if head in LIMITS:
            reader.step()
            found = reader.form(part, at)
            reader.known(found, frozenset())
            limits["text" if head == "re" else "number"].append(_limit(reader, found))
        else:
            types.append(reader.read(part, at))
    whole = both(types) if types else None
    for what, kinds, of in (("number", NUMBERS, FLOAT), ("text", _TEXT, STRING)):
        if limits[what]:
            whole = _limited(reader, form, whole, limits[what], (what, kinds, of))
    assert whole is not None
    return whole


_TEXT = frozenset({"string"})


def _limited(
    reader: Reader,
    form: Form,
    whole: Type | None,
    limits: list[Constraint],
    about: tuple[str, frozenset[str], Type],
) -> Type:
    """Return *whole* with *limits*, which nothing but values of some kinds meets."""
    what, kinds, of = about
    if whole is None:
        return refined(of, limits)
    known = kinds_of(whole)
    if known is not None and not known & kinds:
        why = f"its constraints speak of a {what}, and nothing else in it does"
        if what == "number":
            why += "; a length is {:min 1 :max 5}"
        raise reader.refusal(form.at, form.shape, why)
    if known is not None and known <= kinds:
        return refined(whole, limits)
    # What is of another kind fails the constraint, where one of ours says nothing about it.
    return both([whole, refined(of, limits)])


# names


def _schema(reader: Reader, form: Form) -> Type:
    return reader.read(_one(reader, form), form.at)


def _ref(reader: Reader, form: Form) -> Type:
    return reader.ref(_one(reader, form, 'one name, as in [{} "Tree"]'), form.at)


#: The forms by their names.
FORMS: dict[str, Row] = {
    "string": Row(_string, _SIZED | {"format"}),
    "int": Row(_scalar(INT), _SIZED),
    "double": Row(_scalar(FLOAT), _SIZED),
    "float": Row(_scalar(FLOAT), _SIZED),
    "vector": Row(_list, _SIZED),
    "sequential": Row(_list, _SIZED),
    "set": Row(_set, _SIZED),
    "map-of": Row(_map_of, _SIZED),
    "map": Row(_map, frozenset({"closed"})),
    "tuple": Row(_tuple),
    "cat": Row(sequences.value),
    "catn": Row(sequences.value),
    "?": Row(sequences.value),
    "*": Row(sequences.value),
    "+": Row(sequences.value),
    "maybe": Row(_maybe),
    "or": Row(_or),
    "orn": Row(_orn),
    "enum": Row(_enum),
    "=": Row(_equal),
    "and": Row(_and),
    **{name: Row(_alone) for name in LIMITS},
    "schema": Row(_schema),
    "ref": Row(_ref),
}
