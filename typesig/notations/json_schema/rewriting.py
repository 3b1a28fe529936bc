"""The image of a type: what JSON Schema can say of it, which is what reading back gives.

The writer writes images alone, so all that JSON has no form of its own for is decided here: a
keyword is text, a datetime is text of its format, a set is a list of unique items, the keys of a
map are text, names are exact.  The image of an image is itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import (
    both,
    enum,
    kinds_of,
    map_of,
    maybe,
    negated,
    noted,
    one,
    record,
    refined,
    union,
)
from typesig.algebra.frozen import FOREIGN
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import (
    ANY,
    DATETIME,
    KEYWORD,
    MAP,
    STRING,
    Both,
    Enum,
    Field,
    List,
    MapOf,
    Matching,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.redaction import used
from typesig.algebra.signature import Definition, Signature
from typesig.algebra.traversal import level
from typesig.algebra.values import Const, without_keywords
from typesig.notations.json_schema.formats import BY_PATTERN
from typesig.notations.json_schema.kinds import (
    KINDS,
    by_kind,
    by_kinds,
    json_kinds,
    keyword,
    shared,
)

Path = tuple[str, ...]

NEVER = Not(ANY)

_INT_KEY = refined(STRING, [Constraint("pattern", "^[+-]?[0-9]+$")])
_FLOAT_KEY = refined(
    STRING,
    [Constraint("pattern", r"^[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$")],
)

#: What a key of each scalar is in JSON, whose keys are text.
KEYS: dict[str, Type] = {
    "string": STRING,
    "int": _INT_KEY,
    "float": _FLOAT_KEY,
    "bool": enum(["true", "false"]),
    "keyword": STRING,
    "any": STRING,
    "nil": NEVER,
    "datetime": refined(STRING, [Constraint("format", "date-time")]),
    "map": NEVER,
}


def expressible_with_losses(signature: Signature) -> tuple[Signature, Losses]:
    """Return what reading *signature* back from its JSON Schema gives, and what is lost."""
    losses: list[Loss] = []
    made = Rewriter(signature.names, losses)
    params = tuple([made.field(f, ("params", f.name)) for f in signature.params])
    returns = made.of(signature.returns, ("returns",))
    extra = signature.extra
    extra = None if extra is None else made.of(extra, ("params", "**"))
    names = {n: made.of(t, ("definitions", n)) for n, t in signature.names.items()}
    wholes = [f.type for f in params] + [returns] + ([] if extra is None else [extra])
    kept = used(names, wholes)
    kept_names = [Definition(n, t) for n, t in names.items() if n in kept]
    return Signature(params, returns, kept_names, extra, signature.io), tuple(losses)


def rewritten(t: Type, names: Mapping[str, Type]) -> tuple[Type, Mapping[str, Type]]:
    """Return the images of *t* and of *names* as the writer needs them: names need not be exact."""
    if not t.flags & FOREIGN and not names:
        return t, names
    made = Rewriter(names, [])
    return made.of(t), {name: made.of(whole) for name, whole in names.items()}


class Rewriter:
    """Makes images of types that share definitions, and keeps what was lost."""

    def __init__(self, names: Mapping[str, Type], losses: list[Loss]) -> None:
        self.names = names
        self.losses = losses

    def of(self, t: Type, at: Path = ()) -> Type:
        """Return the image of *t*, which stands at *at*."""
        match t:
            case Scalar():
                return _SCALARS.get(t, t)
            case List(item):
                made = self.of(item, (*at, "items"))
                return t if made is item else List(made)
            case Set(item):
                return refined(List(self.of(item, (*at, "items"))), [Constraint("unique", True)])
            case Tuple(items, rest):
                behind = None if rest is None else self.of(rest, (*at, "items"))
                each = [self.of(item, (*at, str(n))) for n, item in enumerate(items)]
                return Tuple(tuple(each), behind)
            case MapOf(key, value):
                return _map(self.key(key, (*at, "keys")), self.of(value, (*at, "values")))
            case Record():
                return self.record(t, at)
            case Maybe(inner):
                made = self.of(inner, at)
                return t if made is inner else maybe(made)
            case Enum(values):
                plain = [without_keywords(value) for value in values]
                same = all(new is old for new, old in zip(plain, values, strict=True))
                return t if same else Enum(tuple(dict.fromkeys(plain)))
            case Union(members):
                return union(self._each(members, at))
            case One(members):
                return one(self._each(members, at))
            case Both(members):
                return both(self._each(members, at))
            case Not(inner):
                return negated(self.of(inner, (*at, "not")))
            case Refined(inner, constraints):
                return limited(self.of(inner, at), constraints)
            case Noted(inner, text, title):
                made = self.of(inner, at)
                return t if made is inner else noted(made, text, title)
            case Ref():
                return t
            case _:
                assert_never(t)

    def _each(self, members: tuple[Type, ...], at: Path) -> list[Type]:
        return [self.of(member, (*at, str(place))) for place, member in enumerate(members)]

    def field(self, field: Field, at: Path) -> Field:
        """Return the image of *field*, its name exact."""
        default = None if field.default is None else without_keywords(field.default)
        t = self.of(field.type, at)
        exact = field.exact or not ("_" in field.name or "-" in field.name)
        if exact and t is field.type and default is field.default:
            return field
        return Field(field.name, t, field.required, default, True)

    def record(self, t: Record, at: Path) -> Type:
        """Return the image of a record; one without fields is a map of what it holds."""
        fields = [self.field(f, (*at, f.name)) for f in t.fields]
        matching = [
            Matching(m.pattern, self.of(m.type, (*at, f"/{m.pattern}/"))) for m in t.matching
        ]
        extra = None if t.extra is None else self.of(t.extra, (*at, "**"))
        same = extra is t.extra and not matching
        if same and fields and all(new is old for new, old in zip(fields, t.fields, strict=True)):
            return t
        if fields or matching or extra is None:
            return record(fields, extra, matching)
        return _map(STRING, extra)

    def key(self, t: Type, at: Path) -> Type:
        """Return the type of the texts that stand in JSON for keys of *t*."""
        match t:
            case Scalar(name):
                return KEYS[name]
            case List() | Set() | Tuple() | MapOf() | Record():
                return NEVER
            case Maybe(inner):
                return self.key(inner, at)
            case Enum(values):
                texts = [text for value in values for text in _key_texts(value)]
                return enum(texts) if texts else NEVER
            case Union(members):
                return union([self.key(member, at) for member in members])
            case One(members):
                return one([self.key(member, at) for member in members])
            case Both(members):
                return both([self.key(member, at) for member in members])
            case Not(inner):
                without = self.key(inner, at)
                if without == NEVER:
                    return STRING
                return NEVER if without == STRING else both([STRING, negated(without)])
            case Refined(inner, constraints):
                return self._refined_key(inner, constraints, at)
            case Noted(inner, text, title):
                return noted(self.key(inner, at), text, title)
            case Ref(name):
                return self.key(self.names[name], at)
            case _:
                assert_never(t)

    def _refined_key(self, inner: Type, constraints: tuple[Constraint, ...], at: Path) -> Type:
        made = self.key(inner, at)
        kinds = [kinds_of(part) or frozenset() for part in level(inner, self.names)]
        if not any(some & {"int", "float", "bool"} for some in kinds):
            return made if made == NEVER else limited(made, constraints, STRING)
        what = "constraints of keys that are no text"
        self.losses.append(Loss("widened", at, what, "keys are text in JSON", "any such key"))
        return made


_SCALARS: dict[Type, Type] = {
    KEYWORD: STRING,
    DATETIME: KEYS["datetime"],
    MAP: record([]),
}


def _map(key: Type, value: Type) -> Type:
    made = map_of(key, value)
    return record([]) if made == MAP else made


def _key_texts(value: Const) -> list[str]:
    match value.kind:
        case "string" | "keyword":
            return [str.__str__(value.value)]
        case "bool":
            return ["true" if value.value else "false"]
        case "int" | "float":
            return [repr(value.value)]
        case _:
            return []


def limited(inner: Type, constraints: tuple[Constraint, ...], whole: Type = ANY) -> Type:
    """Return *inner* with *constraints*, as far as they speak of what JSON can carry.

    One schema has one keyword of a name, and a size is whole: what does not go into one refinement
    stands beside it, on the *whole* of what may stand here.
    """
    if isinstance(inner, Noted):
        # A schema's text stands with its keywords.
        return noted(limited(inner.inner, constraints, whole), inner.text, inner.title)
    if isinstance(inner, Refined):
        return limited(inner.inner, inner.constraints + constraints, whole)
    kinds = json_kinds(inner)
    first: dict[str, Constraint] = {}
    others: list[Constraint] = []
    for given in constraints:
        constraint = _known(given)
        word = keyword(constraint)
        if first.setdefault(word, constraint) is not constraint:
            others.append(constraint)
    limits = by_kind(first.values(), kinds)
    together = shared({kind: found for kind, found in limits.items() if found}, kinds)
    if together is None:
        made = both([by_kinds(by_kind(first.values(), KINDS), KINDS), inner])
    else:
        made = refined(inner, together)
    return both([made, *[limited(whole, (c,)) for c in others]]) if others else made


def _known(constraint: Constraint) -> Constraint:
    """Return the format whose pattern *constraint* is, else *constraint*."""
    if constraint.name != "pattern" or constraint.argument.value not in BY_PATTERN:
        return constraint
    return Constraint("format", BY_PATTERN[constraint.argument.value])
