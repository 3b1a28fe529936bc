"""Locks that commands write and check."""

from __future__ import annotations

import os
import sys

from typesig.cli.inputs.functions import Functions
from typesig.cli.inputs.output import print_errors, report_errors
from typesig.cli.work.targets import lock_of
from typesig.contracts.hidden import Hidden, hidden_in
from typesig.contracts.locks.lock import MARK, Lock
from typesig.contracts.locks.lock_files import read_bytes, read_lock
from typesig.errors import TypesigError


def write_lock(target: str, functions: Functions) -> None:
    """Write the lock of *target* to standard output; other output goes to standard error."""
    with report_errors(), os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        out.write(lock_of(target, functions).text())
    sys.stdout.flush()


def read_replaced_lock(file: str) -> Lock | None:
    """Read the lock in *file* before an update; None if it is unreadable.

    Raises `TypesigError` if the file is something else.
    """
    try:
        return read_lock(file)
    except TypesigError as error:
        if MARK.encode() not in read_bytes(file):
            raise TypesigError(f"{file} is no lock, so it is not replaced; name another") from None
        print_errors(f"{error}; it is written anew")
        return None


def find_newly_hidden(lock: Lock, before: Lock | None) -> list[Hidden]:
    """Hidden texts in *lock* that *before* did not have."""
    known = set() if before is None else {each._replace(at=0) for each in hidden_in(before)}
    return [each for each in hidden_in(lock) if each._replace(at=0) not in known]
