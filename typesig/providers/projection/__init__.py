"""Tools and contracts as one provider takes them, and the way back from its calls.

In: a toolset or a contract, and a vendor.  Out: definitions, losses, findings; answers to calls.
"""
