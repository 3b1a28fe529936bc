"""The differences between two signatures, as data with a sentence for each.

To add a difference, add its code and sentence to `SENTENCES` and report it in `_Comparison`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import substitute
from typesig.limits import MAX_PART_STEPS
from typesig.notations import parse
from typesig.notations.shorthand.writer import write_field, write_type
from typesig.notations.texts.literals import write_constraints, write_literal
from typesig.notations.texts.quoting import quote
from typesig.relations.proofs.subtyping import Relations, join_definitions

#: The place of a part: names of fields, and the steps that `Difference` lists.
Path: TypeAlias = tuple[str, ...]

#: The sentence of each code; `old` and `new` are texts of the part before and after.
SENTENCES: dict[str, str] = {
    "added": "was added: {new}",
    "removed": "was removed: {old}",
    "required": "is required now",
    "optional": "is optional now",
    "default": "the default changed from {old} to {new}",
    "default added": "the default {new} was added",
    "default removed": "the default {old} was dropped",
    "exact": "the name must match exactly now",
    "folded": "the name no longer has to match exactly",
    "order": "the order changed from {old} to {new}",
    "nil added": "is nullable now",
    "nil removed": "is no longer nullable",
    "narrowed": "was narrowed from {old} to {new}",
    "widened": "was widened from {old} to {new}",
    "changed": "changed from {old} to {new}",
    "rewritten": "was rewritten from {old} to {new}, which means the same",
    "values added": "also accepts {new} now",
    "values removed": "no longer accepts {old}",
    "limited": "is limited to {new} now",
    "unlimited": "is no longer limited to {old}",
    "tightened": "the limit was tightened from {old} to {new}",
    "loosened": "the limit was loosened from {old} to {new}",
    "relimited": "the limit changed from {old} to {new}",
    "closed": "accepts no other names now",
    "opened": "accepts other names now: {new}",
    "description added": "the description was added: {new}",
    "description removed": "the description was removed: {old}",
    "description": "the description changed from {old} to {new}",
    "title added": "the title {new} was added",
    "title removed": "the title {old} was removed",
    "title": "the title changed from {old} to {new}",
}


class Difference(NamedTuple):
    """One difference between two signatures.

    #: path: the place: `params` and a name, `returns`, or `where` and a name, followed by names of
    #:     fields, `[]` for items, positions by number, `key` and `value` of a map, `**` for the
    #:     values of undeclared names or further items, `/pattern/`, and `|1` for the first member
    #: code: a key of `SENTENCES`
    #: old, new: the part before and after, as text; empty if the sentence has no place for it

    >>> print(Difference(("params", "q"), "required"))
    params.q: is required now
    """

    path: Path
    code: str
    old: str = ""
    new: str = ""

    def __str__(self) -> str:
        """Return the path and the sentence."""
        sentence = SENTENCES[self.code].format(old=self.old, new=self.new)
        return f"{format_place(self.path)}: {sentence}"


def format_place(path: Path) -> str:
    """Write *path* as text on one line; names that contain separators are quoted.

    >>> format_place(("params", "a.b", "[]"))
    'params."a.b".[]'
    """
    plain = (name and name.isprintable() and not set(name) & set(' ".:') for name in path)
    return ".".join([name if p else quote(name) for name, p in zip(path, plain, strict=True)])


def difference(a: object, b: object) -> tuple[Difference, ...]:
    """Return how *b* differs from *a*; the tuple is empty if and only if they are equal.

    *a* and *b* are anything that `parse` takes.  Types are compared as they are written, so two
    spellings of one meaning differ.  Gram's mark of an effect is not compared.

    >>> old, new = "(q :string, n :int = 1) -> :any", "(q :string[1..], n :int = 2) -> :any"
    >>> print(*difference(old, new), sep="; ")
    params.q: was narrowed from :string to :string[1..]; params.n: the default changed from 1 to 2
    """
    one, other = parse(a), parse(b)
    return tuple(_Comparison(one, other).compare_signatures(one, other))


#: What has names: fields, or types.
N = TypeVar("N", nodes.Field, nodes.Type)


class _Comparison:
    """Comparison of two signatures, with the differences found so far."""

    def __init__(self, old: Signature, new: Signature) -> None:
        self._signatures = old, new
        self._relations: Relations | None = None
        self._renamed: dict[str, nodes.Type] = {}
        self.found: list[Difference] = []

    def add(self, path: Path, code: str, old: str = "", new: str = "") -> None:
        """Record a difference at *path* with its *code* and the *old* and *new* text."""
        self.found.append(Difference(path, code, old, new))

    def compare_signatures(self, a: Signature, b: Signature) -> list[Difference]:
        """Compare the signatures *a* and *b* and return the differences found."""
        self.fields(("params",), a.params, b.params)
        self.compare_extra(("params",), a.extra, b.extra)
        self.compare_types(("returns",), a.returns, b.returns)
        self.compare_named(("where",), a.names, b.names, write_type, self.compare_types)
        return self.found

    def compare_named(
        self,
        path: Path,
        a: Mapping[str, N],
        b: Mapping[str, N],
        text: Callable[[N], str],
        compare: Callable[[Path, N, N], None],
    ) -> None:
        """Compare entries of equal names; report names that only *a* or *b* has."""
        for name, old in a.items():
            if name not in b:
                self.add((*path, name), "removed", text(old))
        for name, new in b.items():
            if name in a:
                compare((*path, name), a[name], new)
            else:
                self.add((*path, name), "added", new=text(new))

    def fields(self, path: Path, a: Sequence[nodes.Field], b: Sequence[nodes.Field]) -> None:
        """Compare fields or parameters by their names."""
        old, new = {f.name: f for f in a}, {f.name: f for f in b}
        self.compare_named(path, old, new, write_field, self.field)
        self.order(path, old, new)

    def order(self, path: Path, a: Collection[str], b: Collection[str]) -> None:
        """Report if the texts common to *a* and *b* have another order."""
        both = set(a) & set(b)
        old, new = [text for text in a if text in both], [text for text in b if text in both]
        if old != new:
            self.add(path, "order", ", ".join(old), ", ".join(new))

    def field(self, path: Path, a: nodes.Field, b: nodes.Field) -> None:
        """Compare two fields of the same name: need, exactness, default and type."""
        if a.required != b.required:
            self.add(path, "required" if b.required else "optional")
        if a.exact != b.exact:
            self.add(path, "exact" if b.exact else "folded")
        old, new = (None if f.default is None else write_literal(f.default) for f in (a, b))
        self.compare_texts(path, "default", old, new)
        self.compare_types(path, a.type, b.type)

    def compare_texts(self, path: Path, what: str, a: str | None, b: str | None) -> None:
        """Report an optional text as added, removed or changed from *a* to *b*."""
        if a == b:
            return
        code = f"{what} added" if a is None else f"{what} removed" if b is None else what
        self.add(path, code, a or "", b or "")

    def compare_extra(self, path: Path, a: nodes.Type | None, b: nodes.Type | None) -> None:
        """Compare the types for undeclared fields; None refuses such fields."""
        if a == b:
            return
        if a is None:
            self.add(path, "opened", new=write_type(b or nodes.ANY))
        elif b is None:
            self.add(path, "closed")
        else:
            self.compare_types((*path, "**"), a, b)

    def compare_types(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Compare two types, part by part while their shapes agree."""
        if a == b:
            return
        count = len(self.found)
        self.notes(path, a, b)
        if strip_annotations(a) != strip_annotations(b):
            self.compare_shapes(path, strip_annotations(a), strip_annotations(b))
        elif len(self.found) == count:
            # The notes are the same but nested in another way.
            self.add(path, "rewritten", write_type(a), write_type(b))

    def compare_shapes(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Compare two unequal types without descriptions and titles."""
        is_nullable = isinstance(b, nodes.Maybe)
        if is_nullable is not isinstance(a, nodes.Maybe) and strip_nil(a) == strip_nil(b):
            self.add(path, "nil added" if is_nullable else "nil removed")
            return
        count = len(self.found)
        compare = COMPARISONS[type(a)]
        if compare is not None and type(a) is type(b):
            compare(self, path, a, b)
        if len(self.found) == count:
            self.report_change(path, a, b)

    def notes(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Compare the descriptions and titles around two types."""
        old, new = _get_annotations(a), _get_annotations(b)
        for what, at in (("description", 0), ("title", 1)):
            self.compare_texts(path, what, old[at], new[at])

    def report_change(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Report that type *a* became *b*, as widened, narrowed, rewritten or changed."""
        if self._relations is None:
            definitions, self._renamed = join_definitions(*self._signatures)
            self._relations = Relations(definitions)
        other = substitute(b, self._renamed)
        with self._relations.work.limit_steps(MAX_PART_STEPS):
            wider = self._relations.is_subtype(a, other)
        with self._relations.work.limit_steps(MAX_PART_STEPS):
            narrower = self._relations.is_subtype(other, a)
        code = "rewritten" if wider and narrower else "widened" if wider else "changed"
        self.add(path, "narrowed" if narrower and not wider else code, write_type(a), write_type(b))

    def compare_enums(self, path: Path, one: nodes.Enum, other: nodes.Enum) -> None:
        """Report removed, added and reordered values of two enums."""
        a, b = ([write_literal(value) for value in t.values] for t in (one, other))
        gone, come = [v for v in a if v not in {*b}], [v for v in b if v not in {*a}]
        if gone:
            self.add(path, "values removed", " ".join(gone))
        if come:
            self.add(path, "values added", new=" ".join(come))
        self.order(path, a, b)

    def compare_members(self, path: Path, one: nodes.Combination, other: nodes.Combination) -> None:
        """Compare the members of unions, intersections and the like; shared members are skipped."""
        a, b = one.members, other.members
        olds, news = set(a), set(b)
        gone, come = [t for t in a if t not in news], [t for t in b if t not in olds]
        if len(gone) == len(come):
            places = {t: place for place, t in enumerate(a, 1)}
            for old, new in zip(gone, come, strict=True):
                self.compare_types((*path, f"|{places[old]}"), old, new)
        else:
            for t in gone:
                self.add(path, "removed", write_type(t))
            for t in come:
                self.add(path, "added", new=write_type(t))
        kept = [write_type(t) for t in a if t in news], [write_type(t) for t in b if t in olds]
        self.order(path, *kept)

    def compare_limits(self, path: Path, one: nodes.Refinement, other: nodes.Refinement) -> None:
        """Compare the constraints of one name, of types that are equal apart from constraints."""
        if one.inner != other.inner:
            return
        a, b = one.constraints, other.constraints
        gone, come = [c for c in a if c not in b], [c for c in b if c not in a]
        for constraint in gone:
            new = next((c for c in come if c.name == constraint.name), None)
            old = write_constraints([constraint])
            if new is None:
                self.add(path, "unlimited", old)
            else:
                come.remove(new)
                self.add(path, _describe_move(constraint, new), old, write_constraints([new]))
        for constraint in come:
            self.add(path, "limited", new=write_constraints([constraint]))


def strip_nil(t: nodes.Type) -> nodes.Type:
    """Unwrap the nullable type *t*; other types are returned unchanged."""
    return t.inner if isinstance(t, nodes.Maybe) else t


def _get_annotations(t: nodes.Type) -> tuple[str | None, str | None]:
    """Read the quoted descriptions and titles around *t*; None if it has none."""
    texts: list[str] = []
    titles: list[str] = []
    while isinstance(t, nodes.Annotation):
        texts += [t.text] if t.text is not None else []
        titles += [t.title] if t.title is not None else []
        t = t.inner
    return " ".join(map(quote, texts)) or None, " ".join(map(quote, titles)) or None


def _describe_move(old: Constraint, new: Constraint) -> str:
    """Name the change of a constraint: tightened, loosened or relimited."""
    tightest = new.row.tightest
    if tightest is None:
        return "relimited"
    a, b = old.argument.value, new.argument.value
    if a == b:
        # An int and a float of the same value.
        return "relimited"
    return "tightened" if tightest(a, b) == b else "loosened"


class Comparer(Protocol):
    """Protocol of the comparison that helpers for lists, sets and maps call back."""

    def compare_types(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Compare two types."""
        ...


def _compare_item(found: Comparer, path: Path, a: Any, b: Any) -> None:
    """Compare the item types of two lists or sets at *path*."""
    found.compare_types((*path, "[]"), a.item, b.item)


def _compare_tuple(found: _Comparison, path: Path, a: nodes.Tuple, b: nodes.Tuple) -> None:
    """Compare two tuples item by item, if their lengths agree."""
    if len(a.items) == len(b.items) and (a.rest is None) == (b.rest is None):
        for place, (old, new) in enumerate(zip(a.items, b.items, strict=True)):
            found.compare_types((*path, f"{place}"), old, new)
        if a.rest is not None and b.rest is not None:
            found.compare_types((*path, "**"), a.rest, b.rest)


def _map(found: Comparer, path: Path, a: nodes.MapOf, b: nodes.MapOf) -> None:
    """Compare the key types and the value types of two map types at *path*."""
    found.compare_types((*path, "key"), a.key, b.key)
    found.compare_types((*path, "value"), a.value, b.value)


def _record(found: _Comparison, path: Path, a: nodes.Record, b: nodes.Record) -> None:
    """Compare the fields, key patterns and extra types of two records at *path*."""
    found.fields(path, a.fields, b.fields)
    old = {f"/{m.pattern}/": m.type for m in a.matching}
    new = {f"/{m.pattern}/": m.type for m in b.matching}
    found.compare_named(path, old, new, write_type, found.compare_types)
    found.order(path, old, new)
    found.compare_extra(path, a.extra, b.extra)


#: How two lists, sets or maps are compared, whatever is asked of them: by their parts.
BY_PARTS: dict[type, Callable[[Comparer, Path, Any, Any], None]] = {
    nodes.List: _compare_item,
    nodes.Set: _compare_item,
    nodes.MapOf: _map,
}

Comparison: TypeAlias = Callable[[_Comparison, Path, Any, Any], None]

#: How two types of one shape are compared; those of a shape with None are compared as a whole.
COMPARISONS: dict[type, Comparison | None] = {
    **BY_PARTS,
    nodes.Scalar: None,
    nodes.Tuple: _compare_tuple,
    nodes.Record: _record,
    nodes.Maybe: lambda found, path, a, b: found.compare_types(path, a.inner, b.inner),
    nodes.Enum: _Comparison.compare_enums,
    nodes.Union: _Comparison.compare_members,
    nodes.One: _Comparison.compare_members,
    nodes.Both: _Comparison.compare_members,
    nodes.Not: None,
    nodes.ItemCount: None,
    nodes.Refinement: _Comparison.compare_limits,
    nodes.Annotation: None,
    nodes.Ref: None,
}
