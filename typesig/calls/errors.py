"""The exception by which a tool tells the model something."""

from __future__ import annotations


class ToolError(Exception):
    """Raised in a tool to make an error outcome, whose text the model reads.

    Every other exception reaches the caller.

    >>> raise ToolError("no such order; call list_orders")
    Traceback (most recent call last):
    ...
    typesig.calls.errors.ToolError: no such order; call list_orders
    """
