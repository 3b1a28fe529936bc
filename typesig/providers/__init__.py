"""Providers: the definitions that vendors of models take, and the way back from their calls.

In: toolsets and contracts.  Out: a vendor's definitions, or an engine's constraint, and the answers
to calls.  `entry_points` has the functions behind `project`.

- `registry` has data on providers and the forms all share; `vendors` has a row for each vendor, and
  `dialogues` ask its clients.
- `rewriting` makes types those a profile can say, `projection` definitions of tools and contracts.
- `dialects` are the calls that open models write as text; `dialect_parsing` reads them.
- `engines` hold a model to a type while it writes, by the grammars of `grammars`.

To add a vendor, add its module to `vendors`; a family of open models, its row to `dialects`.
"""
