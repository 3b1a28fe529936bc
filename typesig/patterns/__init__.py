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
    has_assertion,
    measure_width,
    walk,
)
from typesig.patterns.reader import parse_pattern, quote_pattern
from typesig.patterns.search import (
    analyze_pattern,
    build_search,
    extend_pattern,
    to_canonical_pattern,
    to_raw_pattern,
    to_rust_pattern,
    to_whole_pattern,
)

__all__ = [
    "EMPTY",
    "Anchor",
    "Chars",
    "Charset",
    "Choice",
    "Look",
    "Node",
    "Repeat",
    "Sequence",
    "analyze_pattern",
    "build_search",
    "extend_pattern",
    "has_assertion",
    "is_pattern",
    "measure_width",
    "parse_pattern",
    "quote_pattern",
    "to_canonical_pattern",
    "to_raw_pattern",
    "to_rust_pattern",
    "to_whole_pattern",
    "walk",
]  # fmt: skip
