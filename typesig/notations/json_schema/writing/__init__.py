"""From a type to a JSON Schema: exact, or as a model is shown it.

In: a signature.  Out: schemas as data, and what they cannot say.  `writer` has a case for each
shape; what JSON Schema cannot say is widened by a row of `widening` first.
"""
