"""Python objects and data: decoders of arguments, encoders of results, as plans.

In: data, or an object of the host.  Out: the other one.  A host type that is spelled as one scalar
is a row of `leaves`.
"""
