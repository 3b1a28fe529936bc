"""Contracts between typed Python functions and the language models that call them.

A function becomes a tool, or what a model should answer becomes a contract:

    from typesig import contract, tool, tools_of

    @tool
    def search(query: str, limit: int = 10) -> list[str]: ...

    search.signature                         (query :string, limit :int = 10) -> [:string]
    search.call('{"query": "x"}')            an Outcome: ok, value, errors, warnings, feedback()
    tools = tools_of([search])               a Toolset, also of a module, a class, an instance
    tools.prompt()                           what a model reads
    wire = tools.project("openai")           a Projection: definitions, losses, handle(answer)
    contract(list[int]).read("[1, 2]")       the answer of a model, mended, checked and decoded

Without hints: parse("(n :int) -> :bool"), from_json_schema(…), infer(*samples), extract(function).
Further: render, coerce, Policy, Ledger, Injected[T] and Visible[T] for parameters, ToolError for
what a model should read, ValidationError and TypesigError for what is raised.
Rooms: typesig.bridges, contracts, mcp, openapi, relations.  On the command line: typesig --help.
"""

# Only the public names are here, and each is loaded when it is first used, so that `import typesig`
# is fast.  Type checkers and editors read `__init__.pyi`, which `python -m tests.stub` writes from
# the table below.

from __future__ import annotations

__version__ = "0.1.0"

#: Each public name, and the module that defines it.
_HOMES = {
    "Answer": "tools.answers.conversation",
    "Contract": "tools.answers.contract",
    "Dialect": "providers.dialects.dialect",
    "Injected": "extraction.hints.metadata",
    "Issue": "validation.issues.issues",
    "Ledger": "validation.issues.ledger",
    "Media": "extraction.python_types.media",
    "Outcome": "validation.outcome.outcome",
    "Partial": "validation.stream.partial",
    "Policy": "validation.policy",
    "Projection": "providers.projection.projection",
    "Signature": "algebra.signature",
    "Stream": "tools.streams.stream",
    "Tool": "tools.tool",
    "ToolError": "calls.functions",
    "Toolset": "tools.toolset",
    "TypesigError": "errors",
    "ValidationError": "validation.issues.issues",
    "Visible": "extraction.hints.metadata",
    "coerce": "validation.verdicts",
    "contract": "tools.answers.contract_factory",
    "extract": "extraction.extract",
    "from_json_schema": "notations.json_schema.parser",
    "infer": "relations.inference",
    "parse": "notations.registry",
    "render": "notations.registry",
    "tool": "tools.decorator",
    "tools_of": "tools.collection",
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
