"""The command line: `typesig list`, `show`, `check`, `convert`, `infer`.

It needs the extra `cli` (click and rich); without it, it says how to install it.
To add a command, write a function under `@typesig.command()` in `commands`, and its page in the
reference.
"""

from __future__ import annotations

import sys

MISSING = "the command line needs its extra: pip install 'typesig[cli]'"


def main() -> None:
    """Run the command line; exit 0 where all is well, 1 where data is bad, 2 where a use is."""
    try:
        import click  # noqa: F401 - asked for, not used, so that the message can be ours
        import rich  # noqa: F401
    except ModuleNotFoundError:
        print(MISSING, file=sys.stderr)
        sys.exit(2)
    from typesig.cli.commands import typesig

    typesig()
