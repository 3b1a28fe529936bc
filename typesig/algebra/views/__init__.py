"""Signatures seen in another way: with names for repeated types, redacted, with shown defaults.

In: a signature.  Out: a signature with the same meaning for whom it is shown to.  A new view is a
module with one function from a signature to a signature.
"""
