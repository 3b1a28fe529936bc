"""A call: from raw arguments to function arguments, and from its result to an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import Record
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import dict_with_plain_keys, is_text, to_builtin
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import allows_nil
from typesig.calls.binding import (
    Binding,
    find_missing_objects,
    get_checked_signature,
    get_host_names,
)
from typesig.calls.decoding import (
    add_refusals,
    decode_value,
    fill_arguments,
    find_unchecked_arguments,
    get_extras_policy,
    get_host_policy,
    refuse_coerced,
    select_arguments,
)
from typesig.calls.results import encode_result, outside_bounds_of
from typesig.errors import TypesigError
from typesig.extraction.hints import result_hints
from typesig.extraction.python_types.decoders import NO_BAD, BadParts, find_bad_parts
from typesig.extraction.python_types.host_plan import Speller
from typesig.validation.check.argument_shapes import is_empty_text, unpack_arguments
from typesig.validation.check.check import compile_argument_checker
from typesig.validation.check_state import READ, CheckState, Finding, Subject, split_findings
from typesig.validation.generated.program import get_argument_shortcut
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.reports import select_notices_for_policy
from typesig.validation.outcome.visibility import get_result_secrets, hide_private_values
from typesig.validation.plain_data import replace_written_floats, to_plain
from typesig.validation.policy import Extras, Policy, get_first_policy
from typesig.validation.repair.input_reader import ReadResult, read_sent, wants_digits
from typesig.validation.verdicts import check_value, make_named_arguments_issue, run_checker


class BoundArguments(NamedTuple):
    """Positional and keyword arguments for one call of a function."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    warnings: tuple[Issue, ...]


class _CheckedArguments(NamedTuple):
    """Named arguments of a call that conform.

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
) -> BoundArguments | Outcome[Any]:
    """Check *arguments* from a model, and bind them and the host values *given*.

    *ledger* counts repairs and refusals.
    """
    supplied = _check_injected(binding, given or {})
    taken = _check_arguments(binding, arguments, policy)
    errors = taken.errors if isinstance(taken, Outcome) else ()
    note_in(ledger, errors, taken.warnings, binding.signature, binding.name)
    if isinstance(taken, Outcome):
        return taken
    return arrange_arguments(binding, {**taken.values, **supplied}, taken.warnings)


def read_arguments(
    binding: Binding, arguments: object, policy: Policy, warnings: tuple[Issue, ...] = ()
) -> Outcome[Any]:
    """Check *arguments* from a model and return the outcome, without calling the tool.

    *warnings* are of what was mended before.
    """
    taken = _check_arguments(binding, arguments, policy, warnings)
    if isinstance(taken, Outcome):
        return taken
    # Whoever reads the arguments sees the defaults, too; a call leaves them to the function.
    values = {**taken.values, **find_missing_objects(binding, taken.values)}
    data = fill_arguments(binding, taken.data, policy)
    return Outcome(
        values, (), taken.warnings, "input", plain=lambda: to_plain(data), subject=taken.subject
    )


def _check_arguments(
    binding: Binding, arguments: object, policy: Policy, before: tuple[Issue, ...] = ()
) -> _CheckedArguments | Outcome[Any]:
    """Check *arguments* from a model; return them, or the outcome with the errors.

    The warnings *before* come first.
    """
    run = CheckState(policy.max_issues)
    read = _read(binding, arguments, policy, run)
    if read.error is not None:
        return _make_refusal(
            read.error, arguments, _make_subject(binding, read.data, policy, read.fault)
        )
    data = {} if read.data is None else read.data
    sent = _make_subject(binding, data, policy)
    if not issubclass(type(data), dict):
        return _make_refusal(make_named_arguments_issue(binding.signature, data), arguments, sent)
    data = dict_with_plain_keys(to_builtin(data).items())
    mine = {fold_name(name) for name in get_host_names(binding)}
    if policy.on_issue == "skip":
        return _skip_check(binding, data, policy, (*before, *read.warnings))
    nested = get_host_policy(policy, binding.explicit, binding.host.exact, binding.host.foreign)
    undeclared = get_extras_policy(policy)
    undeclared = "keep" if binding.takes_any and undeclared == "drop" else undeclared
    data = rename_keys(binding, _drop_injected(binding, data, policy, run))
    signature = get_checked_signature(binding)
    if "absent_from_null" not in nested.coercions:
        data = drop_nulls(data, find_nulls_to_drop(binding), run)
    value = _check(data, (signature, nested, undeclared, binding.takes_any), run)
    refuse_coerced(run, binding.host.strict)
    keeps = wants_digits(_make_argument_record(signature), signature.names, policy)
    if keeps or run.found or binding.sent is not None:
        # Text within the arguments is read with all digits, too.
        value = replace_written_floats(value)
    errors, warnings = split_findings(run.found, policy, "input")
    decoded, failed = _decode(binding, value, run)
    told = errors if policy.on_issue == "fail" else warnings
    unseen = run.unseen + add_refusals(told, failed, policy)
    arguments, secrets = _make_argument_record(signature), binding.host.secrets
    errors, warnings = (
        hide_private_values(issues, arguments, signature.names, secrets)
        for issues in (errors, warnings)
    )
    warnings = [*before, *read.warnings, *warnings, *find_unchecked_arguments(binding, value)]
    if errors:
        parts: dict[str, Any] = {"rejected": data, "unseen": unseen, "subject": sent}
        return Outcome(stage="input", errors=errors, warnings=warnings, **parts)
    kept = _drop_names(value, mine)
    sent = sent._replace(value=kept)
    return _CheckedArguments(_drop_names(decoded, mine), kept, tuple(warnings), sent)


def _skip_check(
    binding: Binding, data: dict[str, Any], policy: Policy, before: tuple[Issue, ...]
) -> _CheckedArguments | Outcome[Any]:
    """Select the arguments in *data* that the function accepts, without a value check."""
    mine = {fold_name(name) for name in get_host_names(binding)}
    kept, found = select_arguments(binding, data, mine, policy)
    errors, warnings = split_findings(found, policy, "input")
    warnings, sent = [*before, *warnings], _make_subject(binding, data, policy)
    if errors:
        return Outcome(stage="input", errors=errors, warnings=warnings, rejected=data, subject=sent)
    return _CheckedArguments(kept, kept, tuple(warnings), sent)


def _check(data: Any, parts: tuple[Signature, Policy, Extras, bool], run: CheckState) -> Any:
    """Check and coerce the arguments *data* by the signature and policy in *parts*."""
    if not run.found and get_argument_shortcut(*parts).passes(data):
        return data
    return run_checker(compile_argument_checker(*parts), data, run)


@lru_cache(maxsize=512)
def _make_argument_record(signature: Signature) -> Record:
    """Return the record of the arguments of *signature*, which takes long to make."""
    return signature.arguments


@lru_cache(maxsize=256)
def _make_single_argument_policy(policy: Policy) -> Policy:
    """Copy *policy* without repairs that could complete a truncated argument."""
    # What was cut, if only by a bracket, is never called.
    return policy.off("several_values", "joined_values", "missing_bracket")


def _is_object(data: Any, _policy: Policy) -> bool:
    """Whether *data*, decoded from a model's arguments, is a JSON object."""
    return issubclass(type(data), dict)


def _drop_names(data: dict[str, Any], mine: set[str]) -> dict[str, Any]:
    """Drop the host parameters *mine* from the arguments *data*."""
    return {key: item for key, item in data.items() if fold_name(str(key)) not in mine}


def _drop_injected(
    binding: Binding, data: dict[Any, Any], policy: Policy, run: CheckState
) -> dict[Any, Any]:
    """Remove injected parameters from *data*, and report them as undeclared names."""
    injected = {fold_name(param.name) for param in binding.host.params if param.injected}
    if not injected:
        return data
    out = {}
    for key, item in data.items():
        if not is_text(key) or fold_name(key) not in injected:
            out[key] = item
            continue
        rejected = policy.extras == "reject"
        found = Finding("extra") if rejected else Finding("dropped", rule="extras", warning=True)
        found.steps.append(key)
        run.add(found)
    return out


def find_nulls_to_drop(binding: Binding) -> frozenset[str]:
    """Return the names of arguments with a default whose null counts as absent."""
    signature = binding.signature
    params, names = signature.params, signature.names
    return frozenset([f.name for f in params if f.default and not allows_nil(f.type, names, {})])


def drop_nulls(data: dict[Any, Any], names: frozenset[str], run: CheckState) -> dict[Any, Any]:
    """Drop the nulls of the arguments *names* from *data*, and add warnings to *run*."""
    nulls = [key for key, item in data.items() if item is None and key in names]
    for key in nulls:
        found = Finding("absent", rule="absent_from_null", warning=True)
        found.steps.append(key)
        run.add(found)
    return {key: item for key, item in data.items() if key not in nulls} if nulls else data


def rename_keys(binding: Binding, data: dict[Any, Any]) -> Any:
    """Rename keys of *data*, such as aliases in classes, to the declared names."""
    if not binding.host.spellings:
        return data
    signature = binding.signature
    speller = Speller(binding.host.spellings, signature.names)
    return speller.rename_arguments(signature.params, signature.extra, data)


def _make_refusal(issue: Issue, arguments: object, subject: Subject) -> Outcome[Any]:
    """Build the outcome of a call whose *arguments* fail the check with *issue*."""
    names = {d.name: d.type for d in subject.definitions}
    errors = hide_private_values([issue], subject.type, names, subject.secrets)
    return Outcome(stage="input", errors=errors, rejected=arguments, subject=subject)


def _read(binding: Binding, arguments: object, policy: Policy, run: CheckState) -> ReadResult:
    """Decode *arguments*, data or text, to named arguments in the form of the tool."""
    read = read_as_sent(binding, arguments, policy, run)
    if binding.sent is None or read.error is not None:
        return read
    kept = None if policy.on_issue == "skip" else run
    data = binding.sent.decode(read.data, kept, policy)
    return read._replace(data=replace_written_floats(data) if kept is None else data)


def read_as_sent(
    binding: Binding, arguments: object, policy: Policy, run: CheckState
) -> ReadResult:
    """Decode *arguments*, data or text, to named arguments in the form of the model.

    What is mended is in the warnings, or found by *run*.
    """
    signature = binding.signature if binding.sent is None else binding.sent.signature
    mends = policy.on_issue != "skip" and "arguments_from_nothing" in policy.coercions
    if mends and is_empty_text(arguments):
        read = ReadResult("")
    else:
        # Of several objects, which may be of several calls, none is taken.
        single = _make_single_argument_policy(policy)
        t, names = _make_argument_record(signature), signature.names
        read = read_sent(arguments, "the arguments are", t, names, single, _is_object)
    if read.error is not None or policy.on_issue == "skip":
        return read
    others = [param.name for param in binding.host.params]
    name, takes_any = binding.name, binding.takes_any
    mended = unpack_arguments(read.data, signature, policy, run, name, others, takes_any)
    return read._replace(data=mended)


def _make_subject(binding: Binding, value: object, policy: Policy, fault: int = READ) -> Subject:
    """The raw input of the tool, for messages."""
    signature, secrets = binding.signature, binding.host.secrets
    t, definitions = _make_argument_record(signature), signature.definitions
    return Subject(value, t, definitions, policy, True, binding.name, secrets, fault)


def _check_injected(binding: Binding, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the host values *given*; raise `TypesigError` for a wrong set of names."""
    mine = get_host_names(binding)
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


def _decode(
    binding: Binding, value: dict[str, Any], run: CheckState
) -> tuple[dict[str, Any], list[Issue]]:
    """Decode the arguments to objects of their hints, and collect the issues.

    What *run* refused stays as it is.
    """
    bad = find_bad_parts(run, BadParts)
    if bad is None:
        bad = BadParts(
            {found.steps[-1]: None for found in run.found if found.steps and not found.warning}
        )
    out: dict[str, Any] = {}
    failed: list[Issue] = []
    rest = next((param for param in binding.host.params if param.kind == "VAR_KEYWORD"), None)
    hosts = {param.name: param for param in binding.host.params}
    for name, part in value.items():
        host = hosts.get(name, rest)
        inside = bad.get(name, NO_BAD)
        decode = None if host is None or inside is None else host.decode
        out[name] = part
        if decode is not None:
            out[name], issues = decode_value(
                decode, part, (name,), "the function", binding.host.secrets, bad=inside or NO_BAD
            )
            failed.extend(issues)
    for host in hosts.values():
        if host.nil and not host.injected and host.name not in out:
            out[host.name] = None
    return out, failed


def arrange_arguments(
    binding: Binding, values: dict[str, Any], warnings: tuple[Issue, ...]
) -> BoundArguments:
    """Split *values* into positional and keyword arguments of the function."""
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
    return BoundArguments(tuple(args), kwargs, warnings)


@lru_cache(maxsize=256)
def get_closed_policy(policy: Policy) -> Policy:
    """Policy *policy* with undeclared keys refused."""
    return policy.changed(extras="reject")


@lru_cache(maxsize=256)
def get_output_policy(policy: Policy, abstract: bool, foreign: bool) -> Policy:
    """Policy for the result of a call under *policy*: any collection, or of a foreign server."""
    output = policy.for_output()
    if policy.extras != "reject":
        # A naive datetime is written without an offset, and with a warning.
        output = output.on("naive_datetime")
    if foreign:
        # The call has had its effect, and servers commonly write other forms of dates and times.
        output = output.on("other_format")
    return output.on("list_from_set") if abstract else output


def make_result_outcome(
    binding: Binding, returned: Any, warnings: tuple[Issue, ...], policy: Policy
) -> Outcome[Any]:
    """Return the outcome of a call whose function returned *returned*."""
    media: list[Any] = []
    value, issue = encode_result(binding, returned, media)
    told = select_notices_for_policy(policy, warnings)
    if policy.on_issue == "skip":
        signature = binding.signature
        # A result of others is an object of ours, whose data is what they sent.
        is_own = binding.original is not None and binding.host.encode is not None
        # Nothing is refused, so a model is told what cannot be written.
        data = value if issue is None else str(issue)
        made = partial(to_plain, data) if is_own else None
        t, secrets = signature.returns, get_result_secrets(binding.host.secrets)
        subject = Subject(data, t, signature.definitions, policy, secrets=secrets)
        subject = subject._replace(media=tuple(media))
        return Outcome(returned, (), warnings, "output", plain=made, subject=subject, noticed=told)
    if issue is not None:
        return Outcome(
            stage="output", errors=[issue], warnings=warnings, rejected=returned, noticed=told
        )
    signature, t = binding.signature, strip_annotations(binding.signature.returns)
    if binding.host.pair and not binding.explicit and isinstance(t, Record):
        t = result_hints.make_checked_record(t.fields, value)
    output = get_output_policy(policy, binding.host.abstract, binding.host.foreign)
    secrets = get_result_secrets(binding.host.secrets)
    found = check_value(t, signature.definitions, value, output, "output", secrets=secrets)
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
        plain=lambda: to_plain(found.result),
        subject=subject._replace(media=tuple(media)),
        noticed=told,
    )


def make_tool_error_outcome(
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


__all__ = [
    "BoundArguments",
    "bind",
    "get_first_policy",
    "make_result_outcome",
    "make_tool_error_outcome",
]
