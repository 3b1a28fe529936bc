"""One call: from what a model sent to what a function takes, and from its result to an outcome.

In: text or data, and a function with its signature.  Out: an outcome.  The order is `given`,
`decoding`, `binding`, `running`, `results`, which `call` joins.  `called` has
what other rooms read of tools, and `renaming` gives a tool another name.
"""
