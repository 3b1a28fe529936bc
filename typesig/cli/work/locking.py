"""Locks that commands write and check."""

from __future__ import annotations

import os
import sys

from typesig.cli.inputs.output import complain, told_errors
from typesig.cli.work.targets import lock_of, read_bytes
from typesig.contracts.locks.lock import MARK, Lock
from typesig.errors import TypesigError


def write_lock(target: str, undecorated: bool) -> None:
    """Write the lock of *target* to standard output; what it prints itself goes elsewhere."""
    with told_errors(), os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        out.write(lock_of(target, undecorated).text())
    sys.stdout.flush()


def known_lock(file: str) -> Lock | None:
    """Return the lock in *file*, or None if there is no such file; raise `TypesigError` else."""
    return Lock.read(read_bytes(file), file) if os.path.exists(file) else None


def replaced_lock(file: str) -> Lock | None:
    """Return the lock in *file* that is to be replaced; None if there is none that can be read.

    Raises `TypesigError` if the file is something else.
    """
    try:
        return known_lock(file)
    except TypesigError as error:
        if MARK.encode() not in read_bytes(file):
            raise TypesigError(f"{file} is no lock, so it is not replaced; name another") from None
        complain(f"{error}; it is written anew")
        return None


def write_file(file: str, lock: Lock) -> None:
    """Write *lock* to *file*; raise `TypesigError` if that is not possible."""
    try:
        with open(file, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(lock.text())
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise TypesigError(f"{file} cannot be written: {why}") from None
