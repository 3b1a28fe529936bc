"""Hints of Python and its standard library as types, one reader for each kind of hint.

In: a hint and its context.  Out: a type with what decodes and encodes its values.  A reader is a
function here and a row in the table of `readers`.
"""
