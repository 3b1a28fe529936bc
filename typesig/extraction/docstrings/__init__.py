"""Docstrings: descriptions of parameters and results, and types that are named only there.

In: a docstring.  Out: its parts.  Plain docstrings are read here; others by docstring_parser.
"""
