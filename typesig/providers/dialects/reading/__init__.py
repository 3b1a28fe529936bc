"""The reading of a text in a dialect, which arrives in pieces.

`reader` is the only reader: it tells of text, reasoning and calls.  `balanced` and `tagged` read
what stands between the marks of a call, `arriving` tells of arguments that have ended in it, and
`members` takes name and arguments out of it.  `choosing` finds the dialect of a text.
"""
