"""The keywords of JSON Schema: dialects, references, kinds, formats, constraints.

In: a document.  Out: which keywords it may use, and what a reference in it leads to.  A keyword of
a constraint is a row of `KEYWORDS`; a format is a row of `SPELLINGS`; a draft is a dialect.
"""
