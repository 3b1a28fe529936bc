"""Engines of constrained decoding: what a model may write, as an engine takes it.

In: a contract, or a toolset and a dialect.  Out: a `Constraint`, with losses.  `engine` has what a
row says of an engine, `constraint` what is returned, `settling` and its kinds of values what an
engine enforces of a type.  `grammar` writes settled types, and texts with calls, as grammars,
`rows` has a row for each engine, and `doors` the functions behind `project`.
To add an engine, add its name to `EngineName`, its row, and that to `doors`.
"""
