"""Providers: the definitions that vendors of models take, and the way back from their calls.

`projection` makes the definitions of a toolset, `answers` the response format of a contract;
`rewriting` rewrites types to what a `profile` can say, each with a codec (`codecs`) that undoes it;
`names` makes legal names; `limits` has what is published of counts and sizes, with dates, and
`budgets` counts against them.
To add a provider, write a module like `anthropic`: a function from options to a `Profile`, and the
forms of a definition and of a response format; then add its row to `vendors`.
"""
