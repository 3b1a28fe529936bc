"""Callables and their hints as Python has them: parameters, overloads, names that are resolved.

In: a callable.  Out: names, defaults and hints that are objects, with warnings.  A kind of callable
is a case in `callables`.
"""
