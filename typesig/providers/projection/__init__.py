"""Tools and contracts in the form of one provider, and the calls and answers read back.

In: a toolset or a contract, and a vendor.  Out: definitions, losses, findings; answers to calls.
"""
