"""The notations that signatures are written in: one package each, and a row in `choosing`.

Notations never import each other.  The names below are loaded when they are first asked for, since
extraction and listings need the writer of shorthand alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.notations.registry import NOTATIONS as NOTATIONS
    from typesig.notations.registry import convert as convert
    from typesig.notations.registry import parse as parse
    from typesig.notations.registry import readable as readable
    from typesig.notations.registry import render as render

#: Each public name, and the module that defines it.
_HOMES = {
    "NOTATIONS": "typesig.notations.registry",
    "convert": "typesig.notations.registry",
    "parse": "typesig.notations.registry",
    "readable": "typesig.notations.registry",
    "render": "typesig.notations.registry",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
