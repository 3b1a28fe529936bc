"""Tools that others defined, over functions that call them.

In: schemas and texts of others.  Out: tools.
"""
