"""Validation by pydantic's core of values that are exactly of JSON's classes.

In strict mode pydantic takes objects of subclasses, such as a `Keyword` for a string, and turns
them into objects of the class itself; the check coerces some of them, and refuses others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any, NoReturn

from typesig.algebra.rows.values import Keyword


class Unproved(Exception):
    """A model for which no such schema is known."""


class Inexact(Exception):
    """A value that such a schema refuses at once."""


def validation(schema: dict[str, Any]) -> Callable[[Any], Any]:
    """Return what validates data by *schema*; raise `Unproved` if pydantic is too old for it."""
    if not _is_exact():
        raise Unproved
    validate: Callable[[Any], Any] = _validator(schema).validate_python
    return validate


def _validator(schema: dict[str, Any]) -> Any:
    # Otherwise, the validators that classes have would be taken for the parts.
    return sys.modules["pydantic_core"].SchemaValidator(schema, _use_prebuilt=False)


def _refuse(value: Any) -> NoReturn:
    raise Inexact


def exactly(schema: dict[str, Any]) -> dict[str, Any]:
    """Return *schema*, which raises `Inexact` for values of other classes than JSON's.

    A union looks for a better branch unless the first takes a value exactly as it is.
    """
    refused = {"type": "function-plain", "function": {"type": "no-info", "function": _refuse}}
    return {"type": "union", "mode": "smart", "choices": [schema, refused]}


@lru_cache(maxsize=1)
def _is_exact() -> bool:
    """Return whether pydantic's core knows exact values from others, as these schemas need."""
    taken = [("str", ""), ("int", 1), ("float", 0.5), ("bool", True)]
    refused = [
        ("str", Keyword("a")), ("str", b""), ("int", True), ("int", 1.0), ("int", Decimal(1)),
        ("float", 1), ("float", Decimal(1)), ("float", float("nan")), ("bool", 1),
    ]  # fmt: skip
    try:
        return all(_takes(*each) for each in taken) and not any(_takes(*each) for each in refused)
    except (TypeError, AttributeError):
        # An older version, which takes no such options.
        return False


def _takes(kind: str, value: Any) -> bool:
    schema: dict[str, Any] = {"type": kind, "strict": True}
    if kind == "float":
        schema["allow_inf_nan"] = False
    try:
        validate = _validator(exactly(schema) if kind in ("str", "float") else schema)
        return validate.validate_python(value) is value
    except (ValueError, Inexact):
        return False
