"""Whole values, plain data whose records have declared keys only, as a model sees them.

What is left out of such a value is known from its type: firewalled fields, and nulls of fields that
are shown as optional instead.  `typesig.validation.outcome.model_data` rewrites the other values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.frozen import NAMES
from typesig.notations.json_schema.writing.model_view import is_exact_below, is_shown_without_null

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


@lru_cache(maxsize=1024)
def build_copier(t: nodes.Type, showing: CopyOptions) -> Copy | None:
    """Build the function that copies values of *t* for a model; None if unsupported."""
    if t.flags & NAMES:
        return None
    match t:
        case nodes.Scalar(name):
            if name in ("any", "map"):
                return _copy_plain if showing.fresh else return_unchanged
            return return_unchanged if t in _SHOWN else None
        case nodes.Enum(values):
            return return_unchanged if {value.kind for value in values} <= _KINDS else None
        case nodes.Annotation(inner):
            return build_copier(inner, showing)
        case nodes.Refinement(inner):
            # Below some constraints nothing is left out but firewalled fields.
            below = showing if not is_exact_below(t) else showing._replace(exact=True)
            return build_copier(inner, below)
        case nodes.Maybe(inner):
            return _build_maybe_copier(build_copier(inner, showing))
        case nodes.List(item):
            return _build_list_copier(build_copier(item, showing), showing)
        case nodes.MapOf(_, value):
            return _build_map_copier(build_copier(value, showing), showing)
        case nodes.Tuple(items, rest):
            return _build_tuple_copier(
                [build_copier(item, showing) for item in items], rest, showing
            )
        case nodes.Record(fields, extra, matching):
            if matching or extra not in (nodes.ANY, None):
                return None
            return _build_record_copier(fields, showing)
        case nodes.Union(members):
            leaves = [build_copier(member, showing) for member in members]
            return return_unchanged if all(leaf is return_unchanged for leaf in leaves) else None
        case (
            nodes.Set() | nodes.One() | nodes.Both() | nodes.Not() | nodes.ItemCount() | nodes.Ref()
        ):
            return None
        case _:
            assert_never(t)


def _build_maybe_copier(copy: Copy | None) -> Copy | None:
    """Build the copier for None or a value that *copy* copies, unless *copy* is None."""
    if copy is None or copy is return_unchanged:
        return copy
    return lambda value: None if value is None else copy(value)


def _build_list_copier(copy: Copy | None, showing: CopyOptions) -> Copy | None:
    """Build the copier for lists whose items *copy* copies, unless *copy* is None."""
    if copy is None:
        return None
    if copy is return_unchanged:
        return list if showing.fresh else return_unchanged
    return lambda value: [copy(each) for each in value]


def _build_map_copier(copy: Copy | None, showing: CopyOptions) -> Copy | None:
    """Build the copier for maps whose values *copy* copies, unless *copy* is None."""
    if copy is None:
        return None
    if copy is return_unchanged:
        return dict if showing.fresh else return_unchanged
    return lambda value: {key: copy(item) for key, item in value.items()}


def _build_tuple_copier(
    copies: list[Copy | None], rest: nodes.Type | None, showing: CopyOptions
) -> Copy | None:
    """Build the copier for tuples from *copies* by position and the type *rest*."""
    last = return_unchanged if rest is None else build_copier(rest, showing)
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
    is_all = not nullable and len(names) == len(fields)
    order = tuple([field.name for field in fields]) if is_all else None

    def copied(value: Any) -> Any:
        # A key that the value got later is left out, too.
        if tuple(value) == order:
            made = value.copy()
        elif nullable:
            made = {
                key: item
                for key, item in value.items()
                if key in names and (item is not None or key not in nullable)
            }
        else:
            made = {key: item for key, item in value.items() if key in names}
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


#: The scalars, and the kinds of constants, that are shown as they are.
_SHOWN = frozenset({nodes.STRING, nodes.INT, nodes.FLOAT, nodes.BOOL, nodes.NIL})
_KINDS = {"string", "int", "bool", "nil"}
