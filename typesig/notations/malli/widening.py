"""What Malli can express of a signature, which is what reading back gives.

Everything that Malli has no form for becomes something wider here, which is a loss; so the writer
meets only what Malli can express.  Widening what is widened changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import is_
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import (
    find_kinds,
    make_both,
    make_maybe,
    make_noted,
    make_refined,
    make_union,
    strip_annotations,
)
from typesig.algebra.definitions import Definition
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.names import make_positional_name
from typesig.algebra.rows.values import Const, ConstKind, Kind
from typesig.algebra.signature import Signature, make_unique_name
from typesig.algebra.traversal import get_placed_children, iter_types, rebuild
from typesig.notations.malli.names import (
    CONSTRAINT_FORMS,
    GROUPS,
    WHOLES,
    FormSpelling,
    Group,
    get_form,
    group_of,
)

Path = tuple[str, ...]


@lru_cache(maxsize=1024)
def widen_signature(
    signature: Signature, spelling: FormSpelling, named: bool = False
) -> tuple[Signature, Losses]:
    """Return *signature* as parsing it in *spelling* restores it, and the losses."""
    widener = MalliWidener(spelling)
    widener.choose_names(d.name for d in signature.definitions)
    widener.params = {field.name for field in signature.params}
    params = tuple([widener.widen_param(n, f, named) for n, f in enumerate(signature.params, 1)])
    if signature.extra != nodes.ANY:
        # Malli's parameters are positional.
        what = "other arguments by name" if signature.extra is not None else "no other arguments"
        why = "a function takes its arguments by place"
        widener.report_widened(("params", "**"), what, why, "any of them")
        if signature.extra is not None:
            widener.report_notes(signature.extra, ("params", "**"))
    returns = widener.widen(signature.returns, ("returns",))
    definitions = [
        Definition(widener.names[d.name], widener.widen(d.type, ("definitions", d.name)))
        for d in signature.definitions
    ]
    return Signature(params, returns, definitions), tuple(widener.losses)


class MalliWidener:
    """Widen types with shared definitions, and record the losses."""

    def __init__(self, spelling: FormSpelling) -> None:
        self.spelling = spelling
        self.losses: list[Loss] = []
        # The names of the definitions, as they are written.
        self.names: dict[str, str] = {}
        # The names of the parameters, which no other parameter may get.
        self.params: set[str] = set()

    def report_widened(self, at: Path, what: str, why: str, became: str) -> None:
        """Record that a construct at *at* was widened to *became*."""
        self.losses.append(Loss("widened", at, what, why, became))

    def report_renamed(self, at: Path, what: str, became: str) -> None:
        """Record that a name at *at* was changed to *became*."""
        self.losses.append(Loss("renamed", at, what, self.spelling.why, became))

    def report_notes(self, t: nodes.Type, at: Path) -> None:
        """Record the titles and descriptions in the unwritten type *t* as omitted."""
        why = "the type that has it is not written"
        for part in iter_types(t):
            if isinstance(part, nodes.Annotation):
                for word, text in (("title", part.title), ("description", part.text)):
                    if text is not None:
                        self.losses.append(Loss("omitted", at, f"{word} {text!r}", why))

    def choose_names(self, names: Iterable[str]) -> None:
        """Map *names* of definitions to names that the spelling can express."""
        given = list(names)
        self.names = {name: name for name in given if self.spelling.has_text(name)}
        for name in given:
            if name not in self.names:
                plain = name.lstrip(":") or "Type"
                taken = set(self.names.values())
                self.names[name] = make_unique_name(plain, taken) if plain in taken else plain
                became = f"the name {self.names[name]!r}"
                self.report_renamed(("definitions", name), f"the name {name!r}", became)

    def widen(self, t: nodes.Type, at: Path) -> nodes.Type:
        """Return the nearest type to *t*, at path *at*, that Malli can express."""
        match t:
            case nodes.Scalar():
                return t
            case nodes.Record():
                return self.record(t, at)
            case nodes.Enum():
                return self.widen_enum(t, at)
            case nodes.One():
                what, why = "exactly one of several types", "Malli has [:or …], any of them"
                self.report_widened(at, what, why, "any of them")
                return make_union([self.widen(*part) for part in get_placed_children(t, at)])
            case nodes.Not(inner):
                if inner == nodes.NIL:
                    return t
                why = "only :some is read back, anything but nil"
                self.report_widened(at, "anything but a type", why, ":any")
                self.report_notes(inner, at)
                return nodes.ANY
            case nodes.ItemCount(item):
                why = "Malli has no schema that counts items of a type"
                self.report_widened(at, "a number of items of a type", why, "[:vector :any]")
                self.report_notes(item, at)
                return nodes.List(nodes.ANY)
            case nodes.Refinement(inner, constraints):
                return self.widen_constrained(self.widen(inner, at), constraints, at)
            case nodes.Ref(name):
                return t if self.names[name] == name else nodes.Ref(self.names[name])
            case nodes.Container() | nodes.Through():
                return rebuild(t, [self.widen(*part) for part in get_placed_children(t, at)])
            case _:
                assert_never(t)

    # fields

    def widen_param(self, place: int, field: nodes.Field, named: bool) -> nodes.Field:
        """Widen the parameter *field* at position *place*; unname it unless *named*."""
        at = ("params", field.name)
        widened = self.field(field, at)
        if named and (not field.exact or self.spelling.has_text(field.name)):
            return widened
        name = make_positional_name(place)
        if named:
            name = make_unique_name(name, self.params) if name in self.params else name
            self.params.add(name)
            self.report_renamed(at, f"the name {field.name!r}", f"the name {name!r}")
        elif field.name != name:
            why = ":cat has no names; named=True writes :catn"
            self.losses.append(Loss("omitted", at, f"the name {field.name!r}", why))
        return nodes.Field(name, widened.type, widened.required, widened.default)

    def field(self, field: nodes.Field, at: Path) -> nodes.Field:
        """Widen *field*, and drop a default that the spelling cannot express."""
        t, default, required = self.widen(field.type, at), field.default, field.required
        if default is not None and not self.has_form(default):
            became = "a field that may be absent"
            self.report_widened(at, "a default", self.spelling.why, became)
            default = None
        if t is field.type and default is field.default:
            return field
        return nodes.Field(field.name, t, required, default, field.exact)

    def record(self, t: nodes.Record, at: Path) -> nodes.Type:
        """Widen the record *t*, opened if Malli cannot express its extra keys."""
        extra = t.extra
        for matching in t.matching:
            what, why = f"keys that match /{matching.pattern}/", "Malli has no patterns of keys"
            self.report_widened(at, what, why, "any other keys")
            self.report_notes(matching.type, at)
        if extra is not None and strip_annotations(extra) != nodes.ANY:
            why = "a map is open or closed; [:map-of …] types all its keys"
            self.report_widened((*at, "**"), "the type of other keys", why, "an open map")
        if extra is not None:
            self.report_notes(extra, (*at, "**"))
        if t.matching or extra is not None:
            extra = nodes.ANY
        fields = []
        for field in t.fields:
            if not field.exact or self.spelling.has_text(field.name):
                fields.append(self.field(field, (*at, field.name)))
                continue
            what = f"the key {field.name!r}"
            self.report_widened((*at, field.name), what, self.spelling.why, "an open map")
            self.report_notes(field.type, (*at, field.name))
            extra = nodes.ANY
        same = len(fields) == len(t.fields) and all(map(is_, fields, t.fields))
        return (
            t
            if same and extra is t.extra and not t.matching
            else nodes.Record(tuple(fields), extra)
        )

    # values

    def has_form(self, value: Const) -> bool:
        """Whether the spelling can express the constant *value*."""
        match value.kind:
            case "nil" | "bool" | "int" | "float":
                return True
            case "string":
                return self.spelling.has_text(value.value)
            case "keyword":
                return self.spelling.has_keyword(value.value)
            case "list":
                return all(self.has_form(item) for item in value.value)
            case "map":
                pairs = value.value
                return all(self.spelling.has_text(p.name) and self.has_form(p.const) for p in pairs)
            case _:
                assert_never(value.kind)

    def widen_enum(self, t: nodes.Enum, at: Path) -> nodes.Type:
        """Widen the enum *t*: values without a form become wider types."""
        kept = [value for value in t.values if self.has_form(value)]
        if len(kept) == len(t.values):
            return t
        wider = []
        for value in t.values:
            if value not in kept:
                whole, became = WIDER_VALUES[value.kind]
                wider.append(whole)
                self.report_widened(at, f"the value {value.thaw()!r}", self.spelling.why, became)
        return make_union([*([nodes.Enum(tuple(kept))] if kept else []), *wider])

    # constraints

    def widen_constrained(
        self, inner: nodes.Type, constraints: tuple[Constraint, ...], at: Path
    ) -> nodes.Type:
        """Return *inner* with the *constraints* that Malli can express."""
        if isinstance(inner, nodes.Annotation):
            return make_noted(
                self.widen_constrained(inner.inner, constraints, at), inner.text, inner.title
            )
        if isinstance(inner, nodes.Refinement):
            return self.widen_constrained(inner.inner, inner.constraints + constraints, at)
        if isinstance(inner, nodes.Maybe):
            return make_maybe(self.widen_constrained(inner.inner, constraints, at))
        group, kinds = group_of(inner), find_kinds(inner)
        if group == "number":
            return make_refined(inner, self._select_expressible(constraints, group, at))
        if kinds is not None and len(kinds) == 1:
            return self._widen_constrained_kind(inner, constraints, next(iter(kinds)), at)
        if isinstance(inner, nodes.Union):
            parts = [(m, _select_applicable(constraints, m)) for m in inner.members]
            return make_union(
                [self.widen_constrained(m, own, at) if own else m for m, own in parts]
            )
        self._select_expressible(constraints, None, at)
        return inner

    def _widen_constrained_kind(
        self, inner: nodes.Type, constraints: tuple[Constraint, ...], kind: Kind, at: Path
    ) -> nodes.Type:
        """Return *inner*, whose values are of one *kind*, with *constraints*.

        Constraints that have no place in its form stand beside it, on all values of the kind.
        """
        group, whole = GROUPS[kind], WHOLES[kind]
        kept = self._select_expressible(constraints, group, at)
        if whole is None or _has_properties(inner):
            return make_refined(inner, kept)
        members = [c for c in kept if (form := get_form(c, group)) and form.is_member]
        properties = [c for c in kept if c not in members]
        made = make_refined(inner, members)
        return make_both([made, make_refined(whole, properties)]) if properties else made

    def _select_expressible(
        self, constraints: Iterable[Constraint], group: Group | None, at: Path
    ) -> list[Constraint]:
        """Return the constraints with a form for *group*; record others."""
        kept = []
        for constraint in constraints:
            if get_form(constraint, group) is not None:
                kept.append(constraint)
                continue
            row = CONSTRAINT_FORMS[constraint.name]
            what = row.phrase.format(constraint.argument.value)
            self.report_widened(at, what, row.why, "no constraint")
        return kept


#: What stands for a value that has no form, and what a loss calls it.
WIDER_VALUES: dict[ConstKind, tuple[nodes.Type, str]] = {
    "nil": (nodes.NIL, "nil"),
    "bool": (nodes.BOOL, "any boolean"),
    "int": (nodes.INT, "any integer"),
    "float": (nodes.FLOAT, "any number"),
    "string": (nodes.STRING, "any text"),
    "keyword": (nodes.KEYWORD, "any keyword"),
    "list": (nodes.List(nodes.ANY), "any list"),
    "map": (nodes.MAP, "any map"),
}


def _has_properties(t: nodes.Type) -> bool:
    """Whether Malli writes constraints of *t* as properties of its form."""
    match t:
        case nodes.Scalar():
            return t in (nodes.STRING, nodes.MAP)
        case nodes.List() | nodes.Set() | nodes.MapOf():
            return True
        case nodes.Enum() | nodes.Container() | nodes.Through() | nodes.Not():
            return False
        case _:
            assert_never(t)


def _select_applicable(
    constraints: tuple[Constraint, ...], t: nodes.Type
) -> tuple[Constraint, ...]:
    """Return the *constraints* that apply to some value of *t*."""
    kinds = find_kinds(t)
    return tuple([c for c in constraints if kinds is None or kinds & c.row.kinds])
