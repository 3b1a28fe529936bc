"""What notations that are written as text share: literals, quoting, mistakes, grammar rules.

In: text, or parts of types.  Out: values, parts of texts, and errors with their place.  What only
one notation needs lives in the package of that notation.
"""
