"""The record of several that a value is meant for: by its tag, or by its undeclared keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import Enum, Record, Type
from typesig.algebra.rows.values import Keyword, get_kind, is_text, to_builtin
from typesig.algebra.traversal import iter_same_value_types, strip_wrappers
from typesig.validation.check_state import Checker, CheckState, Finding
from typesig.validation.keys import get_near_form

# --- Which records of a union a map can be, told by the constant of one field, or by its k ---
# In a union of many records only a few are tried for each map.  The others refuse it in any case,
# since they refuse the value of that field, or lack a key that they require.

#: The classes of values whose branches are remembered.
_SIMPLE = frozenset({str, int, float, bool, Keyword})


def find_tag_names(members: tuple[Type, ...], names: Mapping[str, Type]) -> frozenset[str]:
    """Find the names of the constant fields that differ in each record of *members*."""
    found: list[dict[str, Type]] = []
    for member in members:
        parts = [part for part in iter_same_value_types(member, names) if isinstance(part, Record)]
        if parts:
            fields = [(f.name, strip_annotations(f.type)) for part in parts for f in part.fields]
            enums = [(name, t) for name, t in fields if isinstance(t, Enum)]
            found.append({name: t for name, t in enums if len(t.values) == 1})
    common = set[str]() if len(found) < 2 else set.intersection(*map(set, found))
    return frozenset(name for name in common if len({each[name] for each in found}) == len(found))


class UnionTags:
    """The constant fields that distinguish the records of a union.

    #: checks: by the name of each field, its check in each branch; None for a branch that may take
    #:     a map whatever this field holds
    #: known: the branches for a value of such a field; a value of no branch is not remembered
    """

    __slots__ = ("_always", "_by_key", "checks", "known")

    def __init__(
        self,
        checks: dict[str, tuple[Checker | None, ...]],
        required: tuple[Iterable[str], ...] = (),
    ) -> None:
        """Take the checks, and the keys that each branch cannot do without."""
        self.checks = checks
        # The branches by the form of one key that each of them requires, the rarest.
        self._by_key: dict[str, list[int]] = {}
        self._always: list[int] = []
        if len(required) > _FEW:
            forms = [sorted({get_near_form(name) for name in names}) for names in required]
            counts = Counter(form for each in forms for form in each)
            for at, each in enumerate(forms):
                if each:
                    self._by_key.setdefault(min(each, key=counts.__getitem__), []).append(at)
                else:
                    self._always.append(at)
        self.known: dict[tuple[str, type, Any], tuple[int, ...]] = {}

    def find_branches(self, value: Any) -> tuple[int, ...] | None:
        """Find the indices of the branches that may accept the map *value*, or None for all."""
        for name, checks in self.checks.items():
            tag = value.get(name)
            if type(tag) not in _SIMPLE:
                continue
            key = name, type(tag), tag
            found = self.known.get(key)
            if found is None:
                found = tuple([at for at, check in enumerate(checks) if _may_take(check, tag)])
                is_known = any(checks[at] is not None for at in found)
                if is_known and len(self.known) < _SPELLINGS * len(checks):
                    self.known[key] = found
            return found
        return None

    def find_candidates(self, value: Any) -> Iterable[int] | None:
        """Find the indices of the branches whose required keys *value* has, or None for all.

        The map has none of the tags.
        """
        if not self._by_key:
            return None
        found = self._always[:]
        for key in to_builtin(value):
            if is_text(key):
                found += self._by_key.get(get_near_form(key), ())
        return sorted(set(found))

    def find_tag_errors(self, value: Any) -> list[Finding]:
        """Find the errors of each branch in the first tag of *value*, which fits no branch.

        The list is empty if the value of the first tag is not simple.
        """
        name = next(name for name in self.checks if name in value)
        out: list[Finding] = []
        if type(value[name]) not in _SIMPLE:
            return out
        for check in self.checks[name]:
            # A branch without a check would have been tried.
            assert check is not None
            run = CheckState(1)
            check(value[name], run)
            run.prefix(0, name)
            out += run.found
        return out


#: How many records of a union are tried one by one.
_FEW = 6

#: For how many values of each branch's constant the branch is remembered: coercions have several.
_SPELLINGS = 4


def _may_take(check: Checker | None, tag: Any) -> bool:
    if check is None:
        return True
    run = CheckState(1)
    check(tag, run)
    return not run.errors


def may_overlap(records: Sequence[Record]) -> bool:
    """Whether the keys of one map can fit two of *records*, without undeclared ones."""
    pairs = [(_list_needed(each), {field.name for field in each.fields}) for each in records]
    return any(
        {*needed, *other_needed} <= names & other_names
        for place, (needed, names) in enumerate(pairs)
        for other_needed, other_names in pairs[:place]
    )


def _list_needed(record: Record) -> list[str]:
    return [field.name for field in record.fields if field.required and field.default is None]


def make_record_finder(
    records: Sequence[Record], is_first: bool = False
) -> Callable[[dict[Any, Any]], int]:
    """Make the function that finds the only one of *records* whose keys a map has, or else -1.

    *is_first* is whether, of several, the first is found that declares all keys of the map: the
    others leave some of them undeclared, or come later.
    """
    declared = [frozenset([field.name for field in each.fields]) for each in records]
    names = frozenset().union(*declared)
    required = [frozenset(_list_needed(each)) for each in records]
    needed = [set(map(get_near_form, each)) for each in required]
    is_first &= all(each.extra in (nodes.ANY, None) and not each.matching for each in records)
    # Of maps with declared keys only, by these.
    known: dict[tuple[str, ...], int] = {}

    def find(data: dict[Any, Any]) -> int:
        keys = tuple(data)
        if any(type(key) is not str for key in keys):
            return -1
        place = known.get(keys)
        if place is not None:
            return place
        forms = set(map(get_near_form, keys))
        places = [at for at, each in enumerate(needed) if each <= forms]
        if is_first and len(places) > 1:
            held = data.keys()
            whole = [at for at in places if required[at] <= held <= declared[at]]
            places = whole[:1]
        place = places[0] if len(places) == 1 else -1
        if len(known) < _MOST_SHAPES and data.keys() <= names:
            known[keys] = place
        return place

    return find


#: How many sets of keys are remembered with the record that has them.
_MOST_SHAPES = 1_000


# --- How many keys of a value a type leaves undeclared; by this a union chooses a record ---


def get_record(t: nodes.Type, names: Mapping[str, nodes.Type]) -> nodes.Record | None:
    """Return *t* if it is a record, possibly nullable, refined or a name, else None."""
    t = strip_wrappers(t, names)
    return t if isinstance(t, Record) else None


def count_undeclared(t: nodes.Type, value: Any, names: Mapping[str, nodes.Type]) -> int:
    """Count the keys of *value* that the records of *t* do not declare, at every depth.

    Keys whose values have a type, and all within a union, count as declared.
    """
    return KeyCounter(names).count(t, value)


class KeyCounter:
    """Counts what types with the definitions *names* leave undeclared."""

    __slots__ = ("fields", "names")

    def __init__(self, names: Mapping[str, nodes.Type]) -> None:
        self.names = names
        # The types of fields by name.  A record is found by its id, since an equal record is found
        # only after all parts are compared.
        self.fields: dict[int, tuple[nodes.Record, dict[str, nodes.Type]]] = {}

    def count(self, t: nodes.Type, value: Any) -> int:
        """Return how many keys of *value* the records of *t* do not declare."""
        match t:
            case nodes.Ref() | nodes.Wrapper():
                return self.count(strip_wrappers(t, self.names), value)
            case nodes.Record():
                return self._of_record(t, value) if get_kind(value) == "map" else 0
            case nodes.List(item) | nodes.Set(item):
                return sum([self.count(item, each) for each in _items(value)])
            case nodes.Tuple(items):
                pairs = zip(items, _items(value), strict=False)
                return sum([self.count(item, each) for item, each in pairs])
            case nodes.MapOf(_, inner):
                held = to_builtin(value).values() if get_kind(value) == "map" else ()
                return sum([self.count(inner, each) for each in held])
            case nodes.Leaf() | nodes.Combination() | nodes.Not() | nodes.ItemCount():
                return 0
            case _:
                assert_never(t)

    def _of_record(self, t: nodes.Record, value: Mapping[Any, Any]) -> int:
        found = self.fields.get(id(t))
        if found is None:
            found = self.fields[id(t)] = t, {field.name: field.type for field in t.fields}
        fields, count = found[1], 0
        for key, item in to_builtin(value).items():
            if key in fields:
                count += self.count(fields[key], item)
            elif t.extra == nodes.ANY and not t.matching:
                count += 1
        return count


def _items(value: Any) -> Any:
    return to_builtin(value) if issubclass(type(value), list | tuple) else ()


def find_declared_fields(
    t: nodes.Type, names: Mapping[str, nodes.Type]
) -> tuple[nodes.Field, ...] | None:
    """Find the fields that *t* declares at its own level; None if any key is allowed.

    Where no record declares keys, as in `:not[:int] & :not[:string]`, any key is allowed.
    """
    fields: dict[str, nodes.Field] = {}
    declares = False
    for part in iter_same_value_types(t, names):
        match part:
            case nodes.Record():
                if part.extra not in (nodes.ANY, None) or part.matching:
                    return None
                declares = True
                fields.update((field.name, field) for field in part.fields)
            case nodes.Leaf() | nodes.Container():
                return None
            case nodes.Through() | nodes.Not():
                # `iter_same_value_types` yields their parts; they declare no keys of their own.
                pass
            case _:
                assert_never(part)
    return tuple(fields.values()) if declares else None
