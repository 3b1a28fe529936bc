"""The listing of tools that a model reads."""

from __future__ import annotations

from typing import Protocol

from typesig.algebra.signature import Signature, mapped
from typesig.algebra.traversal import without_repeated_notes
from typesig.algebra.views.redaction import redacted
from typesig.notations.shorthand.writer import signature_text

HEADING = "## Tools you can call"


def make_entry(
    name: str, signature: Signature, description: str | None, details: str | None = None
) -> str:
    """Return the entry of a tool: its line, and its description and details indented."""
    shown = mapped(redacted(signature), without_repeated_notes)
    line = f"{name}{signature_text(shown, described=True)}"
    return "\n  ".join([line, *lines_of(description), *lines_of(details)])


class EntryTool(Protocol):
    """A tool with the texts of its docstring."""

    name: str
    signature: Signature
    description: str | None
    details: str | None


def tool_entry(tool: EntryTool, details: bool) -> str:
    """Return the entry of *tool*, which with *details* has all paragraphs of its docstring."""
    more = tool.details if details else None
    return make_entry(tool.name, tool.signature, tool.description, more)


def lines_of(text: str | None) -> list[str]:
    """Return the lines of *text*; none can be mistaken for a line of the listing itself.

    A line ends at every character that any reader takes for a line's end; other characters that
    cannot be printed are left out.
    """
    out = []
    for line in (text or "").splitlines():
        shown = line.expandtabs(4)
        if not shown.isprintable():
            shown = "".join(c for c in shown if c.isprintable())
        shown = shown.strip()
        if shown:
            out.append(shown)
    return out
