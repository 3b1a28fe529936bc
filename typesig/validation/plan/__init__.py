"""Plans: what is done with values of one type under one policy, compiled once.

In goes a type, with the plan of its hint, and a policy; out comes a tree of operations, which are
frozen data.  Each operation has two forms side by side: `closure`, which is used at once, and
`emit`, which adds lines of source once values of the type come often.  Both return the result, or
raise `Mismatch`: then the check of `typesig.validation.check` says where and why.

An operation that has no `emit` of its own is called from the source of its parent, so that a rare
type costs what it costs, and what is around it stays fast.  To add an operation, add a frozen class
with `closure` to the module of its kind, and a row to the test that compares the forms.
"""
