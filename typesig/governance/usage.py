"""Token counts of answers, as vendors' clients report them."""

from __future__ import annotations

from typing import NamedTuple


class Usage(NamedTuple):
    """The tokens of answers.

    #: input: those of the requests, cached ones too; output: those that the model wrote
    """

    input: int
    output: int

    @property
    def total(self) -> int:
        """All tokens."""
        return self.input + self.output

    def add(self, other: Usage) -> Usage:
        """Sum of both."""
        return Usage(self.input + other.input, self.output + other.output)
