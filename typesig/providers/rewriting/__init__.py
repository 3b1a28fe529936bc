"""Types lowered to a profile's types, each with a codec that reverses the change.

In: a type and a profile.  Out: a type, a codec, and losses.  A shape has a case in `rewriting`.
"""
