"""Compare the types of two contracts, shape by shape.

In: two signatures.  Out: changes by rule and place, with two types between which an example is
looked for.  To compare a new shape, add its row to `COMPARISONS` in `shapes`.
"""
