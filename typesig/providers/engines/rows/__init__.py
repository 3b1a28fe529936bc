"""The engines, one row each."""
