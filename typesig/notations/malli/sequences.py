"""Sequences: `:cat` and its operators, as parameters of a function and as the type of a list."""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.algebra.constructors import make_fixed_list, make_refined, make_union
from typesig.algebra.nodes import Field, List, Tuple, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.names import make_positional_name
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature
from typesig.limits import MAX_AROUND, MAX_SEQUENCES
from typesig.notations.malli.reader import NOTES, Form, FormReader, Key, Path

#: Forms that repeat a place of a sequence.
OPERATORS = frozenset({"?", "*", "+"})

#: Forms that are sequences: within another sequence they would merge with it.
SEQUENCES = OPERATORS | {"cat", "catn"}


class Item(NamedTuple):
    """An item of a sequence: its name, operator, type and default.

    #: key: its name, or None in `:cat`; operator: how often it occurs, empty for once
    #: default: the value that stands for it if it is absent
    """

    key: Key | None
    operator: str
    type: Type
    default: Const | None
    at: Path


def _get_head(reader: FormReader, data: Any) -> str:
    """Return the name at the head of the form *data*, or an empty string."""
    head = data[0] if isinstance(data, list | tuple) and data else data
    return reader.spelling.word(head) or ""


def _read_items(reader: FormReader, form: Form, params: bool = False) -> list[Item]:
    """Read the items of the sequence *form*, with paths of parameters if *params*."""
    if form.head in OPERATORS:
        return [_read_operator(reader, form, None)]
    found = []
    for n, part in enumerate(form.parts):
        key, at, given = None, (*form.at, make_positional_name(n + 1) if params else str(n)), part
        if form.head == "catn":
            entry = reader.parse_form(part, at)
            reader.check_properties(entry, NOTES)
            key = reader.make_key(part[0] if isinstance(part, list | tuple) else part)
            if key is None or len(entry.parts) != 1:
                why = "each of its places is a name and a type, as in [:catn [:query :string]]"
                raise reader.make_refusal(at, form.shape, why)
            at, given = (*form.at, key[1]), entry.parts[0]
            item = _read_item(reader, given, key, at)
            found.append(item._replace(type=reader.with_notes(item.type, entry)))
        else:
            found.append(_read_item(reader, given, key, at))
    return found


def _read_item(reader: FormReader, data: Any, key: Key | None, at: Path) -> Item:
    """Read the form *data* at path *at* as a sequence item with the name *key*."""
    head = _get_head(reader, data)
    if head in OPERATORS:
        return _read_operator(reader, reader.parse_form(data, at), key)
    if head in SEQUENCES:
        why = "a sequence in a sequence would merge with it; write its places there, or [:tuple …]"
        raise reader.make_refusal(at, f":{head}", why)
    t, default = reader.read_with_default(data, at)
    return Item(key, "", t, default, at)


def _read_operator(reader: FormReader, form: Form, key: Key | None) -> Item:
    """Read the operator *form*, such as `:*`, as a sequence item with the name *key*."""
    reader.check_properties(form, NOTES)
    if len(form.parts) != 1 or _get_head(reader, form.parts[0]) in SEQUENCES:
        why = f"it takes one type that is not a sequence, as in [{form.shape} :int]"
        raise reader.make_refusal(form.at, form.shape, why)
    t, default = reader.read_with_default(form.parts[0], form.at)
    return Item(key, form.head or "", reader.with_notes(t, form), default, form.at)


# the type of a list


def read_sequence(reader: FormReader, form: Form) -> Type:
    """Read the sequence *form*, such as `:cat`, as a list type."""
    items = _read_items(reader, form)
    for item in items:
        if item.default is not None:
            why = "a default belongs to an entry of a map or to a parameter"
            raise reader.make_refusal(item.at, ":default", why)
        if item.key is not None:
            what = f"the name {item.key[1]}"
            reader.report_omitted(item.at, what, "the places of a list have no names")
    rest = items.pop() if items and items[-1].operator in ("*", "+") else None
    ways: list[list[Type]] = [[]]
    for item in items:
        if item.operator in ("*", "+"):
            raise reader.make_refusal(item.at, f":{item.operator}", "it must come last")
        there = [[*way, item.type] for way in ways]
        ways = ways + there if item.operator else there
        if len(ways) > MAX_SEQUENCES:
            why = f"optional places make more than {MAX_SEQUENCES} kinds of lists; write [:* :T]"
            raise reader.make_refusal(form.at, form.shape, why)
    return make_union([_make_list(way, rest) for way in ways])


def _make_list(types: list[Type], rest: Item | None) -> Type:
    """Build the list type with items of *types*, then any number of items of *rest*."""
    if rest is None:
        return make_fixed_list(types)
    if not types:
        least = [Constraint("at_least", 1)] if rest.operator == "+" else []
        return make_refined(List(rest.type), least)
    return Tuple(tuple([*types, rest.type] if rest.operator == "+" else types), rest.type)


# functions


def is_function(reader: FormReader, data: Any) -> bool:
    """Whether *data* describes a function, perhaps within registries."""
    for _ in range(MAX_AROUND):
        head = _get_head(reader, data)
        if head != "schema" or not isinstance(data, list | tuple) or len(data) < 2:
            return head in FUNCTIONS
        data = data[-1]
    return False


FUNCTIONS = frozenset({"=>", "->", "function"})


def read_function(reader: FormReader, data: Any) -> Signature:
    """Return the signature of the function that *data* describes."""
    form = reader.parse_form(data, ())
    for name in [name for name in form.properties if name in NOTES]:
        reader.report_omitted((), f"the {name} of {form.shape}", "a signature has none")
    if form.head == "schema":
        reader.check_properties(form, NOTES | {"registry"})
        if "registry" in form.properties:
            reader.define(form)
        return read_function(reader, form.parts[-1])
    reader.check_properties(form, NOTES)
    if form.head != "function":
        return _read_arity(reader, form)
    if not form.parts:
        why = "it takes one function or more, as in [:function [:=> [:cat] :int]]"
        raise reader.make_refusal((), form.shape, why)
    # A signature has one clause: the first of those with most parameters.
    found = [_read_clause(reader, part) for part in form.parts]
    if len(found) > 1:
        reader.report_omitted(
            (), f"{len(found) - 1} of {len(found)} clauses", "a signature has one"
        )
    return max(found, key=lambda signature: len(signature.params))


def _read_clause(reader: FormReader, data: Any) -> Signature:
    """Read the function form *data* in a `:function` form as a signature."""
    form = reader.parse_form(data, ())
    if form.head not in ("=>", "->"):
        why = "it takes functions, as in [:function [:=> [:cat] :int]]"
        raise reader.make_refusal((), ":function", why)
    reader.check_properties(form, NOTES)
    return _read_arity(reader, form)


def _read_arity(reader: FormReader, form: Form) -> Signature:
    """Read the function *form*, `:=>` or `:->`, as a signature."""
    if form.head == "->":
        if not form.parts:
            why = "it takes the types of the parameters and of the result, as in [:-> :int :int]"
            raise reader.make_refusal((), form.shape, why)
        *given, returns = form.parts
        params = Form("cat", ":cat", {}, given, ("params",))
    else:
        if len(form.parts) == 3:
            why = "its third part is code; write constraints on the parameters and the result"
            raise reader.make_refusal((), form.shape, why)
        if len(form.parts) != 2 or _get_head(reader, form.parts[0]) not in ("cat", "catn"):
            why = "it takes parameters and a result, as in [:=> [:cat :int] :string]"
            raise reader.make_refusal((), form.shape, why)
        params = reader.parse_form(form.parts[0], ("params",))
        reader.check_properties(params, NOTES)
        returns = form.parts[1]
    items = _read_items(reader, params, params=True)
    fields = [_make_param(reader, n, items) for n in range(len(items))]
    return Signature(fields, reader.read_type(returns, ("returns",)), reader.definitions)


def _make_param(reader: FormReader, n: int, items: list[Item]) -> Field:
    """Build the parameter for the item at index *n* of *items*."""
    item = items[n]
    name, exact = make_positional_name(n + 1), False
    if item.key is not None:
        name, exact = item.key[1], not item.key[0]
    if item.operator in ("*", "+"):
        if n + 1 < len(items):
            raise reader.make_refusal(item.at, f":{item.operator}", "it must come last")
        # Like `*args` of a function: one parameter, which takes a list.
        many: Type = List(item.type)
        least = [Constraint("at_least", 1)] if item.operator == "+" else []
        return Field(name, make_refined(many, least), bool(least), None, exact)
    field = Field(name, item.type, not item.operator, item.default, exact)
    return reader.with_default(field, item.at)
