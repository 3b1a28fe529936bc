"""Recursive hints: a named type, or `:any` where the recursion closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.algebra.nodes import Ref, Type
from typesig.algebra.traversal import iter_same_value_types
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hosts import decoders, encoders


def read_recursive_use(context: HintContext, hint: object, key: Any) -> HostType:
    """Return a reference to the named type *key* for *hint*, if `recursive` is set."""
    if not context.options.recursive:
        remedy = "write recursive=True to keep it by name"
        return context.fall_back(hint, "it refers to itself", remedy)
    findings = context.findings
    findings.recursive.add(key)
    decode = decoders.LazyDecoder(findings.decoders, key)
    encode = encoders.LazyEncoder(findings.encoders, key)
    return HostType(Ref(findings.get_name(key)), decode, encode=encode)


def read_recursive(
    context: HintContext, hint: Any, key: Any, read: Callable[[HintContext], HostType]
) -> HostType:
    """Read *hint* with *read*; if it contains itself, define it as a named type.

    Within itself it is that name if `recursive` asks for it, else `:any` with a warning.
    """
    findings = context.findings
    if key in findings.named:
        return findings.named[key]
    if key in context.aliases or key in findings.recursive:
        return read_recursive_use(context, hint, key)
    found = read(context.for_alias(key))
    if key not in findings.recursive:
        return found
    name = findings.get_name(key)
    if _is_only_itself(name, found.type, findings.definitions):
        reason, remedy = "it is defined only by itself", "put a list, a map or a record in between"
        found = context.fall_back(hint, reason, remedy)
        findings.define(key, found)
        return found
    findings.define(key, found)
    return findings.named[key]


def _is_only_itself(name: str, t: Type, definitions: dict[str, Type]) -> bool:
    """Whether *t* leads back to *name* without a list, map or record in between."""
    seen: set[str] = set()
    pending = [t]
    while pending:
        for part in iter_same_value_types(pending.pop(), {}, negations=True):
            if isinstance(part, Ref) and part.name not in seen:
                seen.add(part.name)
                pending.extend([definitions[part.name]] if part.name in definitions else [])
    return name in seen
