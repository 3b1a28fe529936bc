"""Hints and objects of other libraries, which are known by their marks and never imported.

In: a hint or an object of pydantic, attrs, msgspec, cattrs.  Out: types, decoders, encoders.  A
library is a module here and a row of `LIBRARIES`.
"""
