"""The command `typesig show`."""

from __future__ import annotations

import click

from typesig.cli.inputs.completing import tools
from typesig.cli.inputs.data import indented_json
from typesig.cli.inputs.output import say, say_wrapped
from typesig.cli.inputs.targets import object_of
from typesig.cli.work.display import data_of_callable, lines_of_callable


@click.command()
@click.argument("target", shell_complete=tools)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(target: str, as_json: bool) -> None:
    """Print the type that each hint of TARGET became.

    TARGET is module:name; every warning is printed too.
    """
    if as_json:
        say(indented_json(data_of_callable(object_of(target))))
        return
    for text, style, indent in lines_of_callable(object_of(target)):
        say_wrapped(text, indent, style)
