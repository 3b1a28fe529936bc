"""Whether dates and times have an offset, as metadata of other libraries asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.algebra.constructors import noted, refined
from typesig.algebra.nodes import DATETIME, STRING
from typesig.algebra.rows.constraints import Constraint
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hosts.decoded import decoded
from typesig.extraction.hosts.decoders import HostError, Leaf
from typesig.extraction.hosts.host_leaves import decoder_of_leaf, leaf_above

_WITHOUT = "without an offset"


def takes_offset(cls: Any) -> bool:
    """Return whether values of *cls* can have an offset."""
    return _kind(cls) in ("datetime", "time")


def _kind(cls: Any) -> str:
    return cls.__name__ if isinstance(cls, type) and cls.__module__ == "datetime" else ""


def with_offset(context: HintContext, found: HostType, cls: Any, needed: bool) -> HostType:
    """Return *found*, the type of *cls*, with an offset if one is *needed*, else without one."""
    if needed:
        # `:datetime` has an offset always.
        is_time = _kind(cls) == "time" and not context.ptc_runner
        timed = refined(STRING, [Constraint("format", "offset-time")])
        return found._replace(type=timed) if is_time else found
    t = noted(found.type, _WITHOUT)
    if found.type == DATETIME and not context.output:
        t = noted(STRING, f"a date and time {_WITHOUT}")
    decode = _without_offset(cls)
    context.findings.bounds[t] = decode
    return found._replace(type=t, decode=Leaf(decode))


def _without_offset(cls: Any) -> Callable[[Any], Any]:
    """Return what makes an object of *cls* and refuses it if it has an offset."""
    leaf = leaf_above(cls)
    assert leaf is not None
    decode = decoder_of_leaf(leaf, cls)

    def checked(value: Any) -> Any:
        made = decoded(decode, value)
        if made.tzinfo is not None:
            raise HostError(f"expected a {_kind(cls)} {_WITHOUT}")
        return made

    return checked
