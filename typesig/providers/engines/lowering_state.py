"""State shared by the lowering of all shapes: support, definitions and losses.

`LoweringState` is all that the modules of single kinds know; `settling` has the one for every
shape.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from typesig.algebra.constructors import make_union
from typesig.algebra.definitions import Definition
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, NIL, Enum, Maybe, Type, Union
from typesig.algebra.rows.values import Const
from typesig.errors import TooLarge
from typesig.limits.engines import MAX_SETTLED
from typesig.notations.json_schema.keywords import JSON_KINDS, KINDS, NEVER, WHOLE, JsonKind
from typesig.providers.engines.engine import Path, SchemaSupport, make_loss_recorder
from typesig.relations.limits.bounds import Limit
from typesig.relations.limits.normal_form import Parts, limit
from typesig.relations.proofs.emptiness import EmptinessProver


class LoweredType(NamedTuple):
    """A type that an engine enforces, with definitions and losses."""

    type: Type
    names: Mapping[str, Type]
    losses: tuple[Loss, ...]


class LoweringState(ABC):
    """State and operations that the lowering of every shape shares.

    #: enforced: what the engine enforces; lose: records what is widened, and to what
    #: names: the definitions, exact and without notes
    #: prover: what proves that types have no value in common
    """

    def __init__(self, title: str, enforced: SchemaSupport, names: Mapping[str, Type]) -> None:
        self.enforced = enforced
        self.names = names
        self.losses: list[Loss] = []
        self.lose = make_loss_recorder(self.losses, title)
        self.prover = EmptinessProver(tuple([Definition(n, t) for n, t in names.items()]))
        self._left = MAX_SETTLED

    @abstractmethod
    def intersect(self, pos: Parts, neg: Parts, at: Path) -> Type:
        """Lower the type of the values in all types *pos* and in no type of *neg*."""

    def lower_alternatives(
        self, ways: Iterable[Type], shapes: Parts, others: Parts, limits: list[Limit], at: Path
    ) -> Type:
        """Lower the union of *ways*, each intersected with *shapes* and *limits*.

        None of them is of one of *others*.
        """
        kept = tuple([limit(each) for each, wanted in limits if wanted])
        gone = tuple([limit(each) for each, wanted in limits if not wanted])
        return unite_types(
            [self.intersect((*shapes, *kept, way), (*others, *gone), at) for way in ways]
        )

    def lower(self, t: Type, at: Path) -> Type:
        """Lower *t*, located at *at*, to a type that the engine enforces."""
        return self.intersect((t,), (), at)

    def count_types(self, count: int = 1) -> None:
        """Count *count* schemas; raise `TooLarge` if there are too many."""
        self._left -= count
        if self._left < 0:
            raise TooLarge(f"a grammar may hold {MAX_SETTLED} types, this one would hold more")

    def limit_size(self, found: tuple[int, int | None], at: Path) -> tuple[int, int | None]:
        """Drop size limits in *found* that exceed the engine's; record the loss."""
        low, high = found
        most = self.enforced.most_size
        if low > most or (high is not None and high > most):
            self.lose(at, "so large a size", "any size")
        return low if low <= most else 0, None if high is None or high > most else high

    def drop(self, at: Path, what: str) -> None:
        """Record the loss of a part at *at* because a model cannot write it."""
        self.losses.append(Loss("narrowed", at, what, "a model cannot write it"))

    def is_disjoint(self, one: Type, other: Type) -> bool:
        """Whether *one* and *other* provably have no value in common."""
        return self.prover.prove((one, other))


def unite_types(members: Iterable[Type]) -> Type:
    """Make the union of *members*; a union of all JSON kinds becomes `any`."""
    found = [member for member in members if member != NEVER]
    if not found:
        return NEVER
    made = make_union(found)
    inner, null = (made.inner, {NIL}) if isinstance(made, Maybe) else (made, set())
    members = {*inner.members, *null} if isinstance(inner, Union) else {inner}
    return ANY if ANY in members or members.issuperset(WHOLES) else made


def get_constants(others: Iterable[Type], kind: JsonKind) -> list[Const]:
    """Constants of *kind* in the enums of *others*."""
    values = [value for other in others if isinstance(other, Enum) for value in other.values]
    return [value for value in values if JSON_KINDS[value.kind] == kind]


#: The types of all values of each kind.
WHOLES = tuple([WHOLE[kind] for kind in KINDS])
