"""Lock files: contracts of tools as text, written and read.

In: tools, or the text of a lock.  Out: contracts with fingerprints, and the text of a lock.
"""
