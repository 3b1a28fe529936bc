"""The stub `typesig/__init__.pyi`, which type checkers and editors read.

    python -m tests.stub

writes it anew from the table of the public names.  A test compares.
"""

from __future__ import annotations

from pathlib import Path

import typesig

STUB = Path(typesig.__file__).with_name("__init__.pyi")

#: Type checkers skip these lines, since there is no such platform.  Jedi reads both branches of a
#: condition; it knows no ParamSpec, and shows the parameters of a tool by this decorator.
JEDI = """
if sys.platform == "jedi":
    F = TypeVar("F")
    @overload
    def tool(function: F, /) -> F: ...
    @overload
    def tool(signature: object = None, /, **options: object) -> Callable[[F], F]: ...
"""

HEAD = """\
import sys
from collections.abc import Callable
from typing import TypeVar, overload

"""


def text() -> str:
    """Return the text of the stub."""
    parts = [(f"typesig.{home}", name) for name, home in typesig._HOMES.items()]
    parts += [("typesig", room) for room in typesig._ROOMS]
    lines = [_import(home, name) for home, name in sorted(parts)]
    names = [f"    {name!r},".replace("'", '"') for name in typesig.__all__]
    end = ["__version__: str", "__all__ = [", *names, "]", ""]
    return HEAD + "\n".join([*lines, JEDI, *end])


def _import(home: str, name: str) -> str:
    line = f"from {home} import {name} as {name}"
    return line if len(line) <= 100 else f"from {home} import (\n    {name} as {name},\n)"


if __name__ == "__main__":
    STUB.write_text(text(), encoding="utf-8")
