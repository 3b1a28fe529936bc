"""Trial readings of data, kept as the outcome if they fit, and wrapped lists.

A model's text may hold several values, of which one fits; to find it, each is checked and decoded,
which may run validators of the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from typesig.algebra.rows.values import to_builtin
from typesig.algebra.signature import Signature
from typesig.calls.decoding import AnswerContext
from typesig.extraction.python_types.host_plan import HostPlan, Speller
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import Policy
from typesig.validation.repair.input_reader import ReadResult

T = TypeVar("T")


class Trials(Generic[T]):
    """Cached outcomes of the readings of a text that *judge* accepted."""

    __slots__ = ("_judge", "_known")

    def __init__(self, judge: Callable[[Any, Policy], Outcome[T]]) -> None:
        self._judge = judge
        # By the ids of data, which is kept with them.
        self._known: dict[int, tuple[Any, Outcome[T]]] = {}

    def fits(self, data: Any, policy: Policy) -> bool:
        """Whether *data* is accepted under *policy*; cache the outcome."""
        found = self._judge(data, policy)
        if found.ok:
            self._known[id(data)] = data, found
        return found.ok

    def get_outcome(self, read: ReadResult, policy: Policy) -> Outcome[T] | None:
        """Return the cached outcome for the reading *read*, or None.

        *policy* is that of the reading; the trials may have been stricter.
        """
        if policy.on_issue == "skip" or id(read.fitting) not in self._known:
            return None
        found = self._known[id(read.fitting)][1]
        subject = found._subject
        assert subject is not None
        return Outcome(
            found.result,
            (),
            (*read.warnings, *found.warnings),
            "answer",
            unseen=found.unseen,
            plain=lambda: found.value,
            subject=subject._replace(policy=policy),
        )


def unwrap_items(data: Any, signature: Signature) -> Any:
    """Unwrap *data* from `{"items": …}` if the result of *signature* is a list."""
    # The methods of a subclass are not called.
    is_wrapper = len(data) == 1 if type(data) is dict else issubclass(type(data), dict)
    if is_wrapper and signature.returns_list():
        held = to_builtin(data)
        return held["items"] if held.keys() == {"items"} else data
    return data


def decode_coerced(
    about: AnswerContext,
    signature: Signature,
    host: HostPlan,
    read: Callable[..., Any],
    data: Any,
    mended: Iterable[Issue] = (),
) -> Outcome[Any] | None:
    """Coerce and decode *data*, or tell its errors; None if there may be more of them.

    *read* decodes most of what has passed the check.
    """
    if host.strict:
        return None
    sent = data if type(data) in (str, list) else unwrap_items(data, signature)
    is_whole = sent is data and not (mended or host.secrets or host.spellings)
    return about.read_coerced(sent, host.returns, read, mended, is_whole)


def rename_keys(data: Any, spellings: Mapping[Any, Any], signature: Signature) -> Any:
    """Rename alternative keys of *data*, with *spellings*, to the declared field names."""
    if not spellings:
        return data
    return Speller(spellings, signature.names).rename_keys(signature.returns, data)
