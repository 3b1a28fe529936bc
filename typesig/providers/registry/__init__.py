"""Data on providers, and the forms that all of them share.

In: names of providers, rows of vendors.  Out: limits, profiles, calls and replies, codecs.

- `provider` has the names of providers, the limits and the advice that they publish, and the names
  that they take; `vendor` says what a row of a vendor consists of.
- `calls` has calls and replies as all vendors share them, `answers` the places of calls in answers.
- `codecs` convert values to the sent types and back, `decode_operations` do so on the fast path.

To add a limit or a piece of advice, add a row with its date and page.
"""
