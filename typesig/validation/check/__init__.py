"""Checkers of values, compiled from types: one traversal that checks and coerces.

`check` compiles a type and a policy to a checker, a function of a value and the state of a run.
The checkers of each shape of types are in a module of their own.
"""
