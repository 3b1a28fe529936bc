"""Plain functions of tools in the loops of frameworks: what they get, and what a model is told.

    python benchmarks/frameworks.py                    # each framework that is installed
    python benchmarks/frameworks.py dspy agno          # only these
    python benchmarks/frameworks.py --json             # the rows as JSON, with whole texts

Nothing is installed and no network is used: a scripted model sends the arguments of a row, the
framework's own loop handles them and calls `tool.as_function()`, and the model ends.

- *sent*: the arguments of the call
- *the function got*: the objects that the tool's function was called with; a dash if it was not
- *the model was told*: what the next message of the loop says of the call, or in brackets an
  exception that ended the loop

LiteLLM has objects of its own for the answers of any model.  Its rows are of `handle` of
`tools.project("openai", api="chat")`, for a response, its message, and the chunks of a stream.

The exit status is 1 if a function was called with anything but its own types, or if arguments that
fit did not reach it.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from framework_loops import FRAMEWORKS

import typesig

#: The most characters of a cell, without `--json`.
WIDTH = 110


@dataclass
class Line:
    """What is ordered."""

    item: str
    count: int = 1


#: What the function got.
GOT: list[tuple[Any, ...]] = []


@typesig.tool
def place_order(number: int, lines: list[Line], day: date | None = None) -> str:
    """Place an order.

    Args:
        number: of the order
        lines: what is ordered
        day: when it is needed
    """
    GOT.append((number, lines, day))
    return f"order {number} is placed"


FIG = Line("fig", 2)

#: What is sent, and what the function gets of it; None where it is not to be called.
CASES: dict[str, tuple[dict[str, Any], tuple[Any, ...] | None]] = {
    "as it should be": (
        {"number": 7, "lines": [{"item": "fig", "count": 2}], "day": "2026-01-02"},
        (7, [FIG], date(2026, 1, 2)),
    ),
    "texts for numbers": (
        {"number": "7", "lines": [{"item": "fig", "count": "2"}]},
        (7, [FIG], None),
    ),
    "null for what is left out": (
        {"number": 7, "lines": [{"item": "fig", "count": 2}], "day": None},
        (7, [FIG], None),
    ),
    "an argument missing": ({"number": 7}, None),
    "a nested field missing": ({"number": 7, "lines": [{"count": 2}]}, None),
    "another text": ({"number": "seven", "lines": [{"item": "fig"}]}, None),
}


class Row(NamedTuple):
    """One call."""

    framework: str
    version: str
    case: str
    sent: str
    got: str
    told: str
    is_right: bool


def tried(name: str, case: str, run: Callable[[dict[str, Any]], str]) -> Row:
    """Return the row of *case*, whose arguments *run* sends."""
    sent, expected = CASES[case]
    GOT.clear()
    try:
        told = run(sent)
    except ImportError:
        raise
    except Exception as error:
        # What a framework does not catch, whatever it is.
        told = f"[{type(error).__name__}: {error}]"
    got = GOT[0] if GOT else None
    # A framework may refuse what fits, but not hand on what does not.
    is_right = got == expected or (got is None and case != "as it should be")
    shown = "—" if got is None else repr(got)
    return Row(name, "", case, json.dumps(sent), shown, told, is_right)


def absent(name: str, packages: tuple[str, ...]) -> Row:
    """Return the row of a framework that is not installed."""
    return Row(name, "", f"not installed: pip install {' '.join(packages)}", "", "", "", True)


def of_frameworks(names: list[str]) -> Iterator[Row]:
    """Yield the rows of the frameworks that are installed."""
    for name, framework in FRAMEWORKS.items():
        if name not in names:
            continue
        try:
            known = version(framework.packages[0])
        except PackageNotFoundError:
            yield absent(name, framework.packages)
            continue
        run = partial(framework.loop, place_order.as_function())
        for case in CASES:
            yield tried(name, case, run)._replace(version=known)


def of_litellm() -> Iterator[Row]:
    """Yield the rows of LiteLLM's objects."""
    try:
        known = version("litellm")
    except PackageNotFoundError:
        yield absent("litellm", ("litellm",))
        return
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    wire = typesig.tools_of([place_order]).project("openai", api="chat")
    for form, message_of in LITELLM.items():
        for case in CASES:

            def run(sent: dict[str, Any], message_of: Any = message_of) -> str:
                [result] = wire.handle(message_of(json.dumps(sent)))
                return str(result["content"])

            yield tried(f"litellm, {form}", case, run)._replace(version=known)


def response(arguments: str) -> Any:
    """Return LiteLLM's response of a model that calls the tool with *arguments*."""
    import litellm

    called = {"name": "place_order", "arguments": arguments}
    call = {"id": "c", "type": "function", "function": called}
    return litellm.completion(
        model="claude-sonnet-4-5",
        messages=[{"role": "user", "content": "Place it."}],
        mock_response="",
        mock_tool_calls=[call],
    )


def chunks(arguments: str) -> list[Any]:
    """Return the same as the chunks of a stream, whose arguments come in pieces."""
    from litellm.types.utils import Delta, ModelResponseStream, StreamingChoices

    pieces = [arguments[at : at + 9] for at in range(0, len(arguments), 9)]
    first = {"index": 0, "id": "c", "type": "function"}
    deltas = [
        {"role": "assistant", "tool_calls": [{**first, "function": {"name": "place_order"}}]},
        *[{"tool_calls": [{"index": 0, "function": {"arguments": each}}]} for each in pieces],
        {},
    ]
    return [
        ModelResponseStream(
            choices=[
                StreamingChoices(
                    index=0, delta=Delta(**each), finish_reason=None if each else "tool_calls"
                )
            ]
        )
        for each in deltas
    ]


LITELLM: dict[str, Callable[[str], Any]] = {
    "response": response,
    "message": lambda arguments: response(arguments).choices[0].message,
    "stream": chunks,
}


def cut(text: str) -> str:
    """Return *text* in one line of a table, without its middle if it is long."""
    line, half = " ".join(text.split()), WIDTH // 2
    return line if len(line) <= WIDTH else f"{line[:half]} … {line[-half:]}"


def show(rows: list[Row]) -> None:
    """Print the rows, each under its framework."""
    shown = ""
    for row in rows:
        head = f"{row.framework} {row.version}".rstrip()
        if head != shown:
            print(f"\n{head}")
            shown = head
        print(f"  {'' if row.is_right else 'WRONG: '}{row.case}")
        if row.sent:
            print(f"    sent                {cut(row.sent)}")
            print(f"    the function got    {cut(row.got)}")
            print(f"    the model was told  {cut(row.told)}")


def main() -> int:
    """Run the command line; return 1 if a row is wrong."""
    names = [*FRAMEWORKS, "litellm"]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("frameworks", nargs="*", help=f"only these of {', '.join(names)}")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args()
    asked = options.frameworks or names
    unknown = [name for name in asked if name not in names]
    if unknown:
        parser.error(f"there is no {unknown[0]}; there are {', '.join(names)}")
    warnings.simplefilter("ignore")
    # Some loops print and log what they do.
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        rows = [*of_frameworks(asked), *(of_litellm() if "litellm" in asked else ())]
    if options.json:
        print(json.dumps([row._asdict() for row in rows], indent=2, ensure_ascii=False))
    else:
        show(rows)
    return 0 if all(row.is_right for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
