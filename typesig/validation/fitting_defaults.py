"""Whether a default fits its type: an accepted signature accepts its own defaults."""

from __future__ import annotations

from functools import lru_cache

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, Type
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.rows.values import Const
from typesig.validation.check.check import compiled, compiler_of
from typesig.validation.rows.policy import STRICT
from typesig.validation.rows.run import Run
from typesig.validation.rows.settled import settled
from typesig.validation.verdicts import walked

# An undeclared key is the sender's mistake in `strict`; a default of an open record may have some.
_FIRST_ERROR = STRICT.changed(extras="keep", max_issues=1)


def flaw_of_default(t: Type, default: Const, definitions: tuple[Definition, ...]) -> str:
    """Return what a check in mode `strict` finds in *default*, or an empty text.

    JSON's spelling of a datetime, a keyword or a set is read, as it is in any argument.
    """
    # Without names the definitions do not matter, and hashing all of them takes time.
    return _flaw(t, default, definitions if t.flags & NAMES else ())


@lru_cache(maxsize=1024)
def _flaw(t: Type, default: Const, definitions: tuple[Definition, ...]) -> str:
    if definitions:
        # All defaults of a signature share the checks of its definitions.
        check = compiler_of(ANY, definitions, _FIRST_ERROR).checker(t)
    else:
        check = compiled(t, definitions, _FIRST_ERROR)
    run = Run(_FIRST_ERROR.max_issues)
    walked(check, default.thaw(), run)
    errors, _ = settled(run.found, _FIRST_ERROR, "input")
    return str(errors[0]) if errors else ""
