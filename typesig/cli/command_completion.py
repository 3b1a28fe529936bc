"""The command `typesig completion`."""

from __future__ import annotations

import os
from collections.abc import Mapping

import click
from click.shell_completion import (
    BashComplete,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from typesig.cli.inputs.output import print_text

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
@click.argument("shell", type=click.Choice([*SHELLS]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes this command in SHELL.

    Commands, options, files, and the names of tools are completed.  The script is read when the
    shell starts, as in: eval "$(typesig completion bash)" in ~/.bashrc.
    """
    print_text(write_script(shell, ctx.find_root().command).rstrip("\n"))
