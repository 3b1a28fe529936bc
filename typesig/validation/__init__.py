"""Checking values against types: `check` defines the meaning, `policy` the modes.

Other packages call `verdicts`, which returns an `outcome.Outcome`.  This module imports nothing, so
that a part can be loaded without the rest.
To add a coercion, a mode or a kind of issue, add its row to `coercions`, `policy.MODES`
or `issues.SENTENCES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.validation.rows.keys import normalize_keys as normalize_keys

#: Each public name, and the module that defines it.
_HOMES = {"normalize_keys": "typesig.validation.rows.keys"}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
