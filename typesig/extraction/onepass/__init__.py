"""Generated code that checks and decodes data in one pass.

Readers are made from a type and its decode plan.  They accept data that needs no repair, and leave
other data to the checker.  Results are the same without this package.
"""
