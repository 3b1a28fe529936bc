"""Progress with a long file: a line on standard error."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable, Iterator

from typesig.cli.inputs.data import Chunk, Line

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

    def count_lines(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield each of *lines*, and count it in the progress."""
        if not self._on:
            yield from lines
            return
        for line in lines:
            self._add(1, len(line[1]))
            yield line
        self.clear()

    def count_chunks(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """Yield each of *chunks*, and count its lines in the progress."""
        if not self._on:
            yield from chunks
            return
        for chunk in chunks:
            self._add(sum(1 for _ in chunk.iter_lines()), len(chunk.text))
            yield chunk
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
