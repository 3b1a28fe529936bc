"""Generated code that reads model answers in the forms that clients return most often.

In: rows of where answers have calls.  Out: a function that reads an answer of a usual form at once,
and leaves others to the forms of the vendor.  Nothing here has a meaning of its own: it can be
switched off.  To have another answer read here, add or change a row of its vendor.
"""
