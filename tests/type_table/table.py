"""All rows of the table, in its order; to add a module of rows, add it here."""

from __future__ import annotations

from tests.type_table import (
    attrs_classes,
    callables,
    containers,
    defaults,
    docstrings,
    documented,
    everyday,
    msgspec_structs,
    newer,
    parameters,
    practice,
    ptc_runner,
    pydantic_models,
    pydantic_practice,
    records,
    recursion,
    resolution,
    results,
    scalars,
    trailing,
    type_system,
    typed_dicts,
    unions,
)
from tests.type_table.rows import Result, Row

MODULES = (
    everyday,
    unions,
    typed_dicts,
    records,
    attrs_classes,
    pydantic_models,
    pydantic_practice,
    msgspec_structs,
    scalars,
    containers,
    type_system,
    recursion,
    newer,
    resolution,
    callables,
    parameters,
    practice,
    docstrings,
    documented,
    trailing,
    defaults,
    results,
    ptc_runner,
)
TAKEN: list[Row] = [row for module in MODULES for row in getattr(module, "ROWS", ())]
RETURNED: list[Result] = [row for module in MODULES for row in getattr(module, "RESULTS", ())]
