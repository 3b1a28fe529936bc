"""Options that several commands take."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import click

from typesig.cli.inputs.functions import Functions
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


class _JobsType(click.IntRange):
    """Click type of a number of processes; `all` is the number of cores."""

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Convert *value* to a number of processes; `all` is the number of cores."""
        number = count_cores() if value == "all" else value
        return int(super().convert(number, param, ctx))


def count_cores() -> int:
    """Return how many cores this process may use, at most `MAX_JOBS`."""
    # Not `os.cpu_count`, which counts those of the machine, except where nothing else is known.
    affinity = getattr(os, "sched_getaffinity", None)
    count = (os.cpu_count() or 1) if affinity is None else len(affinity(0))
    return min(count, MAX_JOBS)


JOBS = click.option(
    "--jobs", type=_JobsType(1, MAX_JOBS), default=1, metavar="N",
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

_INFERRED = click.option(
    "--inferred", is_flag=True, help="As --all, also without hints: types of docstrings, defaults."
)
_RESULTS = click.option(
    "--results", metavar="CLASS=ATTRIBUTE", multiple=True,
    help="What objects of a class are in results, as Issue=raw. May be repeated.",
)  # fmt: skip


def add_functions(verb: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options for which functions are tools, which a command gets as *functions*.

    *verb* says what a command does with public functions; a command of one function has none.
    """

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(
            *, inferred: bool, results: tuple[str, ...], undecorated: bool = False, **others: Any
        ) -> Any:
            functions = Functions("inferred" if inferred else undecorated, results)
            return command(functions=functions, **others)

        run = _INFERRED(_RESULTS(run))
        if not verb:
            return run
        text = f"{verb} public functions as well as tools."
        return click.option("--all", "undecorated", is_flag=True, help=text)(run)

    return add
