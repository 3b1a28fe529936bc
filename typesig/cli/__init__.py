"""The command line: `typesig list`, `show`, `check`, `call`, `convert`, `infer`, `serve` and more.

It needs the extra `cli` (click and rich); without it, a message says how to install the extra.
To add a command, write its module, its row in `commands`, and its section in the reference.

Importing click takes half of the time of `typesig list MODULE`, and a command without options has
nothing for click to parse: it is run without click.  Click still ends the process if it is
interrupted, completes what a shell asks for, and parses all else.
"""

from __future__ import annotations

import os
import sys

MISSING = "the command line needs its extra: pip install 'typesig[cli]'"


def main() -> None:
    """Run the `typesig` command with the arguments of the process.

    The exit status is 0 for success, 1 for bad data, 2 for wrong usage, 130 for an interrupt.
    """
    if not (_is_installed("click") and _is_installed("rich")):
        print(MISSING, file=sys.stderr)
        sys.exit(2)
    try:
        if _is_plain_list(sys.argv[1:]):
            _list(sys.argv[2])
        from typesig.cli.commands import typesig

        typesig()
    except KeyboardInterrupt:
        # While modules are imported.
        sys.exit(130)


def _is_installed(package: str) -> bool:
    """Whether *package* can be imported; it is not imported to find out."""
    from importlib.machinery import PathFinder

    if package in sys.modules:
        return sys.modules[package] is not None
    return PathFinder.find_spec(package) is not None


def _is_plain_list(arguments: list[str]) -> bool:
    """Whether *arguments* are a plain `typesig list MODULE`, without any options."""
    if len(arguments) != 2 or arguments[0] != "list" or arguments[1][:1] in ("", "-"):
        return False
    # A shell asks click for completions by such a variable; on Windows, click expands patterns.
    completes = any(name[:1] == "_" and name.endswith("_COMPLETE") for name in os.environ)
    return not completes and os.name != "nt"


def _list(module: str) -> None:
    """Run `typesig list` with *module* alone, and end the process."""
    _load_once_for_all()
    from typesig.cli.inputs.output import report_errors
    from typesig.cli.inputs.targets import print_tools

    try:
        with report_errors():
            print_tools(module)
    except (BrokenPipeError, EOFError) as error:
        _end_by_click(error)
    sys.exit(0)


def _load_once_for_all() -> None:
    """Import all modules of a listing, and exempt them from garbage collection.

    Otherwise it looks through these modules meanwhile and at the end, a fifth of the whole time.
    What the listed module makes is collected as always.
    """
    import gc

    was_enabled = gc.isenabled()
    gc.disable()
    try:
        import typesig.cli.inputs.targets  # noqa: F401 - for `_list`
    finally:
        if was_enabled:
            gc.enable()
    # Only CPython has it.
    getattr(gc, "freeze", gc.isenabled)()


def _end_by_click(error: BaseException) -> None:
    """End the process as click does if a command raises *error*."""
    import click

    def fail() -> None:
        raise error

    click.Command("list", callback=fail).main([], prog_name="typesig")
