"""The work of `typesig eval`: tasks, models, variants, scores and the report."""
