"""The judge of values and schemas: `jsonschema`, with each format asserted by it and by us.

It computes multiples in decimals, since it would divide floats.  Where its own test of a format
refuses what the standard of the format allows, the text is changed before it is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonschema

from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.formats import FORMATS
from typesig.notations.json_schema.keywords import BY_NAME

#: The tests of `jsonschema`, of which each needs a package that its extra `format-nongpl` installs.
OWN = jsonschema.Draft202012Validator.FORMAT_CHECKER


def _without_leap_second(text: str) -> str:
    # RFC 3339, section 5.7: a leap second is valid, which Python's datetime has not.
    return text.replace(":60", ":59")


def _nothing(text: str) -> str:
    # JSON Schema validation, section 7.3.8: a regex is one of ECMA-262, not of Python.
    return ""


def _with_two_labels(text: str) -> str:
    # RFC 1123, section 2.1: a name of one label is valid, which old versions refuse.
    return text if "." in text else f"{text}.test"


#: How a text is changed before `jsonschema` is asked, for formats of which it refuses valid texts.
MENDED: dict[str, Callable[[str], str]] = {
    "date-time": _without_leap_second,
    "time": _without_leap_second,
    "regex": _nothing,
    "hostname": _with_two_labels,
}


def _test(name: str) -> Callable[[object], bool]:
    ours, mend = FORMATS[BY_NAME[name]], MENDED.get(name, str)

    def test(value: object) -> bool:
        if not isinstance(value, str):
            return True
        return ours(value) and OWN.conforms(mend(value), name)

    return test


CHECKER = jsonschema.FormatChecker(formats=())
CHECKER.checkers.update({name: (_test(name), ()) for name in BY_NAME})


def multiple(_validator: Any, step: Any, value: Any, _schema: Any) -> Any:
    """Yield an error if *value* is a number and no multiple of *step*."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and not Constraint("multiple_of", step).test()(value):
        yield jsonschema.ValidationError("no multiple")


JUDGE = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"multipleOf": multiple})
