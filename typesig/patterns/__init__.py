"""Regular expressions: the patterns of ECMA-262, searched in bounded time.

Other packages import only from here; an architecture test asserts it.

- `reader` parses a pattern into the tree of `nodes`, whose characters are the sets of `charset`.
- `grammar` tells whether a text is in the grammar of ECMA-262, with the names of `properties`.
- `automaton` and `backtracking` determine how long a text `re` can search in bounded time.
- `simulation` searches for what `re` could take too long for.
- `search` writes the tree for an engine, RE2 or `re`, and returns the function that searches.
- `spelling` returns the canonical text of a pattern.

To add an escape or a group, extend `reader`; to add an engine, add its `_Style` to `search`.
"""

from typesig.patterns.charset import Charset
from typesig.patterns.grammar import is_pattern
from typesig.patterns.nodes import (
    EMPTY,
    Anchor,
    Chars,
    Choice,
    Look,
    Node,
    Repeat,
    Sequence,
    asserts,
    walk,
    widths,
)
from typesig.patterns.reader import parse_pattern, pattern_text
from typesig.patterns.search import analyzed, rust_pattern, searcher, whole_pattern
from typesig.patterns.spelling import canonical_pattern

__all__ = [
    "EMPTY", "Anchor", "Chars", "Charset", "Choice", "Look", "Node", "Repeat", "Sequence",
    "analyzed", "asserts", "canonical_pattern", "is_pattern", "parse_pattern", "pattern_text",
    "rust_pattern", "searcher", "walk", "whole_pattern", "widths",
]  # fmt: skip
