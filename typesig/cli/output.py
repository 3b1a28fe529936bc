"""What commands print, and how: plain where piped, folded to the width where a person looks."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from typing import NoReturn

import rich.console
import rich.markup
import rich.text

#: Exit statuses: all is well, data does not fit, the command was used wrongly.
FINE, BAD, USAGE = 0, 1, 2


def console(error: bool = False) -> rich.console.Console:
    """Return the console of standard output, or of standard error."""
    return rich.console.Console(stderr=error, highlight=False, soft_wrap=True)


def say(text: str, style: str = "") -> None:
    """Print *text* as it is, in *style* where a person looks."""
    console().print(rich.text.Text(text, style=style))


def say_folded(text: str, indent: str = "", style: str = "") -> None:
    """Print *text*, folded to the terminal's width where a person looks."""
    out = console()
    if out.is_terminal:
        lines = text.split("\n")
        text = "\n".join(
            textwrap.fill(
                line,
                max(out.width, 40),
                initial_indent=indent,
                subsequent_indent=indent + "  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            for line in lines
        )
    else:
        text = "\n".join(indent + line for line in text.split("\n"))
    out.print(rich.text.Text(text, style=style))


def complain(lines: str | Iterable[str]) -> None:
    """Print to standard error."""
    out = console(error=True)
    for line in [lines] if isinstance(lines, str) else lines:
        out.print(rich.text.Text(line))


def stop(message: str, status: int = USAGE) -> NoReturn:
    """Print *message* to standard error and end with *status*."""
    complain(f"typesig: {message}")
    sys.exit(status)
