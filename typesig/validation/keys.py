"""The key plan of a record: which key of the data is which field.

It is computed once per record.  Hyphens and underscores are folded: a key that differs from a
declared name only in them stands for that name, unless the name is exact.  On input, a near name,
which differs from one absent declared name only in case or separators, stands for it as well.
Other undeclared keys are never renamed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from typesig.algebra.nodes import Field
from typesig.algebra.rows.builtin import VisitBudget, as_builtin
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import is_text, to_builtin
from typesig.errors import TooDeep
from typesig.limits import MAX_NEAR_NAME, MAX_VALUE_DEPTH
from typesig.validation.issues.excerpt import quote_text
from typesig.validation.issues.issues import ValidationError
from typesig.validation.issues.suggestions import SuggestionQuery, SuggestionSearch, may_be_like

#: Stands among the names that others spell exactly if a record is judged together with others,
#: which may declare what it does not declare.  No name is like this.
TOGETHER = "\0"

#: What separates the words of a name.
_SEPARATORS = str.maketrans("", "", "-_ ")


#: The first characters of names that are hidden, which forms keep, and the empty text.
_HIDING = frozenset({"", "_", "-", " "})

#: The undeclared keys that are compared with the absent names one by one.
_FEW_KEYS = 20


def get_near_form(name: str) -> str:
    """Return *name* without case and separators, to compare spellings.

    Leading underscores are no separators: they hide a name.

    >>> get_near_form("maxRows") == get_near_form("max-rows"), get_near_form("_id")
    (True, '_id')
    """
    inner = name.lstrip("_-")
    return "_" * (len(name) - len(inner)) + inner.translate(_SEPARATORS).casefold()


class KeyPlan:
    """The names of a record and the keys that represent them.

    #: exact: names that must be spelled exactly, declared by what is checked beside the record
    #: names: all declared names; fold: the names that are not exact, by their folded keys
    #: shown: the names that messages may suggest, which are not firewalled
    #: reads_near: whether near names are read
    """

    __slots__ = ("_fields", "_near", "exact", "fold", "names", "reads_near", "shown")

    fold: dict[str, str]
    shown: list[str]

    def __init__(
        self, fields: Iterable[Field], exact: frozenset[str] = frozenset(), near: bool = False
    ) -> None:
        fields = self._fields = tuple(fields)
        self.exact = exact
        self.names = frozenset([field.name for field in fields])
        self.reads_near = near
        self._near: dict[str, list[str]] | None = None

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set: most values have declared keys only.
        match name:
            case "fold":
                self.fold = {fold_name(f.name): f.name for f in self._fields if not f.exact}
                return self.fold
            case "shown":
                self.shown = [field.name for field in self._fields if not field.firewalled]
                return self.shown
            case _:
                raise AttributeError(name)

    def get_near_names(self, key: str) -> list[str]:
        """Return the names that differ from *key* only in case or separators."""
        return self._get_forms().get(get_near_form(key), [])

    def _get_forms(self) -> dict[str, list[str]]:
        """Return the names that may be suggested, grouped by their near forms."""
        if self._near is None:
            known: dict[str, list[str]] = {}
            for name in self.shown:
                known.setdefault(get_near_form(name), []).append(name)
            self._near = known
        return self._near

    def get_declared_name(self, key: Any) -> str | None:
        """Return the declared name that *key* represents, or None."""
        if key in self.names:
            return str(key)
        if not is_text(key) or key in self.exact:
            return None
        return self.fold.get(fold_name(key))

    def rename_keys(
        self, data: Mapping[Any, Any]
    ) -> tuple[Any, list[tuple[str, str]], list[tuple[str, str]]]:
        """Rename the keys of *data* to declared names; also return duplicates.

        Each of these names has the texts of its keys.  If no key changes, it is *data* itself.
        """
        if not self._may_rename(data):
            return data, [], []
        new, near = self.map_names(data)
        if all(name is None or name == key for key, name in new.items()):
            return data, [], []
        out: dict[Any, Any] = {}
        spelt: dict[str, str] = {}
        twice: list[tuple[str, str]] = []
        for key, value in data.items():
            name = new[key]
            if name is None:
                out[key] = value
            elif name in spelt:
                twice.append((name, f"{quote_text(spelt[name])} and {quote_text(key)}"))
            else:
                spelt[name] = key
                out[name] = value
        clashing = {name for name, _ in twice}
        read = [(name, quote_text(key)) for key, name in near.items() if name not in clashing]
        return out, twice, read

    def _may_rename(self, data: Mapping[Any, Any]) -> bool:
        """Whether a key of *data* may stand for a name that it does not equal."""
        keys = [key for key in data if key not in self.names and is_text(key)]
        if not keys:
            return False
        folded = "\n".join(keys).replace("-", "_").split("\n")
        if not self.fold.keys().isdisjoint(folded) or len(folded) != len(keys):
            return True
        # A near name stands for an absent one only.
        is_read = self.reads_near and not all(name in data for name in self.shown)
        return is_read and bool(self.find_near_keys(keys))

    def find_near_keys(self, keys: list[str]) -> list[str]:
        """Return those of *keys* that differ from a name only in case or separators."""
        if not keys:
            return []
        # All at once, which takes a tenth of the time for many.
        forms = "\n".join(keys).translate(_SEPARATORS).casefold().split("\n")
        if len(forms) == len(keys):
            known = {form.lstrip("_") for form in self._get_forms()}
            if known.isdisjoint(forms):
                return []
            keys = [key for key, form in zip(keys, forms, strict=True) if form in known]
        return [key for key in keys if self.get_near_names(key)]

    def map_names(self, data: Iterable[Any]) -> tuple[dict[Any, str | None], dict[str, str]]:
        """Map the keys of *data* to declared names; also return the near keys."""
        new = {key: self.get_declared_name(key) for key in data}
        near = self._find_near_names(new) if self.reads_near else {}
        new.update(near)
        return new, near

    def _find_near_names(self, new: Mapping[Any, str | None]) -> dict[str, str]:
        """Find the absent name that each undeclared key of *new* respells."""
        given = {name for name in new.values() if name is not None}
        out: dict[str, str] = {}
        for key, name in new.items():
            if name is None and is_text(key):
                absent = [each for each in self.get_near_names(key) if each not in given]
                if len(absent) == 1:
                    out[key] = absent[0]
        return out

    def find_hint(self, key: Any) -> str:
        """Return a hint with the declared name closest to *key*, or an empty text."""
        meant = self.make_suggestion(key) if is_text(key) else ""
        return meant if isinstance(meant, str) else SuggestionSearch().find_hint(meant)

    def make_suggestion(
        self, key: str, sent: Mapping[Any, Any] | None = None
    ) -> SuggestionQuery | str:
        """Make the hint, or a query, for the declared names closest to *key*.

        With *sent*, only the names that it has are suggested.
        """
        same = self.get_near_names(key)
        if len(same) == 1:
            return f"did you mean {same[0]}?"
        return SuggestionQuery(
            str.__str__(key),
            lambda: {n: n for n in self.shown if sent is None or sent.get(n) is not None},
        )

    def lacks_name(self, sent: Mapping[Any, Any]) -> bool:
        """Whether a name that messages may suggest is absent from *sent*, or null in it."""
        return any(sent.get(name) is None for name in self.shown)

    def select_likely(self, keys: list[str], sent: Mapping[Any, Any]) -> Collection[str]:
        """Select those of *keys* that a name that *sent* lacks may be like, by length and letters.

        See `suggest_absent_name`; this takes a tenth of its time for many keys.
        """
        absent = [get_near_form(name) for name in self.shown if sent.get(name) is None]
        forms = "\n".join(keys).translate(_SEPARATORS).casefold().split("\n")
        if len(keys) <= _FEW_KEYS or len(forms) != len(keys):
            return keys
        sizes, letters = set(map(len, absent)), frozenset("".join(absent))
        known = {n for n in range(MAX_NEAR_NAME + 1) if any(may_be_like(n, m) for m in sizes)}
        return {
            key
            for key, form in zip(keys, forms, strict=True)
            if (len(form) in known and not letters.isdisjoint(form)) or key[:1] in _HIDING
        }

    def suggest_absent_name(
        self, key: str, sent: Mapping[Any, Any], search: SuggestionSearch
    ) -> str:
        """Hint with the declared name that *key* was meant for, if *sent* lacks that name.

        A name whose value is null counts as absent.  Empty if no absent name is close to *key*.
        """
        for name in self.get_near_names(key):
            if sent.get(name) is None:
                return f"did you mean {name}?"
        forms = self._get_forms()
        search.left -= len(forms)
        if search.left < 0:
            return ""
        absent = {
            form: name for form, names in forms.items() for name in names if sent.get(name) is None
        }
        found = search.find_meant(get_near_form(key), tuple(absent)) if absent else ""
        return f"did you mean {absent[found]}?" if found else ""


def normalize_keys(data: Any) -> Any:
    """Return *data* with underscores for hyphens in all keys, at every depth.

    Raises `ValidationError` if two keys of a map become the same, `TooDeep` beyond
    `MAX_VALUE_DEPTH`, `TooLarge` beyond `MAX_VALUES`.

    >>> normalize_keys({"user-name": "Alice", "tags": [{"a-b": 1}]})
    {'user_name': 'Alice', 'tags': [{'a_b': 1}]}
    """
    data = as_builtin(data)
    return _normalize_keys(data, 0, VisitBudget(data))


def _normalize_keys(data: Any, depth: int, watch: VisitBudget) -> Any:
    """Replace hyphens by underscores in all keys of *data*; raise on equal keys."""
    if depth > MAX_VALUE_DEPTH:
        raise TooDeep(f"nested too deep: at most {MAX_VALUE_DEPTH} levels")
    if not issubclass(type(data), list | dict):
        return data
    data = to_builtin(data)
    watch.visit(len(data))
    if type(data) is list:
        return [_normalize_keys(item, depth + 1, watch) for item in data]
    out: dict[Any, Any] = {}
    for key, value in data.items():
        name = fold_name(key) if is_text(key) else key
        if name in out:
            raise ValidationError(f"the key {quote_text(name)} is given twice, in two spellings")
        out[name] = _normalize_keys(value, depth + 1, watch)
    return out
