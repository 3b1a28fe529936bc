"""Text from a model, and its result."""

from __future__ import annotations

from typing import Any

import typesig
from play.marks import mark_issues, to_json
from play.pasted import printing
from play.rows import Thing, sent_to_vendors
from play.texts import cut, indented, lines
from typesig.calls.call import read_arguments
from typesig.errors import TooLarge, TypesigError, format_value
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import get_first_policy

#: Characters of what a model sent.  `TooLarge` is raised.
MAX_SENT = 100_000

#: The form of what is sent as the signature has it.
OWN_FORM = "signature"


def forms_of(thing: Thing) -> list[list[str]]:
    """Return the forms in which a model may send something to *thing*, each with its title."""
    sent = [each for each in sent_to_vendors(thing) if each.definition is not None]
    return [[OWN_FORM, "as in the signature"], *[[e.form, f"as for {e.title}"] for e in sent]]


def can_call(thing: Thing) -> bool:
    """Return whether the page can call *thing*, which nobody can await or give something."""
    return isinstance(thing, typesig.Tool) and not thing.is_async and not thing.needs


def read_text(thing: Thing, sent: str, mode: Any, form: str, call: bool) -> dict[str, Any]:
    """Return what becomes of the text *sent*, in a *form* of `forms_of`.

    With *call*, the tool is called.  Raises `TypesigError` for an unknown form or mode.
    """
    if len(sent) > MAX_SENT:
        raise TooLarge(f"the text may have {MAX_SENT:,} characters, this has {len(sent):,}")
    projected = None if form == OWN_FORM else _projected(thing, form)
    with printing() as printed:
        outcome = _outcome(thing, projected, sent, mode, call and can_call(thing))
        told = _told_of(outcome, isinstance(thing, typesig.Contract))
    if isinstance(projected, ProjectedTool):
        told["feedback"] = cut(projected.feedback(sent, outcome, mode))
    # Errors of a result are not about what was sent.
    errors = () if outcome.stage == "output" else outcome.errors
    marks = to_json(mark_issues(errors, outcome.warnings, sent), sent)
    return {**told, "marks": marks, "printed": printed.shown()}


def _outcome(thing: Thing, projected: Any, sent: str, mode: Any, call: bool) -> Outcome[Any]:
    made: Outcome[Any]
    if isinstance(thing, typesig.Contract):
        made = (projected or thing).read(sent, mode)
    elif call:
        made = (projected or thing).call(sent, mode=mode)
    elif projected is None:
        made = read_arguments(thing.binding, sent, get_first_policy(mode, thing.mode))
    else:
        made = projected.read(sent, mode)
    return made


def _told_of(outcome: Outcome[Any], is_answer: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "ok": outcome.ok,
        "errors": lines(outcome.errors),
        "warnings": lines(outcome.warnings),
        "feedback": cut(outcome.feedback()),
    }
    if outcome.ok:
        told["value"] = cut(indented(outcome.value))
        if outcome.stage == "output":
            told["text"] = cut(outcome.text())
        elif is_answer:
            told["result"] = format_value(outcome.result, 2_000)
    return told


def _projected(thing: Thing, form: str) -> Any:
    """Return *thing* in the *form* of a vendor; raise `TypesigError` if it has none."""
    for each in sent_to_vendors(thing):
        if each.form == form and each.definition is not None:
            if isinstance(thing, typesig.Contract):
                return each.made
            return next(iter(each.made.tools.values()))
    raise TypesigError(f"this has no form {format_value(form)}")
