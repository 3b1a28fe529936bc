"""Relations between types: subtypes, differences, simpler types, samples.

In go types, or anything that `parse` reads; out come verdicts, values and types.

- `proofs` prove that one type is a subtype of another, rewrite a type to a shorter one, and list
  the differences of two signatures.  All proofs reduce to `emptiness`.
- `sampling` draws values and changes them; `inference` reads a type from values.
- `normal_form` takes types apart for proofs and sampling, `bounds` reads their constraints, and
  `conformance` asks the check; `step_budget` ends each question within its budget.

To add a shape, add a case to `normal_form`.
"""

from __future__ import annotations

from typesig.relations.inference import Inference, infer
from typesig.relations.proofs.differences import Difference, difference
from typesig.relations.proofs.simplification import simplify
from typesig.relations.proofs.subtyping import counterexample, disjoint, equivalent, is_subtype
from typesig.relations.sampling.samples import near_misses, samples
from typesig.relations.step_budget import NoSample

__all__ = [
    "Difference", "Inference", "NoSample", "counterexample", "difference", "disjoint",
    "equivalent", "infer", "is_subtype", "near_misses", "samples", "simplify",
]  # fmt: skip
