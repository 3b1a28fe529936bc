"""The vendors: how each writes definitions, calls and results.

In: tools, or messages of a vendor.  Out: definitions, calls, messages.  To add a vendor, write its
row, a `Vendor`, in a module of its own, and add it to `registry`: `xai` is all that one takes whose
interface is that of another.
"""
