"""The check in generated code: a predicate for each type and policy, which the check overrules.

`program` compiles and caches, `shapes`, `choices`, `records` and `conditions` write the source,
`source` holds it, and `answers` has what it calls.
"""
