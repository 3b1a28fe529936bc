"""The exception of `typesig.relations`."""

from __future__ import annotations

from typesig.errors import TypesigError


class NoSample(TypesigError):
    """No sample was found; the type is probably empty."""
