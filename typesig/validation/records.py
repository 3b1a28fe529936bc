"""Checking records: declared fields, defaults, undeclared keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.algebra.nodes import Field
from typesig.algebra.values import kind_of
from typesig.validation.excerpt import shown
from typesig.validation.keys import KeyPlan
from typesig.validation.policy import Policy
from typesig.validation.run import Checker, Found, Run


class Slot(NamedTuple):
    """A field as the check sees it.

    #: expected: what a message says is asked for
    #: admits_nil: whether nil is a value of its type
    #: fill: makes the default, or None where absence is left as it is
    #: refused: whether it is firewalled in what is checked: not accepted, never required
    """

    name: str
    check: Checker
    expected: str
    required: bool
    admits_nil: bool
    fill: Callable[[], Any] | None
    hidden: bool
    refused: bool


def slot(field: Field, check: Checker, expected: str, admits_nil: bool, policy: Policy) -> Slot:
    """Return *field* as the check sees it under *policy*."""
    fill = None
    if field.default is not None and policy.defaults:
        fill = _filled(field.default.thaw, check)
    refused = policy.firewall and field.firewalled
    return Slot(
        field.name, check, expected, field.required, admits_nil, fill, field.firewalled, refused
    )


def _filled(thaw: Callable[[], Any], check: Checker) -> Callable[[], Any]:
    def fill() -> Any:
        # A default is read as input would be, `"2026-01-31T10:00:00Z"` for a datetime;
        # one that does not fit its type is the developer's choice and stands as it is.
        run = Run(1)
        value = thaw()
        made = check(value, run)
        return value if run.errors else made

    return fill


def record(
    slots: tuple[Slot, ...],
    plan: KeyPlan,
    extra: Checker | str,
    policy: Policy,
    expected: str = "map",
) -> Checker:
    """Return the check of a record.

    *extra* is the check of what undeclared keys hold, or what becomes of such keys:
    keep, reject or drop.
    """
    absent_from_null = "absent_from_null" in policy.coercions
    refused = frozenset(s.name for s in slots if s.refused)
    hidden = frozenset(s.name for s in slots if s.hidden)

    def check(value: Any, run: Run) -> Any:
        if kind_of(value) != "map":
            run.error("type", expected, value)
            return value
        data, twice = plan.renamed(value)
        for name, spellings in twice:
            _at(run, name, Found("twice", got=spellings), name in hidden)
        changed = data is not value
        for s in slots:
            if s.refused:
                continue
            if s.name not in data:
                if s.fill is not None:
                    data = data if changed else dict(data)
                    data[s.name], changed = s.fill(), True
                elif s.required:
                    _at(run, s.name, Found("missing", s.expected), s.hidden)
                continue
            item = data[s.name]
            lacks = s.fill is not None or (absent_from_null and not s.required)
            if item is None and not s.admits_nil and lacks:
                data = data if changed else dict(data)
                changed = True
                del data[s.name]
                if s.fill is not None:
                    data[s.name] = s.fill()
                _at(run, s.name, Found("absent", rule="absent_from_null", warning=True), s.hidden)
                continue
            seen = len(run.found)
            new = s.check(item, run)
            if len(run.found) > seen:
                run.prefix(seen, s.name, s.hidden)
            if new is not item:
                data = data if changed else dict(data)
                data[s.name], changed = new, True
        if not refused and data.keys() <= plan.names:
            return data
        return _extras(data, changed, run)

    def _extras(data: Any, changed: bool, run: Run) -> Any:
        for key in list(data):
            if key in plan.names and key not in refused:
                continue
            if not isinstance(key, str):
                run.add(Found("key", "string", shown(key)))
                continue
            if key in refused or extra == "reject":
                # Told as any undeclared key is: hiding its name would tell that it is declared.
                _at(run, str(key), Found("extra", hint=plan.near(key)))
            elif extra == "drop":
                data = data if changed else dict(data)
                changed = True
                del data[key]
                warned = Found("dropped", hint=plan.near(key), rule="extras", warning=True)
                _at(run, str(key), warned)
            elif callable(extra):
                seen = len(run.found)
                new = extra(data[key], run)
                run.prefix(seen, str(key))
                if new is not data[key]:
                    data = data if changed else dict(data)
                    data[key], changed = new, True
        return data

    return check


def _at(run: Run, name: str, found: Found, hidden: bool = False) -> None:
    found.steps.append(name)
    if hidden:
        found.hidden = 1
    run.add(found)
