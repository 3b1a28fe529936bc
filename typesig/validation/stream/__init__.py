"""Values whose text is still arriving: what has ended is checked, the rest is named.

In: pieces of text.  Out: partial outcomes.  The law: whatever the pieces, the end is the same.
"""
