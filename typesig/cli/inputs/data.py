"""Read values from files of JSON, or of JSONL with one value a line, and show the progress."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BufferedReader
from itertools import chain
from typing import Any, TextIO, cast

from typesig.cli.inputs.output import print_errors, stop
from typesig.limits import MAX_JSON
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.json_text import BadJson, read_digits, read_json

# --- Read values from files of JSON, or of JSONL with one value a line ---

#: The number of a line and its text; 0 and the text of the whole file if that is one value.
Line = tuple[int, bytes]

#: The byte order mark that some editors write before UTF-8.
_MARK = b"\xef\xbb\xbf"


def name_of(file: str) -> str:
    """Return the name of *file* for messages: `standard input` for `-`."""
    return "standard input" if file == "-" else file


def get_size(file: str) -> int | None:
    """Return how many bytes *file* has, or None if that is not known, as of a pipe."""
    try:
        about = os.stat(sys.stdin.fileno() if file == "-" else file)
    except (OSError, ValueError):
        # The reader tells what is wrong; what stands for standard input may have no number.
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


def read_lines(file: str) -> Iterator[Line]:
    """Yield the lines of *file*, or all text at once if the first line is no JSON value."""
    with _open_for_reading(file) as stream:
        lines = iter(partial(stream.readline, _TOO_LONG), b"")
        first, second = _read_to_value(lines), _read_to_value(lines)
        if not b"".join(second).strip() or not _is_value(b"".join(first)):
            yield 0, b"".join(_iter_bounded(chain(first, second, lines)))
            return
        for numbered in enumerate(chain(first, second, lines), 1):
            if not numbered[1].isspace():
                yield numbered


def _read_to_value(lines: Iterator[bytes]) -> list[bytes]:
    """Read *lines* to the first that is not blank."""
    head: list[bytes] = []
    for line in lines:
        head.append(line)
        if line.strip():
            break
    return head


@contextmanager
def _open_for_reading(file: str) -> Iterator[BufferedReader]:
    """Open *file* (`-` for standard input), stopping the command if it is unreadable."""
    tell_waiting(file)
    try:
        with _open(file) as stream:
            yield stream
    except OSError as error:
        stop(f"{file} cannot be read: {(error.strerror or str(error)).lower()}")


def tell_waiting(file: str) -> None:
    """Print what a command waits for if *file* is `-` and standard input is a terminal."""
    if file == "-" and sys.stdin.isatty():
        end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        print_errors(f"reading JSON from the terminal: end it with {end} on a line of its own")


def _open(file: str) -> BufferedReader:
    """Open *file* for reading bytes; `-` is standard input."""
    return cast(BufferedReader, sys.stdin.buffer) if file == "-" else open(file, "rb")


def format_place(name: str, line: Line) -> str:
    """Return the place of *line* in the file that messages call *name*."""
    return f"{name}:{line[0]}" if line[0] else name


def read_value(line: Line, keeps_digits: bool = False) -> Any:
    """Parse the JSON value on *line*; raise `BadJson` if it is invalid.

    With *keeps_digits*, its numbers are read as `read_digits` does.
    """
    text = line[1].removeprefix(_MARK)
    if not line[0] and not text.strip():
        raise BadJson("there is nothing in it; give it JSON, or JSONL")
    return read_digits(text)[0] if keeps_digits else read_json(text)


# More bytes than the largest JSON text has.  A longer text is cut here, and the reader refuses it.
_TOO_LONG = 4 * MAX_JSON + 1 + len(_MARK)


def _iter_bounded(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield *lines* until their total size reaches the limit."""
    size = 0
    for line in lines:
        yield line
        size += len(line)
        if size >= _TOO_LONG:
            return


def _is_value(line: bytes) -> bool:
    """Whether *line* is a complete JSON value."""
    try:
        read_json(line.removeprefix(_MARK))
    except BadJson:
        return False
    return True


@contextmanager
def open_rows(file: str | None, source: str) -> Iterator[TextIO | None]:
    """Open *file* for writing bad rows of *source*; yield None without a file."""
    if file is None or (source != "-" and not os.access(source, os.R_OK)):
        # The reader tells what is wrong with the source; the rows of an earlier run stay.
        yield None
        return
    if file == "-":
        stop("--bad is the path of a file, not -")
    if file == source or (
        os.path.exists(file) and os.path.exists(source) and os.path.samefile(file, source)
    ):
        stop(f"--bad {file} is the file that is read; name another")
    try:
        stream = open(file, "w", encoding="utf-8", newline="\n")  # noqa: SIM115 - closed below
    except OSError as error:
        stop(f"{file} cannot be written: {(error.strerror or str(error)).lower()}")
    with stream:
        yield stream


def read_document(source: str) -> Any:
    """Return the JSON value of *source*: JSON text, the path of a file, or - for standard input."""
    if source.lstrip().startswith("{") or source in ("true", "false"):
        text: bytes | str = source
    else:
        with _open_for_reading(source) as stream:
            text = stream.read(_TOO_LONG).removeprefix(_MARK)
    try:
        return read_json(text)
    except BadJson as error:
        stop(f"this is not JSON: {error}")


def read_text(argument: str) -> str | bytes:
    """*argument*, or the text of standard input if it is -."""
    if argument != "-":
        return argument
    tell_waiting(argument)
    return sys.stdin.buffer.read(_TOO_LONG).removeprefix(_MARK)


def parse_json_or_text(source: str) -> Any:
    """Return the value of *source* if it is JSON, else *source* itself."""
    try:
        return read_json(source)
    except BadJson:
        return source


def parse_named_values(given: Iterable[str]) -> dict[str, Any]:
    """Parse options of the form `NAME=VALUE` to a dict; stop if one is invalid."""
    found = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or not name.isidentifier():
            stop(f"--given is NAME=VALUE, not {describe_value(each)}")
        found[name] = parse_json_or_text(value)
    return found


def write_indented_json(value: object) -> str:
    """Return *value* as indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False)


# --- Progress with a long file: a line on standard error ---

#: Values between two lines of progress where standard error is no terminal.
_STEP = 10_000

#: Values between two looks at the clock, and seconds between two lines on a terminal.
_LOOK, _SECONDS = 64, 0.25


class Progress:
    """Progress line on standard error, for a terminal or if *asked*.

    On a terminal one line has the share of *size*, the bytes of the file, the rate, and the time
    that is left; `clear` takes it away, and is called before anything else is printed.
    """

    def __init__(self, asked: bool, size: int | None = None) -> None:
        self._terminal = sys.stderr.isatty()
        self._on = asked or self._terminal
        self._size = size
        self._began = self._last = time.monotonic()
        self._looked = self._count = self._bytes = self._width = 0

    def __enter__(self) -> Progress:
        """Return the progress itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Erase the progress line, and the ^C that a terminal shows behind it."""
        if self._width and kind is KeyboardInterrupt:
            self._width = min(self._width + 2, shutil.get_terminal_size().columns - 1)
        self.clear()

    def count_lines(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield each of *lines*, and count it in the progress."""
        return self._iter_lines(lines) if self._on else iter(lines)

    def _iter_lines(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield each of *lines*, and count it in the progress."""
        for line in lines:
            self._add(1, len(line[1]))
            yield line
        self.clear()

    def clear(self) -> None:
        """Erase the progress line."""
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
            self._width = 0

    def _add(self, count: int, size: int) -> None:
        """Add *count* values of *size* bytes, and print the progress if it is due."""
        before = self._count
        self._count += count
        self._bytes += size
        if not self._terminal:
            for said in range(before // _STEP + 1, self._count // _STEP + 1):
                print(f"{said * _STEP} values…", file=sys.stderr, flush=True)
            return
        if self._count - self._looked < _LOOK:
            return
        self._looked = self._count
        now = time.monotonic()
        if now - self._last >= _SECONDS:
            self._last = now
            self._print_line(now - self._began)

    def _print_line(self, seconds: float) -> None:
        """Print the progress after *seconds*: share, values, speed and time left."""
        parts = [f"{self._count:,} values", f"{self._count / seconds:,.0f} a second"]
        if self._size:
            # What is written to a file meanwhile is read, too.
            share = min(1.0, self._bytes / self._size)
            left = seconds * (1 - share) / share
            parts = [f"{share:4.0%}", *parts, f"{_format_clock(left)} left"]
        # A line that wraps could not be taken away.
        text = " · ".join(parts)[: shutil.get_terminal_size().columns - 1]
        print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)
        self._width = max(self._width, len(text))


def _format_clock(seconds: float) -> str:
    """Return *seconds* as minutes and seconds.

    >>> _format_clock(0.2), _format_clock(3725)
    ('0:00', '62:05')
    """
    return "{}:{:02}".format(*divmod(round(seconds), 60))
