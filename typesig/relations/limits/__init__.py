"""What all relations know of types: kinds, bounds, normal forms, and the steps they may take.

In: types.  Out: facts that proofs and samples read.  A kind, a bound or a format is a row here.
"""
