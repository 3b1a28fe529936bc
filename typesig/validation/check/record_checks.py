"""Checkers of records: declared fields, defaults and unknown keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, assert_never

from typesig.algebra.nodes import Field, Record, Refinement, Type
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.frozen import NAMES, RECORDS
from typesig.algebra.rows.values import get_kind, is_text, to_builtin
from typesig.algebra.traversal import iter_distinct_parts, iter_same_value_types
from typesig.limits import MAX_DEFAULT_VALUES, MAX_FILLED, MAX_NEAR_NAME
from typesig.validation.check.union_checks import make_intersection_check
from typesig.validation.check_state import MISSPELT, Checker, CheckState, Finding
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.issues.words import KIND_PHRASES
from typesig.validation.keys import KeyPlan
from typesig.validation.policy import Extras, Policy


class FieldSlot(NamedTuple):
    """A field with its check.

    #: expected: the label of its type in messages
    #: admits_nil: whether nil is a value of its type
    #: fill: returns the checked default; None if no default is filled in
    #: hidden: whether the field is firewalled
    #: refused: whether the policy refuses the field: its key is an error, and it is never required
    #: takes_nil: whether nil counts as absent because the field has a default
    """

    name: str
    check: Checker
    expected: str
    required: bool
    admits_nil: bool
    fill: Callable[[CheckState], Any] | None
    hidden: bool
    refused: bool
    takes_nil: bool


def make_slot(
    field: Field, check: Checker, check_default: Checker, expected: str, nil: bool, policy: Policy
) -> FieldSlot:
    """Make the slot of *field* under *policy*; *nil* is whether its type admits nil."""
    fill = None
    if field.default is not None and policy.defaults:
        fill = _make_default_filler(field, field.default.thaw, check_default)
    hidden = field.firewalled
    refused = policy.firewall and hidden
    takes_nil = field.default is not None and policy.takes_nil_for_default
    return FieldSlot(
        field.name, check, expected, field.required, nil, fill, hidden, refused, takes_nil
    )


def _make_default_filler(
    field: Field, thaw: Callable[[], Any], check: Checker
) -> Callable[[CheckState], Any]:
    known: list[tuple[Any, int]] = []

    def fill(run: CheckState) -> Any:
        work = run.work
        # A default that is needed for itself has no end.
        if work.filled > MAX_FILLED or id(fill) in work.filling:
            return add_limit_finding(run, MAX_DEFAULT_VALUES)
        if not known:
            work.filling.add(id(fill))
            try:
                made, is_right = _check_default(field, thaw(), check, run)
            finally:
                work.filling.discard(id(fill))
            if not is_right:
                # What met a limit is not asked again: at twice a level, it would never end.
                work.filled = MAX_FILLED + 1
                return made
            known.append((made, _count_values(made)))
        made, size = known[0]
        work.filled += size
        if size > MAX_DEFAULT_VALUES:
            return add_limit_finding(run, MAX_DEFAULT_VALUES)
        return (
            add_limit_finding(run, MAX_FILLED) if work.filled > MAX_FILLED else _copy_default(made)
        )

    def add_limit_finding(run: CheckState, limit: int) -> None:
        # Nothing more is filled in: each default would meet the limit again.
        run.work.filled = MAX_FILLED + 1
        _add_finding(run, field.name, Finding("filled", f"{limit}"), field.firewalled)

    return fill


def _check_default(field: Field, default: Any, check: Checker, run: CheckState) -> tuple[Any, bool]:
    """Check and coerce *default*; also return whether it has no errors."""
    # A default is coerced like input, `"2026-01-31T10:00:00Z"` to a datetime for example, but
    # without warnings, since nobody sent it.
    trial = run.make_branch()
    made = check(default, trial)
    for found in trial.found:
        if not found.warning:
            found.steps.append(field.name)
            found.hidden = len(found.steps) if field.firewalled else found.hidden
            found.hint = "the default of the signature itself"
            run.add(found)
    return made, not trial.errors


def _count_values(value: Any) -> int:
    """Count the lists, sets, maps and values in *value*; a scalar counts 0."""
    if isinstance(value, dict):
        return 1 + sum([_count_values(item) or 1 for item in value.values()])
    return (
        1 + sum([_count_values(item) or 1 for item in value])
        if isinstance(value, list | set)
        else 0
    )


def _copy_default(value: Any) -> Any:
    """Copy the lists, sets and maps of *value*, so that the receiver may change them."""
    if isinstance(value, dict):
        return {key: _copy_default(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_copy_default(item) for item in value]
    return set(value) if isinstance(value, set) else value


def make_record_check(
    slots: tuple[FieldSlot, ...],
    plan: KeyPlan,
    extra: Checker | Extras,
    policy: Policy,
    expected: str = KIND_PHRASES["map"],
    matching: tuple[PatternCheck, ...] = (),
) -> Checker:
    """Make the checker of a record.

    *extra* is the checker of the values of unknown keys, or the treatment of such keys.  *matching*
    has tests of keys and the checks of their values.
    """
    beyond = _plan_unknown_keys(matching, extra)
    refused = frozenset([s.name for s in slots if s.refused])
    hidden = frozenset([s.name for s in slots if s.hidden])
    looked_at = _make_slot_finder(tuple([s for s in slots if not s.refused]) if refused else slots)
    check_fields = _make_fields_check(looked_at, "absent_from_null" in policy.coercions)
    guards = guards_names(policy, extra)

    def check(value: Any, run: CheckState) -> Any:
        given = value
        if type(value) is not dict:
            if get_kind(value) != "map":
                run.add_error("type", expected, value)
                return value
            given = to_builtin(value)
        run.watch.visit(len(given))
        data = given if given.keys() <= plan.names else _rename_near_keys(given, plan, hidden, run)
        sent = data
        # What was sent is compared with the names later.
        copied = data is not given and not guards
        data, copied = check_fields(data, copied, run)
        if run.is_verdict and run.errors:
            return value
        if refused or not data.keys() <= plan.names:
            data = _check_unknown_keys(
                data, copied, plan, refused, beyond, run, sent if guards else None
            )
        return value if data is given else data

    return check


def _make_fields_check(
    looked_at: Callable[[Mapping[Any, Any]], Iterable[FieldSlot]], absent_from_null: bool
) -> Callable[[Any, bool, CheckState], tuple[Any, bool]]:
    """Make the check of declared fields, which takes a map and whether it is a copy.

    It returns the map with the checked values, and whether that is a copy.
    """

    def check(data: Any, copied: bool, run: CheckState) -> tuple[Any, bool]:
        found = run.found
        for s in looked_at(data):
            name, check_value = s[0], s[1]
            old = data.get(name, _ABSENT)
            if old is _ABSENT or old is None:
                new = _check_field(s, old, absent_from_null, run)
            else:
                seen = len(found)
                new = check_value(old, run)
                if len(found) != seen:
                    run.prefix(seen, name, s.hidden)
            if new is not old:
                data = data if copied else dict(data)
                copied = True
                if new is _ABSENT:
                    del data[name]
                else:
                    data[name] = new
            if run.is_verdict and run.errors:
                break
        return data, copied

    return check


def guards_names(policy: Policy, extra: Checker | Extras) -> bool:
    """Whether a record refuses an unknown key that looks like a misspelt declared key.

    It does in the arguments of a call, where *extra* says that undeclared keys are dropped, or
    where errors are warnings.
    """
    may_pass = extra == "drop" or (extra == "reject" and policy.on_issue == "warn")
    return may_pass and policy.firewall and policy.refuse_misspelt


def make_extras_check(plan: KeyPlan, extra: Extras, policy: Policy) -> Callable[..., Any]:
    """Make the check of the unknown keys of a map, which also takes the map as it was sent."""
    guards = guards_names(policy, extra)

    def check(value: Any, sent: Any, run: CheckState) -> Any:
        data = to_builtin(value)
        if data.keys() <= plan.names:
            return value
        held = plan.rename_keys(to_builtin(sent))[0] if guards else None
        made = _check_unknown_keys(data, False, plan, frozenset(), extra, run, held)
        return value if made is data else made

    return check


def make_near_names_check(plan: KeyPlan, hidden: frozenset[str], inner: Checker) -> Checker:
    """Make a checker that renames near names to the names of *plan* before *inner*.

    *hidden* are the firewalled ones.
    """

    def check(value: Any, run: CheckState) -> Any:
        if get_kind(value) != "map" or value.keys() <= plan.names:
            return inner(value, run)
        return inner(_rename_near_keys(to_builtin(value), plan, hidden, run), run)

    return check


def _rename_near_keys(
    data: dict[Any, Any], plan: KeyPlan, hidden: frozenset[str], run: CheckState
) -> dict[Any, Any]:
    """Rename the keys of *data* to declared names, with a warning for each near name."""
    made: dict[Any, Any]
    made, twice, near = plan.rename_keys(data)
    for name, spellings in twice:
        _add_finding(run, name, Finding("twice", got=spellings), name in hidden)
    for name, spelling in near:
        _add_finding(
            run, name, Finding("renamed", got=spelling, rule="key_ignoring_case", warning=True)
        )
    return made


def _make_slot_finder(
    slots: tuple[FieldSlot, ...],
) -> Callable[[Mapping[Any, Any]], Iterable[FieldSlot]]:
    """Make the function that selects the slots to check for a map, in declared order."""
    always = [place for place, s in enumerate(slots) if s.required or s.fill is not None]
    optional = len(slots) - len(always)
    places: dict[str, int] = {}

    def find_slots(data: Mapping[Any, Any]) -> Iterable[FieldSlot]:
        # A map with few of many optional fields costs what it holds, not what it could hold.
        if optional <= _MANY * (len(data) + 1):
            return slots
        if not places:
            places.update({s.name: place for place, s in enumerate(slots)})
        present = {places[key] for key in data if key in places}
        return [slots[place] for place in sorted(present.union(always))]

    return find_slots


#: How many optional fields for one key of a map are looked at one by one.
_MANY = 4

#: A test of keys, and the check of their values.
PatternCheck = tuple[Callable[[str], bool], Checker]


def _plan_unknown_keys(
    matching: tuple[PatternCheck, ...], extra: Checker | Extras
) -> Callable[[str], Checker | Extras] | Extras:
    """Return the treatment of unknown keys, or a function from a key to its treatment."""
    if not matching:
        return (lambda _: extra) if callable(extra) else extra
    known: dict[str, Checker | Extras] = {}

    def get_treatment(key: str) -> Checker | Extras:
        found = known.get(key)
        if found is None:
            checks = tuple([check for test, check in matching if test(key)])
            found = make_intersection_check(checks) if checks else extra
            if len(known) < _REMEMBERED and len(key) <= MAX_NEAR_NAME:
                known[key] = found
        return found

    return get_treatment


#: How many keys of a record are remembered with the patterns that they match.
_REMEMBERED = 1_000


#: The value of a field that is absent.
_ABSENT = object()


def _check_field(s: FieldSlot, old: Any, absent_from_null: bool, run: CheckState) -> Any:
    """Check the value of the field *s*; return `_ABSENT` if it is absent."""
    if old is _ABSENT:
        if s.fill is not None:
            return s.fill(run)
        if s.required:
            _add_finding(run, s.name, Finding("missing", s.expected), s.hidden)
        return old
    lacks = s.takes_nil or (absent_from_null and not s.required)
    if old is None and not s.admits_nil and lacks:
        _add_finding(
            run, s.name, Finding("absent", rule="absent_from_null", warning=True), s.hidden
        )
        return _ABSENT if s.fill is None else s.fill(run)
    seen = len(run.found)
    new = s.check(old, run)
    if len(run.found) > seen:
        run.prefix(seen, s.name, s.hidden)
    return new


def _check_unknown_keys(
    data: Any,
    copied: bool,
    plan: KeyPlan,
    refused: frozenset[str],
    beyond: Callable[[str], Checker | Extras] | Extras,
    run: CheckState,
    sent: dict[Any, Any] | None,
) -> Any:
    """Check the unknown keys of *data*, which is modified only if *copied*.

    *beyond* is their treatment, or a function from a key to its treatment.  A key that resembles a
    declared name that *sent* lacks is an error; None skips that check.
    """
    others = [key for key in data if key not in plan.names or key in refused]
    if beyond == "keep" and not refused and all(map(is_text, others)):
        # Only of a key that is near to a name there is something to tell.
        others = plan.find_near_keys(others) if plan.reads_near else []
    # A key can be meant for an absent name only.
    guarded = sent if sent is not None and plan.lacks_name(sent) else None
    likely: Collection[str] = ()
    if guarded is not None:
        likely = plan.select_likely([key for key in others if is_text(key)], guarded)
    for key in others:
        if not is_text(key):
            run.add(Finding("key", "string", describe_value(key)))
            continue
        extra: Checker | Extras = beyond(key) if callable(beyond) else beyond
        extra = "reject" if key in refused else extra
        if guarded is not None and not callable(extra) and key in likely:
            meant = _suggest_absent_name(key, extra, plan, guarded, run)
            if meant:
                _add_finding(run, str(key), Finding("extra", hint=meant, rule=MISSPELT))
                continue
        new = _check_unknown_key(key, data[key], extra, plan, run, sent)
        if new is not data[key]:
            data = data if copied else dict(data)
            copied = True
            if new is _ABSENT:
                del data[key]
            else:
                data[key] = new
    return data


def _suggest_absent_name(
    key: str, extra: Extras, plan: KeyPlan, sent: Mapping[Any, Any], run: CheckState
) -> str:
    """Suggest the absent declared name that the unknown *key* probably means, or return ""."""
    if extra == "keep" or key in plan.names:
        return ""
    return plan.suggest_absent_name(key, sent, run.work.misspelt)


def _check_unknown_key(
    key: str,
    old: Any,
    extra: Checker | Extras,
    plan: KeyPlan,
    run: CheckState,
    sent: dict[Any, Any] | None,
) -> Any:
    """Check the value of the unknown *key*; return `_ABSENT` if it is dropped.

    The hint of a dropped key is one of the names in *sent*, if that is known: it was not meant for
    an absent one.
    """
    if callable(extra):
        seen = len(run.found)
        new = extra(old, run)
        run.prefix(seen, str(key))
        return new
    match extra:
        case "keep":
            if plan.reads_near and plan.get_near_names(key):
                # The name that it is near to is given, too, or it is near to several.
                told = Finding("kept", hint=plan.make_suggestion(key), rule="extras", warning=True)
                _add_finding(run, str(key), told)
            return old
        case "reject":
            if run.is_full:
                run.unseen += 1
                return old
            # A firewalled key has the same message; another message would tell that it is declared.
            _add_finding(run, str(key), Finding("extra", hint=plan.make_suggestion(key)))
            return old
        case "drop":
            if run.warnings >= run.limit:
                run.unseen_warnings += 1
                return _ABSENT
            warned = Finding(
                "dropped", hint=plan.make_suggestion(key, sent), rule="extras", warning=True
            )
            _add_finding(run, str(key), warned)
            return _ABSENT
        case _:
            assert_never(extra)


def _add_finding(run: CheckState, name: str, found: Finding, hidden: bool = False) -> None:
    found.steps.append(name)
    if hidden:
        found.hidden = 1
    run.add(found)


def is_decided_by_defaults(t: Refinement, names: Mapping[str, Type]) -> bool:
    """Whether filling in a default may change whether a constraint of *t* is met."""
    if any(constraint.name == "unique" for constraint in t.constraints):
        return fills_within(t.inner, names)
    return any(_has_default(part) for part in iter_same_value_types(t.inner, names))


def fills_within(t: Type, names: Mapping[str, Type]) -> bool:
    """Whether checking *t* may fill in a default at any level."""
    if not t.flags & (NAMES | RECORDS):
        return False
    wholes = [t, *[names[name] for name in find_used_names(names, [t])]]
    return any(map(_has_default, iter_distinct_parts(wholes)))


def _has_default(t: Type) -> bool:
    return isinstance(t, Record) and any(field.default is not None for field in t.fields)
