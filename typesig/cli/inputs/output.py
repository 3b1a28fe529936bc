"""The output of commands: plain text in a pipe, styled and wrapped on a terminal.

rich takes as long to import as everything else together, so it is imported only for a terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn, TextIO, TypeAlias

from typesig.errors import TypesigError

if TYPE_CHECKING:
    import rich.console

#: Exit statuses: data does not fit, the command was used wrongly, it was interrupted.
BAD, USAGE, INTERRUPTED = 1, 2, 130

#: How grave a line is.
Severity: TypeAlias = Literal["error", "warning", "good"]

#: The colours of what begins a line: those of the terminal, which its theme makes light or dark.
COLOURS: Mapping[Severity, str] = {"error": "bold red", "warning": "yellow", "good": "green"}


class OutputLine(NamedTuple):
    """A line of output with a coloured prefix.

    #: mark: what it begins with, before a colon, in the colour of its severity; empty for nothing
    """

    mark: str
    text: str
    severity: Severity = "warning"

    def __str__(self) -> str:
        return f"{self.mark}: {self.text}" if self.mark else self.text


#: Characters that a terminal acts upon, and that rich removes too: bell, backspace, feeds, return.
_CONTROLS = str.maketrans("", "", "\a\b\v\f\r")


def _is_piped(stream: TextIO) -> bool:
    """Whether *stream* is not a terminal, unless a variable asks rich to treat it as one."""
    asked = os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE")
    return not asked and not stream.isatty()


def _write(stream: TextIO, text: str) -> None:
    """Print *text* to *stream* without control characters, and flush *stream*."""
    # Flushed, so that a closed pipe is an error here; tabs are expanded as rich does.
    shown = _escape_unencodable(stream, text.translate(_CONTROLS).expandtabs())
    print(shown, file=stream, flush=True)


def _escape_unencodable(stream: TextIO, text: str) -> str:
    """Escape characters in *text* that *stream* cannot encode, such as surrogates."""
    if text.isascii():
        return text
    # A stream in memory, as of tests, has no encoding.
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def is_piped() -> bool:
    """Whether standard output is not a terminal."""
    return _is_piped(sys.stdout)


def _make_console(error: bool = False) -> rich.console.Console:
    """Return a console for standard output, or for standard error."""
    import rich.console

    return rich.console.Console(stderr=error, highlight=False, soft_wrap=True)


def print_text(text: str, style: str = "") -> None:
    """Print *text* unchanged, in *style* on a terminal."""
    if _is_piped(sys.stdout):
        _write(sys.stdout, text)
        return
    import rich.text

    _make_console().print(rich.text.Text(_escape_unencodable(sys.stdout, text), style=style))


def print_wrapped(text: str, indent: str = "", style: str = "") -> None:
    """Print *text*, wrapped to the width of a terminal."""
    lines = text.split("\n")
    if _is_piped(sys.stdout) or not (out := _make_console()).is_terminal:
        print_text("\n".join(indent + line for line in lines), style)
        return
    import textwrap

    print_text(
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


def tell(lines: Iterable[OutputLine], error: bool = False) -> None:
    """Print *lines* to standard output, or to standard error."""
    if _is_piped(stream := sys.stderr if error else sys.stdout):
        for line in lines:
            _write(stream, str(line))
        return
    import rich.text

    out = _make_console(error)
    for line in lines:
        text = rich.text.Text(_escape_unencodable(stream, str(line)))
        text.stylize(COLOURS[line.severity], 0, len(_escape_unencodable(stream, line.mark)))
        out.print(text)


def print_errors(lines: str | Iterable[str], mark: str = "") -> None:
    """Print *lines* to standard error, each behind *mark*."""
    given = [lines] if isinstance(lines, str) else lines
    tell((OutputLine(mark, line) for line in given), error=True)


def stop(message: str, status: int = USAGE) -> NoReturn:
    """Print *message* to standard error and exit with *status*."""
    tell([OutputLine("typesig", message, "error")], error=True)
    sys.exit(status)


@contextmanager
def report_errors() -> Iterator[None]:
    """Exit with one line on standard error if typesig or the output raises within.

    An interrupt has the status that a shell gives it.  A closed pipe passes: click ends the process
    quietly.
    """
    try:
        yield
    except KeyboardInterrupt:
        # A terminal shows ^C where the cursor is.
        print_errors("")
        stop("interrupted", INTERRUPTED)
    except TypesigError as error:
        stop(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        stop(f"the output cannot be written: {(error.strerror or str(error)).lower()}")
