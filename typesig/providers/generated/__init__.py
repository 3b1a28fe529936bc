"""Answers of models read by generated code: the calls in those that clients mostly return.

In: rows of where answers have calls.  Out: a function that reads an answer of a usual form at once,
and leaves others to the forms of the vendor.  Nothing here has a meaning of its own: it can be
switched off.  To have another answer read here, add or change a row of its vendor.
"""
