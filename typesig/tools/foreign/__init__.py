"""Tools that others defined by schemas, over functions that call them.

In: schemas and texts of others.  Out: tools, with the losses of reading them.  To read one more
form of definitions, add its row to `FORMS` of `definitions`.
"""
