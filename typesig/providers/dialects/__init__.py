"""Dialects: the calls that open models write as text, as data, and written by it.

In: tools, calls, results, and the row of a family of models.  Out: their texts in its template.
`dialect` says what a row consists of, `prompt_templates` what its templates say of tools and
results, and `response_templates` takes a template of transformers apart.  `tool_listing` and
`call_writer` write by these rows; `typesig.providers.dialect_parsing` reads by them, with `lexer`.
To add a family, add its row to `json_rows` or `tagged_rows`, and to `registry`.
"""
