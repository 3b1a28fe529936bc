"""Budgets: counts of single tools and of requests, checked against a provider's limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import Enum, Maybe, One, Record, Ref, Type, Union
from typesig.algebra.traversal import get_children, iter_types
from typesig.limits.contracts import MAX_TOOL_TOKENS
from typesig.notations.texts.quoting import Counter, check_counter
from typesig.providers.registry.codecs import write_json
from typesig.providers.registry.provider import Advice, LimitName

#: Texts in an enum from which on their characters are counted.
MANY_TEXTS = 250

#: The limits on a request as a whole.
OF_REQUEST: tuple[LimitName, ...] = ("tools", "optionals", "unions", "bytes", "tokens")


def count_tokens(definition: Any, counter: Counter) -> int:
    """Count the tokens of *definition*; raise `TypesigError` for an invalid *counter*."""
    return check_counter(counter)(write_json(definition))


class LimitFinding(NamedTuple):
    """A limit that is exceeded, a tool that is left out, or advice.

    #: tool: the tool at fault; of all tools together, the one with the largest part
    #: limit: the limit, "refused" for a tool that has no definition for another reason, or
    #:     "advice" for what only some models or endpoints of the provider refuse
    #: counted: what was counted; allowed: the limit
    #: is_left_out: whether the tool has no definition; reason: what is wrong, without the tool
    """

    tool: str
    limit: str
    counted: int
    allowed: int
    message: str
    is_left_out: bool = False
    reason: str = ""

    def __str__(self) -> str:
        """Return the finding in words."""
        return self.message


def count_parts(t: Type, names: Mapping[str, Type], definition: Any) -> dict[LimitName, int]:
    """Count the limited parts of a tool with arguments *t*, whose definitions are *names*."""
    wholes = [t, *names.values()]
    parts = [part for whole in wholes for part in iter_types(whole)]
    fields = [f for part in parts if isinstance(part, Record) for f in part.fields]
    enums = [part for part in parts if isinstance(part, Enum)]
    texts = [[v.value for v in each.values if v.kind == "string"] for each in enums]
    constants = [value.thaw() for each in enums for value in each.values]
    return {
        "tools": 1,
        "bytes": len(write_json(definition).encode()),
        "optionals": sum(not field.required for field in fields),
        "unions": sum(
            isinstance(strip_annotations(field.type), Union | One | Maybe) for field in fields
        ),
        "levels": max(_count_levels(whole) for whole in wholes),
        "properties": len(fields),
        "enum_values": len(constants),
        "enum_text": max(
            [sum(map(len, each)) for each in texts if len(each) > MANY_TEXTS], default=0
        ),
        "schema_text": sum(len(field.name) for field in fields)
        + sum(map(len, names))
        + sum(len(str(value)) for value in constants),
    }


def _count_levels(t: Type) -> int:
    """Maximum nesting depth of objects in *t*."""
    most = 0
    pending = [(t, 0)]
    while pending:
        part, above = pending.pop()
        level = above + isinstance(part, Record)
        most = max(most, level)
        pending += [] if isinstance(part, Ref) else [(child, level) for child in get_children(part)]
    return most


def check_tool_limits(
    name: str,
    count_of: Callable[[LimitName], int],
    limits: Mapping[LimitName, int],
    refusing: Iterable[LimitName],
) -> list[LimitFinding]:
    """Find limits that the tool *name* exceeds; limits in *refusing* exclude the tool."""
    out = []
    for limit, allowed in limits.items():
        if limit in OF_REQUEST or (count := count_of(limit)) <= allowed:
            continue
        reason = f"{limit.replace('_', ' ')} {count}, at most {allowed}"
        is_left_out = limit in refusing
        text = f"{name}: {reason}{'; the tool is left out' if is_left_out else ''}"
        out.append(LimitFinding(name, limit, count, allowed, text, is_left_out, reason))
    return out


def check_request_limits(
    counts: Mapping[str, Mapping[LimitName, int]], limits: Mapping[LimitName, int]
) -> list[LimitFinding]:
    """Find the limits on a request that all tools exceed together."""
    out = []
    for limit in OF_REQUEST:
        if limit not in limits:
            continue
        allowed = limits[limit]
        parts = {name: each.get(limit, 0) for name, each in counts.items()}
        total = sum(parts.values())
        if total <= allowed:
            continue
        if limit == "tools":
            at_fault = list(parts)[allowed]
            where = f"{at_fault} is the first beyond"
        else:
            at_fault = max(parts, key=lambda name: parts[name])
            where = f"{at_fault} has {parts[at_fault]}"
        text = f"{limit}: {total} together, at most {allowed}; {where}"
        out.append(LimitFinding(at_fault, limit, total, allowed, text))
    return out


def find_large_tools(
    counts: Mapping[str, Mapping[LimitName, int]], shown: Mapping[str, int]
) -> list[LimitFinding]:
    """Find tools with more than `MAX_TOOL_TOKENS` tokens, as advice.

    Without a counter, a token is taken as four characters.  *shown* are those of each in a listing,
    which has the type of its result, too.
    """
    out = []
    for name, each in counts.items():
        counted = each.get("tokens")
        tokens = each.get("bytes", 0) // 4 if counted is None else counted
        tokens = max(tokens, shown.get(name, 0) // 4)
        if tokens <= MAX_TOOL_TOKENS:
            continue
        remedy = "leave parameters out, or cut its results, as openapi.tools_from(depth=…) does"
        about = "about " if tokens != counted else ""
        reason = f"{about}{tokens} tokens, more than {MAX_TOOL_TOKENS}; {remedy}"
        text = f"{name}: {reason}"
        out.append(LimitFinding(name, "advice", tokens, MAX_TOOL_TOKENS, text, False, reason))
    return out


def check_advice(
    name: str, advised: Iterable[Advice], t: Type, names: Mapping[str, Type]
) -> list[LimitFinding]:
    """Find the advice in *advised* that the tool *name* with arguments *t* violates."""
    wholes = [t, *names.values()]
    out = []
    for advice in advised:
        found = advice.find(wholes, names)
        if found is not None:
            reason = f"{found}, which {advice.refused}"
            out.append(LimitFinding(name, "advice", 0, 0, f"{name}: {reason}", False, reason))
    return out
