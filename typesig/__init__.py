"""Contracts between Python functions and language models: only the public names.

Each name is loaded when it is first used, so that `import typesig` is fast.  Type checkers and
editors read `__init__.pyi`, which `python -m tests.stub` writes from the table below.
"""

from __future__ import annotations

__version__ = "0.1.0"

#: Each public name, and the module that defines it.
_HOMES = {
    "Answer": "tools.answers.asking",
    "Contract": "tools.answers.contract",
    "Dialect": "providers.dialects.dialect",
    "Injected": "extraction.hints.metadata",
    "Issue": "validation.issues.issues",
    "Ledger": "validation.issues.ledger",
    "Outcome": "validation.outcome.outcome",
    "Partial": "validation.stream.partial",
    "Policy": "validation.rows.policy",
    "Projection": "providers.projection.projection",
    "Signature": "algebra.signature",
    "Stream": "tools.streams.streaming",
    "Tool": "tools.tool",
    "ToolError": "calls.errors",
    "Toolset": "tools.toolset",
    "TypesigError": "errors",
    "ValidationError": "validation.issues.issues",
    "Visible": "extraction.hints.metadata",
    "coerce": "validation.verdicts",
    "contract": "tools.answers.contracting",
    "extract": "extraction.extract",
    "from_json_schema": "notations.json_schema.reading.parsing",
    "infer": "relations.inference.inferring",
    "parse": "notations.choosing",
    "render": "notations.choosing",
    "tool": "tools.decorator",
    "tools_of": "tools.collecting",
}

#: The rooms with public names of their own: `import typesig` is enough for `typesig.mcp.server`.
_ROOMS = ("bridges", "contracts", "mcp", "openapi", "relations")

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _ROOMS:
        return import_module(f"typesig.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'typesig' has no attribute {name!r}")
    value = getattr(import_module(f"typesig.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS, "__version__"]
