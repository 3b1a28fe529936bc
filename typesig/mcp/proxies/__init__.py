"""A server that passes on what another one offers.

In: a connection.  Out: a server.
"""
