"""Generated fast paths of calls, without parsing, coercing or encoding that is not needed.

`fast_path` generates a function that handles the common calls of a bound function, and leaves
others to `call`; `answer_readers` does the same for the texts of answers.  Results are the same
without this package.
"""
