"""An explicit signature beside a function's hints (decision 30)."""

from __future__ import annotations

import inspect
import re
from typing import Any

from typesig.algebra.constructors import bare, kinds_of
from typesig.algebra.nodes import Field, Maybe
from typesig.algebra.positional import has_positional_name
from typesig.algebra.signature import Signature, joined
from typesig.algebra.values import Keyword
from typesig.errors import ExtractionError
from typesig.extraction.callables import Callee
from typesig.extraction.extract import Extraction, HostParam
from typesig.extraction.warnings import HintWarning
from typesig.notations import parse
from typesig.validation.expected import expected

_VAR_KEYWORD = inspect.Parameter.VAR_KEYWORD


def combined(
    source: object, found: Extraction, callee: Callee, name: str
) -> tuple[Signature, Extraction]:
    """Return the signature that the model sees, and how the host is reached by it.

    *source* is what `parse` takes; a result alone keeps the extracted parameters, and parameters
    without names are those of the function, by place.
    Raises `ExtractionError` for a name that the function does not have, and for one that it needs
    and the text leaves out.
    """
    given = parse(source)
    if _result_alone(source, given):
        if found.signature is None and callee.params:
            raise ExtractionError(
                f"{name} has no hints to take its parameters from; give them too, "
                f"as in ({', '.join(p.name + ' :any' for p in callee.params)}) -> …"
            )
        extracted = found.signature or Signature((), given.returns, given.definitions)
        return joined(extracted, given), found
    given = _by_place(given, _hosts(found, callee, given), name)
    hosts = tuple(_nullable(host, given) for host in _hosts(found, callee, given))
    _check(given, hosts, name)
    warnings = [*found.warnings] if found.signature is not None else []
    # A hint that became :any is no loss where the text says what the model may send.
    said = {field.name for field in given.params}
    warnings = [w for w in warnings if w.place.partition(".")[0] not in said | {"returns"}]
    if callee.overloads < 2:
        warnings += _mismatches(given, found)
    return given, found._replace(params=hosts, warnings=tuple(warnings))


def _result_alone(source: object, given: Signature) -> bool:
    """Tell whether *source* writes a result and no parameter list."""
    if given.params:
        return False
    if isinstance(source, list | tuple | Keyword):
        from typesig.notations.malli.parsing import is_function

        return not is_function(source)
    # A parameter list without names is "()", or says what other names hold.
    listed = r"(?:\s|;[^\n]*)*\((?:\s|;[^\n]*)*(?:\)|\*\*)"
    return isinstance(source, str) and re.match(listed, source) is None


def _by_place(given: Signature, hosts: tuple[HostParam, ...], name: str) -> Signature:
    """Return *given* with the parameters that have no name called as the function calls them."""
    known = [h.name for h in hosts if h.kind is not _VAR_KEYWORD and not h.injected]
    fields: list[Field] = []
    for place, field in enumerate(given.params, 1):
        if field.name in known or not has_positional_name(field, place):
            fields.append(field)
            continue
        if place > len(known):
            takes = f"takes {len(known)} parameter{'' if len(known) == 1 else 's'}"
            raise ExtractionError(
                f"{name} {takes}, and its signature has {len(given.params)} without names; "
                "leave out what it does not take"
            )
        fields.append(Field(known[place - 1], field.type, field.required, field.default))
    return Signature(fields, given.returns, given.definitions, given.extra, given.io)


def _hosts(found: Extraction, callee: Callee, given: Signature) -> tuple[HostParam, ...]:
    if found.params:
        return found.params
    if callee.params is None:
        # A builtin function that tells nothing takes what the text says, mostly by place alone; a
        # class such as dict takes it by name.
        kinds = inspect.Parameter
        kind = kinds.POSITIONAL_ONLY if callee.by_place else kinds.POSITIONAL_OR_KEYWORD
        return tuple(HostParam(f.name, kind, None, False, True, False) for f in given.params)
    return tuple(_host(param) for param in callee.params)


def _nullable(host: HostParam, given: Signature) -> HostParam:
    """Return *host* given as None where the text lets a nullable parameter be absent."""
    field = next((f for f in given.params if f.name == host.name), None)
    if field is None or host.optional or field.required or field.default is not None:
        return host
    return host._replace(nil=isinstance(bare(field.type), Maybe))


def _host(param: inspect.Parameter) -> HostParam:
    can_do_without = param.default is not inspect.Parameter.empty or param.kind in (
        inspect.Parameter.VAR_POSITIONAL,
        _VAR_KEYWORD,
    )
    return HostParam(
        param.name, param.kind, None, False, can_do_without, False, default=param.default
    )


def _check(given: Signature, hosts: tuple[HostParam, ...], name: str) -> None:
    known = {host.name for host in hosts if host.kind is not _VAR_KEYWORD}
    takes_any = any(host.kind is _VAR_KEYWORD for host in hosts)
    for field in given.params:
        if field.name not in known and not takes_any:
            has = f"it has {', '.join(sorted(known))}" if known else "it has none"
            raise ExtractionError(f"{name} has no parameter {field.name}; {has}")
    said = {field.name: field for field in given.params}
    for host in hosts:
        needs = not host.optional and not host.injected and not host.nil
        if needs and host.name not in said:
            raise ExtractionError(
                f"{name} needs {host.name}, which its signature leaves out; add it, give it a "
                "default, or annotate it Injected[…]"
            )
        if needs and _may_lack(said[host.name]):
            raise ExtractionError(
                f"{name} needs {host.name}, which its signature lets the model leave out; "
                "give the parameter a default"
            )


def _may_lack(field: Field) -> bool:
    """Tell whether a call may come without *field* and without a default or nil in its place."""
    nullable = isinstance(bare(field.type), Maybe)
    return not field.required and field.default is None and not nullable


def _mismatches(given: Signature, found: Extraction) -> list[HintWarning]:
    """Return a warning for each hint that cannot hold what the text says."""
    if found.signature is None:
        return []
    hinted: dict[str, Any] = {f.name: f.type for f in found.signature.params}
    stated: dict[str, Any] = {f.name: f.type for f in given.params if f.name in hinted}
    hinted["returns"], stated["returns"] = found.signature.returns, given.returns
    out = []
    for place, t in stated.items():
        ours, theirs = kinds_of(t), kinds_of(hinted[place])
        if ours and theirs and not _compatible(ours, theirs):
            hint = expected(hinted[place], found.signature.names)
            out.append(
                HintWarning(
                    place,
                    hint,
                    f"the signature says {expected(t, given.names)}, which the hint cannot hold",
                    "change one of them",
                )
            )
    return out


def _compatible(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    # A list stands for a set, text for a datetime or a keyword, an int for a float.
    near = {"list": "set", "set": "list", "string": "datetime", "keyword": "string", "int": "float"}
    return all(kind in theirs or near.get(kind) in theirs for kind in ours)
