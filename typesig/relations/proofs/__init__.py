"""Proofs about types: which are subtypes, empty, equal, or simpler forms of others.

In: types.  Out: proved, refuted with an example, or unknown.  A kind of values has a proof of its
own, to which `emptiness` turns.
"""
