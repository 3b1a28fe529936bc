"""The check in generated code: a predicate for each type and policy, which the check overrules.

`program` compiles predicates, `compiled_verdicts` what returns outcomes.  `shapes`, `union_source`,
`conditions` write what judges a value, `coerced` and `conversions` what changes
it or notes what is wrong; `source` and `function_texts` hold the lines.  `sent_text` tells how a
JSON text of a type is read before it is judged.
"""
