"""A toolset as a server of the Model Context Protocol.

In: a toolset.  Out: a server, whose requests reach the tools.
"""
