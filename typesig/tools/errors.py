"""What a tool raises to tell the model something."""

from __future__ import annotations


class ToolError(Exception):
    """Raised in a tool, it becomes an error outcome whose text the model reads.

    Any other exception passes through to the caller.

    >>> raise ToolError("no such order; call list_orders")
    Traceback (most recent call last):
    ...
    typesig.tools.errors.ToolError: no such order; call list_orders
    """
