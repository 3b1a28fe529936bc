"""How messages of the Model Context Protocol travel: standard input and output, HTTP, frames.

In: a server of the protocol's SDK.  Out: a running server within limits.
"""
