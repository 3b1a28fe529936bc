"""Malli data and EDN text to signatures."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from typesig.algebra.constructors import (
    find_kinds,
    make_both,
    make_fixed_list,
    make_maybe,
    make_noted,
    make_refined,
    make_union,
    map_of,
)
from typesig.algebra.constructors import make_enum as enum_of
from typesig.algebra.definitions import MisfitDefaultError
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import (
    ANY,
    FLOAT,
    INT,
    MAP,
    STRING,
    Annotation,
    Enum,
    Field,
    List,
    Record,
    Scalar,
    Set,
    Type,
)
from typesig.algebra.rows.constraints import CONSTRAINTS, TEXTS, Constraint, ConstraintName
from typesig.algebra.rows.pattern_budget import limit_pattern_work
from typesig.algebra.rows.values import Kind
from typesig.algebra.signature import Signature, make_type_signature
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge, TypesigError, Unsupported
from typesig.limits import MAX_DEPTH
from typesig.notations.malli import sequences
from typesig.notations.malli.names import (
    EDN,
    MEMBERS,
    PYTHON,
    SIZES,
    TEXT_PROPERTIES,
    Group,
    Member,
    get_text,
)
from typesig.notations.malli.reader import NOTES, Form, FormReader, Path, Row, show


def parse(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature of the Malli data or EDN text *source*, and its losses.

    Raises `Unsupported` with the place and a remedy, `TooDeep`, `TooLarge`; for text also
    `SignatureSyntaxError`.
    """
    return _parse_text(source, lossy) if _is_text(source) else read_source(source, lossy)


def _is_text(source: object) -> bool:
    """Whether *source* is EDN text; a `Keyword` is a form, although it is a `str`."""
    # A `Keyword` is a str too, and a form of its own.
    return isinstance(source, str) and type(source) is str


@lru_cache(maxsize=1024)
def _parse_text(source: str, lossy: bool) -> tuple[Signature, Losses]:
    """Parse the EDN text *source* to a signature with losses, from a cache."""
    return read_source(source, lossy)


@limit_pattern_work()
def read_source(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Read the Malli data or EDN text *source* as a signature; also return the losses.

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
            found = make_type_signature(t, reader.definitions)
    except RecursionError:
        limit = f"a type may nest {MAX_DEPTH} levels"
        raise TooDeep(f"{limit}, and this is more than the stack leaves room for") from None
    except (SignatureSyntaxError, TooDeep, TooLarge, Unsupported):
        raise
    except MisfitDefaultError as error:
        raise reader.make_default_refusal(error) from None
    except TypesigError as error:
        raise Unsupported(str(error)) from None
    return found, tuple(losses)


def _make_reader(source: Any, lossy: bool, losses: list[Loss]) -> tuple[FormReader, Any]:
    """Build a form reader for *source*, and return it with the data of *source*."""
    spelling = PYTHON
    if _is_text(source):
        from typesig.notations.edn import read

        spelling, source = EDN, read(source)
    return FormReader(spelling, FORMS, lossy, losses), source


def is_function(source: Any) -> bool:
    """Whether *source* describes a function, rather than only a type."""
    return sequences.is_function(*_make_reader(source, False, []))


def _read_one(reader: FormReader, form: Form, what: str = "one type, as in [{} :int]") -> Any:
    """Return the only part of *form*; refuse a form with no part or several parts."""
    if len(form.parts) != 1:
        raise reader.make_refusal(form.at, form.shape, f"it takes {what.format(form.shape)}")
    return form.parts[0]


def _read_parts(reader: FormReader, form: Form) -> list[Any]:
    """Return the parts of *form*, or refuse a form that has none."""
    if not form.parts:
        example = "[:orn [:a :int]]" if form.head == "orn" else f"[{form.shape} :int :string]"
        raise reader.make_refusal(
            form.at, form.shape, f"it takes one type or more, as in {example}"
        )
    return form.parts


def _read_each(reader: FormReader, form: Form) -> list[Type]:
    """Read every part of *form* as a type."""
    parts = _read_parts(reader, form)
    return [reader.read_type(part, (*form.at, str(n))) for n, part in enumerate(parts)]


# properties

_SIZED = frozenset(SIZES)


def _add_sizes(t: Type, form: Form, known: dict[str, ConstraintName] = SIZES) -> Type:
    """Add to *t* the constraints that the properties of *form* in *known* set."""
    constraints: list[Constraint] = []
    for word, name in known.items():
        if word in form.properties:
            constraints += _read_constraints(name, form.properties[word])
    return make_refined(t, constraints)


def _make_scalar_reader(
    t: Type, known: dict[str, ConstraintName] = SIZES
) -> Callable[[FormReader, Form], Type]:
    """Build the function that reads a form of the type *t* with constraints in *known*."""

    def read(reader: FormReader, form: Form) -> Type:
        if form.parts:
            why = "it takes no types; did you mean [:tuple …]?"
            raise reader.make_refusal(form.at, form.shape, why)
        return _add_sizes(t, form, known)

    return read


def _read_constraints(name: ConstraintName, given: Any) -> list[Constraint]:
    """Read the property value *given* as constraints *name*; a list may hold several."""
    row = CONSTRAINTS[name]
    several = row.tightest is None and isinstance(given, list | tuple)
    arguments = given if several else [given]
    if row.kinds <= TEXTS:
        # Without its colon a keyword would pass as a text.
        arguments = [get_text(argument) or show(argument) for argument in arguments]
    return [Constraint(name, argument) for argument in arguments]


# collections


def _make_collection_reader(make: Callable[[Type], Type]) -> Callable[[FormReader, Form], Type]:
    """Build the function that reads a form with a single item type, built by *make*."""
    return lambda reader, form: _add_sizes(
        make(reader.read_type(_read_one(reader, form), (*form.at, "items"))), form
    )


def _map_of(reader: FormReader, form: Form) -> Type:
    """Read the `:map-of` *form* as a map type."""
    if len(form.parts) != 2:
        why = "it takes the type of keys and that of values, as in [:map-of :string :int]"
        raise reader.make_refusal(form.at, form.shape, why)
    key, value = form.parts
    # Exactly this form is the scalar map, unless a registry redefines the names in it.
    words = (reader.spelling.word(key), reader.spelling.word(value))
    if words == ("keyword", "any") and not {(True, word) for word in words} & reader.scope.keys():
        return _add_sizes(MAP, form)
    keys = reader.read_type(key, (*form.at, "keys"))
    return _add_sizes(map_of(keys, reader.read_type(value, (*form.at, "values"))), form)


def _map(reader: FormReader, form: Form) -> Type:
    """Read the `:map` *form* as a record type."""
    closed = _read_flag(reader, form, "closed")
    fields = tuple([_read_entry(reader, part, form.at) for part in form.parts])
    return Record(fields, None if closed else ANY)


_ENTRY = NOTES | {"optional", "default"}


def _read_entry(reader: FormReader, data: Any, above: Path) -> Field:
    """Read the map entry *data*, such as `[:id :int]`, as a field."""
    form = reader.parse_form(data, above)
    head = data[0] if isinstance(data, list | tuple) else data
    key = reader.make_key(head)
    if key is None:
        raise reader.make_refusal(above, form.shape, "an entry is named by a keyword or a text")
    if key == (True, "malli.core/default"):
        why = "it types undeclared keys; write them in shorthand, {id :int, ** :string}"
        raise reader.make_refusal(above, form.shape, why)
    form = form._replace(at=(*above, key[1]))
    if not form.parts and key in reader.scope:
        # A lone entry that has the name of a type is of that type.
        form.parts.append(head)
    t, default = reader.read_with_default(
        _read_one(reader, form, "one type in an entry: [{} :int]"), form.at
    )
    reader.check_properties(form, _ENTRY)
    if "default" in form.properties:
        default = reader.read_constant(form.properties["default"])
    t = reader.with_notes(t, form)
    field = Field(key[1], t, not _read_flag(reader, form, "optional"), default, not key[0])
    return reader.with_default(field, form.at)


def _read_flag(reader: FormReader, form: Form, name: str) -> bool:
    """Return the boolean property *name* of *form*, by default false; refuse others."""
    given = form.properties.get(name, False)
    if not isinstance(given, bool):
        raise reader.make_refusal(
            form.at, f":{name}", f"it must be true or false, not {show(given)}"
        )
    return given


# choices


def _read_orn(reader: FormReader, form: Form) -> Type:
    """Read the `:orn` *form* as a union; the names of its branches are omitted."""
    branches = []
    for n, part in enumerate(_read_parts(reader, form)):
        branch = reader.parse_form(part, (*form.at, str(n)))
        reader.check_properties(branch, NOTES)
        what = f"the name of the branch {branch.shape}"
        reader.report_omitted(branch.at, what, "a union has no names")
        given = _read_one(reader, branch, "one type in a branch: [{} :int]")
        branches.append(reader.with_notes(reader.read_type(given, branch.at), branch))
    return make_union(branches)


def _multi(reader: FormReader, form: Form) -> Type:
    """Read the `:multi` *form* as a union of branches chosen by the value of a key."""
    tag = reader.make_key(form.properties.get("dispatch"))
    if tag is None or not tag[0]:
        raise reader.make_refusal(form.at, form.shape, _DISPATCH)
    if not form.parts:
        raise reader.make_refusal(form.at, form.shape, f"it takes one branch or more; {_BRANCH}")
    branches: list[Type] = []
    for part in form.parts:
        branch = reader.parse_form(part, form.at)
        at = (*form.at, branch.shape.removeprefix(":"))
        if not isinstance(part, list | tuple):
            raise reader.make_refusal(at, form.shape, _BRANCH)
        if branch.head == "malli.core/default":
            why = "it takes every other value; write a branch for each of them"
            raise reader.make_refusal(at, form.shape, why)
        reader.check_properties(branch, NOTES)
        given = _read_one(reader, branch, "one type in a branch: [{} [:map …]]")
        tagged = Field(tag[1], Enum((reader.read_constant(part[0]),)))
        t = _add_tag(reader, reader.read_type(given, at), tagged, at)
        branches.append(reader.with_notes(t, branch))
    return make_union(branches)


_BRANCH = "a branch is a value and a type: [:a [:map …]]"
_DISPATCH = "only a keyword can be its dispatch; write [:or [:map [:type [:= …]] …] …]"


def _add_tag(reader: FormReader, t: Type, tag: Field, at: Path) -> Type:
    """Add the field *tag*, which selects a union branch, to the branch type *t*."""
    if not isinstance(t, Record):
        return make_both([t, Record((tag,), ANY)])
    known = next((field for field in t.fields if field.name == tag.name), None)
    if known is None:
        if t.extra is None:
            why = f"the branch is closed and has no key {show(tag.name)}, so nothing fits it"
            raise reader.make_refusal(at, ":map", why)
        return Record((tag, *t.fields), t.extra)
    assert isinstance(tag.type, Enum)
    checked = Field(tag.name, _tag_type(known.type, tag.type), True, None, known.exact)
    return Record(tuple([checked if each is known else each for each in t.fields]), t.extra)


def _tag_type(t: Type, value: Enum) -> Type:
    """Return the type of a tag with the only *value*, where the branch declares *t*."""
    if isinstance(t, Annotation):
        return make_noted(_tag_type(t.inner, value), t.text, t.title)
    is_covered = t == ANY or (
        set(value.values) <= set(t.values)
        if isinstance(t, Enum)
        else isinstance(t, Scalar) and (find_kinds(value) or _NONE) <= (find_kinds(t) or _NONE)
    )
    return value if is_covered else make_both([t, value])


_NONE: frozenset[Kind] = frozenset()


# constraints


def _read_constraint_only(reader: FormReader, form: Form) -> Type:
    """Read a *form* such as `[:> 0]` as a refined type without other members."""
    member = MEMBERS[form.head or ""]
    return make_refined(member.whole, [_read_constraint(reader, form, member)])


def _read_constraint(reader: FormReader, form: Form, member: Member) -> Constraint:
    """Read *form*, a member of `:and`, as the constraint that *member* describes."""
    of_texts = member.group == "text"
    given = _read_one(reader, form, 'one text, as in [:re "^a"]' if of_texts else "one number")
    text = get_text(given) if of_texts else None
    return Constraint(member.name, given if text is None else text)


def _read_and(reader: FormReader, form: Form) -> Type:
    """Read the `:and` *form* as an intersection of its types and constraints."""
    types: list[Type] = []
    constraints: dict[Group, list[Constraint]] = {}
    wholes: dict[Group, Type] = {}
    for n, part in enumerate(_read_parts(reader, form)):
        head = reader.spelling.word(part[0]) if isinstance(part, list | tuple) and part else None
        at = (*form.at, str(n))
        member = MEMBERS.get(head or "")
        if member is None:
            types.append(reader.read_type(part, at))
            continue
        reader.count_step()
        found = reader.parse_form(part, at)
        reader.check_properties(found, frozenset())
        wholes[member.group] = member.whole
        constraints.setdefault(member.group, []).append(_read_constraint(reader, found, member))
    t = make_both(types) if types else None
    for group in sorted(constraints):
        t = _add_constraints(reader, form, t, constraints[group], group, wholes[group])
    assert t is not None
    return t


def _add_constraints(
    reader: FormReader,
    form: Form,
    t: Type | None,
    constraints: list[Constraint],
    group: Group,
    whole: Type,
) -> Type:
    """Refine *t* by *constraints*, which only values of *group* can satisfy."""
    if t is None:
        return make_refined(whole, constraints)
    known, kinds = find_kinds(t), find_kinds(whole) or frozenset()
    if known is not None and not known & kinds:
        why = f"its constraints are about a {group}, and nothing else in it is"
        if group == "number":
            why += "; a length is {:min 1 :max 5}"
        raise reader.make_refusal(form.at, form.shape, why)
    if known is not None and known <= kinds:
        return make_refined(t, constraints)
    # In Malli a value of another kind fails the constraint; here it would meet it.
    return make_both([t, make_refined(whole, constraints)])


# names


#: The forms by their names.
FORMS: dict[str, Row] = {
    "string": Row(_make_scalar_reader(STRING, TEXT_PROPERTIES), frozenset(TEXT_PROPERTIES)),
    "int": Row(_make_scalar_reader(INT), _SIZED),
    "double": Row(_make_scalar_reader(FLOAT), _SIZED),
    "float": Row(_make_scalar_reader(FLOAT), _SIZED),
    "vector": Row(_make_collection_reader(List), _SIZED),
    "sequential": Row(_make_collection_reader(List), _SIZED),
    "set": Row(_make_collection_reader(Set), _SIZED),
    "map-of": Row(_map_of, _SIZED),
    "map": Row(_map, frozenset({"closed"})),
    "tuple": Row(
        lambda reader, form: make_fixed_list(_read_each(reader, form) if form.parts else [])
    ),
    **dict.fromkeys(("cat", "catn", "?", "*", "+"), Row(sequences.read_sequence)),
    "maybe": Row(
        lambda reader, form: make_maybe(reader.read_type(_read_one(reader, form), form.at))
    ),
    "or": Row(lambda reader, form: make_union(_read_each(reader, form))),
    "orn": Row(_read_orn),
    "multi": Row(_multi, frozenset({"dispatch"})),
    "enum": Row(lambda reader, form: enum_of([reader.read_constant(part) for part in form.parts])),
    "=": Row(
        lambda reader, form: enum_of(
            [reader.read_constant(_read_one(reader, form, "one value, as in [{} 1]"))]
        )
    ),
    "and": Row(_read_and),
    **{name: Row(_read_constraint_only) for name in MEMBERS},
    "schema": Row(lambda reader, form: reader.read_type(_read_one(reader, form), form.at)),
    "ref": Row(
        lambda reader, form: reader.read_reference(
            _read_one(reader, form, 'one name, as in [{} "Tree"]'), form.at
        )
    ),
}
