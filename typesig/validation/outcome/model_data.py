"""Values as JSON data for a model: rewritten to fit the schema that the model was shown.

`data_for_model` follows the type of a value.  It leaves out firewalled fields, whatever they hold;
undeclared keys where a record is shown closed; and nulls where an optional `T?` is shown as `T`.
What `typesig.notations.json_schema.writing.model_view` shows as it is, is rewritten as it is, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.shared import Watch
from typesig.algebra.rows.values import exact, is_long, kind_of
from typesig.algebra.traversal import item_types
from typesig.errors import TooDeep, TooLarge, TypesigError
from typesig.limits import MAX_VALUE_DEPTH
from typesig.notations.json_schema.writing.model_view import (
    ModelView,
    OverlappingKeys,
    is_exact_below,
    is_list,
    is_shown_without_null,
    overlapping_keys,
)
from typesig.validation.check.check import Compiler, compiler_of
from typesig.validation.issues.excerpt import bare, shown
from typesig.validation.issues.issues import Issue, path_text
from typesig.validation.outcome.whole_data import Showing, copier
from typesig.validation.rows.keys import KeyPlan
from typesig.validation.rows.plain import key_text, plain, sort_key
from typesig.validation.rows.policy import DISABLED
from typesig.validation.rows.run import Checker, Run
from typesig.validation.rows.subject import Subject


class MapPlan(NamedTuple):
    """What a record says about keys, worked out once.

    #: tests: those of its patterns; known: the types of keys that were tested
    """

    keys: KeyPlan
    fields: dict[str | None, nodes.Field]
    tests: list[tuple[Callable[[str], bool], nodes.Type]]
    overlap: OverlappingKeys
    known: dict[str, list[nodes.Type]]

    def matched(self, name: str) -> list[nodes.Type]:
        """Return the types of the patterns that *name* matches."""
        if not self.tests:
            return []
        found = self.known.get(name)
        if found is None:
            found = self.known[name] = [t for test, t in self.tests if test(name)]
        return found


def plan_of(record: nodes.Record) -> MapPlan:
    """Return the plan of *record*."""
    return MapPlan(
        KeyPlan(record.fields),
        {field.name: field for field in record.fields},
        [(matching.test(), matching.type) for matching in record.matching],
        overlapping_keys(record),
        {},
    )


def is_key(key: Any) -> bool:
    """Tell whether *key* has a text that stands for it as a key in JSON."""
    kind = kind_of(key)
    match kind:
        case "string" | "keyword" | "int" | "float" | "bool" | "datetime":
            return True
        case "object":
            # A member of an enum is the text of its constant.
            return isinstance(plain(key), str)
        case "nil" | "list" | "map" | "set":
            return False
        case _:
            assert_never(kind)


Path = tuple[str | int, ...]


class ModelData(NamedTuple):
    """JSON data for a model.

    #: data: the data; wrapped: whether the schema wraps it in `items`
    #: warnings: undeclared keys that were left out, and numbers that JSON does not have
    """

    data: Any
    wrapped: bool
    warnings: tuple[Issue, ...]


def data_for_model(subject: Subject | None, result: object, exact: bool) -> ModelData:
    """Return the value of *subject* as JSON data that fits the schema of its type.

    Without a subject, *result* is what there is, and has no type.

    Raises `TypesigError` for a value without a JSON form and for two keys of a map that become the
    same text, with the place; `TooDeep`, and `TooLarge` beyond `MAX_VALUES`.
    """
    if subject is None:
        subject = Subject(result, nodes.ANY, (), DISABLED)
    if subject.is_whole and (copy := copier(subject.type, Showing(exact, True))) is not None:
        return ModelData(copy(subject.value), not exact and is_list(subject.type, {}), ())
    subject = subject._replace(value=as_builtin(subject.value))
    policy = subject.policy
    # The value is as it is after its check: branches are told apart without coercion.
    policy = policy.for_output() if policy.decoding or policy.defaults else policy
    compiler = compiler_of(subject.type, subject.definitions, policy)
    view = ModelView(compiler.names, [compiler.whole], closing=not subject.are_arguments)
    rewriter = _Rewriter(view, compiler, subject.value)
    part = _Part(compiler.whole, True)
    found = rewriter.rewritten(subject.value, (part,), not exact, ())
    wrapped = not exact and not subject.are_arguments and is_list(compiler.whole, view.names)
    return ModelData(found.data, wrapped, tuple(found.warnings))


class _Part(NamedTuple):
    """A type that a value conforms to.

    #: main: whether the schema is that of this type; another branch of a union only tells which
    #:     names are firewalled
    """

    type: nodes.Type
    main: bool


class _Found(NamedTuple):
    data: Any
    warnings: list[Issue]


_Parts = tuple[_Part, ...]


class _Rewriter:
    """Rewrites one value; keeps what branches of unions came to."""

    def __init__(self, view: ModelView, compiler: Compiler, value: Any) -> None:
        self.view = view
        self.names = view.names
        self.compiler = compiler
        # By the ids of types: those of equal types are compared part by part.
        self.checks: dict[int, Checker] = {}
        self.plans: dict[int, MapPlan] = {}
        self.accepted: dict[tuple[int, int], bool] = {}
        # The first of equal types.
        self.firsts: dict[nodes.Type, nodes.Type] = {}
        self.first_of: dict[int, nodes.Type] = {}
        # What is below a branch was judged for the branch: all checks share what they remember.
        self.run = Run(1)
        self.run.watch = self.watch = Watch(value)
        self.best: dict[tuple[int, frozenset[_Part], Path], _Found] = {}

    def rewritten(self, value: Any, parts: _Parts, shown: bool, path: Path) -> _Found:
        """Return *value*, which conforms to *parts*; *shown* unless it is rewritten exactly."""
        cls = type(value)
        if value is None or cls is str or cls is bool or (cls is int and not is_long(value)):
            return _Found(value, [])
        if len(path) > 2 * MAX_VALUE_DEPTH:
            raise TooDeep(f"{path_text(path)}: nested more than {MAX_VALUE_DEPTH} levels")
        kind = kind_of(value)
        level: list[_Part] = []
        for part in parts:
            if shown and part.main and (union := self._union_at(value, part.type)) is not None:
                return self._best(value, union, parts, path)
            shown = self._expand(value, part, shown, level)
        match kind:
            case "list" | "set":
                return self._items(value, kind == "set", level, shown, path)
            case "map":
                return self._map(value, level, shown, path)
            case "nil" | "bool" | "string" | "keyword" | "datetime":
                return _Found(_scalar(value), [])
            case "int" | "float":
                return _number(value, path)
            case "object":
                data = plain(value)
                if kind_of(data) == "object":
                    place = f"{path_text(path)}: " if path else ""
                    name = type(value).__name__
                    raise TypesigError(
                        f"{place}JSON has no form for a value of {name}; return plain data"
                    )
                return _Found(data, [])
            case _:
                assert_never(kind)

    def _union_at(self, value: Any, t: nodes.Type) -> list[nodes.Type] | None:
        """Return the branches that accept *value* if *t* is a union shown as one, else None."""
        while True:
            match t:
                case nodes.Ref(name) if name not in self.view.exact:
                    t = self.names[name]
                case nodes.Maybe(inner) | nodes.Noted(inner):
                    t = inner
                case nodes.Refined(inner) if not is_exact_below(t):
                    t = inner
                case nodes.Union(members):
                    found = self._taking(members, value)
                    return found if len(found) > 1 else None
                case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
                    return None
                case _:
                    assert_never(t)

    def _best(self, value: Any, branches: list[nodes.Type], parts: _Parts, path: Path) -> _Found:
        """Return *value* by the branch that leaves out the fewest undeclared keys."""
        key = id(value), frozenset(parts), path
        if key in self.best:
            return self.best[key]
        others = tuple([part for part in parts if not part.main])
        best: _Found | None = None
        for branch in branches:
            rest = tuple([_Part(other, False) for other in branches if other is not branch])
            found = self.rewritten(value, (_Part(branch, True), *rest, *others), True, path)
            if best is None or len(found.warnings) < len(best.warnings):
                best = found
            if not best.warnings:
                break
        assert best is not None
        self.best[key] = best
        return best

    def _taking(self, members: tuple[nodes.Type, ...], value: Any) -> list[nodes.Type]:
        """Return those of *members* that accept *value*."""
        places: Iterable[int] | None = None
        if kind_of(value) == "map":
            tags = self.compiler.tags_of(members)
            places = tags.places(value)
            places = tags.possible(value) if places is None else places
        possible = members if places is None else [members[place] for place in places]
        return [member for member in possible if self._accepts(member, value)]

    def _accepts(self, t: nodes.Type, value: Any) -> bool:
        key = id(value), id(t)
        known = self.accepted.get(key)
        if known is None:
            check = self.checks.get(id(t))
            if check is None:
                check = self.checks[id(t)] = self.compiler.checker(t)
            run = self.run.branch()
            check(value, run)
            known = self.accepted[key] = not run.errors
        return known

    def _expand(self, value: Any, part: _Part, shown: bool, level: list[_Part]) -> bool:
        """Append the parts of *part* that look at *value* itself; return whether it is shown."""
        t, main = part
        match t:
            case nodes.Ref(name):
                shown = shown and not (main and name in self.view.exact)
                return self._expand(value, _Part(self.names[name], main), shown, level)
            case nodes.Maybe(inner) | nodes.Noted(inner):
                return self._expand(value, _Part(inner, main), shown, level)
            case nodes.Refined(inner):
                shown = shown and not (main and is_exact_below(t))
                return self._expand(value, _Part(inner, main), shown, level)
            case nodes.Union(members) | nodes.One(members):
                found = self._taking(members, value)
                # A value that no branch accepts is not checked; what any of them hides is hidden.
                main_branch = found[0] if found else None
                for member in found or members:
                    below = _Part(member, main and member is main_branch)
                    shown = self._expand(value, below, shown, level)
                return shown and not (main and isinstance(t, nodes.One))
            case nodes.Both(members):
                for member in members:
                    self._expand(value, _Part(member, main), False, level)
                return shown and not main
            case nodes.Set() | nodes.Counted():
                level.append(part)
                return shown and not main
            case nodes.Leaf() | nodes.Container() | nodes.Not():
                level.append(part)
                return shown
            case _:
                assert_never(t)

    def _items(
        self, value: Any, is_set: bool, level: list[_Part], shown: bool, path: Path
    ) -> _Found:
        out: list[Any] = []
        warnings: list[Issue] = []
        data = exact(value)
        self.watch.visit(len(data))
        for index, item in enumerate(data):
            found_parts = [
                _Part(t, main and not isinstance(whole, nodes.Counted))
                for whole, main in level
                for t in item_types(whole, index)
            ]
            parts = self._distinct(found_parts)
            found = self.rewritten(item, parts, shown, (*path, index))
            out.append(found.data)
            warnings += found.warnings
        return _Found(sorted(out, key=sort_key) if is_set else out, warnings)

    def _distinct(self, parts: list[_Part]) -> _Parts:
        """Return *parts* without equal ones: branches of a union often have a type in common."""
        if len(parts) < 2:
            return tuple(parts)
        first_of, out = self.first_of, []
        for t, main in parts:
            if id(t) not in first_of:
                first_of[id(t)] = self.firsts.setdefault(t, t)
            out.append(_Part(first_of[id(t)], main))
        return tuple(dict.fromkeys(out))

    def _map(self, value: Any, level: list[_Part], shown: bool, path: Path) -> _Found:
        out: dict[str, Any] = {}
        warnings: list[Issue] = []
        records = [(part.type, part.main) for part in level if isinstance(part.type, nodes.Record)]
        closes = shown and any(
            main and (record.extra is None or self.view.closes(record)) for record, main in records
        )
        data = exact(value)
        self.watch.visit(len(data))
        for key, item in data.items():
            if not is_key(key):
                where = f"{path_text(path)}: " if path else ""
                raise TypesigError(f"{where}JSON has no form for a key that is {kind_of(key)}")
            entry = self._entry(key, level, records)
            if entry.is_firewalled:
                continue
            place = (*path, entry.name)
            if shown and item is None and entry.is_shown_without_null:
                continue
            if closes and not entry.is_declared:
                warnings.append(Issue("left_out", place))
                continue
            if entry.name in out:
                raise TypesigError(f"{path_text(place)}: two keys are this text in JSON")
            try:
                found = self.rewritten(item, entry.parts, shown and not entry.overlaps, place)
            except TypesigError as error:
                is_limit = isinstance(error, TooDeep | TooLarge)
                if is_limit or entry.is_declared or not entry.name.startswith("_"):
                    raise
                # A private part of a result need not have a JSON form.
                warnings.append(Issue("left_out", place))
                continue
            out[entry.name] = found.data
            warnings += found.warnings
        return _Found(out, warnings)

    def _entry(
        self, key: Any, level: list[_Part], records: list[tuple[nodes.Record, bool]]
    ) -> _Entry:
        name = key_text(key)
        parts: list[_Part] = []
        declared = hidden = declared_openly = without_null = overlaps = False
        for record, main in records:
            plan = self.plans.get(id(record))
            if plan is None:
                plan = self.plans[id(record)] = plan_of(record)
            field = plan.fields.get(plan.keys.declared(key))
            matched = plan.matched(name)
            if field is not None:
                hidden = hidden or (field.firewalled and (main or not declared_openly))
                declared_openly = declared_openly or (main and not field.firewalled)
                parts.append(_Part(field.type, main))
                if main:
                    name, declared = field.name, True
                    without_null = is_shown_without_null(field)
                    overlaps = overlaps or field.name in plan.overlap.fields
            elif matched:
                declared = declared or main
                overlaps = overlaps or (main and plan.overlap.patterns)
            elif record.extra is not None:
                parts.append(_Part(record.extra, main))
            parts += [_Part(t, main) for t in matched]
        parts += [_Part(p.type.value, p.main) for p in level if isinstance(p.type, nodes.MapOf)]
        return _Entry(
            name, self._distinct(parts), declared, hidden, without_null and not overlaps, overlaps
        )


class _Entry(NamedTuple):
    """What the types of a map say about one key.

    #: name: the key in JSON; parts: the types of its value
    """

    name: str
    parts: _Parts
    is_declared: bool
    is_firewalled: bool
    is_shown_without_null: bool
    overlaps: bool


def _scalar(value: Any) -> Any:
    if kind_of(value) == "datetime":
        offset = value.utcoffset()
        if offset is not None and offset.total_seconds() % 60:
            from datetime import UTC

            # RFC 3339 has no offsets with seconds.
            value = value.astimezone(UTC)
    return plain(value)


def _number(value: float, path: Path) -> _Found:
    if isinstance(value, int):
        missing = shown(value) if is_long(value) else ""
    else:
        missing = "" if value - value == 0 else bare(value)
    if missing:
        return _Found(None, [Issue("not_json", path, got=missing)])
    return _Found(plain(value), [])


def shown_media(data: Any, held: tuple[tuple[str, Any], ...]) -> tuple[Any, ...]:
    """Return the media of *held* whose texts are in *data*, JSON data for a model, in their order.

    Texts are told apart by identity: another one that reads the same stands for nothing.
    """
    by_text = {id(text): media for text, media in held}
    return tuple([by_text[id(text)] for text in _texts(data) if id(text) in by_text])


def _texts(data: Any) -> Iterator[str]:
    left = [data]
    while left:
        part = left.pop()
        if type(part) is str:
            yield part
        elif type(part) is dict:
            left.extend(reversed(part.values()))
        elif type(part) is list:
            left.extend(reversed(part))
