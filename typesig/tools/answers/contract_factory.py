"""Contracts made from hints, signatures and callables."""

from __future__ import annotations

import types
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, get_origin, overload

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import Field, Record, Ref, Type
from typesig.algebra.signature import Signature
from typesig.errors import TypesigError
from typesig.extraction.callables.callables import read_callee
from typesig.extraction.callables.hint_resolver import HintScope
from typesig.extraction.callables.options import ANSWER_OPTIONS, Options, make_options
from typesig.extraction.callables.warnings import HintWarning, group_warnings
from typesig.extraction.extract import extract_callee, raise_if_warned
from typesig.extraction.hints.fields import fit_signature
from typesig.extraction.hints.metadata import add_title, get_class_title
from typesig.extraction.parameter_types import require_tags
from typesig.extraction.python_types.host_plan import HostPlan
from typesig.extraction.readers import make_context
from typesig.notations import parse
from typesig.tools.answers.contract import Contract
from typesig.tools.tool import Tool
from typesig.validation.outcome.visibility import get_result_secrets
from typesig.validation.policy import ModeName, Policy

if TYPE_CHECKING:
    from typing import Unpack

    from typing_extensions import TypeForm

    from typesig.extraction.callables.options import HintKeywords


T = TypeVar("T")


@overload
def contract(
    hint: type[T], *, mode: ModeName | Policy | None = None, **options: Unpack[HintKeywords]
) -> Contract[T]: ...
@overload
def contract(
    hint: str | Signature | Type | list[Any] | tuple[Any, ...],
    *,
    mode: ModeName | Policy | None = None,
    **options: Unpack[HintKeywords],
) -> Contract[Any]: ...
@overload
def contract(
    hint: TypeForm[T], *, mode: ModeName | Policy | None = None, **options: Unpack[HintKeywords]
) -> Contract[T]: ...
@overload
def contract(
    hint: object, *, mode: ModeName | Policy | None = None, **options: Unpack[HintKeywords]
) -> Contract[Any]: ...
def contract(
    hint: Any, *, mode: ModeName | Policy | None = None, **options: Unpack[HintKeywords]
) -> Contract[Any]:
    """Return the contract of an answer, described by a hint, a callable, or any source for `parse`.

    For a signature or a callable, the answer is its result; a class is a hint. The options are
    those of `extract`, without `injected`. *mode* is the default mode of `read`. Raises
    `TypesigError` for a callable without hints.

    >>> contract(list[int]).read('{"items": ["1", 2]}').result
    [1, 2]
    """
    chosen = _chosen(options)
    made = _make_contract(hint, chosen)
    if made is not hint and made._host.returns is not None:
        made._source = (restore_contract, hint, options)
    return made._with_mode(mode)


def _chosen(options: HintKeywords) -> Options:
    """Validate the keyword *options* of a contract, cached if they are hashable."""
    try:
        return _read_options(**options)
    except TypeError:
        # An unknown name, or a value that no cache can have.
        pass
    return make_options("contract", options, ANSWER_OPTIONS)


@lru_cache(maxsize=64, typed=True)
def _read_options(**options: Any) -> Options:
    """Validate the keyword *options* of a contract; cached."""
    return make_options("contract", options, ANSWER_OPTIONS)


def _make_contract(hint: Any, chosen: Options) -> Contract[Any]:
    """Build the contract of *hint* with the options *chosen*, without a mode."""
    known = None if isinstance(hint, type) else _make_object_contract(hint, chosen)
    if known is not None:
        return known
    context = make_context(chosen, HintScope())
    found = context.read(hint)
    t = add_title(found.type, _get_title(hint, found.type))
    [field], definitions = require_tags([Field("answer", t)], context.findings.definitions)
    signature = fit_signature(context, (), field.type, definitions)
    warnings = context.findings.warnings
    if chosen.strict:
        raise_if_warned("the hint cannot be read without loss", warnings)
    findings = context.findings
    host = HostPlan(
        (),
        found.decode,
        exact=findings.exact,
        spellings=findings.spellings,
        secrets=frozenset(findings.secrets),
        strict=frozenset(findings.strict),
    )
    return Contract(signature, group_warnings(warnings), host=host, explicit=False)


def _get_title(hint: Any, t: Type) -> str | None:
    """Return the title of the class *hint*; None if its type *t* is no record."""
    cls = get_origin(hint) or hint
    if not isinstance(cls, type) or not isinstance(strip_annotations(t), Record | Ref):
        return None
    return get_class_title(cls) or cls.__name__


def _make_object_contract(hint: Any, chosen: Options) -> Contract[Any] | None:
    """Build the contract of a signature, tool or callable *hint*; None for hints."""
    if isinstance(hint, Signature | str | list | tuple | Type):
        signature = parse(hint)
        host = HostPlan(secrets=signature.secrets, exact=signature.keeps_ints)
        return Contract(signature, host=host)
    if isinstance(hint, Contract):
        return hint
    if isinstance(hint, Tool):
        binding = hint.binding
        return _make_result_contract(
            binding.signature, binding.host, hint.warnings, binding.explicit
        )
    if isinstance(hint, _FUNCTIONS) or _is_callable_object(hint):
        found, plan = extract_callee(read_callee(hint), chosen)
        if found.signature is None:
            raise TypesigError(f"{found.name} has no hints for an answer; give a signature")
        return _make_result_contract(found.signature, plan, found.warnings, False)
    if hint is not None and type(hint).__module__ == "builtins" and not isinstance(hint, type):
        remedy = "write a hint such as contract(list[int])"
        if isinstance(hint, dict):
            remedy = "for a JSON Schema, write contract(from_json_schema(…))"
        raise TypesigError(
            f"contract takes a hint, a signature or a function, not {type(hint).__name__}; {remedy}"
        )
    return None


def restore_contract(
    hint: Any, options: HintKeywords, mode: ModeName | Policy | None
) -> Contract[Any]:
    """Restore a pickled contract from its hint, its options and its mode."""
    return contract(hint, mode=mode, **options)


_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)


def _is_callable_object(hint: Any) -> bool:
    """Whether *hint* is a callable object, neither a class nor a typing construct."""
    home = getattr(type(hint), "__module__", "")
    return callable(hint) and not isinstance(hint, type) and home not in (
        "typing", "typing_extensions", "types", "builtins",
    )  # fmt: skip


def _make_result_contract(
    signature: Signature, plan: HostPlan, warnings: tuple[HintWarning, ...], explicit: bool
) -> Contract[Any]:
    """Build the contract of a callable's result, from its *signature* and *plan*."""
    exact, spellings, secrets = plan.exact, plan.spellings, get_result_secrets(plan.secrets)
    host = HostPlan((), plan.returns, exact=exact, spellings=spellings, secrets=secrets)
    return Contract(signature, warnings, host=host, explicit=explicit)
