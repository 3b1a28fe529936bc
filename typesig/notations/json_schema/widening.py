"""What JSON Schema can express of a type, which is also what reading the schema back gives.

The writer only takes expressible types, so this module decides what becomes of everything that
JSON has no form of its own for: a keyword becomes a string, a datetime a string of its format, a
set a list of unique items; the keys of a map become strings, and names become exact.  A type that
is expressible stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import assert_never

from typesig.algebra import constructors as make
from typesig.algebra import nodes
from typesig.algebra.definitions import MisfitDefault
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.constraints import TEXTS, Constraint
from typesig.algebra.rows.frozen import FOREIGN
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const, Kind, keywords_to_text
from typesig.algebra.signature import Signature, with_fitting_defaults
from typesig.algebra.traversal import (
    get_children,
    get_placed_children,
    iter_same_value_types,
    rebuild,
)
from typesig.notations.json_schema.keywords import (
    JSON_KINDS,
    KINDS,
    NEVER,
    JsonKind,
    find_json_kinds,
    group_by_kind,
    list_keywords,
    make_limited_kinds,
    merge_limits,
    to_json_constraint,
)

Path = tuple[str, ...]

_DATE_TIME = make.make_refined(nodes.STRING, [Constraint("format", "date-time")])

#: What JSON Schema can express of each scalar: the scalar itself, or another type.
SCALARS: dict[ScalarName, nodes.Type] = {
    "string": nodes.STRING,
    "int": nodes.INT,
    "float": nodes.FLOAT,
    "bool": nodes.BOOL,
    "keyword": nodes.STRING,
    "any": nodes.ANY,
    "nil": nodes.NIL,
    "datetime": _DATE_TIME,
    "map": make.record([]),
}

#: A pattern of the texts that do not begin with a colon.
_NO_COLON = "^([^:]|$)"

_INT_KEY = "^[+-]?[0-9]+$"
_FLOAT_KEY = r"^[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$"


@cache
def make_key_types() -> dict[ScalarName, nodes.Type]:
    """Build the string types that represent map keys of each scalar in JSON.

    They are made when they are first needed, since two of them load what reads patterns.
    """
    return {
        "string": nodes.STRING,
        "int": make.make_refined(nodes.STRING, [Constraint("pattern", _INT_KEY)]),
        "float": make.make_refined(nodes.STRING, [Constraint("pattern", _FLOAT_KEY)]),
        "bool": make.make_enum(["true", "false"]),
        "keyword": nodes.STRING,
        "any": nodes.STRING,
        "nil": NEVER,
        "datetime": _DATE_TIME,
        "map": NEVER,
    }


# JSON's kinds whose values become strings where they are keys, so that constraints on the values
# do not apply to the keys.
_KINDS_WRITTEN_AS_TEXT: frozenset[JsonKind] = frozenset({"number", "boolean"})


def make_expressible_with_losses(signature: Signature) -> tuple[Signature, Losses]:
    """Return *signature* as its JSON Schema restores it, and the losses."""
    losses: list[Loss] = []
    rewriter = Widener(signature.names, losses)
    params = tuple([rewriter.rewrite_field(f, ("params", f.name)) for f in signature.params])
    returns = rewriter.rewrite(signature.returns, ("returns",))
    extra = signature.extra
    extra = None if extra is None else rewriter.rewrite(extra, ("params", "**"))
    names = {n: rewriter.rewrite(t, ("definitions", n)) for n, t in signature.names.items()}
    wholes = [f.type for f in params] + [returns] + ([] if extra is None else [extra])
    kept = find_used_names(names, wholes)
    kept_names = {n: t for n, t in names.items() if n in kept}
    # A keyword that fits its type may not fit as a string.
    found, unfit = with_fitting_defaults(params, returns, kept_names, extra)
    losses += _list_default_losses(unfit, ())
    if signature.io:
        found = Signature(found.params, found.returns, found.definitions, found.extra, True)
    return found, tuple(losses)


def make_expressible_types(
    t: nodes.Type,
    names: Mapping[str, nodes.Type],
    losses: list[Loss] | None = None,
    at: Path = ("returns",),
) -> tuple[nodes.Type, Mapping[str, nodes.Type]]:
    """Return *t* and *names* as types that JSON Schema can express.

    What is lost of *t*, which stands at *at*, and of *names* is added to *losses*.  Defaults that
    do not fit there are left out.
    """
    if not t.flags & FOREIGN and not names:
        return t, names
    losses = [] if losses is None else losses
    rewriter = Widener(names, losses)
    made = {name: rewriter.rewrite(each, ("definitions", name)) for name, each in names.items()}
    found = rewriter.rewrite(t, at)
    fitting, unfit = with_fitting_defaults((), found, made)
    if not unfit:
        return found, made
    losses += _list_default_losses(unfit, at)
    return fitting.returns, fitting.names


def _list_default_losses(unfit: Iterable[MisfitDefault], at: Path) -> Losses:
    """List the losses of the defaults that do not fit types as JSON has them, in a type at *at*."""
    return tuple(
        Loss("widened", (*at, field.name), "the default", why, "an optional field")
        for field, why in unfit
    )


class Widener:
    """Converter of types to types that JSON Schema can express; records the losses."""

    def __init__(self, names: Mapping[str, nodes.Type], losses: list[Loss]) -> None:
        self.names = names
        self.losses = losses

    def rewrite(self, t: nodes.Type, at: Path = ()) -> nodes.Type:
        """Return the expressible form of *t*, whose path is *at*."""
        match t:
            case nodes.Scalar(name):
                made = SCALARS[name]
                return t if made == t else made
            case nodes.Set(item):
                return make.make_refined(
                    nodes.List(self.rewrite(item, (*at, "items"))), [Constraint("unique", True)]
                )
            case nodes.MapOf(key, value):
                return _map(
                    self.rewrite_key(key, (*at, "keys")), self.rewrite(value, (*at, "values"))
                )
            case nodes.Record():
                return self.rewrite_record(t, at)
            case nodes.Enum(values):
                plain = [keywords_to_text(value) for value in values]
                same = all(new is old for new, old in zip(plain, values, strict=True))
                return t if same else nodes.Enum(tuple(dict.fromkeys(plain)))
            case nodes.Refinement(inner, constraints):
                found = self._express_constraints(constraints, at) + self._find_text_constraints(t)
                return add_constraints(self.rewrite(inner, at), found)
            case nodes.One(members):
                return self._rewrite_one(members, at)
            case nodes.Container() | nodes.Through() | nodes.Not():
                return rebuild(t, [self.rewrite(*part) for part in get_placed_children(t, at)])
            case _:
                assert_never(t)

    def _rewrite_one(self, members: tuple[nodes.Type, ...], at: Path) -> nodes.Type:
        """Rewrite an exclusive union of *members*.

        Where JSON writes values of two members alike, `oneOf` would refuse both.
        """
        t = nodes.One(members)
        made = [self.rewrite(*part) for part in get_placed_children(t, at)]
        shared = _count_shared_kinds(members)
        if shared == _count_shared_kinds(made):
            return rebuild(t, made)
        if shared:
            what, why = (
                "exactly one of several types",
                "JSON has one form for values of two of them",
            )
            self.losses.append(Loss("widened", at, what, why, "at least one of them"))
        return make.make_union(made)

    def _find_text_constraints(self, t: nodes.Refinement) -> tuple[Constraint, ...]:
        """Return the extra constraints on keyword texts that *t* needs.

        A keyword has no colon of its own: one before its text is dropped, and does not count.
        """
        parts = list(iter_same_value_types(t.inner, self.names))
        kinds = [make.find_kinds(part) for part in parts]
        takes_texts = any(some is None or "string" in some for some in kinds)
        limits_texts = any(constraint.row.kinds & TEXTS for constraint in t.constraints)
        if nodes.KEYWORD not in parts or takes_texts or not limits_texts:
            return ()
        return (Constraint("pattern", _NO_COLON),)

    def _express_constraints(
        self, constraints: tuple[Constraint, ...], at: Path
    ) -> tuple[Constraint, ...]:
        """Return the expressible *constraints*; record the others as losses."""
        found = []
        for constraint in constraints:
            made = to_json_constraint(constraint)
            if made is None:
                what, why = f"the constraint {constraint.name}", "JSON Schema has no such keyword"
                self.losses.append(Loss("widened", at, what, why, "any such value"))
            else:
                found.append(made)
        return tuple(found)

    def rewrite_field(self, field: nodes.Field, at: Path) -> nodes.Field:
        """Return the expressible form of *field*, at path *at*, with an exact name."""
        default = None if field.default is None else keywords_to_text(field.default)
        t = self.rewrite(field.type, at)
        exact = field.exact or not ("_" in field.name or "-" in field.name)
        if exact and t is field.type and default is field.default:
            return field
        return nodes.Field(field.name, t, field.required, default, True)

    def rewrite_record(self, t: nodes.Record, at: Path) -> nodes.Type:
        """Return the expressible form of the record *t*; without fields, a map."""
        fields = [self.rewrite_field(f, (*at, f.name)) for f in t.fields]
        matching = [
            nodes.PatternField(m.pattern, self.rewrite(m.type, (*at, f"/{m.pattern}/")))
            for m in t.matching
        ]
        extra = None if t.extra is None else self.rewrite(t.extra, (*at, "**"))
        same = extra is t.extra and not matching
        if same and fields and all(new is old for new, old in zip(fields, t.fields, strict=True)):
            return t
        if fields or matching or extra is None:
            return make.record(fields, extra, matching)
        return _map(nodes.STRING, extra)

    def rewrite_key(self, t: nodes.Type, at: Path) -> nodes.Type:
        """Return the string type that represents map keys of type *t* in JSON."""
        match t:
            case nodes.Scalar(name):
                return make_key_types()[name]
            case nodes.Container():
                return NEVER
            case nodes.Maybe(inner):
                return self.rewrite_key(inner, at)
            case nodes.Enum(values):
                texts = [text for value in values for text in _list_key_texts(value)]
                return make.make_enum(texts) if texts else NEVER
            case nodes.Combination() | nodes.Annotation():
                return rebuild(t, [self.rewrite_key(part, at) for part in get_children(t)])
            case nodes.Not(inner):
                without = self.rewrite_key(inner, at)
                if without == NEVER:
                    return nodes.STRING
                return (
                    NEVER
                    if without == nodes.STRING
                    else make.make_both([nodes.STRING, make.make_not(without)])
                )
            case nodes.Refinement(inner, constraints):
                return self._rewrite_refined_key(inner, constraints, at)
            case nodes.Ref(name):
                return self.rewrite_key(self.names[name], at)
            case _:
                assert_never(t)

    def _rewrite_refined_key(
        self, inner: nodes.Type, constraints: tuple[Constraint, ...], at: Path
    ) -> nodes.Type:
        """Return the string type for JSON keys of type *inner* with *constraints*."""
        made = self.rewrite_key(inner, at)
        kinds = [
            make.find_kinds(part) or frozenset()
            for part in iter_same_value_types(inner, self.names)
        ]
        json_kinds_of_keys = {JSON_KINDS[kind] for some in kinds for kind in some}
        if not json_kinds_of_keys & _KINDS_WRITTEN_AS_TEXT:
            if made == NEVER:
                return made
            return add_constraints(made, self._express_constraints(constraints, at), nodes.STRING)
        what = "constraints of keys that are not strings"
        self.losses.append(Loss("widened", at, what, "keys are strings in JSON", "any such key"))
        return made


def _count_shared_kinds(types: Iterable[nodes.Type]) -> dict[Kind | None, int]:
    """Count the types that may have values of each kind, for kinds of several of them.

    A type of any kind, or of an unknown one, counts for None.
    """
    counts: Counter[Kind | None] = Counter()
    for t in types:
        counts.update(make.find_kinds(t) or (None,))
    return {kind: count for kind, count in counts.items() if count > 1 or kind is None}


def _map(key: nodes.Type, value: nodes.Type) -> nodes.Type:
    """Build the map type of *key* and *value*; the plain map becomes an open record."""
    made = make.map_of(key, value)
    return make.record([]) if made == nodes.MAP else made


def _list_key_texts(value: Const) -> list[str]:
    """List the JSON keys for the constant *value*; none if it cannot be a key."""
    match value.kind:
        case "string" | "keyword":
            return [str.__str__(value.value)]
        case "bool":
            return ["true" if value.value else "false"]
        case "int" | "float":
            return [repr(value.value)]
        case "nil" | "list" | "map":
            return []
        case _:
            assert_never(value.kind)


def add_constraints(
    inner: nodes.Type, constraints: tuple[Constraint, ...], whole: nodes.Type = nodes.ANY
) -> nodes.Type:
    """Add *constraints* to *inner*, or beside it if its schema cannot hold them.

    A schema has each keyword once, and its sizes are whole numbers.  A constraint that does not
    fit into the refinement of *inner* for these reasons stands beside it, on *whole*, the type of
    everything that is possible in this place.
    """
    if isinstance(inner, nodes.Annotation):
        # A schema has its description beside its keywords.
        return make.make_noted(
            add_constraints(inner.inner, constraints, whole), inner.text, inner.title
        )
    if isinstance(inner, nodes.Refinement):
        return add_constraints(inner.inner, inner.constraints + constraints, whole)
    kinds = find_json_kinds(inner)
    first: list[Constraint] = []
    others: list[Constraint] = []
    used_words: set[str] = set()
    for constraint in constraints:
        words = list_keywords(constraint)
        (first if used_words.isdisjoint(words) else others).append(constraint)
        used_words.update(words)
    limits = group_by_kind(first, kinds)
    together = merge_limits({kind: found for kind, found in limits.items() if found}, kinds)
    if together is None:
        made = make.make_both([make_limited_kinds(group_by_kind(first, KINDS)), inner])
    else:
        made = make.make_refined(inner, together)
    return (
        make.make_both([made, *[add_constraints(whole, (c,)) for c in others]]) if others else made
    )
