"""The tools of another server as a toolset, whose calls go through a session with it.

A schema that cannot be read does not make a tool unusable: what is checked is widened, which the
tool's `warnings` tell, and the schema is projected as it came.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from typesig.calls.results import ToolResult
from typesig.errors import TooLarge, TypesigError, Unsupported, short
from typesig.extraction.callables.warnings import HintWarning, cut
from typesig.limits import MAX_WARNING
from typesig.mcp.client.foreign_calls import caller
from typesig.mcp.client.pinning import Path, Pin, apply_pin
from typesig.mcp.client.wrapping import unwrap_results, unwrap_schema
from typesig.mcp.transport.sdk import sdk
from typesig.network_limits import MAX_FOREIGN_TOOLS, MAX_PAGES
from typesig.providers.rows.names import NameRule, legal_names
from typesig.tools.foreign.foreign import Defined, foreign_tool
from typesig.tools.foreign.foreign_texts import seen_line, strip_schema
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from mcp import Client, ClientSession

    from typesig.validation.rows.policy import ModeName, Policy

#: The names that each provider takes, or nearly each.
_NAMES = NameRule("A-Za-z_", "A-Za-z0-9_.-", 128)


async def tools_from(
    session: ClientSession | Client,
    *,
    timeout: float | None = None,
    mode: ModeName | Policy | None = None,
    lock: Path | None = None,
    keep_locked: bool = False,
) -> Toolset:
    """Return the tools of the server of *session*, which is initialised, as a toolset.

    A call goes through *session*: `acall` checks the arguments, sends them, and checks the result
    if the tool has an output schema.  *timeout* is how many seconds a call may take, by default
    those of *session*; *mode* is that of calls without one.  Names that a provider would refuse
    are changed; a tool that cannot be called is left out; the toolset's `warnings` tell both.
    *lock* is the path of a lock, by default that of `connect`: the first use writes it, and later
    a tool that is new, or changed by more than what is additive, is left out, and is one of
    `refused`.  With *keep_locked*, a tool of which only texts changed keeps those of the lock.
    Raises `TypesigError` for what is no such session, for a list that is not valid and for a lock
    that cannot be used, and `TooLarge` for a list that does not end.
    """
    session = _session_of(session)
    listed, warnings = await _listed(session)
    legal = legal_names([each.name for each in listed], _NAMES)
    tools: dict[str, Tool[..., Any]] = {}
    refused: dict[str, TypesigError] = {}
    for each in listed:
        name = legal[each.name]
        try:
            if name in tools:
                raise TypesigError("the server lists two tools of this name")
            beside, hidden = _beside(each, name)
            tools[name] = _tool(session, each, name, timeout, beside)
            warnings += hidden
        except TypesigError as error:
            warnings.append(_left_out(name, error))
            if name not in tools:
                refused[name] = error
            continue
        if name != each.name:
            why = f"the server calls it {short(seen_line(each.name))}"
            warnings.append(HintWarning(name, "", why, "call it by this name", "partial"))
    made = Toolset(tools.values(), warnings, mode=mode, refused=refused)
    return await apply_pin(made, session, Pin(lock, keep_locked))


def _session_of(given: Any) -> Any:
    """Return the session that *given* is or has; raise `TypesigError` if it has none."""
    mcp = sdk()
    session = given.session if isinstance(given, mcp.Client) else given
    if not isinstance(session, mcp.ClientSession):
        raise TypesigError(
            f"tools_from takes a mcp.ClientSession or a mcp.Client, not {type(given).__name__}; "
            "write async with typesig.mcp.connect(…) as session"
        )
    if session.protocol_version is None:
        raise TypesigError(
            "the session is not initialised: write await session.initialize() before tools_from"
        )
    return session


async def _listed(session: Any) -> tuple[list[Any], list[HintWarning]]:
    """Return what the server lists, on all pages, and a warning if it has no tools."""
    mcp, pydantic, types = sdk(), sdk("pydantic"), sdk("mcp_types")
    found: list[Any] = []
    cursors: set[str] = set()
    cursor: str | None = None
    while True:
        params = None if cursor is None else types.PaginatedRequestParams(cursor=cursor)
        try:
            page = await session.list_tools(params=params)
        except pydantic.ValidationError as error:
            why = _first(error)
            raise TypesigError(f"the server's list of tools is not valid: {why}") from None
        except mcp.MCPError as error:
            if error.code != types.METHOD_NOT_FOUND or cursor is not None:
                raise
            return [], [HintWarning("", "", "the server has no tools", "ask another", "left_out")]
        found += page.tools
        cursor = page.next_cursor
        if len(found) > MAX_FOREIGN_TOOLS:
            raise TooLarge(f"tools_from reads {MAX_FOREIGN_TOOLS} tools, the server lists more")
        if not cursor:
            return found, []
        if cursor in cursors:
            raise TooLarge("the server's list of tools does not end: it lists a page again")
        if len(cursors) + 1 == MAX_PAGES:
            raise TooLarge(f"the server lists more than {MAX_PAGES} pages of tools")
        cursors.add(cursor)


def _first(error: Any) -> str:
    """Return the place and the text of the first of pydantic's errors, without the value."""
    [first, *_] = error.errors(include_url=False, include_input=False)
    place = ".".join(map(str, first["loc"]))
    return cut(f"{place}: {first['msg']}", MAX_WARNING)


def _beside(listed: Any, name: str) -> tuple[dict[str, Any], list[HintWarning]]:
    """Return the icons and the `_meta` of the tool *listed*, which others can be told of as well.

    What hides something is left out, with a warning.
    """
    found: dict[str, Any] = {}
    warnings: list[HintWarning] = []
    told = listed.model_dump(
        mode="json", by_alias=True, exclude_none=True, include={"icons", "meta"}
    )
    for key, part in told.items():
        try:
            found[key] = strip_schema(part)
        except (Unsupported, RecursionError) as error:
            warnings.append(_left_out(name, error, key))
    return found, warnings


def _tool(
    session: Any, listed: Any, name: str, timeout: float | None, beside: Mapping[str, Any]
) -> Tool[..., Any]:
    is_task = listed.execution is not None and listed.execution.task_support == "required"
    hints: dict[str, Any] = {}
    if listed.annotations is not None:
        hints = listed.annotations.model_dump(mode="json", by_alias=True, exclude_none=True)
    output = listed.output_schema
    inner = unwrap_schema(output)
    defined = Defined(
        name,
        listed.input_schema,
        output if inner is None else inner,
        listed.description,
        # A title among the annotations stays there: the definition is listed again as it came.
        listed.title,
        hints,
        beside=beside,
        called=None if listed.name == name else listed.name,
    )
    call = caller(session, listed.name, timeout, is_task, output is not None)
    if inner is not None:
        call = unwrap_results(call)
    return foreign_tool(call, defined, ToolResult.data)


def _left_out(name: str, error: Exception, part: str = "") -> HintWarning:
    reason = cut(f"{error}, so it is left out", MAX_WARNING)
    return HintWarning(name, part, reason, "ask those who run the server", "left_out")
