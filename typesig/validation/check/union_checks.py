"""Checkers of unions, exactly-one types, intersections and negations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from typesig.algebra.nodes import ItemCount
from typesig.algebra.rows.values import get_kind, to_builtin
from typesig.limits import MAX_EXPECTED, MAX_NEAR
from typesig.validation.check.record_branches import UnionTags
from typesig.validation.check_state import Checker, CheckState, Finding
from typesig.validation.coercions import GUESSES
from typesig.validation.issues.suggestions import SuggestionQuery
from typesig.validation.issues.words import SIGNATURE, Phrase, Words, translate_text


def make_union_check(
    members: tuple[Checker, ...], expected: str, tags: frozenset[str] = frozenset()
) -> Checker:
    """Make the checker of a union; *tags* are the constant fields that distinguish its records.

    The first branch that takes the value unchanged wins, else the first that coerces it without a
    guess, else the first that guesses, else the errors are those of the branch that came closest.
    """

    def check(value: Any, run: CheckState) -> Any:
        first: tuple[Any, CheckState] | None = None
        failed: list[CheckState] = []
        for member in members:
            trial = run.make_branch()
            new = member(value, trial)
            if trial.errors:
                failed.append(trial)
            elif new is value and all(found.code == "kept" for found in trial.found):
                run.take(trial)
                return value
            elif first is None or (_has_guesses(first[1]) and not _has_guesses(trial)):
                first = new, trial
        if first is None:
            _add_closest_errors(value, failed, run, expected, tags)
            return value
        run.take(first[1])
        return first[0]

    return check


def make_fast_check(takes: Callable[[Any], bool], inner: Checker) -> Checker:
    """Make a checker that returns a value that *takes* accepts, and passes others to *inner*."""

    def check(value: Any, run: CheckState) -> Any:
        return value if takes(value) else inner(value, run)

    return check


def _has_guesses(run: CheckState) -> bool:
    """Whether a coercion in *run* is a guess, such as `lenient` allows."""
    return bool(run.found) and any(found.rule in GUESSES for found in run.found)


#: Returns how many keys of a checked value a record does not declare.
Measure = Callable[[Any], int]


def make_record_union_check(
    members: tuple[Checker, ...],
    measures: tuple[Measure | None, ...],
    expected: str,
    tags: UnionTags,
) -> Checker:
    """Make the checker of a union in which several members are records.

    *measures* has None for the other members; for *tags* see `make_union_check`.  Of the records
    that take a map, the one that leaves the fewest keys undeclared wins, then one that coerces
    nothing, then the first.
    """
    names = frozenset(tags.checks)
    plain = make_union_check(members, expected, names)
    of_records = tuple([at for at, measure in enumerate(measures) if measure is not None])
    others = [at for at, measure in enumerate(measures) if measure is None]

    def check(value: Any, run: CheckState) -> Any:
        if get_kind(value) != "map":
            return plain(value, run)
        places = tags.find_branches(value)
        best: tuple[int, int, int] | None = None
        taken, tried, found_of = -1, dict[int, CheckState](), dict[int, Checker]()
        possible = tags.find_candidates(value) if places is None else places
        for place in of_records if possible is None else possible:
            measure = measures[place]
            if measure is None:
                continue
            trial = run.make_branch()
            new = members[place](value, trial)
            # A union within a union would be checked twice as often at each level.
            tried[place], found_of[place] = trial, _make_replay_check(new, trial)
            rank = None if trial.errors else _rank(new, trial, measure)
            if rank is not None and (best is None or rank < best):
                best, taken = rank, place
                if rank == (0, 0, 0):
                    break
        is_told = taken < 0 and places is not None and not others
        if is_told and _add_tagged_errors(value, tried, tags, run):
            return value
        # Where errors are only counted, branches whose keys the value lacks are not asked again.
        asked = tried if run.is_full else of_records
        kept = sorted([*others, *(asked if taken < 0 else (taken,))])
        if not kept:
            run.unseen += 1
            return value
        chosen = tuple([found_of.get(place, members[place]) for place in kept])
        return make_union_check(chosen, expected, names)(value, run)

    return check


def _rank(new: Any, trial: CheckState, measure: Measure) -> tuple[int, int, int]:
    """Rank a record that accepted a map as *new*: smaller is closer."""
    codes = [found.code for found in trial.found]
    dropped = codes.count("dropped")
    changes = len(codes) > dropped + codes.count("kept")
    return dropped + trial.unseen_warnings + measure(new), int(changes), int(_has_guesses(trial))


def _make_replay_check(new: Any, trial: CheckState) -> Checker:
    """Make a checker that adds the findings of *trial* again."""

    def check(_value: Any, run: CheckState) -> Any:
        run.take(trial)
        return new

    return check


def _add_closest_errors(
    value: Any, failed: list[CheckState], run: CheckState, expected: str, tags: frozenset[str]
) -> None:
    for tag in sorted(tags):
        if _add_missing_tag(tag, failed, run):
            return
        wrong = [f for trial in failed for f in trial.found if _is_wrong_tag(f, tag)]
        if len(wrong) > 1 and len(wrong) == sum(_measure_closeness(trial)[0] for trial in failed):
            # The value is of no branch: what else is wrong with it depends on the tag.
            _add_wrong_tag(wrong, run)
            return
    best = max(failed, key=_measure_closeness)
    if _measure_closeness(best)[0]:
        _join_enums(best, failed)
        run.take(best)
    else:
        run.add_error("type", expected, value)


def _add_missing_tag(tag: str, failed: list[CheckState], run: CheckState) -> bool:
    """Add one error that *tag* is missing, with its values, if each failed branch requires it.

    What else is wrong depends on the tag.
    """
    found = [[f for f in trial.found if _is_missing_tag(f, tag)] for trial in failed]
    lacking = [one[0] for one in found if one]
    inside = [trial for trial in failed if _measure_closeness(trial)[0]]
    if len(lacking) < 2 or len(lacking) < len(inside):
        return False
    if run.is_full:
        run.unseen += 1
    else:
        run.add(_extend_expected(lacking[0], lacking))
    return True


def _is_missing_tag(found: Finding, tag: str) -> bool:
    return found.code == "missing" and found.steps == [tag]


def _add_tagged_errors(
    value: Any, tried: dict[int, CheckState], tags: UnionTags, run: CheckState
) -> bool:
    """Add the errors of *value* if its tag selects a branch, without trying other branches.

    *tried* are the failed branches with this tag.  Returns whether anything was added.
    """
    if tried:
        best = max(tried.values(), key=_measure_closeness)
        if _has_right_tag(best):
            run.take(best)
        return _has_right_tag(best)
    wrong = tags.find_tag_errors(value)
    if wrong:
        _add_wrong_tag(wrong, run)
    return bool(wrong)


def _has_right_tag(trial: CheckState) -> bool:
    """Whether a failed branch whose tag is right is closer than any whose tag is wrong."""
    inside, closeness, _ = _measure_closeness(trial)
    return inside and closeness > -_WRONG_TAG and all(found.code != "enum" for found in trial.found)


def _add_wrong_tag(wrong: list[Finding], run: CheckState) -> None:
    """Add one error for a tag that no branch in *wrong* accepts."""
    if run.is_full:
        run.unseen += 1
    else:
        run.add(_extend_expected(_find_nearest(wrong, run), wrong))


def _is_wrong_tag(found: Finding, tag: str) -> bool:
    return found.code == "enum" and found.steps == [tag]


def _find_nearest(wrong: list[Finding], run: CheckState) -> Finding:
    """Find the constant in *wrong* that was most likely meant."""
    if len(wrong) <= MAX_NEAR:
        for found in wrong:
            if isinstance(found.hint, SuggestionQuery) and run.work.search.find_hint(found.hint):
                return found
    return wrong[0]


def _join_enums(best: CheckState, failed: list[CheckState]) -> None:
    """Extend each enum error in *best* by the values that other branches expect there."""
    places: dict[tuple[str | int, ...], list[Finding]] = {
        tuple(found.steps): [] for found in best.found if found.code == "enum"
    }
    if places:
        for found in [found for run in failed for found in run.found if found.code == "enum"]:
            places.get(tuple(found.steps), []).append(found)
    for found in best.found:
        if found.code == "enum":
            _extend_expected(found, places[tuple(found.steps)])


def _extend_expected(found: Finding, others: list[Finding]) -> Finding:
    """Extend *found*, so that it also lists the values that *others* expect."""
    listed = tuple(dict.fromkeys([other.expected for other in others]))
    joined = _join_value_lists(listed, SIGNATURE)
    if len(joined) <= MAX_EXPECTED + 2:
        found.expected = Phrase(joined, partial(_join_value_lists, listed))
    return found


def _join_value_lists(listed: tuple[str, ...], words: Words) -> str:
    """Join the lists of values *listed*, with the words before the first."""
    texts = [translate_text(each, words).partition("[") for each in listed]
    values = dict.fromkeys([inner[:-1] for _, _, inner in texts])
    return f"{texts[0][0]}[{', '.join(values)}]"


#: How many errors a wrong constant counts as.
_WRONG_TAG = 10


def _measure_closeness(run: CheckState) -> tuple[bool, int, int]:
    """Measure how close a failed branch came: inside the value, with few errors, deep."""
    errors = [found for found in run.found if not found.warning]
    inside = any(found.steps or found.code not in ("type", "enum") for found in errors)
    # A wrong constant often tells that another branch is meant: it counts as many errors.
    weight = sum(_WRONG_TAG if f.code == "enum" and len(f.steps) == 1 else 1 for f in errors)
    return inside, -weight - run.unseen, max(len(found.steps) for found in errors)


def make_one_check(
    members: tuple[Checker, ...],
    strict: tuple[Checker, ...],
    expected: str,
    tags: frozenset[str] = frozenset(),
) -> Checker:
    """Make the checker that exactly one of *members* accepts the value; see `make_union_check`.

    *strict* has the same checks without coercion; they also judge a coerced value.
    """

    def check(value: Any, run: CheckState) -> Any:
        trials = _run_branches(strict, value, run)
        if _add_limit_findings([trial for trial, _ in trials], run):
            return value
        fitting = [m for m, (trial, _) in zip(members, trials, strict=True) if not trial.errors]
        if len(fitting) > 1:
            run.add(Finding("several", f"{len(members)}", f"{len(fitting)}"))
            return value
        if strict is members:
            # Nothing is coerced, so the trials are final.
            if not fitting:
                _add_closest_errors(value, [trial for trial, _ in trials], run, expected, tags)
                return value
            return next(made for trial, made in trials if not trial.errors)
        failed: list[CheckState] = []
        guess: tuple[Any, CheckState] | None = None
        for member in fitting or members:
            trial = run.make_branch()
            new = member(value, trial)
            if trial.errors:
                failed.append(trial)
            elif (
                fitting
                or sum(not again.errors for again, _ in _run_branches(strict, new, run)) == 1
            ):
                if not _has_guesses(trial):
                    run.take(trial)
                    return new
                guess = guess or (new, trial)
        if guess is not None:
            run.take(guess[1])
            return guess[0]
        if failed:
            _add_closest_errors(value, failed, run, expected, tags)
        else:
            run.add(Finding("several", f"{len(members)}", f"{len(members)}"))
        return value

    return check


def _run_branches(
    members: tuple[Checker, ...], value: Any, run: CheckState
) -> list[tuple[CheckState, Any]]:
    trials = []
    for member in members:
        trial = run.make_branch()
        made = member(value, trial)
        trials.append((trial, made))
    return trials


def _add_limit_findings(trials: Iterable[CheckState], run: CheckState) -> bool:
    """Add the limits that *trials* without other findings have reached to *run*.

    Returns whether there are any: then the value is undecided.
    """
    deep = [f for trial in trials if not trial.is_refused for f in trial.found if f.is_limit]
    for found in deep:
        run.add(found)
    return bool(deep)


def make_not_check(inner: Checker, expected: str) -> Checker:
    """Make the checker that *inner*, a checker without coercion, refuses the value."""

    def check(value: Any, run: CheckState) -> Any:
        trial = run.make_branch()
        inner(value, trial)
        if not _add_limit_findings((trial,), run) and not trial.errors and not trial.unseen:
            run.add_error("type", expected, value)
        return value

    return check


def make_item_count_check(item: Checker, t: ItemCount, expected: str) -> Checker:
    """Make the checker of *t*; *item* checks each item, for which equality in JSON is enough."""
    at_least, at_most = t.at_least, t.at_most

    def check(value: Any, run: CheckState) -> Any:
        if get_kind(value) != "list":
            run.add_error("type", expected, value)
            return value
        data = to_builtin(value)
        run.watch.visit(len(data))
        fitting, seen = 0, run.errors + run.unseen
        for index, element in enumerate(data):
            trial, before = run.make_branch(), len(run.found)
            item(element, trial)
            if _add_limit_findings((trial,), run):
                run.prefix(before, index)
            fitting += not trial.errors and not trial.unseen
        is_met = at_least <= fitting and (at_most is None or fitting <= at_most)
        if not is_met and run.errors + run.unseen == seen:
            fit = "item conforms" if fitting == 1 else "items conform"
            run.add_error("type", expected, value, f"{fitting} {fit}")
        return value

    return check


def make_filling_check(inner: Checker, filling: Checker) -> Checker:
    """Make a checker that runs *filling* after *inner* if the filled value still conforms."""

    def check(value: Any, run: CheckState) -> Any:
        errors = run.errors + run.unseen
        new = inner(value, run)
        if run.errors + run.unseen > errors:
            return new
        trial = run.make_verdict()
        made = filling(new, trial)
        if made is new or trial.errors:
            return new
        # One member may refuse a default of another.
        again = run.make_verdict()
        inner(made, again)
        return new if again.errors else made

    return check


def make_strict_first_check(strict: Checker, lenient: Checker) -> Checker:
    """Make a checker that runs *strict*, and *lenient* only if *strict* finds errors.

    A value that conforms must not be coerced by one member so that another refuses it.
    """

    def check(value: Any, run: CheckState) -> Any:
        trial = run.make_verdict()
        made = strict(value, trial)
        if not trial.errors:
            return made
        coerced = run.make_branch()
        new = lenient(value, coerced)
        if new is not value and not coerced.errors:
            # One member may refuse a value that another coerced.
            again = run.make_verdict()
            strict(new, again)
            if again.errors:
                refused = run.make_branch()
                strict(new, refused)
                run.take(refused)
                return value
        run.take(coerced)
        return new

    return check


def make_intersection_check(members: tuple[Checker, ...]) -> Checker:
    """Make the checker that all of *members* accept the value, each given the last result.

    Equal findings of several members are added once.  As in a union, a name that several members
    refer to is checked once (`CheckState.trial`).
    """

    def check(value: Any, run: CheckState) -> Any:
        trial, run.trial = run.trial, True
        new, start = value, len(run.found)
        try:
            for member in members:
                errors, seen = run.errors + run.unseen, len(run.found)
                made = member(new, run)
                if start < seen < len(run.found):
                    run.drop_repeated(start, seen)
                if run.errors + run.unseen > errors and (run.is_verdict or get_kind(new) != "map"):
                    return value
                new = made
        finally:
            run.trial = trial
        return new

    return check
