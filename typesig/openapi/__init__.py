"""OpenAPI: the operations of a document as tools.

To read another style of parameters, add a row to `STYLES` in `styles`; for another type of media,
add one to `MEDIA` in `bodies`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typesig.openapi.making import tools_from as tools_from
    from typesig.openapi.messages import Request as Request
    from typesig.openapi.messages import Response as Response

#: Each public name, and the module that defines it.
_HOMES = {
    "Request": "messages",
    "Response": "messages",
    "tools_from": "making",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'typesig.openapi' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"typesig.openapi.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
