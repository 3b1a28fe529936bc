"""Engines of constrained decoding: what a model may write, as an engine takes it.

In: a contract, or a toolset and a dialect.  Out: a `Constraint`, with losses.

- `engine` has what a row says of an engine, and what is made for it.
- `lowering` makes a type one that the engine enforces, by its kinds of values in `containers` and
  `scalars`; `write_bounds` bounds it; `typesig.providers.grammars` writes it as a grammar.
- `registry` has a row for each engine, and the functions behind `project`.

To add an engine, add its name to `EngineName`, and its row to `registry`.
"""
