"""Python to signatures: hints, callables, docstrings, and the way between JSON and host objects.

A host type that is one scalar is a row of `leaves.LEAVES`; a kind of hint is a row of
`hints.readers`; metadata in `Annotated` is read by `metadata`; a docstring style is a row
of `docstrings.STYLES`.
"""
