"""The commands, one function each."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

import typesig as library
from typesig.algebra.loss import Losses
from typesig.cli import data
from typesig.cli.output import BAD, complain, say, say_folded, stop
from typesig.cli.targets import module_of, object_of
from typesig.errors import TypesigError
from typesig.limits import MAX_LINES
from typesig.notations import NOTATIONS, parse_with_losses, readable
from typesig.notations.notation import NotationName
from typesig.validation import excerpt
from typesig.validation.policy import MODES, ModeName

_WIDE = {"max_content_width": 100, "help_option_names": ["-h", "--help"]}


class _Group(click.Group):
    """A group whose errors are one line, ours."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except TypesigError as error:
            stop(str(error))
        except BrokenPipeError:
            # A reader that has seen enough; click ends quietly for it.
            raise
        except OSError as error:
            stop(f"the output cannot be written: {(error.strerror or str(error)).lower()}")


@click.group(cls=_Group, context_settings=_WIDE)
@click.version_option(library.__version__, prog_name="typesig")
def typesig() -> None:
    """Contracts between Python functions and language models."""


_UNDECORATED = click.option(
    "--all", "undecorated", is_flag=True, help="Take public functions too, not tools alone."
)


@typesig.command("list")
@click.argument("module")
@_UNDECORATED
def list_(module: str, undecorated: bool) -> None:
    """Print the tools of MODULE as a model reads them.

    MODULE is a dotted name or the path of a file; where it decorates no tools, its public
    functions are listed.
    """
    from typesig.tools.toolset import tools_of

    target = module_of(module)
    tools = tools_of(target, undecorated)
    if not len(tools) and not undecorated:
        complain(f"{module} decorates no tools; these are its public functions")
        tools = tools_of(target, undecorated=True)
    say(tools.prompt())
    for warning in tools.warnings:
        complain(str(warning))
    if not len(tools):
        stop(f"{module} has no public functions with hints", BAD)


@typesig.command()
@click.argument("target")
def show(target: str) -> None:
    """Print what each hint of TARGET became.

    TARGET is module:name; every warning is shown too.
    """
    from typesig.cli.display import shown

    for text, style, indent in shown(object_of(target)):
        say_folded(text, indent, style)


_FROM = click.option(
    "--from",
    "source",
    type=click.Choice(readable()),
    default="shorthand",
    help="The notation of SIGNATURE.",
)


@typesig.command()
@click.argument("signature")
@click.argument("file", default="-")
@_FROM
@click.option("--output", is_flag=True, help="Check against the result, not the parameters.")
@click.option(
    "--mode", type=click.Choice(list(MODES)), default="enabled", help="How strict a check is."
)
@click.option("--quiet", "-q", is_flag=True, help="Print errors alone.")
@click.option("--all", "everything", is_flag=True, help="Print all lines, however many.")
def check(
    signature: str,
    file: str,
    source: NotationName,
    output: bool,
    mode: ModeName,
    quiet: bool,
    everything: bool,
) -> None:
    """Check the data in FILE against SIGNATURE.

    FILE holds JSON, or JSONL with one value a line; - is standard input.
    The parameters of SIGNATURE count if it has any, else its result.
    The exit status is 0 where all data fits, 1 where some does not, 2 where the use is wrong.
    """
    parsed, _ = _parsed(signature, source)
    named = bool(parsed.params) and not output
    total = bad = warned = shown = 0
    for place, value, problem in _progress(data.values(file)):
        total += 1
        if problem is not None:
            bad += 1
            complain(f"{place}: {problem}")
            continue
        if named:
            outcome = parsed.validate_input(value, mode)
        else:
            outcome = parsed.validate_output(value, mode)
        bad += not outcome.ok
        warned += bool(outcome.warnings)
        lines = [f"{place}: {issue}" for issue in outcome.errors]
        if outcome.unseen:
            lines.append(f"{place}: … and {outcome.unseen} more")
        if not quiet:
            lines += [f"{place}: warning: {issue}" for issue in outcome.warnings]
        room = len(lines) if everything else max(0, MAX_LINES - shown)
        shown += len(lines)
        if lines[:room]:
            complain(lines[:room])
    if shown > MAX_LINES and not everything:
        complain(f"… and more; --all shows all {shown} lines")
    if not quiet:
        say(_summary(total, bad, warned))
    sys.exit(BAD if bad else 0)


def _summary(total: int, bad: int, warned: int) -> str:
    values = f"{total} value{'' if total == 1 else 's'}"
    text = f"{values}: {total - bad} fit, {bad} do not"
    return f"{text}, {warned} with warnings" if warned else text


def _progress(found: Iterator[data.Row]) -> Iterator[data.Row]:
    """Yield *found*, with a count on standard error where a person waits for a long file."""
    if not sys.stderr.isatty():
        yield from found
        return
    for count, row in enumerate(found, 1):
        if count % 10_000 == 0:
            print(f"\r{count} values…", end="", file=sys.stderr, flush=True)
        yield row
    print("\r" + " " * 30 + "\r", end="", file=sys.stderr, flush=True)


@typesig.command()
@click.argument("signature")
@_FROM
@click.option(
    "--to", "notation", type=click.Choice(list(NOTATIONS)), default="shorthand",
    help="The notation to write.",
)  # fmt: skip
@click.option("--lossy", is_flag=True, help="Widen what cannot be read.")
@click.option("--named", is_flag=True, help="Write the names of parameters too (malli, edn).")
def convert(
    signature: str, source: NotationName, notation: NotationName, lossy: bool, named: bool
) -> None:
    """Print SIGNATURE in another notation.

    SIGNATURE is text, Malli as JSON or as EDN; a JSON Schema may also be the path of its file, or -
    for standard input.  What is not read, or cannot be written, goes to standard error.
    """
    parsed, losses = _parsed(signature, source, lossy)
    _say_converted(parsed, notation, losses, {"named": True} if named else {})


def _say_converted(
    x: object,
    notation: NotationName,
    losses: Losses = (),
    options: dict[str, Any] | None = None,
) -> None:
    result, others = library.convert(x, notation, **(options or {}))
    say(result if isinstance(result, str) else data.pretty(result))
    complain(f"lost: {loss}" for loss in (*losses, *others))


def _parsed(
    signature: str, source: NotationName, lossy: bool = False
) -> tuple[library.Signature, Losses]:
    """Return the signature that the text *signature* is in *source*, and what was not read."""
    given: object = signature
    if source == "json_schema":
        given = data.whole(signature)
    elif source == "malli":
        given = data.json_or_text(signature)
    return parse_with_losses(given, source, lossy=lossy)


@typesig.command()
@click.argument("file", default="-")
@click.option("--each", is_flag=True, help="Take each item of a list as a sample of its own.")
@click.option(
    "--enums", type=click.IntRange(1), metavar="N",
    help="Tell enums of at most N texts, seen twice on average.",
)  # fmt: skip
@click.option(
    "--maps", type=click.IntRange(1), metavar="N",
    help="Tell maps: records of more than N names that come and go, all holding one type.",
)  # fmt: skip
@click.option("--tuples", is_flag=True, help="Tell tuples: lists of one length.")
@click.option("--formats", is_flag=True, help="Tell dates, times, UUIDs, addresses.")
@click.option("--closed", is_flag=True, help="Let records take no other names.")
@click.option(
    "--to", "notation", type=click.Choice(list(NOTATIONS)), default="shorthand",
    help="The notation to write.",
)  # fmt: skip
def infer(file: str, each: bool, notation: NotationName, **options: Any) -> None:
    """Print the tightest sensible type of the samples in FILE.

    FILE holds JSON, one sample, or JSONL with one sample a line; - is standard input.
    What cannot be read goes to standard error, and the exit status is 1; the type is that of the
    rest.
    """
    from typesig.relations.inferring import Inference

    found = Inference(**options)
    bad = 0
    for place, value, problem in _progress(data.values(file)):
        if problem is None and each and not isinstance(value, list):
            problem = f"expected list, got {excerpt.shown(value)}"
        if problem is not None:
            bad += 1
            if bad <= MAX_LINES:
                complain(f"{place}: {problem}")
            continue
        try:
            for sample in value if each else [value]:
                found.add(sample)
        except TypesigError as error:
            stop(f"{place}: {error}")
    if bad > MAX_LINES:
        complain(f"… and {bad - MAX_LINES} more")
    if found.count:
        _say_converted(found.signature().returns, notation)
    elif not bad:
        complain("there is no sample; the lists are empty")
    sys.exit(BAD if bad or not found.count else 0)
