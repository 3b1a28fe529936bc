"""The command `typesig show`."""

from __future__ import annotations

import click

from typesig.cli.inputs.output import say_wrapped
from typesig.cli.inputs.targets import object_of
from typesig.cli.work.display import lines_of_callable


@click.command()
@click.argument("target")
def show(target: str) -> None:
    """Print the type that each hint of TARGET became.

    TARGET is module:name; every warning is printed too.
    """
    for text, style, indent in lines_of_callable(object_of(target)):
        say_wrapped(text, indent, style)
