"""From a JSON Schema to a type: `parsing` is the entry, `reader` joins the readers of keywords.

In: data or JSON text.  Out: a signature, and what was lost.  A keyword that is read on its own has
a function here, and a row in the table of `reader`.
"""
