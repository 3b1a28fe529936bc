"""How gram spells the scalars, and the codes of its mistakes.

To spell another scalar, add its row: a name and a label, or a wider type and the reason.
"""

from __future__ import annotations

from typing import NamedTuple

from typesig.algebra.nodes import ANY, Type
from typesig.algebra.rows.scalars import ScalarName
from typesig.errors import INVALID_SYNTAX


class LabelSpelling(NamedTuple):
    """Gram spelling of a scalar: its type name, and its label in the path form.

    #: word: its type
    #: label: its label in the path form
    #: why: why writing it is a loss, and what to use instead; empty if it is not
    """

    word: str
    label: str
    why: str = ""


class WiderLabel(NamedTuple):
    """A wider type for a scalar that gram cannot express, and the reason.

    #: type: the nearest type that takes its values, which is written instead
    #: why: why gram cannot express it, and what to use instead
    """

    type: Type
    why: str


SPELLINGS: dict[ScalarName, LabelSpelling | WiderLabel] = {
    "string": LabelSpelling("Text", "String"),
    "int": LabelSpelling("Int", "Integer"),
    "float": LabelSpelling("Double", "Number"),
    "bool": LabelSpelling("Bool", "Boolean"),
    "keyword": WiderLabel(ANY, "gram has no keywords; use a text"),
    "any": LabelSpelling("Any", "Any", "gram has no type of everything; name a type"),
    "nil": WiderLabel(ANY, "gram has no type of only null; use Maybe with another type"),
    "datetime": WiderLabel(ANY, "gram has no times; use a text"),
    "map": LabelSpelling("Object", "Object"),
}

#: The label of a list, only in the path form.
ARRAY = "Array"

#: The scalars by their words, which are read as types and as labels.
READ: dict[str, ScalarName] = {
    word: name
    for name, row in SPELLINGS.items()
    if isinstance(row, LabelSpelling)
    for word in (row.word, row.label)
}


def get_spelling(name: ScalarName) -> LabelSpelling:
    """Return the spelling of a scalar that gram can express."""
    row = SPELLINGS[name]
    assert isinstance(row, LabelSpelling)
    return row


#: The codes of mistakes.
UNKNOWN_TYPE = "unknown_type"
MALFORMED_PARAMETERS = "malformed_parameters"
INVALID_RECORD = "invalid_record"
MISSING_RETURN_TYPE = "missing_return_type"
CODES = (INVALID_SYNTAX, UNKNOWN_TYPE, MALFORMED_PARAMETERS, INVALID_RECORD, MISSING_RETURN_TYPE)
