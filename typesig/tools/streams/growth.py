"""What an answer, or the arguments of a call, are while they arrive in pieces."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from typesig.algebra.nodes import ANY, Record, Type
from typesig.calls.binding import Binding
from typesig.calls.decoding import decode_value, policy_for_host, refuse_coerced
from typesig.extraction.hosts.decoded import UNKNOWN, part_of
from typesig.extraction.hosts.decoders import Decode, DecodePlan
from typesig.extraction.hosts.spellings import Speller, Spellings
from typesig.validation.default_data import filling_policy
from typesig.validation.mending.reading import wants_digits
from typesig.validation.rows.policy import Policy
from typesig.validation.stream.shapes import Growing, Make, Maker


def growing_answer(binding: Binding, policy: Policy, outcome_of: Callable[..., Any]) -> Growing:
    """Return what an answer is that is read as the result of *binding*.

    *outcome_of* returns the outcome of a whole answer, as `Contract._outcome` does.
    """
    signature, host = binding.signature, binding.host
    keeps = wants_digits(signature.returns, signature.names, policy)

    def whole(data: Any) -> Any:
        return outcome_of(data, policy, (), written=keeps)

    if policy.on_issue == "skip":
        return Growing(ANY, (), policy, whole, "answer")
    nested = policy_for_host(policy, binding.explicit, host.exact, host.foreign)
    return Growing(
        signature.returns,
        signature.definitions,
        nested,
        whole,
        "answer",
        signature.returns_list(),
        _others(host.spellings),
        _spelled(host.spellings, signature.names),
        _maker(host.returns),
        host.secrets,
        filling_policy(signature.returns, signature.names, policy, nested),
        partial(refuse_coerced, strict=host.strict),
    )


def growing_arguments(binding: Binding, policy: Policy, whole: Callable[[Any], Any]) -> Growing:
    """Return what the arguments of a call are; *whole* returns the outcome of all of them."""
    if policy.on_issue == "skip":
        return Growing(ANY, (), policy, whole, "input")
    signature, host = binding.signature, binding.host
    # What becomes of undeclared arguments is known when all of them are.
    extra = None if signature.extra == ANY else signature.extra
    t = Record(signature.params, extra)
    nested = policy_for_host(policy, binding.explicit, host.exact, host.foreign)
    return Growing(
        t,
        signature.definitions,
        nested,
        whole,
        "input",
        False,
        _others(host.spellings),
        _spelled(host.spellings, signature.names),
        secrets=host.secrets,
        filling=filling_policy(t, signature.names, policy, nested),
        refuse=partial(refuse_coerced, strict=host.strict),
    )


def _others(spellings: Spellings) -> Callable[[Record], frozenset[str]]:
    return lambda t: frozenset(spellings.get(t, ()))


def _spelled(spellings: Spellings, names: dict[str, Type]) -> Callable[[Type, Any], Any]:
    return Speller(spellings, names).spelled if spellings else lambda _, data: data


def _maker(decode: Decode) -> Maker:
    """Return the function from the path of a list to what makes objects of its items."""

    def maker(path: tuple[str | int, ...]) -> Make | None:
        found = decode
        for step in path:
            found = part_of(found, step)
            if found is UNKNOWN:
                return None
        return None if found is None else _item_maker(found)

    return maker


def _item_maker(plan: DecodePlan) -> Make:
    """Return the function from an item of a list that *plan* decodes to the item's object.

    It returns an empty list for an item that is refused, of which the whole will tell.
    """

    def made(item: Any) -> list[Any]:
        found, refused = decode_value(plan, [item], (), "the hint")
        if refused:
            return []
        return list(found) if isinstance(found, list | tuple | deque) else [item]

    return made
