"""The limits of what engines of constrained decoding are given; see `typesig.limits`."""

from __future__ import annotations

# -- Engines of constrained decoding

#: Types that are read and written for a grammar. `TooLarge` is raised.
MAX_SETTLED = 40_000

#: Ways to meet an intersection or a negation that a grammar writes out. A part of it is left out,
#: which is a loss.
MAX_BRANCHES = 64

#: Characters of the texts that a pattern leaves out. No text is left out, which is a loss.
MAX_LEFT_OUT = 2_000

#: Characters of one text that a pattern leaves out. No text is left out, which is a loss.
MAX_LEFT_OUT_WORD = 48

#: Optional properties of an object that has one or more of them. The count is a loss.
MAX_COUNTED_PROPERTIES = 12

#: Parts of a grammar that is written as text. `TooLarge` is raised.
MAX_GRAMMAR = 200_000

#: Characters of a grammar that is one regular expression. `TooLarge` is raised.
MAX_REGEX = 50_000

#: Repetitions of a part in a grammar. The size is a loss.
MAX_REPEATED = 2_000

#: Rules that llama.cpp makes of a repetition, and then refuses. A rule is made of what is repeated.
MAX_GBNF_RULES = 2_000

#: Blanks at the beginning of a line of JSON text. A grammar lets no more through.
MAX_INDENT = 40

#: Characters of a text in a grammar, unless `longest` says otherwise. The bound is a loss.
MAX_WRITTEN_TEXT = 2_000

#: Digits of a number in a grammar, before and behind its point, unless `digits` says otherwise. The
#: bound is a loss.
MAX_WRITTEN_DIGITS = 18

#: Items of a list or a map in a grammar, unless `items` says otherwise. The bound is a loss.
MAX_WRITTEN_ITEMS = 100

#: Digits in the exponent of a number without bounds. A grammar lets no more through.
MAX_EXPONENT = 2
