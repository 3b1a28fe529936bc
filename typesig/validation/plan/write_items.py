"""Operations that write lists, tuples, sets and maps as plain data."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from itertools import repeat
from json.encoder import encode_basestring_ascii
from operator import call, is_
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.rows.values import SMALL
from typesig.algebra.traversal import iter_types
from typesig.limits import MAX_ITEMS
from typesig.validation.plain_data import get_sort_key, write_key
from typesig.validation.plan.operations import Mismatch, Operation, Plan, Run, Source
from typesig.validation.plan.write_classes import (
    WriteAny,
    WriteAnyMap,
    WriteObject,
    add_count,
    reuse,
    take_places,
)
from typesig.validation.plan.write_leaves import (
    FEW,
    JSON_SCALARS,
    LeafWriters,
    WriteLeaf,
    WriteOperation,
    WriteScalar,
)

# Its signature is too general for the type checkers.
_CALL: Any = call


def _add_others(source: Source, var: str, classes: tuple[str, str], others: Operation) -> str:
    """Add a test of the two *classes*; values of others are written by *others*.

    Returns the variable of the result.  The lines that follow belong to a block.
    """
    out = source.variable()
    first, second = classes
    with source.open_block(f"if type({var}) is not {first} and type({var}) is not {second}:"):
        source.add(f"{out} = {others.emit(source, var)}")
    return out


class WriteList(WriteOperation):
    """A list or a tuple of any number of items.

    #: fresh: whether a list is copied that stays as it is
    #: others: writes values of other classes
    """

    __slots__ = ("fresh", "item", "others")

    item: Operation
    fresh: bool
    others: Operation

    def closure(self) -> Run:
        """Return the form that calls the closure of the item."""
        write, others, fresh = write_each(self.item), self.others.closure(), self.fresh

        def run(value: Any, left: list[int]) -> Any:
            cls = type(value)
            if cls is not list and cls is not tuple:
                return others(value, left)
            take_places(len(value), left)
            out = write(value, left)
            return out if fresh else reuse(value, out)

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add a loop; scalars that stay as they are are only tested."""
        out, item = _add_others(source, var, ("list", "tuple"), self.others), self.item
        if isinstance(item, WriteAny | WriteAnyMap) and not self.fresh:
            is_plain = source.constants.bind(item.are_plain)
            with source.open_block(f"elif type({var}) is list and {is_plain}({var}, left):"):
                source.add(f"{out} = {var}")
        with source.open_block("else:"):
            add_count(source, var)
            if isinstance(item, WriteScalar):
                kept = f"[*{var}]" if self.fresh else f"{var} if type({var}) is list else [*{var}]"
                odd = f"{source.constants.bind(item.writers.write_items)}({var})"
                _add_scalars(source, item, var, out, kept, odd)
                return out
            add_items(source, out, var, item)
            if not self.fresh:
                source.add(f"{out} = {source.constants.bind(reuse)}({var}, {out})")
        return out


class WriteDeque(WriteOperation):
    """A deque, written as the list of its items.

    #: items: writes that list; others: writes values of other classes
    """

    __slots__ = ("items", "others")

    items: Operation
    others: Operation

    def closure(self) -> Run:
        """Return the form whose plan of the list is made for the first deque."""
        items, others, plans = self.items, self.others.closure(), list[Plan]()

        def run(value: Any, left: list[int]) -> Any:
            if type(value) is not deque or len(value) > MAX_ITEMS:
                return others(value, left)
            if not plans:
                plans.append(Plan(items, ", left"))
            return plans[0].run([*value], left)

        return run


def write_each(item: Operation) -> Run:
    """Return the closure that writes a list or tuple of values of *item* as a new list."""
    if isinstance(item, WriteScalar | WriteLeaf):
        write_leaves = item.writers.write_items
        return lambda values, _left: write_leaves(values)
    if isinstance(item, WriteObject):
        return item.writers.write_items
    write = item.closure()
    return lambda values, left: [write(each, left) for each in values]


def _add_scalars(
    source: Source, item: WriteScalar, items: str, out: str, kept: str, odd: str
) -> None:
    """Add lines that set *out* to *kept* if all *items* stay as they are, else to *odd*."""
    each = source.variable()
    with (
        source.open_block(f"for {each} in {items}:"),
        source.open_block(f"if {item.get_test(source, each)}:"),
    ):
        source.add(f"{out} = {odd}", "break")
    with source.open_block("else:"):
        source.add(f"{out} = {kept}")


def add_items(source: Source, out: str, var: str, item: Operation) -> None:
    """Add lines that set *out* to the list of what *item* writes of *var*."""
    if isinstance(item, WriteLeaf):
        source.add(f"{out} = {source.constants.bind(item.writers.write_items)}({var})")
        return
    if isinstance(item, WriteObject):
        source.add(f"{out} = {source.constants.bind(item.writers.write_items)}({var}, left)")
        return
    each = source.variable()
    source.add(f"{out} = []")
    with source.open_block(f"for {each} in {var}:"):
        source.add(f"{out}.append({source.place(item, each)})")


class WriteTuple(WriteOperation):
    """A list or tuple with items by position, and any number of *rest* after them."""

    __slots__ = ("items", "others", "rest")

    items: tuple[Operation, ...]
    rest: Operation | None
    others: Operation

    def closure(self) -> Run:
        """Return the form that calls the closures of the items."""
        writes = [item.closure() for item in self.items]
        rest = None if self.rest is None else write_each(self.rest)
        count, others = len(writes), self.others.closure()

        def run(value: Any, left: list[int]) -> Any:
            cls = type(value)
            if cls is not list and cls is not tuple:
                return others(value, left)
            take_places(len(value), left)
            if len(value) < count or (rest is None and len(value) > count):
                raise Mismatch
            out = [*map(_CALL, writes, value, repeat(left))]
            if rest is not None:
                out += rest(value[count:], left)
            return out

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add lines for each position."""
        out = _add_others(source, var, ("list", "tuple"), self.others)
        with source.open_block("else:"):
            add_count(source, var)
            count = len(self.items)
            sign = "!=" if self.rest is None else "<"
            source.guard(f"len({var}) {sign} {count}", "raise Mismatch")
            names = [source.variable() for _ in self.items]
            behind = source.variable()
            source.add(f"{', '.join(names)}, {'' if self.rest is None else f'*{behind}'} = {var}")
            made = [source.place(item, name) for item, name in zip(self.items, names, strict=True)]
            source.add(f"{out} = [{', '.join(made)}]")
            if self.rest is not None:
                rest = source.variable()
                add_items(source, rest, behind, self.rest)
                source.add(f"{out} += {rest}")
        return out


def _sort_items(items: list[Any]) -> list[Any]:
    """Sort the plain *items* of a set; raise `Mismatch` if two are the same in JSON."""
    classes = set(map(type, items))
    if classes == {str}:
        # The key is that of `get_sort_key`, made in C.
        out, distinct = sorted(items, key=encode_basestring_ascii), len(set(items))
    elif classes <= {int, float}:
        out, distinct = sorted(items), len(set(items))
    else:
        keyed = sorted([(get_sort_key(item), at) for at, item in enumerate(items)])
        out, distinct = [items[at] for _, at in keyed], len({key for key, _ in keyed})
    if distinct < len(out):
        raise Mismatch
    return out


class WriteSet(WriteOperation):
    """A set, written as a sorted list."""

    __slots__ = ("item", "others")

    item: Operation
    others: Operation

    def closure(self) -> Run:
        """Return the form that calls the closure of the item."""
        write, others = write_each(self.item), self.others.closure()

        def run(value: Any, left: list[int]) -> Any:
            cls = type(value)
            if cls is not set and cls is not frozenset:
                return others(value, left)
            take_places(len(value), left)
            return _sort_items(write(list(value), left))

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add a loop."""
        out = _add_others(source, var, ("set", "frozenset"), self.others)
        with source.open_block("else:"):
            add_count(source, var)
            item, sort = self.item, source.constants.bind(_sort_items)
            kept = _write_sorted(source, item, var) if isinstance(item, WriteScalar) else None
            if isinstance(item, WriteScalar) and kept is not None:
                write = source.constants.bind(item.writers.write_items)
                _add_scalars(source, item, var, out, kept, f"{sort}({write}([*{var}]))")
            else:
                items = source.variable()
                source.add(f"{items} = [*{var}]")
                add_items(source, out, items, item)
                source.add(f"{out} = {sort}({out})")
        return out


def _write_sorted(source: Source, item: WriteScalar, var: str) -> str | None:
    """Return the expression of the sorted list of the set *var* of scalars, as `_sort_items` does.

    They are not written by others.  Returns None if they are of several kinds.
    """
    kinds = {t for t in iter_types(item.type) if not isinstance(t, _OF_ONE_KIND)}
    if kinds <= {nodes.INT, nodes.FLOAT}:
        return f"sorted({var})"
    key = source.constants.bind(encode_basestring_ascii)
    texts = f"sorted({var}, key={key}) if len({var}) > 1 else [*{var}]"
    return texts if kinds == {nodes.STRING} else None


#: The types of values that are values of the types inside.
_OF_ONE_KIND = (nodes.Union, nodes.Refinement, nodes.Annotation)


class WriteMap(WriteOperation):
    """A dict of any keys.

    #: keys: writes the keys, which are scalars; None if they are texts
    #: fresh: whether a dict is copied that stays as it is
    """

    __slots__ = ("fresh", "item", "keys", "others")

    keys: LeafWriters | None
    item: Operation
    fresh: bool
    others: Operation

    def closure(self) -> Run:
        """Return the form that calls the closure of the item."""
        keys, write, others = self.keys, write_each(self.item), self.others.closure()
        fresh = self.fresh

        def run(value: Any, left: list[int]) -> Any:
            if type(value) is not dict:
                return others(value, left)
            take_places(len(value), left)
            if keys is None:
                if not _TEXTS.issuperset(map(type, value)):
                    return others(value, left)
                out = dict(zip(value, write([*value.values()], left), strict=True))
                return out if fresh else _reuse_dict(value, out)
            names = _write_keys(keys, value)
            out = dict(zip(names, write([*value.values()], left), strict=True))
            if len(out) != len(names):
                raise Mismatch
            return out

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add a loop."""
        out, key, each = source.variable(), source.variable(), source.variable()
        bind = source.constants.bind
        is_odd = f"type({var}) is not dict"
        if self.keys is None:
            is_odd += f" or not {bind(_TEXTS)}.issuperset(map(type, {var}))"
        with source.open_block(f"if {is_odd}:"):
            source.add(f"{out} = {self.others.emit(source, var)}")
        with source.open_block("else:"):
            add_count(source, var)
            if self.keys is None and isinstance(self.item, WriteScalar):
                self._add_scalars(source, self.item, var, out)
                return out
            if self.keys is not None:
                source.add(f"{key} = {bind(_write_keys)}({bind(self.keys)}, {var})")
                source.add(f"{each} = [*{var}.values()]")
                self._add_values(source, each, out)
                source.add(f"{out} = dict(zip({key}, {out}))")
                source.guard(f"not len({out}) == len({key}) == len({each})", "raise Mismatch")
                return out
            source.add(f"{out} = {{}}")
            with source.open_block(f"for {key}, {each} in {var}.items():"):
                source.add(f"{out}[{key}] = {source.place(self.item, each)}")
            if not self.fresh:
                source.add(f"{out} = {bind(_reuse_dict)}({var}, {out})")
        return out

    def _add_values(self, source: Source, values: str, out: str) -> None:
        """Add lines that write the list *values*."""
        if isinstance(self.item, WriteScalar):
            odd = f"{source.constants.bind(self.item.writers.write_items)}({values})"
            _add_scalars(source, self.item, values, out, values, odd)
        else:
            add_items(source, out, values, self.item)

    def _add_scalars(self, source: Source, item: WriteScalar, var: str, out: str) -> None:
        """Add lines for values that are only tested if they stay as they are."""
        bind, write = source.constants.bind, source.constants.bind(item.writers)
        odd = f"{{k: {write}[type(i)](i) for k, i in {var}.items()}}"
        odd = odd if self.fresh else f"{bind(_reuse_dict)}({var}, {odd})"
        kept = f"{var}.copy()" if self.fresh else var
        _add_scalars(source, item, f"{var}.values()", out, kept, odd)


def _write_keys(writers: LeafWriters, keys: Collection[Any]) -> list[str]:
    """Write the *keys* of a dict as texts."""
    if len(keys) <= FEW:
        return [_write_key(writers[type(key)](key)) for key in keys]
    data = writers.write_items([*keys])
    if _TEXTS.issuperset(map(type, data)):
        return data
    if set(map(type, data)) == {int} and min(data) >= -SMALL and max(data) <= SMALL:
        return [*map(int.__repr__, data)]
    return [*map(_write_key, data)]


def _write_key(key: Any) -> str:
    """Return the text of the plain *key*."""
    if type(key) is str:
        return key
    if type(key) not in _OF_KEYS:
        raise Mismatch
    return write_key(key)


_TEXTS = frozenset({str})
_OF_KEYS = JSON_SCALARS - {type(None)}


def _reuse_dict(value: dict[str, Any], out: dict[str, Any]) -> dict[str, Any]:
    """Return the dict *value* if *out* has the same values, else *out*."""
    return value if all(map(is_, value.values(), out.values())) else out
