"""A signature to verdicts: `check` holds the meaning, `policy` the modes, `outcome` the answer.

`verdicts` is what others call; nothing is loaded here, so that a part can be had without the rest.
A coercion is a row of `coercions`, a mode a row of `policy.MODES`, a message a row of
`outcome.SENTENCES`: to add one, add its row.
"""
