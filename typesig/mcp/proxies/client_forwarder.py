"""Forward requests and log messages of the upstream server to the client of the call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from typesig.calls.errors import ToolError
from typesig.errors import Unsupported
from typesig.mcp.serving.requests import Request, get_current_request
from typesig.mcp.transport.sdk_internals import get_connection
from typesig.tools.foreign.foreign_texts import (
    is_plain_name,
    strip_invisible,
    strip_invisible_line,
    strip_schema,
)

#: What of a request is for the connection that it came by.
_OWN = ("_meta", "task")


class ClientForwarder:
    """Forwarder of the upstream server's requests to the client whose call is running."""

    __slots__ = ("_running",)

    def __init__(self, running: Callable[[], list[Request]]) -> None:
        self._running = running

    def make_options(self) -> dict[str, Any]:
        """Build the options of `connect` that forward requests to the client."""
        return {
            "on_elicit": self._elicit,
            "on_sample": self._sample,
            "on_roots": self._list_roots,
            "on_log": self._log,
        }

    def _request(self) -> Request:
        """Find the request whose client to ask; raise `ToolError` if it is ambiguous.

        The protocol of 2025-11-25 does not say which call a question belongs to, and another client
        must not be asked.
        """
        own, requests = get_current_request(), self._running()
        # The SDK runs this in the context of the sender, which may be a server of this process.
        if own is not None and any(own is each for each in requests):
            return own
        running = {id(get_connection(each.context)): each for each in requests}
        if not running:
            raise ToolError("nobody can be asked: no call of a client is running")
        if len(running) > 1:
            raise ToolError("nobody can be asked: calls of several clients are running")
        return running.popitem()[1]

    async def _elicit(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Forward an elicitation with *params* to the client, without invisible text."""
        sent = _drop_own_keys(params)
        sent["message"] = strip_invisible(sent["message"])
        if sent.get("mode") == "url":
            if not is_plain_name(sent["url"]):
                raise ToolError("the address has characters that are not seen")
        else:
            try:
                sent["requestedSchema"] = strip_schema(sent["requestedSchema"])
            except (Unsupported, RecursionError) as error:
                raise ToolError(f"the form cannot be shown: {error}") from None
        return await self._request().aask("elicitation/create", sent)

    async def _sample(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Forward a sampling request with *params* to the client and return its answer."""
        sent = _drop_own_keys(params)
        if "systemPrompt" in sent:
            sent["systemPrompt"] = strip_invisible(sent["systemPrompt"])
        sent["messages"] = [
            {**each, "content": _clean_content(each["content"])} for each in sent["messages"]
        ]
        return await self._request().aask("sampling/createMessage", sent)

    async def _list_roots(self, _: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask the client for its roots; the request has no parameters."""
        return await self._request().aask("roots/list", {})

    def _log(self, entry: Mapping[str, Any]) -> None:
        """Forward the log *entry* to the client; drop it if the client is ambiguous."""
        try:
            request = self._request()
        except ToolError:
            # It may tell of the call of another client.
            return
        logger = entry.get("logger")
        named = None if logger is None else strip_invisible_line(logger)
        request.log(_clean_data(entry.get("data")), entry["level"], named)


def _drop_own_keys(params: Mapping[str, Any]) -> dict[str, Any]:
    """Copy request *params* without the keys that belong to a single connection."""
    return {key: each for key, each in params.items() if key not in _OWN}


def _clean_content(content: Any) -> Any:
    """Replace invisible characters in *content*, a block or several."""
    if isinstance(content, list):
        return [_clean_content(each) for each in content]
    return {**content, "text": strip_invisible(content["text"])} if "text" in content else content


def _clean_data(data: Any) -> Any:
    """Replace invisible characters in JSON *data*."""
    if isinstance(data, str):
        return strip_invisible(data)
    if isinstance(data, list):
        return [_clean_data(each) for each in data]
    if isinstance(data, dict):
        return {strip_invisible_line(key): _clean_data(each) for key, each in data.items()}
    return data
