"""Read values from files of JSON, or of JSONL with one value a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from typesig.cli.output import stop
from typesig.limits import MAX_JSON
from typesig.validation.json_text import BadJson, read_json

#: The place of a value, the value, and the error in its text or None.
Row = tuple[str, Any, str | None]

#: The byte order mark that some editors write before UTF-8.
_MARK = b"\xef\xbb\xbf"


def read_values(file: str) -> Iterator[Row]:
    """Yield the values of *file*: one a line if its first line is a value, else the whole."""
    name = "standard input" if file == "-" else file
    try:
        with _opened(file) as stream:
            yield from _rows(stream, name)
    except OSError as error:
        stop(f"{file} cannot be read: {(error.strerror or str(error)).lower()}")


def _opened(file: str) -> BinaryIO:
    return sys.stdin.buffer if file == "-" else open(file, "rb")


def _rows(stream: BinaryIO, name: str) -> Iterator[Row]:
    """Yield one value a line if the first line is a value and others follow, else the whole."""
    head: list[bytes] = []
    lines = _lines(stream)
    for line in lines:
        head.append(line)
        if line.strip():
            break
    first = b"".join(head)
    if not first.strip():
        yield name, None, "there is nothing in it; give it JSON, or JSONL"
        return
    blank = []
    rest = next(lines, None)
    while rest is not None and not rest.strip():
        blank.append(rest)
        rest = next(lines, None)
    if rest is None or not _is_value(first):
        yield _row(name, b"".join(_bounded(chain([first, *blank, rest or b""], lines))))
        return
    yield _row(f"{name}:{len(head)}", first)
    for number, line in enumerate(chain([rest], lines), len(head) + len(blank) + 1):
        if line.strip():
            yield _row(f"{name}:{number}", line)


# More bytes than the largest JSON text has.  A longer text is cut here, and the reader refuses it.
_TOO_LONG = 4 * MAX_JSON + 1 + len(_MARK)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(_TOO_LONG):
        yield line


def _bounded(lines: Iterable[bytes]) -> Iterator[bytes]:
    size = 0
    for line in lines:
        yield line
        size += len(line)
        if size >= _TOO_LONG:
            return


def _is_value(line: bytes) -> bool:
    try:
        read_json(line.removeprefix(_MARK))
    except BadJson:
        return False
    return True


def _row(place: str, text: bytes) -> Row:
    try:
        return place, read_json(text.removeprefix(_MARK)), None
    except BadJson as error:
        return place, None, str(error)


def read_document(source: str) -> Any:
    """Return the JSON value of *source*: JSON text, the path of a file, or - for standard input."""
    if source.lstrip().startswith("{") or source in ("true", "false"):
        text: bytes | str = source
    else:
        try:
            with _opened(source) as stream:
                text = stream.read(_TOO_LONG).removeprefix(_MARK)
        except OSError as error:
            stop(f"{source} cannot be read: {(error.strerror or str(error)).lower()}")
    try:
        return read_json(text)
    except BadJson as error:
        stop(f"this is not JSON: {error}")


def text_of(argument: str) -> str | bytes:
    """Return *argument*, or the text of standard input if it is -."""
    return sys.stdin.buffer.read(_TOO_LONG).removeprefix(_MARK) if argument == "-" else argument


def json_or_text(source: str) -> Any:
    """Return the value of *source* if it is JSON, else *source* itself."""
    try:
        return read_json(source)
    except BadJson:
        return source


def indented_json(value: object) -> str:
    """Return *value* as indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False)
