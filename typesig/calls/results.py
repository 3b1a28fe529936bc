"""Results of functions: encoded as values of the algebra, and content blocks of foreign tools."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.nodes import (
    DATETIME,
    KEYWORD,
    STRING,
    Enum,
    MapOf,
    Set,
    Type,
    strip_annotations,
)
from typesig.algebra.rows.builtin import TooManyValues, count_places
from typesig.algebra.rows.values import SMALL, is_long
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_types
from typesig.calls.binding import Binding
from typesig.errors import TypesigError
from typesig.extraction.encoder import convert_enum_members, encode, get_object_parts
from typesig.extraction.hints import result_hints
from typesig.extraction.python_types.decoders import HostError
from typesig.extraction.python_types.host_plan import iter_bound_errors
from typesig.extraction.python_types.media import Media, check_media
from typesig.limits import MAX_GENERATED, MAX_UNWATCHED, MAX_VALUE_DEPTH, MAX_VALUES
from typesig.validation.issues.issues import Issue
from typesig.validation.plain_data import to_plain

# --- Results of foreign tools: content blocks, and structured content ---


class ToolResult(NamedTuple):
    """Result of a foreign tool: content blocks and structured content, as in MCP.

    #: content: the blocks of the Model Context Protocol, as JSON data
    #: structured: the structured content, or None; has_structured: whether there is any
    #: meta: what the server sent beside them
    #: is_described: whether the tool has an output schema, which the structured content fits
    """

    content: tuple[dict[str, Any], ...]
    structured: Any = None
    has_structured: bool = False
    meta: Mapping[str, Any] | None = None
    is_described: bool = True

    def data(self) -> Any:
        """Return the structured content, or else the content blocks, as JSON data.

        Without an output schema it is both, unless the only block is the text of the structured
        content.  One block is itself, several are a list.  A block with bytes is told without them,
        by its type and size.
        """
        if self.has_structured and (self.is_described or self._is_repeated()):
            return self.structured
        told = [convert_block(block) for block in self.content]
        told += [self.structured] if self.has_structured else []
        return told[0] if len(told) == 1 else told or None

    def _is_repeated(self) -> bool:
        """Whether the content is only the JSON text of the structured content."""
        texts: list[Any] = [
            block.get("text") for block in self.content if block.get("type") == "text"
        ]
        try:
            return len(self.content) == 1 and [json.loads(t) for t in texts] == [self.structured]
        except (TypeError, ValueError, RecursionError):
            return False

    def media(self) -> tuple[Media, ...]:
        """Return the media among the content blocks that a model may see."""
        return tuple([made for block in self.content if (made := _find_media(block)) is not None])


def _find_media(block: Mapping[str, Any]) -> Media | None:
    """Return the image, audio or file in the content *block*, or None."""
    annotations = block.get("annotations")
    audience = annotations.get("audience") if isinstance(annotations, dict) else None
    if isinstance(audience, list) and audience and "assistant" not in audience:
        return None
    held = block.get("resource") if block.get("type") == "resource" else block
    if not isinstance(held, dict):
        return None
    text: Any = held.get("blob" if held is not block else "data")
    try:
        return Media(held.get("mimeType", ""), b64decode(text, validate=True))
    except (TypesigError, TypeError, ValueError):
        # The text tells of it, as of any block.
        return None


def convert_block(block: Mapping[str, Any]) -> Any:
    """Data of *block* for the model: a plain text, or an object without bytes."""
    if block.get("type") == "text":
        return block.get("text")
    # Those of an embedded resource are one level below.
    rest = {
        key: _replace_bytes(each) if isinstance(each, dict) else each
        for key, each in sorted(_replace_bytes(block).items())
        if key not in ("annotations", "_meta", "type")
    }
    return {"type": block.get("type"), **rest}


def _replace_bytes(part: Mapping[str, Any]) -> dict[str, Any]:
    """Copy *part*, of a content block, with the size of its bytes instead of them."""
    out = dict(part)
    for name in ("data", "blob"):
        text = out.get(name)
        if isinstance(text, str):
            del out[name]
            out["size"] = len(text.rstrip("=")) * 3 // 4
    return out


# --- Results of functions, encoded as values of the algebra ---


def encode_result(binding: Binding, returned: Any, media: list[Any]) -> tuple[Any, Issue | None]:
    """Encode the function result *returned* as data; or return None and an issue.

    The media in it are texts, which are appended to *media* with what they stand for.
    """
    try:
        return _encode(binding, returned, media), None
    except RecursionError:
        return None, Issue("host", (), "", "nested too deep, or inside itself")
    except TooManyValues:
        return None, Issue("size", (), f"{MAX_VALUES}")
    except HostError as error:
        return None, Issue("host", tuple(reversed(error.steps)), "", error.message)


def _encode(binding: Binding, returned: Any, media: list[Any]) -> Any:
    """Encode the function result *returned* as data; raise if it has no JSON form."""
    paired = result_hints.encode_pair(returned) if binding.host.pair else returned
    if binding.host.encode is not None:
        # Serializers do not count what they visit.
        if count_places(paired, get_object_parts) > MAX_VALUES:
            raise TooManyValues
        # Loaded only for the hints that need it.
        from typesig.extraction.serializer import write_by_plan

        paired = write_by_plan(binding.host.encode, paired)
    keys = has_plain_keywords(binding.signature)
    value = encode(convert_enum_members(paired) if keys else paired, media)
    check_media([each for _, each in media])
    # In this profile sets are lists and datetimes are text.
    return to_plain(value) if binding.host.ptc_runner and not keys else value


@lru_cache(maxsize=1024)
def has_plain_keywords(signature: Signature) -> bool:
    """Whether the result has keywords outside of enums."""
    parts = _list_parts(signature)
    return KEYWORD in parts and not any(isinstance(part, Enum) for part in parts)


@lru_cache(maxsize=1024)
def has_other_form(signature: Signature) -> bool:
    """Whether values of the result may not conform in the form of plain data."""
    return any(_is_changed(part) for part in _list_parts(signature))


@lru_cache(maxsize=1024)
def has_datetimes(signature: Signature) -> bool:
    """Whether the result has datetimes, and nothing else has another kind in plain data."""
    return {DATETIME} == {part for part in _list_parts(signature) if _is_changed(part)}


def _list_parts(signature: Signature) -> list[Type]:
    """Return all types within the result of *signature*."""
    wholes = (signature.returns, *signature.names.values())
    return [part for whole in wholes for part in iter_types(whole)]


def _is_changed(t: Type) -> bool:
    """Whether values of *t* have another kind in plain data."""
    if isinstance(t, MapOf):
        return strip_annotations(t.key) != STRING
    is_keyword = isinstance(t, Enum) and any(value.kind == "keyword" for value in t.values)
    return is_keyword or isinstance(t, Set) or t in (KEYWORD, DATETIME)


def outside_bounds_of(binding: Binding, value: Any) -> list[Issue]:
    """Return an issue for each bound of a hint that the result *value* exceeds."""
    signature, bounds = binding.signature, binding.host.bounds
    try:
        found = list(iter_bound_errors(signature.returns, signature.names, value, bounds))
    except (TypeError, AttributeError):
        # A result that passes with a warning may have any shape.
        return []
    return [Issue("host", tuple(reversed(e.steps)), "", e.message) for e in found]


# --- Whether values are JSON data of Python's own classes ---

_SCALARS = frozenset({str, bool, type(None)})


def is_plain(value: Any) -> bool:
    """Whether *value* is JSON data of Python's own classes, which is encoded unchanged.

    >>> is_plain({"a": [1, None]}), is_plain((1, 2)), is_plain({1: 2})
    (True, False, False)
    """
    level, depth, unwatched = [value], 0, float(MAX_UNWATCHED)
    while level:
        # One loop for all at one depth: a call for each part takes longer than its work.
        below: list[Any] = []
        for part in level:
            cls = type(part)
            if cls in _SCALARS:
                continue
            if cls is int:
                if (part > SMALL or part < -SMALL) and is_long(part):
                    return False
                continue
            if cls is float:
                if part - part != 0.0:
                    return False
                continue
            if cls is dict:
                for key in part:
                    if type(key) is not str:
                        return False
            elif cls is not list:
                return False
            unwatched -= len(part)
            if depth > MAX_VALUE_DEPTH:
                return False
            if unwatched < 0:
                if count_places(value) > MAX_VALUES:
                    return False
                unwatched = float("inf")
            below += part if cls is list else part.values()
        level = below
        depth += 1
    return True


def find_max_places(t: nodes.Type) -> int | None:
    """Maximum number of values in a value of *t*, or None if unbounded.

    Undeclared keys of open records are not counted.  Returns None if a value of *t* may be of
    another class, or may hold any number of values.
    """
    pending, visited = [t], 0
    while pending:
        visited += 1
        parts = _get_parts(pending.pop())
        # A type that shares its parts is longer than it looks.
        if parts is None or visited > MAX_GENERATED:
            return None
        pending.extend(parts)
    return visited


def _get_parts(t: nodes.Type) -> Sequence[nodes.Type] | None:
    """Types of the parts of a value of *t*, or None if unknown."""
    match t:
        case nodes.Scalar():
            return () if t in _PLAIN else None
        case nodes.Enum(values):
            # Among other kinds, and several, a value of another class may be equal.
            kinds = {value.kind for value in values}
            return () if kinds in ({"string"}, {"int"}) else None
        case nodes.Maybe(inner) | nodes.Annotation(inner) | nodes.Refinement(inner):
            return (inner,)
        case nodes.Union(members):
            return members
        case nodes.Record(fields, extra, matching):
            if matching or extra not in (nodes.ANY, None):
                return None
            return [field.type for field in fields]
        case nodes.Container() | nodes.One() | nodes.Both() | nodes.Not() | nodes.Ref():
            return None
        case _:
            assert_never(t)


_PLAIN = frozenset({nodes.STRING, nodes.INT, nodes.FLOAT, nodes.BOOL, nodes.NIL})
