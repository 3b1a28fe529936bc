"""The state of one check: its subject, the issues that it found, and its policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import Type
from typesig.algebra.rows.builtin import VisitBudget
from typesig.algebra.rows.frozen import HIDDEN
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.issues.issues import Issue, IssueCode
from typesig.validation.issues.suggestions import Remedy, SuggestionQuery, SuggestionSearch
from typesig.validation.policy import Policy

# --- What a check is about: a value and the type that it was checked against ---

#: The stages of a call: its arguments are checked, the tool is called, its result is checked.  The
#: answer of a model, which a contract reads, has a stage of its own, and so
#: has a program of a model, before it runs and while it runs.
Stage: TypeAlias = Literal["input", "call", "output", "answer", "program", "run"]

#: The place of a fault in a text that was read.
READ = -1


class Subject(NamedTuple):
    """A checked value, with its type, its policy and its secrets.

    #: value: the value as it is after the check, coerced on input; as it was sent if it failed
    #: policy: the policy of the check, by which branches of unions are told apart
    #: are_arguments: whether the value is the named arguments of a call, not a result
    #: tool: the name of the tool that was called, or empty
    #: secrets: the names of fields with secrets; an empty name is the whole value
    #: fault: where the text that was sent could not be read, as an index, or `READ`
    #: is_whole: whether the value is known to be plain data, whose records have declared keys only
    #: media: the media of a result, each with the text in the value that stands for it
    """

    value: Any
    type: Type
    definitions: tuple[Definition, ...]
    policy: Policy
    are_arguments: bool = False
    tool: str = ""
    secrets: frozenset[str] = frozenset()
    fault: int = READ
    is_whole: bool = False
    media: tuple[tuple[str, Any], ...] = ()

    @property
    def may_hide(self) -> bool:
        """Whether the type may have secrets or firewalled fields; true in doubt."""
        flags = [self.type.flags, *[d.type.flags for d in self.definitions]]
        return bool(self.secrets) or any(flag & HIDDEN for flag in flags)


# --- The state of one check: its findings so far, and how deep it is ---
# Findings are mutable while the walk unwinds: each level appends its step to them, so a value
# without errors costs no paths.  At the end they are turned into issues.


class Finding:
    """An error or warning of a running check, whose path is built from the inside out.

    An excerpt of a value is written when it is read: most findings of branches never are.
    """

    __slots__ = (
        "_got", "code", "expected", "hidden", "hint", "rule", "steps", "value", "warning",
    )  # fmt: skip

    def __init__(
        self,
        code: IssueCode,
        expected: str = "",
        got: str | None = "",
        hint: str | SuggestionQuery | Remedy = "",
        rule: str = "",
        *,
        warning: bool = False,
        value: object = None,
    ) -> None:
        """*value* is what was found if *got*, the text of it, is None."""
        self.code: IssueCode = code
        self.expected = expected
        self._got = got
        self.value = value
        self.hint = hint
        self.rule = rule
        self.warning = warning
        self.steps: list[str | int] = []
        # The number of steps, from the inside, up to the outermost firewalled name; else 0.
        self.hidden = 0

    @property
    def got(self) -> str:
        """What was found instead."""
        if self._got is None:
            self._got = describe_value(self.value)
        return self._got

    def copy(self) -> Finding:
        """Copy the finding with an independent path."""
        other = _new(Finding)
        other.code, other.expected, other.hint = self.code, self.expected, self.hint
        other.rule, other.warning, other.hidden = self.rule, self.warning, self.hidden
        other._got, other.value, other.steps = self._got, self.value, self.steps[:]
        return other

    @property
    def is_limit(self) -> bool:
        """Whether the finding reports a reached limit, not an error in the value."""
        return self.code in _LIMITS

    def get_identity(self) -> tuple[object, ...]:
        """Key that is equal for findings with the same message, but for what was found."""
        return self.code, tuple(self.steps), self.expected, self.warning

    def finds_same(self, other: Finding) -> bool:
        """Whether *other*, of the same identity, has found the same."""
        is_one = self._got is other._got is None and self.value is other.value
        return is_one or self.got == other.got

    def settle(self) -> None:
        """Write the excerpt of a value that may be changed before it is read."""
        if self._got is None and type(self.value) not in _UNCHANGING:
            self._got = describe_value(self.value)

    def make_issue(self, search: SuggestionSearch) -> Issue:
        """Return the finding as an issue; *search* finds a hint that has to be looked for."""
        path, visible = self.get_place()
        return Issue._make_lazy(path, visible, self, search)

    def get_place(self) -> tuple[tuple[str | int, ...], int]:
        """Return the path from the outside in, and how many of its steps a model may see, or -1."""
        visible = len(self.steps) - self.hidden if self.hidden else -1
        return tuple(reversed(self.steps)), visible


_new = object.__new__

#: The classes of values that never change.
_UNCHANGING = frozenset({str, int, float, bool, type(None)})

#: The codes of errors that tell nothing of the value.
_LIMITS: frozenset[IssueCode] = frozenset({"depth", "filled"})


#: Lets a walk go on without an end, for values of which it is known that they are small.
UNWATCHED = VisitBudget(None)
UNWATCHED.left = float("inf")


class CheckBudget:
    """Work that a check and its branches have spent of the limits.

    #: search: the search for what was meant, where that tells branches apart
    #: misspelt: the search for the absent names that undeclared keys were meant for
    #: filled: how many values within lists and maps defaults have filled in
    #: filling: the defaults that are being filled in
    """

    __slots__ = ("filled", "filling", "misspelt", "search")

    def __init__(self) -> None:
        self.search = SuggestionSearch()
        self.misspelt = SuggestionSearch()
        self.filled = 0
        self.filling: set[int] = set()


class CheckState:
    """Findings and limits of a running check.

    #: found: the findings, in order
    #: errors, warnings: how many findings are errors, and warnings; limit: the most of each
    #: unseen, unseen_warnings: the errors and warnings beyond the limit
    #: unseen_limits: how many of those errors tell nothing of the value
    #: frames: the depth of the references that the walk is inside of, `MAX_FRAMES` at most
    #: trial: whether this is a branch, in which the results of checks are remembered
    #: is_verdict: whether only is asked whether there are errors: a check may end at the first
    #: memo: those results, by check and value, and what was read from texts
    #: work: what the whole check has spent of its limits
    #: watch: counts what the whole check visits
    """

    __slots__ = (
        "errors", "found", "frames", "is_verdict", "limit", "memo", "trial", "unseen",
        "unseen_limits", "unseen_warnings", "warnings", "watch", "work",
    )  # fmt: skip

    def __init__(self, limit: int, above: CheckState | None = None) -> None:
        self.found: list[Finding] = []
        self.errors = 0
        self.warnings = 0
        self.unseen = 0
        self.unseen_limits = 0
        self.unseen_warnings = 0
        self.limit = limit
        self.frames: int = 0 if above is None else above.frames
        self.trial = above is not None
        self.is_verdict = False
        self.memo: dict[tuple[int, int, int], tuple[Any, Any, CheckState]]
        self.watch: VisitBudget = UNWATCHED if above is None else above.watch
        self.work: CheckBudget
        if above is not None:
            self.memo, self.work = above.memo, above.work

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set: most checks need neither.
        match name:
            case "memo":
                self.memo = {}
                return self.memo
            case "work":
                self.work = CheckBudget()
                return self.work
            case _:
                raise AttributeError(name)

    def make_branch(self) -> CheckState:
        """Make the state for trying one branch, such as a member of a union."""
        return CheckState(self.limit, self)

    def make_verdict(self) -> CheckState:
        """Make the state for a branch of which only whether there are errors is asked."""
        made = CheckState(1, self)
        made.is_verdict = True
        return made

    @property
    def is_full(self) -> bool:
        """Whether the limit of errors is reached, so that more are only counted."""
        return self.errors >= self.limit

    def add(self, found: Finding) -> None:
        """Add the finding *found*, or only count it if the limit is reached."""
        if found.warning:
            if self.warnings < self.limit:
                self.warnings += 1
                self.found.append(found)
            else:
                self.unseen_warnings += 1
        elif self.errors < self.limit:
            self.errors += 1
            self.found.append(found)
        else:
            self.unseen += 1
            self.unseen_limits += found.is_limit

    @property
    def is_refused(self) -> bool:
        """Whether there is an error other than a reached limit."""
        seen = any(not found.warning and not found.is_limit for found in self.found)
        return seen or self.unseen > self.unseen_limits

    def take(self, other: CheckState, copies: bool = False) -> None:
        """Add the findings of the branch *other*, or copies of them."""
        for found in other.found:
            self.add(found.copy() if copies else found)
        self.unseen += other.unseen
        self.unseen_limits += other.unseen_limits
        self.unseen_warnings += other.unseen_warnings

    def drop_repeated(self, start: int, seen: int) -> None:
        """Drop findings after *seen* that repeat one between *start* and *seen*."""
        known: dict[tuple[object, ...], list[Finding]] = {}
        for found in self.found[start:seen]:
            known.setdefault(found.get_identity(), []).append(found)
        later = self.found[seen:]
        del self.found[seen:]
        for found in later:
            if not any(map(found.finds_same, known.get(found.get_identity(), ()))):
                self.found.append(found)
            elif found.warning:
                self.warnings -= 1
            else:
                self.errors -= 1

    def drop_after(self, seen: int) -> None:
        """Drop all findings after the first *seen*."""
        del self.found[seen:]
        self.warnings = sum([found.warning for found in self.found])
        self.errors = len(self.found) - self.warnings
        self.unseen = self.unseen_limits = self.unseen_warnings = 0

    def add_error(
        self, code: IssueCode, expected: str, value: object, hint: str | Remedy = ""
    ) -> None:
        """Add an error about *value*."""
        if self.is_full:
            # Its text is not needed.
            self.unseen += 1
        else:
            self.add(Finding(code, expected, None, hint, value=value))

    def add_coercion(self, to: str, value: object, rule: str) -> None:
        """Add a warning that *value* was read as *to* by the coercion *rule*."""
        self.add(Finding("coerced", to, None, rule=rule, warning=True, value=value))

    def prefix(self, seen: int, step: str | int, hidden: bool = False) -> None:
        """Put *step* before the paths of all findings after the first *seen*."""
        for found in self.found[seen:]:
            found.steps.append(step)
            if hidden:
                found.hidden = len(found.steps)


class _CodeOnlyState(CheckState):
    """Check state whose findings have a code but no message texts."""

    __slots__ = ()

    def add_error(
        self, code: IssueCode, expected: str, value: object, hint: str | Remedy = ""
    ) -> None:
        """Add an error with its *code* only, without texts."""
        self.add(Finding(code))

    def add_coercion(self, to: str, value: object, rule: str) -> None:
        """Add a warning of a coercion, without texts."""
        self.add(Finding("coerced", warning=True))


#: Checks a value, adds its findings to the run, and returns the value, coerced or as it is.
Checker = Callable[[Any, CheckState], Any]


def find_code(check: Checker, value: object) -> IssueCode:
    """Return the code of the first finding of *check* in *value*; there must be one."""
    run = _CodeOnlyState(1)
    check(value, run)
    return run.found[0].code


def remember_results(inner: Checker) -> Checker:
    """Wrap the checker *inner* so that branches cache its result by value."""

    def check(value: Any, run: CheckState) -> Any:
        if not run.trial:
            return inner(value, run)
        memo = run.memo
        key = id(inner), id(value), 0 if run.is_verdict else run.limit
        known = memo.get(key)
        if known is None:
            trial = run.make_verdict() if run.is_verdict else run.make_branch()
            made = inner(value, trial)
            # Both are kept alive, so that their ids stay theirs while the check runs.
            known = memo[key] = (inner, value), made, trial
        run.take(known[2], copies=True)
        return known[1]

    return check


def allow_nil(inner: Checker) -> Checker:
    """Wrap the checker *inner* so that nil passes without a check."""

    def check(value: Any, run: CheckState) -> Any:
        return None if value is None else inner(value, run)

    return check


#: The rule of an error about a key that was meant for a declared name which is absent: an error
#: in any policy.
MISSPELT = "misspelt"


def split_findings(
    found: list[Finding], policy: Policy, stage: Stage
) -> tuple[list[Issue], list[Issue]]:
    """Split *found* into errors and warnings.

    An argument that a model left out or misspelt is an error in any policy.
    """
    errors: list[Issue] = []
    warnings: list[Issue] = []
    search = SuggestionSearch()
    for one in found:
        named = stage in ("input", "answer") and len(one.steps) == 1
        missing = named and one.code == "missing"
        certain = missing or one.rule == MISSPELT
        fails = not one.warning and (policy.on_issue == "fail" or certain)
        (errors if fails else warnings).append(one.make_issue(search))
    return errors, warnings
