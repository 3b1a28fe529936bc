"""Grammars: what a model may write, as text rules."""
