"""Checking of the uses of values: keys, attributes, items, operators.

Something is an error if no value of the type allows it, and a warning if only nil does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.rows.names import fold_name
from typesig.programs.checks.flaws import FlawKind, Flaws
from typesig.programs.checks.known_values import (
    UNKNOWN,
    KnownValue,
    PyKind,
    ShapeIndex,
    get_python_kind,
    make_known_union,
)
from typesig.programs.checks.sandbox import get_text
from typesig.validation.issues.excerpt import quote_text

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
def _list_attributes(kind: PyKind) -> frozenset[str]:
    """List the attribute names of Python's classes for a *kind* of value; cached."""
    return frozenset([name for cls in _CLASSES[kind] for name in dir(cls)])


class UseChecker:
    """Checker of operations on known values, which infers their results.

    #: stored: the keys that the program itself stores, of which nothing is known
    """

    def __init__(self, shapes: ShapeIndex, stored: frozenset[str], flaws: Flaws) -> None:
        self._shapes = shapes
        self._stored = stored
        self._flaws = flaws

    def find_shapes(self, seen: KnownValue) -> tuple[nodes.Type, ...]:
        """Shapes of the value *seen*; empty if unknown."""
        return () if seen.awaits or seen.tool else self._shapes.find_shapes(seen.type)

    def describe(self, seen: KnownValue) -> str:
        """Description of the value *seen*, whose shapes are known, for a message."""
        return _describe_shapes(self.find_shapes(seen))

    def drop_nil(self, seen: KnownValue) -> KnownValue:
        """Return the known value *seen* without the alternative None."""
        found = self.find_shapes(seen)
        kept = [shape for shape in found if shape != nodes.NIL]
        if not found or len(kept) == len(found):
            return seen
        return KnownValue(make_known_union(kept)) if kept else UNKNOWN

    def report_nil(self, node: ast.expr, seen: KnownValue, use: str) -> tuple[nodes.Type, ...]:
        """Warn if *seen* may be None, because of *use*; return its other shapes."""
        found = self.find_shapes(seen)
        kept = tuple([shape for shape in found if shape != nodes.NIL])
        if kept and len(kept) < len(found):
            self._flaws.warn("maybe_nil", node, f"this may be None, {use}; check it first")
        return kept or found

    # keys

    def infer_item(self, node: ast.Subscript, seen: KnownValue, key: KnownValue) -> KnownValue:
        """Infer the value of the subscript *node* of the value *seen*."""
        if isinstance(node.slice, ast.Slice):
            return self._infer_slice(node, seen)
        found = self.report_nil(node.value, seen, "which has no keys")
        if not found:
            return UNKNOWN
        types: list[nodes.Type] = []
        wrong: list[str] = []
        for shape in found:
            got = self._find_item_type(shape, node.slice, key)
            (wrong if isinstance(got, str) else types).append(got)  # type: ignore[arg-type]
        if types:
            return KnownValue(make_known_union(types))
        is_key = all(get_python_kind(shape) == "map" for shape in found)
        kind: FlawKind = "unknown_key" if is_key else "not_indexable"
        near = self._suggest_key(node.slice, found)
        is_asked = kind == "unknown_key" and wrong[0].startswith("there is")
        some = [] if near or not is_asked else [*_list_keys(found).values()]
        more = ", …" if len(some) > _KEYS_SHOWN else ""
        offered = f"; there are {', '.join(some[:_KEYS_SHOWN])}{more}" if some else ""
        self._flaws.add_error(kind, node.slice, wrong[0] + offered, near)
        return UNKNOWN

    def _find_item_type(
        self, shape: nodes.Type, node: ast.expr, key: KnownValue
    ) -> nodes.Type | str:
        """Find the type of the item of *shape* at *key*, or an error message."""
        kinds = {get_python_kind(each) for each in self.find_shapes(key)}
        kind = get_python_kind(shape)
        constant = node.value if isinstance(node, ast.Constant) else None
        match kind:
            case "map":
                is_of_texts = isinstance(shape, nodes.Record) and _is_closed(shape)
                if is_of_texts and kinds and not kinds & {"text", "nil"}:
                    return f"this is a dict, whose keys are texts, not {self.describe(key)}"
                return self._find_value_type(shape, constant)
            case "list" | "text":
                if kinds and not kinds & {"number"}:
                    asked = (
                        f"key {quote_text(constant)}" if isinstance(constant, str) else "such key"
                    )
                    return f"this is {_CALLED[kind]}, which has no {asked}"
                return self._find_indexed_type(shape, constant)
            case "number" | "nil":
                return f"this is {_CALLED[kind]}, which has no keys"
            case _:
                assert_never(kind)

    def _find_value_type(self, shape: nodes.Type, key: object) -> nodes.Type | str:
        """Find the type at *key* of a map or record *shape*, or an error message."""
        if isinstance(shape, nodes.MapOf):
            return shape.value if not self._stored else nodes.ANY
        if not isinstance(shape, nodes.Record) or not isinstance(key, str) or key in self._stored:
            return nodes.ANY
        for field in shape.fields:
            if field.name == key:
                return field.type
        if shape.matching or not _is_closed(shape):
            return nodes.ANY if shape.matching or shape.extra is None else shape.extra
        return f"there is no key {quote_text(key)}"

    def _find_indexed_type(self, shape: nodes.Type, index: object) -> nodes.Type:
        """Find the item type of a list or text *shape* at *index*; None is any index."""
        match shape:
            case nodes.List(item) | nodes.Set(item):
                return item
            case nodes.Tuple(items, rest):
                if type(index) is int and 0 <= index < len(items):
                    return items[index]
                return make_known_union([*items, *([] if rest is None else [rest])])
            case _:
                return nodes.STRING

    def _infer_slice(self, node: ast.Subscript, seen: KnownValue) -> KnownValue:
        """Infer the value of a slice of *seen*; report values that have no slices."""
        found = self.report_nil(node.value, seen, "which has no items")
        good = [each for each in found if get_python_kind(each) in ("list", "text")]
        if found and not good:
            said = f"this is {_describe_shapes(found)}, which has no slices"
            self._flaws.add_error("not_indexable", node.value, said)
        kept = [nodes.List(nodes.ANY) if isinstance(t, nodes.Tuple) else t for t in good]
        return KnownValue(make_known_union(kept)) if good and len(good) == len(found) else UNKNOWN

    def _suggest_key(self, node: ast.expr, found: tuple[nodes.Type, ...]) -> str:
        """Suggest a key of the shapes *found* that is close to the constant *node*."""
        name = get_text(node)
        return "" if name is None else self._flaws.suggest_near(name, lambda: _list_keys(found))

    def report_missing(self, node: ast.Subscript, seen: KnownValue) -> None:
        """Warn if the key of *node* may be missing in the value *seen*."""
        key = get_text(node.slice)
        if key is None or key in self._stored:
            return
        for shape in self.find_shapes(seen):
            if isinstance(shape, nodes.Record):
                for field in shape.fields:
                    if field.name == key and not field.required:
                        said = f"{quote_text(key)} may be missing: write .get({quote_text(key)})"
                        self._flaws.warn("maybe_missing", node.slice, said)

    def infer_entry(self, seen: KnownValue, key: ast.expr, default: KnownValue) -> KnownValue:
        """Infer the result of `.get` on the map *seen* with *key* and *default*."""
        types: list[nodes.Type] = [default.type]
        for shape in self.find_shapes(seen):
            got = (
                self._find_item_type(shape, key, UNKNOWN) if get_python_kind(shape) == "map" else ""
            )
            if not isinstance(got, str):
                types.append(got)
            elif got:
                near = self._suggest_key(key, (shape,))
                self._flaws.warn("unknown_key", key, got, near)
        return (
            KnownValue(make_known_union(types))
            if self.find_shapes(seen) and not default.tool
            else UNKNOWN
        )

    def infer_present(self, seen: KnownValue, key: ast.expr) -> KnownValue:
        """Infer the value of the map *seen* at *key*, which is known to be present."""
        types = [self._find_item_type(shape, key, UNKNOWN) for shape in self.find_shapes(seen)]
        known = [t for t in types if not isinstance(t, str)]
        return (
            KnownValue(make_known_union(known)) if known and len(known) == len(types) else UNKNOWN
        )

    # attributes

    def check_attribute(self, node: ast.Attribute, seen: KnownValue) -> None:
        """Report an attribute that the value *seen* does not have."""
        found = self.report_nil(node.value, seen, f"which has no .{node.attr}")
        kinds = sorted({get_python_kind(shape) for shape in found})
        if not kinds or any(node.attr in _list_attributes(kind) for kind in kinds):
            return
        said = f"{_describe_shapes(found)} has no attribute {quote_text(node.attr)}"
        keys = _list_keys(found)
        if node.attr in keys:
            said += f"; write [{quote_text(node.attr)}]"
            self._flaws.add_error("unknown_attribute", node, said)
            return
        names = {name: name for kind in kinds for name in _list_attributes(kind) if name[:1] != "_"}
        near = self._flaws.suggest_near(node.attr, lambda: {**names, **keys})
        self._flaws.add_error("unknown_attribute", node, said, near)

    def infer_returned(self, name: str, seen: KnownValue) -> KnownValue:
        """Result of the method *name* of the value *seen*."""
        found = self.find_shapes(seen)
        kinds = {get_python_kind(shape) for shape in found}
        if kinds == {"text"}:
            return KnownValue(_OF_TEXT.get(name, nodes.ANY))
        if kinds != {"map"} or name not in ("keys", "values", "items"):
            return UNKNOWN
        values = make_known_union([self._find_values_type(shape) for shape in found])
        keys = make_known_union([_get_key_type(shape) for shape in found])
        items = {"keys": keys, "values": values, "items": nodes.Tuple((keys, values))}
        return KnownValue(nodes.List(items[name]))

    def _find_values_type(self, shape: nodes.Type) -> nodes.Type:
        """Find the type of all values of a map or record *shape*, for `.values()`."""
        if self._stored:
            return nodes.ANY
        match shape:
            case nodes.MapOf(_, value):
                return value
            case nodes.Record(fields) if fields and _is_closed(shape) and not shape.matching:
                return make_known_union([field.type for field in fields])
            case _:
                return nodes.ANY

    # items

    def items(self, node: ast.expr, seen: KnownValue) -> KnownValue:
        """Infer the items that an iteration over *seen* yields."""
        found = self.report_nil(node, seen, "which has no items")
        types: list[nodes.Type] = []
        for shape in found:
            kind = get_python_kind(shape)
            match kind:
                case "list":
                    types.append(self._find_indexed_type(shape, None))
                case "map":
                    types.append(_get_key_type(shape))
                case "text":
                    types.append(nodes.STRING)
                case "number" | "nil":
                    pass
                case _:
                    assert_never(kind)
        if found and not types:
            said = f"this is {_describe_shapes(found)}, which has no items to go over"
            self._flaws.add_error("not_iterable", node, said)
        return KnownValue(make_known_union(types)) if types else UNKNOWN

    def infer_unpacked(
        self, node: ast.expr, seen: KnownValue, count: int, starred: bool
    ) -> list[KnownValue]:
        """Infer the values of *count* targets that *seen* is unpacked to."""
        item = self.items(node, seen)
        found = [shape for shape in self.find_shapes(seen) if shape != nodes.NIL]
        if len(found) != 1 or not isinstance(found[0], nodes.Tuple):
            return [item] * count
        items, rest = found[0].items, found[0].rest
        has_count = count - 1 <= len(items) if starred else count == len(items)
        if rest is None and not has_count:
            said = f"there are {len(items)} values to unpack, and {count} names for them"
            self._flaws.add_error("wrong_unpacking", node, said)
            return [UNKNOWN] * count
        if starred or rest is not None:
            return [item] * count
        return [KnownValue(each) for each in items]

    # operators

    def infer_operation(self, node: ast.BinOp, left: KnownValue, right: KnownValue) -> KnownValue:
        """Infer the result of the operator *node* on *left* and *right*."""
        if not isinstance(node.op, ast.Add | ast.Sub):
            return UNKNOWN
        ours = self.report_nil(node.left, left, "which cannot be added")
        theirs = self.report_nil(node.right, right, "which cannot be added")
        one, other = ({get_python_kind(shape) for shape in each} for each in (ours, theirs))
        if not one or not other:
            return UNKNOWN
        fine: set[PyKind] = {"number", "list"} if isinstance(node.op, ast.Sub) else _ADDED
        if not one & other & fine:
            sign = "-" if isinstance(node.op, ast.Sub) else "+"
            said = f"{_describe_shapes(ours)} {sign} {_describe_shapes(theirs)} cannot be computed"
            self._flaws.add_error("wrong_operands", node, said)
            return UNKNOWN
        if one == other == {"text"}:
            return KnownValue(nodes.STRING)
        both = {*ours, *theirs}
        return KnownValue(nodes.INT) if both == {nodes.INT} else UNKNOWN

    def check_comparison(self, node: ast.expr, left: KnownValue, right: KnownValue) -> None:
        """Report values that cannot be ordered."""
        ours = self.report_nil(node, left, "which has no order")
        theirs = self.report_nil(node, right, "which has no order")
        one, other = ({get_python_kind(shape) for shape in each} for each in (ours, theirs))
        if one and other and not one & other & {"text", "number", "list"}:
            said = f"{_describe_shapes(ours)} and {_describe_shapes(theirs)} have no order"
            self._flaws.add_error("wrong_operands", node, said)


#: Keys that a message shows if none is near.
_KEYS_SHOWN = 10

_ADDED: set[PyKind] = {"text", "number", "list"}


def _describe_shapes(found: tuple[nodes.Type, ...]) -> str:
    """Describe the Python kinds of the shapes *found*, joined by "or", for a message."""
    return " or ".join(sorted({_CALLED[get_python_kind(shape)] for shape in found}))


def _is_closed(shape: nodes.Record) -> bool:
    """Whether a result of the record *shape* can have no undeclared keys."""
    return shape.extra is None or (shape.extra == nodes.ANY and bool(shape.fields))


def _get_key_type(shape: nodes.Type) -> nodes.Type:
    """Return the key type of a map *shape*; text for a record."""
    return strip_annotations(shape.key) if isinstance(shape, nodes.MapOf) else nodes.STRING


def _list_keys(found: tuple[nodes.Type, ...]) -> Mapping[str, str]:
    """Map the field names of the records in *found* to their quoted form."""
    keys: dict[str, str] = {}
    for shape in found:
        if isinstance(shape, nodes.Record):
            keys.update((field.name, quote_text(field.name)) for field in shape.fields)
    return keys


def find_key(asked: str, known: Iterable[str]) -> str | None:
    """Return the key in *known* that a call accepts for the name *asked*, or None.

    >>> find_key("user_id", ["id", "user-id"]), find_key("ID", ["Id", "id"])
    ('user-id', 'Id')
    """
    names = list(known)
    if asked in names:
        return asked
    like = fold_name(asked)
    near = [name for name in names if fold_name(name) == like]
    near += [name for name in names if fold_name(name).lower() == like.lower()]
    return near[0] if near else None
