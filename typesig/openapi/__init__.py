"""OpenAPI: the operations of a document as tools.

To read another style of parameters, add a row to `STYLES` in `messages`; for another type of media,
add one to `MEDIA` in `bodies`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.openapi.messages import Request as Request
    from typesig.openapi.messages import Response as Response
    from typesig.openapi.tool_builder import tools_from as tools_from

#: Each public name, and the module that defines it.
_HOMES = {
    "Request": "typesig.openapi.messages",
    "Response": "typesig.openapi.messages",
    "tools_from": "typesig.openapi.tool_builder",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
