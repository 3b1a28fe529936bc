"""How gram spells the scalars, and the codes of its mistakes.

To spell another scalar, fill its row: a row that says why not is one that gram cannot say.
"""

from __future__ import annotations

from typing import NamedTuple

from typesig.algebra.scalars import ScalarName
from typesig.errors import INVALID_SYNTAX


class Spelling(NamedTuple):
    """A scalar in gram.

    #: word: its name where a type stands, which is read as a label too
    #: label: its name in the path form, which is read as a type too
    #: why: why gram cannot say it, and what to use instead; such a word is read nevertheless
    """

    word: str
    label: str
    why: str = ""


SPELLINGS: dict[ScalarName, Spelling] = {
    "string": Spelling("Text", "String"),
    "int": Spelling("Int", "Integer"),
    "float": Spelling("Double", "Number"),
    "bool": Spelling("Bool", "Boolean"),
    "keyword": Spelling("", "", "gram has no keywords; use a text"),
    "any": Spelling("Any", "Any", "gram has no type of everything; name a type"),
    "nil": Spelling("", "", "gram has no type of null alone; use Maybe with another type"),
    "datetime": Spelling("", "", "gram has no times; use a text"),
    "map": Spelling("Object", "Object"),
}

#: The scalars by the words that are read, as types and as labels.
READ: dict[str, ScalarName] = {
    word: name for name, row in SPELLINGS.items() for word in (row.word, row.label) if word
}

#: The label of a list, of the path form alone.
ARRAY = "Array"

#: The codes of mistakes: seed 002's list.
UNKNOWN_TYPE = "unknown_type"
MALFORMED_PARAMETERS = "malformed_parameters"
INVALID_RECORD = "invalid_record"
MISSING_RETURN_TYPE = "missing_return_type"
CODES = (INVALID_SYNTAX, UNKNOWN_TYPE, MALFORMED_PARAMETERS, INVALID_RECORD, MISSING_RETURN_TYPE)
