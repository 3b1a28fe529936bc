"""The tightest sensible type of some samples.

In: values.  Out: a type.  What is observed at a place is a field of an observation.
"""
