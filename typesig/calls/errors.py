"""The exception by which a tool reports an error to the model."""

from __future__ import annotations

from typesig.errors import TypesigError, format_value


class ToolError(Exception):
    """Error that a tool function raises to report a failure to the model.

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
            raise TypesigError(f"retry is True, or a number of seconds, not {format_value(given)}")
        super().__init__(*args)
        self.retry = retry
