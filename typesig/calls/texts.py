"""Arguments that are sent as the text of each: data by the types of the tool."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, NIL, Type
from typesig.algebra.rows.names import fold_name
from typesig.calls.binding import Binding
from typesig.validation.check.check import compiled
from typesig.validation.check_state import CheckState
from typesig.validation.issues.issues import Issue
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.policy import ENABLED, Policy, RepairId
from typesig.validation.repair.input_reader import read_sent
from typesig.validation.verdicts import run_checker


class CastResult(NamedTuple):
    """Arguments converted from texts to data, with warnings about repairs."""

    data: dict[str, Any]
    warnings: tuple[Issue, ...]


def cast_texts(binding: Binding, texts: Mapping[str, str], policy: Policy) -> CastResult:
    """Convert the argument *texts* to data of the parameter types.

    JSON text is read as its data where that conforms to the type, unless it is a string: where the
    text itself conforms, it is the text.  A word for null is null where the type has null.
    """
    signature = binding.signature if binding.sent is None else binding.sent.signature
    types = {fold_name(field.name): field.type for field in signature.params}
    # What is said of undeclared arguments; if that is nothing, they stay texts.
    other = None if signature.extra == ANY else signature.extra
    data: dict[str, Any] = {}
    warnings: list[Issue] = []
    for key, text in texts.items():
        t = types.get(fold_name(key), other)
        if t is None:
            data[key] = text
            continue
        data[key], found = _cast(text, t, signature.definitions, policy)
        warnings += [Issue(w.code, (key, *w.path), w.expected, w.got, "", w.rule) for w in found]
    return CastResult(data, tuple(warnings))


def _cast(
    text: str, t: Type, definitions: tuple[Definition, ...], policy: Policy
) -> tuple[Any, tuple[Issue, ...]]:
    """Convert *text* to a value of *t*, as JSON or as plain text, with any warnings."""
    conforms = partial(_is_conforming, t, definitions)
    try:
        data = read_json(text)
    except BadJson:
        data = text
    if not isinstance(data, str) and conforms(data):
        return data, ()
    if conforms(None):
        words = policy.changed(repairs=_WORDS)
        read = read_sent(text, "the text is", NIL, {}, words, lambda made, _: made is None)
        if read.error is None and read.data is None:
            return None, read.warnings
    if conforms(text):
        return text, ()
    if not isinstance(data, str) or conforms(data):
        return data, ()
    names = {each.name: each.type for each in definitions}
    # Where no text is wanted, a word without quotes and an escaped quote have no other meaning.
    escaped: frozenset[RepairId] = frozenset({"escaped_json"} if policy.repairs else ())
    mends = policy.changed(repairs=policy.repairs | _WORDS | escaped)
    read = read_sent(text, "the text is", t, names, mends, lambda made, _: conforms(made))
    if read.error is None and conforms(read.data):
        return read.data, read.warnings
    # The coercions of the policy may read it.
    return text, ()


def _is_conforming(t: Type, definitions: tuple[Definition, ...], value: Any) -> bool:
    """Whether *value* conforms to *t* exactly, without repairs."""
    run = CheckState(1)
    run_checker(compiled(t, definitions, _EXACT), value, run)
    return not run.errors


_EXACT = ENABLED.for_output()

#: The repairs of words that JSON writes otherwise, such as `True` and `NULL`.
_WORDS: frozenset[RepairId] = frozenset({"python_literal", "literal_case"})
