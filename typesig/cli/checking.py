"""Checks lines of JSON against a signature, and reports on those that do not fit.

The same `Checker` works in the process of the command and in those that `bulk` starts; a `Report`
puts together what checkers found, in the order of the lines.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TextIO

from typesig.algebra.signature import Signature
from typesig.cli.inputs.bulk import run_in_processes
from typesig.cli.inputs.calls import (
    CallChecker,
    CheckedValue,
    CheckFinding,
    format_call_place,
    issue_to_data,
    load_tools,
    make_json_line,
)
from typesig.cli.inputs.data import Chunk, Line, format_place, read_value
from typesig.cli.inputs.output import OutputLine, tell
from typesig.limits import MAX_LINES, MAX_PATH, MAX_SUMMARY
from typesig.tools.toolset import Toolset
from typesig.validation.issues.excerpt import FIREWALLED
from typesig.validation.issues.issues import Issue, get_issue_code, write_path
from typesig.validation.json_text import BadJson
from typesig.validation.policy import MODES, ModeName
from typesig.validation.repair.input_reader import wants_digits
from typesig.validation.verdicts import build_text_check, validate_input, validate_output


class CheckJob(NamedTuple):
    """Options of a check, which can be pickled for another process.

    #: name: the file, as reports name it; output: whether params are not meant
    #: quiet: whether warnings are left out; everything: whether all lines are reported
    #: keeps: whether rows that do not fit are wanted; counts: whether errors are counted by path
    #: target: the tool, as `module:name`, of which the lines are arguments or calls, or the module
    #:     or toolset of the tools that are called
    #: strict: whether the calls are of strict definitions; as_json: whether lines are JSON
    #: whole: whether the target is a module or a toolset, and no other tools can be called
    """

    signature: Signature
    name: str
    output: bool = False
    mode: ModeName | None = None
    quiet: bool = False
    everything: bool = False
    keeps: bool = False
    counts: bool = False
    target: str | None = None
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


class CheckResult:
    """Report lines, bad rows and counts for some checked lines.

    #: total, bad, warned: how many values there are, do not fit, have warnings
    #: lines: the lines of the report, as far as they may be printed; shown: how many there are
    #: rows: the rows that do not fit, as JSON texts; groups: the errors, by path and code
    #: unseen: errors that have no group; others: how many calls are of other tools
    """

    __slots__ = ("bad", "groups", "lines", "others", "rows", "shown", "total", "unseen", "warned")

    def __init__(self) -> None:
        self.total = self.bad = self.warned = self.shown = self.unseen = self.others = 0
        self.lines: list[OutputLine] = []
        self.rows: list[str] = []
        self.groups: dict[tuple[str, str], ErrorGroup] = {}

    def is_told(self) -> bool:
        """Whether there are lines to print, rows to save, or too many groups."""
        return bool(self.lines or self.rows) or len(self.groups) > MAX_SUMMARY


class Checker:
    """Checker of the lines of a file, which collects the results in `found`.

    With *tools*, the lines are calls of them, or arguments of the only one.  At most *room* lines
    of the report are made, all if everything is asked.
    """

    def __init__(self, asked: CheckJob, tools: Toolset | None, room: int) -> None:
        self._asked = asked
        self._room = sys.maxsize if asked.everything else room
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
        self.fits: Callable[[bytes], bool] = _fits_nothing
        if tools is None:
            self.fits = build_text_check(asked.signature, policy, self._named, self._keeps_digits)
        self.found = CheckResult()

    def add(self, line: Line) -> None:
        """Check the value on *line*, and record the result."""
        try:
            value = read_value(line, self._keeps_digits)
        except BadJson as error:
            # An empty file has no value.
            self.found.total += bool(line[1].strip())
            self._note(
                line, [CheckedValue(0, (Issue("json", (), "", str(error)),), ())], readable=False
            )
            return
        checked = self._check_value(value)
        self.found.total += len(checked)
        told = [each for each in checked if each.errors or each.warnings]
        if told:
            self._note(line, told)

    def _check_value(self, value: Any) -> list[CheckedValue]:
        """Check *value* as tool calls, as arguments or as a result."""
        if self._calls is not None:
            checked = [*self._calls.check(value)]
            self.found.others += self._calls.take_other_count()
            return checked
        if self._named:
            outcome = validate_input(self._asked.signature, value, self._mode)
        else:
            outcome = validate_output(self._asked.signature, value, self._results)
        return [CheckedValue(0, outcome.errors, outcome.warnings, outcome.unseen)]

    def take_result(self) -> CheckResult:
        """Return and reset the results collected so far."""
        found, self.found = self.found, CheckResult()
        return found

    def _note(self, line: Line, told: list[CheckedValue], readable: bool = True) -> None:
        """Record the results *told* of *line*, and save the line if it is bad."""
        asked, found = self._asked, self.found
        for each in told:
            found.bad += bool(each.errors)
            found.warned += bool(each.warnings)
            if asked.counts:
                self._count_errors(line, each)
            else:
                self._tell(line, each)
        if asked.keeps and any(each.errors for each in told):
            found.rows.append(write_kept_row(format_place(asked.name, line), line, told, readable))

    def _count_errors(self, line: Line, each: CheckedValue) -> None:
        """Add the errors of *each*, a value on *line*, to the groups of the summary."""
        groups = self.found.groups
        for issue in each.errors:
            path = group_path(issue)
            where = f"{each.tool}: {path}".removesuffix(": ") if each.tool else path
            key = where, get_issue_code(issue)
            group = groups.get(key)
            if group is None:
                group = groups[key] = ErrorGroup(self._format_place(line, each), issue.message)
            group.count += 1
        self.found.unseen += each.unseen if each.errors else 0

    def _tell(self, line: Line, each: CheckedValue) -> None:
        """Add output lines with the errors and warnings of a checked value on *line*."""
        found = self.found
        warnings = () if self._asked.quiet else each.warnings
        found.shown += len(each.errors) + bool(each.unseen) + len(warnings)
        if self._room <= 0:
            # Most rows of a file can be bad: texts that are not printed are not made.
            return
        lines: list[OutputLine] = [self._make_line("error", line, each, i) for i in each.errors]
        if each.unseen:
            more = OutputLine(self._format_place(line, each), f"… and {each.unseen} more", "error")
            about = {"severity": "error", "place": more.mark, "unseen": each.unseen}
            lines.append(make_json_line(about) if self._asked.as_json else more)
        lines += [self._make_line("warning", line, each, issue) for issue in warnings]
        found.lines += lines[: self._room]
        self._room -= len(lines)

    def _make_line(
        self, severity: Literal["error", "warning"], line: Line, each: CheckedValue, issue: Issue
    ) -> OutputLine:
        """Build the output line for *issue* of a checked value on *line*."""
        place = format_place(self._asked.name, line)
        return CheckFinding(severity, place, each.which, each.tool, issue).make_line(
            self._asked.as_json
        )

    def _format_place(self, line: Line, each: CheckedValue) -> str:
        """Format the file, the line and the call of a checked value."""
        return format_call_place(format_place(self._asked.name, line), each.which, each.tool)


def _fits_nothing(value: object) -> bool:
    """Return False for any *value*: the default if there is no fast check."""
    return False


#: In a process that was started, tools are looked up once: the code of their file runs once.
_tools_once = lru_cache(1)(load_tools)


def check_chunk(asked: CheckJob, chunk: Chunk) -> CheckResult:
    """Check the lines of *chunk* and return the result."""
    tools = None if asked.target is None else _tools_once(asked.target)
    checker = Checker(asked, tools, chunk.room)
    fits, fitting = checker.fits, 0
    for line in chunk.iter_lines():
        if fits(line[1]):
            fitting += 1
        else:
            checker.add(line)
    checker.found.total += fitting
    return checker.found


def check_lines(
    asked: CheckJob, lines: Iterable[Line], tools: Toolset | None = None
) -> Generator[CheckResult, None, None]:
    """Yield the results for *lines*, in their order.

    *tools* are what the target of *asked* names, if it has one.
    """
    checker = Checker(asked, None if asked.target is None else tools, MAX_LINES)
    fits, fitting = checker.fits, 0
    for line in lines:
        if fits(line[1]):
            fitting += 1
            continue
        checker.add(line)
        # Each line is reported at once, since the next may come much later.
        if checker.found.is_told():
            yield checker.take_result()
    checker.found.total += fitting
    yield checker.found


def check_by_processes(
    asked: CheckJob, chunks: Iterable[Chunk], jobs: int
) -> Generator[CheckResult, None, None]:
    """Yield the results for *chunks*, in their order, by several processes."""
    shown = 0

    def with_room() -> Iterator[Chunk]:
        for chunk in chunks:
            yield chunk._replace(room=max(0, MAX_LINES - shown))

    with closing(run_in_processes(check_chunk, asked, with_room(), jobs, asked.name)) as results:
        for _, found in results:
            shown += found.shown
            yield found


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


class Report:
    """Printer of check results, in order of the lines.

    *before* is called before something is printed.

    #: total, bad, warned, others: as of `CheckResult`
    """

    def __init__(
        self, asked: CheckJob, rows: TextIO | None, before: Callable[[], None] = lambda: None
    ) -> None:
        self._noun = "value" if asked.target is None else "call"
        self._everything = asked.everything
        self._as_json = asked.as_json
        self._before = before
        self._rows = rows
        self._shown = 0
        self._unseen = 0
        self._groups: dict[tuple[str, str], ErrorGroup] = {}
        self.total = self.bad = self.warned = self.others = 0

    def take(self, found: CheckResult) -> None:
        """Print the lines of *found*, save its bad rows, and add its counts."""
        self.total += found.total
        self.bad += found.bad
        self.warned += found.warned
        self.others += found.others
        room = found.shown if self._everything else max(0, MAX_LINES - self._shown)
        self._shown += found.shown
        self._print(found.lines[:room])
        if self._rows is not None and found.rows:
            self._rows.writelines(f"{row}\n" for row in found.rows)
        self._unseen += found.unseen
        for key, group in found.groups.items():
            known = self._groups.get(key)
            if known is not None:
                known.count += group.count
            elif len(self._groups) < MAX_SUMMARY:
                self._groups[key] = group
            else:
                self._unseen += group.count

    def close(self) -> None:
        """Print the end of the report: omitted lines, and the groups of errors."""
        lines: list[OutputLine] = []
        if self._shown > MAX_LINES and not self._everything:
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
        mark, _, rest = self.write_summary().partition(": ")
        bad = min(self.bad, self.total)
        counts: dict[str, Any] = {f"{self._noun}s": self.total, "fit": self.total - bad}
        counts |= {"do_not_fit": bad, "warned": self.warned, "of_other_tools": self.others}
        told = OutputLine(mark, rest, "error" if self.bad else "good")
        self._print([make_json_line(counts) if self._as_json else told])

    def _make_line(self, text: str, data: dict[str, Any]) -> OutputLine:
        """Build an output line: *data* as JSON, or *text*."""
        return make_json_line(data) if self._as_json else OutputLine("", text)

    def _print(self, lines: list[OutputLine]) -> None:
        """Call the `before` callback and print *lines*, if there are any."""
        if lines:
            self._before()
            tell(lines)

    def write_summary(self) -> str:
        """Write the total numbers of values, bad values and warnings."""
        if not self.total:
            return f"no {self._noun}s: " + ("the input is empty" if self.bad else "none was found")
        values = f"{self.total} {self._noun}{'' if self.total == 1 else 's'}"
        text = f"{values}: {self.total - self.bad} fit, {self.bad} do not"
        text += f", {self.warned} with warnings" if self.warned else ""
        return f"{text}; {self.others} of other tools" if self.others else text
