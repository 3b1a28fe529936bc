"""Grammars: what a model may write, as text rules.

In: lowered types, and the row of a dialect.  Out: the text of a grammar.

- `shapes` has the parts of a grammar and the spellings of values; `builder` makes parts of types,
  with `scalars` for numbers and texts.
- `call_text` puts calls of tools between the marks of a dialect, by `records` where their arguments
  are not JSON.
- `gbnf_text`, `lark_text` and `regex_text` write parts; `grammars` picks one, or structural tags.

To add a syntax, add its writer, and a case to `grammars`.
"""
