"""Variants of an evaluation: how tools are told, how answers are constrained, and how often."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from typesig.algebra.constructors import make_refined
from typesig.algebra.nodes import List
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.signature import Signature
from typesig.cli.evaluation.scores import ReadAnswer, SentCall
from typesig.cli.evaluation.tasks import Task
from typesig.listings.entries import Style
from typesig.listings.styles import STYLES
from typesig.providers.dialects.registry import DIALECTS
from typesig.providers.engines.engine import Constraint as DecodingConstraint
from typesig.providers.registry.provider import DecoderName
from typesig.tools.answers.contract_factory import contract

#: How tools are told: as definitions beside the prompt, as JSON in it, or in a style of listings.
Form: TypeAlias = Literal["native", "json"] | Style

#: The forms; a dialect is one, too.
FORMS: tuple[str, ...] = ("native", "json", *STYLES)

#: When an answer is constrained: never, always, or when the one before has failed.
GrammarUse: TypeAlias = Literal["no", "always", "retry"]

GRAMMAR_USES: tuple[GrammarUse, ...] = get_args(GrammarUse)

_REQUEST = (
    "Answer with the calls to make and nothing else, as a JSON list: "
    '[{"name": "…", "arguments": {…}}]. If no tool fits, answer [].'
)

_ANSWER = contract("[{name :string, arguments :any}]")


class Variant(NamedTuple):
    """One way of asking.

    #: form: how tools are told, or the name of a dialect; grammar: when answers are constrained
    #: turns: how many answers with feedback follow a first one that is not valid
    """

    form: str
    grammar: GrammarUse = "no"
    turns: int = 0

    @property
    def name(self) -> str:
        """The name of the variant in reports."""
        parts = [self.form]
        parts += [] if self.grammar == "no" else [f"grammar={self.grammar}"]
        parts += [f"turns={self.turns}"] if self.turns else []
        return " ".join(parts)

    def constrains(self, turn: int) -> bool:
        """Whether the answer number *turn*, from 0 on, is constrained."""
        return self.grammar == "always" or (self.grammar == "retry" and turn > 0)


def make_variants(
    forms: Iterable[str], grammars: Iterable[GrammarUse], turns: Iterable[int]
) -> list[Variant]:
    """Combine all *forms*, *grammars* and *turns*; a grammar for retries needs a turn."""
    each = [Variant(*parts) for parts in product(forms, grammars, turns)]
    return [one for one in each if one.turns or one.grammar != "retry"]


def make_messages(variant: Variant, task: Task) -> list[dict[str, Any]]:
    """Make the messages that ask *task* in the form of *variant*."""
    if variant.form == "native":
        return list(task.messages)
    if variant.form in DIALECTS:
        text = task.tools.prompt(dialect=variant.form)
    elif variant.form == "json":
        defined = [each["function"] for each in task.tools.project("openai").definitions]
        minified = json.dumps(defined, ensure_ascii=False, separators=(",", ":"))
        text = f"{minified}\n\n{_REQUEST}"
    else:
        listing: Any = task.tools.prompt
        text = f"{listing(variant.form, legend=True)}\n\n{_REQUEST}"
    return [{"role": "system", "content": text}, *task.messages]


def make_options(variant: Variant, task: Task, turn: int) -> dict[str, Any]:
    """Make the arguments of the request that only native definitions need."""
    if variant.form != "native":
        return {}
    definitions = list(task.tools.project("openai").definitions)
    forced = {"tool_choice": "required"} if variant.constrains(turn) else {}
    return {"tools": definitions, **forced}


def make_constraint(
    variant: Variant,
    task: Task,
    answers: Sequence[dict[str, Any]],
    engine: DecoderName,
    max_tokens: int,
) -> DecodingConstraint[Any] | None:
    """Make the constraint of the answer after *answers* of *max_tokens*, or None if it is free.

    Its texts are so short that an answer can end.  After a wrong answer with at most one call, one
    call is asked for again.
    """
    if variant.form == "native" or not variant.constrains(len(answers)):
        return None
    calls = read_answer(variant, task, answers[-1]).calls if answers else None
    parallel = not answers or len(calls or ()) > 1
    # A token may have one character, and a call is more than one text.
    longest = max(20, max_tokens // 2)
    if variant.form in DIALECTS:
        return task.tools.project(
            engine,
            dialect=variant.form,
            tool_choice="required",
            parallel=parallel,
            longest=longest,
        )
    return contract(_make_answer(task, parallel)).project(engine, longest=longest)


def _make_answer(task: Task, parallel: bool) -> Signature:
    """Signature of an answer to *task*: a list of calls, of one call unless *parallel*."""
    if parallel:
        return task.tools.call_signature(parallel=True)
    call = task.tools.call_signature()
    bounds = [Constraint("at_least", 1), Constraint("at_most", 1)]
    return Signature((), make_refined(List(call.returns), bounds), call.definitions)


def read_answer(variant: Variant, task: Task, message: dict[str, Any]) -> ReadAnswer:
    """Read the calls in a model's *message* to *task*."""
    if variant.form == "native":
        found = [call["function"] for call in message.get("tool_calls") or []]
        return ReadAnswer([SentCall(call["name"], call["arguments"]) for call in found])
    text = message.get("content") or ""
    if variant.form in DIALECTS:
        reading = task.tools.read(text, dialect=variant.form)
        calls = [SentCall(call.name, None, call.outcome) for call in reading.calls]
        return ReadAnswer(None if reading.issues else calls)
    outcome = _ANSWER.read(text)
    if not outcome.ok:
        return ReadAnswer(None)
    each = [SentCall(call["name"], call["arguments"]) for call in outcome.value]
    return ReadAnswer(each, bool(outcome.warnings))


def write_feedback(message: dict[str, Any], errors: str) -> list[dict[str, Any]]:
    """Make the messages that answer the wrong *message* with *errors*."""
    calls = message.get("tool_calls")
    if calls:
        return [
            {"role": "tool", "tool_call_id": call.get("id"), "content": errors} for call in calls
        ]
    return [{"role": "user", "content": errors}]
