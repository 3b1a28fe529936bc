"""What providers take, as data: limits, legal names, profiles; and how values travel.

In: names of providers.  Out: rows.  A limit is a row of `LIMITS` with its date and its page.
"""
