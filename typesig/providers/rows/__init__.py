"""Data on providers: limits, legal names, profiles, vendors; and the codecs of values.

In: names of providers.  Out: rows.  A limit and a piece of advice have a date and a page.
"""
