"""What an engine holds a model to, as data that the narrowing of types reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple


class Enforced(NamedTuple):
    """What an engine enforces of a JSON Schema.

    #: lengths: whether texts have lengths
    #: formats: the names in `format`, each with what the engine lets through beyond it, or empty
    #: takes: tells whether it takes a pattern
    #: many_patterns: whether a text may have several patterns and formats
    #: lengths_beside: whether lengths may stand beside a pattern or a format
    #: open_patterns: whether types of keys by pattern are enforced beside other keys
    #: forbidden: whether a property of an open object may be forbidden
    #: steps: which numbers may be multiples of others; bounded_steps: whether between bounds, too
    #: long_constants: whether it spells a constant with 17 digits, not with the fewest
    #: most_size: the greatest size that it counts to
    #: most_bound: the greatest bound of a number that is exact
    #: most_digits: the most digits of a bound behind its point; most_step: the greatest of a step
    """

    lengths: bool = True
    formats: Mapping[str, str] = {}
    takes: Callable[[str], bool] = bool
    many_patterns: bool = True
    lengths_beside: bool = True
    open_patterns: bool = True
    forbidden: bool = True
    steps: Literal["all", "integers", "none"] = "all"
    bounded_steps: bool = True
    long_constants: bool = False
    most_size: int = 2**31 - 1
    most_bound: int = 2**53
    most_digits: int = 15
    most_step: int = 10_000
