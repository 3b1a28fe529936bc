"""The request of a served call, injected into tools: progress, logs, questions."""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import math
from collections.abc import Callable, Coroutine, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args, overload

from typesig.calls.functions import ToolError
from typesig.errors import TypesigError
from typesig.extraction.hints.metadata import HostTypeMeta
from typesig.limits.network import MAX_ASKED, MAX_NOTICE
from typesig.mcp.serving.forms import Elicited, Form
from typesig.mcp.serving.questions import ABILITIES, Ask, Questions, await_answer
from typesig.notations.texts.quoting import escape_surrogates, escape_surrogates_in_data
from typesig.sentinels import NOTHING

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

T = TypeVar("T")

#: How much a message of a log matters, from the least to the most.
Level: TypeAlias = Literal[
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"
]
LEVELS: tuple[Level, ...] = get_args(Level)


class Progress(NamedTuple):
    """Progress of a call: *done* of *total*, and a *message*, for the client to show."""

    done: float
    total: float | None
    message: str | None


class Entry(NamedTuple):
    """A message for the log of a client; *data* is JSON data."""

    level: Level
    data: Any
    logger: str | None


_NOBODY = "nobody waits for the call any more"


class Request(metaclass=HostTypeMeta):
    """The client's request behind a tool call, for progress, log and questions.

    A parameter with this hint is injected: a model never sees it.  Its methods can be called from
    any thread; those that ask something wait for the answer, the others do not wait.  `Request()`
    stands for a request outside a server, as in a test: nobody hears of it, it is not cancelled,
    and *ask*, a function of a method of the protocol and its params, answers what is asked.

    #: id: the name that the client has for the request, or None
    #: meta: what the client sent beside the arguments
    #: client: the name and the version that the client gives for itself, or an empty text
    #: context: the SDK's `ServerRequestContext`, for what it can do beyond this, or None

    >>> from typesig import tool
    >>> @tool
    ... def count(n: int, request: Request) -> int:
    ...     for done in range(n):
    ...         request.progress(done, n)
    ...     return n
    >>> str(count.signature), count.call({"n": 3}, given={"request": Request()}).value
    ('(n :int) -> :int', 3)
    """

    __slots__ = ("_ask", "_asking", "_cancelled", "_post", "client", "context", "id", "meta")

    def __init__(
        self,
        post: Callable[[Progress | Entry], None] | None = None,
        *,
        id: str | int | None = None,
        meta: Mapping[str, Any] = NOTHING,
        client: str = "",
        context: ServerRequestContext[Any, Any] | Any = None,
        ask: Ask | Questions | None = None,
    ) -> None:
        self._post = post
        self._ask = ask
        self._asking: set[concurrent.futures.Future[Any] | asyncio.Future[Any]] = set()
        self._cancelled = False
        self.id = id
        self.meta = meta
        self.client = client
        self.context = context

    @classmethod
    def outside(cls) -> Request:
        """Build the request of a tool call that no server has received."""
        return cls()

    def __repr__(self) -> str:
        return f"<request {self.id!r}{' (cancelled)' if self._cancelled else ''}>"

    @property
    def cancelled(self) -> bool:
        """Whether the call is cancelled: a tool in a thread should end.

        A coroutine function is cancelled at what it awaits.
        """
        return self._cancelled

    def cancel(self) -> None:
        """Mark the request as cancelled, which ends pending questions to the client."""
        self._cancelled = True
        for each in list(self._asking):
            each.cancel()

    def move(
        self, post: Callable[[Progress | Entry], None], id: str | int | None, context: Any
    ) -> None:
        """Continue as the client's next request *id*, sent after it answered a question."""
        self._post, self.id, self.context = post, id, context

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress to the client, if it asked for it.

        *done* should grow with each call; *total* has the same unit.  Raises `TypesigError` for
        anything but finite numbers and text.
        """
        if not _is_number(done) or not (total is None or _is_number(total)):
            raise TypesigError(
                "progress takes the number that is done, and the total: write "
                "request.progress(3, 10)"
            )
        if not isinstance(message, str | None):
            raise TypesigError(f"the message of progress is text, not {type(message).__name__}")
        self._tell(Progress(done, total, None if message is None else _truncate_text(message)))

    def log(self, data: Any, level: Level = "info", logger: str | None = None) -> None:
        """Send *data*, text or JSON data, to the log of the client, which a user may see.

        *logger* is a name for the part of the tool that it is from.  Raises `TypesigError` for an
        unknown level, and for what is no JSON data.
        """
        if level not in LEVELS:
            raise TypesigError(f"the level of a log is one of {', '.join(LEVELS)}, not {level!r}")
        if not isinstance(logger, str | None):
            raise TypesigError(f"logger is the name of a log, not {type(logger).__name__}")
        self._tell(
            Entry(
                level, _prepare_log_data(data), None if logger is None else _truncate_text(logger)
            )
        )

    @property
    def is_asking(self) -> bool:
        """Whether the client is asked something, and has not answered yet."""
        return isinstance(self._ask, Questions) and bool(self._ask.asking or self._ask.waiting)

    @property
    def can_elicit(self) -> bool:
        """Whether the client can ask its user questions."""
        if isinstance(self._ask, Questions):
            return self._ask.find_missing_ability("elicitation/create", {}) is None
        return self._ask is not None

    @overload
    def elicit(
        self, asked: Form[T] | type[T], message: str | None = None, *, key: str | None = None
    ) -> Elicited[T]: ...
    @overload
    def elicit(
        self, asked: object, message: str | None = None, *, key: str | None = None
    ) -> Elicited[Any]: ...
    def elicit(
        self, asked: Any, message: str | None = None, *, key: str | None = None
    ) -> Elicited[Any]:
        """Ask the person at the client, and wait for the answer; for plain functions.

        *asked* and *message* are those of `Form`, or *asked* is one.  An answer that does not fit
        is asked for again, with what is wrong.  *key* names the question for the client.  Raises
        `TypesigError` for what no form can show, and `ToolError`, which a model reads, if the
        client cannot ask or does not answer.

        >>> from typesig.mcp import Request
        >>> def ask(method, params):
        ...     return {"action": "accept", "content": {"value": "3"}}
        >>> Request(ask=ask).elicit(int, "How many?").value
        3
        """
        return self._wait_for_answer(self.aelicit(asked, message, key=key), "elicit")

    @overload
    async def aelicit(
        self, asked: Form[T] | type[T], message: str | None = None, *, key: str | None = None
    ) -> Elicited[T]: ...
    @overload
    async def aelicit(
        self, asked: object, message: str | None = None, *, key: str | None = None
    ) -> Elicited[Any]: ...
    async def aelicit(
        self, asked: Any, message: str | None = None, *, key: str | None = None
    ) -> Elicited[Any]:
        """Ask the person at the client, as `elicit` does; for coroutine functions."""
        form: Form[Any] = asked if isinstance(asked, Form) else Form(asked, message)
        told = form.message if message is None else message
        params = {"mode": "form", "message": told, "requestedSchema": form.schema}
        turn = 0
        while True:
            again = None if key is None or not turn else f"{key} {turn + 1}"
            found = await self.aask("elicitation/create", params, key=again or key)
            action, content = found.get("action"), found.get("content")
            if action in ("decline", "cancel"):
                return Elicited(action)
            if action != "accept" or not isinstance(content, Mapping | None):
                raise ToolError("the client returned an invalid answer to a question")
            outcome = form.read(content or {})
            turn += 1
            if outcome.ok or turn == MAX_ASKED:
                return Elicited("accept", outcome)
            params = {**params, "message": f"{told}\n\n{_truncate_text(outcome.report())}"}

    def ask(
        self, method: str, params: Mapping[str, Any], *, key: str | None = None
    ) -> Mapping[str, Any]:
        """Send the request *method* to the client, and wait, in a plain function.

        *method* is `elicitation/create`, `sampling/createMessage` or `roots/list`; *params* and the
        result are JSON data.  Raises `ToolError`, which a model reads, if the client does not have
        it or does not answer.
        """
        return self._wait_for_answer(self.aask(method, params, key=key), "ask")

    async def aask(
        self, method: str, params: Mapping[str, Any], *, key: str | None = None
    ) -> Mapping[str, Any]:
        """Send the request *method* to the client, and await its result."""
        if method not in ABILITIES:
            raise TypesigError(f"a client is asked for {', '.join(ABILITIES)}, not {method!r}")
        if self._ask is None:
            raise ToolError("nobody can be asked: the call does not come from a client")
        if not isinstance(self._ask, Questions):
            return await await_answer(self._ask, method, params)
        if asyncio.get_running_loop() is self._ask.loop:
            return await self._await_answer(self._ask.ask(method, params, key))
        # A tool in a thread may run a loop of its own.
        there = asyncio.run_coroutine_threadsafe(self._ask.ask(method, params, key), self._ask.loop)
        return await asyncio.wrap_future(there)

    async def _await_answer(self, asking: Coroutine[Any, Any, T]) -> T:
        """Await the coroutine *asking*; cancel it when the call is cancelled."""
        task = asyncio.ensure_future(asking)
        self._asking.add(task)
        if self._cancelled:
            task.cancel()
        try:
            await asyncio.wait([task])
        finally:
            self._asking.discard(task)
            task.cancel()
        if task.cancelled():
            raise ToolError(_NOBODY)
        return task.result()

    def _wait_for_answer(self, asking: Coroutine[Any, Any, T], name: str) -> T:
        """Run the coroutine *asking* for the tool's thread, and wait for its result."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            if not isinstance(self._ask, Questions):
                return asyncio.run(asking)
            future = asyncio.run_coroutine_threadsafe(asking, self._ask.loop)
            self._asking.add(future)
            if self._cancelled:
                future.cancel()
            try:
                return future.result()
            except concurrent.futures.CancelledError:
                raise ToolError(_NOBODY) from None
            finally:
                self._asking.discard(future)
        asking.close()
        raise TypesigError(f"a coroutine function cannot wait here: write await request.a{name}(…)")

    def _tell(self, notice: Progress | Entry) -> None:
        """Post *notice* to the client unless the request was cancelled."""
        if self._post is not None and not self._cancelled:
            self._post(notice)


CURRENT_REQUEST: ContextVar[Request | None] = ContextVar("typesig.mcp.request", default=None)


def _is_number(value: object) -> bool:
    """Whether *value* is a finite number within the range of a float, and not a bool."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and abs(value) < 2**1000 and math.isfinite(value)  # type: ignore[arg-type]


def _truncate_text(text: str) -> str:
    """Escape surrogates in *text* and cut it to `MAX_NOTICE` characters."""
    sent = escape_surrogates(text)
    return sent if len(sent) <= MAX_NOTICE else sent[: MAX_NOTICE - 1] + "…"


def _prepare_log_data(data: Any) -> Any:
    """Convert *data* for the log, a long text cut; raise `TypesigError` if not JSON data."""
    if isinstance(data, str):
        return _truncate_text(data)
    try:
        text = json.dumps(data, ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise TypesigError(
            f"the log of a client takes text or JSON data, not {type(data).__name__} that JSON "
            "cannot write; write request.log(str(…))"
        ) from None
    if len(text) > MAX_NOTICE:
        return text[: MAX_NOTICE - 1] + "…"
    return escape_surrogates_in_data(json.loads(text))
