"""What stands inside itself: one type with a name, or `:any` where it closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.algebra.nodes import Ref, Type
from typesig.algebra.traversal import level
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hosts import decoders, encoders


def within_itself(context: HintContext, hint: object, key: Any) -> HostType:
    """Return the name of *key*, which *hint* within it leads to, or `:any` with a warning."""
    if not context.options.recursive:
        remedy = "write recursive=True to keep it by name"
        return context.fall_back(hint, "it refers to itself", remedy)
    findings = context.findings
    findings.recursive.add(key)
    decode = decoders.Later(findings.decoders, key)
    encode = encoders.Later(findings.encoders, key)
    return HostType(Ref(findings.name_of(key)), decode, encode=encode)


def closed(
    context: HintContext, hint: Any, key: Any, read: Callable[[HintContext], HostType]
) -> HostType:
    """Return what *read* returns of *hint*, which has the name of *key*, in the context within it.

    Within itself it is that name if `recursive` asks for it, else `:any` with a warning.
    """
    findings = context.findings
    if key in findings.named:
        return findings.named[key]
    if key in context.aliases or key in findings.recursive:
        return within_itself(context, hint, key)
    found = read(context.within_alias(key))
    if key not in findings.recursive:
        return found
    name = findings.name_of(key)
    if _leads_to(name, found.type, findings.definitions):
        reason, remedy = "it is defined only by itself", "put a list, a map or a record in between"
        found = context.fall_back(hint, reason, remedy)
        findings.define(key, found)
        return found
    findings.define(key, found)
    return findings.named[key]


def _leads_to(name: str, t: Type, definitions: dict[str, Type]) -> bool:
    """Return whether a value of *t* is one of *name* itself, not of a part of it."""
    seen: set[str] = set()
    pending = [t]
    while pending:
        for part in level(pending.pop(), {}, negations=True):
            if isinstance(part, Ref) and part.name not in seen:
                seen.add(part.name)
                pending.extend([definitions[part.name]] if part.name in definitions else [])
    return name in seen
