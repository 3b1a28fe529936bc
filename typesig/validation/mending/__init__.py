"""What a model meant: values in prose, and JSON with mistakes.

In: text, and the type that it should hold.  Out: data, with the repairs that were made.  A mistake
that is mended is a row of `REPAIRS` in `rows`, and a step of the reader that meets it.
"""
