"""Parsing of a text in a dialect, which arrives in pieces.

In: pieces of a text, and a dialect.  Out: events: text, reasoning, calls, faults.  `reader` is the
only reader.  `balanced_body` and `tag_body` read what is between the marks of a call, `members`
finds names and arguments in it.  `detection` finds the dialect of a text.
To add a kind of body, add a class beside those two, and its case to `reader`.
"""
