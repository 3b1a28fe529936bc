"""Every reader of foreign text or data, fed with what nobody meant to send.

A run of the suite tries a few hundred inputs for each reader.  `TYPESIG_LAWS` sets the number of
inputs, for example for an hour of fuzzing:

    TYPESIG_LAWS=100000 python -m pytest -q tests/fuzz

Each input has a budget of steps in proportion to its length, so one that hangs fails.
"""
