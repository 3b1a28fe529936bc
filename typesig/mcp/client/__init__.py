"""The tools of other servers: connections, their definitions, and calls of them.

In: an address or a command.  Out: tools.
"""
