"""Verdicts: values checked and coerced by a signature or a type."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, Field, Type
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.frozen import NAMES, set_part
from typesig.algebra.rows.scalars import SCALARS, is_scalar_name
from typesig.algebra.rows.shared import Overfull, Watch
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import Signature
from typesig.limits import MAX_VALUES
from typesig.validation.check.argument_shapes import may_be_wrapped, mended_arguments
from typesig.validation.check.check import compiled, compiler_of
from typesig.validation.generated.compiled_verdicts import Verdict, verdict
from typesig.validation.generated.program import FIRST_CALLS, is_long, shortcut
from typesig.validation.issues.excerpt import shown
from typesig.validation.issues.issues import Issue, IssueCode
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.issues.written import plain_floats
from typesig.validation.outcome.about import About
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.passed import make_outcome, make_valid_outcome
from typesig.validation.outcome.told import Settle, Told
from typesig.validation.rows.plain import plain
from typesig.validation.rows.policy import (
    ENABLED,
    STRICT,
    ModeName,
    Policy,
    keep_ints,
    policy_of,
)
from typesig.validation.rows.run import Checker, Found, Run, settled
from typesig.validation.rows.secrets import without_hidden
from typesig.validation.rows.subject import Stage, Subject


def validate_input(
    signature: Signature,
    value: object,
    mode: ModeName | Policy = "enabled",
    ledger: Ledger | None = None,
) -> Outcome[Any]:
    """Return the outcome of checking the named arguments *value*, coercing them.

    What is mended and refused is counted in *ledger*.
    """
    outcome = _by_verdict(signature, "input", mode, value)
    if outcome is None:
        outcome = _input(signature, value, mode)
    return _noted(outcome, signature, ledger)


def _noted(outcome: Outcome[Any], signature: Signature, ledger: Ledger | None) -> Outcome[Any]:
    if ledger is not None:
        # Issues are made when they are read.
        note_in(ledger, outcome.errors, outcome.warnings, signature)
    return outcome


def _policy_for(signature: Signature, mode: ModeName | Policy) -> Policy:
    """Return the policy of *mode* for values of *signature*."""
    policy = policy_of(mode)
    return keep_ints(policy) if signature.keeps_ints else policy


def _input(signature: Signature, value: object, mode: ModeName | Policy) -> Outcome[Any]:
    policy = _policy_for(signature, mode)
    t, definitions, secrets = signature.arguments, signature.definitions, signature.secrets - {""}
    subject = Subject(value, t, definitions, policy, True, secrets=secrets)
    if policy.on_issue == "skip":
        return Outcome(value, stage="input", subject=subject)
    run = Run(policy.max_issues)
    given = {} if value is None else mended_arguments(value, signature, policy, run)
    if not issubclass(type(given), dict):
        issues = without_hidden([not_named(signature, value)], t, signature.names, secrets)
        return Outcome(stage="input", errors=issues, rejected=value, subject=subject)
    use = _use(About("input", t, definitions, policy, True, secrets))
    _keep(signature, mode, use)
    return _checked(use, given, run)


def not_named(signature: Signature, value: object) -> Issue:
    """Return the error that shows how arguments are named."""
    shape = ", ".join(_named(field) for field in signature.params if not field.firewalled)
    asked = f"named arguments such as {{{shape}}}" if shape else "no arguments, that is {}"
    return Issue("type", (), asked, shown(value))


def _named(field: Field) -> str:
    from typesig.notations.texts.quoting import quoted

    return f"{quoted(field.name)}: …"


def validate_output(
    signature: Signature, value: object, mode: ModeName | Policy = "enabled"
) -> Outcome[Any]:
    """Return the outcome of checking the result *value*, without coercion."""
    return _result(signature, "output", value, mode)


def _result(
    signature: Signature, stage: Stage, value: object, mode: ModeName | Policy
) -> Outcome[Any]:
    """Return the outcome of the check of the result *value*, as an answer or a tool's own."""
    outcome = _by_verdict(signature, stage, mode, value)
    if outcome is not None:
        return outcome
    policy, t, definitions = _policy_for(signature, mode), signature.returns, signature.definitions
    if policy.on_issue == "skip":
        subject = Subject(value, t, definitions, policy, secrets=signature.secrets)
        return Outcome(value, stage=stage, subject=subject)
    policy = policy.for_output() if stage == "output" else policy
    use = _use(About(stage, t, definitions, policy, False, signature.secrets))
    _keep(signature, mode, use)
    return _checked(use, value)


_RESULTS = ENABLED.for_output()


def accepts(signature: Signature, value: object) -> bool:
    """Tell whether `validate_output` finds no error in *value*; the errors are not written."""
    quick = shortcut(signature.returns, signature.definitions, _RESULTS)
    if quick.passes(value):
        judges_of(signature).accepts = quick.judge
        return True
    run = Run(1)
    walked(compiled(signature.returns, signature.definitions, _RESULTS), value, run)
    return not run.errors


def validate_and_coerce(
    signature: Signature,
    value: object,
    mode: ModeName | Policy = "enabled",
    ledger: Ledger | None = None,
) -> Outcome[Any]:
    """Return the outcome of checking the result *value*, coercing it like input.

    What is mended and refused is counted in *ledger*.
    """
    return _noted(_result(signature, "answer", value, mode), signature, ledger)


class Judges:
    """The functions that a signature was checked with so far."""

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


def judges_of(signature: Signature) -> Judges:
    """Return the judges of *signature*, which keeps them."""
    judges = signature._judges
    if judges is None:
        judges = Judges()
        set_part(signature, "_judges", judges)
    return judges


def _keep(signature: Signature, mode: ModeName | Policy, use: _Use) -> None:
    """Keep what returns the outcomes of a check, once its predicate is compiled."""
    made = use.verdict
    if made is None:
        return
    stage, judges = use.about.stage, judges_of(signature)
    if mode == "enabled":
        setattr(judges, stage, made)
    if len(judges.made) < _MOST_VERDICTS:
        judges.made[stage, mode] = made


#: How many stages and modes a signature has verdicts for.
_MOST_VERDICTS = 20


def _by_verdict(
    signature: Signature, stage: Stage, mode: ModeName | Policy, value: object
) -> Outcome[Any] | None:
    """Return the outcome for *value* of the verdict that *signature* keeps, None without one."""
    judges = signature._judges
    if judges is None or not isinstance(mode, str | Policy):
        return None
    made = judges.made.get((stage, mode))
    return None if made is None else made(value)


@lru_cache(maxsize=2048)
def kept_verdict(about: About) -> Verdict:
    """Return what returns the outcomes of the check *about*, from the cache if there is one."""
    return verdict(about, partial(decided, about))


class _Use:
    """How often the check *about* was asked, and its verdict, which is compiled if it is worth it.

    The first calls are left to the check, unless the value is long.
    """

    __slots__ = ("_calls", "about", "verdict")

    def __init__(self, about: About) -> None:
        self.about = about
        self._calls = 0
        self.verdict: Verdict | None = None

    def verdict_for(self, value: object) -> Verdict | None:
        """Return the verdict, or None if the check is to look at *value*."""
        if self.verdict is None:
            self._calls += 1
            if self._calls > FIRST_CALLS or is_long(value):
                self.verdict = kept_verdict(self.about)
        return self.verdict


_use = lru_cache(maxsize=2048)(_Use)


def quick_check(signature: Signature, policy: Policy, named: bool) -> Callable[[Any], bool]:
    """Return what tells whether a check of many values finds nothing in one; False if unknown.

    It is that of `validate_input` if *named*, else of `validate_output`.
    """
    if policy.on_issue == "skip":
        return lambda value: False
    if not named:
        return shortcut(signature.returns, signature.definitions, policy.for_output()).passes
    policy = _policy_for(signature, policy)
    passes = shortcut(signature.arguments, signature.definitions, policy).passes
    return lambda value: (type(value) is dict and not may_be_wrapped(value)) and passes(value)


def checked(
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
    return _checked(_use(About(stage, t, definitions, policy, secrets=secrets)), value)


def _checked(use: _Use, value: object, run: Run | None = None) -> Outcome[Any]:
    """Return the outcome for *value* of the check that *use* is about.

    *run* has what was found before, if anything was.
    """
    if run is None or not run.found:
        known = use.verdict_for(value)
        outcome = None if known is None else known(value)
        if outcome is not None:
            return outcome
    return decided(use.about, value, run)


def decided(about: About, value: object, run: Run | None = None) -> Outcome[Any]:
    """Return the outcome of the check *about* by its walk; *run* has what was found before."""
    stage, policy = about.stage, about.policy
    run = run or Run(policy.max_issues)
    is_mended = bool(run.found)
    result = walked(compiled(about.type, about.definitions, policy), value, run)
    if is_mended:
        # The value was read from text within the arguments.
        result = plain_floats(result)
    if not run.found and result is value:
        return make_valid_outcome(value, about)
    settle: Settle = partial(_settled, about, run.found)
    has_errors = bool(run.errors)
    if policy.on_issue != "fail":
        known = settle()
        settle, has_errors = lambda: known, bool(known[0])
    told = Told(
        settle,
        has_errors,
        stage,
        value if has_errors else None,
        run.unseen or run.unseen_warnings,
        partial(plain, result),
        about.subject(value if has_errors else result),
    )
    return make_outcome(None if has_errors else result, told)


def _settled(about: About, found: list[Found]) -> tuple[list[Issue], list[Issue]]:
    """Return the errors and warnings of the check *about* that *found* these."""
    errors, warnings = settled(found, about.policy, about.stage)
    t, names = about.type, {d.name: d.type for d in about.definitions}
    return (
        without_hidden(errors, t, names, about.secrets),
        without_hidden(warnings, t, names, about.secrets),
    )


def walked(check: Checker, value: Any, run: Run) -> Any:
    """Return the result of *check* for *value*; a `RecursionError` becomes an issue.

    So does a value that has more places than `MAX_VALUES`.  What a subclass changed is read by the
    methods of the built-in; a value that conforms is returned as it is.
    """
    seen = len(run.found)
    try:
        data = as_builtin(value)
        run.watch = Watch(data)
        made = check(data, run)
        return value if made is data else made
    except Overfull:
        found = Found("size", f"{MAX_VALUES}")
    except RecursionError:
        found = Found("depth", "as many as the stack of the caller leaves")
    # The paths of what was found inside are not complete.
    run.forget(seen)
    run.add(found)
    return value


_TELLING = ENABLED.changed(verbose=True)


def coerce(value: object, type: object) -> Outcome[Any]:
    """Return the outcome of coercing *value* to *type*.

    It is that of `validate_and_coerce` in other words, as shown here.  A datetime that is read from
    its text gives a warning, too.
    *type* is a type, a signature (whose result is meant), or text such as ":int".
    Raises `TypesigError` if it is none of these.

    >>> coerce("42", ":int").value, str(coerce("42", ":int").warnings[0])
    (42, 'coerced string "42" to integer')
    >>> str(coerce("hello", ":int").errors[0])
    'cannot coerce string "hello" to integer'
    """
    # Loads all notations, and has nothing to do with other checks.
    from typesig.notations import parse

    found = validate_and_coerce(parse(type), value, _TELLING)
    told = found._all_told()
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
    """Return *issue* in the words of `coerce`."""
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


def flaw_of_default(t: Type, default: Const, definitions: tuple[Definition, ...]) -> str:
    """Return what a check in mode `strict` finds in *default*, or an empty text.

    JSON's spelling of a datetime, a keyword or a set is read, as it is in any argument.
    """
    # Without names the definitions do not matter, and hashing all of them takes time.
    return _flaw(t, default, definitions if t.flags & NAMES else ())


@lru_cache(maxsize=1024)
def _flaw(t: Type, default: Const, definitions: tuple[Definition, ...]) -> str:
    if definitions:
        # All defaults of a signature share the checks of its definitions.
        check = compiler_of(ANY, definitions, _FIRST_ERROR).checker(t)
    else:
        check = compiled(t, definitions, _FIRST_ERROR)
    run = Run(_FIRST_ERROR.max_issues)
    walked(check, default.thaw(), run)
    errors, _ = settled(run.found, _FIRST_ERROR, "input")
    return str(errors[0]) if errors else ""
