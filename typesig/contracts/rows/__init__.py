"""Rules of differences, and findings, which are instances of rules.

In: nothing.  Out: rows that say how severe a change is, what is told of it, and how it is mended.
"""
