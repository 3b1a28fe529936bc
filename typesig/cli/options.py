"""Options that several commands take."""

from __future__ import annotations

import click

from typesig.limits import MAX_JOBS
from typesig.notations import NOTATIONS, readable
from typesig.validation.policy import MODES

FROM = click.option(
    "--from",
    "source",
    type=click.Choice(readable()),
    default="shorthand",
    help="The notation of SIGNATURE.",
)

RESOURCE = click.option(
    "--resource",
    "resources",
    metavar="URI=FILE",
    multiple=True,
    help="A schema that references lead to (json_schema). May be repeated.",
)

TO = click.option(
    "--to",
    "notation",
    type=click.Choice(list(NOTATIONS)),
    default="shorthand",
    help="The notation to write.",
)

JOBS = click.option(
    "--jobs", type=click.IntRange(1, MAX_JOBS), default=1, metavar="N",
    help="Read the lines in N processes; the output is the same.",
)  # fmt: skip

PROGRESS = click.option(
    "--progress", is_flag=True, help="Count the values on standard error, as at a terminal."
)

MODE = click.option(
    "--mode",
    type=click.Choice(list(MODES)),
    help="How strict a check is; enabled, or the tool's own.",
)
