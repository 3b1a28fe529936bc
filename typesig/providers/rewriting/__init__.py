"""Types rewritten to those of a profile, each with a codec that reverses the change.

In: a type and a profile.  Out: a type, a codec, and losses.  `shape_rewriter` has a case for each
shape and calls the others; `rewriter` has what they share.  `descriptions` says in words what a
schema cannot, and which arguments are sent unchanged.  To express a constraint where a profile does
not take it, add a case to `leaf_rewriter`.
"""
