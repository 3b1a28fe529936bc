"""Contracts for what a model should answer, and the loop that asks until the answer fits.

In: a hint, a signature or a callable; a client or a function that sends messages.  Out: a
`Contract`, which describes and reads an answer, and an `Answer` with the outcome and its attempts.
`conversation` asks by a function, `exchanges` and `client_asks` by the client of a vendor.  To add
an option of requests, add it to `request_options` and to the terms of `exchanges`.
"""
