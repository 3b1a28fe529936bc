"""Types in gram: each becomes itself, or the nearest wider type that gram can express."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import reduce
from typing import NamedTuple, TypeAlias, TypeVar, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import make_maybe, record
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, FLOAT, INT, MAP, Field, List, Maybe, Record, Type
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import Const, ConstKind, keywords_to_text
from typesig.algebra.traversal import iter_types
from typesig.limits import MAX_DEPTH, MAX_INLINED
from typesig.notations.gram.writer import SPELLINGS, WiderLabel, write_brief, write_json
from typesig.notations.texts.quoting import quote

# --- The nearest type of several in gram ---
# The types are widened before: only scalars, lists, records and maybes are joined here.


def _join(a: Type, b: Type) -> Type:
    """Return the nearest gram type that accepts all values of the types *a* and *b*."""
    if a == b:
        return a
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        whole = _join(_strip_nil(a), _strip_nil(b))
        return ANY if whole == ANY else make_maybe(whole)
    if {a, b} == {INT, FLOAT}:
        return FLOAT
    if isinstance(a, List) and isinstance(b, List):
        return List(_join(a.item, b.item))
    if isinstance(a, Record) and isinstance(b, Record):
        return _keep_common_fields(a, b)
    if all(isinstance(t, Record) or t == MAP for t in (a, b)):
        return MAP
    return ANY


def _strip_nil(t: Type) -> Type:
    """Return the inner type of *t* if it is a `Maybe`, otherwise *t*."""
    return t.inner if isinstance(t, Maybe) else t


def _keep_common_fields(a: Record, b: Record) -> Record:
    """Return the record of the fields that *a* and *b* share."""
    # If only one of two names that fold to one key stayed, it would take the values of both.
    shared = _find_repeated_keys(a) | _find_repeated_keys(b)
    others = {field.name: field for field in b.fields}
    kept = []
    for field in a.fields:
        other = others.get(field.name)
        if other is None or other.exact != field.exact or fold_name(field.name) in shared:
            continue
        t = _join(field.type, other.type)
        required = field.required and other.required
        kept.append(
            Field(field.name, t if required else make_maybe(t), required, None, field.exact)
        )
    return record(kept)


def _find_repeated_keys(t: Record) -> set[str]:
    """Find the folded names that several fields of the record type *t* share."""
    return {key for key, n in Counter(fold_name(f.name) for f in t.fields).items() if n > 1}


def _intersect(a: Type, b: Type) -> Type:
    """Return a type that accepts every value that conforms to both types *a* and *b*."""
    both = _join(a, b)
    if both == b:
        return a
    if both == a:
        return b
    if isinstance(a, Maybe) and isinstance(b, Maybe):
        return make_maybe(_intersect(a.inner, b.inner))
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        return _intersect(_strip_nil(a), _strip_nil(b))
    if isinstance(a, List) and isinstance(b, List):
        return List(_intersect(a.item, b.item))
    if isinstance(a, Record) and isinstance(b, Record):
        return _merge_records(a, b)
    # No value conforms to both, so either type takes all that conform to both.
    return a


def _merge_records(a: Record, b: Record) -> Record:
    """Return the record with the fields of both *a* and *b*, common types intersected."""
    fields = {field.name: field for field in a.fields}
    keys, doubled = {fold_name(name) for name in fields}, _find_repeated_keys(b)
    for field in b.fields:
        known = fields.get(field.name)
        if known is not None and known.exact == field.exact:
            t = _intersect(known.type, field.type)
            # A nullable type cannot be required in gram.
            required = (known.required or field.required) and not isinstance(t, Maybe)
            t = t if required else make_maybe(t)
            fields[field.name] = Field(field.name, t, required, None, field.exact)
        elif fold_name(field.name) not in keys | doubled:
            # Another spelling of a known name would fold to the same key.
            fields[field.name] = field
            keys.add(fold_name(field.name))
    return record(fields.values())


# --- Types in gram: each becomes itself, or the nearest wider type that gram can express ---
# `Widener.widened` keeps lists and records; `Widener.head` returns the nearest type of one word,
# for the path form, and for types that contain themselves or are too large to be written in their
# place.

Path = tuple[str, ...]
R = TypeVar("R")

#: How many characters of a text, a value or a type are shown in a loss.
_SHOWN = 60


class Reason(NamedTuple):
    """Name of a shape in a loss, the reason for the loss, and the remedy."""

    what: str
    why: str


#: The shapes that gram has no form for.
Inexpressible: TypeAlias = (
    nodes.Set
    | nodes.Tuple
    | nodes.MapOf
    | nodes.Enum
    | nodes.Union
    | nodes.One
    | nodes.Both
    | nodes.Not
    | nodes.ItemCount
)

NAMED = Reason("a named type", "gram has no names for types; write the type in its place")
REFINED = Reason("a refinement", "gram has no constraints; use the type without them")


#: Why gram cannot express each of them.
REASONS: dict[type[nodes.Type], Reason] = {
    nodes.Set: Reason("a set", "gram has no sets; use a list"),
    nodes.Tuple: Reason("a tuple", "gram has no tuples; use a record, or a list of one type"),
    nodes.MapOf: Reason(
        "a map of one type", "gram's Object may have any values; use :map, or a record"
    ),
    nodes.Enum: Reason("an enum", "gram has no enums; use the type of its values"),
    nodes.Union: Reason("a union", "gram has no unions; use one type, or Maybe for null"),
    nodes.One: Reason("one of several types", "gram has no unions; use one type"),
    nodes.Both: Reason("all of several types", "gram has no intersections; use one record"),
    nodes.Not: Reason("a negation", "gram has no negations; use the type of the values"),
    nodes.ItemCount: Reason("a number of items of a type", "gram counts no items; use a list"),
}

_CLOSED = Reason("a closed record", "gram's records are open; leave out the !")
_EXTRA = Reason(
    "a type of undeclared names", "gram's records may have any other names; leave out the **"
)
_MATCHING = Reason("names that match a pattern", "gram has no patterns; leave them out")
_ABSENT = Reason("a name that may be absent, not null", "gram's Maybe means both; use :T?")
_NULLABLE = Reason("a name that may be null, not absent", "gram's Maybe means both; use :T?")
_DEFAULT = "gram has defaults only in its path form, gram_path; use :T?"
_DEEP = Reason("a type that nests deeper", "it would be too deep to be read back")


class GramWidener:
    """Widen types with shared definitions, and record the losses.

    #: inlined: the names whose types were written in their places
    #: cut: the depth beyond which a type is widened to one word, so that it can be read back
    """

    def __init__(self, names: Mapping[str, nodes.Type], losses: list[Loss], cut: int) -> None:
        self.names = names
        self.losses = losses
        self._cut = cut
        self._open: list[str] = []
        self.inlined: set[str] = set()
        self._inlined = 0
        self._heads: dict[str, nodes.Type] = {}
        self._texts: dict[str, bool] = {}
        self._level = 0
        self._sizes: dict[str, int] = {}

    def report_widened(self, at: Path, reason: Reason, became: str) -> None:
        """Record that the type at the path *at* was widened to *became*."""
        self.losses.append(Loss("widened", at, *reason, shorten(became)))

    def report_notes(self, t: nodes.Type, at: Path) -> None:
        """Record the descriptions and titles in *t* as omitted."""
        for part in iter_types(t):
            if isinstance(part, nodes.Annotation):
                self._report_note(part, at)

    def _report_note(self, t: nodes.Annotation, at: Path) -> None:
        """Record the description and title of the annotation *t* as omitted."""
        for what, text in (("description", t.text), ("title", t.title)):
            if text is not None:
                said = f"{what} {shorten(quote(text))}"
                self.losses.append(Loss("omitted", at, said, f"gram has no {what}s"))

    def widen(self, t: nodes.Type, at: Path, depth: int = 0) -> nodes.Type:
        """Return the nearest gram type to *t*, at path *at* and nesting level *depth*."""
        if depth > self._cut and t.depth > 1:
            return self._replace(t, at, _DEEP, self.head(t))
        match t:
            case nodes.Scalar(name):
                return self._widen_scalar(name, at)
            case nodes.List(item):
                return nodes.List(self.widen(item, (*at, "items"), depth + 1))
            case nodes.Record():
                reasons = [_CLOSED] if t.extra is None else [_EXTRA] if t.extra != nodes.ANY else []
                reasons += [_MATCHING] if t.matching else []
                for reason in reasons:
                    self.report_widened(at, reason, "an open record")
                for part in [m.type for m in t.matching] + ([] if t.extra is None else [t.extra]):
                    self.report_notes(part, at)
                return record(
                    [self.field(field, (*at, field.name), depth + 1) for field in t.fields]
                )
            case nodes.Maybe(inner):
                return make_maybe(self.widen(inner, at, depth + 1))
            case nodes.Annotation(inner):
                self._report_note(t, at)
                return self.widen(inner, at, depth + 1)
            case nodes.Refinement(inner):
                place = len(self.losses)
                wider = self.widen(inner, at, depth + 1)
                self.losses.insert(place, Loss("widened", at, *REFINED, _write_brief(wider)))
                return wider
            case nodes.Ref(name):
                return self._widen_named(name, at, depth)
            case nodes.Container() | nodes.Enum() | nodes.Combination() | nodes.Not():
                return self._replace(t, at, REASONS[type(t)], self._find_nearest(t, depth))
            case _:
                assert_never(t)

    def _replace(self, t: nodes.Type, at: Path, reason: Reason, wider: nodes.Type) -> nodes.Type:
        """Return the type *wider* and record the *reason* why it replaces type *t*."""
        self.report_widened(at, reason, _write_brief(wider))
        self.report_notes(t, at)
        return wider

    def _widen_scalar(self, name: ScalarName, at: Path) -> nodes.Type:
        """Return the gram type for the scalar *name*; record a loss if it is wider."""
        wider = _widen_scalar(name)
        if why := SPELLINGS[name].why:
            self.report_widened(at, Reason(f":{name}", why), _write_brief(wider))
        return wider

    def _find_nearest(self, t: Inexpressible, depth: int) -> nodes.Type:
        """Return the nearest wider type of *t*; losses within its parts are not reported."""
        kept, inlined, self.inlined = len(self.losses), self.inlined, set()

        def parts(members: tuple[nodes.Type, ...]) -> list[nodes.Type]:
            return [self.widen(member, (), depth + 1) for member in members]

        match t:
            case nodes.Tuple(items, rest):
                nearest: nodes.Type = nodes.List(
                    reduce(_join, parts(items if rest is None else (*items, rest)))
                )
            case nodes.Enum(values):
                # A null in each list of lists would double the depth.
                nearest = _find_type_of_values(values, depth + 2 * t.depth <= self._cut)
            case nodes.Union(members) | nodes.One(members):
                nearest = reduce(_join, parts(members))
            case nodes.Both(members):
                nearest = reduce(_intersect, parts(members))
            case nodes.Set() | nodes.MapOf() | nodes.Not() | nodes.ItemCount():
                nearest = self.head(t)
            case _:
                assert_never(t)
        del self.losses[kept:]
        self.inlined = inlined
        return nearest

    # records

    def field(self, field: nodes.Field, at: Path, depth: int) -> nodes.Field:
        """Return *field* widened: required, or both optional and nullable."""
        place = len(self.losses)
        t = self.widen(field.type, at, depth + 1)
        nullable = isinstance(t, nodes.Maybe)
        t = t if field.required else make_maybe(t)
        if reason := _get_presence_reason(field, nullable):
            self.losses.insert(place, Loss("widened", at, *reason, _write_brief(t)))
        return nodes.Field(field.name, t, field.required and not nullable, None, field.exact)

    # named types

    def _widen_named(self, name: str, at: Path, depth: int) -> nodes.Type:
        """Return the widened type of *name*, inlined unless recursive or too large."""
        t = self.names[name]
        if name not in self._sizes:
            self._sizes[name] = _measure_size(t)
        size = self._sizes[name]
        if (
            name in self._open
            or depth + t.depth > MAX_DEPTH - 3
            or self._inlined + size > MAX_INLINED
        ):
            wider = self.head(t)
            self.report_widened(at, NAMED, _write_brief(wider))
            return wider
        self._inlined += size
        self.inlined.add(name)
        self._open.append(name)
        place = len(self.losses)
        wider = self.widen(t, at, depth)
        self._open.pop()
        self.losses.insert(place, Loss("widened", at, *NAMED, _write_brief(wider)))
        return wider

    # one word for a type

    def head(self, t: nodes.Type) -> nodes.Type:
        """Return the nearest scalar or list of anything to *t*, perhaps nullable."""
        match t:
            case nodes.Scalar(name):
                return _widen_scalar(name)
            case nodes.List() | nodes.Tuple() | nodes.ItemCount():
                return nodes.List(nodes.ANY)
            case nodes.MapOf(key):
                return nodes.MAP if self._are_texts(key) else nodes.ANY
            case nodes.Record():
                return nodes.MAP
            case nodes.Maybe(inner):
                return make_maybe(self.head(inner))
            case nodes.Enum(values):
                return _find_type_of_values(values, False)
            case nodes.Union(members) | nodes.One(members):
                return reduce(_join, [self.head(member) for member in members])
            case nodes.Both(members):
                return reduce(_intersect, [self.head(member) for member in members])
            case nodes.Refinement(inner) | nodes.Annotation(inner):
                return self.head(inner)
            case nodes.Set() | nodes.Not():
                return nodes.ANY
            case nodes.Ref(name):
                return self._resolve(name, self.head, self._heads, nodes.ANY)
            case _:
                assert_never(t)

    def _resolve(
        self, name: str, step: Callable[[nodes.Type], R], known: dict[str, R], beyond: R
    ) -> R:
        """Apply *step* to the type of *name*; return *beyond* if nested too deep."""
        if name not in known:
            t = self.names[name]
            if self._level + t.depth > MAX_DEPTH:
                return beyond
            self._level += t.depth
            known[name] = step(t)
            self._level -= t.depth
        return known[name]

    def _are_texts(self, key: nodes.Type) -> bool:
        """Whether all keys of the type *key* are known to be texts, as in :map."""
        match key:
            case nodes.Scalar(name):
                return SCALARS[name].kinds == {"string"}
            case nodes.Enum(values):
                return all(value.kind == "string" for value in values)
            case nodes.Union(members) | nodes.One(members):
                return all(self._are_texts(member) for member in members)
            case nodes.Both(members):
                return any(self._are_texts(member) for member in members)
            case nodes.Refinement(inner) | nodes.Annotation(inner):
                return self._are_texts(inner)
            case nodes.Ref(name):
                return self._resolve(name, self._are_texts, self._texts, False)
            case nodes.Container() | nodes.Maybe() | nodes.Not():
                return False
            case _:
                assert_never(key)


def _get_presence_reason(field: nodes.Field, nullable: bool) -> Reason | None:
    """Return why gram cannot express whether *field* may be absent or null, or None."""
    if field.default is not None:
        return Reason(default_phrase(field.default), _DEFAULT)
    if field.required:
        return _NULLABLE if nullable else None
    return None if nullable else _ABSENT


def _widen_scalar(name: ScalarName) -> nodes.Type:
    """Return the gram type for the scalar *name*, or the nearest wider type."""
    row = SPELLINGS[name]
    return row.type if isinstance(row, WiderLabel) else nodes.Scalar(name)


#: The nearest type of the constants of each kind.
CONST_TYPES: dict[ConstKind, nodes.Type] = {
    "nil": nodes.ANY,
    "bool": nodes.BOOL,
    "int": nodes.INT,
    "float": nodes.FLOAT,
    "string": nodes.STRING,
    "keyword": nodes.ANY,
    "list": nodes.List(nodes.ANY),
    "map": nodes.MAP,
}


def _find_type_of_values(values: tuple[Const, ...], deep: bool) -> nodes.Type:
    """Return the nearest type that takes all of *values*; of lists, the items only if *deep*."""
    found = [_find_type_of_value(value, deep) for value in values if value.kind != "nil"]
    if not found:
        return nodes.ANY
    whole = reduce(_join, found)
    return make_maybe(whole) if len(found) < len(values) and whole != nodes.ANY else whole


def _find_type_of_value(value: Const, deep: bool) -> nodes.Type:
    """Return the gram type of the constant *value*, with its item type if *deep*."""
    if value.kind == "list" and deep and value.value:
        return nodes.List(_find_type_of_values(value.value, True))
    return CONST_TYPES[value.kind]


def _measure_size(t: nodes.Type) -> int:
    """Return an upper bound of the characters of *t* in gram, names not followed."""
    names = [
        f.name for part in iter_types(t) if isinstance(part, nodes.Record) for f in part.fields
    ]
    return sum(8 for _ in iter_types(t)) + sum(len(quote(name)) + 2 for name in names)


def default_phrase(value: Const) -> str:
    """Describe the default *value* for a loss: `the default 10`."""
    return f"the default {shorten(write_json(keywords_to_text(value)))}"


def _write_brief(t: nodes.Type) -> str:
    """Write the type *t* as gram text, shortened for the message of a loss."""
    return write_brief(t, _SHOWN)


def shorten(text: str) -> str:
    """Return *text*, shortened if it is long."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
