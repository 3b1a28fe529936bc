"""Calls in generated code: what needs no reading, coercing, decoding or encoding gets none.

In: a bound function.  Out: a function that answers plain calls, and leaves others to `call`.
`quick_answers` does the same for the texts of answers.
Nothing here has a meaning of its own: it can be switched off.
"""
