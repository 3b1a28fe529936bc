"""Entries of tools in the default listing."""

from __future__ import annotations

from typing import Protocol

from typesig.algebra.redaction import redact
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import drop_repeated_annotations
from typesig.notations.shorthand.writer import write_signature

HEADING = "## Tools you can call"


def make_entry(
    name: str, signature: Signature, description: str | None, details: str | None = None
) -> str:
    """Write the entry of a tool: its signature line, then its indented description."""
    shown = map_types(redact(signature), drop_repeated_annotations)
    line = f"{name}{write_signature(shown, described=True)}"
    return "\n  ".join([line, *split_lines(description), *split_lines(details)])


class EntryTool(Protocol):
    """Protocol of a tool that a listing entry describes."""

    name: str
    signature: Signature
    description: str | None
    details: str | None


def make_tool_entry(tool: EntryTool, details: bool) -> str:
    """Write the entry of *tool*; *details* adds all paragraphs of its docstring."""
    more = tool.details if details else None
    return make_entry(tool.name, tool.signature, tool.description, more)


def split_lines(text: str | None) -> list[str]:
    """Lines of *text* without blank lines, indentation and unprintable characters.

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
