"""Issues and the texts about them: excerpts of values, names of types, suggestions.

In: values and types.  Out: short, safe texts, and issues as data.  To add an issue, add its code to
`IssueCode` and its sentence to `SENTENCES`.
"""
