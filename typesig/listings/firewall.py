"""JSON text of data for prompts, without firewalled values at any depth.

This saves a model's context; it is not an access control.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.builtin import VisitBudget, as_builtin
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import get_kind, to_builtin
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_same_value_types
from typesig.errors import TooDeep, TooLarge
from typesig.limits import MAX_DIGITS, MAX_RENDERED, MAX_VALUE_DEPTH
from typesig.notations.texts.quoting import write_json
from typesig.validation.issues.excerpt import FIREWALLED
from typesig.validation.plain_data import to_plain, write_key

#: What to write for a part of the data that JSON has no form for: its path, what it is, and itself.
Refuse: TypeAlias = Callable[[tuple[str | int, ...], str, Any], str]


def render_data(value: object, type: Signature | None = None) -> str:
    """Return *value* as JSON text for a model, with `<Firewalled>` in place of firewalled values.

    With *type*, names are firewalled as in its result; without, those with a leading underscore.
    For what JSON has no form for, its text is written, or null.  Raises `TooDeep` beyond
    `MAX_VALUE_DEPTH`, `TooLarge` beyond `MAX_RENDERED`.

    >>> render_data({"summary": "two mails", "_ids": [7, 9]})
    '{"summary": "two mails", "_ids": <Firewalled>}'
    """
    known = () if type is None else (type.returns,)
    return DataWriter({} if type is None else type.names, _write_nearest).text(value, known)


def _write_nearest(path: tuple[str | int, ...], what: str, value: Any) -> str:
    """Write *value*, which JSON cannot express, as its text or as `null`."""
    if len(path) > MAX_VALUE_DEPTH:
        raise TooDeep(f"the data nests more than {MAX_VALUE_DEPTH} levels, or is inside itself")
    return "null" if get_kind(value) != "object" else write_json(_get_text(value))


def _get_text(value: object) -> str:
    """Convert *value* to text by `str`; describe its type if `str` raises."""
    try:
        return str.__str__(str(value))
    except Exception:
        # An object of others, whose methods may raise anything.
        return f"a value of {type(value).__name__}"


_TOO_LONG = 10**MAX_DIGITS


class DataWriter:
    """Write data as JSON text, with `<Firewalled>` in place of firewalled values.

    #: names: the definitions of the types; left: how many more values may be written
    """

    __slots__ = ("_path", "_refuse", "_shapes", "_watch", "left", "names")

    def __init__(self, names: Mapping[str, nodes.Type], refuse: Refuse) -> None:
        self.names = names
        self.left = MAX_RENDERED
        self._refuse = refuse
        self._path: list[str | int] = []
        self._watch: VisitBudget | None = None
        self._shapes: dict[tuple[nodes.Type, ...], _Shape] = {}

    def text(self, value: Any, known: tuple[nodes.Type, ...]) -> str:
        """Write *value*, whose possible types are *known*, as JSON text."""
        if self._watch is None:
            value = as_builtin(value)
            self._watch = VisitBudget(value)
        self._watch.visit(1)
        self.left -= 1
        if self.left < 0:
            raise TooLarge(
                f"data in a prompt may have {MAX_RENDERED} values, this has more; render a part"
            )
        if len(self._path) > MAX_VALUE_DEPTH:
            return self._report_unwritable(f"data of more than {MAX_VALUE_DEPTH} levels")
        kind = get_kind(value)
        match kind:
            case "list":
                return self._list(value, known)
            case "set":
                return self._list(to_plain(value), known)
            case "map":
                return self._map(value, known)
            case "object":
                made = to_plain(value)
                if made is not value:
                    return self.text(made, known)
                return self._report_unwritable(f"a value of {type(value).__name__}", value)
            case "int" if abs(value) >= _TOO_LONG:
                return self._report_unwritable(f"a number of more than {MAX_DIGITS} digits")
            case "float" if not math.isfinite(value):
                return self._report_unwritable(str(float(value)))
            case "nil" | "bool" | "int" | "float" | "string" | "keyword" | "datetime":
                return write_json(to_plain(value))
            case _:
                assert_never(kind)

    def _report_unwritable(self, what: str, value: object = None) -> str:
        """Call the handler for a *value* that JSON cannot express."""
        return self._refuse(tuple(self._path), what, value)

    def _list(self, items: Any, known: tuple[nodes.Type, ...]) -> str:
        """Write *items* as a JSON array, hiding firewalled fields of the types *known*."""
        shape = self._get_shape(known)
        texts = []
        self._path.append(0)
        for place, item in enumerate(to_builtin(items)):
            self._path[-1] = place
            texts.append(self.text(item, shape.get_item(place)))
        self._path.pop()
        return f"[{', '.join(texts)}]"

    def _map(self, value: Any, known: tuple[nodes.Type, ...]) -> str:
        """Write *value* as a JSON object, hiding firewalled fields of the types *known*."""
        shape = self._get_shape(known)
        pairs = []
        self._path.append("")
        for key, item in to_builtin(value).items():
            self._path[-1] = name = write_key(key)
            hidden, inner = shape.get_entry(name)
            shown = FIREWALLED if hidden else self.text(item, inner)
            pairs.append(f"{write_json(name)}: {shown}")
        self._path.pop()
        return f"{{{', '.join(pairs)}}}"

    def _get_shape(self, known: tuple[nodes.Type, ...]) -> _Shape:
        """Return the combined shape of the types *known*, from a cache."""
        shape = self._shapes.get(known)
        if shape is None:
            shape = _Shape(part for t in known for part in iter_same_value_types(t, self.names))
            self._shapes[known] = shape
        return shape


class _Shape:
    """Types of list items and map entries, combined from several possible types.

    #: items: the types of the first positions; rest: that of the others
    #: fields: whether a name is firewalled and its type, by name, and by folded name if not exact
    #: others: the type of other names, or None if there is none
    """

    __slots__ = ("exact", "fields", "items", "others", "rest")

    def __init__(self, parts: Iterable[nodes.Type]) -> None:
        self.items: tuple[nodes.Type, ...] = ()
        self.rest: nodes.Type | None = None
        self.exact: dict[str, nodes.Field] = {}
        self.fields: dict[str, nodes.Field] = {}
        self.others: nodes.Type | None = None
        listed = False
        for part in parts:
            match part:
                case nodes.List(item) | nodes.Set(item) if not listed:
                    listed, self.rest = True, item
                case nodes.ItemCount(item) if not listed:
                    # A list beside it tells more: some items need not be of this type.
                    self.rest = item
                case nodes.Tuple(items, rest) if not listed:
                    listed, self.items, self.rest = True, items, rest
                case nodes.Record(fields) if self.others is None:
                    for field in fields:
                        self.exact.setdefault(field.name, field)
                        if not field.exact:
                            self.fields.setdefault(field.key, field)
                case nodes.MapOf(_, value) if self.others is None:
                    self.others = value
                case nodes.Leaf() | nodes.Container() | nodes.Not():
                    continue
                case nodes.Wrapper() | nodes.Combination() | nodes.Ref():
                    continue  # `iter_same_value_types` yields the types within, too
                case _:
                    assert_never(part)

    def get_item(self, place: int) -> tuple[nodes.Type, ...]:
        """Type of the item at index *place*, or an empty tuple if it is unknown."""
        found = self.items[place] if place < len(self.items) else self.rest
        return () if found is None else (found,)

    def get_entry(self, name: str) -> tuple[bool, tuple[nodes.Type, ...]]:
        """Return whether the key *name* is firewalled, and the type of its value."""
        field = self.exact.get(name) or self.fields.get(fold_name(name))
        if field is not None:
            return field.firewalled, (field.type,)
        if self.others is not None:
            return False, (self.others,)
        return fold_name(name).startswith("_"), ()
