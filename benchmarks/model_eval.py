"""How well a model calls tools from each style of listing, and what the prompt costs.

    python benchmarks/model_eval.py questions.jsonl --url http://localhost:8000/v1 --model qwen3
    python benchmarks/model_eval.py questions.jsonl --answers answers.jsonl --url … --model …
    python benchmarks/model_eval.py questions.jsonl --url … --model … --styles json compact
    python benchmarks/model_eval.py bfcl_eval:simple_python --url … --model … --limit 100

The endpoint is any that takes `POST /chat/completions` as OpenAI does.  Each question is asked once
for each style, with the tools in the prompt; `json` has them as minified JSON, and `native` sends
them as definitions instead.  A line of the questions is a JSON object:

    {"question": "Book a table for two.", "tools": [{"name": …, "parameters": …}],
     "calls": [{"name": "book", "arguments": {"seats": 2}}]}

The questions of the Berkeley Function Calling Leaderboard are read too, of a category in the
installed package (`bfcl_eval:live_multiple`, see `function_calling.py`) or from its files: there,
`question` is a list of lists of messages, `function` has the tools, and `--answers` is the file
with the `ground_truth` of each id, where each argument, and each key of an object in it, has a list
of values that are right.  The questions about Java and JavaScript want code in some arguments whose
schemas do not take it.

- right       questions whose calls have the right names and arguments; numbers are equal by value,
              and texts without regard to case and outer blanks; arguments are coerced first
- valid       questions whose calls all exist and have arguments that conform
- unreadable  answers in which no list of calls was found
- tokens      prompt tokens of each question, on average, as the endpoint counts them

The figures are those of one run; at a temperature of 0, endpoints still vary.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from function_calling import PACKAGE, questions_of, rows_of, with_standard_types

CHECKOUT = Path(__file__).resolve().parent.parent

STYLES = ("native", "json", "signature", "compact", "typescript", "python")

ASKED = (
    "Answer with the calls to make and nothing else, as a JSON list: "
    '[{"name": "…", "arguments": {…}}]. If no tool fits, answer [].'
)

#: Sends the body of a request and returns that of the response.
Send = Callable[[dict[str, Any]], dict[str, Any]]


class Question(NamedTuple):
    """What is asked, the tools as OpenAI takes them, and the calls that are right.

    #: right: for each call its name, and for each argument the values that are right; None among
    #:     them is that the argument may be left out
    """

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    right: list[tuple[str, dict[str, list[Any]]]]


class Score(NamedTuple):
    """The result of one question."""

    right: bool
    valid: bool
    unreadable: bool
    tokens: int


# the questions


def questions_in(path: Path, answers: Path | None) -> Iterator[Question]:
    """Yield the questions of a file, or of a category; raise ValueError for a line that is none."""
    package, _, category = str(path).partition(":")
    if package == PACKAGE:
        path, answers = questions_of(category)
    truths = {} if answers is None else {row["id"]: row["ground_truth"] for row in rows_of(answers)}
    if package == PACKAGE and answers is None:
        # No function is of use for the question.
        truths = {row["id"]: [] for row in rows_of(path)}
    for number, row in enumerate(rows_of(path), 1):
        try:
            yield _question(row, truths)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path}, question {number}: {error!r}") from None


def _question(row: dict[str, Any], truths: dict[Any, Any]) -> Question:
    asked = row["question"]
    tools = [_standard(tool.get("function", tool)) for tool in row.get("tools") or row["function"]]
    if isinstance(asked, str):
        asked = [{"role": "user", "content": asked}]
    elif isinstance(asked[0], list):
        asked = asked[0]
    if "calls" in row:
        right = [
            (call["name"], {name: [value] for name, value in call["arguments"].items()})
            for call in row["calls"]
        ]
    else:
        # There, an empty text among the values is that the argument may be left out.
        right = [
            (name, {key: [_answer(v) for v in given] for key, given in args.items()})
            for call in truths[row["id"]]
            for name, args in call.items()
        ]
    return Question(asked, tools, right)


class Answers(dict[str, list[Any]]):
    """An object that is right: for each key the values that are."""


def _answer(value: Any) -> Any:
    """Return a right value of the leaderboard; None for an argument that may be left out."""
    if isinstance(value, list):
        return [_answer(each) if isinstance(each, dict) else each for each in value]
    if isinstance(value, dict):
        return Answers(
            {
                key: [_answer(each) for each in (given if isinstance(given, list) else [given])]
                for key, given in value.items()
            }
        )
    return None if value == "" else value


def _standard(tool: dict[str, Any]) -> dict[str, Any]:
    schema = with_standard_types(tool.get("parameters") or {"type": "object", "properties": {}})
    return {"name": tool["name"], "description": tool.get("description"), "parameters": schema}


# asking


def toolset_of(question: Question) -> Any:
    """Return the tools of *question* as a toolset."""
    import typesig

    made = []
    for tool in question.tools:
        signature = typesig.from_json_schema(tool["parameters"], None, lossy=True)
        text = tool["description"]
        made.append(
            typesig.Tool(lambda **given: given, signature, name=tool["name"], description=text)
        )
    return typesig.Toolset(made)


def body_of(question: Question, tools: Any, style: str, model: str) -> dict[str, Any]:
    """Return the body of the request that asks *question*, with *tools* in *style*."""
    body: dict[str, Any] = {"model": model, "temperature": 0}
    if style == "native":
        named = [{"type": "function", "function": tool} for tool in question.tools]
        return {**body, "messages": question.messages, "tools": named}
    if style == "json":
        listing = json.dumps(question.tools, ensure_ascii=False, separators=(",", ":"))
    else:
        listing = tools.prompt(style, legend=True)
    system = {"role": "system", "content": f"{listing}\n\n{ASKED}"}
    return {**body, "messages": [system, *question.messages]}


def calls_in(message: dict[str, Any], style: str) -> list[dict[str, Any]] | None:
    """Return the calls of a model's *message*; None if they are not found."""
    import typesig

    if style == "native":
        found = [call["function"] for call in message.get("tool_calls") or []]
        return [{"name": call["name"], "arguments": call["arguments"]} for call in found]
    wanted = typesig.contract("[{name :string, arguments :map}]")
    outcome = wanted.read(message.get("content") or "")
    return outcome.value if outcome.ok else None


def scored(question: Question, tools: Any, reply: dict[str, Any], style: str) -> Score:
    """Return the score of the endpoint's *reply* to *question*."""
    spent = (reply.get("usage") or {}).get("prompt_tokens") or 0
    calls = calls_in(reply["choices"][0]["message"], style)
    if calls is None:
        return Score(False, False, True, spent)
    outcomes = [(call["name"], tools.call(call["name"], call["arguments"])) for call in calls]
    valid = all(outcome.ok for _, outcome in outcomes)
    made = [
        (
            name,
            {key: _sent_of(value, call["arguments"], key) for key, value in outcome.value.items()},
        )
        for call, (name, outcome) in zip(calls, outcomes, strict=True)
        if valid
    ]
    signatures = {tool.name: tool.signature for tool in tools}
    return Score(valid and is_right(made, question.right, signatures), valid, False, spent)


def _sent_of(value: Any, arguments: Any, key: str) -> Any:
    """Return the argument *value* without the defaults that were filled in below it."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return value
    if isinstance(arguments, dict) and key in arguments:
        return _without_filled(value, arguments[key])
    return value


def _without_filled(value: Any, sent: Any) -> Any:
    if isinstance(value, dict) and isinstance(sent, dict) and sent.keys() <= value.keys():
        return {key: _without_filled(value[key], sent[key]) for key in sent}
    if isinstance(value, list) and isinstance(sent, list) and len(value) == len(sent):
        return [_without_filled(*pair) for pair in zip(value, sent, strict=True)]
    return value


def _defaults(signature: Any) -> dict[str, Any]:
    """Return the defaults of *signature*, which a call adds to what the model sent."""
    return {f.name: f.default.value for f in signature.params if f.default is not None}


def is_right(
    made: list[tuple[str, dict[str, Any]]],
    right: list[tuple[str, dict[str, list[Any]]]],
    signatures: dict[str, Any],
) -> bool:
    """Tell whether the calls *made* are those that are *right*, in any order."""
    left = list(right)
    for call in made:
        defaults = _defaults(signatures[call[0]])
        fitting = [each for each in left if _fits(call, each, defaults)]
        if not fitting:
            return False
        left.remove(fitting[0])
    return not left


def _fits(
    call: tuple[str, dict[str, Any]],
    right: tuple[str, dict[str, list[Any]]],
    defaults: dict[str, Any],
) -> bool:
    (name, given), (wanted, values) = call, right
    # An argument with its default says the same as none.
    told = {
        k: v
        for k, v in given.items()
        if k in values or k not in defaults or not _equal(v, defaults[k])
    }
    if name != wanted or any(k not in values for k in told):
        return False
    return all(
        any(_equal(told[key], value) for value in [*each, *_left_out(key, each, defaults)])
        if key in told
        else None in each
        for key, each in values.items()
    )


def _left_out(key: str, values: list[Any], defaults: dict[str, Any]) -> list[Any]:
    """Return the default of an argument that may be left out, which then is right, too."""
    return [defaults[key]] if None in values and key in defaults else []


def _equal(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, str) and isinstance(theirs, str):
        return ours.strip().casefold() == theirs.strip().casefold()
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours is theirs
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_equal, ours, theirs))
    if isinstance(theirs, Answers):
        return (
            isinstance(ours, dict)
            and ours.keys() <= theirs.keys()
            and all(
                any(_equal(ours[key], each) for each in given) if key in ours else None in given
                for key, given in theirs.items()
            )
        )
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(_equal(ours[k], theirs[k]) for k in ours)
    return bool(ours == theirs)


def sender(url: str, key: str | None, seconds: float, wait: float) -> Send:
    """Return the function that posts to the endpoint; busy endpoints are asked up to four times."""

    def send(body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(
            f"{url.rstrip('/')}/chat/completions", json.dumps(body).encode(), headers
        )
        for attempt in range(4):
            try:
                with urllib.request.urlopen(request, timeout=seconds) as response:
                    found: dict[str, Any] = json.load(response)
                    return found
            except urllib.error.HTTPError as error:
                if attempt == 3 or error.code not in (429, 500, 502, 503, 529):
                    told = error.read(300).decode("utf-8", "replace")
                    raise RuntimeError(f"status {error.code}: {told}") from None
            time.sleep(wait * 2**attempt)
        raise AssertionError

    return send


# the report


def print_scores(scores: dict[str, list[Score]]) -> None:
    """Print a row for each style."""
    print(f"{'style':12}{'questions':>10}{'right':>8}{'valid':>8}{'unreadable':>12}{'tokens':>9}")
    for style, each in scores.items():
        count = len(each) or 1
        shares = [sum(s.right for s in each) / count, sum(s.valid for s in each) / count]
        unreadable = sum(s.unreadable for s in each) / count
        tokens = sum(s.tokens for s in each) / count
        print(
            f"{style:12}{len(each):10}{shares[0]:8.1%}{shares[1]:8.1%}{unreadable:12.1%}"
            f"{tokens:9.0f}"
        )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "questions", type=Path, help="questions, one JSON object a line; bfcl_eval:CATEGORY"
    )
    parser.add_argument("--answers", type=Path, help="the right calls, by the ids of the questions")
    parser.add_argument("--url", required=True, help="the endpoint, up to /chat/completions")
    parser.add_argument("--model", required=True)
    parser.add_argument("--styles", nargs="+", choices=STYLES, default=list(STYLES))
    parser.add_argument("--limit", type=int, help="ask only the first so many questions")
    parser.add_argument("--key", metavar="VARIABLE", help="the environment variable with the key")
    parser.add_argument("--seconds", type=float, default=120, help="the time for one reply (120)")
    parser.add_argument("--wait", type=float, default=2, help="seconds before asking again (2)")
    asked = parser.parse_args(arguments)
    sys.path.insert(0, str(CHECKOUT))
    questions = list(questions_in(asked.questions, asked.answers))[: asked.limit]
    send = sender(
        asked.url, os.environ[asked.key] if asked.key else None, asked.seconds, asked.wait
    )
    scores: dict[str, list[Score]] = {style: [] for style in asked.styles}
    for number, question in enumerate(questions, 1):
        tools = toolset_of(question)
        for style, found in scores.items():
            try:
                reply = send(body_of(question, tools, style, asked.model))
            except (OSError, RuntimeError, ValueError) as error:
                print(f"question {number}, {style}: {error}", file=sys.stderr)
                return 1
            found.append(scored(question, tools, reply, style))
    print_scores(scores)
    return 0


if __name__ == "__main__":
    sys.exit(main())
