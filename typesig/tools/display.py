"""What rich and notebooks show of tools, toolsets and contracts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from typesig.algebra.redaction import redact
from typesig.calls.protocols import HasPolicy, ToolLike, ToolsByName
from typesig.errors import TypesigError
from typesig.limits import MAX_SHOWN_TOOLS
from typesig.listings.entries import split_lines
from typesig.markup import Part, cut, escape, make_element, make_list
from typesig.notations.shorthand.writer import write_result
from typesig.validation.outcome.outcome_markup import list_visible_warnings, write_visible

#: From how many tools on a notebook offers a search.
_SEARCHED = 6

#: A field that shows the entries which have its text.  It needs nothing but the page: where scripts
#: do not run, as in a preview, all entries stay.
_SEARCH = (
    '<input type="search" placeholder="search" aria-label="search the tools" oninput="'
    "const asked = this.value.toLowerCase();"
    "for (const entry of this.parentElement.querySelectorAll('li'))"
    ' entry.hidden = !entry.textContent.toLowerCase().includes(asked)">'
)


def parts_of_tool(tool: ToolLike) -> Iterator[Part]:
    """Yield the parts of the representation of *tool* in rich."""
    yield cut(tool.name)
    yield "signature", _signature_of(tool)
    yield "description", _description_of(tool), ""
    yield "mode", tool.mode, None
    yield "warnings", _warnings_of(tool), []


def html_of_tool(tool: ToolLike) -> str:
    """Return the HTML of *tool* for a notebook."""
    warnings = make_list("Warnings:", _warnings_of(tool))
    return f"<div>{_line(tool)}{warnings}</div>"


def parts_of_toolset(tools: ToolsByName) -> Iterator[Part]:
    """Yield the parts of the representation of *tools* in rich."""
    yield from islice(tools, MAX_SHOWN_TOOLS)
    yield "more", max(0, len(tools) - MAX_SHOWN_TOOLS), 0
    yield "modes", dict(islice(tools.modes.items(), MAX_SHOWN_TOOLS)), {}
    yield "warnings", list_visible_warnings(tools.warnings), []


def html_of_toolset(tools: ToolsByName) -> str:
    """Return the HTML of *tools* for a notebook, with one entry for each tool."""
    entries = "".join(f"<li>{_line(each)}</li>" for each in islice(tools, MAX_SHOWN_TOOLS))
    title = make_element("p", f"{len(tools)} tool{'' if len(tools) == 1 else 's'}")
    more = max(0, len(tools) - MAX_SHOWN_TOOLS)
    rest = make_element("p", f"{more} more") if more else ""
    warnings = make_list("Warnings:", list_visible_warnings(tools.warnings))
    search = _SEARCH if len(tools) >= _SEARCHED else ""
    return f"<div>{title}{search}<ul>{entries}</ul>{rest}{warnings}</div>"


def parts_of_contract(contract: HasPolicy) -> Iterator[Part]:
    """Yield the parts of the representation of *contract* in rich."""
    yield _answer_of(contract)
    yield "mode", contract.mode, None
    yield "warnings", list_visible_warnings(contract.warnings), []


def html_of_contract(contract: HasPolicy) -> str:
    """Return the HTML of *contract* for a notebook."""
    warnings = make_list("Warnings:", list_visible_warnings(contract.warnings))
    return f"<div>{make_element('code', _answer_of(contract))}{warnings}</div>"


def _line(tool: ToolLike) -> str:
    """Return the name, the signature and the description of *tool* as HTML."""
    call = f"<code><b>{escape(cut(tool.name))}</b>{escape(_signature_of(tool))}</code>"
    description = _description_of(tool)
    return f"{call}<br>{escape(description)}" if description else call


def _signature_of(tool: ToolLike) -> str:
    """Write the visible signature of *tool*, or the error message if it has none."""
    try:
        return write_visible(tool.signature, described=False)
    except TypesigError as error:
        return cut(f" has no signature: {error}")


def _description_of(tool: ToolLike) -> str:
    """Return the description of *tool*, cut for display; empty if it cannot be read."""
    try:
        return cut("\n".join(split_lines(tool.description)))
    except TypesigError:
        return ""


def _warnings_of(tool: ToolLike) -> list[str]:
    """List the warnings of *tool* for display; empty if its hints cannot be read."""
    try:
        return list_visible_warnings(tool.warnings)
    except TypesigError:
        return []


def _answer_of(contract: HasPolicy) -> str:
    """Write the result type of *contract* for display, redacted and cut."""
    return cut(write_result(redact(contract.signature)))
