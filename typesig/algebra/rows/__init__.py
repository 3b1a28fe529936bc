"""The rows of meaning: scalars, constraints, formats, and the values that they speak of.

In: names and Python values.  Out: frozen rows that every other package reads.  To add a scalar, a
constraint or a format, add a row to `SCALARS`, `CONSTRAINTS` or `FORMATS`.
"""
