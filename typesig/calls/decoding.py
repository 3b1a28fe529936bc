"""From raw input to Python objects: the policy of the check, and decoding."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, NIL, Type
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import get_kind, is_text
from typesig.calls.binding import Binding, find_missing_defaults, get_checked_signature
from typesig.extraction.python_types.decoders import (
    NO_BAD,
    BadParts,
    Decode,
    DecodePlan,
    DictFactory,
    HostError,
    ItemsDecoder,
    LeafDecoder,
    MembersDecoder,
    NullableDecoder,
    RecordDecoder,
)
from typesig.extraction.python_types.plan_decoder import decode_by_plan
from typesig.json_backends import UNREAD
from typesig.limits import MAX_EXCERPT
from typesig.validation.check.check import compile_checker
from typesig.validation.check_state import MISSPELT, CheckState, Finding
from typesig.validation.generated.program import Shortcut, get_shortcut
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.words import fill_template
from typesig.validation.keys import KeyPlan
from typesig.validation.outcome.check_context import CheckContext, Notes, OutcomeDetails
from typesig.validation.outcome.constructors import make_valid_outcome
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.plain_data import to_plain
from typesig.validation.policy import Extras, Policy
from typesig.validation.verdicts import (
    build_value_check,
    fill_defaults,
    filling_policy,
    run_checker,
)

if TYPE_CHECKING:
    from typesig.extraction.onepass.plan_reader import PlanReader, ReadPlan
    from typesig.extraction.onepass.pydantic_delegate import PydanticDelegate
    from typesig.validation.check_state import CheckState

#: What a decoder raises for a value that the signature accepts and the hint cannot hold.
_FLAWS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)

#: What a decoder raises for a value that it refuses.
REFUSALS = (HostError, *_FLAWS)


@lru_cache(maxsize=256)
def get_host_policy(policy: Policy, explicit: bool, exact: bool, foreign: bool = False) -> Policy:
    """Return the policy for arguments that are decoded to Python objects.

    *explicit* is whether their type was given as text; *exact* whether ints must be left as they
    are, since a hint is `int | float`; *foreign* whether a server of others takes the values.
    """
    changed = policy.for_call()
    if explicit and policy.extras == "keep":
        # Records of a text can be open, and keep undeclared keys; those of hints cannot.
        changed = changed.changed(extras="keep")
    if not explicit:
        # Classes fill in their own defaults, which may have no form in data.
        changed = changed.leave_defaults()
    if exact:
        # The hint int | float is :float; the decoders of float hints make floats.
        changed = changed.off("float_from_int")
    return changed.on("other_format") if foreign else changed


@lru_cache(maxsize=256)
def get_extras_policy(policy: Policy) -> Extras:
    """Return how undeclared arguments are treated under *policy*."""
    return policy.for_call().extras


class UndecodedData:
    """Single-pass reader of a type whose data needs no decoding."""

    __slots__ = ("_definitions", "_known", "_plans", "_type")

    takes_text: Literal[False] = False

    def __init__(self, t: Type, definitions: tuple[Definition, ...]) -> None:
        self._type = t
        self._definitions = definitions
        # The policy of the last reading, and the predicate under it.
        self._known: tuple[Policy, Shortcut] | None = None
        self._plans: PlanReader | None = None

    def read(self, data: Any, policy: Policy, is_counted: bool = False) -> Any:
        """Return *data* as the check leaves it without a warning, or `UNREAD`."""
        known = self._known
        if known is None or known[0] is not policy:
            known = self._known = policy, get_shortcut(self._type, self._definitions, policy)
        if known[1].passes(data):
            return data
        plan = self.find_plan(policy)
        # What a predicate does not know, a plan that changes nothing does not, either.
        is_known = plan is None or (plan.keeps and known[1].judge is not None)
        return UNREAD if plan is None or is_known else plan.read(data, is_counted)

    def find_plan(self, policy: Policy) -> ReadPlan | None:
        """Return the plan under *policy* of data that the check changes."""
        if self._plans is None:
            # Loaded only for such data.
            from typesig.extraction.onepass.plan_reader import PlanReader

            self._plans = PlanReader(self._type, self._definitions, None)
        return self._plans.find_plan(policy)

    def taking(self, policy: Policy) -> Callable[[Any], object]:
        """Build the predicate of data that the check under *policy* leaves unchanged."""
        return get_shortcut(self._type, self._definitions, policy).compile()


#: What checks and decodes data in one pass.
OnePass: TypeAlias = "UndecodedData | PydanticDelegate | PlanReader"


def build_one_pass(t: Type, definitions: tuple[Definition, ...], plan: Decode) -> OnePass:
    """Build the function that checks and decodes data of *t* at once."""
    if plan is None:
        return UndecodedData(t, definitions)
    from typesig.extraction.onepass.plan_reader import PlanReader

    reader = PlanReader(t, definitions, plan)
    if not _is_model_plan(plan):
        return reader
    # Loaded only for the hints that need it.
    from typesig.extraction.onepass.pydantic_delegate import find_delegate

    cold = PlanReader(t, definitions, plan, hands_over=False)
    return find_delegate(t, plan, reader, cold) or reader


def _is_model_plan(plan: Decode) -> bool:
    """Whether *plan* makes a model, or a list of models."""
    item = plan.item if isinstance(plan, ItemsDecoder) else plan
    return isinstance(item, RecordDecoder) and isinstance(item.build, DictFactory)


def build_checked_decoder(
    t: Type, definitions: tuple[Definition, ...], plan: DecodePlan, policy: Policy
) -> Callable[[Any], Any]:
    """Build the decoder for data of *t* that has passed the check under *policy*.

    It is decoded in one pass where that takes it, else part by part.
    """
    if isinstance(plan, LeafDecoder):
        return plan.make
    read = build_one_pass(t, definitions, plan).read

    def decode_in_one_pass(value: Any) -> Any:
        """Decode *value* in one pass, or part by part where one pass cannot."""
        found = read(value, policy, True)
        return decode_by_plan(plan, value) if found is UNREAD else found

    return decode_in_one_pass


class CoercionNotes(NamedTuple):
    """Warnings of data that was coerced, of which texts are made when they are read.

    #: mended: the warnings of its text; checked: the outcome of its check
    """

    mended: tuple[Issue, ...]
    checked: Outcome[Any]


class AnswerContext(CheckContext):
    """Type and policy shared by the outcomes of a single-pass decoder.

    #: keeps_digits: whether numbers of a text keep digits that their floats lack
    #: filling: the policy that fills in the defaults of classes; see `filling_policy`
    #: plain_plan: the plan from data to its plain form with defaults, once there is one
    #: check: checks data, once any was to be coerced; takes_all: whether decoders refuse no part
    """

    keeps_digits: bool
    filling: Policy | None = None
    plain_plan: ReadPlan | None = None
    check: Callable[[Any], Outcome[Any]] | None = None
    takes_all: bool = False

    def get_plain_plan(self) -> ReadPlan:
        """Return the plan from data to plain checked data with the defaults of classes."""
        if self.plain_plan is None:
            from typesig.extraction.onepass.plan_reader import make_plain_plan

            policy = self.filling or self.policy
            self.plain_plan = make_plain_plan(self.type, self.definitions, policy)
        return self.plain_plan

    def complete(self, data: Any) -> Any:
        """Return *data*, in which the check finds nothing, as it leaves it, with defaults."""
        if self.get_plain_plan().keeps:
            return data
        run = CheckState(self.policy.max_issues)
        return self.fill(
            run_checker(compile_checker(self.type, self.definitions, self.policy), data, run)
        )

    def fill(self, value: Any) -> Any:
        """Fill in the defaults of classes in the checked data *value*."""
        return fill_defaults(value, self.type, self.definitions, self.filling)

    def make_details(self, result: Any, notes: Notes) -> OutcomeDetails:
        """Make the details of the outcome with the object *result*."""
        value, warnings, _ = notes
        unseen = 0
        if isinstance(warnings, CoercionNotes):
            unseen = warnings.checked.unseen
            warnings = (*warnings.mended, *warnings.checked.warnings)
        told = (), warnings
        made, subject = (
            partial(self.get_plain_value, result, notes),
            self.make_subject(self.complete(value)),
        )
        return OutcomeDetails(lambda: told, False, self.stage, None, unseen, made, subject)

    def get_plain_value(self, result: Any, notes: Notes | None) -> Any:
        """Return the decoded text or data, in *notes*, as plain data."""
        assert notes is not None
        value, _, is_text = notes
        plan = self.get_plain_plan()
        # A text that is read has fewer values than the most that there may be.
        made = value if plan.keeps else plan.read(value, is_text)
        if made is UNREAD:
            made = self.complete(value)
        elif is_text:
            # Nothing but what the plan makes has another form.
            return made
        return to_plain(made)

    def read_coerced(
        self,
        data: Any,
        plan: Decode,
        read: Callable[..., Any],
        mended: Iterable[Issue],
        is_whole: bool,
    ) -> Outcome[Any] | None:
        """Outcome of *data* that is coerced with warnings, and decoded by *plan*; None for other.

        *read* decodes most of what has passed the check.  *is_whole* is whether errors of the check
        are all that there is to tell, if the decoder has none.
        """
        if self.check is None:
            self.check = build_value_check(self.type, self.definitions, self.policy, "answer")
            self.takes_all = takes_all(plan)
        checked = self.check(data)
        if not checked.ok:
            return checked if is_whole and self.takes_all else None
        if plan is None and is_whole and self.filling is None:
            return checked
        value = checked._result
        made = value if plan is None else read(value, self.policy, True)
        if made is UNREAD:
            made, refusals = decode_value(plan, value, (), "the hint")
            if refusals:
                return None
        notes = CoercionNotes(tuple(mended), checked)
        return make_valid_outcome(made, self, (value, notes, False))

    def make_outcome(
        self, made: Any, value: Any, warnings: Iterable[Issue], is_text: bool
    ) -> Outcome[Any]:
        """Valid outcome with the result *made*, which was decoded from *value*.

        *is_text* is whether that is the data of a JSON text, which is plain.
        """
        return make_valid_outcome(made, self, (value, tuple(warnings), is_text))


def takes_all(plan: Decode) -> bool:
    """Whether *plan* refuses no part of a value that the check leaves."""
    match plan:
        case None | MembersDecoder():
            return True
        case NullableDecoder(inner):
            return takes_all(inner)
        case ItemsDecoder(item, build):
            return build in (None, list) and takes_all(item)
        case RecordDecoder(fields, build, rest):
            # Loaded only for classes.
            from typesig.extraction.onepass.object_makers import make_object_maker

            names = [field.attribute for field in fields]
            is_pure = build is None or make_object_maker(build, names)[1]
            return is_pure and rest is None and all(takes_all(field.decode) for field in fields)
        case _:
            return False


def fill_arguments(binding: Binding, data: dict[str, Any], policy: Policy) -> dict[str, Any]:
    """Fill in the defaults of the checked arguments *data*."""
    signature, host = get_checked_signature(binding), binding.host
    t = signature.arguments
    nested = get_host_policy(policy, binding.explicit, host.exact, host.foreign)
    filling = filling_policy(t, signature.names, policy, nested)
    filled = fill_defaults(data, t, signature.definitions, filling)
    return {**filled, **find_missing_defaults(binding, filled)}


def decode_value(
    plan: Decode,
    value: Any,
    path: tuple[str, ...],
    taker: str,
    secrets: Collection[str] = (),
    is_text: bool = False,
    bad: BadParts = NO_BAD,
) -> tuple[Any, list[Issue]]:
    """Decode *value* to a Python object by *plan*; return it with any issues.

    *path* is the place of the value; *taker* is named in messages as who refuses it.  If
    there are *secrets*, no message repeats a part of the value.  *is_text* is whether it was read
    from JSON text, which has no objects of subclasses.  If the check has refused the parts *bad*,
    *value* itself is returned, with what its other parts are refused for.
    """
    if plan is None:
        return value, []
    value = value if is_text else as_builtin(value)
    try:
        made = decode_by_plan(plan, value, bad)
        return (value if bad else made), []
    except HostError as error:
        return value, [
            _make_refusal(each, value, path, bool(secrets)) for each in (error, *error.more)
        ]
    except _FLAWS:
        # The signature accepts a value that the hint cannot hold.
        message = f"{taker} does not take such a value"
        return value, [
            Issue("host", path, "", message, fill_template("got {}", describe_value(value)))
        ]


def refuse_coerced(run: CheckState, strict: frozenset[tuple[str, ...]]) -> None:
    """Convert the coercion warnings of *run* at the paths *strict* to errors."""
    for found in run.found if strict else ():
        place = tuple([step for step in reversed(found.steps) if isinstance(step, str)])
        if found.code == "coerced" and any(place[: len(each)] == each for each in strict):
            found.code, found.rule, found.warning = "type", "", False


def add_refusals(known: list[Issue], refused: list[Issue], policy: Policy) -> int:
    """Add *refused* to *known* up to the limit of *policy*; return how many are left."""
    room = max(policy.max_issues - len(known), 0)
    known.extend(refused[:room])
    return max(len(refused) - room, 0)


def _make_refusal(error: HostError, value: Any, path: tuple[str, ...], has_secrets: bool) -> Issue:
    """Convert *error*, raised by decoding *value*, to an issue."""
    whole = (*path, *reversed(error.steps))
    part: Any = value
    for step in reversed(error.steps):
        held = isinstance(part, dict) and step in part
        listed = isinstance(part, list | tuple) and isinstance(step, int) and step < len(part)
        part = cast("Any", part)[step] if held or listed else None
    got = fill_template("got {}", describe_value(part)) if error.shows else ""
    # What a class says of a secret may show it.
    is_repeated = has_secrets and _repeats_value(error.message, part)
    message = "this value does not conform" if is_repeated else error.message
    return Issue("host", whole, "", message, got)


def _repeats_value(message: str, value: Any) -> bool:
    """Whether *message* repeats a text or a number of *value*."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            pending += part.values()
        elif isinstance(part, list | tuple | set | frozenset):
            pending += part
        elif get_kind(part) in ("string", "int", "float") and part != "":
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
        if name in value and strip_annotations(types.get(name, NIL)) == ANY
    ]


def select_arguments(
    binding: Binding, data: dict[str, Any], mine: Container[str], policy: Policy
) -> tuple[dict[str, Any], list[Finding]]:
    """Select the arguments in *data* that the function takes, without a check of their values.

    The function cannot be called with names that it lacks, and *mine* are for the host to give: the
    findings name those that were dropped, and those that were meant for an absent name.
    """
    names = {param.name for param in binding.host.params}
    plan, run = KeyPlan(binding.signature.params), CheckState(policy.max_issues)
    kept: dict[str, Any] = {}
    for key, item in data.items():
        is_host = fold_name(str(key)) in mine
        if not is_host and (binding.takes_any or key in names):
            kept[key] = item
            continue
        may_be_meant = policy.refuse_misspelt and not is_host and is_text(key)
        meant = plan.suggest_absent_name(key, data, run.work.misspelt) if may_be_meant else ""
        if meant:
            found = Finding("extra", hint=meant, rule=MISSPELT)
        else:
            found = Finding("dropped", rule="extras", warning=True)
        found.steps.append(str(key))
        run.add(found)
    return kept, run.found
