"""A call: from what a model sent to what a function takes, and from its result to an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple

from typesig.algebra.constructors import bare
from typesig.algebra.nodes import Record
from typesig.algebra.rows.names import folded
from typesig.algebra.rows.values import exact, is_text, keyed
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import admits_nil
from typesig.calls.binding import (
    Binding,
    missing_objects,
    names_from_host,
    signature_to_check,
)
from typesig.calls.decoding import (
    add_refusals,
    decode_value,
    fill_arguments,
    find_unchecked_arguments,
    policy_for_host,
    refuse_coerced,
    select_arguments,
    undeclared_in_call,
)
from typesig.calls.encoded import encoded, outside_bounds_of
from typesig.errors import TypesigError
from typesig.extraction.hints import pairs
from typesig.extraction.hosts.decoders import NO_BAD, Bad, bad_parts
from typesig.extraction.hosts.host import HostParam
from typesig.extraction.hosts.spellings import Speller
from typesig.validation.check.argument_shapes import is_nothing, mended_arguments
from typesig.validation.check.check import compiled_arguments
from typesig.validation.generated.program import shortcut_of_arguments
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.issues.written import plain_floats
from typesig.validation.mending.reading import Read, read_sent, wants_digits
from typesig.validation.outcome.notices import select_notices_for_policy
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.plain import plain
from typesig.validation.rows.policy import Extras, Policy, first_policy
from typesig.validation.rows.run import Found, Run, settled
from typesig.validation.rows.secrets import secrets_of_result, without_hidden
from typesig.validation.rows.subject import READ, Subject
from typesig.validation.verdicts import checked, not_named, walked


class Bound(NamedTuple):
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    warnings: tuple[Issue, ...]


class _Taken(NamedTuple):
    """The named arguments that a model sent, which conform.

    #: values: as the function takes them; data: as they were checked; subject: what they are of
    """

    values: dict[str, Any]
    data: dict[str, Any]
    warnings: tuple[Issue, ...]
    subject: Subject


def bind(
    binding: Binding,
    arguments: object,
    given: Mapping[str, Any] | None,
    policy: Policy,
    ledger: Ledger | None = None,
) -> Bound | Outcome[Any]:
    """Return the arguments that the function takes, or the outcome with the errors.

    What is mended and refused is counted in *ledger*.
    """
    supplied = _supplied(binding, given or {})
    taken = _taken(binding, arguments, policy)
    errors = taken.errors if isinstance(taken, Outcome) else ()
    note_in(ledger, errors, taken.warnings, binding.signature, binding.name)
    if isinstance(taken, Outcome):
        return taken
    return _arranged(binding, {**taken.values, **supplied}, taken.warnings)


def read_arguments(
    binding: Binding, arguments: object, policy: Policy, warnings: tuple[Issue, ...] = ()
) -> Outcome[Any]:
    """Return the outcome of checking what a model sent as arguments; nothing is called.

    *warnings* are of what was mended before.
    """
    taken = _taken(binding, arguments, policy, warnings)
    if isinstance(taken, Outcome):
        return taken
    # Whoever reads the arguments sees the defaults, too; a call leaves them to the function.
    values = {**taken.values, **missing_objects(binding, taken.values)}
    data = fill_arguments(binding, taken.data, policy)
    return Outcome(
        values, (), taken.warnings, "input", plain=lambda: plain(data), subject=taken.subject
    )


def _taken(
    binding: Binding, arguments: object, policy: Policy, before: tuple[Issue, ...] = ()
) -> _Taken | Outcome[Any]:
    """Return the arguments that a model sent, or the outcome with the errors.

    The warnings *before* come first.
    """
    run = Run(policy.max_issues)
    read = _read(binding, arguments, policy, run)
    if read.error is not None:
        return _refused(read.error, arguments, _sent(binding, read.data, policy, read.fault))
    data = {} if read.data is None else read.data
    sent = _sent(binding, data, policy)
    if not issubclass(type(data), dict):
        return _refused(not_named(binding.signature, data), arguments, sent)
    data = keyed(exact(data).items())
    mine = {folded(name) for name in names_from_host(binding)}
    if policy.on_issue == "skip":
        return _skip_check(binding, data, policy, (*before, *read.warnings))
    nested = _input_policy(binding, policy)
    undeclared = undeclared_in_call(policy)
    undeclared = "keep" if binding.takes_any and undeclared == "drop" else undeclared
    data = _spelled(binding, _without_injected(binding, data, policy, run))
    signature = signature_to_check(binding)
    if "absent_from_null" not in nested.coercions:
        data = _without_nulls(data, nulls_left_out(binding), run)
    value = _checked(data, (signature, nested, undeclared, binding.takes_any), run)
    refuse_coerced(run, binding.host.strict)
    keeps = wants_digits(_arguments_of(signature), signature.names, policy)
    if keeps or run.found or binding.sent is not None:
        # Text within the arguments is read with all digits, too.
        value = plain_floats(value)
    errors, warnings = settled(run.found, policy, "input")
    decoded, failed = _decoded(binding, value, run)
    told = errors if policy.on_issue == "fail" else warnings
    unseen = run.unseen + add_refusals(told, failed, policy)
    arguments, secrets = _arguments_of(signature), binding.host.secrets
    errors, warnings = (
        without_hidden(issues, arguments, signature.names, secrets) for issues in (errors, warnings)
    )
    warnings = [*before, *read.warnings, *warnings, *find_unchecked_arguments(binding, value)]
    if errors:
        parts: dict[str, Any] = {"rejected": data, "unseen": unseen, "subject": sent}
        return Outcome(stage="input", errors=errors, warnings=warnings, **parts)
    kept = _without(value, mine)
    return _Taken(_without(decoded, mine), kept, tuple(warnings), sent._replace(value=kept))


def _input_policy(binding: Binding, policy: Policy) -> Policy:
    """Policy for checking the values of arguments."""
    return policy_for_host(policy, binding.explicit, binding.host.exact, binding.host.foreign)


def _skip_check(
    binding: Binding, data: dict[str, Any], policy: Policy, before: tuple[Issue, ...]
) -> _Taken | Outcome[Any]:
    """Take the arguments in *data* without a check of their values."""
    mine = {folded(name) for name in names_from_host(binding)}
    kept, found = select_arguments(binding, data, mine, policy)
    errors, warnings = settled(found, policy, "input")
    warnings, sent = [*before, *warnings], _sent(binding, data, policy)
    if errors:
        return Outcome(stage="input", errors=errors, warnings=warnings, rejected=data, subject=sent)
    return _Taken(kept, kept, tuple(warnings), sent)


def _checked(data: Any, parts: tuple[Signature, Policy, Extras, bool], run: Run) -> Any:
    """Return the arguments *data* as the check of *parts* makes them."""
    if not run.found and shortcut_of_arguments(*parts).passes(data):
        return data
    return walked(compiled_arguments(*parts), data, run)


@lru_cache(maxsize=512)
def _arguments_of(signature: Signature) -> Record:
    """Return the record of the arguments of *signature*, which takes long to make."""
    return signature.arguments


@lru_cache(maxsize=256)
def _taking_one(policy: Policy) -> Policy:
    # What was cut, if only by a bracket, is never called.
    return policy.off("several_values", "joined_values", "missing_bracket")


def _is_object(data: Any, _policy: Policy) -> bool:
    return issubclass(type(data), dict)


def _without(data: dict[str, Any], mine: set[str]) -> dict[str, Any]:
    """Return *data* without the names in *mine*, which only the host supplies."""
    return {key: item for key, item in data.items() if folded(str(key)) not in mine}


def _without_injected(
    binding: Binding, data: dict[Any, Any], policy: Policy, run: Run
) -> dict[Any, Any]:
    """Return *data* without what the host injects, which the model sees as undeclared names."""
    injected = {folded(param.name) for param in binding.host.params if param.injected}
    out = {}
    for key, item in data.items():
        if not is_text(key) or folded(key) not in injected:
            out[key] = item
            continue
        rejected = policy.extras == "reject"
        found = Found("extra") if rejected else Found("dropped", rule="extras", warning=True)
        found.steps.append(key)
        run.add(found)
    return out


def nulls_left_out(binding: Binding) -> frozenset[str]:
    """Names of the arguments with defaults that are left out, under any policy, by a null."""
    signature = binding.signature
    params, names = signature.params, signature.names
    return frozenset([f.name for f in params if f.default and not admits_nil(f.type, names, {})])


def _without_nulls(data: dict[Any, Any], names: frozenset[str], run: Run) -> dict[Any, Any]:
    """Return *data* without the nulls of *names*, which *run* warns of."""
    nulls = [key for key, item in data.items() if item is None and key in names]
    for key in nulls:
        found = Found("absent", rule="absent_from_null", warning=True)
        found.steps.append(key)
        run.add(found)
    return {key: item for key, item in data.items() if key not in nulls} if nulls else data


def _spelled(binding: Binding, data: dict[Any, Any]) -> Any:
    """Return *data* with the declared names for other names that they have."""
    if not binding.host.spellings:
        return data
    signature = binding.signature
    speller = Speller(binding.host.spellings, signature.names)
    return speller.arguments(signature.params, signature.extra, data)


def _refused(issue: Issue, arguments: object, subject: Subject) -> Outcome[Any]:
    names = {d.name: d.type for d in subject.definitions}
    errors = without_hidden([issue], subject.type, names, subject.secrets)
    return Outcome(stage="input", errors=errors, rejected=arguments, subject=subject)


def _read(binding: Binding, arguments: object, policy: Policy, run: Run) -> Read:
    """Return the named arguments that *arguments* hold, data or text, as the tool takes them."""
    read = read_as_sent(binding, arguments, policy, run)
    if binding.sent is None or read.error is not None:
        return read
    kept = None if policy.on_issue == "skip" else run
    data = binding.sent.decode(read.data, kept, policy)
    return read._replace(data=plain_floats(data) if kept is None else data)


def read_as_sent(binding: Binding, arguments: object, policy: Policy, run: Run) -> Read:
    """Return the named arguments that *arguments* hold, data or text, in the form that is sent.

    What is mended is in the warnings, or found by *run*.
    """
    signature = binding.signature if binding.sent is None else binding.sent.signature
    mends = policy.on_issue != "skip" and "arguments_from_nothing" in policy.coercions
    if mends and is_nothing(arguments):
        read = Read("")
    else:
        # Of several objects, which may be of several calls, none is taken.
        single = _taking_one(policy)
        t, names = _arguments_of(signature), signature.names
        read = read_sent(arguments, "the arguments are", t, names, single, _is_object)
    if read.error is not None or policy.on_issue == "skip":
        return read
    others = [param.name for param in binding.host.params]
    name, takes_any = binding.name, binding.takes_any
    mended = mended_arguments(read.data, signature, policy, run, name, others, takes_any)
    return read._replace(data=mended)


def _sent(binding: Binding, value: object, policy: Policy, fault: int = READ) -> Subject:
    """Return what a model sent to the tool of *binding*, which was refused."""
    signature, secrets = binding.signature, binding.host.secrets
    t, definitions = _arguments_of(signature), signature.definitions
    return Subject(value, t, definitions, policy, True, binding.name, secrets, fault)


def _supplied(binding: Binding, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the host gives; raise if a name is not for the host to give, or is missing."""
    mine = names_from_host(binding)
    for name in given:
        if name not in mine:
            offered = f"; it takes {', '.join(mine)}" if mine else " and needs nothing given"
            raise TypesigError(f"{binding.name} takes no {name} from its host{offered}")
    missing = [name for name, can_do_without in mine.items() if not can_do_without]
    missing = [name for name in missing if name not in given]
    if missing:
        example = ", ".join(f'"{name}": …' for name in missing)
        raise TypesigError(
            f"{binding.name} needs {', '.join(missing)} from its host: call it with "
            f"given={{{example}}}"
        )
    return dict(given)


def _decoded(
    binding: Binding, value: dict[str, Any], run: Run
) -> tuple[dict[str, Any], list[Issue]]:
    """Return the arguments as the function takes them, and what host types refused.

    What *run* refused stays as it is.
    """
    bad = bad_parts(run, Bad)
    if bad is None:
        bad = Bad(
            {found.steps[-1]: None for found in run.found if found.steps and not found.warning}
        )
    out: dict[str, Any] = {}
    failed: list[Issue] = []
    rest = _rest(binding)
    hosts = {param.name: param for param in binding.host.params}
    for name, part in value.items():
        host = hosts.get(name, rest)
        inside = bad.get(name, NO_BAD)
        decode = None if host is None or inside is None else host.decode
        out[name], issues = decode_value(
            decode, part, (name,), "the function", binding.host.secrets, bad=inside or NO_BAD
        )
        failed.extend(issues)
    for host in hosts.values():
        if host.nil and not host.injected and host.name not in out:
            out[host.name] = None
    return out, failed


def _rest(binding: Binding) -> HostParam | None:
    return next((param for param in binding.host.params if param.kind == "VAR_KEYWORD"), None)


def _arranged(binding: Binding, values: dict[str, Any], warnings: tuple[Issue, ...]) -> Bound:
    """Return *values* as positional and named arguments."""
    args: list[Any] = []
    fills = {p.name: p.fill for p in binding.host.params if p.fill and p.name not in values}
    kwargs = {**values, **{name: fill() for name, fill in fills.items()}}
    several = next((p for p in binding.host.params if p.kind == "VAR_POSITIONAL"), None)
    spread = several is not None and bool(values.get(several.name))
    places = [
        p
        for p in binding.host.params
        if p.kind == "POSITIONAL_ONLY" or (spread and p.kind == "POSITIONAL_OR_KEYWORD")
    ]
    last = max((i for i, p in enumerate(places) if p.name in kwargs), default=-1)
    # A parameter that was left out before one that was not gets its own default.
    used = places if spread else places[: last + 1]
    args.extend([kwargs.pop(param.name, param.default) for param in used])
    if several is not None:
        args.extend(kwargs.pop(several.name, ()))
    return Bound(tuple(args), kwargs, warnings)


def outcome_policy(binding: Binding, policy: Policy) -> Policy:
    """Return the policy by which the result of a call under *policy* is checked."""
    return _output_policy(policy, binding.host.abstract, binding.host.foreign)


@lru_cache(maxsize=256)
def _output_policy(policy: Policy, abstract: bool, foreign: bool) -> Policy:
    output = policy.for_output()
    if policy.extras != "reject":
        # A naive datetime is written without an offset, and with a warning.
        output = output.on("naive_datetime")
    if foreign:
        # The call has had its effect, and servers commonly write other forms of dates and times.
        output = output.on("other_format")
    return output.on("list_from_set") if abstract else output


def outcome_of_result(
    binding: Binding, returned: Any, warnings: tuple[Issue, ...], policy: Policy
) -> Outcome[Any]:
    """Return the outcome of a call whose function returned *returned*."""
    media: list[Any] = []
    value, issue = encoded(binding, returned, media)
    told = select_notices_for_policy(policy, warnings)
    if policy.on_issue == "skip":
        signature = binding.signature
        # A result of others is an object of ours, whose data is what they sent.
        is_own = binding.original is not None and binding.host.encode is not None
        # Nothing is refused, so a model is told what cannot be written.
        data = value if issue is None else str(issue)
        made = partial(plain, data) if is_own else None
        t, secrets = signature.returns, secrets_of_result(binding.host.secrets)
        subject = Subject(data, t, signature.definitions, policy, secrets=secrets)
        subject = subject._replace(media=tuple(media))
        return Outcome(returned, (), warnings, "output", plain=made, subject=subject, noticed=told)
    if issue is not None:
        return Outcome(
            stage="output", errors=[issue], warnings=warnings, rejected=returned, noticed=told
        )
    signature, t = binding.signature, bare(binding.signature.returns)
    if binding.host.pair and not binding.explicit and isinstance(t, Record):
        t = pairs.record_to_check(t.fields, value)
    output = outcome_policy(binding, policy)
    secrets = secrets_of_result(binding.host.secrets)
    found = checked(t, signature.definitions, value, output, "output", secrets=secrets)
    if found.ok and binding.host.bounds:
        issues = outside_bounds_of(binding, value)
        if issues and policy.on_issue == "fail":
            return Outcome(
                stage="output", errors=issues, warnings=warnings, rejected=returned, noticed=told
            )
        warnings = (*warnings, *issues)
    # By the declared type: that of a pair is relaxed for the check.
    subject = Subject(value, signature.returns, signature.definitions, output, secrets=secrets)
    return Outcome(
        returned if found.ok else None,
        found.errors,
        (*warnings, *found.warnings),
        "output",
        rejected=None if found.ok else returned,
        unseen=found.unseen,
        plain=lambda: plain(found.result),
        subject=subject._replace(media=tuple(media)),
        noticed=told,
    )


def outcome_of_tool_error(
    binding: Binding, error: Exception, warnings: tuple[Issue, ...], policy: Policy
) -> Outcome[Any]:
    """Return the outcome of a call under *policy* whose function raised a `ToolError`."""
    text, retry = str(error) or "the tool failed", getattr(error, "retry", False)
    if retry is False:
        issue = Issue("tool", (), "", text)
    else:
        issue = Issue("passing", (), "" if retry is True else f"{retry}", text)
    told = select_notices_for_policy(policy, warnings)
    return Outcome(stage="call", errors=[issue], warnings=warnings, noticed=told)


__all__ = ["Bound", "bind", "first_policy", "outcome_of_result", "outcome_of_tool_error"]
