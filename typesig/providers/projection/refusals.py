"""Refused calls: truncated ones, and ones that their caller is not allowed to make."""

from __future__ import annotations

import re
from typing import assert_never

from typesig.limits import MAX_CALLS
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.providers.rows.calls import Stop, WireCall, get_caller
from typesig.validation.issues.excerpt import quote_text


def _drop_version(caller: str) -> str:
    """Remove the version suffix from *caller*, the type of a vendor's program runner."""
    return _VERSION.sub("", caller)


_VERSION = re.compile(r"_\d{8}$")


def is_allowed(one: ProjectedTool, call: WireCall) -> bool:
    """Whether the definition of *one* allows the caller of *call*; True if unknown."""
    caller, allowed = get_caller(call), one.definition.get("allowed_callers")
    return allowed is None or caller is None or _drop_version(caller) in map(_drop_version, allowed)


def format_forbidden(name: str, caller: str | None) -> str:
    """Message that *caller* may not call the tool *name*."""
    if caller == "direct":
        return f"this call was not run: only a program may call {name}; write one that does"
    return f"this call was not run: no program may call {name}; call it yourself"


def format_stopped(stop: Stop, arguments: object) -> str:
    """Text for the model about a call that is incomplete or unreadable."""
    match stop:
        case "length":
            return (
                "this call was not run: the answer reached its limit of length before the call "
                "was whole; send it again with shorter arguments, or as several calls"
            )
        case "stopped":
            return "this call was not run: the answer was stopped before its end; send it again"
        case "many":
            return (
                f"this call was not run: only the first {MAX_CALLS} calls of an answer are; "
                "send it again"
            )
        case "malformed":
            told = f" ({quote_text(arguments)})" if isinstance(arguments, str) and arguments else ""
            return (
                f"your call could not be read, so no tool was run{told}; call one of the tools "
                "again, with arguments as it declares them"
            )
        case "unread":
            return f"this call was not run: {arguments}"
        case _:
            assert_never(stop)
