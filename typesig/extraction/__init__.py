"""Python to signatures: hints, callables and docstrings; JSON values to host objects and back.

A host type that becomes one scalar is a row of `leaves.LEAVES`; a kind of hint is a row of
`readers.READERS`; metadata in `Annotated` is a row of `metadata.READERS`; a docstring style is a
row of `docstrings.STYLES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.extraction.callables.warnings import HintWarning as HintWarning
    from typesig.extraction.extract import Extraction as Extraction

#: Each public name, and the module that defines it.
_HOMES = {
    "Extraction": "typesig.extraction.extract",
    "HintWarning": "typesig.extraction.callables.warnings",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
