"""The command `typesig eval`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import click

from typesig.cli.evaluation.models import Send, make_endpoint, make_local_model
from typesig.cli.evaluation.runs import (
    RunOptions,
    collect_results,
    compare_results,
    run_cases,
    write_report,
)
from typesig.cli.evaluation.tasks import read_tasks
from typesig.cli.evaluation.variants import FORMS, GRAMMAR_USES, GrammarUse, make_variants
from typesig.cli.inputs.options import add_functions
from typesig.cli.inputs.output import BAD, print_text
from typesig.cli.inputs.targets import Functions
from typesig.errors import TypesigError
from typesig.providers.dialects.registry import DIALECTS
from typesig.tools.answers.request_options import ENGINES, SERVERS, ServerName


@click.command("eval")
@click.argument("tasks")
@click.option("--url", metavar="URL", help="The endpoint, up to /chat/completions.")
@click.option("--model", default="", help="The name of the model at URL.")
@click.option("--gguf", metavar="FILE", help="The model that llama.cpp runs here.")
@click.option("--context", type=int, default=4096, help="The tokens of its context; 4096.")
@click.option(
    "--threads", type=click.IntRange(0), default=0,
    help="The threads that it takes; as many as llama.cpp chooses by default.",
)  # fmt: skip
@click.option("--answers", metavar="FILE", help="The right calls, by the ids of the tasks.")
@click.option(
    "--style", "styles", type=click.Choice(FORMS), multiple=True,
    help="How tools are told; compact and json by default. May be repeated.",
)  # fmt: skip
@click.option(
    "--dialect", "dialects", type=click.Choice(list(DIALECTS)), multiple=True, metavar="NAME",
    help="Ask in a dialect of open models. May be repeated.",
)  # fmt: skip
@click.option(
    "--grammar", "grammars", type=click.Choice(GRAMMAR_USES), multiple=True, default=("no",),
    help="When answers are constrained: no, always, or retry. May be repeated.",
)  # fmt: skip
@click.option(
    "--turns", type=click.IntRange(0), multiple=True, default=(0,),
    help="How many answers with feedback follow a wrong one. May be repeated.",
)  # fmt: skip
@click.option(
    "--server", type=click.Choice(SERVERS), default="llama.cpp",
    help="The server at URL, which says how it takes grammars.",
)  # fmt: skip
@click.option("--max-tokens", type=click.IntRange(1), default=512, help="Of one answer; 512.")
@click.option("--limit", type=click.IntRange(1), help="Ask only the first tasks.")
@click.option("--saved", metavar="FILE", help="Append answers to FILE, and take those in it.")
@click.option("--key", metavar="NAME", help="The environment variable with the key of URL.")
@click.option("--seconds", type=float, default=120, help="How long a reply may take; 120.")
@click.option("--wait", type=float, default=2, help="Seconds before a busy URL is asked again; 2.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@add_functions("Take")
def eval_(
    tasks: str,
    answers: str | None,
    styles: tuple[str, ...],
    dialects: tuple[str, ...],
    grammars: tuple[GrammarUse, ...],
    turns: tuple[int, ...],
    limit: int | None,
    saved: str | None,
    as_json: bool,
    functions: Functions,
    model: str,
    server: ServerName,
    max_tokens: int,
    **asked: object,
) -> None:
    """Measure how well a model calls the tools of TASKS in each style, dialect and grammar.

    TASKS is a file of JSON lines, or a module with a list TASKS; no function runs.  The exit status
    is 0, 1 if all requests failed, 2 for wrong usage.
    """
    given = read_tasks(tasks, answers, functions)[:limit]
    forms = [*styles, *dialects] or ["compact", "json"]
    variants = make_variants(forms, grammars, turns)
    if not given or not variants:
        raise TypesigError("there is nothing to ask: --grammar retry needs --turns of at least 1")
    send = _make_model(server, **asked)  # type: ignore[arg-type]
    options = RunOptions(model or str(asked["gguf"]), max_tokens, ENGINES[server])
    path = None if saved is None else Path(saved)
    results = collect_results(run_cases(send, given, variants, options, path))
    if as_json:
        (base, first), *others = results.items()
        made = {name: result.to_json() for name, result in results.items()}
        for name, result in others:
            made[name][f"against {base}"] = compare_results(first, result)
        print_text(json.dumps(made, indent=2))
    else:
        print_text(write_report(results))
    sys.exit(0 if any(result.scores for result in results.values()) else BAD)


def _make_model(
    server: ServerName,
    url: str | None,
    gguf: str | None,
    context: int,
    threads: int,
    key: str | None,
    seconds: float,
    wait: float,
) -> Send:
    """Make the function that asks the model at *url*, or in the file *gguf*."""
    if (url is None) is (gguf is None):
        raise TypesigError("eval takes --url with an endpoint, or --gguf with a model")
    if gguf is not None:
        return make_local_model(gguf, context, threads)
    if key is not None and key not in os.environ:
        raise TypesigError(f"the environment variable {key} is not set")
    secret = None if key is None else os.environ[key]
    return make_endpoint(str(url), secret, server, seconds, wait)
