"""Reports: issues as lines of text for a model."""

from __future__ import annotations

from typing import Any, assert_never

from typesig.limits import MAX_REPORT
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.words import Words
from typesig.validation.rows.subject import Stage


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
