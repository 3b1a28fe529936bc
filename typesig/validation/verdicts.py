"""Verdicts: values checked and coerced by a signature or a type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, Field, Type
from typesig.algebra.rows.builtin import TooManyValues, VisitBudget, as_builtin
from typesig.algebra.rows.frozen import NAMES, set_part
from typesig.algebra.rows.scalars import SCALARS, is_scalar_name
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature
from typesig.limits import MAX_VALUES
from typesig.validation.check.argument_shapes import may_be_wrapped, unpack_arguments
from typesig.validation.check.check import compile_checker, get_compiler
from typesig.validation.check.record_checks import fills_within
from typesig.validation.check_state import (
    Checker,
    CheckState,
    Finding,
    Stage,
    Subject,
    split_findings,
)
from typesig.validation.generated.compiled_verdicts import Verdict, compile_verdict
from typesig.validation.generated.program import FIRST_CALLS, get_shortcut, is_long
from typesig.validation.generated.scan_plans import build_text_test
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.issues.issues import Issue, IssueCode
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.outcome.check_context import CheckContext, OutcomeDetails, Settle
from typesig.validation.outcome.constructors import make_outcome, make_valid_outcome
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.visibility import hide_private_values
from typesig.validation.plain_data import replace_written_floats, to_plain
from typesig.validation.policy import ENABLED, STRICT, ModeName, Policy, get_policy, keep_ints

# --- Verdicts: values checked and coerced by a signature or a type ---


def validate_input(
    signature: Signature,
    value: object,
    mode: ModeName | Policy = "enabled",
    ledger: Ledger | None = None,
) -> Outcome[Any]:
    """Check the named arguments *value* against *signature*, with coercion.

    *ledger* counts repairs and refusals.
    """
    outcome = _apply_cached_verdict(signature, "input", mode, value)
    if outcome is None:
        outcome = _check_input(signature, value, mode)
    return _count_issues(outcome, signature, ledger)


def _count_issues(
    outcome: Outcome[Any], signature: Signature, ledger: Ledger | None
) -> Outcome[Any]:
    """Count the issues of *outcome* in *ledger*, if any, and return *outcome*."""
    if ledger is not None:
        # Issues are made when they are read.
        note_in(ledger, outcome.errors, outcome.warnings, signature)
    return outcome


def _get_policy_for(signature: Signature, mode: ModeName | Policy) -> Policy:
    """Return the policy of *mode* for values of *signature*."""
    policy = get_policy(mode)
    return keep_ints(policy) if signature.keeps_ints else policy


def _check_input(signature: Signature, value: object, mode: ModeName | Policy) -> Outcome[Any]:
    """Check *value* as the arguments of *signature* in *mode*."""
    policy = _get_policy_for(signature, mode)
    t, definitions, secrets = signature.arguments, signature.definitions, signature.secrets - {""}
    subject = Subject(value, t, definitions, policy, True, secrets=secrets)
    if policy.on_issue == "skip":
        return Outcome(value, stage="input", subject=subject)
    run = CheckState(policy.max_issues)
    given = {} if value is None else unpack_arguments(value, signature, policy, run)
    if not issubclass(type(given), dict):
        issues = hide_private_values(
            [make_named_arguments_issue(signature, value)], t, signature.names, secrets
        )
        return Outcome(stage="input", errors=issues, rejected=value, subject=subject)
    use = _get_verdict_cache(CheckContext("input", t, definitions, policy, True, secrets))
    _cache_verdict(signature, mode, use)
    return _check_value(use, given, run)


def make_named_arguments_issue(signature: Signature, value: object) -> Issue:
    """Make the error that *value* is not an object of named arguments."""
    shape = ", ".join(_write_named(field) for field in signature.params if not field.firewalled)
    asked = f"named arguments such as {{{shape}}}" if shape else "no arguments, that is {}"
    return Issue("type", (), asked, describe_value(value))


def _write_named(field: Field) -> str:
    """Write the argument *field* for an example of named arguments."""
    from typesig.notations.texts.quoting import quote

    return f"{quote(field.name)}: …"


def validate_output(
    signature: Signature, value: object, mode: ModeName | Policy = "enabled"
) -> Outcome[Any]:
    """Return the outcome of checking the result *value*, without coercion."""
    return _check_result(signature, "output", value, mode)


def _check_result(
    signature: Signature, stage: Stage, value: object, mode: ModeName | Policy
) -> Outcome[Any]:
    """Return the outcome of the check of the result *value*, as an answer or a tool's own."""
    outcome = _apply_cached_verdict(signature, stage, mode, value)
    if outcome is not None:
        return outcome
    policy, t, definitions = (
        _get_policy_for(signature, mode),
        signature.returns,
        signature.definitions,
    )
    if policy.on_issue == "skip":
        subject = Subject(value, t, definitions, policy, secrets=signature.secrets)
        return Outcome(value, stage=stage, subject=subject)
    policy = policy.for_output() if stage == "output" else policy
    use = _get_verdict_cache(CheckContext(stage, t, definitions, policy, False, signature.secrets))
    _cache_verdict(signature, mode, use)
    return _check_value(use, value)


_RESULTS = ENABLED.for_output()


def is_valid_result(signature: Signature, value: object) -> bool:
    """Whether *value* is a valid result for *signature*, without making errors."""
    quick = get_shortcut(signature.returns, signature.definitions, _RESULTS)
    if quick.passes(value):
        get_check_cache(signature).accepts = quick.judge
        return True
    run = CheckState(1)
    run_checker(compile_checker(signature.returns, signature.definitions, _RESULTS), value, run)
    return not run.errors


def validate_and_coerce(
    signature: Signature,
    value: object,
    mode: ModeName | Policy = "enabled",
    ledger: Ledger | None = None,
) -> Outcome[Any]:
    """Check the result *value* against *signature*, with coercion as for input.

    *ledger* counts repairs and refusals.
    """
    return _count_issues(_check_result(signature, "answer", value, mode), signature, ledger)


class CheckCache:
    """Cached check functions of one signature."""

    __slots__ = ("accepts", "answer", "input", "made", "output")

    def __init__(self) -> None:
        #: A predicate of results.
        self.accepts: Callable[[object], object] | None = None
        #: What returns the outcome in the default mode, by stage; of arguments maybe None.
        self.input: Verdict | None = None
        self.output: Callable[[object], Outcome[Any]] | None = None
        self.answer: Callable[[object], Outcome[Any]] | None = None
        #: What returns the outcome, by the stage and the mode.
        self.made: dict[tuple[Stage, object], Verdict] = {}


def get_check_cache(signature: Signature) -> CheckCache:
    """Return the check cache of *signature*, which is created on first use."""
    judges = signature._judges
    if judges is None:
        judges = CheckCache()
        set_part(signature, "_judges", judges)
    return judges


def _cache_verdict(signature: Signature, mode: ModeName | Policy, use: _VerdictCache) -> None:
    """Store the compiled check function of *use* in the cache of *signature*."""
    made = use.verdict
    if made is None:
        return
    stage, judges = use.about.stage, get_check_cache(signature)
    if mode == "enabled":
        setattr(judges, stage, made)
    if len(judges.made) < _MOST_VERDICTS:
        judges.made[stage, mode] = made


#: How many stages and modes a signature has verdicts for.
_MOST_VERDICTS = 20


def _apply_cached_verdict(
    signature: Signature, stage: Stage, mode: ModeName | Policy, value: object
) -> Outcome[Any] | None:
    """Check *value* by a cached function of *signature*; None if there is none."""
    judges = signature._judges
    if judges is None or not isinstance(mode, str | Policy):
        return None
    made = judges.made.get((stage, mode))
    return None if made is None else made(value)


@lru_cache(maxsize=2048)
def get_cached_verdict(about: CheckContext) -> Verdict:
    """Return the cached verdict function of the check *about*."""
    return compile_verdict(about, partial(run_check, about))


class _VerdictCache:
    """Compiled function of the check *about*, made after several calls.

    The first calls are left to the check, unless the value is long.
    """

    __slots__ = ("_calls", "about", "verdict")

    def __init__(self, about: CheckContext) -> None:
        self.about = about
        self._calls = 0
        self.verdict: Verdict | None = None

    def find_verdict(self, value: object) -> Verdict | None:
        """Return the compiled check function, or None for a plain check."""
        if self.verdict is None:
            self._calls += 1
            if self._calls > FIRST_CALLS or is_long(value):
                self.verdict = get_cached_verdict(self.about)
        return self.verdict


_get_verdict_cache = lru_cache(maxsize=2048)(_VerdictCache)


def build_text_check(
    signature: Signature, policy: Policy, named: bool, keeps_digits: bool
) -> Callable[[bytes], bool]:
    """Build a fast predicate for JSON texts of valid values; False means that it is unknown.

    It is that of `validate_input` if *named*, else of `validate_output`; *keeps_digits* is whether
    numbers are read with their digits.
    """
    if policy.on_issue == "skip":
        return _knows_nothing
    t = signature.arguments if named else signature.returns
    policy = _get_policy_for(signature, policy) if named else policy.for_output()
    passes = get_shortcut(t, signature.definitions, policy).passes

    def passes_named(value: Any) -> bool:
        return type(value) is dict and not may_be_wrapped(value) and passes(value)

    return build_text_test(t, passes_named if named else passes, keeps_digits) or _knows_nothing


def _knows_nothing(_: object) -> bool:
    """Return False: it is unknown whether a value is valid."""
    return False


def build_value_check(
    t: Type, definitions: tuple[Definition, ...], policy: Policy, stage: Stage
) -> Callable[[object], Outcome[Any]]:
    """Build the function that returns the outcome of checking a value against *t*."""
    return partial(_check_value, _get_verdict_cache(CheckContext(stage, t, definitions, policy)))


def check_value(
    t: Type,
    definitions: tuple[Definition, ...],
    value: object,
    policy: Policy,
    stage: Stage,
    secrets: frozenset[str] = frozenset(),
) -> Outcome[Any]:
    """Return the outcome of checking *value* against *t* under *policy*.

    *secrets* are the names of fields whose values no message shows.
    """
    return _check_value(
        _get_verdict_cache(CheckContext(stage, t, definitions, policy, secrets=secrets)), value
    )


def _check_value(use: _VerdictCache, value: object, run: CheckState | None = None) -> Outcome[Any]:
    """Check *value* by the compiled function of *use*, or else by the plain check.

    *run* has what was found before, if anything was.
    """
    if run is None or not run.found:
        known = use.find_verdict(value)
        outcome = None if known is None else known(value)
        if outcome is not None:
            return outcome
    return run_check(use.about, value, run)


def run_check(about: CheckContext, value: object, run: CheckState | None = None) -> Outcome[Any]:
    """Run the slow path of the check *about*; *run* holds earlier findings."""
    stage, policy = about.stage, about.policy
    run = run or CheckState(policy.max_issues)
    is_mended = bool(run.found)
    result = run_checker(compile_checker(about.type, about.definitions, policy), value, run)
    if is_mended:
        # The value was read from text within the arguments.
        result = replace_written_floats(result)
    if not run.found and result is value:
        return make_valid_outcome(value, about)
    settle: Settle = partial(_split_check_findings, about, run.found)
    has_errors = bool(run.errors)
    if policy.on_issue != "fail":
        known = settle()
        settle, has_errors = lambda: known, bool(known[0])
    told = OutcomeDetails(
        settle,
        has_errors,
        stage,
        value if has_errors else None,
        run.unseen or run.unseen_warnings,
        partial(to_plain, result),
        about.make_subject(value if has_errors else result),
    )
    return make_outcome(None if has_errors else result, told)


def _split_check_findings(
    about: CheckContext, found: list[Finding]
) -> tuple[list[Issue], list[Issue]]:
    """Convert *found*, of the check *about*, to errors and warnings without secrets."""
    errors, warnings = split_findings(found, about.policy, about.stage)
    t, names = about.type, {d.name: d.type for d in about.definitions}
    return (
        hide_private_values(errors, t, names, about.secrets),
        hide_private_values(warnings, t, names, about.secrets),
    )


def run_checker(check: Checker, value: Any, run: CheckState) -> Any:
    """Run *check* on *value*; record a finding if a size or depth limit is exceeded.

    So does a value that has more places than `MAX_VALUES`. Values of subclasses are read by the
    methods of the built-in class; a value that conforms is returned unchanged.
    """
    seen = len(run.found)
    try:
        data = as_builtin(value)
        run.watch = VisitBudget(data)
        made = check(data, run)
        for one in run.found:
            one.settle()
        return value if made is data else made
    except TooManyValues:
        found = Finding("size", f"{MAX_VALUES}")
    except RecursionError:
        found = Finding("depth", "as many as the stack of the caller leaves")
    # The paths of what was found inside are not complete.
    run.drop_after(seen)
    run.add(found)
    return value


_TELLING = ENABLED.changed(verbose=True)


def coerce(value: object, type: object) -> Outcome[Any]:
    """Convert *value* to *type*, and return the outcome.

    The result is the same as that of `validate_and_coerce`: A datetime parsed from text also adds a
    warning. *type* is a type, a signature (for its result), or text such as ":int". Raises
    `TypesigError` if *type* is none of these.

    >>> coerce("42", ":int").value, str(coerce("42", ":int").warnings[0])
    (42, 'coerced string "42" to integer')
    >>> str(coerce("hello", ":int").errors[0])
    'cannot coerce string "hello" to integer'
    """
    # Loads all notations, and has nothing to do with other checks.
    from typesig.notations import parse

    found = validate_and_coerce(parse(type), value, _TELLING)
    told = found._get_details()
    if told is None:
        return found
    return Outcome(
        found._result,
        [_reword(issue) for issue in found.errors],
        [_reword(issue) for issue in found.warnings],
        found.stage,
        rejected=told.rejected,
        unseen=told.unseen,
        plain=told.plain,
        subject=told.subject,
    )


def _reword(issue: Issue) -> Issue:
    """Reword *issue* as an error of `coerce`."""
    code: IssueCode = issue.code
    if code == "type":
        code = "cannot"
    elif code == "enum":
        code = "cannot_be"
    expected = issue.expected
    if is_scalar_name(expected):
        expected = SCALARS[expected].word or expected
    return Issue(code, issue.path, expected, issue.got, issue.hint, issue.rule, issue.hidden)


# An undeclared key is the sender's mistake in `strict`; a default of an open record may have some.
_FIRST_ERROR = STRICT.changed(extras="keep", max_issues=1)


def find_default_error(t: Type, default: Const, definitions: tuple[Definition, ...]) -> str:
    """Return the error of a `strict` check of *default*, or an empty text.

    JSON's spelling of a datetime, a keyword or a set is read, as it is in any argument.
    """
    # Without names the definitions do not matter, and hashing all of them takes time.
    return _find_error(t, default, definitions if t.flags & NAMES else ())


@lru_cache(maxsize=1024)
def _find_error(t: Type, default: Const, definitions: tuple[Definition, ...]) -> str:
    """Find the first error of *default* as a value of *t*; "" if it is valid."""
    if definitions:
        # All defaults of a signature share the checks of its definitions.
        check = get_compiler(ANY, definitions, _FIRST_ERROR).checker(t)
    else:
        check = compile_checker(t, definitions, _FIRST_ERROR)
    run = CheckState(_FIRST_ERROR.max_issues)
    run_checker(check, default.thaw(), run)
    errors, _ = split_findings(run.found, _FIRST_ERROR, "input")
    return str(errors[0]) if errors else ""


# --- Defaults that classes fill in themselves, in the data that outcomes show ---
# The check leaves these fields out, so that a class gets none of them and its objects have its own
# defaults.


def filling_policy(
    t: Type, names: Mapping[str, Type], policy: Policy, nested: Policy
) -> Policy | None:
    """Return the policy to fill in defaults of *t* after a check by *nested*, or None.

    It is None if the check has filled them in, or if there are none.
    """
    if nested.defaults or not policy.defaults or not fills_within(t, names):
        return None
    return _fill_defaults_by(nested)


@lru_cache(maxsize=64)
def _fill_defaults_by(nested: Policy) -> Policy:
    """Make the policy that fills in defaults after a check by *nested*."""
    return nested.changed(defaults=True, extras="keep")


def fill_defaults(
    value: Any, t: Type, definitions: tuple[Definition, ...], filling: Policy | None
) -> Any:
    """Fill in the defaults of *t* in the checked data *value*; see `filling_policy`.

    Data in which the defaults would be too large stays without them.
    """
    if filling is None or get_shortcut(t, definitions, filling).passes(value):
        return value
    run = CheckState(filling.max_issues)
    made = run_checker(compile_checker(t, definitions, filling), value, run)
    return value if any(found.code == "filled" for found in run.found) else made
