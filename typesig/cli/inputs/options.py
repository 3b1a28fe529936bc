"""Options that several commands take."""

from __future__ import annotations

import os
from typing import Any

import click

from typesig.limits import MAX_JOBS
from typesig.notations import NOTATIONS, readable
from typesig.validation.rows.policy import MODES

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


class _Jobs(click.IntRange):
    """A number of processes, or `all` for one on each core."""

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        number = cores() if value == "all" else value
        return int(super().convert(number, param, ctx))


def cores() -> int:
    """Return how many cores this process may use, at most `MAX_JOBS`."""
    # Not `os.cpu_count`, which counts those of the machine, except where nothing else is known.
    affinity = getattr(os, "sched_getaffinity", None)
    count = (os.cpu_count() or 1) if affinity is None else len(affinity(0))
    return min(count, MAX_JOBS)


JOBS = click.option(
    "--jobs", type=_Jobs(1, MAX_JOBS), default=1, metavar="N",
    help="Read the lines in N processes, or all: one a core; the output is the same.",
)  # fmt: skip

PROGRESS = click.option(
    "--progress", is_flag=True, help="Count the values on standard error, as at a terminal."
)

MODE = click.option(
    "--mode",
    type=click.Choice(list(MODES)),
    help="How strict a check is; enabled, or the tool's own.",
)
