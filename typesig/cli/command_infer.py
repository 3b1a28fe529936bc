"""The command `typesig infer`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

from typesig.cli.command_completion import complete_files
from typesig.cli.inputs import data
from typesig.cli.inputs.data import Line, Progress, format_place, read_value
from typesig.cli.inputs.options import JOBS, PROGRESS, TO, print_converted
from typesig.cli.inputs.output import BAD, print_errors
from typesig.errors import TypesigError
from typesig.limits import MAX_LINES
from typesig.notations.texts.notation import NotationName
from typesig.relations.inference import Inference
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.json_text import BadJson


@click.command()
@click.argument("file", default="-", shell_complete=complete_files)
@click.option("--each", is_flag=True, help="Take each item of a list as a separate sample.")
@click.option(
    "--enums", type=click.IntRange(1), metavar="N",
    help="Infer enums of at most N texts, each seen twice on average.",
)  # fmt: skip
@click.option(
    "--maps", type=click.IntRange(1), metavar="N",
    help="Infer maps from records of more than N optional names with values of one type.",
)  # fmt: skip
@click.option("--tuples", is_flag=True, help="Infer tuples from lists of one length.")
@click.option("--formats", is_flag=True, help="Infer formats: dates, times, UUIDs, addresses.")
@click.option("--closed", is_flag=True, help="Make records closed: they take no other names.")
@JOBS
@PROGRESS
@TO
@click.option("--json", "as_json", is_flag=True, help="Print the type and the losses as JSON.")
def infer(
    file: str,
    each: bool,
    progress: bool,
    notation: NotationName,
    as_json: bool,
    **options: Any,
) -> None:
    """Print the tightest sensible type of the samples in FILE.

    FILE contains JSON, one sample, or JSONL with one sample a line; - is standard input.
    If a sample cannot be read, the error goes to standard error and the exit status is 1; the type
    is that of the other samples.
    """
    found = Inference(**options)
    with Progress(progress, data.get_size(file)) as shown:
        lines = shown.count_lines(data.read_lines(file))
        bad = add_samples(found, lines, data.name_of(file), each, shown.clear)
    if found.count:
        print_converted(found.signature().returns, notation, as_json=as_json)
    elif not bad:
        print_errors("there is no sample; the lists are empty")
    sys.exit(BAD if bad or not found.count else 0)


def add_samples(
    found: Inference, lines: Iterable[Line], name: str, each: bool, before: Callable[[], None]
) -> int:
    """Add the samples on *lines* to *found*; return the number of lines without any.

    The first of these are printed, with the file *name* and after a call of *before*.  With *each*,
    the items of lists are the samples.  Raises `TypesigError` with the place if *found* is full.
    """
    bad = 0
    for line in lines:
        try:
            samples = _read_samples(line, each)
        except BadJson as error:
            bad += 1
            if bad <= MAX_LINES:
                before()
                print_errors(f"{format_place(name, line)}: {error}")
            continue
        try:
            for sample in samples:
                found.add(sample)
        except TypesigError as error:
            raise type(error)(f"{format_place(name, line)}: {error}") from None
    if bad > MAX_LINES:
        print_errors(f"… and {bad - MAX_LINES} more")
    return bad


def _read_samples(line: Line, each: bool) -> list[Any]:
    """Read the samples on *line*; raise `BadJson` if it has none."""
    value = read_value(line)
    if not each:
        return [value]
    if not isinstance(value, list):
        raise BadJson(f"expected list, got {describe_value(value)}")
    return value
