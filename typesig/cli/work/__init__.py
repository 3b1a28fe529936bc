"""What commands do, apart from their options.

In: what `inputs` has read.  Out: lines on standard output, and an exit status.
"""
