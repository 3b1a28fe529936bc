"""Many models of pydantic at once: validated by pydantic itself, in one pass over a list.

A model whose schema is only its fields takes a map of data as it is, where nothing has to be left
out and no part has a decoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

from typesig.extraction.hosts.decoders import FieldPlan, float_of


def first_models(
    cls: Any,
    defaults: dict[str, Any],
    plans: tuple[FieldPlan, ...],
    rows: Sequence[Any],
) -> list[Any]:
    """Return the models of *cls* that the first of *rows* are decoded to, as far as it is known.

    *rows* have passed the check.  The first that is left out is refused, or has to be changed
    before.  *defaults* has those that the model does not validate, by the names of fields.
    """
    is_simple = all(
        plan.decode in (None, float_of) and (defaults.get(plan.name, 0) is None or not plan.nil)
        for plan in plans
    )
    if not is_simple or not has_fields_only(cls) or set(map(type, rows)) != {dict}:
        return []
    if not _are_whole(plans, defaults, rows):
        return []
    out: list[Any] = []
    try:
        out.extend(map(cls.__pydantic_validator__.validate_python, rows))
    except ValueError:
        # The decoder of one row tells why.
        pass
    return out


def has_fields_only(cls: Any) -> bool:
    """Tell whether pydantic makes objects of *cls* by validating fields, and by nothing else."""
    schema = getattr(cls, "__pydantic_core_schema__", None)
    if not isinstance(schema, dict) or schema.get("type") != "model":
        return False
    return schema["schema"]["type"] == "model-fields" and not schema.get("custom_init")


def _are_whole(plans: tuple[FieldPlan, ...], defaults: dict[str, Any], rows: Sequence[Any]) -> bool:
    """Tell whether *rows* have declared keys only, no defaults, and floats for floats."""
    present = 0
    for plan in plans:
        name = plan.name
        if plan.decode is float_of:
            held = map(dict.get, rows, repeat(name), repeat(0.0))
            if not set(map(type, held)) <= {float}:
                return False
        if name not in defaults:
            present += len(rows)
            continue
        column = list(map(dict.get, rows, repeat(name), repeat(_ABSENT)))
        # An object does not validate its own defaults, and tells which fields were given.
        if defaults[name] in column:
            return False
        present += len(rows) - column.count(_ABSENT)
    return sum(map(len, rows)) == present


_ABSENT: Any = object()
