"""Findings of `typesig check`, as lines of text and as JSON."""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple

from typesig.cli.inputs.output import OutputLine
from typesig.validation.issues.excerpt import FIREWALLED
from typesig.validation.issues.issues import Issue, write_path


class CheckFinding(NamedTuple):
    """An error or warning of a checked value or call, with its location.

    #: place: the file and the line; call: its number in a line with several calls, or 0
    #: tool: its tool, if several are meant; issue: what was found
    """

    severity: Literal["error", "warning"]
    place: str
    call: int
    tool: str
    issue: Issue

    def make_line(self, as_json: bool) -> OutputLine:
        """Write the finding as a report line, as JSON or as text."""
        if as_json:
            about = {"severity": self.severity, "place": self.place}
            return make_json_line({**about, **issue_to_data(self.issue, self.call, self.tool)})
        warning = "warning: " if self.severity == "warning" else ""
        where = format_call_place(self.place, self.call, self.tool)
        return OutputLine(where, f"{warning}{self.issue} [{self.issue.code}]", self.severity)


def make_json_line(data: dict[str, Any]) -> OutputLine:
    """Return a line with *data* as JSON."""
    return OutputLine("", json.dumps(data, ensure_ascii=False))


def format_call_place(place: str, call: int, tool: str) -> str:
    """Return *place* with the number of a call in it and the name of its tool."""
    return place + (f": call {call}" if call else "") + (f": {tool}" if tool else "")


def issue_to_data(issue: Issue, call: int = 0, tool: str = "") -> dict[str, Any]:
    """*issue* as data, with the number and the tool of its call."""
    path = issue.path if issue.hidden < 0 else (*issue.path[: issue.hidden], FIREWALLED)
    about = {"call": call} if call else {}
    named = {"tool": tool} if tool else {}
    found = {"path": write_path(path), "code": issue.code, "message": issue.message}
    return {**about, **named, **found}
