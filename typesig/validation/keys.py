"""The key plan of a record: which key of the data is which field.

It is computed once per record.  Hyphens and underscores are folded: a key that differs from a
declared name only in them stands for that name, unless the name is exact.  Undeclared keys are
never renamed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from typesig.algebra.nodes import Field, folded
from typesig.algebra.values import exact
from typesig.errors import TooDeep
from typesig.limits import MAX_VALUE_DEPTH
from typesig.validation.excerpt import text
from typesig.validation.issues import ValidationError
from typesig.validation.near import Near, Search


class KeyPlan:
    """The names of a record and the keys that stand for them.

    #: exact: names that must be spelled exactly, declared by what is checked beside the record
    #: names: all declared names; fold: the names that are not exact, by their folded keys
    #: shown: the names that messages may suggest, which are not firewalled
    """

    __slots__ = ("exact", "fold", "names", "shown")

    def __init__(self, fields: Iterable[Field], exact: frozenset[str] = frozenset()) -> None:
        fields = tuple(fields)
        self.exact = exact
        self.names = frozenset(field.name for field in fields)
        self.fold = {folded(f.name): f.name for f in fields if not f.exact}
        self.shown = [field.name for field in fields if not field.firewalled]

    def declared(self, key: Any) -> str | None:
        """Return the declared name that *key* stands for, or None."""
        if key in self.names:
            return str(key)
        if not isinstance(key, str) or key in self.exact:
            return None
        return self.fold.get(folded(key))

    def renamed(self, data: Mapping[Any, Any]) -> tuple[Any, list[tuple[str, str]]]:
        """Return *data* with its keys replaced by declared names, and the names given twice.

        If no key changes, *data* itself is returned.
        """
        if data.keys() <= self.names:
            return data, []
        new = {key: self.declared(key) for key in data}
        if all(name is None or name == key for key, name in new.items()):
            return data, []
        out: dict[Any, Any] = {}
        spelt: dict[str, str] = {}
        twice: list[tuple[str, str]] = []
        for key, value in data.items():
            name = new[key]
            if name is None:
                out[key] = value
            elif name in spelt:
                twice.append((name, f"{text(spelt[name])} and {text(key)}"))
            else:
                spelt[name] = key
                out[name] = value
        return out, twice

    def near(self, key: Any) -> str:
        """Return a hint with the declared name closest to *key*, or an empty text."""
        return Search().hint(self.meant(key)) if isinstance(key, str) else ""

    def meant(self, key: str) -> Near:
        """Return *key* with the declared names of which one may have been meant."""
        return Near(str.__str__(key), self._suggested)

    def _suggested(self) -> Mapping[str, str]:
        return {name: name for name in self.shown}


def normalize_keys(data: Any) -> Any:
    """Return *data* with underscores for hyphens in all keys, at every depth.

    Raises `ValidationError` if two keys of a map become the same, `TooDeep` beyond
    `MAX_VALUE_DEPTH`.

    >>> normalize_keys({"user-name": "Alice", "tags": [{"a-b": 1}]})
    {'user_name': 'Alice', 'tags': [{'a_b': 1}]}
    """
    return _normalized(data, 0)


def _normalized(data: Any, depth: int) -> Any:
    if depth > MAX_VALUE_DEPTH:
        raise TooDeep(f"nested too deep: at most {MAX_VALUE_DEPTH} levels")
    if isinstance(data, list):
        return [_normalized(item, depth + 1) for item in exact(data)]
    if not isinstance(data, dict):
        return data
    out: dict[Any, Any] = {}
    for key, value in exact(data).items():
        name = folded(key) if isinstance(key, str) else key
        if name in out:
            raise ValidationError(f"the key {text(name)} is given twice, in two spellings")
        out[name] = _normalized(value, depth + 1)
    return out
