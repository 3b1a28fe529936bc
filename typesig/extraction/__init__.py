"""Python to signatures: hints, callables and docstrings; JSON values to host objects and back.

A host type that becomes one scalar is a row of `leaves.LEAVES`; a kind of hint is a row of
`hints.READERS`; metadata in `Annotated` is a row of `metadata.READERS`; a docstring style is a row
of `docstrings.STYLES`.
"""
