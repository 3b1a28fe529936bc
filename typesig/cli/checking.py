"""Checks lines of JSON against a signature, and reports on those that do not fit.

The same `Checker` works in the process of the command and in those that `bulk` starts; a `Report`
puts together what checkers found, in the order of the lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TextIO

from typesig.algebra.signature import Signature
from typesig.cli.bulk import in_processes
from typesig.cli.calls import Calls, Checked, tool_named
from typesig.cli.data import Line, place_of, value_of
from typesig.cli.output import complain
from typesig.limits import MAX_LINES, MAX_PATH, MAX_SUMMARY
from typesig.tools.toolset import Toolset
from typesig.validation.excerpt import FIREWALLED
from typesig.validation.issues import Issue, path_text
from typesig.validation.json_text import BadJson
from typesig.validation.policy import MODES, ModeName
from typesig.validation.verdicts import quick_check


class Asked(NamedTuple):
    """What is asked about each line of a file; it can be sent to another process.

    #: name: the file, as reports name it; output: whether params are not meant
    #: quiet: whether warnings are left out; everything: whether all lines are reported
    #: keeps: whether rows that do not fit are wanted; counts: whether errors are counted by path
    #: target: the tool, as `module:name`, of which the lines are arguments or calls
    #: strict: whether the calls are of a strict definition of it
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


class Group:
    """The errors at one path that have one code: their number, and the first of them."""

    __slots__ = ("count", "first", "where")

    def __init__(self, where: str, first: str) -> None:
        self.count = 0
        self.where = where
        self.first = first


class Found:
    """What was found in some lines.

    #: total, bad, warned: how many values there are, do not fit, have warnings
    #: lines: the lines of the report, as far as they may be printed; shown: how many there are
    #: rows: the rows that do not fit, as JSON texts; groups: the errors, by path and code
    #: unseen: errors that have no group; others: how many calls are of other tools
    """

    __slots__ = ("bad", "groups", "lines", "others", "rows", "shown", "total", "unseen", "warned")

    def __init__(self) -> None:
        self.total = self.bad = self.warned = self.shown = self.unseen = self.others = 0
        self.lines: list[str] = []
        self.rows: list[str] = []
        self.groups: dict[tuple[str, str], Group] = {}


class Checker:
    """Checks lines as *asked*, and collects what it finds in `found`.

    With *tools*, which are one, the lines are arguments or calls of it.
    """

    def __init__(self, asked: Asked, tools: Toolset | None = None) -> None:
        self._asked = asked
        self._named = bool(asked.signature.params) and not asked.output
        # A file has only JSON's forms of a datetime, a keyword or a set.
        self._mode: ModeName = asked.mode or "enabled"
        self._results = MODES[self._mode].changed(json_results=True)
        policy = MODES[self._mode] if self._named else self._results
        self._calls = None if tools is None else Calls(tools, asked.mode, asked.strict)
        self._passes: Callable[[Any], bool] = _passes_none
        if tools is None:
            self._passes = quick_check(asked.signature, policy, self._named)
        self.found = Found()

    def add(self, line: Line) -> bool:
        """Check *line*; tell whether there is anything to report about it."""
        found = self.found
        try:
            value = value_of(line)
        except BadJson as error:
            found.total += 1
            self._note(line, [Checked(0, (Issue("json", (), "", str(error)),), ())], readable=False)
            return True
        if self._passes(value):
            found.total += 1
            return False
        told = []
        for each in self._checked(value):
            found.total += 1
            if each.errors or each.warnings:
                told.append(each)
        if told:
            self._note(line, told)
        return bool(told)

    def _checked(self, value: Any) -> Iterable[Checked]:
        if self._calls is not None:
            yield from self._calls.checked(value)
            self.found.others += self._calls.taken_others()
            return
        if self._named:
            outcome = self._asked.signature.validate_input(value, self._mode)
        else:
            outcome = self._asked.signature.validate_output(value, self._results)
        yield Checked(0, outcome.errors, outcome.warnings, outcome.unseen)

    def taken(self) -> Found:
        """Return what was found since this was last called."""
        found, self.found = self.found, Found()
        return found

    def _note(self, line: Line, told: list[Checked], readable: bool = True) -> None:
        asked, found = self._asked, self.found
        where = place_of(asked.name, line)
        for each in told:
            found.bad += bool(each.errors)
            found.warned += bool(each.warnings)
            self._tell(f"{where}: call {each.which}" if each.which else where, each)
        if asked.keeps and any(each.errors for each in told):
            found.rows.append(kept(where, line, told, readable))

    def _tell(self, where: str, each: Checked) -> None:
        asked, found = self._asked, self.found
        if asked.counts:
            found.unseen += each.unseen if each.errors else 0
            for issue in each.errors:
                key = grouped(issue), issue.code
                group = found.groups.setdefault(key, Group(where, issue.message))
                group.count += 1
            return
        texts = [f"{where}: {issue}" for issue in each.errors]
        if each.unseen:
            texts.append(f"{where}: … and {each.unseen} more")
        if not asked.quiet:
            texts += [f"{where}: warning: {issue}" for issue in each.warnings]
        found.shown += len(texts)
        room = len(texts) if asked.everything else MAX_LINES - len(found.lines)
        found.lines += texts[: max(0, room)]


def _passes_none(value: object) -> bool:
    return False


#: In a process that was started, the tool is looked up once: the code of its file runs once.
_tools_once = lru_cache(1)(tool_named)


def checked_batch(asked: Asked, lines: Iterable[Line]) -> Found:
    """Return what was found in *lines*."""
    checker = Checker(asked, None if asked.target is None else _tools_once(asked.target))
    for line in lines:
        checker.add(line)
    return checker.found


def found_in(
    asked: Asked, lines: Iterable[Line], jobs: int, tools: Toolset | None = None
) -> Generator[Found, None, None]:
    """Yield what is found in *lines*, in their order, with *jobs* processes.

    *tools* are what the target of *asked* names, if it has one.
    """
    if jobs > 1:
        for _, found in in_processes(checked_batch, asked, lines, jobs, asked.name):
            yield found
        return
    # Each line is reported at once, since the next may come much later.
    checker = Checker(asked, None if asked.target is None else tools)
    for line in lines:
        if checker.add(line):
            yield checker.taken()
    yield checker.found


def _steps(issue: Issue) -> list[str]:
    """Return the steps of the path that may be shown; an index is `[]`."""
    path = issue.path if issue.hidden < 0 else (*issue.path[: issue.hidden], FIREWALLED)
    # Behind another step, a plain name has its dot.
    return ["[]" if isinstance(step, int) else path_text(("x", step))[1:] for step in path]


def grouped(issue: Issue) -> str:
    """Return the path of *issue*, in which all items of a list are one place.

    >>> grouped(Issue("type", ("rooms", 3, "seats"), "int", "nil"))
    'rooms[].seats'
    """
    steps = _steps(issue)
    if len(steps) > MAX_PATH:
        steps = [*steps[: MAX_PATH // 2], "…", *steps[-MAX_PATH // 2 :]]
    return "".join(steps).removeprefix(".")


def kept(where: str, line: Line, told: Iterable[Checked], readable: bool) -> str:
    """Return a line of JSON: a row that does not fit, with its errors.

    The errors of one of several calls in it have the number of the call.

    A row that can be read is written as it was, under `row`; another is text, under `text`, in
    which bytes that are not UTF-8 are the surrogates of `surrogateescape`.
    """
    bad = [each for each in told if each.errors]
    errors = [_told(issue, each.which) for each in bad for issue in each.errors]
    about: dict[str, Any] = {"place": where, "errors": errors}
    if unseen := sum(each.unseen for each in bad):
        about["unseen"] = unseen
    if not readable:
        about["text"] = line[1].decode("utf-8", "surrogateescape").rstrip("\r\n")
        return json.dumps(about)
    # Between the values of JSON text, a line break is a blank; in a string there is none.
    row = " ".join(line[1].decode("utf-8-sig").replace("\r", "\n").split("\n")).strip()
    return f'{json.dumps(about)[:-1]}, "row": {row}}}'


def _told(issue: Issue, which: int) -> dict[str, Any]:
    path = issue.path if issue.hidden < 0 else (*issue.path[: issue.hidden], FIREWALLED)
    call = {"call": which} if which else {}
    return {**call, "path": path_text(path), "code": issue.code, "message": issue.message}


class Report:
    """Prints what was found, in the order in which it is taken.

    #: total, bad, warned, others: as of `Found`
    """

    def __init__(self, everything: bool, rows: TextIO | None, noun: str = "value") -> None:
        self._noun = noun
        self._everything = everything
        self._rows = rows
        self._shown = 0
        self._unseen = 0
        self._groups: dict[tuple[str, str], Group] = {}
        self.total = self.bad = self.warned = self.others = 0

    def take(self, found: Found) -> None:
        """Print the lines of *found*, keep its rows, and count the rest."""
        self.total += found.total
        self.bad += found.bad
        self.warned += found.warned
        self.others += found.others
        room = found.shown if self._everything else max(0, MAX_LINES - self._shown)
        self._shown += found.shown
        if found.lines[:room]:
            complain(found.lines[:room])
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
        """Print what is told at the end: how many lines were left out, and the groups of errors."""
        if self._shown > MAX_LINES and not self._everything:
            complain(f"… and more; --all shows all {self._shown} lines")
        ordered = sorted(self._groups.items(), key=lambda item: -item[1].count)
        width = len(str(ordered[0][1].count)) if ordered else 0
        complain(
            f"{group.count:>{width}}  {path or 'the ' + self._noun} ({code}), "
            f"first in {group.where}: {group.first}"
            for (path, code), group in ordered
        )
        if self._unseen:
            complain(f"… and {self._unseen} more errors")

    def summary(self) -> str:
        """Return the line that counts the values."""
        values = f"{self.total} {self._noun}{'' if self.total == 1 else 's'}"
        text = f"{values}: {self.total - self.bad} fit, {self.bad} do not"
        text += f", {self.warned} with warnings" if self.warned else ""
        return f"{text}; {self.others} of other tools" if self.others else text
