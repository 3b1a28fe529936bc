"""The command `typesig infer`."""

from __future__ import annotations

import sys
from typing import Any

import click

from typesig.cli.command_completion import complete_files
from typesig.cli.inputs import data
from typesig.cli.inputs.data import Progress
from typesig.cli.inputs.options import JOBS, PROGRESS, TO, print_converted
from typesig.cli.inputs.output import BAD, print_errors
from typesig.cli.inputs.samples import SampleOptions, sample_by_processes, sample_lines
from typesig.notations.texts.notation import NotationName


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
    jobs: int,
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
    asked = SampleOptions(data.name_of(file), each, options)
    with Progress(progress, data.get_size(file)) as shown:
        if jobs > 1:
            chunks = shown.count_chunks(data.read_chunks(file))
            found, bad = sample_by_processes(asked, chunks, jobs, shown.clear)
        else:
            found, bad = sample_lines(asked, shown.count_lines(data.read_lines(file)), shown.clear)
    if found.count:
        print_converted(found.signature().returns, notation, as_json=as_json)
    elif not bad:
        print_errors("there is no sample; the lists are empty")
    sys.exit(BAD if bad or not found.count else 0)
