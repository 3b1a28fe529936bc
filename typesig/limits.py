"""Limits with names: beyond them stands a clear error, never a crash.

Each is counted where it says; adding one is a line here and a use.
"""

from __future__ import annotations

#: Shapes within shapes in one type; a node that would be deeper cannot be made (`TooDeep`).
MAX_DEPTH = 128

#: Names that stand for names, one after the other, before a type is reached (`TooDeep`).
MAX_CHAIN = 64

#: Characters of one signature text (`TooLarge`).
MAX_TEXT = 250_000

#: Characters that named types take at most where a notation without names writes them in their
#: places; beyond it one word stands for such a type, which is a loss.
MAX_INLINED = 100_000

#: Levels of lists and maps in one value, or in JSON text (an issue of the outcome).
MAX_VALUE_DEPTH = 128

#: Characters of one JSON text that a model sent (an issue of the outcome).
MAX_JSON = 16_000_000

#: Digits of one number, in JSON text and in text that is read as a number.
MAX_DIGITS = 400

#: Items that are taken from an iterator that a tool returns (`TooLarge`).
MAX_ITEMS = 1_000_000

#: Errors and warnings that one check collects of each kind; the rest is counted.
MAX_ISSUES = 1_000

#: Lines that a report shows of each kind; the rest is counted.
MAX_REPORT = 50

#: Items of a list that a tree of messages goes through; beyond, it tells them by index.
MAX_PADDED = 1_000

#: Characters of a value shown in a message.
MAX_EXCERPT = 60

#: Characters of one pattern (`TooLarge`).
MAX_PATTERN = 10_000

#: Groups within groups in one pattern (`TooLarge`).
MAX_PATTERN_DEPTH = 32

#: Times that a pattern may ask for something (`TooLarge`).
MAX_REPEAT = 100_000

#: Characters of a text in which a pattern is searched for; in longer ones none is found.
MAX_SEARCHED = 1_000_000

#: Steps that one search for a pattern may take at worst; in a text so long that it could take
#: more, none is found.
MAX_STEPS = 50_000_000

#: Characters of a text that a pattern must be searched in within `MAX_STEPS`, or it is refused.
LEAST_SEARCHED = 1_000

#: Characters of texts and numbers in one JSON Schema that is read (`TooLarge`).
MAX_SCHEMA = 1_048_576

#: Schemas within schemas in one JSON Schema that is read (`TooDeep`).
MAX_SCHEMA_DEPTH = 64

#: Schemas in one JSON Schema that is read, those that references lead to among them (`TooLarge`).
MAX_SCHEMAS = 10_000

#: Lists, vectors, maps and sets within each other in EDN (`TooDeep`): a shape of Malli takes two
#: at most, the rest is for what stands around it.
MAX_EDN_DEPTH = 320

#: Records that are written out for one callable, or `:any` stands for the next, with a warning:
#: fifty within fifty within fifty have no end.
MAX_RECORDS = 300

#: Characters of the texts of records' fields that are kept for one callable, with a warning.
MAX_DESCRIBED = 50_000

#: Items of a default that is shown; a larger one is kept for the call, with a warning.
MAX_DEFAULT = 1_000

#: Names and lists that an inference from samples tells apart (`TooLarge`).
MAX_PLACES = 100_000

#: Values in one sample that a type is inferred from (`TooLarge`).
MAX_SAMPLE = 10_000_000

#: Forms and values in one Malli schema that is read (`TooLarge`).
MAX_FORMS = 20_000
