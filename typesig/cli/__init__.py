"""The command line: `typesig list`, `show`, `check`, `call`, `convert`, `infer`, `serve`.

It needs the extra `cli` (click and rich); without it, a message says how to install the extra.
To add a command, write its module, its row in `commands`, and its section in the reference.
"""

from __future__ import annotations

import sys

MISSING = "the command line needs its extra: pip install 'typesig[cli]'"


def main() -> None:
    """Run the command line; the exit status is 0 for success, 1 for bad data, 2 for wrong usage."""
    try:
        import click  # noqa: F401 - imported only to test that it is installed
        import rich  # noqa: F401
    except ModuleNotFoundError:
        print(MISSING, file=sys.stderr)
        sys.exit(2)
    from typesig.cli.commands import typesig

    typesig()
