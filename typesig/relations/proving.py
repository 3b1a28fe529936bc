"""What the proof for one kind of values needs of the proof as a whole."""

from __future__ import annotations

from typing import Protocol

from typesig.algebra.nodes import MapOf, Type
from typesig.algebra.signature import Definition
from typesig.relations.normal_form import Parts


class Prover(Protocol):
    """Proves that types have no value in common; `emptiness` implements it."""

    definitions: tuple[Definition, ...]

    def is_empty(self, pos: Parts, neg: Parts = ()) -> bool:
        """Tell whether it is proved that no value is of all of *pos* and of none of *neg*."""
        ...

    def step(self) -> None:
        """Count a step; raise if there are none left."""
        ...

    def with_taken_keys(self, t: MapOf) -> MapOf:
        """Return *t* with all keys that it takes in its type of keys."""
        ...

    def has_keywords(self, t: Type) -> bool:
        """Tell whether a value of *t* may contain a keyword."""
        ...
