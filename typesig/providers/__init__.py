"""Providers: the definitions that vendors of models take, and the way back from their calls.

`projection` makes the definitions of a toolset, `answers` the response format of a contract;
`rewriting` rewrites types to what a `profile` can say, each with a codec (`codecs`) that undoes it;
`names` makes legal names; `limits` has what is published of counts and sizes, with dates, and
`budgets` counts against them.  `handling` runs the calls in a model's answer and makes the messages
that go back, in the vendor's own format; `projected` writes feedback in the form in which arguments
were sent.  All that is a vendor's own is one row, a `Vendor` of `rows.vendor`; `vendors.VENDORS` is
the table of the rows.  `dialects` reads the calls that open models write as text.
"""
