"""Runs of an evaluation: each task in each variant, saved as it goes, and the report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from typesig.cli.evaluation.models import RequestError, Send
from typesig.cli.evaluation.scores import Score, find_interval, score_answer
from typesig.cli.evaluation.tasks import Task
from typesig.cli.evaluation.variants import (
    Variant,
    make_constraint,
    make_messages,
    make_options,
    read_answer,
    write_feedback,
)
from typesig.errors import TypesigError
from typesig.providers.registry.provider import DecoderName


class Case(NamedTuple):
    """The answers of a model to a task in a variant.

    #: answers: its messages, one a turn; tokens: those of the first prompt, by the model's count
    #: error: why a request failed, or empty
    """

    answers: list[dict[str, Any]]
    tokens: int
    error: str = ""


class RunOptions(NamedTuple):
    """How cases are asked: the model's name, the most tokens of an answer, and the engine."""

    model: str
    max_tokens: int
    engine: DecoderName


def run_case(send: Send, task: Task, variant: Variant, options: RunOptions) -> Case:
    """Ask *task* in *variant*; a request that fails ends the case."""
    messages = make_messages(variant, task)
    answers: list[dict[str, Any]] = []
    tokens = 0
    for turn in range(variant.turns + 1):
        body = {
            "model": options.model,
            "temperature": 0,
            "max_tokens": options.max_tokens,
            "messages": messages,
            **make_options(variant, task, turn),
        }
        try:
            constraint = make_constraint(variant, task, answers, options.engine, options.max_tokens)
            reply = send(body, constraint)
            message = reply["choices"][0]["message"]
        except (RequestError, TypesigError) as error:
            return Case(answers, tokens, str(error))
        except (KeyError, IndexError, TypeError):
            return Case(answers, tokens, "the reply is not a chat completion")
        tokens = tokens or (reply.get("usage") or {}).get("prompt_tokens") or 0
        answers.append(message)
        score = score_message(variant, task, message)
        wants_call = bool(task.right) and not score.valid
        is_repeated = message in answers[:-1] and variant.constrains(turn) == variant.constrains(
            turn + 1
        )
        if (not wants_call and not score.errors) or is_repeated:
            # The same answer again: another turn would bring it once more.
            break
        told = score.errors or "The answer has no calls."
        messages = [*messages, message, *write_feedback(message, told)]
    return Case(answers, tokens)


def score_message(variant: Variant, task: Task, message: dict[str, Any]) -> Score:
    """Score the model's *message* to *task* in *variant*."""
    return score_answer(task, read_answer(variant, task, message))


# Saved cases


def make_key(task: Task, variant: Variant, options: RunOptions) -> str:
    """Make the key of a saved case: a digest of all that its request has."""
    asked = [
        task.id,
        options,
        variant,
        make_messages(variant, task),
        make_options(variant, task, 0),
    ]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()[:32]


def load_cases(path: Path | None) -> dict[str, Case]:
    """Load the cases in the file at *path* that have no error."""
    if path is None or not path.exists():
        return {}
    found = {}
    for line in path.read_text("utf-8").splitlines():
        try:
            row = json.loads(line)
            case = Case(row["answers"], row["tokens"], row["error"])
        except (ValueError, KeyError, TypeError):
            # An interrupted run leaves half a line.
            continue
        if not case.error:
            found[row["key"]] = case
    return found


def run_cases(
    send: Send,
    tasks: Sequence[Task],
    variants: Iterable[Variant],
    options: RunOptions,
    path: Path | None,
) -> Iterator[tuple[Variant, Task, Case]]:
    """Yield each case, loaded from the file at *path* or asked and appended to it.

    Tasks with the same tools follow one another, so that the prefix of a prompt is cached.
    """
    known = load_cases(path)
    for variant in variants:
        for task in sorted(tasks, key=lambda each: each.tools.prompt()):
            key = make_key(task, variant, options)
            case = known.get(key)
            if case is None:
                case = run_case(send, task, variant, options)
                if path is not None:
                    with path.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({"key": key, **case._asdict()}) + "\n")
            yield variant, task, case


# The report


class VariantResult(NamedTuple):
    """The scores of a variant by task id, the failed requests and the tokens of all prompts."""

    scores: dict[str, Score]
    failed: dict[str, str]
    tokens: int

    def count(self, name: str) -> int:
        """Count the scores whose member *name* is true."""
        return sum(getattr(score, name) for score in self.scores.values())

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON data."""
        total = len(self.scores)
        shares = {
            name: {"count": self.count(name), "interval": find_interval(self.count(name), total)}
            for name in ("right", "valid", "as_sent")
        }
        return {"tasks": total, **shares, "failed": self.failed, "tokens": self.tokens}


def collect_results(cases: Iterable[tuple[Variant, Task, Case]]) -> dict[str, VariantResult]:
    """Score *cases* and group them by the names of their variants."""
    results: dict[str, VariantResult] = {}
    for variant, task, case in cases:
        scores, failed, tokens = results.get(variant.name, VariantResult({}, {}, 0))
        if case.error:
            failed[task.id] = case.error
        else:
            scores[task.id] = score_message(variant, task, case.answers[-1])
        results[variant.name] = VariantResult(scores, failed, tokens + case.tokens)
    return results


def compare_results(first: VariantResult, other: VariantResult) -> dict[str, list[str]]:
    """List the tasks that *other* gains and loses against *first*."""
    pairs = [
        (id, score.right, other.scores[id].right)
        for id, score in first.scores.items()
        if id in other.scores
    ]
    return {
        "gained": [id for id, was, is_right in pairs if is_right and not was],
        "lost": [id for id, was, is_right in pairs if was and not is_right],
    }


def write_report(results: Mapping[str, VariantResult]) -> str:
    """Write a table with a row for each variant, then the tasks gained and lost."""
    width = max([len("variant"), *map(len, results)]) + 2
    heads = ("tasks", "right", "95 %", "valid", "95 %", "as sent", "failed", "tokens")
    lines = [f"{'variant':{width}}" + "".join(f"{head:>12}" for head in heads)]
    for name, result in results.items():
        total = len(result.scores)
        cells = [str(total)]
        for member in ("right", "valid"):
            count = result.count(member)
            low, high = find_interval(count, total)
            cells += [f"{count / (total or 1):.1%}", f"{low:.0%}-{high:.0%}"]
        asked = total + len(result.failed)
        cells += [f"{result.count('as_sent') / (total or 1):.1%}", str(len(result.failed))]
        cells.append(f"{result.tokens / (asked or 1):.0f}")
        lines.append(f"{name:{width}}" + "".join(f"{cell:>12}" for cell in cells))
    (base, first), *others = results.items()
    for name, result in others:
        for word, ids in compare_results(first, result).items():
            if ids:
                lines.append(f"{name}, {word} against {base}: {', '.join(ids)}")
    for name, result in results.items():
        lines += [f"{name}, task {id} failed: {why}" for id, why in result.failed.items()]
    return "\n".join(lines)
