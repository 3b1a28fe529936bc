"""Values whose text is still arriving: complete parts are checked, the others are named.

In: pieces of text.  Out: partial outcomes.  The law: however the text is cut, the end is the same.
To show one more shape while it arrives, add its case to `part_shapes`.
"""
