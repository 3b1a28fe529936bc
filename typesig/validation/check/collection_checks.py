"""Checkers of lists, sets, tuples and maps with typed keys."""

from __future__ import annotations

from typing import Any

from typesig.algebra.rows.values import get_kind, make_hashable, to_builtin
from typesig.validation.check_state import Checker, CheckState, Finding
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.plain_data import write_key, write_sort_text
from typesig.validation.policy import Policy


def make_list_check(item: Checker, expected: str, policy: Policy) -> Checker:
    """Make the checker of a list."""
    takes_sets = "list_from_set" in policy.coercions

    def check(value: Any, run: CheckState) -> Any:
        if type(value) is list:
            return check_items(value, item, run)
        kind = get_kind(value)
        if kind == "set" and takes_sets:
            # Sorted, so that the order is the same in each run.
            return check_items(sorted(to_builtin(value), key=write_sort_text), item, run)
        if kind != "list":
            run.add_error("type", expected, value)
            return value
        return check_items(value, item, run)

    return check


def check_items(value: Any, item: Checker, run: CheckState) -> Any:
    """Check the items of the list *value*; return it, or a copy if an item changed."""
    out: list[Any] | None = None
    data = value if type(value) is list else to_builtin(value)
    run.watch.visit(len(data))
    found = run.found
    seen = len(found)
    for index, element in enumerate(data):
        new = item(element, run)
        if len(found) != seen:
            run.prefix(seen, index)
            seen = len(found)
        if new is not element and out is None:
            out = list(data[:index])
        if out is not None:
            out.append(new)
    return value if out is None else out


def make_set_check(item: Checker, expected: str, policy: Policy) -> Checker:
    """Make the checker of a set; on input a list is read as a set."""

    def check(value: Any, run: CheckState) -> Any:
        kind = get_kind(value)
        if kind == "set":
            return _check_set_items(value, item, run)
        if kind != "list" or not policy.decoding:
            run.add_error("type", expected, value)
            return value
        errors = run.errors + run.unseen
        visit = run.watch.visit
        new = [
            make_hashable(element, visit) for element in to_builtin(check_items(value, item, run))
        ]
        if run.errors + run.unseen > errors:
            return value
        try:
            out = set(new)
        except TypeError:
            run.add_error("type", expected, value, "an item of it cannot be hashed")
            return value
        if len(out) < len(new):
            run.add_error("duplicate", "", value)
            return value
        return out

    return check


def _check_set_items(value: Any, item: Checker, run: CheckState) -> Any:
    data = to_builtin(value)
    run.watch.visit(len(data))
    made = [(element, item(element, run)) for element in data]
    if all(old is new for old, new in made):
        return value
    out = {make_hashable(new, run.watch.visit) for _, new in made}
    if len(out) < len(made):
        run.add_error("duplicate", "", value)
        return value
    return out


def make_tuple_check(checks: tuple[Checker, ...], rest: Checker | None, expected: str) -> Checker:
    """Make the checker of a tuple; *rest* checks the items after its positions."""
    fewest = len(checks)
    wanted = f"{fewest}" if rest is None else f"{fewest} or more"

    def check(value: Any, run: CheckState) -> Any:
        data = value
        if type(value) is not list:
            if get_kind(value) != "list":
                run.add_error("type", expected, value)
                return value
            data = to_builtin(value)
        run.watch.visit(len(data))
        if len(data) < fewest or (rest is None and len(data) > fewest):
            run.add(Finding("length", wanted, f"{len(data)}"))
            return value
        out = []
        each = checks if rest is None else (*checks, *[rest] * (len(data) - fewest))
        for index, (element, item) in enumerate(zip(data, each, strict=True)):
            seen = len(run.found)
            out.append(item(element, run))
            run.prefix(seen, index)
        same = all(a is b for a, b in zip(out, data, strict=True))
        return value if same else out

    return check


def make_key_check(reading: Checker, taken: Checker) -> Checker:
    """Make the checker of a key: *reading* if *taken* accepts its result, else *taken*.

    In *reading* a text becomes a keyword; *taken*, which coerces nothing, also takes the text.
    """

    def check(value: Any, run: CheckState) -> Any:
        trial, again = run.make_branch(), run.make_branch()
        made = reading(value, trial)
        if not trial.errors:
            taken(made, again)
        if not trial.errors and not again.errors:
            return made
        return taken(value, run)

    return check


def make_map_check(
    key: Checker, item: Checker, expected: str, expected_key: str, text_keys: bool
) -> Checker:
    """Make the checker of a map with typed keys and values."""

    def check(value: Any, run: CheckState) -> Any:
        data = value
        if type(value) is not dict:
            if get_kind(value) != "map":
                run.add_error("type", expected, value)
                return value
            data = to_builtin(value)
        run.watch.visit(len(data))
        out: dict[Any, Any] = {}
        changed = False
        for old, element in data.items():
            new = old
            if not (text_keys and type(old) is str):
                # In a branch without its warnings: JSON writes each key as text.
                trial = run.make_branch()
                made_key = key(old, trial)
                new = old if made_key is old else make_hashable(made_key, run.watch.visit)
                if trial.errors:
                    _add_key_finding(run, old, Finding("key", expected_key, describe_value(old)))
            seen = len(run.found)
            made = item(element, run)
            if len(run.found) > seen:
                run.prefix(seen, write_key(old))
            changed = changed or made is not element or new is not old
            if new in out:
                _add_key_finding(run, old, Finding("keys", got=describe_value(new)))
            out[new] = made
        return out if changed else value

    return check


def _add_key_finding(run: CheckState, key: Any, found: Finding) -> None:
    found.steps.append(write_key(key))
    run.add(found)
