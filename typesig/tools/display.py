"""What rich and notebooks show of tools, toolsets and contracts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from typesig.algebra.views.redaction import redacted
from typesig.calls.called import Called, CalledByName, Moded
from typesig.errors import TypesigError
from typesig.limits import MAX_SHOWN_TOOLS
from typesig.listings.listing import lines_of
from typesig.markup import Part, cut, element, escaped, listed
from typesig.notations.shorthand.writer import lone_text
from typesig.validation.outcome.outcome_markup import visible, visible_warnings

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


def parts_of_tool(tool: Called) -> Iterator[Part]:
    """Yield what rich shows of *tool*."""
    yield cut(tool.name)
    yield "signature", _signature_of(tool)
    yield "description", _description_of(tool), ""
    yield "mode", tool.mode, None
    yield "warnings", _warnings_of(tool), []


def html_of_tool(tool: Called) -> str:
    """Return what a notebook shows of *tool*."""
    warnings = listed("Warnings:", _warnings_of(tool))
    return f"<div>{_line(tool)}{warnings}</div>"


def parts_of_toolset(tools: CalledByName) -> Iterator[Part]:
    """Yield what rich shows of *tools*."""
    yield from islice(tools, MAX_SHOWN_TOOLS)
    yield "more", max(0, len(tools) - MAX_SHOWN_TOOLS), 0
    yield "modes", dict(islice(tools.modes.items(), MAX_SHOWN_TOOLS)), {}
    yield "warnings", visible_warnings(tools.warnings), []


def html_of_toolset(tools: CalledByName) -> str:
    """Return what a notebook shows of *tools*: one entry for each."""
    entries = "".join(f"<li>{_line(each)}</li>" for each in islice(tools, MAX_SHOWN_TOOLS))
    title = element("p", f"{len(tools)} tool{'' if len(tools) == 1 else 's'}")
    more = max(0, len(tools) - MAX_SHOWN_TOOLS)
    rest = element("p", f"{more} more") if more else ""
    warnings = listed("Warnings:", visible_warnings(tools.warnings))
    search = _SEARCH if len(tools) >= _SEARCHED else ""
    return f"<div>{title}{search}<ul>{entries}</ul>{rest}{warnings}</div>"


def parts_of_contract(contract: Moded) -> Iterator[Part]:
    """Yield what rich shows of *contract*."""
    yield _answer_of(contract)
    yield "mode", contract.mode, None
    yield "warnings", visible_warnings(contract.warnings), []


def html_of_contract(contract: Moded) -> str:
    """Return what a notebook shows of *contract*."""
    warnings = listed("Warnings:", visible_warnings(contract.warnings))
    return f"<div>{element('code', _answer_of(contract))}{warnings}</div>"


def _line(tool: Called) -> str:
    """Return the name, the signature and the description of *tool* as HTML."""
    call = f"<code><b>{escaped(cut(tool.name))}</b>{escaped(_signature_of(tool))}</code>"
    description = _description_of(tool)
    return f"{call}<br>{escaped(description)}" if description else call


def _signature_of(tool: Called) -> str:
    """Return the signature that a model sees, or why there is none: showing never raises that."""
    try:
        return visible(tool.signature, described=False)
    except TypesigError as error:
        return cut(f" has no signature: {error}")


def _description_of(tool: Called) -> str:
    try:
        return cut("\n".join(lines_of(tool.description)))
    except TypesigError:
        return ""


def _warnings_of(tool: Called) -> list[str]:
    try:
        return visible_warnings(tool.warnings)
    except TypesigError:
        return []


def _answer_of(contract: Moded) -> str:
    return cut(lone_text(redacted(contract.signature)))
