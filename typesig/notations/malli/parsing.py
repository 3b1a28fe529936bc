"""Malli data and EDN text to signatures."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from typesig.algebra.constructors import (
    both,
    fixed_list,
    kinds_of,
    map_of,
    maybe,
    noted,
    refined,
    union,
)
from typesig.algebra.constructors import enum as enum_of
from typesig.algebra.defaults import UnfitDefault
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import (
    ANY,
    FLOAT,
    INT,
    MAP,
    STRING,
    Enum,
    Field,
    List,
    Noted,
    Record,
    Scalar,
    Set,
    Type,
)
from typesig.algebra.rows.constraints import CONSTRAINTS, TEXTS, Constraint, ConstraintName
from typesig.algebra.rows.pattern_budget import bounded_patterns
from typesig.algebra.rows.values import Kind
from typesig.algebra.signature import Signature, lone
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge, TypesigError, Unsupported
from typesig.limits import MAX_DEPTH
from typesig.notations.malli import sequences
from typesig.notations.malli.constraints import MEMBERS, SIZES, TEXT_PROPERTIES, Group, Member
from typesig.notations.malli.reader import NOTES, Form, Path, Reader, Row, show
from typesig.notations.malli.spelling import EDN, PYTHON, text_of


def parse(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature of Malli data, or of its EDN text, and its losses.

    Raises `Unsupported` with the place and a remedy, `TooDeep`, `TooLarge`; for text also
    `SignatureSyntaxError`.
    """
    return _parse_text(source, lossy) if _is_text(source) else read_source(source, lossy)


def _is_text(source: object) -> bool:
    # A `Keyword` is a str too, and a form of its own.
    return isinstance(source, str) and type(source) is str


@lru_cache(maxsize=1024)
def _parse_text(source: str, lossy: bool) -> tuple[Signature, Losses]:
    return read_source(source, lossy)


@bounded_patterns()
def read_source(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature that *source* describes, and its losses.

    *source* is data (lists or tuples, dicts; a keyword is text with a leading colon, or a
    `Keyword`), or EDN text.  A form that cannot be read raises `Unsupported` with its place and
    what to write instead; if *lossy*, it is widened to anything.  The losses are the widened forms,
    and whatever does not constrain values (properties with a namespace, names of branches).
    Raises `TooDeep`, `TooLarge`.

    >>> signature, losses = read_source([":=>", [":cat", ":string"], [":orn", [":id", ":int"]]])
    >>> str(signature), [loss.kind for loss in losses]
    ('(arg1 :string) -> :int', ['omitted'])
    """
    losses: list[Loss] = []
    reader, data = _make_reader(source, lossy, losses)
    try:
        if sequences.is_function(reader, data):
            found = sequences.read_function(reader, data)
        else:
            t = reader.read_type(data)
            found = lone(t, reader.definitions)
    except RecursionError:
        limit = f"a type may nest {MAX_DEPTH} levels"
        raise TooDeep(f"{limit}, and this is more than the stack leaves room for") from None
    except (SignatureSyntaxError, TooDeep, TooLarge, Unsupported):
        raise
    except UnfitDefault as error:
        raise reader.at_default(error) from None
    except TypesigError as error:
        raise Unsupported(str(error)) from None
    return found, tuple(losses)


def _make_reader(source: Any, lossy: bool, losses: list[Loss]) -> tuple[Reader, Any]:
    spelling = PYTHON
    if _is_text(source):
        from typesig.notations.edn import read

        spelling, source = EDN, read(source)
    return Reader(spelling, FORMS, lossy, losses), source


def is_function(source: Any) -> bool:
    """Tell whether *source* describes a function, rather than only a type."""
    return sequences.is_function(*_make_reader(source, False, []))


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
    return [reader.read_type(part, (*form.at, str(n))) for n, part in enumerate(parts)]


# properties

_SIZED = frozenset(SIZES)


def _sized(t: Type, form: Form, known: dict[str, ConstraintName] = SIZES) -> Type:
    constraints: list[Constraint] = []
    for word, name in known.items():
        if word in form.properties:
            constraints += _constraints(name, form.properties[word])
    return refined(t, constraints)


def _scalar(t: Type, known: dict[str, ConstraintName] = SIZES) -> Callable[[Reader, Form], Type]:
    def read(reader: Reader, form: Form) -> Type:
        if form.parts:
            why = "it takes no types; did you mean [:tuple …]?"
            raise reader.refusal(form.at, form.shape, why)
        return _sized(t, form, known)

    return read


def _constraints(name: ConstraintName, given: Any) -> list[Constraint]:
    """Return the constraints that a property stands for; several may stand in a list."""
    row = CONSTRAINTS[name]
    several = row.tightest is None and isinstance(given, list | tuple)
    arguments = given if several else [given]
    if row.kinds <= TEXTS:
        # Without its colon a keyword would pass as a text.
        arguments = [text_of(argument) or show(argument) for argument in arguments]
    return [Constraint(name, argument) for argument in arguments]


# collections


def _collection(make: Callable[[Type], Type]) -> Callable[[Reader, Form], Type]:
    return lambda reader, form: _sized(
        make(reader.read_type(_one(reader, form), (*form.at, "items"))), form
    )


def _map_of(reader: Reader, form: Form) -> Type:
    if len(form.parts) != 2:
        why = "it takes the type of keys and that of values, as in [:map-of :string :int]"
        raise reader.refusal(form.at, form.shape, why)
    key, value = form.parts
    # Exactly this form is the scalar map, unless a registry redefines the names in it.
    words = (reader.spelling.word(key), reader.spelling.word(value))
    if words == ("keyword", "any") and not {(True, word) for word in words} & reader.scope.keys():
        return _sized(MAP, form)
    keys = reader.read_type(key, (*form.at, "keys"))
    return _sized(map_of(keys, reader.read_type(value, (*form.at, "values"))), form)


def _tuple(reader: Reader, form: Form) -> Type:
    return fixed_list(_each(reader, form) if form.parts else [])


def _map(reader: Reader, form: Form) -> Type:
    closed = _flag(reader, form, "closed")
    fields = tuple([_entry(reader, part, form.at) for part in form.parts])
    return Record(fields, None if closed else ANY)


_ENTRY = NOTES | {"optional", "default"}


def _entry(reader: Reader, data: Any, above: Path) -> Field:
    """Return the field of an entry: `[:id :int]`, `[:id {:optional true} :int]`."""
    form = reader.parse_form(data, above)
    head = data[0] if isinstance(data, list | tuple) else data
    key = reader.key_of(head)
    if key is None:
        raise reader.refusal(above, form.shape, "an entry is named by a keyword or a text")
    if key == (True, "malli.core/default"):
        why = "it types undeclared keys; write them in shorthand, {id :int, ** :string}"
        raise reader.refusal(above, form.shape, why)
    form = form._replace(at=(*above, key[1]))
    if not form.parts and key in reader.scope:
        # A lone entry that has the name of a type is of that type.
        form.parts.append(head)
    t, default = reader.read_with_default(
        _one(reader, form, "one type in an entry: [{} :int]"), form.at
    )
    reader.check_properties(form, _ENTRY)
    if "default" in form.properties:
        default = reader.constant(form.properties["default"])
    t = reader.with_notes(t, form)
    field = Field(key[1], t, not _flag(reader, form, "optional"), default, not key[0])
    return reader.with_default(field, form.at)


def _flag(reader: Reader, form: Form, name: str) -> bool:
    given = form.properties.get(name, False)
    if not isinstance(given, bool):
        raise reader.refusal(form.at, f":{name}", f"it must be true or false, not {show(given)}")
    return given


# choices


def _maybe(reader: Reader, form: Form) -> Type:
    return maybe(reader.read_type(_one(reader, form), form.at))


def _orn(reader: Reader, form: Form) -> Type:
    branches = []
    for n, part in enumerate(_parts(reader, form)):
        branch = reader.parse_form(part, (*form.at, str(n)))
        reader.check_properties(branch, NOTES)
        what = f"the name of the branch {branch.shape}"
        reader.report_omitted(branch.at, what, "a union has no names")
        given = _one(reader, branch, "one type in a branch: [{} :int]")
        branches.append(reader.with_notes(reader.read_type(given, branch.at), branch))
    return union(branches)


def _enum(reader: Reader, form: Form) -> Type:
    return enum_of([reader.constant(part) for part in form.parts])


def _equal(reader: Reader, form: Form) -> Type:
    return enum_of([reader.constant(_one(reader, form, "one value, as in [{} 1]"))])


def _multi(reader: Reader, form: Form) -> Type:
    """Return the union of branches by the values of a key: `[:multi {:dispatch :type} …]`."""
    tag = reader.key_of(form.properties.get("dispatch"))
    if tag is None or not tag[0]:
        raise reader.refusal(form.at, form.shape, _DISPATCH)
    if not form.parts:
        raise reader.refusal(form.at, form.shape, f"it takes one branch or more; {_BRANCH}")
    branches: list[Type] = []
    for part in form.parts:
        branch = reader.parse_form(part, form.at)
        at = (*form.at, branch.shape.removeprefix(":"))
        if not isinstance(part, list | tuple):
            raise reader.refusal(at, form.shape, _BRANCH)
        if branch.head == "malli.core/default":
            why = "it takes every other value; write a branch for each of them"
            raise reader.refusal(at, form.shape, why)
        reader.check_properties(branch, NOTES)
        given = _one(reader, branch, "one type in a branch: [{} [:map …]]")
        tagged = Field(tag[1], Enum((reader.constant(part[0]),)))
        t = _add_tag(reader, reader.read_type(given, at), tagged, at)
        branches.append(reader.with_notes(t, branch))
    return union(branches)


_BRANCH = "a branch is a value and a type: [:a [:map …]]"
_DISPATCH = "only a keyword can be its dispatch; write [:or [:map [:type [:= …]] …] …]"


def _add_tag(reader: Reader, t: Type, tag: Field, at: Path) -> Type:
    """Return *t*, a branch of a union, with the field *tag* that chooses it."""
    if not isinstance(t, Record):
        return both([t, Record((tag,), ANY)])
    known = next((field for field in t.fields if field.name == tag.name), None)
    if known is None:
        if t.extra is None:
            why = f"the branch is closed and has no key {show(tag.name)}, so nothing fits it"
            raise reader.refusal(at, ":map", why)
        return Record((tag, *t.fields), t.extra)
    assert isinstance(tag.type, Enum)
    checked = Field(tag.name, _tag_type(known.type, tag.type), True, None, known.exact)
    return Record(tuple([checked if each is known else each for each in t.fields]), t.extra)


def _tag_type(t: Type, value: Enum) -> Type:
    """Return the type of a tag that the branch itself types as *t*, and that has one *value*."""
    if isinstance(t, Noted):
        return noted(_tag_type(t.inner, value), t.text, t.title)
    is_covered = t == ANY or (
        set(value.values) <= set(t.values)
        if isinstance(t, Enum)
        else isinstance(t, Scalar) and (kinds_of(value) or _NONE) <= (kinds_of(t) or _NONE)
    )
    return value if is_covered else both([t, value])


_NONE: frozenset[Kind] = frozenset()


# constraints


def _constraint_only(reader: Reader, form: Form) -> Type:
    """Return the type of all values that meet a constraint: numbers or texts."""
    member = MEMBERS[form.head or ""]
    return refined(member.whole, [_constraint(reader, form, member)])


def _constraint(reader: Reader, form: Form, member: Member) -> Constraint:
    of_texts = member.group == "text"
    given = _one(reader, form, 'one text, as in [:re "^a"]' if of_texts else "one number")
    text = text_of(given) if of_texts else None
    return Constraint(member.name, given if text is None else text)


def _and(reader: Reader, form: Form) -> Type:
    types: list[Type] = []
    constraints: dict[Group, list[Constraint]] = {}
    wholes: dict[Group, Type] = {}
    for n, part in enumerate(_parts(reader, form)):
        head = reader.spelling.word(part[0]) if isinstance(part, list | tuple) and part else None
        at = (*form.at, str(n))
        member = MEMBERS.get(head or "")
        if member is None:
            types.append(reader.read_type(part, at))
            continue
        reader.step()
        found = reader.parse_form(part, at)
        reader.check_properties(found, frozenset())
        wholes[member.group] = member.whole
        constraints.setdefault(member.group, []).append(_constraint(reader, found, member))
    t = both(types) if types else None
    for group in sorted(constraints):
        t = _constrained(reader, form, t, constraints[group], group, wholes[group])
    assert t is not None
    return t


def _constrained(
    reader: Reader,
    form: Form,
    t: Type | None,
    constraints: list[Constraint],
    group: Group,
    whole: Type,
) -> Type:
    """Return *t* with *constraints*, which only values of *group* meet."""
    if t is None:
        return refined(whole, constraints)
    known, kinds = kinds_of(t), kinds_of(whole) or frozenset()
    if known is not None and not known & kinds:
        why = f"its constraints are about a {group}, and nothing else in it is"
        if group == "number":
            why += "; a length is {:min 1 :max 5}"
        raise reader.refusal(form.at, form.shape, why)
    if known is not None and known <= kinds:
        return refined(t, constraints)
    # In Malli a value of another kind fails the constraint; here it would meet it.
    return both([t, refined(whole, constraints)])


# names


def _schema(reader: Reader, form: Form) -> Type:
    return reader.read_type(_one(reader, form), form.at)


def _ref(reader: Reader, form: Form) -> Type:
    return reader.reference(_one(reader, form, 'one name, as in [{} "Tree"]'), form.at)


#: The forms by their names.
FORMS: dict[str, Row] = {
    "string": Row(_scalar(STRING, TEXT_PROPERTIES), frozenset(TEXT_PROPERTIES)),
    "int": Row(_scalar(INT), _SIZED),
    "double": Row(_scalar(FLOAT), _SIZED),
    "float": Row(_scalar(FLOAT), _SIZED),
    "vector": Row(_collection(List), _SIZED),
    "sequential": Row(_collection(List), _SIZED),
    "set": Row(_collection(Set), _SIZED),
    "map-of": Row(_map_of, _SIZED),
    "map": Row(_map, frozenset({"closed"})),
    "tuple": Row(_tuple),
    **dict.fromkeys(("cat", "catn", "?", "*", "+"), Row(sequences.read_sequence)),
    "maybe": Row(_maybe),
    "or": Row(lambda reader, form: union(_each(reader, form))),
    "orn": Row(_orn),
    "multi": Row(_multi, frozenset({"dispatch"})),
    "enum": Row(_enum),
    "=": Row(_equal),
    "and": Row(_and),
    **{name: Row(_constraint_only) for name in MEMBERS},
    "schema": Row(_schema),
    "ref": Row(_ref),
}
