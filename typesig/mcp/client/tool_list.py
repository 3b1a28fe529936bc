"""The tools that a server lists, and notifications that its lists have changed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from typesig.algebra.nodes import ANY
from typesig.calls.results import ToolResult
from typesig.contracts.contract import ToolContract, annotate_signature, make_contract
from typesig.contracts.lock_diff import Diff, find_changes
from typesig.contracts.pins import ContractBroken, check_pins
from typesig.errors import TooLarge, TypesigError, Unsupported, format_value
from typesig.extraction.callables.warnings import HintWarning, shorten_line
from typesig.limits import MAX_WARNING
from typesig.limits.network import MAX_FOREIGN_TOOLS, MAX_PAGES
from typesig.mcp.client.tool_calls import make_caller
from typesig.mcp.transport.lifespans import KINDS, LOG, Kind
from typesig.mcp.transport.sdk import import_sdk
from typesig.providers.registry.provider import NameRule, make_legal_names
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool
from typesig.tools.foreign.foreign_texts import strip_invisible_line, strip_schema
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from mcp import Client, ClientSession

    from typesig.validation.policy import ModeName, Policy


# --- The tools of another server as a toolset; calls go through a session with it ---

# --- Lock files for servers: refuse changed tools, or keep their locked texts ---

#: The path of a lock.
Path: TypeAlias = str | os.PathLike[str]


class Pin(NamedTuple):
    """The lock file of a server, or None, and whether changed texts keep the lock's.

    #: keep_locked: whether a tool with new texts keeps those of the lock, and is not refused
    """

    lock: Path | None = None
    keep_locked: bool = False


#: The locks of the sessions that were connected with one.
_PINS: WeakKeyDictionary[Any, Pin] = WeakKeyDictionary()


def set_pin(session: Any, lock: Path | None, keep_locked: bool) -> None:
    """Set *lock* as the lock file that the tools of *session* are checked against."""
    _PINS[session] = Pin(lock, keep_locked)


async def apply_pin(tools: Toolset, session: Any, pin: Pin) -> Toolset:
    """Remove the tools from *tools* that the lock of *pin* or of *session* refuses."""
    default = _PINS.get(session, Pin())
    file = default.lock if pin.lock is None else pin.lock
    if file is None:
        return tools
    # To compare large contracts takes long.
    found = await asyncio.to_thread(check_pins, tools, file)
    locked: dict[str, Tool[..., Any]] = {}
    if pin.keep_locked or default.keep_locked:
        usable = found.usable.items()
        made_of_lock = {name: restore_tool(tools[name], each) for name, each in usable}
        locked = {name: one for name, one in made_of_lock.items() if one is not None}
    refused = {name: why for name, why in found.refused.items() if name not in locked}
    found = found._replace(refused=refused)
    kept = [locked.get(one.name, one) for one in tools if one.name not in refused]
    warnings = [*tools.warnings, *(_make_refused_warning(*each) for each in found.refused.items())]
    warnings += [_make_locked_warning(name, os.fspath(file)) for name in locked]
    remedy = f"if that is right, run typesig lock --update -o {os.fspath(file)}"
    for name in found.gone:
        if name not in tools.refused:
            why = "the lock has this tool, and the server does not"
            warnings.append(HintWarning(name, "", why, remedy, "left_out"))
    if found.unrecorded:
        why = shorten_line(f"what is new is not recorded: {found.unrecorded}", MAX_WARNING)
        warnings.append(HintWarning("", "", why, "make the file writable", "partial"))
    made = Toolset(kept, warnings, refused={**tools.refused, **found.refused})
    made.modes = {name: mode for name, mode in tools.modes.items() if name in made}
    return made


def restore_tool(tool: Tool[..., Any], locked: ToolContract) -> Tool[..., Any] | None:
    """Rebuild *tool* with the locked contract *locked*; None if the result would differ."""
    signature = annotate_signature(locked)
    original = tool.binding.original
    returns = None if signature.returns == ANY else signature.to_json_schema(exact=True)
    defined = ForeignDefinition(
        locked.name,
        signature.input_schema(exact=True),
        returns,
        locked.description,
        locked.title,
        locked.annotations,
        called=None if original is None else original.raw.get(("name",)),
    )
    made = foreign_tool(tool.__wrapped__, defined, ToolResult.data)
    changes = Diff(tuple(find_changes(locked, make_contract(made), {})))
    return made if changes.severity in (None, "additive") else None


def _make_locked_warning(name: str, file: str) -> HintWarning:
    """Build the warning that tool *name* keeps the descriptions of the lock *file*."""
    why = f"its texts are not those of {file}, so it keeps those of the lock"
    remedy = f"after a look, accept the new ones with typesig lock --update -o {file}"
    return HintWarning(name, "", why, remedy, "partial")


def _make_refused_warning(name: str, error: TypesigError) -> HintWarning:
    """Build the warning that tool *name* is left out; *error* is the reason."""
    if not isinstance(error, ContractBroken):
        why = shorten_line(f"{error}, so it is left out", MAX_WARNING)
        return HintWarning(name, "", why, "ask those who run the server", "left_out")
    first = error.diff.at_least("dangerous")[0]
    why = shorten_line(
        f"it is not what {error.file} says, so it is left out: {first.sentence}", MAX_WARNING
    )
    remedy = f"after a look, accept it with typesig lock --update -o {error.file}"
    return HintWarning(name, first.place, why, remedy, "left_out")


# --- Results that FastMCP wraps in an object, since structured content had to be an object ---

#: The keyword by which FastMCP marks the schema of such a result, and the name of the value in it.
_MARK, _NAME = "x-fastmcp-wrap-result", "result"

#: Keywords of the whole schema that the schema of the value may refer to.
_SHARED = ("$defs", "$schema", "definitions")


def unwrap_schema(schema: Any) -> Any:
    """Return the schema of the value that *schema* wraps in an object, or None.

    >>> unwrap_schema({"x-fastmcp-wrap-result": True, "properties": {"result": {"type": "null"}}})
    {'type': 'null'}
    """
    if not isinstance(schema, Mapping) or schema.get(_MARK) is not True:
        return None
    properties = schema.get("properties")
    inner = properties.get(_NAME) if isinstance(properties, Mapping) else None
    if not isinstance(inner, Mapping):
        return None
    return {**{key: schema[key] for key in _SHARED if key in schema}, **inner}


def unwrap_results(
    call: Callable[..., Awaitable[ToolResult]],
) -> Callable[..., Awaitable[ToolResult]]:
    """Wrap the tool function *call* to return values without their wrapper object."""

    async def unwrap(**arguments: Any) -> ToolResult:
        found = await call(**arguments)
        held = found.structured
        if isinstance(held, dict) and held.keys() == {_NAME}:
            return found._replace(structured=held[_NAME])
        return found

    return unwrap


# --- The tools of another server as a toolset; calls go through a session with it ---
# A schema that cannot be read does not make a tool unusable: what is checked is widened, which the
# tool's `warnings` tell, and the schema is projected as it came.

#: The names that each provider takes, or nearly each.
_NAMES = NameRule("A-Za-z_", "A-Za-z0-9_.-", 128)


async def tools_from(
    session: ClientSession | Client,
    *,
    timeout: float | None = None,
    mode: ModeName | Policy | None = None,
    lock: Path | None = None,
    keep_locked: bool = False,
    apps: bool = False,
) -> Toolset:
    """Return the tools of the server of *session*, which is initialised, as a toolset.

    A call goes through *session*: `acall` checks the arguments, sends them, and checks the result
    if the tool has an output schema.  *timeout* is how many seconds a call may take, by default
    those of *session*; *mode* is that of calls without one.  Names that a provider would refuse
    are changed; a tool that cannot be called is left out; the toolset's `warnings` tell both.
    *lock* is the path of a lock, by default that of `connect`: the first use writes it, and later
    a tool that is new, or changed by more than what is additive, is left out, and is one of
    `refused`.  With *keep_locked*, a tool of which only texts changed keeps those of the lock.
    With *apps*, tools that are only for a page of the server, and not for a model, are there, too.
    Raises `TypesigError` for what is no such session, for a list that is not valid and for a lock
    that cannot be used, and `TooLarge` for a list that does not end.
    """
    session = _get_session(session)
    listed, warnings = await _list_tools(session)
    legal = make_legal_names([each.name for each in listed], _NAMES)
    tools: dict[str, Tool[..., Any]] = {}
    refused: dict[str, TypesigError] = {}
    for each in listed:
        name = legal[each.name]
        if not apps and not _is_for_model(each.meta):
            why = "it is for a page of the server, and not for a model"
            warnings.append(HintWarning(name, "", why, "pass apps=True for it", "left_out"))
            continue
        try:
            if name in tools:
                raise TypesigError("the server lists two tools of this name")
            beside, hidden = _read_extras(each, name)
            tools[name] = _make_tool(session, each, name, timeout, beside)
            warnings += hidden
        except TypesigError as error:
            warnings.append(_make_omission_warning(name, error))
            if name not in tools:
                refused[name] = error
            continue
        if name != each.name:
            why = f"the server calls it {format_value(strip_invisible_line(each.name))}"
            warnings.append(HintWarning(name, "", why, "call it by this name", "partial"))
    made = Toolset(tools.values(), warnings, mode=mode, refused=refused)
    return await apply_pin(made, session, Pin(lock, keep_locked))


def _get_session(given: Any) -> Any:
    """Get the session from *given*; raise `TypesigError` if it has none."""
    mcp = import_sdk()
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


async def _list_tools(session: Any) -> tuple[list[Any], list[HintWarning]]:
    """List the tools on all pages of the server of *session*, with warnings."""
    mcp, pydantic, types = import_sdk(), import_sdk("pydantic"), import_sdk("mcp_types")
    found: list[Any] = []
    cursors: set[str] = set()
    cursor: str | None = None
    while True:
        params = None if cursor is None else types.PaginatedRequestParams(cursor=cursor)
        try:
            page = await session.list_tools(params=params)
        except pydantic.ValidationError as error:
            # Its path and its message, without the value.
            [first, *_] = error.errors(include_url=False, include_input=False)
            why = shorten_line(f"{'.'.join(map(str, first['loc']))}: {first['msg']}", MAX_WARNING)
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


def _read_extras(listed: Any, name: str) -> tuple[dict[str, Any], list[HintWarning]]:
    """Icons and `_meta` of the tool *listed*, to be listed again to other clients.

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
            warnings.append(_make_omission_warning(name, error, key))
    return found, warnings


def _make_tool(
    session: Any, listed: Any, name: str, timeout: float | None, beside: Mapping[str, Any]
) -> Tool[..., Any]:
    """Build the tool *name* from its MCP definition *listed*; *session* runs its calls."""
    is_task = listed.execution is not None and listed.execution.task_support == "required"
    hints: dict[str, Any] = {}
    if listed.annotations is not None:
        hints = listed.annotations.model_dump(mode="json", by_alias=True, exclude_none=True)
    output = listed.output_schema
    inner = unwrap_schema(output)
    defined = ForeignDefinition(
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
    call = make_caller(session, listed.name, timeout, is_task, output is not None)
    if inner is not None:
        call = unwrap_results(call)
    return foreign_tool(call, defined, ToolResult.data)


def _is_for_model(meta: object) -> bool:
    """Whether the tool whose definition has *meta* is for a model, and not only for a page.

    The extension MCP Apps says that a host offers its model no other tools:
    https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
    """
    told = meta.get("ui") if isinstance(meta, Mapping) else None
    visibility = told.get("visibility") if isinstance(told, Mapping) else None
    return not isinstance(visibility, list) or "model" in visibility


def _make_omission_warning(name: str, error: Exception, part: str = "") -> HintWarning:
    """Build the warning that *error* left out the tool *name*, or a *part* of it."""
    reason = shorten_line(f"{error}, so it is left out", MAX_WARNING)
    return HintWarning(name, part, reason, "ask those who run the server", "left_out")


# --- Notifications that the lists of a server have changed ---

#: Is called with the kind of the list that has changed.
OnChange: TypeAlias = Callable[[Kind], object]

#: The seconds until a server is asked again to tell of changes, if it has stopped: the first time,
#: and at most.
_AGAIN, _LONGEST = 1.0, 60.0


class Changes:
    """Queue of the kinds of lists that have changed, without duplicates."""

    __slots__ = ("_event", "_kinds")

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._kinds: dict[Kind, None] = {}

    def note(self, kind: Kind) -> None:
        """Add *kind* to the kinds of lists that have changed."""
        self._kinds[kind] = None
        self._event.set()

    async def next(self) -> list[Kind]:
        """Wait for a change; return the kinds that have changed since the last call."""
        await self._event.wait()
        self._event.clear()
        found: list[Kind] = list(self._kinds)
        self._kinds.clear()
        return found


def make_message_handler(on_change: OnChange) -> Any:
    """Make the session's message handler, which calls *on_change*."""
    types = import_sdk("mcp_types")
    kinds: dict[type, Kind] = {
        getattr(types, f"{kind.removesuffix('s').title()}ListChangedNotification"): kind
        for kind in KINDS
    }

    async def handle(message: Any) -> None:
        kind = kinds.get(type(message))
        if kind is not None:
            _notify(on_change, kind)

    return handle


async def listen(session: Any, on_change: OnChange) -> None:
    """Subscribe to list changes of the server of *session*, and call *on_change* for each.

    From 2026-07-28 on, a server tells only those who ask.  One that stops is asked again; what it
    told before that is lost, so all lists count as changed then.
    """
    subscriptions, error_of_protocol = import_sdk("mcp.client.subscriptions"), import_sdk().MCPError
    kinds: dict[type, Kind] = {
        getattr(subscriptions, f"{kind.title()}ListChanged"): kind for kind in KINDS
    }
    wanted = {f"{kind}_list_changed": True for kind in KINDS}
    pause, is_again = _AGAIN, False
    while True:
        try:
            async with subscriptions.listen(session, **wanted) as events:
                if is_again:
                    notify_all(on_change)
                pause, is_again = _AGAIN, True
                with suppress(subscriptions.SubscriptionLost):
                    async for event in events:
                        _notify(on_change, kinds[type(event)])
        except (error_of_protocol, subscriptions.SubscriptionLost, TimeoutError) as error:
            LOG.debug("the server does not tell of changes: %s", error)
            if not is_again:
                return
            pause = min(2 * pause, _LONGEST)
        await asyncio.sleep(pause)


def notify_all(on_change: OnChange) -> None:
    """Call *on_change* for every kind of list."""
    for kind in KINDS:
        _notify(on_change, kind)


def _notify(on_change: OnChange, kind: Kind) -> None:
    """Call *on_change* with the *kind* of list that changed; log its exceptions."""
    try:
        on_change(kind)
    except Exception:
        # It must not end the connection.
        LOG.exception("on_change raised for the %s", kind)
