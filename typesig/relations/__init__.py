"""Relations between types: subtypes, differences, simpler types, samples.

`sampling` draws values; `subtyping` proves that one type is a subtype of another or finds a
counterexample; `simplifying` rewrites a type to a shorter one; `differences` lists what changed
between two signatures; `inferring` makes a type of sample values.
`work` counts the steps of all of these, and ends each question within its budget.
Proofs and drawing take types apart with `normal_form`: a new shape needs a case there.
"""

from __future__ import annotations

from typesig.relations.inference.inferring import Inference, infer
from typesig.relations.limits.work import NoSample
from typesig.relations.proofs.differences import Difference, difference
from typesig.relations.proofs.simplifying import simplify
from typesig.relations.proofs.subtyping import counterexample, disjoint, equivalent, is_subtype
from typesig.relations.sampling.samples import near_misses, samples

__all__ = [
    "Difference", "Inference", "NoSample", "counterexample", "difference", "disjoint",
    "equivalent", "infer", "is_subtype", "near_misses", "samples", "simplify",
]  # fmt: skip
