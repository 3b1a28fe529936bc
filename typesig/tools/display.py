"""What rich and notebooks show of tools, toolsets and contracts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from typesig.algebra.views.redaction import redacted
from typesig.errors import TypesigError
from typesig.limits import MAX_SHOWN_TOOLS
from typesig.listings.listing import lines_of
from typesig.notations.shorthand.writer import lone_text
from typesig.validation.outcome.outcome_markup import (
    Part,
    cut,
    element,
    escaped,
    listed,
    visible,
    visible_warnings,
)

if TYPE_CHECKING:
    from typesig.algebra.signature import Signature
    from typesig.extraction.callables.warnings import HintWarning
    from typesig.validation.rows.policy import ModeName, Policy


class ShownContract(Protocol):
    """What is shown of a contract."""

    @property
    def signature(self) -> Signature:
        """The signature."""
        ...

    @property
    def mode(self) -> ModeName | Policy | None:
        """The mode given, or None."""
        ...

    @property
    def warnings(self) -> tuple[HintWarning, ...]:
        """What hints cannot express, or what was left out."""
        ...


class ShownTool(ShownContract, Protocol):
    """What is shown of a tool."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    @property
    def description(self) -> str | None:
        """The description, or None."""
        ...


class ShownToolset(Protocol):
    """What is shown of a toolset."""

    @property
    def warnings(self) -> tuple[HintWarning, ...]:
        """What hints cannot express, or what was left out."""
        ...

    @property
    def modes(self) -> Mapping[str, ModeName | Policy]:
        """The modes given, by tool."""
        ...

    def __iter__(self) -> Iterator[ShownTool]: ...
    def __len__(self) -> int: ...


def parts_of_tool(tool: ShownTool) -> Iterator[Part]:
    """Yield what rich shows of *tool*."""
    yield cut(tool.name)
    yield "signature", _signature_of(tool)
    yield "description", _description_of(tool), ""
    yield "mode", tool.mode, None
    yield "warnings", _warnings_of(tool), []


def html_of_tool(tool: ShownTool) -> str:
    """Return what a notebook shows of *tool*."""
    warnings = listed("Warnings:", _warnings_of(tool))
    return f"<div>{_line(tool)}{warnings}</div>"


def parts_of_toolset(tools: ShownToolset) -> Iterator[Part]:
    """Yield what rich shows of *tools*."""
    yield from islice(tools, MAX_SHOWN_TOOLS)
    yield "more", max(0, len(tools) - MAX_SHOWN_TOOLS), 0
    yield "modes", dict(islice(tools.modes.items(), MAX_SHOWN_TOOLS)), {}
    yield "warnings", visible_warnings(tools.warnings), []


def html_of_toolset(tools: ShownToolset) -> str:
    """Return what a notebook shows of *tools*: one entry for each."""
    entries = "".join(f"<li>{_line(each)}</li>" for each in islice(tools, MAX_SHOWN_TOOLS))
    title = element("p", f"{len(tools)} tool{'' if len(tools) == 1 else 's'}")
    more = max(0, len(tools) - MAX_SHOWN_TOOLS)
    rest = element("p", f"{more} more") if more else ""
    warnings = listed("Warnings:", visible_warnings(tools.warnings))
    return f"<div>{title}<ul>{entries}</ul>{rest}{warnings}</div>"


def parts_of_contract(contract: ShownContract) -> Iterator[Part]:
    """Yield what rich shows of *contract*."""
    yield _answer_of(contract)
    yield "mode", contract.mode, None
    yield "warnings", visible_warnings(contract.warnings), []


def html_of_contract(contract: ShownContract) -> str:
    """Return what a notebook shows of *contract*."""
    warnings = listed("Warnings:", visible_warnings(contract.warnings))
    return f"<div>{element('code', _answer_of(contract))}{warnings}</div>"


def _line(tool: ShownTool) -> str:
    """Return the name, the signature and the description of *tool* as HTML."""
    call = f"<code><b>{escaped(cut(tool.name))}</b>{escaped(_signature_of(tool))}</code>"
    description = _description_of(tool)
    return f"{call}<br>{escaped(description)}" if description else call


def _signature_of(tool: ShownTool) -> str:
    """Return the signature that a model sees, or why there is none: showing never raises that."""
    try:
        return visible(tool.signature, described=False)
    except TypesigError as error:
        return cut(f" has no signature: {error}")


def _description_of(tool: ShownTool) -> str:
    try:
        return cut("\n".join(lines_of(tool.description)))
    except TypesigError:
        return ""


def _warnings_of(tool: ShownTool) -> list[str]:
    try:
        return visible_warnings(tool.warnings)
    except TypesigError:
        return []


def _answer_of(contract: ShownContract) -> str:
    return cut(lone_text(redacted(contract.signature)))
