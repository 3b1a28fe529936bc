"""The notations that signatures are written in: one package each, and a row in `choosing`.

Notations never import each other.  The names below are loaded when they are first asked for, since
extraction and listings need the writer of shorthand alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typesig.notations.choosing import NOTATIONS as NOTATIONS
    from typesig.notations.choosing import convert as convert
    from typesig.notations.choosing import parse as parse
    from typesig.notations.choosing import readable as readable
    from typesig.notations.choosing import render as render

_NAMES = ("NOTATIONS", "convert", "parse", "readable", "render")


def __getattr__(name: str) -> object:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from typesig.notations import choosing

    value = getattr(choosing, name)
    globals()[name] = value
    return value
