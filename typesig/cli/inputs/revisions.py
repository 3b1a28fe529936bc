"""What a revision of git has of a target: a file, or the tools of a module.

The tools of a module are read by a process of its own, in a copy of the revision's files that is
removed at the end.  Nothing in the repository changes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

import typesig
from typesig.cli.inputs.output import complain
from typesig.contract_limits import MAX_LOCK, MAX_REVISION_SECONDS
from typesig.errors import TooLarge, TypesigError, short

#: What the process runs.  The tools of a revision may be those of this very package, so it is
#: loaded from here before the files of the revision can be imported.
_CODE = """
import sys
home, target, everything = sys.argv[1:4]
sys.path.insert(0, home)
from typesig.cli.work.locking import write_lock
sys.path.remove(home)
write_lock(target, everything == "all")
"""


def commit_of(revision: str) -> str | None:
    """Return the commit that *revision* names, or None if git knows none here."""
    if not revision or revision.isspace():
        return None
    try:
        ran = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except TypesigError:
        return None
    return ran.stdout.decode().strip() or None


def file_of(commit: str, revision: str, path: str) -> bytes:
    """Return the bytes of the file *path* in *commit*; raise `TypesigError` if it has none."""
    ran = _git("show", f"{commit}:./{path}")
    if ran.returncode:
        raise TypesigError(f"the revision {revision} has no file {path} here")
    if len(ran.stdout) > MAX_LOCK:
        raise TooLarge(f"{revision}:{path} has more than {MAX_LOCK} bytes")
    return ran.stdout


def lock_text_of(commit: str, revision: str, target: str, undecorated: bool) -> str:
    """Return the lock of the tools that *target*, a module, has in *commit*.

    Raises `TypesigError` if it cannot be read there.
    """
    top = _told("rev-parse", "--show-toplevel")
    prefix = _told("rev-parse", "--show-prefix")
    archive = _git("-C", top, "archive", "--format=tar", commit)
    if archive.returncode:
        raise TypesigError(f"git cannot read the files of {revision}: {_last(archive.stderr)}")
    with tempfile.TemporaryDirectory(prefix="typesig-") as folder:
        with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        tree = Path(folder, prefix)
        if not tree.is_dir():
            raise TypesigError(f"the revision {revision} has no folder {prefix}")
        home = str(Path(typesig.__file__).parents[1])
        arguments = [home, target, "all" if undecorated else "tools"]
        ran = _run([sys.executable, "-B", "-c", _CODE, *arguments], tree, _environment(tree))
    lines = ran.stderr.decode("utf-8", "replace").splitlines()
    if ran.returncode:
        why = lines[-1].removeprefix("typesig: ") if lines else f"status {ran.returncode}"
        raise TypesigError(f"in the revision {revision}: {why}")
    complain(f"{revision}: {line}" for line in lines)
    return ran.stdout.decode("utf-8")


def _environment(tree: Path) -> dict[str, str]:
    """Return the environment of a process that imports from *tree*, and first from its `src`."""
    known = os.environ.get("PYTHONPATH", "")
    paths = [str(each) for each in (tree, tree / "src") if each.is_dir()]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*paths, *([known] if known else [])]),
        "PYTHONIOENCODING": "utf-8",
    }


def _told(*arguments: str) -> str:
    return os.fsdecode(_git(*arguments).stdout).rstrip("\n")


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return _run(["git", *arguments], None, None)


def _run(
    command: list[str], folder: Path | None, environment: dict[str, str] | None
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MAX_REVISION_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise TypesigError(f"{command[0]} is not installed; install it to name revisions") from None
    except subprocess.TimeoutExpired:
        why = f"{short(Path(command[0]).name)} took more than {MAX_REVISION_SECONDS} seconds"
        raise TypesigError(why) from None


def _last(told: bytes) -> str:
    lines = told.decode("utf-8", "replace").splitlines()
    return lines[-1] if lines else "it gave no reason"
