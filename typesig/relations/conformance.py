"""Whether a value is of a type, to the letter: the check's own verdict."""

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

EXACT = ENABLED.for_output()


def accepts(t: Type, definitions: tuple[Definition, ...], value: object) -> bool:
    """Tell whether *value* is a *t*, as `Signature.accepts` does.

    >>> from typesig.algebra.nodes import INT
    >>> accepts(INT, (), 3), accepts(INT, (), True)
    (True, False)
    """
    run = Run(1)
    walked(compiled(t, definitions, EXACT), value, run)
    return not run.errors


def is_json(value: Any) -> bool:
    """Tell whether *value* is plain JSON: nothing that would be spelled in another way there.

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
