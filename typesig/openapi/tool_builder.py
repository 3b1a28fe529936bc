"""Build tools for the operations of a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from typesig.calls.running import AWAITING, BLOCKING, WaitMode, run_blocking
from typesig.calls.unknown_tools import explain_unknown_tool
from typesig.errors import TypesigError, Unsupported, format_value
from typesig.extraction.callables.warnings import HintWarning
from typesig.openapi.arguments import Arguments, WholeBody, build_arguments
from typesig.openapi.documents import Document, read_document
from typesig.openapi.http_client import check_send, is_async, send_request
from typesig.openapi.operations import Operation, is_token, iter_operations, make_omission_warning
from typesig.openapi.requests import (
    RequestPlan,
    Secret,
    SecretPlace,
    check_base,
    find_templates,
    list_hidden_texts,
    make_basic_credential,
)
from typesig.openapi.responses import build_result_schema, check_status, read_data
from typesig.openapi.schemas import Schemas
from typesig.providers.registry.provider import NameRule, make_legal_names
from typesig.tools.foreign.foreign import (
    ForeignDefinition,
    foreign_tool,
    make_refusal_loss,
    read_together,
)
from typesig.tools.foreign.signatures import check_depth
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset
from typesig.validation.plain_data import to_plain

if TYPE_CHECKING:
    from typesig.openapi.http_client import Send
    from typesig.openapi.messages import Request, Response
    from typesig.validation.policy import ModeName, Policy


#: A credential: a text, the user and password of the scheme Basic, or what returns a text.
Credential: TypeAlias = "str | tuple[str, str] | Callable[[], str | Awaitable[str]]"

#: The function and the definition of a tool to build.
_ToolPlan: TypeAlias = tuple[Callable[..., Any], ForeignDefinition]

_NAMES = NameRule("A-Za-z_", "A-Za-z0-9_.-", 64)

_PLACES: dict[str, SecretPlace] = {"header": "header", "query": "query", "cookie": "cookie"}

#: What the methods mean (RFC 9110, 9.2), in the words of the Model Context Protocol.
_ANNOTATIONS: dict[str, dict[str, bool]] = {
    "GET": {"readOnlyHint": True},
    "HEAD": {"readOnlyHint": True},
    "OPTIONS": {"readOnlyHint": True},
    "TRACE": {"readOnlyHint": True},
    "PUT": {"readOnlyHint": False, "idempotentHint": True},
    "DELETE": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True},
    "POST": {"readOnlyHint": False},
    "PATCH": {"readOnlyHint": False},
    # An internet draft of the working group for HTTP; it is as safe as GET.
    "QUERY": {"readOnlyHint": True},
}


def tools_from(
    document: object,
    *,
    base: str | None = None,
    send: Send | None = None,
    credentials: Mapping[str, Credential] | None = None,
    names: Iterable[str] | None = None,
    tags: Iterable[str] | None = None,
    mode: ModeName | Policy | None = None,
    depth: int | None = None,
) -> Toolset:
    """Return a tool for each operation of *document*, of OpenAPI 3.0, 3.1 or 3.2.

    *document* is a dict, JSON or YAML text, or a `pathlib.Path`.  *base* is the address before each
    path; those in the document are not used.  *send* takes a `Request` and returns a `Response`, or
    is a client of httpx; async ones make coroutine tools.  *credentials* are for the security
    schemes of the document, by name.  *names* and *tags* choose operations.  Nothing is requested
    unless a tool is called.  An operation that cannot be called is left out, with a warning.
    *depth* is how many levels of objects results are told with, by default all: deeper ones are
    any map, which each tool's `warnings` tell.
    Raises `TypesigError` for what is no such document, and for unknown names and tags.

    >>> from typesig import openapi
    >>> get = {"operationId": "ping", "responses": {"200": {"description": "It is there."}}}
    >>> document = {"openapi": "3.1.0", "paths": {"/ping": {"get": get}}}
    >>> tools = openapi.tools_from(document, base="http://localhost", send=lambda request: ...)
    >>> str(tools["ping"].signature)
    '()! -> :nil'
    """
    levels = check_depth(depth)
    making = _ToolBuilder(read_document(document), base, send, credentials)
    found: list[Operation] = []
    warnings: list[HintWarning] = []
    for each in iter_operations(making.document):
        if isinstance(each, Operation):
            found.append(each)
        else:
            warnings.append(each)
    named = dict(zip(_make_names(found), found, strict=True))
    prepared: list[_ToolPlan] = []
    for name, operation in _select_operations(named, names, tags).items():
        made = making.prepare(name, operation)
        if isinstance(made, HintWarning):
            warnings.append(made)
        else:
            prepared.append(made)
    return Toolset(_make_tools(prepared, levels, warnings), warnings, mode=mode)


def _make_tools(
    prepared: list[_ToolPlan], levels: int | None, warnings: list[HintWarning]
) -> list[Tool[..., Any]]:
    """Build the tools of the plans *prepared*; add warnings for failures."""
    tools: list[Tool[..., Any]] = []
    together = read_together([defined for _, defined in prepared])
    for (function, defined), known in zip(prepared, together, strict=True):
        try:
            whole = defined._replace(depth=levels)
            tools.append(foreign_tool(function, whole, lambda response: response.data, known))
        except TypesigError as error:
            warnings.append(make_omission_warning(defined.name, error))
    return tools


def _select_operations(
    named: dict[str, Operation], names: Iterable[str] | None, tags: Iterable[str] | None
) -> dict[str, Operation]:
    """Filter operations by *names* and *tags*; raise on an unknown name or tag."""
    known = dict.fromkeys(tag for each in named.values() for tag in each.tags)
    if names is not None:
        asked = [names] if isinstance(names, str) else list(names)
        for name in asked:
            if name not in named:
                raise TypesigError(explain_unknown_tool(name, tuple(named)))
        named = {name: named[name] for name in dict.fromkeys(asked)}
    if tags is not None:
        wanted = dict.fromkeys([tags] if isinstance(tags, str) else tags)
        for tag in wanted:
            if tag not in known:
                raise TypesigError(
                    f"no operation has the tag {format_value(tag)}; those that there are: "
                    f"{', '.join(known) or 'none'}"
                )
        named = {name: each for name, each in named.items() if wanted.keys() & each.tags}
    return named


def _make_names(operations: list[Operation]) -> list[str]:
    """Make a valid name for each of *operations*, independent of their order."""
    count = Counter(each.id for each in operations)
    short_names = Counter(map(_make_short_name, operations))
    raw: list[str] = []
    for each in operations:
        name = each.id if each.id is not None and count[each.id] == 1 else _make_short_name(each)
        if each.id != name and (short_names[name] > 1 or name in count):
            name = f"{each.method.lower()} {each.path}"
            while name in count:
                name += " "
        raw.append(name)
    legal = make_legal_names(raw, _NAMES)
    return [legal[name] for name in raw]


def _make_short_name(operation: Operation) -> str:
    """Derive a tool name from method and path of *operation*, such as `get_users_id`."""
    return "_".join([operation.method.lower(), *re.findall("[A-Za-z0-9]+", operation.path)])


class _ToolBuilder:
    """Builds the tools of a document."""

    def __init__(
        self,
        document: Document,
        base: str | None,
        send: object,
        credentials: Mapping[str, Credential] | None,
    ) -> None:
        self.document = document
        self._base = None if base is None else check_base(base)
        self._send = check_send(send)
        self._schemes = _get_schemes(document)
        self._credentials = credentials
        for name in credentials or ():
            if name not in self._schemes:
                known = ", ".join(self._schemes) or "none"
                raise TypesigError(
                    f"there is no security scheme {format_value(name)}; those of the "
                    f"document: {known}"
                )
        self._schemas = Schemas(document)
        keys = [each for each in self._schemes.values() if each.get("type") == "apiKey"]
        named = [(str(each.get("in")), str(each.get("name"))) for each in keys]
        self._hidden = frozenset(
            (where, name.lower() if where == "header" else name) for where, name in named
        )

    def prepare(self, name: str, operation: Operation) -> _ToolPlan | HintWarning:
        """Plan the tool *name* for *operation*; a warning if it cannot be called."""
        chosen = self._choose_alternative(operation)
        if chosen is None:
            needs = " or ".join(" and ".join(sorted(each)) for each in operation.security)
            remedy = "give them in credentials=; the operation is left out"
            return HintWarning(name, "", f"it needs credentials for {needs}", remedy, "left_out")
        secrets = self._get_secrets(chosen)
        try:
            return self._plan_tool(name, operation, secrets)
        except TypesigError as error:
            return make_omission_warning(name, error)

    def _plan_tool(self, name: str, operation: Operation, secrets: tuple[Secret, ...]) -> _ToolPlan:
        """Plan the tool *name*; raise `TypesigError` if it cannot be called."""
        there = {each.name for each in operation.parameters if each.where == "path"}
        for template in find_templates(operation.path):
            if template not in there:
                why = f"no parameter in the path is called {format_value(template)}"
                raise Unsupported(why, operation.place)
        arguments = build_arguments(self.document, operation, self._schemas, self._hidden)
        try:
            result, lost = build_result_schema(operation, self._schemas)
        except TypesigError as error:
            # The operation can be called, whatever it answers.
            result, lost = None, (make_refusal_loss(("output",), error),)
        defined = ForeignDefinition(
            name,
            arguments.schema,
            result,
            _build_description(operation, arguments),
            operation.summary,
            {**_ANNOTATIONS.get(operation.method, {}), "openWorldHint": True},
            (*operation.lost, *arguments.lost, *lost),
        )
        plan = RequestPlan(operation, arguments, self._base or "", secrets)
        return _make_function(plan, self._send), defined

    def _choose_alternative(self, operation: Operation) -> frozenset[str] | None:
        """First security alternative of *operation* with all credentials.

        It is empty where none is needed, and None if there is no such alternative.
        """
        given = self._credentials or {}
        usable = [each for each in operation.security if each and each <= given.keys()]
        if usable:
            return usable[0]
        is_open = not operation.security or frozenset() in operation.security
        return frozenset() if is_open or self._credentials is None else None

    def _get_secrets(self, names: Iterable[str]) -> tuple[Secret, ...]:
        """Return the credentials for the schemes *names*."""
        given = self._credentials or {}
        return tuple(
            secret
            for name in sorted(names)
            for secret in _make_secrets(name, self._schemes[name], given[name])
        )


def _get_schemes(document: Document) -> dict[str, dict[str, Any]]:
    """Return the security schemes of *document* by name, with references resolved."""
    place = ("components", "securitySchemes")
    components = document.root.get("components")
    found = components.get("securitySchemes") if isinstance(components, dict) else None
    return {
        str(name): document.resolve(each, (*place, str(name)))
        for name, each in (found.items() if isinstance(found, dict) else ())
    }


def _make_secrets(name: str, scheme: dict[str, Any], given: Credential) -> list[Secret]:
    """Secrets for *scheme* from the credential *given*."""
    kind, way = scheme.get("type"), str(scheme.get("scheme")).lower()
    if isinstance(given, tuple):
        if kind != "http" or way != "basic":
            raise TypesigError(
                f"{format_value(name)} takes a str; a user and password are for Basic"
            )
        text = make_basic_credential(*given)
        return [Secret("header", "Authorization", "Basic ", lambda: text)]
    if not isinstance(given, str) and not callable(given):
        raise TypesigError(
            f"the credential for {format_value(name)} is a str, or a function that returns one"
        )
    value = given if callable(given) else lambda: given
    where = _PLACES.get(str(scheme.get("in")))
    match kind:
        case "apiKey" if where == "query" or (where and is_token(str(scheme.get("name")))):
            return [Secret(where, str(scheme.get("name")), "", value)]
        case "http" if is_token(way) and way != "none":
            return [Secret("header", "Authorization", f"{way.capitalize()} ", value)]
        case "oauth2" | "openIdConnect":
            return [Secret("header", "Authorization", "Bearer ", value)]
        case _:
            raise TypesigError(
                f"{format_value(name)} is not a scheme for credentials in a request; add "
                "them in send="
            )


def _build_description(operation: Operation, arguments: Arguments) -> str | None:
    """Join the summary and description of *operation* to a description."""
    parts = [operation.summary, operation.description]
    if operation.summary is not None and operation.description is not None:
        own = operation.summary.strip(" .")
        parts = parts[1:] if operation.description.strip().startswith(own) else parts
    if arguments.body is not None and not any(isinstance(p, WholeBody) for _, p in arguments.each):
        parts.append(arguments.body.description)
    if operation.is_deprecated:
        parts.append("Deprecated.")
    return "\n\n".join(part.strip() for part in parts if part is not None) or None


def _build_request(plan: RequestPlan, values: dict[str, Any], texts: list[str]) -> Request:
    """Build the HTTP request for arguments *values* and secrets *texts*."""
    if not plan.base:
        raise TypesigError(
            "the base address is missing: tools_from(document, base=…); addresses in the document "
            "are not used"
        )
    return plan.build_request(to_plain(values), texts)


def _read_response(plan: RequestPlan, response: Response, texts: list[str]) -> Response:
    """Parse the body of *response*; raise on an error status, hiding secrets *texts*."""
    pairs = zip(plan.secrets, texts, strict=True)
    hidden = [form for secret, text in pairs for form in list_hidden_texts(secret, text)]
    check_status(response, plan.operation.method, hidden)
    return response._replace(data=read_data(response))


def _make_function(plan: RequestPlan, send: Any) -> Callable[..., Any]:
    """Build the function of a tool that sends its request with *send*, async if that is."""

    async def run(waiting: WaitMode, values: dict[str, Any]) -> Response:
        # Once for each call, since each time may give another one.
        texts = [await secret.get_text(waiting) for secret in plan.secrets]
        request = _build_request(plan, values, texts)
        response = await send_request(send, request, plan.has_secret_in_query, waiting)
        return _read_response(plan, response, texts)

    def operation(**values: Any) -> Any:
        return run_blocking(run(BLOCKING, values))

    async def await_operation(**values: Any) -> Any:
        return await run(AWAITING, values)

    return await_operation if is_async(send) else operation
