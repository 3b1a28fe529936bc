"""Whether a hint itself asks for an :any, decided without typesig. Part of packages.py."""

from __future__ import annotations

import inspect
import re
import sys
import typing
from collections.abc import Iterator, Mapping
from typing import Any

#: Hints that mean :any.
ANYTHING = ("Any", "object", "typing.Any", "t.Any", "typing_extensions.Any", "<class 'object'>")
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_DEEP = 40


def asks_for_anything(hint: Any, value: Any) -> bool:
    """Tell whether *hint* of the callable *value* has an Any, an object or a bare collection."""
    return any(_asks(hint, list(_spaces(value)), set(), 0))


def _spaces(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the namespaces in which the hints of *value* were written."""
    try:
        inner = inspect.unwrap(value.__init__ if isinstance(value, type) else value)
    except ValueError:
        inner = value
    inner = getattr(inner, "__func__", inner)
    for owner in (value, inner):
        yield {p.__name__: p for p in getattr(owner, "__type_params__", ())}
    if isinstance(value, type):
        for cls in value.__mro__:
            yield vars(cls)
            yield vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    yield getattr(inner, "__globals__", {})
    module = sys.modules.get(getattr(inner, "__module__", None) or "")
    yield vars(module) if module else {}
    yield vars(typing)
    yield {"object": object, **{k.__name__: k for k in (list, dict, set, frozenset, tuple, type)}}


def _looked_up(word: str, spaces: list[Mapping[str, Any]]) -> Any:
    first, *rest = word.split(".")
    for space in spaces:
        if first in space:
            found = space[first]
            for part in rest:
                found = getattr(found, part, None)
            return found
    # A name imported only for type checkers is defined elsewhere in the package.
    top = next((s["__name__"].partition(".")[0] for s in spaces if "__name__" in s), "")
    for name, module in tuple(sys.modules.items()):
        if top and name.partition(".")[0] == top and first in vars(module) and not rest:
            return vars(module)[first]
    return None


def _asks(hint: Any, spaces: list[Mapping[str, Any]], seen: set[int], depth: int) -> Iterator[bool]:
    """Yield True for each part of *hint* that asks for anything."""
    if depth > _DEEP:
        return
    if isinstance(hint, typing.ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        yield from _text(hint, spaces, seen, depth)
        return
    if str(hint) in ANYTHING or hint is object or _bare(hint):
        yield True
        return
    if id(hint) in seen:
        return
    seen.add(id(hint))
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    parts = [a for a in arguments if not isinstance(a, int | bytes)]
    if getattr(origin, "__name__", "") == "Literal" or "Literal" in str(origin):
        return
    parts += [getattr(hint, name, None) for name in ("__supertype__", "__bound__", "__default__")]
    parts.extend(getattr(hint, "__constraints__", ()) or ())
    try:
        parts.append(getattr(hint, "__value__", None) if "Alias" in type(hint).__name__ else None)
    except NameError:
        pass
    for part in parts:
        if part is not None and not isinstance(part, list):
            yield from _asks(part, spaces, seen, depth + 1)
    cls = hint if isinstance(hint, type) else origin
    if isinstance(cls, type):
        yield from _fields(cls, seen, depth)


def _text(text: str, spaces: list[Mapping[str, Any]], seen: set[int], depth: int) -> Iterator[bool]:
    """Yield True for each name in the text of a hint that asks for anything."""
    for found in _WORD.finditer(re.sub(r"'[^']*'|\"[^\"]*\"", "", text)):
        word, given = found[0], text[found.end() : found.end() + 1] == "["
        meant = _looked_up(word, spaces)
        if word in ANYTHING:
            yield True
        elif meant is None:
            # For names that exist only for type checkers, only the last part is known.
            yield not given and word.rpartition(".")[2] in _COLLECTIONS
        elif not (given and _bare(meant)):
            yield from _asks(meant, spaces, seen, depth + 1)


_COLLECTIONS = frozenset({
    "list", "set", "frozenset", "tuple", "dict", "List", "Set", "FrozenSet", "Tuple", "Dict",
    "Sequence", "MutableSequence", "Collection", "Iterable", "Iterator", "Generator",
    "AsyncIterator",
    "AsyncIterable", "AsyncGenerator", "Reversible", "Container", "deque", "KeysView", "ValuesView",
    "Mapping", "MutableMapping", "AbstractSet", "MutableSet", "OrderedDict", "defaultdict",
    "ItemsView", "Awaitable", "Coroutine", "ClassVar", "Final", "Type", "type",
})  # fmt: skip


def _bare(hint: Any) -> bool:
    """Tell whether *hint* is a collection without an item type."""
    home = getattr(hint, "__module__", "")
    if home not in ("builtins", "typing", "collections", "collections.abc", "typing_extensions"):
        return False
    name = getattr(hint, "__name__", "") or getattr(hint, "_name", "")
    return name in _COLLECTIONS and not typing.get_args(hint)


def _fields(cls: type, seen: set[int], depth: int) -> Iterator[bool]:
    """Yield True for each field of a record that asks for anything."""
    records = ("__dataclass_fields__", "__attrs_attrs__", "__pydantic_fields__", "__total__")
    known = any(hasattr(cls, mark) for mark in (*records, "__struct_fields__", "_fields"))
    if not known and not cls.__dict__.get("_is_protocol"):
        return
    hints: dict[str, Any] = {}
    for owner in reversed(cls.__mro__):
        hints.update(vars(owner).get("__annotations__", {}))
    # A model that keeps undeclared fields of any type.
    config = getattr(cls, "model_config", None)
    yield isinstance(config, Mapping) and config.get("extra") == "allow"
    # A field without a hint, as in collections.namedtuple.
    yield any(name not in hints for name in getattr(cls, "_fields", ()))
    for info in getattr(cls, "__attrs_attrs__", ()):
        yield info.name not in hints and info.type is None
    spaces = list(_spaces(cls))
    for hint in hints.values():
        yield from _asks(hint, spaces, seen, depth + 1)
