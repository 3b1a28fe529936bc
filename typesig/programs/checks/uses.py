"""What a program does with values: keys, attributes, items, operators.

Something is an error if no value of the type allows it, and a warning if only nil does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import bare
from typesig.algebra.rows.names import folded
from typesig.programs.checks.flaws import FlawKind, Flaws
from typesig.programs.checks.seen import UNKNOWN, PyKind, Seen, Shapes, kind_of_shape, union_of
from typesig.validation.issues.excerpt import text

_CLASSES: dict[PyKind, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float, bool),
    "nil": (type(None),),
    "list": (list, set, tuple, frozenset),
    "map": (dict,),
}

_CALLED: dict[PyKind, str] = {
    "text": "a text",
    "number": "a number",
    "nil": "None",
    "list": "a list",
    "map": "a dict",
}

#: What methods of texts return.
_OF_TEXT: dict[str, nodes.Type] = {
    **dict.fromkeys(
        [
            "capitalize", "casefold", "lower", "lstrip", "replace", "rstrip", "strip", "title",
            "upper",
        ],
        nodes.STRING,
    ),
    **dict.fromkeys(["split", "rsplit", "splitlines"], nodes.List(nodes.STRING)),
    **dict.fromkeys(["endswith", "startswith", "isdigit"], nodes.BOOL),
    **dict.fromkeys(["count", "find", "index"], nodes.INT),
}  # fmt: skip


@cache
def _attributes(kind: PyKind) -> frozenset[str]:
    return frozenset([name for cls in _CLASSES[kind] for name in dir(cls)])


class Uses:
    """What is known of what a program does with values; flaws tell what cannot be done.

    #: stored: the keys that the program itself stores, of which nothing is known
    """

    def __init__(self, shapes: Shapes, stored: frozenset[str], flaws: Flaws) -> None:
        self._shapes = shapes
        self._stored = stored
        self._flaws = flaws

    def shapes(self, seen: Seen) -> tuple[nodes.Type, ...]:
        """Return what the value *seen* may be; nothing if that is unknown."""
        return () if seen.awaits or seen.tool else self._shapes.of(seen.type)

    def told(self, seen: Seen) -> str:
        """Return what a message calls the value *seen*, all of whose shapes are known."""
        return _told(self.shapes(seen))

    def without_nil(self, seen: Seen) -> Seen:
        """Return what is known of the value if it is not None."""
        found = self.shapes(seen)
        kept = [shape for shape in found if shape != nodes.NIL]
        if not found or len(kept) == len(found):
            return seen
        return Seen(union_of(kept)) if kept else UNKNOWN

    def may_be_nil(self, node: ast.expr, seen: Seen, use: str) -> tuple[nodes.Type, ...]:
        """Return the shapes of *seen* but None, of which a warning tells that *use* fails."""
        found = self.shapes(seen)
        kept = tuple([shape for shape in found if shape != nodes.NIL])
        if kept and len(kept) < len(found):
            self._flaws.warn("maybe_nil", node, f"this may be None, {use}; check it first")
        return kept or found

    # keys

    def item(self, node: ast.Subscript, seen: Seen, key: Seen) -> Seen:
        """Return what is known of the value at a key or an index."""
        if isinstance(node.slice, ast.Slice):
            return self._sliced(node, seen)
        found = self.may_be_nil(node.value, seen, "which has no keys")
        if not found:
            return UNKNOWN
        types: list[nodes.Type] = []
        wrong: list[str] = []
        for shape in found:
            got = self._item_of(shape, node.slice, key)
            (wrong if isinstance(got, str) else types).append(got)  # type: ignore[arg-type]
        if types:
            return Seen(union_of(types))
        is_key = all(kind_of_shape(shape) == "map" for shape in found)
        kind: FlawKind = "unknown_key" if is_key else "not_indexable"
        near = self._near_key(node.slice, found)
        is_asked = kind == "unknown_key" and wrong[0].startswith("there is")
        some = [] if near or not is_asked else [*_keys_of(found).values()]
        more = ", …" if len(some) > _KEYS_SHOWN else ""
        offered = f"; there are {', '.join(some[:_KEYS_SHOWN])}{more}" if some else ""
        self._flaws.error(kind, node.slice, wrong[0] + offered, near)
        return UNKNOWN

    def _item_of(self, shape: nodes.Type, node: ast.expr, key: Seen) -> nodes.Type | str:
        """Return the type at the key *node*, or why there is none."""
        kinds = {kind_of_shape(each) for each in self.shapes(key)}
        kind = kind_of_shape(shape)
        constant = node.value if isinstance(node, ast.Constant) else None
        match kind:
            case "map":
                is_of_texts = isinstance(shape, nodes.Record) and _is_closed(shape)
                if is_of_texts and kinds and not kinds & {"text", "nil"}:
                    return f"this is a dict, whose keys are texts, not {self.told(key)}"
                return self._value_of(shape, constant)
            case "list" | "text":
                if kinds and not kinds & {"number"}:
                    asked = f"key {text(constant)}" if isinstance(constant, str) else "such key"
                    return f"this is {_CALLED[kind]}, which has no {asked}"
                return self._indexed(shape, constant)
            case "number" | "nil":
                return f"this is {_CALLED[kind]}, which has no keys"
            case _:
                assert_never(kind)

    def _value_of(self, shape: nodes.Type, key: object) -> nodes.Type | str:
        if isinstance(shape, nodes.MapOf):
            return shape.value if not self._stored else nodes.ANY
        if not isinstance(shape, nodes.Record) or not isinstance(key, str) or key in self._stored:
            return nodes.ANY
        for field in shape.fields:
            if field.name == key:
                return field.type
        if shape.matching or not _is_closed(shape):
            return nodes.ANY if shape.matching or shape.extra is None else shape.extra
        return f"there is no key {text(key)}"

    def _indexed(self, shape: nodes.Type, index: object) -> nodes.Type | str:
        match shape:
            case nodes.List(item) | nodes.Set(item):
                return item
            case nodes.Tuple(items, rest):
                if type(index) is int and 0 <= index < len(items):
                    return items[index]
                return union_of([*items, *([] if rest is None else [rest])])
            case _:
                return nodes.STRING

    def _sliced(self, node: ast.Subscript, seen: Seen) -> Seen:
        found = self.may_be_nil(node.value, seen, "which has no items")
        good = [each for each in found if kind_of_shape(each) in ("list", "text")]
        if found and not good:
            said = f"this is {_told(found)}, which has no slices"
            self._flaws.error("not_indexable", node.value, said)
        kept = [nodes.List(nodes.ANY) if isinstance(t, nodes.Tuple) else t for t in good]
        return Seen(union_of(kept)) if good and len(good) == len(found) else UNKNOWN

    def _near_key(self, node: ast.expr, found: tuple[nodes.Type, ...]) -> str:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return ""
        return self._flaws.near(node.value, lambda: _keys_of(found))

    def missing(self, node: ast.Subscript, seen: Seen) -> None:
        """Warn if the key of *node* may be missing in the value *seen*."""
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(key, str) or key in self._stored:
            return
        for shape in self.shapes(seen):
            if isinstance(shape, nodes.Record):
                for field in shape.fields:
                    if field.name == key and not field.required:
                        said = f"{text(key)} may be missing: write .get({text(key)})"
                        self._flaws.warn("maybe_missing", node.slice, said)

    def entry(self, seen: Seen, key: ast.expr, default: Seen) -> Seen:
        """Return what is known of what `.get` of a key returns."""
        types: list[nodes.Type] = [default.type]
        for shape in self.shapes(seen):
            got = self._item_of(shape, key, UNKNOWN) if kind_of_shape(shape) == "map" else ""
            if not isinstance(got, str):
                types.append(got)
            elif got:
                near = self._near_key(key, (shape,))
                self._flaws.warn("unknown_key", key, got, near)
        return Seen(union_of(types)) if self.shapes(seen) and not default.tool else UNKNOWN

    def present(self, seen: Seen, key: ast.expr) -> Seen:
        """Return what is known of the value at *key*, which is there."""
        types = [self._item_of(shape, key, UNKNOWN) for shape in self.shapes(seen)]
        known = [t for t in types if not isinstance(t, str)]
        return Seen(union_of(known)) if known and len(known) == len(types) else UNKNOWN

    # attributes

    def attribute(self, node: ast.Attribute, seen: Seen) -> None:
        """Note an attribute that the value *seen* does not have."""
        found = self.may_be_nil(node.value, seen, f"which has no .{node.attr}")
        kinds = sorted({kind_of_shape(shape) for shape in found})
        if not kinds or any(node.attr in _attributes(kind) for kind in kinds):
            return
        said = f"{_told(found)} has no attribute {text(node.attr)}"
        keys = _keys_of(found)
        if node.attr in keys:
            said += f"; write [{text(node.attr)}]"
            self._flaws.error("unknown_attribute", node, said)
            return
        names = {name: name for kind in kinds for name in _attributes(kind) if name[:1] != "_"}
        near = self._flaws.near(node.attr, lambda: {**names, **keys})
        self._flaws.error("unknown_attribute", node, said, near)

    def returned(self, name: str, seen: Seen) -> Seen:
        """Return what is known of what the method *name* of the value *seen* returns."""
        found = self.shapes(seen)
        kinds = {kind_of_shape(shape) for shape in found}
        if kinds == {"text"}:
            return Seen(_OF_TEXT.get(name, nodes.ANY))
        if kinds != {"map"} or name not in ("keys", "values", "items"):
            return UNKNOWN
        values = union_of([self._values_of(shape) for shape in found])
        keys = union_of([_key_type(shape) for shape in found])
        match name:
            case "keys":
                return Seen(nodes.List(keys))
            case "values":
                return Seen(nodes.List(values))
            case _:
                return Seen(nodes.List(nodes.Tuple((keys, values))))

    def _values_of(self, shape: nodes.Type) -> nodes.Type:
        if self._stored:
            return nodes.ANY
        match shape:
            case nodes.MapOf(_, value):
                return value
            case nodes.Record(fields) if fields and _is_closed(shape) and not shape.matching:
                return union_of([field.type for field in fields])
            case _:
                return nodes.ANY

    # items

    def items(self, node: ast.expr, seen: Seen) -> Seen:
        """Return what is known of the items over which a program goes."""
        found = self.may_be_nil(node, seen, "which has no items")
        types: list[nodes.Type] = []
        for shape in found:
            kind = kind_of_shape(shape)
            match kind:
                case "list":
                    got = self._indexed(shape, None)
                    types.append(nodes.ANY if isinstance(got, str) else got)
                case "map":
                    types.append(_key_type(shape))
                case "text":
                    types.append(nodes.STRING)
                case "number" | "nil":
                    pass
                case _:
                    assert_never(kind)
        if found and not types:
            said = f"this is {_told(found)}, which has no items to go over"
            self._flaws.error("not_iterable", node, said)
        return Seen(union_of(types)) if types else UNKNOWN

    def unpacked(self, node: ast.expr, seen: Seen, count: int, starred: bool) -> list[Seen]:
        """Return what is known of *count* values that a value is unpacked to."""
        item = self.items(node, seen)
        found = [shape for shape in self.shapes(seen) if shape != nodes.NIL]
        if len(found) != 1 or not isinstance(found[0], nodes.Tuple):
            return [item] * count
        items, rest = found[0].items, found[0].rest
        has_count = count - 1 <= len(items) if starred else count == len(items)
        if rest is None and not has_count:
            said = f"there are {len(items)} values to unpack, and {count} names for them"
            self._flaws.error("wrong_unpacking", node, said)
            return [UNKNOWN] * count
        if starred or rest is not None:
            return [item] * count
        return [Seen(each) for each in items]

    # operators

    def operated(self, node: ast.BinOp, left: Seen, right: Seen) -> Seen:
        """Return what is known of the result of an operator."""
        if not isinstance(node.op, ast.Add | ast.Sub):
            return UNKNOWN
        ours = self.may_be_nil(node.left, left, "which cannot be added")
        theirs = self.may_be_nil(node.right, right, "which cannot be added")
        one, other = ({kind_of_shape(shape) for shape in each} for each in (ours, theirs))
        if not one or not other:
            return UNKNOWN
        fine: set[PyKind] = {"number", "list"} if isinstance(node.op, ast.Sub) else _ADDED
        if not one & other & fine:
            sign = "-" if isinstance(node.op, ast.Sub) else "+"
            said = f"{_told(ours)} {sign} {_told(theirs)} cannot be computed"
            self._flaws.error("wrong_operands", node, said)
            return UNKNOWN
        if one == other == {"text"}:
            return Seen(nodes.STRING)
        both = {*ours, *theirs}
        return Seen(nodes.INT) if both == {nodes.INT} else UNKNOWN

    def compared(self, node: ast.expr, left: Seen, right: Seen) -> None:
        """Note that values cannot be ordered."""
        ours = self.may_be_nil(node, left, "which has no order")
        theirs = self.may_be_nil(node, right, "which has no order")
        one, other = ({kind_of_shape(shape) for shape in each} for each in (ours, theirs))
        if one and other and not one & other & {"text", "number", "list"}:
            said = f"{_told(ours)} and {_told(theirs)} have no order"
            self._flaws.error("wrong_operands", node, said)


#: Keys that a message shows if none is near.
_KEYS_SHOWN = 10

_ADDED: set[PyKind] = {"text", "number", "list"}


def _told(found: tuple[nodes.Type, ...]) -> str:
    return " or ".join(sorted({_CALLED[kind_of_shape(shape)] for shape in found}))


def _is_closed(shape: nodes.Record) -> bool:
    """Tell whether a result of *shape* has no other keys: undeclared ones are not shown."""
    return shape.extra is None or (shape.extra == nodes.ANY and bool(shape.fields))


def _key_type(shape: nodes.Type) -> nodes.Type:
    return bare(shape.key) if isinstance(shape, nodes.MapOf) else nodes.STRING


def _keys_of(found: tuple[nodes.Type, ...]) -> Mapping[str, str]:
    keys: dict[str, str] = {}
    for shape in found:
        if isinstance(shape, nodes.Record):
            keys.update((field.name, text(field.name)) for field in shape.fields)
    return keys


def key_among(asked: str, known: Iterable[str]) -> str | None:
    """Return which of the *known* keys a call takes *asked* for, or None.

    >>> key_among("user_id", ["id", "user-id"]), key_among("ID", ["Id", "id"])
    ('user-id', 'Id')
    """
    names = list(known)
    if asked in names:
        return asked
    like = folded(asked)
    near = [name for name in names if folded(name) == like]
    near += [name for name in names if folded(name).lower() == like.lower()]
    return near[0] if near else None
