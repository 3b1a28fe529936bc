"""What a check is told: policies, coercions, repairs, the keys of records, the state of one run.

In: names of modes, records, JSON text.  Out: values that the check reads.  A coercion is a row of
`CONVERSIONS` or `SWITCHES`; a repair is a row of `REPAIRS`; a mode is a row of `MODES`.
"""
