"""Checkers of scalars and enums."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, get_args

from typesig.algebra.rows.constraints import TEXTS, Constraint, get_identity
from typesig.algebra.rows.frozen import FOREIGN
from typesig.algebra.rows.scalars import SCALARS, ScalarName, ScalarRow
from typesig.algebra.rows.values import (
    KINDS,
    SMALL,
    TOO_LONG,
    Const,
    ConstKind,
    Kind,
    get_kind,
    is_long,
    is_text,
    keywords_to_text,
)
from typesig.notations.texts.literals import write_literal
from typesig.validation.check_state import Checker, CheckState, Finding
from typesig.validation.coercions import (
    CONVERSIONS,
    REFUSED,
    CoercionId,
    Conversion,
    get_zone,
    parse_int,
    parse_number,
    read_in_zone,
    to_rfc_3339,
)
from typesig.validation.issues.excerpt import describe_value, write_excerpt, write_values
from typesig.validation.issues.suggestions import Remedy, SuggestionQuery, make_remedy
from typesig.validation.issues.words import Phrase, Words, fill_template, make_scalar_phrase
from typesig.validation.policy import Policy

_ALL_KINDS: frozenset[Kind] = frozenset(get_args(Kind))


def get_active_conversions(
    policy: Policy, target: ScalarName | ConstKind
) -> dict[Kind, list[Conversion]]:
    """Return the conversions to *target* that *policy* enables, by the kind that they read."""
    out: dict[Kind, list[Conversion]] = {}
    for row in CONVERSIONS.values():
        is_on = row.id in policy.coercions or (row.when == "always" and policy.decoding)
        if row.id == "float_from_string" and "float_from_int" not in policy.coercions:
            # An integer is the same in quotes and without.
            row = row._replace(apply=parse_number)
        for kind in row.sources if row.target == target and is_on else ():
            out.setdefault(kind, []).append(row)
    return out


def make_scalar_check(name: ScalarName, expected: str, policy: Policy) -> Checker:
    """Make the checker of the scalar *name*."""
    if name == "datetime" and policy.naive_datetime is not None:
        zone, refusing = policy.naive_datetime, policy.changed(naive_datetime=None)
        variants = "datetime_from_iso" in policy.coercions
        return _make_zone_check(zone, make_scalar_check(name, expected, refusing), variants)
    row = SCALARS[name]
    if not row.kinds and row.fits is None:
        return _accept_any
    kinds, rows, fits, also = (
        row.kinds or _ALL_KINDS,
        get_active_conversions(policy, name),
        row.fits,
        row.also,
    )
    naive = name == "datetime" and "naive_datetime" in policy.coercions
    # An int conforms to a float; on input it becomes a float if one is equal to it.
    eager = {kind for kind in rows if kind in kinds}
    takes = make_plain_test((name,), policy)

    def check(value: Any, run: CheckState) -> Any:
        if takes(value):
            return value
        kind = get_kind(value)
        if also is not None and also(value):
            return value
        if kind in kinds and kind not in eager:
            if fits is None or fits(value):
                return value
            if naive:
                run.add(
                    Finding("naive", got=describe_value(value), rule="naive_datetime", warning=True)
                )
            else:
                flaw = make_remedy(row.format, value) or row.flaw
                run.add_error("type", expected, value, TOO_LONG if kind == "int" else flaw)
            return value
        for way in rows.get(kind, ()):
            made = way.apply(value)
            if made is not REFUSED:
                if needs_warning(way, policy):
                    run.add_coercion(make_scalar_phrase(name), value, way.id)
                return made
        run.add_error("type", expected, value, _make_hint(row, value, policy))
        return value

    return check


def make_plain_test(names: Iterable[ScalarName], policy: Policy) -> Callable[[Any], bool]:
    """Build a fast test for values that a scalar in *names* accepts unchanged.

    False means that it is unknown.
    """
    classes: set[type] = set()
    numbers: set[type] = set()
    for name in names:
        row, rows = SCALARS[name], get_active_conversions(policy, name)
        kinds = [(cls, kind) for cls, kind in KINDS.items() if kind in row.kinds]
        if row.fits is None and row.also is None and not any(kind in rows for _, kind in kinds):
            classes.update(cls for cls, _ in kinds)
        elif name in ("int", "float"):
            numbers.update(cls for cls, kind in kinds if kind == name and kind not in rows)

    def takes(value: Any) -> bool:
        cls = type(value)
        if cls in numbers:
            return -SMALL <= value <= SMALL if cls is int else bool(value - value == 0)
        return cls in classes

    return takes


def needs_warning(row: Conversion, policy: Policy) -> bool:
    """Whether *policy* reports a warning for a value that *row* coerced."""
    if row.when != "always":
        return row.warns
    return policy.verbose or (row.warns and not policy.json_results)


def _make_zone_check(zone: str, inner: Checker, variants: bool) -> Checker:
    """Make a checker that reads a datetime without an offset in *zone* before *inner*.

    *variants* is whether its text may be any variant that `to_rfc_3339` reads.
    """
    tz = get_zone(zone)

    def check(value: Any, run: CheckState) -> Any:
        variant = to_rfc_3339(value.strip()) if variants and is_text(value) else None
        made = read_in_zone(value if variant is None else variant, tz)
        if made is REFUSED:
            return inner(value, run)
        to = fill_template("{} in {}", make_scalar_phrase("datetime"), zone)
        run.add_coercion(to, value, "naive_datetime")
        return made

    return check


def _accept_any(value: Any, run: CheckState) -> Any:
    return value


def _make_hint(row: ScalarRow, value: Any, policy: Policy) -> Remedy | str:
    """Make the hint for *value*: how to write a value of *row*, or the flaw of the text."""
    if not policy.decoding:
        # The text that JSON has for such a value is not one here.
        return row.itself
    if row.name == "float" and _is_inexact(value, policy):
        return TOO_LONG if isinstance(value, int) and is_long(value) else _INEXACT
    nearly = row.nearly is not None and get_kind(value) == "string" and row.nearly(value)
    return row.flaw if nearly else make_remedy(row.format, value)


_INEXACT = fill_template("no {} is this number", Phrase("float", lambda words: "double"))


def _is_inexact(value: Any, policy: Policy) -> bool:
    """Whether *value* is an integer, maybe as text, that no float represents exactly."""
    if get_kind(value) == "string" and "float_from_string" in policy.coercions:
        return value[:1] != "0" and parse_int(value) is not REFUSED
    return get_kind(value) == "int"


def make_enum_check(values: tuple[Const, ...], policy: Policy) -> Checker:
    """Make the checker of an enum of *values*, which are compared by kind and value."""
    known = {get_identity(value.thaw()): value for value in values}
    kinds = frozenset(value.kind for value in values)
    listed, near = write_values(values), cache(partial(_list_spellings, values))
    readings = _make_enum_reader(values, policy)

    def check(value: Any, run: CheckState) -> Any:
        if get_kind(value) in kinds and get_identity(value) in known:
            return value
        for rule, candidate, warns in readings(value):
            found = known.get(get_identity(candidate))
            if found is not None:
                if warns:
                    run.add_coercion(describe_value(found.thaw()), value, rule)
                return found.thaw()
        if run.is_full:
            run.unseen += 1
            return value
        meant = SuggestionQuery(value.lower(), near) if get_kind(value) in TEXTS else ""
        run.add(Finding("enum", listed, write_excerpt(value), meant))
        return value

    return check


#: The coercions by which text becomes one of the texts of an enum.
ENUM_GUESSES: frozenset[CoercionId] = frozenset({"enum_ignoring_case", "enum_ignoring_separators"})

#: Returns the readings of a value: the rule, the coerced value, whether there is a warning.
EnumReader = Callable[[Any], list[tuple[str, Any, bool]]]


def _make_enum_reader(values: tuple[Const, ...], policy: Policy) -> EnumReader:
    targets: dict[ConstKind, None] = dict.fromkeys(v.kind for v in values)
    rows = [get_active_conversions(policy, target) for target in targets]
    cases: dict[str, list[str]] = {}
    if "enum_ignoring_case" in policy.coercions:
        for text in [v.value for v in values if v.kind == "string"]:
            cases.setdefault(text.casefold(), []).append(text)
    parts = [v for v in values if v.kind in ("list", "map")]
    written: dict[object, Const] = {}
    for const in [v for v in parts if policy.decoding and v.flags & FOREIGN]:
        written.setdefault(get_identity(keywords_to_text(const).thaw()), const)
    equal: dict[object, Const] = {}
    for const in parts if "int_from_whole_float" in policy.coercions else ():
        equal.setdefault(get_identity(const.thaw(), in_json=True), const)
    words: dict[str, list[Any]] = {}
    if "enum_ignoring_separators" in policy.coercions:
        for const in [v for v in values if v.kind in TEXTS and _fold_word(v.value)]:
            words.setdefault(_fold_word(const.value), []).append(const.thaw())

    def read_candidates(value: Any) -> list[tuple[str, Any, bool]]:
        kind = get_kind(value)
        out: list[tuple[str, Any, bool]] = []
        for row in [row for made in rows for row in made.get(kind, ())]:
            # Reading a number or a boolean from text has a rule of its own in enums.
            is_string = kind == "string"
            rule = "enum_from_string" if is_string and row.when != "always" else row.id
            is_word = is_string and row.when == "lenient"
            if (rule in policy.coercions or row.when == "always") and not is_word:
                out.append((rule, row.apply(value), needs_warning(row, policy)))
        if written and kind in ("list", "map") and (found := written.get(get_identity(value))):
            row = CONVERSIONS["keyword_from_string"]
            out.append((row.id, found.thaw(), needs_warning(row, policy)))
        elif equal and kind in ("list", "map"):
            found = equal.get(get_identity(value, in_json=True))
            if found is not None:
                out.append(("int_from_whole_float", found.thaw(), True))
        same = cases.get(value.casefold(), []) if cases and kind == "string" else []
        if len(same) == 1:
            out.append(("enum_ignoring_case", same[0], True))
        alike = words.get(_fold_word(value), []) if words and kind == "string" else []
        if len(alike) == 1 and _find_negations(value) == _find_negations(alike[0]):
            out.append(("enum_ignoring_separators", alike[0], True))
        return [candidate for candidate in out if candidate[1] is not REFUSED]

    return read_candidates


_SEPARATORS = str.maketrans("", "", "-_ ")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def _fold_word(word: str) -> str:
    """Fold *word* so that texts that differ only in case or separators become equal."""
    return word.translate(_SEPARATORS).casefold()


def _find_negations(word: str) -> list[str]:
    """Find the negating words in *word*: "not able" differs from "notable"."""
    return [part for part in map(str.lower, _PARTS.findall(word)) if part in ("no", "not", "never")]


def _list_spellings(values: tuple[Const, ...]) -> Mapping[str, str]:
    """Spellings of the texts among *values* in messages, by their lower case."""
    return {
        str(v.value).lower(): Phrase(write_literal(v), partial(_translate_literal, v))
        for v in values
        if v.kind in TEXTS
    }


def _translate_literal(value: Const, words: Words) -> str:
    return words.literal(value)


# --- Checks of types with constraints, and of values that text in a format may be made of ---


def find_format_conversions(
    constraints: tuple[Constraint, ...], policy: Policy
) -> list[Conversion]:
    """Find the conversions of *policy* to text in the formats of *constraints*."""
    formats = {c.argument.value for c in constraints if c.name == "format"}
    rows = CONVERSIONS.values()
    return [row for row in rows if row.format in formats and row.id in policy.coercions]


def allows_other_format(constraints: tuple[Constraint, ...], policy: Policy) -> bool:
    """Whether text that breaks a format in *constraints* may still pass under *policy*."""
    return bool(find_format_conversions(constraints, policy)) or (
        "other_format" in policy.coercions and any(c.name == "format" for c in constraints)
    )


def make_format_check(inner: Checker, rows: list[Conversion]) -> Checker:
    """Make a checker that applies the conversions *rows* to text formats before *inner*."""
    ways: dict[Kind, Conversion] = {kind: row for row in rows for kind in row.sources}

    def check(value: Any, run: CheckState) -> Any:
        way = ways.get(get_kind(value))
        made = REFUSED if way is None else way.apply(value)
        if way is None or made is REFUSED:
            return inner(value, run)
        if way.warns:
            run.add_coercion(f"{way.format}", value, way.id)
        return inner(made, run)

    return check


def make_refinement_check(
    inner: Checker, constraints: tuple[Constraint, ...], said: str, policy: Policy
) -> Checker:
    """Make a checker that tests *constraints* after *inner*; *said* is the label for messages."""
    warns = "other_format" in policy.coercions
    # What is only warned of comes last: it must not hide an error.
    ordered = sorted(constraints, key=lambda c: c.name == "format") if warns else constraints
    tests = [(c.row.kinds, c.test(), _get_format(c), warns and c.name == "format") for c in ordered]

    def check(value: Any, run: CheckState) -> Any:
        errors = run.errors + run.unseen
        new = inner(value, run)
        if run.errors + run.unseen > errors:
            return new
        kind = get_kind(new)
        for kinds, test, format_name, is_warning in tests:
            if kind in kinds and not test(new):
                # Who reads a result has not written it.
                is_told = policy.decoding or not is_warning
                hint = make_remedy(format_name, new) if is_told else ""
                if is_warning:
                    found = Finding(
                        "refined", said, describe_value(new), hint, "other_format", warning=True
                    )
                    run.add(found)
                else:
                    run.add_error("refined", said, new, hint)
                break
        return new

    return check


def _get_format(constraint: Constraint) -> str:
    """Return the name of the format that *constraint* requires, or an empty text."""
    return str(constraint.argument.value) if constraint.name == "format" else ""
