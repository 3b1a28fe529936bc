"""The exception by which a tool tells the model something."""

from __future__ import annotations

from typesig.errors import TypesigError, short


class ToolError(Exception):
    """Raised in a tool to make an error outcome, whose text the model reads.

    Every other exception reaches the caller.  With *retry* the tool says that the error may pass:
    a `Governance` with `retries` runs the call again, after so many seconds if *retry* is a number.
    Raises `TypesigError` for another *retry*.

    >>> raise ToolError("no such order; call list_orders")
    Traceback (most recent call last):
    ...
    typesig.ToolError: no such order; call list_orders
    """

    __module__ = "typesig"  # where users import it from, and what a traceback shows

    #: Whether the error may pass, or after how many seconds.
    retry: bool | float

    def __init__(self, *args: object, retry: bool | float = False) -> None:
        given: object = retry
        if not (isinstance(given, int | float) and 0 <= given < float("inf")):
            raise TypesigError(f"retry is True, or a number of seconds, not {short(given)}")
        super().__init__(*args)
        self.retry = retry
