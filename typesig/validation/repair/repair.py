"""Reading text that is no JSON: the candidate that fits the type is taken, with its repairs.

Text that is JSON is read as it is, under every policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from typesig.validation.coercions import DEFAULTS
from typesig.validation.issues.issues import Issue
from typesig.validation.json_text import BadJson, read_digits
from typesig.validation.policy import DEFAULT_REPAIRS, REPAIRS, WRAPPINGS, Policy, RepairId
from typesig.validation.repair.candidates import Candidate, CandidateSearch, collect_distinct_data
from typesig.validation.repair.framing import find_only_word, is_filler
from typesig.validation.repair.lenient_json import LEFT_OUT
from typesig.validation.repair.lenient_text import Unreadable
from typesig.validation.repair.lone_json import (
    TargetTypes,
    find_lone_json,
    make_warnings,
    write_place,
)
from typesig.validation.tables import convert_table_to_json

#: Returns whether data fits the type under a policy.
Fits = Callable[[Any, Policy], bool]


class RepairResult(NamedTuple):
    """Data read from a repaired text, with a warning for each repair."""

    data: Any
    warnings: tuple[Issue, ...]


class RepairError(BadJson):
    """Error for a text that repairs cannot make valid, with a hint for its sender."""

    def __init__(self, message: str, hint: str, place: int | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        self.place = place


def repair_text(
    source: str, message: str, policy: Policy, wanted: TargetTypes, fits: Fits
) -> RepairResult:
    """Repair and read *source*, which is not JSON; raise `RepairError` if refused.

    *message* says why it is no JSON.
    """
    table = convert_table_to_json(source, wanted.get_tables())
    if table is not None:
        if "table" not in policy.repairs:
            raise RepairError(message, _make_advice(source, "table", 0))
        return RepairResult(read_digits(table)[0], make_warnings(source, {"table": 0}))
    lone = _choose_lone(source, policy, wanted, fits)
    if lone is not None:
        return RepairResult(lone.data, make_warnings(source, lone.repairs))
    try:
        search = CandidateSearch(source)
    except RecursionError:
        raise RepairError(message, "nested too deep") from None
    if search.cut is not None and not (
        "missing_bracket" in policy.repairs
        and all(wanted.is_full(each.data) for each in search.candidates)
    ):
        # More could follow.
        search.refused = search.refused or search.cut
    taken = _choose_candidate(source, search, policy, wanted, fits)
    if taken is None:
        raise RepairError(message, *_make_hint(source, search, policy, wanted))
    return RepairResult(taken.data, make_warnings(source, taken.repairs))


def _choose_lone(source: str, policy: Policy, wanted: TargetTypes, fits: Fits) -> Candidate | None:
    """Choose the only value of *source* if it is JSON and fits; None for the search."""
    lone = find_lone_json(source)
    if lone is None or (wanted.text and "prose" in lone.repairs):
        return None
    try:
        made = Candidate(read_digits(lone.text)[0], "whole", lone.repairs)
    except BadJson:
        return None
    if lone.says_more and not wanted.has_known_key(made.data):
        return None
    for allowed in _get_policies(policy):
        if _is_allowed(made, allowed) and fits(made.data, allowed):
            return made
    return None


def _get_policies(policy: Policy) -> tuple[Policy, ...]:
    """Return the policies under which values are tried, the stricter one first."""
    wide = policy if policy.on_issue == "fail" else policy.changed(on_issue="fail")
    if policy.coercions <= DEFAULTS and policy.repairs <= DEFAULT_REPAIRS:
        return (wide,)
    narrow = wide.changed(
        coercions=policy.coercions & DEFAULTS, repairs=policy.repairs & DEFAULT_REPAIRS
    )
    return narrow, wide


def _choose_candidate(
    source: str, search: CandidateSearch, policy: Policy, wanted: TargetTypes, fits: Fits
) -> Candidate | None:
    """Choose the candidate that fits, or else the only one to report errors about."""
    candidates = [] if search.refused is not None else _sort_candidates(source, search, wanted)
    policies = _get_policies(policy)
    for allowed in policies:
        open_to = [c for c in candidates if _is_allowed(c, allowed)]
        fitting = [c for c in open_to if _is_known(c, search, wanted) and fits(c.data, allowed)]
        if fitting:
            return _get_unrivalled(fitting)
    if policy.on_issue != "skip":
        for made in (_read_word(source, search, wanted), _read_plain_text(source, search, wanted)):
            if (
                made is not None
                and _is_allowed(made, policies[-1])
                and fits(made.data, policies[-1])
            ):
                return made
    known = [c for c in candidates if _is_known(c, search, wanted)]
    return _get_unrivalled([c for c in known if _is_allowed(c, policy)])


def _sort_candidates(source: str, search: CandidateSearch, wanted: TargetTypes) -> list[Candidate]:
    """Filter and sort the candidates of *search* by precedence."""
    # Text around JSON may be a part of the text that is wanted.
    kept = [c for c in search.candidates if not (wanted.text and "prose" in c.repairs)]
    singles = [each for each in kept if each.standing != "joined"]
    if len(singles) > 1:
        for each in singles:
            each.repairs.setdefault("several_values", 0)
        if wanted.lists:
            # One of several is not the whole list.
            kept = [c for c in kept if c.standing == "joined" or isinstance(c.data, list)]
    # The text around a scalar may deny it.
    kept = [
        c
        for c in kept
        if isinstance(c.data, dict | list)
        or "prose" not in c.repairs
        or is_filler(_collect_prose(source, search))
    ]
    if wanted.lists:
        # Other items may be lost.
        kept = [c for c in kept if isinstance(c.data, list) or not _is_part(c)]
    order = ("whole", "joined", "fenced", "loose")
    return sorted(kept, key=lambda each: order.index(each.standing))


def _is_part(candidate: Candidate) -> bool:
    """Whether *candidate*, which is no list, may be an item of one."""
    is_scalar = not isinstance(candidate.data, dict)
    repairs = candidate.repairs
    return "extra_bracket" in repairs or (is_scalar and "extra_comma" in repairs)


def _collect_prose(source: str, search: CandidateSearch) -> str:
    """Return the prose of *source* around values; a line break replaces each value."""
    parts: list[str] = []
    last = 0
    for start, end in search.prose:
        parts.extend(("" if start == last else "\n", source[start:end]))
        last = end
    return "".join(parts)


def _get_unrivalled(candidates: list[Candidate]) -> Candidate | None:
    """Return the first of *candidates*, unless an equally ranked one differs from it."""
    if not candidates:
        return None
    first = candidates[0]
    rivals = [each for each in candidates if each.standing == first.standing]
    return first if len(rivals) == 1 or len(collect_distinct_data(rivals)) == 1 else None


def _is_allowed(candidate: Candidate, policy: Policy) -> bool:
    """Whether *policy* allows all repairs of *candidate* and their combination."""
    repairs = candidate.repairs.keys()
    if "bare_text" in repairs and not repairs.isdisjoint({"quotes_in_text", "prose"}):
        # Each is a guess where a text ends.
        return False
    return repairs <= policy.repairs


def _is_known(candidate: Candidate, search: CandidateSearch, wanted: TargetTypes) -> bool:
    """Whether *candidate* stands alone in the text, or has a key of the *wanted* types."""
    around = candidate.repairs.keys() - ({"prose"} if not search.says_more else frozenset())
    return around <= WRAPPINGS or wanted.has_known_key(candidate.data)


def _read_word(source: str, search: CandidateSearch, wanted: TargetTypes) -> Candidate | None:
    """Return the candidate for the only enum value or boolean in the prose *source*."""
    words = {} if wanted.text or search.candidates or search.refused else wanted.get_words()
    # The token `<s>` is written like HTML's tag for what is struck out.
    if not words or "<s>" in source.casefold():
        return None
    found = find_only_word(_collect_prose(source, search), words)
    if found is None:
        return None
    repairs: dict[RepairId, int] = {**search.repairs}
    repairs["word_in_prose"] = repairs.pop("prose", 0)
    return Candidate(found[0], "whole", repairs)


def _read_plain_text(source: str, search: CandidateSearch, wanted: TargetTypes) -> Candidate | None:
    """Return *source* as a text, if text is wanted and it does not begin like JSON."""
    start = search.text_from
    if not wanted.text or start is None or "special_token" in search.repairs:
        return None
    # Thoughts are on lines of their own.
    text = source[start:].lstrip("\r\n") if "reasoning" in search.repairs else source[start:]
    if text.lstrip()[:1] in tuple("[{\"'`“‘„~") or not text.strip():
        return None
    repairs: dict[RepairId, int] = {"plain_text": start}
    repairs.update({k: v for k, v in search.repairs.items() if k != "prose" and v < start})
    return Candidate(text, "whole", repairs)


def _describe_error(source: str, error: Unreadable) -> str:
    """Write the message for *error* with its position in *source* and a remedy."""
    place = f"{error} at {write_place(source, error.place)}"
    if error.cut:
        return f"the text ends too early: {place}; send the whole text"
    remedy = "write all values" if str(error) == LEFT_OUT else "send JSON text alone"
    return f"{place}; {remedy}"


def _make_hint(
    source: str, search: CandidateSearch, policy: Policy, wanted: TargetTypes
) -> tuple[str, int | None]:
    """Return advice on the error in *source*, and its offset or None."""
    if search.refused is not None:
        return _describe_error(source, search.refused), search.refused.place
    candidates = _sort_candidates(source, search, wanted)
    candidates.sort(key=lambda each: each.standing == "joined")
    for each in candidates:
        lacking = _find_missing_repair(each.repairs.items(), policy)
        if lacking is not None:
            return _make_advice(source, *lacking), lacking[1]
    if search.failed is not None and not candidates:
        return _describe_error(source, search.failed), search.failed.place
    return _make_general_hint(source, len(candidates), wanted), None


def _make_general_hint(source: str, candidates: int, wanted: TargetTypes) -> str:
    """Make a hint for *source*, where no candidate or several *candidates* fit."""
    if candidates:
        several = "several values could be meant; send one JSON value alone"
        wrong = "nothing in it is of the type that is asked for; send JSON text alone"
        return several if candidates > 1 else wrong
    if not source.strip():
        return "the text is empty; send JSON text"
    if wanted.text or any(isinstance(value, str) for value in wanted.get_words().values()):
        return "a text is written in double quotes; send JSON text alone"
    return "send JSON text alone"


def _find_missing_repair(
    repairs: Iterable[tuple[RepairId, int]], policy: Policy
) -> tuple[RepairId, int] | None:
    """Return the first needed repair that *policy* turns off, with its offset."""
    lacking: list[tuple[int, RepairId]] = []
    for name, place in repairs:
        if name not in policy.repairs:
            lacking.append((place, name))
    # What is wrong with the value itself says more than what stands around it.
    within = [each for each in lacking if not REPAIRS[each[1]].on]
    if not lacking:
        return None
    place, name = min(within or lacking)
    return name, place


def _make_advice(source: str, name: RepairId, place: int) -> str:
    """Advise how to avoid the repair *name*, needed at index *place* of *source*."""
    row = REPAIRS[name]
    return f"{row.wrong} at {write_place(source, place)}; {row.remedy}"
