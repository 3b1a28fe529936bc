"""Checks lines of JSON against a signature, and reports on those that do not fit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TextIO

from typesig.algebra.signature import Signature
from typesig.cli.inputs.calls import (
    CallChecker,
    CheckedValue,
    CheckFinding,
    format_call_place,
    issue_to_data,
    make_json_line,
)
from typesig.cli.inputs.data import Line, format_place, read_value
from typesig.cli.inputs.output import OutputLine, tell
from typesig.limits import MAX_LINES, MAX_PATH, MAX_SUMMARY
from typesig.tools.toolset import Toolset
from typesig.validation.issues.excerpt import FIREWALLED
from typesig.validation.issues.issues import Issue, get_issue_code, write_path
from typesig.validation.json_text import BadJson
from typesig.validation.policy import MODES, ModeName
from typesig.validation.repair.input_reader import wants_digits
from typesig.validation.verdicts import build_text_check, validate_input, validate_output


class CheckOptions(NamedTuple):
    """Options of a check.

    #: name: the file, as reports name it; output: whether params are not meant
    #: quiet: whether warnings are left out; everything: whether all lines are reported
    #: counts: whether errors are counted by path
    #: strict: whether the calls are of strict definitions; as_json: whether lines are JSON
    #: whole: whether calls of other tools are errors
    """

    signature: Signature
    name: str
    output: bool = False
    mode: ModeName | None = None
    quiet: bool = False
    everything: bool = False
    counts: bool = False
    strict: bool = False
    as_json: bool = False
    whole: bool = False


class ErrorGroup:
    """Number of errors with one path and one code, and the first of these errors."""

    __slots__ = ("count", "first", "where")

    def __init__(self, where: str, first: str) -> None:
        self.count = 0
        self.where = where
        self.first = first


class Checker:
    """Checker of the lines of a file, which prints what does not fit at once.

    With *tools*, the lines are calls of them, or arguments of the only one.  Bad rows are written
    to *rows*; *before* is called before something is printed.

    #: total, bad, warned: how many values there are, do not fit, have warnings
    #: others: how many calls are of other tools
    """

    def __init__(
        self,
        asked: CheckOptions,
        tools: Toolset | None = None,
        rows: TextIO | None = None,
        before: Callable[[], None] = lambda: None,
    ) -> None:
        self._asked, self._rows, self._before = asked, rows, before
        self._noun = "value" if tools is None else "call"
        self._named = tools is not None or (bool(asked.signature.params) and not asked.output)
        # A file has only JSON's forms of a datetime, a keyword or a set.
        self._mode: ModeName = asked.mode or "enabled"
        self._results = MODES[self._mode].changed(json_results=True)
        policy = MODES[self._mode] if self._named else self._results
        self._calls = (
            None if tools is None else CallChecker(tools, asked.mode, asked.strict, asked.whole)
        )
        signatures = [asked.signature] if tools is None else [one.signature for one in tools]
        self._keeps_digits = any(
            wants_digits(each.arguments if self._named else each.returns, each.names, policy)
            for each in signatures
        )
        # Whether the value on a line is known to fit.
        self._fits: Callable[[bytes], bool] = _fits_nothing
        if tools is None:
            self._fits = build_text_check(asked.signature, policy, self._named, self._keeps_digits)
        self._shown = self._unseen = 0
        self._groups: dict[tuple[str, str], ErrorGroup] = {}
        self.total = self.bad = self.warned = 0

    @property
    def others(self) -> int:
        """The number of calls of other tools."""
        return 0 if self._calls is None else self._calls.others

    def check_lines(self, lines: Iterable[Line]) -> None:
        """Check *lines* and print the errors and warnings of each."""
        fits, fitting = self._fits, 0
        for line in lines:
            if fits(line[1]):
                fitting += 1
            else:
                self._check_line(line)
        self.total += fitting

    def _check_line(self, line: Line) -> None:
        """Check the value on *line*, and report on it."""
        try:
            value = read_value(line, self._keeps_digits)
        except BadJson as error:
            # An empty file has no value.
            self.total += bool(line[1].strip())
            issue = Issue("json", (), "", str(error))
            self._report(line, [CheckedValue(0, (issue,), ())], readable=False)
            return
        checked = self._check_value(value)
        self.total += len(checked)
        if told := [each for each in checked if each.errors or each.warnings]:
            self._report(line, told)

    def _check_value(self, value: Any) -> list[CheckedValue]:
        """Check *value* as tool calls, as arguments or as a result."""
        if self._calls is not None:
            return [*self._calls.check(value)]
        if self._named:
            outcome = validate_input(self._asked.signature, value, self._mode)
        else:
            outcome = validate_output(self._asked.signature, value, self._results)
        return [CheckedValue(0, outcome.errors, outcome.warnings, outcome.unseen)]

    def _report(self, line: Line, told: list[CheckedValue], readable: bool = True) -> None:
        """Count the results *told* of *line*, print them, and save the line if it is bad."""
        place = format_place(self._asked.name, line)
        for each in told:
            self.bad += bool(each.errors)
            self.warned += bool(each.warnings)
            if self._asked.counts:
                self._count_errors(place, each)
            else:
                self._print_findings(place, each)
        if self._rows is not None and any(each.errors for each in told):
            self._rows.write(f"{write_kept_row(place, line, told, readable)}\n")

    def _count_errors(self, place: str, each: CheckedValue) -> None:
        """Add the errors of *each*, a value at *place*, to the groups of the summary."""
        for issue in each.errors:
            path = group_path(issue)
            where = f"{each.tool}: {path}".removesuffix(": ") if each.tool else path
            key = where, get_issue_code(issue)
            group = self._groups.get(key)
            if group is None:
                if len(self._groups) >= MAX_SUMMARY:
                    self._unseen += 1
                    continue
                at = format_call_place(place, each.which, each.tool)
                group = self._groups[key] = ErrorGroup(at, issue.message)
            group.count += 1
        # Where a value fits, only warnings can be unseen.
        self._unseen += each.unseen if each.errors else 0

    def _print_findings(self, place: str, each: CheckedValue) -> None:
        """Print the errors and warnings of *each*, a value at *place*, as far as they may be."""
        asked = self._asked
        room = None if asked.everything else max(0, MAX_LINES - self._shown)
        warnings = () if asked.quiet else each.warnings
        severity: Literal["error", "warning"] = "error" if each.errors else "warning"
        unseen = 0 if asked.quiet and not each.errors else each.unseen
        self._shown += len(each.errors) + bool(unseen) + len(warnings)
        if room == 0:
            # Most rows of a file can be bad: texts that are not printed are not made.
            return

        def make_line(severity: Literal["error", "warning"], issue: Issue) -> OutputLine:
            finding = CheckFinding(severity, place, each.which, each.tool, issue)
            return finding.make_line(asked.as_json)

        lines = [make_line("error", issue) for issue in each.errors]
        more: list[OutputLine] = []
        if unseen:
            at = format_call_place(place, each.which, each.tool)
            data = {"severity": severity, "place": at, "unseen": unseen}
            told = f"… and {unseen} more" + ("" if each.errors else " warnings")
            said = OutputLine(at, told, severity)
            more = [make_json_line(data) if asked.as_json else said]
        found = [make_line("warning", issue) for issue in warnings]
        lines += [*more, *found] if each.errors else [*found, *more]
        self._print(lines[:room])

    def close(self) -> None:
        """Print the end of the report: omitted lines, and the groups of errors."""
        lines: list[OutputLine] = []
        if self._shown > MAX_LINES and not self._asked.everything:
            text = f"… and more; --all shows all {self._shown} lines"
            lines.append(self._make_line(text, {"lines": self._shown}))
        ordered = sorted(self._groups.items(), key=lambda item: -item[1].count)
        width = len(str(ordered[0][1].count)) if ordered else 0
        for (path, code), group in ordered:
            text = f"{group.count:>{width}}  {path or 'the ' + self._noun} ({code}), first in "
            about = {"path": path, "code": code, "place": group.where, "message": group.first}
            text += f"{group.where}: {group.first}"
            lines.append(self._make_line(text, {"times": group.count, **about}))
        if self._unseen:
            lines.append(
                self._make_line(f"… and {self._unseen} more errors", {"unseen": self._unseen})
            )
        self._print(lines)

    def print_count(self) -> None:
        """Print the total numbers of values, bad values and warnings."""
        mark, _, rest = self._write_summary().partition(": ")
        bad = min(self.bad, self.total)
        counts: dict[str, Any] = {f"{self._noun}s": self.total, "fit": self.total - bad}
        counts |= {"do_not_fit": bad, "warned": self.warned, "of_other_tools": self.others}
        told = OutputLine(mark, rest, "error" if self.bad else "good")
        self._print([make_json_line(counts) if self._asked.as_json else told])

    def _make_line(self, text: str, data: dict[str, Any]) -> OutputLine:
        """Build an output line: *data* as JSON, or *text*."""
        if self._asked.as_json:
            return make_json_line(data)
        return OutputLine("", text)

    def _print(self, lines: list[OutputLine]) -> None:
        """Call the `before` callback and print *lines*, if there are any."""
        if lines:
            self._before()
            tell(lines)

    def _write_summary(self) -> str:
        """Write the total numbers of values, bad values and warnings."""
        if not self.total:
            return f"no {self._noun}s: " + ("the input is empty" if self.bad else "none was found")
        values = f"{self.total} {self._noun}{'' if self.total == 1 else 's'}"
        text = f"{values}: {self.total - self.bad} fit, {self.bad} do not"
        text += f", {self.warned} with warnings" if self.warned else ""
        return f"{text}; {self.others} of other tools" if self.others else text


def _fits_nothing(value: object) -> bool:
    """Return False for any *value*: the default if there is no fast check."""
    return False


def group_path(issue: Issue) -> str:
    """Return the path of *issue* for grouping errors, with `[]` for list indices.

    >>> group_path(Issue("type", ("rooms", 3, "seats"), "int", "nil"))
    'rooms[].seats'
    """
    path = issue.path if issue.hidden < 0 else (*issue.path[: issue.hidden], FIREWALLED)
    return _group_path(tuple([None if isinstance(step, int) else step for step in path]))


@lru_cache(MAX_SUMMARY)
def _group_path(path: tuple[str | None, ...]) -> str:
    """Write a path for grouping errors: list indexes as `[]`, long paths shortened."""
    # Behind another step, a plain name has its dot.
    steps = ["[]" if step is None else write_path(("x", step))[1:] for step in path]
    if len(steps) > MAX_PATH:
        steps = [*steps[: MAX_PATH // 2], "…", *steps[-MAX_PATH // 2 :]]
    return "".join(steps).removeprefix(".")


def write_kept_row(where: str, line: Line, told: Iterable[CheckedValue], readable: bool) -> str:
    """Write a bad *line* and its errors as a row of JSON Lines.

    The errors of one of several calls in it have the number of the call.

    A row that can be read is written as it was, under `row`; another is text, under `text`, in
    which bytes that are not UTF-8 are the surrogates of `surrogateescape`.
    """
    bad = [each for each in told if each.errors]
    errors = [issue_to_data(issue, each.which, each.tool) for each in bad for issue in each.errors]
    about: dict[str, Any] = {"place": where, "errors": errors}
    if unseen := sum(each.unseen for each in bad):
        about["unseen"] = unseen
    if not readable:
        about["text"] = line[1].decode("utf-8", "surrogateescape").rstrip("\r\n")
        return json.dumps(about)
    # Between the values of JSON text, a line break is a blank; in a string there is none.
    row = " ".join(line[1].decode("utf-8-sig").replace("\r", "\n").split("\n")).strip()
    return f'{json.dumps(about)[:-1]}, "row": {row}}}'
