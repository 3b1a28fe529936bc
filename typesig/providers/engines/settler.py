"""What the settling of every shape shares: the engine's row, the definitions, and what is lost.

`Settler` is all that the modules of single kinds know; `settling` has the one for every shape.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

from typesig.algebra.constructors import union
from typesig.algebra.definitions import Definition
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, NIL, Enum, Maybe, Type, Union
from typesig.algebra.rows.values import Const
from typesig.engine_limits import MAX_SETTLED
from typesig.errors import TooLarge
from typesig.notations.json_schema.keywords.kinds import JSON_KINDS, KINDS, NEVER, WHOLE, JsonKind
from typesig.providers.engines.engine import Enforced, Path, losing
from typesig.relations.limits.bounds import Limit
from typesig.relations.limits.normal_form import Parts, limit
from typesig.relations.proofs.emptiness import EmptinessProver


class Settler(ABC):
    """Makes types that an engine enforces, none of whose values are lost.

    #: enforced: what the engine enforces; lose: records what is widened, and to what
    #: names: the definitions, exact and without notes
    #: prover: what proves that types have no value in common
    """

    def __init__(self, title: str, enforced: Enforced, names: Mapping[str, Type]) -> None:
        self.enforced = enforced
        self.names = names
        self.losses: list[Loss] = []
        self.lose = losing(self.losses, title)
        self.prover = EmptinessProver(tuple([Definition(n, t) for n, t in names.items()]))
        self._left = MAX_SETTLED

    @abstractmethod
    def met(self, pos: Parts, neg: Parts, at: Path) -> Type:
        """Return what is written for the values of all of *pos* and of none of *neg*."""

    def met_by(
        self, ways: Iterable[Type], shapes: Parts, others: Parts, limits: list[Limit], at: Path
    ) -> Type:
        """Return what is written for the values of *shapes* within *limits* of one of *ways*.

        None of them is of one of *others*.
        """
        kept = tuple([limit(each) for each, wanted in limits if wanted])
        gone = tuple([limit(each) for each, wanted in limits if not wanted])
        return alternatives([self.met((*shapes, *kept, way), (*others, *gone), at) for way in ways])

    def settled(self, t: Type, at: Path) -> Type:
        """Return what is written for *t*, which stands at *at*."""
        return self.met((t,), (), at)

    def spend(self, count: int = 1) -> None:
        """Count *count* schemas; raise `TooLarge` if there are too many."""
        self._left -= count
        if self._left < 0:
            raise TooLarge(f"a grammar may hold {MAX_SETTLED} types, this one would hold more")

    def size(self, found: tuple[int, int | None], at: Path) -> tuple[int, int | None]:
        """Return the least and the greatest size that the engine counts to."""
        low, high = found
        most = self.enforced.most_size
        if low > most or (high is not None and high > most):
            self.lose(at, "so large a size", "any size")
        return low if low <= most else 0, None if high is None or high > most else high

    def drop(self, at: Path, what: str) -> None:
        """Record that *what*, at *at*, is left out, since a model cannot write it."""
        self.losses.append(Loss("narrowed", at, what, "a model cannot write it"))

    def apart(self, one: Type, other: Type) -> bool:
        """Tell whether it is proved that *one* and *other* have no value in common."""
        return self.prover.prove((one, other))


def alternatives(members: Iterable[Type]) -> Type:
    """Return the type of the values of at least one of *members*."""
    found = [member for member in members if member != NEVER]
    if not found:
        return NEVER
    made = union(found)
    inner, null = (made.inner, {NIL}) if isinstance(made, Maybe) else (made, set())
    members = {*inner.members, *null} if isinstance(inner, Union) else {inner}
    return ANY if ANY in members or members.issuperset(WHOLES) else made


def constants(others: Iterable[Type], kind: JsonKind) -> list[Const]:
    """Return the constants of *kind* in those of *others* that are enums."""
    values = [value for other in others if isinstance(other, Enum) for value in other.values]
    return [value for value in values if JSON_KINDS[value.kind] == kind]


#: The types of all values of each kind.
WHOLES = tuple([WHOLE[kind] for kind in KINDS])
