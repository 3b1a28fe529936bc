"""The type table: rows that test each feature of typed Python.

`nouns` lists the features that must have rows; `rows` defines a row and judges it; each other module
contains the rows of one group.  To add a feature, add its name to `nouns`, and a row.
"""
