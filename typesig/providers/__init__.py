"""Providers: the definitions that vendors of models take, and the way back from their calls.

`projection` makes the definitions of a toolset, `answers` the response format of a contract;
`rewriting` rewrites types to what a `profile` can say, each with a codec (`codecs`) that undoes it;
`names` makes legal names; `limits` has what is published of counts and sizes, with dates, and
`budgets` counts against them.  `handling` runs the calls in a model's answer and makes the messages
that go back, in the formats of `openai_calls`, `anthropic_calls`, `gemini_calls` and `mcp_calls`;
`retelling` writes feedback in the form in which arguments were sent.
To add a provider, write a module like `anthropic`: a function from options to a `Profile`, and the
forms of a definition and of a response format; and one like `anthropic_calls`, which reads calls
and writes results; then add its rows to `vendors` and to `handling`.
"""
