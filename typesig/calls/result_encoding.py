"""Results of functions, encoded as values of the algebra."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

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
from typesig.algebra.rows.shared import TooManyValues, count_places
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_types
from typesig.calls.binding import Binding
from typesig.extraction.encoder import convert_enum_members, encode, get_object_parts
from typesig.extraction.hints import pairs
from typesig.extraction.hosts.decoders import HostError
from typesig.extraction.hosts.encoders import Encode
from typesig.extraction.hosts.media import check_media
from typesig.extraction.hosts.result_bounds import iter_bound_errors
from typesig.limits import MAX_VALUES
from typesig.validation.issues.issues import Issue
from typesig.validation.plain_data import to_plain


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
    paired = pairs.encode_pair(returned) if binding.host.pair else returned
    if binding.host.encode is not None:
        # Serializers do not count what they visit.
        if count_places(paired, get_object_parts) > MAX_VALUES:
            raise TooManyValues
        paired = _serialize(binding.host.encode, paired)
    keys = has_plain_keywords(binding.signature)
    value = encode(convert_enum_members(paired) if keys else paired, media)
    check_media([each for _, each in media])
    # In this profile sets are lists and datetimes are text.
    return to_plain(value) if binding.host.ptc_runner and not keys else value


def _serialize(plan: Encode, value: Any) -> Any:
    """Write the result *value* as plain data by the encoding *plan* of its type hint."""
    # Loaded only for the hints that need it.
    from typesig.extraction.serializer import write_by_plan

    return write_by_plan(plan, value)


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
