"""What `typesig check` found in data, as a line of text and as JSON data."""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple

from typesig.cli.inputs.output import Told
from typesig.validation.issues.excerpt import FIREWALLED
from typesig.validation.issues.issues import Issue, path_text


class Finding(NamedTuple):
    """One error or warning about a value, or about a call.

    #: place: the file and the line; call: its number in a line with several calls, or 0
    #: tool: its tool, if several are meant; issue: what was found
    """

    severity: Literal["error", "warning"]
    place: str
    call: int
    tool: str
    issue: Issue

    def told(self, as_json: bool) -> Told:
        """Return the line of a report, which may be JSON; the code of the issue is at its end."""
        if as_json:
            about = {"severity": self.severity, "place": self.place}
            return json_line({**about, **told_of(self.issue, self.call, self.tool)})
        warning = "warning: " if self.severity == "warning" else ""
        where = place_of_call(self.place, self.call, self.tool)
        return Told(where, f"{warning}{self.issue} [{self.issue.code}]", self.severity)


def json_line(data: dict[str, Any]) -> Told:
    """Return a line with *data* as JSON."""
    return Told("", json.dumps(data, ensure_ascii=False))


def place_of_call(place: str, call: int, tool: str) -> str:
    """Return *place* with the number of a call in it and the name of its tool."""
    return place + (f": call {call}" if call else "") + (f": {tool}" if tool else "")


def told_of(issue: Issue, call: int = 0, tool: str = "") -> dict[str, Any]:
    """Return *issue* as data, with the number and the tool of the call that has it."""
    path = issue.path if issue.hidden < 0 else (*issue.path[: issue.hidden], FIREWALLED)
    about = {"call": call} if call else {}
    named = {"tool": tool} if tool else {}
    found = {"path": path_text(path), "code": issue.code, "message": issue.message}
    return {**about, **named, **found}
