"""What a type is.

`nodes` has the closed set of shapes, `constructors` their smart constructors, `traversal` the walks
over them, `signature` the whole.  Scalars, constraints and formats are rows of the tables in
`scalars`, `constraints` and `formats`.  To add one, add its row; `tests/house/test_totality.py`
then names the tables of other packages that lack it.
"""
