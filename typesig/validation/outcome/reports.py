"""Reports: issues as lines of text for a model, and as messages in the shape of the value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, assert_never

from typesig.limits import MAX_COMPLAINT, MAX_PADDED, MAX_REPORT
from typesig.validation.check_state import Stage
from typesig.validation.coercions import GUESSES
from typesig.validation.issues.excerpt import FIREWALLED, cut_line
from typesig.validation.issues.issues import Issue, IssueCode
from typesig.validation.issues.words import Words
from typesig.validation.policy import DEFAULT_REPAIRS, REPAIRS, Policy

# --- Reports: issues as lines of text for a model ---


def get_heading(stage: Stage) -> str:
    """Return the line above the errors of *stage*."""
    match stage:
        case "input":
            return "Tool validation errors:"
        case "call":
            return "Tool errors:"
        case "output":
            ran = "The tool ran; what it returned does not fit its signature."
            return f"{ran}\n\nTool validation errors:"
        case "answer":
            return "Answer validation errors:"
        case "program":
            return "Program errors; nothing was run:"
        case "run":
            return "The program ran up to an error:"
        case _:
            assert_never(stage)


#: Equal issues that are listed one by one, so that each has its path.
_FEW = 3


def group_issues(issues: tuple[Issue, ...]) -> list[list[Issue]]:
    """Group *issues* whose paths differ only in list indices, in order."""
    if len(issues) <= _FEW:
        return [[issue] for issue in issues]
    alike: dict[tuple[Any, ...], list[Issue]] = {}
    for issue in issues:
        names = tuple([None if isinstance(step, int) else step for step in issue.path])
        # Without the hints, which only the first issues have.
        key = (issue.code, issue.expected, issue.got, issue.rule, issue.hidden, names)
        alike.setdefault(key, []).append(issue)
    many = {id(group[0]): group for group in alike.values() if len(group) > _FEW}
    rest = {id(issue) for group in many.values() for issue in group[1:]}
    return [many.get(id(issue), [issue]) for issue in issues if id(issue) not in rest]


def write_first_issues(issues: tuple[Issue, ...], unseen: int) -> str:
    """Write the first three *issues*, and the number of the others and *unseen* ones."""
    more = len(issues) - 3 + unseen
    shown = repr([str(issue) for issue in issues[:3]])
    return f"{shown} and {more} more" if more > 0 else shown


def list_issues(heading: str, issues: tuple[Issue, ...], unseen: int, words: Words) -> str:
    """Write *heading* and a line for each of *issues*, and a count of *unseen* ones.

    The lines are in *words*.
    """
    # The lines of a message are indented, so that they do not look like items.
    lines = [heading]
    groups = group_issues(issues)
    for first, *others in groups[:MAX_REPORT]:
        also = f" (and in {len(others)} more places)" if others else ""
        lines.append("- " + "\n  ".join(f"{first._write_line(words)}{also}".splitlines()))
    more = sum(map(len, groups[MAX_REPORT:]))
    if more + unseen:
        lines.append(f"- … and {more + unseen} more")
    return "\n".join(lines)


# --- Notices: the line that a model reads of arguments that were dropped or guessed ---
# The result of a call stays as it is; the line is beside it.  A lossless coercion, such as `"5"`
# for 5, has no notice: its warning is for the host.

#: The codes of warnings that a model reads: of keys, and of a tool's name.
_CODES: frozenset[IssueCode] = frozenset({"dropped", "extra", "renamed", "called"})

#: The coercions and repairs that guess; `2.0` for 2 has one meaning only.
GUESSED: frozenset[str] = (GUESSES - {"int_from_whole_float"}) | (REPAIRS.keys() - DEFAULT_REPAIRS)


def select_notices(warnings: Iterable[Issue]) -> tuple[Issue, ...]:
    """Select the *warnings* that a model reads."""
    return tuple([each for each in warnings if each.code in _CODES or each.rule in GUESSED])


def write_notice(issues: Sequence[Issue], words: Words) -> str:
    """Write the warnings *issues* on one line for a model; empty if there are none."""
    if not issues:
        return ""
    told = [cut_line(issue._write_line(words), MAX_COMPLAINT) for issue in issues[:MAX_REPORT]]
    more = len(issues) - len(told)
    told += [f"and {more} more"] if more else []
    return f"Warnings about this call: {'; '.join(told)}"


def select_notices_for_policy(policy: Policy, warnings: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """Select the *warnings* of arguments that a model reads under *policy*."""
    return select_notices(warnings) if warnings and policy.tell_model else ()


# --- Messages in the shape of the value, for `Outcome.tree` ---
# A map has messages by key, a list by index; the messages of a value are a list of texts.

#: The key of the messages of a map or list itself, beside those of its entries.
OWN = ":messages"


class _TreeNode:
    """The error messages at one path of a value, and its child nodes.

    #: own: the messages of the place itself
    #: below: the places in it, by key, or by index as text; listed: whether all are indices
    #: last: the last index; form: the place as data, set after the forms of the places in it
    """

    __slots__ = ("below", "form", "last", "listed", "own")

    def __init__(self) -> None:
        self.own: list[str] = []
        self.below: dict[str, _TreeNode] = {}
        self.listed = True
        self.last = -1
        self.form: Any = None

    def settle(self) -> None:
        """Set `form`, the node as data, from its messages or its child nodes."""
        if not self.below:
            self.form = self.own
        elif self.listed and self.last < MAX_PADDED:
            found = [self.below.get(str(index)) for index in range(self.last + 1)]
            self.form = [None if place is None else place.form for place in found]
        else:
            self.form = {key: place.form for key, place in self.below.items()}


def build_tree(issues: Iterable[Issue], words: Words) -> Any:
    """Arrange the messages of *issues* in the shape of the value; None without issues.

    They are in *words*.
    """
    root = _TreeNode()
    places = [root]

    def within(place: _TreeNode, step: str | int) -> _TreeNode:
        known = place.below.get(str(step))
        if known is None:
            known = place.below[str(step)] = _TreeNode()
            places.append(known)
        if isinstance(step, int):
            place.last = max(place.last, step)
        else:
            place.listed = False
        return known

    for issue in issues:
        place = root
        # As in a report, the path ends at the firewalled name.
        hidden = issue.hidden >= 0
        for step in (*issue.path[: issue.hidden], FIREWALLED) if hidden else issue.path:
            place = within(place, step)
        place.own.append(issue._write_message(words))
    for place in places:
        if place.own and place.below:
            # A key of the value with this name shares the list, so that no message is lost.
            within(place, OWN).own[:0] = place.own
            place.own = []
    for place in reversed(places):
        place.settle()
    return root.form or None
