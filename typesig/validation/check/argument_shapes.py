"""Named arguments that models send as JSON text, as null or inside a wrapper key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typesig.algebra.nodes import ANY, Field
from typesig.algebra.rows.values import is_text, to_builtin
from typesig.algebra.signature import Signature
from typesig.validation.check.place_coercions import read_parts
from typesig.validation.check_state import CheckState, Finding
from typesig.validation.coercions import CoercionId
from typesig.validation.issues.excerpt import describe_value, quote_text
from typesig.validation.issues.issues import IssueCode
from typesig.validation.issues.words import KIND_PHRASES
from typesig.validation.keys import KeyPlan, get_near_form
from typesig.validation.policy import Policy

#: The keys in which models put all the arguments, besides the name of the tool.
_WRAPPERS = ("arguments", "input", "parameters")


def is_empty_text(sent: object) -> bool:
    """Whether *sent* is blank text or the text of null, and so holds no arguments."""
    if not issubclass(type(sent), str | bytes):
        return False
    return to_builtin(sent).strip() in ("", b"", "null", b"null", '""', b'""')


def may_be_wrapped(data: dict[Any, Any], tool: str = "") -> bool:
    """Whether the only key of *data* may be a wrapper around the arguments, or is *tool*."""
    return len(data) == 1 and not data.keys().isdisjoint((*_WRAPPERS, tool))


def unpack_arguments(
    sent: Any,
    signature: Signature,
    policy: Policy,
    run: CheckState,
    tool: str = "",
    others: Iterable[str] = (),
    any_name: bool = False,
) -> Any:
    """Unpack named arguments from text or a wrapper key, with a warning, or return *sent*.

    *tool* is the name of the tool; *others* are the names that only the host supplies.
    *any_name* is whether the function takes arguments of any name (`**kwargs`).
    """
    data = to_builtin(sent)
    if is_text(data):
        if is_empty_text(data) and "arguments_from_nothing" in policy.coercions:
            _warn(run, "empty", describe_value(data), "arguments_from_nothing")
            return {}
        held = read_parts(data) if "arguments_from_string" in policy.coercions else None
        if not isinstance(held, dict):
            return sent
        _warn(run, "parsed", KIND_PHRASES["map"], "arguments_from_string")
        data = held
    takes_extras = any_name or signature.extra not in (ANY, None)
    if takes_extras or "arguments_from_wrapper" not in policy.coercions:
        return data
    return _unwrap_arguments(data, signature.params, run, tool, others)


def _unwrap_arguments(
    data: Any, params: tuple[Field, ...], run: CheckState, tool: str, others: Iterable[str]
) -> Any:
    """Return the arguments in the only key of *data* if that is a wrapper, else *data*."""
    if type(data) is not dict or len(data) != 1:
        return data
    [(key, held)] = data.items()
    key, held = to_builtin(key), to_builtin(held)
    if not is_text(key) or key not in (*_WRAPPERS, tool):
        return data
    plan = KeyPlan(params)
    if get_near_form(key) in {get_near_form(name) for name in (*plan.names, *others)}:
        return data
    inner = read_parts(held) if is_text(held) else held
    if not issubclass(type(inner), dict):
        return data
    known = any(
        is_text(name) and (plan.get_declared_name(name) is not None or plan.get_near_names(name))
        for name in map(to_builtin, inner)
    )
    if inner and not known and not any(field.required for field in params):
        # The arguments are complete without it, and nothing in it is one.
        return data
    _warn(run, "unwrapped", quote_text(key), "arguments_from_wrapper")
    return inner


def _warn(run: CheckState, code: IssueCode, what: str, rule: CoercionId) -> None:
    expected, got = (what, "") if code == "parsed" else ("", what)
    run.add(Finding(code, expected, got, rule=rule, warning=True))
