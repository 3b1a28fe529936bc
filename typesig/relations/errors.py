"""What the relations raise."""

from __future__ import annotations

from typesig.errors import TypesigError


class NoSample(TypesigError):
    """No value was found: most often there is none."""
