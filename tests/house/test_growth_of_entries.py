"""The work of every public entry grows in proportion to what it is given, counted in steps."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import typesig
from tests.growth import assert_growth
from tests.growth_entries import ENTRIES
from typesig import algebra, extraction, listings, notations, relations, validation

#: Public names that only hold data, and what makes them has rows.
DATA = {"Extraction", "HintWarning", "Injected", "Issue", "Keyword", "Loss", "Outcome", "Policy"}
DATA |= {"Answer", "Signature", "Tool", "Toolset", "Visible", "Contract", "Partial", "Stream"}
DATA |= {"Ledger", "NOTATIONS", "Projection", "readable"}

#: The packages with public names that `typesig` does not have itself.
ROOMS = (algebra, extraction, listings, notations, validation)

#: Methods that change one row of a policy, the path of a loss, or the text of a warning.
SMALL = {"Policy.on", "Policy.off", "Policy.for_output", "Policy.for_call", "Policy.changed"}
SMALL |= {"Policy.leave_defaults"}
SMALL |= {"Loss.below", "Loss.to_json", "typesig completion"}
SMALL |= {"HintWarning.below", "HintWarning.of_branch", "Extraction.mark_deprecated"}
#: It runs until it is ended; what it makes of each tool is the row of `Toolset.project mcp`.
SMALL |= {"typesig serve"}

#: It waits for a model; what it makes of each tool is in the rows of prompts and projections.
SMALL |= {"typesig eval"}


def public_entries() -> Iterator[str]:
    """Yield the public functions, the methods of public classes, and the commands."""
    for name, room in [(name, each) for each in (typesig, *ROOMS) for name in each.__all__]:
        found = getattr(room, name)
        if not inspect.isclass(found):
            if name not in DATA:
                yield name
        elif not issubclass(found, Exception | str):
            if name not in DATA:
                yield name
            yield from (
                f"{name}.{method}"
                for method, made in vars(found).items()
                if inspect.isfunction(made) and not method.startswith("_")
            )
    for name in relations.__all__:
        if name not in ("Difference", "NoSample"):
            yield f"relations.{name}"
    from typesig.cli.commands import COMMANDS

    yield from (f"typesig {command}" for command in COMMANDS)


def test_every_public_entry_has_a_row() -> None:
    covered = set(ENTRIES) | {row.split()[0] for row in ENTRIES}

    assert [] == [name for name in public_entries() if name not in covered | SMALL]


def forget() -> None:
    """Clear the caches of the library, so that a call is as the first one."""
    for name, module in list(sys.modules.items()):
        if name.startswith("typesig."):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


@pytest.mark.once
@pytest.mark.parametrize("name", ENTRIES)
def test_work_grows_in_proportion(name: str) -> None:
    entry = ENTRIES[name]

    def run(made: Any) -> object:
        forget()
        return entry.run(made)

    assert_growth(entry.make, run, entry.sizes)
