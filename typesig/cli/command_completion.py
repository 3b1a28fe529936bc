"""The command `completion`, and the files, modules and tools that a shell completes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import (
    BashComplete,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from typesig.cli.inputs.options import Choice
from typesig.cli.inputs.output import print_text
from typesig.cli.inputs.targets import import_from_current_folder

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


# --- The command `typesig completion` ---

#: The script that bash reads.  Bash breaks words at a colon, and replaces only what is behind it;
#: so the line is handed over as it is, and what bash keeps is taken off.
_BASH = """\
%(complete_func)s() {
    local IFS=$'\\n'
    local response completion kept="${COMP_LINE:0:$COMP_POINT}"

    kept=${kept##*[[:space:]]}
    [[ $kept == *:* && $COMP_WORDBREAKS == *:* ]] && kept="${kept%%:*}:" || kept=""
    response=$(env COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" \
%(complete_var)s=bash_complete $1)

    for completion in $response; do
        local type=${completion%%%%,*} value=${completion#*,}
        if [[ $type == dir ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == file ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $type == plain ]]; then
            COMPREPLY+=("${value#"$kept"}")
        fi
    done

    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class _BashComplete(BashComplete):
    """Completion for bash, where a word may contain a colon."""

    source_template = _BASH

    def source(self) -> str:
        """Return the bash completion script, without click's check of the bash version."""
        # Without starting a bash to ask for its version.
        return ShellComplete.source(self)

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, and the incomplete word."""
        line = os.environ["COMP_LINE"].encode()[: int(os.environ["COMP_POINT"])]
        text = line.decode("utf-8", "ignore")
        words = split_arg_string(text)[1:]
        return (words, "") if not words or text[-1].isspace() else (words[:-1], words[-1])


SHELLS: Mapping[str, type[ShellComplete]] = {
    "bash": _BashComplete, "zsh": ZshComplete, "fish": FishComplete
}  # fmt: skip


def register() -> None:
    """Register the completion classes of this package with click."""
    for made in SHELLS.values():
        add_completion_class(made)


def write_script(shell: str, command: click.Command) -> str:
    """Return the script with which *shell* completes the arguments of *command*."""
    return SHELLS[shell](command, {}, "typesig", "_TYPESIG_COMPLETE").source()


@click.command("completion")
@click.argument("shell", type=Choice([*SHELLS]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes this command in SHELL.

    Commands, options, files, and the names of tools are completed.  The script is read when the
    shell starts, as in: eval "$(typesig completion bash)" in ~/.bashrc.
    """
    print_text(write_script(shell, ctx.find_root().command).rstrip("\n"))


# --- Shell completion of files, modules and tools; no code of a module is run ---


def complete_files(ctx: Any, param: Any, incomplete: str) -> list[CompletionItem[str]]:
    """Let the shell complete a file."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def complete_modules(ctx: Any, param: Any, incomplete: str) -> list[CompletionItem[str]]:
    """Complete a module name, or the name of an object in a module."""
    return _find_completions(incomplete, whole=True)


def complete_tools(ctx: Any, param: Any, incomplete: str) -> list[CompletionItem[str]]:
    """Complete the name of an object in a module, as in `module:name`."""
    return _find_completions(incomplete, whole=False)


def _find_completions(incomplete: str, whole: bool) -> list[CompletionItem[str]]:
    """Completions of *incomplete*; with *whole*, a module is a target itself.

    What alone can be meant is completed further, so that no shell ends the word behind it.
    """
    from click.shell_completion import CompletionItem

    found, more = [], [*_iter_names(incomplete, whole)]
    while more:
        found = more
        more = [*_iter_names(found[0], whole)] if len(found) == 1 and found[0][-1] in ".:" else []
    if not found and ("/" in incomplete or not incomplete):
        return complete_files(None, None, incomplete)
    return [CompletionItem(name) for name in found]


def _iter_names(begun: str, whole: bool) -> Iterator[str]:
    """Yield completions of *begun*: modules, or objects of a module after a colon."""
    from pkgutil import iter_modules

    place, colon, name = begun.partition(":")
    if colon:
        if not place.endswith(".py"):
            import_from_current_folder()
        for each in _iter_public_names(_find_file(place), name):
            yield f"{place}:{each}"
        return
    package, dot, _ = place.rpartition(".")
    for found in iter_modules(_find_folders(package) if dot else [os.getcwd()]):
        each = f"{package}{dot}{found.name}"
        if not each.startswith(place) or found.name.startswith("_"):
            continue
        if found.ispkg:
            yield f"{each}."
        else:
            yield from [each, f"{each}:"] if whole else [f"{each}:"]


def _find_folders(package: str) -> list[str]:
    """Return the folders of *package*, which is not imported."""
    first, *rest = package.split(".")
    import_from_current_folder()
    try:
        spec = find_spec(first)
    except (ImportError, ValueError):
        return []
    folders = [] if spec is None else [*(spec.submodule_search_locations or ())]
    return [os.path.join(folder, *rest) for folder in folders]


def _find_file(place: str) -> str | None:
    """Return the path of the module at *place*, a dotted name or a path."""
    if place.endswith(".py"):
        return place
    package, _, name = place.rpartition(".")
    for folder in _find_folders(package) if package else [os.getcwd()]:
        for path in (f"{name}.py", os.path.join(name, "__init__.py")):
            if os.path.isfile(found := os.path.join(folder, path)):
                return found
    return None


def _iter_public_names(file: str | None, begun: str) -> Iterator[str]:
    """Yield the public functions and classes of *file* whose names begin as *begun* does.

    Names in a class have the name of the class before them.
    """
    import ast

    try:
        with open(file or "", "rb") as stream:
            body = ast.parse(stream.read()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return
    *classes, _ = begun.split(".")
    for name in classes:
        inner = [each for each in body if isinstance(each, ast.ClassDef) and each.name == name]
        body = inner[0].body if inner else []
    before = "".join(f"{name}." for name in classes)
    for each in body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = before + each.name
            if name.startswith(begun) and not each.name.startswith("_"):
                yield name
