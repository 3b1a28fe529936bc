"""Dialects: the calls that open models write as text, read back and written.

`dialect` says what a dialect consists of, `rows` has one row for each family, and `turns` what its
templates say of tools and results.  `templates` takes a response template apart.  By the same rows,
`reading` reads calls, `writing` writes them, `listing` lists tools, and `answers` writes results.
"""
