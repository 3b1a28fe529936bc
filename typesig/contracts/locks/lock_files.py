"""Read lock files, and replace them atomically, one process at a time."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from typesig.contracts.locks.lock import Lock
from typesig.errors import TooLarge, TypesigError
from typesig.limits.contracts import MAX_LOCK, MAX_LOCK_SECONDS

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
            raise TypesigError(f"{path} cannot be read: it is no usual file")
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
