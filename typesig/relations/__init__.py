"""Types against types, and values for them.

`sampling` draws values; `subtyping` proves that all values of one type are values of another, or
finds one that is not; `simplifying` says the same in less; `comparing` tells what changed.
All of them take a type apart with `clauses`: a new shape needs a case there.
`inferring` goes the other way, from values to their type.
"""

from __future__ import annotations

from typesig.relations.differences import Difference, difference
from typesig.relations.errors import NoSample
from typesig.relations.inferring import Inference, infer
from typesig.relations.sampling import near_misses, samples
from typesig.relations.simplifying import simplify
from typesig.relations.subtyping import counterexample, disjoint, equivalent, is_subtype

__all__ = [
    "Difference",
    "Inference",
    "NoSample",
    "counterexample",
    "difference",
    "disjoint",
    "equivalent",
    "infer",
    "is_subtype",
    "near_misses",
    "samples",
    "simplify",
]
