"""Bridges: tools as other frameworks take them, one module and one extra for each framework.

Each module has the functions `tool` and `tools`, which return the framework's own objects.  The
framework is imported when one of them is called.
To add a bridge, write a module with these two functions over `bridge`, its extra, its row in the
table of the how-to page, and a run of an agent in `tests/sdks`.
"""
