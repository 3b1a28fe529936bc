"""Relations between types: subtypes, differences, simpler types, samples.

In go types, or anything that `parse` reads; out come verdicts, values and types.

- `proofs` prove that one type is a subtype of another, rewrite a type to a shorter one, and list
  the differences of two signatures.  All proofs reduce to `emptiness`.
- `sampling` draws values and changes them; `inference` reads a type from values.
- `limits` has what all of these share; `step_budget` ends each question within its budget.

To add a shape, add a case to `normal_form`: proofs and sampling take types apart there.
"""

from __future__ import annotations

from typesig.relations.inference import Inference, infer
from typesig.relations.limits.step_budget import NoSample
from typesig.relations.proofs.differences import Difference, difference
from typesig.relations.proofs.simplification import simplify
from typesig.relations.proofs.subtyping import counterexample, disjoint, equivalent, is_subtype
from typesig.relations.sampling.samples import near_misses, samples

__all__ = [
    "Difference", "Inference", "NoSample", "counterexample", "difference", "disjoint",
    "equivalent", "infer", "is_subtype", "near_misses", "samples", "simplify",
]  # fmt: skip
