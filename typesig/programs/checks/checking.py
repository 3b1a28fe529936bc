"""A program is checked before it runs."""

from __future__ import annotations

from typing import Any

from typesig.programs.checks.expressions import Known
from typesig.programs.checks.flaws import Flaws
from typesig.programs.checks.reading import lines_of, tree_of
from typesig.programs.checks.scanning import Scan
from typesig.programs.checks.statements import Statements
from typesig.validation.outcome.outcome import Outcome


def checked_program(program: str, known: Known) -> Outcome[str]:
    """Return the outcome of the check of *program*, whose value is the program itself."""
    lines = lines_of(program)
    flaws = Flaws(lines)
    tree = tree_of(program, flaws)
    if tree is None:
        return outcome_of(program, flaws)
    scan = Scan(tree, known.sandbox, flaws)
    statements = Statements(known, scan, flaws)
    statements.program(tree)
    if statements.grows:
        # Once more, with less trust.
        flaws = Flaws(lines)
        scan = Scan(tree, known.sandbox, flaws)
        scan.take_care()
        Statements(known, scan, flaws).program(tree)
    return outcome_of(program, flaws)


def outcome_of(program: str, flaws: Flaws) -> Outcome[Any]:
    """Return the outcome for *program* with its *flaws*, in the order of lines."""
    errors, warnings = (
        sorted(found, key=lambda flaw: (flaw.line, flaw.column))
        for found in (flaws.errors, flaws.warnings)
    )
    if errors:
        return Outcome(
            stage="program", errors=errors, warnings=warnings, rejected=program, unseen=flaws.unseen
        )
    return Outcome(program, (), warnings, "program")
