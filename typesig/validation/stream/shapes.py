"""What a type says of the parts of a list or map that has not ended: which are shown, as what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.names import folded
from typesig.algebra.traversal import admits_nil, level
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.keys import KeyPlan
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.run import Run
from typesig.validation.rows.subject import Stage

#: Returns the object of a part in a list, or nothing if the part is refused.
Make: TypeAlias = Callable[[Any], list[Any]]

#: Returns the function that makes the objects of the items at a place, or None if there is none.
Maker: TypeAlias = "Callable[[tuple[str | int, ...]], Make | None]"


class Growing(NamedTuple):
    """What a value is that grows.

    #: type: what it must be; definitions: the types of its references; policy: of the check
    #: whole: returns the outcome of the whole data
    #: stage: that of the outcome
    #: unwraps: whether a list may stand in `{"items": […]}`
    #: others: for each record, the names that stand for other ones
    #: spelled: returns data of a type with the names that the type declares
    #: maker: returns what makes the objects of the items of the list at a place
    #: secrets: the names of fields with secrets
    #: refuse: makes errors of the values that were coerced at places which take no other
    #: filling: the policy that fills in the defaults of classes; see `filling_policy`
    """

    type: nodes.Type
    definitions: tuple[Definition, ...]
    policy: Policy
    whole: Callable[[Any], Outcome[Any]]
    stage: Stage
    unwraps: bool = False
    others: Callable[[nodes.Record], frozenset[str]] = lambda _: frozenset()
    spelled: Callable[[nodes.Type, Any], Any] = lambda _, data: data
    maker: Maker = lambda _: None
    secrets: frozenset[str] = frozenset()
    filling: Policy | None = None
    refuse: Callable[[Run], None] = lambda _: None


class Slot(NamedTuple):
    """The place of a part: its step, and its type if it may be shown.

    #: is_item: whether it is an item of a list
    #: is_secret: whether it is, or is in, a secret
    """

    step: str | int
    type: nodes.Type | None
    takes_nil: bool = True
    is_item: bool = False
    is_secret: bool = False


class _Record(NamedTuple):
    """What is known of the names of a record."""

    plan: KeyPlan
    fields: dict[str, nodes.Field]
    required: tuple[str, ...]
    others: frozenset[str]
    extra: nodes.Type | None


class Shapes:
    """The shapes of the parts of one type; what was found of a type is kept."""

    def __init__(self, growing: Growing) -> None:
        self._growing = growing
        self.names = {d.name: d.type for d in growing.definitions}
        self._secrets = frozenset(map(folded, growing.secrets))
        #: Whether the whole is a secret.
        self.is_secret = "" in growing.secrets
        self._records: dict[nodes.Record, _Record] = {}
        self._shapes: dict[tuple[nodes.Type, str], nodes.Type | None] = {}
        self._plain: dict[nodes.Type, bool] = {}

    def begins(self, t: nodes.Type, bracket: str) -> bool:
        """Return whether a value of *t* may begin with *bracket*."""
        return self._parts(t, bracket) != []

    def shape(self, t: nodes.Type, bracket: str) -> nodes.Type | None:
        """Return the only shape of *t* for a list or map, if it can be told of part by part."""
        key = t, bracket
        if key not in self._shapes:
            parts = self._parts(t, bracket)
            lone = parts[0] if parts is not None and len(parts) == 1 else None
            self._shapes[key] = lone if lone is not None and _is_told(lone) else None
        return self._shapes[key]

    def grows(self, t: nodes.Type) -> bool:
        """Return whether a text of *t* is one of any words, which is shown while it arrives."""
        if t not in self._plain:
            parts = list(level(t, self.names))
            self._plain[t] = nodes.STRING in parts and all(map(_takes_any_text, parts))
        return self._plain[t]

    def required(self, shape: nodes.Type) -> tuple[str, ...]:
        """Return the names that a map of *shape* must have and that are shown."""
        return self._record(shape).required if isinstance(shape, nodes.Record) else ()

    def item(self, shape: nodes.Type, index: int, is_secret: bool) -> Slot:
        """Return the place of an item of a list of *shape*; *is_secret* is whether that is one."""
        if isinstance(shape, nodes.List):
            return Slot(index, shape.item, True, True, is_secret)
        assert isinstance(shape, nodes.Tuple)
        t = shape.items[index] if index < len(shape.items) else shape.rest
        return Slot(index, t, is_secret=is_secret)

    def field(self, shape: nodes.Type, key: str, seen: dict[str, None], is_secret: bool) -> Slot:
        """Return the place of the value of *key* in a map of *shape*; *seen* are earlier names."""
        if isinstance(shape, nodes.MapOf):
            return Slot(key, shape.value, is_secret=is_secret)
        assert isinstance(shape, nodes.Record)
        known = self._record(shape)
        name = None if folded(key) in known.others else known.plan.declared(key)
        if name is not None:
            field = known.fields[name]
            if field.firewalled or name in seen:
                return Slot("", None)
            takes_nil = admits_nil(field.type, self.names)
            return Slot(name, field.type, takes_nil, False, is_secret or field.key in self._secrets)
        # Which name a near one stands for is known when all names are.
        is_extra = not known.plan.near(key) and folded(key) not in known.others
        # A secret may be among the undeclared values that have a type: `**tokens` is no key.
        return Slot(key, known.extra if is_extra else None, is_secret=bool(self._secrets))

    def _parts(self, t: nodes.Type, bracket: str) -> list[nodes.Type] | None:
        """Return the members of *t* that a list or map may be of; None if others have a say."""
        out: list[nodes.Type] = []
        for part in level(t, self.names):
            match part:
                case nodes.One() | nodes.Both() | nodes.Not() | nodes.Counted():
                    return None
                case nodes.Record() | nodes.MapOf():
                    out.extend([part] if bracket == "{" else [])
                case nodes.List() | nodes.Set() | nodes.Tuple():
                    out.extend([part] if bracket == "[" else [])
                case nodes.Scalar("any"):
                    out.append(_MAP if bracket == "{" else _LIST)
                case nodes.Scalar("map"):
                    out.extend([_MAP] if bracket == "{" else [])
                case nodes.Leaf():
                    pass
                case nodes.Around() | nodes.Union() | nodes.Ref():
                    pass  # `level` yields their parts
                case _:
                    assert_never(part)
        return out

    def _record(self, t: nodes.Record) -> _Record:
        known = self._records.get(t)
        if known is None:
            shown = [field for field in t.fields if not field.firewalled]
            required = tuple([f.name for f in shown if f.required and f.default is None])
            extra = t.extra
            if extra == nodes.ANY and self._growing.policy.extras != "keep":
                extra = None
            fields = {field.name: field for field in t.fields}
            others = self._growing.others(t)
            known = _Record(KeyPlan(t.fields), fields, required, others, extra)
            self._records[t] = known
        return known


def _is_told(shape: nodes.Type) -> bool:
    """Return whether a value of *shape* is told of part by part; a set is put in order last."""
    return (
        isinstance(shape, nodes.List | nodes.Tuple)
        or (isinstance(shape, nodes.MapOf) and shape.key == nodes.STRING)
        or (isinstance(shape, nodes.Record) and not shape.matching)
    )


def _takes_any_text(part: nodes.Type) -> bool:
    """Return whether *part* has no say in what a text is."""
    return isinstance(part, nodes.Maybe | nodes.Noted | nodes.Union | nodes.Ref) or part in (
        nodes.STRING,
        nodes.NIL,
    )


_MAP = nodes.MapOf(nodes.STRING, nodes.ANY)
_LIST = nodes.List(nodes.ANY)
