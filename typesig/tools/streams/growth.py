"""Partial answers and arguments, while they arrive in pieces."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from typesig.algebra.nodes import ANY, Record, Type
from typesig.calls.binding import Binding
from typesig.calls.decoding import decode_value, get_host_policy, refuse_coerced
from typesig.extraction.python_types.decoders import Decode, DecodePlan
from typesig.extraction.python_types.host_plan import Speller, Spellings
from typesig.extraction.python_types.plan_decoder import UNKNOWN, get_part_plan
from typesig.validation.policy import Policy
from typesig.validation.repair.input_reader import wants_digits
from typesig.validation.stream.part_shapes import Make, Maker, StreamTarget
from typesig.validation.verdicts import filling_policy


def make_growing_answer(
    binding: Binding, policy: Policy, outcome_of: Callable[..., Any]
) -> StreamTarget:
    """Build the stream target for an answer; *outcome_of* returns its outcome.

    *outcome_of* returns the outcome of a whole answer, as `Contract._outcome` does.
    """
    signature, host = binding.signature, binding.host
    keeps = wants_digits(signature.returns, signature.names, policy)

    def whole(data: Any) -> Any:
        return outcome_of(data, policy, (), written=keeps)

    if policy.on_issue == "skip":
        return StreamTarget(ANY, (), policy, whole, "answer")
    nested = get_host_policy(policy, binding.explicit, host.exact, host.foreign)
    return StreamTarget(
        signature.returns,
        signature.definitions,
        nested,
        whole,
        "answer",
        signature.returns_list(),
        _make_other_names(host.spellings),
        _make_renamer(host.spellings, signature.names),
        _build_maker(host.returns),
        host.secrets,
        filling_policy(signature.returns, signature.names, policy, nested),
        partial(refuse_coerced, strict=host.strict),
    )


def make_growing_arguments(
    binding: Binding, policy: Policy, whole: Callable[[Any], Any]
) -> StreamTarget:
    """Build the stream target for a call's arguments; *whole* returns the outcome."""
    if policy.on_issue == "skip":
        return StreamTarget(ANY, (), policy, whole, "input")
    signature, host = binding.signature, binding.host
    # What becomes of undeclared arguments is known when all of them are.
    extra = None if signature.extra == ANY else signature.extra
    t = Record(signature.params, extra)
    nested = get_host_policy(policy, binding.explicit, host.exact, host.foreign)
    return StreamTarget(
        t,
        signature.definitions,
        nested,
        whole,
        "input",
        False,
        _make_other_names(host.spellings),
        _make_renamer(host.spellings, signature.names),
        secrets=host.secrets,
        filling=filling_policy(t, signature.names, policy, nested),
        refuse=partial(refuse_coerced, strict=host.strict),
    )


def _make_other_names(spellings: Spellings) -> Callable[[Record], frozenset[str]]:
    """Build a function that returns the alternative field names of a record."""
    return lambda t: frozenset(spellings.get(t, ()))


def _make_renamer(spellings: Spellings, names: dict[str, Type]) -> Callable[[Type, Any], Any]:
    """Build a function that renames alternative keys of data to the declared names."""
    return Speller(spellings, names).rename_keys if spellings else lambda _, data: data


def _build_maker(decode: Decode) -> Maker:
    """Build a function from the path of a list to a factory for its items."""

    def maker(path: tuple[str | int, ...]) -> Make | None:
        found = decode
        for step in path:
            found = get_part_plan(found, step)
            if found is UNKNOWN:
                return None
        return None if found is None else _build_item_maker(found)

    return maker


def _build_item_maker(plan: DecodePlan) -> Make:
    """Build the function that decodes an item of a list by *plan*.

    It returns an empty list for an item that is refused, of which the whole will tell.
    """

    def made(item: Any) -> list[Any]:
        found, refused = decode_value(plan, [item], (), "the hint")
        if refused:
            return []
        return list(found) if isinstance(found, list | tuple | deque) else [item]

    return made
