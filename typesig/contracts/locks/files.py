"""Lock files on disk: read whole, and replaced at once by one writer at a time."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from typesig.contract_limits import MAX_LOCK, MAX_LOCK_SECONDS
from typesig.contracts.locks.lock import Lock
from typesig.errors import TooLarge, TypesigError

#: The seconds between two looks at whether another writer has ended.
_PAUSE = 0.05


class Unwritable(TypesigError):
    """A file that cannot be written."""


def bytes_of(path: str) -> bytes:
    """Return the bytes of the file at *path*; raise `TooLarge` beyond `MAX_LOCK`.

    Raises `TypesigError` for a file that cannot be read.
    """
    try:
        if os.path.exists(path) and not os.path.isdir(path) and not os.path.isfile(path):
            # A pipe may have no end, and no beginning.
            raise TypesigError(f"{path} cannot be read: it is no usual file")
        with open(path, "rb") as stream:
            text = stream.read(MAX_LOCK + 1)
    except (OSError, ValueError) as error:
        raise TypesigError(f"{path} cannot be read: {_why(error)}") from None
    if len(text) > MAX_LOCK:
        raise TooLarge(f"{path} has more than {MAX_LOCK} bytes")
    return text


def read_lock(path: str) -> Lock | None:
    """Return the lock in the file at *path*, or None if there is no such file.

    Raises `TypesigError` for anything else than a lock.
    """
    return Lock.read(bytes_of(path), path) if os.path.exists(path) else None


@contextmanager
def sole_writer(path: str) -> Iterator[Callable[[Lock], None]]:
    """Yield what replaces the lock in the file at *path* when the block ends without an error.

    Meanwhile no other process is within such a block.  At each moment the file has all of the old
    lock, or all of the new one.  Raises `Unwritable` if it cannot be written, and if another
    process is still within after `MAX_LOCK_SECONDS`.
    """
    target, beside, stream = _sole_file(path)
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


def _sole_file(path: str) -> tuple[str, str, IO[bytes]]:
    """Return the file that *path* leads to, and one beside it that only this process has made."""
    until = time.monotonic() + MAX_LOCK_SECONDS
    while True:
        try:
            target = os.path.realpath(path)
            beside = f"{target}.new"
            return target, beside, open(beside, "xb")
        except FileExistsError:
            if time.monotonic() > until:
                raise Unwritable(
                    f"{path} cannot be written: another process writes it; if none does, remove "
                    f"{path}.new"
                ) from None
            time.sleep(_PAUSE)
        except (OSError, ValueError) as error:
            raise Unwritable(f"{path} cannot be written: {_why(error)}") from None


def _write(stream: IO[bytes], lock: Lock, path: str) -> None:
    text = lock.text().encode()
    if len(text) > MAX_LOCK:
        raise TooLarge(f"{path} would have more than {MAX_LOCK} bytes")
    try:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {_why(error)}") from None


def _replace(beside: str, target: str, path: str) -> None:
    try:
        if os.path.exists(target):
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {_why(error)}") from None


def _why(error: OSError | ValueError) -> str:
    return str(getattr(error, "strerror", None) or error).lower()
