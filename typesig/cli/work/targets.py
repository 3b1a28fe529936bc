"""The contracts that a command names: tools, a server, a document, a lock, or their revisions."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import typesig
from typesig.cli.inputs.functions import Functions
from typesig.cli.inputs.output import complain
from typesig.cli.inputs.servers import Asked, toolset_of
from typesig.cli.inputs.targets import at_current_folder
from typesig.cli.work.plain_list import lacking_in, tell_of, tools_in
from typesig.contract_limits import MAX_LOCK, MAX_REVISION_SECONDS
from typesig.contracts.locks.files import bytes_of
from typesig.contracts.locks.lock import MARK, Lock, is_lock
from typesig.errors import TooLarge, TypesigError, short
from typesig.tools.foreign.definitions import holds_definitions, tools_of_definitions
from typesig.tools.toolset import Toolset
from typesig.validation.rows.json_text import BadJson, read_json

_TOOLS = Functions()

#: The ends of names of documents and locks.
_DOCUMENTS = (".json", ".lock", ".yaml", ".yml")


def lock_of(target: str, functions: Functions = _TOOLS) -> Lock:
    """Return the contracts that *target* names as a lock; see `contracts_of`."""
    return Lock.of(contracts_of(target, functions))


def contracts_of(target: str, functions: Functions = _TOOLS) -> Toolset | Lock:
    """Return the contracts that *target* names; stop, or raise `TypesigError`, if it has none.

    It is a module or the path of one, `module:name`, the path of a lock, of definitions of tools
    or of a document of OpenAPI, - for standard input, or one of these behind a revision of git.
    """
    if target == "-" or os.path.isfile(target):
        return _of_file(target, functions)
    head, colon, rest = target.partition(":")
    if colon and rest and not _is_module(head):
        commit = commit_of(head)
        if commit is not None:
            return _of_revision(commit, head, rest, functions)
        if not head.isidentifier() or _is_document(rest):
            raise TypesigError(f"{head} is no module, and no revision that git knows here")
    if _is_document(target):
        raise TypesigError(f"there is no file {target}")
    return _of_module(target, functions)


def _is_document(path: str) -> bool:
    return path.endswith(_DOCUMENTS)


def _is_module(name: str) -> bool:
    if name.endswith(".py") or os.path.isfile(name):
        return True
    if not all(map(str.isidentifier, name.split("."))):
        return False
    at_current_folder()
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def lock_of_server(asked: Asked) -> Lock:
    """Return the contracts of the tools of a server; stop if it cannot be used."""
    return Lock.of(_told(toolset_of(asked)))


def _of_module(target: str, functions: Functions) -> Toolset:
    tools = tools_in(target, functions)
    tell_of(tools, lacking_in(target))
    return tools


def _told(tools: Toolset) -> Toolset:
    """Return *tools*, and print their warnings."""
    complain(str(warning) for warning in tools.omissions)
    return tools


def _of_file(path: str, functions: Functions) -> Toolset | Lock:
    if path.endswith(".py"):
        return _of_module(path, functions)
    return of_document(_bytes_of(path), "standard input" if path == "-" else path)


def _bytes_of(path: str) -> bytes:
    """Return the bytes of the file at *path*, or of standard input; raise beyond `MAX_LOCK`."""
    if path != "-":
        return bytes_of(path)
    try:
        text = sys.stdin.buffer.read(MAX_LOCK + 1)
    except OSError as error:
        raise TypesigError(f"standard input cannot be read: {error}") from None
    if len(text) > MAX_LOCK:
        raise TooLarge(f"standard input has more than {MAX_LOCK} bytes")
    return text


def of_document(text: bytes, name: str) -> Toolset | Lock:
    """Return the contracts in *text*: a lock, definitions of tools, or a document of OpenAPI."""
    if name.endswith((".yaml", ".yml")):
        return _of_openapi(_decoded(text, name), name)
    try:
        data: Any = read_json(text.removeprefix(b"\xef\xbb\xbf"))
    except BadJson as error:
        if MARK.encode() in text[:1000] or name.endswith(".lock"):
            return Lock.read(text, name)
        raise TypesigError(f"{name} is not JSON: {error}") from None
    if is_lock(data):
        return Lock.of_data(data, name)
    if holds_definitions(data):
        try:
            return _told(tools_of_definitions(data))
        except TypesigError as error:
            raise TypesigError(f"{name}: {error}") from None
    if isinstance(data, dict) and ("openapi" in data or "swagger" in data):
        return _of_openapi(data, name)
    raise TypesigError(
        f"{name} has no contracts: it is no lock, no list of definitions of tools, and no document "
        f"of OpenAPI, but {short(data)}"
    )


def _decoded(text: bytes, name: str) -> str:
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TypesigError(f"{name} is not UTF-8: {error.reason}") from None


def _of_openapi(document: Any, name: str) -> Toolset:
    from typesig.openapi.making import tools_from

    try:
        # Nothing is requested, whatever the address.
        tools = tools_from(document, base="http://localhost", send=_unsent)
    except TypesigError as error:
        raise TypesigError(f"{name}: {error}") from None
    return _told(tools)


def _unsent(_: Any) -> Any:
    raise TypesigError("nothing is requested for a contract")  # pragma: no cover - never called


def _of_revision(commit: str, revision: str, target: str, functions: Functions) -> Toolset | Lock:
    if _is_document(target):
        return of_document(file_of(commit, revision, target), f"{revision}:{target}")
    text = lock_text_of(commit, revision, target, functions)
    return Lock.read(text, f"{revision}:{target}")


#: What the process runs.  The tools of a revision may be those of this very package, so it is
#: loaded from here before the files of the revision can be imported.
_CODE = """
import sys
home, target, *words = sys.argv[1:]
sys.path.insert(0, home)
from typesig.cli.inputs.functions import Functions
from typesig.cli.work.locking import write_lock
sys.path.remove(home)
write_lock(target, Functions.from_words(words))
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


def lock_text_of(commit: str, revision: str, target: str, functions: Functions) -> str:
    """Return the lock of the tools that *target*, a module, has in *commit*.

    Raises `TypesigError` if it cannot be read there.
    """
    top = _said("rev-parse", "--show-toplevel")
    prefix = _said("rev-parse", "--show-prefix")
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
        arguments = [home, target, *functions.as_words()]
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


def _said(*arguments: str) -> str:
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
