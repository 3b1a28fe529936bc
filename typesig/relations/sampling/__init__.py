"""Values of a type, and values near them that it refuses.

In: a type and a source of chance.  Out: values.  A scalar is a row of `SCALAR_MAKERS`.
"""
