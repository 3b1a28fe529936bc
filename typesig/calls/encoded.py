"""What functions return as values of the algebra, by the hint of the result."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from typesig.algebra.nodes import KEYWORD, Enum
from typesig.algebra.rows.shared import Overfull, places
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import walk
from typesig.calls.binding import Binding
from typesig.extraction.encoding import encode, members_to_keywords, parts_of_host
from typesig.extraction.hints import pairs
from typesig.extraction.hosts.decoders import HostError
from typesig.extraction.hosts.encoders import Encode
from typesig.extraction.hosts.media import check_media
from typesig.extraction.hosts.result_bounds import outside_bounds
from typesig.limits import MAX_VALUES
from typesig.validation.issues.issues import Issue
from typesig.validation.rows.plain import plain


def encoded(binding: Binding, returned: Any, media: list[Any]) -> tuple[Any, Issue | None]:
    """Return the algebra value of *returned*, or None and why it has no form in JSON.

    The media in it are texts, which are appended to *media* with what they stand for.
    """
    try:
        return _encoded(binding, returned, media), None
    except RecursionError:
        return None, Issue("host", (), "", "nested too deep, or inside itself")
    except Overfull:
        return None, Issue("size", (), f"{MAX_VALUES}")
    except HostError as error:
        return None, Issue("host", tuple(reversed(error.steps)), "", error.message)


def _encoded(binding: Binding, returned: Any, media: list[Any]) -> Any:
    """Return the algebra value of *returned*; raise as `encode` does."""
    paired = pairs.encode_pair(returned) if binding.host.pair else returned
    if binding.host.encode is not None:
        # Serializers do not count what they visit.
        if places(paired, parts_of_host) > MAX_VALUES:
            raise Overfull
        paired = _serialized(binding.host.encode, paired)
    keys = asks_keywords(binding.signature)
    value = encode(members_to_keywords(paired) if keys else paired, media)
    check_media([each for _, each in media])
    # In this profile sets are lists and datetimes are text.
    return plain(value) if binding.host.ptc_runner and not keys else value


def _serialized(plan: Encode, value: Any) -> Any:
    # Loaded only for the hints that need it.
    from typesig.extraction.serializing import written

    return written(plan, value)


@lru_cache(maxsize=1024)
def asks_keywords(signature: Signature) -> bool:
    """Tell whether the result has keywords, and no enum that a member could belong to."""
    wholes = (signature.returns, *signature.names.values())
    parts = [part for whole in wholes for part in walk(whole)]
    return KEYWORD in parts and not any(isinstance(part, Enum) for part in parts)


def outside_bounds_of(binding: Binding, value: Any) -> list[Issue]:
    """Find the bounds of hints that the algebra value of a result exceeds."""
    signature, bounds = binding.signature, binding.host.bounds
    try:
        found = list(outside_bounds(signature.returns, signature.names, value, bounds))
    except (TypeError, AttributeError):
        # A result that passes with a warning may have any shape.
        return []
    return [Issue("host", tuple(reversed(e.steps)), "", e.message) for e in found]
