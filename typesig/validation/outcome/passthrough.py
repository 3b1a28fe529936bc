"""Whole values, plain data whose records have declared keys only, as a model sees them.

What is left out of such a value is known from its type: firewalled fields, and nulls of fields that
are shown as optional instead.  `typesig.validation.outcome.model_data` rewrites the other values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.frozen import NAMES
from typesig.notations.json_schema.model_view import is_exact_below, is_shown_without_null

#: Makes what a model sees of a value.
Copy: TypeAlias = Callable[[Any], Any]


class CopyOptions(NamedTuple):
    """Options for copying values for a model without a rewrite.

    #: exact: whether nulls stay; fresh: whether all is copied, so that the copy may be changed
    """

    exact: bool
    fresh: bool


#: For a text: what nothing is left out of is not copied.
FOR_TEXT = CopyOptions(False, False)


def build_whole_copier(
    t: nodes.Type, definitions: tuple[Definition, ...], showing: CopyOptions
) -> Copy | None:
    """Build the function that copies values of *t*, which may have names; None if unsupported."""
    if not t.flags & NAMES:
        return build_copier(t, showing)
    types = [t, *[definition.type for definition in definitions]]
    # Nothing may be left out of values of named types.
    below = showing._replace(fresh=False)
    if any(build_copier(each, below) is not return_unchanged for each in types):
        return None
    return _copy_plain if showing.fresh else return_unchanged


@lru_cache(maxsize=1024)
def build_copier(t: nodes.Type, showing: CopyOptions) -> Copy | None:
    """Build the function that copies values of *t* for a model; None if unsupported.

    It does not look into values of named types.
    """
    match t:
        case nodes.Scalar(name):
            if name in ("any", "map"):
                return _copy_plain if showing.fresh else return_unchanged
            # Datetimes and keywords are texts in plain data.
            return return_unchanged
        case nodes.Enum(values):
            return return_unchanged if {value.kind for value in values} <= _KINDS else None
        case nodes.Annotation(inner):
            return build_copier(inner, showing)
        case nodes.Refinement(inner):
            # Below some constraints nothing is left out but firewalled fields.
            below = showing if not is_exact_below(t) else showing._replace(exact=True)
            return build_copier(inner, below)
        case nodes.Maybe(inner):
            copy = build_copier(inner, showing)
            if copy is None or copy is return_unchanged:
                return copy
            return lambda value: None if value is None else copy(value)
        case nodes.List(inner) | nodes.Set(inner) | nodes.MapOf(_, inner):
            below = showing._replace(exact=True) if isinstance(t, nodes.Set) else showing
            return _build_items_copier(
                build_copier(inner, below), isinstance(t, nodes.MapOf), showing
            )
        case nodes.Tuple(items, rest):
            return _build_tuple_copier(items, rest, showing)
        case nodes.Record(fields, extra, matching):
            if matching or extra not in (nodes.ANY, None):
                return None
            return _build_record_copier(fields, showing)
        case nodes.Union(members):
            return _build_union_copier(members, showing)
        case nodes.Ref():
            return return_unchanged
        case nodes.One() | nodes.Both() | nodes.Not() | nodes.ItemCount():
            return None
        case _:
            assert_never(t)


def _build_union_copier(members: tuple[nodes.Type, ...], showing: CopyOptions) -> Copy | None:
    """Build the copier for values of one of *members*, or None."""
    copies = [build_copier(member, showing) for member in members]
    if all(copy is return_unchanged for copy in copies):
        return return_unchanged
    by_class: dict[type, list[Copy]] = {dict: [], list: []}
    records: list[nodes.Record] = []
    for member, copy in zip(members, copies, strict=True):
        t = member
        while isinstance(t, nodes.Annotation | nodes.Refinement | nodes.Maybe):
            t = t.inner
        if copy is None or isinstance(t, nodes.Union) or t in (nodes.ANY, nodes.MAP):
            return None
        if isinstance(t, nodes.Record):
            records.append(t)
        if isinstance(t, nodes.Container):
            by_class[dict if isinstance(t, nodes.Record | nodes.MapOf) else list].append(copy)
    if len(records) > 1:
        merged = _merge_records(records)
        if len(records) < len(by_class[dict]) or merged is None:
            return None
        merged_copy = build_copier(merged, showing)
        assert merged_copy is not None
        by_class[dict] = [merged_copy]
    if any(len(copies) > 1 for copies in by_class.values()):
        return None
    known = {cls: copies[0] for cls, copies in by_class.items() if copies}
    return lambda value: known.get(type(value), return_unchanged)(value)


def _merge_records(records: list[nodes.Record]) -> nodes.Record | None:
    """Return a record that is copied as a value of any of *records* is, or None.

    A value has the declared keys of one of them, and a branch that declares all of its keys says
    what a model sees: they have to agree on each key.
    """
    fields: dict[str, nodes.Field] = {}
    for field in [field for record in records for field in record.fields]:
        known = fields.setdefault(field.name, field)
        if field.firewalled or is_shown_without_null(known) != is_shown_without_null(field):
            return None
        if known.type != field.type and not (_is_scalar(known.type) and _is_scalar(field.type)):
            return None
    return nodes.Record(tuple(fields.values()), nodes.ANY)


def _is_scalar(t: nodes.Type) -> bool:
    """Whether a model sees all values of *t* unchanged."""
    return build_copier(t, FOR_TEXT) is return_unchanged


def _build_items_copier(copy: Copy | None, is_map: bool, showing: CopyOptions) -> Copy | None:
    """Build the copier for lists or maps whose items *copy* copies, unless *copy* is None."""
    if copy is None:
        return None
    if copy is return_unchanged:
        return (dict if is_map else list) if showing.fresh else return_unchanged
    if is_map:
        return lambda value: {key: copy(item) for key, item in value.items()}
    return lambda value: [copy(each) for each in value]


def _build_tuple_copier(
    items: tuple[nodes.Type, ...], rest: nodes.Type | None, showing: CopyOptions
) -> Copy | None:
    """Build the copier for tuples of *items* by position and of *rest* behind them."""
    last = return_unchanged if rest is None else build_copier(rest, showing)
    copies = [build_copier(item, showing) for item in items]
    known = [copy for copy in copies if copy is not None]
    if last is None or len(known) < len(copies):
        return None
    if last is return_unchanged and all(copy is return_unchanged for copy in known):
        return list if showing.fresh else return_unchanged
    count = len(known)
    return lambda value: [
        (known[place] if place < count else last)(item) for place, item in enumerate(value)
    ]


def _build_record_copier(fields: tuple[nodes.Field, ...], showing: CopyOptions) -> Copy | None:
    """Build the copier for records of *fields*, which drops firewalled fields, or None."""
    names: set[str] = set()
    nullable: set[str] = set()
    copies: list[tuple[str, Copy]] = []
    for field in fields:
        if field.firewalled:
            continue
        copy = build_copier(field.type, showing)
        if copy is None:
            return None
        names.add(field.name)
        if is_shown_without_null(field) and not showing.exact:
            nullable.add(field.name)
        if copy is not return_unchanged:
            copies.append((field.name, copy))
    if not (showing.fresh or nullable or copies) and len(names) == len(fields):
        return return_unchanged
    order = tuple([field.name for field in fields]) if len(names) == len(fields) else None

    def copied(value: Any) -> Any:
        # A key that the value got later is left out, too.
        if tuple(value) == order:
            made = value.copy()
            for key in nullable:
                if made[key] is None:
                    del made[key]
        else:
            made = {
                key: item
                for key, item in value.items()
                if key in names and (item is not None or key not in nullable)
            }
        for key, copy in copies:
            if key in made:
                made[key] = copy(made[key])
        return made

    return copied


def return_unchanged(value: Any) -> Any:
    """Return *value* unchanged: the copier of types without hidden parts."""
    return value


def _copy_plain(value: Any) -> Any:
    """Copy the plain data *value*, including nested lists and maps."""
    if type(value) is dict:
        return {key: _copy_plain(item) for key, item in value.items()}
    return [_copy_plain(item) for item in value] if type(value) is list else value


#: The kinds of constants that are shown as they are.
_KINDS = {"string", "int", "bool", "nil", "keyword"}
