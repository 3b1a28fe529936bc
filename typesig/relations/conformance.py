"""Whether a value conforms to a type without coercion, decided by the check itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from typesig.algebra.nodes import Type
from typesig.algebra.signature import Definition
from typesig.algebra.values import Keyword
from typesig.validation.check import compiled
from typesig.validation.policy import ENABLED
from typesig.validation.run import Run
from typesig.validation.verdicts import walked

WITHOUT_COERCION = ENABLED.for_output()


def accepts(t: Type, definitions: tuple[Definition, ...], value: object) -> bool:
    """Tell whether *value* conforms to *t*, as `Signature.accepts` does.

    >>> from typesig.algebra.nodes import INT
    >>> accepts(INT, (), 3), accepts(INT, (), True)
    (True, False)
    """
    run = Run(1)
    walked(compiled(t, definitions, WITHOUT_COERCION), value, run)
    return not run.errors


def is_json(value: Any) -> bool:
    """Tell whether *value* is plain JSON, in which every value stands for itself.

    >>> is_json({"a": [1, None]}), is_json({1: "a"}), is_json((1, 2))
    (True, False, False)
    """
    if isinstance(value, list):
        return all(map(is_json, value))
    if isinstance(value, dict):
        return all(type(key) is str and is_json(item) for key, item in value.items())
    if isinstance(value, Keyword | datetime):
        return False
    return value is None or isinstance(value, str | int | float)
