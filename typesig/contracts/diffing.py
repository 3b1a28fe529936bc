"""The differences between two sets of tools: findings with rules, severities and examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from typesig.calls.called import CalledByName
from typesig.contract_limits import MAX_DIFF_EXAMPLES
from typesig.contracts import telling
from typesig.contracts.comparing.pairing import sole_pairs
from typesig.contracts.comparing.shapes import input_changes, output_changes
from typesig.contracts.comparing.sides import Sides, Way
from typesig.contracts.comparing.walk import Found
from typesig.contracts.locks.lock import Lock
from typesig.contracts.locks.locked import ToolContract, input_text, output_text
from typesig.contracts.rows.findings import Finding, shown_example, shown_name
from typesig.contracts.rows.rules import RULES, SEVERITIES, Severity
from typesig.errors import TypesigError, short
from typesig.limits import MAX_REPORT
from typesig.notations.shorthand.writer import signature_text
from typesig.relations.limits.conformance import is_json
from typesig.validation.issues.near import closest

#: Severities that are set by the id of a rule.
Severities = Mapping[str, Severity]


class Diff:
    """The changes from one set of tools to another; empty if there is none.

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
        """Return the findings that are *severity* or worse."""
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
        from typesig.markup import table

        heads = ("severity", "tool", "place", "change", "rule")
        rows = [
            (each.severity, shown_name(each.tool), each.place, each.sentence, each.rule)
            for each in self._by_severity()
        ]
        return table(heads, rows, MAX_REPORT)

    def _by_severity(self) -> list[Finding]:
        """Return the findings with the most severe first, else in their order."""
        return sorted(self, key=lambda f: -SEVERITIES.index(f.severity))

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings of *severity*."""
        return tuple([f for f in self if f.severity == severity])

    def markdown(self) -> str:
        """Return a table of the findings, for a pull request."""
        if not self.findings:
            return "No tool changed.\n"
        lines = ["| severity | tool | place | change | rule |", "|---|---|---|---|---|"]
        for each in self._by_severity():
            example = f"; such as {_code(shown_example(each.example[0]))}" if each.example else ""
            cells = [f"**{each.severity}**" if each.severity == "breaking" else each.severity]
            cells += [_code(shown_name(each.tool)), _code(each.place) if each.place else ""]
            sentence = " ".join(each.sentence.split()).translate(_MARKUP)
            lines.append(f"| {' | '.join([*cells, sentence + example, _code(each.rule)])} |")
        return "\n".join(lines) + "\n"

    def data(self) -> dict[str, Any]:
        """Return the findings as data that JSON can hold."""
        counts = {severity: len(self.of(severity)) for severity in reversed(SEVERITIES)}
        return {"counts": counts, "findings": [_data(each) for each in self._by_severity()]}


def diff(
    old: CalledByName | Lock, new: CalledByName | Lock, severities: Severities | None = None
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
    chosen = checked_severities(severities or {})
    before, after = Lock.of(old).tools, Lock.of(new).tools
    gone = [name for name in before if name not in after]
    come = [name for name in after if name not in before]
    renamed = _renamed([before[n] for n in gone], [after[n] for n in come])
    out: list[Finding] = []
    for name in sorted({*before, *after}):
        if name in renamed.values():
            continue
        if name in before and name in after:
            out += changes_of(before[name], after[name], chosen)
        elif name in renamed:
            new_name = renamed[name]
            out.append(finding_of(Found("tool-renamed", "", name, new_name), new_name, chosen))
            out += changes_of(before[name], after[new_name], chosen)
        else:
            rule = "tool-removed" if name in before else "tool-added"
            text = signature_text((before if name in before else after)[name].signature)
            out.append(finding_of(Found(rule, "", text, text), name, chosen))
    return Diff(tuple(out))


def checked_severities(given: Severities, where: str = "severities") -> dict[str, Severity]:
    """Return *given*; raise `TypesigError` for unknown rules and severities, found *where*."""
    for rule, severity in given.items():
        if rule not in RULES:
            near = closest(str(rule)[:100], {name: name for name in RULES})
            raise TypesigError(
                f"{where}: there is no rule {short(rule)}; "
                f"{near or 'they are in docs/reference/diff-rules.md'}"
            )
        if severity not in SEVERITIES:
            raise TypesigError(
                f"{where}: {rule} is {', '.join(SEVERITIES[:2])} or breaking, not {short(severity)}"
            )
    return dict(given)


def _renamed(gone: list[ToolContract], come: list[ToolContract]) -> dict[str, str]:
    """Return which tools have another name only: no other tool has the same contract.

    Of several tools with one contract, those with the same texts are paired.
    """
    out: dict[str, str] = {}
    for sort in (_whole, _types):
        out.update((old.name, new.name) for old, new in sole_pairs(sort, gone, come))
        gone = [one for one in gone if one.name not in out]
        come = [one for one in come if one.name not in out.values()]
    return out


def _types(one: ToolContract) -> tuple[str, ...]:
    return one.input, one.output


def _whole(one: ToolContract) -> tuple[str, ...]:
    return one.input, one.output, one.texts


def changes_of(old: ToolContract, new: ToolContract, severities: Severities) -> list[Finding]:
    """Return how the contract of one tool changed."""
    if _whole(old) == _whole(new):
        return []
    sides = Sides(old.signature, new.signature)
    given = input_changes(sides, old.signature, new.signature)
    taken = output_changes(sides, old.signature, new.signature)
    inputs = telling.host_changes(sides, old, new, given.found)
    types, moves = [*inputs, *taken.found], [*given.moves, *taken.moves]
    found = [
        *inputs,
        *taken.found,
        *telling.default_changes(old.signature, new.signature, types, moves),
        *telling.unread_changes(old, new),
        *telling.text_changes(old, new, types, moves),
        *telling.annotation_changes(old, new),
        *telling.secret_changes(old, new),
    ]
    found += _rewritten(old, new, found)
    found += telling.new_texts(old, new, found)
    return _with_examples(sides, found, new.name, severities)


def _rewritten(old: ToolContract, new: ToolContract, found: list[Found]) -> Iterator[Found]:
    """Yield that what a tool takes or returns is written in another way, if nothing else tells."""
    if any(each.place.startswith("where.") for each in found):
        return
    directions = {RULES[each.rule].direction for each in found}
    hosts = any(
        RULES[each.rule].direction == "tool" and each.place.startswith("params") for each in found
    )
    if old.input != new.input and "input" not in directions and not hosts:
        before, after = input_text(old.signature), input_text(new.signature)
        yield Found("input-type-rewritten", "params", before, after)
    if old.output != new.output and "output" not in directions:
        before, after = output_text(old.signature), output_text(new.signature)
        yield Found("output-type-rewritten", "returns", before, after)


def _with_examples(
    sides: Sides, found: list[Found], tool: str, severities: Severities
) -> list[Finding]:
    out: list[Finding] = []
    left = MAX_DIFF_EXAMPLES
    for each in found:
        made = finding_of(each, tool, severities)
        if made.severity == "breaking" and each.pair is not None and left:
            left -= 1
            way: Way = "output" if made.direction == "output" else "input"
            made = made._replace(example=sides.example(way, *each.pair))
        out.append(made)
    return out


def finding_of(found: Found, tool: str, severities: Severities) -> Finding:
    """Return what was *found* of the tool called *tool*, with the severity that is set."""
    severity = severities.get(found.rule, RULES[found.rule].severity)
    return Finding(found.rule, severity, tool, found.place, found.old, found.new, found.why)


def _code(text: str) -> str:
    """Return *text* as code in the cell of a table."""
    text = " ".join(text.split()).replace("|", "\\|")
    # Code that contains backquotes stands between more of them.
    marks = "`" * (max((len(run) for run in _runs(text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{pad}{text}{pad}{marks}"


def _runs(text: str) -> list[str]:
    kept: list[str] = [c if c == "`" else " " for c in text]
    return "".join(kept).split()


#: Characters that Markdown or HTML would read.
_MARKUP = {ord(c): f"\\{c}" for c in "\\`*_[]|~#"} | {ord("<"): "&lt;", ord("&"): "&amp;"}


def _data(each: Finding) -> dict[str, Any]:
    out: dict[str, Any] = {
        "rule": each.rule,
        "severity": each.severity,
        "direction": each.direction,
        "tool": each.tool,
        "place": each.place,
        "old": each.old,
        "new": each.new,
        "sentence": each.sentence,
        "mend": each.mend,
    }
    if each.example:
        [value] = each.example
        out["example"] = value if is_json(value) else shown_example(value)
    return out
