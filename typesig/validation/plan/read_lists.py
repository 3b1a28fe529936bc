"""Reading lists, tuples, sets and maps."""

from __future__ import annotations

from collections.abc import Callable
from operator import call
from typing import Any

from typesig.validation.check.value_classes import ItemsTest
from typesig.validation.plan.operations import Mismatch, Operation, Run, Source
from typesig.validation.plan.read_leaves import ClassReader, FloatReader, ValueReader

# Its signature is too general for the type checkers.
_CALL: Any = call

#: Makes a collection of a list, or of a dict.
Build = Callable[[Any], Any]


class ListReader(ValueReader):
    """A list of any length.

    #: build: makes another collection of it, or None
    #: most: how many items are read, 0 for any number; of longer ones the check counts the values
    #: test: whether all items surely stay as they are; None for items that are read one by one
    """

    __slots__ = ("build", "item", "keeps", "most", "test")

    def __init__(
        self,
        item: ValueReader,
        build: Build | None = None,
        most: int = 0,
        test: ItemsTest | None = None,
    ) -> None:
        self.item = item
        self.build = build
        self.most = most
        self.test = test
        self.keeps = item.keeps and build is None

    def closure(self) -> Run:
        """Return the function that reads each item."""
        read, build, keeps, most = (
            read_each(self.item, self.test),
            self.build,
            self.keeps,
            self.most,
        )

        def run(value: Any) -> Any:
            if type(value) is not list or (most and len(value) > most):
                raise Mismatch
            made = read(value)
            return value if keeps else made if build is None else build(made)

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add a loop, or return a comprehension."""
        made = emit_items(source, self.item, var, self.most)
        return made if self.build is None else f"{source.constants.bind(self.build)}({made})"


def read_each(item: ValueReader, test: ItemsTest | None = None) -> Run:
    """Return the function that reads each item of a list; for *test* see `ListReader`."""
    read_list, read = item.list_closure(), item.closure()
    if read_list is not None:
        return read_list

    def read_all(values: Any) -> list[Any]:
        if test is not None and len(values) > _FEW and test(values):
            return [*values]
        return [*map(read, values)]

    return read_all


#: The items that are read one by one, which takes as long as the set of their classes.
_FEW = 8


def emit_items(source: Source, item: ValueReader, var: str, most: int) -> str:
    """Add the lines that read the list *var*; return the expression of the list of results."""
    is_long = f" or len({var}) > {most}" if most else ""
    source.refuse(f"type({var}) is not list{is_long}")
    return emit_each(source, item, var, var)


def emit_each(source: Source, item: ValueReader, var: str, items: str) -> str:
    """Add the lines that read each of *items*; return the expression of the list of results.

    It is *var* itself if nothing changes.
    """
    is_call = type(item).emit is Operation.emit or item.list_closure() is not None
    if is_call and not item.keeps:
        return f"{source.constants.bind(read_each(item))}({items})"
    each = source.variable()
    if isinstance(item, FloatReader) and not item.keeps:
        return f"[{item.emit(source, each)} for {each} in {items}]"
    out = source.variable()
    if not item.keeps:
        source.add(f"{out} = []", f"{out}_append = {out}.append")
    with source.open_block(f"for {each} in {items}:"):
        made = source.place(item, each)
        if not item.keeps:
            source.add(f"{out}_append({made})")
        elif made != each:
            source.add(made)
    return var if item.keeps else out


class TupleReader(ValueReader):
    """A list with an item of its own at each place, made a tuple.

    #: rest: reads the items behind these places; None if there are none; test: see `ListReader`
    #: build: makes the result of a list; None for the list, or the value itself if nothing changes
    """

    __slots__ = ("build", "items", "keeps", "most", "rest", "test")

    def __init__(
        self,
        items: tuple[ValueReader, ...],
        build: Build | None,
        rest: ValueReader | None = None,
        most: int = 0,
        test: ItemsTest | None = None,
    ) -> None:
        self.items = items
        self.build = build
        self.rest = rest
        self.most = most
        self.test = test
        parts = items if rest is None else (*items, rest)
        self.keeps = build is None and all(part.keeps for part in parts)

    def closure(self) -> Run:
        """Return the function that reads each place."""
        reads, build, keeps, most = (
            [p.closure() for p in self.items],
            self.build,
            self.keeps,
            self.most,
        )
        count, rest = len(reads), None if self.rest is None else read_each(self.rest, self.test)

        def run(value: Any) -> Any:
            if type(value) is not list or len(value) < count or (most and len(value) > most):
                raise Mismatch
            if rest is None and len(value) > count:
                raise Mismatch
            made = [*map(_CALL, reads, value)]
            if rest is not None:
                made += rest(value[count:] if count else value)
            return value if keeps else made if build is None else build(made)

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the lines of each place."""
        count = len(self.items)
        is_long = f" or len({var}) > {self.most}" if self.most else ""
        wrong = f"len({var}) {'!=' if self.rest is None else '<'} {count}"
        source.refuse(f"type({var}) is not list or {wrong}{is_long}")
        names = [source.variable() for _ in self.items]
        if names:
            behind = "" if self.rest is None else f"[:{count}]"
            source.add(f"{', '.join(names)}, = {var}{behind}")
        parts = []
        for name, item in zip(names, self.items, strict=True):
            made = source.place(item, name)
            if made != name:
                source.add(f"{name} = {made}")
            parts.append(name)
        if self.rest is not None:
            parts.append(
                f"*{emit_each(source, self.rest, var, f'{var}[{count}:]')}"
                if not self.rest.keeps
                else self._emit_kept_rest(source, var, count)
            )
        if self.keeps:
            return var
        text = ", ".join(parts)
        if self.build is tuple:
            return f"({text},)" if parts else "()"
        return (
            f"[{text}]" if self.build is None else f"{source.constants.bind(self.build)}([{text}])"
        )

    def _emit_kept_rest(self, source: Source, var: str, count: int) -> str:
        """Add the lines for a rest that does not change; return it."""
        assert self.rest is not None
        tail = source.variable()
        source.add(f"{tail} = {var}[{count}:]")
        return f"*{emit_each(source, self.rest, tail, tail)}"


class SetReader(ValueReader):
    """A list of different items that have no parts, made a set.

    #: check: makes what the check leaves in the set of an item; None if that is the item
    #: item: reads an item
    #: build: makes the result of the results of all items
    #: test: see `ListReader`
    """

    __slots__ = ("build", "check", "item", "most", "test")

    def __init__(
        self,
        item: ValueReader,
        build: Build,
        check: ValueReader | None = None,
        most: int = 0,
        test: ItemsTest | None = None,
    ) -> None:
        self.item = item
        self.test = test
        self.build = build
        self.check = check
        self.most = most

    def closure(self) -> Run:
        """Return the function that makes a set."""
        read, build, most, keeps = (
            read_each(self.item, self.test),
            self.build,
            self.most,
            self.item.keeps,
        )
        check = None if self.check is None else self.check.closure()

        def run(value: Any) -> Any:
            if type(value) is not list or (most and len(value) > most):
                raise Mismatch
            made = read(value)
            held = set(value if check is None else map(check, value))
            if len(held) != len(value):
                raise Mismatch
            return held if keeps and build is set else build(made)

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the lines that read the items, and see that they are different."""
        made, out = emit_items(source, self.item, var, self.most), source.variable()
        bind = source.constants.bind
        checked = var if self.check is None else f"map({bind(self.check.closure())}, {var})"
        if made != var:
            source.add(f"{out} = {made}")
            made = out
        held = source.variable()
        source.add(f"{held} = set({checked})")
        source.refuse(f"len({held}) != len({var})")
        return held if self.item.keeps and self.build is set else f"{bind(self.build)}({made})"


#: The classes of texts.
_TEXTS = frozenset({str})


class MapReader(ValueReader):
    """A map of any keys.

    #: build: makes another mapping of the dict, or None
    #: test: see `ListReader`
    """

    __slots__ = ("build", "item", "keeps", "key", "most", "test")

    def __init__(
        self,
        key: ValueReader,
        item: ValueReader,
        build: Build | None = None,
        most: int = 0,
        test: ItemsTest | None = None,
    ) -> None:
        self.key = key
        self.test = test
        self.item = item
        self.build = build
        self.most = most
        self.keeps = key.keeps and item.keeps and build is None

    def closure(self) -> Run:
        """Return the function that reads keys and values."""
        key, item, build = self.key.closure(), read_each(self.item, self.test), self.build
        keeps, most = self.keeps, self.most
        is_text = isinstance(self.key, ClassReader) and self.key.cls is str

        def run(value: Any) -> Any:
            if type(value) is not dict or (most and len(value) > most):
                raise Mismatch
            if not is_text:
                names: Any = [*map(key, value)]
            elif _TEXTS.issuperset(map(type, value)):
                names = value
            else:
                raise Mismatch
            parts = item([*value.values()])
            if keeps:
                return value
            made = dict(zip(names, parts, strict=True))
            if len(made) != len(value):
                # Two keys became one.
                raise Mismatch
            return made if build is None else build(made)

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add a loop over the items."""
        is_long = f" or len({var}) > {self.most}" if self.most else ""
        source.refuse(f"type({var}) is not dict{is_long}")
        key, part, out = source.variable(), source.variable(), source.variable()
        is_same = self.key.keeps and self.item.keeps
        if not is_same:
            source.add(f"{out} = {{}}")
        with source.open_block(f"for {key}, {part} in {var}.items():"):
            name, made = source.place(self.key, key), source.place(self.item, part)
            if not is_same:
                source.add(f"{out}[{name}] = {made}")
            else:
                source.add(*[each for each in (name, made) if each not in (key, part)])
        if not is_same:
            source.refuse(f"len({out}) != len({var})")
        made = var if is_same else out
        return made if self.build is None else f"{source.constants.bind(self.build)}({made})"
