"""Token counts of answers, as vendors' clients report them."""

from __future__ import annotations

from typing import NamedTuple


class Usage(NamedTuple):
    """Number of input and output tokens of model requests.

    #: input: those of the requests, cached ones too; output: those that the model wrote
    """

    input: int
    output: int

    @property
    def total(self) -> int:
        """The sum of input and output tokens."""
        return self.input + self.output

    def add(self, other: Usage) -> Usage:
        """Return the sum of this usage and *other*."""
        return Usage(self.input + other.input, self.output + other.output)
