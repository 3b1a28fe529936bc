"""Findings of a diff, each an instance of a rule."""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.contracts.rows.rules import RULES, Direction, Rule, Severity
from typesig.notations.texts.quoting import quote
from typesig.notations.texts.unseen import with_escapes
from typesig.validation.issues.excerpt import describe_value


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
