"""The type table: for each noun of what a typed Python programmer writes, rows that are tried.

`nouns` lists what must have a row, `rows` says what a row is and judges it; each other module
holds the rows of one part.  To add a feature, add its words to `nouns` and a row.
"""
