"""Values as JSON data for a model: rewritten to fit the schema that the model was shown.

`make_model_data` follows the type of a value.  It leaves out firewalled fields, whatever they hold;
undeclared keys where a record is shown closed; and nulls where an optional `T?` is shown as `T`.
What `typesig.notations.json_schema.model_view` shows as it is, is rewritten as it is, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.builtin import VisitBudget, as_builtin
from typesig.algebra.rows.values import get_kind, is_long, to_builtin
from typesig.algebra.traversal import get_item_types
from typesig.errors import TooDeep, TooLarge, TypesigError
from typesig.limits import MAX_VALUE_DEPTH
from typesig.notations.json_schema.model_view import (
    ModelView,
    OverlappingKeys,
    find_overlapping_keys,
    is_exact_below,
    is_list,
    is_shown_without_null,
)
from typesig.validation.check.check import Compiler, get_compiler
from typesig.validation.check_state import Checker, CheckState, Subject
from typesig.validation.issues.excerpt import describe_value, write_excerpt
from typesig.validation.issues.issues import Issue, write_path
from typesig.validation.keys import KeyPlan
from typesig.validation.outcome.passthrough import CopyOptions, build_whole_copier
from typesig.validation.plain_data import get_sort_key, to_plain, write_key
from typesig.validation.policy import DISABLED


class MapPlan(NamedTuple):
    """Precomputed fields and key patterns of a record.

    #: tests: those of its patterns; known: the types of keys that were tested
    """

    keys: KeyPlan
    fields: dict[str | None, nodes.Field]
    tests: list[tuple[Callable[[str], bool], nodes.Type]]
    overlap: OverlappingKeys
    known: dict[str, list[nodes.Type]]

    def get_pattern_types(self, name: str) -> list[nodes.Type]:
        """Return the types of the patterns that *name* matches."""
        if not self.tests:
            return []
        found = self.known.get(name)
        if found is None:
            found = self.known[name] = [t for test, t in self.tests if test(name)]
        return found


def make_map_plan(record: nodes.Record) -> MapPlan:
    """Make the plan of the fields and key patterns of *record*."""
    return MapPlan(
        KeyPlan(record.fields),
        {field.name: field for field in record.fields},
        [(matching.test(), matching.type) for matching in record.matching],
        find_overlapping_keys(record),
        {},
    )


def is_json_key(key: Any) -> bool:
    """Whether *key* can be written as a key of a JSON object."""
    kind = get_kind(key)
    match kind:
        case "string" | "keyword" | "int" | "float" | "bool" | "datetime":
            return True
        case "object":
            # A member of an enum is the text of its constant.
            return isinstance(to_plain(key), str)
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


def make_model_data(subject: Subject | None, result: object, exact: bool) -> ModelData:
    """Convert the value *result* of *subject* to JSON data for a model.

    Without a subject, *result* is what there is, and has no type.

    Raises `TypesigError` for a value without a JSON form and for two keys of a map that become the
    same text, with the place; `TooDeep`, and `TooLarge` beyond `MAX_VALUES`.
    """
    if subject is None:
        subject = Subject(result, nodes.ANY, (), DISABLED)
    t, definitions, showing = subject.type, subject.definitions, CopyOptions(exact, True)
    if subject.is_whole and (copy := build_whole_copier(t, definitions, showing)) is not None:
        names = {definition.name: definition.type for definition in definitions}
        return ModelData(copy(subject.value), not exact and is_list(t, names), ())
    subject = subject._replace(value=as_builtin(subject.value))
    policy = subject.policy
    # The value is as it is after its check: branches are told apart without coercion.
    policy = policy.for_output() if policy.decoding or policy.defaults else policy
    compiler = get_compiler(subject.type, subject.definitions, policy)
    view = ModelView(compiler.names, [compiler.whole], closing=not subject.are_arguments)
    rewriter = _Rewriter(view, compiler, subject.value)
    part = _TypePart(compiler.whole, True)
    found = rewriter.rewrite(subject.value, (part,), not exact, ())
    wrapped = not exact and not subject.are_arguments and is_list(compiler.whole, view.names)
    return ModelData(found.data, wrapped, tuple(found.warnings))


class _TypePart(NamedTuple):
    """A type that the current value conforms to, and whether it is the type shown.

    #: main: whether the schema is that of this type; another branch of a union only tells which
    #:     names are firewalled
    """

    type: nodes.Type
    main: bool


class _RewriteResult(NamedTuple):
    """Rewritten JSON data of a value or part, with the warnings of the rewriting."""

    data: Any
    warnings: list[Issue]


_Parts = tuple[_TypePart, ...]


class _Rewriter:
    """Rewrites one value for the model and caches the results for union branches."""

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
        self.run = CheckState(1)
        self.run.watch = self.watch = VisitBudget(value)
        self.best: dict[tuple[int, frozenset[_TypePart], Path], _RewriteResult] = {}

    def rewrite(self, value: Any, parts: _Parts, shown: bool, path: Path) -> _RewriteResult:
        """Rewrite *value*, which conforms to *parts*, as data for a model."""
        cls = type(value)
        if value is None or cls is str or cls is bool or (cls is int and not is_long(value)):
            return _RewriteResult(value, [])
        if len(path) > 2 * MAX_VALUE_DEPTH:
            raise TooDeep(f"{write_path(path)}: nested more than {MAX_VALUE_DEPTH} levels")
        kind = get_kind(value)
        level: list[_TypePart] = []
        for part in parts:
            if shown and part.main and (union := self._find_branches(value, part.type)) is not None:
                return self._rewrite_by_best_branch(value, union, parts, path)
            shown = self._expand(value, part, shown, level)
        match kind:
            case "list" | "set":
                return self._rewrite_items(value, kind == "set", level, shown, path)
            case "map":
                return self._rewrite_map(value, level, shown, path)
            case "nil" | "bool" | "string" | "keyword" | "datetime":
                return _RewriteResult(_convert_scalar(value), [])
            case "int" | "float":
                return _convert_number(value, path)
            case "object":
                data = to_plain(value)
                if get_kind(data) == "object":
                    place = f"{write_path(path)}: " if path else ""
                    name = type(value).__name__
                    raise TypesigError(
                        f"{place}JSON has no form for a value of {name}; return plain data"
                    )
                return _RewriteResult(data, [])
            case _:
                assert_never(kind)

    def _find_branches(self, value: Any, t: nodes.Type) -> list[nodes.Type] | None:
        """Return the branches that accept *value* if *t* is a union shown as one, else None."""
        while True:
            match t:
                case nodes.Ref(name) if name not in self.view.exact:
                    t = self.names[name]
                case nodes.Maybe(inner) | nodes.Annotation(inner):
                    t = inner
                case nodes.Refinement(inner) if not is_exact_below(t):
                    t = inner
                case nodes.Union(members):
                    found = self._select_accepting(members, value)
                    return found if len(found) > 1 else None
                case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
                    return None
                case _:
                    assert_never(t)

    def _rewrite_by_best_branch(
        self, value: Any, branches: list[nodes.Type], parts: _Parts, path: Path
    ) -> _RewriteResult:
        """Rewrite *value* by the branch that omits the fewest keys."""
        key = id(value), frozenset(parts), path
        if key in self.best:
            return self.best[key]
        others = tuple([part for part in parts if not part.main])
        best: _RewriteResult | None = None
        for branch in branches:
            rest = tuple([_TypePart(other, False) for other in branches if other is not branch])
            found = self.rewrite(value, (_TypePart(branch, True), *rest, *others), True, path)
            if best is None or len(found.warnings) < len(best.warnings):
                best = found
            if not best.warnings:
                break
        assert best is not None
        self.best[key] = best
        return best

    def _select_accepting(self, members: tuple[nodes.Type, ...], value: Any) -> list[nodes.Type]:
        """Return the *members* that accept *value*."""
        places: Iterable[int] | None = None
        if get_kind(value) == "map":
            tags = self.compiler.get_union_tags(members)
            places = tags.find_branches(value)
            places = tags.find_candidates(value) if places is None else places
        possible = members if places is None else [members[place] for place in places]
        return [member for member in possible if self._is_accepted(member, value)]

    def _is_accepted(self, t: nodes.Type, value: Any) -> bool:
        """Whether *value* passes the check of *t*; cached."""
        key = id(value), id(t)
        known = self.accepted.get(key)
        if known is None:
            check = self.checks.get(id(t))
            if check is None:
                check = self.checks[id(t)] = self.compiler.checker(t)
            run = self.run.make_branch()
            check(value, run)
            known = self.accepted[key] = not run.errors
        return known

    def _expand(self, value: Any, part: _TypePart, shown: bool, level: list[_TypePart]) -> bool:
        """Add the list and map types of *part* to *level*; return whether it is shown."""
        t, main = part
        match t:
            case nodes.Ref(name):
                shown = shown and not (main and name in self.view.exact)
                return self._expand(value, _TypePart(self.names[name], main), shown, level)
            case nodes.Maybe(inner) | nodes.Annotation(inner):
                return self._expand(value, _TypePart(inner, main), shown, level)
            case nodes.Refinement(inner):
                shown = shown and not (main and is_exact_below(t))
                return self._expand(value, _TypePart(inner, main), shown, level)
            case nodes.Union(members) | nodes.One(members):
                found = self._select_accepting(members, value)
                # A value that no branch accepts is not checked; what any of them hides is hidden.
                main_branch = found[0] if found else None
                for member in found or members:
                    below = _TypePart(member, main and member is main_branch)
                    shown = self._expand(value, below, shown, level)
                return shown and not (main and isinstance(t, nodes.One))
            case nodes.Both(members):
                for member in members:
                    self._expand(value, _TypePart(member, main), False, level)
                return shown and not main
            case nodes.Set() | nodes.ItemCount():
                level.append(part)
                return shown and not main
            case nodes.Leaf() | nodes.Container() | nodes.Not():
                level.append(part)
                return shown
            case _:
                assert_never(t)

    def _rewrite_items(
        self, value: Any, is_set: bool, level: list[_TypePart], shown: bool, path: Path
    ) -> _RewriteResult:
        """Rewrite the items of the list or set *value* by the types in *level*."""
        out: list[Any] = []
        warnings: list[Issue] = []
        data = to_builtin(value)
        self.watch.visit(len(data))
        for index, item in enumerate(data):
            found_parts = [
                _TypePart(t, main and not isinstance(whole, nodes.ItemCount))
                for whole, main in level
                for t in get_item_types(whole, index)
            ]
            parts = self._drop_equal_parts(found_parts)
            found = self.rewrite(item, parts, shown, (*path, index))
            out.append(found.data)
            warnings += found.warnings
        return _RewriteResult(sorted(out, key=get_sort_key) if is_set else out, warnings)

    def _drop_equal_parts(self, parts: list[_TypePart]) -> _Parts:
        """Return *parts* without duplicates."""
        if len(parts) < 2:
            return tuple(parts)
        first_of, out = self.first_of, []
        for t, main in parts:
            if id(t) not in first_of:
                first_of[id(t)] = self.firsts.setdefault(t, t)
            out.append(_TypePart(first_of[id(t)], main))
        return tuple(dict.fromkeys(out))

    def _rewrite_map(
        self, value: Any, level: list[_TypePart], shown: bool, path: Path
    ) -> _RewriteResult:
        """Rewrite the entries of the map *value* by the types in *level*."""
        out: dict[str, Any] = {}
        warnings: list[Issue] = []
        records = [(part.type, part.main) for part in level if isinstance(part.type, nodes.Record)]
        closes = shown and any(
            main and (record.extra is None or self.view.is_shown_closed(record))
            for record, main in records
        )
        data = to_builtin(value)
        self.watch.visit(len(data))
        for key, item in data.items():
            if not is_json_key(key):
                where = f"{write_path(path)}: " if path else ""
                raise TypesigError(f"{where}JSON has no form for a key that is {get_kind(key)}")
            entry = self._plan_entry(key, level, records)
            if entry.is_firewalled:
                continue
            place = (*path, entry.name)
            if shown and item is None and entry.is_shown_without_null:
                continue
            if closes and not entry.is_declared:
                warnings.append(Issue("left_out", place))
                continue
            if entry.name in out:
                raise TypesigError(f"{write_path(place)}: two keys are this text in JSON")
            try:
                found = self.rewrite(item, entry.parts, shown and not entry.overlaps, place)
            except TypesigError as error:
                is_limit = isinstance(error, TooDeep | TooLarge)
                if is_limit or entry.is_declared or not entry.name.startswith("_"):
                    raise
                # A private part of a result need not have a JSON form.
                warnings.append(Issue("left_out", place))
                continue
            out[entry.name] = found.data
            warnings += found.warnings
        return _RewriteResult(out, warnings)

    def _plan_entry(
        self, key: Any, level: list[_TypePart], records: list[tuple[nodes.Record, bool]]
    ) -> _MapEntry:
        """Plan how the entry *key* is written: its name, types and visibility."""
        name = write_key(key)
        parts: list[_TypePart] = []
        declared = hidden = declared_openly = without_null = overlaps = False
        for record, main in records:
            plan = self.plans.get(id(record))
            if plan is None:
                plan = self.plans[id(record)] = make_map_plan(record)
            field = plan.fields.get(plan.keys.get_declared_name(key))
            matched = plan.get_pattern_types(name)
            if field is not None:
                hidden = hidden or (field.firewalled and (main or not declared_openly))
                declared_openly = declared_openly or (main and not field.firewalled)
                parts.append(_TypePart(field.type, main))
                if main:
                    name, declared = field.name, True
                    without_null = is_shown_without_null(field)
                    overlaps = overlaps or field.name in plan.overlap.fields
            elif matched:
                declared = declared or main
                overlaps = overlaps or (main and plan.overlap.patterns)
            elif record.extra is not None:
                parts.append(_TypePart(record.extra, main))
            parts += [_TypePart(t, main) for t in matched]
        parts += [_TypePart(p.type.value, p.main) for p in level if isinstance(p.type, nodes.MapOf)]
        return _MapEntry(
            name,
            self._drop_equal_parts(parts),
            declared,
            hidden,
            without_null and not overlaps,
            overlaps,
        )


class _MapEntry(NamedTuple):
    """Name, types and visibility of one key, from the types of its map.

    #: name: the key in JSON; parts: the types of its value
    """

    name: str
    parts: _Parts
    is_declared: bool
    is_firewalled: bool
    is_shown_without_null: bool
    overlaps: bool


def _convert_scalar(value: Any) -> Any:
    """Convert the scalar *value* to JSON data; UTC replaces offsets with seconds."""
    if get_kind(value) == "datetime":
        offset = value.utcoffset()
        if offset is not None and offset.total_seconds() % 60:
            from datetime import UTC

            # RFC 3339 has no offsets with seconds.
            value = value.astimezone(UTC)
    return to_plain(value)


def _convert_number(value: float, path: Path) -> _RewriteResult:
    """Convert the number *value*; nil and a warning if JSON cannot represent it."""
    if isinstance(value, int):
        missing = describe_value(value) if is_long(value) else ""
    else:
        missing = "" if value - value == 0 else write_excerpt(value)
    if missing:
        return _RewriteResult(None, [Issue("not_json", path, got=missing)])
    return _RewriteResult(to_plain(value), [])


def select_media(data: Any, held: tuple[tuple[str, Any], ...]) -> tuple[Any, ...]:
    """Return the media of *held* whose placeholder texts occur in *data*, in order.

    Texts are told apart by identity: another one that reads the same stands for nothing.
    """
    by_text = {id(text): media for text, media in held}
    return tuple([by_text[id(text)] for text in _iter_texts(data) if id(text) in by_text])


def _iter_texts(data: Any) -> Iterator[str]:
    """Iterate over all strings in *data*, except the keys of maps."""
    left = [data]
    while left:
        part = left.pop()
        if type(part) is str:
            yield part
        elif type(part) is dict:
            left.extend(reversed(part.values()))
        elif type(part) is list:
            left.extend(reversed(part))
