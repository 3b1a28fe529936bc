"""What the proof for one kind of values needs of the proof as a whole."""

from __future__ import annotations

from typing import Protocol

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import Type
from typesig.relations.limits.conformance import Judge
from typesig.relations.limits.normal_form import Parts
from typesig.relations.limits.record_keys import MapKeys
from typesig.relations.limits.work import Work


class Prover(Protocol):
    """Proves that types have no value in common; `emptiness` implements it."""

    definitions: tuple[Definition, ...]
    judge: Judge
    map_keys: MapKeys
    work: Work

    def is_empty(self, pos: Parts, neg: Parts = ()) -> bool:
        """Whether it is proved that no value is of all of *pos* and of none of *neg*."""
        ...

    def has_keywords(self, t: Type) -> bool:
        """Whether a value of *t* may contain a keyword."""
        ...
