"""The redacted signature: what a model sees, without firewalled names at any depth.

A constraint that a firewalled field could decide is left out as well, because the data that a model
sees could break it: negations, exactly-one, unique items and bounds on the size of a record, where
a firewalled field stands below them.  Redaction saves a model's context; it is not access control.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds, make_both, make_refined, make_union
from typesig.algebra.definitions import Definition
from typesig.algebra.loss import Loss
from typesig.algebra.rows.frozen import HIDDEN, NAMES
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import Const, Pair
from typesig.algebra.signature import Signature, get_flags, get_outer_types, make_type_signature
from typesig.algebra.traversal import (
    find_names_leading_to,
    find_references,
    get_item_types,
    get_other_types,
    get_placed_children,
    iter_same_value_types,
    iter_types,
    rebuild,
)

Path: TypeAlias = tuple[str, ...]


def redact(signature: Signature, losses: list[Loss] | None = None) -> Signature:
    """Return *signature* without its firewalled params and fields.

    The constraints that are left out are added to *losses*.
    """
    if not get_flags(signature) & HIDDEN and not signature.definitions:
        return signature
    redactor = _Redactor(signature.names, get_outer_types(signature))
    params = redactor.redact_fields(signature.params, None, ("params",))
    returns = redactor.redact(signature.returns, None, ("returns",))
    extra = signature.extra
    extra = None if extra is None else redactor.redact(extra, None, ("params", "**"))
    wholes = [field.type for field in params] + [returns]
    kept = redactor.redact_definitions(wholes if extra is None else [*wholes, extra])
    definitions = [Definition(name, t) for name, t in kept.items()]
    if losses is not None:
        losses += redactor.select_losses(kept)
    return Signature(params, returns, definitions, extra, signature.io)


def redact_types(
    t: nodes.Type,
    names: Mapping[str, nodes.Type],
    losses: list[Loss] | None = None,
    at: Path = ("returns",),
) -> tuple[nodes.Type, Mapping[str, nodes.Type]]:
    """Return *t*, at path *at*, and its definitions, without firewalled fields.

    The constraints that are left out are added to *losses*.
    """
    if not names and not t.flags & HIDDEN:
        return t, names
    redactor = _Redactor(names, [t])
    made = redactor.redact(t, None, at)
    kept = redactor.redact_definitions([made])
    if losses is not None:
        losses += redactor.select_losses(kept)
    return made, kept


def find_used_names(names: Mapping[str, nodes.Type], wholes: Iterable[nodes.Type]) -> set[str]:
    """Return the names in *names* to which *wholes* refer, directly or indirectly."""
    pending = list(wholes)
    reached: set[str] = set()
    while pending:
        for name in find_references(pending.pop()):
            # A set operation would look at every name for each type.
            if name in names and name not in reached:
                reached.add(name)
                pending.append(names[name])
    return reached


def make_standalone_signature(t: nodes.Type, names: Mapping[str, nodes.Type]) -> Signature:
    """Signature without parameters for *t*, with the definitions that it uses."""
    kept = find_used_names(names, [t]) if t.flags & NAMES else ()
    return make_type_signature(
        t, {name: each for name, each in names.items() if name in kept} if kept else ()
    )


def find_hiding_names(names: Mapping[str, nodes.Type]) -> frozenset[str]:
    """Return the names in *names* whose types contain a firewalled field."""
    return find_names_leading_to(
        [name for name, t in names.items() if _declares_firewalled(t)], names
    )


def hides_field(t: nodes.Type, hiding: frozenset[str]) -> bool:
    """Whether *t* contains a firewalled field, directly or through the names *hiding*."""
    return _declares_firewalled(t) or bool(find_references(t) & hiding)


def _declares_firewalled(t: nodes.Type) -> bool:
    """Whether a record within *t* declares a firewalled field, references aside."""
    if not t.flags & HIDDEN:
        return False
    records = [part for part in iter_types(t) if isinstance(part, nodes.Record)]
    return any(field.firewalled for part in records for field in part.fields)


#: The keys of firewalled fields that a type has to hold together with, or None.
_Loose: TypeAlias = frozenset[str] | None

_WHY = "a firewalled field could decide it"


class _Redactor:
    """Remove firewalled fields from types with shared definitions, and record other losses."""

    def __init__(self, names: Mapping[str, nodes.Type], wholes: Iterable[nodes.Type]) -> None:
        self._names = names
        self._hiding = find_hiding_names(names)
        parts = [part for whole in (*names.values(), *wholes) for part in iter_types(whole)]
        # What holds together with a record with firewalled fields: see `redact`.
        joint = [part for part in parts if isinstance(part, nodes.Both) and self._hides(part)]
        self._loose = find_used_names(names, joint)
        self._joint_keys = self._find_firewalled_keys(joint) if joint else frozenset()
        self._losses: list[Loss] = []

    def select_losses(self, names: Mapping[str, nodes.Type]) -> list[Loss]:
        """Return the recorded losses, limited to the definitions in *names*."""
        return [
            loss
            for loss in dict.fromkeys(self._losses)
            if loss.path[:1] != ("definitions",) or loss.path[1] in names
        ]

    def _record_loss(self, what: str, at: Path, became: str) -> None:
        """Record that a part of a type, at the path *at*, was widened to *became*."""
        self._losses.append(Loss("widened", at, what, _WHY, became))

    def _hides(self, t: nodes.Type) -> bool:
        """Whether *t* contains a firewalled field, directly or through a definition."""
        return hides_field(t, self._hiding)

    def _find_firewalled_keys(self, wholes: Iterable[nodes.Type]) -> frozenset[str]:
        """Keys of firewalled fields in *wholes* and in their definitions."""
        given = list(wholes)
        # Other names lead to no firewalled field.
        names = {name: self._names[name] for name in self._hiding}
        reached = [*given, *(names[name] for name in find_used_names(names, given))]
        records = [
            part for t in reached for part in iter_types(t) if isinstance(part, nodes.Record)
        ]
        return frozenset(f.key for part in records for f in part.fields if f.firewalled)

    def redact_definitions(self, wholes: list[nodes.Type]) -> dict[str, nodes.Type]:
        """Return the redacted definitions that the redacted *wholes* use."""
        loose = {name: self._joint_keys if name in self._loose else None for name in self._names}
        made = {
            name: self.redact(t, loose[name], ("definitions", name))
            for name, t in self._names.items()
        }
        kept = find_used_names(made, wholes)
        return {name: t for name, t in made.items() if name in kept}

    def redact_fields(
        self, fields: tuple[nodes.Field, ...], loose: _Loose = None, at: Path = ()
    ) -> tuple[nodes.Field, ...]:
        """Return *fields* without firewalled fields and their names in defaults."""
        kept = [f for f in fields if not (f.firewalled or (loose and fold_name(f.name) in loose))]
        return tuple([self._redact_field(f, loose, (*at, f.name)) for f in kept])

    def _redact_field(self, f: nodes.Field, loose: _Loose, at: Path) -> nodes.Field:
        """Redact the type and the default of the field *f* at the path *at*."""
        default = f.default
        if default is not None and default.flags & HIDDEN:
            default = redact_default(default, f.type, self._names)
            if default is None:
                why = "without a firewalled name in it, it may not fit"
                self._losses.append(Loss("omitted", at, "the default", why, "an optional field"))
        return nodes.Field(f.name, self.redact(f.type, loose, at), f.required, default, f.exact)

    def redact(self, t: nodes.Type, loose: _Loose = None, at: Path = ()) -> nodes.Type:
        """Return *t*, whose path is *at*, without its firewalled fields.

        *loose* is for a type that has to hold together with another one that has such fields: it
        has their keys, and every constraint is left out that their absence could decide.
        """
        if loose is None and not t.flags & (HIDDEN | NAMES):
            return t
        match t:
            case nodes.Leaf() | nodes.Ref():
                return t
            case nodes.Record(fields, extra, matching):
                rest = None if extra is None else self.redact(extra, loose, (*at, "**"))
                patterns = [
                    nodes.PatternField(
                        m.pattern, self.redact(m.type, loose, (*at, f"/{m.pattern}/"))
                    )
                    for m in matching
                ]
                return nodes.Record(self.redact_fields(fields, loose, at), rest, tuple(patterns))
            case nodes.Set() | nodes.One() | nodes.Not() | nodes.ItemCount() | nodes.Refinement():
                return self._redact_constrained(t, loose, at)
            case nodes.Both():
                if loose is None and self._hides(t):
                    loose = self._find_firewalled_keys([t])
                return make_both(self._redact_parts(t, loose, at))
            case nodes.Container() | nodes.Through():
                return rebuild(t, self._redact_parts(t, loose, at))
            case _:
                assert_never(t)

    def _redact_constrained(
        self,
        t: nodes.Set | nodes.One | nodes.Not | nodes.ItemCount | nodes.Refinement,
        loose: _Loose,
        at: Path,
    ) -> nodes.Type:
        """Redact *t*; drop constraints that firewalled fields could decide."""
        if loose is None and not self._hides(t):
            return rebuild(t, self._redact_parts(t, loose, at))
        match t:
            case nodes.Set(item):
                # Two items may differ only in what is hidden.
                self._record_loss("unique items", at, "a list")
                return nodes.List(self.redact(item, loose, (*at, "items")))
            case nodes.One():
                self._record_loss("exactly one of several types", at, "a union")
                return make_union(self._redact_parts(t, loose, at))
            case nodes.Not():
                self._record_loss("a negation", at, "any value")
                return nodes.ANY
            case nodes.ItemCount():
                self._record_loss("a number of items of a type", at, "a list")
                return nodes.List(nodes.ANY)
            case nodes.Refinement(inner, constraints):
                kinds = find_kinds(inner)
                sorts = {"items", "size"} if kinds is None or "map" in kinds else {"items"}
                lost = [c for c in constraints if c.row.sort in sorts]
                for constraint in lost:
                    self._record_loss(constraint.row.word, at, "the type without it")
                kept = [c for c in constraints if c not in lost]
                return make_refined(self.redact(inner, loose, at), kept)
            case _:
                assert_never(t)

    def _redact_parts(self, t: nodes.Type, loose: _Loose, at: Path) -> list[nodes.Type]:
        """Redact the child types of *t*, whose path is *at*."""
        return [self.redact(part, loose, place) for part, place in get_placed_children(t, at)]


def redact_default(default: Const, t: nodes.Type, names: Mapping[str, nodes.Type]) -> Const | None:
    """Return *default* without firewalled names, or None if it may not fit *t* without them.

    A leading underscore firewalls a name, unless *t* declares it as exact in that place.  Without
    the name, a negation, an exactly-one, unique items or the size of a map may come out otherwise.
    """
    shown = _redact_value(default, [t], names)
    return shown if shown == default or not _may_depend_on_names(t, names) else None


def _redact_value(
    value: Const, types: Iterable[nodes.Type], names: Mapping[str, nodes.Type]
) -> Const:
    """Remove firewalled names from the constant *value*, whose type is among *types*."""
    if not value.flags & HIDDEN:
        return value
    shapes = [shape for t in types for shape in iter_same_value_types(t, names)]
    if value.kind == "map":
        return Const("map", tuple(_redact_pairs(value.value, shapes, names)))
    # Only maps have names, so that this is a list.
    lists = [shape for shape in shapes if isinstance(shape, nodes.List | nodes.Tuple)]
    items = [item for shape in lists for item in get_item_types(shape)]
    return Const("list", tuple([_redact_value(each, items, names) for each in value.value]))


def _redact_pairs(
    pairs: Iterable[Pair], shapes: Iterable[nodes.Type], names: Mapping[str, nodes.Type]
) -> Iterator[Pair]:
    """Yield the map entries *pairs* without firewalled names, their values redacted."""
    fields: dict[str, list[nodes.Type]] = {}
    exact: set[str] = set()
    others: list[nodes.Type] = []
    for shape in shapes:
        others.extend(get_other_types(shape))
        for field in shape.fields if isinstance(shape, nodes.Record) else ():
            fields.setdefault(field.name, []).append(field.type)
            exact.update([field.name] if field.exact else [])
    for pair in pairs:
        if pair.name in exact or not pair.name.startswith("_"):
            types = [*fields.get(pair.name, ()), *others]
            yield Pair(pair.name, _redact_value(pair.const, types, names))


def _may_depend_on_names(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Whether *t* may accept or refuse a value because of a name present or absent."""
    pending, seen = [t], set[str]()
    while pending:
        for part in iter_types(pending.pop()):
            match part:
                case nodes.Not() | nodes.ItemCount() | nodes.One():
                    return True
                case nodes.Enum(values):
                    if any(value.kind in ("list", "map") for value in values):
                        return True
                case nodes.Refinement(inner, constraints):
                    kinds = find_kinds(inner)
                    sized = kinds is None or "map" in kinds
                    found = {constraint.name for constraint in constraints}
                    if "unique" in found or (sized and found & {"at_least", "at_most"}):
                        return True
                case nodes.Ref(name):
                    if name not in seen:
                        seen.add(name)
                        pending.append(names[name])
                case nodes.Scalar() | nodes.Container() | nodes.Maybe():
                    # A set holds no maps.
                    pass
                case nodes.Union() | nodes.Both() | nodes.Annotation():
                    pass
                case _:
                    assert_never(part)
    return False
