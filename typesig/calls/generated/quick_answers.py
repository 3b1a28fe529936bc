"""The short way of reading an answer: JSON text that conforms is scanned, checked and decoded once.

It is generated code after some readings.  Where that is known to be the same, pydantic makes models
of the text itself, whose data is made when it is read.  All other texts are read as `Contract.read`
tells.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from typesig.calls.decoding import AnswerContext, OnePass, UndecodedData
from typesig.codegen import Constants, Lines
from typesig.validation.generated.function_texts import lines_of_passed
from typesig.validation.generated.kept_values import Kept, UnchangedContext, is_kept
from typesig.validation.generated.sent_text import MOST_SENT, differs, plan_reading, taken
from typesig.validation.json_text import SCAN_DIGITS, count_keys, has_other_keys
from typesig.validation.outcome.check_context import Notes, OutcomeDetails
from typesig.validation.outcome.constructors import ValidOutcome
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import Policy

if TYPE_CHECKING:
    from typesig.extraction.onepass.handed import DataReader, Handed

#: Returns the outcome of reading a text, or None if more has to be done.
Reader: TypeAlias = Callable[[Any], "Outcome[Any] | None"]


#: Returns the outcome of data that does not conform, or None if more has to be done.
Coerce: TypeAlias = Callable[[Any], "Outcome[Any] | None"]


def reader_of(known: OnePass, about: AnswerContext, coerce: Coerce | None = None) -> Reader:
    """Return what reads answers that *about* tells of, and *known* checks and decodes.

    *coerce* reads the data of texts that is to be coerced, or has errors.
    """
    if known.takes_text is False:
        return _reader_of_data(known, about, coerce)
    assert known.others is not None
    read = _Later(partial(_reader_of_data, known.others, about, coerce))
    return _reader_of_models(known, about, read) if known.is_known() else read


class _Later:
    """A reader that is made when it is used first."""

    __slots__ = ("_make", "_read")

    def __init__(self, make: Callable[[], Reader]) -> None:
        self._make = make
        self._read: Reader | None = None

    def __call__(self, text: Any) -> Outcome[Any] | None:
        """Read *text*."""
        if self._read is None:
            # Of two threads that make it at the same time, either result is kept.
            self._read = self._make()
        return self._read(text)


def _reader_of_data(
    known: UndecodedData | DataReader, about: AnswerContext, coerce: Coerce | None
) -> Reader:
    """Return what reads the data of texts."""
    out = Lines(Constants())
    # Where the check changes values, a plan reads them, too.
    is_same = isinstance(known, UndecodedData) and is_kept(about.type)
    read = plan_reading(
        about.type, "data", "text", about.keeps_digits, out.constants, to_objects=not is_same
    )
    take = _find_take(known, about.policy, is_same)
    if read is None or take is None:
        return _unread
    out.constants.namespace.update(
        take=take, Passed=ValidOutcome, about=about, Kept=Kept, kept=UnchangedContext(*about)
    )
    with out.open_block("try:"):
        out.add("end, data = -1, None", f"data, end = {read.scanned}")
        out.guard("end < 0", "return None")
        out.add("built = take(data)")
        unfit = "built is not True or " if is_same else ""
        out.guard(f"end != len(text) or {unfit}{read.differs}", "raise ValueError")
    # The text is no JSON, or no text, or does not conform.
    with out.open_block("except Exception:"):
        if coerce is not None and about.policy.on_issue == "fail":
            out.constants.namespace["read_other"] = partial(_read_other, about, coerce)
            out.guard("end == len(text)", "return read_other(text, data)")
        out.add("return None")
    if is_same:
        out.add(*lines_of_passed("data", "None", "Kept()", "kept"))
    else:
        *lines, returned = lines_of_passed("built", "(data, (), True)")
        # Where the value is known, nothing is made of it when it is read.
        known_value = ["made._value = data"] if about.get_plain_plan().keeps else []
        out.add(*lines, *known_value, returned)
    reader: Reader = out.compile_function("def read(text, len=len):", "read")
    return reader


def _read_other(about: AnswerContext, coerce: Coerce, text: str, data: Any) -> Outcome[Any] | None:
    """Return what *coerce* returns of *data* of the JSON *text*; None if a key may be there twice.

    So it is if a float has other digits than the text, where these count.
    """
    try:
        if about.keeps_digits:
            data, _ = SCAN_DIGITS(text, 0)
        count = count_keys(data)
    except Exception:
        return None
    return None if text.count(":") != count and has_other_keys(text, count) else coerce(data)


def _find_take(
    known: UndecodedData | DataReader, policy: Policy, is_same: bool
) -> Callable[[Any], Any] | None:
    """Return what reads data under *policy*, and raises or returns False for other data.

    *is_same* is whether it only tells whether data conforms.
    """
    if is_same and isinstance(known, UndecodedData):
        return known.taking(policy)
    plan = known.find_plan(policy)
    # A text that is read as it is has fewer values.
    return None if plan is None or 0 < plan.limit < MOST_SENT else plan.compile()


def _reader_of_models(known: Handed, about: AnswerContext, other: Reader) -> Reader:
    """Return what makes models of a text that is not read; *other* reads other texts."""
    # Loaded only for the hints that need it.
    from typesig.extraction.libraries.pydantic_validators import NoStrictSchemaError
    from typesig.extraction.onepass.handed_texts import write_text

    if about.policy.verbose or not about.policy.decoding:
        return other
    out = Lines(Constants())
    made = _AboutModels(*about)
    made.filling = about.filling
    out.constants.namespace.update(Passed=ValidOutcome, about=made, other=other)
    with out.open_block("try:"):
        out.guard(f"not ({taken('text', out.constants)})", "return other(text)")
        try:
            write_text(known, out, "text", "built")
        except NoStrictSchemaError:
            return other
        out.guard(differs("text", "keys", out.constants), "return other(text)")
    with out.open_block("except Exception:"):
        out.add("return other(text)")
    out.add(*lines_of_passed("built", "(text, (), True)"))
    reader: Reader = out.compile_function("def read(text, len=len):", "read")
    return reader


class _AboutModels(AnswerContext):
    """What outcomes share of models that were made of a text, which is all that they keep of it."""

    def make_details(self, result: Any, notes: Notes) -> OutcomeDetails:
        """Return what the outcome tells; *notes* has the text."""
        about = AnswerContext(*self)
        about.filling = self.filling
        return about.make_details(result, (json.loads(notes[0]), *notes[1:]))

    def get_plain_value(self, result: Any, notes: Notes | None) -> Any:
        """Return the data of the text, with the defaults of its models."""
        assert notes is not None
        return super().get_plain_value(result, (json.loads(notes[0]), *notes[1:]))


def _unread(_text: Any) -> None:
    return None
