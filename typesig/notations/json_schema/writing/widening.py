"""What JSON Schema can express of a type, which is also what reading the schema back gives.

The writer only takes expressible types, so this module decides what becomes of everything that
JSON has no form of its own for: a keyword becomes a string, a datetime a string of its format, a
set a list of unique items; the keys of a map become strings, and names become exact.  A type that
is expressible stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from typesig.algebra import constructors as make
from typesig.algebra import nodes
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.rows.constraints import TEXTS, Constraint
from typesig.algebra.rows.frozen import FOREIGN
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const, without_keywords
from typesig.algebra.signature import Signature, with_fitting_defaults
from typesig.algebra.traversal import children, level, placed, rebuild
from typesig.algebra.views.redaction import used
from typesig.notations.json_schema.keywords.constraints import (
    all_keywords,
    constraints_by_kind,
    expressed,
    limited_kinds,
    one_refinement,
)
from typesig.notations.json_schema.keywords.kinds import (
    JSON_KINDS,
    KINDS,
    NEVER,
    JsonKind,
    json_kinds,
)

Path = tuple[str, ...]

_DATE_TIME = make.refined(nodes.STRING, [Constraint("format", "date-time")])

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
def keys() -> dict[ScalarName, nodes.Type]:
    """Return the strings that stand for a key of each scalar: the keys of JSON objects are strings.

    They are made when they are first needed, since two of them load what reads patterns.
    """
    return {
        "string": nodes.STRING,
        "int": make.refined(nodes.STRING, [Constraint("pattern", _INT_KEY)]),
        "float": make.refined(nodes.STRING, [Constraint("pattern", _FLOAT_KEY)]),
        "bool": make.enum(["true", "false"]),
        "keyword": nodes.STRING,
        "any": nodes.STRING,
        "nil": NEVER,
        "datetime": _DATE_TIME,
        "map": NEVER,
    }


# JSON's kinds whose values become strings where they are keys, so that constraints on the values
# do not apply to the keys.
_KINDS_WRITTEN_AS_TEXT: frozenset[JsonKind] = frozenset({"number", "boolean"})


def expressible_with_losses(signature: Signature) -> tuple[Signature, Losses]:
    """Return what reading *signature* back from its JSON Schema gives, and what is lost."""
    losses: list[Loss] = []
    rewriter = Widener(signature.names, losses)
    params = tuple([rewriter.rewrite_field(f, ("params", f.name)) for f in signature.params])
    returns = rewriter.rewrite(signature.returns, ("returns",))
    extra = signature.extra
    extra = None if extra is None else rewriter.rewrite(extra, ("params", "**"))
    names = {n: rewriter.rewrite(t, ("definitions", n)) for n, t in signature.names.items()}
    wholes = [f.type for f in params] + [returns] + ([] if extra is None else [extra])
    kept = used(names, wholes)
    kept_names = {n: t for n, t in names.items() if n in kept}
    # A keyword that fits its type may not fit as a string.
    found, unfit = with_fitting_defaults(params, returns, kept_names, extra)
    for field, why in unfit:
        losses.append(Loss("widened", (field.name,), "the default", why, "an optional field"))
    if signature.io:
        found = Signature(found.params, found.returns, found.definitions, found.extra, True)
    return found, tuple(losses)


def expressible_types(
    t: nodes.Type,
    names: Mapping[str, nodes.Type],
    losses: list[Loss] | None = None,
    at: Path = ("returns",),
) -> tuple[nodes.Type, Mapping[str, nodes.Type]]:
    """Return what the writer needs of *t* and *names*: names of fields may stay inexact.

    What is lost of *t*, which stands at *at*, and of *names* is added to *losses*.
    """
    if not t.flags & FOREIGN and not names:
        return t, names
    rewriter = Widener(names, [] if losses is None else losses)
    made = {name: rewriter.rewrite(each, ("definitions", name)) for name, each in names.items()}
    return rewriter.rewrite(t, at), made


class Widener:
    """Rewrites types that share definitions to expressible types, and records the losses."""

    def __init__(self, names: Mapping[str, nodes.Type], losses: list[Loss]) -> None:
        self.names = names
        self.losses = losses

    def rewrite(self, t: nodes.Type, at: Path = ()) -> nodes.Type:
        """Return what can be expressed of *t*, whose place is *at*."""
        match t:
            case nodes.Scalar(name):
                made = SCALARS[name]
                return t if made == t else made
            case nodes.Set(item):
                return make.refined(
                    nodes.List(self.rewrite(item, (*at, "items"))), [Constraint("unique", True)]
                )
            case nodes.MapOf(key, value):
                return _map(
                    self.rewrite_key(key, (*at, "keys")), self.rewrite(value, (*at, "values"))
                )
            case nodes.Record():
                return self.rewrite_record(t, at)
            case nodes.Enum(values):
                plain = [without_keywords(value) for value in values]
                same = all(new is old for new, old in zip(plain, values, strict=True))
                return t if same else nodes.Enum(tuple(dict.fromkeys(plain)))
            case nodes.Refined(inner, constraints):
                found = self._expressed(constraints, at) + self._of_keywords(t)
                return constrained(self.rewrite(inner, at), found)
            case nodes.Container() | nodes.Through() | nodes.Not():
                return rebuild(t, [self.rewrite(*part) for part in placed(t, at)])
            case _:
                assert_never(t)

    def _of_keywords(self, t: nodes.Refined) -> tuple[Constraint, ...]:
        """Return what else is asked of text that stands for a keyword that *t* constrains.

        A keyword has no colon of its own: one before its text is dropped, and does not count.
        """
        parts = list(level(t.inner, self.names))
        kinds = [make.kinds_of(part) for part in parts]
        takes_texts = any(some is None or "string" in some for some in kinds)
        limits_texts = any(constraint.row.kinds & TEXTS for constraint in t.constraints)
        if nodes.KEYWORD not in parts or takes_texts or not limits_texts:
            return ()
        return (Constraint("pattern", _NO_COLON),)

    def _expressed(self, constraints: tuple[Constraint, ...], at: Path) -> tuple[Constraint, ...]:
        """Return *constraints* as JSON Schema has them, and record the loss of the others."""
        found = []
        for constraint in constraints:
            made = expressed(constraint)
            if made is None:
                what, why = f"the constraint {constraint.name}", "JSON Schema has no such keyword"
                self.losses.append(Loss("widened", at, what, why, "any such value"))
            else:
                found.append(made)
        return tuple(found)

    def rewrite_field(self, field: nodes.Field, at: Path) -> nodes.Field:
        """Return what can be expressed of *field*; its name becomes exact."""
        default = None if field.default is None else without_keywords(field.default)
        t = self.rewrite(field.type, at)
        exact = field.exact or not ("_" in field.name or "-" in field.name)
        if exact and t is field.type and default is field.default:
            return field
        return nodes.Field(field.name, t, field.required, default, True)

    def rewrite_record(self, t: nodes.Record, at: Path) -> nodes.Type:
        """Return what can be expressed of the record *t*; without fields, it becomes a map."""
        fields = [self.rewrite_field(f, (*at, f.name)) for f in t.fields]
        matching = [
            nodes.Matching(m.pattern, self.rewrite(m.type, (*at, f"/{m.pattern}/")))
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
        """Return the type of the strings that stand in JSON for keys of type *t*."""
        match t:
            case nodes.Scalar(name):
                return keys()[name]
            case nodes.Container():
                return NEVER
            case nodes.Maybe(inner):
                return self.rewrite_key(inner, at)
            case nodes.Enum(values):
                texts = [text for value in values for text in _key_texts(value)]
                return make.enum(texts) if texts else NEVER
            case nodes.Joined() | nodes.Noted():
                return rebuild(t, [self.rewrite_key(part, at) for part in children(t)])
            case nodes.Not(inner):
                without = self.rewrite_key(inner, at)
                if without == NEVER:
                    return nodes.STRING
                return (
                    NEVER
                    if without == nodes.STRING
                    else make.both([nodes.STRING, make.negated(without)])
                )
            case nodes.Refined(inner, constraints):
                return self._refined_key(inner, constraints, at)
            case nodes.Ref(name):
                return self.rewrite_key(self.names[name], at)
            case _:
                assert_never(t)

    def _refined_key(
        self, inner: nodes.Type, constraints: tuple[Constraint, ...], at: Path
    ) -> nodes.Type:
        made = self.rewrite_key(inner, at)
        kinds = [make.kinds_of(part) or frozenset() for part in level(inner, self.names)]
        json_kinds_of_keys = {JSON_KINDS[kind] for some in kinds for kind in some}
        if not json_kinds_of_keys & _KINDS_WRITTEN_AS_TEXT:
            if made == NEVER:
                return made
            return constrained(made, self._expressed(constraints, at), nodes.STRING)
        what = "constraints of keys that are not strings"
        self.losses.append(Loss("widened", at, what, "keys are strings in JSON", "any such key"))
        return made


def _map(key: nodes.Type, value: nodes.Type) -> nodes.Type:
    made = make.map_of(key, value)
    return make.record([]) if made == nodes.MAP else made


def _key_texts(value: Const) -> list[str]:
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


def constrained(
    inner: nodes.Type, constraints: tuple[Constraint, ...], whole: nodes.Type = nodes.ANY
) -> nodes.Type:
    """Return *inner* with *constraints*, both expressible.

    A schema has each keyword once, and its sizes are whole numbers.  A constraint that does not
    fit into the refinement of *inner* for these reasons stands beside it, on *whole*, the type of
    everything that is possible in this place.
    """
    if isinstance(inner, nodes.Noted):
        # A schema has its description beside its keywords.
        return make.noted(constrained(inner.inner, constraints, whole), inner.text, inner.title)
    if isinstance(inner, nodes.Refined):
        return constrained(inner.inner, inner.constraints + constraints, whole)
    kinds = json_kinds(inner)
    first: list[Constraint] = []
    others: list[Constraint] = []
    used_words: set[str] = set()
    for constraint in constraints:
        words = all_keywords(constraint)
        (first if used_words.isdisjoint(words) else others).append(constraint)
        used_words.update(words)
    limits = constraints_by_kind(first, kinds)
    together = one_refinement({kind: found for kind, found in limits.items() if found}, kinds)
    if together is None:
        made = make.both([limited_kinds(constraints_by_kind(first, KINDS)), inner])
    else:
        made = make.refined(inner, together)
    return make.both([made, *[constrained(whole, (c,)) for c in others]]) if others else made
