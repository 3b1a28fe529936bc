"""What a type says of the parts of a list or map that has not ended: which are shown, as what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.names import fold_name
from typesig.algebra.traversal import allows_nil, iter_same_value_types
from typesig.validation.check_state import CheckState, Stage
from typesig.validation.keys import KeyPlan
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import Policy

#: Returns the object of a part in a list, or nothing if the part is refused.
Make: TypeAlias = Callable[[Any], list[Any]]

#: Returns the function that makes the objects of the items at a place, or None if there is none.
Maker: TypeAlias = "Callable[[tuple[str | int, ...]], Make | None]"


class StreamTarget(NamedTuple):
    """Type, policy and functions for a value that is streamed.

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
    refuse: Callable[[CheckState], None] = lambda _: None


class Slot(NamedTuple):
    """The path step and the type of an item or field that is streamed.

    #: is_item: whether it is an item of a list
    #: is_secret: whether it is, or is in, a secret
    """

    step: str | int
    type: nodes.Type | None
    takes_nil: bool = True
    is_item: bool = False
    is_secret: bool = False


class _RecordInfo(NamedTuple):
    """Field names and required names of a record, for streaming."""

    plan: KeyPlan
    fields: dict[str, nodes.Field]
    required: tuple[str, ...]
    others: frozenset[str]
    extra: nodes.Type | None


class PartShapes:
    """Lookup of the types of items and fields for streaming, cached by type."""

    def __init__(self, growing: StreamTarget) -> None:
        self._growing = growing
        self.names = {d.name: d.type for d in growing.definitions}
        self._secrets = frozenset(map(fold_name, growing.secrets))
        #: Whether the whole is a secret.
        self.is_secret = "" in growing.secrets
        self._records: dict[nodes.Record, _RecordInfo] = {}
        self._shapes: dict[tuple[nodes.Type, str], nodes.Type | None] = {}
        self._plain: dict[nodes.Type, bool] = {}

    def may_begin_with(self, t: nodes.Type, bracket: str) -> bool:
        """Whether a value of *t* may begin with *bracket*."""
        return self._select_parts(t, bracket) != []

    def get_shape(self, t: nodes.Type, bracket: str) -> nodes.Type | None:
        """Return the only list or map type of *t*, or None if it cannot be streamed."""
        key = t, bracket
        if key not in self._shapes:
            parts = self._select_parts(t, bracket)
            lone = parts[0] if parts is not None and len(parts) == 1 else None
            self._shapes[key] = lone if lone is not None and _is_streamed(lone) else None
        return self._shapes[key]

    def is_growing_text(self, t: nodes.Type) -> bool:
        """Whether *t* accepts any string, so that its text can be streamed."""
        if t not in self._plain:
            parts = list(iter_same_value_types(t, self.names))
            self._plain[t] = nodes.STRING in parts and all(
                part in (nodes.STRING, nodes.NIL) or isinstance(part, _WRAPPERS) for part in parts
            )
        return self._plain[t]

    def get_required(self, shape: nodes.Type) -> tuple[str, ...]:
        """Return the required visible names of a map of the type *shape*."""
        return self._get_record(shape).required if isinstance(shape, nodes.Record) else ()

    def make_item_slot(self, shape: nodes.Type, index: int, is_secret: bool) -> Slot:
        """Make the slot of the item *index* in a list of the type *shape*."""
        if isinstance(shape, nodes.List):
            return Slot(index, shape.item, True, True, is_secret)
        assert isinstance(shape, nodes.Tuple)
        t = shape.items[index] if index < len(shape.items) else shape.rest
        return Slot(index, t, is_secret=is_secret)

    def make_field_slot(
        self, shape: nodes.Type, key: str, seen: dict[str, None], is_secret: bool
    ) -> Slot:
        """Make the slot of *key* in a map of *shape*; *seen* has earlier keys."""
        if isinstance(shape, nodes.MapOf):
            return Slot(key, shape.value, is_secret=is_secret)
        assert isinstance(shape, nodes.Record)
        known = self._get_record(shape)
        name = None if fold_name(key) in known.others else known.plan.get_declared_name(key)
        if name is not None:
            field = known.fields[name]
            if field.firewalled or name in seen:
                return Slot("", None)
            takes_nil = allows_nil(field.type, self.names)
            return Slot(name, field.type, takes_nil, False, is_secret or field.key in self._secrets)
        # Which name a near one stands for is known when all names are.
        is_extra = not known.plan.get_near_names(key) and fold_name(key) not in known.others
        # A secret may be among the undeclared values that have a type: `**tokens` is no key.
        return Slot(key, known.extra if is_extra else None, is_secret=bool(self._secrets))

    def _select_parts(self, t: nodes.Type, bracket: str) -> list[nodes.Type] | None:
        """Return the list or map types of *t*; None if it combines types."""
        out: list[nodes.Type] = []
        for part in iter_same_value_types(t, self.names):
            match part:
                case nodes.One() | nodes.Both() | nodes.Not() | nodes.ItemCount():
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
                case nodes.Wrapper() | nodes.Union() | nodes.Ref():
                    pass  # `iter_same_value_types` yields their parts
                case _:
                    assert_never(part)
        return out

    def _get_record(self, t: nodes.Record) -> _RecordInfo:
        """Get the key plan, fields and required names of the record *t*; cached."""
        known = self._records.get(t)
        if known is None:
            shown = [field for field in t.fields if not field.firewalled]
            required = tuple([f.name for f in shown if f.required and f.default is None])
            extra = t.extra
            if extra == nodes.ANY and self._growing.policy.extras != "keep":
                extra = None
            fields = {field.name: field for field in t.fields}
            others = self._growing.others(t)
            known = _RecordInfo(KeyPlan(t.fields), fields, required, others, extra)
            self._records[t] = known
        return known


def _is_streamed(shape: nodes.Type) -> bool:
    """Whether values of the type *shape* are streamed; sets are not, as they are sorted."""
    return (
        isinstance(shape, nodes.List | nodes.Tuple)
        or (isinstance(shape, nodes.MapOf) and shape.key == nodes.STRING)
        or (isinstance(shape, nodes.Record) and not shape.matching)
    )


#: The types around others that put no constraint on the words of a text.
_WRAPPERS = (nodes.Maybe, nodes.Annotation, nodes.Union, nodes.Ref)

_MAP = nodes.MapOf(nodes.STRING, nodes.ANY)
_LIST = nodes.List(nodes.ANY)
