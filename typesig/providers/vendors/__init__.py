"""The vendors: how each writes definitions, calls and results.

In: tools, or messages of a vendor.  Out: definitions, calls, messages.  A vendor is a module and a
row of `VENDORS`.
"""
