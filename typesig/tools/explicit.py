"""An explicit signature beside a function's hints."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from typesig.algebra.constructors import find_kinds, strip_annotations
from typesig.algebra.nodes import Field, Maybe
from typesig.algebra.rows.names import has_positional_name
from typesig.algebra.rows.values import Const, Keyword, Kind
from typesig.algebra.signature import Signature, join_signatures
from typesig.errors import ExtractionError
from typesig.extraction.callables.callables import Callee
from typesig.extraction.callables.options import Options
from typesig.extraction.callables.parameters import EMPTY, Param, ParamKind
from typesig.extraction.callables.warnings import HintWarning
from typesig.extraction.extract import Extraction
from typesig.extraction.python_types.host_plan import HostParam, HostPlan
from typesig.notations import parse
from typesig.validation.issues.excerpt import describe_type


class CombinedSignature(NamedTuple):
    """A function's hints combined with an explicit signature.

    #: signature: what the model sees; host: how a call reaches the function
    #: warnings: what the signature does not express as the function's hints do
    """

    signature: Signature
    host: HostPlan
    warnings: tuple[HintWarning, ...]


def combine(
    source: object, found: Extraction, plan: HostPlan, callee: Callee, name: str, options: Options
) -> CombinedSignature:
    """Combine *found* and *plan* with the explicit signature *source*.

    *source* is what `parse` takes; if it is only a result, the extracted parameters are kept, and
    parameters without names are those of the function by position.
    Raises `ExtractionError` for a name that the function does not have, and for a parameter that
    it needs and the signature leaves out.
    """
    given = parse(source)
    if not options.results:
        # What writes the results of the hint's type says nothing of the given type.
        plan = plan._replace(encode=None)
    if _is_only_result(source, given):
        if found.signature is None and callee.params:
            raise ExtractionError(
                f"{name} has no hints to take its parameters from",
                f"give them too, as in ({', '.join(p.name + ' :any' for p in callee.params)}) -> …",
            )
        extracted = found.signature or Signature((), given.returns, given.definitions)
        return CombinedSignature(join_signatures(extracted, given), plan, found.warnings)
    given = _with_names(given, _hosts(plan, callee, given), name)
    hosts = tuple(_host_beside(host, given) for host in _hosts(plan, callee, given))
    _check(given, hosts, name)
    warnings = [*found.warnings] if found.signature is not None else []
    # Nothing is lost by a hint that became :any if the signature gives its type; but a context
    # manager is data of no type.
    given_names = {field.name for field in given.params}
    given_names |= set() if callee.manages else {"returns"}
    warnings = [w for w in warnings if w.place.partition(".")[0] not in given_names]
    if callee.overloads < 2:
        warnings += _mismatches(given, found)
    secrets = plan.secrets | {name or "returns" for name in given.secrets}
    exact = plan.exact or given.keeps_ints
    host = plan._replace(params=hosts, secrets=secrets, exact=exact)
    return CombinedSignature(given, host, tuple(warnings))


def _is_only_result(source: object, given: Signature) -> bool:
    """Whether *source* has a result and no parameter list."""
    if given.params:
        return False
    if isinstance(source, list | tuple | Keyword):
        from typesig.notations.malli.parser import is_function

        return not is_function(source)
    # A parameter list without names is "()", or begins with "**".
    # Blanks and comments are never read in another way: a row of ";" has very many.
    blank = r"(?:\s++|;[^\n]*+)*+"
    listed = rf"{blank}\({blank}(?:\)|\*\*)"
    return isinstance(source, str) and re.match(listed, source) is None


def _with_names(given: Signature, hosts: tuple[HostParam, ...], name: str) -> Signature:
    """Return *given* with the function's names for the parameters that have none, by position."""
    known = [h.name for h in hosts if h.kind != "VAR_KEYWORD" and not h.injected]
    fields: list[Field] = []
    for place, field in enumerate(given.params, 1):
        if field.name in known or not has_positional_name(field, place):
            fields.append(field)
            continue
        if place > len(known):
            takes = f"takes {len(known)} parameter{'' if len(known) == 1 else 's'}"
            raise ExtractionError(
                f"{name} {takes}, and its signature has {len(given.params)} without names",
                "leave out what it does not take",
            )
        fields.append(Field(known[place - 1], field.type, field.required, field.default))
    parts = given.returns, given.definitions, given.extra, given.io, given.secrets
    return Signature(fields, *parts, keeps_ints=given.keeps_ints)


def _hosts(plan: HostPlan, callee: Callee, given: Signature) -> tuple[HostParam, ...]:
    """Return the parameters of the function *callee*; if unknown, from *given*."""
    if plan.params:
        return plan.params
    if callee.params is None:
        # A builtin function whose parameters are unknown takes those of the signature, most often
        # by position only; a class such as dict takes them by name.
        kind: ParamKind = "POSITIONAL_ONLY" if callee.by_place else "POSITIONAL_OR_KEYWORD"
        return tuple(HostParam(f.name, kind, optional=True) for f in given.params)
    return tuple(_host(param) for param in callee.params)


def _host_beside(host: HostParam, given: Signature) -> HostParam:
    """Adapt the host parameter *host* to its field in the signature *given*.

    It is given as None if it is nullable and optional there, and gets the signature's default where
    that is not its own.
    """
    field = next((f for f in given.params if f.name == host.name), None)
    if field is not None and host.formless:
        # The signature gives the form that the hint does not have.
        return host._replace(injected=False)
    if field is not None and field.default is not None:
        return host._replace(keeps_default=_is_default(host.default, field.default))
    if field is None or host.optional or field.required:
        return host
    return host._replace(nil=isinstance(strip_annotations(field.type), Maybe))


def _is_default(own: Any, stated: Const) -> bool:
    """Whether *own*, the default of a function, is written as *stated*."""
    from typesig.extraction.encoder import make_constant

    try:
        return make_constant(own) == stated
    except Exception:
        # Reading a stranger's object may raise anything.
        return False


def _host(param: Param) -> HostParam:
    """Convert *param*, a parameter of a function, into a host parameter."""
    is_variable = param.kind in ("VAR_POSITIONAL", "VAR_KEYWORD")
    can_do_without = param.default is not EMPTY or is_variable
    return HostParam(param.name, param.kind, optional=can_do_without, default=param.default)


def _check(given: Signature, hosts: tuple[HostParam, ...], name: str) -> None:
    """Raise `ExtractionError` if the signature *given* misfits the parameters *hosts*."""
    known = {host.name for host in hosts if host.kind != "VAR_KEYWORD"}
    takes_any = any(host.kind == "VAR_KEYWORD" for host in hosts)
    for field in given.params:
        if field.name not in known and not takes_any:
            has = f"it has {', '.join(sorted(known))}" if known else "it has none"
            raise ExtractionError(f"{name} has no parameter {field.name}", has)
    fields = {field.name: field for field in given.params}
    for host in hosts:
        needs = not host.optional and not host.injected and not host.nil
        if needs and host.name not in fields:
            raise ExtractionError(
                f"{name} needs {host.name}, which its signature leaves out",
                "add it, give it a default, or annotate it Injected[…]",
            )
        if needs and _may_be_missing(fields[host.name]):
            raise ExtractionError(
                f"{name} needs {host.name}, which its signature lets the model leave out",
                "give the parameter a default",
            )


def _may_be_missing(field: Field) -> bool:
    """Whether a call may lack *field*, without a default or nil in its place."""
    nullable = isinstance(strip_annotations(field.type), Maybe)
    return not field.required and field.default is None and not nullable


def _mismatches(given: Signature, found: Extraction) -> list[HintWarning]:
    """List warnings for types of *given* that the function's hints cannot hold."""
    if found.signature is None:
        return []
    hinted: dict[str, Any] = {f.name: f.type for f in found.signature.params}
    stated: dict[str, Any] = {f.name: f.type for f in given.params if f.name in hinted}
    hinted["returns"], stated["returns"] = found.signature.returns, given.returns
    out = []
    for place, t in stated.items():
        ours, theirs = find_kinds(t), find_kinds(hinted[place])
        if ours and theirs and not all(_HELD_BY[kind] & theirs for kind in ours):
            hint = describe_type(hinted[place], found.signature.names)
            out.append(
                HintWarning(
                    place,
                    hint,
                    (
                        f"the signature says {describe_type(t, given.names)}, which the hint "
                        "cannot hold"
                    ),
                    "change one of them",
                    "partial",
                )
            )
    return out


#: Kinds of hints that can hold a value of a kind: a list can stand for a set, text for a datetime.
_HELD_BY: dict[Kind, frozenset[Kind]] = {
    "nil": frozenset({"nil"}),
    "bool": frozenset({"bool"}),
    "int": frozenset({"int", "float"}),
    "float": frozenset({"float"}),
    "string": frozenset({"string", "datetime"}),
    "keyword": frozenset({"keyword", "string"}),
    "list": frozenset({"list", "set"}),
    "map": frozenset({"map"}),
    "set": frozenset({"set", "list"}),
    "datetime": frozenset({"datetime"}),
    "object": frozenset({"object"}),
}
