"""Whether a value conforms to a type, decided by the check itself, and the keys of records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any, Protocol

from typesig.algebra.constructors import get_map_key_type, make_both, strip_annotations
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import Enum, Field, Record, Refinement, Type, Union
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import Const, Keyword
from typesig.algebra.traversal import iter_types
from typesig.relations.normal_form import Clause, Parts
from typesig.relations.step_budget import Work, count_parts, count_size
from typesig.validation.check.check import Compiler
from typesig.validation.check_state import Checker, CheckState, Finding
from typesig.validation.issues.issues import IssueCode
from typesig.validation.issues.suggestions import Remedy
from typesig.validation.keys import KeyPlan
from typesig.validation.policy import ENABLED
from typesig.validation.verdicts import run_checker

# --- The keys of a record: which field a key stands for, and the type of its value ---


class RecordKeys:
    """Lookup of keys in a record type."""

    __slots__ = ("_fields", "_plan", "_required", "_tags", "_tests", "needed", "record")

    def __init__(self, record: Record) -> None:
        self.record = record
        self._plan = KeyPlan(record.fields)
        self._fields = {field.name: field for field in record.fields}
        self._tests = [(matching.test(), matching.type) for matching in record.matching]
        self._required: dict[str, list[Field]] = {}
        for field in record.fields:
            if field.required:
                self._required.setdefault(fold_name(field.name), []).append(field)
        #: The keys of required fields, folded.
        self.needed = frozenset(self._required)
        # A text that is not in an enum of texts can be no value of it, whatever the record says.
        self._tags: dict[str, frozenset[Const]] = {
            field.name: frozenset(inner.values)
            for field in record.fields
            if field.required
            and not record.matching
            and "_" not in fold_name(field.name)
            and isinstance(inner := strip_annotations(field.type), Enum)
            and all(value.kind == "string" for value in inner.values)
        }

    def get_required_fields(self, keys: Iterable[str] | None) -> Iterable[Field]:
        """Return the required fields, or only the fields for the folded *keys*."""
        found = self._required
        if keys is not None:
            found = {key: found[key] for key in keys if key in found}
        return chain.from_iterable(found.values())

    def has_other_tag(self, other: Record) -> bool:
        """Whether a required string enum shares no value with its field in *other*."""
        tags = get_record_keys(other)._tags
        return any(name in tags and tags[name].isdisjoint(t) for name, t in self._tags.items())

    def field(self, key: str) -> Field | None:
        """Return the field that *key* belongs to, or None for an unknown key."""
        name = self._plan.get_declared_name(key)
        return None if name is None else self._fields[name]

    def match_patterns(self, key: str) -> tuple[Type, ...]:
        """Return the value types of the key patterns that *key* matches."""
        return tuple([t for test, t in self._tests if test(key)])

    def get_value_type(self, key: str) -> Type | None:
        """Return the type of the value at *key*, or None if the key is not allowed."""
        field = self.field(key)
        if field is not None:
            return make_both([field.type, *self.match_patterns(field.name)])
        matched = self.match_patterns(key)
        return make_both(matched) if matched else self.record.extra


@lru_cache(maxsize=4096)
def get_record_keys(record: Record) -> RecordKeys:
    """Build the key lookup of *record*, cached."""
    return RecordKeys(record)


class MapKeys:
    """Resolver of the key types of maps, with names resolved; takes steps of *work*."""

    def __init__(self, names: Mapping[str, Type], work: Work) -> None:
        self._names = names
        self._work = work
        self._known: dict[Type, Type] = {}
        self._named: dict[str, tuple[Type, int]] = {}

    def get_key_type(self, key: Type) -> Type:
        """Return the type of keys that a map declared with key type *key* accepts."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = get_map_key_type(key, self._resolve_name)
        return known

    def _resolve_name(self, name: str) -> Type:
        """Get the map-key type of the definition *name*, computed at first use."""
        if name not in self._named:
            taken = get_map_key_type(self._names[name], self._resolve_name)
            self._named[name] = taken, count_size(taken)
        taken, count = self._named[name]
        # The type of a name is written in each of its places.
        self._work.take(count)
        return taken


# --- Whether a value conforms to a type without coercion, decided by the check itself ---

WITHOUT_COERCION = ENABLED.for_output()

#: The steps of `Work` that compiling a part of a type takes.
_COMPILING = 6

#: The steps of a branch, such as a member of a union, and of a finding.
_BRANCHING = 2


class _CountingRun(CheckState):
    """Check state that counts the steps of branches and findings, and writes no texts."""

    __slots__ = ("steps",)

    def __init__(self, steps: Work, above: CheckState | None = None) -> None:
        super().__init__(1, above)
        self.steps = steps
        # Nothing is said about what was meant.
        self.work.search.left = 0

    def make_branch(self) -> CheckState:
        """Make the check state for a union member, which costs steps."""
        self.steps.take(_BRANCHING)
        return _CountingRun(self.steps, self)

    def add(self, found: Finding) -> None:
        """Add the finding *found*, which costs steps."""
        self.steps.take(_BRANCHING)
        super().add(found)

    def add_error(
        self, code: IssueCode, expected: str, value: object, hint: str | Remedy = ""
    ) -> None:
        """Add a finding with *code* alone; the other arguments are ignored."""
        self.add(Finding(code))


class Judge:
    """Checker of values against types with shared definitions; takes steps of *work*."""

    def __init__(self, definitions: Iterable[Definition], work: Work) -> None:
        self.work = work
        names = {d.name: d.type for d in definitions}
        self._compiler = Compiler(names, WITHOUT_COERCION)
        self._widest = _count_widest(names.values())
        self._checks: dict[Type, tuple[Checker, tuple[int, int]]] = {}

    def accepts(self, t: Type, value: object) -> bool:
        """Whether *value* conforms to *t*, as `Signature.accepts` does.

        >>> from typesig.algebra.nodes import INT
        >>> judge = Judge((), Work())
        >>> judge.accepts(INT, 3), judge.accepts(INT, True)
        (True, False)
        """
        known = self._checks.get(t)
        if known is None:
            self.work.take(_COMPILING * count_size(t))
            known = self._checks[t] = self._compiler.checker(t), _count_widest([t])
        check, own = known
        # A tag is compared with those of all members; each key or value passes all tests of a part.
        members, tests = map(max, own, self._widest)
        self.work.take(members // 4 + count_parts(value) * (4 + tests) // 4)
        run = _CountingRun(self.work)
        run_checker(check, value, run)
        return not run.errors

    def allows(self, clause: Clause, value: object) -> bool:
        """Whether *value* conforms to the positive types of *clause* and to none it excludes."""
        pos, neg = clause
        return all(self.accepts(part, value) for part in pos) and not any(
            self.accepts(part, value) for part in neg
        )


def _count_widest(types: Iterable[Type]) -> tuple[int, int]:
    """Return the largest union size, and the largest count of patterns or constraints."""
    members = tests = 0
    for t in types:
        for part in iter_types(t):
            if isinstance(part, Union):
                members = max(members, len(part.members))
            elif isinstance(part, Record):
                tests = max(tests, len(part.matching))
            elif isinstance(part, Refinement):
                tests = max(tests, len(part.constraints))
    return members, tests


def is_json(value: Any) -> bool:
    """Whether *value* is plain JSON data, without keywords or other Python objects.

    >>> is_json({"a": [1, None]}), is_json({1: "a"}), is_json((1, 2))
    (True, False, False)
    """
    if isinstance(value, list):
        return all(map(is_json, value))
    if isinstance(value, dict):
        return all(type(key) is str and is_json(item) for key, item in value.items())
    if isinstance(value, Keyword | datetime):
        return False
    return value is None or isinstance(value, str | int | float)


# --- What the proof for one kind of values needs of the proof as a whole ---


class Prover(Protocol):
    """Protocol of proofs that types have no value; `EmptinessProver` implements it."""

    definitions: tuple[Definition, ...]
    judge: Judge
    map_keys: MapKeys
    work: Work

    def is_empty(self, pos: Parts, neg: Parts = ()) -> bool:
        """Whether it is proved that no value is of all of *pos* and of none of *neg*."""
        ...

    def has_keywords(self, t: Type) -> bool:
        """Whether a value of *t* may contain a keyword."""
        ...
