"""Sequences: `:cat` and its operators, as parameters of a function and as the type of a list."""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import refined, union
from typesig.algebra.nodes import ANY, Field, List, Tuple, Type
from typesig.algebra.positional import positional_name
from typesig.algebra.signature import Signature
from typesig.algebra.values import Const
from typesig.limits import MAX_AROUND
from typesig.limits import MAX_SEQUENCES as MAX_WAYS
from typesig.notations.malli.reader import WORDS, Form, Key, Path, Reader

#: Forms that repeat what a sequence has at a place.
OPERATORS = frozenset({"?", "*", "+"})

#: Forms that are sequences, which stand within another one in no place of their own.
SEQUENCES = OPERATORS | {"cat", "catn"}


class Item(NamedTuple):
    """A place of a sequence.

    #: key: its name, None in `:cat`; operator: how often it stands there, empty for once
    #: default: what stands for it where it is absent
    """

    key: Key | None
    operator: str
    type: Type
    default: Const | None
    at: Path


def _head(reader: Reader, data: Any) -> str:
    head = data[0] if isinstance(data, list | tuple) and data else data
    return reader.spelling.word(head) or ""


def _items(reader: Reader, form: Form, params: bool = False) -> list[Item]:
    if form.head in OPERATORS:
        return [_operated(reader, form, None)]
    found = []
    for n, part in enumerate(form.parts):
        key, at, given = None, (*form.at, positional_name(n + 1) if params else str(n)), part
        if form.head == "catn":
            entry = reader.form(part, at)
            reader.known(entry, WORDS)
            key = reader.key(part[0] if isinstance(part, list | tuple) else part)
            if key is None or len(entry.parts) != 1:
                why = "a place of it is a name and a type, as in [:catn [:query :string]]"
                raise reader.refusal(at, form.shape, why)
            at, given = (*form.at, key[1]), entry.parts[0]
            item = _item(reader, given, key, at)
            found.append(item._replace(type=reader.noted(item.type, entry)))
        else:
            found.append(_item(reader, given, key, at))
    return found


def _item(reader: Reader, data: Any, key: Key | None, at: Path) -> Item:
    head = _head(reader, data)
    if head in OPERATORS:
        return _operated(reader, reader.form(data, at), key)
    if head in SEQUENCES:
        why = "a sequence in a sequence is part of it; write its places there, or [:tuple …]"
        raise reader.refusal(at, f":{head}", why)
    t, default = reader.defaulted(data, at)
    return Item(key, "", t, default, at)


def _operated(reader: Reader, form: Form, key: Key | None) -> Item:
    reader.known(form, WORDS)
    if len(form.parts) != 1 or _head(reader, form.parts[0]) in SEQUENCES:
        why = f"it takes one type that is no sequence, as in [{form.shape} :int]"
        raise reader.refusal(form.at, form.shape, why)
    t, default = reader.defaulted(form.parts[0], form.at)
    return Item(key, form.head or "", reader.noted(t, form), default, form.at)


# the type of a list


def fixed(types: list[Type]) -> Type:
    """Return the type of a list with *types* at its places."""
    if len(types) > 1:
        return Tuple(tuple(types))
    size = len(types)
    bounds = [Constraint("at_least", size), Constraint("at_most", size)]
    return refined(List(types[0] if types else ANY), bounds)


def value(reader: Reader, form: Form) -> Type:
    """Return the type of the lists that a sequence describes."""
    items = _items(reader, form)
    for item in items:
        if item.default is not None:
            why = "a default stands on an entry of a map or on a parameter"
            raise reader.refusal(item.at, ":default", why)
        if item.key is not None:
            what = f"the name {item.key[1]}"
            reader.lose(item.at, what, "the places of a list have no names")
    rest = items.pop() if items and items[-1].operator in ("*", "+") else None
    ways: list[list[Type]] = [[]]
    for item in items:
        if item.operator in ("*", "+"):
            raise reader.refusal(item.at, f":{item.operator}", "it stands last")
        there = [[*way, item.type] for way in ways]
        ways = ways + there if item.operator else there
        if len(ways) > MAX_WAYS:
            why = f"what may be absent makes more than {MAX_WAYS} kinds of lists; write [:* :T]"
            raise reader.refusal(form.at, form.shape, why)
    return union([_going_on(way, rest) for way in ways])


def _going_on(types: list[Type], rest: Item | None) -> Type:
    """Return the type of a list with *types* at its places, and then what *rest* repeats."""
    if rest is None:
        return fixed(types)
    if not types:
        least = [Constraint("at_least", 1)] if rest.operator == "+" else []
        return refined(List(rest.type), least)
    return Tuple(tuple([*types, rest.type] if rest.operator == "+" else types), rest.type)


# functions


def is_function(reader: Reader, data: Any) -> bool:
    """Tell whether *data* describes a function, in registries or out of them."""
    for _ in range(MAX_AROUND):
        head = _head(reader, data)
        if head != "schema" or not isinstance(data, list | tuple) or len(data) < 2:
            return head in FUNCTIONS
        data = data[-1]
    return False


FUNCTIONS = frozenset({"=>", "->", "function"})


def whole(reader: Reader, data: Any) -> Signature:
    """Return the signature of *data*, which describes a function."""
    form = reader.form(data, ())
    for name in [name for name in form.properties if name in WORDS]:
        reader.lose((), f"the {name} of {form.shape}", "a signature has none")
    if form.head == "schema":
        reader.known(form, WORDS | {"registry"})
        if "registry" in form.properties:
            reader.define(form)
        return whole(reader, form.parts[-1])
    reader.known(form, WORDS)
    if form.head != "function":
        return _arity(reader, form)
    if not form.parts:
        why = "it takes one function or more, as in [:function [:=> [:cat] :int]]"
        raise reader.refusal((), form.shape, why)
    # Decision 26: of several clauses, the one with most parameters, the first of such.
    found = [_clause(reader, part) for part in form.parts]
    if len(found) > 1:
        reader.lose((), f"{len(found) - 1} of {len(found)} clauses", "a signature has one")
    return max(found, key=lambda signature: len(signature.params))


def _clause(reader: Reader, data: Any) -> Signature:
    form = reader.form(data, ())
    if form.head not in ("=>", "->"):
        why = "it takes functions, as in [:function [:=> [:cat] :int]]"
        raise reader.refusal((), ":function", why)
    reader.known(form, WORDS)
    return _arity(reader, form)


def _arity(reader: Reader, form: Form) -> Signature:
    if form.head == "->":
        if not form.parts:
            why = "it takes the types of the parameters and of the result, as in [:-> :int :int]"
            raise reader.refusal((), form.shape, why)
        *given, returns = form.parts
        params = Form("cat", ":cat", {}, given, ("params",))
    else:
        if len(form.parts) == 3:
            why = "its third part is code; write constraints on the parameters and the result"
            raise reader.refusal((), form.shape, why)
        if len(form.parts) != 2 or _head(reader, form.parts[0]) not in ("cat", "catn"):
            why = "it takes parameters and a result, as in [:=> [:cat :int] :string]"
            raise reader.refusal((), form.shape, why)
        params = reader.form(form.parts[0], ("params",))
        reader.known(params, WORDS)
        returns = form.parts[1]
    items = _items(reader, params, params=True)
    fields = [_param(reader, n, items) for n in range(len(items))]
    return Signature(fields, reader.read(returns, ("returns",)), reader.definitions)


def _param(reader: Reader, n: int, items: list[Item]) -> Field:
    item = items[n]
    name, exact = positional_name(n + 1), False
    if item.key is not None:
        name, exact = item.key[1], not item.key[0]
    if item.operator in ("*", "+"):
        if n + 1 < len(items):
            raise reader.refusal(item.at, f":{item.operator}", "it stands last")
        # As a function's `*args` is: one parameter, which takes a list.
        many: Type = List(item.type)
        least = [Constraint("at_least", 1)] if item.operator == "+" else []
        return Field(name, refined(many, least), bool(least), None, exact)
    return Field(name, item.type, not item.operator, item.default, exact)
