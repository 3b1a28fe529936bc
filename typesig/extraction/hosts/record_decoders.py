"""Decoders of records: a map to an object of the host, or to a dict."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from typesig.algebra.rows.values import exact
from typesig.extraction.hosts.decoders import (
    Decode,
    FieldPlan,
    HostError,
    decode_places,
    float_of,
    for_many,
    gathered,
    refusal_of,
)
from typesig.extraction.hosts.many import (
    DECODED,
    FLOAT,
    KEPT,
    KEPT_OR_NIL,
    NIL,
    VARIANTS,
    WIDEST,
    maker_of,
)


def named(
    plans: tuple[FieldPlan, ...], build: Callable[..., Any] | None, rest: Decode = None
) -> Decode:
    """Return the decoder of a record; *build* takes the fields by name, or is None for a dict.

    *rest* decodes the values of undeclared keys.  For what attributes of *build* do see `_named`.
    """
    decode = _named(plans, build, rest)
    if decode is not None:
        parts = {plan.name: plan.decode for plan in plans}
        decode.part = lambda step: parts.get(step, rest)  # type: ignore[attr-defined]
    return decode


def _named(plans: tuple[FieldPlan, ...], build: Callable[..., Any] | None, rest: Decode) -> Decode:
    """Return the decoder of a record without that of its parts.

    If *build* has an attribute `of_map`, that does
    the same with the fields in a dict of its own; `firsts`, of plans and a list of records, makes
    as many objects as it can; `model` is the class of pydantic that it makes objects of.
    """
    if build is None:
        return _decoder_of_dict(plans, rest)
    if rest is not None:
        return _decoder_with_others(plans, build, rest)
    of_map = getattr(build, "of_map", None)
    if of_map is not None and all(plan.name == plan.attribute for plan in plans):
        decode_map = _decoder_of_map(plans, of_map)
        return _with_ways(decode_map, plans, build)
    names = tuple(plan.name for plan in plans)
    attributes = tuple(plan.attribute for plan in plans)
    absent = tuple(None if plan.nil and plan.decode is None else _ABSENT for plan in plans)
    steps = [
        (place, plan.name, plan.decode)
        for place, plan in enumerate(plans)
        if plan.decode is not None
    ]
    in_order = _takes_in_order(build, attributes)
    decode_present = _decoder_with_others(plans, build, None)

    def decode(value: Any) -> Any:
        if type(value) is not dict:
            value = exact(value)
        parts = list(map(value.get, names, absent))
        if _ABSENT in parts:
            return decode_present(value)
        if steps:
            decode_places(parts, steps)
        try:
            if in_order:
                return build(*parts)
            return build(**dict(zip(attributes, parts, strict=True)))
        except (TypeError, ValueError) as error:
            raise refusal_of(error) from error

    if in_order:
        # What `typesig.extraction.onepass.fused` writes code for.
        decode.record = plans, build  # type: ignore[attr-defined]
    if in_order and 0 < len(names) <= WIDEST:
        # A list of many records decodes them with what this makes.
        decode.for_many = cache(lambda: _decoder_for_many(plans, build, decode_present))  # type: ignore[attr-defined]
    return decode


def _with_ways(
    decode: Callable[[Any], Any], plans: tuple[FieldPlan, ...], build: Any
) -> Callable[[Any], Any]:
    """Return *decode* with the ways of *build* to make objects in less time."""
    firsts = getattr(build, "firsts", None)
    if firsts is not None:
        decode.firsts = partial(firsts, plans)  # type: ignore[attr-defined]
    decode.model = getattr(build, "model", None)  # type: ignore[attr-defined]
    return decode


def _decoder_for_many(
    plans: tuple[FieldPlan, ...], build: Callable[..., Any], otherwise: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """Return the decoder of records in generated code, for each set of names that they have.

    *build* takes all fields by position; *otherwise* decodes any record.
    """
    plans = _with_nil(plans, build)
    names = [plan.name for plan in plans]
    declared = frozenset(names)
    variants: dict[tuple[bool, ...], Callable[[Any], Any]] = {}
    # The same by the names in their order, which are found faster.
    by_names: dict[tuple[str, ...], Callable[[Any], Any]] = {}

    def decode_fewer(value: Any) -> Any:
        if type(value) is not dict:
            return otherwise(value)
        given = tuple(value)
        known = by_names.get(given)
        if known is not None:
            return known(value)
        present = tuple([name in value for name in names])
        if all(present):
            # A float is to be made, or is refused.
            return otherwise(value)
        if present not in variants and len(variants) < VARIANTS:
            variants[present] = _generated(plans, present, build, otherwise) or otherwise
        variant = variants.get(present, otherwise)
        if value.keys() <= declared and len(by_names) < VARIANTS:
            by_names[given] = variant
        return variant(value)

    whole = _generated(plans, (True,) * len(plans), build, decode_fewer)
    assert whole is not None
    return whole


def _with_nil(plans: tuple[FieldPlan, ...], build: Any) -> tuple[FieldPlan, ...]:
    """Return *plans*, where a field gets None that is absent and has this as its default."""
    # The constructor of a struct of msgspec is not written in Python.
    known = getattr(build, "__struct_defaults__", None)
    known = (build.__init__.__defaults__ or ()) if known is None else known
    tail = plans[len(plans) - len(known) :]
    nil = {plan.name for plan, each in zip(tail, known, strict=True) if each is None}
    return tuple(
        [
            FieldPlan(plan.name, plan.attribute, None, True, plan.encode)
            if plan.name in nil and plan.decode is None
            else plan
            for plan in plans
        ]
    )


def _generated(
    plans: tuple[FieldPlan, ...],
    present: tuple[bool, ...],
    build: Callable[..., Any],
    otherwise: Callable[[Any], Any],
) -> Callable[[Any], Any] | None:
    """Return the decoder of records with the fields *present*, or None if there is no code."""
    given = [plan for plan, has in zip(plans, present, strict=True) if has or plan.nil]
    if given != list(plans[: len(given)]) or not any(present):
        # Behind an absent field, others can only be given by name.
        return None
    forms = [_form_of(plan, has) for plan, has in zip(given, present, strict=False)]
    held = [plan for plan, form in zip(given, forms, strict=True) if form != NIL]
    decoders = [for_many(p.decode) for p in held if p.decode not in (None, float_of)]
    make = maker_of("".join(forms))
    return make(build, otherwise, refusal_of, gathered, HostError, [p.name for p in held], decoders)


def _form_of(plan: FieldPlan, has: bool) -> str:
    if plan.nil and plan.decode is None:
        return KEPT_OR_NIL
    if not has:
        return NIL
    if plan.decode is None:
        return KEPT
    return FLOAT if plan.decode is float_of else DECODED


_ABSENT: Any = object()


def _takes_in_order(build: Any, names: tuple[str, ...]) -> bool:
    """Return whether *build* is a class whose constructor takes just *names*, by position too."""
    init = getattr(build, "__init__", None)
    if type(build) is not type or not isinstance(init, types.FunctionType):
        # The constructor of a struct of msgspec is not written in Python.
        is_struct = type(build).__name__ == "StructMeta" and init is object.__init__
        return is_struct and build.__struct_fields__ == build.__match_args__ == names
    code = init.__code__
    if code.co_kwonlyargcount or code.co_flags & _VARIADIC:
        return False
    makes: object = build.__new__
    return makes is object.__new__ and code.co_varnames[1 : code.co_argcount] == names


#: The flags of code that takes `*args` or `**kwargs`, which `inspect` is not imported for.
_VARIADIC = 0x04 | 0x08


def _decoder_of_dict(plans: tuple[FieldPlan, ...], rest: Decode) -> Decode:
    """Return the decoder of a record to a dict; a value that needs no decoding stays as it is."""
    rows = [(plan.name, plan.decode, plan.nil) for plan in plans if plan.decode or plan.nil]
    if rest is None and not rows:
        return None
    declared = frozenset() if rest is None else frozenset([plan.name for plan in plans])

    def decode(value: Any) -> Any:
        value = exact(value)
        first: HostError | None = None
        out = value
        others = [] if rest is None else [(k, rest, False) for k in value if k not in declared]
        for name, part, nil in (*rows, *others) if others else rows:
            made = old = value.get(name, _ABSENT)
            if old is _ABSENT:
                made = None if nil else old
            elif part is not None and not (part is float_of and type(old) is float):
                try:
                    made = part(old)
                except HostError as error:
                    first = gathered(first, error, name)
            if made is not old:
                out = dict(value) if out is value else out
                out[name] = made
        if first is not None:
            raise first
        return out

    if rest is None:
        decode.record = plans, None  # type: ignore[attr-defined]
    return decode


def _decoder_of_map(
    plans: tuple[FieldPlan, ...], build: Callable[[dict[str, Any]], Any]
) -> Callable[[Any], Any]:
    """Return the decoder of a record of which *build* takes the fields in a dict."""
    declared = frozenset(plan.name for plan in plans)
    steps = [(plan.name, plan.decode) for plan in plans if plan.decode is not None]
    nil = [plan.name for plan in plans if plan.nil]

    def decode(value: Any) -> Any:
        # A copy, since validators of the user may change it.
        out: dict[str, Any] = dict(exact(value))
        if not out.keys() <= declared:
            out = {name: part for name, part in out.items() if name in declared}
        first: HostError | None = None
        for name, part in steps:
            old = out.get(name, _ABSENT)
            if old is _ABSENT or (part is float_of and type(old) is float):
                continue
            try:
                out[name] = part(old)
            except HostError as error:
                first = gathered(first, error, name)
        if first is not None:
            raise first
        for name in nil:
            out.setdefault(name, None)
        try:
            return build(out)
        except (TypeError, ValueError) as error:
            raise refusal_of(error) from error

    return decode


def _decoder_with_others(
    plans: tuple[FieldPlan, ...], build: Callable[..., Any], rest: Decode
) -> Callable[[Any], Any]:
    """Return the decoder of a record that may lack fields, or take undeclared keys by name."""
    rows = [(plan.name, plan.attribute, plan.decode, plan.nil) for plan in plans]
    declared = frozenset(plan.name for plan in plans)

    def decode(value: Any) -> Any:
        value = exact(value)
        first: HostError | None = None
        out: dict[str, Any] = {}
        others = [] if rest is None else [(k, k, rest, False) for k in value if k not in declared]
        for name, attribute, part, nil in (*rows, *others) if others else rows:
            made = value.get(name, _ABSENT)
            if made is _ABSENT:
                if nil:
                    out[attribute] = None
                continue
            if part is not None:
                try:
                    made = part(made)
                except HostError as error:
                    first = gathered(first, error, name)
            out[attribute] = made
        if first is not None:
            raise first
        try:
            return build(**out)
        except (TypeError, ValueError) as error:
            raise refusal_of(error) from error

    return decode
