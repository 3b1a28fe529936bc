"""Whole programs, one task each: docs/cookbook.md shows them with what they print."""
