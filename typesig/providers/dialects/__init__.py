"""Dialects: the calls that open models write as text, read back and written.

`dialect` says what a dialect consists of, and `rows` has one row for each family.  `reader` is the
only reader: it takes a text in pieces and tells of text, reasoning and calls; `balanced` and
`tagged` read what stands between the marks of a call, `members` takes name and arguments out of it.
`writing` writes calls by the same rows.
"""
