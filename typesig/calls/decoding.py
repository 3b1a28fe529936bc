"""From what a model sent to the host's own objects: the policy of the check, and decoding."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from typesig.algebra.constructors import bare
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, NIL, Type
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.names import folded
from typesig.algebra.rows.values import is_text, kind_of
from typesig.calls.binding import Binding, missing_defaults, signature_to_check
from typesig.extraction.hosts.decoded import decoded
from typesig.extraction.hosts.decoders import (
    FLOATS,
    NO_BAD,
    Bad,
    Decode,
    DecodePlan,
    HostError,
    Items,
    Leaf,
    Named,
    OfMap,
)
from typesig.limits import MAX_EXCERPT
from typesig.validation.default_data import fill_defaults, filling_policy
from typesig.validation.generated.program import Shortcut, shortcut
from typesig.validation.issues.excerpt import shown
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.words import filled
from typesig.validation.outcome.about import About
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.passed import make_valid_outcome
from typesig.validation.outcome.told import Notes, Told
from typesig.validation.rows.keys import KeyPlan
from typesig.validation.rows.plain import plain
from typesig.validation.rows.policy import Extras, Policy
from typesig.validation.rows.run import MISSPELT, Found, Run

if TYPE_CHECKING:
    from typesig.extraction.onepass.fused import Fused
    from typesig.extraction.onepass.handed import Handed
    from typesig.validation.rows.run import Run

#: What a decoder raises for a value that the signature accepts and the hint cannot hold.
_FLAWS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)

#: What a decoder raises for a value that it refuses.
REFUSALS = (HostError, *_FLAWS)


@lru_cache(maxsize=256)
def policy_for_host(policy: Policy, explicit: bool, exact: bool, foreign: bool = False) -> Policy:
    """Policy for values that a model sends and Python decodes.

    *explicit* is whether their type was given as text; *exact* whether ints must be left as they
    are, since a hint is `int | float`; *foreign* whether a server of others takes the values.
    """
    changed = policy.for_call()
    if explicit and policy.extras == "keep":
        # Records of a text can be open, and keep undeclared keys; those of hints cannot.
        changed = changed.changed(extras="keep")
    if not explicit:
        # Classes fill in their own defaults, which may have no form in data.
        changed = changed.changed(defaults=False)
    if exact:
        # The hint int | float is :float; the decoders of float hints make floats.
        changed = changed.off("float_from_int")
    return changed.on("other_format") if foreign else changed


@lru_cache(maxsize=256)
def undeclared_in_call(policy: Policy) -> Extras:
    """Return what a call under *policy* does with arguments that the signature does not declare."""
    return policy.for_call().extras


class Unchanged:
    """Data of one type that is not decoded."""

    __slots__ = ("_definitions", "_known", "_type")

    takes_text: Literal[False] = False

    def __init__(self, t: Type, definitions: tuple[Definition, ...]) -> None:
        self._type = t
        self._definitions = definitions
        # The policy of the last reading, and the predicate under it.
        self._known: tuple[Policy, Shortcut] | None = None

    def read(self, data: Any, policy: Policy, _is_counted: bool = False) -> Any:
        """Return *data* if the check would find nothing in it, and None otherwise."""
        known = self._known
        if known is None or known[0] is not policy:
            known = self._known = policy, shortcut(self._type, self._definitions, policy)
        return data if known[1].passes(data) else None

    def taking(self, policy: Policy) -> Callable[[Any], object]:
        """Return the predicate of data that the check under *policy* leaves as it is."""
        return shortcut(self._type, self._definitions, policy).compiled()


#: What checks and decodes data in one pass.
OnePass: TypeAlias = "Unchanged | Handed | Fused"


def one_pass(t: Type, definitions: tuple[Definition, ...], plan: Decode) -> OnePass | None:
    """Return what checks and decodes data of *t* in one pass, None if no way is known."""
    if plan is None:
        return Unchanged(t, definitions)
    if _makes_models(plan):
        # Loaded only for the hints that need it.
        from typesig.extraction.onepass.handed import handed

        return handed(t, plan)
    item = plan.item if isinstance(plan, Items) else plan
    if isinstance(item, Leaf) and item is not FLOATS:
        return None
    from typesig.extraction.onepass.fused import Fused

    return Fused(t, definitions, plan)


def _makes_models(plan: Decode) -> bool:
    """Tell whether *plan* makes a model, or a list of them."""
    item = plan.item if isinstance(plan, Items) else plan
    return isinstance(item, Named) and isinstance(item.build, OfMap)


def decoding_checked(
    t: Type, definitions: tuple[Definition, ...], plan: DecodePlan, policy: Policy
) -> Callable[[Any], Any]:
    """Return what decodes data of *t* that has passed the check under *policy*.

    Models are made in one pass where a way is known that makes the same of what it takes.
    """
    from typesig.extraction.onepass.fused import decoding

    decode = decoding(plan)
    known = one_pass(t, definitions, plan) if _makes_models(plan) else None
    if known is None:
        return decode
    read = known.read

    def made(value: Any) -> Any:
        found = read(value, policy)
        return decode(value) if found is None else found

    return made


class AboutAnswer(About):
    """What the outcomes share of answers that were checked and decoded in one pass.

    #: keeps_digits: whether numbers of a text keep digits that their floats lack
    #: filling: the policy that fills in the defaults of classes; see `filling_policy`
    """

    keeps_digits: bool
    filling: Policy | None = None

    def fill(self, value: Any) -> Any:
        """Return *value*, which has passed the check, with the defaults of its classes."""
        return fill_defaults(value, self.type, self.definitions, self.filling)

    def told_by(self, result: Any, notes: Notes) -> Told:
        """Return what the outcome tells; *notes* has the data that was read; see `outcome`."""
        value, warnings, _ = notes
        told = (), warnings
        made, subject = partial(self.value_of, result, notes), self.subject(self.fill(value))
        return Told(lambda: told, False, self.stage, None, 0, made, subject)

    def value_of(self, result: Any, notes: Notes | None) -> Any:
        """Return the data that was read."""
        assert notes is not None
        value, _, is_text = notes
        return self.fill(value) if is_text else plain(self.fill(value))

    def outcome(
        self, made: Any, value: Any, warnings: Iterable[Issue], is_text: bool
    ) -> Outcome[Any]:
        """Return the outcome of what was *made* of *value*.

        *is_text* is whether that is the data of a JSON text, which is plain.
        """
        outcome = make_valid_outcome(made, self, (value, tuple(warnings), is_text))
        if is_text and self.filling is None:
            # Nothing is made of it when it is read.
            outcome._value = value
        return outcome


def fill_arguments(binding: Binding, data: dict[str, Any], policy: Policy) -> dict[str, Any]:
    """Return *data*, arguments that were checked under *policy*, with all defaults."""
    signature, host = signature_to_check(binding), binding.host
    t = signature.arguments
    nested = policy_for_host(policy, binding.explicit, host.exact, host.foreign)
    filling = filling_policy(t, signature.names, policy, nested)
    filled = fill_defaults(data, t, signature.definitions, filling)
    return {**filled, **missing_defaults(binding, filled)}


def decode_value(
    plan: Decode,
    value: Any,
    path: tuple[str, ...],
    taker: str,
    secrets: Collection[str] = (),
    is_text: bool = False,
    bad: Bad = NO_BAD,
) -> tuple[Any, list[Issue]]:
    """Return what *plan* makes of *value*, or *value* itself and why it was refused.

    *path* is the place of the value; *taker* is named in messages as who refuses it.  If
    there are *secrets*, no message repeats a part of the value.  *is_text* is whether it was read
    from JSON text, which has no objects of subclasses.  If the check has refused the parts *bad*,
    *value* itself is returned, with what its other parts are refused for.
    """
    if plan is None:
        return value, []
    value = value if is_text else as_builtin(value)
    try:
        made = decoded(plan, value, bad)
        return (value if bad else made), []
    except HostError as error:
        return value, [_refusal(each, value, path, bool(secrets)) for each in (error, *error.more)]
    except _FLAWS:
        # The signature accepts a value that the hint cannot hold.
        message = f"{taker} does not take such a value"
        return value, [Issue("host", path, "", message, filled("got {}", shown(value)))]


def refuse_coerced(run: Run, strict: frozenset[tuple[str, ...]]) -> None:
    """Make errors of the values that *run* coerced at the places *strict*, which take no other."""
    for found in run.found if strict else ():
        place = tuple([step for step in reversed(found.steps) if isinstance(step, str)])
        if found.code == "coerced" and any(place[: len(each)] == each for each in strict):
            found.code, found.rule, found.warning = "type", "", False


def add_refusals(known: list[Issue], refused: list[Issue], policy: Policy) -> int:
    """Add those of *refused* to *known* that *policy* has room for; return how many are left."""
    room = max(policy.max_issues - len(known), 0)
    known.extend(refused[:room])
    return max(len(refused) - room, 0)


def _refusal(error: HostError, value: Any, path: tuple[str, ...], has_secrets: bool) -> Issue:
    """Return the issue of *error*, which shows the part of *value* that it is about."""
    whole = (*path, *reversed(error.steps))
    part: Any = value
    for step in reversed(error.steps):
        held = isinstance(part, dict) and step in part
        listed = isinstance(part, list | tuple) and isinstance(step, int) and step < len(part)
        part = cast("Any", part)[step] if held or listed else None
    got = filled("got {}", shown(part)) if error.shows else ""
    # What a class says of a secret may show it.
    is_repeated = has_secrets and _repeats(error.message, part)
    message = "this value does not conform" if is_repeated else error.message
    return Issue("host", whole, "", message, got)


def _repeats(message: str, value: Any) -> bool:
    """Return whether *message* shows a text or a number in *value*."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            pending += part.values()
        elif isinstance(part, list | tuple | set | frozenset):
            pending += part
        elif kind_of(part) in ("string", "int", "float") and part != "":
            # As a word: a short text is in many others.
            word = re.escape(str(part)[:MAX_EXCERPT])
            if re.search(rf"(?<!\w){word}(?!\w)", message):
                return True
    return False


def find_unchecked_arguments(binding: Binding, value: Mapping[str, Any]) -> list[Issue]:
    """Warn of the arguments in *value* that no check has seen, as their hints have no JSON form."""
    types = {field.name: field.type for field in binding.signature.params}
    return [
        Issue("unchecked", (name,), "", why)
        for name, why in binding.unchecked.items()
        if name in value and bare(types.get(name, NIL)) == ANY
    ]


def select_arguments(
    binding: Binding, data: dict[str, Any], mine: Container[str], policy: Policy
) -> tuple[dict[str, Any], list[Found]]:
    """Select the arguments in *data* that the function takes, without a check of their values.

    The function cannot be called with names that it lacks, and *mine* are for the host to give: the
    findings name those that were dropped, and those that were meant for an absent name.
    """
    names = {param.name for param in binding.host.params}
    plan, run = KeyPlan(binding.signature.params), Run(policy.max_issues)
    kept: dict[str, Any] = {}
    for key, item in data.items():
        is_host = folded(str(key)) in mine
        if not is_host and (binding.takes_any or key in names):
            kept[key] = item
            continue
        may_be_meant = policy.refuse_misspelt and not is_host and is_text(key)
        meant = plan.misspelt(key, data, run.work.misspelt) if may_be_meant else ""
        if meant:
            found = Found("extra", hint=meant, rule=MISSPELT)
        else:
            found = Found("dropped", rule="extras", warning=True)
        found.steps.append(str(key))
        run.add(found)
    return kept, run.found
