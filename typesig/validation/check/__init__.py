"""The meaning of a type: one walk that checks and coerces, compiled to closures.

In: a type and a policy.  Out: a checker, which takes a value and the state of a run.  A shape has a
case in `check`, and its checker in the module that is named after it.
"""
