"""Bridges: tools as other frameworks take them, one module and one extra for each framework.

Each module has the functions `tool` and `tools`, which return the framework's own objects.  The
framework is imported when one of them is called.
To add a bridge, write a module with these two functions over `bridge`, its extra, its row in the
table of the how-to page, and a run of an agent in `tests/sdks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.bridges import langchain as langchain
    from typesig.bridges import openai_agents as openai_agents
    from typesig.bridges import pydantic_ai as pydantic_ai
    from typesig.bridges import smolagents as smolagents

#: The modules, which are loaded when they are first used.
_HOMES = {"langchain": "", "openai_agents": "", "pydantic_ai": "", "smolagents": ""}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
