"""What a connection answers to its server: questions to the person, to a model, and for folders."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from typesig.calls.errors import ToolError
from typesig.mcp.transport.lifetimes import LOG
from typesig.mcp.transport.sdk import any_object, sdk

#: Is called with the params of a request, JSON data, and returns the result, which may be awaited.
Answer: TypeAlias = Callable[[dict[str, Any]], Any]


class Answers(NamedTuple):
    """What answers a server, or None for what it is told that there is none of."""

    on_elicit: Answer | None = None
    on_sample: Answer | None = None
    on_roots: Answer | None = None
    on_log: Answer | None = None

    def options(self) -> dict[str, Any]:
        """Return the options of the SDK's client for these."""
        found: dict[str, Any] = {}
        if self.on_elicit is not None:
            found["elicitation_callback"] = _Answering(self.on_elicit, "ElicitResult")
        if self.on_sample is not None:
            found["sampling_callback"] = _Answering(self.on_sample, "CreateMessageResult")
        if self.on_roots is not None:
            found["list_roots_callback"] = _Answering(self.on_roots, "ListRootsResult")
        if self.on_log is not None:
            # Everything; whoever shows it chooses.
            found.update(logging_callback=_Answering(self.on_log, None), log_level="debug")
        return found


async def ask_for_logs(session: Any) -> None:
    """Ask the server of *session* for all of its log, if it has one that can be asked for."""
    types = sdk("mcp_types")
    if session.server_capabilities.logging is not None and session.initialize_result is not None:
        params = types.SetLevelRequestParams(level="debug")
        with suppress(sdk().MCPError):
            await session.send_request(types.SetLevelRequest(params=params), any_object())


class _Answering:
    """Answers by *answer* as the SDK calls it; *model* is the result, or None if there is none."""

    __slots__ = ("_answer", "_model")

    def __init__(self, answer: Answer, model: str | None) -> None:
        self._answer = answer
        self._model = model

    async def __call__(self, *given: Any) -> Any:
        types = sdk("mcp_types")
        # The context comes first, except for logs; there is no more for folders.
        params = given[-1] if self._model is None or len(given) > 1 else None
        sent = (
            {}
            if params is None
            else params.model_dump(by_alias=True, mode="json", exclude_none=True)
        )
        try:
            made = self._answer(sent)
            found = await made if inspect.isawaitable(made) else made
            return None if self._model is None else self._read(found)
        except ToolError as error:
            return types.ErrorData(code=types.INVALID_REQUEST, message=str(error))
        except sdk().MCPError as error:
            return error.error
        except sdk("pydantic").ValidationError:
            LOG.error("what a server asked was answered with what is no answer")
            return types.ErrorData(code=types.INTERNAL_ERROR, message="there is no valid answer")
        except Exception as error:
            # The function is the host's, and may raise anything; the connection goes on.
            LOG.error("what a server asked, or its log, made a function raise", exc_info=error)
            return types.ErrorData(code=types.INTERNAL_ERROR, message="the client failed")

    def _read(self, found: Any) -> Any:
        """Return *found* as the SDK has it."""
        types = sdk("mcp_types")
        several = isinstance(found, Mapping) and isinstance(found.get("content"), list)
        name = f"{self._model}WithTools" if several and "role" in found else str(self._model)
        return getattr(types, name).model_validate(found, by_name=False)
