"""The check in generated code: a predicate for each type and policy, which the check overrules.

`program` compiles and caches, `shapes`, `choices`, `records` and `conditions` write the source,
`source` holds it, `texts` joins its lines, and `answers` and `counts` have what it calls.
"""
