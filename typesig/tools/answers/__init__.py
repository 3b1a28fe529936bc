"""Contracts for what a model should answer, and how its answer is asked for and read.

In: a hint, a signature or a callable.  Out: a contract.
"""
