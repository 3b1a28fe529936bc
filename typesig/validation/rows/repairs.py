"""Repairs: mistakes in JSON text that a reader mends, one row each.

A row has the warning that tells of a mended text, and what is wrong with one that was not mended; a
policy turns rows on by id.  To add a repair, add its id to `RepairId` and its row to `REPAIRS`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

RepairId: TypeAlias = Literal[
    "code_fence", "prose", "reasoning", "byte_order_mark", "extra_comma", "missing_comma",
    "extra_bracket", "missing_bracket", "parentheses", "triple_quotes", "single_quotes",
    "typographic_quotes", "backtick_quotes", "bare_key", "bare_text", "key_equals",
    "python_literal", "literal_case", "undefined", "number_form", "comment", "line_break_in_text",
    "quotes_in_text", "odd_escape", "unknown_escape", "escaped_json", "odd_blank", "special_token",
    "several_values", "joined_values", "word_in_prose", "plain_text", "table",
]  # fmt: skip


class Repair(NamedTuple):
    """A kind of mistake in JSON text that can be repaired, with its messages.

    #: did: what was done, where `{}` stands for what is wrong
    #: wrong: what is wrong with a text that is not mended
    #: remedy: what to write instead
    #: on: whether it is mended by default; otherwise it is in the mode `lenient`
    """

    id: RepairId
    did: str
    wrong: str
    remedy: str
    on: bool = False

    @property
    def warning(self) -> str:
        """The warning for an applied repair."""
        return self.did.format(self.wrong)


#: Remedies of several rows.
_ALONE = "send the JSON text alone"
_IN_QUOTES = "write it in double quotes"
_DOUBLE = "JSON text is written with double quotes"
_LITERALS = "write true, false or null"

REPAIRS: dict[RepairId, Repair] = {
    row.id: row
    for row in (
        Repair("code_fence", "removed {}", "a code fence", _ALONE, on=True),
        Repair("prose", "removed the text around the JSON", "other text", _ALONE, on=True),
        Repair("reasoning", "removed {}", "a block of reasoning", _ALONE, on=True),
        Repair("byte_order_mark", "removed {}", "a byte order mark", "leave it out", on=True),
        Repair("extra_comma", "removed {}", "an extra comma", "leave it out", on=True),
        Repair("missing_comma", "added {}", "a missing comma", "write one between two values"),
        Repair("extra_bracket", "left out {}", "a bracket that closes nothing", "leave it out"),
        Repair("missing_bracket", "added the last bracket, behind all that the type has",
               "a missing bracket at the end", "close the list or object"),
        Repair("parentheses", "removed the {}", "parentheses around the value",
               "send the value alone", on=True),
        Repair("triple_quotes", "read {} as one", "three quotes",
               r"write one, and a line break as \n", on=True),
        Repair("single_quotes", "read {} as double quotes", "single quotes", _DOUBLE, on=True),
        Repair("typographic_quotes", "read {} as double quotes", "typographic quotes",
               "JSON text is written with plain double quotes", on=True),
        Repair("backtick_quotes", "read {} as double quotes", "backticks", _DOUBLE, on=True),
        Repair("bare_key", "read {}", "a key without quotes", _IN_QUOTES, on=True),
        Repair("bare_text", "read {}", "a text without quotes", _IN_QUOTES),
        Repair("key_equals", "read {} as a colon", "an equals sign",
               "write a colon between key and value"),
        Repair("python_literal", "read {}", "a literal of Python", _LITERALS, on=True),
        Repair("literal_case", "read {}", "a literal in capital letters", _LITERALS, on=True),
        Repair("undefined", "read {} as null", "undefined", "write null"),
        Repair("number_form", "read {}", "a number that is not written as in JSON",
               "write a digit before the point, and no plus sign", on=True),
        Repair("comment", "removed {}", "a comment", "leave it out", on=True),
        Repair("line_break_in_text", "read {}", "a line break or control character in a text",
               r"write it as \n, \t or \uXXXX", on=True),
        Repair("quotes_in_text", "read {}", "unescaped quotes in a text", 'write them as \\"'),
        Repair("odd_escape", "read an escaped quote that JSON does not escape",
               "an escape that JSON does not have", "write the quote alone", on=True),
        Repair("unknown_escape", "kept {}", "a backslash that begins no escape of JSON",
               r"write it as \\"),
        Repair("escaped_json", "read JSON text whose quotes are escaped",
               "escaped quotes outside of a text", "leave the backslashes out", on=True),
        Repair("odd_blank", "read {}", "a blank that JSON does not have", "write a plain space",
               on=True),
        Repair("special_token", "removed {}", "a special token", "leave it out", on=True),
        Repair("several_values", "read one of {}", "several values", "send one JSON value"),
        Repair("joined_values", "read {} as a list", "several values", "write them as one list"),
        Repair("word_in_prose", "read the only word that is a value", "other text",
               "send the value alone, in double quotes if it is a text"),
        Repair("plain_text", "read the whole as a text", "a text without quotes", _IN_QUOTES),
        Repair("table", "read {}", "a table", "send JSON text", on=True),
    )
}  # fmt: skip

#: The ids that are on in a policy that mends.
DEFAULT_REPAIRS: frozenset[RepairId] = frozenset(row.id for row in REPAIRS.values() if row.on)

#: The ids that only take away what stands around a value.
WRAPPINGS: frozenset[RepairId] = frozenset(
    ("code_fence", "reasoning", "byte_order_mark", "special_token")
)
