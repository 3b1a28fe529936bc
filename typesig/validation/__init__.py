"""Checking values against types: `check` defines the meaning, `policy` the modes.

Other packages call `verdicts`, which returns an `outcome.Outcome`.  This module imports nothing, so
that a part can be loaded without the rest.
To add a coercion, a mode or a kind of issue, add its row to `coercions.COERCIONS`, `policy.MODES`
or `issues.SENTENCES`.
"""
