"""The short way of reading an answer: JSON text that conforms is scanned, checked and decoded once.

It is generated code after some readings.  All other texts are read as `Contract.read` tells.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from typesig.calls.decoding import AboutAnswer, OnePass, Unchanged
from typesig.codegen import Constants, Lines
from typesig.validation.generated.function_texts import lines_of_passed
from typesig.validation.generated.kept_values import AboutKept, Kept
from typesig.validation.generated.sent_text import sent
from typesig.validation.outcome.outcome import Outcome, Passed

#: Returns the outcome of reading a text, or None if more has to be done.
Reader: TypeAlias = Callable[[Any], "Outcome[Any] | None"]


def reader_of(known: OnePass, about: AboutAnswer) -> Reader:
    """Return what reads answers that *about* tells of, and *known* checks and decodes."""
    out = Lines(Constants())
    read = sent(about.type, "data", "text", about.keeps_digits, out.constants)
    take = known.taking(about.policy)
    if read is None or take is None:
        return _unread
    is_same = isinstance(known, Unchanged)
    out.constants.namespace.update(
        take=take, Passed=Passed, about=about, Kept=Kept, kept=AboutKept(*about)
    )
    with out.block("try:"):
        out.add(f"data, end = {read.scanned}")
        out.guard("end < 0", "return None")
        # What is decoded is never None.
        out.add("built = take(data)")
        unfit = "built is not True" if is_same else "built is None"
        out.guard(f"end != len(text) or {unfit} or {read.differs}", "return None")
    # The text is no JSON, or no text, or a field is absent.
    with out.block("except Exception:"):
        out.add("return None")
    if is_same:
        out.add(*lines_of_passed("data", "None", "Kept()", "kept"))
    else:
        # The value is known: nothing is made of it when it is read.
        *lines, returned = lines_of_passed("built", "(data, (), True)")
        out.add(*lines, "made._value = data", returned)
    reader: Reader = out.function("def read(text, len=len):", "read")
    return reader


def _unread(_text: Any) -> None:
    return None
