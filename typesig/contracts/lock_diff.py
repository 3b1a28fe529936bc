"""Differences between two sets of tools: findings by rule, examples, and settings."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from typesig.calls.protocols import ToolsByName
from typesig.contracts import description_changes
from typesig.contracts.comparison import Change, Sides, Way, pair_unique
from typesig.contracts.contract import ToolContract, write_input, write_output
from typesig.contracts.lock import Lock
from typesig.contracts.rules import RULES, SEVERITIES, Direction, Rule, Severity
from typesig.contracts.shape_changes import compare_input, compare_output
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_REPORT
from typesig.limits.contracts import MAX_DIFF_EXAMPLES
from typesig.notations.shorthand.writer import write_signature
from typesig.notations.texts.quoting import quote, with_escapes
from typesig.relations.conformance import is_json
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.issues.suggestions import suggest_closest

# --- Findings of a diff, each an instance of a rule ---


class Finding(NamedTuple):
    """One change of a tool, with its rule and severity.

    #: rule: the id of its rule; severity: that of the rule, or what the settings say
    #: tool: the name of the tool, the new one if it was renamed; place: where in its contract
    #: old, new: the part before and after, as text; empty if the sentence has no place for it
    #: why: why the effect is unknown, or empty
    #: example: a 1-tuple of a value at the place that was valid and no longer is, or None

    >>> print(Finding("input-null-refused", "breaking", "search", "params.q", example=(None,)))
    search: params.q: may no longer be null; such as nil
    """

    rule: str
    severity: Severity
    tool: str
    place: str
    old: str = ""
    new: str = ""
    why: str = ""
    example: tuple[Any] | None = None

    @property
    def row(self) -> Rule:
        """Rule of the finding, from the table `RULES`."""
        return RULES[self.rule]

    @property
    def direction(self) -> Direction:
        """Subject of the change: `input`, `output`, `text` or `tool`."""
        return self.row.direction

    @property
    def mend(self) -> str:
        """Advice to make the change without harm."""
        return self.row.mend

    @property
    def sentence(self) -> str:
        """Sentence that describes the change, with the reason if the effect is unknown."""
        old, new = (cut_text(with_escapes(part)) for part in (self.old, self.new))
        told = self.row.sentence.format(old=old, new=new)
        return f"{told} ({self.why})" if self.why else told

    def __str__(self) -> str:
        """Return the place, the sentence and the example."""
        tool = quote_name(self.tool)
        place = f"{tool}: {self.place}: " if self.place else f"{tool}: "
        example = f"; such as {write_example(self.example[0])}" if self.example else ""
        return f"{place}{self.sentence}{example}"


#: Characters of a part, and of an example, that a sentence shows.
_MOST = 200


def quote_name(name: str) -> str:
    """Quote *name* if it has invisible characters."""
    shown = with_escapes(name)
    return name if shown == name and "\n" not in name else with_escapes(quote(name))


def cut_text(text: str) -> str:
    """Shorten the middle of *text* if it is too long for a sentence."""
    return text if len(text) <= _MOST else f"{text[: _MOST // 2]}…{text[1 - _MOST // 2 :]}"


def write_example(value: object) -> str:
    """Write the example *value* as a shortened literal for a sentence."""
    text = describe_value(value, _MOST)
    kind, _, rest = text.partition(" ")
    # The literal tells the kind, except for what JSON has no form for.
    return rest if kind in ("bool", "int", "float", "string", "list", "map") and rest else text


# --- Differences between two sets of tools: findings with rules, severities, examples ---

#: Severities that are set by the id of a rule.
Severities = Mapping[str, Severity]


class Diff:
    """Changes from one set of tools to another; empty if nothing changed.

    #: findings: the changes, by the name of the tool

    >>> from typesig import tools_of
    >>> def old(n: int) -> int: ...
    >>> def new(n: int | None) -> int: ...
    >>> new.__name__ = "old"
    >>> print(diff(tools_of([old]), tools_of([new])))
    additive: old: params.n: is optional now [param-became-optional]
    additive: old: params.n: may be null now [input-null-allowed]
    """

    __slots__ = ("findings",)

    findings: tuple[Finding, ...]

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Diff) and self.findings == other.findings

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def severity(self) -> Severity | None:
        """The most severe of the findings, or None without any."""
        found = {finding.severity for finding in self}
        return next((severity for severity in reversed(SEVERITIES) if severity in found), None)

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """Findings of *severity* or worse."""
        least = SEVERITIES.index(severity)
        return tuple([f for f in self if SEVERITIES.index(f.severity) >= least])

    def __str__(self) -> str:
        """Return a line for each finding, the most severe first."""
        return "\n".join([f"{f.severity}: {f} [{f.rule}]" for f in self._by_severity()])

    def __repr__(self) -> str:
        counts = [f"{len(self.of(s))} {s}" for s in reversed(SEVERITIES) if self.of(s)]
        return f"Diff({', '.join(counts)})"

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.markup import Code, cut

        found = str(self).splitlines()
        yield from (Code(cut(line)) for line in found[:MAX_REPORT])
        yield "more", max(0, len(found) - MAX_REPORT), 0

    def _repr_html_(self) -> str:
        """Build an HTML table of the findings for notebooks, sorted by severity."""
        from typesig.markup import make_table

        heads = ("severity", "tool", "place", "change", "rule")
        rows = [
            (each.severity, quote_name(each.tool), each.place, each.sentence, each.rule)
            for each in self._by_severity()
        ]
        return make_table(heads, rows, MAX_REPORT)

    def _by_severity(self) -> list[Finding]:
        """Findings sorted by severity, the most severe first."""
        return sorted(self, key=lambda f: -SEVERITIES.index(f.severity))

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """Findings of exactly *severity*."""
        return tuple([f for f in self if f.severity == severity])

    def markdown(self) -> str:
        """Table of the findings in Markdown, for a pull request."""
        if not self.findings:
            return "No tool changed.\n"
        lines = ["| severity | tool | place | change | rule |", "|---|---|---|---|---|"]
        for each in self._by_severity():
            example = (
                f"; such as {_write_code(write_example(each.example[0]))}" if each.example else ""
            )
            cells = [f"**{each.severity}**" if each.severity == "breaking" else each.severity]
            cells += [
                _write_code(quote_name(each.tool)),
                _write_code(each.place) if each.place else "",
            ]
            sentence = " ".join(each.sentence.split()).translate(_MARKUP)
            lines.append(f"| {' | '.join([*cells, sentence + example, _write_code(each.rule)])} |")
        return "\n".join(lines) + "\n"

    def data(self) -> dict[str, Any]:
        """Findings as JSON data."""
        counts = {severity: len(self.of(severity)) for severity in reversed(SEVERITIES)}
        return {"counts": counts, "findings": [_to_data(each) for each in self._by_severity()]}


def diff(
    old: ToolsByName | Lock, new: ToolsByName | Lock, severities: Severities | None = None
) -> Diff:
    """Return the changes from *old* to *new*, toolsets or locks.

    *severities* has other severities than those of the rules, by the id of a rule; see
    `typesig.contracts.RULES`.  Raises `TypesigError` for anything else, and for unknown rules.

    >>> from typesig import tools_of
    >>> def add(a: int) -> int: ...
    >>> [found] = diff(tools_of([add]), tools_of([]))
    >>> found.rule, found.severity, found.mend
    ('tool-removed', 'breaking', 'keep it until nobody calls it')
    """
    chosen = check_severities(severities or {})
    before, after = Lock.of(old).tools, Lock.of(new).tools
    gone = [name for name in before if name not in after]
    come = [name for name in after if name not in before]
    renamed = _find_renamed([before[n] for n in gone], [after[n] for n in come])
    out: list[Finding] = []
    for name in sorted({*before, *after} - {*renamed.values()}):
        out += find_tool_changes(before.get(name), after.get(renamed.get(name, name)), chosen)
    return Diff(tuple(out))


def find_tool_changes(
    old: ToolContract | None, new: ToolContract | None, severities: Severities
) -> list[Finding]:
    """Find the changes from *old* to *new* of a tool that was added, removed, renamed or kept."""
    if old is not None and new is not None:
        found = find_changes(old, new, severities)
        if old.name == new.name:
            return found
        renamed = Change("tool-renamed", "", old.name, new.name)
        return [make_finding(renamed, new.name, severities), *found]
    rule, one = ("tool-added", new) if old is None else ("tool-removed", old)
    assert one is not None
    text = write_signature(one.signature)
    return [make_finding(Change(rule, "", text, text), one.name, severities)]


def check_severities(given: Severities, where: str = "severities") -> dict[str, Severity]:
    """Check the rules and severities *given*; errors begin with *where*."""
    for rule, severity in given.items():
        if rule not in RULES:
            near = suggest_closest(str(rule)[:100], {name: name for name in RULES})
            raise TypesigError(
                f"{where}: there is no rule {format_value(rule)}; "
                f"{near or 'they are in docs/reference/diff-rules.md'}"
            )
        if severity not in SEVERITIES:
            raise TypesigError(
                f"{where}: {rule} is {', '.join(SEVERITIES[:2])} or breaking, not "
                f"{format_value(severity)}"
            )
    return dict(given)


def _find_renamed(gone: list[ToolContract], come: list[ToolContract]) -> dict[str, str]:
    """Map old to new names of renamed tools, matched by equal contracts.

    Of several tools with one contract, those with the same texts are paired.
    """
    out: dict[str, str] = {}
    for sort in (_get_all_parts, _get_types):
        out.update((old.name, new.name) for old, new in pair_unique(sort, gone, come))
        gone = [one for one in gone if one.name not in out]
        come = [one for one in come if one.name not in out.values()]
    return out


def _get_types(one: ToolContract) -> tuple[str, ...]:
    """Get the fingerprints of the input and output types of contract *one*."""
    return one.input, one.output


def _get_all_parts(one: ToolContract) -> tuple[str, ...]:
    """Get the fingerprints of the input, output and texts of contract *one*."""
    return one.input, one.output, one.texts


def find_changes(old: ToolContract, new: ToolContract, severities: Severities) -> list[Finding]:
    """Find the changes between two contracts of one tool."""
    if _get_all_parts(old) == _get_all_parts(new):
        return []
    sides = Sides(old.signature, new.signature)
    given = compare_input(sides, old.signature, new.signature)
    taken = compare_output(sides, old.signature, new.signature)
    inputs = description_changes.find_host_changes(sides, old, new, given.found)
    types, moves = [*inputs, *taken.found], [*given.moves, *taken.moves]
    found = [
        *inputs,
        *taken.found,
        *description_changes.default_changes(old.signature, new.signature, types, moves),
        *description_changes.find_unread_changes(old, new),
        *description_changes.find_text_changes(old, new, types, moves),
        *description_changes.find_annotation_changes(old, new),
        *description_changes.find_secret_changes(old, new),
    ]
    found += _find_rewritten(old, new, found)
    found += description_changes.new_texts(old, new, found)
    return _with_examples(sides, found, new.name, severities)


def _find_rewritten(old: ToolContract, new: ToolContract, found: list[Change]) -> Iterator[Change]:
    """Yield a change if a type is written differently but *found* does not report this."""
    if any(each.place.startswith("where.") for each in found):
        return
    directions = {RULES[each.rule].direction for each in found}
    hosts = any(
        RULES[each.rule].direction == "tool" and each.place.startswith("params") for each in found
    )
    if old.input != new.input and "input" not in directions and not hosts:
        before, after = write_input(old.signature), write_input(new.signature)
        yield Change("input-type-rewritten", "params", before, after)
    if old.output != new.output and "output" not in directions:
        before, after = write_output(old.signature), write_output(new.signature)
        yield Change("output-type-rewritten", "returns", before, after)


def _with_examples(
    sides: Sides, found: list[Change], tool: str, severities: Severities
) -> list[Finding]:
    """Make the findings for *found*; breaking changes get an example, up to a limit."""
    out: list[Finding] = []
    left = MAX_DIFF_EXAMPLES
    for each in found:
        made = make_finding(each, tool, severities)
        if made.severity == "breaking" and each.pair is not None and left:
            left -= 1
            way: Way = "output" if made.direction == "output" else "input"
            made = made._replace(example=sides.find_example(way, *each.pair))
        out.append(made)
    return out


def make_finding(found: Change, tool: str, severities: Severities) -> Finding:
    """Build the finding of a change of *tool*, with its configured severity."""
    severity = severities.get(found.rule, RULES[found.rule].severity)
    return Finding(found.rule, severity, tool, found.place, found.old, found.new, found.why)


def _write_code(text: str) -> str:
    """Write *text* as code in a Markdown table cell."""
    text = " ".join(text.split()).replace("|", "\\|")
    # Code that contains backquotes stands between more of them.
    marks = "`" * (max((len([*run]) for c, run in groupby(text) if c == "`"), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{pad}{text}{pad}{marks}"


#: Characters that Markdown or HTML would read.
_MARKUP = {ord(c): f"\\{c}" for c in "\\`*_[]|~#"} | {ord("<"): "&lt;", ord("&"): "&amp;"}


def _to_data(each: Finding) -> dict[str, Any]:
    """Convert the finding *each* to a dict for JSON."""
    names = ("rule", "severity", "direction", "tool", "place", "old", "new", "sentence", "mend")
    out: dict[str, Any] = {name: getattr(each, name) for name in names}
    if each.example:
        [value] = each.example
        out["example"] = value if is_json(value) else write_example(value)
    return out


# --- Settings of differences, from `[tool.typesig.diff]` in `pyproject.toml` ---


class Settings(NamedTuple):
    """Project settings of `typesig diff`: severities and the level that fails.

    #: severity: the severities of rules that are not the usual ones
    #: fail_on: the least severity for which a command fails, or None
    """

    severity: Mapping[str, Severity] = {}
    fail_on: Severity | None = None


def find_settings(folder: Path) -> Settings:
    """Read the settings from the nearest `pyproject.toml`, in *folder* or above it.

    Raises `TypesigError` for one that cannot be read, for unknown settings and for unknown rules.
    """
    for each in (folder, *folder.parents):
        file = each / "pyproject.toml"
        if file.is_file():
            return _read(file)
    return Settings()


def _read(file: Path) -> Settings:
    """Read and check the table `[tool.typesig.diff]` of the TOML *file*."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TypesigError(f"{file.name} cannot be read: {error}") from None
    place = f"{file.name}, [tool.typesig.diff]"
    table = _read_table(_read_table(_read_table(data, "tool"), "typesig"), "diff", place)
    if unknown := sorted(table.keys() - {"severity", "fail-on"}):
        raise TypesigError(
            f"{place}: there is no {format_value(unknown[0])}; write severity or fail-on"
        )
    fail_on = table.get("fail-on")
    if fail_on is not None and fail_on not in SEVERITIES:
        raise TypesigError(
            f"{place}: fail-on is {' or '.join(SEVERITIES)}, not {format_value(fail_on)}"
        )
    chosen = _read_table(table, "severity", place)
    return Settings(check_severities(chosen, f"{place}, severity"), fail_on)


def _read_table(data: dict[str, Any], key: str, place: str = "") -> dict[str, Any]:
    """Get the TOML table `data[key]`, empty if absent; *place* is for errors."""
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise TypesigError(
            f"{place or 'pyproject.toml'}: {key} is a table, not {format_value(found)}"
        )
    return found
