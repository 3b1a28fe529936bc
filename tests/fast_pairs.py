"""Pairs of types and values on which generated source and the check are compared."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from tests.generators import MISSES, OddText, conforming, hostile, lone_signatures, places, replaced
from typesig import Outcome, Policy, Signature
from typesig.algebra import Keyword
from typesig.algebra.nodes import (
    ANY,
    BOOL,
    DATETIME,
    FLOAT,
    INT,
    KEYWORD,
    NIL,
    STRING,
    Enum,
    Field,
    List,
    Maybe,
    Record,
    Refinement,
    Type,
    Union,
)
from typesig.algebra.rows.constraints import Constraint, get_identity
from typesig.algebra.rows.values import Const, get_kind
from typesig.errors import TypesigError
from typesig.validation.check.check import compile_checker
from typesig.validation.check_state import CheckState
from typesig.validation.coercions import COERCIONS
from typesig.validation.generated.compiled_verdicts import compile_verdict
from typesig.validation.generated.program import Judge, compile_predicate
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.check_context import CheckContext
from typesig.validation.policy import MODES
from typesig.validation.verdicts import run_check, run_checker

#: Policies of the paths that use the predicate, and others that turn on what those leave off.
POLICIES: tuple[Policy, ...] = (
    MODES["enabled"].for_output(),
    MODES["json"].for_output(),
    MODES["strict"].for_output(),
    MODES["enabled"].for_output().on("naive_datetime", "list_from_set"),
    MODES["enabled"],
    MODES["lenient"],
    MODES["strict"],
    MODES["json"],
    MODES["enabled"].for_call(),
    MODES["enabled"].changed(naive_datetime="UTC"),
    MODES["enabled"].for_call().off("float_from_int"),
    MODES["enabled"].for_call().off("float_from_int").on("other_format"),
    MODES["strict"].for_output().on("other_format"),
    Policy(coercions=COERCIONS, verbose=True),
    MODES["warn_only"],
)


def disagreement(judge: Judge, t: Any, definitions: Any, policy: Policy, value: Any) -> str:
    """Return what is wrong with the answer of *judge* for *value*; empty if nothing is."""
    if not judge(value):
        return ""
    run = CheckState(policy.max_issues)
    made = run_checker(compile_checker(t, definitions, policy), value, run)
    found = bool(run.found or run.unseen or run.unseen_warnings)
    if found or made is not value:
        return f"passes, but the check finds {[f.code for f in run.found]} or makes {made!r}"
    return ""


def varied(value: Any, rng: random.Random) -> Any:
    """Return a near miss of *value*."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        parts = [pair for pair, _ in zip(places(value), range(50), strict=False)]
        path, part = rng.choice(parts)
        kind = get_kind(part)
        ways = [way for kinds, way in MISSES.values() if not kinds or kind in kinds]
        value = replaced(value, path, rng.choice(ways)(part))
    return value


@st.composite
def cases(draw: st.DrawFn, several: int = 1) -> tuple[Signature, list[Any], list[Any]]:
    """Draw a type as a signature, values that conform to it, and hostile values."""
    signature = draw(lone_signatures(2))
    conform = conforming(signature.returns, signature.names)
    return signature, [draw(conform) for _ in range(several)], [draw(hostile())]


def compared(
    signature: Signature,
    good: list[Any],
    odd: list[Any],
    rng: random.Random,
    count: int,
    tally: Counter[str],
) -> Iterator[str]:
    """Yield each disagreement on values near *good* and *odd*, under *count* policies."""
    t, definitions = signature.returns, signature.definitions
    for policy in rng.sample(POLICIES, count):
        judge = compile_predicate(t, definitions, policy)
        near = [varied(value, rng) for value in good for _ in range(2)]
        for sort, values in (("conforming", good), ("near", near), ("hostile", odd)):
            for value in values:
                tally[sort] += 1
                tally["passed"] += judge(value)
                wrong = disagreement(judge, t, definitions, policy, value)
                wrong = wrong or difference_of_verdicts(t, definitions, policy, value, tally)
                if wrong:
                    yield f"{signature} under {policy!r}: {value!r} {wrong}"


def difference_of_verdicts(
    t: Type, definitions: Any, policy: Policy, value: Any, tally: Counter[str]
) -> str:
    """Return what a verdict finds otherwise than the check; empty if there is nothing."""
    about = CheckContext("answer", t, definitions, policy, secrets=frozenset({"c"}))
    outcome = compile_verdict(about, lambda _: _GIVEN_UP)(value)
    tally["judged"] += outcome is not _GIVEN_UP
    if outcome is None or outcome is _GIVEN_UP or policy.on_issue == "skip":
        return ""
    meant = run_check(about, value)
    tally["refused"] += not outcome.ok
    tally["coerced"] += outcome.ok and outcome.result is not value
    told = [
        (
            [_parts(each) for each in (*one.errors, *one.warnings)],
            (one.ok, len(one.errors), one.unseen, one.stage, one.rejected is value),
            get_identity(one.result) if one.ok else None,
            one.ok and one.result is value,
            shown_by(one) if one.ok else None,
        )
        for one in (meant, outcome)
    ]
    return "" if told[0] == told[1] else f"{told[0]} but the verdict {told[1]}"


def shown_by(outcome: Outcome[Any]) -> list[str]:
    """Return what *outcome* shows to Python and to a model; keys of the value are compared as text.

    What has no form is told by its exception.
    """
    told = []
    for read in (
        lambda: _with_texts(outcome.value),
        lambda: outcome.value is outcome.value,
        outcome.text,
        outcome.for_model,
        lambda: outcome.for_model(exact=True),
        outcome.left_out,
    ):
        try:
            told.append(repr(read()))
        except TypesigError as error:
            told.append(f"{type(error).__name__}: {error}")
        except RecursionError:
            told.append("too deep for repr")
    return told


def _with_texts(value: Any, levels: int = 9) -> Any:
    """Return plain data with keys of `str` itself; some levels of it, since it may have no end."""
    if type(value) is dict and levels:
        return {str.__str__(key): _with_texts(each, levels - 1) for key, each in value.items()}
    is_list = type(value) is list and levels
    return [_with_texts(each, levels - 1) for each in value] if is_list else value


_GIVEN_UP: Outcome[Any] = Outcome()


def _parts(issue: Issue) -> tuple[object, ...]:
    return issue.code, issue.path, issue.expected, issue.got, issue.hint, issue.rule, issue.hidden


def walked_types(t: Type, rng: random.Random) -> Type:
    """Return a list or a record that has a part of type *t*, which is looked through part by part."""
    fields = (
        Field("a_b", t),
        Field("c", rng.choice((t, INT, Maybe(FLOAT))), False),
        Field("_zq", rng.choice((INT, List(INT))), False),
    )
    made = Record(fields[: rng.choice((1, 2, 3))], rng.choice((ANY, None)))
    return rng.choice((made, List(made), List(t), List(rng.choice((INT, FLOAT, BOOL)))))


def values_of(t: Type, parts: list[Any], rng: random.Random) -> Any:
    """Return a value that looks like one of *t*, made of *parts*, of which some conform."""
    match t:
        case List(item):
            made = [values_of(item, parts, rng) for _ in range(rng.choice((0, 1, 3, 8)))]
            return rng.choice((made, made, made, made, tuple(made), parts[0]))
        case Record(fields):
            keys = [f.name for f in fields if rng.random() < 0.9]
            keys += ["a-b", "more", "C"] if rng.random() < 0.1 else []
            return {key: _value_at(key, fields, parts, rng) for key in keys}
        case _:
            odd = (1, 2.5, "3", "4.5", "true", None, "x", True, OddText("5"), "٣", "1e400", 10**400)
            return rng.choice((rng.choice(parts), rng.choice(odd)))


def _value_at(key: str, fields: tuple[Field, ...], parts: list[Any], rng: random.Random) -> Any:
    types = [field.type for field in fields if field.name == key]
    return values_of(types[0] if types else INT, parts, rng)


_NUMBER = Constraint("at_most", Const("int", 5))
_SCALARS: dict[Type, tuple[Any, ...]] = {
    INT: (1, 7, "3", "300", "+4", "-05", "x", 2.0),
    FLOAT: (1.5, 2, 2**53 + 1, "2.5", " 1e3 ", "1e999", float("nan")),
    BOOL: (True, False, "true", "False", 1),
    STRING: ("a", "b", Keyword("k")),
    DATETIME: (datetime(2026, 1, 31, tzinfo=UTC), "2026-01-31T10:00:00Z", "2026-01-31 10:00"),
    KEYWORD: (Keyword("k"), "k", ":k", ""),
    NIL: (None, "null"),
    ANY: (None, [1], "a"),
    Refinement(INT, (_NUMBER,)): (1, "3", "7", 9),
    Refinement(FLOAT, (_NUMBER,)): (1.5, 2, "3", 9),
    Union((INT, STRING)): (1, "1", 2.5),
    Enum((Const("int", 1), Const("int", 2))): (1, 2, "1", 3),
}


def plain_type(rng: random.Random, levels: int) -> Type:
    """Return a type of records, lists and scalars, most of which are read from text."""
    if levels == 0 or rng.random() < 0.3:
        t = rng.choice([*_SCALARS, INT, INT, FLOAT])
        return Maybe(t) if rng.random() < 0.2 and t not in (NIL, ANY) else t
    if rng.random() < 0.4:
        t = List(plain_type(rng, levels - 1))
        return Maybe(t) if rng.random() < 0.2 else t
    names = rng.sample(["a", "b_c", "c", "_d", "e", "f", "g", "h"], rng.choice((1, 2, 3, 3, 8)))
    fields = []
    for name in names:
        t = plain_type(rng, levels - 1)
        default = Const("int", 5) if rng.random() < 0.1 and t == INT else None
        fields.append(Field(name, t, rng.random() < 0.7 and default is None, default))
    made = Record(tuple(fields), rng.choice((ANY, ANY, None, INT)))
    return Maybe(made) if rng.random() < 0.1 else made


def plain_value(t: Type, rng: random.Random) -> Any:
    """Return a value that is one of *t* where texts are read, or nearly is."""
    match t:
        case List(item):
            items = [plain_value(item, rng) for _ in range(rng.choice((0, 1, 2, 5)))]
            return tuple(items) if rng.random() < 0.02 else items
        case Record(fields):
            kept = [f for f in fields if rng.random() < (0.98 if f.required else 0.6)]
            rng.shuffle(kept)
            data = {f.name: plain_value(f.type, rng) for f in kept}
            return {**data, "more": 1} if rng.random() < 0.05 else data
        case Maybe(inner):
            return None if rng.random() < 0.2 else plain_value(inner, rng)
        case _:
            # The first are right, or text that is read.
            values = _SCALARS[t]
            return rng.choice(values if rng.random() < 0.1 else values[:4])
