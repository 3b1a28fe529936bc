"""Rules of differences between contracts, one per kind of change.

To add a rule, add its row here, find it where its part is compared, and add its pair of signatures
to `tests/contracts/pairs.py`.  `python -m tests.rules_page` then writes the page of the rules anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

#: What a change means for those who keep to the old contract.  Additive: nothing breaks.
#: Dangerous: all that was valid still is, but what happens may be another thing.  Breaking: what
#: was valid no longer is, or it is unknown whether it is.
Severity: TypeAlias = Literal["additive", "dangerous", "breaking"]

SEVERITIES: tuple[Severity, ...] = ("additive", "dangerous", "breaking")

#: What a rule is about: what a model sends, what it gets, what it reads, or the tool as a whole.
Direction: TypeAlias = Literal["input", "output", "text", "tool"]

A: Severity = "additive"
D: Severity = "dangerous"
B: Severity = "breaking"


class Rule(NamedTuple):
    """One kind of change that a diff reports, with severity and sentence.

    #: id: a name that does not change; direction: what it is about
    #: severity: what it means unless the settings say otherwise
    #: sentence: a template for the parts before and after, `{old}` and `{new}`
    #: mend: how the change can be made without harm
    """

    id: str
    direction: Direction
    severity: Severity
    sentence: str
    mend: str


class TypeChange(NamedTuple):
    """One kind of change of a type, with a severity for input and for output.

    #: sentence: what is told; of_output: what is told of output, if that is something else
    """

    name: str
    input: Severity
    output: Severity
    sentence: str
    of_output: str = ""


_KEEP_IN = "keep accepting what was accepted, or offer the change as another tool"
_KEEP_OUT = "keep returning what the old contract says, or offer the change as another tool"
_TELL = "tell those who keep to the old contract"
_NOTHING = "nothing to do"
_READ = "read the new text before models do"

#: How a bound is called, and what has it.
BOUNDS: dict[str, str] = {
    "minimum": "the minimum",
    "maximum": "the maximum",
    "min-length": "the least number of characters",
    "max-length": "the largest number of characters",
    "min-items": "the least number of items",
    "max-items": "the largest number of items",
    "min-properties": "the least number of names",
    "max-properties": "the largest number of names",
}


def _make_bound_changes() -> Iterator[TypeChange]:
    """Yield the kinds of changes of bounds: added, removed, raised and lowered."""
    for name, words in BOUNDS.items():
        is_lower = name.startswith("min")
        yield TypeChange(f"{name}-added", B, A, f"{words} {{new}} was added")
        yield TypeChange(f"{name}-removed", A, B, f"{words} {{old}} was removed")
        tighter: tuple[Severity, Severity] = (B, A)
        looser: tuple[Severity, Severity] = (A, B)
        up, down = (tighter, looser) if is_lower else (looser, tighter)
        yield TypeChange(f"{name}-raised", *up, f"{words} was raised from {{old}} to {{new}}")
        yield TypeChange(f"{name}-lowered", *down, f"{words} was lowered from {{old}} to {{new}}")


_MOVES: tuple[tuple[str, tuple[Severity, Severity]], ...] = (
    ("narrowed", (B, A)),
    ("widened", (A, B)),
    ("changed", (B, B)),
)


def _make_test_changes() -> Iterator[TypeChange]:
    """Yield the kinds of changes of steps, patterns and formats."""
    for name, words in (("multiple-of", "step"), ("pattern", "pattern"), ("format", "format")):
        yield TypeChange(f"{name}-added", B, A, f"the {words} {{new}} was added")
        yield TypeChange(f"{name}-removed", A, B, f"the {words} {{old}} was removed")
        for how, severities in _MOVES:
            if name == "pattern" and how != "changed":
                # Whether one pattern is narrower than another one is not proved.
                continue
            verb = how if how == "changed" else f"was {how}"
            told = f"the {words} {verb} from {{old}} to {{new}}"
            yield TypeChange(f"{name}-{how}", *severities, told)


#: The changes of types, whose rules are `input-…` and `output-…`.
TYPE_CHANGES: tuple[TypeChange, ...] = (
    TypeChange("type-widened", A, B, "was widened from {old} to {new}"),
    TypeChange("type-narrowed", B, A, "was narrowed from {old} to {new}"),
    TypeChange("type-changed", B, B, "changed from {old} to {new}"),
    TypeChange("type-unknown", B, B, "changed from {old} to {new}; it is unknown what that means"),
    TypeChange("type-rewritten", A, A, "was rewritten from {old} to {new}, which means the same"),
    TypeChange("null-allowed", A, B, "may be null now"),
    TypeChange("null-refused", B, A, "may no longer be null"),
    TypeChange("value-added", D, B, "may be {new} now"),
    TypeChange("value-removed", B, A, "may no longer be {old}"),
    TypeChange("values-listed", B, A, "is limited to the values {new} now"),
    TypeChange("values-unlisted", A, B, "is no longer limited to the values {old}"),
    TypeChange("values-reordered", A, A, "the order of the values changed from {old} to {new}"),
    TypeChange("member-added", A, B, "may be of the type {new} now"),
    TypeChange("member-removed", B, A, "may no longer be of the type {old}"),
    TypeChange("members-reordered", D, A, "the order of the types changed from {old} to {new}"),
    TypeChange("discriminator-added", A, A, "the types are told apart by {new} now"),
    TypeChange("discriminator-removed", D, D, "the types are no longer told apart by {old}"),
    TypeChange(
        "discriminator-changed", D, D, "the types are told apart by {new} now, not by {old}"
    ),
    TypeChange("unique-added", B, A, "the items must differ from each other now"),
    TypeChange("unique-removed", A, B, "the items need no longer differ from each other"),
    TypeChange("tuple-lengthened", B, B, "has more positions now: {new} instead of {old}"),
    TypeChange("tuple-shortened", B, B, "has fewer positions now: {new} instead of {old}"),
    TypeChange("tuple-rest-allowed", A, B, "may have further items now: {new}"),
    TypeChange("tuple-rest-refused", B, A, "may no longer have further items: {old}"),
    TypeChange(
        "extra-refused",
        B,
        A,
        "refuses undeclared names now",
        "contains no undeclared names any more",
    ),
    TypeChange(
        "extra-accepted", A, D, "accepts undeclared names now", "may contain undeclared names now"
    ),
    TypeChange(
        "extra-described",
        A,
        B,
        "accepts undeclared names with values {new} now",
        "may contain undeclared names with values {new} now",
    ),
    TypeChange(
        "key-pattern-allowed",
        A,
        B,
        "accepts names that match {new} now",
        "may contain names that match {new} now",
    ),
    TypeChange(
        "key-pattern-refused",
        B,
        A,
        "no longer accepts names that match {old}",
        "contains no names any more that match {old}",
    ),
    TypeChange("key-pattern-limited", B, A, "limits the values of names that match {new} now"),
    TypeChange("key-pattern-unlimited", A, B, "no longer limits values of names that match {old}"),
    *_make_bound_changes(),
    *_make_test_changes(),
)


class FieldChange(NamedTuple):
    """One kind of change of a field, with severities for parameters, input and output.

    The severity is None where there is no such rule.
    """

    name: str
    param: Severity | None
    input: Severity | None
    output: Severity | None
    sentence: str


FIELD_CHANGES: tuple[FieldChange, ...] = (
    FieldChange("added-required", B, B, D, "was added and is required: {new}"),
    FieldChange("added-optional", D, D, D, "was added: {new}"),
    FieldChange("added-to-closed", None, None, B, "was added where no other names were: {new}"),
    FieldChange("removed-required", B, B, B, "was removed: {old}"),
    FieldChange("removed-optional", B, B, D, "was removed: {old}"),
    FieldChange("renamed", B, B, B, "was renamed from {old} to {new}"),
    FieldChange("respelt", D, D, D, "is spelt {new} now, not {old}"),
    FieldChange("became-required", B, B, A, "is required now"),
    FieldChange("became-optional", A, A, B, "is optional now"),
    FieldChange("default-added", A, A, A, "the default {new} was added"),
    FieldChange("default-removed", D, D, A, "the default {old} was removed"),
    FieldChange("default-changed", D, D, A, "the default changed from {old} to {new}"),
    FieldChange("name-exact", B, B, A, "must be spelt exactly like this now"),
    FieldChange("name-folded", A, A, B, "may be spelt with other separators now"),
    FieldChange("shown", None, B, B, "is visible to the model now, as {new}"),
    FieldChange("hidden", None, B, B, "is hidden from the model now, as {new}"),
    FieldChange("reordered", D, A, A, "the order changed from {old} to {new}"),
)

#: The texts that are compared, and of what: rules such as `param-description-changed`.
TEXT_OWNERS: dict[str, str] = {
    "tool": "the tool",
    "param": "the parameter",
    "input": "a part of a parameter",
    "output": "a part of the result",
    "type": "a named type",
}


def _make_type_rules() -> Iterator[Rule]:
    """Yield an input rule and an output rule for each row of `TYPE_CHANGES`."""
    for change in TYPE_CHANGES:
        yield Rule(
            f"input-{change.name}",
            "input",
            change.input,
            change.sentence,
            _mend(change.input, _KEEP_IN),
        )
        yield Rule(
            f"output-{change.name}",
            "output",
            change.output,
            change.of_output or change.sentence,
            _mend(change.output, _KEEP_OUT),
        )


def _mend(severity: Severity, keep: str) -> str:
    """Return the advice for *severity*; *keep* is the advice for breaking changes."""
    return {"additive": _NOTHING, "dangerous": _TELL, "breaking": keep}[severity]


#: How a change of a field is made without harm, where that is more than to keep what was.
_MENDS: dict[str, str] = {
    "added-required": "give it a default, so that it can be left out",
    "became-required": "give it a default, so that it can be left out",
    "removed-required": "keep it, and say in its description that it is ignored",
    "removed-optional": "keep it, and say in its description that it is ignored",
    "renamed": "keep the old name beside the new one, each optional",
    "added-to-closed": "leave it out, or return it from another tool",
    "became-optional": "return it always",
    "hidden": "keep the name that the model sees",
    "shown": "keep the old name beside the new one",
}


def _make_field_rules() -> Iterator[Rule]:
    """Yield the rules of `FIELD_CHANGES` for parameters, input and output fields."""
    for change in FIELD_CHANGES:
        sides: list[tuple[str, Direction, Severity | None]] = [
            ("param", "input", change.param),
            ("input-field", "input", change.input),
            ("output-field", "output", change.output),
        ]
        for owner, direction, severity in sides:
            if severity is None:
                continue
            keep = _KEEP_IN if direction == "input" else _KEEP_OUT
            if direction == "input" or change.name in ("added-to-closed", "became-optional"):
                keep = _MENDS.get(change.name, keep)
            yield Rule(
                f"{owner}-{change.name}",
                direction,
                severity,
                change.sentence,
                _mend(severity, keep),
            )


def _make_text_rules() -> Iterator[Rule]:
    """Yield the rules for changes of descriptions, titles and other texts."""
    gone_of: dict[str, Severity] = {"description": D, "title": A}
    for owner in TEXT_OWNERS:
        for what, gone in gone_of.items():
            yield _make_text_rule(f"{owner}-{what}-added", D, f"the {what} was added: {{new}}")
            yield _make_text_rule(
                f"{owner}-{what}-removed", gone, f"the {what} was removed: {{old}}"
            )
            changed = f"the {what} changed from {{old}} to {{new}}"
            yield _make_text_rule(f"{owner}-{what}-changed", D, changed)
    for what in ("examples", "deprecated", "content", "keyword"):
        word = {"content": "what its text contains", "keyword": "a note"}.get(what, f"`{what}`")
        yield _make_text_rule(f"{what}-added", D, f"{word} was added: {{new}}")
        yield _make_text_rule(f"{what}-removed", A, f"{word} was removed: {{old}}")
        yield _make_text_rule(f"{what}-changed", D, f"{word} changed from {{old}} to {{new}}")
    yield _make_text_rule(
        "other-text-added", D, "has texts now that were nowhere in the tool: {new}"
    )
    yield _make_text_rule("raw-text-added", D, "is sent in another way than it is shown: {new}")
    yield _make_text_rule("raw-text-removed", A, "is shown as it is sent; it was sent as {old}")
    yield _make_text_rule(
        "raw-text-changed", D, "what is sent, but not shown, changed from {old} to {new}"
    )


def _make_text_rule(name: str, severity: Severity, sentence: str) -> Rule:
    """Build the rule *name* for a change of texts, with its advice."""
    mend = {"additive": _NOTHING}.get(severity, _READ)
    return Rule(name, "text", severity, sentence, mend)


_ASK = "ask the person again before the tool is called"
_SUPPLY = "supply it from the host"

_TOOLS: tuple[tuple[str, Severity, str, str], ...] = (
    ("tool-added", D, "the tool was added: {new}", _READ),
    ("tool-removed", B, "the tool was removed: {old}", "keep it until nobody calls it"),
    ("tool-renamed", B, "the tool is called {new} now, not {old}", "keep the old name, too"),
    ("param-hidden", B, "is supplied by the host now, and no longer by the model", _KEEP_IN),
    ("param-shown-required", B, "is sent by the model now, and required: {new}",
     "give it a default, so that it can be left out"),
    ("param-shown-optional", D, "is sent by the model now: {new}", _TELL),
    ("hidden-param-added-required", D, "the host has to supply it now", _SUPPLY),
    ("hidden-param-added-optional", A, "the host may supply it now", _NOTHING),
    ("hidden-param-removed", A, "the host no longer supplies it", _NOTHING),
    ("hidden-param-became-required", D, "the host has to supply it now", _SUPPLY),
    ("hidden-param-became-optional", A, "the host need no longer supply it", _NOTHING),
    ("hidden-param-changed", D, "what the host supplies changed from {old} to {new}", _SUPPLY),
    ("param-became-positional-only", D, "Python code gives it by position only now", _TELL),
    ("param-became-keyword-only", D, "Python code gives it by name only now", _TELL),
    ("param-became-usual", A, "Python code gives it by name or by position now", _NOTHING),
    ("read-only-gained", A, "only reads now", _NOTHING),
    ("read-only-lost", B, "may change things now", _ASK),
    ("destructive-gained", B, "may destroy things now", _ASK),
    ("destructive-lost", A, "does not destroy things now", _NOTHING),
    ("idempotent-gained", A, "may be repeated without further effect now", _NOTHING),
    ("idempotent-lost", B, "has a further effect each time now", "do not repeat its calls"),
    ("open-world-gained", D, "may reach what is outside of its system now", _ASK),
    ("open-world-lost", A, "stays within its system now", _NOTHING),
    ("annotation-added", D, "the annotation {new} was added", _TELL),
    ("annotation-removed", D, "the annotation {old} was removed", _TELL),
    ("annotation-changed", D, "the annotation changed from {old} to {new}", _TELL),
    ("annotation-stated", A, "the annotation {new} says what held without it, or was dropped",
     _NOTHING),
    ("secret-added", A, "is a secret now, which no message shows", _NOTHING),
    ("secret-removed", D, "is no longer a secret, so messages may show it", "mark it again"),
)  # fmt: skip

_RESULTS: tuple[tuple[str, Severity, str], ...] = (
    ("result-described", A, "the result has a type now: {new}"),
    ("result-undescribed", B, "the result has no type any more; it was {old}"),
    ("result-added", B, "returns {new} now, and returned nothing"),
    ("result-removed", B, "returns nothing now, and returned {old}"),
)


def _make_other_rules() -> Iterator[Rule]:
    """Yield the rules for tools, results and parts that typesig cannot read."""
    for name, severity, sentence, mend in _TOOLS:
        yield Rule(name, "tool", severity, sentence, mend)
    for name, severity, sentence in _RESULTS:
        yield Rule(name, "output", severity, sentence, _mend(severity, _KEEP_OUT))
    unread = "a part that could not be read changed from {old} to {new}; the effect is unknown"
    yield Rule("input-unread-changed", "input", B, unread, "compare the two definitions by eye")
    yield Rule("output-unread-changed", "output", B, unread, "compare the two definitions by eye")


#: The rules, by id.
RULES: dict[str, Rule] = {
    rule.id: rule
    for rule in (
        *_make_other_rules(),
        *_make_field_rules(),
        *_make_type_rules(),
        *_make_text_rules(),
    )
}
