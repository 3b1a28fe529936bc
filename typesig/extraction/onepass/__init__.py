"""Data that is checked and decoded in one pass, in generated code.

In: a type and its decode plan.  Out: readers that take what needs no mending, and leave the rest to
the check.  Nothing here has a meaning of its own: it can be switched off.
"""
