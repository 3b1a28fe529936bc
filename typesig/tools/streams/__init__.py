"""Answers and arguments that arrive in pieces.

In: pieces of text, and what reads them.  Out: partial outcomes, and the outcome of the whole.
`stream` reads JSON; `dialects` reads the text of open models, where calls stand between prose.
"""
