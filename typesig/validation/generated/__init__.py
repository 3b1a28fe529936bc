"""Generated code that checks values: a predicate for each type and policy.

`program` compiles predicates, `compiled_verdicts` what returns outcomes.  `shapes` and `conditions`
write what judges a value, `coercion_source` and `conversions` what changes it or notes what is
wrong; `source` and `verdict_source` hold the lines.  `scan_plans` tells how a JSON text of a type
is read before it is judged.
"""
