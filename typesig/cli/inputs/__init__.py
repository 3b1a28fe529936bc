"""What commands take and how they print: targets, signatures, data files, options.

In: arguments of the command line.  Out: tools, signatures, rows of data.
"""
