"""Policies: how strictly a check is meant.

A mode is a policy by name; another mode is another value and a row in `MODES`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from typesig.algebra.frozen import Frozen
from typesig.errors import TypesigError
from typesig.limits import MAX_ISSUES
from typesig.validation.coercions import COERCIONS, DEFAULTS


class Policy(Frozen):
    """How a check deals with what does not fit to the letter.

    #: coercions: the ids of the rows of `typesig.validation.coercions` that are on
    #: extras: what becomes of undeclared keys: keep, reject or drop (with a warning)
    #: on_issue: what becomes of errors: fail, warn (a missing argument still fails) or skip all
    #: defaults: whether absent fields take their defaults
    #: decoding: whether JSON's spelling of a type it has no form for is read
    #: firewall: whether what is firewalled is refused, as in what a model sends
    #: max_issues: errors and warnings collected of each kind

    >>> Policy().on("int_from_whole_float") == Policy()
    False
    """

    __slots__ = (
        "coercions",
        "decoding",
        "defaults",
        "extras",
        "firewall",
        "max_issues",
        "on_issue",
    )
    __match_args__ = (
        "coercions",
        "extras",
        "on_issue",
        "defaults",
        "decoding",
        "firewall",
        "max_issues",
    )
    coercions: frozenset[str]
    extras: str
    on_issue: str
    defaults: bool
    decoding: bool
    firewall: bool
    max_issues: int

    def __init__(
        self,
        coercions: Iterable[str] = DEFAULTS,
        extras: str = "keep",
        on_issue: str = "fail",
        defaults: bool = True,
        decoding: bool = True,
        firewall: bool = False,
        max_issues: int = MAX_ISSUES,
    ) -> None:
        coercions = frozenset(coercions)
        _known("coercion", coercions, COERCIONS)
        _known("extras", {extras}, ("keep", "reject", "drop"))
        _known("on_issue", {on_issue}, ("fail", "warn", "skip"))
        self._fill(coercions, extras, on_issue, defaults, decoding, firewall, max_issues)

    def on(self, *ids: str) -> Policy:
        """Return the same policy with the coercions *ids* turned on."""
        return self.changed(coercions=self.coercions | set(ids))

    def off(self, *ids: str) -> Policy:
        """Return the same policy with the coercions *ids* turned off."""
        _known("coercion", ids, COERCIONS)
        return self.changed(coercions=self.coercions - set(ids))

    def for_output(self) -> Policy:
        """Return the policy that results are checked by: nothing is coerced, filled or decoded."""
        return self.changed(coercions=frozenset(), defaults=False, decoding=False)

    def for_call(self) -> Policy:
        """Return the policy of the call path: the firewall up, undeclared keys dropped."""
        extras = "drop" if self.extras == "keep" else self.extras
        return self.changed(extras=extras, firewall=True)

    def changed(self, **parts: Any) -> Policy:
        """Return the same policy with some of its parts replaced, by name."""
        return Policy(**{**dict(zip(self.__match_args__, self._parts(), strict=True)), **parts})


def _known(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = list(known)
    for name in given:
        if name not in names:
            raise TypesigError(f"there is no {what} {name!r}; there are {', '.join(names)}")


ENABLED = Policy()
WARN_ONLY = Policy(on_issue="warn")
STRICT = Policy(coercions=(), extras="reject")
DISABLED = Policy(on_issue="skip")

ModeName: TypeAlias = Literal["enabled", "warn_only", "strict", "disabled"]

MODES: dict[str, Policy] = {
    "enabled": ENABLED,
    "warn_only": WARN_ONLY,
    "strict": STRICT,
    "disabled": DISABLED,
}


def policy_of(mode: str | Policy) -> Policy:
    """Return the policy that *mode* names; raise `TypesigError` where there is none."""
    if isinstance(mode, Policy):
        return mode
    _known("mode", (mode,), MODES)
    return MODES[mode]
