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
from typesig.cli.inputs.options import ServerOptions, read_toolset
from typesig.cli.inputs.output import print_errors, report_errors
from typesig.cli.inputs.targets import (
    Functions,
    import_from_current_folder,
    load_listed_tools,
    tell_of,
)
from typesig.contracts.hidden import Hidden, hidden_in
from typesig.contracts.lock import MARK, Lock, is_lock, read_bytes, read_lock
from typesig.errors import TooLarge, TypesigError, format_value
from typesig.limits.contracts import MAX_LOCK, MAX_REVISION_SECONDS
from typesig.tools.foreign.definitions import holds_definitions, tools_of_definitions
from typesig.tools.toolset import Toolset
from typesig.validation.json_text import BadJson, read_json

_TOOLS = Functions()

#: The ends of names of documents and locks.
_DOCUMENTS = (".json", ".lock", ".yaml", ".yml")


def lock_of(target: str, functions: Functions = _TOOLS) -> Lock:
    """Load the tools or document *target*, and return their lock."""
    return Lock.of(load_contracts(target, functions))


def load_contracts(target: str, functions: Functions = _TOOLS) -> Toolset | Lock:
    """Load *target*: a module, tool, lock or document, also at a git revision.

    It is a module or the path of one, `module:name`, the path of a lock, of definitions of tools
    or of a document of OpenAPI, - for standard input, or one of these behind a revision of git.
    """
    if target == "-" or os.path.isfile(target):
        return _load_file(target, functions)
    head, colon, rest = target.partition(":")
    if colon and rest and not _is_module(head):
        commit = find_commit(head)
        if commit is not None:
            return _load_revision(commit, head, rest, functions)
        if not head.isidentifier() or _is_document(rest):
            raise TypesigError(f"{head} is neither a module nor a revision that git knows here")
    if _is_document(target):
        raise TypesigError(f"there is no file {target}")
    return _load_module(target, functions)


def _is_document(path: str) -> bool:
    """Whether *path* has the extension of a JSON, YAML or lock file."""
    return path.endswith(_DOCUMENTS)


def _is_module(name: str) -> bool:
    """Whether *name* is a Python file or an importable module."""
    if name.endswith(".py") or os.path.isfile(name):
        return True
    if not all(map(str.isidentifier, name.split("."))):
        return False
    import_from_current_folder()
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def lock_of_server(asked: ServerOptions) -> Lock:
    """Return the lock of an MCP server's tools; stop if the server is unusable."""
    return Lock.of(_print_warnings(read_toolset(asked)))


def _load_module(target: str, functions: Functions) -> Toolset:
    """Load the tools of the module *target*, and print its warnings."""
    tools = load_listed_tools(target, functions)
    tell_of(tools, target)
    return tools


def _print_warnings(tools: Toolset) -> Toolset:
    """Return *tools*, and print their warnings."""
    print_errors(str(warning) for warning in tools.omissions)
    return tools


def _load_file(path: str, functions: Functions) -> Toolset | Lock:
    """Load the Python file or document at *path* (`-` for standard input)."""
    if path.endswith(".py"):
        return _load_module(path, functions)
    return read_document(_read_bytes(path), "standard input" if path == "-" else path)


def _read_bytes(path: str) -> bytes:
    """Return the bytes of the file at *path*, or of standard input; raise beyond `MAX_LOCK`."""
    if path != "-":
        return read_bytes(path)
    try:
        text = sys.stdin.buffer.read(MAX_LOCK + 1)
    except OSError as error:
        raise TypesigError(f"standard input cannot be read: {error}") from None
    if len(text) > MAX_LOCK:
        raise TooLarge(f"standard input has more than {MAX_LOCK} bytes")
    return text


def read_document(text: bytes, name: str) -> Toolset | Lock:
    """Parse *text*, a lock, tool definitions or an OpenAPI document, to contracts."""
    if name.endswith((".yaml", ".yml")):
        return _read_openapi(_decode(text, name), name)
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
            return _print_warnings(tools_of_definitions(data))
        except TypesigError as error:
            raise TypesigError(f"{name}: {error}") from None
    if isinstance(data, dict) and ("openapi" in data or "swagger" in data):
        return _read_openapi(data, name)
    raise TypesigError(
        f"{name} has no contracts: it is not a lock, a list of tool definitions or an OpenAPI "
        f"document, but {format_value(data)}"
    )


def _decode(text: bytes, name: str) -> str:
    """Decode the bytes *text* of the file *name* as UTF-8; raise if they are not."""
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TypesigError(f"{name} is not UTF-8: {error.reason}") from None


def _read_openapi(document: Any, name: str) -> Toolset:
    """Build tools from the OpenAPI *document* called *name*; requests are refused."""
    from typesig.openapi.tool_builder import tools_from

    try:
        # Nothing is requested, whatever the address.
        tools = tools_from(document, base="http://localhost", send=_refuse_to_send)
    except TypesigError as error:
        raise TypesigError(f"{name}: {error}") from None
    return _print_warnings(tools)


def _refuse_to_send(_: Any) -> Any:
    """Raise an error instead of sending a request."""
    raise TypesigError("nothing is requested for a contract")  # pragma: no cover - never called


def _load_revision(commit: str, revision: str, target: str, functions: Functions) -> Toolset | Lock:
    """Load the contract of *target*, a document or module, at a git commit."""
    if _is_document(target):
        return read_document(read_file(commit, revision, target), f"{revision}:{target}")
    text = lock_text_of(commit, revision, target, functions)
    return Lock.read(text, f"{revision}:{target}")


#: What the process runs.  The tools of a revision may be those of this very package, so it is
#: loaded from here before the files of the revision can be imported.
_CODE = """
import sys
home, target, *words = sys.argv[1:]
sys.path.insert(0, home)
from typesig.cli.inputs.targets import Functions
from typesig.cli.inputs.contracts import write_lock
sys.path.remove(home)
write_lock(target, Functions.from_words(words))
"""


def find_commit(revision: str) -> str | None:
    """Return the commit that *revision* names, or None if git knows none here."""
    if not revision or revision.isspace():
        return None
    try:
        ran = _call_git(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        )
    except TypesigError:
        return None
    return ran.stdout.decode().strip() or None


def read_file(commit: str, revision: str, path: str) -> bytes:
    """Return the bytes of the file *path* in *commit*; raise `TypesigError` if it has none."""
    ran = _call_git("show", f"{commit}:./{path}")
    if ran.returncode:
        raise TypesigError(f"the revision {revision} has no file {path} here")
    if len(ran.stdout) > MAX_LOCK:
        raise TooLarge(f"{revision}:{path} has more than {MAX_LOCK} bytes")
    return ran.stdout


def lock_text_of(commit: str, revision: str, target: str, functions: Functions) -> str:
    """Return the lock of the tools that *target*, a module, has in *commit*.

    Raises `TypesigError` if it cannot be read there.
    """
    top = _run_git("rev-parse", "--show-toplevel")
    prefix = _run_git("rev-parse", "--show-prefix")
    archive = _call_git("-C", top, "archive", "--format=tar", commit)
    if archive.returncode:
        raise TypesigError(
            f"git cannot read the files of {revision}: {_get_last_line(archive.stderr)}"
        )
    with tempfile.TemporaryDirectory(prefix="typesig-") as folder:
        with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        tree = Path(folder, prefix)
        if not tree.is_dir():
            raise TypesigError(f"the revision {revision} has no folder {prefix}")
        home = str(Path(typesig.__file__).parents[1])
        arguments = [home, target, *functions.as_words()]
        ran = _run([sys.executable, "-B", "-c", _CODE, *arguments], tree, _make_environment(tree))
    lines = ran.stderr.decode("utf-8", "replace").splitlines()
    if ran.returncode:
        why = lines[-1].removeprefix("typesig: ") if lines else f"status {ran.returncode}"
        raise TypesigError(f"in the revision {revision}: {why}")
    print_errors(f"{revision}: {line}" for line in lines)
    return ran.stdout.decode("utf-8")


def _make_environment(tree: Path) -> dict[str, str]:
    """Return the environment of a process that imports from *tree*, and first from its `src`."""
    known = os.environ.get("PYTHONPATH", "")
    paths = [str(each) for each in (tree, tree / "src") if each.is_dir()]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*paths, *([known] if known else [])]),
        "PYTHONIOENCODING": "utf-8",
    }


def _run_git(*arguments: str) -> str:
    """Run a git command, and return its output without the final line breaks."""
    return os.fsdecode(_call_git(*arguments).stdout).rstrip("\n")


def _call_git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run a git command in the current folder, whatever its exit code."""
    return _run(["git", *arguments], None, None)


def _run(
    command: list[str], folder: Path | None, environment: dict[str, str] | None
) -> subprocess.CompletedProcess[bytes]:
    """Run *command* with captured output and a time limit; raise if it is not installed."""
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
        why = f"{format_value(Path(command[0]).name)} took more than {MAX_REVISION_SECONDS} seconds"
        raise TypesigError(why) from None


def _get_last_line(told: bytes) -> str:
    """Return the last line of a command's error output; a substitute if it is empty."""
    lines = told.decode("utf-8", "replace").splitlines()
    return lines[-1] if lines else "it gave no reason"


# --- Locks that commands write and check ---


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
            raise TypesigError(
                f"{file} is not a lock, so it is not replaced; name another"
            ) from None
        print_errors(f"{error}; it is written anew")
        return None


def find_newly_hidden(lock: Lock, before: Lock | None) -> list[Hidden]:
    """Hidden texts in *lock* that *before* did not have."""
    known = set() if before is None else {each._replace(at=0) for each in hidden_in(before)}
    return [each for each in hidden_in(lock) if each._replace(at=0) not in known]
