"""The request that a served call belongs to, as a tool gets it: progress, logging, cancellation."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from typesig.errors import TypesigError
from typesig.extraction.hints.metadata import HostSupplied
from typesig.network_limits import MAX_NOTICE
from typesig.notations.texts.quoting import encodable, encodable_data

#: How much a message of a log matters, from the least to the most.
Level: TypeAlias = Literal[
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"
]
LEVELS: tuple[Level, ...] = get_args(Level)


class Progress(NamedTuple):
    """How far a call is: *done* of *total*, and what it does, each for the client to show."""

    done: float
    total: float | None
    message: str | None


class Entry(NamedTuple):
    """A message for the log of a client; *data* is JSON data."""

    level: Level
    data: Any
    logger: str | None


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Request(metaclass=HostSupplied):
    """The request that a served call belongs to.

    A parameter with this hint is injected: a model never sees it.  Its methods can be called from
    any thread, and do not wait.  `Request()` stands for a request outside a server, as in a test:
    nobody hears of it, and it is not cancelled.

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

    __slots__ = ("_cancelled", "_post", "client", "context", "id", "meta")

    def __init__(
        self,
        post: Callable[[Progress | Entry], None] | None = None,
        *,
        id: str | int | None = None,
        meta: Mapping[str, Any] = _NOTHING,
        client: str = "",
        context: Any = None,
    ) -> None:
        self._post = post
        self._cancelled = False
        self.id = id
        self.meta = meta
        self.client = client
        self.context = context

    def __repr__(self) -> str:
        return f"<request {self.id!r}{' (cancelled)' if self._cancelled else ''}>"

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the result any more: a tool in a thread should end.

        A coroutine function is cancelled at what it awaits.
        """
        return self._cancelled

    def cancel(self) -> None:
        """Make `cancelled` true; the server does this when the client asks for it, or has gone."""
        self._cancelled = True

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the call is, if it asked for that.

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
        self._tell(Progress(done, total, None if message is None else _cut(message)))

    def log(self, data: Any, level: Level = "info", logger: str | None = None) -> None:
        """Send *data*, text or JSON data, to the log of the client, which a user may see.

        *logger* is a name for the part of the tool that it is from.  Raises `TypesigError` for an
        unknown level, and for what is no JSON data.
        """
        if level not in LEVELS:
            raise TypesigError(f"the level of a log is one of {', '.join(LEVELS)}, not {level!r}")
        if not isinstance(logger, str | None):
            raise TypesigError(f"logger is the name of a log, not {type(logger).__name__}")
        self._tell(Entry(level, _sendable(data), None if logger is None else _cut(logger)))

    def _tell(self, notice: Progress | Entry) -> None:
        if self._post is not None and not self._cancelled:
            self._post(notice)


_CURRENT: ContextVar[Request | None] = ContextVar("typesig.mcp.request", default=None)


def current_request() -> Request | None:
    """Return the request of the served call that runs here, or None outside of one."""
    return _CURRENT.get()


def make_current(request: Request) -> None:
    """Make *request* the current one of this task, which has its own context."""
    _CURRENT.set(request)


def _is_number(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and abs(value) < 2**1000 and math.isfinite(value)  # type: ignore[arg-type]


def _cut(text: str) -> str:
    sent = encodable(text)
    return sent if len(sent) <= MAX_NOTICE else sent[: MAX_NOTICE - 1] + "…"


def _sendable(data: Any) -> Any:
    """Return *data* as it is sent, a long text cut; raise `TypesigError` if it is no JSON data."""
    if isinstance(data, str):
        return _cut(data)
    try:
        text = json.dumps(data, ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise TypesigError(
            f"the log of a client takes text or JSON data, not {type(data).__name__} that JSON "
            "cannot write; write request.log(str(…))"
        ) from None
    if len(text) > MAX_NOTICE:
        return text[: MAX_NOTICE - 1] + "…"
    return encodable_data(json.loads(text))
