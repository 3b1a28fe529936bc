"""Reading values from the text of a model: values in prose, and JSON with mistakes.

In: text, and the type that its value should have.  Out: data, with the repairs that were made.  To
repair one more mistake, add a row to `REPAIRS` in `typesig.validation.policy`, and a step to the
reader that meets it.
"""
