"""What an engine holds a model to, as data that the narrowing of types reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from typesig.providers.rows.profile import EVERY_KEYWORD, Applied


class Enforced(NamedTuple):
    """What an engine enforces of a JSON Schema.

    #: constraints: the keywords of constraints, without formats
    #: formats: the names in `format`, each with what the engine lets through beyond it, or empty
    #: takes: tells whether it takes a pattern
    #: many_patterns: whether a text may have several patterns and formats
    #: lengths_beside: whether lengths may stand beside a pattern or a format
    #: key_patterns: whether types of keys by pattern are enforced, where no two patterns overlap
    #: open_patterns: whether they are beside other keys
    #: forbidden: whether a property of an open object may be forbidden
    #: counted: whether properties are counted where each declared one is required
    #: steps: which numbers may be multiples of others; bounded_steps: whether between bounds, too
    #: long_constants: whether it spells a constant with 17 digits, not with the fewest
    #: most_size: the greatest size that it counts to
    #: most_bound: the greatest bound of a number that is exact
    #: most_digits: the most digits of a bound behind its point; most_step: the greatest of a step
    """

    constraints: frozenset[Applied] = EVERY_KEYWORD
    formats: Mapping[str, str] = {}
    takes: Callable[[str], bool] = bool
    many_patterns: bool = True
    lengths_beside: bool = True
    key_patterns: bool = True
    open_patterns: bool = True
    forbidden: bool = True
    counted: bool = True
    steps: Literal["all", "integers"] = "all"
    bounded_steps: bool = True
    long_constants: bool = False
    most_size: int = 2**31 - 1
    most_bound: int = 2**53
    most_digits: int = 15
    most_step: int = 10_000
