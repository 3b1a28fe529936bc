"""Arguments of the fast path of calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

from typesig.algebra.nodes import ANY, Field, Record, Type
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.values import dict_with_plain_keys
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import transform
from typesig.calls.binding import Binding, get_checked_signature
from typesig.calls.call import (
    BoundArguments,
    arrange_arguments,
    find_nulls_to_drop,
    rename_keys,
)
from typesig.calls.decoding import (
    REFUSALS,
    build_checked_decoder,
    get_extras_policy,
    get_host_policy,
)
from typesig.calls.generated.call_source import SCALARS, ArgumentPlan
from typesig.calls.generated.dropped_arguments import DropFinder, DroppedArguments
from typesig.extraction.python_types.decoders import FieldPlan, RecordDecoder
from typesig.extraction.python_types.host_plan import HostParam
from typesig.extraction.python_types.plan_decoder import decode_by_plan
from typesig.json_backends import UNREAD
from typesig.validation.check.argument_shapes import may_be_wrapped
from typesig.validation.check.check import compile_argument_checker, compile_checker
from typesig.validation.check_state import CheckState, Finding, Subject, split_findings
from typesig.validation.generated.compiled_verdicts import Verdict
from typesig.validation.generated.scan_plans import reads_digits
from typesig.validation.generated.unchanged_outcomes import has_plain_values
from typesig.validation.issues.issues import Issue
from typesig.validation.json_text import BadJson, is_read_alike, read_digits, read_json
from typesig.validation.outcome.check_context import CheckContext, FindingSite, OutcomeDetails
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.reports import GUESSED, select_notices_for_policy
from typesig.validation.outcome.visibility import hide_private_values
from typesig.validation.plain_data import replace_written_floats
from typesig.validation.plan.operations import Plan
from typesig.validation.policy import Policy
from typesig.validation.repair.input_reader import wants_digits
from typesig.validation.verdicts import get_cached_verdict, run_checker

if TYPE_CHECKING:
    from typesig.extraction.onepass.plan_reader import ReadPlan


#: The source of the warnings about arguments, or None if the check found nothing.
ArgumentWarnings: TypeAlias = "Outcome[Any] | list[Finding] | DroppedArguments | None"

#: The checked arguments of a function by name, and the source of their warnings.
CheckedArguments = tuple[dict[str, Any], ArgumentWarnings]


class FastArguments:
    """Argument handling of the fast path, computed once for each tool and policy.

    #: plan: the same for generated code, None before `prepare` is called
    """

    __slots__ = (
        "_binding", "_changes", "_check", "_decode_sent", "_decoders", "_drops", "_fills",
        "_guesses", "_is_named", "_keeps_digits", "_most", "_names", "_nested", "_nil", "_nulls",
        "_policy", "_read", "_refusing", "_rest", "_taken", "_verdict", "_wraps", "plan",
    )  # fmt: skip

    # Set by `prepare`.
    _fills: dict[str, Any]
    _refusing: Subject

    def __init__(self, binding: Binding, policy: Policy) -> None:
        self._binding = binding
        self._policy = policy
        signature, host = get_checked_signature(binding), binding.host
        self._nested = nested = get_host_policy(policy, binding.explicit, host.exact, host.foreign)
        takes_any, undeclared = binding.takes_any, get_extras_policy(policy)
        undeclared = "keep" if takes_any and undeclared == "drop" else undeclared
        self._check = compile_argument_checker(signature, nested, undeclared, takes_any)
        self._names = frozenset([field.name for field in signature.params])
        self._nil = frozenset([param.name for param in host.params if param.nil])
        self._taken = self._names | self._nil
        self._is_named = all(map(is_named, host.params))
        self._decoders: dict[str, Callable[[Any], Any]] = {
            p.name: partial(decode_by_plan, p.decode) for p in host.params if p.decode
        }
        self._nulls = find_nulls_to_drop(binding)
        form = binding.sent
        sent = signature if form is None else form.signature
        operation = None if form is None else form.operation(policy)
        self._decode_sent = None if operation is None else Plan(operation)
        self._keeps_digits = wants_digits(sent.arguments, sent.names, policy)
        is_wrapper = not takes_any and sent.extra in (ANY, None)
        # Of more keys, one is undeclared, or stands twice.
        is_open = takes_any or undeclared == "keep" or signature.extra not in (ANY, None)
        self._most = inf if is_open else len(self._names)
        self._wraps = is_wrapper and "arguments_from_wrapper" in policy.coercions
        rest = next((p for p in host.params if p.kind == "VAR_KEYWORD" and p.decode), None)
        self._rest = None if rest is None else partial(decode_by_plan, rest.decode)
        self._changes = bool(self._decoders)
        self._drops = DropFinder(self._check, self._nulls, policy, self.warnings)
        self._verdict: Verdict | None = None
        self._read: Callable[[Any, bool], Any] | None = None
        self.plan: ArgumentPlan | None = None

    def prepare(self, function: Any) -> bool:
        """Prepare generated code that calls *function*; return whether there is any."""
        binding, policy, nested = self._binding, self._policy, self._nested
        signature, host = get_checked_signature(binding), binding.host
        is_unusual = host.strict or host.spellings or binding.unchecked or binding.takes_any
        # Such a parameter is not in the signature, and gets None.
        is_unusual = is_unusual or not self._nil <= self._names
        if is_unusual or not self._is_named:
            return False
        fills, makes, are_known = _find_defaults(signature, nested)
        if not are_known:
            return False
        extras = get_extras_policy(policy)
        if nested.extras == extras and policy.on_issue == "fail":
            # The check of the record of arguments is the same.
            t, definitions = signature.arguments, signature.definitions
            about = CheckContext("input", t, definitions, nested, secrets=host.secrets)
            self._verdict = get_cached_verdict(about)
            shown = binding.signature.arguments
            name, secrets = binding.name, host.secrets
            self._refusing = Subject(None, shown, definitions, policy, True, name, secrets)
        self._guesses = not policy.coercions.isdisjoint(GUESSED)
        types = {field.name: field.type for field in signature.params}
        self._decoders = decodes = {
            p.name: build_checked_decoder(
                types.get(p.name, ANY), signature.definitions, p.decode, nested
            )
            for p in host.params
            if p.decode
        }
        own = {
            name: default
            for name, default in _find_own_defaults(function, host.params).items()
            if name in types
            and (
                type(default) not in SCALARS
                or _is_unchanged(default, types[name], signature, nested)
            )
        }
        form = binding.sent
        sent = None if form is None else _make_optional(form.signature.arguments)
        operation = None if form is None else form.operation(policy)
        decode = None if operation is None else operation.compile()
        reads = self._make_read_plans()
        self.plan = ArgumentPlan(
            signature, nested, extras, fills, makes, own, decodes, reads, self._nil, sent, decode,
            self._keeps_digits, self._verdict, bool(self._nulls),
        )  # fmt: skip
        self._fills = fills
        return True

    def make_reader(self) -> None:
        """Make the plan that reads all arguments at once, where no code is generated."""
        # Loaded only for tools that are called often.
        from typesig.extraction.onepass.plan_reader import make_read_plan

        binding, signature = self._binding, get_checked_signature(self._binding)
        is_unusual = binding.unchecked or binding.takes_any or self._rest or self._nested.verbose
        reads_text = binding.sent is not None and self._keeps_digits
        if is_unusual or (reads_text and any(reads_digits(f.type) for f in signature.params)):
            return
        decodes = {param.name: param.decode for param in binding.host.params}
        fields = [FieldPlan(f.name, f.name, decodes.get(f.name), False) for f in signature.params]
        plan = RecordDecoder(tuple(fields), None)
        t, definitions = signature.arguments, signature.definitions
        self._read = make_read_plan(t, definitions, plan, self._nested).read

    def _make_read_plans(self) -> dict[str, ReadPlan]:
        """Make the plans of arguments that are checked and decoded at once.

        All arguments have to conform before a function of others decodes one, so that at most one
        plan may run such a function.
        """
        # Loaded only where arguments are decoded.
        from typesig.extraction.onepass.plan_reader import make_read_plan

        signature = get_checked_signature(self._binding)
        types = {field.name: field.type for field in signature.params}
        plans = {
            p.name: make_read_plan(types[p.name], signature.definitions, p.decode, self._nested)
            for p in self._binding.host.params
            if p.name in types and not self._nested.verbose
            if p.decode or not has_plain_values(types[p.name])
            # Texts within a provider's form may have numbers of which floats keep no digits.
            if not (self._binding.sent and self._keeps_digits and reads_digits(types[p.name]))
        }
        plans = {name: plan for name, plan in plans.items() if not plan.keeps}
        impure = [name for name, plan in plans.items() if not plan.is_pure]
        if len(impure) > 1:
            plans = {name: plan for name, plan in plans.items() if plan.is_pure}
        return plans

    def bind(self, sent: object) -> BoundArguments | None:
        """Check and bind the arguments *sent*; None if there are warnings or errors."""
        data, is_text = self.read_sent_map(sent), type(sent) is str
        if data is None:
            return None
        data = data if is_text else dict_with_plain_keys(data.items())
        if self._binding.sent is not None:
            try:
                data = data if self._decode_sent is None else self._decode_sent.run(data)
            except Exception:
                data = self._decode(data)
                if data is None:
                    return None
        if self._nulls and any(data.get(name, _ABSENT) is None for name in self._nulls):
            return None
        if self._binding.host.spellings:
            data = rename_keys(self._binding, data)
        is_wrapped = not data.keys() <= self._names and self._may_be_wrapped(data)
        if is_wrapped or len(data) > self._most:
            return None
        made: Any = UNREAD if self._read is None else self._read(data, is_text)
        if made is UNREAD:
            run = CheckState(1)
            data = run_checker(self._check, data, run)
            unchecked = self._binding.unchecked
            if run.found or (unchecked and not unchecked.keys().isdisjoint(data)):
                return None
            taken = self._decode_checked(data, None, is_text)
            if taken is None:
                return None
            made = taken[0]
        elif self._nil:
            made = {**dict.fromkeys(self._nil), **made}
        if self._is_named:
            return BoundArguments((), made, ())
        return arrange_arguments(self._binding, made, ())

    def read_map(self, sent: object, scanned: dict[str, Any] | None = None) -> Any:
        """Read the map in *sent* and decode it to the form of the tool; None if unknown.

        *scanned* is the map that was scanned from a text, if any.
        """
        if type(sent) is str and scanned is not None and is_read_alike(sent, scanned):
            return self._decode(scanned)
        data = self.read_sent_map(sent)
        return None if data is None else self._decode(data)

    def read_sent_map(self, sent: object) -> Any:
        """Read the map in *sent* in the form in which it was sent; None if unknown."""
        data: Any = sent
        if type(sent) is str:
            try:
                if self._keeps_digits:
                    data, written = read_digits(sent)
                    if written:
                        return None
                else:
                    data = read_json(sent)
            except BadJson:
                return None
        elif sent is None:
            data = {}
        return data if type(data) is dict else None

    def _decode(self, data: dict[str, Any]) -> Any:
        """Decode the map *data*, which was sent, to the form of the tool; None if unknown."""
        form = self._binding.sent
        if form is None:
            return data
        if self._wraps and may_be_wrapped(data, self._binding.name):
            return None
        run = CheckState(self._policy.max_issues)
        data = form.decode(data, run, self._policy)
        # A text in the form of a provider may have numbers that keep their digits.
        is_known = type(data) is dict and not run.found and replace_written_floats(data) is data
        return data if is_known else None

    def _may_be_wrapped(self, data: dict[str, Any]) -> bool:
        """Whether the only key of *data*, an unknown one, may hold the arguments."""
        if not self._wraps or self._binding.sent is not None:
            return False
        return may_be_wrapped(data, self._binding.name) and self._names.isdisjoint(data)

    def coerce(
        self, data: dict[str, Any], known: Outcome[Any] | None = None
    ) -> CheckedArguments | Outcome[Any] | None:
        """Coerce *data* to arguments by name, or return the outcome if it is refused.

        Returns None if *data* takes the slow path.  *known* is the outcome of the verdict, if it
        has been called.
        """
        sent = data
        if self._nulls:
            dropped = self._drops.find_nulls(data)
            if dropped.names:
                return self._take_without(data, dropped)
        if data.keys() <= self._names:
            fills = self._fills
            data = {**fills, **data} if fills else data
        elif self._may_be_wrapped(data):
            return None
        # What reads other names is left to the check, before which nothing is filled in.
        if self._verdict is None:
            run = CheckState(self._policy.max_issues)
            value = run_checker(self._check, data, run)
            return None if run.errors else self._decode_checked(value, run.found or None)
        if known is None and not data.keys() <= self._names:
            dropped = self._drops.find_unknown(data)
            taken = self._take_without(data, dropped) if dropped.names else None
            if taken is not None:
                return taken
        outcome = self._verdict(data) if known is None else known
        assert outcome is not None
        told, value = outcome._told, outcome._result
        if told is None:
            return self._decode_checked(value, None)
        if not isinstance(told, tuple) and told.has_errors:
            return self._get_refused_outcome(outcome, told, sent)
        if self._changes or value.keys() != self._taken:
            return self._decode_checked(value, outcome)
        return value, outcome

    def _take_without(
        self, data: dict[str, Any], dropped: DroppedArguments
    ) -> CheckedArguments | None:
        """Check *data* without *dropped*; None if there are further findings."""
        kept = {name: part for name, part in data.items() if name not in dropped.names}
        if self._verdict is None or not kept.keys() <= self._names:
            return None
        outcome = self._verdict({**self._fills, **kept})
        assert outcome is not None
        return self._decode_checked(outcome._result, dropped) if outcome._told is None else None

    def _get_refused_outcome(
        self, outcome: Outcome[Any], told: OutcomeDetails, sent: Any
    ) -> Outcome[Any] | None:
        """Complete *outcome*, which has errors; None if decoders may find more errors."""
        if self._changes or told.unseen:
            return None
        told.rejected = sent
        told.subject = self._refusing._replace(value=sent)
        return outcome

    def _decode_checked(
        self, data: dict[str, Any], found: ArgumentWarnings, is_text: bool = True
    ) -> CheckedArguments | None:
        """Decode the checked *data* for the function; None if a decoder refuses it.

        *is_text* is whether it was read from text, which has no objects of subclasses.
        """
        if not self._changes and data.keys() == self._taken:
            return data, found
        # The check has filled in the defaults that a signature declares.
        out = dict(data)
        try:
            for name, decode in self._decoders.items():
                if name in out:
                    out[name] = decode(out[name] if is_text else as_builtin(out[name]))
            if self._rest is not None:
                for name in out.keys() - self._names:
                    out[name] = self._rest(out[name] if is_text else as_builtin(out[name]))
        except REFUSALS:
            # The slow path reports the reason.
            return None
        for name in self._nil:
            out.setdefault(name, None)
        return out, found

    def may_notice(self, found: ArgumentWarnings) -> bool:
        """Whether the model may have to read a line about *found* in the arguments."""
        if found is None or not self._policy.tell_model:
            return False
        if type(found) is DroppedArguments:
            return bool(found.notice)
        told = found._told if isinstance(found, Outcome) else None
        if self._guesses or not isinstance(told, tuple):
            return True
        # Notes of values that were coerced; what a check was asked about may be a key.
        notes = told[0] if isinstance(told[0], list) else told[::2]
        return any(type(note[0] if type(note) is tuple else note) is FindingSite for note in notes)

    def select_notices(self, warnings: tuple[Issue, ...]) -> tuple[Issue, ...]:
        """Select the *warnings* of the arguments that the model reads."""
        return select_notices_for_policy(self._policy, warnings)

    def warnings(self, found: ArgumentWarnings) -> tuple[Issue, ...]:
        """Return the warnings of the arguments."""
        if found is None:
            return ()
        if isinstance(found, Outcome | DroppedArguments):
            return found.warnings
        signature, secrets = self._binding.signature, self._binding.host.secrets
        _, warnings = split_findings(found, self._policy, "input")
        return tuple(hide_private_values(warnings, signature.arguments, signature.names, secrets))


def _make_optional(t: Type) -> Type:
    """Return *t* with all fields optional."""

    def step(part: Type) -> Type:
        if not isinstance(part, Record):
            return part
        fields = [Field(field.name, field.type, False) for field in part.fields]
        return Record(tuple(fields), part.extra, part.matching)

    return transform(t, step)


def is_named(param: Any) -> bool:
    """Whether *param* is passed by name or omitted, as any parameter of `**kwargs` is."""
    return param.fill is None and param.kind in _NAMED


_NAMED = frozenset({"POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY", "VAR_KEYWORD"})


def _find_defaults(
    signature: Signature, policy: Policy
) -> tuple[dict[str, Any], dict[str, Callable[[], Any]], bool]:
    """Find the scalar defaults, the factories of other defaults, and whether these are all.

    With a default that the check under *policy* changes, a call takes the slow path.
    """
    fills: dict[str, Any] = {}
    makes: dict[str, Callable[[], Any]] = {}
    are_known = True
    for field in signature.params:
        if field.default is None:
            continue
        default = field.default.thaw()
        if not _is_unchanged(default, field.type, signature, policy):
            are_known = False
        elif type(default) in SCALARS:
            fills[field.name] = default
        else:
            makes[field.name] = field.default.thaw
    return fills, makes, are_known


def _is_unchanged(value: Any, t: Type, signature: Signature, policy: Policy) -> bool:
    """Whether the check of *value* against *t* in *signature* returns it unchanged."""
    run = CheckState(1)
    made = run_checker(compile_checker(t, signature.definitions, policy), value, run)
    return made is value and not run.found


def _find_own_defaults(function: Any, params: Iterable[HostParam]) -> dict[str, Any]:
    """Find the defaults of *function* that may be passed explicitly for omitted arguments.

    A function that wraps another one may make other defaults.
    """
    if type(function) is not FunctionType or "__wrapped__" in function.__dict__:
        return {}
    code, by_place = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    known = dict(zip(reversed(names), reversed(by_place), strict=False))
    known.update(function.__kwdefaults__ or {})
    return {p.name: p.default for p in params if known.get(p.name, _ABSENT) is p.default}


#: Represents an absent value.
_ABSENT = object()
