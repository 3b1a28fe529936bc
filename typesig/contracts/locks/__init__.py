"""Locks: the contracts of tools as text, and back.

In: tools, or the text of a lock.  Out: contracts with fingerprints, and the text of a lock.
"""
