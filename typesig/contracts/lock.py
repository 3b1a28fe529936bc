"""Lock files: contracts of tools as compact JSON that can be read back exactly.

The keys are sorted.  A signature is text that `parse` reads; beside it are fingerprints of what
the tool takes, of what it returns, and of its texts.  A reader recomputes them, so that a line that
was edited by hand is told.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, Any, TypeGuard

from typesig.algebra.signature import Signature
from typesig.calls.protocols import ToolsByName
from typesig.contracts.contract import ToolContract, make_contract, to_bare_signature
from typesig.errors import TooLarge, TypesigError, format_value
from typesig.limits.contracts import MAX_LOCK, MAX_LOCK_SECONDS
from typesig.notations import parse
from typesig.notations.shorthand.writer import write_signature
from typesig.notations.texts.quoting import with_escapes
from typesig.validation.json_text import BadJson, read_json

#: The version of the format that is written, and the only one that is read.
FORMAT = 1

#: The key of the version, which tells a lock from other JSON.
MARK = "typesig-lock"

_WRITE = "write it anew with typesig lock"


class Lock:
    """Contracts of the tools of a toolset, by name; immutable.

    >>> from typesig import tools_of
    >>> def double(n: int = 1) -> int:
    ...     return 2 * n
    >>> made = Lock.of(tools_of([double]))
    >>> made.names, str(made["double"].signature)
    (('double',), '(n :int = 1) -> :int')
    >>> Lock.read(made.text()).tools == made.tools
    True
    """

    __slots__ = ("tools",)

    #: The contracts by name, in the order of the names.
    tools: Mapping[str, ToolContract]

    def __init__(self, tools: Mapping[str, ToolContract]) -> None:
        self.tools = dict(sorted(tools.items()))

    @classmethod
    def of(cls, tools: ToolsByName | Lock) -> Lock:
        """Make the lock of a toolset; a lock is returned unchanged.

        Raises `TypesigError` for anything else, and for a tool that cannot be kept.
        """
        if isinstance(tools, Lock):
            return tools
        if not hasattr(type(tools), "names") or not hasattr(type(tools), "prompt"):
            raise TypesigError(
                f"a lock is made of a toolset, not {type(tools).__name__}; write tools_of(…)"
            )
        return cls({one.name: make_contract(one) for one in tools})

    @classmethod
    def read(cls, text: str | bytes, name: str = "the lock") -> Lock:
        """Parse a lock from *text*; error messages call it *name*.

        Raises `TypesigError` for what is not a lock, is cut off, is of a newer format, or was
        edited by hand.
        """
        if len(text) > MAX_LOCK:
            raise TooLarge(f"{name} has more than {MAX_LOCK} bytes")
        try:
            data = read_json(text)
        except BadJson as error:
            why = f"{name} is not JSON, or it is cut off: {error}; {_WRITE}"
            raise TypesigError(why) from None
        return cls.of_data(data, name)

    @classmethod
    def of_data(cls, data: object, name: str = "the lock") -> Lock:
        """Make a lock from JSON *data*; see `read`."""
        if not is_lock(data):
            raise TypesigError(f"{name} is not a lock: it has no {MARK!r}; {_WRITE}")
        version = data[MARK]
        if type(version) is not int or version < 1:
            raise TypesigError(
                f"{name}: {MARK!r} is the number of a format, not {format_value(version)}"
            )
        if version > FORMAT:
            raise TypesigError(
                f"{name} has the format {version}, and this version of typesig reads {FORMAT}; "
                "install a newer one"
            )
        tools = _read_part(data, "tools", dict, name)
        for key in data.keys() - {MARK, "tools"}:
            raise TypesigError(f"{name} has the unknown part {format_value(key)}; {_WRITE}")
        return cls({each: _read(each, entry, name) for each, entry in tools.items()})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, in order."""
        return tuple(self.tools)

    def __getitem__(self, name: str) -> ToolContract:
        return self.tools[name]

    def __iter__(self) -> Iterator[ToolContract]:
        return iter(self.tools.values())

    def __len__(self) -> int:
        return len(self.tools)

    def __eq__(self, other: object) -> bool:
        # By their texts: of data, 1 and true are equal.
        return isinstance(other, Lock) and self.text() == other.text()

    def __hash__(self) -> int:
        return hash(tuple([(one.name, one.input, one.output, one.texts) for one in self]))

    def __repr__(self) -> str:
        return f"Lock({', '.join(self.tools)})"

    def text(self) -> str:
        """Write the lock as JSON, byte-identical across runs and Python versions."""
        tools = {one.name: _make_entry(one) for one in self}
        return write_printable_json({MARK: FORMAT, "tools": tools})


def is_lock(data: object) -> TypeGuard[dict[str, Any]]:
    """Whether *data* is an object with the version key of a lock."""
    return isinstance(data, dict) and MARK in data


def write_printable_json(data: Any) -> str:
    """Write *data* as indented JSON with only visible characters and a final newline."""
    return with_escapes(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)) + "\n"


def _make_entry(one: ToolContract) -> dict[str, Any]:
    """Convert contract *one* to its lock entry, without empty optional parts."""
    entry: dict[str, Any] = {
        "signature": write_signature(one.signature, described=False),
        "input": one.input,
        "output": one.output,
        "texts": one.texts,
    }
    for key in _OPTIONAL:
        value = getattr(one, key)
        if value not in (None, (), {}):
            entry[key] = dict(value) if isinstance(value, Mapping) else value
    return entry


def _is_text(value: object) -> bool:
    """Whether *value* is a str."""
    return isinstance(value, str)


def _is_map_of(check: Callable[[object], bool]) -> Callable[[object], bool]:
    """Build a check for dicts whose values all pass *check*."""
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


#: What an entry may have, and the test of each.
_OPTIONAL: dict[str, Callable[[object], bool]] = {
    "description": _is_text,
    "title": _is_text,
    "notes": _is_map_of(_is_text),
    "titles": _is_map_of(_is_text),
    "annotations": _is_map_of(lambda _: True),
    "hidden": _is_map_of(lambda value: isinstance(value, bool)),
    "kinds": _is_map_of(lambda value: value in ("positional", "keyword")),
    "secrets": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "keywords": _is_map_of(lambda _: True),
    "unread": _is_map_of(_is_text),
    "raw": _is_map_of(_is_text),
    "words": lambda value: isinstance(value, list) and all(map(_is_text, value)),
}

_FINGERPRINTS = ("input", "output", "texts")


def _read_part(data: dict[str, Any], key: str, kind: type, name: str) -> Any:
    """Get `data[key]` and check its class *kind*; *name* is its place for errors."""
    value = data.get(key)
    if not isinstance(value, kind):
        word = {"dict": "an object", "str": "text"}[kind.__name__]
        raise TypesigError(f"{name}: {key!r} has to be {word}, not {format_value(value)}; {_WRITE}")
    return value


def _read(tool: str, entry: object, name: str) -> ToolContract:
    """Parse the lock entry of *tool* and check its fingerprints; *name* is the file."""
    place = f"{name}: {format_value(tool)}"
    if not isinstance(entry, dict):
        raise TypesigError(f"{place} has to be an object, not {format_value(entry)}; {_WRITE}")
    signature = _read_signature(_read_part(entry, "signature", str, place), place)
    parts: dict[str, Any] = {}
    for key, value in entry.items():
        if key == "signature" or key in _FINGERPRINTS:
            continue
        if key not in _OPTIONAL:
            raise TypesigError(f"{place} has the unknown part {format_value(key)}; {_WRITE}")
        if not _OPTIONAL[key](value):
            raise TypesigError(f"{place}: {key!r} cannot be {format_value(value)}; {_WRITE}")
        parts[key] = tuple(value) if isinstance(value, list) else value
    made = ToolContract(tool, signature, **parts)
    for key in _FINGERPRINTS:
        if _read_part(entry, key, str, place) != getattr(made, key):
            raise TypesigError(
                f"{place} was edited by hand: its fingerprint {key!r} is not that of its "
                f"{_OF[key]}; {_WRITE}"
            )
    return made


_OF = {"input": "parameters", "output": "result", "texts": "texts"}


def _read_signature(text: str, place: str) -> Signature:
    """Parse the signature *text* of a lock entry; *place* is for errors."""
    try:
        return to_bare_signature(parse(text))
    except TypesigError as error:
        why = str(error).splitlines()[-1].strip()
        raise TypesigError(f"{place}: its signature cannot be read: {why}; {_WRITE}") from None


# --- Read lock files, and replace them atomically, one process at a time ---

#: The seconds between two looks at whether another writer has ended.
_PAUSE = 0.05


class UnwritableFile(TypesigError):
    """The error for a lock file that cannot be written."""


def read_bytes(path: str) -> bytes:
    """Read the file at *path*; raise `TooLarge` beyond `MAX_LOCK`.

    Raises `TypesigError` for a file that cannot be read.
    """
    try:
        if os.path.exists(path) and not os.path.isdir(path) and not os.path.isfile(path):
            # A pipe may have no end, and no beginning.
            raise TypesigError(f"{path} cannot be read: it is not a regular file")
        with open(path, "rb") as stream:
            text = stream.read(MAX_LOCK + 1)
    except (OSError, ValueError) as error:
        raise TypesigError(f"{path} cannot be read: {_explain_os_error(error)}") from None
    if len(text) > MAX_LOCK:
        raise TooLarge(f"{path} has more than {MAX_LOCK} bytes")
    return text


def read_lock(path: str) -> Lock | None:
    """Return the lock in the file at *path*, or None if there is no such file.

    Raises `TypesigError` for anything else than a lock.
    """
    return Lock.read(read_bytes(path), path) if os.path.exists(path) else None


@contextmanager
def open_exclusively(path: str) -> Iterator[Callable[[Lock], None]]:
    """Exclude other writers of the file *path*; yield a function that sets its new lock.

    Meanwhile no other process is within such a block.  At each moment the file has all of the old
    lock, or all of the new one.  Raises `UnwritableFile` if it cannot be written, and if another
    process is still within after `MAX_LOCK_SECONDS`.
    """
    target, beside, stream = _create_exclusively(path)
    given: list[Lock] = []
    is_there = True
    try:
        with stream:
            yield given.append
            for lock in given[-1:]:
                _write(stream, lock, path)
        if given:
            _replace(beside, target, path)
            is_there = False
    finally:
        if is_there:
            with suppress(OSError):
                os.unlink(beside)


def _create_exclusively(path: str) -> tuple[str, str, IO[bytes]]:
    """Resolve *path* and create `path.new` beside it, waiting for other writers."""
    until = time.monotonic() + MAX_LOCK_SECONDS
    while True:
        try:
            target = os.path.realpath(path)
            beside = f"{target}.new"
            return target, beside, open(beside, "xb")
        except FileExistsError:
            if time.monotonic() > until:
                raise UnwritableFile(
                    f"{path} cannot be written: another process writes it; if none does, remove "
                    f"{path}.new"
                ) from None
            time.sleep(_PAUSE)
        except (OSError, ValueError) as error:
            raise UnwritableFile(f"{path} cannot be written: {_explain_os_error(error)}") from None


def _write(stream: IO[bytes], lock: Lock, path: str) -> None:
    """Write *lock* to *stream* and sync it to disk; *path* is for errors."""
    text = lock.text().encode()
    if len(text) > MAX_LOCK:
        raise TooLarge(f"{path} would have more than {MAX_LOCK} bytes")
    try:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    except OSError as error:
        raise UnwritableFile(f"{path} cannot be written: {_explain_os_error(error)}") from None


def _replace(beside: str, target: str, path: str) -> None:
    """Move file *beside* to *target*, keeping its mode; *path* is for errors."""
    try:
        if os.path.exists(target):
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except OSError as error:
        raise UnwritableFile(f"{path} cannot be written: {_explain_os_error(error)}") from None


def _explain_os_error(error: OSError | ValueError) -> str:
    """Get the reason of *error* in lower case, without number and path."""
    return str(getattr(error, "strerror", None) or error).lower()
