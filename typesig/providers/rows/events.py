"""Events of streams: converted to plain data, and their texts joined.

The assemblers of the vendors have this in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from typesig.algebra.rows.builtin import as_builtin, read_mapping
from typesig.errors import TypesigError
from typesig.limits import MAX_VALUE_DEPTH


class TextPieces(list[str]):
    """A list of the pieces of a streamed text, which are joined at the end."""


def to_plain_event(event: object) -> dict[str, Any]:
    """Convert *event*, a client's object or a plain dict, to a new dict."""
    found = as_builtin(_to_plain(event, 0))
    return found if isinstance(found, dict) else {}


def _to_plain(value: Any, depth: int) -> Any:
    """Convert a client's object to dicts and lists; *depth* is the current nesting."""
    if value is None or isinstance(value, str | int | float | bytes) or depth > MAX_VALUE_DEPTH:
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Mapping):
        return {key: _to_plain(item, depth + 1) for key, item in read_mapping(value).items()}
    if isinstance(value, list | tuple):
        return [_to_plain(item, depth + 1) for item in value]
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "model_dump"):
        # What a client sets by itself was not sent.
        return _to_plain(value.model_dump(exclude_unset=True, warnings=False), depth + 1)
    return {
        name: _to_plain(item, depth + 1) for name, item in getattr(value, "__dict__", {}).items()
    }


def merge_delta(
    into: dict[str, Any], delta: Mapping[str, Any], whole: frozenset[str], depth: int = 0
) -> None:
    """Merge *delta* into *into*: extend texts and lists, but replace members in *whole*.

    The texts become `TextPieces`.
    """
    for key, new in delta.items():
        old = into.get(key)
        if new is None:
            into.setdefault(key, None)
        elif key in whole:
            into[key] = new or old
        elif isinstance(new, str):
            into[key] = old if isinstance(old, TextPieces) else TextPieces([old] if old else [])
            into[key].append(new)
        elif isinstance(new, dict) and depth < MAX_VALUE_DEPTH:
            inner = into[key] = old if isinstance(old, dict) else {}
            merge_delta(inner, new, whole, depth + 1)
        elif isinstance(new, list) and isinstance(old, list):
            old.extend(new)
        else:
            into[key] = new


def join_pieces(data: Any, depth: int = 0) -> Any:
    """Replace each `TextPieces` in *data* by the joined text."""
    if isinstance(data, TextPieces):
        return "".join(data)
    if isinstance(data, dict) and depth <= MAX_VALUE_DEPTH + 4:
        return {key: join_pieces(item, depth + 1) for key, item in data.items()}
    if isinstance(data, list) and depth <= MAX_VALUE_DEPTH + 4:
        return [join_pieces(item, depth + 1) for item in data]
    return data


def make_cut_off_error(missing: str) -> TypesigError:
    """Error for a stream that was cut off; *missing* did not arrive."""
    return TypesigError(
        f"the stream was cut off: {missing}; no tool was run, since a call may not be whole: ask "
        "the model again"
    )


def make_stream_error(event: Mapping[str, Any]) -> TypesigError:
    """Make the exception for *event*, an error event of a stream."""
    error = event.get("error")
    parts = error if isinstance(error, dict) else event
    told = [str(parts[key]) for key in ("code", "message") if parts.get(key)]
    kind = parts.get("type")
    named = [str(kind)] if kind not in (None, "error") else []
    return TypesigError(
        f"the stream ends in an error: {': '.join([*named, *told]) or 'it says no more'}; no tool "
        "was run: ask the model again"
    )
