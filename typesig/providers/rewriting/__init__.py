"""Types rewritten to what a profile takes, each with the codec that undoes it.

In: a type and a profile.  Out: a type, a codec, and losses.  A shape has a case in `rewriting`.
"""
