"""What commands print, and how: plain where piped, folded to the width where a person looks.

rich, which takes as long to load as all else, is loaded where a person looks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    import rich.console

#: Exit statuses: all is well, data does not fit, the command was used wrongly.
FINE, BAD, USAGE = 0, 1, 2


#: What a terminal would act upon, and rich leaves out too: bell, backspace, feeds, return.
_CONTROLS = str.maketrans("", "", "\a\b\v\f\r")


def _piped(stream: TextIO) -> bool:
    """Tell whether nobody looks at *stream*; rich knows more of what its variables ask for."""
    asked = os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE")
    return not asked and not stream.isatty()


def _write(stream: TextIO, text: str) -> None:
    # At once, so that a reader that has gone shows here; tabs as rich has them.
    print(text.translate(_CONTROLS).expandtabs(), file=stream, flush=True)


def _console(error: bool = False) -> rich.console.Console:
    """Return the console of standard output, or of standard error."""
    import rich.console

    return rich.console.Console(stderr=error, highlight=False, soft_wrap=True)


def say(text: str, style: str = "") -> None:
    """Print *text* as it is, in *style* where a person looks."""
    if _piped(sys.stdout):
        _write(sys.stdout, text)
        return
    import rich.text

    _console().print(rich.text.Text(text, style=style))


def say_folded(text: str, indent: str = "", style: str = "") -> None:
    """Print *text*, folded to the terminal's width where a person looks."""
    lines = text.split("\n")
    if _piped(sys.stdout) or not (out := _console()).is_terminal:
        say("\n".join(indent + line for line in lines), style)
        return
    import textwrap

    say(
        "\n".join(
            textwrap.fill(
                line,
                max(out.width, 40),
                initial_indent=indent,
                subsequent_indent=indent + "  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            for line in lines
        ),
        style,
    )


def complain(lines: str | Iterable[str]) -> None:
    """Print to standard error."""
    given = [lines] if isinstance(lines, str) else lines
    if _piped(sys.stderr):
        for line in given:
            _write(sys.stderr, line)
        return
    import rich.text

    out = _console(error=True)
    for line in given:
        out.print(rich.text.Text(line))


def stop(message: str, status: int = USAGE) -> NoReturn:
    """Print *message* to standard error and end with *status*."""
    complain(f"typesig: {message}")
    sys.exit(status)
