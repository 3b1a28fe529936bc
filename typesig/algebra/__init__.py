"""What a type is.

`nodes` holds the closed set of shapes, `make` their smart constructors, `traversal` the walks over
them, `signature` the whole.  What is regular is a row: a scalar in `scalars`, a constraint in
`constraints`, a format in `formats`, a limit in `limits`.  To add one, add its row; the totality
test names the rows that the other rooms then lack.
"""
