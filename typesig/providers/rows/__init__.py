"""What providers take, as data: limits, legal names, profiles, vendors; and how values travel.

In: names of providers.  Out: rows.  A limit and a piece of advice have a date and a page.
"""
