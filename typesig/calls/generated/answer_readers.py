"""Fast path of reading an answer: conforming JSON text is scanned, checked and decoded once.

Code is generated after some readings.  Where the result is known to be the same, pydantic builds
models from the text itself, and their data is made when it is read.  All other texts are left to
`Contract.read`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from typesig.calls.decoding import AnswerContext, OnePass, UndecodedData
from typesig.codegen import Constants, Lines
from typesig.validation.check.check import get_compiler
from typesig.validation.generated.conditions import NAMES, Place, build_condition
from typesig.validation.generated.scan_plans import (
    MAX_SCAN_TEXT,
    plan_scan,
    write_key_test,
    write_text_test,
)
from typesig.validation.generated.unchanged_outcomes import (
    UnchangedContext,
    UnchangedOutcome,
    has_plain_values,
)
from typesig.validation.generated.verdict_source import write_passed_lines
from typesig.validation.json_text import (
    SCAN_DIGITS,
    BadJson,
    count_keys,
    has_other_keys,
    read_digits,
    read_json,
)
from typesig.validation.outcome.check_context import Notes, OutcomeDetails
from typesig.validation.outcome.constructors import ValidOutcome, make_valid_outcome
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.plan.operations import Source

if TYPE_CHECKING:
    from typesig.extraction.onepass.pydantic_delegate import DataReader, PydanticDelegate


#: Returns the outcome of reading a text, or None if more has to be done.
Reader: TypeAlias = Callable[[Any], "Outcome[Any] | None"]


#: Returns the outcome of data that does not conform, or None if more has to be done.
Coerce: TypeAlias = Callable[[Any], "Outcome[Any] | None"]


def make_answer_reader(
    known: OnePass, about: AnswerContext, coerce: Coerce | None = None
) -> Reader:
    """Make the reader of answers in the context *about*; *known* checks and decodes them.

    *coerce* reads the data of texts that is to be coerced, or has errors.
    """
    if known.takes_text is False:
        return _make_data_reader(known, about, coerce)
    assert known.others is not None
    read = _LazyReader(partial(_make_data_reader, known.others, about, coerce))
    return _make_model_reader(known, about, read) if known.is_known() else read


#: The answers that are read before source is compiled, which takes as long as many of them, and the
#: characters of a text that count as one answer more.
_COLD_CALLS = 20
_MANY = 300

#: The calls before a plan is made of data that is not decoded: the predicate of its type may be
#: known already.
_PLANLESS_CALLS = 4


def start_reader(
    known: OnePass, about: AnswerContext, coerce: Coerce, keep: Callable[[Reader], None]
) -> Reader:
    """Make the reader of the first answers, then *keep* that of all later ones.

    For the other parameters see `make_answer_reader`.
    """
    first: Reader | None = None
    calls, is_made = 0, False

    def read(text: Any) -> Outcome[Any] | None:
        nonlocal calls, first, is_made
        # Of two threads that compile at the same time, either result is kept.
        calls += 1 + (len(text) // _MANY if type(text) is str else 0)
        if calls > _COLD_CALLS and about.policy.on_issue != "skip":
            keep(make_answer_reader(known, about, coerce))
        if not is_made and (calls > _PLANLESS_CALLS or not isinstance(known, UndecodedData)):
            first, is_made = make_first_reader(known, about, coerce), True
        return None if first is None else first(text)

    return read


def make_first_reader(
    known: OnePass, about: AnswerContext, coerce: Coerce | None = None
) -> Reader | None:
    """Make the closure that reads the first answers; None if the check reads them.

    It takes the same steps as the code of `make_answer_reader`, and reads models by their fields.
    """
    plans = known if known.takes_text is False else known.cold
    plan, policy = None if plans is None else plans.find_plan(about.policy), about.policy
    if plan is None or 0 < plan.limit < MAX_SCAN_TEXT or policy.on_issue == "skip":
        return None
    keeps_digits = about.keeps_digits

    def read(text: Any) -> Outcome[Any] | None:
        if type(text) is not str or len(text) >= MAX_SCAN_TEXT:
            return None
        try:
            data, written = read_digits(text) if keeps_digits else (read_json(text), False)
        except BadJson:
            return None
        if written:
            return None
        try:
            made = plan.run(data)
        except Exception:
            # The value does not conform, or a method of a part, or of a class, raises.
            return None if coerce is None or policy.on_issue != "fail" else coerce(data)
        return make_valid_outcome(made, about, (data, (), True))

    return read


class _LazyReader:
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


def _make_data_reader(
    known: UndecodedData | DataReader, about: AnswerContext, coerce: Coerce | None
) -> Reader:
    """Build the reader of the data in JSON texts."""
    out = Source()
    # Where the check changes values, a plan reads them, too.
    is_same = isinstance(known, UndecodedData) and has_plain_values(about.type)
    read = plan_scan(
        about.type, "data", "text", about.keeps_digits, out.constants, to_objects=not is_same
    )
    if read is None:
        return _read_nothing
    out.constants.namespace.update(
        Passed=ValidOutcome,
        about=about,
        UnchangedOutcome=UnchangedOutcome,
        kept=UnchangedContext(*about),
    )
    coerces = coerce is not None and about.policy.on_issue == "fail"
    other = "return read_other(text, data)" if coerces else "return None"
    out.constants.namespace["read_other"] = partial(_read_other, about, coerce)
    out.add("end, data = -1, None")
    with out.open_block("try:"):
        out.add(f"data, end = {read.scanned}")
        out.guard("end < 0 or end != len(text)", "return None")
        unfit = _write_check(known, about, is_same, out)
        if unfit is None:
            return _read_nothing
        out.add(f"is_unfit = {' or '.join(filter(None, [unfit, read.differs])) or False}")
    # The text is no JSON, or no text, or does not conform.
    with out.open_block("except Exception:"):
        out.guard("end < 0 or end != len(text)", "return None")
        out.add(other)
    out.guard("is_unfit", other)
    if is_same:
        out.add(*write_passed_lines("data", "None", "UnchangedOutcome()", "kept"))
    else:
        *lines, returned = write_passed_lines("built", "(data, (), True)")
        # Where the value is known, nothing is made of it when it is read.
        known_value = ["made._value = data"] if about.get_plain_plan().keeps else []
        out.add(*lines, *known_value, returned)
    reader: Reader = out.compile_function("def read(text, len=len):", "read")
    return reader


def _read_other(
    about: AnswerContext, coerce: Coerce | None, text: str, data: Any
) -> Outcome[Any] | None:
    """Coerce *data* of the JSON *text*; return None if a key may be there twice.

    So it is if a float has other digits than the text, where these count.
    """
    assert coerce is not None
    if type(data) is str:
        return coerce(data)
    try:
        if about.keeps_digits:
            data, _ = SCAN_DIGITS(text, 0)
        count = count_keys(data)
    except Exception:
        return None
    return None if text.count(":") != count and has_other_keys(text, count) else coerce(data)


def _write_check(
    known: UndecodedData | DataReader, about: AnswerContext, is_same: bool, out: Source
) -> str | None:
    """Write lines that set `built` to the object of `data`, or raise if it does not conform.

    *is_same* is whether that is the data itself.  Returns an expression that is true if it does not
    conform, empty if the lines tell that; None if there is no reader.
    """
    if is_same and isinstance(known, UndecodedData):
        out.constants.namespace.update(NAMES)
        compiler = get_compiler(about.type, about.definitions, about.policy)
        test = build_condition(about.type, Place("data", compiler), out.constants)
        take = out.constants.bind(known.taking(about.policy))
        return f"not {take}(data)" if test is None else test
    plan = known.find_plan(about.policy)
    # A text that is read as it is has fewer values.
    if plan is None or 0 < plan.limit < MAX_SCAN_TEXT:
        return None
    out.add(f"built = {out.place(plan.operation, 'data')}")
    return ""


def _make_model_reader(known: PydanticDelegate, about: AnswerContext, other: Reader) -> Reader:
    """Make the reader for models that pydantic builds from the text itself."""
    # Loaded only for the hints that need it.
    from typesig.extraction.libraries.pydantic_validators import NoStrictSchemaError
    from typesig.extraction.onepass.pydantic_texts import write_text_validation

    if about.policy.verbose or not about.policy.decoding:
        return other
    out = Lines(Constants())
    made = _ModelTextContext(*about)
    made.filling = about.filling
    out.constants.namespace.update(Passed=ValidOutcome, about=made, other=other)
    with out.open_block("try:"):
        out.guard(f"not ({write_text_test('text', out.constants)})", "return other(text)")
        try:
            write_text_validation(known, out, "text", "built")
        except NoStrictSchemaError:
            return other
        out.guard(write_key_test("text", "keys", out.constants), "return other(text)")
    with out.open_block("except Exception:"):
        out.add("return other(text)")
    out.add(*write_passed_lines("built", "(text, (), True)"))
    reader: Reader = out.compile_function("def read(text, len=len):", "read")
    return reader


class _ModelTextContext(AnswerContext):
    """Context of outcomes of models that keep only the text that they were built from."""

    def make_details(self, result: Any, notes: Notes) -> OutcomeDetails:
        """Make the details of the outcome; *notes* holds the text."""
        about = AnswerContext(*self)
        about.filling = self.filling
        return about.make_details(result, (json.loads(notes[0]), *notes[1:]))

    def get_plain_value(self, result: Any, notes: Notes | None) -> Any:
        """Return the data of the text, with the defaults of its models."""
        assert notes is not None
        return super().get_plain_value(result, (json.loads(notes[0]), *notes[1:]))


def _read_nothing(_text: Any) -> None:
    return None
