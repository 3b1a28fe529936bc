"""The part of Python that a sandbox runs: known names and unsupported syntax."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from typesig.notations.python.writer import BUILTINS

_LATER: dict[str, str] = {
    "TypeAlias": "type aliases",
    "TryStar": "exception groups",
    "TemplateStr": "template strings",
}


class Sandbox(NamedTuple):
    """Python features of a sandbox: its builtins, its modules and the refused syntax.

    #: builtins: the names that are there without an import
    #: modules: the names of modules that can be imported
    #: refused: the classes of syntax that it does not run, each with what a message calls it
    """

    builtins: frozenset[str]
    modules: frozenset[str]
    refused: Mapping[type[ast.AST], str]


_MODULES = """
    asyncio base64 binascii bisect collections copy csv dataclasses datetime decimal functools
    hashlib itertools json math os os.path pathlib random re sys time tomllib typing unicodedata
"""

#: What pydantic-monty 1.4 runs, which its tests here compare.
MONTY = Sandbox(
    BUILTINS,
    frozenset(_MODULES.split()),
    {
        ast.Yield: "yield",
        ast.YieldFrom: "yield from",
        ast.Delete: "del",
        ast.AsyncFor: "async for",
        ast.AsyncWith: "async with",
        **{getattr(ast, name): text for name, text in _LATER.items() if hasattr(ast, name)},
    },
)
