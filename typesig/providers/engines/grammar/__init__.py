"""Grammars: what a model may write, as text rules.

In: settled types, and the row of a dialect.  Out: the text of a grammar.  `shapes` has the algebra;
`making` makes it of types, by `digits`, `words` and a notation of values from `spellings`;
`calling` puts calls of tools between the marks of a dialect, by `records` where these have no JSON.
`gbnf_text`, `lark_text` and `regex_text` write grammars, `tags` structural tags; `automaton` says
what free text is where a syntax has no word for it.
To add a syntax, add its writer, and a case to `grammars.text_of`.
"""
